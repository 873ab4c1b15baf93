"""A page as it was before a person changed it: written down when they submit, put back where that is reverted (TA-T76).

Runs in the caller's transaction, with the page locked. Nothing is deleted: what comes back is a further revision.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from catalogsku.core import bulk
from catalogsku.core.moves import audit_rows, move
from ingestion.models import Job, Page
from processing.catalogue.services import entries
from processing.corrections.services.correcting import Found, PageState, correct_roles
from processing.imports.services import compensating, ledger
from processing.products.lifecycle import SKU, ImageRole, SkuStatus
from processing.products.models import Image, Sku, SkuImage
from processing.products.services import repeated

S = SkuStatus
# How a revision that is put back reached its state; one that was delivered is delivered again.
_PATHS = {
    S.VALID: (S.EXTRACTED, S.VALID),
    S.PARTIAL: (S.EXTRACTED, S.PARTIAL),
    S.INVALID: (S.EXTRACTED, S.INVALID),
    S.CONFIRMED: (S.EXTRACTED, S.PARTIAL, S.CONFIRMED),
    S.REJECTED: (S.EXTRACTED, S.PARTIAL, S.REJECTED),
}
_BOUND = (S.EXTRACTED, S.VALID, S.BOUND)


class SkuBefore(msgspec.Struct, frozen=True):
    """``row``: of the revision that was active; ``sent``: it was on its way to the target, or there."""

    row: int
    status: str
    sent: bool
    warning: str | None = None
    blockers: list[dict[str, Any]] = []


class PageBefore(msgspec.Struct, frozen=True):
    page_type: str
    layout_type: str
    type_confidence: float | None
    needs_review: bool
    blockers: list[dict[str, Any]]
    roles: dict[str, str]
    skus: list[SkuBefore]
    merges: list[dict[str, Any]] | None = None
    texts: dict[str, str] = {}
    decided: dict[str, Any] = {}


def page_before(page: Page) -> PageBefore:
    """What ``restore_page`` needs to bring the page back to where it stands now."""
    rows = Sku.objects.filter(page=page, superseded=False).order_by("pk")
    sent = set(rows.filter(imports__isnull=False).values_list("pk", flat=True))
    return PageBefore(
        page_type=page.page_type,
        layout_type=page.layout_type,
        type_confidence=page.type_confidence,
        needs_review=page.needs_review,
        blockers=page.blockers,
        roles=dict(Image.objects.filter(page=page).values_list("image_id", "role")),
        skus=[SkuBefore(sku.pk, sku.status, sku.pk in sent, sku.quality_warning, sku.blockers) for sku in rows],
        merges=page.validation.get("merges"),
        texts=page.validation.get("texts", {}),
        decided=page.validation.get("decided", {}),
    )


def active_rows(page: Page) -> list[int]:
    """Keys of the page's active revisions: the same again means that nobody has changed a SKU meanwhile."""
    return list(Sku.objects.filter(page=page, superseded=False).order_by("pk").values_list("pk", flat=True))


def restore_page(job: Job, page: Page, before: PageBefore, actor: str) -> int:
    """The page's SKUs, pictures and kind are as ``before``; the number of SKUs that were put back or taken away.

    What had gone out before goes out again with its earlier values, as a new generation; what went out only since then
    is taken back (docs/protocols.md P3).
    """
    now = {sku.sku_id: sku for sku in Sku.objects.filter(page=page, superseded=False)}
    earlier = {sku.pk: sku for sku in Sku.objects.filter(pk__in=[sku_before.row for sku_before in before.skus])}
    differ: list[tuple[Sku, SkuBefore]] = []
    for sku_before in before.skus:
        row = earlier[sku_before.row]
        active = now.pop(row.sku_id, None)
        if active is None or active.pk != row.pk or (not sku_before.sent and _has_gone_on(active, sku_before)):
            differ.append((row, sku_before))
    replaced = [row.sku_id for row, _ in differ]
    gone = list(now.values())
    rows = Sku.objects.filter(page=page, superseded=False, sku_id__in=[*replaced, *now])
    if replaced or gone:
        move(SKU, rows, to=S.SUPERSEDED, trigger="superseded", actor=actor, changes={"superseded": True})
    put_back = _put_back(job, page, differ)
    ledger.withdraw([page.pk])
    compensating.remove(
        job, [*gone, *(sku for (_, sku_before), sku in zip(differ, put_back, strict=True) if not sku_before.sent)]
    )
    ledger.open_imports(job, [sku for (_, sku_before), sku in zip(differ, put_back, strict=True) if sku_before.sent])
    entries.catalogue_pages(job, [page.pk])
    _put_page_back(job, page, before)
    reason = {page.pk: {"page": page.number, "skus": sorted([*replaced, *now])}}
    audit_rows("sku", job.pk, reason, target="RECORDED", trigger="reverted", actor=actor)
    return len(replaced) + len(gone)


