"""The one writer of statuses: lifecycle tables, set-based compare-and-set moves, their audit rows and their news."""

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.db import connection, models, transaction
from psycopg.types.json import Jsonb

from catalogsku.core import live, messages, metrics
from catalogsku.core.bulk import assignments, insert_rows
from catalogsku.core.models import Transition


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


# Of rows that have moved to a state, in the transaction that moved them; what it raises takes the move back.
Listener = Callable[[str, Sequence[Moved]], None]


class Lifecycle:
    """A declarative table of moves of one entity's status column.

    ``job_column``: the column that holds the row's job (``id`` for the job itself); it names the live topic. A move is
    a hint for ``topic`` too, where one is named.
    ``audited``: one audit row for each row moved; with ``page`` one for each page's rows, under the page's id with the
    rows' ids in its reason; with ``not`` none, where the rows themselves tell their history.
    """

    def __init__(
        self,
        entity: str,
        moves: Iterable[Move],
        *,
        field: str = "status",
        job_column: str = "job_id",
        live: bool = True,
        topic: str = "",
        audited: Literal["row", "page", "not"] = "row",
    ) -> None:
        self.entity, self.field, self.job_column, self.live = entity, field, job_column, live
        self.topic, self.audited = topic, audited
        self.listeners: list[Listener] = []
        self.moves = tuple(moves)
        self._by_pair: dict[tuple[str, str], dict[str, Move]] = {}
        self._steps = {(entry.source, entry.target) for entry in self.moves}
        for entry in self.moves:
            self._by_pair.setdefault((entry.trigger, entry.target), {})[entry.source] = entry

    def sources(self, trigger: str, target: str) -> dict[str, Move]:
        """The declared source states of that move. Raises UndeclaredMove where there is none."""
        try:
            return self._by_pair[trigger, target]
        except KeyError:
            raise UndeclaredMove(f"{self.entity}: no move to {target} by {trigger}") from None

    def heard_by(self, listener: Listener) -> None:
        """From now on; an app above says so once it is ready."""
        if listener not in self.listeners:
            self.listeners.append(listener)

    def check_path(self, *states: str) -> str:
        """The last of ``states``, for rows inserted in the state they reached; each step must be declared."""
        for step in itertools.pairwise(states):
            if step not in self._steps:
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
    most: int | None = None,
) -> list[Moved]:
    """Move those of ``rows`` whose status allows it, with their audit rows, in one statement (TA-T46, TA-ADR09).

    Rows in another state are left alone: a lost race is not an error. The state compared is the one that the locked row
    has by then. ``changes`` are further columns of the same UPDATE, values or RawSQL over the row ``t``. ``most``: so
    many of them at most, and none that somebody else has locked. Must run in a transaction; news and the live hint
    leave after its commit.
    """
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError("move() needs the caller's transaction")
    declared = lifecycle.sources(trigger, to)
    model = rows.model
    chosen = (
        rows.filter(**{f"{lifecycle.field}__in": list(declared)})
        .order_by("pk")
        .select_for_update(of=("self",), no_key=True, skip_locked=most is not None)  # foreign keys may be checked
        .values("pk", lifecycle.field)[:most]
    )
    chosen_sql, chosen_params = chosen.query.sql_with_params()
    parts, values = assignments(model, {lifecycle.field: to, **(changes or {})})
    table = connection.ops.quote_name(model._meta.db_table)
    pk = connection.ops.quote_name(model._meta.pk.column)
    job = connection.ops.quote_name(lifecycle.job_column)
    by_page = ", t.page_id AS page_id" if lifecycle.audited == "page" else ""
    sql = f"""
        WITH chosen (id, source) AS ({chosen_sql}),
        moved AS (
            UPDATE {table} AS t SET {", ".join(parts)}, version = t.version + 1, changed = pg_current_xact_id()
            FROM chosen WHERE t.{pk} = chosen.id
            RETURNING t.{pk} AS id, chosen.source AS source, t.{job} AS job_id{by_page}
        ){_AUDITED[lifecycle.audited]}
        SELECT id, source, job_id FROM moved ORDER BY id"""
    audit: tuple[Any, ...] = (lifecycle.entity, to, trigger, actor, _json(reason))
    if lifecycle.audited == "not":
        audit = ()
    with connection.cursor() as cursor:
        cursor.execute(sql, (*chosen_params, *values, *audit))
        moved = [Moved(*row) for row in cursor.fetchall()]
    _announce(lifecycle, declared, moved, to)
    if moved:
        metrics.after_commit(metrics.MOVES, len(moved), entity=lifecycle.entity, target=to, trigger=trigger)
    return moved


_INSERT = (
    ", audited AS (INSERT INTO core_transition (entity, entity_id, job_id, source, target, trigger, actor, reason, at)"
)
_AUDITED = {
    "row": f"""{_INSERT}
            SELECT %s, id, job_id, source, %s, %s, %s, %s, now() FROM moved)""",
    "page": f"""{_INSERT}
            SELECT %s, page_id, job_id, source, %s, %s, %s,
                coalesce(%s, '{{}}'::jsonb) || jsonb_build_object('rows', jsonb_agg(id ORDER BY id)), now()
            FROM moved GROUP BY page_id, job_id, source)""",
    "not": "",
}


def _json(value: dict[str, Any] | None) -> Any:
    return Jsonb(value) if value is not None else None


def _announce(lifecycle: Lifecycle, declared: dict[str, Move], moved: Sequence[Moved], to: str) -> None:
    for listener in lifecycle.listeners if moved else ():
        listener(to, moved)
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
    if lifecycle.topic and moved:
        live.hint_after_commit(lifecycle.topic)


def audit_rows(
    entity: str, job_id: int, reasons: Mapping[int, dict[str, Any]], *, target: str, trigger: str, actor: str = "system"
) -> None:
    """Audit rows, by ``entity_id``, of rows inserted in the state they reached; one for a whole page's children."""
    same = {"entity": entity, "job_id": job_id, "source": "", "target": target, "trigger": trigger, "actor": actor}
    insert_rows(Transition, [{**same, "entity_id": key, "reason": reason} for key, reason in reasons.items()])
