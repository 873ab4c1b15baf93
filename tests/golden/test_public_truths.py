"""The truths of public catalogues: of the agreed shape, each from a named source."""

import hashlib
import json
import os
import re
from functools import cache
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from processing.engine.quality.truth import read_truth
from tests.golden.public_catalogues import main

FOLDER = Path(__file__).parent / "public"
NAMES = sorted(path.name.removesuffix(".truth.json") for path in FOLDER.glob("*.truth.json"))
every_file = pytest.mark.parametrize("name", NAMES)

KEYS = {
    "file": {"file", "maker", "source", "sha256", "traits", "pages"},
    "page": {"page", "products"},
    "product": {"model", "name", "price", "price_alt", "size", "material", "color", "pictures"},
}


@cache
def _raw(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.truth.json").read_bytes())
    return found


@every_file
def test_a_truth_has_the_agreed_keys_and_a_source(name: str) -> None:
    raw = _raw(name)
    assert raw.keys() == KEYS["file"] and raw["file"] == f"{name}.pdf"
    assert re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40}:.+\.pdf", raw["source"], re.IGNORECASE)
    assert re.fullmatch(r"[0-9a-f]{64}", raw["sha256"])
    numbers = [page["page"] for page in raw["pages"]]
    assert numbers and len(set(numbers)) == len(numbers)
    for page in raw["pages"]:
        assert page.keys() == KEYS["page"]
        for product in page["products"]:
            assert product.keys() <= KEYS["product"]
            assert product.get("model") or product.get("name")


@every_file
def test_a_truth_is_read_as_counted(name: str) -> None:
    raw = _raw(name)
    truth = read_truth((FOLDER / f"{name}.truth.json").read_bytes(), name)
    assert truth.counted and truth.job.maker == raw["maker"]
    for page in raw["pages"]:
        assert len(truth.skus_of(page["page"])) == len(page["products"])


def test_makers_are_many() -> None:
    assert len({_raw(name)["maker"] for name in NAMES}) >= 0.9 * len(NAMES)


@every_file
def test_its_pdf_is_the_one_that_was_counted(name: str) -> None:
    path = Path(os.environ.get("PUBLIC_CATALOGUES_DIR", "")) / f"{name}.pdf"
    if not os.environ.get("PUBLIC_CATALOGUES_DIR") or not path.is_file():
        pytest.skip("PUBLIC_CATALOGUES_DIR holds no such file")
    assert hashlib.sha256(path.read_bytes()).hexdigest() == _raw(name)["sha256"]
    with pymupdf.open(path) as document:
        assert max(page["page"] for page in _raw(name)["pages"]) <= len(document)


def test_what_no_clone_holds_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["public_catalogues", str(tmp_path / "clones"), str(tmp_path / "out")])
    assert main() == 1
    assert capsys.readouterr().err.count("not in") == len(NAMES)
    assert list((tmp_path / "out").iterdir()) == []
