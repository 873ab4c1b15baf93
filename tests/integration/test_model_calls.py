"""The ledger of model calls: what is kept, what is charged, and what is lost, also by killed processes."""

import hashlib
import time
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.db import IntegrityError, OperationalError, connection
from django.db.models import Sum
from django.utils import timezone

from catalogsku.core import metrics, presence
from catalogsku.core.embedded import Running
from catalogsku.core.models import Worker
from ingestion.services.jobs import rerun_pages
from processing.llm import abandoned, calls, money
from processing.models import Budget, BudgetLimit, ModelCall
from tests.support.callers import COST_MICRO, Callers, sends
from tests.support.people import People
from tests.support.rows import in_threads, make_job, make_page, make_worker

BOUND = 1000
USAGE = calls.Usage(tokens_in=100, tokens_out=50, cost_micro=700, latency_ms=1200, image_tokens=20, finish="stop")
database = pytest.mark.django_db


def facts(people: People, key: str = "a", **columns: Any) -> calls.Facts:
    given = {"merchant_id": people.merchant.pk, "operation": "read_page", "model": "gemini-3.8-flash"}
    key = hashlib.sha256(key.encode()).hexdigest()
    return calls.Facts(**{**given, "prompt_version": "v1", "request_key": key, "upper_bound_micro": BOUND, **columns})


def begin(people: People, key: str = "a", **columns: Any) -> int:
    found = calls.begin(facts(people, key, **columns))
    assert isinstance(found, calls.Sent), found
    return found.call_id


def send(people: People, key: str = "a", **columns: Any) -> int:
    call_id = begin(people, key, **columns)
    assert calls.sending(call_id)
    return call_id


def budget(people: People, merchant: bool = True) -> tuple[int, int]:
    """Reserved and settled today."""
    found = money.spent(people.merchant.pk if merchant else None, money.today())
    return found.reserved_micro, found.settled_micro


def row(call_id: int) -> ModelCall:
    return ModelCall.objects.get(pk=call_id)


def worker_dies() -> None:
    """Nobody has seen this process for a minute."""
    Worker.objects.update(seen_at=timezone.now() - timedelta(minutes=1))


