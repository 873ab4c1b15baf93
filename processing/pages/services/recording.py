"""Pages' results become rows: pictures, SKUs in the state they reached, bindings, and the imports that may go out.

Runs in the transaction that holds the pages (work.recording_all), so that all of it is there or nothing.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import connection

from catalogsku.core import bulk, messages, metrics
from catalogsku.core.moves import audit_rows
from catalogsku.profiles.figures import CLASSIFICATION, completed
from catalogsku.profiles.models import ThresholdProfile
from ingestion.lifecycle import PAGES_WITH_PEOPLE, Route
from ingestion.models import Job, Page
from ingestion.services.pages import record_understood
from processing.catalogue.services import entries
from processing.engine.page import Picture, unpack_pictures
from processing.engine.picture_quality import assess_picture
from processing.engine.result import Binding, Blocker, PageResult, PictureRole, TableMerge
from processing.engine.result import Sku as FoundSku
from processing.engine.understanding.rules.in_force import in_force
from processing.imports.payload import Shown
from processing.imports.services import compensating, ledger, rewriting
from processing.pages.models import PageContent
from processing.pages.selectors import evaluation_of
from processing.pages.services.alternatives import forget_alternatives, record_alternatives
from processing.products.completeness import attribute_keys
from processing.products.lifecycle import DELIVERABLE_ROLES, IMAGE, SKU, ImageRole, ImageStatus, SkuStatus
from processing.products.likeness import looks_of
from processing.products.measures import places_of, sources_of
from processing.products.models import Image, Sku, SkuImage
from processing.products.services import repeated
from processing.products.services.decisions import (
    ChosenPicture,
    Reading,
    chosen_pictures,
    decided_status,
    found_again,
    is_answered,
    is_decided,
    keep_decisions,
)
from processing.products.services.identity import Known, assign_ids
from processing.sandboxed import frozen

P, S = ImageStatus, SkuStatus


@dataclass
class _Recorded:
    """A page on its way into the database. ``kept``: SKUs of people that this reading did not find; ``bindings``: of
    each of ``skus``."""

    page: Page
    result: PageResult
    content: PageContent
    blockers: list[Blocker]
    images: dict[str, Image] = field(default_factory=dict)
    skus: list[Sku] = field(default_factory=list)
    kept: list[Sku] = field(default_factory=list)
    bindings: list[list[ChosenPicture]] = field(default_factory=list)

    @property
    def products(self) -> int:
        """SKUs that nobody rejected."""
        return sum(sku.status != S.REJECTED for sku in [*self.skus, *self.kept])

    @property
    def decided(self) -> dict[str, Any]:
        """What people said of the page. That there is no product holds as long as none is found."""
        said = self.page.validation.get("decided", {})
        return {name: value for name, value in said.items() if value != "D" or not self.products}

    @property
    def page_type(self) -> str:
        return str(self.decided.get("page_type", self.result.page_type))

    @property
    def held(self) -> bool:
        """People look at the page before anything of it goes out."""
        return any(blocker.sku is None for blocker in self.blockers) or self.page.status in PAGES_WITH_PEOPLE

    @property
    def importable(self) -> list[Sku]:
        return [] if self.held else [sku for sku in self.skus if sku.status == S.BOUND and not sku.blockers]

    @property
    def no_product(self) -> bool:
        return self.page_type == "D" and not self.skus and not self.kept and not self.blockers

    def is_looked_at(self, doubtful_below: float) -> bool:
        """By people: because of what was found, or because that nothing was is to be checked (skip_checks)."""
        doubted = self.no_product and self.result.confidence < doubtful_below
        return bool(self.blockers) or doubted or self.page.status in PAGES_WITH_PEOPLE

    @property
    def needs_settling(self) -> bool:
        """Else its delivery settles it, or nothing comes after it: it is skipped."""
        if self.no_product and self.page.status not in PAGES_WITH_PEOPLE:
            return False
        return bool(self.blockers) or not self.importable


def record_results(job: Job, results: Sequence[tuple[Page, PageResult, PageContent]]) -> None:
    """Write the rows of these pages, move them, and wake who goes on with them. The caller has the pages locked."""
    with connection.cursor() as cursor:  # the same file in two jobs at once numbers its imports one after the other
        cursor.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [0x5C1, f"{job.merchant_id}/{job.hash8}"])
    scores = evaluation_scores(job) if job.route == Route.HYBRID else {}
    pages = [
        _Recorded(page, result, content, page_blockers(job.profile, job.route, result, score))
        for page, result, content in results
        for score in [scores.get(page.number)]
    ]
    known = Known.of([entry.page.pk for entry in pages])
    chosen = chosen_pictures([sku for skus in known.active.values() for sku in skus])
    if known.active:
        rewriting.keep([entry.page.pk for entry in pages])
    record_images(job, pages)
    with in_force(frozen.own_words(job)):  # what people said is measured in the merchant's units too
        earlier = record_skus(job, pages, known, chosen)
    record_understood(
        [(p.page, _page_columns(p)) for p in pages], no_product={p.page.pk for p in pages if p.no_product}
    )
    forget_alternatives([p.page.pk for p in pages])
    below = float(completed(job.profile.classification, CLASSIFICATION)["skip_doubtful_below"])
    offered = [(p.page, p.result.alternatives, p.images) for p in pages if p.is_looked_at(below)]
    record_alternatives(offered, attribute_keys(job))
    if earlier:
        ledger.withdraw([p.page.pk for p in pages])
        compensating.remove_gone(job, [p.page.pk for p in pages if not p.held])
    pictures = dict(pair for p in pages for pair in shown_pictures(p))
    if earlier:
        entries.catalogue_pages(job, [p.page.pk for p in pages])
    else:  # nothing but what was just written
        first = {sku: shown[0].sha256 for sku, shown in pictures.items() if shown}
        entries.enter(job, [sku for p in pages for sku in p.skus], first)
    ledger.open_imports(job, [sku for p in pages for sku in p.importable], pictures)
    deliver = [p.page.pk for p in pages if p.importable]
    settle = [p.page.pk for p in pages if p.needs_settling]
    if deliver:
        messages.send_after_commit("deliver_pages", deliver)
    if settle:
        messages.send_after_commit("settle_pages", settle)
    _count(pages)


def _count(pages: Sequence[_Recorded]) -> None:
    for validity, number in Counter(sku.validity for p in pages for sku in p.skus).items():
        metrics.after_commit(metrics.SKUS, number, validity=validity)
    for code, number in Counter(blocker.code for p in pages for blocker in p.blockers).items():
        metrics.after_commit(metrics.BLOCKERS, number, code=code)


def _page_columns(entry: _Recorded) -> dict[str, Any]:
    result, decided, before = entry.result, entry.decided, entry.page.validation
    parted = before.get("separated", [])
    merges = [merge for merge in result.merges if not _is_parted(merge, parted)]
    people = {name: before[name] for name in ("texts", "separated", "decided") if name in before}
    return {
        "page_type": entry.page_type,
        "type_confidence": 1.0 if "page_type" in decided else result.type_confidence,
        "layout_type": decided.get("layout_type", result.layout_type),
        "confidence": result.confidence,
        "analyst": result.analyst[:80],
        "extraction_method": result.extractor,
        "fallback_reason": result.fallback_reason[:60],
        "continues": next((merge.page_number for merge in merges), None),
        "blockers": entry.blockers,
        "needs_review": bool(entry.blockers),
        "sku_count": len(entry.skus) + sum(sku.status != S.REJECTED for sku in entry.kept),
        "validation": {
            **people,
            "tallies": result.tallies,
            "merges": merges,
            "coverage": result.coverage,
            "ledger": result.ledger,
            "classification": result.classification,
            "opinion": result.opinion,
            "asked": result.asked,
            "findings": result.findings,
        },
    }


def _is_parted(merge: TableMerge, parted: Sequence[dict[str, Any]]) -> bool:
    """A person said that this table goes on with none."""
    return any(
        parted_table["table"] == merge.table and parted_table["page_number"] == merge.page_number
        for parted_table in parted
    )


def page_blockers(
    profile: ThresholdProfile, route: str | None, result: PageResult, score: float | None = None
) -> list[Blocker]:
    """What the analyst found, and what the route adds: below PV a HYBRID page goes to a person (TA-P1-5).

    ``score``: the page's own from the evaluation of its document, where it was sampled; it counts beside the result's
    confidence, and nothing is asked a second time for it.
    """
    blockers = list(result.blockers)
    threshold = float(profile.threshold_pv)
    if route == Route.HYBRID and result.skus and score is not None and score < threshold:
        blockers.append(Blocker("page_score_low", {"score": round(score, 2), "minimum": threshold}))
    low = route == Route.HYBRID and bool(result.skus) and result.confidence < threshold
    if low and not any(b.code == "low_confidence" for b in blockers):
        blockers.append(Blocker("low_confidence", {"confidence": round(result.confidence, 2), "minimum": threshold}))
    if route == Route.HUMAN_ALL:
        blockers.append(Blocker("route_human_all"))
    return blockers


def evaluation_scores(job: Job) -> dict[int, float]:
    """Of the sampled pages, by number."""
    evaluation = evaluation_of(job)
    return {int(number): score for number, score in evaluation.report["page_scores"].items()} if evaluation else {}


def record_images(job: Job, pages: Sequence[_Recorded]) -> None:
    """The pages' pictures, in the state they reached, by their name on the page. Written again on a rerun."""
    for entry in pages:
        pictures = [p for p in unpack_pictures(bytes(entry.content.data)) if p.file]
        roles = {role.picture: role for role in entry.result.roles}
        entry.images = {
            picture.id: _image(job, entry, sequence, picture, roles.get(picture.id))
            for sequence, picture in enumerate(pictures, 1)
        }
    rows = {image.image_id: image for entry in pages for image in entry.images.values()}
    if not rows:
        return
    repeated.in_turn(job)
    inserted = bulk.insert_rows(
        Image, bulk.columns_of(list(rows.values())), unique=("job_id", "image_id"), returning=("image_id", "id")
    )
    for image_id, pk in inserted:
        rows[image_id].pk = pk
    repeated.decide(job, [entry.page.pk for entry in pages])


