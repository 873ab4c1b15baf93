"""Captions whose price stands on their panel behind a hole in the print."""

import msgspec

from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts


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
    return understand_page(shown, (), DocumentFacts(), BY_RULES)


def test_the_first_price_of_the_panel_is_the_products() -> None:
    result = understood("2,0# €", "23,9# €")
    assert texts(result, "model") == ["040", "041", "042"]
    assert texts(result, "price") == ["2,00 €", "2,01 €", "2,02 €"]


def test_without_panels_it_is_nobodys() -> None:
    assert texts(understood("2,0# €", "23,9# €", panels=False), "price") == [None] * 3


def test_a_panel_without_a_price_has_none() -> None:
    assert texts(understood("2,0# €", "23,9# €", unpriced=1), "price") == ["2,00 €", None, "2,02 €"]


def cards(*rows: tuple[str, float], under: float = 0.0, size: float = 9.0) -> PageResult:
    """Three panels, each with a name and its code over a photo, or ``under`` them beside it, and rows below that."""
    lines, pictures, panels = [], [], []
    for n in range(3):
        y = 60.0 + 240 * n
        x = 40.0 if not under else 220.0
        pictures.append(picture(f"P{n}", (40, y + 40, 200, y + 180) if not under else (40, y, 200, y + 200)))
        lines += [line(f"{NAMES[n]} lamp", x + 10, y + 6, 14), line(f"AB-10{n}", x + 10, y + 24, 10)]
        lines += [line(text, x + 10, y + 186 - under + at, size) for text, at in rows]
        panels.append((x - 4 if under else 36.0, y, 560.0, y + 230))
    return understand_page(
        msgspec.structs.replace(page(*lines, pictures=pictures), panels=tuple(panels)),
        (),
        DocumentFacts(),
        BY_RULES,
    )


NAMES = ("Garden", "Kitchen", "Desk")
STACKED = (("Material", 0), ("Oak", 12), ("Weight", 40), ("2.4 kg", 52), ("$21.50", 84))


def test_what_stands_under_the_photo_on_the_panel_goes_on_with_the_name_over_it() -> None:
    result = cards(("12 x 30 cm", 0), ("$21.50", 14))
    assert texts(result, "model") == ["AB-100", "AB-101", "AB-102"]
    assert texts(result, "size") == ["12 x 30 cm"] * 3 and texts(result, "price") == ["$21.50"] * 3


def test_labels_over_their_values_on_a_panel_beside_the_photo_are_the_products() -> None:
    result = cards(*STACKED, under=130)
    assert texts(result, "material") == ["Oak"] * 3 and texts(result, "weight") == ["2.4 kg"] * 3
    assert texts(result, "price") == ["$21.50"] * 3


def test_a_label_whose_value_is_not_found_is_no_description() -> None:
    result = cards(("Material", 0), ("$21.50", 34))
    assert texts(result, "price") == ["$21.50"] * 3 and texts(result, "description") == [None] * 3


def test_a_second_code_in_the_print_of_the_first_leaves_the_captions_as_they_are() -> None:
    rows = (("12 x 30 cm", 0.0), ("CD-900", 14.0))
    assert texts(cards(*rows), "size") == ["12 x 30 cm"] * 3
    assert "12 x 30 cm" not in texts(cards(*rows, size=10.0), "size")
