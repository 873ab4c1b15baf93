"""How a document stands whose pages do not settle it: its pages are read, nothing of them is delivered or waits for a
person, and the strip, the filters and the words follow what is done with it as a whole."""

from typing import Any

import pytest
from django.utils import translation

from ingestion.models import Job
from ingestion.models_shown import asking_words
from ingestion.phases import phases
from ingestion.presentation import Groups, page_filters, shown_state
from ingestion.standing import standing
from processing.studies.kind import STUDY

DELIVERING = ("deliver", "SKU", "import", "入库", "送达")
READ = ("AI_COMPLETED", "confirmed", "NONE")


def study(**columns: Any) -> Job:
    known = {"status": "PROCESSING", "stage": "NONE", "source_bytes": 1, "total_pages": 2, **columns}
    return Job(kind=STUDY.key, **known)


def groups(*pages: tuple[str, str, str]) -> Groups:
    """``pages``: status, import state and stage of each."""
    counted = Groups(by_pages=STUDY.by_pages)
    for status, imports, stage in pages:
        counted.add(
            {"status": status, "import_state": imports, "skip_reason": "", "stage": stage, "claimed": False,
             "pages": 1, "skus": 0, "delivered": 0, "versions": 1, "sent": 0.0, "bare": 1, "lately": 0}
        )  # fmt: skip
    return counted


ALL_READ = groups(READ, ("AI_COMPLETED", "none", "NONE"))
BEING_READ = groups(READ, ("AI_QUEUED", "none", "READ"))
# What it is -> its job, its pages, how each phase stands, its reason, and the phase that programs are told.
STANDS = {
    "being read": (
        study(), BEING_READ, "running waiting waiting waiting", "It is read, and values are looked for", "processing",
    ),
    "read and sent again": (
        study(stage="EXTRACT"), BEING_READ, "running waiting waiting waiting", "It is read, and values are looked for",
        "processing",
    ),
    "being extracted": (
        study(stage="EXTRACT"), ALL_READ, "done running waiting waiting", "Values are looked for in it", "processing",
    ),
    "models are asked": (
        study(stage="ASK", models_state="go"), ALL_READ, "done done running waiting", "Models are asked about it",
        "processing",
    ),
    "awaits a go-ahead": (
        study(status="AWAITING_GO", models_state="asking", models_pages=2, models_estimated_micro=50_000), ALL_READ,
        "done done people waiting", "2 of 2 pages would be asked, about 0.05 USD", "human_pending",
    ),
    "to be reviewed": (
        study(status="PARTIAL_IMPORTED"), ALL_READ, "done done done people",
        "What was found waits for a person to look at it", "human_pending",
    ),
    "finished": (
        study(status="FULL_IMPORTED", completion_source="people"), ALL_READ, "done done done done",
        "A person has looked at all that was found", None,
    ),
    "cancelled": (
        study(status="CANCELLED", stage="NONE"), ALL_READ, "waiting waiting waiting waiting",
        "The document was cancelled", None,
    ),
    "refused": (
        study(status="REJECTED", failure_code="encrypted"), groups(), "waiting waiting waiting waiting",
        None, None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", STANDS)
def test_what_is_done_with_it_as_a_whole_is_what_is_said(name: str) -> None:
    job, counted, strip, reason, phase = STANDS[name]
    with translation.override("en"):
        stands = standing(job, counted)
        found = {entry.key: entry.state for entry in phases(job, counted)}
    assert [*found] == ["receive", "check", "read", "extract", "ask", "people"]
    assert " ".join([*found.values()][2:]) == strip
    assert reason in (None, stands.reason) and stands.phase == phase
    waits = name in ("awaits a go-ahead", "to be reviewed")
    assert stands.nobody_waits == ("" if waits else "Nothing waits for a person.")


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("name", STANDS)
def test_nothing_speaks_of_delivering(name: str, language: str) -> None:
    job, counted, *_ = STANDS[name]
    with translation.override(language):
        stands = standing(job, counted)
        said = [stands.word, stands.reason, stands.hint, stands.nobody_waits, stands.nothing_wrong]
        said += [f"{entry.name} {entry.figure} {entry.unit}" for entry in phases(job, counted)]
        said += [chip.label for chip in page_filters(counted)]
        said += vars(asking_words(job, 2)).values()
    assert not [text for text in said for word in DELIVERING if word.lower() in text.lower()]


def test_a_page_that_machines_are_done_with_is_read_whatever_became_of_imports() -> None:
    states = {
        shown_state("AI_COMPLETED", imports, "NONE", claimed=False, by_pages=False)
        for imports in ("none", "pending", "assumed", "confirmed", "failed", "stale")
    }
    assert states == {"AI_COMPLETED"}
    counted = groups(READ, ("BLANK", "none", "NONE"), ("DEAD_LETTER", "none", "NONE"), ("AI_QUEUED", "none", "READ"))
    chips = {chip.key: chip.count for chip in page_filters(counted)}
    assert chips == {"all": 4, "read": 1, "reading": 0, "queued": 1, "failed": 1, "empty": 1}
    assert counted.done == 2


def test_no_model_was_asked_is_said_where_none_was() -> None:
    with translation.override("en"):
        jobs = [study(status="PARTIAL_IMPORTED", models_state=state) for state in ("none", "left", "go")]
        strips = {job.models_state: {entry.key: entry for entry in phases(job, ALL_READ)} for job in jobs}
    said = {state: strip["ask"].unit for state, strip in strips.items()}
    assert said == {"none": "not asked", "left": "not asked", "go": ""}
