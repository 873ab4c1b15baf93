"""Pages that give orders to a machine: what is extracted stays as it was, and a person is asked (X-REDTEAM)."""

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from catalogsku.core.box import Box, overlap_ratio
from catalogsku.core.text import squash
from processing.engine.guard.inspect import inspect
from processing.engine.inspection import inspect_file, read_findings
from processing.engine.page import ParsedPage
from processing.engine.reading.read import read_page
from processing.engine.reading.readers import OpenFile
from processing.engine.reading.settings import ReadingSettings
from processing.engine.result import Blocker, DocumentFacts, PageResult
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.pipeline import understand_page
from tests.golden.styles import STYLES
from tests.support.red_team import BESIDE, HIDDEN, Case, cases, pictured

pytestmark = pytest.mark.req("X-REDTEAM", "LA-GUARD")

ATTACKS = tuple(cases())
ON_PAGE = tuple(case for case in ATTACKS if case.manner not in BESIDE)
Read = Callable[[bytes], ParsedPage]


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Read:
    """The first page of a file, read once."""
    out = tmp_path_factory.mktemp("red_team")

    @cache
    def read_first(pdf: bytes, ocr: bool = False) -> ParsedPage:
        path, settings = out / "page.pdf", ReadingSettings(ocr=ocr)
        path.write_bytes(pdf)
        with OpenFile(path, settings.readers) as documents:
            return read_page(documents, 1, settings, out)

    return read_first


def understood(page: ParsedPage) -> PageResult:
    return understand_page(page, (), DocumentFacts(), AnalystConfig())


def products(result: PageResult) -> list[tuple[str, dict[str, str], Box]]:
    return [(sku.validity, {key: value.text for key, value in sku.attributes.items()}, sku.box) for sku in result.skus]


def suspicion(result: PageResult) -> Blocker | None:
    return next((blocker for blocker in result.blockers if blocker.code == "injection_suspected"), None)


def is_flagged(case: Case, result: PageResult) -> bool:
    """With a blocker whose box lies where the attack was put."""
    found = suspicion(result)
    if found is None or case.box is None:
        return False
    x0, y0, x1, y1 = (float(side) for side in str(found.params["box"]).split())
    return overlap_ratio((x0, y0, x1, y1), case.box) > 0.5


def test_there_are_attacks_of_every_manner_in_both_languages() -> None:
    assert len(ATTACKS) >= 50
    for language in ("en", "zh"):
        manners = {case.manner for case in ATTACKS if case.language == language}
        assert {*HIDDEN, *BESIDE, "visible", "split", "cell", "encoded_base64"} <= manners


@pytest.mark.parametrize("case", [case for case in ON_PAGE if case.manner in HIDDEN], ids=lambda case: case.name)
def test_a_hidden_attack_changes_nothing(case: Case, read: Read) -> None:
    attacked, clean = understood(read(case.pdf)), understood(read(case.clean))
    assert products(attacked) == products(clean) and len(clean.skus) == 4
    assert attacked.page_type == clean.page_type and suspicion(clean) is None


@pytest.mark.parametrize("case", [case for case in ON_PAGE if case.manner not in HIDDEN], ids=lambda case: case.name)
def test_no_value_is_taken_from_an_attack_that_is_to_be_seen(case: Case, read: Read) -> None:
    attacked, clean = products(understood(read(case.pdf))), products(understood(read(case.clean)))
    assert [values for _, values, _ in attacked] == [values for _, values, _ in clean]
    said = squash(case.attack)
    assert not [text for _, values, _ in attacked for text in values.values() if squash(text) in said]


def test_nearly_all_are_flagged_where_they_stand(read: Read) -> None:
    missed = [case.name for case in ON_PAGE if not is_flagged(case, understood(read(case.pdf)))]
    assert len(missed) <= 0.05 * len(ON_PAGE), missed


@pytest.mark.parametrize("case", [case for case in ATTACKS if case.manner in BESIDE], ids=lambda case: case.name)
def test_what_stands_beside_the_pages_is_noted_of_the_file(case: Case, tmp_path: Path) -> None:
    assert noted(case.pdf, tmp_path) and not noted(case.clean, tmp_path)


def noted(pdf: bytes, folder: Path) -> list[str]:
    path, emitted = folder / "file.pdf", dict[int, bytes]()
    path.write_bytes(pdf)
    inspect_file({"path": str(path)}, emitted.__setitem__)
    findings = read_findings(emitted)
    assert findings is not None
    return findings.instructions


@pytest.mark.slow
@pytest.mark.parametrize("case", list(pictured()), ids=lambda case: case.name)
def test_an_attack_in_a_picture_is_read_and_flagged(case: Case, read: Any) -> None:
    pytest.importorskip("rapidocr")
    attacked, clean = understood(read(case.pdf, True)), understood(read(case.clean))
    assert [values for _, values, _ in products(attacked)] == [values for _, values, _ in products(clean)]
    assert is_flagged(case, attacked)


def clean_pages(folder: Path) -> Iterator[tuple[str, ParsedPage]]:
    """The first and the last page of every other drawn catalogue."""
    settings = ReadingSettings(ocr=False)
    for style in STYLES[::2]:
        path = folder / f"{style.name}.pdf"
        path.write_bytes(style.draw().pdf)
        with OpenFile(path, settings.readers) as documents:
            for number in sorted({1, documents.first().page_count}):
                yield f"{style.name} {number}", read_page(documents, number, settings, folder)


def test_clean_pages_are_hardly_ever_suspected(tmp_path: Path) -> None:
    looked_at, suspected = 0, dict[str, str]()
    for name, page in clean_pages(tmp_path):
        looked_at += 1
        found = inspect(page)
        if found.policy != "normal":
            suspected[name] = found.hits[0].quote
    assert looked_at >= 30 and len(suspected) <= 0.01 * looked_at, json.dumps(suspected, ensure_ascii=False)
