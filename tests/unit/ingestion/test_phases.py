"""The phase strip says what is true: found is not delivered, and no bar goes back while machines go on."""

from random import Random

import hypothesis.strategies as st
import pytest
from hypothesis import given

from ingestion.lifecycle import JobStatus, Route
from ingestion.models import Job
from ingestion.phases import Phase, phases
from ingestion.presentation import Groups

Row = tuple[str, str, int, int, int]


def groups(*rows: Row, stages: tuple[str, ...] = ()) -> Groups:
    """``rows``: pages of one look: status, import state, pages, SKUs, of which delivered."""
    found = Groups()
    for n, (status, import_state, pages, skus, delivered) in enumerate(rows):
        found.add(
            {"status": status, "import_state": import_state, "skip_reason": "",
             "stage": stages[n] if stages else "NONE", "claimed": False, "pages": pages,
             "skus": skus, "delivered": delivered, "versions": pages,
             "sent": pages * delivered / skus if skus else 0.0, "bare": 0 if skus else pages, "lately": 0}
        )  # fmt: skip
    return found


def strip(found: Groups) -> dict[str, Phase]:
    job = Job(source_bytes=1, status=JobStatus.PROCESSING, route=Route.HYBRID, c_doc=0.8, total_pages=found.total)
    return {entry.key: entry for entry in phases(job, found)}


def phase(key: str, found: Groups) -> Phase:
    return strip(found)[key]


def test_skus_that_wait_for_a_person_are_not_shown_as_delivered() -> None:
    waiting = phase("deliver", groups(("HUMAN_QUEUED", "confirmed", 3, 9, 0)))
    assert (waiting.figure, waiting.state, waiting.share) == ("0 / 9 SKU", "waiting", 0.0)


def test_delivery_is_done_when_every_sku_is_delivered() -> None:
    some = phase("deliver", groups(("AI_COMPLETED", "confirmed", 1, 6, 6), ("HUMAN_QUEUED", "confirmed", 1, 3, 0)))
    assert (some.figure, some.state, some.share) == ("6 / 9 SKU", "running", 0.5)
    whole = phase("deliver", groups(("AI_COMPLETED", "confirmed", 1, 6, 6), ("AI_COMPLETED", "none", 2, 0, 0)))
    assert (whole.state, whole.share) == ("done", 1.0)


def test_what_is_delivered_of_the_first_pages_is_not_all_while_others_are_read() -> None:
    begun = groups(("AI_COMPLETED", "confirmed", 1, 6, 6), ("AI_QUEUED", "none", 9, 0, 0), stages=("NONE", "READ"))
    assert (phase("deliver", begun).state, phase("deliver", begun).share) == ("running", 0.1)


def shares(pages: list[list[int]]) -> dict[str, float]:
    """How full the bars are. ``pages``: how many SKUs each has, and how far it is: begun, read, understood, then one
    SKU delivered after another."""
    rows = [
        ("AI_COMPLETED" if at > 1 else "AI_QUEUED", "none", 1, skus if at > 1 else 0, max(0, at - 2))
        for skus, at in pages
    ]
    stages = tuple("READ" if at == 0 else "UNDERSTAND" if at == 1 else "NONE" for _, at in pages)
    return {key: entry.share for key, entry in strip(groups(*rows, stages=stages)).items()}


@pytest.mark.req("TA-PROG")
@given(st.lists(st.integers(0, 5), min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_no_bar_goes_back_in_whatever_order_pages_get_on(skus: list[int], order: Random) -> None:
    pages = [[count, 0] for count in skus]
    last = dict.fromkeys(("read", "understand", "deliver"), 0.0)
    while going := [page for page in pages if page[1] < 2 + page[0]]:
        order.choice(going)[1] += 1
        now = shares(pages)
        assert all(now[key] >= share for key, share in last.items()), (last, now)
        last = {key: now[key] for key in last}
    assert last == {"read": 1.0, "understand": 1.0, "deliver": 1.0 if any(skus) else 0.0}


def test_people_are_asked_for_as_long_as_a_page_waits() -> None:
    assert phase("people", groups(("HUMAN_QUEUED", "confirmed", 2, 3, 0))).state == "people"


def test_a_cancelled_document_shows_nothing_as_running_or_as_done_that_was_not() -> None:
    job = Job(source_bytes=1, status=JobStatus.CANCELLED)
    states = {entry.key: entry.state for entry in phases(job, groups(("SKIPPED", "none", 3, 0, 0)))}
    assert states.pop("receive") == "done"
    assert set(states.values()) == {"waiting"}
