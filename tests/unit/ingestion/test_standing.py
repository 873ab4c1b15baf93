"""How a document stands is told in one way: whatever its job, pages, tasks and imports are, no two words exclude each
other, for each is true of the same pages."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import translation
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.tasks.lifecycle import TaskStatus
from annotation.tasks.settling import import_state, page_status
from ingestion import job_page, page_groups
from ingestion.lifecycle import SETTLED, JobStage, JobStatus, ModelsState, PageStatus, Route, SkipReason
from ingestion.models import Job
from ingestion.phases import phases
from ingestion.presentation import Groups, page_filters
from ingestion.standing import USER_STATUS, Standing, standing
from processing.imports.lifecycle import Delivery

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class OnePage:
    status: str
    imports: str = "none"
    skip: str = ""
    stage: str = "NONE"
    claimed: bool = False
    skus: int = 0

    @property
    def row(self) -> dict[str, Any]:
        delivered = self.skus if self.imports in ("assumed", "confirmed") else 0
        return {
            "status": self.status, "import_state": self.imports, "skip_reason": self.skip, "stage": self.stage,
            "claimed": self.claimed, "pages": 1, "skus": self.skus, "delivered": delivered, "versions": 1,
            "sent": float(bool(delivered)), "bare": int(not self.skus), "lately": 0,
        }  # fmt: skip


@st.composite
def one_page(draw: st.DrawFn) -> OnePage:
    """A page that machines have, or one that follows its tasks and its imports (annotation.settling)."""
    kind = draw(st.sampled_from(["machines", "settled", "settled", "settled", "stopped", "empty"]))
    if kind == "machines":
        status = draw(st.sampled_from(["PENDING", "AI_QUEUED", "AI_FAILED"]))
        stages = ["READ", "UNDERSTAND_RULES", "UNDERSTAND", *(["PRICE", "BATCH"] if status == "AI_QUEUED" else [])]
        return OnePage(status, stage=draw(st.sampled_from(stages)), claimed=draw(st.booleans()))
    if kind == "stopped":
        return OnePage("DEAD_LETTER")
    if kind == "empty":
        blank = draw(st.booleans())
        return OnePage("BLANK") if blank else OnePage("SKIPPED", "confirmed", draw(st.sampled_from(SkipReason.values)))
    tasks = draw(st.lists(st.sampled_from(TaskStatus.values), max_size=2))
    left = "HUMAN_QUEUED" if tasks else draw(st.sampled_from(["AI_COMPLETED", "HUMAN_COMPLETED"]))
    status = page_status(left, tasks)
    skip = draw(st.sampled_from(["person", "sla"])) if status == PageStatus.SKIPPED else ""
    ledger = draw(st.lists(st.sampled_from(Delivery.values), max_size=2))
    skus = draw(st.integers(0, 3))
    return OnePage(status, draw(st.sampled_from([import_state(ledger), "none"])), skip, skus=skus)


@dataclass(frozen=True)
class Case:
    job: Job
    pages: list[OnePage]
    groups: Groups = field(default_factory=Groups)

    def count(self, *states: str) -> int:
        return sum(page.status in states for page in self.pages)

    @property
    def people(self) -> int:
        return self.count("HUMAN_QUEUED", "HUMAN_PROCESSING")

    @property
    def machines(self) -> int:
        return self.count("PENDING", "AI_QUEUED", "AI_FAILED")

    @property
    def sending(self) -> int:
        done = [page for page in self.pages if page.status in ("AI_COMPLETED", "HUMAN_COMPLETED")]
        return sum(page.imports in ("none", "pending") for page in done)

    @property
    def failed(self) -> int:
        """Stopped, being tried again, or not taken by the target."""
        done = ("AI_COMPLETED", "HUMAN_COMPLETED", "SKIPPED", "BLANK")
        refused = sum(page.status in done and page.imports in ("failed", "stale") for page in self.pages)
        return refused + self.count("DEAD_LETTER", "AI_FAILED")

    @property
    def late(self) -> int:
        return sum(page.skip == "sla" for page in self.pages)

    @property
    def by_people(self) -> int:
        return self.count("HUMAN_COMPLETED") + sum(page.skip in ("person", "sla", "cancelled") for page in self.pages)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Also jobs whose status has not followed their pages yet."""
    status = draw(st.sampled_from([*SETTLED, *SETTLED, *JobStatus]))
    least = int(status in SETTLED)  # only a document whose pages are known is settled
    pages = [] if status in ("UPLOADED", "REJECTED") else draw(st.lists(one_page(), min_size=least, max_size=6))
    job = Job(
        status=status,
        route=draw(st.sampled_from(Route.values)),
        source_bytes=1,
        total_pages=len(pages) or None,
        stage=draw(st.sampled_from(JobStage.values)) if status not in SETTLED else JobStage.NONE,
        held_reason=draw(st.sampled_from(["", "", "no_progress"])),
        import_hold=draw(st.booleans()),
        edition_of_id=draw(st.sampled_from([None, 7])),
        failure_code="encrypted" if status == "REJECTED" else "",
        models_state=draw(st.sampled_from([ModelsState.NONE, ModelsState.NONE, ModelsState.ASKING])),
        created_at=BEGAN,
        progressed_at=BEGAN + timedelta(minutes=2),
        checked_at=BEGAN,
    )
    case = Case(job, pages)
    for page in pages:
        case.groups.add(page.row)
    return case


