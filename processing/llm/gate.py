"""The gate of a model: its rate window, its breaker and whether its provider refuses it altogether; one row for all
processes, entered by one atomic UPDATE.

PostgreSQL's clock decides. A breaker that is to open again because its trials stayed undecided needs no write: the
state in force follows from the row and the time (LA-CB, LA-RATE).
"""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal

from django.db import connection, transaction
from django.db.models.functions import Now

from catalogsku.core import metrics
from catalogsku.profiles.models import record
from processing.llm.keys import mark_of
from processing.llm.models import GateState, LanguageModel, ModelGate

log = logging.getLogger(__name__)

WINDOW_S = 60
Reason = Literal[
    "rate_requests", "rate_tokens", "open", "half_open_full", "disabled", "retired", "unusable", "probed_already"
]
# An unusable model is tried with one call after this long, then after twice as long each time.
FIRST_PROBE_S, LAST_PROBE_S = 600, 24 * 3600
# A person's probe of a model comes this long after the end of another, and after one whose process died at the latest
# this long after the two waits that a call may take.
PROBE_PAUSE_S = 10
# From so many days before its end on it is said everywhere.
ENDS_SOON_DAYS = 60

# The commit of this statement alone does not wait for the disk (LA-PERF): what a server that dies may forget of a gate
# is its last half second, no money and no answer. Never inside somebody's transaction, which it would hold for too.
_UNFLUSHED = "set_config('synchronous_commit', 'off', true)"

# Words of SQL over a gate g and its model m. A clock that was set back by more than a window begins a new one.
_NOW = "statement_timestamp()"
_WINDOW = f"interval '{WINDOW_S} s'"
_FRESH = f"({_NOW} >= g.window_started_at + {_WINDOW} OR {_NOW} < g.window_started_at - {_WINDOW})"
_TOKENS = "least(%(tokens)s, m.tpm)"  # a request above the whole limit takes a window for itself
_HAS_REQUESTS = f"({_FRESH} OR g.requests < m.qpm)"
_HAS_TOKENS = f"({_FRESH} OR g.tokens + {_TOKENS} <= m.tpm)"
_TODAY = f"({_NOW} AT TIME ZONE 'UTC')::date"
_RETIRED = f"coalesce(m.retires_on <= {_TODAY}, false)"
_DECIDE_UNTIL = "g.half_open_since + m.half_open_s * interval '1 s'"
_TRYING = f"(g.state = 'half_open' AND {_NOW} < {_DECIDE_UNTIL})"
_OPEN_UNTIL = f"CASE g.state WHEN 'open' THEN g.open_until ELSE {_DECIDE_UNTIL} + m.open_s * interval '1 s' END"
_RESTED = f"(g.state <> 'closed' AND NOT {_TRYING} AND {_NOW} >= {_OPEN_UNTIL})"
_LETS_IN = f"(g.state = 'closed' OR {_RESTED} OR {_TRYING} AND g.trials < m.trials_max)"
_IN_FORCE = f"""CASE WHEN g.held_open THEN 'open' WHEN g.unusable <> '' THEN 'unusable'
    WHEN g.state = 'closed' THEN 'closed' WHEN {_TRYING} OR {_RESTED} THEN 'half_open' ELSE 'open' END"""

# What its provider refuses is not asked again before its time, unless key, row or address have changed since.
_SAME = "g.unusable_as = %(mark)s"
_BARRED = f"(g.unusable <> '' AND {_SAME} AND {_NOW} < g.unusable_until)"
_NEXT_PROBE = f"least({LAST_PROBE_S}, {FIRST_PROBE_S} * 2 ^ least(g.probes + 1, 10)) * interval '1 s'"

_COUNTED = f"""
        window_started_at = CASE WHEN {_FRESH} THEN {_NOW} ELSE g.window_started_at END,
        requests = CASE WHEN {_FRESH} THEN 1 ELSE g.requests + 1 END,
        tokens = CASE WHEN {_FRESH} THEN {_TOKENS} ELSE g.tokens + {_TOKENS} END"""
