"""The gate of a model: rates and breaker exact for any number of threads and processes, and as a pure model says."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalogsku.core import metrics
from processing.llm import gate
from processing.models import LanguageModel, ModelGate
from tests.support.callers import Callers

MODEL = "gemini-3.8-flash"
database = pytest.mark.django_db


@pytest.fixture
def limited(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Set columns of the model; afterwards they are as they were."""
    request.getfixturevalue("committed" if "committed" in request.fixturenames else "db")
    before = LanguageModel.objects.filter(name=MODEL).values().get()

    def limit(**columns: Any) -> None:
        LanguageModel.objects.filter(name=MODEL).update(**columns)

    yield limit
    LanguageModel.objects.filter(name=MODEL).update(**before)


@pytest.fixture(scope="module")
def callers(process_environment: dict[str, str]) -> Iterator[Callers]:
    """Four processes."""
    with Callers(process_environment, 4) as four:
        yield four


def asked(callers: Callers, **task: Any) -> Counter[str]:
    """What came of it, in 16 threads of each process."""
    callers.go({"model": MODEL, "threads": 16, **task})
    return sum(map(Counter, callers.answers()), Counter())


def reason(found: gate.Entered | gate.Refused) -> str:
    assert isinstance(found, gate.Refused)
    return found.reason


def state() -> gate.Gate:
    return next(one for one in gate.states() if one.model == MODEL)


def later(seconds: float) -> None:
    """As if that time had passed."""
    with connection.cursor() as cursor:
        shift = "{0} = {0} - interval '1 s' * %(s)s".format
        columns = ", ".join(map(shift, ("window_started_at", "open_until", "half_open_since")))
        cursor.execute(f"UPDATE processing_modelgate SET {columns}", {"s": seconds})


def fail(times: int, trial: int = 0) -> None:
    for _ in range(times):
        gate.failed(MODEL, trial)


# --- rates ---------------------------------------------------------------------------------------


@database
@pytest.mark.req("LA-RATE")
def test_a_refused_call_is_not_counted_in_either_rate(limited: Any) -> None:
    limited(qpm=2, tpm=100)
    assert gate.enter(MODEL, 60) == gate.Entered(0)
    refused = gate.enter(MODEL, 60)
    assert isinstance(refused, gate.Refused) and refused.reason == "rate_tokens" and 50 < refused.retry_after_s <= 60
    assert gate.enter(MODEL, 40) == gate.Entered(0), "the refused one took neither a call nor tokens"
    assert reason(gate.enter(MODEL, 0)) == "rate_requests"
    assert (state().requests, state().tokens) == (2, 100)


@database
@pytest.mark.req("LA-RATE")
def test_a_new_window_has_all_of_the_limit(limited: Any) -> None:
    limited(qpm=1, tpm=100)
    assert gate.enter(MODEL, 100) == gate.Entered(0)
    later(59)
    assert reason(gate.enter(MODEL, 1)) == "rate_requests"
    later(1.1)
    assert state().requests == 0
    assert gate.enter(MODEL, 100) == gate.Entered(0)


@database
@pytest.mark.req("LA-RATE")
def test_limits_that_are_edited_hold_from_the_next_call_on(limited: Any) -> None:
    limited(qpm=1)
    gate.enter(MODEL, 1)
    assert reason(gate.enter(MODEL, 1)) == "rate_requests"
    limited(qpm=2)
    assert gate.enter(MODEL, 1) == gate.Entered(0)
    limited(enabled=False)
    assert reason(gate.enter(MODEL, 1)) == "disabled"


@database
@pytest.mark.req("LA-RATE")
def test_a_request_above_the_whole_limit_takes_a_window_for_itself(limited: Any) -> None:
    limited(tpm=100)
    assert gate.enter(MODEL, 1) == gate.Entered(0)
    assert reason(gate.enter(MODEL, 101)) == "rate_tokens"
    later(61)
    assert gate.enter(MODEL, 101) == gate.Entered(0)
    assert reason(gate.enter(MODEL, 1)) == "rate_tokens"


@database
@pytest.mark.req("LA-RATE")
def test_a_clock_that_was_set_back_shuts_nobody_out(limited: Any) -> None:
    limited(qpm=1)
    gate.enter(MODEL, 1)
    later(-3600)
    assert gate.enter(MODEL, 1) == gate.Entered(0)


