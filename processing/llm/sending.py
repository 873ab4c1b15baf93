"""Below the parser: a call leaves at most once at a time, within rates and budget, and is in the ledger before it does.

Outermost first: ``retried``, ``booked``, ``gated``, ``observed``, ``provided`` (put together in chain.py).
"""

import hashlib
import random
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import msgspec

from catalogsku.core import crash_points, metrics
from processing.llm import batched, calls, gate
from processing.llm.answers import schema_of
from processing.llm.call import Call, Calling, Raw, Sending
from processing.llm.keys import key_for, mark_of
from processing.llm.models import LanguageModel
from processing.llm.observed import generation
from processing.llm.pictures import shrunk
from processing.llm.plan import CallPlan
from processing.llm.port import NotAnswered
from processing.llm.providers import provider_named
from processing.llm.providers.port import (
    BadOutput,
    Image,
    ModelError,
    Permanent,
    Prompt,
    RateLimited,
    RawAnswer,
    Transient,
    Unusable,
    cached_of,
)

API_RETRIES, API_DELAY_S, API_DELAY_MAX_S = 2, 1.0, 15.0
# A provider that names a longer wait gets the page back later; a thread is not held for it.
WAITED_FOR_S = 5.0
# A quota that is spent for hours is no rate: the next model is asked, and then the rules.
LONGEST_WAIT_S = 120.0
# What a row may say or leave unset.
ASKED_WITH = ("thinking_level", "media_resolution", "max_image_px")
# About how many tokens an image of a page and a sign of text are, at most: A4 with 2400 px on its long side is 4,000
# squares of 32 px, which Qwen's vision models take as a token each (patches of 16 px, merged 2 x 2).
TOKENS_AN_IMAGE, HAN_TOKENS, LATIN_TOKENS = 4200, 1.0, 0.4
Asked = TypeVar("Asked")


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
                if too_late or not call.may_repeat(plan):
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
    return min(API_DELAY_S * 2.0**attempt, API_DELAY_MAX_S) * random.uniform(0.5, 1.0)


def _gone_wrong(error: ModelError) -> NotAnswered:
    if isinstance(error, RateLimited):
        wait_s = error.retry_after_s or API_DELAY_MAX_S
        if wait_s > LONGEST_WAIT_S:
            return NotAnswered("quota_spent", error.detail)
        return NotAnswered("rate_limited", error.detail, wait_s)
    return NotAnswered(error.code, error.detail)


def booked(inner: Sending, plan: CallPlan, on_call: Callable[[int], object] = lambda call_id: None) -> Calling:
    """In the ledger with its reservation before it leaves, with its answer before anything looks at it (X-NOBILL).
    ``on_call`` hears the row of each call and of each kept answer.

    The same question that this merchant had answered already costs nothing (GR-CACHE). One that may wait goes into a
    batch of its model's, unless a batch has brought it back without an answer.
    """

    def call_it(call: Call) -> Raw:
        model, facts = call.asked_model, _facts(call, call.asked_model)
        if is_batched(call):
            batched.put_aside(facts, model, plan, call.request.keep, lambda: prompt_of(call))
            facts = replace(facts, upper_bound_micro=_upper_bound_micro(call, model))
        begun = calls.begin(facts)
        if isinstance(begun, calls.Kept):
            plan.take_kept()
            on_call(begun.call_id)
            return _usable(Raw(begun.text, begun.usage.finish, begun.call_id, kept=True))
        if isinstance(begun, calls.Waiting):
            raise NotAnswered("asked_already", retry_after_s=begun.retry_after_s)
        if isinstance(begun, calls.OverBudget):
            raise NotAnswered(f"over_budget_{begun.scope}")
        if not plan.take(call.request.keep):
            calls.withdraw(begun.call_id)
            metrics.MODEL_CALL_LIMIT.inc()
            raise NotAnswered("call_limit")
        on_call(begun.call_id)
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
        counted, cached = (error.tokens_in, error.tokens_out), cached_of(error)
        cost = model.cost_micro(*counted, cached)
        calls.answered(call_id, "", calls.Usage(*counted, cost, 0, finish=error.code, tokens_cached=cached))
        raise
    except ModelError as error:
        calls.failed(call_id, error.code, _fate(error))
        raise
    calls.answered(call_id, answer.text, _usage(call, answer))
    return Raw(answer.text, answer.finish, call_id, kept=False)


def _usage(call: Call, answer: RawAnswer) -> calls.Usage:
    return calls.Usage(
        tokens_in=answer.tokens_in,
        tokens_out=answer.tokens_out,
        cost_micro=_cost_micro(call, answer),
        latency_ms=answer.latency_ms,
        image_tokens=answer.image_tokens,
        finish=answer.finish,
        images_truncated=call.request.images_truncated,
        tokens_cached=cached_of(answer),
    )


def _cost_micro(call: Call, answer: RawAnswer) -> int:
    """A server that counts nothing may have used all that it was given."""
    model = call.asked_model
    if answer.tokens_in or answer.tokens_out:
        return model.cost_micro(answer.tokens_in, answer.tokens_out, cached_of(answer))
    return _upper_bound_micro(call, model)


def is_batched(call: Call) -> bool:
    return call.about.batched and call.asked_model.has_batches


def _upper_bound_micro(call: Call, model: LanguageModel, *, in_batch: bool = False) -> int:
    return model.cost_micro(tokens_in(call), model.max_tokens, batched=in_batch)


def _fate(error: ModelError) -> calls.Fate:
    """What the call has cost: nothing where it never left or was refused, maybe all where the answer got lost."""
    if not isinstance(error, Transient) or error.code.startswith("http_"):
        return calls.Fate.REFUSED
    return calls.Fate.UNSENT if error.code == "connection" else calls.Fate.UNKNOWN