_ENTER = f"""
    UPDATE processing_modelgate AS g SET {_COUNTED},
        state = CASE WHEN {_RESTED} THEN 'half_open' ELSE g.state END,
        half_open_since = CASE WHEN {_RESTED} THEN {_NOW} ELSE g.half_open_since END,
        period = g.period + {_RESTED}::int,
        trials = CASE WHEN {_RESTED} THEN 1 ELSE g.trials + {_TRYING}::int END,
        trials_succeeded = CASE WHEN {_RESTED} THEN 0 ELSE g.trials_succeeded END,
        trials_failed = CASE WHEN {_RESTED} THEN 0 ELSE g.trials_failed END,
        probes = CASE WHEN g.unusable <> '' AND {_SAME} THEN g.probes + 1 ELSE 0 END,
        unusable_until = CASE WHEN g.unusable = '' THEN NULL
            ELSE {_NOW} + CASE WHEN {_SAME} THEN {_NEXT_PROBE} ELSE interval '{FIRST_PROBE_S} s' END END,
        unusable_as = CASE WHEN g.unusable = '' THEN '' ELSE %(mark)s END
    FROM processing_languagemodel m
    WHERE g.model_id = m.id AND m.name = %(model)s AND m.enabled AND NOT {_RETIRED} AND NOT g.held_open
        AND NOT {_BARRED} AND {_LETS_IN} AND {_HAS_REQUESTS} AND {_HAS_TOKENS}
    RETURNING CASE WHEN g.state = 'half_open' THEN g.period ELSE 0 END, g.unusable <> '', {_UNFLUSHED}"""
# A person's own question finds out what holds, whatever is believed: it is no trial of the breaker and puts off no
# trial of an unusable model. Only another person's word keeps it back.
_MAY_PROBE = f"coalesce({_NOW} >= g.next_probe_at, true)"
_ENTER_TO_PROBE = f"""
    UPDATE processing_modelgate AS g SET {_COUNTED},
        next_probe_at = {_NOW} + (2 * m.timeout_s + {PROBE_PAUSE_S}) * interval '1 s'
    FROM processing_languagemodel m
    WHERE g.model_id = m.id AND m.name = %(model)s AND NOT g.held_open AND {_MAY_PROBE}
        AND {_HAS_REQUESTS} AND {_HAS_TOKENS}
    RETURNING 0, g.unusable <> ''"""
_PROBE_ENDED = f"""
    UPDATE processing_modelgate AS g SET next_probe_at = {_NOW} + interval '{PROBE_PAUSE_S} s'
    FROM processing_languagemodel m WHERE g.model_id = m.id AND m.name = %(model)s RETURNING g.id"""
_WHY_NO_PROBE = f"""
    SELECT CASE WHEN g.held_open THEN 'open' WHEN NOT {_MAY_PROBE} THEN 'probed_already'
            WHEN NOT {_HAS_REQUESTS} THEN 'rate_requests' WHEN NOT {_HAS_TOKENS} THEN 'rate_tokens' END,
        extract(epoch FROM CASE WHEN g.held_open THEN m.open_s * interval '1 s'
            WHEN NOT {_MAY_PROBE} THEN g.next_probe_at - {_NOW}
            ELSE g.window_started_at + {_WINDOW} - {_NOW} END)::float8
    FROM processing_languagemodel m JOIN processing_modelgate g ON g.model_id = m.id WHERE m.name = %(model)s"""
