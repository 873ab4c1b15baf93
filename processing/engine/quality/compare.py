"""Two reports side by side: which figures, files and pages became better or worse."""

from collections.abc import Iterator
from typing import Literal

import msgspec

from processing.engine.quality.bootstrap import Interval
from processing.engine.quality.measure import PageMeasure
from processing.engine.quality.report import Report, Spending
from processing.engine.quality.totals import Figures

HIGHER_IS_BETTER = (
    *("f1", "precision", "recall", "attribute_accuracy", "binding_recovered", "page_type_accuracy"),
    *("page_type_kappa", "cross_page_recall", "auc", "text_read", "pictured", "page_auc"),
    *("route_accuracy", "reading_order", "table_fidelity", "picture_text", "offer_recall", "offer_precision"),
)
LOWER_IS_BETTER = (
    *("hallucination_rate", "binding_wrong", "binding_ambiguous", "human_share", "calibration_error", "seconds"),
    *("unseen_wrong", "needless", "page_calibration_error"),
)
# Time of the same code differs by this share from run to run.
SECONDS_NOISE = 0.1

Direction = Literal["better", "worse", "same", "not comparable"]


class FigureChange(msgspec.Struct, frozen=True):
    """``before`` and ``after``: None where the figure could not be computed; intervals where the reports have one.

    ``beyond``: whether the figure has left the interval that it had before; None without one.
    """

    figure: str
    before: float | None
    after: float | None
    direction: Direction
    interval_before: Interval | None = None
    interval_after: Interval | None = None
    beyond: bool | None = None


class PageChange(msgspec.Struct, frozen=True):
    """What is otherwise on one page. Direction by its loss, which is the same where one slip took another's place."""

    name: str
    page_number: int
    direction: Direction
    loss_before: float
    loss_after: float
    page_type: tuple[str, str]
    found_now: tuple[str, ...]
    missed_now: tuple[str, ...]
    false_gone: tuple[str, ...]
    false_now: tuple[str, ...]
    slips_gone: tuple[str, ...]
    slips_now: tuple[str, ...]


class FileChange(msgspec.Struct, frozen=True):
    """The figures of a file that changed."""

    name: str
    figures: tuple[FigureChange, ...]


class SpendingChange(msgspec.Struct, frozen=True):
    """What models took in both runs. ``tokens_saved``: share of the earlier run's tokens (LA-ROLLBACK: 0.3 to 0.4 by
    the routing table, with F1 not lower), below 0 where the later one took more; None where the earlier took none."""

    before: Spending
    after: Spending
    tokens_saved: float | None
    usd_per_right_sku_before: float | None
    usd_per_right_sku_after: float | None


class Comparison(msgspec.Struct, frozen=True):
    """``pages``: only those on which something changed, the worst change first. ``gone`` and ``new``: pages that only
    the earlier or the later run judged. ``spending``: None where one of them asked no model."""

    total: tuple[FigureChange, ...]
    files: tuple[FileChange, ...]
    pages: tuple[PageChange, ...]
    gone: tuple[str, ...]
    new: tuple[str, ...]
    spending: SpendingChange | None = None


def compare(before: Report, after: Report) -> Comparison:
    """Totals are those of the reports; where they judged different pages, ``gone`` and ``new`` say so."""
    old, new = _pages(before), _pages(after)
    changes = [change for key in old.keys() & new.keys() if (change := _page_change(key, old[key], new[key]))]
    figures = {report.file.name: report.figures for report in before.files}
    files = (
        FileChange(report.file.name, changed)
        for report in sorted(after.files, key=lambda report: report.file.name)
        if report.file.name in figures and (changed := tuple(_changed(figures[report.file.name], report.figures)))
    )
    return Comparison(
        total=tuple(_with_intervals(change, before, after) for change in _figure_changes(before.total, after.total)),
        files=tuple(files),
        pages=tuple(sorted(changes, key=lambda c: (c.loss_before - c.loss_after, c.name, c.page_number))),
        gone=tuple(f"{name} page {number}" for name, number in sorted(old.keys() - new.keys())),
        new=tuple(f"{name} page {number}" for name, number in sorted(new.keys() - old.keys())),
        spending=_spending_change(before, after),
    )


def _spending_change(before: Report, after: Report) -> SpendingChange | None:
    then, now = before.spending, after.spending
    if then is None or now is None:
        return None
    saved = round(1 - now.tokens / then.tokens, 4) if then.tokens else None
    return SpendingChange(then, now, saved, then.usd_per_right_sku(before.total), now.usd_per_right_sku(after.total))


def _pages(report: Report) -> dict[tuple[str, int], PageMeasure]:
    return {(measured.file.name, page.page_number): page for measured in report.files for page in measured.file.pages}


def _figure_changes(before: Figures, after: Figures) -> Iterator[FigureChange]:
    for name in (*HIGHER_IS_BETTER, *LOWER_IS_BETTER):
        old, new = getattr(before, name), getattr(after, name)
        yield FigureChange(name, old, new, _direction(name, old, new))


def _with_intervals(change: FigureChange, before: Report, after: Report) -> FigureChange:
    then, now = before.intervals.get(change.figure), after.intervals.get(change.figure)
    left = change.after is not None and then is not None and not then[0] <= change.after <= then[1]
    beyond = None if change.after is None or then is None else left and change.direction != "same"
    return msgspec.structs.replace(change, interval_before=then, interval_after=now, beyond=beyond)


def _changed(before: Figures, after: Figures) -> Iterator[FigureChange]:
    return (c for c in _figure_changes(before, after) if c.direction != "same" and (c.before, c.after) != (None, None))


def _direction(name: str, old: float | None, new: float | None) -> Direction:
    if old is None or new is None:
        return "not comparable" if old is not new else "same"
    if old == new or (name == "seconds" and abs(new - old) <= SECONDS_NOISE * max(old, new)):
        return "same"
    return "better" if (new > old) == (name in HIGHER_IS_BETTER) else "worse"


def _page_change(key: tuple[str, int], old: PageMeasure, new: PageMeasure) -> PageChange | None:
    change = PageChange(
        name=key[0],
        page_number=key[1],
        direction="same" if old.loss == new.loss else "better" if new.loss < old.loss else "worse",
        loss_before=old.loss,
        loss_after=new.loss,
        page_type=(old.found_type, new.found_type),
        found_now=_without(old.missed, new.missed),
        missed_now=_without(new.missed, old.missed),
        false_gone=_without(old.false, new.false),
        false_now=_without(new.false, old.false),
        slips_gone=_without(_slips(old), _slips(new)),
        slips_now=_without(_slips(new), _slips(old)),
    )
    same = old.loss == new.loss and old.found_type == new.found_type
    lists = (change.found_now, change.missed_now, change.false_gone, change.false_now, change.slips_gone)
    return None if same and not any(lists) and not change.slips_now else change


def _slips(page: PageMeasure) -> tuple[str, ...]:
    return tuple(f"{slip.sku} {slip.key} {slip.kind} {slip.given}".rstrip() for slip in page.slips)


def _without(these: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    """Each of ``these`` as often as it stands there more than among ``others``."""
    left = list(others)
    remaining = []
    for slip in these:
        if slip in left:
            left.remove(slip)
        else:
            remaining.append(slip)
    return tuple(remaining)
