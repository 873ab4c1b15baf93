"""A line parted by bars that tells of the page's one thing."""

import pytest

from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

TITLE = "VEGA VX.20.BB | WATER PUMPS FOR GARDENS | 3 STAGES | 115-135 WATT"


def understood(*titles: str, photos: int = 1) -> PageResult:
    lines = [line(text, 30, 90 + 30 * n, 11) for n, text in enumerate(titles)]
    told = ("Quiet in every garden", "Made for long days of work", "Easy to clean")
    lines += [line("VEGA GRAND", 30, 150, 40), *(line(one, 320, 300 + 20 * n, 13) for n, one in enumerate(told))]
    shown = [picture(f"P{n}", (30 + 150 * n, 300, 160 + 150 * n, 600)) for n in range(photos)]
    return understand_page(page(*lines, pictures=shown), (), DocumentFacts(), BY_RULES)


@pytest.mark.req("TA-CLS", "PL-METHODS")
def test_it_is_a_product_for_a_person_to_look_at() -> None:
    result = understood(TITLE)
    assert (texts(result, "model"), texts(result, "product_name")) == (["VX.20.BB"], ["WATER PUMPS FOR GARDENS"])
    assert [b.picture for b in result.skus[0].bindings] == ["P0"]
    assert result.page_type == "B" and "page_type_uncertain" in [one.code for one in result.blockers]


def test_its_photo_may_have_tags_upon_it_which_alone_it_is_bound_to() -> None:
    lines = [line(TITLE, 30, 90, 11), line("VEGA GRAND", 30, 150, 40), line("Quiet in every garden", 320, 300, 13)]
    shown = [
        picture("P0", (30, 300, 200, 620)),
        picture("P1", (258, 294, 301, 338)),
        picture("P2", (30, 620, 390, 800)),
    ]
    tags = [picture(f"P{n}", (25, 150 + 50 * n, 130, 190 + 50 * n)) for n in (6, 7)]
    (sku,) = understand_page(page(*lines, pictures=[*shown, *tags]), (), DocumentFacts(), BY_RULES).skus
    assert [b.picture for b in sku.bindings] == ["P0"]


@pytest.mark.parametrize(
    "title",
    [
        "VX.20.BB | WATER PUMPS FOR GARDENS",  # two parts alone
        "VX.20.BB | WATER PUMPS | GARDENS",  # no measure
        "VEGA GRAND | WATER PUMPS | 115 WATT",  # no code
        "VX.20.BB | 3 kg | 115 WATT",  # no name
        "CERTIFICATE VX.20.BB | WATER PUMPS | 115 WATT",
    ],
)
def test_other_lines_between_bars_tell_of_none(title: str) -> None:
    assert understood(title).skus == ()


def test_without_a_photo_or_of_several_things_they_tell_of_none() -> None:
    assert understood(TITLE, photos=0).skus == ()
    assert understood(TITLE, TITLE.replace("20", "30")).skus == ()
