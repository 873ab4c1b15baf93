"""Samples of colours under products: small pictures in a row with the names of colours under them."""

import pytest
from msgspec.structs import replace

from processing.engine.page import Ocr, ParsedPage
from processing.engine.result import DocumentFacts
from processing.engine.understanding.pictures.swatches import swatches
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

PRODUCTS = [("条纹抱枕", "ZJ-C01"), ("布艺单椅", "ZJ-A02"), ("双人沙发", "ZJ-S03")]


def sampled(names: list[str], side: float = 28.0) -> ParsedPage:
    """Three products in a row; the second and the third have samples under their texts."""
    lines, pictures = [], []
    for n, (name, code) in enumerate(PRODUCTS):
        x = 36 + 178 * n
        pictures.append(picture(f"P{n}", (x, 72, x + 166, 272)))
        lines += [line(name, x, 280, 12), line("US$3.60", x + 120, 280, 11.5), line(f"型号 {code}", x, 297, 8.5)]
        for k, colour in enumerate(names if n else ()):
            left = x + (side + 12) * k
            pictures.append(picture(f"S{n}{k}", (left, 346, left + side, 346 + side)))
            lines.append(line(colour, left + 4, 348 + side, 7.5))
    return page(*lines, pictures=pictures)


@pytest.mark.parametrize("names", [["雾蓝", "米白", "炭灰"], ["Ivory", "Black", "Red"], ["亚麻", "皮革"]])
def test_samples_are_no_pictures_of_products(names: list[str]) -> None:
    one = sampled(names)
    assert swatches(one) == {f"S{n}{k}" for n in (1, 2) for k in range(len(names))}
    found = understand_page(one, (), DocumentFacts(), BY_RULES)
    assert texts(found, "model") == [code for _, code in PRODUCTS]
    assert [[binding.picture for binding in sku.bindings] for sku in found.skus] == [["P0"], ["P1"], ["P2"]]


def test_small_pictures_with_other_names_may_show_products() -> None:
    assert not swatches(sampled(["Bolt", "Nut", "Washer"]))


def test_pictures_in_several_colours_as_large_as_others_are_no_samples() -> None:
    assert not swatches(sampled(["雾蓝", "米白"], side=80.0))


def shoes(codes: tuple[str, ...], names: tuple[str, ...], price: str = "¥86") -> ParsedPage:
    """A large photo over small ones in a row, each over a name, a code and a price."""
    lines, pictures = [line("疾风 跑鞋", 36, 31, 34)], [picture("P", (167, 110, 543, 345))]
    for n, (code, name) in enumerate(zip(codes, names, strict=True)):
        x = 36 + 133 * n
        pictures.append(picture(f"C{n}", (x, 380, x + 122, 470)))
        lines += [line(name, x + 18, 478), line(code, x, 494, 9), *([line(price, x + 90, 494, 12)] if price else [])]
    return page(*lines, pictures=pictures)


def test_small_photos_in_colours_with_prices_are_products_and_the_colours_no_names() -> None:
    codes = ("RX-20-BL", "RX-20-RD", "RX-20-BK")
    one = shoes(codes, ("海蓝", "炽红", "黑色"))
    found = understand_page(one, (), DocumentFacts(), BY_RULES)
    assert not swatches(one) and texts(found, "model") == list(codes)
    assert texts(found, "color") == ["海蓝", "炽红", "黑色"] and texts(found, "product_name") == [None] * 3
    assert swatches(shoes(codes, ("海蓝", "黑色", "红色"), price="")) == {"C0", "C1", "C2"}


def test_shades_with_a_word_of_their_own_are_colours_and_one_name_in_several_colours_is_a_name() -> None:
    codes = ("RX-20-OR", "RX-20-GN", "RX-20-SD")
    shades, named = ("Ember orange", "Moss green", "Dune sand"), ("Runner orange", "Runner green", "Runner sand")
    found = understand_page(shoes(codes, shades), (), DocumentFacts(), BY_RULES)
    assert texts(found, "color") == list(shades) and texts(found, "product_name") == [None] * 3
    found = understand_page(shoes(codes, named), (), DocumentFacts(), BY_RULES)
    assert texts(found, "product_name") == list(named)


def test_names_that_end_like_colours_over_codes_of_their_own_are_names() -> None:
    one = shoes(("TE-101", "GR-20", "WH-305"), ("海蓝", "炽红", "黑色"))
    found = understand_page(one, (), DocumentFacts(), BY_RULES)
    assert texts(found, "product_name") == ["海蓝", "炽红", "黑色"]


def chosen(names: tuple[str, ...], codes: tuple[str, ...]) -> ParsedPage:
    """Pictures in rows of three, each over a name at its left edge and a code at its right one."""
    lines, pictures = [], []
    for n, (name, code) in enumerate(zip(names, codes, strict=True)):
        x, y = 48 + 170 * (n % 3), 90 + 140 * (n // 3)
        pictures.append(picture(f"S{n}", (x, y, x + 100, y + 100)))
        lines += [line(name, x, y + 106, 9), line(code, x + 80, y + 107, 8)]
    return page(*lines, pictures=pictures)


SHADES = ("Oat", "墨蓝", "炭黑", "奶白", "Clay", "苔绿")


@pytest.mark.parametrize(
    ("names", "codes"),
    [
        (SHADES, ("F01", "F02", "F03", "F04", "F05", "F09")),
        (("Oat", "Sand", "Mug", "Plate", "Bowl", "Tray"), tuple(f"F{n:02}" for n in range(1, 7))),
    ],
)
def test_other_names_and_codes_are_those_of_products(names: tuple[str, ...], codes: tuple[str, ...]) -> None:
    found = understand_page(chosen(names, codes), (), DocumentFacts(), BY_RULES)
    assert texts(found, "model") == list(codes)


@pytest.mark.parametrize(("recognised", "found"), [(True, set()), (False, {"C0", "C2"})])
def test_photos_seen_on_a_scan_are_of_one_row_though_their_widths_differ_by_a_block(
    recognised: bool, found: set[str]
) -> None:
    """Two of four by themselves, one with the name of a colour, would be samples."""
    lines, pictures = [], [picture("P", (0, 0, 560, 290))]
    for n, name in enumerate(("Red", "Bean", "Leaf", "Plum")):
        x = 36 + 133 * n
        pictures.append(picture(f"C{n}", (x, 380, x + (99 if n % 2 else 96), 470)))
        lines += [line(name, x + 18, 478), line(f"SU-L0{n}", x + 18, 494, 9)]
    ocr = Ocr("test", "no_text", 0.98, 0, len(lines)) if recognised else None
    assert swatches(replace(page(*lines, pictures=pictures), ocr=ocr)) == found
