"""What people see of imports: each row of the ledger with its state, its attempts and what the target said."""

import operator
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce

from django.db.models import BooleanField, CharField, Count, ExpressionWrapper, Q, QuerySet, Value
from django.urls import reverse
from django.utils.translation import gettext_lazy, pgettext_lazy

from catalogsku.accounts.models import User
from ingestion.models import Job
from ingestion.presentation import Filter
from processing.imports.lifecycle import IN_FLIGHT, Delivery, ImportKind
from processing.imports.models import ImportRecord, ImportTarget, TargetHold
from processing.imports.targets.registry import target_names
from processing.products.models import Sku

D = Delivery
# icon, tone
LOOKS = {
    D.PENDING: ("waiting", "ink2"),
    D.SENDING: ("deliver", "acc"),
    D.UNKNOWN: ("help", "person"),
    D.CONFIRMED: ("checks", "done"),
    D.ASSUMED: ("check", "person"),
    D.REFUSED: ("refused", "fault"),
    D.STALE: ("stopped", "fault"),
    D.SUPERSEDED: ("history", "ink2"),
}
DRIFTS = {
    "missing": gettext_lazy("The target no longer has it"),
    "other": gettext_lazy("The target has something else"),
    "not_deleted": gettext_lazy("The target still has it"),
}
# Of all documents no more than these are counted and leafed through, in each filter.
MOST_SHOWN = 2000
# Each condition is that of a partial index.
GROUPS = {
    "failed": (pgettext_lazy("imports", "Failed"), "flag", "fault", [Q(state=D.REFUSED), Q(state=D.STALE)]),
    "open": (pgettext_lazy("imports", "On their way"), "deliver", "acc", [Q(state__in=[D.PENDING, *IN_FLIGHT])]),
    "assumed": (pgettext_lazy("imports", "Not confirmed"), "check", "person", [Q(state=D.ASSUMED)]),
    "drifted": (pgettext_lazy("imports", "Differ"), "warning", "person", [~Q(drift="")]),
}
FAILED_OR_DIFFERS = ("failed", "drifted")
# What a person can do about a row: `retry` sends it again, `confirm` says that it has arrived.
RETRIABLE = (D.REFUSED, D.STALE, D.ASSUMED)


@dataclass(frozen=True)
class ImportRow:
    id: int
    sku_key: str
    kind: str
    generation: int
    target: str
    job_name: str
    job_url: str
    merchant: str
    word: str
    icon: str
    tone: str
    attempt: int
    response: str
    drift: str
    sent_at: datetime | None
    not_before: datetime | None
    failing_since: datetime | None
    can_retry: bool
    can_confirm: bool


@dataclass(frozen=True)
class Found:
    """Ids of imports, the newest first; ``groups``: the same by filter. ``more``: filters that hold more than that."""

    ids: Sequence[int]
    groups: Mapping[str, Sequence[int]]
    more: Collection[str] = ()

    def of(self, show: str) -> Sequence[int]:
        return self.groups.get(show, self.ids)


def find_imports(actor: User, job: Job | None = None) -> Found:
    """Those that are in a state people may want to know of; of a document, the newest of each SKU, whatever it is."""
    rows = ImportRecord.objects.visible_to(actor)
    return _of_all(rows) if job is None else _of_document(rows.filter(job=job))


def _of_all(rows: QuerySet[ImportRecord]) -> Found:
    """Each group is walked from its newest end: of a target that is down they may be a hundred thousand."""
    walks = [
        rows.filter(condition).order_by("-pk").values_list("pk", Value(key, CharField()))[: MOST_SHOWN + 1]
        for key, (*_, conditions) in GROUPS.items()
        for condition in conditions
    ]
    ids_by_group: dict[str, list[int]] = {key: [] for key in GROUPS}
    for pk, key in walks[0].union(*walks[1:], all=True):
        ids_by_group[key].append(pk)
    every = {"all": sorted({pk for ids in ids_by_group.values() for pk in ids}, reverse=True)}
    newest = {key: sorted(ids, reverse=True)[:MOST_SHOWN] for key, ids in ids_by_group.items()}
    more = [key for key, ids in (every | ids_by_group).items() if len(ids) > MOST_SHOWN]
    return Found(every["all"][:MOST_SHOWN], newest, more)


