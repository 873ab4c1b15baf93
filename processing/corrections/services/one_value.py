"""One value of one SKU, corrected by who reads the results, and put back; the rest of its page stays as it is.

Runs in the caller's transaction, with the page locked.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from catalogsku.core import bulk
from catalogsku.core.box import Box
from catalogsku.core.moves import audit_rows, move
from ingestion.models import Job, Page
from processing.catalogue.services import entries
from processing.corrections.services.correcting import send_again
from processing.corrections.services.page_faults import Found, find_faults, is_confirmed
from processing.corrections.services.restoring import bindings_of, copied
from processing.corrections.services.revising import judged_by, note_as_printed, plan_of, revision_of
from processing.engine.page import unpack_page
from processing.engine.understanding.judging.grounding import PageText
from processing.engine.understanding.rules.in_force import in_force
from processing.pages.services.reading import kept_pages
from processing.products.lifecycle import SKU, SkuStatus
from processing.products.measures import renormalised
from processing.products.models import Sku, SkuImage
from processing.products.page_state import Change, Fault, GivenCustom, GivenSku, GivenValue, PageState
from processing.products.services.decisions import put_back, said_with
from processing.sandboxed import frozen

PATH = "skus[0].attributes."


def as_given(sku: Sku, known: Found, key: str, value: GivenValue) -> GivenSku:
    """The SKU as it stands, but for the one value."""
    values = {name: GivenValue(text) for name, text in sku.attributes.items() if text}
    return GivenSku(
        sku.sku_id,
        attributes={**values, key: value},
        custom=tuple(
            GivenCustom(custom["name"], custom["value"], confirmed=bool(custom.get("confirmed")))
            for custom in sku.custom_attributes
        ),
        pictures=known.pictures.get(sku.sku_id, ()),
    )


def faults_of(job: Job, page: Page, wanted: GivenSku, known: Found, key: str) -> list[Fault]:
    """Why the value cannot stay: what the workbench asks of it, and whether the page prints it, as far as what was read
    is still kept. What else may be wrong with the SKU is not asked here."""
    state = PageState(page_type=page.page_type, skus=(wanted,))  # type: ignore[arg-type]
    faults = [fault for fault in find_faults(page, state, known) if fault.path == PATH + key]
    return faults or list(_not_printed(job, page, wanted, known, key))


def _not_printed(job: Job, page: Page, wanted: GivenSku, known: Found, key: str) -> Iterator[Fault]:
    value = wanted.attributes[key]
    content = kept_pages(job, [page.number]).get(page.number)
    if value is None or is_confirmed(wanted, key) or content is None:
        return
    if (
        PageText(unpack_page(bytes(content.data))).match(value.text, _place(known.skus[wanted.sku_id or ""], key)).kind
        != "exact"
    ):
        yield Fault(PATH + key, "not_printed", {"value": value.text[:80]})


def _place(sku: Sku, key: str) -> Box:
    x0, y0, x1, y1 = sku.evidence.get(key, {}).get("bbox") or sku.box
    return x0, y0, x1, y1


def correct_value(
    job: Job, page: Page, wanted: GivenSku, known: Found, key: str, said: Mapping[str, Any], actor: str
) -> Change | None:
    """The SKU's next revision with the value as ``wanted`` has it, on its way to targets; None where it is no other.

    ``said``: who says so, as Sku.decisions keeps it.
    """
    plan = plan_of(wanted, known, page)
    plan = replace(
        plan, changes=[change for change in plan.changes if change.kind == "SKU_ATTRIBUTE" and change.field == key]
    )
    old = plan.old
    if old is None or not plan.changes:
        return None
    new = revision_of(job, page, plan, old.sku_id, known.keys)
    new.confidence = old.confidence  # nobody has looked at its other values
    if new.validity == old.validity:
        new.quality_warning = old.quality_warning
    new.decisions = said_with(new.decisions, key, said)
    note_as_printed(job, page, [plan], known, actor)
    _replace(job, page, old, new, actor, "corrected")
    return plan.changes[0]


def put_back_value(job: Job, page: Page, now: Sku, earlier: Sku, key: str, actor: str) -> Sku:
    """The next revision, with the value as it was in the ``earlier`` one; what else was changed since stays."""
    attributes = {**now.attributes, key: earlier.attributes.get(key)}
    evidence, source = ({**getattr(now, name)} for name in ("evidence", "attribute_source"))
    for column, before in ((evidence, earlier.evidence), (source, earlier.attribute_source)):
        column.pop(key, None)
        column |= {key: before[key]} if key in before else {}
    values = {name: text for name, text in attributes.items() if text}
    with in_force(frozen.own_words(job)):
        judged = {**judged_by(values), "normalized": renormalised(values, evidence)}
    if judged["validity"] == now.validity:
        judged["quality_warning"] = now.quality_warning
    if (attributes, evidence) == (earlier.attributes, earlier.evidence):  # as it was read, word for word
        judged |= {name: getattr(earlier, name) for name in ("normalized", "validity", "quality_warning")}
    new = copied(
        now,
        revision=now.revision + 1,
        attributes=attributes,
        evidence=evidence,
        attribute_source=source,
        decisions=put_back(now.decisions, earlier.decisions, key),
        **judged,
    )
    _replace(job, page, now, new, actor, "reverted")
    return new


def _replace(job: Job, page: Page, old: Sku, new: Sku, actor: str, trigger: str) -> None:
    """Its pictures stay bound as they were."""
    rows = Sku.objects.filter(pk=old.pk)
    move(SKU, rows, to=SkuStatus.SUPERSEDED, trigger="superseded", actor=actor, changes={"superseded": True})
    bulk.insert_new([new])
    bulk.insert_rows(SkuImage, bindings_of({old.pk: new.pk}))
    reason = {page.pk: {"page": page.number, "skus": [new.sku_id]}}
    audit_rows("sku", job.pk, reason, target="RECORDED", trigger=trigger, actor=actor)
    send_again(job, page, Sku.objects.filter(pk=new.pk), actor)
    entries.catalogue_pages(job, [page.pk])
    Page.objects.filter(pk=page.pk).update(**Page.visible_change())
