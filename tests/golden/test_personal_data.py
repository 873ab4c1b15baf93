"""Personal data in real catalogues: what is found there is some, and looking costs next to nothing."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from catalogsku.core.personal_data import Kind
from processing.engine.page import ParsedPage
from processing.engine.personal_data import found_on, texts_of
from processing.engine.reading.read import read_page
from processing.engine.reading.readers import OpenFile
from processing.engine.reading.settings import ReadingSettings
from tests.support.promises import within

pytestmark = [pytest.mark.req("TA-PII"), pytest.mark.slow, pytest.mark.timeout(900)]
REAL = [Path(folder) for name in ("CORPUS_DIR", "STRANGERS_DIR") if (folder := os.environ.get(name))]
EVERY_FILE = 3


def real_pages(folder: Path) -> Iterator[tuple[str, ParsedPage]]:
    """The first, a middle and the last page of every third file, read without recognition."""
    settings = ReadingSettings(ocr=False)
    files = sorted(
        path for root in REAL for kind in ("catalog", "misc", "real") for path in (root / kind).glob("*.pdf")
    )
    for path in files[::EVERY_FILE]:
        with OpenFile(path, settings.readers) as documents:
            last = documents.first().page_count
            for number in sorted({1, (last + 1) // 2, last}):
                yield f"{path.name} {number}", read_page(documents, number, settings, folder)


@pytest.mark.skipif(not REAL, reason="neither CORPUS_DIR nor STRANGERS_DIR names a folder of real catalogues")
def test_no_code_of_a_real_catalogue_is_taken_for_a_person(tmp_path: Path) -> None:
    """A code, a price or a size stands alone in its cell; who can be called stands in a sentence with a label."""
    pages, found, taken, looked_s = 0, 0, [], 0.0
    for name, page in real_pages(tmp_path):
        pages += 1
        began_s = time.process_time()
        places = found_on(page)
        looked_s += time.process_time() - began_s
        found += len({one.value for one in places})
        text = texts_of(page)
        cells = {cell.text.strip() for table in page.tables for cell in table.cells}
        taken += [
            f"{name} {one.kind}"
            for one in places
            if not one.sure or (one.kind != Kind.MAIL and text[one.start : one.end] in cells)
        ]
    print(f"{found} on {pages} pages, {looked_s / pages * 1000:.2f} ms a page")
    assert pages >= 20 and taken == []
    assert looked_s / pages < within(0.005)