# Null where the gate has let somebody out or in since, and would let this one in.
_WHY = f"""
    SELECT CASE WHEN NOT m.enabled THEN 'disabled' WHEN {_RETIRED} THEN 'retired' WHEN g.held_open THEN 'open'
            WHEN {_BARRED} THEN 'unusable'
            WHEN NOT {_LETS_IN} THEN CASE WHEN {_TRYING} THEN 'half_open_full' ELSE 'open' END
            WHEN NOT {_HAS_REQUESTS} THEN 'rate_requests' WHEN NOT {_HAS_TOKENS} THEN 'rate_tokens' END,
        extract(epoch FROM CASE WHEN NOT m.enabled OR {_RETIRED} OR g.held_open THEN m.open_s * interval '1 s'
            WHEN {_BARRED} THEN g.unusable_until - {_NOW}
            WHEN NOT {_LETS_IN} THEN CASE WHEN {_TRYING} THEN {_DECIDE_UNTIL} ELSE {_OPEN_UNTIL} END - {_NOW}
            ELSE g.window_started_at + {_WINDOW} - {_NOW} END)::float8
    FROM processing_languagemodel m JOIN processing_modelgate g ON g.model_id = m.id WHERE m.name = %(model)s"""
# A success in a row of failures ends the row; of trials enough successes close the breaker.
_CLOSES = "(g.state = 'half_open' AND g.trials_succeeded + 1 >= m.successes_to_close)"
_SUCCEEDED = f"""
    UPDATE processing_modelgate AS g SET failures = 0,
        trials_succeeded = g.trials_succeeded + (g.state = 'half_open')::int,
        state = CASE WHEN {_CLOSES} THEN 'closed' ELSE g.state END
    FROM processing_languagemodel m
    WHERE g.model_id = m.id AND m.name = %(model)s
        AND (g.state = 'closed' AND g.failures > 0 OR {_TRYING} AND g.period = %(trial)s)
    RETURNING g.state, {_UNFLUSHED}"""
# Of trials so many failures open it again that the others could not close it any more.
_OPENS = """CASE g.state WHEN 'closed' THEN g.failures + 1 >= m.failures_to_open
    ELSE g.trials_failed + 1 > m.trials_max - m.successes_to_close END"""
_FAILED = f"""
    UPDATE processing_modelgate AS g SET failures = g.failures + (g.state = 'closed')::int,
        trials_failed = g.trials_failed + (g.state = 'half_open')::int,
        state = CASE WHEN {_OPENS} THEN 'open' ELSE g.state END,
        open_until = CASE WHEN {_OPENS} THEN {_NOW} + m.open_s * interval '1 s' ELSE g.open_until END
    FROM processing_languagemodel m
    WHERE g.model_id = m.id AND m.name = %(model)s
        AND (g.state = 'closed' AND %(trial)s = 0 OR {_TRYING} AND g.period = %(trial)s)
    RETURNING g.state, {_UNFLUSHED}"""
_REFUSED = f"""
    UPDATE processing_modelgate AS g SET unusable = %(code)s, unusable_detail = %(detail)s, unusable_as = %(mark)s,
        unusable_since = CASE WHEN g.unusable = '' THEN {_NOW} ELSE g.unusable_since END,
        unusable_until = CASE WHEN g.unusable = '' THEN {_NOW} + interval '{FIRST_PROBE_S} s' ELSE g.unusable_until END
    FROM processing_languagemodel m WHERE g.model_id = m.id AND m.name = %(model)s
    RETURNING g.unusable_since = {_NOW}"""
_USABLE = (
    "unusable = '', unusable_detail = '', unusable_as = '', unusable_since = NULL, unusable_until = NULL, probes = 0"
)
_ANSWERED = f"""
    UPDATE processing_modelgate AS g SET {_USABLE}
    FROM processing_languagemodel m WHERE g.model_id = m.id AND m.name = %(model)s AND g.unusable <> ''
    RETURNING g.id"""
_SET = f"""
    UPDATE processing_modelgate AS g SET {_USABLE}, state = %(state)s, held_open = %(state)s = 'open', failures = 0,
        open_until = CASE %(state)s WHEN 'open' THEN statement_timestamp() END, set_by = %(by)s,
        set_at = statement_timestamp()
    FROM processing_languagemodel m WHERE g.model_id = m.id AND m.name = %(model)s RETURNING g.id"""
