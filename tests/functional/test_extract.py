"""`manage.py extract` on a running product: real documents with hand-counted truths, and the samples against theirs."""

import json
import os
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from catalogsku.accounts.services import OTHER_MERCHANT
from processing.exports.result_file import SCHEMA_FILE
from processing.studies.result_file import SCHEMA_FILE as STUDY_SCHEMA_FILE
from tests.support.matrix import gate_first
from tests.support.papers import paper_pdf
from tests.support.stack import PROJECT, Stack, stack

__all__ = ["stack"]
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

SAMPLES = PROJECT / "samples"
# Keys that hold what a page prints once for many products; the truth lists what each product's own place prints.
OF_THE_DOCUMENT = {"brand", "series", "currency", "unit", "description"}
# Statuses are what a person or program can use; a refused file is not among them.
USABLE = {"FULL_IMPORTED", "PARTIAL_IMPORTED", "DEGRADED_HUMAN"}


def squash(text: str | None) -> str:
    return re.sub(r"\s+", "", text or "")


@cache
def extracted(stack: Stack, file: Path) -> dict[str, Any]:
    """The result file of one document, valid by its published schema.

    Of another merchant than the one whose sample other tests correct: there it would be the sample's next edition, and
    what people had done to its unchanged pages would stand.
    """
    (summary,) = stack.submit(file, merchant=OTHER_MERCHANT, timeout_s=420)
    assert summary["status"] in USABLE, (summary, stack.last_words())
    result: dict[str, Any] = json.loads(Path(summary["result"]).read_text(encoding="utf-8"))
    jsonschema.validate(
        result, json.loads(SCHEMA_FILE.read_text()), format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
    )
    assert result["job"]["source_file"] == file.name and summary["skus"] == len(result["skus"])
    return result


def a_page(result: dict[str, Any]) -> dict[int, int]:
    return dict(Counter(sku["page_number"] for sku in result["skus"]))


@pytest.fixture(scope="module")
def catalogue(corpus: Path) -> Path:
    return corpus / "catalog"


@pytest.mark.long
@pytest.mark.corpus
@pytest.mark.req("TA-AROUTE", "TA-JSON")
def test_a_quantity_list_gives_every_item_and_not_its_total(stack: Stack, catalogue: Path) -> None:
    result = extracted(stack, catalogue / "en_habitus_ffe_quantities.pdf")
    assert a_page(result) == {1: 39, 2: 40, 3: 21}
    models = {sku["attributes"]["model"] for sku in result["skus"]}
    assert {"DLX-101 .1", "3BS 207 -", "DLX-1010"} <= models
    words = [text or "" for sku in result["skus"] for text in sku["attributes"].values()]
    assert not any("TOTAL" in text.upper() for text in words)


@pytest.mark.long
@pytest.mark.corpus
@pytest.mark.req("TA-AROUTE", "GR-EVID")
def test_merged_cells_of_a_selection_table_reach_every_row(stack: Stack, catalogue: Path) -> None:
    result = extracted(stack, catalogue / "zh_jieli_mcu_selection_table.pdf")
    assert a_page(result) == {1: 54}
    (sku,) = [sku for sku in result["skus"] if sku["attributes"]["model"] == "AD142A0"]
    custom = {one["name"]: one["value"] for one in sku["custom_attributes"]}
    assert sku["attributes"]["series"].startswith("AD14N") and sku["attribute_source"]["series"] == "filled_down"
    assert (custom["Max. CPU speed"], custom["RAM"], custom["封装"]) == ("160MHz", "32KB", "SOP16")
    assert all(sku["attributes"]["series"] for sku in result["skus"])


@pytest.mark.corpus
def test_a_price_card_is_one_product_without_undefined(stack: Stack, catalogue: Path) -> None:
    (sku,) = extracted(stack, catalogue / "en_qianqianshow_price_card.pdf")["skus"]
    assert (sku["attributes"]["model"], sku["attributes"]["price"]) == ("TV20-001", "$5.6")
    assert "undefined" not in json.dumps([sku["attributes"], sku["custom_attributes"]])


@pytest.mark.corpus
def test_what_is_no_catalogue_gives_no_sku(stack: Stack, corpus: Path) -> None:
    """The manual of 105 pages goes through the engine alone: tests/golden/test_corpus_truths.py."""
    result = extracted(stack, corpus / "misc" / "zh_land_use_tables.pdf")
    assert result["skus"] == []
    assert {page["status"] for page in result["pages"]} & {"PENDING", "AI_QUEUED", "AI_FAILED", "DEAD_LETTER"} == set()


def truth_of(name: str) -> list[dict[str, Any]]:
    skus: list[dict[str, Any]] = json.loads((SAMPLES / f"{name}.truth.json").read_text(encoding="utf-8"))["skus"]
    return skus


