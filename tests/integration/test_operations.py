"""The operations page: what waits for an operator, with its reason, for those who may; and its buttons (TA-D2)."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from catalogsku.core.models import PeriodicRun, Transition, Worker
from ingestion.models import Job, Page
from tests.support.people import People
from tests.support.rows import make_job, make_page, make_pages, make_worker

pytestmark = pytest.mark.django_db
OPS, RETRY, REQUEUE = "/ops/", "/ops/pages/retry/", "/ops/documents/requeue/"


@pytest.fixture
def client_of(people: People) -> Any:
    def make(name: str) -> Client:
        client = Client()
        if (user := people.named(name)) is not None:
            client.force_login(user)
        return client

    return make


@pytest.fixture
def trouble(people: People) -> tuple[Job, Job]:
    """A document of each merchant with stopped pages, the second one held."""
    mine, theirs = make_job(people.merchant), make_job(people.other, "ORPHANED", held_reason="no_progress")
    Job.objects.filter(pk=mine.pk).update(source_name="Mine.pdf")
    Job.objects.filter(pk=theirs.pk).update(source_name="Theirs.pdf")
    error = {"code": "sandbox_memory_limit", "params": {}, "detail": "words of the document"}
    make_pages(mine, (1, 2), "DEAD_LETTER", failures=5, last_error=error, finished_at=timezone.now())
    make_page(mine, 3, "DEAD_LETTER", failures=5, last_error={"code": "internal_error", "params": {}})
    make_page(mine, 4, "AI_COMPLETED", import_state="confirmed")
    make_page(theirs, 1, "DEAD_LETTER", losses=10, last_error={"code": "worker_lost", "params": {"losses": 10}})
    return mine, theirs


@pytest.mark.req("TA-D2", "X-MATRIX")
def test_leads_see_their_merchants_admins_all_and_others_nothing(client_of: Any, trouble: Any) -> None:
    lead, admin = (client_of(name).get(OPS).content.decode() for name in ("lead", "admin"))
    assert "Mine.pdf" in lead and "Theirs.pdf" not in lead
    assert "Mine.pdf" in admin and "Theirs.pdf" in admin
    for name in ("uploader", "annotator", "outsider"):
        answer = client_of(name).get(OPS)
        assert answer.status_code == 403
        assert "Mine.pdf" not in answer.content.decode()
    assert client_of("anonymous").get(OPS)["Location"].startswith(reverse("login"))
    for address in (RETRY, REQUEUE):
        assert client_of("uploader").post(address, {"all": "1"}).status_code == 403
        assert client_of("lead").get(address).status_code == 405
    assert not Page.objects.filter(status="AI_QUEUED").exists()


@pytest.mark.req("TA-D2")
def test_shows_the_last_error_as_a_sentence_in_both_languages(client_of: Any, trouble: Any) -> None:
    client = client_of("admin")
    client.cookies["django_language"] = "en"
    english = client.get(OPS).content.decode()
    assert "Reading needed more memory than allowed" in english and "sandbox_memory_limit" in english
    assert "The page ended its worker 10 times" in english
    assert "words of the document" not in english
    client.cookies["django_language"] = "zh-hans"
    assert "读取所需内存超限" in client.get(OPS).content.decode()


def test_shows_who_works_what_waits_and_what_ran(client_of: Any, people: People) -> None:
    job = make_job(people.merchant, stage="NONE")
    make_pages(job, range(1, 6), stage="READ")
    worker = make_worker("cpu")
    make_page(job, 6, stage="READ", worker=worker.pk, claimed_at=timezone.now())
    make_page(job, 7, "AI_COMPLETED", import_state="pending")
    make_worker("llm", seen_at=timezone.now() - timedelta(seconds=95))
    PeriodicRun.objects.create(name="audit", period=timezone.now(), finished_at=timezone.now(), error="boom")
    context = client_of("admin").get(OPS).context
    figures = {queue.key: (queue.waiting, queue.in_hand) for queue in context["queues"]}
    assert (figures["READ"], figures["DELIVER"], context["waiting"], context["in_hand"]) == ((5, 1), (1, 0), 6, 1)
    assert [(row.unit, row.alive) for row in context["workers"]] == [("cpu", True), ("llm", False)]
    assert context["missing_units"] == ["llm", "out", "quick"]
    assert {row.name: (row.state, row.outcome) for row in context["periodic"]}["audit"] == ("failed", "boom")
    assert {row.state for row in context["periodic"]} == {"failed", "never"}


def test_says_when_the_last_backup_was_made(client_of: Any, settings: Any) -> None:
    client = client_of("lead")
    client.cookies["django_language"] = "en"
    row = re.compile(r"<span>Last backup</span>(.*?)</li>", re.S)

    def shown() -> str:
        (found,) = row.findall(client.get(OPS).content.decode())
        return found

    assert "none on record" in shown() and "mark-tone-person" not in shown()
    settings.BACKUP_EVERY_HOURS = 24
    assert "mark-tone-person" in shown(), "one is wanted, and there is none"
    now = timezone.now()
    outcome = {"taken_at": (now - timedelta(hours=3)).isoformat()}
    PeriodicRun.objects.create(name="backups", period=now, finished_at=now, outcome=outcome)
    assert "<time" in shown() and "mark-tone-person" not in shown()


def test_says_so_where_nothing_is_wrong(client_of: Any) -> None:
    client = client_of("lead")
    client.cookies["django_language"] = "en"
    text = client.get(OPS).content.decode()
    assert "No page was stopped" in text and "No document waits for an operator." in text
    assert "Retry all" not in text and "Let all go on" not in text


@pytest.mark.parametrize("name", ["lead", "admin"])
def test_asks_at_most_thirteen_times_and_shows_fifty_rows(client_of: Any, people: People, name: str) -> None:
    for _ in range(3):
        job = make_job(people.merchant, held_reason="no_progress")
        make_pages(job, range(1, 41), "DEAD_LETTER", last_error={"code": "internal_error", "params": {}})
    make_job(people.merchant, status="UPLOADED", stage="INSPECT", worker=7, claimed_at=timezone.now())
    client = client_of(name)
    with CaptureQueriesContext(connection) as asked:
        answer = client.get(OPS)
    assert len(asked) <= 13, "\n".join(query["sql"][:90] for query in asked)
    assert (len(answer.context["page"].object_list), answer.context["page"].paginator.count) == (50, 120)
    last = client.get(OPS, {"page": "3", "code": "internal_error"}).context["page"]
    assert (last.number, len(last.object_list)) == (3, 20)
    assert client.get(OPS, {"page": "99999999999999999999", "code": "x'\x01"}).status_code in (200, 400)


@pytest.mark.req("TA-D2")
def test_a_row_the_ticked_ones_or_all_of_a_reason_go_through_again(client_of: Any, trouble: tuple[Job, Job]) -> None:
    mine, theirs = trouble
    pages = {page.number: page.pk for page in Page.objects.filter(job=mine)}
    client = client_of("lead")

    def stopped() -> list[int]:
        return list(
            Page.objects.filter(job=mine, status="DEAD_LETTER").order_by("number").values_list("number", flat=True)
        )

    client.post(RETRY, {"only": pages[1], "page": [pages[2], pages[3]]})
    assert stopped() == [2, 3], "the row's button speaks for its row alone"
    client.post(RETRY, {"page": [pages[3]], "ticked": "1"})
    assert stopped() == [2]
    answer = client.post(RETRY, {"all": "1", "code": "internal_error"})
    assert stopped() == [2] and answer["Location"] == "/ops/?code=internal_error"
    client.post(RETRY, {"all": "1", "code": "all"})
    assert stopped() == []
    assert Page.objects.get(job=theirs).status == "DEAD_LETTER", "another merchant's page"
    assert set(Transition.objects.filter(trigger="rerun").values_list("actor", flat=True)) == {"lead"}


@pytest.mark.req("TA-D2", "TA-T43")
def test_a_forged_or_late_request_touches_nothing_else(client_of: Any, trouble: tuple[Job, Job]) -> None:
    mine, theirs = trouble
    done = Page.objects.get(job=mine, number=4)
    foreign = Page.objects.get(job=theirs)
    Job.objects.filter(pk=mine.pk).update(status="CANCELLED")
    nonsense = [str(done.pk), str(foreign.pk), "-1", "x", "9" * 30, ""]
    client = client_of("lead")
    assert client.post(RETRY, {"page": nonsense}).status_code == 302
    assert client.post(RETRY, {"all": "1"}).status_code == 302
    assert client.post(REQUEUE, {"only": [str(theirs.uuid), "x"]}).status_code == 302
    states = dict(Page.objects.values_list("pk", "status"))
    assert (states[done.pk], states[foreign.pk]) == ("AI_COMPLETED", "DEAD_LETTER")
    assert "AI_QUEUED" not in states.values()
    assert Job.objects.get(pk=theirs.pk).held_reason == "no_progress"


@pytest.mark.req("TA-D6")
def test_held_documents_go_on_one_by_one_or_together(client_of: Any, people: People) -> None:
    held = [make_job(people.merchant, "ORPHANED", held_reason="no_progress") for _ in range(3)]
    client = client_of("lead")
    client.post(REQUEUE, {"only": str(held[0].uuid)})
    assert list(Job.objects.exclude(held_reason="").order_by("pk")) == held[1:]
    client.post(REQUEUE, {"all": "1"})
    assert not Job.objects.exclude(held_reason="").exists()
    assert not Job.objects.filter(status="ORPHANED").exists()


def test_the_rail_leads_there_those_who_may(client_of: Any) -> None:
    assert 'href="/ops/"' in client_of("lead").get("/").content.decode()
    assert 'href="/ops/"' not in client_of("uploader").get("/").content.decode()
    assert Worker.objects.count() == 0
