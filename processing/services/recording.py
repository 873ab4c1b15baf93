"""One page's result becomes rows: pictures, SKUs in the state they reached, bindings, and the imports that may go out.

Runs in the transaction that holds the page (work.recording), so that all of it is there or nothing.
"""

from django.db import connection

from catalogsku.core import messages
from catalogsku.core.moves import audit
from ingestion.lifecycle import PAGES_WITH_PEOPLE, Route
from ingestion.models import Job, Page
from ingestion.services.pages import record_understood
from processing.engine.page import ParsedPage, unpack_page
from processing.engine.quality import assess_picture
from processing.engine.result import Blocker, PageResult
from processing.engine.result import Sku as FoundSku
from processing.lifecycle import DELIVERABLE_ROLES, IMAGE, SKU, ImageRole, ImageStatus, SkuStatus
from processing.models import Image, PageContent, Sku, SkuImage
from processing.services import ledger
from processing.services.frozen import jsonable
from processing.services.identity import assign_ids

P, S = ImageStatus, SkuStatus


def record_result(job: Job, page: Page, result: PageResult, content: PageContent) -> None:
    """Write the page's rows, move it, and wake who goes on with it. ``page`` is locked by the caller."""
    with connection.cursor() as cursor:  # the same file in two jobs at once numbers its imports one after the other
        cursor.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [0x5C1, f"{job.merchant_id}/{job.hash8}"])
    parsed = unpack_page(bytes(content.data))
    blockers = page_blockers(job, page, result)
    held = any(blocker.sku is None for blocker in blockers) or page.status in PAGES_WITH_PEOPLE
    images = record_images(job, page, parsed, result, content)
    skus = record_skus(job, page, result, blockers, images)
    no_product = result.page_type == "D" and not skus and not blockers
    record_understood(
        page,
        {
            "page_type": result.page_type,
            "type_confidence": result.type_confidence,
            "layout_type": result.layout_type,
            "confidence": result.confidence,
            "extraction_method": result.extractor,
            "fallback_reason": result.fallback_reason[:60],
            "continues": result.continues,
            "blockers": jsonable(blockers),
            "needs_review": bool(blockers),
            "sku_count": len(skus),
            "validation": {"tallies": jsonable(result.tallies), "coverage": result.coverage,
                           "classification": jsonable(result.classification)},
        },
        no_product=no_product,
    )  # fmt: skip
    ledger.withdraw(page.pk)
    importable = [] if held else [sku for sku in skus if sku.status == S.BOUND and not sku.blockers]
    ledger.open_imports(job, importable)
    if importable:
        messages.send_after_commit("deliver_page", page.pk)
    if blockers or not importable:  # else the delivery settles the page
        messages.send_after_commit("settle_page", page.pk)


def page_blockers(job: Job, page: Page, result: PageResult) -> list[Blocker]:
    """What the analyst found, and what the route adds: below PV a HYBRID page goes to a person (TA-P1-5)."""
    blockers = list(result.blockers)
    threshold = float(job.profile.threshold_pv)
    low = job.route == Route.HYBRID and bool(result.skus) and result.confidence < threshold
    if low and not any(b.code == "low_confidence" for b in blockers):
        blockers.append(Blocker("low_confidence", {"confidence": round(result.confidence, 2), "minimum": threshold}))
    if job.route == Route.HUMAN_ALL:
        blockers.append(Blocker("route_human_all"))
    return blockers


def record_images(
    job: Job, page: Page, parsed: ParsedPage, result: PageResult, content: PageContent
) -> dict[str, Image]:
    """The page's pictures, in the state they reached, by their name on the page. Written again on a rerun."""
    roles = {role.picture: role for role in result.roles}
    rows: list[tuple[str, Image]] = []
    for sequence, picture in enumerate((p for p in parsed.pictures if p.file), 1):
        role = roles.get(picture.id)
        name = role.role if role else ImageRole.DECORATION
        quality = assess_picture(picture)
        deliverable = name in DELIVERABLE_ROLES
        end = P.DELIVERABLE if deliverable else P.NOT_DELIVERABLE
        row = Image(
            job=job,
            page=page,
            image_id=f"img_{job.hash8}_{page.number:02d}_{sequence:03d}",
            picture=picture.id,
            status=IMAGE.check_path(P.EXTRACTED, P.QUALITY_ASSESSED, P.ROLE_CLASSIFIED, end),
            role=name,
            role_confidence=role.confidence if role else 0.0,
            box=list(picture.box),
            width_px=picture.width_px,
            height_px=picture.height_px,
            short_edge=picture.short_edge,
            grade=quality.grade,
            search_eligible=quality.search_eligible and deliverable,
            fragmented=picture.fragmented,
            content_hash=picture.content_hash,
            perceptual_hash=picture.perceptual_hash,
            storage_key=content.files.get(picture.file, ""),
        )
        rows.append((picture.id, row))
    columns = [
        f.name for f in Image._meta.concrete_fields if f.name not in ("id", "job", "image_id", "changed", "version")
    ]
    if rows:
        Image.objects.bulk_create(
            [row for _, row in rows],
            update_conflicts=True,
            unique_fields=["job", "image_id"],
            update_fields=columns,
        )
    _mark_duplicates([row for _, row in rows])
    return dict(rows)


