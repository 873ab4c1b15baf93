"""Samples of colours under products: small pictures in a row with the names of colours under them."""

import pytest

from processing.engine.page import ParsedPage
from processing.engine.result import DocumentFacts
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.pictures.swatches import swatches
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import line, page, picture, texts

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
    found = understand_page(one, (), DocumentFacts(), AnalystConfig())
    assert texts(found, "model") == [code for _, code in PRODUCTS]
    assert [[binding.picture for binding in sku.bindings] for sku in found.skus] == [["P0"], ["P1"], ["P2"]]


def test_small_pictures_with_other_names_may_show_products() -> None:
    assert not swatches(sampled(["Bolt", "Nut", "Washer"]))


def test_pictures_in_several_colours_as_large_as_others_are_no_samples() -> None:
    assert not swatches(sampled(["雾蓝", "米白"], side=80.0))
