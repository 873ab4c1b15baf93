"""Delivering pages' SKUs, the ledger's sweep, and what people and the clock ask of imports."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import QuerySet

from catalogsku.core import clock, crash_points, messages
from catalogsku.core.moves import move
from catalogsku.core.presence import current_worker
from processing.imports.lifecycle import IMPORT, Delivery
from processing.imports.models import ImportRecord
from processing.imports.services import answers, ledger, reconciling, rewriting

D = Delivery
PAGES_A_MESSAGE = 8


def deliver_pages(page_ids: Sequence[int]) -> int:
    """Send what of the pages may go out, then have them settled; the number of imports sent."""
    rows = ImportRecord.objects.filter(page__in=page_ids)
    total = ledger.deliver(rows, current_worker())
    crash_points.reached("import.recorded")
    messages.send("settle_pages", list(page_ids))
    return total


def sweep_ledger() -> dict[str, int]:
    """Imports whose message was lost, whose back-off is over, or whose answer never came. Calls no target itself."""
    pages = ledger.due_pages()
    for at in range(0, len(pages), PAGES_A_MESSAGE):
        messages.send("deliver_pages", pages[at : at + PAGES_A_MESSAGE])
    lost = reconciling.lose_answers()
    if reconciling.unknown_imports().exists():
        messages.send("settle_imports")
    return {"resent": len(pages), "lost": lost}


def reconcile_soon() -> dict[str, int]:
    """Give up what has failed for a day, and have the targets asked by the unit that may wait for them."""
    first, last = reconciling.drift_window(clock.now().timestamp())
    messages.send("reconcile_imports", first, last)
    return {"stale": reconciling.give_up_stale(), "first": first, "last": last}


def reconcile(first: int, last: int) -> dict[str, int]:
    """Ask about what is only assumed, and compare a part of the ledger (ids) with the targets."""
    return {**reconciling.confirm_assumed(), **reconciling.find_drift(first, last)}


@transaction.atomic
def retry_imports(import_ids: Sequence[int], actor: str) -> int:
    """A person sends these again: refused, given up, assumed, waiting, or held by the target otherwise than confirmed.

    What may have arrived is asked about first. The number of those that go out.
    """
    if not import_ids:
        return 0
    rows = ImportRecord.objects.filter(pk__in=import_ids)
    fresh = {"not_before": None, "failing_since": None, "conflicts": 0}
    waiting = rows.filter(state=D.PENDING, not_before__isnull=False).update(not_before=None, failing_since=None)
    doubtful = rows.filter(state=D.STALE, uncertain=True)
    to_ask = move(IMPORT, doubtful, to=D.UNKNOWN, trigger="retried", actor=actor, changes=fresh)
    # Of an assumed one a person has seen that the target lacks it.
    sent = move(IMPORT, rows, to=D.PENDING, trigger="retried", actor=actor, changes=fresh)
    answers.move_skus([m.id for m in sent], D.PENDING)
    pages = list(rows.order_by().values_list("page_id", flat=True).distinct())
    for at in range(0, len(pages), PAGES_A_MESSAGE):
        messages.send_after_commit("deliver_pages", pages[at : at + PAGES_A_MESSAGE])
    return len(to_ask) + len(sent) + waiting + _send_drifted_again(rows)


def _send_drifted_again(rows: "QuerySet[ImportRecord]") -> int:
    """What targets no longer hold as they confirmed it, as a new generation of the same product."""
    drifted = list(rows.exclude(drift="").filter(state=D.CONFIRMED))
    for row in drifted:
        answers.renew(row, row.generation + 1)
    rows.filter(pk__in=[row.pk for row in drifted]).update(drift="")
    return len(drifted)


@transaction.atomic
def confirm_by_hand(import_ids: Sequence[int], actor: str) -> int:
    """A person has found these at the target, which cannot be asked."""
    assumed = ImportRecord.objects.filter(pk__in=import_ids, state=D.ASSUMED)
    pages = dict(assumed.values_list("pk", "page_id"))
    changes = {"uncertain": False, "failing_since": None, **rewriting.FORGOTTEN}
    moved = move(IMPORT, assumed, to=D.CONFIRMED, trigger="confirmed", actor=actor, changes=changes) if pages else []
    reconciling.ring([pages[m.id] for m in moved])
    return len(moved)
