"""Around each call of a model, in this order (DESIGN 7). Read ``model_chain`` first; every wrapper is one concern.

Above the parser a call gives a checked Reply, below it a Raw answer. Whatever goes wrong leaves as NotAnswered.
"""

import hashlib
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from catalogsku.core import crash_points, metrics
from catalogsku.profiles.wording import RULES
from processing.engine.guard.inspect import Policy, policy_for, score_of_text
from processing.llm import calls, gate
from processing.llm.anomalies import anomalies
from processing.llm.keys import key_for
from processing.llm.observed import generation
from processing.llm.parsing import Fault, parse, quoted
from processing.llm.plan import CallPlan
from processing.llm.port import PUT_BACK, About, Ask, Data, NotAnswered, Reply, Request
from processing.llm.prompts import Wording, compose
from processing.llm.providers import provider_named
from processing.llm.providers.port import BadOutput, ModelError, Permanent, Prompt, RateLimited, RawAnswer, Transient
from processing.llm.routing import Priced, Routes, select_model
from processing.models.llm import LanguageModel

API_RETRIES, API_DELAY_S, API_DELAY_MAX_S = 2, 1.0, 15.0
PARSE_RETRIES = 3
# A provider that names a longer wait gets the page back later; a thread is not held for it.
WAITED_FOR_S = 5.0
# A quota that is spent for hours is no rate: the next model is asked, and then the rules.
LONGEST_WAIT_S = 120.0
# About how many tokens an image of 1536 px and a sign of text are, at most.
TOKENS_AN_IMAGE, HAN_TOKENS, LATIN_TOKENS = 2600, 1.0, 0.4
# Reasons for which no other model is asked.
FINAL = frozenset({"call_limit"})
# Too many of a model's answers in this job were of no use (LA-SEM).
SEMANTIC = "semantic"


@dataclass(frozen=True)
class Call:
    """A request on its way in; each wrapper fills in what it is for. ``attempt``: of the parser;
    ``is_last``: no other model can be asked after this one."""

    request: Request[Any]
    system: str = ""
    user: str = ""
    prompt_version: str = ""
    policy: Policy = "normal"
    model: LanguageModel | None = None
    attempt: int = 1
    is_last: bool = True
    downgraded: str = ""
    call_id: int = 0

    @property
    def about(self) -> About:
        return self.request.about

    @property
    def asked_model(self) -> LanguageModel:
        """Below the router there is one."""
        assert self.model is not None
        return self.model


@dataclass(frozen=True)
class Raw:
    """An answer as it came, in the ledger already."""

    text: str
    finish: str
    call_id: int
    kept: bool


Wordings = Mapping[str, Wording]
Asking = Callable[[Call], Reply[Any]]
Calling = Callable[[Call], Raw]
Sending = Callable[[Call], RawAnswer]


def model_chain(
    plan: CallPlan,
    wordings: Wordings,
    routes: Routes,
    models: Sequence[LanguageModel],
    failed: Sequence[str] = (),
    sending: Sending | None = None,
) -> Ask:
    """The whole way of a question, outermost first. ``models``: those that may be asked now; ``failed``: of them those
    that this job had too many bad answers from; ``sending`` takes the place of the providers."""
    calling = retried(booked(gated(observed(sending or provided)), plan), plan)
    routing = routed(parsed(calling, wordings, plan), routes, models, failed)
    asking = prompted(guarded(routing), wordings)

    def ask(request: Request[Data]) -> Reply[Data]:
        return asking(Call(request))

    return ask


def prompted(inner: Asking, wordings: Wordings) -> Asking:
    """The frozen version of the prompt, with the page's zones in it."""

    def ask(call: Call) -> Reply[Any]:
        return inner(_worded(call, wordings, call.request.faults))

    return ask


def _worded(call: Call, wordings: Wordings, faults: Sequence[Fault]) -> Call:
    asked = call.request
    zones = {**asked.zones, "faults": quoted(faults)}
    text = compose(wordings[asked.key], wordings[RULES], asked.about.language, zones)
    return replace(call, system=text.system, user=text.user, prompt_version=text.version)


