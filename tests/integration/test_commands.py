"""Management commands: what they print for people and programs, and that every mistake is answered by a sentence."""

import io
import json
import re
import uuid
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from ingestion.models import Job, Page
from tests.support.people import People
from tests.support.rows import make_job, make_page, make_pages

pytestmark = pytest.mark.django_db


def out(*arguments: Any, **options: Any) -> str:
    written = io.StringIO()
    call_command(*arguments, stdout=written, **options)
    return written.getvalue()


def read(*arguments: Any) -> Any:
    return json.loads(out(*arguments, "--json"))


@pytest.mark.req("TA-D6", "TA-CANCEL", "TA-D2")
def test_jobs_lists_shows_retries_requeues_and_cancels(people: People) -> None:
    job = make_job(people.merchant, held_reason="looked at")
    make_page(job, 1, "DEAD_LETTER", last_error={"code": "boom"})
    make_page(job, 2, "AI_QUEUED", stage="READ")
    other = make_job(people.other, status="FULL_IMPORTED")
    assert {row["job"] for row in read("jobs", "list")} == {str(job.uuid), str(other.uuid)}
    assert [row["job"] for row in read("jobs", "list", "--status", "FULL_IMPORTED")] == [str(other.uuid)]
    assert str(job.uuid) in out("jobs", "list")
    shown = read("jobs", "show", str(job.uuid))[0]
    assert (shown["census"], shown["errors"]) == ({"AI_QUEUED/none": 1, "DEAD_LETTER/none": 1}, {"1": {"code": "boom"}})
    assert read("jobs", "retry", str(job.uuid)) == [{"job": str(job.uuid), "pages_sent": 1}]
    assert read("jobs", "requeue", str(job.uuid))[0]["requeued"]
    assert Job.objects.get(pk=job.pk).held_reason == ""
    flying = {"imports_in_flight": 0, "model_calls_in_flight": 0}
    assert read("jobs", "cancel", str(job.uuid)) == [{"job": str(job.uuid), "pages_stopped": 2, **flying}]


@pytest.mark.req("TA-D2")
def test_pages_lists_and_retries(people: People) -> None:
    job = make_job(people.merchant)
    make_pages(job, [1, 2, 3], status="DEAD_LETTER")
    assert [row["number"] for row in read("pages", "list", str(job.uuid), "2", "3")] == [2, 3]
    assert out("pages", "retry", str(job.uuid), "2") == "1 pages sent again.\n"
    assert Page.objects.get(number=2).status == "AI_QUEUED"
    assert read("pages", "retry", str(job.uuid)) == {"pages_sent": 2}


@pytest.mark.req("TA-D3")
def test_sweep_runs_all_or_the_named_ones(people: People) -> None:
    job = make_job(people.merchant)
    make_page(job, 1, "AI_COMPLETED", import_state="confirmed")
    assert read("sweep", "jobs")["jobs"]["settled"] == 1
    assert Job.objects.get().status == "FULL_IMPORTED"
    assert {"imports", "jobs", "pages"} <= set(read("sweep"))


def mistakes(people: People, folder: Path) -> list[tuple[str, ...]]:
    ended = make_job(people.merchant, status="FULL_IMPORTED")
    cancelled = make_job(people.merchant, status="CANCELLED")
    nobody = str(uuid.uuid4())
    first, second = folder / "a.pdf", folder / "b.pdf"
    for file in (first, second):
        file.write_bytes(b"%PDF-")
    return [
        ("jobs", "show"),
        ("jobs", "show", "not-an-id"),
        ("jobs", "show", nobody),
        ("jobs", "cancel", str(ended.uuid)),
        ("jobs", "retry", str(cancelled.uuid)),
        ("jobs", "dance"),
        ("pages", "list", nobody),
        ("pages", "retry", str(ended.uuid), "7"),
        ("sweep", "nothing"),
        ("extract", str(folder / "missing.pdf")),
        ("extract", str(first), str(second), "--output", str(folder / "out.json")),
    ]


def test_every_mistake_is_answered_by_a_sentence(people: People, tmp_path: Path) -> None:
    for arguments in mistakes(people, tmp_path):
        with pytest.raises(CommandError) as told:
            call_command(*arguments)
        text = str(told.value)
        if text.startswith("Error: "):  # the parser's own
            continue
        assert re.match(r"[A-Z\-]", text) and text.endswith((".", ")")) and " " in text, (arguments, text)
        assert "Traceback" not in text and "DoesNotExist" not in text