@database
def test_an_unknown_model_is_disabled_and_counted() -> None:
    counted = metrics.MODEL_REFUSED.labels("nobody", "disabled")._value
    before = counted.get()
    assert reason(gate.enter("nobody", 1)) == "disabled"
    assert counted.get() == before + 1


@pytest.mark.req("LA-RATE")
@pytest.mark.parametrize(("limits", "why"), [({"qpm": 100}, "rate_requests"), ({"tpm": 1000}, "rate_tokens")])
def test_64_threads_of_4_processes_get_exactly_what_the_limit_allows(
    committed: None, limited: Any, callers: Callers, limits: dict[str, int], why: str
) -> None:
    limited(**{"qpm": 10_000, "tpm": 10_000_000, **limits})
    assert asked(callers, what="enter", tokens=10, tries=100) == {"entered": 100, why: 300}
    assert (state().requests, state().tokens) == (100, 1000)


# --- breaker -------------------------------------------------------------------------------------


@database
@pytest.mark.req("LA-CB")
def test_five_failures_in_a_row_open_it_and_a_success_between_starts_anew() -> None:
    gate.enter(MODEL, 1)
    fail(4)
    gate.succeeded(MODEL, 0)
    fail(4)
    assert gate.enter(MODEL, 1) == gate.Entered(0)
    fail(1)
    refused = gate.enter(MODEL, 1)
    assert isinstance(refused, gate.Refused) and refused.reason == "open" and 59 < refused.retry_after_s <= 60


@database
@pytest.mark.req("LA-CB")
def test_half_open_lets_three_in_the_first_counted_and_two_successes_close_it() -> None:
    gate.enter(MODEL, 1)
    fail(5)
    later(61)
    trials = [gate.enter(MODEL, 1) for _ in range(3)]
    assert trials == [gate.Entered(1)] * 3
    assert reason(gate.enter(MODEL, 1)) == "half_open_full"
    gate.failed(MODEL, 1)
    gate.succeeded(MODEL, 1)
    assert state().state == "half_open"
    gate.succeeded(MODEL, 1)
    assert (state().state, state().failures) == ("closed", 0)
    assert gate.enter(MODEL, 1) == gate.Entered(0)


@database
@pytest.mark.req("LA-CB")
def test_it_opens_again_once_two_of_three_trials_have_failed() -> None:
    gate.enter(MODEL, 1)
    fail(5)
    later(61)
    gate.enter(MODEL, 1)
    fail(1, trial=1)
    assert state().state == "half_open"
    fail(1, trial=1)
    assert state().state == "open" and 59 < state().trials_in_s <= 60


@database
@pytest.mark.req("LA-CB")
def test_trials_undecided_after_30_seconds_leave_it_open_for_another_60() -> None:
    gate.enter(MODEL, 1)
    fail(5)
    later(61)
    gate.enter(MODEL, 1)
    later(31)
    assert state().state == "open" and reason(gate.enter(MODEL, 1)) == "open"
    gate.succeeded(MODEL, 1)
    gate.succeeded(MODEL, 1)
    assert state().state == "open", "answers of an undecided period come too late"
    later(60)
    assert gate.enter(MODEL, 1) == gate.Entered(2)
    gate.failed(MODEL, 1)
    gate.failed(MODEL, 0)
    gate.failed(MODEL, 1)
    assert state().state == "half_open", "trials of an earlier period decide nothing"


@database
@pytest.mark.req("LA-CB")
def test_a_person_holds_it_open_and_closes_it() -> None:
    gate.set_state(MODEL, "open", "ann")
    later(10_000)
    assert reason(gate.enter(MODEL, 1)) == "open"
    assert (state().state, state().held_open, state().set_by) == ("open", True, "ann")
    gate.set_state(MODEL, "closed", "bob")
    assert gate.enter(MODEL, 1) == gate.Entered(0)
    with pytest.raises(LanguageModel.DoesNotExist):
        gate.set_state("nobody", "open", "ann")


@pytest.mark.req("LA-CB")
def test_of_64_threads_of_4_processes_exactly_three_are_trials(committed: None, limited: Any, callers: Callers) -> None:
    limited(qpm=10_000)
    gate.enter(MODEL, 1)
    asked(callers, what="fail", tries=16)
    assert state().state == "open"
    assert ModelGate.objects.get(model__name=MODEL).failures == 5, "the sixth failure found it open"
    assert asked(callers, what="enter", tokens=1, tries=50) == {"open": 200}
    later(61)
    assert asked(callers, what="enter", tokens=1, tries=50) == {"entered": 3, "half_open_full": 197}