def _image(job: Job, entry: _Recorded, sequence: int, picture: Picture, role: PictureRole | None) -> Image:
    page, name = entry.page, role.role if role else ImageRole.DECORATION
    image_id = f"img_{job.hash8}_{page.number:02d}_{sequence:03d}"
    said = page.validation.get("decided", {}).get("roles", {}).get(image_id)
    name = said or name
    quality = assess_picture(picture)
    deliverable = name in DELIVERABLE_ROLES
    end = P.DELIVERABLE if deliverable else P.NOT_DELIVERABLE
    return Image(
        job_id=job.pk,
        page_id=page.pk,
        image_id=image_id,
        picture=picture.id,
        status=IMAGE.check_path(P.EXTRACTED, P.QUALITY_ASSESSED, P.ROLE_CLASSIFIED, end),
        role=name,
        role_confidence=1.0 if said else role.confidence if role else 0.0,
        box=picture.box,
        width_px=picture.width_px,
        height_px=picture.height_px,
        short_edge=picture.short_edge,
        grade=quality.grade,
        search_eligible=quality.search_eligible and deliverable,
        fragmented=picture.fragmented,
        content_hash=picture.content_hash,
        perceptual_hash=picture.perceptual_hash,
        tones=picture.tones,
        looks=looks_of(job.merchant_id, picture),
        storage_key=entry.content.files.get(picture.file, ""),
    )


