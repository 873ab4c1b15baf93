"""Pages that lie on their side, names in two lines, and names over labelled lines without a caption."""

from itertools import pairwise

import msgspec
import pytest

from catalogsku.core.box import turned_back
from processing.engine.page import Block, Line, Ocr, ParsedPage, Word
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.upright import upright
from processing.engine.understanding.view import PageView
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts
from tests.unit.understanding.test_cards_and_captions import grid

OCR = Ocr("test", "no_text", 0.99)
SOLD = [[f"AX-10{n}", f"Lamp number {n}", f"${n}9.00"] for n in range(1, 7)]


def understood(one: ParsedPage) -> PageResult:
    return understand_page(one, (), DocumentFacts(), BY_RULES)


def lying(one: ParsedPage, turn: int) -> ParsedPage:
    """The page as it is displayed where its content is turned by so many quarter turns clockwise."""
    sideways = turn % 2 == 1
    width, height = (one.height_pt, one.width_pt) if sideways else (one.width_pt, one.height_pt)

    def back(box):
        return turned_back(box, turn, width, height)

    def laid(text: Line) -> Line:
        words = tuple(Word(word.text, back(word.box), word.size, word.bold) for word in text.words)
        return Line(text.text, back(text.box), words, text.size, text.bold, sideways)

    return msgspec.structs.replace(
        one,
        width_pt=width,
        height_pt=height,
        turn=turn,
        blocks=tuple(Block(b.id, back(b.box), tuple(map(laid, b.lines))) for b in one.blocks),
        pictures=tuple(msgspec.structs.replace(p, box=back(p.box)) for p in one.pictures),
    )


@pytest.mark.req("TA-T84")
@pytest.mark.parametrize("turn", [1, 2, 3])
def test_a_page_that_lies_otherwise_is_understood_as_its_reader_turns_it(turn: int) -> None:
    lines, pictures = grid(SOLD)
    straight = page(*lines, pictures=pictures)
    shown = lying(straight, turn)
    first, second = understood(straight), understood(shown)
    assert texts(second, "model") == texts(first, "model") == [model for model, _, _ in SOLD]
    assert [[b.picture for b in sku.bindings] for sku in second.skus] == [[f"P{n}"] for n in range(1, 7)]
    places = {text.text: text.box for text in shown.lines}
    for sku in second.skus:
        assert sku.attributes["price"].evidence.bbox == pytest.approx(places[sku.attributes["price"].text])
        assert 0 <= sku.box[0] < sku.box[2] <= shown.width_pt and 0 <= sku.box[1] < sku.box[3] <= shown.height_pt


def test_a_page_that_stands_upright_is_handed_on_as_it_is() -> None:
    one, facts = page(line("Lamp", 50, 50)), DocumentFacts()
    seen = upright(one, (one,), facts)
    assert seen.page is one and seen.facts is facts and seen.earlier == (one,)


def named_in_two_lines(step: float) -> ParsedPage:
    """Six pictures, under each a name in two lines, and ``step`` points below it what is special about it."""
    lines, pictures = grid([["Plain weave", "Carbon sheet"]] * 6)
    names = ["Plain", "Twill", "Satin", "Forged", "Spread tow", "Unidirectional"]
    lines = [
        line(f"{names[n // 2]} weave", one.box[0], one.box[1]) if n % 2 == 0 else one for n, one in enumerate(lines)
    ]
    notes = [line(f"Kind {chr(97 + n)}", one.box[0], one.box[1] + step, 8) for n, one in enumerate(lines[1::2])]
    return page(*lines, *notes, pictures=pictures)


@pytest.mark.req("TA-T84")
def test_two_lines_close_together_over_another_are_one_name() -> None:
    found = understood(named_in_two_lines(21))
    assert texts(found, "product_name")[:2] == ["Plain weave Carbon sheet", "Twill weave Carbon sheet"]
    assert found.page_type == "C" and texts(found, "description")[0] == "Kind a"


@pytest.mark.parametrize(("recognised", "whole"), [(True, True), (False, False)])
def test_recognised_lines_of_one_name_may_stand_otherwise_in_a_third_of_the_captions(
    recognised: bool, whole: bool
) -> None:
    one = named_in_two_lines(21)
    up = [line(text.text, text.box[0], text.box[1] - 6, 8) for text in one.lines if text.text in ("Kind a", "Kind b")]
    others = [text for text in one.lines if text.text not in ("Kind a", "Kind b")]
    moved = page(*others, *up, pictures=one.pictures)
    found = understood(msgspec.structs.replace(moved, ocr=OCR if recognised else None))
    assert ("Satin weave Carbon sheet" in texts(found, "product_name")) is whole


def test_lines_in_equal_steps_are_a_name_and_what_is_said_of_it() -> None:
    found = understood(named_in_two_lines(14))
    assert not any("Carbon" in (name or "") for name in texts(found, "product_name"))


def scene(names: int) -> list[Line]:
    """Names, each with its size right under it, scattered over the page."""
    places = [(60, 300), (320, 420), (80, 560), (330, 700)]
    words = ["Cook and Serve", "Taper Fry Pan", "Deep Kadai", "Straight Fry Pan"]
    return [
        text
        for (x, y), word in list(zip(places, words, strict=True))[:names]
        for text in (line(word, x, y), line(f"Size : {x} cm", x, y + 12, 8))
    ]


def test_names_over_a_label_each_are_products_for_a_person() -> None:
    found = understood(page(*scene(4)))
    assert texts(found, "product_name") == ["Cook and Serve", "Taper Fry Pan", "Deep Kadai", "Straight Fry Pan"]
    assert texts(found, "size") == ["60 cm", "320 cm", "80 cm", "330 cm"]
    assert found.page_type == "B" and "low_confidence" in [blocker.code for blocker in found.blockers]


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(scene(2), id="few names"),
        pytest.param(
            [*scene(3), line("Size : 1 cm", 60, 100), line("Size : 2 cm", 60, 140)], id="labels without names"
        ),
        pytest.param(
            [
                part
                for name, size in pairwise(scene(4))
                for part in (
                    line("Made of steel and", name.box[0], name.box[1] - 12),
                    line(name.text.lower(), *name.box[:2]),
                    size,
                )
                if name.text[:4] != "Size"
            ],
            id="ends of texts",
        ),
    ],
)
def test_other_names_and_labels_are_not_read_so(lines: list[Line]) -> None:
    assert understood(page(*lines)).classification["reason"] != "names_with_specifications"


def test_print_that_fills_a_small_picture_makes_it_a_logo_only_where_it_was_recognised() -> None:
    lines, pictures = grid(SOLD)
    logo = picture("P9", (250, 700, 320, 730))
    one = page(*lines, line("LUMO", 255, 702, 26), pictures=[*pictures, logo])

    def shown(seen: ParsedPage) -> bool:
        return logo in PageView(seen, (), DocumentFacts(), BY_RULES).pictures

    assert shown(one) and not shown(msgspec.structs.replace(one, ocr=OCR))


@pytest.mark.parametrize(("printed", "shown"), [("¥12.80", False), ("LUMO", True)])
def test_a_recognised_badge_with_a_price_is_no_picture(printed: str, shown: bool) -> None:
    lines, pictures = grid(SOLD)
    badge = picture("P9", (250, 700, 340, 750))
    one = page(*lines, line(printed, 270, 716, 16), pictures=[*pictures, badge])
    seen = PageView(msgspec.structs.replace(one, ocr=OCR), (), DocumentFacts(), BY_RULES)
    assert (badge in seen.pictures) is shown
