"""Figures of imports, exports and models, read at each scrape: what is on its way, refused, shut or spent."""

from django.db import connection
from django.db.models import Count, DurationField, F, Max, Q
from django.db.models.functions import Now

from catalogsku.core.facts import Figures, fact
from ingestion.models import Job
from processing.batches import services
from processing.editions.models import Edition, EditionState
from processing.exports.lifecycle import ExportStatus
from processing.exports.models import Export
from processing.imports.lifecycle import IN_FLIGHT, Delivery
from processing.imports.models import ImportRecord, TargetHold
from processing.llm import gate, money
from processing.llm.lifecycle import BatchState
from processing.llm.models import CallState, GateState, ModelCall
from processing.webhooks.lifecycle import HookState
from processing.webhooks.models import WebhookDelivery, WebhookEndpoint

OPEN = (Delivery.PENDING, *IN_FLIGHT)
_STATES = {GateState.CLOSED: 0.0, GateState.HALF_OPEN: 1.0, GateState.OPEN: 2.0, GateState.UNUSABLE: 3.0}


@fact("backlog_seconds", "Work of machines that waits, or that they have in hand, in seconds.", "unit", "state")
def backlog() -> Figures:
    with connection.cursor() as cursor:
        cursor.execute("SELECT unit, waiting_s, in_hand_s FROM catalogsku_backlog")
        rows = cursor.fetchall()
    return {
        (unit, state): seconds
        for unit, waiting_s, in_hand_s in rows
        for state, seconds in (("waiting", waiting_s), ("in_hand", in_hand_s))
    }


@fact("imports", "Imports that are not confirmed: on their way, without a word, refused, given up.", "state")
def imports() -> Figures:
    counts: dict[str, int] = {}
    apart = (Delivery.ASSUMED, Delivery.REFUSED, Delivery.STALE)
    for rows in (
        Q(state__in=[Delivery.PENDING, *IN_FLIGHT]),
        *(Q(state=state) for state in apart),
    ):  # an index for each
        counted = ImportRecord.objects.filter(rows).order_by().values_list("state").annotate(n=Count("pk"))
        counts.update(dict(counted))
    return {(str(state),): float(counts.get(state, 0)) for state in (*OPEN, *apart)}


@fact("imports_drifted", "Confirmed imports that their target holds otherwise, or not at all.")
def imports_drifted() -> Figures:
    return {(): float(ImportRecord.objects.exclude(drift="").count())}


@fact("import_targets_held", "Targets that do not take our secret: their imports wait.")
def import_targets_held() -> Figures:
    return {(): float(TargetHold.objects.count())}


@fact("exports_waiting", "Exports that wait for a worker or are being made.")
def exports_waiting() -> Figures:
    return {(): float(Export.objects.filter(status=ExportStatus.WAITING).count())}


@fact("llm_gate_state", "The breaker of a model: 0 closed, 1 half-open, 2 open, 3 unusable.", "model")
def llm_gate_state() -> Figures:
    return {(model.model,): _STATES[GateState(model.state)] for model in gate.states()}


@fact("llm_model_days_left", "Days until the provider takes a model offline that is switched on.", "model")
def llm_model_days_left() -> Figures:
    """0 or less: it is offline. Nothing for models without an end."""
    ending = [model for model in gate.states() if model.enabled and model.days_left is not None]
    return {(model.model,): float(model.days_left or 0) for model in ending}


@fact("llm_spent_today_usd", "Of all merchants together since midnight: settled, reserved, limit.", "kind")
def llm_spent_today() -> Figures:
    spent = money.spent(None, money.today())
    kinds = {"settled": spent.settled_micro, "reserved": spent.reserved_micro, "limit": spent.limit_micro}
    return {(kind,): micro / money.MICRO for kind, micro in kinds.items()}


@fact("llm_calls_in_flight", "Calls of models that have no answer yet.")
def llm_calls_in_flight() -> Figures:
    return {(): float(ModelCall.objects.filter(state=CallState.SENT).count())}


@fact("llm_batched_questions", "Questions that wait in batches, by where their batch stands.", "state")
def llm_batched_questions() -> Figures:
    rows = services.open_batches().order_by().values_list("state").annotate(n=Count("questions"))
    counts = dict(rows)
    states = (BatchState.COLLECTED, BatchState.SENDING, BatchState.SENT)
    return {(str(state),): float(counts.get(state, 0)) for state in states}


@fact("llm_batch_oldest_seconds", "For how long the oldest batch has been closed that has not ended.")
def llm_batch_oldest() -> Figures:
    rows = services.open_batches().filter(closed_at__isnull=False)
    age = rows.aggregate(age=Max(Now() - F("closed_at"), output_field=DurationField()))["age"]
    return {(): max(age.total_seconds(), 0.0) if age is not None else 0.0}


@fact("webhooks", "Events that wait for their receivers, or were given up.", "state")
def webhooks() -> Figures:
    return {
        (str(state),): float(WebhookDelivery.objects.filter(state=state).count())
        for state in (HookState.WAITING, HookState.FAILED)
    }  # an index for each


@fact("webhook_endpoints", "Receivers of webhooks: on, in trouble at the moment, switched off (and why).", "state")
def webhook_endpoints() -> Figures:
    rows = list(WebhookEndpoint.objects.values_list("off", "failing_since"))
    states = [off or ("trouble" if failing else "on") for off, failing in rows]
    return {(state,): float(states.count(state)) for state in ("on", "trouble", *WebhookEndpoint.Off.values)}


@fact("editions_open", "New editions whose changes nobody has approved yet.")
def editions_open() -> Figures:
    return {(): float(Edition.objects.filter(state=EditionState.OPEN).count())}


@fact("documents_imports_held", "Documents of which nothing goes out, by who holds them.", "by")
def imports_held() -> Figures:
    by_operator = Count("pk", filter=~Q(import_held_by=""))
    held = Job.objects.filter(import_hold=True).aggregate(all=Count("pk"), operator=by_operator)
    return {("operator",): float(held["operator"]), ("edition",): float(held["all"] - held["operator"])}
