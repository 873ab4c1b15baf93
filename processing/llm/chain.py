"""Around each call of a model, in this order. Read ``model_chain`` first; every wrapper is one concern.

Above the parser a call gives a checked Reply, below it (sending.py) a Raw answer. Whatever goes wrong leaves as
NotAnswered.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from catalogsku.core import metrics
from catalogsku.profiles.wording import parted, rules_before
from processing.engine.guard.inspect import policy_for, score_of_text
from processing.llm import calls
from processing.llm.anomalies import anomalies
from processing.llm.call import Asking, Call, Calling, Raw, Sending, Wordings
from processing.llm.models import LanguageModel
from processing.llm.parsing import CUT, NO_NUMBER, NOT_JSON, TOO_DEEP, TOO_LONG, TWICE, Fault, parse, quoted
from processing.llm.plan import CallPlan
from processing.llm.port import BATCHED, PUT_BACK, Ask, Data, NotAnswered, Reply, Request
from processing.llm.prompts import compose
from processing.llm.routing import Priced, Routes, batches_first, select_model
from processing.llm.sending import booked, gated, observed, provided, retried

PARSE_RETRIES = 3
# Reasons for which no other model is asked.
FINAL = frozenset({"call_limit", BATCHED})
# Words of metrics for what is wrong with an answer as a whole; everything else is a field that does not fit.
UNPARSED = {
    NOT_JSON: "not_json", CUT: "cut", TOO_LONG: "too_long", TOO_DEEP: "too_deep", NO_NUMBER: "no_number",
    TWICE: "key_twice",
}  # fmt: skip
# Too many of a model's answers in this job were of no use (LA-SEM).
SEMANTIC = "semantic"


def model_chain(
    plan: CallPlan,
    wordings: Wordings,
    routes: Routes,
    models: Sequence[LanguageModel],
    failed: Sequence[str] = (),
    sending: Sending | None = None,
    on_call: Callable[[int], object] = lambda call_id: None,
    around: Callable[[Calling, CallPlan], Calling] | None = None,
) -> Ask:
    """The whole way of a question, outermost first. ``models``: those that may be asked now; ``failed``: of them those
    that this job had too many bad answers from; ``sending`` takes the place of the providers, ``around`` goes round
    ledger and gate too (recorded.py); ``on_call`` hears the row of each call and of each kept answer."""
    calling = retried(booked(gated(observed(sending or provided)), plan, on_call), plan)
    if around is not None:
        calling = around(calling, plan)
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
    request, language = call.request, call.about.language
    zones = {**request.zones, "faults": quoted(faults)}
    wording, rules = wordings[request.operation], wordings[rules_before(request.operation)]
    task, text = (
        compose(replace(wording, texts={language: part}), rules, language, zones)
        for part in parted(wording.texts[language])
    )
    return replace(call, system=text.system, task=task.user, user=text.user, prompt_version=text.version)


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
        request, about = call.request, call.about
        priced = [Priced(m.name, m.price_out_micro) for m in models if m.name not in request.but]
        routing = (routes, request.operation, about.page_type, about.complexity, priced)
        choice = select_model(*routing, failed, request.model)
        metrics.MODEL_ROUTES.labels(request.operation, about.page_type, about.complexity, choice.route).inc()
        preferred = next(iter(select_model(*routing, (), request.model).models), "")
        passed_over = {**dict.fromkeys(failed, SEMANTIC), **owing}
        refusals: list[NotAnswered] = []
        names = batches_first(sorted(choice.models, key=lambda name: name in owing), by_name, batched=about.batched)
        for n, name in enumerate(names, 1):
            why = refusals[-1].code if refusals else "" if name == preferred else passed_over.get(preferred, "")
            try:
                return inner(replace(call, model=by_name[name], downgraded=why, is_last=n == len(names)))
            except NotAnswered as error:
                if error.code in FINAL:
                    _count_fallback(error, preferred, request.operation)
                    raise
                metrics.MODEL_DOWNGRADES.labels(name, error.code).inc()
                owing[name] = error.code
                refusals.append(error)
        refused = _refused(refusals) if refusals else NotAnswered(SEMANTIC if preferred else "no_model")
        _count_fallback(refused, preferred, request.operation)
        raise refused

    return ask


def _count_fallback(error: NotAnswered, preferred: str, operation: str) -> None:
    """Under the model that was to answer; not where the same is only asked later."""
    if error.code not in PUT_BACK or error.retry_after_s is None:
        metrics.MODEL_FALLBACKS.labels(preferred or "none", operation, error.code).inc()


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
            if worded.user in said or (attempt > 1 and not call.may_repeat(plan)):
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
    request = call.request
    parsed_answer = parse(raw.text, raw.finish, request.answer)
    odd: tuple[Fault, ...] = ()
    if parsed_answer.data is not None:
        strict = call.policy == "strict_schema"
        odd = anomalies(
            parsed_answer.data, strict=strict, places=request.places, ids=request.ids, instruction_score=score_of_text
        )
    if parsed_answer.data is None or (odd and call.policy == "strict_schema"):
        calls.parsed(raw.call_id, parsed_answer.method or "failed", needs_review=True)
        faults = parsed_answer.faults or odd
        why = "odd" if parsed_answer.data is not None else UNPARSED.get(faults[0].rule if faults else "", "schema")
        metrics.MODEL_UNPARSED.labels(call.asked_model.name, request.operation, why).inc()
        return None, faults
    reasons = (*(("answer_repaired",) if parsed_answer.needs_review else ()), *(("answer_odd",) if odd else ()))
    calls.parsed(raw.call_id, parsed_answer.method, needs_review=bool(reasons))
    model, version = call.asked_model.name, call.prompt_version
    cut = parsed_answer.method == "cut"
    return Reply(parsed_answer.data, model, version, raw.call_id, raw.kept, reasons, call.downgraded, cut), ()
