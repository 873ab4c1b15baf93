"""Bars over time as a server draws them: places and sizes for templates/parts/_chart.html, and the same as a table.

Pure. Across in per cent of the width, so that labels keep their size however wide the chart is; upright in px.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor, log10

TOP_PX, PLOT_PX, FOOT_PX = 18, 112, 18
BAR_SHARE = 0.72
# A value that is not nothing is seen.
LEAST_PX = 1.0
_STEPS = (1.0, 2.0, 4.0, 6.0, 8.0, 10.0)

Value = float | None


@dataclass(frozen=True)
class Series:
    """``look``: main, hollow, person or fault. A value is None where there is nothing that it could be of."""

    word: str
    look: str
    values: Sequence[Value]


@dataclass(frozen=True)
class Bar:
    look: str
    x: str
    y: str
    width: str
    height: str


@dataclass(frozen=True)
class Label:
    x: str
    y: str
    anchor: str
    text: str


@dataclass(frozen=True)
class Column:
    """Where the pointer finds the values of one point in words."""

    x: str
    width: str
    words: str


@dataclass(frozen=True)
class Chart:
    """``whole``: the figure of the whole time in words. ``rows``: (point, a cell a series); a dash is no data."""

    key: str
    title: str
    description: str
    whole: str
    series: Sequence[Series]
    head: str
    bars: list[Bar]
    lines: list[Label]
    labels: list[Label]
    columns: list[Column]
    rows: list[tuple[str, list[str]]]

    @property
    def height(self) -> int:
        return TOP_PX + PLOT_PX + FOOT_PX

    @property
    def base(self) -> int:
        return TOP_PX + PLOT_PX


def chart(
    key: str,
    title: str,
    head: str,
    points: Sequence[str],
    series: Sequence[Series],
    written: Callable[[float], str],
    *,
    whole: str = "",
    description: str = "",
    stacked: bool = True,
) -> Chart:
    """``points``: what each is called; ``head``: what they are. Bars of one point stand on each other, or (``stacked``
    false) beside each other."""
    most = highest(series, stacked=stacked)
    rows = [(point, [_cell(entry.values[n], written) for entry in series]) for n, point in enumerate(points)]
    pitch = 100 / max(1, len(points))
    columns = [
        Column(_percent(n * pitch), _percent(pitch), _words(point, series, cells))
        for n, (point, cells) in enumerate(rows)
    ]
    lines = [
        Label("0", f"{TOP_PX + PLOT_PX * (1 - share):.1f}", "start", written(most * share)) for share in (1.0, 0.5)
    ]
    bars = _bars(series, most, pitch, stacked=stacked)
    return Chart(key, title, description, whole, series, head, bars, lines, _labels(points, pitch), columns, rows)


def highest(series: Sequence[Series], *, stacked: bool = True) -> float:
    """A round figure that no bar goes beyond; 1 where there are none."""
    values = [[value or 0.0 for value in entry.values] for entry in series]
    columns = [sum(column) if stacked else max(column) for column in zip(*values, strict=True)]
    most = max(columns, default=0.0)
    if most <= 0:
        return 1.0
    power = 10.0 ** floor(log10(most))
    return next(step * power for step in _STEPS if step * power >= most * (1 - 1e-9))


def _bars(series: Sequence[Series], most: float, pitch: float, *, stacked: bool) -> list[Bar]:
    bars = []
    each = pitch * BAR_SHARE / (1 if stacked else len(series))
    for n in range(len(series[0].values) if series else 0):
        left, foot = n * pitch + pitch * (1 - BAR_SHARE) / 2, float(TOP_PX + PLOT_PX)
        for entry in series:
            value = entry.values[n]
            if value:
                height = max(LEAST_PX, PLOT_PX * value / most)
                bars.append(Bar(entry.look, _percent(left), f"{foot - height:.1f}", _percent(each), f"{height:.1f}"))
                foot -= height if stacked else 0
            left += 0 if stacked else each
    return bars


def _labels(points: Sequence[str], pitch: float) -> list[Label]:
    """The first and the last aligned inward, and the one in the middle."""
    y = f"{TOP_PX + PLOT_PX + FOOT_PX - 4}"
    if not points:
        return []
    found = [Label("0", y, "start", points[0])]
    if len(points) > 4:
        middle = len(points) // 2
        found.append(Label(_percent((middle + 0.5) * pitch), y, "middle", points[middle]))
    if len(points) > 1:
        found.append(Label("100%", y, "end", points[-1]))
    return found


def _words(point: str, series: Sequence[Series], cells: Sequence[str]) -> str:
    return f"{point}: " + ", ".join(
        f"{entry.word} {cell}" if len(series) > 1 else cell for entry, cell in zip(series, cells, strict=True)
    )


def _cell(value: Value, written: Callable[[float], str]) -> str:
    return "—" if value is None else written(value)


def _percent(value: float) -> str:
    return f"{value:.3f}%"
