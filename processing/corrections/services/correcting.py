"""A page as a person left it becomes rows: revisions of what was changed, states of what was confirmed.

Runs in the caller's transaction, with the page locked. What nobody touched keeps its row, its evidence and its import.
"""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec
from django.db.models import QuerySet

from catalogsku.core import bulk, messages
from catalogsku.core.box import Box
from catalogsku.core.moves import move
from catalogsku.core.text import trim
from ingestion.models import Job, Page
from processing.catalogue.services import entries
from processing.corrections.services.cutting import Cut
from processing.corrections.services.page_faults import Found, find_faults, is_locked
from processing.corrections.services.revising import note_as_printed, plan_of, revise
from processing.engine.page import Picture
from processing.engine.picture_quality import assess_picture
from processing.imports.models import ImportRecord
from processing.imports.services import compensating, delivering, ledger
from processing.products.lifecycle import DELIVERABLE_ROLES, IMAGE, SKU, ImageRole, ImageStatus, SkuStatus
from processing.products.likeness import looks_of
from processing.products.models import Image, Sku
from processing.products.page_state import (
    Change,
    Fault,
    GivenCustom,
    GivenSku,
    GivenValue,
    MergePayload,
    PageState,
    RolePayload,
)
from processing.products.services import repeated
from processing.products.services.decisions import DRAWN_FROM, OTHERWISE, is_drawn

__all__ = [
    "Change", "Fault", "Found", "GivenCustom", "GivenSku", "GivenValue", "PageState", "accept_as_found",
    "content_version", "correct_page", "correct_roles", "find_faults", "is_drawn", "is_locked",
]  # fmt: skip

AUTO_ACCEPTED = "auto_accepted"
S, P = SkuStatus, ImageStatus
# What a person's "yes" does to a SKU that waits for one.
CONFIRMED_BY = {S.PARTIAL: (S.CONFIRMED, S.BOUND), S.INVALID: (S.CONFIRMED, S.BOUND), S.VALID: (S.BOUND,)}


def content_version(page: Page) -> int:
    """Changes with every result that machines or people record for the page, and with nothing else."""
    rows = Sku.objects.filter(page=page, superseded=False).order_by("pk").values_list("pk", flat=True)
    return zlib.crc32(repr((page.finished_at, list(rows))).encode())


def correct_page(
    job: Job, page: Page, state: PageState, known: Found, actor: str, cuts: Mapping[str, Cut] | None = None
) -> list[Change]:
    """Write the page as it was left, open the imports of what may go out, and say what was changed.

    ``state`` has no faults. A person has seen every SKU of it: those that waited for one are confirmed. ``cuts``: the
    files of the pictures that were drawn.
    """
    if pictures_change := bool(state.drawn or state.roles):
        repeated.in_turn(job)
    changes, images = _add_pictures(job, page, state, known, cuts or {})
    plans = [plan_of(sku, known, page) for sku in _with_names(state.skus, images)]
    known = replace(known, images={**known.images, **{image.image_id: image for image in images.values()}})
    _see([plan.old for plan in plans if plan.old is not None and not plan.changes])
    _confirm([plan.old for plan in plans if plan.old is not None and not plan.changes and not plan.wanted.rejected])
    revise(job, page, [plan for plan in plans if plan.changes], known, actor)
    note_as_printed(job, page, plans, known, actor)
    changes += [change for plan in plans for change in plan.changes]
    changes += correct_roles(state, known)
    if pictures_change:
        repeated.decide(job, [page.pk])
    changes += _correct_facts(page, state, sum(not sku.rejected for sku in state.skus))
    send_again(job, page, Sku.objects.filter(page=page, superseded=False), actor)
    entries.catalogue_pages(job, [page.pk])
    return changes


def send_again(job: Job, page: Page, active: "QuerySet[Sku]", actor: str) -> None:
    """Of the ``active`` revisions targets get what is new, lose what is none, and get again what they refused and a
    person found right."""
    ledger.withdraw([page.pk])
    ledger.open_imports(job, list(active.filter(status=S.BOUND, imports__isnull=True).select_related("page")))
    compensating.remove(job, list(active.filter(status=S.REJECTED)))
    compensating.remove_gone(job, [page.pk])
    refused = ImportRecord.objects.filter(sku__in=active.filter(status=S.IMPORT_FAILED).values("pk"))
    delivering.retry_imports(list(refused.values_list("pk", flat=True)), actor)
    messages.send_after_commit("deliver_pages", [page.pk])


def accept_as_found(job: Job, page: Page) -> None:
    """What machines found on the page goes out unseen, and says so wherever it is shown or sent (TA-SLAACCEPT)."""
    rows = Sku.objects.filter(page=page, superseded=False, imports__isnull=True)
    rows.filter(status__in=(S.VALID, S.BOUND)).update(quality_warning=AUTO_ACCEPTED, **Sku.visible_change())
    _confirm(list(rows.filter(status=S.VALID)))
    entries.catalogue_pages(job, [page.pk])
    Page.objects.filter(pk=page.pk).update(blockers=[], needs_review=False, **Page.visible_change())
    ledger.open_imports(job, list(rows.filter(status=S.BOUND).select_related("page")))


def _add_pictures(
    job: Job, page: Page, state: PageState, records: Found, cuts: Mapping[str, Cut]
) -> tuple[list[Change], dict[str, Image]]:
    """Rows of the pictures that were drawn, by the names they have in ``state``."""
    known = [image.image_id for image in records.images.values()]
    number = max([DRAWN_FROM - 1, *(int(name.rpartition("_")[2]) for name in known)])
    images: dict[str, Image] = {}
    for place, drawn in enumerate(state.drawn, 1):
        role = state.roles.get(drawn.id, ImageRole.PRODUCT_MAIN)
        name = f"img_{job.hash8}_{page.number:02d}_{number + place:03d}"
        images[drawn.id] = _picture(job, page, name, f"P{len(known) + place}", drawn.box, role, cuts.get(drawn.id))
    bulk.insert_new(list(images.values()))
    changes = [
        Change("IMAGE_ROLE", "", image.image_id, None, RolePayload(image.role, tuple(image.box)))
        for image in images.values()
    ]
    return changes, images


