"""Cards whose heads print a name and, beside it, its labelled code: products, for a person to look at."""

import pytest

from processing.engine.page import ParsedPage
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

HEADS = [("LONG SOCK", "Code: LSK"), ("ANKLE SOCK", "Code: ASK-M"), ("LOW CUT SOCK", "Code: LC-20")]


def understood(one: ParsedPage) -> PageResult:
    return understand_page(one, (), DocumentFacts(), BY_RULES)


def cards(heads: list[tuple[str, str]], *lefts: float) -> ParsedPage:
    told = "It is worn for sports and in leisure, keeps its shape and the foot dry all day."
    lines, shown = [], []
    for n, (name, code) in enumerate(heads):
        left, top = lefts[n] if lefts else 40, 60 + 240 * n
        lines += [line(name, left, top, 14), line(code, 430, top + 2, 10), line(told, 250, top + 40, 7)]
        shown.append(picture(f"P{n + 1}", (40, top + 30, 200, top + 200)))
    return page(*lines, pictures=shown)


def test_a_name_beside_each_labelled_code_is_a_product_for_a_person() -> None:
    result = understood(cards(HEADS))
    assert texts(result, "model") == ["LSK", "ASK-M", "LC-20"] and result.page_type == "B"
    assert texts(result, "product_name") == [name for name, _ in HEADS]
    assert [[b.picture for b in sku.bindings] for sku in result.skus] == [["P1"], ["P2"], ["P3"]]
    assert "page_type_uncertain" in {blocker.code for blocker in result.blockers}


@pytest.mark.parametrize(
    "one",
    [
        cards([HEADS[0], ("", "Code: ASK-M"), HEADS[2]]),  # a code without a name
        cards([HEADS[0], ("LONG SOCK", "Code: ASK-M")]),  # one name for two
        cards([("See there", "Code: of conduct"), ("And here", "Code: of practice")]),
        cards(HEADS, 40, 120, 200),  # names at no common edge
    ],
)
def test_other_labelled_words_are_none(one: ParsedPage) -> None:
    assert understood(one).skus == ()


DEVICES = [("HX-8021", "Basin mixer"), ("HX-8035", "Kitchen tap"), ("HX-6110", "Rain shower")]


SAID = ("brass", "chrome", "5 years", "25 mm")


def devices(large: float = 14, photos: int = 3, names: float = 13) -> ParsedPage:
    """A code in large print and a name behind it, over words beside signs, with a photo at the left."""
    lines, shown = [], []
    for n, (code, name) in enumerate(DEVICES):
        top = 60 + 240 * n
        lines += [line(code, 210, top, large), line(name, 350, top, names)]
        lines += [
            line(text, 380, top + 40 + 30 * k, 9) for k, text in enumerate(("brass", "chrome", "5 years", "25 mm"))
        ]
        shown.append(picture(f"P{n + 1}", (40, top, 200, top + 180)))
    return page(*lines, pictures=shown[:photos])


def test_a_name_behind_each_code_in_large_print_beside_a_photo_is_a_product_for_a_person() -> None:
    result = understood(devices())
    assert list(zip(texts(result, "model"), texts(result, "product_name"), strict=True)) == DEVICES
    assert [[b.picture for b in sku.bindings] for sku in result.skus] == [["P1"], ["P2"], ["P3"]]
    assert "page_type_uncertain" in {blocker.code for blocker in result.blockers}


@pytest.mark.parametrize("one", [devices(large=9), devices(photos=2), devices(names=9)])
def test_codes_in_small_print_without_a_photo_each_or_with_small_names_name_none(one: ParsedPage) -> None:
    assert not any(texts(understood(one), "model"))
