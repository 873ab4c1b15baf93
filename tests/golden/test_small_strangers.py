"""Small pages, each a kind that was read wrongly at first sight: read and understood with the weights that ship.

A page that is right stays right. Of those that are not yet, all products are found, or as many as ever were.
"""

import os
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from processing.engine.page import ParsedPage
from processing.engine.quality.measure import PageMeasure, UnderstoodPage, measure_file
from processing.engine.quality.truth import read_truth
from processing.engine.reading.read import read_page
from processing.engine.reading.readers import OpenFile
from processing.engine.reading.settings import ReadingSettings
from processing.engine.result import DocumentFacts
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.records.propose import ALL_PROPOSERS

SMALL = Path(os.environ.get("STRANGERS_DIR") or "none") / "small"
RIGHT = ("s03_codes_with_commas", "s05_price_tags", "s06_units_in_heads", "s08_selection_table")
# What is wrong on the others.
KNOWN = {
    "s01_code_beside_name": "no dictionary knows one of the colours, which all stand at the same place",
    "s02_dot_leaders": "of two columns of lines the right one is lost, with its headings as products, and the words and"
    " dots before a price are in it",
    "s04_numbered_headings": "a size in a sentence of several measures is none",
    "s07_names_in_lines": "a pack size is none (500ml x12)",
}
# Of the products: how many may be missed; of all others none.
MISSED = {"s02_dot_leaders": 14}
pytestmark = [
    pytest.mark.req("TA-T49"),
    pytest.mark.skipif(not SMALL.is_dir(), reason="STRANGERS_DIR names no folder of real catalogues"),
]


@cache
def measured(name: str) -> tuple[PageMeasure, ...]:
    truth, settings = read_truth((SMALL / f"{name}.truth.json").read_bytes(), name), ReadingSettings(ocr=False)
    pages: dict[int, ParsedPage] = {}
    found = {}
    with TemporaryDirectory() as folder, OpenFile(SMALL / f"{name}.pdf", settings.readers) as documents:
        for number in range(1, documents.first().page_count + 1):
            parsed = read_page(documents, number, settings, Path(folder))
            result = understand_page(
                parsed, tuple(pages.values()), DocumentFacts(), AnalystConfig(proposers=ALL_PROPOSERS)
            )
            pages[number], found[number] = parsed, UnderstoodPage(parsed, result)
    return measure_file(truth, found)


def wrong(name: str) -> list[str]:
    """What a person would have to mend."""
    told = []
    for page in measured(name):
        told += [f"page {page.page_number}: {text} is missed" for text in page.missed]
        told += [f"page {page.page_number}: {text} is none" for text in page.false]
        told += [f"page {page.page_number}: {slip}" for slip in page.slips]
    return told


def test_every_small_page_is_known_here() -> None:
    names = {path.name.removesuffix(".truth.json") for path in SMALL.glob("*.truth.json")}
    assert names == {*RIGHT, *KNOWN}


@pytest.mark.parametrize("name", RIGHT)
def test_a_page_that_is_right_stays_right(name: str) -> None:
    assert wrong(name) == []
    assert all(page.right and page.has_products for page in measured(name))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.xfail(reason=why, strict=False)) for name, why in KNOWN.items()]
)
def test_a_page_of_a_kind_that_is_not_read_whole_yet_is_right(name: str) -> None:
    assert wrong(name) == [] and all(page.right for page in measured(name))


@pytest.mark.parametrize("name", KNOWN)
def test_no_more_products_are_lost_and_none_is_made_up(name: str) -> None:
    counts = [page.counts for page in measured(name)]
    assert sum(count.missed for count in counts) <= MISSED.get(name, 0)
    assert sum(count.false + count.misnamed + count.hallucinated for count in counts) == 0
