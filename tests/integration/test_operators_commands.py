"""Commands of operators: what waits for them, sending it on, periodic work by hand, and the metrics of a machine."""

import io
import json
import subprocess
import sys
import urllib.error
import urllib.request
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from catalogsku.core.models import PeriodicRun
from catalogsku.core.periodic import CRON_TASKS, CronTask
from ingestion.models import Job, Page, Upload
from tests.support.people import People
from tests.support.rows import make_job, make_page, make_pages

PROJECT = Path(__file__).resolve().parents[2]


def out(*arguments: Any) -> str:
    written = io.StringIO()
    call_command(*arguments, stdout=written)
    return written.getvalue()


def read(*arguments: Any) -> Any:
    return json.loads(out(*arguments, "--json"))


def refusal(*arguments: Any) -> tuple[int, str]:
    with pytest.raises(CommandError) as told:
        call_command(*arguments, stdout=io.StringIO())
    return told.value.returncode, str(told.value)


@pytest.mark.django_db
@pytest.mark.req("TA-D2")
def test_stopped_pages_of_all_documents_with_their_errors(people: People) -> None:
    first, second = make_job(people.merchant), make_job(people.other)
    make_pages(first, (1, 2), "DEAD_LETTER", failures=5, last_error={"code": "internal_error"}, handled_by="cpu@a:1")
    make_page(second, 9, "DEAD_LETTER", losses=10, last_error={"code": "worker_lost"})
    make_page(second, 10, "AI_FAILED", last_error={"code": "internal_error"})
    rows = read("pages", "stopped")
    assert [(row["job"], row["number"], row["last_error"]["code"]) for row in rows] == [
        (str(second.uuid), 9, "worker_lost"),
        (str(first.uuid), 2, "internal_error"),
        (str(first.uuid), 1, "internal_error"),
    ]
    assert rows[1]["worker"] == "cpu@a:1"
    assert [row["number"] for row in read("pages", "stopped", str(first.uuid))] == [2, 1]
    assert len(read("pages", "stopped", "--limit", "1")) == 1
    assert read("pages", "retry", "--stopped", "--code", "internal_error") == {"pages_sent": 2}
    assert list(Page.objects.filter(status="DEAD_LETTER").values_list("number", flat=True)) == [9]
    assert out("pages", "retry", "--stopped") == "1 pages sent again.\n"
    assert read("pages", "stopped") == []
    assert Page.objects.get(number=10).status == "AI_FAILED"


@pytest.mark.django_db
@pytest.mark.req("TA-D6")
def test_held_documents_are_listed_and_let_go(people: People) -> None:
    held = [make_job(people.merchant, "ORPHANED", held_reason="no_progress") for _ in range(2)]
    make_job(people.merchant)
    assert [row["job"] for row in read("jobs", "list", "--held")] == [str(job.uuid) for job in reversed(held)]
    assert read("jobs", "requeue", "--held") == [{"requeued": 2}]
    assert not Job.objects.exclude(held_reason="").exists()


@pytest.mark.django_db
def test_uploads_are_listed_and_given_up(people: People) -> None:
    common = {"merchant": people.merchant, "user": people.uploader, "expires_at": timezone.now() + timedelta(hours=1)}
    stuck = Upload.objects.create(name="a.pdf", size_bytes=100, offset_bytes=40, idempotency_key="k1", **common)
    whole = Upload.objects.create(
        name="b.pdf", size_bytes=9, offset_bytes=9, idempotency_key="k2", job=make_job(people.merchant), **common
    )
    (row,) = read("uploads", "list")
    assert (row["upload"], row["received_bytes"], row["size_bytes"]) == (str(stuck.uuid), 40, 100)
    code, told = refusal("uploads", "abandon", str(whole.uuid))
    assert code == 1 and "is whole" in told
    out("uploads", "abandon", str(stuck.uuid))
    assert list(Upload.objects.all()) == [whole]


@pytest.fixture
def tasks(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[int]]:
    """Two periodic tasks of this test's own, one of which fails; how often each ran."""
    ran: dict[str, list[int]] = {"good": [], "bad": []}

    def bad() -> None:
        ran["bad"].append(1)
        raise ValueError("no luck")

    for name in list(CRON_TASKS):
        monkeypatch.delitem(CRON_TASKS, name)
    good = CronTask("good", "0 3 * * *", lambda: ran["good"].append(1) or {"found": len(ran["good"])})  # type: ignore[func-returns-value]
    monkeypatch.setitem(CRON_TASKS, "good", good)
    monkeypatch.setitem(CRON_TASKS, "bad", CronTask("bad", "0 4 * * *", bad))
    return ran