def guarded(inner: Asking) -> Asking:
    """Text that tries to give orders makes the answer one for a person, or at least a strict one (LA-GUARD)."""

    def ask(call: Call) -> Reply[Any]:
        policy = policy_for(call.request.injection)
        if policy != "normal":
            metrics.MODEL_INJECTIONS.labels(policy).inc()
        reply = inner(replace(call, policy=policy))
        if policy == "force_review":
            return replace(reply, reasons=(*reply.reasons, "injection_suspected"))
        return reply

    return ask


def routed(inner: Asking, routes: Routes, models: Sequence[LanguageModel], failed: Sequence[str]) -> Asking:
    """Preferred model first, then those after it; what the last one fails with is what the page hears.

    A model that owed this page an answer once is asked last for the rest of it: of six calls none is left to find out
    again.
    """
    by_name = {model.name: model for model in models}
    owing: dict[str, str] = {}

    def ask(call: Call) -> Reply[Any]:
        asked, about = call.request, call.about
        priced = [Priced(m.name, m.price_out_micro) for m in models if m.name not in asked.but]
        given = (routes, asked.operation, about.page_type, about.complexity, priced)
        choice = select_model(*given, failed, asked.model)
        metrics.MODEL_ROUTES.labels(asked.operation, about.page_type, about.complexity, choice.route).inc()
        preferred = next(iter(select_model(*given, (), asked.model).models), "")
        passed_over = {**dict.fromkeys(failed, SEMANTIC), **owing}
        refusals: list[NotAnswered] = []
        names = sorted(choice.models, key=lambda name: name in owing)
        for n, name in enumerate(names, 1):
            why = refusals[-1].code if refusals else "" if name == preferred else passed_over.get(preferred, "")
            try:
                return inner(replace(call, model=by_name[name], downgraded=why, is_last=n == len(names)))
            except NotAnswered as error:
                if error.code in FINAL:
                    raise
                metrics.MODEL_DOWNGRADES.labels(name, error.code).inc()
                owing[name] = error.code
                refusals.append(error)
        raise _refused(refusals) if refusals else NotAnswered(SEMANTIC if preferred else "no_model")

    return ask


def _refused(refusals: Sequence[NotAnswered]) -> NotAnswered:
    """The soonest time at which it may go through where one model is only busy; else why the last one would not."""
    busy = [error for error in refusals if error.code in PUT_BACK and error.retry_after_s is not None]
    if busy:
        return min(busy, key=lambda error: error.retry_after_s or 0.0)
    return refusals[-1]


def parsed(inner: Calling, wordings: Wordings, plan: CallPlan) -> Asking:
    """The answer as data; what does not fit is said to the model, which is asked again (LA-PARSE, GR-CRITIQUE), but
    never with the same prompt."""

    def ask(call: Call) -> Reply[Any]:
        faults, said = call.request.faults, set[str]()
        for attempt in range(1, PARSE_RETRIES + 2):
            worded = call if attempt == 1 else _worded(call, wordings, faults)
            if worded.user in said or (attempt > 1 and not _may_repeat(call, plan)):
                break
            said.add(worded.user)
            try:
                raw = inner(replace(worded, attempt=attempt))
            except NotAnswered as error:
                if error.code == "call_limit" and attempt > 1:
                    break
                raise
            reply, faults = _read(call, raw)
            if reply is not None:
                return reply
        raise NotAnswered("answer_unusable", quoted(faults)[:300])

    return ask


def _read(call: Call, raw: Raw) -> tuple[Reply[Any] | None, tuple[Fault, ...]]:
    """The answer as a reply, or what is wrong with it; where the page gives orders also what is merely odd."""
    asked = call.request
    found = parse(raw.text, raw.finish, asked.answer)
    odd: tuple[Fault, ...] = ()
    if found.data is not None:
        strict = call.policy == "strict_schema"
        odd = anomalies(found.data, strict=strict, places=asked.places, ids=asked.ids, instruction_score=score_of_text)
    if found.data is None or (odd and call.policy == "strict_schema"):
        calls.parsed(raw.call_id, found.method or "failed", needs_review=True)
        return None, found.faults or odd
    reasons = (*(("answer_repaired",) if found.needs_review else ()), *(("answer_odd",) if odd else ()))
    calls.parsed(raw.call_id, found.method, needs_review=bool(reasons))
    model, version = call.asked_model.name, call.prompt_version
    return Reply(found.data, model, version, raw.call_id, raw.kept, reasons, call.downgraded), ()


