"""Addresses that the plan of the API named: each leads to one that exists; golden sets, annotations, configuration."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.urls import resolve
from django.utils import timezone

from annotation.models import Annotation, AnnotatorProfile, HumanTask
from catalogsku.api import api
from catalogsku.profiles.models import ThresholdProfile
from processing.engine.quality.report import make_report
from processing.models import EvalReport, EvalRun
from processing.quality.services import runs
from tests.integration.test_evaluate import put, sample  # noqa: F401
from tests.support.people import People
from tests.support.program import V1, Program
from tests.support.rows import make_job, make_page, make_sku, make_worker

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-API")]

DOCS = Path(__file__).resolve().parents[2] / "docs" / "api.md"
ROW = re.compile(r"^\| `(\w+) (/\S+)` \| `(\w+) (/\S+)` \|", re.M)


def test_every_address_of_the_design_leads_to_one_that_exists() -> None:
    paths = api.get_openapi_schema()["paths"]
    rows = ROW.findall(DOCS.read_text())
    assert len(rows) == 46
    for method, _, ours, path in rows:
        assert method == ours, path
        plain = path in ("/metrics", "/health")
        assert resolve(V1 + path) if plain else ours.lower() in paths[V1 + path], path


# --- golden sets ------------------------------------------------------------------------------------------


@pytest.fixture
def golden(settings: Any, tmp_path: Path, sample: dict[str, Any]) -> Path:  # noqa: F811
    """A set of one file, of which one page is judged."""
    truth = {**sample, "pages": sample["pages"][:1], "skus": [s for s in sample["skus"] if s["page_number"] == 1]}
    settings.GOLDEN_DIRS = [str(put(tmp_path / "shop", truth)), str(tmp_path / "absent")]
    return tmp_path / "shop"


def ask(people: People, **given: str) -> Any:
    return Program(people.admin)("POST", "/ops/eval/run", {"golden": "shop", **given})


@pytest.mark.slow
@pytest.mark.req("TA-T49")
def test_a_golden_set_is_measured_for_a_program_by_a_worker(people: People, golden: Path) -> None:
    asked = ask(people, profile="default")
    run = asked.json()
    assert (asked.status_code, run["state"], run["profile"]) == (202, "waiting", "default v1")
    runs.do_run(EvalRun.objects.get().pk)
    done = Program(people.lead)("GET", f"/ops/eval/runs/{run['id']}").json()
    assert (done["state"], done["error"]) == ("done", None) and done["ended_at"]
    report = Program(people.lead)("GET", f"/ops/eval/reports/{done['report_id']}").json()
    assert report["golden"] == "shop" and report["total"]["counts"]["pages"] == 1
    runs.do_run(EvalRun.objects.get().pk)
    assert EvalReport.objects.count() == 1, "once"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"golden": "absent"}, "unknown_golden"),
        ({"golden": "/etc"}, "unknown_golden"),
        ({"profile": "none"}, "unknown_profile"),
    ],
)
def test_only_sets_and_profiles_that_are_there(people: People, golden: Path, given: Any, code: str) -> None:
    assert ask(people, **given).json()["code"] == code
    assert not EvalRun.objects.exists()


def test_a_set_that_cannot_be_read_ends_the_run_with_its_reason(people: People, golden: Path) -> None:
    (golden / "fasteners.truth.json").write_text("{}")
    run = ask(people).json()
    runs.do_run(EvalRun.objects.get().pk)
    done = Program(people.admin)("GET", f"/ops/eval/runs/{run['id']}").json()
    assert (done["state"], done["error"]["code"], done["report_id"]) == ("failed", "TruthError", None)


@pytest.mark.req("TA-D6")
def test_a_run_outlives_its_worker_and_not_three_of_them(
    people: People, golden: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[int] = []
    monkeypatch.setattr(runs.messages, "send", lambda name, pk: sent.append(pk))
    ask(people)
    run = EvalRun.objects.get()
    for losses in range(3):
        EvalRun.objects.update(dispatched_at=None)
        assert runs.send_waiting() == {"freed": int(losses > 0), "sent": 1}
        dead = make_worker("cpu", seen_at=timezone.now() - timedelta(minutes=5))
        assert runs.work.claim(EvalRun.objects.all(), runs.STAGE, dead)
    assert runs.send_waiting() == {"freed": 1, "sent": 0} and sent == [run.pk] * 3
    run.refresh_from_db()
    assert (run.state, run.last_error["code"]) == ("failed", "worker_lost")


def test_a_result_that_comes_too_late_is_dropped(people: People, golden: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its worker was taken for dead, and somebody else has the run."""

    def late(*given: Any) -> list[Any]:
        EvalRun.objects.update(claim_token=-1)
        return []

    monkeypatch.setattr(runs, "measure_all", late)
    monkeypatch.setattr(runs, "make_report", lambda *given: make_report([], [], timezone.now().isoformat(), {}))
    ask(people)
    runs.do_run(EvalRun.objects.get().pk)
    assert not EvalReport.objects.exists() and EvalRun.objects.get().state == "running"


