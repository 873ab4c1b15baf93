"""Photos with a name over the same label each, for a person to look at."""

import pytest

from processing.engine.page import Line
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

NAMES = ("Green lentil", "Chickpea", "Red kidney bean", "Mung bean")
CODES = ("071340", "071320", "071333", "071331")


def shown(
    *names: str, label: str = "Tariff no", values: tuple[str, ...] = CODES, more: tuple[Line, ...] = ()
) -> PageResult:
    """Two photos with their text beside them, and two with theirs below; a text about the company."""
    lines = [line("Grains that travel the world, from our fields to your tables since the year 1990", 50, 40), *more]
    pictures = []
    for n, name in enumerate(names):
        x, y = 50.0 + 270 * (n % 2), 100.0 + 200 * (n // 2)
        pictures.append(picture(f"P{n}", (x, y, x + 120, y + 90)))
        at = (x + 135, y + 20) if n < 2 else (x + 10, y + 96)
        lines += [line(name, *at, 11), line(f"{label}: {values[n]}", at[0] + 3, at[1] + 19, 8)]
    return understand_page(page(*lines, pictures=pictures), (), DocumentFacts(), BY_RULES)


def test_each_photo_is_a_product_that_a_person_looks_at() -> None:
    result = shown(*NAMES)
    assert texts(result, "product_name") == list(NAMES)
    assert [[(c.name, c.value) for c in sku.custom] for sku in result.skus] == [[("Tariff no", c)] for c in CODES]
    assert [[b.picture for b in sku.bindings] for sku in result.skus] == [["P0"], ["P1"], ["P2"], ["P3"]]
    assert "page_type_uncertain" in [one.code for one in result.blockers]


@pytest.mark.parametrize(
    ("names", "options"),
    [
        (NAMES[:3], {}),
        (("Chickpea", "Chickpea", "Lentil", "Bean"), {}),
        (("Quality certificate", "Patent", "Test report", "Licence"), {}),
        (NAMES, {"label": "Phone"}),
        (NAMES, {"values": ("on demand", "on demand", "in stock", "in stock")}),
        (NAMES, {"more": (line("Production Equipment", 50, 70, 16),)}),
    ],
)
def test_fewer_names_contacts_papers_or_words_make_no_products(names: tuple[str, ...], options: dict) -> None:  # type: ignore[type-arg]
    assert shown(*names, **options).skus == ()
