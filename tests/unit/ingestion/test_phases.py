"""The phase strip says what is true: found is not delivered."""

from ingestion.lifecycle import JobStatus, Route
from ingestion.models import Job
from ingestion.presentation import Groups, Phase, phases


def groups(*rows: tuple[str, str, int, int, int]) -> Groups:
    found = Groups()
    for status, import_state, pages, skus, delivered in rows:
        found.add(
            {"status": status, "import_state": import_state, "stage": "NONE", "claimed": False, "pages": pages,
             "skus": skus, "delivered": delivered}
        )  # fmt: skip
    return found


def phase(key: str, found: Groups) -> Phase:
    job = Job(source_bytes=1, status=JobStatus.PROCESSING, route=Route.HYBRID, c_doc=0.8, total_pages=found.total)
    return next(entry for entry in phases(job, found) if entry.key == key)


def test_skus_that_wait_for_a_person_are_not_shown_as_delivered() -> None:
    waiting = phase("deliver", groups(("HUMAN_QUEUED", "confirmed", 3, 9, 0)))
    assert (waiting.figure, waiting.state, waiting.share) == ("0 / 9 SKU", "waiting", 0.0)


def test_delivery_is_done_when_every_sku_is_delivered() -> None:
    some = phase("deliver", groups(("AI_COMPLETED", "confirmed", 1, 6, 6), ("HUMAN_QUEUED", "confirmed", 1, 3, 0)))
    assert (some.figure, some.state) == ("6 / 9 SKU", "running")
    whole = phase("deliver", groups(("AI_COMPLETED", "confirmed", 1, 6, 6)))
    assert (whole.state, whole.share) == ("done", 1.0)


def test_people_are_asked_for_as_long_as_a_page_waits() -> None:
    assert phase("people", groups(("HUMAN_QUEUED", "confirmed", 2, 3, 0))).state == "people"


def test_a_cancelled_document_shows_nothing_as_running_or_as_done_that_was_not() -> None:
    job = Job(source_bytes=1, status=JobStatus.CANCELLED)
    states = {entry.key: entry.state for entry in phases(job, groups(("SKIPPED", "none", 3, 0, 0)))}
    assert states.pop("receive") == "done"
    assert set(states.values()) == {"waiting"}