def test_three_runs_wait_at_most(people: People, golden: Path) -> None:
    assert [ask(people).status_code for _ in range(4)] == [202, 202, 202, 409]


# --- annotations, configuration, people -------------------------------------------------------------------


def test_an_annotation_completes_its_task_and_says_what_it_changed(people: People) -> None:
    page = make_page(
        make_job(people.merchant), 1, "HUMAN_QUEUED", needs_review=True, page_type="B", layout_type="L3", sku_count=1
    )
    make_sku(page, 1, "PARTIAL", validity="partial", attributes={"model": "QX-1"})
    task = HumanTask.objects.create(job=page.job, page=page, type="PAGE_REVIEW")
    program = Program(people.annotator)
    token = program("POST", f"/tasks/{task.uuid}/lock", {}).json()["token"]
    detail = program("GET", f"/tasks/{task.uuid}").json()
    detail["state"]["skus"][0]["attributes"]["price"] = {"text": "¥ 12.50", "box": None, "confirmed": True}
    said = {"task_id": str(task.uuid), "token": token, "page_version": detail["page_version"], "state": detail["state"],
            "submit_id": "00000000-0000-4000-8000-000000000001"}  # fmt: skip
    first, again = (program("POST", "/annotations", said) for _ in range(2))
    assert first.status_code == 200 and first.json() == again.json()
    kept = Annotation.objects.get(field="price")
    found = next(one for one in first.json()["annotations"] if one["field"] == "price")
    assert (found["type"], found["sku_id"], found["after"]) == (kept.type, kept.sku_id, kept.after)
    task.refresh_from_db()
    assert task.status == "COMPLETED"
    assert Program(people.lead)("POST", "/annotations", {**said, "task_id": str(page.job.uuid)}).status_code == 404


@pytest.mark.req("TA-ADR11")
def test_what_is_in_force_is_told_and_needs_no_reload(people: People) -> None:
    admin = Program(people.admin)
    before = admin("POST", "/config/reload").json()
    assert before["profiles"]["default"] == 1 and before["prompts"] and before["schemas"]["general"]
    ThresholdProfile.get_active("default").add_version()
    assert admin("POST", "/config/reload").json() == {**before, "profiles": {**before["profiles"], "default": 2}}


@pytest.mark.req("TA-T79")
def test_the_figures_of_one_person(people: People) -> None:
    AnnotatorProfile.objects.create(user=people.annotator, tasks=7, duration_s=60, accuracy=0.9, judged=3)
    found = Program(people.lead)("GET", "/ops/annotators/annotator/stats").json()
    assert (found["tasks"], found["judged"], found["accuracy"]) == (7, 3, 0.9)
    assert Program(people.lead)("GET", "/ops/annotators/outsider/stats").status_code == 404