def record_skus(
    job: Job, pages: Sequence[_Recorded], known: Known, chosen: Mapping[int, Sequence[ChosenPicture]]
) -> bool:
    """The pages' SKUs; earlier ones of a rerun keep their ids as a next revision, or are superseded (TA-SKUSTABLE), but
    for those that people added or decided: they stay. ``chosen``: pictures that people bound, by earlier SKU.

    True where there were earlier ones.
    """
    keys, ids = attribute_keys(job), {}
    for entry in pages:
        ids[entry.page.pk] = assign_ids(job, entry.page, entry.result.skus, known)
        continued = {sku_id for sku_id, _ in ids[entry.page.pk]}
        earlier = known.active.get(entry.page.pk, ())
        entry.kept = [sku for sku in earlier if sku.sku_id not in continued and is_decided(sku)]
    known.supersede(but=[sku for entry in pages for sku in entry.kept])
    for entry in pages:
        earlier_by_id = {sku.sku_id: sku for sku in known.active.get(entry.page.pk, ())}
        for index, (sku_id, revision) in enumerate(ids[entry.page.pk]):
            old = earlier_by_id.get(sku_id)
            entry.skus.append(_sku(job, entry, index, revision, keys, sku_id, old))
            entry.bindings.append(_bindings(entry, index, chosen.get(old.pk) if old is not None else None))
        entry.blockers = [b for b in entry.blockers if b.sku is None or not is_answered(b, entry.skus[b.sku])]
    bulk.insert_new([sku for entry in pages for sku in entry.skus])
    bulk.insert_rows(SkuImage, [row for entry in pages for row in _binding_rows(entry)])
    _audit(job, [entry for entry in pages if entry.skus])
    return bool(known.active)


