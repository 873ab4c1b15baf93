"""A job's status as a pure function of its pages' census and its route (docs/protocols.md P8, PL-C2)."""

from dataclasses import dataclass

from ingestion.lifecycle import (
    PAGES_WITH_MACHINES,
    PAGES_WITH_PEOPLE,
    ImportState,
    JobStatus,
    PageStatus,
    Route,
    SkipReason,
)

Census = dict[tuple[str, str, str], int]


@dataclass(frozen=True)
class Tally:
    """Pages of a job by whose turn it is."""

    machines: int
    people: int
    wrong: int
    done: int
    empty: int


def tally(census: Census, *, held: bool = False) -> Tally:
    """``held``: imports wait for a person's word."""
    counts = {"machines": 0, "people": 0, "wrong": 0, "done": 0, "empty": 0}
    for (status, import_state, skip_reason), pages in census.items():
        counts[_whose_turn(status, import_state, skip_reason, held=held)] += pages
    return Tally(**counts)


def _whose_turn(status: str, import_state: str, skip_reason: str, *, held: bool) -> str:
    if status in PAGES_WITH_MACHINES:
        return "machines"
    if status in PAGES_WITH_PEOPLE:
        return "people"
    if status == PageStatus.DEAD_LETTER or import_state in (ImportState.FAILED, ImportState.STALE):
        return "wrong"
    if status in (PageStatus.BLANK, PageStatus.SKIPPED):
        return "wrong" if skip_reason == SkipReason.SLA else "empty"
    if import_state == ImportState.PENDING and held:
        return "people"
    return "machines" if import_state in (ImportState.NONE, ImportState.PENDING) else "done"


def job_status(census: Census, route: str, *, held: bool = False, asks: bool = False) -> JobStatus:
    """Machines first, then people, then what went wrong; else everything is delivered.

    ``asks``: pages wait for a person to say whether models are asked. Neither machines nor people get on with these
    until then, so that comes before all.
    """
    if asks:
        return JobStatus.AWAITING_GO
    pages = tally(census, held=held)
    people_only = route == Route.HUMAN_ALL
    if pages.machines:
        return JobStatus.DEGRADED_HUMAN if people_only else JobStatus.PROCESSING
    if pages.people:
        return JobStatus.DEGRADED_HUMAN if people_only else JobStatus.PARTIAL_IMPORTED
    return JobStatus.PARTIAL_FAILED if pages.wrong else JobStatus.FULL_IMPORTED
