"""Each wrapper of a model call alone, around an inner one that does what the test says."""

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from catalogsku.core import metrics
from processing.llm import calls, chain, sending
from processing.llm.answers import PageAnswer
from processing.llm.call import Call, Raw
from processing.llm.parsing import Fault
from processing.llm.plan import CallPlan
from processing.llm.port import About, NotAnswered, Operation, Reply, Request
from processing.llm.prompts import all_shipped
from processing.llm.providers.port import (
    BadOutput,
    Image,
    Permanent,
    Prompt,
    RateLimited,
    RawAnswer,
    Transient,
    Unusable,
)
from processing.llm.routing import Routes
from processing.models import LanguageModel

GOOD = '{"page_type": "B", "confidence": 0.9, "count": 0}'
ZONES = {"page_text": "T", "page_tables": "", "page_pictures": "", "schema": "", "examples": ""}
REQUEST = Request(Operation.READ_PAGE, About(1, language="en"), ZONES, PageAnswer)


def model(name: str, price_micro: int = 1, **columns: Any) -> LanguageModel:
    given = {"provider": "qwen", "price_in_micro": price_micro, "price_out_micro": price_micro, "qpm": 1, "tpm": 1,
             "max_images": 1, "max_tokens": 100, "temperature": 0.0, "timeout_s": 1}  # fmt: skip
    return LanguageModel(name=name, **{**given, **columns})


CHEAP, DEAR = model("cheap", 1), model("dear", 9)
CALL = Call(REQUEST, model=CHEAP)


class Inner:
    """Gives or raises what it was given, in turn, and notes the calls."""

    def __init__(self, *said: Any) -> None:
        self.said, self.calls = list(said), list[Call]()

    def __call__(self, call: Call) -> Any:
        self.calls.append(call)
        said = self.said.pop(0)
        if isinstance(said, Exception):
            raise said
        return said


