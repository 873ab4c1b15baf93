"""How calibration is shown: rates with intervals, the matrix of ways, thresholds that are proposed and what they do."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.calibration import selectors
from annotation.calibration.drift import Drift
from annotation.calibration.looks import RATES
from annotation.calibration.models import CalibrationProposal, CalibrationRecord
from annotation.calibration.services.proposing import target
from annotation.calibration.services.recording import LEAST_ANNOTATIONS
from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from catalogsku.profiles.services import work_rules
from ingestion.reasons import reason_sentence
from processing.quality.effects_shown import effect_words
from processing.quality.routes_shown import ways_of
from processing.quality.services.effects import Effect

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

HISTORY_SHOWN, DECIDED_SHOWN = 12, 5
RATE_WORDS: "dict[str, StrOrPromise]" = {
    "route_accuracy": gettext_lazy("On the right way"),
    "correction": gettext_lazy("Corrected by people"),
    "could_be_automatic": gettext_lazy("Could have gone on alone"),
    "automatic_wrong": gettext_lazy("Wrong though nobody doubted it"),
    "people_right": gettext_lazy("Golden pages done right"),
}
WHY_WORDS: "dict[str, StrOrPromise]" = {
    "too_few": gettext_lazy("too few pages to say"),
    "none_keeps": gettext_lazy("no threshold keeps it: not even the surest pages are right often enough"),
    "as_it_is": gettext_lazy("it keeps it as it is"),
    "out_of_range": gettext_lazy("the one that keeps it lies beyond its neighbour"),
    "declined": gettext_lazy("declined less than a month ago"),
}


@dataclass(frozen=True)
class RateCell:
    """``text``: a dash where there was nothing to be a share of; ``of``: how many pages."""

    label: str
    text: str
    interval: str
    of: int


@dataclass(frozen=True)
class PartRow:
    name: str
    pages: int
    wrong_skus: int
    rates: list[RateCell]


@dataclass(frozen=True)
class ProposalRow:
    id: int
    label: str
    now: str
    proposed: str
    kept: str
    would: list[str]
    at: datetime


@dataclass(frozen=True)
class PromiseRow:
    label: str
    now: str
    kept: str
    why: str


@dataclass(frozen=True)
class DecidedRow:
    label: str
    now: str
    proposed: str
    word: str
    by: str
    at: datetime | None
    made: str
    url: str


@dataclass(frozen=True)
class PastRow:
    at: datetime
    pages: int
    rates: list[RateCell]


def calibration_context(user: User, key: str) -> dict[str, Any]:
    """``record``: of all pages of the profile ``key``, else of the first one; None where none was written."""
    newest = selectors.newest_run()
    record = next((row for row in newest if row.profile.key == key), newest[0] if newest else None)
    context: dict[str, Any] = {
        "record": record,
        "can_decide": may(user, Action.OPERATE),
        "least": LEAST_ANNOTATIONS,
        "profiles": [(row.profile.key, row == record) for row in newest] if len(newest) > 1 else [],
    }
    if record is None:
        return context
    parts = [row for row in selectors.parts_of([record]) if row.profile_id == record.profile_id]
    past = selectors.whole_records().filter(profile__key=record.profile.key)[:HISTORY_SHOWN]
    of_key = selectors.proposals().filter(profile__key=record.profile.key)
    decided = of_key.filter(decided_by__isnull=False).order_by("-decided_at")
    return context | {
        "rates": rate_cells(record, tuple(RATE_WORDS)),
        "ways": ways_of(record.routes),
        "told": record.counts.get("told", 0),
        "blind": work_rules().blind_ratio > 0,
        "drifts": [drift_words(drift) for drift in selectors.drifts_of(record)],
        "target": _percent(target()),
        "proposals": [
            _proposal(row) for row in selectors.open_proposals().filter(profile=record.profile).order_by("-pk")
        ],
        "promises": _promises(record),
        "decided": [_decided(row) for row in decided[:DECIDED_SHOWN]],
        "categories": [_part(row, row.category) for row in parts if row.category],
        "reasons": [_part(row, row.reason) for row in parts if row.reason],
        "past": [PastRow(row.until, row.counts["pages"], rate_cells(row, _SHORT)) for row in past],
        "part_heads": [str(RATE_WORDS[name]) for name in _SHORT],
    }


_SHORT = ("route_accuracy", "correction", "could_be_automatic")


def rate_cells(record: CalibrationRecord, names: Sequence[str]) -> list[RateCell]:
    cells = []
    for name in names:
        share, low, high = record.rates.get(name, (None, None, None))
        text = "—" if share is None else _percent(share)
        interval = "" if share is None else f"{_percent(low)}–{_percent(high)}"
        cells.append(RateCell(str(RATE_WORDS[name]), text, interval, record.counts.get(RATES[name][1], 0)))
    return cells


def drift_words(drift: Drift) -> str:
    return _("%(rate)s: %(now)s, where %(low)s–%(high)s was to be expected.") % {
        "rate": RATE_WORDS[drift.rate],
        "now": _percent(drift.now),
        "low": _percent(drift.low),
        "high": _percent(drift.high),
    }


def effect_of(stored: dict[str, Any]) -> Effect:
    """As a proposal keeps it."""
    counts = {name: stored[name] for name in ("documents", "pages", "worked_on", "answered", "left_out")}
    work = {name: stored[name] for name in ("wrong_skus", "people_s")}
    routes = Counter({(now, then): n for now, then, n in stored["routes"]})
    return Effect(routes=routes, people=Counter(stored["people"]), models=Counter(stored["models"]), **counts, **work)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _label(figure: str) -> str:
    return str(CalibrationProposal.Figure(figure).label)


def _kept(stated: Sequence[float]) -> str:
    share, low, high, pages = stated
    n = int(pages)
    words = ngettext(
        "%(share)s right (%(low)s–%(high)s) of %(n)s page", "%(share)s right (%(low)s–%(high)s) of %(n)s pages", n
    )
    return words % {"share": _percent(share), "low": _percent(low), "high": _percent(high), "n": n}


def _proposal(row: CalibrationProposal) -> ProposalRow:
    would = effect_words(effect_of(row.effect)) if row.effect else []
    return ProposalRow(
        row.pk, _label(row.figure), f"{row.now}", f"{row.proposed}", _kept(row.stated), would, row.proposed_at
    )


def _promises(record: CalibrationRecord) -> list[PromiseRow]:
    rows = []
    for figure, promise in record.promises.items():
        now = f"{getattr(record.profile, figure)}"
        kept = _kept(promise["now"]) if promise["now"] else "—"
        why = _("%(n)s would keep it") % {"n": promise["proposed"]} if promise["proposed"] else ""
        rows.append(PromiseRow(_label(figure), now, kept, why or str(WHY_WORDS.get(promise["why"], promise["why"]))))
    return rows


def _decided(row: CalibrationProposal) -> DecidedRow:
    made = row.made
    url = reverse("admin:profiles_thresholdprofile_change", args=[made.pk]) if made else ""
    return DecidedRow(
        _label(row.figure),
        f"{row.now}",
        f"{row.proposed}",
        str(CalibrationProposal.State(row.state).label),
        str(row.decided_by),
        row.decided_at,
        made.words if made else "",
        url,
    )


def _part(row: CalibrationRecord, code: str) -> PartRow:
    name = reason_sentence(code) if row.reason else code
    return PartRow(name, row.counts["pages"], row.counts["wrong_skus"], rate_cells(row, _SHORT))
