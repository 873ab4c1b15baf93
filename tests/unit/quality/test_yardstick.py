"""Our sums over truths counted by eye beside those of the script that lies with them: made-up pages, and real ones."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from processing.engine.quality.measure import UnderstoodPage, measure_file
from processing.engine.quality.totals import figures_of
from processing.engine.quality.truth import Truth, read_truth
from processing.engine.reading.read import read_page
from processing.engine.reading.readers import OpenFile
from processing.engine.reading.settings import ReadingSettings
from processing.engine.result import DocumentFacts
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.pipeline import understand_page
from tests.unit.quality.made import page, sku

STRANGERS = Path(os.environ.get("STRANGERS_DIR") or "none")
YARDSTICK = STRANGERS.parent / "tools" / "strangers_score.py"
# Small ones with a text layer: names alone, and codes with prices.
REAL = ("tr_canber_vinc_fiyat", "ru_litprom_litje", "it_vittucci_dental_listino")
SUMS = re.compile(
    r"ALL F1 [\d.]+ \((\d+) right, (\d+) found, (\d+) true\).*to a person (\d+)/(\d+)"
    r".*values (\d+)/(\d+), pictured (\d+)/(\d+), unseen: (\d+) right of (\d+) out"
)
pytestmark = [
    pytest.mark.req("TA-T49"),
    pytest.mark.skipif(not YARDSTICK.is_file(), reason="STRANGERS_DIR names no folder with a yardstick beside it"),
]


def theirs(folder: Path, truth: bytes, pages: dict[int, UnderstoodPage]) -> list[int]:
    (folder / "truths").mkdir()
    (folder / "results").mkdir()
    (folder / "truths" / "a.truth.json").write_bytes(truth)
    (folder / "results" / "a.json").write_text(json.dumps(result_json(pages)))
    command = [sys.executable, str(YARDSTICK), str(folder / "truths"), str(folder / "results")]
    told = SUMS.search(subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout)
    assert told is not None
    return [int(sum_) for sum_ in told.groups()]


def result_json(pages: dict[int, UnderstoodPage]) -> dict[str, Any]:
    """As much of result.json as the script looks at."""
    states = [{"page_number": n, "status": "DONE", "needs_review": found.needs_person} for n, found in pages.items()]
    skus = [
        {
            "page_number": number,
            "attributes": {key: value.text for key, value in one.attributes.items()},
            "images": [binding.picture for binding in one.bindings],
        }
        for number, found in pages.items()
        if found.result
        for one in found.result.skus
    ]
    return {"pages": states, "skus": skus}


def ours(truth: Truth, pages: dict[int, UnderstoodPage]) -> list[int]:
    measured = measure_file(truth, pages)
    n, machine = figures_of(measured).counts, figures_of([one for one in measured if not one.counts.human_pages])
    return [
        n.matched, n.matched + n.false, n.matched + n.missed, n.human_pages, n.pages,
        n.right, n.asked, n.pictured, n.with_pictures, machine.counts.matched,
        machine.counts.matched + machine.counts.false,
    ]  # fmt: skip


def test_sums_of_made_up_pages_are_the_same(tmp_path: Path) -> None:
    products = {
        1: [
            {"model": "X-1", "name": "Ginger fizz 薑汁汽水", "price": "€ 1.299,00", "size": "36×50", "pictures": 1},
            {"model": "1150/L", "name": "Lid", "price": "5", "color": "oak"},
            {"model": "1150/L", "name": "Plunger", "price": "7", "price_alt": ["8"], "material": "elm"},
            {"name": "Wall hook, large", "price": "36 000", "pictures": 2},
            {"model": "POLO 12", "pictures": 0},
            {"name": "Never found"},
        ],
        2: [{"model": "Y1", "name": "Chair", "size": "10 cm"}],
        3: [],
    }
    truth = json.dumps({"file": "a.pdf", "pages": [{"page": n, "products": p} for n, p in products.items()]}).encode()
    found = {
        1: page(
            sku(model="x1", product_name="ginger fizz", price="1299", size="36×50×40", pictures=("P1",)),
            sku(model="1150/L", product_name="Plunger", price="8.00", material="ash"),
            sku(model="1150/L", product_name="Lid", price="5.00", color="Oak, oiled"),
            sku(product_name="Wall hook large", price="36000"),
            sku(product_name="Polo-12"),
            sku(product_name="10 pieces"),
        ),
        2: page(sku(model="Y2", product_name="Chair", size="10 cm"), number=2, blockers=("low_confidence",)),
        3: page(sku(model="Q"), number=3),
    }
    counted = ours(read_truth(truth, "a"), found)
    assert counted == theirs(tmp_path, truth, found)
    assert counted[:3] == [5, 8, 7] and counted[5:9] == [6, 7, 1, 2]


@pytest.mark.slow
@pytest.mark.parametrize("name", REAL)
def test_sums_of_real_files_are_the_same(name: str, tmp_path: Path) -> None:
    source, data = STRANGERS / "real" / f"{name}.pdf", (STRANGERS / "real" / f"{name}.truth.json").read_bytes()
    truth, settings = read_truth(data, name), ReadingSettings(ocr=False)
    found = {}
    with OpenFile(source, settings.readers) as documents:
        for number in [one.page_number for one in truth.pages]:
            parsed = read_page(documents, number, settings, tmp_path)
            found[number] = UnderstoodPage(parsed, understand_page(parsed, [], DocumentFacts(), AnalystConfig()))
    assert ours(truth, found) == theirs(tmp_path, data, found)
