"""One thing on a page: a name and the only price in large print, beside a photo."""

import pytest

from processing.engine.page import Line
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

TOLD = ("* Twelve panels", "* Two moving heads", "* Design included", "Prices may differ outside of town.")


def offer(
    *more: Line, name: str = "ORION", price: str = "$899", size: float = 38, shown: bool = True, at: float = 500
) -> PageResult:
    lines = [line(name, at, 160, 50), line(price, 520, 320, size), *more]
    lines += [line(text, 500, 230 + 18 * n + (120 if n == 3 else 0), 11) for n, text in enumerate(TOLD)]
    pictures = [picture("P1", (40, 160, 470, 420))] if shown else []
    return understand_page(page(*lines, pictures=pictures, size=(790, 610)), (), DocumentFacts(), BY_RULES)


def test_it_is_a_product_for_a_person_to_look_at() -> None:
    result = offer(line("STAGE PACKAGES", 40, 40, 46))
    assert (texts(result, "product_name"), texts(result, "price")) == (["ORION"], ["$899"])
    assert [b.picture for b in result.skus[0].bindings] == ["P1"]
    assert result.page_type == "B" and "page_type_uncertain" in [one.code for one in result.blockers]


@pytest.mark.parametrize(
    "options",
    [{"shown": False}, {"size": 12}, {"name": "Our advantages"}, {"at": 40}, {"price": "All from $899 to $1200"}],
)
def test_without_photo_name_or_large_price_there_is_none(options: dict[str, object]) -> None:
    assert offer(**options).skus == ()  # type: ignore[arg-type]


def test_a_second_price_or_name_leaves_open_what_is_sold() -> None:
    assert not offer(line("$120", 520, 440, 38)).skus
    assert not offer(line("VEGA", 500, 100, 50)).skus
