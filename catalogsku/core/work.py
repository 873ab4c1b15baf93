"""Machine work on rows: claim, hold while recording, release, fail, reap. PostgreSQL decides, with its own clock.

A claim lasts as long as its worker lives (a worker row seen within 30 s); its token is compared in the transaction of
every effect, so a result that comes too late is dropped (TA-LEASE). Losses (the worker died) are not failures (the
work raised): after kill -9 the lowest page is always in hand and must not be buried for it.
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import connection, models, transaction
from django.db.models import F
from django.db.models.functions import Now

from catalogsku.core.models import Worker, WorkRow

LOST_MESSAGE_S = 20
DEAD_WORKER_S = 30
MAX_FAILURES = 5
ALONE_AFTER_LOSSES = 3
MAX_LOSSES = 10
BACKOFF_S, MAX_BACKOFF_S = 5, 300
FORGOTTEN_S = 15

# Tokens of the claims that this process is working on.
_held: set[int] = set()
_held_lock = threading.Lock()


@dataclass(frozen=True)
class Claim:
    """A row in the hands of one worker, until it is recorded, released or reaped."""

    id: int
    token: int


@dataclass(frozen=True)
class Reaped:
    """Rows freed from dead workers; ``buried`` lost their worker ten times and go to the dead letters."""

    freed: list[int]
    buried: list[int]


def claim(rows: "models.QuerySet[Any]", stage: str, worker: Worker) -> list[Claim]:
    """Take those of ``rows`` that wait in ``stage`` and are in nobody's hands; the rest is not an error.

    ``rows`` carries the caller's further conditions (ids, that the job is active). A row that a transaction has locked
    just now (its document is routed, a person saves it) is waited for: it would be missed until its message counts as
    lost. So who locks several rows locks them in the order of their ids (`lock`, `move`).
    """
    waiting = rows.filter(stage=stage, worker__isnull=True).order_by("pk").select_for_update(of=("self",), no_key=True)
    table = connection.ops.quote_name(rows.model._meta.db_table)
    with transaction.atomic(), connection.cursor() as cursor:
        sql, params = waiting.values("pk").query.sql_with_params()
        cursor.execute(
            f"UPDATE {table} AS t SET worker = %s, claim_token = nextval('core_claim_token'), claimed_at = now(),"
            f" handled_by = %s, version = t.version + 1, changed = pg_current_xact_id()"
            f" FROM ({sql}) AS chosen(id) WHERE t.id = chosen.id RETURNING t.id, t.claim_token",
            (worker.pk, str(worker)[:80], *params),
        )
        claims = sorted((Claim(*row) for row in cursor.fetchall()), key=lambda c: c.id)
    with _held_lock:
        _held.update(held.token for held in claims)
    return claims


def lock(rows: "models.QuerySet[Any]") -> list[int]:
    """Lock the rows until the transaction ends, in the order in which claims do; their ids."""
    return list(rows.order_by("pk").select_for_update(of=("self",), no_key=True).values_list("pk", flat=True))


@contextmanager
def holding(claims: Sequence[Claim]) -> Iterator[None]:
    """While this process works on them. Afterwards they are not its own any more, whatever happened: a claim that could
    not be given back (the database was away) is freed with the next sign of life.
    """
    try:
        yield
    finally:
        with _held_lock:
            _held.difference_update(held.token for held in claims)


def free_forgotten(worker: Worker) -> int:
    """Free rows that the database still counts as this process's, although it has long done with them.

    As SQL: every process asks for every kind of row with each sign of life, also where it has nothing to do.
    """
    with _held_lock:
        mine = list(_held)
    freed = 0
    with connection.cursor() as cursor:
        for model in WorkRow.__subclasses__():
            cursor.execute(
                f"UPDATE {connection.ops.quote_name(model._meta.db_table)}"
                " SET worker = NULL, claim_token = NULL, claimed_at = NULL, dispatched_at = NULL,"
                " version = version + 1, changed = pg_current_xact_id()"
                " WHERE worker = %s AND claimed_at < statement_timestamp() - make_interval(secs => %s)"
                " AND claim_token <> ALL(%s::bigint[])",
                (worker.pk, FORGOTTEN_S, mine),
            )
            freed += cursor.rowcount
    return freed


@contextmanager
def recording(model: type[WorkRow], claim: Claim) -> Iterator[Any]:
    """The row, locked, in a transaction; None where the claim no longer holds and the result must be dropped."""
    with recording_all(model, [claim]) as rows:
        yield rows.get(claim.id)


@contextmanager
def recording_all(
    model: type[WorkRow], claims: Sequence[Claim], columns: Sequence[str] = ()
) -> Iterator[dict[int, Any]]:
    """The rows by id, locked, in one transaction; those whose claim no longer holds are not among them.

    ``columns``: the only ones that the caller looks at, where it has many rows; else all.
    """
    tokens = {held.id: held.token for held in claims}
    with transaction.atomic():
        rows = model._default_manager.select_for_update(no_key=True).filter(pk__in=list(tokens)).order_by("pk")
        if columns:
            rows = rows.only("claim_token", *columns)
        yield {row.pk: row for row in rows if row.claim_token == tokens[row.pk]}


CLEARED: dict[str, Any] = {"worker": None, "claim_token": None, "claimed_at": None, "dispatched_at": None}
RECORDED: dict[str, Any] = {**CLEARED, "failures": 0, "losses": 0, "not_before": None, "last_error": None}


def are_lost(model: type[WorkRow], claims: Sequence[Claim]) -> bool:
    """Whether none of the claims counts any more: their rows were cancelled, freed, or are another's by now."""
    with connection.cursor() as cursor:  # asked of each child again and again
        cursor.execute(
            f"""SELECT count(*), count(*) FILTER (WHERE row.claim_token = held.token)
            FROM unnest(%s::bigint[], %s::bigint[]) AS held (id, token) JOIN {model._meta.db_table} row USING (id)""",
            [[held.id for held in claims], [held.token for held in claims]],
        )
        rows, held = cursor.fetchone()
    return bool(rows and not held)