def words_of(case: Case, said: Standing) -> list[str]:
    """All that the list, the page's head, strip, tiles and panels, the API and the socket say of it."""
    figures = job_page.rate(case.job, case.groups)
    return [
        said.word, said.reason, said.hint, said.user_status, f"phase {said.phase}", said.nobody_waits,
        said.nothing_wrong, f"without people {said.without_people}", *figures.values(),
    ]  # fmt: skip


# What each word says of the pages; two words of which both are true exclude nothing.
TRUE: dict[str, Callable[[Case], bool]] = {
    "Needs people": lambda c: c.people > 0,
    "People only": lambda c: c.job.route == "HUMAN_ALL",
    "needs_manual": lambda c: bool(
        c.people or c.job.held_reason or c.job.models_state == "asking" or (c.job.import_hold and c.sending)
    ),
    "People are working on it; nothing has to be done": lambda c: c.people > 0,
    "phase human_pending": lambda c: c.people > 0 and not c.machines,
    "phase processing": lambda c: c.machines > 0,
    "phase importing": lambda c: c.sending > 0 and not c.machines,
    "No page waits for a person.": lambda c: not c.people,
    "Nothing went wrong.": lambda c: not c.failed and not c.late and c.job.status not in ("REJECTED", "CANCELLED"),
    "Partly failed": lambda c: not c.pages or (c.failed + c.late > 0 and not c.people and not c.machines),
    "Finished": lambda c: not (c.people or c.machines or c.failed or c.late or c.sending),
    "Everything is delivered": lambda c: not (c.people or c.machines or c.failed or c.sending),
    "completed": lambda c: not (c.people or c.machines or c.failed or c.late or c.sending),
    "In progress": lambda c: bool(c.machines or c.sending or not c.pages),
    "Wait: it goes on by itself": lambda c: bool(
        c.machines or c.sending or not c.pages or c.job.status in ("ORPHANED", "EVALUATING", "EVALUATED", "EVAL_FAILED")
    ),
    "Awaits approval": lambda c: bool(c.job.edition_of_id and c.job.import_hold and c.sending and not c.people),
    "Imports held": lambda c: bool(c.job.import_hold and c.sending and not c.people),
    "Held": lambda c: bool(c.job.held_reason),
    "without people 100%": lambda c: not (c.people or c.by_people or c.failed - c.count("AI_FAILED")),
    "Took": lambda c: not c.machines,
}
COUNTED = {
    r"(\d+) pages? waits? for a person": lambda c: c.people,
    r"(\d+) pages? failed": lambda c: c.failed,
    r"(\d+) pages? (?:was|were) closed without a person": lambda c: c.late,
}


@pytest.mark.req("LX-ONEURL", "TA-USERMAP")
@settings(max_examples=400, deadline=None)
@given(cases())
def test_no_two_words_of_a_document_exclude_each_other(case: Case) -> None:
    with translation.override("en"):
        said = standing(case.job, case.groups)
        words = words_of(case, said)
        for word in words:
            assert TRUE.get(word, lambda c: True)(case), (word, words, case.pages, case.job.status)
            for pattern, count in COUNTED.items():
                if found := re.fullmatch(pattern, word):
                    assert int(found[1]) == count(case) > 0, (word, case.pages)
        assert said.word and said.hint and said.user_status in USER_STATUS.values()
        assert bool(said.reason) or said.nobody_waits or said.nothing_wrong or case.people
        chips = {chip.label: chip.count for chip in page_filters(case.groups)}
        strip = {one.name: one.figure for one in phases(case.job, case.groups)}
        assert not set(chips) & set(strip), "one word for two counts"
        assert chips["Needs people"] == case.people and strip["People"] == (str(case.people) if case.people else "")
        assert chips["Failed"] == case.failed and chips["To deliver"] == case.sending
        assert sum(count for label, count in chips.items() if label != "All") == chips["All"] == len(case.pages)


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_no_word_of_the_strip_is_one_of_the_filters(language: str) -> None:
    groups = Groups()
    with translation.override(language):
        strip = {one.name for one in phases(Job(status="PROCESSING", source_bytes=1), groups)}
        assert not strip & {chip.label for chip in page_filters(groups)}


def test_a_machines_share_counts_pages_that_were_stopped() -> None:
    groups = Groups()
    for page in [OnePage("DEAD_LETTER")] * 68 + [OnePage("AI_COMPLETED", "confirmed", skus=1)] * 32:
        groups.add(page.row)
    said = standing(Job(status="PARTIAL_FAILED"), groups)
    assert said.without_people == "32%" and said.nothing_wrong == ""


def test_what_it_took_is_told_once_machines_have_done() -> None:
    groups = Groups()
    groups.add(OnePage("AI_COMPLETED", "confirmed", skus=1).row)
    job = Job(status="FULL_IMPORTED", created_at=BEGAN, finished_at=BEGAN + timedelta(seconds=30))
    assert page_groups.took(job, groups) == (1 / 30, 30.0)
    with translation.override("en"):
        assert job_page.rate(job, groups)["rate"] == "2 pages/min" and job_page.rate(job, groups)["eta_name"] == "Took"
    groups.add(OnePage("AI_QUEUED", stage="READ").row)
    assert page_groups.took(job, groups) is None