def _may_repeat(call: Call, plan: CallPlan) -> bool:
    """A repeat takes neither the call that another model could have nor those of later questions."""
    return plan.left(call.request.keep) > (0 if call.is_last else 1)


def retried(inner: Calling, plan: CallPlan) -> Calling:
    """Trouble on the way is tried again at once, twice, at growing distances (LA-RETRY).

    A call that ran into its time limit has held the page for long and may have to be paid: another model is next.
    """

    def call_it(call: Call) -> Raw:
        for attempt in range(API_RETRIES + 1):
            try:
                return inner(call)
            except (Transient, RateLimited) as error:
                delay_s = _delay_s(error, attempt)
                too_late = attempt == API_RETRIES or delay_s > WAITED_FOR_S or error.code == "timeout"
                if too_late or not _may_repeat(call, plan):
                    raise _gone_wrong(error) from error
                time.sleep(delay_s)
            except ModelError as error:
                raise _gone_wrong(error) from error
        raise AssertionError("unreachable")

    return call_it


def _delay_s(error: ModelError, attempt: int) -> float:
    named = error.retry_after_s if isinstance(error, RateLimited) else None
    if named is not None:
        return float(named)
    return min(API_DELAY_S * 2**attempt, API_DELAY_MAX_S) * random.uniform(0.5, 1.0)


def _gone_wrong(error: ModelError) -> NotAnswered:
    if isinstance(error, RateLimited):
        wait_s = error.retry_after_s or API_DELAY_MAX_S
        if wait_s > LONGEST_WAIT_S:
            return NotAnswered("quota_spent", error.detail)
        return NotAnswered("rate_limited", error.detail, wait_s)
    return NotAnswered(error.code, error.detail)


def booked(inner: Sending, plan: CallPlan) -> Calling:
    """In the ledger with its reservation before it leaves, with its answer before anything looks at it (X-NOBILL).

    The same question that this merchant had answered already costs nothing (GR-CACHE).
    """

    def call_it(call: Call) -> Raw:
        begun = calls.begin(_facts(call, call.asked_model))
        if isinstance(begun, calls.Kept):
            plan.take_kept()
            return _usable(Raw(begun.text, begun.usage.finish, begun.call_id, kept=True))
        if isinstance(begun, calls.Waiting):
            raise NotAnswered("asked_already", retry_after_s=begun.retry_after_s)
        if isinstance(begun, calls.OverBudget):
            raise NotAnswered(f"over_budget_{begun.scope}")
        if not plan.take(call.request.keep):
            calls.withdraw(begun.call_id)
            metrics.MODEL_CALL_LIMIT.inc()
            raise NotAnswered("call_limit")
        return _sent(inner, call, begun.call_id, plan)

    return call_it


def _usable(raw: Raw) -> Raw:
    """A blocked or empty answer is kept too, under the reason in place of its finish."""
    if not raw.text and raw.finish not in ("stop", "length"):
        raise NotAnswered(raw.finish or "empty")
    return raw


def _sent(inner: Sending, call: Call, call_id: int, plan: CallPlan) -> Raw:
    model = call.asked_model
    try:
        crash_points.reached("model.before_call")
        answer = inner(replace(call, call_id=call_id))
        crash_points.reached("model.after_call")
    except NotAnswered:  # the gate is shut: nothing has left
        calls.withdraw(call_id)
        plan.give_back()
        raise
    except RateLimited:  # turned away for its number: no call of the page's six
        calls.failed(call_id, calls.TURNED_AWAY, calls.Fate.REFUSED)
        plan.give_back()
        raise
    except BadOutput as error:
        if error.code == "unreadable_body":  # what it cost stood in there, and there is nothing to keep
            calls.failed(call_id, error.code, calls.Fate.UNKNOWN)
            raise
        cost = model.cost_micro(error.tokens_in, error.tokens_out)
        calls.answered(call_id, "", calls.Usage(error.tokens_in, error.tokens_out, cost, 0, finish=error.code))
        raise
    except ModelError as error:
        calls.failed(call_id, error.code, _fate(error))
        raise
    cost = model.cost_micro(answer.tokens_in, answer.tokens_out)
    truncated = call.request.images_truncated
    calls.answered(
        call_id,
        answer.text,
        calls.Usage(
            answer.tokens_in, answer.tokens_out, cost, answer.latency_ms, answer.image_tokens, truncated, answer.finish
        ),
    )
    return Raw(answer.text, answer.finish, call_id, kept=False)


