"""`manage.py evaluate --kind study` on a drawn paper: as `extract` reads it, with models and without; kept results."""

import hashlib
import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from catalogsku.core import messages
from ingestion.models import Job
from ingestion.services import settle
from processing.management.commands import extract
from processing.pages.services import taking_turns
from processing.studies.services import asking, extracting
from tests.support.model_server import ModelServer
from tests.support.paper_model import PaperModel
from tests.support.papers import paper_pdf
from tests.support.people import People
from tests.support.stages import as_worker

pytestmark = [pytest.mark.req("TA-T49", "LX-QUOTE", "LX-EXACT"), pytest.mark.timeout(300)]

ROW = "Weight, kg 71.2 ± 9.4 74.0 ± 8.8"
Truth = dict[str, Any]


def value(text: str, quote: str, page: int) -> dict[str, Any]:
    return {"value": text, "quote": quote, "page": page}


RECORDS: list[dict[str, Any]] = [
    {"repeat": "none", "fields": {
        "registration_number": value("NCT01234567", "registered at ClinicalTrials.gov, NCT01234567.", 1),
        "n_randomised_total": value("92", "In all, 92 adults were randomly assigned", 1),
        "study_design": value("parallel", "two-arm, randomised controlled trial", 1),
        "country": None}},
    {"repeat": "per_arm", "part": "Exercise", "also": ["Exercise group"], "fields": {
        "n_randomised": value("45", "Exercise group (n = 45)", 2)}},
    {"repeat": "per_outcome", "part": "Weight, kg", "fields": {
        "mean_treatment": value("71.2", ROW, 2), "sd_control": value("8.8", ROW, 2)}},
]  # fmt: skip


