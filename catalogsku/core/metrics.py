"""What processes count while they work: every counter and histogram of the product (docs/metrics.md explains each).

Units share theirs through files (catalogsku.core.metric_files); commands and tests count for themselves alone. What the
database knows is not counted here but read at the scrape: catalogsku.core.facts.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import prometheus_client
from django.conf import settings
from django.db import transaction
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric, disable_created_metrics

from catalogsku.core import metric_files

PREFIX = "catalogsku_"
FOLDER = Path(settings.VAR_DIR, "metrics")
IS_SHARED = bool(os.environ.get("CATALOGSKU_UNIT")) and metric_files.share(FOLDER)
REGISTRY = CollectorRegistry()
DJANGOS = prometheus_client.REGISTRY  # where django-prometheus counts requests and statements
disable_created_metrics()  # type: ignore[no-untyped-call]  # a time of its own for each counter, which nobody asks for

_QUICK_S = (0.01, 0.025, 0.05, 0.1, 0.15, 0.3, 0.6, 1.2, 2.5, 5.0, 10.0)
_WORK_S = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
_PAGE_S = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_MODEL_S = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0)
_SHARE = (0.1, 0.25, 0.5, 0.75, 0.9, 1.0, 1.25, 2.0)
_DOCUMENT_S = (5.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0, 3600.0, 14400.0, 86400.0)
_MEMORY_BYTES = tuple(float(megabytes << 20) for megabytes in (64, 128, 256, 400, 800, 1200, 2048, 3072))


def _counter(name: str, help_text: str, *labels: str) -> Counter:
    return Counter(PREFIX + name, help_text, labels, registry=REGISTRY)


def _histogram(name: str, help_text: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
    return Histogram(PREFIX + name, help_text, labels, registry=REGISTRY, buckets=buckets)


SOCKETS = Gauge(PREFIX + "websockets_open", "Live connections.", registry=REGISTRY, multiprocess_mode="livesum")
SOCKETS_CLOSED = _counter("websockets_closed", "Live connections that ended, by closing code.", "code")
STREAMS = Gauge(
    PREFIX + "event_streams_open", "Open streams of events.", registry=REGISTRY, multiprocess_mode="livesum"
)
STREAMS_ENDED = _counter("event_streams_ended", "Streams of events that ended, by why.", "why")
LINES_REFUSED = _counter("lines_refused", "Streams and live connections without a place, by bound.", "kind", "bound")

CATALOGUE_SECONDS = _histogram(
    "catalogue_list_seconds", "Time for one step of a merchant's catalogue.", _QUICK_S, "way"
)

COMMANDS = _counter("work_commands", "Commands of people at their tasks, by what came of them.", "name", "outcome")
ALTERNATIVES = _counter(
    "alternatives",
    "Readings offered beside the one of a page, by whose they are, as its task ended.",
    "proposer",
    "outcome",
)

MESSAGES = _counter("messages", "Messages taken from a queue, by what came of them.", "actor", "outcome")
MESSAGE_SECONDS = _histogram("message_seconds", "Time that an actor took for a message.", _WORK_S, "actor")
MESSAGES_UNSENT = _counter("messages_unsent", "Messages that the broker did not take.", "actor")
HINTS_UNSENT = _counter("live_hints_unsent", "Live hints that could not be sent.")

SWEEP_ROUNDS = _counter("sweeps", "Rounds of the sweeps.", "sweep", "outcome")
SWEEP_SECONDS = _histogram("sweep_seconds", "Time that a round of a sweep took.", _WORK_S, "sweep")
CACHED_FILES = _counter("storage_cache", "Files of the object store, by whether this machine had them.", "outcome")
CLAIMS_FREED = _counter("claims_freed", "Rows taken back from workers that died.")
MOVES = _counter("moves", "Changes of status, by what changed, whereto and why.", "entity", "target", "trigger")

SANDBOX_RUNS = _counter("sandbox_runs", "Sandboxed children, by how they ended.", "task", "outcome")
SANDBOX_PEAK = _histogram("sandbox_peak_bytes", "Most memory that a sandboxed child used.", _MEMORY_BYTES, "task")
TURN_SECONDS = _histogram("turn_seconds", "Time that a thread had a piece of work, by its stage.", _WORK_S, "stage")
CHILDREN_ENDED = _counter("children_ended", "Sandboxed children that were ended from outside, and why.", "why")
OVER_BUDGET = _counter("documents_over_budget", "Documents that used up their machine time, by where.", "stage")
PAGE_SECONDS = _histogram("page_seconds", "Time a page took in the sandbox.", _PAGE_S, "stage")

EVALUATIONS = _counter("evaluations", "Documents judged anew, or from an earlier evaluation.", "result")
EVAL_FAILED = _counter(
    "eval_failed", "Questions of an evaluation that had no answer, and evaluations given up.", "model", "error_code"
)
ROUTES = _counter("routes", "Documents by the way they were sent.", "route", "degrade_reason")
SKUS = _counter("skus_recorded", "SKUs written down.", "validity")
BLOCKERS = _counter("blockers", "Reasons found why a person has to look.", "code")
EDITIONS = _counter("editions", "New editions of a document, by what became of them.", "outcome")
PAGES_CARRIED = _counter("pages_carried", "Pages that took over the results of an earlier edition.")
DOCUMENT_SECONDS = _histogram(
    "document_seconds", "From the end of the upload until machines and people were done.", _DOCUMENT_S, "route"
)

EXPORTS = _counter("exports", "Export files, by what came of them.", "kind", "outcome")
EXPORT_SECONDS = _histogram("export_seconds", "Time that making an export file took.", _WORK_S, "kind")

PERSONAL_DATA = _counter("personal_data", "Personal data found on pages as they were read, by kind.", "kind")
DISK_CLEANED = _counter("disk_cleaned", "Files, folders and documents that went because the disk is full.", "step")
DELETIONS = _counter("deletions", "Deletions on request or by a rule, by what the scan found.", "subject", "outcome")

MODEL_CALLS = _counter("llm_calls", "Calls of models, by what came of them.", "model", "operation", "outcome")
MODEL_SECONDS = _histogram("llm_call_seconds", "Time until a model's answer.", _MODEL_S, "model", "operation")
MODEL_TOKENS = _counter("llm_tokens", "Tokens that were paid for.", "model", "operation", "kind")
MODEL_COST = _counter(
    "llm_cost_usd", "What calls have cost; unknown answers at their upper bound.", "model", "operation"
)
MODEL_RESERVATION_USED = _histogram(
    "llm_reservation_used_ratio", "Cost of a call beside what was reserved for it.", _SHARE, "model"
)
MODEL_PARSED = _counter("llm_answers_parsed", "Answers made into data, by how.", "model", "method")
MODEL_UNPARSED = _counter(
    "llm_parse_failures", "Answers of which nothing could be used, by why.", "model", "operation", "reason"
)
MODEL_FALLBACKS = _counter(
    "llm_fallbacks", "Questions without an answer: rules or another question stand in.", "model", "operation", "reason"
)
MODEL_REFUSED = _counter("llm_gate_refusals", "Calls that a model's gate did not let through.", "model", "reason")
MODEL_OPENED = _counter("llm_gate_opened", "Times that a model's breaker opened.", "model")
MODEL_ROUTES = _counter(
    "llm_routes", "Questions, by the way they were sent.", "operation", "page_type", "complexity", "route"
)
MODEL_DOWNGRADES = _counter("llm_downgrades", "Models that were passed over, and why.", "model", "reason")
MODEL_CALL_LIMIT = _counter("llm_call_limit", "Questions not asked: the page had used up its calls.")
MODEL_INJECTIONS = _counter("llm_injections", "Questions about pages that try to give orders.", "policy")
MODEL_OVER_BUDGET = _counter("llm_over_budget", "Calls that did not fit into a budget.", "scope")
MODEL_BATCHES = _counter("llm_batches", "Batches of questions, by what became of them.", "model", "outcome")

SHADOW_PAGES = _counter("shadow_pages", "Pages that a shadow looked at, by what it found.", "shadow", "outcome")

NOTICE_MAILS = _counter("notice_mails", "Mails with notices, by what came of them.", "outcome")
WEBHOOKS = _counter("webhook_attempts", "Requests to receivers of webhooks, by what came of them.", "outcome")
WEBHOOK_SECONDS = _histogram("webhook_seconds", "Time until a receiver's answer.", _QUICK_S, "outcome")


def after_commit(counter: Counter, amount: float = 1, **labels: str) -> None:
    """Count what the current transaction does, once it has been done; nothing where it rolls back."""
    child = counter.labels(**labels) if labels else counter
    transaction.on_commit(lambda: child.inc(amount), robust=True)


def observe_after_commit(histogram: Histogram, value: float, **labels: str) -> None:
    child = histogram.labels(**labels)
    transaction.on_commit(lambda: child.observe(value), robust=True)


def collect(everybodys: bool = IS_SHARED) -> Iterator[Metric]:
    """Every family of this machine's processes (or of this one alone, where it shares nothing); those that nothing has
    happened to yet are there without a sample."""
    shared = metric_files.read(FOLDER) if everybodys else {}
    for own in REGISTRY.collect():
        yield shared.get(own.name, _bare(own)) if everybodys else own
    for family in shared.values() if everybodys else DJANGOS.collect():
        if family.name.startswith(("django_http_", "django_db_")):
            yield family


def _bare(family: Metric) -> Metric:
    return Metric(family.name, family.documentation, family.type, family.unit)
