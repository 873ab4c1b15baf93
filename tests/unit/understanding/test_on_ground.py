"""Codes in a grid on the one picture that is the page."""

import msgspec
import pytest

from processing.engine.page import Line, Ocr, ParsedPage
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

GROUND = picture("P1", (0, 0, 595, 842))
CODES = tuple(f"DR-{n}" for n in range(212, 218))


def understood(one: ParsedPage) -> PageResult:
    return understand_page(one, (), DocumentFacts(), BY_RULES)


def shown(*codes: str, heading: str = "PVC KAPI", more: tuple[Line, ...] = ()) -> ParsedPage:
    lines = [line(code, 60 + 170 * (n % 3), 420 + 360 * (n // 3)) for n, code in enumerate(codes)]
    return page(line(heading, 360, 43, 12), *lines, *more, line("10", 33, 815), pictures=[GROUND])


@pytest.mark.req("TA-CLS")
def test_codes_of_one_form_in_a_grid_are_products_without_pictures_for_a_person() -> None:
    result = understood(shown(*CODES))
    assert (result.page_type, texts(result, "model")) == ("C", list(CODES))
    assert not any(sku.bindings for sku in result.skus)
    assert "page_type_uncertain" in {blocker.code for blocker in result.blockers}


@pytest.mark.parametrize("codes", [CODES[:2], ("DR-212", "AB-10X", "7781-3", "K2"), ("DR-212",) * 6])
def test_few_codes_or_codes_of_different_forms_are_none(codes: tuple[str, ...]) -> None:
    assert not understood(shown(*codes)).skus


def test_samples_of_colours_and_pages_of_text_show_none() -> None:
    assert not understood(shown(*CODES, heading="Colour chart")).skus
    told = tuple(line("Doors for every room of the house", 60, 100 + 14 * n) for n in range(8))
    assert not understood(shown(*CODES, more=told)).skus
    assert not understood(msgspec.structs.replace(shown(*CODES), ocr=Ocr("test", "no_text", 0.99))).skus
