"""What became of imports without an answer, and whether targets still hold what they confirmed (TA-RECON).

Each asks the target outside of any transaction and writes down what it said where nothing has changed since.
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import Max, OuterRef, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.db.models.functions import Now

from catalogsku.core import messages
from catalogsku.core.models import Worker
from catalogsku.core.moves import move
from catalogsku.core.work import DEAD_WORKER_S
from processing.imports.lifecycle import IMPORT, Delivery, ImportKind
from processing.imports.models import ImportRecord
from processing.imports.services import rewriting
from processing.imports.services.answers import move_skus
from processing.imports.services.holds import held_names
from processing.imports.services.ledger import CALL_TIMEOUT_S, SETTLE_S, envelope_of, others
from processing.imports.targets.port import Held, Queries, Target, Unclear, Writes
from processing.imports.targets.registry import target_named

D = Delivery
ASKED_TOGETHER = 200
ASK_AGAIN_S = 60
# How long a target may take over what it has taken with 202, before the same bytes go out again.
ASSUMED_FOR_S = 1800
STALE_AFTER_H = 24
EVERY_S = 1800
# Rows that one round of the drift check looks at; the rounds walk over the whole ledger.
CHECKED_A_ROUND = 2000


def lose_answers() -> int:
    """Imports in SENDING whose worker is gone, or whose call ended long ago without its answer being written down."""
    live = Worker.objects.filter(seen_at__gt=Now() - timedelta(seconds=DEAD_WORKER_S)).values("pk")
    with transaction.atomic():
        over = Q(sent_at__lt=Now() - timedelta(seconds=SETTLE_S)) | ~Q(worker__in=live)
        rows = ImportRecord.objects.filter(over, state=D.SENDING)
        return len(move(IMPORT, rows, to=D.UNKNOWN, trigger="answer_lost"))


def unknown_imports() -> "QuerySet[ImportRecord]":
    """Those whose request cannot be on its way any more (3 T), and whose target was not asked a moment ago."""
    old = ImportRecord.objects.filter(state=D.UNKNOWN, sent_at__lt=Now() - timedelta(seconds=SETTLE_S))
    return old.exclude(not_before__gt=Now())


def settle_unknown(limit: int = ASKED_TOGETHER) -> int:
    """Ask the targets about imports whose answer was lost; the number settled.

    What a target lacks goes out again. One that cannot be asked gets the same bytes again where it replaces products,
    and else nothing: that is for a person.
    """
    lose_answers()
    return sum(_settle_at(target, group) for target, group in _by_target(_taken(limit)))


def _taken(limit: int) -> list[ImportRecord]:
    """Those to ask about now; nobody else does so for a minute."""
    with transaction.atomic():
        locked = unknown_imports().order_by("pk").select_for_update(of=("self",), no_key=True, skip_locked=True)
        rows = list(locked.select_related("job")[:limit])
        later = {"not_before": Now() + timedelta(seconds=ASK_AGAIN_S)}
        ImportRecord.objects.filter(pk__in=[row.pk for row in rows]).update(**later)
    return rows


def _by_target(rows: Sequence[ImportRecord]) -> Iterator[tuple[Target, list[ImportRecord]]]:
    """Without those whose target is not to be used now."""
    for name in dict.fromkeys(row.target for row in rows):
        try:
            target = target_named(name)
        except KeyError:
            continue
        yield target, [row for row in rows if row.target == name]


def _settle_at(target: Target, rows: Sequence[ImportRecord]) -> int:
    if target.traits.query == Queries.NONE:
        upserts = target.traits.writes == Writes.UPSERT
        state, trigger = (D.PENDING, "not_sent") if upserts else (D.ASSUMED, "assumed")
        return _settle(rows, state, trigger, uncertain=True)
    held = _ask(target, rows)
    there = [row for row, answer in held if not isinstance(answer, Unclear) and holds(row, answer)]
    lacking = [row for row, answer in held if not isinstance(answer, Unclear) and not holds(row, answer)]
    return _settle(there, D.CONFIRMED, "confirmed") + _settle(lacking, D.PENDING, "not_sent")


def _ask(target: Target, rows: Sequence[ImportRecord]) -> list[tuple[ImportRecord, Held]]:
    return list(zip(rows, target.query([envelope_of(row) for row in rows], CALL_TIMEOUT_S), strict=True))


def holds(row: ImportRecord, answer: Held) -> bool:
    """Whether the target holds what this row was to bring about; of a deletion it may know nothing any more.

    What was confirmed without a call stands there as an earlier generation.
    """
    if answer is None or isinstance(answer, Unclear):
        return answer is None and row.kind == ImportKind.DELETE
    unsent = row.attempt == 0 and not answer.payload_hash and (answer.generation or 0) < row.generation
    return unsent or answer.generation == row.generation or answer.payload_hash == row.payload_hash


def _settle(rows: Sequence[ImportRecord], state: str, trigger: str, *, uncertain: bool = False) -> int:
    """Where the claim is still the one that was asked about; pages and SKUs follow."""
    if not rows:
        return 0
    changes: dict[str, object] = {"uncertain": uncertain, "not_before": None}
    if state == D.CONFIRMED:
        changes |= {"failing_since": None, **rewriting.FORGOTTEN}
    tokens = Q(claim_token__in=[row.claim_token for row in rows if row.claim_token]) | Q(claim_token=None)
    with transaction.atomic():
        same = ImportRecord.objects.filter(tokens, pk__in=[row.pk for row in rows])
        moved = [m.id for m in move(IMPORT, same, to=state, trigger=trigger, changes=changes)]
        move_skus(moved, state)
        ring(row.page_id for row in rows if row.pk in moved)
    return len(moved)


def ring(page_ids: "Iterator[int] | Sequence[int]") -> None:
    """Have the pages settled once the transaction has committed."""
    if pages := list(dict.fromkeys(page_ids)):
        messages.send_after_commit("settle_pages", pages)


# --- every half hour ---------------------------------------------------------------------------------


def give_up_stale() -> int:
    """Imports that have failed for a day are left to people; the number given up. A longer outage is theirs to end."""
    day_ago = Now() - timedelta(hours=STALE_AFTER_H)
    failed = Q(state__in=[D.PENDING, D.UNKNOWN]) | Q(state=D.REFUSED)  # an index for each
    rows = ImportRecord.objects.filter(failed, failing_since__lt=day_ago).exclude(target__in=held_names())
    pages = dict(rows.values_list("pk", "page_id"))
    if not pages:
        return 0
    with transaction.atomic():
        changes = {"uncertain": RawSQL("(t.uncertain OR t.state = 'UNKNOWN')", ()), "not_before": None}
        moved = move(IMPORT, rows.filter(pk__in=list(pages)), to=D.STALE, trigger="too_old", changes=changes)
        move_skus([m.id for m in moved], D.STALE)
        ring([pages[m.id] for m in moved])
    return len(moved)


def confirm_assumed(limit: int = 1000) -> dict[str, int]:
    """Imports that targets took without a word on the outcome: confirmed where the target holds them by now.

    What a replacing target still lacks after half an hour goes out again, byte for byte.
    """
    rows = ImportRecord.objects.filter(~others(generation__gt=OuterRef("generation")), state=D.ASSUMED)
    counts = {"confirmed": 0, "sent_again": 0, "unclear": 0}
    for target, group in _by_target(list(rows.select_related("job").order_by("pk")[:limit])):
        if target.traits.query == Queries.NONE:
            continue
        held = _ask(target, group)
        counts["unclear"] += sum(isinstance(answer, Unclear) for _, answer in held)
        counts["confirmed"] += _settle([row for row, answer in held if holds(row, answer)], D.CONFIRMED, "confirmed")
        if target.traits.writes == Writes.UPSERT:
            lacking = [row for row, answer in held if not isinstance(answer, Unclear) and not holds(row, answer)]
            counts["sent_again"] += _settle(_taken_long_ago(lacking), D.PENDING, "retried")
    return counts


def _taken_long_ago(rows: Sequence[ImportRecord]) -> list[ImportRecord]:
    old = ImportRecord.objects.filter(
        pk__in=[row.pk for row in rows], sent_at__lt=Now() - timedelta(seconds=ASSUMED_FOR_S)
    )
    ids = set(old.values_list("pk", flat=True))
    return [row for row in rows if row.pk in ids]


def drift_window(now_s: float) -> tuple[int, int]:
    """The part of the ledger (first and last id) whose turn it is; after as many rounds as there are parts, again."""
    last = ImportRecord.objects.aggregate(last=Max("pk"))["last"] or 0
    parts = max(1, -(-last // CHECKED_A_ROUND))
    part = int(now_s // EVERY_S) % parts
    return part * CHECKED_A_ROUND + 1, (part + 1) * CHECKED_A_ROUND


def find_drift(first: int, last: int) -> dict[str, int]:
    """Compare confirmed imports, newest of their SKU, with what targets hold; differences are marked for people."""
    rows = ImportRecord.objects.filter(
        ~others(generation__gt=OuterRef("generation")), state=D.CONFIRMED, pk__range=(first, last)
    ).select_related("job")
    counts = {"checked": 0, "drifted": 0, "unclear": 0}
    for target, group in _by_target(list(rows.order_by("pk"))):
        if target.traits.query == Queries.NONE:
            continue
        if target.traits.query == Queries.JOB:  # what was confirmed without a call is listed under another document
            group = [row for row in group if row.attempt]
        for at in range(0, len(group), ASKED_TOGETHER):
            part = _ask(target, group[at : at + ASKED_TOGETHER])
            clear = [(row, answer) for row, answer in part if not isinstance(answer, Unclear)]
            counts["checked"] += len(clear)
            counts["unclear"] += len(part) - len(clear)
            counts["drifted"] += _mark(clear)
    return counts


def _mark(held: Sequence[tuple[ImportRecord, Held]]) -> int:
    by_drift: dict[str, list[int]] = {}
    for row, answer in held:
        by_drift.setdefault(_drift(row, answer), []).append(row.pk)
    for drift, ids in by_drift.items():
        ImportRecord.objects.filter(pk__in=ids, state=D.CONFIRMED).exclude(drift=drift).update(drift=drift)
    return sum(len(ids) for drift, ids in by_drift.items() if drift)


def _drift(row: ImportRecord, answer: Held) -> str:
    if holds(row, answer):
        return ""
    if answer is None:
        return "missing"
    return "not_deleted" if row.kind == ImportKind.DELETE else "other"
