"""Catalogues drawn at random for fitting: what their truth asks for is printed, nothing is printed over another thing,
and a seed gives the same bytes again."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pymupdf
import pytest

from processing.engine.quality.truth import read_truth
from tests.fit.grammar import catalogue, manual
from tests.fit.grammar.__main__ import main
from tests.fit.grammar.layouts import LAYOUTS
from tests.fit.grammar.manuals import MANUALS
from tests.fit.grammar.without_products import WITHOUT_PRODUCTS
from tests.fit.grammar.words import LANGUAGES, spoken
from tests.golden.styles.pens.folio import Drawn
from tests.support.catalogues.ink import Box

pytestmark = pytest.mark.req("TA-T85")
SEEDS = range(50)
MORE_SEEDS = range(150)
# Texts may touch; one over another covers more of it.
MOST_COVERED = 0.08


@cache
def drawn(seed: int) -> Drawn:
    return catalogue(seed)


@cache
def without(seed: int) -> Drawn:
    return manual(seed)


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)


def opened(one: Drawn) -> pymupdf.Document:
    return pymupdf.open(stream=one.pdf, filetype="pdf")


def test_every_asked_text_stands_on_its_page_and_in_its_card() -> None:
    for seed in SEEDS:
        with opened(drawn(seed)) as document:
            words = [page.get_text("words", flags=0) for page in document]
            texts = ["".join(word[4] for word in page) for page in words]
            for sku in drawn(seed).truth["skus"]:
                page = document[sku["page_number"] - 1]
                inside = "".join(word[4] for word in words[page.number] if _lies_in(word, sku["card_bbox"]))
                custom = {one["name"]: one["value"] for one in sku["custom_attributes"]}
                for key, text in {**sku["attributes"], **custom}.items():
                    # A heading may be the name of what stands below it.
                    where = texts[page.number] if key == "product_name" else inside
                    assert squeezed(text) in where, f"seed {seed}, page {page.number + 1}: {key} {text!r}"


def _lies_in(word: tuple[float, ...], card: Box) -> bool:
    x, y = (word[0] + word[2]) / 2, (word[1] + word[3]) / 2
    return card[0] - 1 <= x <= card[2] + 1 and card[1] - 2 <= y <= card[3] + 2


@pytest.mark.parametrize("draw", [drawn, without])
def test_no_text_is_printed_over_another_or_off_the_page(draw: Callable[[int], Drawn]) -> None:
    for seed in SEEDS:
        with opened(draw(seed)) as document:
            for page in document:
                inked = sorted(_ink(page), key=lambda one: one[0][0])
                for k, (box, text) in enumerate(inked):
                    assert pymupdf.Rect(box) in page.rect + (-1, -1, 1, 1), f"seed {seed}: {text!r}"
                    for other, its in inked[k + 1 :]:
                        if other[0] >= box[2]:
                            break
                        shared = _shared(box, other)
                        small = min((one[2] - one[0]) * (one[3] - one[1]) for one in (box, other))
                        assert shared <= MOST_COVERED * small, f"seed {seed}, page {page.number + 1}: {text!r} {its!r}"


def _shared(box: Box, other: Box) -> float:
    wide, high = min(box[2], other[2]) - max(box[0], other[0]), min(box[3], other[3]) - max(box[1], other[1])
    return max(0.0, wide) * max(0.0, high)


def _ink(page: pymupdf.Page) -> Iterator[tuple[Box, str]]:
    """Level texts with boxes as high as their letters."""
    for block in page.get_text("dict", flags=0)["blocks"]:
        for line in block["lines"]:
            for span in line["spans"]:
                if span["text"].strip() and abs(line["dir"][1]) < 0.01:
                    (x0, _, x1, _), base, size = span["bbox"], span["origin"][1], span["size"]
                    yield (x0, base - size * 0.7, x1, base + size * 0.1), span["text"]


def test_pictures_of_products_lie_on_the_page_and_touch_no_other() -> None:
    for seed in SEEDS:
        one = drawn(seed)
        with opened(one) as document:
            by_page: dict[int, list[pymupdf.Rect]] = {}
            for image in one.truth["images"]:
                box, page = pymupdf.Rect(image["bbox"]), document[image["page_number"] - 1]
                placed = [pymupdf.Rect(info["bbox"]) for info in page.get_image_info()]
                assert any(box in other + (-1, -1, 1, 1) for other in placed) and box in page.rect + (-1, -1, 1, 1)
                assert all((box & other).get_area() < 1 for other in by_page.get(page.number, []))
                by_page.setdefault(page.number, []).append(box)


def test_truths_are_valid_and_pages_without_products_hold_none() -> None:
    products = 0
    for seed in SEEDS:
        one = drawn(seed)
        truth = read_truth(json.dumps(one.truth).encode(), one.name)
        for page in truth.pages:
            count = len(truth.skus_of(page.page_number))
            assert bool(count) == (page.page_type != "D"), f"seed {seed}, page {page.page_number}: {count} products"
            products += count
    assert products > 10 * len(SEEDS)


def test_products_of_a_page_can_be_told_apart() -> None:
    for seed in SEEDS:
        skus = drawn(seed).truth["skus"]
        printed = Counter(
            (sku["page_number"], *(sku["attributes"].get(key) for key in ("model", "product_name", "size")))
            for sku in skus
        )
        doubled = [one for one, count in printed.items() if count > 1]
        assert len(doubled) <= 0.02 * len(skus) + 1, f"seed {seed}: {doubled[:3]}"


@pytest.mark.long
def test_every_layout_and_every_language_is_drawn() -> None:
    found = Counter(page["layout"] for seed in MORE_SEEDS for page in drawn(seed).truth["pages"])
    for name in (*LAYOUTS, *WITHOUT_PRODUCTS):
        assert any(layout.startswith(name) for layout in found), name
    assert {drawn(seed).truth["job"]["category"] for seed in MORE_SEEDS} == set(LANGUAGES)
    types = Counter(page["page_type"] for seed in MORE_SEEDS for page in drawn(seed).truth["pages"])
    assert set(types) == set("ABCD") and 0.2 < types["D"] / types.total() < 0.4


def test_manuals_hold_every_kind_of_page_and_no_product() -> None:
    found = Counter(page["layout"] for seed in SEEDS for page in without(seed).truth["pages"])
    assert set(MANUALS) <= set(found)
    assert {without(seed).truth["job"]["category"] for seed in SEEDS} == set(LANGUAGES)
    for seed in SEEDS:
        assert not without(seed).truth["skus"]
        assert {page["page_type"] for page in without(seed).truth["pages"]} == {"D"}
    assert manual(3).pdf == without(3).pdf


def test_a_seed_gives_the_same_bytes_again_and_another_one_others() -> None:
    for seed in (0, 5, 11):
        again = catalogue(seed)
        assert again.pdf == drawn(seed).pdf and again.truth == drawn(seed).truth
    assert len({drawn(seed).pdf for seed in range(30)}) == 30


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_has_words_for_everything_and_products_in_the_same_order(code: str) -> None:
    english, words = spoken("en").lists, spoken(code).lists
    assert words.keys() == english.keys() and all(all(texts) for texts in words.values())
    for key in english:
        if key.startswith("nouns.") or key in ("chart", "limits"):
            assert len(words[key]) == len(english[key]), key


def test_writes_catalogues_with_their_truths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["grammar", str(tmp_path), "--seed", "2", "--catalogues", "3"])
    main()
    names = sorted(path.name for path in tmp_path.iterdir())
    assert len(names) == 6 and {name.partition(".")[2] for name in names} == {"pdf", "truth.json"}
