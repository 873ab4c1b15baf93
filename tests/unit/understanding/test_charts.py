"""Size charts are neither lists of products nor fields of cards."""

import pytest

from processing.engine.result import DocumentFacts
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.tables.charts import is_size_chart
from tests.unit.understanding.pages import BY_RULES, line, page, table

CHART = [
    ["尺码 Size", "S", "M", "L", "XL"],
    ["胸围 Chest", "96", "100", "104-106", "108"],
    ["衣长", "64", "66", "/", "70"],
]


@pytest.mark.parametrize("rows", [CHART, list(map(list, zip(*CHART, strict=True)))])
def test_measures_by_sizes_are_a_chart_either_way(rows: list[list[str]]) -> None:
    assert is_size_chart(table(rows))


@pytest.mark.parametrize(
    "rows",
    [
        [["Model", "Size", "Price"], ["LF-1S", "S", "59"], ["LF-1M", "M", "69"]],
        [["Size", "S", "M"], ["Code", "LF-1S", "LF-1M"], ["Chest", "96", "100"]],
        [["Size", "10", "20"], ["Weight", "5", "6"]],
        [["Size", "S", "M"]],
    ],
)
def test_a_table_with_codes_or_without_sizes_is_none(rows: list[list[str]]) -> None:
    assert not is_size_chart(table(rows))


def test_a_card_takes_no_value_from_the_chart_beside_it() -> None:
    fields = ["款号 Style: YG-900", "面料 Fabric: 棉", "价格 Price: ¥268.00"]
    lines = [line(text, 40, 100 + 16 * n) for n, text in enumerate(fields)]
    (sku,) = understand_page(
        page(line("防风外套", 40, 70, 18), *lines, tables=[table(CHART, x=200, y=90, widths=60)]),
        (),
        DocumentFacts(),
        BY_RULES,
    ).skus
    found = {key: value.text for key, value in sku.attributes.items()}
    assert found == {
        "model": "YG-900",
        "product_name": "防风外套",
        "material": "棉",
        "price": "¥268.00",
        "currency": "¥",
    }
    assert sku.custom == ()
