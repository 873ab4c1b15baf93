"""Pages of a new edition that have not changed take over what the earlier one has: contents, results, confirmations.

Runs in the caller's transaction. No machine looks at these pages again (X-DIFF); what was taken over is rows of the new
document, with its own ids, and is corrected, rerun and exported like any other.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from django.db.models.expressions import RawSQL

from catalogsku.core import bulk, messages, metrics, work
from catalogsku.core.moves import audit_rows, move
from catalogsku.core.structs import ready
from ingestion.lifecycle import PAGE, PageStage, PageStatus, Route, SkipReason
from ingestion.models import Job, Page
from processing.catalogue.services import entries
from processing.corrections.services.restoring import put_back_state
from processing.editions.models import Edition, EditionState
from processing.engine.editions.pages import SAME, Pair, reusable
from processing.engine.evaluation.scores import BY_RULES
from processing.engine.page import Features, pack_page, unpack_page
from processing.engine.result import Blocker
from processing.engine.understanding.tables.continuation import HEAD_REPEATED
from processing.llm.routing import Routes
from processing.pages.models import PageContent
from processing.pages.services import consulting, offering
from processing.pages.services.reading import kept_pages
from processing.products.models import Image, Sku, SkuImage
from processing.products.services import repeated
from processing.products.services.decisions import is_decided
from processing.sandboxed import frozen

P = PageStatus
PAGES_A_MESSAGE = 50
# Where the earlier page must have come to, and what that makes of the later one.
_REACHED = {
    P.AI_COMPLETED: P.AI_COMPLETED, P.HUMAN_QUEUED: P.AI_COMPLETED, P.HUMAN_PROCESSING: P.AI_COMPLETED,
    P.HUMAN_COMPLETED: P.HUMAN_COMPLETED, P.SKIPPED: P.SKIPPED,
}  # fmt: skip
_NO_FIRST = {"duplicate_of_id": None, "duplicate_reason": ""}
_COLUMNS = (
    "page_type", "layout_type", "confidence", "type_confidence", "analyst", "extraction_method", "fallback_reason",
    "blockers", "needs_review", "validation", "sku_count", "features", "personal_data", "screenshot_key",
    "preview_key", "thumbnail_key", "reader", "width_pt", "height_pt",
)  # fmt: skip


def copy_contents(job: Job, edition: Edition) -> int:
    """What was read of the pages that are the same, kept under the later file and number too; how many.

    Without it the page before a changed one would be missing where a table goes on.
    """
    later_of = {pair.earlier: pair.later for pair in pairs_of(edition) if pair.how == SAME}
    contents = kept_pages(edition.predecessor, list(later_of))
    have = set(kept_pages(job, list(later_of.values())))
    rows = [
        {
            "merchant_id": job.merchant_id,
            "file_sha256": job.file_sha256,
            "reading_key": content.reading_key,
            "number": later_of[number],
            "data": _renumbered(bytes(content.data), number, later_of[number]),
            "assessment": _assessed_as(content.assessment, later_of[number]),
            "files": content.files,
        }
        for number, content in contents.items()
        if later_of[number] not in have
    ]
    bulk.insert_rows(PageContent, rows, unique=("merchant_id", "file_sha256", "reading_key", "number"))
    return len(rows)


def _renumbered(packed: bytes, before: int, number: int) -> bytes:
    if before == number:
        return packed
    return pack_page(msgspec.structs.replace(unpack_page(packed), number=number))


def _assessed_as(assessment: dict[str, Any] | None, number: int) -> dict[str, Any] | None:
    if assessment is None:
        return None
    return {
        key: {**value, "number": number} if isinstance(value, dict) and "number" in value else value
        for key, value in assessment.items()
    }


def pairs_of(edition: Edition) -> list[Pair]:
    return [Pair(*pair) for pair in edition.pages]


@dataclass
class _Carried:
    """Pages on their way over: later rows by earlier ones, and the names that change with them."""

    pages: dict[int, Page]  # by the earlier page's key
    later_of: Mapping[int, int]
    images: dict[int, Image] = field(default_factory=dict)  # by the earlier picture's key
    names: dict[str, str] = field(default_factory=dict)


def carry_results(job_id: int) -> int:
    """Of pages that wait for a machine and are the same as in the earlier edition; how many.

    Not where the engine is told otherwise now (another schema or classification), where the page was read by older
    code, or where something that its values came from has changed. In a document for people only what people have
    decided is taken over (TA-P1-5). What models are to be asked about is not taken over either: it is offered with the
    pages that are new.
    """
    edition = Edition.objects.filter(job=job_id, state=EditionState.OPEN).select_related("predecessor").first()
    if edition is None or not edition.pages:
        return 0
    job = Job.objects.select_related("profile", "schema").get(pk=job_id)
    before = edition.predecessor
    if frozen.analyst_config(before) != frozen.analyst_config(job):
        return 0
    waiting = {page.number: page for page in _waiting(job)}
    earlier = {page.number: page for page in Page.objects.filter(job=before, stage=PageStage.NONE)}
    skus = _active(before)
    same = reusable(
        pairs_of(edition), _leans_on(skus, earlier), {n: _goes_on_from(page) for n, page in earlier.items()}
    )
    read = kept_pages(before, [pair.earlier for pair in same]).keys() - _to_be_asked_about(job, earlier, skus)
    pairs = [
        pair
        for pair in same
        if pair.later in waiting and pair.earlier in read and _stands(earlier.get(pair.earlier), job.route)
    ]
    if pairs:
        _carry(job, [(earlier[pair.earlier], waiting[pair.later]) for pair in pairs], skus, edition)
    return len(pairs)


def _waiting(job: Job) -> Iterable[Page]:
    """The row locks keep machines away until the commit."""
    rows = Page.objects.select_for_update(no_key=True).filter(job=job, worker__isnull=True)
    return rows.filter(status__in=(P.AI_QUEUED, P.HUMAN_QUEUED)).exclude(stage=PageStage.NONE).order_by("pk")


def _stands(page: Page | None, route: str) -> bool:
    if page is None or page.status not in _REACHED:
        return False
    if page.status == P.SKIPPED and page.skip_reason not in (SkipReason.NO_PRODUCT, SkipReason.PERSON):
        return False
    by_people = page.status == P.HUMAN_COMPLETED or page.skip_reason == SkipReason.PERSON
    return by_people or route != Route.HUMAN_ALL


def _to_be_asked_about(job: Job, earlier: Mapping[int, Page], skus: Sequence[Sku]) -> set[int]:
    """Of the earlier pages those that a person would still have to look at, that nobody has touched and no model was
    asked about, where models may be asked now."""
    if not offering.asking_of(job).may:
        return set()
    routes, touched = frozen.routes(job), {sku.page_id for sku in skus if is_decided(sku)}
    untouched = {number: page for number, page in earlier.items() if page.pk not in touched and _is_open(page)}
    return {number for number, page in untouched.items() if _is_worth_asking(page, routes)}


def _is_worth_asking(page: Page, routes: Routes) -> bool:
    blockers = [Blocker(blocker["code"]) for blocker in page.blockers]
    return consulting.is_worth_asking(blockers, page, msgspec.convert(page.features, ready(Features)), routes)


def _is_open(page: Page) -> bool:
    by_people = any(page.validation.get(name) for name in ("texts", "separated", "decided"))
    return page.status in (P.AI_COMPLETED, P.HUMAN_QUEUED) and page.analyst.startswith(BY_RULES) and not by_people


def _active(job: Job) -> list[Sku]:
    return list(Sku.objects.filter(job=job, superseded=False).order_by("page_id", "sku_id"))


def _leans_on(skus: Sequence[Sku], pages: Mapping[int, Page]) -> dict[int, set[int]]:
    """By page number: the other pages that values of its products are printed on."""
    number_of = {page.pk: number for number, page in pages.items()}
    leaning: defaultdict[int, set[int]] = defaultdict(set)
    for sku in skus:
        if own := number_of.get(sku.page_id):
            numbers = {evidence.get("page_number") for evidence in sku.evidence.values() if evidence}
            leaning[own] |= {number for number in numbers if number and number != own}
    return leaning


def _goes_on_from(page: Page) -> int | None:
    """The page that it could not be understood without: a table that prints its head again stands for itself."""
    merges = page.validation.get("merges") or ()
    return min((merge["page_number"] for merge in merges if merge.get("reason") != HEAD_REPEATED), default=None)


def _carry(job: Job, pages: Sequence[tuple[Page, Page]], skus: Sequence[Sku], edition: Edition) -> None:
    later_of = {pair.earlier: pair.later for pair in pairs_of(edition)}
    entry = _Carried({before.pk: after for before, after in pages}, later_of)
    _carry_images(job, entry)
    moved = [sku for sku in skus if sku.page_id in entry.pages]
    _carry_skus(job, entry, moved)
    _carry_columns(pages, entry)
    reached: defaultdict[tuple[P, str], list[int]] = defaultdict(list)
    for before, after in pages:
        status = _REACHED[P(before.status)]
        reached[status, before.skip_reason if status == P.SKIPPED else ""].append(after.pk)
    for (status, skipped), pks in reached.items():
        rows, why = Page.objects.filter(pk__in=pks), {"earlier": str(edition.predecessor.uuid)}
        move(PAGE, rows, to=status, trigger="carried", reason=why, changes={"skip_reason": skipped})
    ids = [after.pk for _, after in pages]
    entries.catalogue_pages(job, ids)
    for at in range(0, len(ids), PAGES_A_MESSAGE):
        messages.send_after_commit("settle_pages", ids[at : at + PAGES_A_MESSAGE])
    metrics.after_commit(metrics.PAGES_CARRIED, len(ids))


def _carry_images(job: Job, entry: _Carried) -> None:
    repeated.in_turn(job)
    old = list(Image.objects.filter(page__in=list(entry.pages)).order_by("pk"))
    for image in old:
        page = entry.pages[image.page_id]
        name = f"img_{job.hash8}_{page.number:02d}_{image.image_id.rpartition('_')[2]}"
        entry.names[image.image_id] = name
        entry.images[image.pk] = Image(
            **{**_values(image), "job_id": job.pk, "page_id": page.pk, "image_id": name, **_NO_FIRST}
        )
    rows = {image.image_id: image for image in entry.images.values()}
    inserted = bulk.insert_rows(
        Image, bulk.columns_of(list(rows.values())), unique=("job_id", "image_id"), returning=("image_id", "id")
    )
    for name, pk in inserted:
        rows[name].pk = pk
    repeated.decide(job, [page.pk for page in entry.pages.values()])


def _carry_skus(job: Job, entry: _Carried, skus: Sequence[Sku]) -> None:
    new: dict[int, Sku] = {}
    for sku in skus:
        page = entry.pages[sku.page_id]
        row = {
            "job_id": job.pk,
            "page_id": page.pk,
            "revision": 1,
            "superseded": False,
            "predecessor": sku.sku_id,
            "sku_id": f"{job.hash8}_p{page.number:02d}_{sku.sku_id.rpartition('_')[2]}",
            "downstream_id": "",
            "status": put_back_state(sku.status),
            "evidence": {key: _moved(value, entry.later_of) for key, value in sku.evidence.items()},
            "custom_attributes": [
                {**custom, "evidence": _moved(custom.get("evidence"), entry.later_of)}
                for custom in sku.custom_attributes
            ],
            "candidates": [
                {**candidate, "image_id": entry.names[candidate["image_id"]]}
                for candidate in sku.candidates
                if candidate["image_id"] in entry.names
            ],
        }
        new[sku.pk] = Sku(**{**_values(sku), **row})
    bulk.insert_new(list(new.values()))
    shown = SkuImage.objects.filter(sku__in=list(new), image__in=list(entry.images)).order_by("sku", "rank")
    columns = ("role", "method", "confidence", "rank", "chosen_by")
    bulk.insert_rows(
        SkuImage,
        [
            {
                **{name: getattr(binding, name) for name in columns},
                "sku_id": new[binding.sku_id].pk,
                "image_id": entry.images[binding.image_id].pk,
            }
            for binding in shown
        ],
    )
    by_page: defaultdict[int, list[str]] = defaultdict(list)
    for sku in new.values():
        by_page[sku.page_id].append(sku.sku_id)
    reasons = {page: {"skus": sorted(ids)} for page, ids in by_page.items()}
    audit_rows("sku", job.pk, reasons, target="RECORDED", trigger="carried")


def _moved(evidence: dict[str, Any] | None, later_of: Mapping[int, int]) -> dict[str, Any] | None:
    if not evidence or "page_number" not in evidence:
        return evidence
    return {**evidence, "page_number": later_of.get(evidence["page_number"], evidence["page_number"])}


def _carry_columns(pages: Sequence[tuple[Page, Page]], entry: _Carried) -> None:
    rows = []
    for before, after in pages:
        columns: dict[str, Any] = {name: getattr(before, name) for name in _COLUMNS}
        shift = after.number - before.number
        merges = [
            {**merge, "page_number": merge["page_number"] + shift}
            for merge in before.validation.get("merges") or ()
            if entry.later_of.get(merge["page_number"]) == merge["page_number"] + shift
        ]
        columns["continues"] = next((merge["page_number"] for merge in merges), None)
        columns["validation"] = {**before.validation, "merges": merges, **_renamed(before, entry.names)}
        rows.append({"id": after.pk, **columns})
    ended = {**work.RECORDED, "stage": PageStage.NONE, "carried": True, "read_reused": True, "timings_ms": {}}
    bulk.update_rows(Page, rows, {**ended, "finished_at": RawSQL("statement_timestamp()", ()), **Page.visible_sql()})


def _renamed(page: Page, names: Mapping[str, str]) -> dict[str, Any]:
    """What people decided of the page names its pictures."""
    decided = page.validation.get("decided")
    if not decided or "roles" not in decided:
        return {}
    roles = {names[name]: role for name, role in decided["roles"].items() if name in names}
    return {"decided": {**decided, "roles": roles}}


def _values(row: Image | Sku) -> dict[str, Any]:
    dropped = ("id", "version", "changed", "created_at")
    return {f.attname: getattr(row, f.attname) for f in row._meta.concrete_fields if f.attname not in dropped}
