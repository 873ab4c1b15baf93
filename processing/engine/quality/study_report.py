"""The report of one run over truths of studies, as it is kept in a JSON file and compared with another.

Nothing of it says when or on what machine: the same papers by the same product give the same bytes.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import msgspec

from processing.engine.quality.bootstrap import Interval, share_interval
from processing.engine.quality.compare import FigureChange
from processing.engine.quality.gate import GateLine
from processing.engine.quality.report import Skipped
from processing.engine.quality.study_measure import Counts, StudySlip, sum_counts

REPORT_VERSION = "study-1.0"
# Of green values, and of decoys: what a person is led to confirm, and is wrong (LX-QUOTE).
MOST_FALSE_GREEN = 0.01

Part = Callable[[Counts], int]
# Each figure is a share: of what, by which counts.
SHARES: dict[str, tuple[Part, Part]] = {
    "coverage": (lambda n: n.right, lambda n: n.wanted),
    "precision": (lambda n: n.right, lambda n: n.answered),
    "f1": (lambda n: 2 * n.right, lambda n: n.wanted + n.answered),
    "left_empty": (lambda n: n.left_empty, lambda n: n.unreported),
    "right_green": (lambda n: n.right_green, lambda n: n.right),
    "right_yellow": (lambda n: n.right_yellow, lambda n: n.right),
    "right_red": (lambda n: n.right_red, lambda n: n.right),
    "false_green": (lambda n: n.green_wrong, lambda n: n.green),
    "offered": (lambda n: n.offered, lambda n: n.wanted),
    "parts_met": (lambda n: n.parts_met, lambda n: n.parts),
    "quotes_green": (lambda n: n.quotes_green, lambda n: n.quotes),
    "quotes_yellow": (lambda n: n.quotes_yellow, lambda n: n.quotes),
    "quotes_red": (lambda n: n.quotes_red, lambda n: n.quotes),
    "decoys_green": (lambda n: n.decoys_green, lambda n: n.decoys),
}
LOWER_IS_BETTER = frozenset({"right_red", "right_yellow", "false_green", "quotes_yellow", "quotes_red", "decoys_green"})


class PaperMeasure(msgspec.Struct, frozen=True):
    """What came of one truth. ``name``: of the set and the truth file; ``status``: of its document; ``cost_micro``:
    USD / 1,000,000 that models took. ``by_field``, ``by_repeat``: counts of its fields, of its arms and outcomes."""

    name: str
    source_file: str
    maker: str
    template: str
    status: str
    cost_micro: int
    by_field: dict[str, Counts]
    by_repeat: dict[str, Counts]
    slips: tuple[StudySlip, ...]
    methods: dict[str, int]


class Scores(msgspec.Struct, frozen=True):
    """``figures``: those that can be computed, 0 to 1; ``intervals``: where resamples of the makers lie."""

    counts: Counts
    figures: dict[str, float]
    intervals: dict[str, Interval] = {}


class StudyReport(msgspec.Struct, frozen=True):
    """``repeats``: that of each field, as the template says."""

    schema_version: str
    kind: Literal["study"]
    versions: dict[str, str]
    makers: int
    total: Scores
    by_repeat: dict[str, Scores]
    by_field: dict[str, Scores]
    by_paper: dict[str, Scores]
    gate: tuple[GateLine, ...]
    papers: tuple[PaperMeasure, ...]
    skipped: tuple[Skipped, ...] = ()


def make_study_report(
    papers: Sequence[PaperMeasure],
    repeats: Mapping[str, str],
    skipped: Sequence[Skipped],
    versions: Mapping[str, str],
) -> StudyReport:
    """``repeats``: of each field of the templates, in their order."""
    papers = sorted(papers, key=lambda paper: paper.name)
    groups = ("none", "per_arm", "per_outcome")
    by_repeat = {
        repeat: _scores(papers, lambda paper, repeat=repeat: _of_repeat(paper, repeat, repeats))  # type: ignore[misc]
        for repeat in groups
    }
    total = _scores(papers, lambda paper: sum_counts(_of_repeat(paper, repeat, repeats) for repeat in groups))
    judged = [field for field in repeats if any(field in paper.by_field for paper in papers)]
    return StudyReport(
        schema_version=REPORT_VERSION,
        kind="study",
        versions=dict(versions),
        makers=len({paper.maker for paper in papers}),
        total=total,
        by_repeat=by_repeat,
        by_field={
            field: _scores(papers, lambda paper, field=field: paper.by_field.get(field, Counts()))  # type: ignore[misc]
            for field in judged
        },
        by_paper={paper.name: _scores([paper], lambda one: sum_counts(one.by_field.values())) for paper in papers},
        gate=judge_study_gate(total),
        papers=tuple(papers),
        skipped=tuple(skipped),
    )


def judge_study_gate(total: Scores) -> tuple[GateLine, ...]:
    """A figure that cannot be computed stops nobody, but a run that judged no value fails: it has shown nothing."""
    lines = tuple(
        _line(figure, total.figures.get(figure), why)
        for figure, why in (("decoys_green", "no decoy was proved"), ("false_green", "no value is green"))
    )
    judged = total.counts.wanted + total.counts.unreported
    return lines if judged else (GateLine("values", "at least", 1, 0, "failed", "no value was judged"), *lines)


def _line(figure: str, value: float | None, why: str) -> GateLine:
    if value is None:
        return GateLine(figure, "at most", MOST_FALSE_GREEN, None, "not computable", why)
    return GateLine(figure, "at most", MOST_FALSE_GREEN, value, "passed" if value <= MOST_FALSE_GREEN else "failed")


def _of_repeat(paper: PaperMeasure, repeat: str, repeats: Mapping[str, str]) -> Counts:
    fields = [counts for field, counts in paper.by_field.items() if repeats.get(field) == repeat]
    return sum_counts([*fields, paper.by_repeat.get(repeat, Counts())])


def _scores(papers: Sequence[PaperMeasure], counts: Callable[[PaperMeasure], Counts]) -> Scores:
    makers: dict[str, list[Counts]] = {}
    for paper in papers:
        makers.setdefault(paper.maker, []).append(counts(paper))
    by_maker = [sum_counts(makers[name]) for name in sorted(makers)]
    total = sum_counts(by_maker)
    figures = {name: round(part(total) / whole(total), 4) for name, (part, whole) in SHARES.items() if whole(total)}
    intervals = {
        name: interval
        for name, (part, whole) in SHARES.items()
        if name in figures and (interval := share_interval([*map(part, by_maker)], [*map(whole, by_maker)]))
    }
    return Scores(total, figures, intervals)


def encode_study_report(report: StudyReport) -> bytes:
    """JSON, two spaces deep, with a line break at its end."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n"


