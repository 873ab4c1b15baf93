"""Captions whose price stands on their panel behind a hole in the print."""

import msgspec

from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import line, page, picture, texts


def understood(*below: str, panels: bool = True, unpriced: int = -1) -> PageResult:
    """Three cards: a picture, a name with its code under it, and further lines behind a hole, but on the one."""
    lines, pictures, boxes = [], [], []
    for n in range(3):
        x = 40.0 + 180 * n
        pictures.append(picture(f"P{n}", (x + 5, 120, x + 145, 260)))
        lines.append(line(f"Hair comb (Code: 04{n})", x + 5, 266, 8))
        own = below if n != unpriced else ()
        lines += [line(text.replace("#", str(n)), x + 5 + 60 * k, 310, 14 - 4 * k) for k, text in enumerate(own)]
        boxes.append((x, 100.0, x + 160, 340.0))
    shown = msgspec.structs.replace(page(*lines, pictures=pictures), panels=tuple(boxes) if panels else ())
    return understand_page(shown, (), DocumentFacts(), AnalystConfig())


def test_the_first_price_of_the_panel_is_the_products() -> None:
    result = understood("2,0# €", "23,9# €")
    assert texts(result, "model") == ["040", "041", "042"]
    assert texts(result, "price") == ["2,00 €", "2,01 €", "2,02 €"]


def test_without_panels_it_is_nobodys() -> None:
    assert texts(understood("2,0# €", "23,9# €", panels=False), "price") == [None] * 3


def test_a_panel_without_a_price_leaves_all_of_them() -> None:
    assert texts(understood("2,0# €", "23,9# €", unpriced=1), "price") == [None] * 3