def reply(**more: Any) -> Reply[Any]:
    return Reply(PageAnswer.model_validate_json(GOOD), "cheap", "v1", 1, **more)


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds that were slept instead; how answers were parsed is not written down."""
    slept: list[float] = []
    monkeypatch.setattr(sending, "time", SimpleNamespace(sleep=slept.append))
    monkeypatch.setattr(calls, "parsed", lambda *given, **named: None)
    return slept


# --- prompted, guarded -----------------------------------------------------------------------------


@pytest.mark.req("GR-CRITIQUE")
def test_prompted_words_the_frozen_version_with_zones_and_faults() -> None:
    inner = Inner(reply(), reply())
    ask = chain.prompted(inner, all_shipped())
    ask(Call(REQUEST))
    ask(Call(replace(REQUEST, faults=(Fault("a.b", "<5>", "too small"),))))
    plain, told = inner.calls
    assert plain.system and plain.user and plain.prompt_version and plain.user != told.user
    assert "- a.b: '&lt;5&gt;': too small" in told.user


@pytest.mark.req("LA-GUARD")
@pytest.mark.parametrize(
    ("score", "policy", "reasons"),
    [
        (0.0, "normal", ()),
        (0.69, "normal", ()),
        (0.7, "strict_schema", ()),
        (0.89, "strict_schema", ()),
        (0.9, "force_review", ("injection_suspected",)),
        (1.0, "force_review", ("injection_suspected",)),
    ],
)
def test_guarded_is_strict_or_asks_a_person(score: float, policy: str, reasons: tuple[str, ...]) -> None:
    inner = Inner(reply())
    found = chain.guarded(inner)(Call(replace(REQUEST, injection=score)))
    assert (inner.calls[0].policy, found.reasons) == (policy, reasons)


# --- routed ----------------------------------------------------------------------------------------


def routed(inner: Inner, *failed: str, models: tuple[LanguageModel, ...] = (CHEAP, DEAR)) -> Callable[..., Any]:
    ask = chain.routed(inner, Routes(), models, failed)
    return lambda **changes: ask(Call(replace(REQUEST, **changes)))


def asked(inner: Inner) -> list[tuple[str, str, bool]]:
    return [(call.asked_model.name, call.downgraded, call.is_last) for call in inner.calls]


@pytest.mark.req("LA-ROUTE")
def test_routed_asks_the_next_model_with_the_reason_and_the_first_one_last_from_then_on() -> None:
    inner = Inner(NotAnswered("http_500"), reply(), reply())
    ask = routed(inner)
    ask()
    ask()
    assert asked(inner) == [("cheap", "", False), ("dear", "http_500", True), ("dear", "http_500", False)]


def test_routed_raises_what_the_last_one_failed_with_but_the_soonest_time_where_one_is_busy() -> None:
    with pytest.raises(NotAnswered, match="blocked"):
        routed(Inner(NotAnswered("http_500"), NotAnswered("blocked")))()
    busy = (NotAnswered("rate_limited", "", 9.0), NotAnswered("rate_tokens", "", 4.0))
    with pytest.raises(NotAnswered) as raised:
        routed(Inner(*busy))()
    assert (raised.value.code, raised.value.retry_after_s) == ("rate_tokens", 4.0)


@pytest.mark.req("PL-C13")
def test_routed_asks_nobody_else_once_the_calls_are_used_up() -> None:
    inner = Inner(NotAnswered("call_limit"))
    with pytest.raises(NotAnswered, match="call_limit"):
        routed(inner)()
    assert len(inner.calls) == 1


@pytest.mark.req("LA-SEM", "LA-BUDGET")
def test_routed_knows_models_that_failed_are_excluded_or_missing() -> None:
    inner = Inner(reply(), reply())
    routed(inner, "cheap")()
    routed(inner)(but=("cheap",))
    assert asked(inner) == [("dear", "semantic", False), ("dear", "", True)]
    for given, code in ((("cheap", "dear"), "semantic"), ((), "no_model")):
        with pytest.raises(NotAnswered, match=code):
            routed(Inner(), *given, models=(CHEAP, DEAR) if given else ())()


# --- parsed ----------------------------------------------------------------------------------------


def raw(text: str, finish: str = "stop") -> Raw:
    return Raw(text, finish, 1, kept=False)


def parsed(inner: Inner, call: Call = CALL, plan: CallPlan | None = None) -> Any:
    return chain.parsed(inner, all_shipped(), plan or CallPlan())(call)


@pytest.mark.req("LA-PARSE", "GR-CRITIQUE")
def test_parsed_names_the_faults_and_asks_again_three_times_at_most() -> None:
    bad = [f'{{"page_type": "L{n}", "confidence": 0.9, "count": 0}}' for n in (7, 8, 9, 6)]
    inner = Inner(raw(bad[0]), raw(bad[1]), raw(GOOD))
    assert parsed(inner).data.page_type == "B"
    assert ["L7" in call.user for call in inner.calls] == [False, True, False]
    assert [call.attempt for call in inner.calls] == [1, 2, 3]
    inner = Inner(*map(raw, bad))
    with pytest.raises(NotAnswered, match="answer_unusable"):
        parsed(inner)
    assert len(inner.calls) == 4 and len({call.user for call in inner.calls}) == 4


@pytest.mark.req("GR-CRITIQUE")
def test_parsed_never_sends_the_same_prompt_twice() -> None:
    inner = Inner(*[raw("no JSON")] * 4)
    with pytest.raises(NotAnswered, match="answer_unusable"):
        parsed(inner)
    assert len(inner.calls) == 2


@pytest.mark.req("PL-C13")
def test_parsed_leaves_another_model_its_call() -> None:
    inner = Inner(raw("no"), raw(GOOD))
    plan = CallPlan()
    for _ in range(5):
        plan.take()
    with pytest.raises(NotAnswered, match="answer_unusable"):
        parsed(inner, replace(CALL, is_last=False), plan)
    assert len(inner.calls) == 1
    assert parsed(Inner(raw("no"), raw(GOOD)), CALL, plan).data.page_type == "B"


@pytest.mark.req("LA-GUARD", "LA-PARSE")
def test_parsed_refuses_what_is_odd_only_where_the_page_gives_orders() -> None:
    odd = '{"page_type": "B", "confidence": 0.9, "count": 0, "aside": ["http://a.example"]}'
    assert parsed(Inner(raw(odd))).reasons == ("answer_odd",)
    inner = Inner(raw(odd), raw(GOOD))
    assert parsed(inner, replace(CALL, policy="strict_schema")).reasons == ()
    assert "aside" in inner.calls[1].user


def test_parsed_says_where_an_answer_was_repaired() -> None:
    assert parsed(Inner(raw(GOOD + "\n" + GOOD.replace("0.9", "0.8")))).reasons == ("answer_repaired",)


# --- retried ---------------------------------------------------------------------------------------


def retried(inner: Inner, call: Call = CALL, plan: CallPlan | None = None) -> Raw:
    return sending.retried(inner, plan or CallPlan())(call)


@pytest.mark.req("LA-RETRY")
def test_retried_tries_trouble_on_the_way_twice_more_at_growing_distances(no_waiting: list[float]) -> None:
    inner = Inner(Transient("http_503"), Transient("connection"), raw(GOOD))
    assert retried(inner).text == GOOD
    first, second = no_waiting
    assert 0.5 <= first <= 1.0 <= second <= 2.0
    inner = Inner(*[Transient("http_503")] * 3)
    with pytest.raises(NotAnswered, match="http_503"):
        retried(inner)
    assert len(inner.calls) == 3


@pytest.mark.req("LA-RETRY")
@pytest.mark.parametrize(
    ("error", "code", "after_s"),
    [
        (Permanent("http_400"), "http_400", None),
        (Transient("timeout"), "timeout", None),
        (RateLimited("http_429", "", 7.0), "rate_limited", 7.0),
        (RateLimited("http_429", "", 3600.0), "quota_spent", None),
    ],
)
def test_retried_does_not_hold_a_page_for_what_will_not_pass(error: Any, code: str, after_s: float | None) -> None:
    inner = Inner(error)
    with pytest.raises(NotAnswered) as raised:
        retried(inner)
    assert (raised.value.code, raised.value.retry_after_s) == (code, after_s)


@pytest.mark.req("LA-RETRY")
def test_retried_waits_as_long_as_it_is_told_where_that_is_short(no_waiting: list[float]) -> None:
    assert retried(Inner(RateLimited("http_429", "", 2.5), raw(GOOD))).text == GOOD
    assert no_waiting == [2.5]


@pytest.mark.req("PL-C13")
def test_retried_takes_no_call_of_a_later_question() -> None:
    plan = CallPlan()
    for _ in range(4):
        plan.take()
    inner = Inner(Transient("http_503"))
    with pytest.raises(NotAnswered, match="http_503"):
        retried(inner, replace(CALL, request=replace(REQUEST, keep=2)), plan)
    assert len(inner.calls) == 1


# --- what goes wrong is counted -----------------------------------------------------------------------


def counted(counter: Any, *labels: str) -> float:
    return float(counter.labels(*labels)._value.get())


@pytest.mark.req("LA-PARSE")
@pytest.mark.parametrize(
    ("text", "finish", "reason"),
    [
        ("nonsense", "stop", "not_json"),
        ('{"page_type": "B", "conf', "length", "cut"),
        ("x" * 200_001, "stop", "too_long"),
        ("[" * 3 + '{"a":' * 30 + "1" + "}" * 30, "stop", "too_deep"),
        ('{"confidence": NaN}', "stop", "no_number"),
        ('{"page_type": "A", "page_type": "B"}', "stop", "key_twice"),
        ('{"page_type": "Z"}', "stop", "schema"),
    ],
)
def test_an_answer_that_cannot_be_used_is_counted_by_model_operation_and_reason(
    text: str, finish: Any, reason: str
) -> None:
    labels = ("cheap", "read_page", reason)
    before = counted(metrics.MODEL_UNPARSED, *labels)
    asking = chain.parsed(Inner(Raw(text, finish, 1, kept=False)), all_shipped(), CallPlan(limit=1))
    with pytest.raises((NotAnswered, IndexError)):
        asking(CALL)
    assert counted(metrics.MODEL_UNPARSED, *labels) == before + 1


@pytest.mark.req("LA-ROUTE", "LA-TRACE")
@pytest.mark.parametrize(
    ("said", "after_s", "model_name", "reason", "times"),
    [
        ("http_503", None, "cheap", "http_503", 1),
        ("call_limit", None, "cheap", "call_limit", 1),
        ("rate_requests", 5.0, "cheap", "rate_requests", 0),
        ("quota_spent", None, "cheap", "quota_spent", 1),
    ],
)
def test_a_question_that_no_model_answers_is_counted_but_one_that_is_only_asked_later(
    said: str, after_s: float | None, model_name: str, reason: str, times: int
) -> None:
    labels = (model_name, "read_page", reason)
    before = counted(metrics.MODEL_FALLBACKS, *labels)
    errors = [NotAnswered(said, retry_after_s=after_s) for _ in range(2)]
    asking = chain.routed(Inner(*errors), Routes(), [CHEAP, DEAR], [])
    with pytest.raises(NotAnswered, match=said):
        asking(Call(REQUEST))
    assert counted(metrics.MODEL_FALLBACKS, *labels) == before + times
    answered = chain.routed(Inner(reply()), Routes(), [CHEAP, DEAR], [])
    answered(Call(REQUEST))
    assert counted(metrics.MODEL_FALLBACKS, *labels) == before + times


def test_without_a_model_the_fallback_is_nobodys() -> None:
    before = counted(metrics.MODEL_FALLBACKS, "none", "read_page", "no_model")
    with pytest.raises(NotAnswered, match="no_model"):
        chain.routed(Inner(), Routes(), [], [])(Call(REQUEST))
    assert counted(metrics.MODEL_FALLBACKS, "none", "read_page", "no_model") == before + 1


@pytest.mark.req("LA-ROLLBACK")
@pytest.mark.parametrize("begun", [calls.Sent(7), calls.Kept(7, GOOD, calls.Usage(1, 1, 1, 1, finish="stop"))])
def test_booked_tells_the_row_of_a_call_and_of_a_kept_answer(monkeypatch: pytest.MonkeyPatch, begun: Any) -> None:
    rows: list[int] = []
    monkeypatch.setattr(calls, "begin", lambda facts: begun)
    monkeypatch.setattr(calls, "answered", lambda call_id, text, usage: None)
    answer = RawAnswer(GOOD, "stop", 1, 1, 0, "m", 5)
    sending.booked(Inner(answer), CallPlan(), rows.append)(CALL)
    assert rows == [7]


# --- what was cached ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cached", "charged"),
    [(None, 1000), (0, 200), (100, 280), (1000, 1000)],
)
def test_cached_tokens_cost_their_own_price(cached: int | None, charged: int) -> None:
    """Micro-USD of 1000 tokens in, 800 of them cached, at 1 USD a million."""
    priced = model("m", 1_000_000, price_cached_micro=cached and cached * 1000)
    assert priced.cost_micro(1000, 0, 800) == charged
    assert priced.cost_micro(1000, 7, 0) == 1007
    assert priced.cost_micro(1000, 0, 5000) == priced.cost_micro(1000, 0, 1000), "no more are cached than went in"
    assert priced.cost_micro(1000, 0, -5) == 1000


@pytest.mark.req("LA-BUDGET", "LA-TRACE")
@pytest.mark.parametrize(("counted", "cached"), [(800, 800), (5000, 1000), (-5, 0)])
@pytest.mark.parametrize("is_good", [True, False])
def test_booked_charges_and_writes_down_what_was_cached(
    monkeypatch: pytest.MonkeyPatch, counted: int, cached: int, is_good: bool
) -> None:
    written: list[calls.Usage] = []
    monkeypatch.setattr(calls, "begin", lambda facts: calls.Sent(7))
    monkeypatch.setattr(calls, "answered", lambda call_id, text, usage: written.append(usage))
    priced = model("m", 1_000_000, price_cached_micro=100_000)
    answer = RawAnswer(GOOD, "stop", 1000, 20, 0, "m", 5, tokens_cached=counted)
    said = answer if is_good else BadOutput("blocked", "", 1000, 20, counted)
    call_it = sending.booked(Inner(said), CallPlan())
    if is_good:
        call_it(replace(CALL, model=priced))
    else:
        with pytest.raises(BadOutput):
            call_it(replace(CALL, model=priced))
    (usage,) = written
    assert (usage.tokens_in, usage.tokens_out, usage.tokens_cached) == (1000, 20, cached)
    assert usage.cost_micro == 1000 - cached + cached // 10 + 20


@pytest.mark.req("LA-PROMPT")
def test_prompted_puts_what_is_the_same_for_every_page_into_the_task() -> None:
    asked = []
    for text in ("page one", "page two"):
        inner = Inner(reply())
        request = replace(REQUEST, operation=Operation.READ_PAGE, zones={**ZONES, "page_text": text})
        chain.prompted(inner, all_shipped())(Call(request))
        asked += inner.calls
    one, two = asked
    assert one.task == two.task != "" and one.system == two.system
    assert "page one" in one.user and "page two" in two.user and "page" in one.task


# --- provided, request_key ---------------------------------------------------------------------------


@pytest.mark.req("LA-KEYROT")
@pytest.mark.parametrize(
    ("error", "tried"),
    [
        (Permanent("http_401"), 2),
        (Permanent("http_403"), 2),
        (Permanent("bad_key"), 2),
        (Permanent("http_400"), 1),
        (Permanent("http_400", "INVALID_ARGUMENT: API key not valid. Please pass a valid API key."), 2),
    ],
    ids=lambda value: str(value),
)
def test_provided_tries_the_older_key_where_the_newer_is_refused(
    monkeypatch: pytest.MonkeyPatch, error: Permanent, tried: int
) -> None:
    used: list[str] = []

    class Refusing:
        def ask(self, name: str, prompt: Prompt, *, api_key: str, timeout_s: float) -> RawAnswer:
            used.append(api_key)
            if api_key == "new":
                raise error
            return RawAnswer(GOOD, "stop", 1, 1, 0, name, 1)

    monkeypatch.setattr(sending, "provider_named", lambda name: Refusing())
    monkeypatch.setattr(sending, "key_for", lambda name: ("new", "old"))
    if tried == 2:
        assert sending.provided(CALL).text == GOOD
    else:
        with pytest.raises(Permanent):
            sending.provided(CALL)
    assert used == ["new", "old"][:tried]


def test_provided_leaves_it_to_the_provider_whether_a_key_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "key_for", lambda name: ())
    with pytest.raises(Unusable, match="no_key"):
        sending.provided(CALL)  # Qwen needs one

    class Own:
        def ask(self, name: str, prompt: Prompt, *, api_key: str, timeout_s: float) -> RawAnswer:
            return RawAnswer(f"key: {api_key!r}", "stop", 1, 1, 0, name, 1)

    monkeypatch.setattr(sending, "provider_named", lambda name: Own())
    assert sending.provided(CALL).text == "key: ''"


@pytest.mark.req("GR-CACHE")
def test_a_request_key_changes_with_everything_that_an_answer_depends_on() -> None:
    shot = Image("image/jpeg", b"1", "screenshot")
    base = Call(replace(REQUEST, images=(shot,)), system="s", user="u", prompt_version="v1")
    others = [
        replace(base, system="t"), replace(base, task="t"), replace(base, user="v"), replace(base, prompt_version="v2"),
        replace(base, attempt=2), replace(base, request=replace(base.request, operation=Operation.EVALUATE_DOCUMENT)),
        replace(base, request=replace(base.request, images=(Image("image/jpeg", b"2", "screenshot"),))),
        replace(base, request=replace(base.request, about=replace(base.about, profile="strict"))),
    ]  # fmt: skip
    keys = [sending.request_key(call, CHEAP) for call in (base, *others)]
    keys += [
        sending.request_key(base, other)
        for other in (
            *(DEAR, model("cheap", temperature=0.5), model("cheap", max_tokens=5)),
            *(model("cheap", thinking_level=level) for level in ("off", "low")),
            *(model("cheap", media_resolution="high"), model("cheap", max_image_px=512)),
        )
    ]
    assert len(set(keys)) == len(keys)
    elsewhere = replace(base.about, merchant_id=2, job_id=3, page_id=4, bucket="b")
    assert sending.request_key(replace(base, request=replace(base.request, about=elsewhere)), CHEAP) == keys[0]
