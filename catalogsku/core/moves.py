"""The one writer of statuses: lifecycle tables, set-based compare-and-set moves, their audit rows and their news."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.db import connection, models, transaction
from psycopg.types.json import Jsonb

from catalogsku.core import live, messages


class UndeclaredMove(Exception):
    """Code asked for a move that its lifecycle table does not declare."""


@dataclass(frozen=True)
class News:
    """A message that goes out after commit: to ``actor``, with the id of the row or of its job."""

    actor: str
    per: Literal["row", "job"] = "row"


@dataclass(frozen=True)
class Move:
    source: str
    trigger: str
    target: str
    news: News | None = None


@dataclass(frozen=True)
class Moved:
    id: int
    source: str
    job_id: int


class Lifecycle:
    """A declarative table of moves of one entity's status column.

    ``job_column``: the column that holds the row's job (``id`` for the job itself); it names the live topic.
    """

    def __init__(
        self,
        entity: str,
        moves: Iterable[Move],
        *,
        field: str = "status",
        job_column: str = "job_id",
        live: bool = True,
    ) -> None:
        self.entity, self.field, self.job_column, self.live = entity, field, job_column, live
        self.moves = tuple(moves)
        self._by_pair: dict[tuple[str, str], dict[str, Move]] = {}
        for entry in self.moves:
            self._by_pair.setdefault((entry.trigger, entry.target), {})[entry.source] = entry

    def sources(self, trigger: str, target: str) -> dict[str, Move]:
        """The declared source states of that move. Raises UndeclaredMove where there is none."""
        try:
            return self._by_pair[trigger, target]
        except KeyError:
            raise UndeclaredMove(f"{self.entity}: no move to {target} by {trigger}") from None

    def check_path(self, *states: str) -> str:
        """The last of ``states``, for rows inserted in the state they reached; each step must be declared."""
        declared = {(entry.source, entry.target) for entry in self.moves}
        for step in zip(states, states[1:], strict=False):
            if step not in declared:
                raise UndeclaredMove(f"{self.entity}: {step[0]} -> {step[1]}")
        return states[-1]


def move(
    lifecycle: Lifecycle,
    rows: "models.QuerySet[Any]",
    *,
    to: str,
    trigger: str,
    actor: str = "system",
    reason: dict[str, Any] | None = None,
    changes: dict[str, Any] | None = None,
) -> list[Moved]:
    """Move those of ``rows`` whose status allows it, with one audit row each, in one statement (TA-T46, TA-ADR09).

    Rows in another state are left alone: a lost race is not an error. The state compared is the one that the locked row
    has by then. ``changes`` are further columns of the same UPDATE. Must run in a transaction; news and the live hint
    leave after its commit.
    """
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError("move() needs the caller's transaction")
    declared = lifecycle.sources(trigger, to)
    model = rows.model
    chosen = (
        rows.filter(**{f"{lifecycle.field}__in": list(declared)})
        .order_by("pk")
        .select_for_update(of=("self",))
        .values("pk", lifecycle.field)
    )
    chosen_sql, chosen_params = chosen.query.sql_with_params()
    assignments, values = _assignments(model, {lifecycle.field: to, **(changes or {})})
    table = connection.ops.quote_name(model._meta.db_table)
    pk = connection.ops.quote_name(model._meta.pk.column)
    job = connection.ops.quote_name(lifecycle.job_column)
    sql = f"""
        WITH chosen (id, source) AS ({chosen_sql}),
        moved AS (
            UPDATE {table} AS t SET {assignments}, version = t.version + 1, changed = pg_current_xact_id()
            FROM chosen WHERE t.{pk} = chosen.id
            RETURNING t.{pk} AS id, chosen.source AS source, t.{job} AS job_id
        ), audited AS (
            INSERT INTO core_transition (entity, entity_id, job_id, source, target, trigger, actor, reason, at)
            SELECT %s, id, job_id, source, %s, %s, %s, %s, now() FROM moved
        )
        SELECT id, source, job_id FROM moved ORDER BY id"""
    audit: tuple[Any, ...] = (lifecycle.entity, to, trigger, actor, _json(reason))
    with connection.cursor() as cursor:
        cursor.execute(sql, (*chosen_params, *values, *audit))
        moved = [Moved(*row) for row in cursor.fetchall()]
    _announce(lifecycle, declared, moved)
    return moved


def _json(value: dict[str, Any] | None) -> Any:
    return Jsonb(value) if value is not None else None


def _assignments(model: type[models.Model], changes: dict[str, Any]) -> tuple[str, list[Any]]:
    parts, values = [], []
    for name, value in changes.items():
        field: Any = model._meta.get_field(name)
        parts.append(f"{connection.ops.quote_name(field.column)} = %s")
        values.append(field.get_db_prep_save(value, connection))
    return ", ".join(parts), values


def _announce(lifecycle: Lifecycle, declared: dict[str, Move], moved: Sequence[Moved]) -> None:
    outgoing = dict.fromkeys(
        (news.actor, row.id if news.per == "row" else row.job_id)
        for row in moved
        if (news := declared[row.source].news) is not None
    )
    for actor, argument in outgoing:
        messages.send_after_commit(actor, argument)
    if lifecycle.live:
        for job_id in dict.fromkeys(row.job_id for row in moved):
            live.hint_after_commit(job_id)


def audit(entity: str, entity_id: int, job_id: int, source: str, target: str, trigger: str, *, actor: str = "system",
          reason: dict[str, Any] | None = None) -> None:  # fmt: skip
    """The audit row of rows inserted in the state they reached; one for a whole page's children."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO core_transition (entity, entity_id, job_id, source, target, trigger, actor, reason, at)"
            " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, now())",
            (entity, entity_id, job_id, source, target, trigger, actor, _json(reason)),
        )