def by_model(result: dict[str, Any]) -> dict[tuple[int, str], dict[str, Any]]:
    return {(sku["page_number"], squash(sku["attributes"]["model"])): sku for sku in result["skus"]}


@pytest.mark.req("TA-JSON", "GR-EVID")
@pytest.mark.parametrize("name", gate_first("fasteners", "home-living"))
def test_a_sample_gives_its_products_as_printed(stack: Stack, name: str) -> None:
    result, truth = extracted(stack, SAMPLES / f"{name}.pdf"), truth_of(name)
    found = by_model(result)
    assert len(found) == len(result["skus"])
    assert set(found) == {(sku["page_number"], squash(sku["attributes"]["model"])) for sku in truth}
    wrong = []
    for sku in truth:
        got = found[sku["page_number"], squash(sku["attributes"]["model"])]
        printed = {key: squash(value) for key, value in sku["attributes"].items()}
        said = {k: squash(v) for k, v in got["attributes"].items() if v and (k in printed or k not in OF_THE_DOCUMENT)}
        custom = {squash(one["name"]): squash(one["value"]) for one in got["custom_attributes"]}
        lost = [one for one in sku["custom_attributes"] if custom.get(squash(one["name"])) != squash(one["value"])]
        price = sku["normalized"].get("price", {})
        if said != printed or lost or not price.items() <= got["normalized"].get("price", {}).items():
            wrong.append((sku["attributes"]["model"], printed, said, lost, price, got["normalized"].get("price")))
        assert set(got["evidence"]) >= set(sku["attributes"]), "a value without its place on the page"
    assert wrong == []


@pytest.mark.req("TA-JSON")
def test_pictures_of_a_sample_are_bound_to_their_products(stack: Stack) -> None:
    result = extracted(stack, SAMPLES / "home-living.pdf")
    found, images = by_model(result), {image["image_id"]: image for image in result["images"]}
    checked = 0
    for sku in truth_of("home-living"):
        bound = found[sku["page_number"], squash(sku["attributes"]["model"])]["images"]
        if sku["picture_bbox"] is None:
            assert bound == [], sku["attributes"]["model"]
            continue
        main = images[bound[0]["image_id"]]
        x0, y0, x1, y1 = main["bbox"]
        left, top, right, bottom = sku["picture_bbox"]
        assert x0 <= (left + right) / 2 <= x1 and y0 <= (top + bottom) / 2 <= y1, sku["attributes"]["model"]
        assert (stack.var / "storage" / main["path"]).stat().st_size > 0 and main["page_number"] == sku["page_number"]
        checked += 1
    assert checked


@pytest.mark.req("LX-SYS", "TA-JSON")
def test_a_paper_is_read_by_a_template_or_it_is_said_that_there_is_none(stack: Stack, tmp_path: Path) -> None:
    paper, out = tmp_path / "falls.pdf", tmp_path / "falls.json"
    paper.write_bytes(paper_pdf(randomised=93))
    done = stack.manage("extract", "--template", "rct", "--output", str(out), str(paper))
    assert done.returncode == 0, done.stderr
    assert re.search(r"\d+ values in 6 records, template rct/1", done.stdout) and "NCT01234567" in done.stdout
    assert "Does not hold (arms_sum_to_total): " in done.stdout, "45 and 47 are not 93"
    told = json.loads(out.read_text(encoding="utf-8"))
    jsonschema.validate(told, json.loads(STUDY_SCHEMA_FILE.read_text()))
    assert [(one["repeat"], one["part"]) for one in told["records"]][:3] == [
        ("none", ""),
        ("per_arm", "Exercise group"),
        ("per_arm", "Control group"),
    ]
    refused = stack.manage("extract", "--template", "nothing", str(paper))
    assert refused.returncode != 0 and "There is no template “nothing”. There are: " in refused.stderr


def test_a_missing_file_is_named_and_fails(stack: Stack) -> None:
    done = stack.manage("extract", os.devnull + "/no.pdf")
    assert done.returncode != 0 and "no.pdf" in done.stderr


@pytest.mark.req("LX-SYS")
def test_the_demo_prints_the_products_of_a_sample_and_then_the_values_of_a_paper(stack: Stack) -> None:
    done = stack.manage("demo")
    assert done.returncode == 0, done.stderr
    products, _, study = done.stdout.partition("\ntrial-lemon-balm.pdf: ")
    assert "fasteners.pdf: " in products and products.count("HG-") >= 58
    assert re.search(r"\d+ values in \d+ records, template rct/1", study)
    values = [re.split(r" {2,}", line.strip()) for line in study.splitlines()]
    for row in (
        ["1", "-", "n_randomised_total", "240", "yellow"],
        ["2", "Placebo", "n_randomised", "120", "yellow"],
        ["3", "Sleep-quality score, mea", "mean_treatment", "7.9", "yellow"],
    ):
        assert row in values
    assert study.rstrip().endswith("trial-lemon-balm.result.json")
