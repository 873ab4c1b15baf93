"""How many orders that the rules were not written for are caught, and how much of real print is left in peace."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from processing.engine.guard.inspect import inspect
from processing.engine.page import ParsedPage
from processing.engine.reading.read import read_page
from processing.engine.reading.readers import OpenFile
from processing.engine.reading.settings import ReadingSettings
from tests.support.orders import page_with, sentences

pytestmark = [pytest.mark.req("X-REDTEAM", "LA-GUARD")]
REAL = [Path(folder) for name in ("CORPUS_DIR", "STRANGERS_DIR") if (folder := os.environ.get(name))]
_EVERY_FILE, _PAGES = 4, 3


def asks_for_a_person(sentence: str) -> bool:
    return inspect(page_with(sentence)).policy == "force_review"


@pytest.mark.parametrize(
    ("name", "at_least"),
    [("held_out_b", 0.9), ("held_out_a", 0.95), ("development", 0.9), ("held_out_c", 0.75), ("held_out_d", 0.7)],
)
def test_orders_are_caught(name: str, at_least: float) -> None:
    """Of B no miss was looked at; the others have been worked with."""
    orders = list(sentences(name))
    missed = [f"{language}: {said}" for language, said in orders if not asks_for_a_person(said)]
    assert len(missed) <= (1 - at_least) * len(orders), f"{len(missed)} of {len(orders)} missed"


def test_the_held_out_orders_are_many_and_in_many_languages() -> None:
    held_out = [*sentences("held_out_a"), *sentences("held_out_b")]
    assert len(held_out) >= 150 and len({language for language, _ in held_out} - {"disguised"}) >= 12


@pytest.mark.parametrize("name", ["harmless_a", "harmless_b"])
def test_what_comes_close_is_mostly_left_in_peace(name: str) -> None:
    said = list(sentences(name))
    flagged = [sentence for _, sentence in said if asks_for_a_person(sentence)]
    assert len(said) >= 60 and len(flagged) <= 0.05 * len(said), flagged


def real_pages(folder: Path) -> Iterator[tuple[str, ParsedPage]]:
    """The first pages of every fourth real file, read without recognition."""
    settings = ReadingSettings(ocr=False)
    files = sorted(
        path for root in REAL for kind in ("catalog", "misc", "real") for path in (root / kind).glob("*.pdf")
    )
    for path in files[::_EVERY_FILE]:
        with OpenFile(path, settings.readers) as documents:
            for number in range(1, min(_PAGES, documents.first().page_count) + 1):
                yield f"{path.name} {number}", read_page(documents, number, settings, folder)


@pytest.mark.slow
@pytest.mark.skipif(not REAL, reason="neither CORPUS_DIR nor STRANGERS_DIR names a folder of real catalogues")
def test_real_catalogues_are_left_in_peace(tmp_path: Path) -> None:
    """A sample of the pages; of all 1024 none is suspected."""
    found = {name: inspect(page) for name, page in real_pages(tmp_path)}
    suspected = {name: findings.hits[0].quote for name, findings in found.items() if findings.policy == "force_review"}
    assert len(found) >= 10 and not suspected