@pytest.mark.django_db
@pytest.mark.req("TA-CRON")
def test_periodic_work_runs_by_hand_and_says_what_came_of_it(tasks: dict[str, list[int]]) -> None:
    assert {row["task"]: row["state"] for row in read("periodic", "list")} == {"good": "never", "bad": "never"}
    assert read("periodic", "run", "good")[0]["outcome"] == {"found": 1}
    assert read("periodic", "run", "good")[0]["outcome"] == {"found": 2}, "as often as one likes"
    code, told = refusal("periodic", "run", "bad")
    assert (code, told, tasks["bad"]) == (1, "Failed: bad.", [1])
    code, told = refusal("periodic", "list")
    assert (code, told) == (1, "Failed: bad.")
    assert PeriodicRun.objects.get(name="bad").error == "ValueError('no luck')"
    assert "no luck" not in out("periodic", "list", "good")


@pytest.mark.django_db
@pytest.mark.req("TA-CRON")
def test_a_run_by_hand_does_not_take_the_place_of_the_one_that_is_due(tasks: dict[str, list[int]]) -> None:
    from catalogsku.core.periodic import run_cron_tasks

    out("periodic", "run", "good")
    assert "good" in run_cron_tasks(timezone.now())
    assert len(tasks["good"]) == 2


@pytest.mark.django_db
def test_mistakes_are_answered_by_a_sentence(people: People) -> None:
    job = make_job(people.merchant)
    for arguments in (
        ("periodic", "run"),
        ("periodic", "run", "nothing"),
        ("pages", "list"),
        ("pages", "retry", "--code", "x"),
        ("pages", "retry", str(job.uuid), "1", "--stopped"),
        ("pages", "stopped", "not-an-id"),
        ("jobs", "cancel", "--held"),
        ("jobs", "requeue", str(job.uuid), "--held"),
        ("uploads", "abandon"),
        ("uploads", "abandon", "7"),
        ("metrics", "--listen", "0.0.0.0:9100"),
    ):
        code, told = refusal(*arguments)
        assert code == 1 and told.endswith(".") and " " in told, (arguments, told)


@pytest.mark.django_db
@pytest.mark.req("TA-D2")
def test_the_doctor_names_what_waits_for_an_operator(people: People) -> None:
    from processing.management.commands import doctor

    assert {finding.level for finding in doctor.check_operator()} == {"ok"}
    job = make_job(people.merchant, held_reason="no_progress")
    make_page(job, 1, "DEAD_LETTER")
    PeriodicRun.objects.create(name="audit", period=timezone.now(), finished_at=timezone.now(), error="boom")
    found = [*doctor.check_operator(), *doctor.check_periodic()]
    told = {finding.name: finding.text for finding in found if finding.level == "warning"}
    assert "1 documents" in told["held"] and "1 pages" in told["stopped"]
    assert any("audit failed: boom" in finding.text for finding in found)


@pytest.mark.req("TA-MET")
def test_a_machine_without_web_serves_its_counters(process_environment: dict[str, str], tmp_path: Path) -> None:
    environment = {**process_environment, "VAR_DIR": str(tmp_path), "METRICS_TOKEN": "a-token"}
    counting = "from catalogsku.core import metrics; metrics.MESSAGES.labels('read_pages', 'done').inc(3)"
    program = f"import django; django.setup(); {counting}"
    subprocess.run(
        [sys.executable, "-c", program],
        env={**environment, "CATALOGSKU_UNIT": "cpu"},
        cwd=PROJECT,
        check=True,
        timeout=90,
    )
    command = [sys.executable, "manage.py", "metrics", "--listen", "127.0.0.1:9163"]
    server = subprocess.Popen(command, env=environment, cwd=PROJECT, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        asked = urllib.request.Request(address, headers={"Authorization": "Bearer a-token"})
        with urllib.request.urlopen(asked, timeout=20) as answer:
            text = answer.read().decode()
        assert 'catalogsku_messages_total{actor="read_pages",outcome="done"} 3.0' in text
        assert "catalogsku_disk_usage_ratio" in text and "catalogsku_pages_stopped" not in text
        for url, token, status in ((address, "other", 401), (address + "/x", "a-token", 404)):
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(
                    urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"}), timeout=20
                )
            assert refused.value.code == status
    finally:
        server.kill()
        server.wait()


def test_a_user_without_a_home_has_fonts_of_the_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As in a container whose user id is in no list of users."""
    from processing.management.commands import doctor

    def nobody(user_id: int) -> object:
        raise KeyError(user_id)

    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr("pwd.getpwuid", nobody)
    monkeypatch.setattr(doctor, "FONT_FOLDERS", (str(tmp_path), "~/.fonts"))
    assert [finding.level for finding in doctor.check_fonts()] == ["warning"]
    (tmp_path / "wqy-microhei.ttc").touch()
    assert [finding.level for finding in doctor.check_fonts()] == ["ok"]