# A model that was never asked has no gate yet: it is closed and empty.
_STATES = f"""
    SELECT m.name, m.enabled, CASE WHEN g.id IS NULL THEN 'closed' ELSE {_IN_FORCE} END, coalesce(g.held_open, false),
        coalesce(g.set_by, ''), coalesce(g.failures, 0),
        CASE WHEN {_FRESH} THEN 0 ELSE coalesce(g.requests, 0) END, m.qpm,
        CASE WHEN {_FRESH} THEN 0 ELSE coalesce(g.tokens, 0) END, m.tpm,
        CASE WHEN {_IN_FORCE} = 'open' AND NOT g.held_open
            THEN extract(epoch FROM {_OPEN_UNTIL} - {_NOW})::float8 ELSE 0 END, m.provider,
        coalesce(g.unusable, ''), coalesce(g.unusable_detail, ''), g.unusable_since,
        greatest(0, coalesce(extract(epoch FROM g.unusable_until - {_NOW}), 0))::float8, m.retires_on,
        m.retires_on - {_TODAY}, m.thinking_level, m.media_resolution, m.max_image_px, m.max_tokens,
        m.batch_percent
    FROM processing_languagemodel m LEFT JOIN processing_modelgate g ON g.model_id = m.id ORDER BY m.name"""


@dataclass(frozen=True)
class Entered:
    """One call may be made. ``trial``: handed back with its outcome; 0 where it is none. ``is_probe``: whether an
    unusable model can be used again."""

    trial: int
    is_probe: bool = False


@dataclass(frozen=True)
class Refused:
    """Nothing was counted. ``retry_after_s``: when it may be worth to ask again."""

    reason: Reason
    retry_after_s: float


@dataclass(frozen=True)
class Gate:
    """What is in force now; ``trials_in_s``: until trials are let through. ``unusable``: the code of its provider's
    refusal, ``unusable_detail`` in the provider's words, ``probe_in_s`` until it is tried again. ``days_left`` until
    its provider takes it offline, 0 or less from that day on; None where no day is known. The last five as in the
    model's row."""

    model: str
    enabled: bool
    state: str
    held_open: bool
    set_by: str
    failures: int
    requests: int
    qpm: int
    tokens: int
    tpm: int
    trials_in_s: float
    provider: str = ""
    unusable: str = ""
    unusable_detail: str = ""
    unusable_since: datetime | None = None
    probe_in_s: float = 0.0
    retires_on: date | None = None
    days_left: int | None = None
    thinking_level: str = ""
    media_resolution: str = ""
    max_image_px: int | None = None
    max_tokens: int = 0
    batch_percent: int | None = None

    @property
    def is_retired(self) -> bool:
        return self.days_left is not None and self.days_left <= 0

    @property
    def ends_soon(self) -> bool:
        return self.days_left is not None and 0 < self.days_left <= ENDS_SOON_DAYS


def enter(model: str, tokens: int, mark: str = "") -> Entered | Refused:
    """Ask breaker and both rates at once, and count the request and its tokens where all three let it in.

    ``mark``: of the model's row, key and address (``keys.mark_of``).
    """
    return _let_in(_ENTER, _WHY, model, tokens, mark)


def enter_to_probe(model: str, tokens: int, mark: str = "") -> Entered | Refused:
    """For one question of a person: past switches, breaker and refusals of the provider, but one at a time, within the
    rates, and not against another person who holds the gate open. ``probe_ended`` comes after it."""
    return _let_in(_ENTER_TO_PROBE, _WHY_NO_PROBE, model, tokens, mark)


def probe_ended(model: str) -> None:
    _fetch_row(_PROBE_ENDED, {"model": model})


def _let_in(entering: str, refusing: str, model: str, tokens: int, mark: str) -> Entered | Refused:
    params = {"model": model, "tokens": tokens, "mark": mark}
    while (trial := _fetch_row(entering, params)) is None:
        why = _fetch_row(refusing, params)
        if why is None and not _made(model):
            return _refused(model, "disabled", WINDOW_S)
        if why is not None and why[0] is not None:
            return _refused(model, *why)
    return Entered(trial[0], bool(trial[1]))


