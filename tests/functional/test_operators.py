"""The running product as an operator sees it: one request followed through all logs, and one scrape of all units."""

import json
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.support.hostile import pattern_bomb
from tests.support.stack import Stack, stack

__all__ = ["stack"]
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


def lines(stack: Stack) -> list[dict[str, Any]]:
    """What the product itself has logged, of all processes, in the order of time."""
    found = []
    for log in (stack.var / "log").glob("*.log"):
        for line in log.read_text(errors="replace").splitlines():
            if line.startswith("{"):
                found.append({**json.loads(line), "unit": log.stem})
    return sorted(found, key=lambda line: line["timestamp"])


def samples(stack: Stack) -> dict[str, dict[tuple[tuple[str, str], ...], float]]:
    with urllib.request.urlopen(f"{stack.address}/metrics", timeout=20) as answer:
        families = text_string_to_metric_families(answer.read().decode())
        found: dict[str, dict[tuple[tuple[str, str], ...], float]] = {}
        for sample in (sample for family in families for sample in family.samples):
            found.setdefault(sample.name, {})[tuple(sorted(sample.labels.items()))] = sample.value
        return found


@pytest.fixture(scope="module")
def failed(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A document whose page ends its sandboxed child, which has happened once."""
    file = tmp_path_factory.mktemp("hostile") / "bomb.pdf"
    Path(file).write_bytes(pattern_bomb())
    job = stack.upload(file)
    stack.until(lambda: error_of(stack, job), 120, "the page has failed")
    return job


def error_of(stack: Stack, job: str) -> dict[str, Any] | None:
    rows = stack.sql(
        "SELECT p.last_error FROM ingestion_page p JOIN ingestion_job j ON j.id = p.job_id WHERE j.uuid = %s", job
    )
    return rows[0][0] if rows else None


@pytest.mark.req("TA-LOG")
def test_one_request_is_followed_from_the_upload_to_the_childs_failure(stack: Stack, failed: str) -> None:
    ((job_id,),) = stack.sql("SELECT id FROM ingestion_job WHERE uuid = %s", failed)
    ((user_id,),) = stack.sql("SELECT id FROM accounts_user WHERE username = 'uploader'")
    failures = [
        line
        for line in lines(stack)
        if line["event"] == "sandboxed work failed"
        and line["task"] == "read_and_assess"
        and str(line.get("job_id")) == str(job_id)
    ]
    failure = failures[0]
    assert (
        failure["unit"] == "cpu"
        and failure["actor"] == "take_cpu_turn"
        and failure["stage"] == "READ"
        and failure["message_id"]
    )
    assert (failure["reason"], failure["page"]) == ("raised", 1)
    assert str(failure["user_id"]) == str(user_id) and failure["page_ids"]

    trail = [line for line in lines(stack) if line.get("request_id") == failure["request_id"]]
    started = next(line for line in trail if line["event"] == "request_started")
    assert started["unit"] == "web" and started["request"].startswith("PATCH /uploads/")
    finished = next(line for line in trail if line["event"] == "request_finished")
    assert str(finished["job_id"]) == str(job_id), "the request that made the document names it"
    given_up = next(line for line in trail if line["event"] == "page not read")
    assert given_up["message_id"] == failure["message_id"] and given_up["page_id"] in failure["page_ids"]
    assert trail.index(started) < trail.index(failure) < trail.index(given_up)


@pytest.mark.req("TA-LOG", "TA-PII")
def test_what_the_child_said_is_kept_with_the_page_and_not_logged(stack: Stack, failed: str) -> None:
    error = error_of(stack, failed)
    assert error is not None and error["code"] == "sandbox_raised"
    said = error["detail"].splitlines()[-1]
    assert len(said) > 10
    assert not [line for line in lines(stack) if said in json.dumps(line)]


@pytest.mark.req("TA-MET")
def test_one_scrape_has_the_counters_of_all_units_and_the_facts(stack: Stack, failed: str) -> None:
    found = samples(stack)
    actors = {dict(labels)["actor"] for labels in found["catalogsku_messages_total"]}
    assert {"dispatch_job", "take_cpu_turn", "take_llm_turn"} <= actors, actors
    stages = {dict(labels)["stage"] for labels in found["catalogsku_turn_seconds_count"]}
    assert stages >= {"INSPECT", "PRESCAN", "READ"}, stages
    assert found["catalogsku_sandbox_runs_total"][("outcome", "raised"), ("task", "read_and_assess")] >= 1
    assert sum(found["django_http_responses_total_by_status_view_method_total"].values()) > 3
    assert sum(found["catalogsku_sweeps_total"].values()) > 0
    assert found["catalogsku_sandbox_runs_total"][("outcome", "finished"), ("task", "inspect_file")] >= 1
    assert found["catalogsku_sandbox_peak_bytes_sum"][(("task", "inspect_file"),)] > 1 << 20
    assert {unit for ((_, unit),) in found["catalogsku_workers"]} >= {"cpu", "llm", "out", "quick"}
    assert found["catalogsku_facts_readable"][()] == 1


@pytest.mark.req("TA-MET")
def test_a_unit_that_was_killed_counts_on(stack: Stack, failed: str) -> None:
    def seen() -> float:
        counted = samples(stack)["catalogsku_messages_total"]
        return sum(count for labels, count in counted.items() if dict(labels)["actor"] == "take_cpu_turn")

    before, worker = seen(), stack.workers("cpu")
    assert before >= 1
    stack.kill_unit("cpu")
    stack.until(lambda: stack.workers("cpu") and stack.workers("cpu") != worker, 60, "a new cpu worker lives")
    assert seen() >= before, "a turn may have come meanwhile; what was counted is not lost"
    assert len(list((stack.var / "metrics").glob("counter_cpu-*"))) == 1


@pytest.mark.req("TA-MET")
def test_ready_and_alive(stack: Stack) -> None:
    until_s = time.monotonic() + 60
    while True:
        with urllib.request.urlopen(f"{stack.address}/readyz", timeout=20) as answer:
            body = json.loads(answer.read())
        if body["status"] == "ready" or time.monotonic() > until_s:
            break
        time.sleep(0.5)
    assert body["status"] == "ready", body
    assert min(body["workers"].values()) >= 1


def test_a_connection_to_the_database_outlives_the_request_that_opened_it(stack: Stack) -> None:
    person = stack.person("lead")
    person.ask("/healthz")
    ((began,),) = stack.sql("SELECT clock_timestamp()")
    person.ask("/healthz")
    ((used_again,),) = stack.sql(
        """SELECT count(*) FROM pg_stat_activity WHERE backend_start < %s AND state_change > %s AND state = 'idle'
           AND query LIKE '%%accounts_user%%'""",
        began,
        began,
    )
    assert used_again
