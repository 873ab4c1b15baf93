"""Log lines of a worker can be followed back to the request, and name the job or the pages."""

from collections.abc import Iterator

import dramatiq
import pytest
import structlog

from catalogsku.core.middleware import ContextMiddleware


@pytest.fixture(autouse=True)
def nothing_bound() -> Iterator[None]:
    structlog.contextvars.clear_contextvars()
    yield
    structlog.contextvars.clear_contextvars()


@pytest.mark.req("TA-LOG")
def test_a_message_carries_the_request_and_names_what_it_is_about() -> None:
    broker, middleware = dramatiq.get_broker(), ContextMiddleware()
    message = broker.get_actor("settle_pages").message([17])
    with structlog.contextvars.bound_contextvars(request_id="r-1", unrelated="x"):
        middleware.before_enqueue(broker, message, None)

    middleware.before_process_message(broker, message)
    bound = structlog.contextvars.get_contextvars()
    assert bound == {"actor": "settle_pages", "message_id": message.message_id, "request_id": "r-1", "page_ids": [17]}

    middleware.after_process_message(broker, message)
    assert structlog.contextvars.get_contextvars() == {}


@pytest.mark.req("TA-LOG")
def test_a_job_of_the_message_wins_over_the_senders() -> None:
    broker, middleware = dramatiq.get_broker(), ContextMiddleware()
    message = broker.get_actor("settle_job").message(5)
    with structlog.contextvars.bound_contextvars(job_id="4"):
        middleware.before_enqueue(broker, message, None)
    middleware.before_process_message(broker, message)
    assert structlog.contextvars.get_contextvars()["job_id"] == 5