def _refused(model: str, reason: Reason, retry_after_s: float) -> Refused:
    metrics.MODEL_REFUSED.labels(model, reason).inc()
    return Refused(reason, max(0.1, retry_after_s))


def succeeded(model: str, trial: int) -> None:
    """The model answered, whatever the answer is worth."""
    row = _fetch_row(_SUCCEEDED, {"model": model, "trial": trial})
    if row is not None and trial and row[0] == GateState.CLOSED:
        log.warning("model breaker closed", extra={"model": model})


def failed(model: str, trial: int) -> None:
    """It did not answer: a timeout, an error of its servers, a refusal for its load. Nothing else counts."""
    row = _fetch_row(_FAILED, {"model": model, "trial": trial})
    if row is not None and row[0] == GateState.OPEN:
        metrics.MODEL_OPENED.labels(model).inc()
        log.error("model breaker opened", extra={"model": model})


def refused_by_provider(model: str, code: str, detail: str, mark: str = "") -> None:
    """Its provider refuses the model, the key or the account: nobody is asked through it but one probe now and then."""
    params = {"model": model, "code": code[:60], "detail": detail[:300], "mark": mark}
    row = _fetch_row(_REFUSED, params)
    if row is not None and row[0]:
        log.error("model unusable", extra={"model": model, "code": code, "detail": detail[:300]})


def usable_again(model: str) -> None:
    """A probe was answered."""
    if _fetch_row(_ANSWERED, {"model": model}) is not None:
        log.warning("model usable again", extra={"model": model})


def usable(models: Iterable[LanguageModel]) -> list[LanguageModel]:
    """Those of which something may be asked now, as far as their providers let us."""
    rows = list(models)
    barred = ModelGate.objects.filter(model__in=rows, unusable_until__gt=Now()).exclude(unusable="")
    refused = dict(barred.values_list("model_id", "unusable_as"))
    return [model for model in rows if model.pk not in refused or refused[model.pk] != mark_of(model)]


def refusal_of(models: Iterable[LanguageModel]) -> str:
    """The code of a provider's refusal that is believed of one of them; "" where there is none."""
    barred = ModelGate.objects.filter(model__in=list(models), unusable_until__gt=Now()).exclude(unusable="")
    return barred.order_by("model_id").values_list("unusable", flat=True).first() or ""


def set_state(model: str, state: Literal["open", "closed"], by: str) -> None:
    """A person decides: ``open`` lets nothing through until ``closed`` is set; closed, the breaker works by itself.

    Raises LanguageModel.DoesNotExist.
    """
    _made(model)
    with transaction.atomic():
        row = (
            ModelGate.objects.select_for_update(of=("self",)).select_related("model").filter(model__name=model).first()
        )
        if row is None or _fetch_row(_SET, {"model": model, "state": state, "by": by[:80]}) is None:
            raise LanguageModel.DoesNotExist(model)
        record(row.model, {"held_open": row.held_open}, {"held_open": state == "open"})
    log.warning("model breaker set", extra={"model": model, "state": state, "by": by})


def states() -> list[Gate]:
    """Of every model, by name."""
    with connection.cursor() as cursor:
        cursor.execute(_STATES)
        return [Gate(*row) for row in cursor.fetchall()]


def make_missing() -> None:
    """A row for every model, for who lists rows: a model that was never asked has none."""
    ModelGate.objects.bulk_create(
        [ModelGate(model=model) for model in LanguageModel.objects.filter(gate__isnull=True)], ignore_conflicts=True
    )


def _made(model: str) -> bool:
    """Make the gate of a model that has none; False where there is no such model."""
    row = LanguageModel.objects.filter(name=model).first()
    if row is not None:
        ModelGate.objects.bulk_create([ModelGate(model=row)], ignore_conflicts=True)
    return row is not None


def _fetch_row(sql: str, params: dict[str, Any]) -> Sequence[Any] | None:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        row: Sequence[Any] | None = cursor.fetchone()
        return row
