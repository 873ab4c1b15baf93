"""Sections of one product each, with the code to order it by under a label."""

import pytest

from processing.engine.page import Line, ParsedPage
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

SECTIONS = [("Starter board", "EB20_MINI-DEV"), ("Motor board", "EB45-M3"), ("Camera kit", "EB102_v1.0")]


def sections(*left_out: str, label: str = "Order code", more: tuple[Line, ...] = ()) -> ParsedPage:
    lines, pictures = [line("Development kits", 50, 30, 20)], []
    for n, (title, code) in enumerate(SECTIONS):
        top = 80 + 230 * n
        lines += [line(title, 50, top, 12), line("with keys and a display", 220, top + 40, 9)]
        lines += [line(text, 400, y, 7) for text, y in ((label, top + 160), (code, top + 171)) if text not in left_out]
        if title not in left_out:
            pictures.append(picture(f"P{n}", (60, top + 30, 150, top + 150)))
    return page(*lines, *more, pictures=pictures)


def understood(one: ParsedPage) -> PageResult:
    return understand_page(one, (), DocumentFacts(), BY_RULES)


@pytest.mark.req("TA-CLS")
def test_each_section_with_a_code_is_a_product_with_its_picture() -> None:
    result = understood(sections())
    assert result.page_type == "B"
    assert texts(result, "model") == [code for _, code in SECTIONS]
    assert texts(result, "product_name") == [title for title, _ in SECTIONS]
    assert [[one.picture for one in sku.bindings] for sku in result.skus] == [["P0"], ["P1"], ["P2"]]


@pytest.mark.parametrize(
    "one",
    [
        sections("EB45-M3"),
        sections("Motor board"),
        sections(label="Tested with"),
        sections(more=(line("Accessories", 50, 760, 12),)),
    ],
)
def test_sections_that_do_not_all_have_a_code_and_a_picture_are_left(one: ParsedPage) -> None:
    assert understood(one).classification["reason"] != "labelled_card"
