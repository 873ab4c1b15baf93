"""The same file through each set of readers: the same SKUs in the same places, so the same sku_ids; the same values and
the same pictures. A sku_id is file hash, page and number in reading order, so that a page's list of SKUs fixes them."""

from functools import cache
from pathlib import Path

import pytest

from catalogsku.core.text import squash
from processing.engine.reading.read import read_page
from processing.engine.reading.readers import OpenFile
from processing.engine.reading.settings import ReadingSettings
from processing.engine.result import DocumentFacts, Sku
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.pipeline import understand_page
from tests.golden.styles import SEEN

SAMPLES = Path(__file__).parents[2] / "samples"
LOOK_BACK = 10
# pdfplumber cannot draw; pictures and screenshots are pypdfium2's there.
SETS = (("pymupdf", "pypdfium2", "pdfplumber"), ("pypdfium2", "pdfplumber"), ("pdfplumber", "pypdfium2"))
# One of each kind: ruled and merged tables, selection table, cards, spec sheets, side by side, tiers.
STYLES = (
    "en_furniture_specbook",
    "en_hardware_side_by_side",
    "zh_apparel_merged",
    "zh_electronics_selection",
    "zh_hardware_tiers",
    "zhen_furniture_cards",
)


@cache
def drawn(name: str) -> bytes:
    return next(style for style in SEEN if style.name == name).draw().pdf


def found_by(readers, path, out_dir):
    """(page, number on the page) as in the sku_id -> what the product is."""
    settings = ReadingSettings(readers=readers, ocr=False, screenshot_px=800)
    found, pages = {}, []
    with OpenFile(path, readers) as documents:
        for number in range(1, documents.first().page_count + 1):
            page = read_page(documents, number, settings, out_dir)
            result = understand_page(page, pages[-LOOK_BACK:], DocumentFacts(), AnalystConfig())
            pages.append(page)
            found |= {(number, place): told(sku) for place, sku in enumerate(result.skus, 1)}
    return found


def told(sku: Sku):
    """Without spaces: where type changes from one font to the next, libraries differ in whether there is one; and
    without free text, whose lines they group differently."""
    values = {key: squash(value.text) for key, value in sku.attributes.items()}
    custom = {squash(value.name): squash(value.value) for value in sku.custom if value.name.lower() != "description"}
    return values, custom, [binding.picture for binding in sku.bindings]


def assert_readers_agree(path, tmp_path):
    first, *others = (found_by(readers, path, tmp_path) for readers in SETS)
    assert first
    for readers, other in zip(SETS[1:], others, strict=True):
        assert list(other) == list(first), readers
        assert other == first, readers


@pytest.mark.req("TA-ADR16")
@pytest.mark.parametrize("name", ["fasteners", "home-living"])
def test_reader_sets_agree_on_the_samples(name, tmp_path):
    assert_readers_agree(SAMPLES / f"{name}.pdf", tmp_path)


@pytest.mark.req("TA-ADR16")
@pytest.mark.parametrize("name", STYLES)
def test_reader_sets_agree_on_drawn_catalogues(name, tmp_path):
    path = tmp_path / "x.pdf"
    path.write_bytes(drawn(name))
    assert_readers_agree(path, tmp_path)