def _fate(error: ModelError) -> calls.Fate:
    """What the call has cost: nothing where it never left or was refused, maybe all where the answer got lost."""
    if not isinstance(error, Transient) or error.code.startswith("http_"):
        return calls.Fate.REFUSED
    return calls.Fate.UNSENT if error.code == "connection" else calls.Fate.UNKNOWN


def _facts(call: Call, model: LanguageModel) -> calls.Facts:
    about, tokens = call.about, tokens_in(call)
    return calls.Facts(
        merchant_id=about.merchant_id, job_id=about.job_id, page_id=about.page_id, category=about.category,
        operation=call.request.operation, model=model.name, prompt_version=call.prompt_version, bucket=about.bucket,
        attempt=call.attempt, request_key=request_key(call, model),
        upper_bound_micro=model.cost_micro(tokens, model.max_tokens), downgrade_reason=call.downgraded,
        injection=call.request.injection,
    )  # fmt: skip


def request_key(call: Call, model: LanguageModel) -> str:
    """SHA-256 of the exact request (GR-CACHE)."""
    asked = call.request
    parts = [
        asked.operation, asked.variant, model.name, call.prompt_version, asked.about.profile, call.system, call.user,
        [hashlib.sha256(image.data).hexdigest() for image in asked.images], call.attempt, model.temperature,
        model.max_tokens, asked.examples,
    ]  # fmt: skip
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()


def tokens_in(call: Call) -> int:
    """At most so many tokens go in; the true number comes with the answer."""
    text = call.system + call.user
    wide = sum(1 for sign in text if ord(sign) > 0x2E7F)
    signs = wide * HAN_TOKENS + (len(text) - wide) * LATIN_TOKENS
    return int(signs) + TOKENS_AN_IMAGE * len(call.request.images) + 1


def gated(inner: Sending) -> Sending:
    """Let in by the model's breaker and rates, and its health told from how the call ends (LA-CB, LA-RATE)."""

    def send(call: Call) -> RawAnswer:
        model = call.asked_model
        entry = gate.enter(model.name, tokens_in(call))
        if isinstance(entry, gate.Refused):
            raise NotAnswered(entry.reason, retry_after_s=entry.retry_after_s)
        if not calls.sending(call.call_id):
            raise NotAnswered("asked_already", retry_after_s=calls.LOOK_AGAIN_S)
        try:
            answer = inner(call)
        except (Transient, RateLimited):
            gate.failed(model.name, entry.trial)
            raise
        except ModelError:
            gate.succeeded(model.name, entry.trial)
            raise
        gate.succeeded(model.name, entry.trial)
        return answer

    return send


def observed(inner: Sending) -> Sending:
    """Shown to whom the settings name; without effect on the call (LA-TRACE)."""

    def send(call: Call) -> RawAnswer:
        model, about = call.asked_model, call.about
        with generation(
            call.request.key,
            model=model.name,
            input={"system": call.system, "user": call.user, "images": [image.label for image in call.request.images]},
            version=call.prompt_version,
            metadata={"job": about.job_id, "page": about.page_id, "attempt": call.attempt, "call": call.call_id},
        ) as tell:
            try:
                answer = inner(call)
            except ModelError as error:
                tell(level="ERROR", status_message=error.code)
                raise
            tell(output=answer.text, usage_details={"input": answer.tokens_in, "output": answer.tokens_out})
            return answer

    return send


def _is_of_the_key(error: Permanent) -> bool:
    """Gemini says 400 to a key that it does not know, 403 to one that may no longer."""
    return error.code in ("http_401", "http_403", "bad_key") or "api key" in error.detail.lower()


def provided(call: Call) -> RawAnswer:
    """The provider's own kit, with the newest key; an older one where that is refused (LA-KEYROT)."""
    model, asked = call.asked_model, call.request
    prompt = Prompt(
        call.system, call.user, asked.images, asked.answer.model_json_schema(), model.temperature, model.max_tokens
    )
    provider, keys = provider_named(model.provider), key_for(model.provider)
    for n, key in enumerate(keys, 1):
        try:
            return provider.ask(model.name, prompt, api_key=key, timeout_s=model.timeout_s)
        except Permanent as error:
            if n == len(keys) or not _is_of_the_key(error):
                raise
    raise Permanent("no_key", model.provider)
