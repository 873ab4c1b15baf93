"""Traces: kept for what people look into and a tenth of the rest; replayed, they give the stored result."""

import json
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from catalogsku.core import storage
from ingestion.models import Job, Page
from ingestion.services.jobs import rerun_pages
from processing.models import Sku, TraceBundle
from processing.pages.services import analyst, reading, tracing, understanding
from tests.support.catalogues import make_catalogue
from tests.support.people import People
from tests.support.program import Program
from tests.support.rows import make_job, make_worker

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-T30", "TA-REPLAY")]


@pytest.fixture
def sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = make_worker("cpu")
    for service in (reading, understanding):
        monkeypatch.setattr(service, "current_worker", lambda: worker)


def understood(people: People, tmp_path: Path) -> Page:
    """A page through reading and understanding."""
    source = tmp_path / "one.pdf"
    truth = make_catalogue(source, 4, 7)
    job = make_job(people.merchant, file_sha256="ab" * 32)
    storage.put_file(job.source_key, source)
    number = truth[0].page_number
    page = Page.objects.create(job=job, number=number, status="AI_QUEUED", stage="READ", prescan={"blank": False})
    reading.read_pages([page.pk])
    understanding.understand_pages([page.pk])
    return page


@pytest.fixture
def traced(sandbox: None, people: People, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Page:
    monkeypatch.setattr(tracing, "SAMPLED_OF", 1)
    return understood(people, tmp_path)


def replayed(*arguments: Any) -> tuple[dict[str, Any], int]:
    out, code = StringIO(), 0
    try:
        call_command("replay", *arguments, "--json", stdout=out)
    except SystemExit as end:
        code = int(end.code or 0)
    return json.loads(out.getvalue()), code


def test_a_replay_gives_the_stored_result_even_when_all_else_is_gone(traced: Page, tmp_path: Path) -> None:
    job = Job.objects.get(pk=traced.job_id)
    saved = tmp_path / "page.trace"
    told, code = replayed(str(job.uuid), traced.number, "--save", str(saved))
    assert (told["same"], code, told["ended"]) == (True, 0, "ok")
    stored = set(Sku.objects.filter(page=traced).values_list("attributes__model", flat=True))
    assert {sku["attributes"]["model"]["text"] for sku in told["found"]["skus"]} == stored
    assert len(stored) >= 4
    Job.objects.filter(pk=job.pk).delete()
    told, code = replayed(str(saved))
    assert (told["same"], code) == (True, 0)


@pytest.mark.req("TA-TRACEAPI", "X-MATRIX")
def test_a_program_reads_why_a_page_was_taken_for_what_it_is(traced: Page, people: People) -> None:
    address = f"/jobs/{traced.job.uuid}/traces/{traced.number}"
    told = Program(people.uploader)("GET", address).json()
    found, why = told["result"], told["classification_detail"]
    skus = Sku.objects.filter(page=traced)
    assert (why["reason"], found["page_type"]) == ("product_table", "A")
    assert why["features"].keys() >= {"product_tables", "product_rows", "pictures", "prices", "codes", "labels"}
    assert why["features"]["product_rows"] == skus.count() == len(found["skus"]) >= 4
    assert (why["scores"]["page_type"], why["thresholds"]["page_type"]) == (found["type_confidence"], 0.7)
    assert len(why["scores"]["tables"]) == why["features"]["product_tables"] >= 1
    assert min(why["scores"]["tables"]) >= why["thresholds"]["table"]
    assert (told["page_number"], told["kept_because"]) == (traced.number, "sample")
    seen = {name: Program(people.named(name))("GET", address).status_code for name in ROLES}
    assert seen == ROLES
    assert Program(people.uploader)("GET", f"/jobs/{traced.job.uuid}/traces/{traced.number + 1}").status_code == 404
    TraceBundle.objects.all().delete()
    gone = Program(people.uploader)("GET", address)
    assert (gone.status_code, gone.json()["code"]) == (404, "not_found"), "not kept of every page"


ROLES = {"colleague": 200, "annotator": 200, "lead": 200, "admin": 200, "other_uploader": 404, "anonymous": 401}


def test_a_replay_says_where_another_result_came_out(traced: Page, tmp_path: Path) -> None:
    bundle = tracing.bundle_of(traced)
    result = json.loads(bundle.result)
    result["skus"][0]["attributes"]["model"]["text"] = "A-1O0"
    result["page_type"] = "D"
    other = tmp_path / "other.trace"
    other.write_bytes(tracing.pack(msgspec.structs.replace(bundle, result=json.dumps(result).encode())))
    told, code = replayed(str(other))
    assert code == 1 and set(told["differences"]) == {"page_type", "skus[0].attributes"}


def test_what_people_look_into_is_always_kept_and_a_tenth_of_the_rest(people: People) -> None:
    from processing.engine.result import Blocker, Finding, PageResult

    job = make_job(people.merchant, file_sha256="cd" * 32)
    usual = (Finding("main_image_too_small", "info"),)
    plain = PageResult(1, "A", 0.9, "L3", 0.9, "tables", findings=usual)
    review = msgspec.structs.replace(plain, blockers=(Blocker("low_confidence"),))
    rule = msgspec.structs.replace(plain, findings=(Finding("price_format_invalid", "warning"),))
    numbers = range(1, 1001)
    assert {tracing.reason_to_keep(job, n, review) for n in numbers} == {"review"}
    assert {tracing.reason_to_keep(job, n, rule) for n in numbers} == {"rule"}
    chosen = [n for n in numbers if tracing.reason_to_keep(job, n, plain) == "sample"]
    assert 70 <= len(chosen) <= 130
    assert chosen == [n for n in numbers if tracing.reason_to_keep(job, n, plain)], "the same every time"


def test_a_page_that_ends_its_child_keeps_what_it_was_given(
    sandbox: None, people: People, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = analyst.understand

    def dies(numbers: Any, *given: Any, **more: Any) -> Any:
        return {}, msgspec.structs.replace(real(numbers, *given, **more)[1], reason="page_limit", culprit=numbers[0])

    monkeypatch.setattr(analyst, "understand", dies)
    page = understood(people, tmp_path)
    trace = TraceBundle.objects.get(page=page)
    bundle = tracing.bundle_of(page)
    assert (trace.reason, bundle.result, bundle.error and bundle.error["code"]) == (
        "failure",
        b"",
        "sandbox_page_limit",
    )
    monkeypatch.setattr(analyst, "understand", real)
    assert tracing.replay(bundle).now is not None, "it can be looked into"


def test_a_rerun_takes_the_place_of_the_earlier_trace(traced: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    before = TraceBundle.objects.get(page=traced)
    rerun_pages(traced.job, [traced.number], "uploader")
    Page.objects.filter(pk=traced.pk).update(stage="UNDERSTAND_RULES")
    monkeypatch.setattr(understanding.frozen, "analyst_config", _lenient)
    understanding.understand_pages([traced.pk])
    now = TraceBundle.objects.get(page=traced)
    assert now.pk == before.pk and now.storage_key != before.storage_key
    assert storage.has_file(now.storage_key)


def _lenient(job: Job) -> Any:
    from processing.engine.understanding.config import AnalystConfig

    return AnalystConfig(validity_mode="lenient")


def test_old_traces_go_with_their_files_samples_first(traced: Page) -> None:
    trace = TraceBundle.objects.get(page=traced)
    for reason, days, left in (("sample", 29, 1), ("review", 31, 1), ("review", 89, 1), ("sample", 31, 0)):
        TraceBundle.objects.update(reason=reason, created_at=timezone.now() - timedelta(days=days))
        tracing.clean_traces()
        assert TraceBundle.objects.count() == left, (reason, days)
        assert storage.has_file(trace.storage_key) == bool(left)


@pytest.mark.parametrize("content", [b"", b"nothing", b"x\x9c\x03\x00\x00\x00\x00\x01"])
def test_what_is_no_trace_is_a_sentence(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "no.trace"
    path.write_bytes(content)
    with pytest.raises(CommandError, match="not a trace"):
        call_command("replay", str(path))