def _bindings(entry: _Recorded, index: int, chosen: Sequence[ChosenPicture] | None) -> list[ChosenPicture]:
    """What a person chose, as far as it is still there, else what was read."""
    if chosen is None:
        shown = shown_bindings(entry, entry.result.skus[index])
        return [ChosenPicture(entry.images[b.picture], b.role, b.method, b.confidence, "rules") for b in shown]
    images = {image.image_id: image for image in entry.images.values()}
    again = [(picture, found_again(picture.image, images)) for picture in chosen]
    return [replace(picture, image=image) for picture, image in again if image is not None]


def _binding_rows(entry: _Recorded) -> Iterator[dict[str, Any]]:
    for sku, bound in zip(entry.skus, entry.bindings, strict=True):
        for rank, picture in enumerate(bound):
            yield {
                "sku_id": sku.pk,
                "image_id": picture.image.pk,
                "role": picture.role,
                "method": picture.method,
                "confidence": picture.confidence,
                "rank": rank,
                "chosen_by": picture.chosen_by,
            }


def shown_bindings(entry: _Recorded, sku: FoundSku) -> list[Binding]:
    """Each picture once, by its first binding; a picture without a file shows nothing."""
    first: dict[str, Binding] = {}
    for binding in sku.bindings:
        if binding.picture in entry.images:
            first.setdefault(binding.picture, binding)
    return list(first.values())


def shown_pictures(entry: _Recorded) -> Iterator[tuple[int, list[Shown]]]:
    for sku, bound in zip(entry.skus, entry.bindings, strict=True):
        images = ((picture.image, picture.role) for picture in bound)
        yield sku.pk, [Shown(image.image_id, role, image.storage_key, image.content_hash) for image, role in images]


def _audit(job: Job, pages: Sequence[_Recorded]) -> None:
    """One row a page for its SKUs, which were inserted in the state they reached."""
    reasons = {
        entry.page.pk: {"page": entry.page.number, "states": Counter(str(sku.status) for sku in entry.skus)}
        for entry in pages
    }
    audit_rows("sku", job.pk, reasons, target="RECORDED", trigger="understood")


def _sku(
    job: Job, entry: _Recorded, index: int, revision: int, keys: Sequence[str], sku_id: str, old: Sku | None
) -> Sku:
    """``old``: the revision before a rerun; what a person said of it stands."""
    own_sku, images = entry.result.skus[index], entry.images
    reading = Reading(
        box=own_sku.box,
        attributes={key: own_sku.attributes[key].text if key in own_sku.attributes else None for key in keys},
        attribute_source=sources_of(own_sku),
        evidence=dict(places_of(own_sku)),
        normalized=own_sku.normalized,
        custom_attributes=[{"name": c.name, "value": c.value, "evidence": c.evidence} for c in own_sku.custom],
        validity=own_sku.validity,
        quality_warning=own_sku.quality_warning,
    )
    keep_decisions(reading, old)
    ambiguous = own_sku.ambiguous and not reading.decisions.get("pictures")
    own = [blocker for blocker in entry.blockers if blocker.sku == index]
    sku = Sku(
        job_id=job.pk,
        page=entry.page,
        sku_id=sku_id,
        revision=revision,
        status=decided_status(reading.validity, old) or reached_status(reading.validity, ambiguous, own),
        confidence=own_sku.confidence,
        candidates=[
            {"image_id": images[c.picture].image_id, "confidence": c.confidence, "method": c.method, "reason": c.reason}
            for c in own_sku.candidates
            if c.picture in images
        ],
        **vars(reading),
    )
    sku.blockers = [blocker for blocker in own if not is_answered(blocker, sku)]
    return sku


def reached_status(validity: str, ambiguous: bool, blockers: Sequence[Blocker]) -> SkuStatus:
    """How far a SKU gets by itself: without identity it waits, without specification where that is doubted, and while
    its picture is unclear. ``blockers``: its own."""
    if validity == "invalid":
        return S(SKU.check_path(S.EXTRACTED, S.INVALID))
    if validity == "partial":
        waits = ambiguous or any(blocker.code == "specification_missing" for blocker in blockers)
        return S(SKU.check_path(S.EXTRACTED, S.PARTIAL) if waits else SKU.check_path(S.EXTRACTED, S.PARTIAL, S.BOUND))
    return S(SKU.check_path(S.EXTRACTED, S.VALID) if ambiguous else SKU.check_path(S.EXTRACTED, S.VALID, S.BOUND))
