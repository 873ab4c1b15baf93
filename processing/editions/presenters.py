"""What people see of an edition: how it was found, how far it is, and its changes beside what was there before."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from catalogsku.accounts.models import User
from catalogsku.core.errors import NotFound
from ingestion.lifecycle import PAGES_WITH_MACHINES, PAGES_WITH_PEOPLE, SETTLED
from ingestion.models import Job, Page
from ingestion.presentation import Filter, picture_address
from processing.editions.models import (
    UNSETTLED,
    ChangeKind,
    Edition,
    EditionChange,
    EditionRenaming,
    EditionState,
    RenamingState,
)
from processing.engine.editions.products import PICTURES
from processing.products import presenters
from processing.products.models import Sku
from processing.products.presenters import sku_context

PREDECESSORS = 100
RENAMINGS_SHOWN = 50
LOOKS = {
    ChangeKind.CHANGED: ("pencil", "acc"),
    ChangeKind.ADDED: ("bolt-line", "done"),
    ChangeKind.RENAMED: ("again", "acc"),
    ChangeKind.REMOVED: ("slash", "person"),
}
SHOWN = {
    "price": (pgettext_lazy("edition", "Prices"), "price", "acc", Q(rank=0)),
    "changed": (pgettext_lazy("edition", "Changed"), *LOOKS[ChangeKind.CHANGED], Q(kind=ChangeKind.CHANGED)),
    "added": (pgettext_lazy("edition", "Added"), *LOOKS[ChangeKind.ADDED], Q(kind=ChangeKind.ADDED)),
    "renamed": (pgettext_lazy("edition", "Renamed"), *LOOKS[ChangeKind.RENAMED], Q(kind=ChangeKind.RENAMED)),
    "removed": (pgettext_lazy("edition", "Removed"), *LOOKS[ChangeKind.REMOVED], Q(kind=ChangeKind.REMOVED)),
}
# What may be done about a change that is, or is not, carried out: the word on its button.
ACTS = {
    (ChangeKind.REMOVED, True): gettext_lazy("Keep it"),
    (ChangeKind.REMOVED, False): pgettext_lazy("edition", "Take it back"),
}
STANDS = {
    (ChangeKind.REMOVED, True): gettext_lazy("Will be taken back"),
    (ChangeKind.REMOVED, False): gettext_lazy("Stays delivered"),
}


@dataclass(frozen=True)
class FieldRow:
    """``percent``: of a price, with its sign. ``before`` or ``after`` is empty where the product was not there."""

    label: str
    before: str
    after: str
    percent: str


@dataclass(frozen=True)
class ChangeRow:
    """``pages``: of the earlier and the later edition, 0 where it is not there."""

    key: str
    kind: str
    word: str
    icon: str
    tone: str
    model: str
    name: str
    fields: list[FieldRow]
    more: int
    pages: tuple[int, int]
    goes: bool
    act: str
    stands: str
    renamed_from: str


@dataclass(frozen=True)
class RenamingRow:
    """``earlier`` and ``later``: SKU ids; ``fields``: what else differs; ``pages``: of both editions."""

    earlier: str
    later: str
    code_before: str
    code_after: str
    name: str
    fields: list[FieldRow]
    percent: int
    pages: tuple[int, int]


@dataclass(frozen=True)
class EditionHead:
    state: str
    word: str
    origin: str
    share_percent: int
    earlier_name: str
    earlier_url: str
    actor: str
    decided_at: Any
    pages_carried: int
    pages_open: int
    pages_total: int
    compared: bool
    changes: int
    not_compared: int
    digest: str

    @property
    def is_open(self) -> bool:
        return self.state == EditionState.OPEN

    @property
    def is_being_prepared(self) -> bool:
        return self.state == EditionState.APPROVING

    @property
    def did_not_hold(self) -> bool:
        """Pages changed in the moment in which it was approved."""
        return self.is_open and self.decided_at is not None

    @property
    def can_approve(self) -> bool:
        return self.is_open and self.compared and not self.pages_open


def edition_of(job: Job) -> Edition | None:
    """None also for one that was undone. ``together``: how many changes the last word on many has changed, which can
    be undone."""
    rows = Edition.objects.filter(job=job).exclude(state=EditionState.UNDONE)
    noted = EditionChange.objects.filter(edition=OuterRef("pk"), noted_together=True).order_by().values("edition")
    together = Coalesce(Subquery(noted.values(n=Count("pk"))), 0)
    return rows.select_related("predecessor").annotate(together=together).first()


def edition_head(job: Job, edition: Edition) -> EditionHead:
    with_somebody = Q(status__in=[*PAGES_WITH_MACHINES, *PAGES_WITH_PEOPLE])
    counts = Page.objects.filter(job=job).aggregate(
        all=Count("pk"), carried=Count("pk", filter=Q(carried=True)), open=Count("pk", filter=with_somebody)
    )
    return EditionHead(
        state=edition.state,
        word=str(EditionState(edition.state).label),
        origin=edition.origin,
        share_percent=round(100 * edition.share),
        earlier_name=edition.predecessor.source_name,
        earlier_url=reverse("job", args=[edition.predecessor.uuid]),
        actor=edition.actor,
        decided_at=edition.decided_at,
        pages_carried=counts["carried"],
        pages_open=counts["open"],
        pages_total=counts["all"],
        compared=edition.compared is not None,
        changes=sum(edition.tally.get(kind, 0) for kind in ChangeKind.values),
        not_compared=edition.tally.get("not_compared", 0),
        digest=edition.digest,
    )


def list_changes(edition: Edition, show: str = "all") -> QuerySet[EditionChange]:
    """Price changes first, the largest before the smaller ones."""
    rows = EditionChange.objects.filter(edition=edition).select_related("later__page", "earlier__page")
    rows = rows.filter(SHOWN[show][3]) if show in SHOWN else rows
    return rows.order_by("rank", "weight", "pk")


def change_filters(edition: Edition) -> list[Filter]:
    tally = edition.tally
    chips = [Filter(key, str(word), icon, tally.get(key, 0), tone) for key, (word, icon, tone, _q) in SHOWN.items()]
    return [Filter("all", _("All"), "", sum(tally.get(kind, 0) for kind in ChangeKind.values)), *chips]


def change_rows(job: Job, changes: Sequence[EditionChange], most_fields: int = 3) -> list[ChangeRow]:
    names = presenters.labels(job.schema)
    return [_row(change, names, most_fields) for change in changes]


def _row(change: EditionChange, names: dict[str, str], most_fields: int) -> ChangeRow:
    kind, sku = ChangeKind(change.kind), _shown(change)
    icon, tone = LOOKS[kind]
    fields = [_field(field, names, change.price_change) for field in change.fields] or _price(kind, sku, names)
    fields.sort(key=lambda row: not row.percent)
    return ChangeRow(
        key=change.key,
        kind=kind,
        word=str(kind.label),
        icon=icon,
        tone=tone,
        model=sku.attributes.get("model") or "",
        name=sku.attributes.get("product_name") or "",
        fields=fields[:most_fields],
        more=max(0, len(fields) - most_fields),
        pages=(_page_of(change.earlier), _page_of(change.later)),
        goes=change.goes,
        act=str(ACTS.get((kind, change.goes)) or (_("Leave it out") if change.goes else _("Take it in"))),
        stands=str(STANDS.get((kind, change.goes)) or (_("Goes out") if change.goes else _("Left out"))),
        renamed_from=change.earlier.sku_id if kind == ChangeKind.RENAMED and change.earlier else "",
    )


def _shown(change: EditionChange) -> Sku:
    sku = change.later or change.earlier
    if sku is None:
        raise NotFound("not_found")
    return sku


def _price(kind: ChangeKind, sku: Sku, names: dict[str, str]) -> list[FieldRow]:
    """Of a product that is new, or gone."""
    price = sku.attributes.get("price") or ""
    before, after = (price, "") if kind == ChangeKind.REMOVED else ("", price)
    return [FieldRow(names.get("price", "price"), before, after, "")] if price else []


def _field(field: Sequence[str | None], names: dict[str, str], price_change: float | None) -> FieldRow:
    key, before, after = field
    percent = f"{100 * price_change:+.1f} %".replace("-", "−") if key == "price" and price_change is not None else ""
    label = _("Pictures") if key == PICTURES else names.get(str(key), str(key))
    return FieldRow(label, before or "—", after or "—", percent)


def renaming_rows(job: Job, edition: Edition, limit: int = RENAMINGS_SHOWN) -> tuple[list[RenamingRow], int]:
    """Pairs that a person may take for one product, the most alike first; and how many more there are."""
    proposed = EditionRenaming.objects.filter(edition=edition, state=RenamingState.PROPOSED)
    pairs = list(proposed.order_by("-score", "pk")[:limit])
    if not pairs:
        return [], 0
    gone, new = [f"-{pair.earlier}" for pair in pairs], [pair.later for pair in pairs]
    changes = {change.key: change for change in list_changes(edition).filter(key__in=[*gone, *new])}
    names, rows = presenters.labels(job.schema), []
    for pair in pairs:
        before, after = changes.get(f"-{pair.earlier}"), changes.get(pair.later)
        if before is None or after is None or before.earlier is None or after.later is None:
            continue
        earlier, other = before.earlier, after.later
        values_by_key = {
            key: (earlier.attributes.get(key), other.attributes.get(key))
            for key in [*earlier.attributes, *other.attributes]
        }
        rows.append(
            RenamingRow(
                earlier=pair.earlier,
                later=pair.later,
                code_before=earlier.attributes.get("model") or "—",
                code_after=other.attributes.get("model") or "—",
                name=other.attributes.get("product_name") or "",
                fields=[
                    _field((key, *values), names, None)
                    for key, values in values_by_key.items()
                    if key != "model" and values[0] != values[1]
                ],
                percent=round(100 * min(pair.score, 1.0)),
                pages=(earlier.page.number, other.page.number),
            )
        )
    return rows, proposed.count() - limit if len(pairs) == limit else 0


def get_change(edition: Edition, key: str) -> EditionChange:
    """Raises NotFound."""
    change = list_changes(edition).filter(key=key).first()
    if change is None:
        raise NotFound("not_found")
    return change


def change_context(job: Job, edition: Edition, change: EditionChange) -> dict[str, Any]:
    """Both pages side by side; of a product that is on one alone, the page that stands in the place of its own."""
    there = {later: earlier for later, earlier, _how in edition.pages}
    here = {earlier: later for later, earlier, _how in edition.pages}
    return {
        "change": change_rows(job, [change], most_fields=100)[0],
        "earlier": _side(edition.predecessor, change.earlier, there.get(_page_of(change.later), 0)),
        "later": _side(job, change.later, here.get(_page_of(change.earlier), 0)),
    }


def _page_of(sku: Sku | None) -> int:
    return sku.page.number if sku else 0


def _side(job: Job, sku: Sku | None, number: int) -> dict[str, Any]:
    if sku is not None:
        return {**sku_context(job, sku), "number": sku.page.number}
    page = Page.objects.filter(job=job, number=number).first()
    return {"sku": None, "page_image_url": picture_address(job.uuid, page) if page else "", "number": number}


def predecessors(actor: User, job: Job) -> list[Job]:
    """Documents that it may be an edition of: earlier ones of the merchant on another file, the newest first."""
    rows = Job.objects.visible_to(actor).filter(merchant=job.merchant_id, pk__lt=job.pk, status__in=SETTLED)
    rows = rows.exclude(Q(file_sha256=job.file_sha256) | Q(edition__state__in=UNSETTLED))
    return list(rows.only("uuid", "source_name", "created_at").order_by("-pk")[:PREDECESSORS])
