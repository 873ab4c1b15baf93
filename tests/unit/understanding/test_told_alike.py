"""Names in large print over texts with one label, beside photos: grids without codes and prices."""

import pytest

from processing.engine.page import Line, ParsedPage, Picture
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

NAMES = ("DERMA WASH", "DERMA CREAM", "JOINT PLUS", "CALM DROPS", "VITA PASTE", "OMEGA THREE")
TOLD = ("Cleans and moistens", "the skin of dogs", "and cats every day")
STRIP = picture("P0", (0, 0, 595, 120))


def understood(one: ParsedPage) -> PageResult:
    return understand_page(one, (), DocumentFacts(), BY_RULES)


def block(name: str, label: str, value: str, x: float, y: float) -> list[Line]:
    body = [line(text, x, y + 28 + 11 * n, 8) for n, text in enumerate(TOLD)]
    return [line(name, x + 10, y, 15), *body, line(label, x, y + 64, 7), line(value, x, y + 73, 7)]


def blocks(label: str, names: tuple[str, ...] = NAMES, value: str = "Bottles of 200 mL") -> list[Line]:
    places = [(30 + 185 * (n % 3), 160 + 190 * (n // 3)) for n in range(len(names))]
    return [one for name, (x, y) in zip(names, places, strict=True) for one in block(name, label, value, x, y)]


def photos(count: int = len(NAMES)) -> list[Picture]:
    places = [(130 + 185 * (n % 3), 185 + 190 * (n // 3)) for n in range(count)]
    return [picture(f"P{n}", (x, y, x + 60, y + 90)) for n, (x, y) in enumerate(places, 1)]


@pytest.mark.parametrize("label", ["Fórmula:", "Indications:", "适用范围："])
def test_each_name_over_a_text_with_the_common_label_is_a_product_for_a_person(label: str) -> None:
    result = understood(page(*blocks(label), pictures=[STRIP, *photos()]))
    assert (result.page_type, texts(result, "product_name")) == ("C", list(NAMES))
    assert [[b.picture for b in sku.bindings] for sku in result.skus] == [[f"P{n}"] for n in range(1, 7)]
    assert "page_type_uncertain" in {blocker.code for blocker in result.blockers}


def test_of_two_blocks_a_label_that_is_known_makes_products() -> None:
    two = understood(page(*blocks("Cores:", NAMES[:2], "Natural, Bege"), pictures=photos(2)))
    assert texts(two, "color") == ["Natural, Bege"] * 2
    assert not understood(page(*blocks("Fórmula:", NAMES[:2]), pictures=photos(2))).skus


@pytest.mark.parametrize("label", ["Tel:", "E-mail:", "Address:"])
def test_people_and_offices_are_no_products(label: str) -> None:
    assert not understood(page(*blocks(label), pictures=photos())).skus


def test_texts_without_photos_or_names_are_no_products() -> None:
    assert not understood(page(*blocks("Fórmula:"), pictures=photos(3))).skus
    bare = [one for one in blocks("Fórmula:") if one.size < 15]
    assert not understood(page(*bare, pictures=photos())).skus


def test_words_of_a_name_may_stand_wide_apart_and_what_is_in_brackets_is_none_of_it() -> None:
    lines = [one for one in blocks("Fórmula:") if one.text != NAMES[0]]
    first = [line("DERMA", 40, 160, 15), line("WASH", 40 + 5 * 8.25 + 9, 160, 15)]
    result = understood(page(*first, line("[NEW]", 225, 176, 12), *lines, pictures=photos()))
    assert texts(result, "product_name") == list(NAMES)


def test_photos_beside_each_other_are_each_their_own_blocks_though_icons_are_nearer() -> None:
    names = line("Voil Premium", 66, 419, 28), line("Voil Risca de Giz", 327, 420, 28)
    labels = line("CORES:", 91, 540, 13), line("CORES:", 366, 540, 13)
    values = line("Branco, Bege, Areia", 91, 556, 13), line("Branco, Cinza, Natural", 366, 556, 13)
    shown = [picture("P1", (38, 65, 277, 407)), picture("P2", (309, 62, 557, 407))]
    icons = [picture(f"I{n}", (47, y, 83, y + 36)) for n, y in enumerate((536, 620, 660))]
    foot = picture("F", (18, 693, 578, 819))
    result = understood(page(*names, *labels, *values, pictures=[*shown, *icons, foot]))
    assert [[b.picture for b in sku.bindings] for sku in result.skus] == [["P1"], ["P2"]]
