"""Titles over labels with their values beside them, each level with a photo."""

import pytest

from processing.engine.page import Line, Picture
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

BAG = ("Belt bag", (("COLOURS", "To be had from stock"), ("PRINT", "Front 8x8")))
CAP = ("Cap", (("COLOURS", "To be had from stock"), ("PRINT", "Front 6x6 and side")))
VEST = ("Safety vest", (("SIZES", "From M up to XXL"), ("COLOURS", "Yellow")))

Card = tuple[str, tuple[tuple[str, str], ...]]


def understood(*cards: Card, photos: int = 9, size: float = 20, colon: str = "", head: str = "") -> PageResult:
    """Texts and photos beside each other, changing sides."""
    lines: list[Line] = [line(head, 50, 40, 14)] if head else []
    shown: list[Picture] = []
    for n, (name, labels) in enumerate(cards):
        x, y = (60.0 if n % 2 else 340.0), 100.0 + 220 * n
        lines += [line(name, x, y + 30, size), line("Two pockets and a wide belt.", x, y + 62, 6)]
        lines += [line(text, at, y + 80 + 18 * k, 5) for k, (label, value) in enumerate(labels)
                  for text, at in ((label + colon, x), (value, x + 42))]  # fmt: skip
        left = 340.0 if n % 2 else 60.0
        shown.append(picture(f"P{n}", (left, y, left + 180, y + 180)))
    return understand_page(page(*lines, pictures=shown[:photos]), (), DocumentFacts(), BY_RULES)


@pytest.mark.req("TA-CLS", "PL-METHODS")
def test_each_is_a_product_for_a_person_to_look_at() -> None:
    result = understood(BAG, CAP, VEST)
    assert texts(result, "product_name") == ["Belt bag", "Cap", "Safety vest"]
    assert texts(result, "color") == ["To be had from stock", "To be had from stock", "Yellow"]
    assert texts(result, "size") == [None, None, "From M up to XXL"]
    assert [[(c.name, c.value) for c in sku.custom] for sku in result.skus[:2]] == [
        [("PRINT", "Front 8x8")], [("PRINT", "Front 6x6 and side")],
    ]  # fmt: skip
    assert [[b.picture for b in sku.bindings] for sku in result.skus] == [["P0"], ["P1"], ["P2"]]
    assert result.page_type == "B" and "page_type_uncertain" in [one.code for one in result.blockers]


def test_a_label_in_one_line_with_its_values_has_all_of_them() -> None:
    tray: Card = ("Tray", (("COLOURS", "Wood"),))
    card: Card = ("Hamper", (("COLOURS", "Brown"), ("SIZES 35x25x8cm | 40x30x15cm", "")))
    result = understood(tray, card)
    assert texts(result, "size") == [None, "35x25x8cm | 40x30x15cm"]


@pytest.mark.parametrize(
    ("cards", "options"),
    [
        ((BAG,), {}),
        ((BAG, CAP), {"photos": 1}),
        ((BAG, CAP), {"size": 6}),
        ((BAG, CAP), {"head": "Production line"}),
        ((BAG, ("Our services", CAP[1])), {}),
        ((BAG, ("Cap", (("PRINT", "Front 6x6 and side"),))), {}),  # a title without a known label
    ],
)
def test_what_else_is_printed_so_is_no_product(cards: tuple[Card, ...], options: dict[str, object]) -> None:
    assert understood(*cards, **options).skus == ()  # type: ignore[arg-type]
