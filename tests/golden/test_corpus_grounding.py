"""Nothing that is not on the page: every value of every real document stands where its evidence says."""

import os
from collections.abc import Iterator
from pathlib import Path

import pymupdf
import pytest

from catalogsku.core.box import Box, centre, contains_point
from catalogsku.core.text import squash
from processing.engine.page import ParsedPage
from processing.engine.quality.values import given_values
from processing.engine.reading.read import read_page
from processing.engine.reading.readers import OpenFile
from processing.engine.reading.settings import ReadingSettings
from processing.engine.result import DocumentFacts
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.pipeline import understand_page

CORPUS = os.environ.get("CORPUS_DIR")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.corpus,
    pytest.mark.skipif(not CORPUS, reason="CORPUS_DIR names no folder of real catalogues"),
]
# Of each file so many pages, evenly spread, each with the one before it (tables continue).
SAMPLED = 3
SLACK_PT = 2.0
FILES = sorted(Path(CORPUS).glob("[!h]*/*.pdf")) if CORPUS else []


def sample(pages: int) -> list[int]:
    return sorted({1 + round(n * (pages - 1) / (SAMPLED - 1)) for n in range(SAMPLED)})


def read_sample(path: Path, out: Path) -> Iterator[tuple[ParsedPage, list[ParsedPage]]]:
    """Pages whose text is their own, and the page before each."""
    settings = ReadingSettings(ocr=False)
    with OpenFile(path, settings.readers) as documents:
        read: dict[int, ParsedPage] = {}
        for number in sample(documents.first().page_count):
            for one in (number - 1, number):
                if one >= 1 and one not in read:
                    read[one] = read_page(documents, one, settings, out)
            yield read[number], [read[number - 1]] if number > 1 else []


def words_in(page: ParsedPage, box: Box) -> str:
    wide = (box[0] - SLACK_PT, box[1] - SLACK_PT, box[2] + SLACK_PT, box[3] + SLACK_PT)
    return squash("".join(w.text for line in page.lines for w in line.words if contains_point(wide, *centre(w.box))))


@pytest.mark.req("GR-EVID", "LX-QUOTE")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_value_stands_in_its_evidences_box_and_in_the_file(path: Path, tmp_path: Path) -> None:
    with pymupdf.open(path) as file:
        for page, earlier in read_sample(path, tmp_path):
            result = understand_page(page, earlier, DocumentFacts(), AnalystConfig())
            pages = {one.number: one for one in (page, *earlier)}
            printed = {number: squash(file[number - 1].get_text()) for number in pages}
            assert not {b.code for b in result.blockers} & {"value_not_found", "value_approximate", "stage_failed"}
            for sku in result.skus:
                for key, text, evidence in given_values(sku):
                    there = printed[evidence.page_number]
                    assert all(squash(part) in there for part in text.split()), (page.number, key, text)
                    inside = words_in(pages[evidence.page_number], evidence.bbox)
                    assert squash(text) in inside, (page.number, key, text, inside)
                    assert evidence.match == 1.0