def _facts(call: Call, model: LanguageModel) -> calls.Facts:
    about = call.about
    return calls.Facts(
        merchant_id=about.merchant_id,
        job_id=about.job_id,
        page_id=about.page_id,
        category=about.category,
        operation=call.request.operation,
        model=model.name,
        prompt_version=call.prompt_version,
        bucket=about.bucket,
        attempt=call.attempt,
        request_key=request_key(call, model),
        upper_bound_micro=_upper_bound_micro(call, model, in_batch=is_batched(call)),
        downgrade_reason=call.downgraded,
        injection=call.request.injection,
    )


def request_key(call: Call, model: LanguageModel) -> str:
    """SHA-256 of the exact request (GR-CACHE). What a row leaves unset is no part of it."""
    request = call.request
    parts = [
        request.operation,
        model.name,
        call.prompt_version,
        request.about.profile,
        call.system,
        call.task,
        call.user,
        [hashlib.sha256(image.data).hexdigest() for image in request.images],
        call.attempt,
        model.temperature,
        model.max_tokens,
        request.examples,
    ]
    if said := {name: value for name in ASKED_WITH if (value := getattr(model, name))}:
        parts.append(said)
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()


def tokens_in(call: Call) -> int:
    """At most so many tokens go in; the true number comes with the answer."""
    return tokens_of(call.system + call.task + call.user) + TOKENS_AN_IMAGE * len(call.request.images) + 1


def tokens_of(text: str) -> int:
    """Of a text about so many, at most."""
    wide = sum(1 for sign in text if ord(sign) > 0x2E7F)
    return int(wide * HAN_TOKENS + (len(text) - wide) * LATIN_TOKENS)


def gated(inner: Sending, enter: Callable[[str, int, str], gate.Entered | gate.Refused] = gate.enter) -> Sending:
    """Let in by the model's breaker and rates, and its health told from how the call ends (LA-CB, LA-RATE)."""

    def send(call: Call) -> RawAnswer:
        model = call.asked_model
        mark = mark_of(model)
        entry = enter(model.name, tokens_in(call), mark)
        if isinstance(entry, gate.Refused):
            raise NotAnswered(entry.reason, retry_after_s=entry.retry_after_s)
        if not calls.sending(call.call_id):
            raise NotAnswered("asked_already", retry_after_s=calls.LOOK_AGAIN_S)
        try:
            answer = inner(call)
        except Unusable as error:
            gate.refused_by_provider(model.name, error.code, error.detail, mark)
            raise
        except (Transient, RateLimited):
            gate.failed(model.name, entry.trial)
            raise
        except ModelError:
            _answered(model.name, entry)
            raise
        _answered(model.name, entry)
        return answer

    return send


def _answered(model: str, entry: gate.Entered) -> None:
    gate.succeeded(model, entry.trial)
    if entry.is_probe:
        gate.usable_again(model)


def observed(inner: Sending) -> Sending:
    """Shown to whom the settings name; without effect on the call (LA-TRACE)."""

    def send(call: Call) -> RawAnswer:
        model, about = call.asked_model, call.about
        with generation(
            call.request.operation,
            model=model.name,
            input={
                "system": call.system,
                "task": call.task,
                "user": call.user,
                "images": [image.label for image in call.request.images],
            },
            version=call.prompt_version,
            metadata={"job": about.job_id, "page": about.page_id, "attempt": call.attempt, "call": call.call_id},
        ) as tell:
            try:
                answer = inner(call)
            except ModelError as error:
                tell(level="ERROR", status_message=error.code)
                raise
            tell(output=answer.text, usage_details=_counted(answer))
            return answer

    return send


def _counted(answer: RawAnswer) -> dict[str, int]:
    """Kinds that add up, as Langfuse prices them: https://langfuse.com/docs/observability/features/token-and-cost-tracking"""
    cached = cached_of(answer)
    cached_count = {"input_cached_tokens": cached} if cached else {}
    return {"input": answer.tokens_in - cached, **cached_count, "output": answer.tokens_out}


def _is_of_the_key(error: Permanent) -> bool:
    """Gemini says 400 to a key that it does not know, 403 to one that may no longer."""
    return error.code in ("http_401", "http_403", "bad_key") or "api key" in error.detail.lower()


def _shown(image: Image, model: LanguageModel) -> Image:
    """Not larger than the model takes it."""
    data = shrunk(image.data, model.max_image_px)
    return image if data is image.data else Image("image/jpeg", data, image.label)


def prompt_of(call: Call) -> Prompt:
    model, request = call.asked_model, call.request
    return Prompt(
        system=call.system,
        task=call.task,
        user=call.user,
        schema=schema_of(request.answer, request.keys),
        images=tuple(_shown(image, model) for image in request.images),
        temperature=model.temperature,
        max_tokens=model.max_tokens,
        thinking=model.thinking_level,
        media_resolution=model.media_resolution,
    )


def provided(call: Call) -> RawAnswer:
    """The provider's own kit, with the newest key that it takes."""
    model, prompt = call.asked_model, prompt_of(call)
    provider, timeout_s = provider_named(model.provider), call.timeout_s or model.timeout_s
    return with_keys(model.provider, lambda key: provider.ask(model.name, prompt, api_key=key, timeout_s=timeout_s))


def with_keys(provider: str, ask: Callable[[str], Asked]) -> Asked:
    """The provider asked with the newest key, an older one where that is refused (LA-KEYROT). Without any the provider
    says whether it needs one."""
    keys = key_for(provider) or ("",)
    for n, key in enumerate(keys, 1):
        try:
            return ask(key)
        except Permanent as error:
            if n == len(keys) or not _is_of_the_key(error):
                raise
    raise AssertionError("unreachable")
