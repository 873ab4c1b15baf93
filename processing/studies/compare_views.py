"""The screen on which what two people said of one study stands side by side."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import pgettext, pgettext_lazy
from django.views.decorators.http import require_GET

from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.permissions import Action, may
from catalogsku.core.errors import NotFound
from ingestion.lifecycle import JobStatus
from ingestion.presentation import Filter
from processing.studies import studies_compared
from processing.studies.comparing import Figures, Mark, Pair, say_the_same
from processing.studies.lifecycle import RecordStatus
from processing.studies.models import Record
from processing.studies.studies_compared import Comparison
from processing.studies.studies_seen import Study, get_study
from processing.studies.study_shown import shown_text, words_for
from processing.studies.values import Value, values_in

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

FIELDS_A_PAGE = 100
# Words, icon and tone by mark, in the order in which rows stand.
MARKS: dict[Mark, tuple["StrOrPromise", str, str]] = {
    "differ": (pgettext_lazy("two people", "They differ"), "flag", "person"),
    "single": (pgettext_lazy("two people", "Only one has decided"), "person", "ink2"),
    "agree": (pgettext_lazy("two people", "They agree"), "checks", "done"),
}


@dataclass(frozen=True)
class Side:
    """What one person said. ``text``: as shown, ``raw``: as kept; both empty where they said "not reported".
    ``counts``: it is what the study says now; ``takes``: the reader may make it so."""

    text: str
    raw: str
    quote: str
    page: int
    verdict: str
    counts: bool
    takes: bool


@dataclass(frozen=True)
class Row:
    """``address``: of the field in its study. ``seen``: id of the decision that counts now; ``now``: what it says,
    where that is neither person's word."""

    id: str
    address: str
    record: str
    part: str
    key: str
    label: str
    unit: str
    sides: tuple[Side | None, Side | None]
    mark: tuple["StrOrPromise", str, str]
    seen: int
    now: str


@require_GET
@allowed(Action.SEE_RESULTS)
def study_compare(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    """``one``, ``other``: user names, of those who have decided; ``show``: all, or a mark; ``page``. Where it names no
    two of them, the address of two that there are."""
    study = get_study(request.user, job_id)
    one, other = request.GET.get("one", ""), request.GET.get("other", "")
    try:
        shown = studies_compared.compare(study, one, other if other != one else "")
    except NotFound:
        shown = studies_compared.compare(study)
    if shown.one and shown.other and (one, other) != (shown.one.username, shown.other.username):
        wanted = request.GET.copy()
        wanted["one"], wanted["other"] = shown.one.username, shown.other.username
        return redirect(f"{request.path}?{wanted.urlencode()}")
    show = request.GET.get("show", "")
    pairs = sorted(shown.pairs, key=lambda pair: list(MARKS).index(pair.mark))
    page: Any = Paginator([pair for pair in pairs if show not in MARKS or pair.mark == show], FIELDS_A_PAGE).get_page(
        request.GET.get("page")
    )
    may_take = may(request.user, Action.REVIEW) and study.job.status not in (JobStatus.REJECTED, JobStatus.CANCELLED)
    page.object_list = _rows(study, page.object_list, may_take)
    context = {
        "nav": "studies",
        "job": study.job,
        "study": study,
        "comparison": shown,
        "readings": _readings(shown.figures),
        "filters": _filters(shown),
        "filter": show if show in MARKS else "all",
        "page": page,
        "here": request.GET.urlencode(),
    }
    return render(request, "processing/study_compare.html", context)


def _filters(shown: Comparison) -> list[Filter]:
    marks = [pair.mark for pair in shown.pairs]
    chips = [Filter(mark, str(words), icon, marks.count(mark), tone) for mark, (words, icon, tone) in MARKS.items()]
    return [Filter("all", pgettext("fields", "All"), "", len(marks), ""), *chips]


def _readings(figures: Figures) -> list[tuple[str, str, str]]:
    """(word, figure, note)."""
    kappa = "—" if figures.kappa is None else f"{figures.kappa:.2f}"
    return [
        (_("Decided by both"), str(figures.both), _("fields")),
        (_("Of these they agree on"), str(figures.agreed), _("fields")),
        (_("Agreement"), "—" if figures.share is None else f"{100 * figures.share:.0f} %", _("of what both decided")),
        (_("Beyond chance"), kappa, _("whether it is reported at all (Cohen)")),
    ]


def _rows(study: Study, pairs: list[Pair], may_take: bool) -> list[Row]:
    records = {record.pk: record for record in study.records}
    held = {pk: {value.field: value for value in values_in(record.values)} for pk, record in records.items()}
    groups = {field.key: group.key for group in study.definition.groups for field in group.fields}
    return [_row(records[pair.record], pair, held[pair.record], groups, may_take) for pair in pairs]


def _row(record: Record, pair: Pair, held: Mapping[str, Value], groups: Mapping[str, str], may_take: bool) -> Row:
    asked, now = pair.field, held.get(pair.field.key)
    decided = now if now and now.verdict else None
    takes = may_take and record.status == RecordStatus.REVIEW
    one, other = (_side(pair, said, decided, takes) for said in (pair.one, pair.other))
    is_of_neither = decided is not None and not any(side and side.counts for side in (one, other))
    where = {"group": groups[asked.key]} if record.repeat == "none" else {"part": str(record.uuid)}
    return Row(
        id=f"pair-{record.uuid}-{asked.key}",
        address=urlencode({**where, "field": asked.key}),
        record=str(record.uuid),
        part=record.part,
        key=asked.key,
        label=words_for(asked.labels),
        unit="%" if asked.type == "percentage" else asked.unit,
        sides=(one, other),
        mark=MARKS[pair.mark],
        seen=now.decision if now else 0,
        now=_text(pair, decided) if decided and is_of_neither else "",
    )


def _side(pair: Pair, said: Value | None, decided: Value | None, takes: bool) -> Side | None:
    if said is None:
        return None
    counts = decided is not None and say_the_same(said, decided)
    raw = "" if said.verdict == "not_reported" else said.text
    shown = shown_text(pair.field, raw)
    return Side(shown, raw, said.quote, said.page, said.verdict, counts, takes and not counts and pair.mark != "agree")


def _text(pair: Pair, value: Value) -> str:
    return _("not reported") if value.verdict == "not_reported" else shown_text(pair.field, value.text)