@pytest.fixture(autouse=True)
def _machines(people: People, committed: None, monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> None:
    """The command's workers, in the test's own process: a turn of each unit whenever it looks."""
    from processing.llm import calls

    settings.MEDIA_ROOT = str(tmp_path / "media")
    settings.VAR_DIR = tmp_path / "var"
    as_worker(monkeypatch, extracting, asking, calls)
    monkeypatch.setattr(messages, "send_unless_waiting", lambda actor: True)
    monkeypatch.setattr("processing.llm.sending.API_DELAY_S", 0.01)
    monkeypatch.setattr(extract, "TICK_S", 0)

    def tick() -> None:
        if not any(taking_turns.take_turn(unit) for unit in ("cpu", "llm")):
            for job in Job.objects.filter(merchant=people.merchant):
                settle.settle_job(job.pk)

    @contextmanager
    def supervised(self: object) -> Iterator[Callable[[], None]]:
        yield tick

    monkeypatch.setattr(extract.Command, "_supervised", supervised)
    monkeypatch.setattr(extract.Command, "_merchant", lambda self, name: people.merchant)


def put(folder: Path, *, with_pdf: bool = True, name: str = "falls", **changes: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    paper = paper_pdf()
    truth = {
        "schema_version": "study-1.0", "kind": "study", "template": "rct/1", "maker": "drawn", "records": RECORDS,
        "file": {"name": "falls.pdf", "sha256": hashlib.sha256(paper).hexdigest(), "source": "https://example.org/"},
        **changes,
    }  # fmt: skip
    (folder / f"{name}.truth.json").write_text(json.dumps(truth), encoding="utf-8")
    if with_pdf:
        (folder / "falls.pdf").write_bytes(paper)
    return folder


def run(*arguments: Any) -> tuple[str, str, int]:
    """What the command prints, what it complains of, and its exit code."""
    said, complained = io.StringIO(), io.StringIO()
    try:
        call_command("evaluate", "--kind", "study", *map(str, arguments), stdout=said, stderr=complained)
    except CommandError as error:
        return said.getvalue(), complained.getvalue() + str(error), error.returncode
    return said.getvalue(), complained.getvalue(), 0


def test_without_a_key_what_rules_offer_is_measured_and_said_the_same_again(tmp_path: Path) -> None:
    folder, kept = put(tmp_path / "set"), tmp_path / "kept" / "report.json"
    printed, complained, code = run("--golden", folder, "--gate", "--json", "--output", kept)
    assert (code, complained) == (0, "")
    report = json.loads(printed)
    assert report == json.loads(kept.read_text()) and report["total"]["counts"]["wanted"] == 6
    assert {name: scores["figures"].get("coverage") for name, scores in report["by_field"].items()} == {
        "registration_number": 1, "n_randomised_total": 1, "study_design": 0, "country": None,
        "n_randomised": 1, "mean_treatment": 1, "sd_control": 1,
    }  # fmt: skip
    assert report["total"]["figures"]["right_green"] == 0, "rules offer"
    assert report["total"]["figures"]["quotes_green"] == 1 and report["total"]["figures"]["decoys_green"] == 0
    assert report["total"]["counts"]["decoys"] > 10
    (paper,) = report["papers"]
    assert paper["status"] == "PARTIAL_IMPORTED" and list(paper["methods"]) == ["rules-1"]
    again = tmp_path / "again.json"
    table, _, _ = run("--golden", folder, "--output", again)
    assert again.read_bytes() == kept.read_bytes()
    assert "set/falls" in table and "= outcomes" in table and "passed          decoys_green" in table
    assert "Values by who found them: rules-1" in table
    compared, _, code = run("--compare", kept, again)
    assert code == 0 and "better" not in compared and "same            coverage" in compared


def test_with_models_what_comes_of_asking_is_measured_and_a_kept_result_is_judged_again(
    reading_models: ModelServer, tmp_path: Path
) -> None:
    reading_models.answer = PaperModel()
    folder = put(tmp_path / "set")
    first, _, code = run("--golden", folder, "--json", "--gate")
    assert code == 0
    report = json.loads(first)
    assert report["by_field"]["n_randomised_total"]["figures"]["right_green"] == 1
    assert report["by_field"]["study_design"]["figures"]["coverage"] == 1
    assert report["total"]["figures"]["false_green"] == 0
    (paper,) = report["papers"]
    assert "qwen3.7-plus" in paper["methods"] and paper["cost_micro"] > 0
    read = Job.objects.count()
    results = tmp_path / "var" / "results"
    wrong = json.loads(json.dumps(RECORDS))
    wrong[0]["fields"]["n_randomised_total"]["value"] = "93"
    put(folder, records=wrong)
    again, _, code = run("--golden", folder, "--results", results, "--json", "--gate")
    assert code == 1 and Job.objects.count() == read, "nothing is read"
    figures = json.loads(again)["total"]["figures"]
    assert figures["false_green"] > 0 and "decoys_green" not in figures
    lines, _, _ = run("--golden", folder, "--results", results)
    assert "green   set/falls n_randomised_total: '92' instead of '93'" in lines
    put(folder, name="other", file={"name": "other.pdf", "sha256": "0" * 64})
    _, complained, _ = run("--golden", folder, "--results", results)
    assert f"SKIPPED set/other: no result of it is in {results}" in complained
    (results / "no.result.json").write_text("{}")
    assert run("--golden", folder, "--results", results)[2] == 2


def test_a_paper_that_is_not_there_or_is_another_one_is_said_and_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CORPUS_DIR", raising=False)
    folder = put(tmp_path / "set", with_pdf=False)
    printed, complained, code = run("--golden", folder, "--gate")
    assert code == 1 and "failed          values" in printed
    assert "SKIPPED set/falls: falls.pdf is not beside its truth; no folder of papers is named" in complained
    assert "it is at https://example.org/" in complained and "NOT JUDGED set/falls" in printed
    other = tmp_path / "corpus"
    other.mkdir()
    (other / "falls.pdf").write_bytes(paper_pdf(randomised=93))
    _, complained, _ = run("--golden", folder, "--corpus", other)
    assert "falls.pdf is another file: its SHA-256 is not that of the truth" in complained
    assert not Job.objects.exists()


def test_what_is_of_catalogues_and_what_is_no_truth_is_refused(tmp_path: Path) -> None:
    folder = put(tmp_path / "set")
    named = ("category", "keep", "prompt", "weights", "profile", "record", "replay")
    for option in (
        ["--store"],
        ["--leave-one-maker-out"],
        ["--routing", "table"],
        *([f"--{one}", "x"] for one in named),
    ):
        _, told, code = run("--golden", folder, *option)
        assert code == 2 and told == f"{option[0]} is of catalogues: --kind study goes without."
    wrong = json.loads(json.dumps(RECORDS))
    wrong[0]["fields"]["city"] = None
    put(folder, records=wrong)
    _, told, code = run("--golden", folder)
    assert code == 2 and told == f"{folder}/falls.truth.json: rct/1 asks no such field - at `$.records[0].fields.city`"
    put(folder, kind="catalogue")
    _, told, code = run("--golden", folder)
    assert code == 2 and f"{folder}/falls.truth.json: " in told and "$.kind" in told
    _, told, code = run("--golden", tmp_path / "var")
    assert code == 2 and "There is no truth file" in told
    (tmp_path / "a.json").write_text("{}")
    _, told, code = run("--compare", tmp_path / "a.json", tmp_path / "a.json")
    assert code == 2 and "no report of studies" in told
    assert run("--compare", tmp_path / "a.json", tmp_path / "a.json", "--gate")[1] == "--gate goes with --golden."
    with pytest.raises(CommandError, match="--results goes with --kind study"):
        call_command("evaluate", "--golden", str(folder), "--results", str(tmp_path))
