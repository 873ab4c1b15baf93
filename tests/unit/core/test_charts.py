"""Bars over time: where they stand, how high, what is said of them, and the same as a table."""

import pytest

from catalogsku.core.charts import PLOT_PX, TOP_PX, Series, chart, highest


def drawn(*values: list[float | None], stacked: bool = True):  # type: ignore[no-untyped-def]
    series = [Series(f"s{n}", "main", row) for n, row in enumerate(values)]
    points = [f"p{n}" for n in range(len(values[0]))]
    return chart("k", "Title", "Day", points, series, lambda value: f"{value:g}", stacked=stacked)


@pytest.mark.parametrize(("most", "top"), [(7, 8), (10, 10), (0.37, 0.4), (0.5, 0.6), (2100, 4000), (0, 1)])
def test_the_top_is_a_round_figure_that_no_bar_goes_beyond(most: float, top: float) -> None:
    assert highest([Series("s", "main", [most, None, 0])]) == pytest.approx(top)


def test_bars_stand_on_each_other_or_beside_each_other() -> None:
    low, high = drawn([3.0], [7.0]).bars
    assert float(low.height) == pytest.approx(PLOT_PX * 0.3, abs=0.1) and low.x == high.x
    assert float(high.y) == pytest.approx(TOP_PX) and float(high.y) + float(high.height) == pytest.approx(float(low.y))
    left, right = drawn([3.0], [7.0], stacked=False).bars
    assert float(left.x[:-1]) < float(right.x[:-1]) and float(right.y) + float(right.height) == TOP_PX + PLOT_PX


def test_nothing_is_no_bar_and_no_data_is_a_dash() -> None:
    found = drawn([None, 0.0, 1e-9, 5.0])
    assert len(found.bars) == 2 and float(found.bars[0].height) >= 1
    assert [cells for _point, cells in found.rows] == [["—"], ["0"], ["1e-09"], ["5"]]
    assert [column.words for column in found.columns][0] == "p0: —"


def test_all_stays_inside_its_box_and_labels_are_aligned_inward() -> None:
    found = drawn([1.0] * 53)
    assert all(float(bar.x[:-1]) >= 0 and float(bar.x[:-1]) + float(bar.width[:-1]) <= 100 for bar in found.bars)
    assert [(label.anchor, label.text) for label in found.labels] == [
        ("start", "p0"),
        ("middle", "p26"),
        ("end", "p52"),
    ]
    assert sum(float(column.width[:-1]) for column in found.columns) == pytest.approx(100, abs=0.1)
    assert [label.text for label in drawn([1.0]).labels] == ["p0"] and drawn([]).labels == []
