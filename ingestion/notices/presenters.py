"""Notices put into words, in the reader's language: for the bell, the list of all and mail."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogsku.core import clock, moments
from ingestion.kinds import KINDS
from ingestion.lifecycle import JobStatus
from ingestion.models import Job
from ingestion.notices import selectors
from ingestion.notices.kinds import ASKS, LOOKS, OF_PEOPLE, Kind
from ingestion.notices.models import Notice
from ingestion.standing import OF_OWN_ROWS, refusal_sentence
from ingestion.verdicts import way_on


@dataclass(frozen=True)
class Row:
    """``url`` leads where something can be done, and counts it as read. ``is_over``: nothing is left to do."""

    id: int
    url: str
    document: str
    word: str
    detail: str
    icon: str
    tone: str
    at: datetime
    is_unread: bool
    is_over: bool


@dataclass(frozen=True)
class Day:
    word: str
    rows: list[Row]


def rows(notices: Sequence[Notice]) -> list[Row]:
    of_people = {notice.job_id for notice in notices if notice.job_id and notice.kind in OF_PEOPLE}
    waiting = selectors.pages_waiting(of_people)
    return [_row(notice, waiting[notice.job_id or 0]) for notice in notices]


def by_day(notices: Sequence[Notice]) -> list[Day]:
    grouped: Iterable[tuple[date, Iterable[Row]]] = groupby(
        rows(notices), lambda row: timezone.localtime(row.at).date()
    )
    return [Day(_day_word(day), list(of_day)) for day, of_day in grouped]


def _day_word(day: date) -> str:
    passed = clock.today() - day
    return {timedelta(0): _("Today"), timedelta(1): _("Yesterday")}.get(passed) or moments.day(day)


def _row(notice: Notice, waiting: int) -> Row:
    look = LOOKS[notice.kind]
    is_over = notice.over_at is not None
    return Row(
        id=notice.pk,
        url=reverse("notice", args=[notice.pk]),
        document=_about(notice),
        word=str(Kind(notice.kind).label),
        detail=_over(notice) if is_over else _detail(notice, waiting),
        icon="check" if is_over else look.icon,
        tone="ink2" if is_over else look.tone,
        at=notice.told_at,
        is_unread=notice.read_at is None,
        is_over=is_over,
    )


def _about(notice: Notice) -> str:
    """The name of what it tells of."""
    if notice.job is not None:
        return notice.job.source_name
    if notice.kind == Kind.BUDGET:
        return notice.merchant.name if notice.merchant else _("All merchants")
    return notice.about


def _over(notice: Notice) -> str:
    return _("It is done.") if notice.kind in ASKS else _("Since then it has gone on.")


def _detail(notice: Notice, waiting: int) -> str:
    """One or two sentences: what happened, and what can be done."""
    job, facts = notice.job, notice.facts
    if notice.kind == Kind.TARGET:
        return _("Its imports wait together. They go on once its secret is mended.")
    if notice.kind == Kind.BUDGET:
        return _budget(facts.get("percent", 0), notice.about)
    if notice.kind == Kind.DRIFT:
        return _("People correct more than chance explains of pages of which machines are as sure as before.")
    if job is not None and job.status in OF_OWN_ROWS and not KINDS[job.kind].by_pages:
        return _("%(sentence)s.") % {"sentence": OF_OWN_ROWS[JobStatus(job.status)]}
    if notice.kind in OF_PEOPLE or job is None:
        return _waiting(waiting)
    if notice.kind in (Kind.FINISHED, Kind.PARTLY):
        return _ended(facts.get("products", 0), facts.get("checked", 0), facts.get("failed", 0))
    if notice.kind == Kind.REFUSED:
        return " ".join(filter(None, (refusal_sentence(job), way_on(job.failure_code))))
    if notice.kind == Kind.GO:
        return _("It goes on once somebody has said whether models are asked.")
    if notice.kind == Kind.STOPPED:
        return _("It does not get on by itself: an operator has to let it go on.")
    if facts.get("by"):
        return _("%(name)s holds its imports: nothing of it goes out.") % {"name": facts["by"]}
    return _("Its changes wait for approval: nothing of it goes out before.")


def _budget(percent: int, day: str) -> str:
    if percent >= 100:
        return _("It is spent for %(day)s: what machines are not sure of goes to people.") % {"day": day}
    return _("%(percent)s%% of it are spent for %(day)s.") % {"percent": percent, "day": day}


def _waiting(pages: int) -> str:
    if not pages:
        return _("Its pages are made ready for people.")
    return ngettext("%(n)s page waits for a person.", "%(n)s pages wait for a person.", pages) % {"n": pages}


def _ended(products: int, checked: int, failed: int) -> str:
    said = [ngettext("%(n)s product", "%(n)s products", products) % {"n": products}]
    if checked:
        said.append(
            ngettext("%(n)s page was checked by people", "%(n)s pages were checked by people", checked) % {"n": checked}
        )
    if failed:
        said.append(ngettext("%(n)s page went wrong", "%(n)s pages went wrong", failed) % {"n": failed})
    return _(", ").join(said) + _(".")


# Of what is no document.
_SCREENS: Mapping[str, str] = {Kind.TARGET: "imports", Kind.BUDGET: "models", Kind.DRIFT: "calibration"}


def target(notice: Notice) -> str:
    """Where something can be done about it; once that is over, the document."""
    job = notice.job
    if job is None:
        return reverse(_SCREENS[notice.kind])
    if notice.over_at is None and notice.kind in (Kind.NEEDS_YOU, Kind.ESCALATED) and KINDS[job.kind].by_pages:
        return f"{reverse('tasks')}?document={job.uuid}"
    if notice.over_at is None and notice.kind == Kind.HELD:
        return _place_of_held(job)
    if notice.kind == Kind.FINISHED and notice.facts.get("products"):
        return reverse("results", args=[job.uuid])
    return reverse("job", args=[job.uuid])


def _place_of_held(job: Job) -> str:
    return reverse("edition" if job.edition_of_id and not job.import_held_by else "job_imports", args=[job.uuid])
