"""SKUs as a person left them become revisions: what differs of each, and the row that it becomes.

Runs in the caller's transaction, with the page locked.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from catalogsku.core import bulk
from catalogsku.core.moves import audit_rows, move
from catalogsku.core.text import trim
from ingestion.models import Job, Page
from processing.corrections.services.page_faults import Found, is_confirmed, is_locked, values_of
from processing.engine.understanding.judging.validity import SPECS
from processing.engine.understanding.rules.in_force import in_force
from processing.engine.understanding.rules.typed import doubt_of
from processing.products.lifecycle import SKU, ImageRole, SkuStatus
from processing.products.measures import renormalised, still_told
from processing.products.models import Sku, SkuImage
from processing.products.page_state import Change, CustomPayload, GivenCustom, GivenSku
from processing.products.services.decisions import decisions_of, keep_line
from processing.products.services.identity import Known
from processing.sandboxed import frozen

S = SkuStatus


@dataclass(frozen=True)
class Plan:
    """What becomes of one SKU; ``changes``: none where it stays as it is. ``offered``: what the alternative that
    it was taken from says, as (key or name, text)."""

    wanted: GivenSku
    old: Sku | None
    values: dict[str, str]
    custom: list[dict[str, Any]]
    changes: list[Change]
    offered: frozenset[tuple[str, str]] = frozenset()


def plan_of(wanted: GivenSku, known: Found, page: Page) -> Plan:
    old = known.skus.get(wanted.sku_id or "")
    values = values_of(wanted)
    if wanted.rejected:
        gone = old is not None and old.status != S.REJECTED
        changes = [Change("SKU_ATTRIBUTE", old.sku_id, "rejected", False, True)] if gone and old is not None else []
        return Plan(wanted, old, values, old.custom_attributes if old is not None else [], changes)
    name = wanted.sku_id or ""
    before = {key: value for key, value in old.attributes.items() if value} if old is not None else {}
    changes = [
        Change("SKU_ATTRIBUTE", name, key, before.get(key), values.get(key))
        for key in known.keys
        if before.get(key) != values.get(key) or (old is not None and is_locked(old, key) and is_confirmed(wanted, key))
    ]
    if old is not None and wanted.box is not None and tuple(old.box) != wanted.box:
        changes.append(Change("SKU_ATTRIBUTE", name, "source_box", tuple(old.box), wanted.box))
    offered = known.offered.get(wanted.offered, frozenset()) if old is None else frozenset()
    had = old.custom_attributes if old is not None else []
    custom, custom_changes = _custom(name, had, wanted.custom, page, offered)
    changes += custom_changes
    pictures = known.pictures.get(name, ())
    if pictures != wanted.pictures:
        changes.append(Change("BINDING", name, "pictures", list(pictures), list(wanted.pictures)))
    if old is not None and old.status == S.REJECTED:
        changes.append(Change("SKU_ATTRIBUTE", name, "rejected", True, False))
    if old is None and not changes:
        changes.append(Change("SKU_ATTRIBUTE", name, "added", None, True))
    return Plan(wanted, old, values, custom, changes, offered)


def _custom(
    sku_id: str,
    before: Sequence[dict[str, Any]],
    wanted: Sequence[GivenCustom],
    page: Page,
    offered: Collection[tuple[str, str]],
) -> tuple[list[dict[str, Any]], list[Change]]:
    """The attributes as they are kept, and what was added, changed, confirmed or taken away of them."""
    left, after, changes = list(before), list[dict[str, Any]](), list[Change]()
    for attribute in wanted:
        name, text = trim(attribute.name), trim(attribute.text)
        if not text:
            continue
        old = next((c for c in left if c["name"] == name and c["value"] == text), None)
        old = old or next((c for c in left if c["name"] == name), None)
        if old is not None:
            left.remove(old)
        same = old is not None and old["value"] == text
        confirmed = attribute.confirmed or not same or bool(old and old.get("confirmed"))
        evidence = (old or {}).get("evidence") if same else _persons(text, page, attribute.box, (name, text) in offered)
        after.append({"name": name, "value": text, "evidence": evidence, "confirmed": confirmed})
        if not same or confirmed != bool(old and old.get("confirmed")):
            changes.append(Change("CUSTOM_ATTR_CONFIRM", sku_id, name, _said(old), CustomPayload(text, confirmed)))
    changes += [Change("CUSTOM_ATTR_CONFIRM", sku_id, gone["name"], _said(gone), None) for gone in left]
    return after, changes


def _said(custom: Mapping[str, Any] | None) -> CustomPayload | None:
    return CustomPayload(custom["value"], bool(custom.get("confirmed"))) if custom is not None else None


def _persons(text: str, page: Page, box: Sequence[float] | None, offered: bool) -> dict[str, Any]:
    """Evidence of what a person says: it stands where the person says, where it stood before, or at its product.
    ``offered``: nobody typed it, it was taken as an alternative had it."""
    method = "offered" if offered else "person"
    return {"quote": text, "page_number": page.number, "bbox": box, "match": 1.0, "method": method}


def revise(job: Job, page: Page, plans: Sequence[Plan], known: Found, actor: str) -> None:
    """A new row for each changed SKU in the state it reached; the one before is superseded."""
    if not plans:
        return
    sequence = Known.of([page.pk]).last.get(page.pk, 0)
    if ids := [plan.old.pk for plan in plans if plan.old is not None]:
        old = Sku.objects.filter(pk__in=ids)
        move(SKU, old, to=S.SUPERSEDED, trigger="superseded", actor=actor, changes={"superseded": True})
    rows: dict[str, Sku] = {}
    shown: dict[str, tuple[str, ...]] = {}
    for plan in plans:
        sku_id = plan.old.sku_id if plan.old is not None else ""
        if plan.old is None:
            sequence += 1
            sku_id = f"{job.hash8}_p{page.number:02d}_{sequence:03d}"
        rows[sku_id] = revision_of(job, page, plan, sku_id, known.keys)
        shown[sku_id] = () if plan.wanted.rejected else plan.wanted.pictures
    bulk.insert_new(list(rows.values()))
    bindings = [
        {
            "sku_id": rows[sku_id].pk,
            "image_id": known.images[name].pk,
            "rank": rank,
            "method": "manual",
            "role": ImageRole.PRODUCT_MAIN if rank == 0 else ImageRole.DETAIL,
            "confidence": 1.0,
            "chosen_by": actor,
        }
        for sku_id, names in shown.items()
        for rank, name in enumerate(dict.fromkeys(names))
    ]
    bulk.insert_rows(SkuImage, bindings)
    reason = {page.pk: {"page": page.number, "skus": sorted(rows)}}
    audit_rows("sku", job.pk, reason, target="RECORDED", trigger="corrected", actor=actor)


def note_as_printed(job: Job, page: Page, plans: Sequence[Plan], known: Found, actor: str) -> None:
    """Values that are not of their attribute's type, and of which a person says that the page prints them so."""
    said = [
        {"sku": plan.wanted.sku_id or "", "key": key, "value": value[:80]}
        for plan in plans
        if not plan.wanted.rejected
        for key, value in plan.values.items()
        if is_confirmed(plan.wanted, key) and doubt_of(key, value, known.kinds.get(key, "text"))
    ]
    if said:
        reason = {page.pk: {"page": page.number, "as_printed": said}}
        audit_rows("sku", job.pk, reason, target="RECORDED", trigger="as_printed", actor=actor)