def release(model: type[WorkRow], claims: Sequence[Claim], delay_s: float = 0) -> None:
    """Give rows back without counting anything: a busy gate, a shutdown, neighbours of a page that failed."""
    for held in claims:
        model._default_manager.filter(pk=held.id, claim_token=held.token).update(
            **CLEARED, **model.visible_change(), not_before=Now() + timedelta(seconds=delay_s) if delay_s else None
        )


def put_back_after_failure(row: WorkRow, error: dict[str, Any]) -> bool:
    """Count a temporary failure of a row held by ``recording``; False where it was the last one allowed.

    The next attempt waits 5 s x 2^n, at most 5 min.
    """
    row.failures += 1
    row.last_error = error
    exhausted = row.failures >= MAX_FAILURES
    delay_s = min(BACKOFF_S * 2 ** (row.failures - 1), MAX_BACKOFF_S)
    type(row)._default_manager.filter(pk=row.pk).update(
        **CLEARED,
        failures=row.failures,
        last_error=error,
        not_before=None if exhausted else Now() + timedelta(seconds=delay_s),
    )
    return not exhausted


def reap(model: type[WorkRow], worker_ids: Sequence[int] | None = None) -> Reaped:
    """Free the claims of workers that are gone (or of ``worker_ids``), counting a loss each; safe on many hosts."""
    live = Worker.objects.filter(seen_at__gt=Now() - timedelta(seconds=DEAD_WORKER_S)).values("pk")
    held = model._default_manager.filter(worker__isnull=False)
    held = held.filter(worker__in=list(worker_ids)) if worker_ids is not None else held.exclude(worker__in=live)
    with transaction.atomic():
        ids = list(held.order_by("pk").select_for_update(no_key=True, skip_locked=True).values_list("pk", flat=True))
        if not ids:
            return Reaped([], [])
        rows = model._default_manager.filter(pk__in=ids)
        rows.update(**CLEARED, **model.visible_change(), losses=F("losses") + 1)
        buried = list(rows.filter(losses__gte=MAX_LOSSES).values_list("pk", flat=True))
        return Reaped([pk for pk in ids if pk not in set(buried)], buried)


def waiting(rows: "models.QuerySet[Any]") -> "models.QuerySet[Any]":
    """Rows ready to be sent: in nobody's hands, due, and not sent within the last 20 s (a lost message)."""
    return rows.filter(
        models.Q(not_before__isnull=True) | models.Q(not_before__lte=Now()),
        models.Q(dispatched_at__isnull=True) | models.Q(dispatched_at__lt=Now() - timedelta(seconds=LOST_MESSAGE_S)),
        worker__isnull=True,
    ).exclude(stage="NONE")


def in_hand(rows: "models.QuerySet[Any]") -> "models.QuerySet[Any]":
    """Rows claimed, or sent so lately that their message may still arrive."""
    return rows.exclude(stage="NONE").filter(
        models.Q(worker__isnull=False) | models.Q(dispatched_at__gte=Now() - timedelta(seconds=LOST_MESSAGE_S))
    )


def live_threads(unit: str) -> int:
    """Threads of the live workers of a unit; 0 where none lives."""
    alive = Worker.objects.filter(unit=unit, seen_at__gt=Now() - timedelta(seconds=DEAD_WORKER_S))
    return int(alive.aggregate(threads=models.Sum("threads"))["threads"] or 0)
