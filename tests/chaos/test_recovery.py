"""A job goes on to its right end whatever dies under it: workers, Redis, web, and everything at once.

Each test does the harm for real to a running product and compares the end with the drawn catalogue's truth.
"""

import os
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.catalogues import TruthSku, make_catalogue
from tests.support.stack import JobState, Stack, stack

__all__ = ["stack"]
pytestmark = [pytest.mark.chaos, pytest.mark.slow, pytest.mark.timeout(600)]

FINAL = {"BLANK", "SKIPPED", "AI_COMPLETED", "HUMAN_COMPLETED"}
PAGES = 200


@pytest.fixture(scope="session", autouse=True)
def _without_outside_settings() -> None:
    """A crash point set outside would end units that no test means to end."""
    os.environ.pop("CRASH_AT", None)


def squash(text: str) -> str:
    return re.sub(r"\s+", "", text)


def assert_right_end(stack: Stack, job: str, truth: list[TruthSku]) -> None:
    """Every page final, no row in hand, and at the target exactly the catalogue's products, each received once."""
    state = stack.state(job)
    assert (state.status, state.in_hand, state.importing) == ("FULL_IMPORTED", 0, 0), (state, stack.last_words())
    pages = stack.sql(
        "SELECT p.status, p.import_state, p.stage, p.worker, p.claim_token FROM ingestion_page p"
        " JOIN ingestion_job j ON j.id = p.job_id WHERE j.uuid = %s", job,
    )  # fmt: skip
    assert {status for status, *_ in pages} <= FINAL
    assert {(stage, worker, token) for _, _, stage, worker, token in pages} == {("NONE", None, None)}
    assert {state for status, state, *_ in pages if status == "AI_COMPLETED"} == {"confirmed"}
    assert_imported_once(stack, job, truth)


def assert_imported_once(stack: Stack, job: str, truth: list[TruthSku]) -> None:
    skus = stack.sql(
        "SELECT s.sku_id, s.attributes->>'model', p.number, s.status FROM processing_sku s"
        " JOIN ingestion_page p ON p.id = s.page_id JOIN ingestion_job j ON j.id = s.job_id"
        " WHERE j.uuid = %s AND NOT s.superseded", job,
    )  # fmt: skip
    assert Counter((number, squash(model)) for _, model, number, _ in skus) == Counter(
        (sku.page_number, squash(sku.model)) for sku in truth
    )
    assert {status for *_, status in skus} == {"IMPORTED"}
    products = stack.sql(
        "SELECT sku_key, product->'product'->'attributes'->>'model', generation, received"
        " FROM processing_localproduct WHERE sku_key LIKE (SELECT hash8 || '\\_%%' FROM ingestion_job WHERE uuid = %s)",
        job,
    )  # fmt: skip
    assert {key: squash(model) for key, model, _, _ in products} == {key: squash(model) for key, model, _, _ in skus}
    assert {(generation, received) for _, _, generation, received in products} == {(1, 1)}
    assert stack.sql(
        "SELECT state, max(generation) FROM processing_importrecord i JOIN ingestion_job j ON j.id = i.job_id"
        " WHERE j.uuid = %s GROUP BY 1", job,
    ) == [("CONFIRMED", 1)]  # fmt: skip


def finished(count: int) -> Callable[[JobState], bool]:
    return lambda state: state.finished >= count


@pytest.mark.req("PL-C3", "TA-D3", "TA-D6")
def test_a_long_job_survives_dead_workers_and_an_emptied_redis(stack: Stack, tmp_path: Path) -> None:
    truth = make_catalogue(tmp_path / "long.pdf", PAGES, seed=41)
    job = stack.upload(tmp_path / "long.pdf")

    stack.wait_for(job, lambda state: state.finished >= 40 and state.in_hand > 0, 120)
    stack.until(lambda: _pages_claimed(stack), 60, "a worker has pages in its hands")
    first = stack.kill_unit("cpu")
    stack.wait_for(job, lambda state: state.finished >= 80 and state.in_hand > 0, 120)
    assert stack.units()["cpu"] != first
    stack.kill_worker("cpu")

    stack.wait_for(job, finished(110), 120)
    stack.stop_redis()
    time.sleep(3)
    assert stack.state(job).finished < PAGES, "the harm came too late to prove anything"
    stack.start_redis()

    stack.wait_for(job, lambda state: state.is_left_by_machines, 240)
    assert_right_end(stack, job, truth)
    losses, failures = stack.sql(
        "SELECT sum(p.losses), sum(p.failures) FROM ingestion_page p JOIN ingestion_job j ON j.id = p.job_id"
        " WHERE j.uuid = %s", job,
    )[0]  # fmt: skip
    assert (losses, failures) == (0, 0), "what a page lost by its workers' deaths must not be left on it"