def revision_of(job: Job, page: Page, plan: Plan, sku_id: str, keys: Sequence[str]) -> Sku:
    wanted, old, values = plan.wanted, plan.old, plan.values
    touched = {change.field for change in plan.changes if change.kind == "SKU_ATTRIBUTE"}
    evidence = still_told(old.evidence if old else {}, values, touched)
    source = still_told(old.attribute_source if old else {}, values, touched)
    box = wanted.box or (old.box if old is not None else [0, 0, page.width_pt, page.height_pt])
    for key in touched & values.keys():
        said = wanted.attributes[key]
        place = said.box if said is not None and said.box else evidence.get(key, {}).get("bbox") or box
        evidence[key] = _persons(values[key], page, place, (key, values[key]) in plan.offered)
        source[key] = "person"
    judged = judged_by(values)
    if wanted.rejected:
        judged["status"] = SKU.check_path(S.EXTRACTED, S.PARTIAL, S.REJECTED)
    with in_force(frozen.own_words(job)):
        normalized = renormalised(values, evidence)
    decisions = decisions_of(old, plan.changes, values)
    if plan.offered:
        decisions["offered"] = wanted.offered
    sku = Sku(
        job_id=job.pk,
        page=page,
        sku_id=sku_id,
        revision=old.revision + 1 if old is not None else 1,
        confidence=1.0,
        box=box,
        attributes={key: values.get(key) for key in keys},
        attribute_source=source,
        evidence=evidence,
        normalized=normalized,
        custom_attributes=plan.custom,
        candidates=old.candidates if old is not None else [],
        blockers=[],
        decisions=decisions,
        **judged,
    )
    if old is not None:
        keep_line(sku, old)
    return sku


def judged_by(values: Collection[str]) -> dict[str, Any]:
    """Columns of a revision that a person found right; ``values``: keys of those that it has."""
    if any(key in values for key in SPECS):
        return {"status": SKU.check_path(S.EXTRACTED, S.VALID, S.BOUND), "validity": "full", "quality_warning": None}
    status = SKU.check_path(S.EXTRACTED, S.PARTIAL, S.CONFIRMED, S.BOUND)
    return {"status": status, "validity": "partial", "quality_warning": "missing_specifications"}
