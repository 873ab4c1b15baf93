"""What the page about models shows to operators: gates, spending, the calls of the last hour, prompts and routes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Count, OuterRef, Subquery, Sum
from django.db.models.functions import JSONObject, Now, TruncDate
from django.urls import reverse
from django.utils.timezone import get_default_timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext_lazy

from catalogsku.accounts.models import Merchant, User
from catalogsku.profiles.models import PromptExperiment, PromptVersion
from catalogsku.profiles.services import routing_now
from processing.llm import gate, money
from processing.llm.keys import SETTINGS, is_ready
from processing.llm.models import (
    Budget,
    BudgetLimit,
    BudgetScope,
    CallState,
    GateState,
    MediaResolution,
    ModelCall,
    Provider,
    Thinking,
)
from processing.llm.presenters import code_word, prompt_word, usd
from processing.products.lifecycle import SkuStatus
from processing.shadows.presenters import shadow_rows

HOUR = timedelta(hours=1)
MERCHANTS_SHOWN = 50
FAILURES_SHOWN = 8
# A SKU that came out right: nothing stops it any more, by the checks' word or a person's.
RIGHT = (SkuStatus.CONFIRMED, SkuStatus.BOUND, SkuStatus.IMPORTING, SkuStatus.IMPORTED)
# Pages first, then their SKUs: a join of calls and SKUs would count each SKU once a call. Of a busy day the last calls
# say enough, and the page stays quick.
_PER_SKU = """
    WITH calls AS (
        SELECT model, page_id, settled_micro FROM processing_modelcall
        WHERE created_at > statement_timestamp() - interval '1 day' AND sent_at IS NOT NULL AND page_id IS NOT NULL
            AND (%(merchants)s::bigint[] IS NULL OR merchant_id = ANY(%(merchants)s))
        ORDER BY created_at DESC LIMIT 5000),
    asked AS (SELECT model, page_id, sum(settled_micro) AS micro FROM calls GROUP BY model, page_id),
    found AS (
        SELECT page_id, count(*) AS skus FROM processing_sku
        WHERE page_id IN (SELECT page_id FROM asked) AND NOT superseded AND status = ANY(%(right)s) GROUP BY page_id)
    SELECT model, sum(micro), sum(skus) FROM asked LEFT JOIN found USING (page_id) GROUP BY model"""
FAILED = frozenset({CallState.FAILED, CallState.LOST})
# Icon, tone and word.
GATES = {
    GateState.CLOSED: ("check", "done", pgettext_lazy("breaker", "Closed")),
    GateState.HALF_OPEN: ("warning", "person", pgettext_lazy("breaker", "Half-open")),
    GateState.OPEN: ("stopped", "fault", pgettext_lazy("breaker", "Open")),
    GateState.UNUSABLE: ("stopped", "fault", pgettext_lazy("language model", "Unusable")),
}


@dataclass(frozen=True)
class ModelRow:
    """``state``: of its gate; ``trouble``: why it cannot be asked, or that it is tried out again; ``ends``: that this
    comes to its end; ``asked_with``: what its row says of how. Of the last hour: ``calls`` and ``failures``,
    ``latency_s`` in the mean, ``cost``. ``per_sku``: of the last day, what a right SKU cost."""

    name: str
    provider: str
    state: str
    word: str
    icon: str
    tone: str
    trouble: str
    ends: str
    asked_with: list[str]
    can_probe: bool
    set_by: str
    held_open: bool
    calls: int
    failures: int
    latency_s: str
    cost: str
    per_sku: str
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
    hour, per_sku = last_hour(actor), costs_per_right_sku(actor)
    models = [
        _model_row(state, [row for row in hour if row.model == state.model], per_sku.get(state.model, ""))
        for state in gate.states()
    ]
    return {
        "models": models,
        "can_ask": any(not model.trouble for model in models),
        "key_settings": list(SETTINGS.values()),
        "budgets": budget_rows(actor),
        "failures": failure_rows(hour),
        "prompts": prompt_rows(),
        "routing": routing_now().words,
        "shadows": shadow_rows(actor),
    }


class Calls(NamedTuple):
    """Calls of one model that ended alike; ``latency_ms``: of those together that were asked at once, ``timed``."""

    model: str
    state: str
    code: str
    calls: int
    latency_ms: int | None
    micro: int | None
    timed: int


def last_hour(actor: User) -> list[Calls]:
    rows = ModelCall.objects.visible_to(actor).filter(created_at__gte=Now() - HOUR, sent_at__isnull=False)
    counted = rows.order_by().values_list("model", "state", "error_code")
    sums = counted.annotate(
        calls=Count("pk"), ms=Sum("latency_ms"), micro=Sum("settled_micro"), timed=Count("latency_ms")
    )
    return [Calls(*row) for row in sums]


def costs_per_right_sku(actor: User) -> dict[str, str]:
    """By model: its calls of the last day about pages (of all, the last 5,000), shared among the right SKUs of those
    pages; one without any is left out. A page that two models were asked about counts for each of them."""
    merchants = actor.merchant_ids()
    params = {"merchants": None if merchants is None else list(merchants), "right": list(RIGHT)}
    with connection.cursor() as cursor:
        cursor.execute(_PER_SKU, params)
        return {model: usd(round(micro / skus)) for model, micro, skus in cursor.fetchall() if skus}


def _model_row(model: gate.Gate, hour: Sequence[Calls], per_sku: str) -> ModelRow:
    state, provider = GateState(model.state), Provider(model.provider)
    icon, tone, word = GATES[state]
    answered = [row for row in hour if row.state == CallState.ANSWERED]
    answers = sum(row.timed for row in answered)
    return ModelRow(
        name=model.model,
        provider=str(provider.label),
        state=model.state,
        word=str(word),
        icon=icon,
        tone=tone,
        trouble=_trouble(model, provider),
        ends=_ends(model),
        asked_with=_asked_with(model),
        can_probe=is_ready(provider),
        set_by=model.set_by,
        held_open=model.held_open,
        calls=sum(row.calls for row in hour),
        failures=sum(row.calls for row in hour if row.state in FAILED),
        latency_s=f"{sum(row.latency_ms or 0 for row in answered) / answers / 1000:.1f}" if answers else "",
        cost=usd(sum(row.micro or 0 for row in hour)),
        per_sku=per_sku,
        rate=f"{model.requests} / {model.qpm}",
    )


def _asked_with(model: gate.Gate) -> list[str]:
    """What the model's row leaves to the provider is not told."""
    level, detail = model.thinking_level, model.media_resolution
    settings = [
        _("thinks: %(level)s") % {"level": Thinking(level).label} if level else "",
        _("looks closely: %(detail)s") % {"detail": MediaResolution(detail).label} if detail else "",
        _("images up to %(px)s px") % {"px": model.max_image_px} if model.max_image_px else "",
        _("answers up to %(n)s tokens") % {"n": model.max_tokens},
        _("in batches at %(percent)s %% of the price") % {"percent": model.batch_percent}
        if model.batch_percent
        else "",
    ]
    return [text for text in settings if text]