def _has_gone_on(active: Sku, before: SkuBefore) -> bool:
    return active.status != before.status or active.imports.exists()


def _put_back(job: Job, page: Page, differ: Sequence[tuple[Sku, SkuBefore]]) -> list[Sku]:
    """New rows with the earlier values; their pictures as they were bound then."""
    if not differ:
        return []
    keys = [row.sku_id for row, _ in differ]
    last: dict[str, int] = {}
    for sku_id, revision in Sku.objects.filter(job=job, sku_id__in=keys).values_list("sku_id", "revision"):
        last[sku_id] = max(last.get(sku_id, 0), revision)
    rows = {row.sku_id: _copy(row, sku_before, last[row.sku_id] + 1) for row, sku_before in differ}
    for row in rows.values():
        row.page = page
    bulk.insert_new(list(rows.values()))
    bulk.insert_rows(SkuImage, bindings_of({row.pk: rows[row.sku_id].pk for row, _ in differ}))
    return [rows[key] for key in keys]


def put_back_state(status: str) -> str:
    """How far a revision with this state comes again by itself: one that was delivered waits to be."""
    return SKU.check_path(*_PATHS.get(SkuStatus(status), _BOUND))


def _copy(row: Sku, before: SkuBefore, revision: int) -> Sku:
    state = SKU.check_path(*_BOUND) if before.sent else put_back_state(before.status)
    # What a confirmation changes in place is as it was, too.
    return copied(row, revision=revision, status=state, blockers=before.blockers, quality_warning=before.warning)


def copied(row: Sku, **columns: Any) -> Sku:
    """A further revision like ``row`` but for the ``columns``, not stored yet."""
    values = {
        field.attname: getattr(row, field.attname)
        for field in Sku._meta.concrete_fields
        if field.attname not in ("id", "version", "changed", "created_at")
    }
    return Sku(**{**values, "superseded": False, **columns})


def bindings_of(pairs: Mapping[int, int]) -> list[dict[str, Any]]:
    """Rows that bind the pictures of the one revision to the other, as they were bound."""
    columns = ("image_id", "role", "method", "confidence", "rank", "chosen_by")
    rows = SkuImage.objects.filter(sku__in=list(pairs)).order_by("sku", "rank").values("sku_id", *columns)
    return [{**{name: row[name] for name in columns}, "sku_id": pairs[row["sku_id"]]} for row in rows]


def _put_page_back(job: Job, page: Page, before: PageBefore) -> None:
    repeated.in_turn(job)
    known = Found({}, {image.image_id: image for image in Image.objects.filter(page=page)}, {}, ())
    roles = {name: before.roles.get(name, ImageRole.DECORATION) for name in known.images}  # drawn since then
    correct_roles(PageState(page_type="B", roles=roles), known)
    repeated.decide(job, [page.pk])
    validation = {**page.validation, "texts": before.texts, "decided": before.decided}
    if before.merges is not None:
        validation["merges"] = before.merges
    Page.objects.filter(pk=page.pk).update(
        page_type=before.page_type,
        layout_type=before.layout_type,
        type_confidence=before.type_confidence,
        blockers=before.blockers,
        needs_review=before.needs_review,
        validation=validation,
        continues=next((merge["page_number"] for merge in validation.get("merges") or ()), page.continues),
        **Page.visible_change(),
    )
