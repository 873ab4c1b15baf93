"""Events become deliveries: the audit rows that moves have written in their own transactions, for whoever listens.

Nothing is added to the work that moves rows, and nothing can be lost: what a round has not come to, the next one finds.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from django.db import connection, transaction

from catalogsku.core import bulk, clock
from processing.webhooks.events import RETRY_FOR_S, STATES, TELLERS, body_of, event_of
from processing.webhooks.lifecycle import HookState
from processing.webhooks.models import WebhookCursor, WebhookDelivery, WebhookEndpoint

TOGETHER = 2000
ABOVE = frozenset({"task", "record"})  # entities that apps and features above tell of
OF_PAGES = frozenset({"page", "page_import"})

_SINCE = """
    SELECT t.id, t.entity, t.entity_id, t.source, t.target, t.trigger, t.at, j.id, j.uuid, j.merchant_id, j.source_name,
        j.total_pages, j.failure_code, p.number, p.sku_count
    FROM core_transition t JOIN ingestion_job j ON j.id = t.job_id
    LEFT JOIN ingestion_page p ON t.entity IN ('page', 'page_import') AND p.id = t.entity_id
    WHERE t.changed >= %s::text::xid8 AND j.merchant_id = ANY(%s)
        AND (t.entity, t.target) IN (SELECT * FROM unnest(%s::text[], %s::text[]))
    ORDER BY t.id"""


class _Move(NamedTuple):
    id: int
    entity: str
    entity_id: int
    source: str
    target: str
    trigger: str
    at: datetime
    job_id: int
    job: UUID
    merchant_id: int
    source_file: str
    total_pages: int | None
    failure_code: str
    page_number: int | None
    sku_count: int | None


@transaction.atomic
def write_deliveries(*, restored: bool = False) -> int:
    """What has been committed since the last round, for each endpoint that wants it; the number written.

    Rounds follow each other (the cursor's row is locked). A row is read again until every transaction older than its
    own has ended, so that one that commits late is not passed over; what is written already is not written twice.
    ``restored``: rows and cursor are of another cluster, and go together still.
    """
    cursor_row = WebhookCursor.objects.select_for_update(skip_locked=True).first()
    if cursor_row is None:  # another process is at it
        return 0
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_snapshot_xmin(s)::text::bigint, pg_snapshot_xmax(s)::text::bigint"
            " FROM pg_current_snapshot() AS s"
        )
        following, newest = cursor.fetchone()
        # Else it is a database that was restored without `manage.py restore`.
        since = cursor_row.position if restored or cursor_row.position <= newest else following
        endpoints = list(WebhookEndpoint.objects.filter(off=""))
        written = 0
        if endpoints:
            merchants = sorted({endpoint.merchant_id for endpoint in endpoints})
            entities, targets = ([state[n] for state in STATES] for n in (0, 1))
            cursor.execute(_SINCE, [str(since), merchants, entities, targets])
            while rows := cursor.fetchmany(TOGETHER):
                written += _write([_Move(*row) for row in rows], endpoints)
    WebhookCursor.objects.filter(pk=cursor_row.pk).update(position=following)
    return written


def _write(moves: Sequence[_Move], endpoints: Sequence[WebhookEndpoint]) -> int:
    there = set(
        WebhookDelivery.objects.filter(event__in=[move.id for move in moves]).values_list("endpoint_id", "event")
    )
    due_until = clock.now() + timedelta(seconds=RETRY_FOR_S)
    due = []
    for move in moves:
        kind = event_of(move.entity, move.source, move.target)
        for endpoint in endpoints:
            wanted = kind in endpoint.events and move.merchant_id == endpoint.merchant_id and move.at >= endpoint.on_at
            if kind and wanted and (endpoint.pk, move.id) not in there:
                due.append((endpoint, kind, move))
    told = _told_above([move for _, _, move in due])
    rows = [
        row_of(endpoint, kind, _body(kind, move, more), due_until, job=move.job_id, event=move.id)
        for endpoint, kind, move in due
        if (more := told.get((move.entity, move.entity_id), None if move.entity in ABOVE else {})) is not None
    ]
    bulk.insert_rows(WebhookDelivery, rows)
    return len(rows)


def _told_above(moves: Sequence[_Move]) -> dict[tuple[str, int], Mapping[str, Any]]:
    """What apps above tell of these moves' rows, by entity and id; what is not in it is nobody's business."""
    told: dict[tuple[str, int], Mapping[str, Any]] = {}
    for entity, teller in TELLERS.items():
        ids = {move.entity_id for move in moves if move.entity == entity}
        told |= {(entity, pk): more for pk, more in teller(ids).items()} if ids else {}
    return told


def _body(kind: str, move: _Move, more: Mapping[str, Any]) -> str:
    """``sequence`` grows with every event; of a page or document, in the order in which they happened."""
    data: dict[str, Any] = {
        "job_id": move.job,
        "merchant_id": move.merchant_id,
        "source_file": move.source_file,
        "status": move.target,
        "previous_status": move.source,
        "cause": move.trigger,
        "sequence": move.id,
    }
    if move.entity == "job":
        data |= {"total_pages": move.total_pages, "reason_code": move.failure_code or None}
    elif move.entity in OF_PAGES:
        data |= {"page_number": move.page_number, "sku_count": move.sku_count}
    return body_of(kind, move.at.isoformat(), {**data, **more})


def write_at_once(kind: str, merchant_id: int, data: Mapping[str, Any]) -> int:
    """Of what has no audit row: for each of the merchant's endpoints that wants it, in the caller's transaction; the
    number written. It is told once where it is called once."""
    endpoints = WebhookEndpoint.objects.filter(merchant=merchant_id, off="", events__contains=[kind])
    now = clock.now()
    body = body_of(kind, now.isoformat(), {"merchant_id": merchant_id, **data})
    due_until = now + timedelta(seconds=RETRY_FOR_S)
    rows = [row_of(endpoint, kind, body, due_until, job=None, event=None) for endpoint in endpoints]
    bulk.insert_rows(WebhookDelivery, rows)
    return len(rows)


def row_of(
    endpoint: WebhookEndpoint, kind: str, body: str, due_until: datetime, *, job: int | None, event: int | None
) -> dict[str, Any]:
    return {
        "uuid": uuid4(),
        "endpoint_id": endpoint.pk,
        "event": event,
        "type": kind,
        "job_id": job,
        "state": HookState.WAITING,
        "body": body,
        "attempts": 0,
        "log": [],
        "due_until": due_until,
    }
