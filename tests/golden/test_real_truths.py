"""The truth files of real catalogues: of the agreed shape, and true to the documents they were counted on."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from processing.engine.quality.truth import Truth, read_truth
from processing.engine.result import BASE_KEYS

FOLDER = Path(__file__).parent / "real"
NAMES = sorted(path.name.removesuffix(".truth.json") for path in FOLDER.glob("*.truth.json"))
# Texts that no text layer holds because they stand in pictures or are drawn as outlines: file, page, texts.
IN_PICTURES: dict[str, dict[str, list[str]]] = json.loads((FOLDER / "in_pictures.json").read_bytes())
every_file = pytest.mark.parametrize("name", NAMES)

KEYS = {
    "file": {"schema_version", "job", "pages", "skus", "images"},
    "job": {"source_file", "total_pages"},
    "page": {"page_number", "page_type", "continues"},
    "sku": {
        "page_number", "attributes", "optional", "accept", "custom_attributes", "tiers", "card_bbox", "images",
    },
    "custom": {"name", "value"},
    "use": {"image_id", "required"},
    "image": {"image_id", "page_number", "bbox"},
}  # fmt: skip

# Products a page as counted by hand, apart from the truth files, so that neither can lose a row unnoticed.
COUNTED: dict[str, dict[int, int]] = {
    "zh_zimore_packing_machines": {1: 0, 2: 0, 3: 3, 6: 3, 8: 3},
    "zh_jieli_mcu_selection_table": {1: 54},
    "zh_wch_ch634_variant_matrix": {1: 0, 2: 12, 4: 4},
    "en_bernhardt_workspace_pricelist": {
        1: 0, 2: 0, 3: 0, 4: 0, 5: 5, 6: 3, 7: 5, 8: 6, 10: 6, 11: 4, 12: 5, 13: 4, 14: 5, 15: 5, 16: 0,
    },
    "en_bernhardt_swivel_pricelist": {1: 8, 2: 6, 3: 8, 4: 0},
    "en_habitus_casegoods_76p": {1: 0, 2: 0, 3: 0, 9: 1, 66: 1},
    "en_habitus_ffe_quantities": {1: 39, 2: 40, 3: 21},
    "en_kjade_photo_grid": {page: 6 if 6 <= page <= 18 else 0 for page in range(1, 24)},
    "en_bestech_cookware_rotated": {1: 0, 2: 0, 3: 6, 4: 0, 5: 4, 6: 0},
    "en_eastland_carbon_infographics": {1: 0, 4: 12, 6: 8},
    "en_qianqianshow_price_card": {1: 1},
    "zh_wch_ch213_ordering": {2: 3},
    "en_invoice_azure_interior": {1: 4},
    "en_upc_line_items": {1: 4},
}  # fmt: skip


@cache
def _raw(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.truth.json").read_bytes())
    return found


def _truth(name: str) -> Truth:
    return read_truth((FOLDER / f"{name}.truth.json").read_bytes(), name)


@every_file
def test_a_truth_file_names_only_what_was_agreed(name: str) -> None:
    raw = _raw(name)
    assert raw.keys() == KEYS["file"] and raw["job"].keys() == KEYS["job"]
    assert all(page.keys() <= KEYS["page"] for page in raw["pages"])
    assert all(image.keys() == KEYS["image"] for image in raw["images"])
    for sku in raw["skus"]:
        assert sku.keys() <= KEYS["sku"]
        assert {*sku["attributes"], *sku.get("optional", {}), *sku.get("accept", {})} <= set(BASE_KEYS)
        assert all(one.keys() == KEYS["custom"] for one in sku.get("custom_attributes", ()))
        assert all(use.keys() == KEYS["use"] for use in sku["images"])


@every_file
def test_a_truth_file_is_whole_in_itself(name: str) -> None:
    """Pages in range and once, SKUs on judged pages, known pictures: problems raise."""
    truth = _truth(name)
    assert truth.job.source_file.endswith(f"/{name}.pdf")
    texts = [text for sku in truth.skus for key in (*sku.attributes, *sku.optional) for text in sku.texts(key)]
    assert all(text.strip() == text and text for text in texts)
    used = {use.image_id for sku in truth.skus for use in sku.images or ()}
    assert used == {image.image_id for image in truth.images}


@every_file
def test_a_page_without_products_is_of_type_d_and_only_such_a_page(name: str) -> None:
    truth = _truth(name)
    for page in truth.pages:
        assert bool(truth.skus_of(page.page_number)) == (page.page_type != "D"), page.page_number


@pytest.mark.req("TA-T49")
@pytest.mark.parametrize("name", sorted(COUNTED))
def test_as_many_products_as_were_counted_stand_in_the_truth(name: str) -> None:
    truth = _truth(name)
    judged = {page.page_number for page in truth.pages}
    assert COUNTED[name].keys() <= judged
    assert {page: len(truth.skus_of(page)) for page in COUNTED[name]} == COUNTED[name]


@every_file
def test_no_product_is_listed_twice_on_a_page(name: str) -> None:
    counts = Counter(
        (sku.page_number, sku.asked.get("model"), sku.asked.get("product_name"), sku.asked.get("size"))
        for sku in _truth(name).skus
    )
    assert max(counts.values(), default=1) == 1


@pytest.mark.corpus
@every_file
def test_pages_and_boxes_lie_inside_the_document(name: str, corpus: Path) -> None:
    truth = _truth(name)
    with pymupdf.open(corpus / truth.job.source_file) as document:
        assert len(document) == truth.job.total_pages
        cards = [(sku.page_number, sku.card_bbox) for sku in truth.skus if sku.card_bbox]
        for number, box in (*((image.page_number, image.bbox) for image in truth.images), *cards):
            shown = document[number - 1].rect
            assert box[0] >= 0 and box[1] >= 0, (number, box)
            assert box[2] <= shown.width + 0.5 and box[3] <= shown.height + 0.5, (number, box)


@pytest.mark.corpus
@every_file
def test_every_text_is_printed_on_its_page(name: str, corpus: Path) -> None:
    """In the text layer, or in a picture and then named in in_pictures.json: in exactly one of both."""
    truth = _truth(name)
    for sku in truth.skus:
        layer = _layers(corpus / truth.job.source_file)[sku.page_number - 1]
        drawn = IN_PICTURES.get(name, {}).get(str(sku.page_number), [])
        for text in (*sku.asked.values(), *(one.value for one in sku.custom_attributes)):
            assert (_bare(text) in layer) != (text in drawn), (sku.page_number, text)


@pytest.mark.corpus
@every_file
def test_every_word_of_an_optional_text_is_printed_nearby(name: str, corpus: Path) -> None:
    """Optional texts may run over several lines, or stand on a page close by."""
    truth = _truth(name)
    for sku in truth.skus:
        near = _layers(corpus / truth.job.source_file)[max(0, sku.page_number - 6) : sku.page_number + 5]
        drawn = IN_PICTURES.get(name, {}).get(str(sku.page_number), [])
        for text in filter(None, sku.optional.values()):
            assert text in drawn or all(any(word in page for page in near) for word in text.split()), text


def test_texts_in_pictures_are_all_used() -> None:
    for name, pages in IN_PICTURES.items():
        for number, texts in pages.items():
            assert set(texts) <= set(_texts_of(_truth(name), int(number))), (name, number)


def _texts_of(truth: Truth, number: int) -> Iterator[str]:
    for sku in truth.skus_of(number):
        yield from (text for text in (*sku.asked.values(), *sku.optional.values()) if text)
        yield from (one.value for one in sku.custom_attributes)


@cache
def _layers(path: Path) -> tuple[str, ...]:
    """Each page's text without white space, in the file's order and in reading order."""
    with pymupdf.open(path) as document:
        return tuple(f"{_bare(page.get_text())}\n{_bare(page.get_text(sort=True))}" for page in document)


def _bare(text: str) -> str:
    return re.sub(r"\s+", "", text)
