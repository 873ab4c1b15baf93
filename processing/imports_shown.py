"""What people see of imports: each row of the ledger with its state, its attempts and what the target said."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext_lazy, pgettext_lazy

from catalogsku.accounts.models import User
from ingestion.models import Job
from ingestion.presentation import Filter
from processing.delivery.targets import target_names
from processing.lifecycle import IN_FLIGHT, Delivery, ImportKind
from processing.models import ImportRecord, ImportTarget, Sku, TargetHold

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
_DRIFTED = ~Q(drift="")
GROUPS = {
    "failed": (pgettext_lazy("imports", "Failed"), "flag", "fault", Q(state__in=[D.REFUSED, D.STALE])),
    "open": (pgettext_lazy("imports", "On their way"), "deliver", "acc", Q(state__in=[D.PENDING, *IN_FLIGHT])),
    "assumed": (pgettext_lazy("imports", "Not confirmed"), "check", "person", Q(state=D.ASSUMED)),
    "drifted": (pgettext_lazy("imports", "Differ"), "warning", "person", _DRIFTED),
}
FAILED_OR_DIFFERS = GROUPS["failed"][3] | GROUPS["drifted"][3]
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


def list_imports(actor: User, job: Job | None = None, show: str = "all") -> QuerySet[ImportRecord]:
    """Those that are in a state people may want to know of; of a document, the newest of each SKU, whatever it is."""
    rows = ImportRecord.objects.visible_to(actor)
    same = {"target": OuterRef("target"), "merchant": OuterRef("merchant"), "sku_key": OuterRef("sku_key")}
    newer = ImportRecord.objects.filter(**same, job=OuterRef("job"), generation__gt=OuterRef("generation"))
    unfinished = Q(pk__in=())
    for *_, condition in GROUPS.values():
        unfinished |= condition
    rows = rows.filter(~Exists(newer), job=job) if job is not None else rows.filter(unfinished)
    return rows.filter(GROUPS[show][3]) if show in GROUPS else rows


def import_filters(actor: User, job: Job | None = None) -> list[Filter]:
    rows = list_imports(actor, job)
    counted = {key: Count("pk", filter=condition) for key, (*_, condition) in GROUPS.items()}
    counts = rows.order_by().aggregate(all=Count("pk"), **counted)
    chips = [Filter(key, str(word), icon, counts[key], tone) for key, (word, icon, tone, _) in GROUPS.items()]
    return [Filter("all", str(gettext_lazy("All")), "", counts["all"]), *chips]


def import_rows(rows: Sequence[ImportRecord]) -> list[ImportRow]:
    return [_row(row) for row in rows]


def imports_of_sku(sku: Sku) -> list[ImportRow]:
    """All generations that went out from its document, the newest first."""
    key = {"target__in": target_names(), "merchant": sku.job.merchant_id, "sku_key": sku.sku_id}
    rows = ImportRecord.objects.filter(**key, job=sku.job_id).select_related("job", "merchant")
    return import_rows(list(rows.order_by("-generation", "target")))


def _row(row: ImportRecord) -> ImportRow:
    icon, tone = LOOKS[D(row.state)]
    return ImportRow(
        id=row.pk, sku_key=row.sku_key, kind=str(ImportKind(row.kind).label), generation=row.generation,
        target=row.target, job_name=row.job.source_name, job_url=reverse("job_imports", args=[row.job.uuid]),
        merchant=row.merchant.name, word=str(D(row.state).label), icon=icon, tone=tone, attempt=row.attempt,
        response=str(row.response or ""), drift=str(DRIFTS.get(row.drift, "")), sent_at=row.sent_at,
        not_before=row.not_before if row.state == D.PENDING else None, failing_since=row.failing_since,
        can_retry=row.state in RETRIABLE or bool(row.drift), can_confirm=row.state == D.ASSUMED and row.uncertain,
    )  # fmt: skip


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
    waiting = ImportRecord.objects.visible_to(actor).filter(target__in=[one.target for one in held], state=D.PENDING)
    counts = dict(waiting.order_by().values_list("target").annotate(n=Count("pk"))) if held else {}
    return [HoldRow(one.target, one.response, one.since, one.try_at, counts.get(one.target, 0)) for one in held]