def _of_document(rows: QuerySet[ImportRecord]) -> Found:
    sku = ("target", "merchant", "sku_key")
    fits = [ExpressionWrapper(reduce(operator.or_, group[3]), BooleanField()) for group in GROUPS.values()]
    newest = list(rows.order_by(*sku, "-generation").distinct(*sku).values_list("pk", *fits))
    newest.sort(reverse=True)
    groups = {key: [pk for pk, *is_in in newest if is_in[at]] for at, key in enumerate(GROUPS)}
    return Found([pk for pk, *_ in newest], groups)


def the_import(actor: User, job: Job | None, number: int) -> list[int]:
    """Its id, if the actor may see it there."""
    rows = ImportRecord.objects.visible_to(actor).filter(pk=number)
    return list((rows if job is None else rows.filter(job=job)).values_list("pk", flat=True))


def import_filters(imports: Found) -> list[Filter]:
    chips = [
        Filter(key, str(word), icon, len(imports.of(key)), tone, more=key in imports.more)
        for key, (word, icon, tone, _) in GROUPS.items()
    ]
    return [Filter("all", str(gettext_lazy("All")), "", len(imports.ids), more="all" in imports.more), *chips]


def imports_with(ids: Sequence[int]) -> list[ImportRow]:
    rows = ImportRecord.objects.filter(pk__in=ids).select_related("job", "merchant").order_by("-pk")
    return import_rows(list(rows))


def import_rows(rows: Sequence[ImportRecord]) -> list[ImportRow]:
    return [_row(row) for row in rows]


def imports_of_sku(sku: Sku) -> list[ImportRow]:
    """All generations that went out from its document, the newest first."""
    key = {"target__in": target_names(), "merchant": sku.job.merchant_id, "sku_key": sku.key}
    rows = ImportRecord.objects.filter(**key, job=sku.job_id).select_related("job", "merchant")
    return import_rows(list(rows.order_by("-generation", "target")))


def _row(row: ImportRecord) -> ImportRow:
    icon, tone = LOOKS[D(row.state)]
    return ImportRow(
        id=row.pk,
        sku_key=row.sku_key,
        kind=str(ImportKind(row.kind).label),
        generation=row.generation,
        target=row.target,
        job_name=row.job.source_name,
        job_url=reverse("job_imports", args=[row.job.uuid]),
        merchant=row.merchant.name,
        word=str(D(row.state).label),
        icon=icon,
        tone=tone,
        attempt=row.attempt,
        response=str(row.response or ""),
        drift=str(DRIFTS.get(row.drift, "")),
        sent_at=row.sent_at,
        not_before=row.not_before if row.state == D.PENDING else None,
        failing_since=row.failing_since,
        can_retry=row.state in RETRIABLE or bool(row.drift),
        can_confirm=row.state == D.ASSUMED and row.uncertain,
    )


@dataclass(frozen=True)
class HoldRow:
    """A target that does not take our secret, and how many imports wait for it."""

    target: str
    response: str
    since: datetime
    try_at: datetime
    waiting: int


def list_holds(actor: User) -> QuerySet[TargetHold]:
    """Of targets that all merchants share, and of those of one's own."""
    seen = actor.merchant_ids()
    rows = TargetHold.objects.order_by("target")
    foreign = ImportTarget.objects.exclude(merchant=None)
    return rows if seen is None else rows.exclude(target__in=foreign.exclude(merchant__in=seen).values("name"))


def hold_rows(actor: User) -> list[HoldRow]:
    held = list(list_holds(actor))
    waiting = ImportRecord.objects.visible_to(actor).filter(target__in=[hold.target for hold in held], state=D.PENDING)
    counts = dict(waiting.order_by().values_list("target").annotate(n=Count("pk"))) if held else {}
    return [HoldRow(hold.target, hold.response, hold.since, hold.try_at, counts.get(hold.target, 0)) for hold in held]
