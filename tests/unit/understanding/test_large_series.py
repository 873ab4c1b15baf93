"""A series in large print over what its products have in common, in one cell beside them."""

import pytest

from processing.engine.page import Line, ParsedPage
from processing.engine.result import DocumentFacts
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, table, texts

ROWS = [
    ["系列", "型号", "价格"], ["KX\n带屏幕 双声道", "KX-100", "¥12"], [None, "KX-200", "¥14"], [None, "KX-300", "¥15"],
]  # fmt: skip


def printed(first: Line, second: Line) -> ParsedPage:
    shown = table(ROWS)
    cells = [line(c.text, c.box[0] + 2, c.box[1] + 4, 8) for c in shown.cells if "\n" not in c.text]
    made = page(first, second, *cells)
    return ParsedPage(**{f: getattr(made, f) for f in made.__struct_fields__} | {"tables": (shown,)})


@pytest.mark.parametrize(("size", "series"), [(11.0, "KX"), (8.5, "KX 带屏幕 双声道")])
def test_only_what_is_printed_large_is_the_series(size: float, series: str) -> None:
    one = printed(line("KX", 52, 124, size), line("带屏幕 双声道", 52, 150, 8))
    result = understand_page(one, (), DocumentFacts(), BY_RULES)
    assert texts(result, "series") == [series] * 3
