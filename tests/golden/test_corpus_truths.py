"""Real documents with hand-counted truths: what must be found on them, and what must not."""

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from processing.engine.page import ParsedPage
from processing.engine.reading.read import read_page
from processing.engine.reading.readers import OpenFile
from processing.engine.reading.settings import ReadingSettings
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.pipeline import understand_page

CORPUS = os.environ.get("CORPUS_DIR")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.corpus,
    pytest.mark.skipif(not CORPUS, reason="CORPUS_DIR names no folder of real catalogues"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("read")


@cache
def understood(name: str, out: Path, pages: tuple[int, ...] = ()) -> tuple[tuple[ParsedPage, PageResult], ...]:
    """Each page read without recognition (these have text) and understood with up to 10 earlier ones."""
    settings = ReadingSettings(ocr=False)
    found: list[tuple[ParsedPage, PageResult]] = []
    with OpenFile(Path(str(CORPUS)) / f"{name}.pdf", settings.readers) as documents:
        for number in pages or range(1, documents.first().page_count + 1):
            page = read_page(documents, number, settings, out)
            earlier = [one for one, _ in found[-10:]]
            found.append((page, understand_page(page, earlier, DocumentFacts(), AnalystConfig())))
    return tuple(found)


def counts(name: str, out: Path, pages: tuple[int, ...] = ()) -> list[int]:
    return [len(result.skus) for _, result in understood(name, out, pages)]


@pytest.mark.req("TA-AROUTE", "TA-BR17")
def test_every_row_of_a_quantity_list_and_not_its_total(folder: Path) -> None:
    assert counts("catalog/en_habitus_ffe_quantities", folder) == [39, 40, 21]
    skus = [sku for _, result in understood("catalog/en_habitus_ffe_quantities", folder) for sku in result.skus]
    models = {sku.attributes["model"].text for sku in skus if "model" in sku.attributes}
    assert {"DLX-101 .1", "3BS 207 -", "DLX-1010"} <= models and not any("TOTAL" in model for model in models)
    (codeless,) = [sku for sku in skus if "model" not in sku.attributes]
    assert codeless.attributes["product_name"].text == "Vanity Mirror at Main Bathroom"


@pytest.mark.req("TA-AROUTE", "GR-EVID")
def test_merged_cells_of_a_selection_table_are_filled_down(folder: Path) -> None:
    ((_, result),) = understood("catalog/zh_jieli_mcu_selection_table", folder)
    assert len(result.skus) == 54
    (sku,) = [sku for sku in result.skus if sku.attributes["model"].text == "AD142A0"]
    custom = {one.name: one.value for one in sku.custom}
    assert sku.attributes["series"].text.startswith("AD14N") and sku.attributes["series"].source == "filled_down"
    assert (custom["Max. CPU speed"], custom["RAM"], custom["封装"]) == ("160MHz", "32KB", "SOP16")


def test_a_price_card_is_one_product_and_undefined_no_value(folder: Path) -> None:
    ((_, result),) = understood("catalog/en_qianqianshow_price_card", folder)
    (sku,) = result.skus
    found = {key: value.text for key, value in sku.attributes.items()}
    assert (
        found.items()
        >= {
            "product_name": "round-cooler-uv",
            "model": "TV20-001",
            "price": "$5.6",
            "material": "ABS",
            "moq": "5000pcs",
        }.items()
    )
    assert "packing" not in found and "color" not in found
    assert not any("undefined" in text for text in (*found.values(), *(one.value for one in sku.custom)))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("zh_manual_105p_not_catalog", marks=pytest.mark.long),
        "zh_land_use_tables",
        "en_ledger_2p",
        "zh_quarterly_report_22p",
        "zh_magazine_bad_text_layer",
        "ko_report_4p",
        "en_amt_handbook_photos",
        "en_rotated_wide_table",
    ],
)
def test_documents_that_are_no_catalogues_have_no_products(name: str, folder: Path) -> None:
    assert sum(counts(f"misc/{name}", folder)) == 0


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("misc/en_upc_line_items", 4),
        ("misc/en_invoice_azure_interior", 4),
        ("catalog/zh_wch_ch213_ordering", 3),
        ("catalog/en_kjade_photo_grid", 78),
    ],
)
def test_counts_the_products_of_a_document(name: str, expected: int, folder: Path) -> None:
    assert sum(counts(name, folder)) == expected


def test_leading_zeros_survive(folder: Path) -> None:
    ((_, result),) = understood("misc/en_upc_line_items", folder)
    assert [one.value for one in result.skus[0].custom if one.name == "UPC code"] == ["0085648100305"]


def test_an_unruled_price_list_gives_its_products_with_sizes_and_prices(folder: Path) -> None:
    assert counts("catalog/en_bernhardt_workspace_pricelist", folder, (1, 2, 3, 4, 5, 6, 7)) == [0, 0, 0, 0, 5, 3, 5]
    result = understood("catalog/en_bernhardt_workspace_pricelist", folder, (1, 2, 3, 4, 5, 6, 7))[4][1]
    (sku,) = [sku for sku in result.skus if sku.identity == "D11005"]
    assert sku.attributes["product_name"].text == "Polk Office Chair"
    assert sku.normalized["price"]["value"] == "480" and "662997146262" in {one.value for one in sku.custom}  # type: ignore[index]


@pytest.mark.parametrize(
    "name",
    [
        "zh_jx2r01_printhead_spec",
        "zhen_svolt_battery_spec",
        pytest.param("en_huawei_psu_manual", marks=pytest.mark.long),
        pytest.param("en_jieli_ad242a_datasheet", marks=pytest.mark.long),
    ],
)
def test_a_specification_of_one_product_becomes_no_crowd(name: str, folder: Path) -> None:
    assert sum(counts(f"catalog/{name}", folder)) <= 2


@pytest.mark.req("GR-EVID", "X-GROUND", "GR-SUM")
@pytest.mark.parametrize(
    "name",
    [
        "catalog/en_habitus_ffe_quantities",
        "catalog/zh_jieli_mcu_selection_table",
        "catalog/en_qianqianshow_price_card",
        "catalog/en_kjade_photo_grid",
    ],
)
def test_every_value_stands_where_its_evidence_says(name: str, folder: Path) -> None:
    for page, result in understood(name, folder):
        for tally in result.tallies:
            assert tally.rows == tally.skus + tally.merged + sum(tally.ignored.values()) + tally.unresolved
        for text, box in _values(result):
            inside = "".join(w.text for line in page.lines for w in line.words if _touches(w.box, box))
            cells = "".join(cell.text for one in page.tables for cell in one.cells if _touches(cell.box, box))
            assert _bare(text) in _bare(inside) or _bare(text) in _bare(cells), text


def _values(result: PageResult) -> Iterator[tuple[str, tuple[float, float, float, float]]]:
    for sku in result.skus:
        yield from ((value.text, value.evidence.bbox) for value in sku.attributes.values())
        yield from ((custom.value, custom.evidence.bbox) for custom in sku.custom)


def _touches(inner: tuple[float, float, float, float], outer: tuple[float, float, float, float]) -> bool:
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] - 1 <= x <= outer[2] + 1 and outer[1] - 1 <= y <= outer[3] + 1


def _bare(text: str) -> str:
    return re.sub(r"\s+", "", text)
