"""/metrics: one scrape for counters and facts, the list in docs/metrics.md, and who may read it."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from annotation.models import AuditPass
from catalogsku.core import facts, metrics
from catalogsku.core.models import PeriodicRun
from ingestion.lifecycle import JOB
from ingestion.models import Job
from ingestion.services import jobs
from tests.support.people import People
from tests.support.rows import make_job, make_page, make_pages, make_worker

pytestmark = pytest.mark.django_db
PROJECT = Path(__file__).resolve().parents[2]
ANSWERS = "django_http_responses_total_by_status_view_method_total"
LISTED = re.compile(r"^\| `((?:catalogsku|django)_\w+)` \| (counter|gauge|histogram) \| ([\w, ]*?) ?\|", re.M)


@pytest.fixture(autouse=True)
def read_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts, "_kept", facts._Kept())


def scrape(**headers: str) -> str:
    response = Client().get("/metrics", headers=headers)
    assert response.status_code == 200, response.content
    assert response["Content-Type"].startswith("text/plain; version=0.0.4")
    return response.content.decode()


def samples(text: str) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def figure(text: str, name: str, **labels: str) -> float:
    return samples(text)["catalogsku_" + name, frozenset(labels.items())]


def listed() -> dict[str, tuple[str, tuple[str, ...]]]:
    rows = LISTED.findall((PROJECT / "docs" / "metrics.md").read_text())
    return {name: (kind, tuple(filter(None, labels.split(", ")))) for name, kind, labels in rows}


@pytest.mark.req("TA-MET", "TA-METLIST")
def test_the_list_and_the_scrape_name_the_same_metrics() -> None:
    served = {
        (f"{family.name}_total" if family.type == "counter" else family.name): family.type
        for family in text_string_to_metric_families(scrape())
    }
    assert served == {name: kind for name, (kind, _) in listed().items()}


@pytest.mark.req("TA-METLIST")
def test_the_list_names_the_labels() -> None:
    declared = {fact.name: fact.labels for fact in facts.all_facts()}
    for name, (kind, labels) in listed().items():
        bare = name.removeprefix("catalogsku_")
        registry = metrics.REGISTRY if name.startswith("catalogsku_") else metrics.DJANGOS
        own = getattr(registry, "_names_to_collectors").get(name)  # noqa: B009
        known = own._labelnames if own is not None else declared.get(bare, ())
        assert set(known) == set(labels), (name, kind)


@pytest.mark.req("TA-MET")
def test_the_facts_are_those_of_the_database(people: People) -> None:
    running = make_job(people.merchant, "PROCESSING", created_at=timezone.now())
    make_pages(running, range(1, 4), stage="READ")
    make_page(running, 4, stage="UNDERSTAND_RULES")
    worker = make_worker("cpu", threads=3)
    make_page(running, 5, stage="READ", worker=worker.pk, claimed_at=timezone.now() - timedelta(minutes=3))
    make_pages(running, (6, 7), "DEAD_LETTER")
    make_job(people.other, "ORPHANED", held_reason="no_progress")
    make_job(people.other, "FULL_IMPORTED")
    make_worker("llm", seen_at=timezone.now() - timedelta(minutes=5))
    Job.objects.filter(pk=running.pk).update(created_at=timezone.now() - timedelta(hours=1))
    text = scrape()
    assert figure(text, "pages_waiting", stage="READ") == 3
    assert figure(text, "pages_waiting", stage="UNDERSTAND_RULES") == 1
    assert figure(text, "pages_in_hand", stage="READ") == 1
    assert figure(text, "pages_stopped") == 2
    assert figure(text, "documents_held") == 1
    assert figure(text, "documents", status="PROCESSING") == 1
    assert 170 < figure(text, "page_in_hand_oldest_seconds") < 200
    assert 3500 < figure(text, "document_with_machines_oldest_seconds") < 3700
    assert 3500 < figure(text, "work_waiting_oldest_seconds") < 3700
    assert (figure(text, "workers", unit="cpu"), figure(text, "workers", unit="llm")) == (1, 0)
    assert figure(text, "worker_threads", unit="cpu") == 3
    assert 0 < figure(text, "disk_usage_ratio", place="storage") < 1
    assert figure(text, "redis_up") == 1
    assert figure(text, "facts_readable") == 1


@pytest.mark.req("TA-CRON", "TA-MET", "PL-C8")
def test_the_last_runs_of_periodic_work_and_what_the_audit_found() -> None:
    now = timezone.now()
    old, new = now - timedelta(days=1), now - timedelta(minutes=5)
    for period, outcome, error in ((old, {"inv_11": 9}, "boom"), (new, {"inv_11": 2}, "")):
        PeriodicRun.objects.create(
            name="audit", period=period, started_at=period, finished_at=now, outcome=outcome, error=error
        )
    PeriodicRun.objects.create(name="clean_uploads", period=new, started_at=now - timedelta(hours=2))
    AuditPass.objects.create(name="inv_11", found=[3, 7])
    text = scrape()
    assert figure(text, "periodic_last_run_timestamp_seconds", task="audit") == pytest.approx(new.timestamp(), abs=1)
    assert figure(text, "periodic_failed", task="audit") == 0
    assert figure(text, "periodic_failed", task="clean_uploads") == 1, "it began two hours ago and has not ended"
    assert figure(text, "invariant_violations", invariant="inv_11") == 2
    assert figure(text, "invariant_violations", invariant="inv_03") == 0


def test_a_scrape_asks_once_for_each_fact_and_shares_it_for_two_seconds() -> None:
    with CaptureQueriesContext(connection) as first:
        scrape()
    assert 5 < len(first) <= len(facts.all_facts()) + 2
    with CaptureQueriesContext(connection) as second:
        scrape()
    assert len(second) == 0


@pytest.mark.req("TA-MET")
def test_without_a_database_the_counters_are_still_served(monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> facts.Figures:
        raise OperationalError("the server has gone")

    gone = tuple(facts.Fact(fact.name, fact.help, fact.labels, away) for fact in facts.all_facts())
    monkeypatch.setattr(facts, "all_facts", lambda: gone)
    text = scrape()
    assert figure(text, "facts_readable") == 0
    assert "django_http_responses_total_by_status_total{" in text
    assert not [name for name, _ in samples(text) if name == "catalogsku_pages_stopped"]


@pytest.mark.req("TA-MET")
def test_counts_requests_by_route_and_moves_after_their_commit(
    people: People, django_capture_on_commit_callbacks: Any
) -> None:
    def count(name: str, **labels: str) -> float:
        return samples(scrape()).get((name, frozenset(labels.items())), 0.0)

    client, job = Client(), make_job(people.merchant)
    client.force_login(people.uploader)
    asked = {"view": "job", "method": "GET", "status": "200"}
    cancelled = {"entity": JOB.entity, "target": "CANCELLED", "trigger": "cancelled"}
    before = count(ANSWERS, **asked), count("catalogsku_moves_total", **cancelled)
    client.get(f"/jobs/{job.uuid}/")
    with django_capture_on_commit_callbacks() as callbacks:
        jobs.cancel_job(job, "somebody")
    assert count("catalogsku_moves_total", **cancelled) == before[1], "counted before the commit"
    for callback in callbacks:
        callback()
    assert count(ANSWERS, **asked) == before[0] + 1
    assert count("catalogsku_moves_total", **cancelled) == before[1] + 1
    client.get("/no/such/place/")
    assert count(ANSWERS, view="none", method="GET", status="404") >= 1


def test_what_a_stranger_makes_up_is_no_label(client: Client) -> None:
    """Each series stays for good: a thousand addresses or methods of nobody's must not be a thousand series."""
    for number in range(3):
        client.get(f"/no/such/{number}/")
        client.generic(f"MADEUP{number}", "/login/")
    text = scrape()
    assert "/no/such/" not in text and "MADEUP" not in text
    views = {dict(labels)["view"] for name, labels in samples(text) if name == ANSWERS}
    assert views >= {"none", "login"}


