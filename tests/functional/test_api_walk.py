"""What docs/api.md tells a program to type, typed: the shell, and the Python client, against the real product."""

import csv
import json
import re
import shutil
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import openpyxl
import pytest
from jsonschema import Draft202012Validator

from processing.exports import result_file
from processing.studies.result_file import SCHEMA_FILE as STUDY_SCHEMA_FILE
from tests.support.catalogues import tables_pdf
from tests.support.papers import paper_pdf
from tests.support.stack import Stack, stack

__all__ = ["stack"]
ROOT = Path(__file__).parents[2]
HEAD = ("Model", "Name", "Size", "Material", "Price", "MOQ")
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300), pytest.mark.req("TA-API")]


def catalogue(path: Path, series: str) -> Path:
    rows = [
        (f"{series}-{n:03d}", f"Oak chair {n}", f"{400 + n}x500x800", "Oak", f"{100 + n}.00", "20") for n in range(6)
    ]
    path.write_bytes(tables_pdf([[HEAD, *rows]]))
    return path


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl")
def test_the_walk_through_of_the_documentation(stack: Stack, tmp_path: Path) -> None:
    """Line by line as it stands there; only the address of the product is another."""
    lines = "".join(re.findall(r"```sh\n(.*?)```", (ROOT / "docs/api.md").read_text(), re.DOTALL))
    catalogue(tmp_path / "catalogue.pdf", "WALK")
    script = lines.replace("http://localhost:8000", stack.address.rstrip("/"))
    done = subprocess.run(
        ["sh", "-eu"], input=script, cwd=tmp_path, capture_output=True, text=True, timeout=200, check=True
    )
    events = re.findall(r"event: (\w+)\ndata: ", done.stdout)  # the answer before it ends without a line feed
    assert "page_completed" in events, done.stdout
    result = json.loads((tmp_path / "result.json").read_text())
    Draft202012Validator(json.loads(result_file.SCHEMA_FILE.read_text())).validate(result)
    assert {sku["attributes"]["model"] for sku in result["skus"]} == {f"WALK-{n:03d}" for n in range(6)}


def test_the_python_client_gives_a_file_and_prints_its_products(stack: Stack, tmp_path: Path) -> None:
    file = catalogue(tmp_path / "chairs.pdf", "PYTH")
    client = [sys.executable, "-I", str(ROOT / "examples/catalogsku_client.py"), stack.address]
    done = subprocess.run(
        [*client, "uploader", "demo-uploader", str(file)], capture_output=True, text=True, timeout=200, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("PYTH-") == 6
    again = subprocess.run(
        [*client, "uploader", "wrong", str(file)], capture_output=True, text=True, timeout=60, check=False
    )
    assert "wrong_credentials" in again.stderr


@pytest.fixture(scope="module")
def client_module() -> ModuleType:
    spec = spec_from_file_location("catalogsku_client", ROOT / "examples/catalogsku_client.py")
    assert spec and spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_python_client_gives_a_paper_and_prints_its_values_with_what_proves_them(
    stack: Stack, tmp_path: Path
) -> None:
    file = tmp_path / 'a "first" paper.pdf'
    file.write_bytes(paper_pdf(registration="NCT01111111"))
    client = [sys.executable, "-I", str(ROOT / "examples/catalogsku_client.py"), stack.address]
    done = subprocess.run(
        [*client, "uploader", "demo-uploader", str(file), "rct"],
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("partial_success: ")
    quote = "The trial is registered at ClinicalTrials.gov, NCT01111111."
    assert f"-\tregistration_number\tNCT01111111\tyellow, page 1: {quote}" in done.stdout
    assert "page_completed" in done.stderr and "machines_done" in done.stderr


def test_a_program_decides_on_a_study_approves_it_and_fetches_its_files(
    stack: Stack, tmp_path: Path, client_module: ModuleType
) -> None:
    file = tmp_path / "paper.pdf"
    file.write_bytes(paper_pdf(registration="NCT02222222"))
    client = client_module.CatalogSKU(stack.address, "uploader", "demo-uploader")
    job_id = client.give_study(file, "rct", key="walk-paper-1")
    assert client.give_study(file, "rct", key="walk-paper-1") == job_id
    with pytest.raises(client_module.Refused, match="key_taken"):
        client.give_study(file, "cohort", key="walk-paper-1")
    told = list(client.events(job_id))
    assert [data["page_no"] for name, data in told if name == "page_completed"] in ([1, 2], [2, 1])
    asked = [data["status"] for name, data in told if name == "human_needed"]
    assert (asked, told[-1][0]) == (["PARTIAL_IMPORTED"], "machines_done"), told
    assert client.wait(job_id)["user_status"] == "partial_success"
    main, *parts = client.records(job_id)
    assert {one["repeat"] for one in parts} == {"per_arm", "per_outcome"}

    decided = client.decide(job_id, main, "registration_number", "confirmed")
    with pytest.raises(client_module.Refused) as refused:
        client.decide(job_id, main, "registration_number", "not_reported")
    assert refused.value.code == "value_moved_on", "main was read before"
    quote = "The study was funded by a grant from the Council for Healthy Ageing of the three towns."
    said = {"text": "Council for Healthy Ageing", "quote": quote, "page": 1}
    decided = client.decide(job_id, decided, "funding_source", "corrected", **said)
    decided = client.decide(job_id, decided, "country", "not_reported")
    verdicts = {value["field"]: (value["verdict"], value["grade"]) for value in decided["values"]}
    assert verdicts["funding_source"] == ("corrected", "green") and verdicts["country"][0] == "not_reported"

    with pytest.raises(client_module.Refused) as refused:
        client.approve(job_id)
    assert refused.value.code in ("study_undecided", "required_missing")
    missing = {"study_id": "not_reported", "study_design": "not_reported", "condition": "not_reported"}
    for field, verdict in missing.items():
        decided = client.decide(job_id, decided, field, verdict)
    decided = client.decide(job_id, decided, "n_randomised_total", "confirmed")
    assert client.approve(job_id, drop_rest=True) >= 1
    stack.until(lambda: client.wait(job_id)["user_status"] == "completed", 30, "the document follows its records")
    assert [name for name, _ in client.events(job_id)][-1] == "job_completed"

    client.result(job_id, tmp_path / "result.json")
    Draft202012Validator(json.loads(STUDY_SCHEMA_FILE.read_text())).validate(
        json.loads((tmp_path / "result.json").read_text())
    )
    for kind in ("xlsx", "csv", "json"):
        client.export(job_id, kind, tmp_path / f"study.{kind}")
    rows = list(csv.DictReader((tmp_path / "study.csv").read_text(encoding="utf-8-sig").splitlines()))
    assert {row["verdict"] for row in rows if row["field"] == "funding_source"} == {"corrected"}
    assert openpyxl.load_workbook(tmp_path / "study.xlsx", read_only=True).sheetnames
    assert json.loads((tmp_path / "study.json").read_text())["schema_version"] == "study-table-1.0"