def _mark_duplicates(rows: list[Image]) -> None:
    """The same bytes twice on one page: the later one names the first (TA-BR28)."""
    first: dict[str, Image] = {}
    for row in rows:
        original = first.setdefault(row.content_hash, row)
        if original is not row and row.content_hash:
            Image.objects.filter(pk=row.pk).update(duplicate_of=original)


def record_skus(
    job: Job, page: Page, result: PageResult, blockers: list[Blocker], images: dict[str, Image]
) -> list[Sku]:
    """The page's SKUs; earlier ones of a rerun keep their ids as a next revision, or are superseded (TA-SKUSTABLE)."""
    if not result.skus and not Sku.objects.filter(page=page, superseded=False).exists():
        return []
    given = assign_ids(job, page, result.skus)
    rows = [
        _sku_row(job, page, found, sku_id, revision, [b for b in blockers if b.sku == index], images)
        for index, (found, (sku_id, revision)) in enumerate(zip(result.skus, given, strict=True))
    ]
    Sku.objects.bulk_create(rows)
    bindings = [
        SkuImage(sku=row, image=images[binding.picture], role=binding.role, method=binding.method,
                 confidence=binding.confidence, rank=rank, chosen_by="rules")
        for row, found in zip(rows, result.skus, strict=True)
        for rank, binding in enumerate(found.bindings)
        if binding.picture in images
    ]  # fmt: skip
    SkuImage.objects.bulk_create(bindings, ignore_conflicts=True)
    if rows:
        states: dict[str, int] = {}
        for row in rows:
            states[row.status] = states.get(row.status, 0) + 1
        audit("sku", page.pk, job.pk, "", "RECORDED", "understood", reason={"page": page.number, "states": states})
    return rows


def _sku_row(
    job: Job, page: Page, found: FoundSku, sku_id: str, revision: int, blockers: list[Blocker], images: dict[str, Image]
) -> Sku:
    keys = attribute_keys(job)
    return Sku(
        job=job,
        page=page,
        sku_id=sku_id,
        revision=revision,
        status=reached_status(job, found),
        validity=found.validity,
        quality_warning=found.quality_warning,
        confidence=found.confidence,
        box=list(found.box),
        attributes={key: found.attributes[key].text if key in found.attributes else None for key in keys},
        attribute_source={key: value.source for key, value in found.attributes.items() if value.source != "direct"},
        evidence={key: jsonable(value.evidence) for key, value in found.attributes.items()},
        normalized=jsonable(found.normalized),
        custom_attributes=[{"name": c.name, "value": c.value, "evidence": jsonable(c.evidence)} for c in found.custom],
        candidates=[
            {"image_id": images[c.picture].image_id, "confidence": c.confidence, "method": c.method, "reason": c.reason}
            for c in found.candidates
            if c.picture in images
        ],
        blockers=jsonable(blockers),
    )


def attribute_keys(job: Job) -> list[str]:
    """Every attribute key of the job's schema (INV-12): the base ones and the category's own."""
    from processing.engine.result import BASE_KEYS

    own = [entry["key"] for entry in job.schema.attributes]
    return [*BASE_KEYS, *(key for key in own if key not in BASE_KEYS)]


def reached_status(job: Job, found: FoundSku) -> SkuStatus:
    """How far a SKU gets by itself: without identity or specification it waits, as while its picture is unclear."""
    if found.validity == "invalid":
        return S(SKU.check_path(S.EXTRACTED, S.INVALID))
    if found.validity == "partial":
        lenient = job.profile.validity_mode == "lenient" and not found.ambiguous
        return S(SKU.check_path(S.EXTRACTED, S.PARTIAL, S.BOUND) if lenient else SKU.check_path(S.EXTRACTED, S.PARTIAL))
    return S(SKU.check_path(S.EXTRACTED, S.VALID) if found.ambiguous else SKU.check_path(S.EXTRACTED, S.VALID, S.BOUND))