@pytest.fixture
def limit(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Set the micro-USD of a day; afterwards they are as they were."""
    request.getfixturevalue("committed" if "committed" in request.fixturenames else "db")
    before = dict(BudgetLimit.objects.filter(merchant=None).values_list("scope", "limit_micro"))

    def set_limits(**micro: int) -> None:
        for scope, value in micro.items():
            BudgetLimit.objects.filter(scope=scope, merchant=None).update(limit_micro=value)

    yield set_limits
    set_limits(**before)


# --- kept answers --------------------------------------------------------------------------------


@database
@pytest.mark.req("GR-CACHE", "X-NOBILL")
def test_an_answer_is_kept_and_the_same_request_costs_nothing_more(people: People) -> None:
    kept = metrics.MODEL_CALLS.labels("gemini-3.8-flash", "read_page", "kept")._value
    before = kept.get()
    call_id = send(people)
    calls.answered(call_id, '{"type": "A"} 产品', USAGE)
    assert calls.begin(facts(people)) == calls.Kept(call_id, '{"type": "A"} 产品', USAGE)
    assert (budget(people), ModelCall.objects.count(), kept.get() - before) == ((0, 700), 1, 1)


@database
@pytest.mark.req("GR-CACHE")
def test_another_merchants_answer_is_never_used(people: People) -> None:
    calls.answered(send(people), "theirs", USAGE)
    assert isinstance(calls.begin(facts(people, merchant_id=people.other.pk)), calls.Sent)


@database
@pytest.mark.req("GR-CACHE")
def test_an_answer_is_kept_for_30_days(people: People) -> None:
    call_id = send(people)
    calls.answered(call_id, "old", USAGE)
    age(call_id, days=29)
    assert calls.forget_old_answers() == {"answers": 0}
    assert isinstance(calls.begin(facts(people)), calls.Kept)
    age(call_id, days=2)
    assert isinstance(calls.begin(facts(people)), calls.Sent), "too old, although the night has not cleaned it away"
    calls.answered(again := send(people, "b"), "b", USAGE)
    age(again, days=31)
    assert calls.forget_old_answers() == {"answers": 1}
    assert (row(again).answer, row(again).settled_micro, row(again).state) == (None, 700, "ANSWERED")


def age(call_id: int, **by: int) -> None:
    found = row(call_id)
    assert found.answered_at is not None
    ModelCall.objects.filter(pk=call_id).update(answered_at=found.answered_at - timedelta(**by))


@database
@pytest.mark.req("GR-CACHE")
def test_a_damaged_answer_is_asked_for_again(people: People) -> None:
    call_id = send(people)
    calls.answered(call_id, "whole", USAGE)
    ModelCall.objects.filter(pk=call_id).update(answer=b"damaged")
    assert isinstance(calls.begin(facts(people)), calls.Sent)


@database
@pytest.mark.req("GR-CACHE")
def test_who_asks_the_same_meanwhile_waits_for_the_answer(people: People) -> None:
    call_id = send(people)
    assert calls.begin(facts(people)) == calls.Waiting(calls.LOOK_AGAIN_S)
    assert budget(people) == (BOUND, 0)
    calls.answered(call_id, "once", USAGE)
    assert isinstance(calls.begin(facts(people)), calls.Kept)


@pytest.mark.req("GR-CACHE", "X-NOBILL")
def test_of_twenty_threads_with_one_request_one_calls(committed: None, people: People) -> None:
    found = in_threads([lambda: calls.begin(facts(people))] * 20)
    assert Counter(map(type, found)) == {calls.Sent: 1, calls.Waiting: 19}
    assert budget(people) == budget(people, merchant=False) == (BOUND, 0)


# --- money ---------------------------------------------------------------------------------------


@database
@pytest.mark.req("LA-BUDGET")
def test_over_either_budget_nothing_is_changed(people: People, limit: Any) -> None:
    limit(merchant=1500, day=2000)
    begin(people)
    assert calls.begin(facts(people, "b")) == calls.OverBudget("merchant")
    assert calls.begin(facts(people, "b", merchant_id=people.other.pk)) == calls.Sent(ModelCall.objects.latest("pk").pk)
    assert calls.begin(facts(people, "c", merchant_id=people.other.pk, upper_bound_micro=1)) == calls.OverBudget("day")
    assert isinstance(calls.begin(facts(people, "c", upper_bound_micro=0)), calls.Sent), "a call that is free fits"
    assert (budget(people), budget(people, merchant=False)) == ((1000, 0), (2000, 0))


@database
@pytest.mark.req("LA-BUDGET")
def test_a_merchants_own_limit_comes_first_and_holds_at_once(people: People, limit: Any) -> None:
    limit(merchant=0)
    assert calls.begin(facts(people)) == calls.OverBudget("merchant")
    BudgetLimit.objects.create(scope="merchant", merchant=people.merchant, limit_micro=BOUND)
    begin(people)
    assert money.spent(people.merchant.pk, money.today()) == money.Spent(BOUND, 0, BOUND)
    assert money.spent(people.merchant.pk, money.today()).left_micro == 0
    BudgetLimit.objects.all().delete()
    assert calls.begin(facts(people, "b")) == calls.OverBudget("merchant"), "without any limit nothing is spent"


@database
@pytest.mark.req("LA-BUDGET")
@pytest.mark.parametrize(
    ("sent", "fate", "state", "settled"),
    [
        (False, calls.Fate.UNSENT, "FAILED", 0),
        (False, calls.Fate.UNKNOWN, "FAILED", 0),
        (True, calls.Fate.REFUSED, "FAILED", 0),
        (True, calls.Fate.UNKNOWN, "LOST", BOUND),
    ],
)
def test_a_call_without_an_answer_costs_what_it_may_have_cost(
    people: People, sent: bool, fate: calls.Fate, state: str, settled: int
) -> None:
    call_id = send(people) if sent else begin(people)
    calls.failed(call_id, "timeout", fate)
    calls.failed(call_id, "again", calls.Fate.UNKNOWN)
    found = row(call_id)
    assert (found.state, found.settled_micro, found.error_code) == (state, settled, "timeout")
    assert budget(people) == budget(people, merchant=False) == (0, settled)
    assert begin(people) != call_id, "a further try is a call of its own"


@database
@pytest.mark.req("LA-BUDGET", "LA-RATE")
def test_a_call_that_the_gate_refused_leaves_no_trace(people: People) -> None:
    call_id = begin(people)
    calls.withdraw(call_id)
    calls.withdraw(call_id)
    assert (budget(people), ModelCall.objects.count()) == ((0, 0), 0)
    sent = send(people)
    calls.withdraw(sent)
    assert row(sent).state == "SENT", "what has left cannot be withdrawn"


@database
@pytest.mark.req("LA-BUDGET")
def test_a_cost_above_the_bound_is_told_truthfully(people: People) -> None:
    calls.answered(send(people), "long", calls.Usage(9, 9, 1300, 5))
    assert budget(people) == budget(people, merchant=False) == (0, 1300)


@database
@pytest.mark.req("LA-BUDGET")
def test_a_day_is_postgresqls_in_the_time_zone_of_the_settings(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    """The dateline: two zones 25 hours apart never share a day; what began yesterday is settled there."""
    monkeypatch.setattr(django_settings, "TIME_ZONE", "Pacific/Pago_Pago")
    yesterday, call_id = money.today(), send(people)
    monkeypatch.setattr(django_settings, "TIME_ZONE", "Pacific/Kiritimati")
    assert money.today() > yesterday
    calls.answered(call_id, "late", USAGE)
    begin(people, "b")
    assert money.spent(people.merchant.pk, yesterday).settled_micro == 700
    assert budget(people) == (BOUND, 0)


@database
@pytest.mark.req("LA-BUDGET")
def test_the_database_refuses_a_budget_below_zero(people: People) -> None:
    send(people)
    with pytest.raises(IntegrityError, match="budget_not_negative"):
        money.settle(people.merchant.pk, money.today(), reserved_micro=BOUND + 1, settled_micro=0)


@database
@pytest.mark.req("LA-TRACE")
def test_a_row_tells_what_the_call_was_for_and_what_it_took(people: People) -> None:
    job = make_job(people.merchant)
    page = make_page(job)
    call_id = send(people, job_id=job.pk, page_id=page.pk, category="lamps", downgrade_reason="budget", injection=0.4)
    calls.answered(call_id, "text", USAGE)
    calls.parsed(call_id, "json", needs_review=True)
    found = row(call_id)
    assert (found.job, found.page, found.merchant, found.category) == (job, page, people.merchant, "lamps")
    assert (found.operation, found.model, found.prompt_version) == ("read_page", "gemini-3.8-flash", "v1")
    assert (found.tokens_in, found.tokens_out, found.image_tokens, found.latency_ms) == (100, 50, 20, 1200)
    assert (found.settled_micro, found.finish, found.parse_method, found.needs_review) == (700, "stop", "json", True)
    assert (found.downgrade_reason, found.injection, found.day) == ("budget", 0.4, money.today())
    assert list(ModelCall.objects.visible_to(people.uploader)) == [found]
    assert not ModelCall.objects.visible_to(people.other_uploader)


@database
@pytest.mark.req("LA-TRACE")
def test_a_call_cannot_name_another_merchants_job(people: People) -> None:
    job = make_job(people.other)
    with pytest.raises(IntegrityError, match="call_job_of_merchant"):
        calls.begin(facts(people, job_id=job.pk))
        connection.check_constraints()


@pytest.mark.req("PL-C13")
def test_calls_of_a_page_are_counted_since_a_person_sent_it_again(committed: None, people: People) -> None:
    job = make_job(people.merchant)
    page = make_page(job, status="AI_COMPLETED")
    calls.answered(send(people, page_id=page.pk), "one", USAGE)
    calls.failed(send(people, "b", page_id=page.pk), "timeout", calls.Fate.UNKNOWN)
    begin(people, "c", page_id=page.pk)
    calls.begin(facts(people, page_id=page.pk))
    assert calls.for_page(page.pk) == 2, "neither a kept answer nor what was not sent is a call"
    assert rerun_pages(job, [page.number], "person") == 1
    assert calls.for_page(page.pk) == 0
    send(people, "d", page_id=page.pk)
    assert calls.for_page(page.pk) == 1


# --- what nobody ends ----------------------------------------------------------------------------


@database
@pytest.mark.req("LA-BUDGET", "X-NOBILL")
def test_what_a_dead_worker_sent_costs_its_bound_and_what_it_did_not_send_nothing(people: People) -> None:
    sent, unsent = send(people), begin(people, "b")
    assert abandoned.lose_abandoned() == {"ended": 0}, "its worker lives"
    worker_dies()
    assert abandoned.lose_abandoned() == {"ended": 2}
    assert [(row(pk).state, row(pk).settled_micro) for pk in (sent, unsent)] == [("LOST", BOUND), ("FAILED", 0)]
    assert budget(people) == budget(people, merchant=False) == (0, BOUND)
    assert not calls.sending(unsent), "who was taken for dead does not send any more"


@database
@pytest.mark.req("LA-BUDGET")
def test_the_next_who_asks_need_not_wait_for_the_sweep(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = send(people)
    worker_dies()
    monkeypatch.setattr(presence, "_current", make_worker("llm"))
    monkeypatch.setattr(calls, "current_worker", lambda: presence._current)
    again = begin(people)
    assert (row(lost).state, row(again).state, budget(people)) == ("LOST", "SENT", (BOUND, BOUND))


@database
@pytest.mark.req("LA-BUDGET", "X-NOBILL")
def test_an_answer_that_comes_after_all_corrects_the_cost_and_is_kept(people: People) -> None:
    late = send(people)
    worker_dies()
    abandoned.lose_abandoned()
    calls.answered(late, "late", USAGE)
    calls.answered(late, "twice", USAGE)
    assert budget(people) == budget(people, merchant=False) == (0, 700)
    assert calls.begin(facts(people)) == calls.Kept(late, "late", USAGE)


@database
@pytest.mark.req("LA-BUDGET", "GR-CACHE")
def test_a_late_answer_does_not_replace_that_of_the_call_made_since(people: People) -> None:
    late = send(people)
    worker_dies()
    abandoned.lose_abandoned()
    again = send(people)
    calls.answered(late, "late", USAGE)
    assert (row(late).answer, row(late).settled_micro, budget(people)) == (None, 700, (BOUND, 700))
    calls.answered(again, "again", USAGE)
    assert calls.begin(facts(people)) == calls.Kept(again, "again", USAGE)


@database
@pytest.mark.req("LA-BUDGET")
def test_a_call_that_a_live_worker_has_forgotten_is_lost_after_the_models_time(people: People) -> None:
    call_id, unsent = send(people), begin(people, "b")
    was = timezone.now()
    ModelCall.objects.filter(pk=call_id).update(
        sent_at=was - timedelta(seconds=175), created_at=was - timedelta(hours=1)
    )
    ModelCall.objects.filter(pk=unsent).update(created_at=was - timedelta(seconds=115))
    assert abandoned.lose_abandoned() == {"ended": 0}
    ModelCall.objects.filter(pk=call_id).update(sent_at=was - timedelta(seconds=181))
    ModelCall.objects.filter(pk=unsent).update(created_at=was - timedelta(seconds=121))
    assert abandoned.lose_abandoned() == {"ended": 2}


@database
def test_an_answer_to_what_was_never_marked_as_sent_is_an_error(people: People) -> None:
    with pytest.raises(ValueError, match="never marked as sent"):
        calls.answered(begin(people), "text", USAGE)


@pytest.mark.req("GR-CACHE")
def test_a_paid_answer_waits_for_a_database_that_is_away_and_then_the_error_is_the_machines(
    committed: None, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    call_id, tries, write = send(people), [], calls._answered

    def away(*given: Any) -> None:
        tries.append(given)
        if len(tries) < 3:
            raise OperationalError("the server closed the connection")
        write(*given)

    monkeypatch.setattr(calls, "PAUSES_S", (0.0, 0.0))
    monkeypatch.setattr(calls, "_answered", away)
    calls.answered(call_id, "patient", USAGE)
    assert (len(tries), row(call_id).state) == (3, "ANSWERED")
    tries[:] = []
    monkeypatch.setattr(calls, "PAUSES_S", (0.0,))
    with pytest.raises(OperationalError):
        calls.answered(call_id, "patient", USAGE)


# --- many processes, killed, and a database that restarts ----------------------------------------


@pytest.mark.req("LA-BUDGET")
def test_64_threads_of_4_processes_reserve_exactly_what_the_budgets_allow(
    committed: None, people: People, limit: Any, process_environment: dict[str, str]
) -> None:
    limit(merchant=60 * BOUND, day=100 * BOUND)
    merchants = [people.merchant.pk, people.other.pk]
    with Callers(process_environment, 4) as callers:
        callers.go({"what": "begin", "merchants": merchants, "bound": BOUND, "tries": 100, "threads": 16})
        found = sum(map(Counter, callers.answers()), Counter())
        assert found == {"Sent": 100, "OverBudget": 300}
        assert budget(people, merchant=False) == (100 * BOUND, 0)
        limit(day=1000 * BOUND)
        callers.go({"what": "begin", "merchants": merchants[:1], "bound": 1, "key": "same", "tries": 16, "threads": 16})
        found = sum(map(Counter, callers.answers()), Counter())
    by_merchant = Budget.objects.filter(merchant__in=merchants).aggregate(micro=Sum("reserved_micro"))
    assert found in ({"Sent": 1, "Waiting": 63}, {"OverBudget": 64})
    assert by_merchant["micro"] == money.spent(None, money.today()).reserved_micro <= 120 * BOUND


@pytest.mark.slow
@pytest.mark.chaos
@pytest.mark.req("X-NOBILL", "LA-BUDGET", "GR-CACHE")
def test_killed_callers_and_a_database_that_restarts_pay_no_answer_twice(
    committed: None, people: People, limit: Any, process_environment: dict[str, str], services: Running, tmp_path: Path
) -> None:
    """50 callers, twice killed by -9 in the midst; the provider counts what reached it."""
    keys, sent, held = 120, tmp_path / "sent", tmp_path / "held"
    cap = 200 * BOUND
    limit(merchant=cap, day=cap)
    task = {"what": "call", "merchants": [people.merchant.pk], "bound": BOUND, "tries": keys, "threads": 25,
            "sent": str(sent), "held": str(held)}  # fmt: skip
    held.touch()
    for _ in range(2):
        with Callers(process_environment, 2) as callers:
            hold = sends(sent) + 15
            callers.go({**task, "hold": hold})
            until(lambda hold=hold: sends(sent) >= hold)
        within(people, cap)
        Worker.objects.filter(pid__in=callers.pids).update(seen_at=timezone.now() - timedelta(minutes=1))
        abandoned.lose_abandoned()
        within(people, cap)
    lost = ModelCall.objects.filter(state="LOST").count()
    assert lost, "nothing was in flight at the kills"

    with Callers(process_environment, 2) as callers:
        hold = sends(sent) + 5
        callers.go({**task, "hold": hold})
        until(lambda: sends(sent) >= hold)
        held.unlink()
        restart(services)
        assert sum(map(Counter, callers.answers()), Counter()) == {"kept": 2 * keys}
    within(people, cap)
    reached, marked = sends(sent), ModelCall.objects.filter(sent_at__isnull=False)
    assert keys <= reached <= marked.count() <= keys + ModelCall.objects.filter(state="LOST").count()
    assert ModelCall.objects.filter(answer__isnull=False).values("request_key").distinct().count() == keys
    assert ModelCall.objects.filter(state="ANSWERED").count() == keys, "an answer was paid for twice"
    assert budget(people) == (0, keys * COST_MICRO + BOUND * ModelCall.objects.filter(state="LOST").count())


def within(people: People, cap: int) -> None:
    reserved, settled = budget(people)
    ledger = ModelCall.objects.aggregate(settled=Sum("settled_micro"))["settled"]
    assert reserved + settled <= cap and settled == ledger and budget(people, merchant=False) == (reserved, settled)


def until(is_so: Any, within_s: float = 60) -> None:
    end_s = time.monotonic() + within_s
    while not is_so():
        assert time.monotonic() < end_s
        time.sleep(0.01)


def restart(services: Running) -> None:
    if services.postgresql is None:
        return
    connection.close()
    services.postgresql.stop(0)
    services.postgresql.start()