def _picture(job: Job, page: Page, image_id: str, name: str, box: Box, role: str, cut: Cut | None) -> Image:
    cut = cut or Cut()
    quality = assess_picture(Picture(name, box, cut.width_px, cut.height_px))
    deliverable = role in DELIVERABLE_ROLES
    reached = (P.EXTRACTED, P.QUALITY_ASSESSED, P.ROLE_CLASSIFIED, P.DELIVERABLE if deliverable else P.NOT_DELIVERABLE)
    return Image(
        job_id=job.pk,
        page_id=page.pk,
        image_id=image_id,
        picture=name,
        status=IMAGE.check_path(*reached),
        role=role,
        role_confidence=1.0,
        box=box,
        width_px=cut.width_px,
        height_px=cut.height_px,
        short_edge=cut.short_edge,
        grade=quality.grade,
        search_eligible=quality.search_eligible and deliverable,
        content_hash=cut.content_hash,
        perceptual_hash=cut.perceptual_hash,
        tones=cut.tones,
        looks=looks_of(job.merchant_id, cut),
        storage_key=cut.storage_key,
    )


def _with_names(skus: Sequence[GivenSku], images: Mapping[str, Image]) -> list[GivenSku]:
    """Bound to the rows that the drawn pictures became."""
    names = {drawn: image.image_id for drawn, image in images.items()}
    return [msgspec.structs.replace(sku, pictures=tuple(names.get(p, p) for p in sku.pictures)) for sku in skus]


def _confirm(skus: Sequence[Sku]) -> None:
    """They are right as they are: what waited for a person goes on."""
    for status, path in CONFIRMED_BY.items():
        ids = [sku.pk for sku in skus if sku.status == status]
        for step in path if ids else ():
            trigger = "confirmed" if step == S.CONFIRMED else "bound"
            move(SKU, Sku.objects.filter(pk__in=ids), to=step, trigger=trigger, changes={"blockers": []})


def _see(skus: Sequence[Sku]) -> None:
    """Whoever leaves the values as they are has seen what the last reading says otherwise."""
    for sku in skus:
        if sku.decisions.pop(OTHERWISE, None):
            Sku.objects.filter(pk=sku.pk).update(decisions=sku.decisions)


def correct_roles(state: PageState, known: Found) -> list[Change]:
    """Of pictures, where they differ."""
    changed = []
    for image_id, role in state.roles.items():
        image = known.images.get(image_id)
        if image is None or image.role == role:  # a picture that was drawn has its role from the start
            continue
        changed.append(Change("IMAGE_ROLE", "", image_id, image.role, role))
        rows = Image.objects.filter(pk=image.pk)
        new = {"role": role, "role_confidence": 1.0}
        move(IMAGE, rows, to=P.ROLE_CLASSIFIED, trigger="corrected", changes=new)
        shown = P.DELIVERABLE if role in DELIVERABLE_ROLES else P.NOT_DELIVERABLE
        move(IMAGE, rows, to=shown, trigger="decided")
    return changed


def _correct_facts(page: Page, state: PageState, skus: int) -> list[Change]:
    """Kind, layout, roles of text and continued tables of the page itself."""
    changes = [
        Change(kind, "", name, before, after)
        for kind, name, before, after in (
            ("PAGE_TYPE", "page_type", page.page_type, state.page_type),
            ("LAYOUT", "layout_type", page.layout_type, state.layout_type),
        )
        if before != after
    ]
    if state.new_type.strip():
        changes.append(Change("NEW_TYPE_REPORT", "", "page_type", state.page_type, trim(state.new_type)))
    roles = page.validation.get("texts", {})
    changes += [
        Change("TEXT_ROLE", "", block, roles.get(block), role)
        for block, role in state.texts.items()
        if roles.get(block) != role
    ]
    merges = page.validation.get("merges", [])
    parted = [m for m in merges if m["table"] in state.separate]
    for merge in parted:
        before = MergePayload(merge["page_number"], merge["before"])
        changes.append(Change("LAYOUT", "", f"merge:{merge['table']}", before, None))
    left = [merge for merge in merges if merge not in parted]
    validation = {**page.validation}
    if decided := _decided(page, state):
        validation["decided"] = decided
    if state.texts:
        validation["texts"] = {**roles, **state.texts}
    if parted:
        validation |= {"merges": left, "separated": [*page.validation.get("separated", []), *parted]}
    Page.objects.filter(pk=page.pk).update(
        page_type=state.page_type,
        layout_type=state.layout_type,
        type_confidence=1.0,
        blockers=[],
        needs_review=False,
        sku_count=skus,
        validation=validation,
        continues=next((merge["page_number"] for merge in left), None),
        **Page.visible_change(),
    )
    return changes


def _decided(page: Page, state: PageState) -> dict[str, Any]:
    """What people said of the page by now, which every rerun keeps: its kind, its layout, what its pictures are for."""
    before = page.validation.get("decided", {})
    now = {"page_type": state.page_type, "layout_type": state.layout_type}
    changed = {name: value for name, value in now.items() if value != getattr(page, name)}
    drawn = {picture.id for picture in state.drawn}
    roles = {**before.get("roles", {}), **{name: role for name, role in state.roles.items() if name not in drawn}}
    return {**before, **changed, **({"roles": roles} if roles else {})}