def test_statements_are_counted(people: People) -> None:
    labels = frozenset({"alias": "default", "vendor": "postgresql"}.items())
    before = samples(scrape())["django_db_execute_total", labels]
    Job.objects.filter(merchant=people.merchant).count()
    assert samples(scrape())["django_db_execute_total", labels] > before


@pytest.mark.req("TA-MET")
def test_is_for_this_machine_alone_unless_there_is_a_token(settings: Any) -> None:
    assert Client().get("/metrics").status_code == 200
    assert Client(REMOTE_ADDR="::1").get("/metrics").status_code == 200
    assert Client(REMOTE_ADDR="192.0.2.7").get("/metrics").status_code == 403
    assert Client(REMOTE_ADDR="").get("/metrics").status_code == 403
    for name in ("X-Forwarded-For", "Forwarded", "X-Real-IP"):
        assert Client().get("/metrics", headers={name: "127.0.0.1"}).status_code == 403, name
    assert Client().post("/metrics").status_code == 405
    settings.METRICS_TOKEN = "a-token-of-some-length"
    for authorization in ("", "Bearer", "Bearer a-token", "Basic a-token-of-some-length"):
        refused = Client().get("/metrics", headers={"Authorization": authorization})
        assert (refused.status_code, refused["WWW-Authenticate"]) == (401, "Bearer")
        assert b"catalogsku_" not in refused.content
    far = Client(REMOTE_ADDR="192.0.2.7").get("/metrics", headers={"Authorization": "Bearer a-token-of-some-length"})
    assert far.status_code == 200


def test_a_full_disk_is_told_by_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts, "disk_ratios", lambda: {"storage": 0.97, "var": 0.5})
    assert figure(scrape(), "disk_usage_ratio", place="storage") == 0.97


def test_names_nobody_and_no_document(people: People) -> None:
    job = make_job(people.merchant, held_reason="internal_error")
    Job.objects.filter(pk=job.pk).update(source_name="Secret catalogue.pdf")
    text = scrape()
    assert "Secret" not in text and people.merchant.name not in text and people.uploader.username not in text