# --- against a pure model ------------------------------------------------------------------------


@dataclass(frozen=True)
class Breaker:
    """The breaker as it is promised: times in seconds, one decision at a time."""

    state: str = "closed"
    failures: int = 0
    open_until: float = 0
    since: float = 0
    period: int = 0
    trials: int = 0
    good: int = 0
    bad: int = 0
    held: bool = False

    def at(self, now: float) -> "Breaker":
        """What time has made of it."""
        undecided = self.state == "half_open" and now >= self.since + 30
        return replace(self, state="open", open_until=self.since + 30 + 60) if undecided else self

    def enter(self, now: float) -> "tuple[Breaker, int | None]":
        """The trial's period, 0 where it is none, None where it is refused."""
        if self.held or (self.state == "open" and now < self.open_until):
            return self, None
        if self.state == "open":
            first = replace(self, state="half_open", since=now, period=self.period + 1, trials=1, good=0, bad=0)
            return first, first.period
        if self.state == "half_open":
            return (replace(self, trials=self.trials + 1), self.period) if self.trials < 3 else (self, None)
        return self, 0

    def succeeded(self, trial: int) -> "Breaker":
        if self.state == "half_open" and trial == self.period:
            closes = self.good == 1
            return replace(self, good=self.good + 1, state="closed" if closes else self.state, failures=0)
        return replace(self, failures=0) if self.state == "closed" else self

    def failed(self, trial: int, now: float) -> "Breaker":
        if self.state == "half_open" and trial == self.period:
            found = replace(self, bad=self.bad + 1)
            return replace(found, state="open", open_until=now + 60) if found.bad == 2 else found
        if self.state == "closed" and trial == 0:
            found = replace(self, failures=self.failures + 1)
            return replace(found, state="open", open_until=now + 60) if found.failures == 5 else found
        return self

    def set(self, wanted: str, now: float) -> "Breaker":
        return replace(self, state=wanted, held=wanted == "open", failures=0, open_until=now)


# No sum of these comes near 30, 60 or 90 seconds: the milliseconds that a test takes decide nothing.
WAITS_S = (4.0, 33.0, 64.0)
STEPS = st.one_of(
    st.tuples(st.just("enter"), st.just(0)),
    st.tuples(st.just("good"), st.integers(0, 2)),
    st.tuples(st.just("bad"), st.integers(0, 2)),
    st.tuples(st.just("break"), st.just(0)),
    st.tuples(st.just("wait"), st.sampled_from(WAITS_S)),
    st.tuples(st.just("set"), st.sampled_from(["open", "closed", "closed"])),
)

# Half of the histories begin with a first trial: chance alone seldom comes so far.
TRIED = [("break", 0), ("wait", 64.0), ("enter", 0)]


@database
@pytest.mark.req("LA-CB")
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(
    steps=st.tuples(st.sampled_from([[], TRIED]), st.lists(STEPS, min_size=3, max_size=25)).map(
        lambda two: two[0] + two[1]
    )
)
def test_it_does_what_the_pure_breaker_does(limited: Any, steps: list[tuple[str, Any]]) -> None:
    limited(qpm=1_000_000)
    ModelGate.objects.all().delete()
    ModelGate.objects.create(model=LanguageModel.objects.get(name=MODEL))
    breaker, now, trials = Breaker(), 0.0, [0]
    for what, given_value in steps:
        breaker = breaker.at(now)
        if what == "enter":
            breaker, expected = breaker.enter(now)
            found = gate.enter(MODEL, 1)
            assert (found.trial if isinstance(found, gate.Entered) else None) == expected, (steps, breaker)
            trials += [expected] if expected is not None else []
        elif what == "wait":
            now += given_value
            later(given_value)
        elif what == "set":
            breaker = breaker.set(given_value, now)
            gate.set_state(MODEL, given_value, "ann")
        elif what == "break":
            for _ in range(5):
                breaker = breaker.failed(0, now)
                gate.failed(MODEL, 0)
        else:
            trial = trials[-1 - given_value % len(trials)]
            if what == "good":
                breaker = breaker.succeeded(trial)
                gate.succeeded(MODEL, trial)
            else:
                breaker = breaker.failed(trial, now)
                gate.failed(MODEL, trial)
        expected_state = breaker.at(now)
        rested = expected_state.state == "open" and not expected_state.held and now >= expected_state.open_until
        assert state().state == ("half_open" if rested else expected_state.state), (steps, breaker)
