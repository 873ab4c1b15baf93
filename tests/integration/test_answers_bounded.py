"""An answer does not outgrow its request: what no honest request holds is refused before anything is made of it."""

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.urls import reverse

from catalogsku.api import api
from catalogsku.core.json_bounds import ORDINARY, WORK
from tests.integration.test_api_strangers import OPERATIONS
from tests.support import sockets
from tests.support.people import People
from tests.support.program import V1, Program
from tests.support.sockets import closing
from tests.support.strangers import Document, browser, cheap_passwords, own_document  # noqa: F401
from tests.support.web_process import WebProcess, running_web

__all__ = ["running_web"]
pytestmark = [pytest.mark.req("TA-API", "TA-ERRMAP"), pytest.mark.usefixtures("cheap_passwords")]

MIB = 1 << 20
# Made by who needs one: nearly everybody who imports this needs none.
HARMS: dict[str, Callable[[], str]] = {
    "keys": lambda: json.dumps({f"k{n}": 1 for n in range(WORK.names + 1)}),
    "depth": lambda: "[" * 60 + "]" * 60,
    "depth of objects": lambda: '{"a":' * 60 + "1" + "}" * 60,
    "entries": lambda: json.dumps({"a": [[0, 0]] * (WORK.entries // 2)}),
    "text": lambda: json.dumps({"a": "x" * (WORK.text_bytes + 1)}),
    "a name": lambda: json.dumps({"x" * (WORK.text_bytes + 1): 1}),
    "bytes": lambda: json.dumps({"a": 1}) + " " * WORK.bytes,
}


@pytest.mark.django_db
@pytest.mark.parametrize("harm", HARMS)
def test_every_operation_refuses_what_no_request_holds(people: People, document: Document, harm: str) -> None:
    """An admin comes furthest; each operation is asked about a document that is there."""
    client, sent, refused = Program(people.admin).client, HARMS[harm](), 0
    for method, path in takes_json():
        address = path.format_map(Anything(job_id=document.job.uuid))
        found = client.generic(method.upper(), address, sent, content_type="application/json")
        assert (found.status_code, found.json()["code"]) == (413, "json_too_large"), (method, path, found.content)
        assert len(found.content) < 1000
        refused += 1
    assert refused >= 25


def takes_json() -> list[tuple[str, str]]:
    return [
        (method, path)
        for path, operations in api.get_openapi_schema()["paths"].items()
        for method, operation in operations.items()
        if "application/json" in operation.get("requestBody", {}).get("content", {})
    ]


class Anything(dict[str, Any]):
    """Values of an address's parts, whatever they are called."""

    def __missing__(self, name: str) -> str:
        is_number = name in ("user_id", "profile_id", "layout_id", "number", "report_id", "run_id", "proposal_id")
        return "1" if is_number else "00000000-0000-4000-8000-000000000001"


@pytest.mark.django_db
def test_what_every_operation_needs_is_within_the_bounds(people: People, document: Document) -> None:
    program = Program(people.admin)
    for (method, path), operation in OPERATIONS.items():
        if operation.body is not None:
            found = program(method.upper(), path.format_map(Anything(job_id=document.job.uuid)), operation.body)
            assert found.status_code != 413, (method, path)


@pytest.mark.django_db
def test_problems_are_listed_up_to_a_number_and_repeat_nothing_long(people: People) -> None:
    given = {f"{'n' * 300}{n}": "v" * 100 for n in range(ORDINARY.names - 1)}
    found = Program(None)("POST", "/auth/login", given)
    assert found.status_code == 422
    problems = found.json()["problems"]
    assert len(problems) == 20
    assert all(len(one["path"]) <= 100 and len(one["message"]) <= 200 for one in problems)
    assert b"v" * 10 not in found.content
    assert len(found.content) < 8000


@pytest.mark.django_db
@pytest.mark.parametrize("harm", ["depth", "depth of objects", "keys"])
def test_a_field_of_json_in_a_form_is_bounded_too(people: People, harm: str) -> None:
    client = browser(people.admin)
    for address in (reverse("admin:profiles_thresholdprofile_add"), reverse("login"), reverse("admin:login")):
        found = client.post(address, {"weights": HARMS[harm](), "key": "x"})
        assert found.status_code == 413, address


@pytest.mark.django_db
@pytest.mark.parametrize("harm", [harm for harm in HARMS if harm != "bytes"])
def test_a_posted_command_is_bounded_too(people: People, harm: str) -> None:
    found = browser(people.annotator).post(reverse("work_command"), HARMS[harm](), content_type="application/json")
    assert (found.status_code, found.json()["code"]) == (413, "json_too_large")


@pytest.mark.parametrize("harm", HARMS)
async def test_a_socket_that_says_so_much_is_closed(committed: None, people: People, harm: str) -> None:
    opened = await sockets.opened_socket("/ws/work/?session=00000000-0000-4000-8000-000000000001", people.annotator)
    await opened.send_to(text_data=HARMS[harm]())
    assert (await closing(opened))[0] == 1009


@pytest.fixture
def web(committed: None, people: People, running_web: WebProcess) -> Iterator[WebProcess]:
    return running_web


@pytest.mark.timeout(120)
def test_memory_returns_after_a_hundred_requests_of_a_quarter_million_keys(web: WebProcess) -> None:
    """Eight at once, by nobody: they took the process from 337 MB to 3 GB for good."""

    many_keys = json.dumps({f"k{n:06d}": 1 for n in range(250_000)}).encode()

    def post(times: int) -> None:
        for _ in range(times):
            found = web.ask("POST", f"{V1}/auth/login", many_keys, Content_Type="application/json")
            answers.append((found.status, len(found.body)))

    answers: list[tuple[int, int]] = []
    for _ in range(20):
        web.ask("POST", f"{V1}/auth/login", b'{"a": 1}', Content_Type="application/json")
    before = web.resident_bytes
    senders = [threading.Thread(target=post, args=(13,)) for _ in range(8)]
    for one in senders:
        one.start()
    for one in senders:
        one.join()
    assert {status for status, _ in answers} == {413} and len(answers) == 104
    assert max(length for _, length in answers) < 1000
    grown = web.resident_bytes - before
    print(f"grown by {grown / MIB:.0f} MiB from {before / MIB:.0f}")
    assert grown < 50 * MIB
