"""Which picture a line is the caption of: on its own card, and of neighbours that were seen without their white rim."""

import msgspec
import pytest

from processing.engine.page import Line, Ocr, Word
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.captions.sides import on_side, stands
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.view import PageView
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

OCR = Ocr("test", "no_text", 0.99, 0, 8, "en", "test")


def cards(*, panels: bool) -> PageResult:
    """Two rows of cards, each with a name and a code over its photo, a price under it, and the next card close to
    that."""
    lines, shown, boxes = [], [], []
    for n, name in enumerate(("Desk lamp", "Wall lamp", "Floor lamp", "Garden lamp")):
        x, y = 40.0 + 260 * (n % 2), 80.0 + 166 * (n // 2)
        shown.append(picture(f"P{n}", (x + 60, y + 42, x + 160, y + 140)))
        lines += [line(name, x + 70, y + 6, 12), line(f"AB-10{n}", x + 80, y + 22, 9)]
        lines.append(line(f"${n + 1}1.50", x + 90, y + 145, 12))
        boxes.append((x, y, x + 220, y + 163))
    whole = page(*lines, pictures=shown)
    shown_page = msgspec.structs.replace(whole, panels=tuple(boxes) if panels else (), ocr=OCR)
    return understand_page(shown_page, (), DocumentFacts(), BY_RULES)


def test_a_line_on_the_next_card_is_no_caption() -> None:
    result = cards(panels=True)
    assert texts(result, "model") == ["AB-100", "AB-101", "AB-102", "AB-103"]
    assert texts(result, "price") == ["$11.50", "$21.50", "$31.50", "$41.50"]
    assert [[b.picture for b in sku.bindings] for sku in result.skus] == [["P0"], ["P1"], ["P2"], ["P3"]]


def in_a_row(*, recognised: bool) -> PageResult:
    """Things cut out of their photos over captions whose prices end where the white rim of the photo ended, so that
    the next caption's code begins close behind them."""
    lines: list[Line] = []
    shown = []
    for n in range(3):
        x = 40.0 + 130 * n
        shown.append(picture(f"P{n}", (x + 12, 100, x + 108, 170)))
        lines.append(line(f"{('Desk', 'Wall', 'Floor')[n]} lamp", x + 20, 180, 10))
    one = [line(f"AB-10{n}", 40.0 + 130 * n, 196, 9) for n in range(3)]
    prices = [line(f"${n + 1}9", 40.0 + 130 * n + 98, 196, 9) for n in range(3)]
    runs = [(one[0],), (prices[0], one[1]), (prices[1], one[2]), (prices[2],)]
    for run in runs:
        box = (run[0].box[0], 196.0, run[-1].box[2], 205.0)
        lines.append(Line(" ".join(o.text for o in run), box, tuple(word for o in run for word in o.words), 9))
    whole = page(*lines, pictures=shown)
    return understand_page(
        msgspec.structs.replace(whole, ocr=OCR if recognised else None), (), DocumentFacts(), BY_RULES
    )


def test_captions_of_things_cut_out_are_parted_amid_their_gutter() -> None:
    result = in_a_row(recognised=True)
    assert texts(result, "model") == ["AB-100", "AB-101", "AB-102"]
    assert texts(result, "price") == ["$19", "$29", "$39"]


def test_the_last_card_may_have_its_text_beside_its_photo_and_not_under_the_one_over_it() -> None:
    """As the others have theirs under them."""
    lines, shown = [], []
    for n, name in enumerate(("Moon cake box", "Moon cake bag", "Tea caddy")):
        x = 40.0 + 180 * n
        shown.append(picture(f"P{n}", (x, 80, x + 160, 280)))
        lines += [line(name, x, 286, 12), line(f"CH-M2{n}", x, 302, 9), line(f"¥1{n}.80", x, 318, 12)]
    shown.append(picture("P3", (90, 344, 212, 420)))
    lines += [line("Mailer box", 220, 346, 12), line("CH-K20", 220, 364, 9), line("¥1.10", 220, 380, 12)]
    view = PageView(page(*lines, pictures=shown), (), DocumentFacts(), BY_RULES)
    under, beside = (
        {one.picture.id: one.lines[-2].text for one in on_side(view, side) if len(one.lines) > 1}
        for side in ("below", "right")
    )
    assert under == {"P0": "CH-M20", "P1": "CH-M21", "P2": "CH-M22"} and beside["P3"] == "CH-K20"
    assert all(len(one.lines) == 3 for one in on_side(view, "below"))


@pytest.mark.parametrize(("x", "named"), [(100.0, True), (60.0, False)])
def test_a_name_much_wider_than_a_slender_thing_is_its_own_where_their_middles_are_one(x: float, named: bool) -> None:
    bottle = (170.0, 100.0, 206.0, 220.0)
    assert stands(bottle, (x, 230.0, x + 176.0, 242.0), "below") == named


def under_photos(second: float) -> PageResult:
    """Photos in two rows over their names; those in the first row are longer than their photos are wide and were read
    as one line, the second one's name beginning at ``second``."""
    shown = [
        picture(f"P{3 * row + col}", (40.0 + 120 * col, 100.0 + 200 * row, 120.0 + 120 * col, 180.0 + 200 * row))
        for row in range(2)
        for col in range(3)
    ]
    words: list[Word] = []
    for at, name in ((40.0, "Threaded brass bolts"), (second, "Anchor brass bolts"), (280.0, "Hooks")):
        for text in name.split():
            words.append(Word(text, (at, 186.0, at + 6 * len(text), 196.0), 10))
            at += 6 * len(text) + 3
    run = Line(" ".join(word.text for word in words), (40.0, 186.0, words[-1].box[2], 196.0), tuple(words), 10)
    names = [line(name, 40.0 + 120 * n, 386, 10) for n, name in enumerate(("Clasps", "Screws", "Rivets"))]
    return understand_page(page(run, *names, pictures=shown), (), DocumentFacts(), BY_RULES)


def test_a_name_longer_than_its_photo_ends_where_the_next_one_begins_under_its_own() -> None:
    names = ["Threaded brass bolts", "Anchor brass bolts", "Hooks", "Clasps", "Screws", "Rivets"]
    assert texts(under_photos(160.0), "product_name") == names
    assert "Anchor brass bolts" not in texts(under_photos(156.5), "product_name")