def decode_study_report(data: bytes) -> StudyReport:
    """Raises ValueError with the place for anything that is no report of this version."""
    try:
        report = msgspec.json.decode(data, type=StudyReport)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ValueError(f"no report of studies: {error}") from error
    if report.schema_version != REPORT_VERSION:
        raise ValueError(f"a report of version {report.schema_version}, not {REPORT_VERSION}")
    return report


class StudyComparison(msgspec.Struct, frozen=True):
    """``by_field``, ``by_paper``: figures that changed. ``gone`` and ``new``: papers that only one of both runs
    judged."""

    total: tuple[FigureChange, ...]
    by_field: dict[str, tuple[FigureChange, ...]]
    by_paper: dict[str, tuple[FigureChange, ...]]
    gone: tuple[str, ...]
    new: tuple[str, ...]


def compare_studies(before: StudyReport, after: StudyReport) -> StudyComparison:
    """Totals are those of the reports; where they judged different papers, ``gone`` and ``new`` say so."""
    return StudyComparison(
        total=_changes(before.total, after.total),
        by_field=_changed(before.by_field, after.by_field),
        by_paper=_changed(before.by_paper, after.by_paper),
        gone=tuple(sorted(before.by_paper.keys() - after.by_paper.keys())),
        new=tuple(sorted(after.by_paper.keys() - before.by_paper.keys())),
    )


def _changed(before: Mapping[str, Scores], after: Mapping[str, Scores]) -> dict[str, tuple[FigureChange, ...]]:
    both = {name: _changes(before[name], after[name]) for name in before if name in after}
    moved = {name: tuple(one for one in changes if one.before != one.after) for name, changes in both.items()}
    return {name: changes for name, changes in moved.items() if changes}


def _changes(before: Scores, after: Scores) -> tuple[FigureChange, ...]:
    return tuple(_change(name, before, after) for name in SHARES if name in before.figures or name in after.figures)


def _change(name: str, before: Scores, after: Scores) -> FigureChange:
    old, new = before.figures.get(name), after.figures.get(name)
    then, now = before.intervals.get(name), after.intervals.get(name)
    if old is None or new is None:
        return FigureChange(name, old, new, "not comparable", then, now)
    if old == new:
        return FigureChange(name, old, new, "same", then, now, None if then is None else False)
    direction: Literal["better", "worse"] = "better" if (new > old) != (name in LOWER_IS_BETTER) else "worse"
    beyond = None if then is None else not then[0] <= new <= then[1]
    return FigureChange(name, old, new, direction, then, now, beyond)
