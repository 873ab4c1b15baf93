"""Titles over cards of labelled fields, with a picture or a text between both."""

from collections.abc import Sequence

import pytest

from processing.engine.page import Line, ParsedPage
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.rules.shapes import is_sentence
from tests.unit.understanding.pages import line, page, picture, table, texts


def understood(one: ParsedPage) -> PageResult:
    return understand_page(one, (), DocumentFacts(), AnalystConfig())


def sections(titles: Sequence[str | None], sizes: Sequence[float] = (16, 16, 16)) -> ParsedPage:
    """Sections under each other: a title, a picture, fields right over the next section's title."""
    lines: list[Line] = []
    for n, title in enumerate(titles):
        y = 60 + 220 * n
        lines += [line(title, 60, y, sizes[n])] if title else []
        fields = [f"Item No.: PK-10{n}", f"Material: {('paper', 'glass', 'steel')[n]}", f"Price: $1.{n}0"]
        lines += [line(text, 60, y + 140 + 16 * k) for k, text in enumerate(fields)]
    return page(*lines, pictures=[picture(f"P{n}", (60, 85 + 220 * n, 220, 190 + 220 * n)) for n in range(len(titles))])


@pytest.mark.parametrize(
    ("titles", "names"),
    [
        (["Paper Bag", "Cream Jar", "Steel Bottle"], ["Paper Bag", "Cream Jar", "Steel Bottle"]),
        (["1. 双耳汤锅", "2. 炖锅", "3. 煎锅"], ["双耳汤锅", "炖锅", "煎锅"]),
        (["Kraft Paper Bag with Twisted Handle", "Jar", "Tin"], ["Kraft Paper Bag with Twisted Handle", "Jar", "Tin"]),
    ],
)
def test_each_card_has_the_title_over_its_picture_and_not_the_next_one(titles: list[str], names: list[str]) -> None:
    assert texts(understood(sections(titles)), "product_name") == names


def test_a_heading_over_one_of_the_cards_alone_or_in_other_print_is_no_title_of_that_kind() -> None:
    assert texts(understood(sections(["Paper Bag", None, None])), "product_name") == [None] * 3
    assert "Our Range" not in texts(understood(sections(["Our Range", "Jar", "Tin"], (24, 16, 16))), "product_name")


def test_words_written_large_are_a_name_and_no_sentence() -> None:
    assert not is_sentence("Stainless Steel Vacuum Flask with a Bamboo Lid")
    assert is_sentence("Sturdy bags for boutiques and take away")
    assert is_sentence("ALL PRICES SHOWN HERE ARE WITHOUT TAX")


@pytest.mark.parametrize(("value", "model"), [("K2200-AB1", "K2200-AB1"), ("Tower server", None)])
def test_a_code_behind_a_label_of_names_is_the_model_and_the_title_the_name(value: str, model: str | None) -> None:
    rows = [["Product", value], ["Size", "120 x 245 x 245 mm"], ["Weight", "4.5 kg"], ["Fans", "2"]]
    one = page(line("Tower server with four bays", 52, 60, 16), tables=[table(rows, y=100, widths=150)])
    (sku,) = understood(one).skus
    given = sku.attributes.get("model")
    assert (given.text if given else None) == model
    assert sku.attributes["product_name"].text == ("Tower server with four bays" if model else value)
