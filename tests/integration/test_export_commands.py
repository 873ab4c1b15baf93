"""`manage.py exports` and the benchmark of exports, small."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from processing.exports.models import ExportKind
from processing.exports.services import exporting
from processing.models import Export
from tests.bench.export import measure_export
from tests.support.people import People
from tests.support.rows import make_job, make_page, make_sku

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-JSON")]


def run(*arguments: str) -> Any:
    out = io.StringIO()
    call_command("exports", *arguments, "--json", stdout=out)
    return json.loads(out.getvalue())


def test_an_operator_makes_a_file_and_the_next_one_of_what_changed(people: People, tmp_path: Path) -> None:
    page = make_page(make_job(people.merchant))
    make_sku(page, 1, attributes={"model": "M-1"})
    exporting.save_layout(people.uploader, people.merchant, "ERP", ["model"], "keys")
    to = ["--merchant", people.merchant.name, "--layout", "ERP", "--out"]
    found = run("make", *to, str(tmp_path / "all.csv"))
    assert (found[0]["status"], found[0]["skus"]) == ("DONE", 1)
    assert list(csv.reader((tmp_path / "all.csv").read_text("utf-8-sig").splitlines())) == [["model"], ["M-1"]]
    make_sku(page, 2, attributes={"model": "M-2"})
    run("make", "--changes", *to, str(tmp_path / "changes.csv"))
    lines = (tmp_path / "changes.csv").read_text("utf-8-sig").splitlines()
    assert lines == ['"change","model"', '"added","M-2"']
    assert [one["status"] for one in run("list")] == ["DONE", "DONE"]
    assert run("list", "--status", "FAILED") == []
    assert run("layouts", people.merchant.name)[0]["name"] == "ERP"
    assert run("clean") == [{"files": 0, "forgotten": 0}]


@pytest.mark.parametrize(
    "wish", [["--merchant", "nobody"], ["--job", "none"], ["--merchant", "{own}", "--layout", "none"]]
)
def test_what_is_not_there_is_told(people: People, tmp_path: Path, wish: list[str]) -> None:
    with pytest.raises(CommandError):
        run("make", *(part.format(own=people.merchant.name) for part in wish), "--out", str(tmp_path / "x"))
    assert not Export.objects.exists()


def test_an_export_that_fails_is_a_failed_command(people: People, tmp_path: Path, monkeypatch: Any) -> None:
    make_sku(make_page(make_job(people.merchant)), 1)
    monkeypatch.setattr("processing.exports.workbook.ROWS_MAX", 1)
    with pytest.raises(CommandError, match="CSV"):
        run("make", "--merchant", people.merchant.name, "--kind", "xlsx", "--out", str(tmp_path / "x"))
    assert not (tmp_path / "x").exists()


def test_the_benchmark_measures_every_format(people: People) -> None:
    def here(arguments: list[str]) -> int:
        call_command("exports", *arguments, stdout=io.StringIO())
        return 100 << 20

    found = measure_export(30, here, turns=2)
    for kind in ExportKind.values:
        assert found[kind]["skus_per_s"] and found[kind]["file_mb"] >= 0  # in one transaction PostgreSQL's clock stands
        assert found[kind]["first_byte_p95_ms"] > 0
    assert Export.objects.get(kind="zip").skus == 30
    assert (found["growth_mb"], found["peak_of_one_sku_mb"]) == (0, 100)
