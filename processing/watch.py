"""What the page about models shows to operators: gates, spending, the calls of the last hour, prompts and routes."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Avg, Count, Q, Sum
from django.db.models.functions import Now
from django.urls import reverse
from django.utils.translation import gettext as _

from catalogsku.accounts.models import Merchant, User
from catalogsku.profiles.models import PromptExperiment, PromptVersion
from catalogsku.profiles.services import routing_now
from processing.asked_shown import OPERATIONS, code_word, usd
from processing.llm import gate, money
from processing.llm.keys import key_for
from processing.models import Budget, BudgetLimit, LanguageModel, ModelCall
from processing.models.llm import BudgetScope, CallState, GateState

HOUR = timedelta(hours=1)
MERCHANTS_SHOWN = 50
FAILURES_SHOWN = 8
GATES = {
    GateState.CLOSED: ("check", "done"),
    GateState.HALF_OPEN: ("warning", "person"),
    GateState.OPEN: ("stop", "fault"),
}


@dataclass(frozen=True)
class ModelRow:
    """``state``: of its gate; ``trouble``: why it cannot be asked, or that it is tried out again. Of the last hour:
    ``calls`` and ``failures``, ``latency_s`` in the mean, ``cost``."""

    name: str
    provider: str
    state: str
    word: str
    icon: str
    tone: str
    trouble: str
    set_by: str
    held_open: bool
    calls: int
    failures: int
    latency_s: str
    cost: str
    rate: str


@dataclass(frozen=True)
class BudgetRow:
    """``percent`` of the limit that is spent or reserved."""

    name: str
    spent: str
    reserved: str
    limit: str
    percent: int
    tone: str


@dataclass(frozen=True)
class PromptRow:
    word: str
    version: int
    url: str
    trial: str


def models_context(actor: User) -> dict[str, Any]:
    """Within the person's merchants, but for the gates, which are the same for all."""
    models = model_rows(actor)
    return {
        "models": models,
        "can_ask": any(not model.trouble for model in models),
        "budgets": budget_rows(actor),
        "failures": failure_rows(actor),
        "prompts": prompt_rows(),
        "routing": str(routing_now()),
    }


def model_rows(actor: User) -> list[ModelRow]:
    known = {model.name: model for model in LanguageModel.objects.all()}
    hour = _last_hour(actor)
    return [_model_row(one, known[one.model], hour.get(one.model, {})) for one in gate.states() if one.model in known]


def _last_hour(actor: User) -> dict[str, Mapping[str, Any]]:
    rows = ModelCall.objects.visible_to(actor).filter(created_at__gte=Now() - HOUR, sent_at__isnull=False)
    counted = (
        rows.order_by()
        .values("model")
        .annotate(
            calls=Count("pk"),
            failures=Count("pk", filter=Q(state__in=[CallState.FAILED, CallState.LOST])),
            latency_ms=Avg("latency_ms"),
            micro=Sum("settled_micro"),
        )
    )
    return {row["model"]: row for row in counted}


def _model_row(one: gate.Gate, model: LanguageModel, hour: Mapping[str, Any]) -> ModelRow:
    state = GateState(one.state)
    icon, tone = GATES[state]
    latency_ms = hour.get("latency_ms")
    return ModelRow(
        name=one.model, provider=model.get_provider_display(), state=one.state, word=str(state.label).split(":")[0],
        icon=icon, tone=tone, trouble=_trouble(one, model), set_by=one.set_by, held_open=one.held_open,
        calls=hour.get("calls", 0), failures=hour.get("failures", 0),
        latency_s=f"{latency_ms / 1000:.1f}" if latency_ms is not None else "", cost=usd(hour.get("micro") or 0),
        rate=f"{one.requests} / {one.qpm}",
    )  # fmt: skip


def _trouble(one: gate.Gate, model: LanguageModel) -> str:
    if not model.enabled:
        return _("Switched off")
    if not key_for(model.provider):
        return _("No key of %(provider)s is set") % {"provider": model.get_provider_display()}
    if one.held_open:
        return _("Held open until somebody closes it")
    if one.state == GateState.OPEN:
        return _("Too many failures; trials in %(s)s s") % {"s": round(one.trials_in_s)}
    return _("Trial calls decide") if one.state == GateState.HALF_OPEN else ""


def budget_rows(actor: User) -> list[BudgetRow]:
    """All merchants together (for those who see all), then those that have spent most today."""
    limits = {(row.scope, row.merchant_id): row.limit_micro for row in BudgetLimit.objects.all()}
    today = Budget.objects.visible_to(actor).filter(day=money.today()).select_related("merchant")
    rows = {row.merchant_id: row for row in today.order_by("-settled_micro")[: MERCHANTS_SHOWN + 1]}
    found = []
    if actor.merchant_ids() is None:
        found.append(_budget_row(_("All merchants"), rows.get(None), limits.get((BudgetScope.DAY, None), 0)))
    general = limits.get((BudgetScope.MERCHANT, None), 0)
    for merchant_id, row in rows.items():
        if merchant_id is not None and row.merchant is not None:
            found.append(_budget_row(row.merchant, row, limits.get((BudgetScope.MERCHANT, merchant_id), general)))
    return found


def _budget_row(name: Merchant | str, row: Budget | None, limit_micro: int) -> BudgetRow:
    settled, reserved = (row.settled_micro, row.reserved_micro) if row else (0, 0)
    percent = min(100, round(100 * (settled + reserved) / limit_micro)) if limit_micro else 100
    tone = "fault" if percent >= 100 else "person" if percent >= 80 else "done"
    return BudgetRow(str(name), usd(settled), usd(reserved), f"{limit_micro / money.MICRO:,.2f} USD", percent, tone)


def failure_rows(actor: User) -> list[tuple[str, str, int]]:
    """(model, why, calls) of the last hour, most frequent first."""
    failed = (CallState.FAILED, CallState.LOST)
    rows = ModelCall.objects.visible_to(actor).filter(created_at__gte=Now() - HOUR, state__in=failed)
    counted = rows.order_by().values_list("model", "error_code").annotate(n=Count("pk"))
    return [(model, code_word(code), n) for model, code, n in counted.order_by("-n", "model")[:FAILURES_SHOWN]]


def prompt_rows() -> list[PromptRow]:
    """The active version of each prompt, and the trial that runs on it."""
    running = PromptExperiment.objects.filter(state=PromptExperiment.State.RUNNING).select_related("trial")
    trials = {trial.key: trial for trial in running}
    active = PromptVersion.objects.filter(active=True).only("key", "version").order_by("key")
    return [
        PromptRow(
            word=_prompt_word(prompt.key),
            version=prompt.version,
            url=reverse("admin:profiles_promptversion_change", args=[prompt.pk]),
            trial=_trial_word(trials.get(prompt.key)),
        )
        for prompt in active
    ]


def _prompt_word(key: str) -> str:
    return str(OPERATIONS[key]) if key in OPERATIONS else _("Rules before every question")


def _trial_word(trial: PromptExperiment | None) -> str:
    if trial is None:
        return ""
    return _("version %(version)s on %(share)s %% of new documents") % {
        "version": trial.trial.version,
        "share": trial.share,
    }