def _pages_claimed(stack: Stack) -> bool:
    return bool(stack.sql("SELECT count(*) FROM ingestion_page WHERE worker IS NOT NULL")[0][0])


@pytest.mark.req("PL-C3")
def test_a_dead_web_process_is_back_and_the_job_unmoved(stack: Stack, tmp_path: Path) -> None:
    truth = make_catalogue(tmp_path / "web.pdf", 24, seed=43)
    job = stack.upload(tmp_path / "web.pdf")
    stack.wait_for(job, lambda state: state.in_hand > 0, 60)
    cpu = stack.workers("cpu")

    killed = stack.kill_unit("web")
    began_s = time.monotonic()
    stack.until(lambda: _answers(stack, job), 60, "the job page answers again")
    print(f"web back after {time.monotonic() - began_s:.1f} s")

    assert stack.units()["web"] != killed
    assert stack.workers("cpu") == cpu, "a dead web process must not touch the workers"
    stack.wait_for(job, lambda state: state.is_left_by_machines, 120)
    assert_right_end(stack, job, truth)


def _answers(stack: Stack, job: str) -> bool:
    """The same browser, still signed in."""
    try:
        return stack.person().ask(f"/jobs/{job}/")[0] == 200
    except OSError:
        return False


@pytest.fixture
def dying() -> Iterator[Stack]:
    """A product whose workers kill themselves at the worst moments, again and again."""
    points = "import.after_call:2,settle.before_commit:2,understanding.before_commit:4"
    with Stack({"CRASH_AT": points, "SANDBOX_OCR": "0"}) as stack:
        yield stack


@pytest.mark.req("PL-C3", "TA-IMPKEY")
def test_deaths_between_call_and_record_import_nothing_twice(dying: Stack, tmp_path: Path) -> None:
    truth = make_catalogue(tmp_path / "small.pdf", 12, seed=47)
    job = dying.upload(tmp_path / "small.pdf")
    names = ("cpu", "out", "quick")
    seen: dict[str, set[int]] = {name: set() for name in names}

    def all_died() -> bool:
        for name, pids in seen.items():
            pids.update(dying.workers(name))
        return all(len(pids) > 1 for pids in seen.values())

    dying.until(all_died, 120, lambda: f"each unit died at its crash point: {seen}")
    dying.kill_all_units()
    unanswered = "SELECT sku_key, attempt FROM processing_importrecord WHERE state IN ('SENDING', 'UNKNOWN')"
    lost = dict(dying.sql(unanswered))
    arrived = {key for (key,) in dying.sql("SELECT sku_key FROM processing_localproduct")}
    assert lost.keys() & arrived, "the target has them, the ledger does not know"

    del dying.environment["CRASH_AT"]
    dying.start_units()
    # An hour later: the dead are known to be dead, and no request can be on its way any more.
    dying.sql("UPDATE core_worker SET seen_at = seen_at - interval '1 hour' WHERE seen_at < now() - interval '1 s'")
    dying.sql("UPDATE processing_importrecord SET sent_at = sent_at - interval '1 hour'")

    dying.wait_for(job, lambda state: state.is_left_by_machines, 120)
    assert_right_end(dying, job, truth)
    attempts = dict(dying.sql("SELECT sku_key, attempt FROM processing_importrecord"))
    resent = [key for key in lost.keys() & arrived if attempts[key] != lost[key]]
    assert resent == [], "the target was not asked before it was sent to again"


def test_nothing_outlives_a_killed_run() -> None:
    """What the other tests rely on: after kill -9 of `run` its units, their workers and fork servers are gone."""
    with Stack({"SANDBOX_OCR": "0"}) as stack:
        assert all(map(stack.workers, ("cpu", "llm", "out", "quick")))
        stack.kill_all_units()
        assert not any(map(stack.workers, ("cpu", "llm", "out", "quick")))
