"""What a call of a model waits for in the database: few statements, and the disk only where money depends on it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection

from processing.llm import calls, gate
from processing.models import ModelCall
from tests.bench.budgets import BUDGETS
from tests.support.people import People

pytestmark = [pytest.mark.usefixtures("committed"), pytest.mark.req("LA-PERF")]
MODEL = "gemini-3.8-flash"
USAGE = calls.Usage(tokens_in=10, tokens_out=5, cost_micro=700, latency_ms=1)


@contextmanager
def statements() -> Iterator[list[str]]:
    """The first word of each, without those that begin and end transactions."""
    seen: list[str] = []

    def note(execute: Any, sql: str, *rest: Any) -> Any:
        seen.append(sql.split()[0])
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        yield seen


@contextmanager
def flushed() -> Iterator[list[str]]:
    """How the transaction around each statement would be committed, in the order of the statements."""
    found: list[str] = []

    def note(execute: Any, sql: str, *rest: Any) -> Any:
        done = execute(sql, *rest)
        with connection.connection.cursor() as cursor:
            # Outside a transaction the setting has ended with the statement: then it was the statement's own.
            cursor.execute("SELECT current_setting('synchronous_commit')")
            found.append("off" if "synchronous_commit" in sql else cursor.fetchone()[0])
        return done

    with connection.execute_wrapper(note):
        yield found


def begin(people: People, key: str = "1" * 64) -> Any:
    return calls.begin(calls.Facts(people.merchant.pk, "read_page", MODEL, "1.1", key, 1000))


def test_each_step_takes_few_statements(people: People) -> None:
    gate.enter(MODEL, 10)  # makes the gate of a model that was never asked
    calls.current_worker()
    with statements() as seen:
        assert isinstance(gate.enter(MODEL, 10), gate.Entered)
    assert seen == ["UPDATE"], "breaker and both rates in one"
    with statements() as seen:
        sent = begin(people)
    assert seen == ["SELECT", "WITH", "INSERT"], "kept answer, both budgets, the call"
    with statements() as seen:
        assert calls.sending(sent.call_id)
        gate.succeeded(MODEL, 0)
    assert seen == ["UPDATE", "UPDATE"]
    with statements() as seen:
        calls.answered(sent.call_id, "{}", USAGE)
    assert seen == ["SELECT", "WITH", "UPDATE"], "the call locked, both budgets, the answer"
    with statements() as seen:
        calls.parsed(sent.call_id, "direct", needs_review=False)
    assert seen == ["UPDATE"]
    with statements() as seen:
        assert isinstance(begin(people), calls.Kept)
    assert seen == ["SELECT"]


def test_only_what_has_left_and_what_was_answered_wait_for_the_disk(people: People) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = on")
    gate.enter(MODEL, 10)
    with flushed() as gates:
        gate.enter(MODEL, 10)
        gate.failed(MODEL, 0)
        gate.succeeded(MODEL, 0)
    assert gates == ["off"] * 3
    with flushed() as reserved:
        sent = begin(people)
    assert reserved[-1] == "off"
    with flushed() as money:
        calls.sending(sent.call_id)
        calls.answered(sent.call_id, "{}", USAGE)
    assert set(money) == {"on"}
    with connection.cursor() as cursor:
        cursor.execute("SHOW synchronous_commit")
        assert cursor.fetchone() == ("on",), "nothing of it outlives its transaction"


def test_a_reservation_that_a_dying_server_forgot_is_never_sent(people: People) -> None:
    sent = begin(people)
    ModelCall.objects.filter(pk=sent.call_id).delete()
    assert calls.sending(sent.call_id) is False


def test_the_benchmark_judges_guard_gate_and_reservation() -> None:
    limits = {budget.figure: budget.at_most for budget in BUDGETS}
    assert [limits[f"models.{name}.p95_ms"] for name in ("guard", "enter", "reserve")] == [5, 3, 5]