def _ends(model: gate.Gate) -> str:
    if not (model.enabled and model.ends_soon):
        return ""
    day = {"day": model.retires_on, "n": model.days_left}
    return (
        ngettext(
            "Its provider takes it offline on %(day)s, in %(n)s day",
            "Its provider takes it offline on %(day)s, in %(n)s days",
            model.days_left or 0,
        )
        % day
    )


def _trouble(model: gate.Gate, provider: Provider) -> str:
    if not model.enabled:
        return _("Switched off")
    if model.is_retired:
        return _("Its provider took it offline on %(day)s") % {"day": model.retires_on}
    if not is_ready(provider):
        return _("%(provider)s: no key is set") % {"provider": provider.label}
    if model.held_open:
        return _("Held open until somebody closes it")
    if model.unusable:
        said = {
            "code": code_word(model.unusable),
            "said": model.unusable_detail,
            "minutes": math.ceil(model.probe_in_s / 60),
        }
        return _("%(code)s (%(said)s); tried again in %(minutes)s min, or at once with another key or row") % said
    if model.state == GateState.OPEN:
        return _("Too many failures; trials in %(s)s s") % {"s": round(model.trials_in_s)}
    return _("Trial calls decide") if model.state == GateState.HALF_OPEN else ""


def budget_rows(actor: User) -> list[BudgetRow]:
    """All merchants together (for those who see all), then those that have spent most today."""
    limits = {(row.scope, row.merchant_id): row.limit_micro for row in BudgetLimit.objects.all()}
    today = (
        Budget.objects.visible_to(actor)
        .filter(day=TruncDate(Now(), tzinfo=get_default_timezone()))
        .select_related("merchant")
    )
    rows = {row.merchant_id: row for row in today.order_by("-settled_micro")[: MERCHANTS_SHOWN + 1]}
    rows_shown = []
    if actor.merchant_ids() is None:
        rows_shown.append(_budget_row(_("All merchants"), rows.get(None), limits.get((BudgetScope.DAY, None), 0)))
    general = limits.get((BudgetScope.MERCHANT, None), 0)
    for merchant_id, row in rows.items():
        if merchant_id is not None and row.merchant is not None:
            rows_shown.append(_budget_row(row.merchant, row, limits.get((BudgetScope.MERCHANT, merchant_id), general)))
    return rows_shown


def _budget_row(name: Merchant | str, row: Budget | None, limit_micro: int) -> BudgetRow:
    settled, reserved = (row.settled_micro, row.reserved_micro) if row else (0, 0)
    percent = min(100, round(100 * (settled + reserved) / limit_micro)) if limit_micro else 100
    tone = "fault" if percent >= 100 else "person" if percent >= 80 else "done"
    return BudgetRow(str(name), usd(settled), usd(reserved), f"{limit_micro / money.MICRO:,.2f} USD", percent, tone)


def failure_rows(hour: Sequence[Calls]) -> list[tuple[str, str, int]]:
    """(model, why, calls), most frequent first."""
    failed = sorted((row for row in hour if row.state in FAILED), key=lambda row: (-row.calls, row.model, row.code))
    return [(row.model, code_word(row.code), row.calls) for row in failed[:FAILURES_SHOWN]]


def prompt_rows() -> list[PromptRow]:
    """The active version of each prompt, and the trial that runs on it."""
    running = PromptExperiment.objects.filter(key=OuterRef("key"), state=PromptExperiment.State.RUNNING)
    trial = running.values(shown=JSONObject(version="trial__version", share="share"))
    active = PromptVersion.objects.filter(active=True).only("key", "version").annotate(running=Subquery(trial))
    return [
        PromptRow(
            word=prompt_word(prompt.key),
            version=prompt.version,
            url=reverse("admin:profiles_promptversion_change", args=[prompt.pk]),
            trial=_("version %(version)s on %(share)s %% of new documents") % prompt.running if prompt.running else "",
        )
        for prompt in active.order_by("key")
    ]
