"""A day's documents with all that they leave behind: rows as the product would have written them, and real files."""

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from django.core.files.storage import default_storage
from django.db import models, transaction

from annotation.models import HumanTask
from catalogsku.accounts.models import Merchant, User
from catalogsku.core import storage
from catalogsku.core.models import Transition
from catalogsku.profiles.services import profile_for, routing_now, schema_for
from ingestion.models import Job, Page
from processing.catalogue.services.entries import enter
from processing.engine.result import BASE_KEYS
from processing.models import Export, Image, ImportRecord, LocalProduct, ModelCall, Sku, SkuImage, TraceBundle
from tests.year import truth
from tests.year.truth import Category, Ledger

READING = "0123456789abcdef"
MODEL = "gemini-2.5-flash"
MATERIALS, THINGS = ("oak", "steel", "linen", "glass", "brass"), ("chair", "lamp", "table", "shelf", "tile", "drill")
# Bytes of files, at least and at most: as small as files can be that are still some.
SOURCE, PICTURE, THUMBNAIL, PRODUCT, TRACE, EXPORT = (
    (6_000, 24_000),
    (2_500, 6_000),
    (400, 900),
    (900, 2_500),
    (300, 900),
    (1_500, 6_000),
)


@dataclass
class Sent:
    """A document that has come, until its last page has been done with. ``waits``: how many pages wait for people."""

    job: Job
    waits: int = 0


@dataclass(frozen=True)
class Came:
    """A document of the day, and when machines had done with it."""

    job: Job
    kind: Category

    @property
    def at(self) -> datetime:
        return self.job.created_at + timedelta(minutes=5)

    @property
    def prefix(self) -> str:
        return storage.file_prefix(self.job.merchant_id, self.job.file_sha256)


class Move(NamedTuple):
    """Of a page or a document."""

    row: Page | Job
    job: Job
    source: str
    target: str
    trigger: str
    at: datetime


@dataclass
class World:
    """What the generator knows. ``wrong``: by page, how many of its products machines had wrong."""

    chance: Random
    days: int
    ledger: Ledger
    merchants: dict[str, Merchant]
    people: list[User]
    wrong: dict[int, int] = field(default_factory=dict)
    under_way: dict[int, Sent] = field(default_factory=dict)
    _frozen: dict[str, tuple[Any, Any, Any]] = field(default_factory=dict)

    def frozen(self, category: str) -> tuple[Any, Any, Any]:
        """Profile, schema and routing of a document that comes now."""
        if category not in self._frozen:
            self._frozen[category] = profile_for(category), schema_for(category), routing_now()
        return self._frozen[category]

    def thaw(self) -> None:
        """They may have changed."""
        self._frozen.clear()


@contextmanager
def dated(*rows: type[models.Model]) -> Iterator[None]:
    """``created_at`` of these is what is said, not the moment of writing."""
    columns: list[Any] = [model._meta.get_field("created_at") for model in rows]
    for column in columns:
        column.auto_now_add = False
    try:
        yield
    finally:
        for column in columns:
            column.auto_now_add = True


@transaction.atomic
def come(world: World, day: int, morning: datetime, documents: int) -> None:
    """They are read by machines within the day; what machines doubt waits for people from then on."""
    houses = world.chance.choices(truth.HOUSES, [house.share for house in truth.HOUSES], k=documents)
    kinds = world.chance.choices(truth.CATEGORIES, k=documents)
    jobs = [_job(world, day, morning, house.name, kind) for house, kind in zip(houses, kinds, strict=True)]
    with dated(Job, HumanTask):
        Job.objects.bulk_create(jobs)
        _read(world, day, [Came(job, kind) for job, kind in zip(jobs, kinds, strict=True)])


def _job(world: World, day: int, morning: datetime, house: str, kind: Category) -> Job:
    chance, merchant = world.chance, world.merchants[house]
    source = chance.randbytes(chance.randint(*SOURCE))
    sha256 = hashlib.sha256(source).hexdigest()
    key = f"{storage.file_prefix(merchant.pk, sha256)}/source.pdf"
    _store(world, day, merchant.pk, "sources", key, source)
    profile, schema, routing = world.frozen(kind.name)
    at = morning + timedelta(minutes=chance.randrange(8 * 60))
    pages = chance.choice((2, 3, 4, 5, 6))
    return Job(
        merchant=merchant,
        uploader=world.people[0],
        category=kind.name,
        idempotency_key=f"{sha256[:20]}-{day}",
        source_name=f"{kind.name} {at:%Y-%m-%d} {sha256[:6]}.pdf",
        source_key=key,
        source_bytes=len(source),
        file_sha256=sha256,
        hash8=sha256[:8],
        total_pages=pages,
        status="PARTIAL_IMPORTED",
        route="HYBRID",
        c_doc=round(min(0.96, max(0.5, chance.gauss(0.82, 0.08))), 4),
        profile=profile,
        schema=schema,
        routing=routing,
        created_at=at,
        checked_at=at,
        evaluated_at=at,
        progressed_at=at + timedelta(minutes=5),
        machine_s=round(pages * 0.8, 1),
    )


def _read(world: World, day: int, came: Sequence[Came]) -> None:
    pages = Page.objects.bulk_create(
        _page(world, day, one.job, n + 1, one.at, one.prefix) for one in came for n in range(one.job.total_pages or 0)
    )
    skus = Sku.objects.bulk_create(
        Sku(
            job=page.job,
            page=page,
            sku_id=f"{page.job.hash8}_p{page.number:02d}_{n:03d}",
            status="IMPORTED",
            validity="full",
            confidence=page.confidence or 0.9,
            box=[40, 104, 555, 134],
            attributes=_attributes(world.chance, page.job, page, n),
            created_at=page.finished_at,
        )
        for page in pages
        for n in range(1, page.sku_count + 1)
    )
    pictures = _picture(world, day, skus)
    for one in came:
        enter(one.job, [sku for sku in skus if sku.job_id == one.job.pk], pictures)
    _deliver(skus)
    _ask_models(world, pages)
    _doubt(world, day, came, pages)


def _page(world: World, day: int, job: Job, number: int, at: datetime, prefix: str) -> Page:
    chance, skipped = world.chance, world.chance.random() < truth.SKIPPED
    files = {
        name: _store_named(world, day, job.merchant_id, what, prefix, size)
        for name, what, size in (("screenshot_key", "pictures", PICTURE), ("thumbnail_key", "results", THUMBNAIL))
    }
    facts: dict[str, Any] = {
        "job": job,
        "number": number,
        "width_pt": 595,
        "height_pt": 842,
        "finished_at": at,
        **files,
    }
    facts["prescan"] = {"blank": False, "chars": 800, "images": 1}
    if skipped:
        return Page(
            status="SKIPPED", skip_reason="no_product", analyst="rules-1", page_type="C", confidence=0.95, **facts
        )
    sure = truth.confidence(chance)
    doubted = sure < float(job.profile.threshold_pv)
    blocked = chance.random() < truth.BLOCKED
    asked = chance.random() < truth.ASKED
    products = chance.choice((1, 1, 2, 3))
    return Page(
        status="HUMAN_QUEUED" if doubted or blocked else "AI_COMPLETED",
        import_state="confirmed",
        page_type="A",
        layout_type="L2",
        reader="pymupdf",
        confidence=sure,
        type_confidence=sure,
        sku_count=products,
        delivered_count=products,
        analyst=MODEL if asked else "rules-1",
        needs_review=doubted or blocked,
        blockers=[_reason("binding_ambiguous")] if blocked else [_reason("low_confidence")] if doubted else [],
        **facts,
    )


def _reason(code: str) -> dict[str, Any]:
    return {"code": code, "params": {}, "sku": None}


def _attributes(chance: Random, job: Job, page: Page, n: int) -> dict[str, Any]:
    known = {
        "model": f"{job.category[:2].upper()}-{job.hash8[:4]}{page.number:02d}{n}",
        "brand": job.merchant.name,
        "product_name": f"{chance.choice(MATERIALS)} {chance.choice(THINGS)}",
        "material": chance.choice(MATERIALS),
        "price": f"{chance.randrange(10, 900)}.00",
        "currency": "EUR",
    }
    return {**dict.fromkeys(BASE_KEYS), **known}


def _picture(world: World, day: int, skus: Sequence[Sku]) -> dict[int, str]:
    """Of most of them; the hash of each, by SKU."""
    shown = [sku for sku in skus if world.chance.random() < 0.6]
    keys = [
        _store_named(
            world,
            day,
            sku.job.merchant_id,
            "results",
            storage.file_prefix(sku.job.merchant_id, sku.job.file_sha256),
            PRODUCT,
        )
        for sku in shown
    ]
    images = Image.objects.bulk_create(
        Image(
            job=sku.job,
            page=sku.page,
            image_id=f"img_{sku.sku_id}",
            picture="P1",
            status="DELIVERABLE",
            role="PRODUCT_MAIN",
            box=[0, 0, 100, 100],
            width_px=1000,
            height_px=700,
            short_edge=700,
            grade="good",
            content_hash=Path(key).stem.ljust(64, "0"),
            perceptual_hash=Path(key).stem[:16],
            storage_key=key,
        )
        for sku, key in zip(shown, keys, strict=True)
    )
    SkuImage.objects.bulk_create(
        SkuImage(sku=sku, image=image, role="PRODUCT_MAIN", method="grid", confidence=0.9)
        for sku, image in zip(shown, images, strict=True)
    )
    return {sku.pk: image.content_hash for sku, image in zip(shown, images, strict=True)}


def _deliver(skus: Sequence[Sku]) -> None:
    told = [json.dumps(sku.attributes).encode() for sku in skus]
    hashes = [hashlib.sha256(payload).hexdigest() for payload in told]
    ImportRecord.objects.bulk_create(
        ImportRecord(
            target="local",
            merchant=sku.job.merchant,
            job=sku.job,
            page=sku.page,
            sku=sku,
            sku_key=sku.sku_id,
            generation=1,
            state="CONFIRMED",
            attempt=1,
            sent_at=sku.created_at,
            payload=payload,
            payload_hash=sha256,
            created_at=sku.created_at,
        )
        for sku, payload, sha256 in zip(skus, told, hashes, strict=True)
    )
    LocalProduct.objects.bulk_create(
        LocalProduct(merchant=sku.job.merchant, sku_key=sku.sku_id, generation=1, payload_hash=sha256)
        for sku, sha256 in zip(skus, hashes, strict=True)
    )


def _ask_models(world: World, pages: Sequence[Page]) -> None:
    chance = world.chance
    calls = ModelCall.objects.bulk_create(
        ModelCall(
            merchant=page.job.merchant,
            job=page.job,
            page=page,
            category=page.job.category,
            operation="read_page",
            model=MODEL,
            prompt_version="read_page@1",
            request_key=hashlib.sha256(f"{page.pk}".encode()).hexdigest(),
            state="ANSWERED",
            day=page.job.created_at.date(),
            reserved_micro=0,
            settled_micro=chance.randrange(1_500, 9_000),
            tokens_in=900,
            tokens_out=200,
            latency_ms=chance.randrange(600, 4_000),
            worker=0,
            answer=chance.randbytes(chance.randrange(300, 900)),
            created_at=page.finished_at,
            sent_at=page.finished_at,
            answered_at=page.finished_at,
        )
        for page in pages
        if page.analyst == MODEL
    )
    for call in calls:
        world.ledger.count((call.day, call.merchant_id, call.category), cost_micro=call.settled_micro)


def _doubt(world: World, day: int, came: Sequence[Came], pages: Sequence[Page]) -> None:
    """What moved, what waits for people, what is kept of why; and what is wrong, of which nobody knows yet."""
    chance, by_job = world.chance, {one.job.pk: one for one in came}
    for page in pages:
        sure = by_job[page.job_id].kind.share_right(page.confidence or 1.0, day, world.days)
        right = page.sku_count == 0 or chance.random() < sure
        world.wrong[page.pk] = 0 if right else chance.randint(1, page.sku_count)
    waiting = [page for page in pages if page.status == "HUMAN_QUEUED"]
    HumanTask.objects.bulk_create(
        HumanTask(
            job=page.job,
            page=page,
            type="PAGE_REVIEW",
            reasons=page.blockers,
            confidence=page.confidence,
            created_at=page.finished_at,
            clock_from=page.finished_at,
            result={},
        )
        for page in waiting
    )
    moves = [Move(one.job, one.job, "", "UPLOADED", "received", one.at) for one in came]
    moves += [Move(one.job, one.job, "UPLOADED", "PROCESSING", "checked", one.at) for one in came]
    for page in pages:
        first, at = "SKIPPED" if page.status == "SKIPPED" else "AI_COMPLETED", by_job[page.job_id].at
        moves.append(Move(page, page.job, "AI_QUEUED", first, "understood", at))
        if page.status == "HUMAN_QUEUED":
            moves.append(Move(page, page.job, "AI_COMPLETED", "HUMAN_QUEUED", "tasks_opened", at))
    log(moves)
    traced = [(page, "review") for page in waiting]
    traced += [(page, "sample") for page in pages if page.status != "HUMAN_QUEUED" and chance.random() < 0.1]
    TraceBundle.objects.bulk_create(
        TraceBundle(
            page=page,
            job=page.job,
            reason=reason,
            created_at=page.finished_at,
            storage_key=_store_named(
                world, day, page.job.merchant_id, "traces", by_job[page.job_id].prefix, TRACE, "traces"
            ),
        )
        for page, reason in traced
    )
    for one in came:
        _count(world, day, one, [page for page in pages if page.job_id == one.job.pk])
    end(world, [(one.job, one.at) for one in came if not world.under_way[one.job.pk].waits])


def _count(world: World, day: int, one: Came, pages: Sequence[Page]) -> None:
    alone = [page for page in pages if page.status == "AI_COMPLETED"]
    waiting = sum(page.status == "HUMAN_QUEUED" for page in pages)
    world.ledger.count(
        (one.at.date(), one.job.merchant_id, one.job.category),
        documents_in=1,
        pages_in=len(pages),
        pages_machine=len(alone),
        pages_skipped=len(pages) - len(alone) - waiting,
        products=sum(page.sku_count for page in alone),
    )
    world.ledger.rows(day, one.job.merchant_id, "ingestion.page", len(pages))
    world.under_way[one.job.pk] = Sent(one.job, waiting)


def end(world: World, ended: Sequence[tuple[Job, datetime]]) -> None:
    """Their last pages are done."""
    for job, at in ended:
        world.under_way.pop(job.pk)
        job.status, job.finished_at, job.progressed_at, job.completion_source = "FULL_IMPORTED", at, at, "machine"
        world.ledger.count((at.date(), job.merchant_id, job.category), documents_out=1)
    jobs = [job for job, _ in ended]
    Job.objects.bulk_update(jobs, ["status", "finished_at", "progressed_at", "completion_source"])
    log([Move(job, job, "PROCESSING", "FULL_IMPORTED", "settled", at) for job, at in ended])


def log(moves: Sequence[Move]) -> None:
    Transition.objects.bulk_create(
        Transition(
            entity="job" if isinstance(move.row, Job) else "page",
            entity_id=move.row.pk,
            job_id=move.job.pk,
            source=move.source,
            target=move.target,
            trigger=move.trigger,
            actor="system",
            at=move.at,
        )
        for move in moves
    )


def export(world: World, day: int, at: datetime) -> None:
    """Somebody takes the products of a document with them."""
    job = world.chance.choice(list(Job.objects.order_by("-pk")[:20]))
    content = world.chance.randbytes(world.chance.randint(*EXPORT))
    key = f"m{job.merchant_id}/exports/{hashlib.sha256(content).hexdigest()[:32]}.csv"
    _store(world, day, job.merchant_id, "exports", key, content)
    Export.objects.create(
        merchant=job.merchant,
        job=job,
        asked_by=world.people[0],
        kind="csv",
        columns=["model"],
        status="DONE",
        skus=3,
        storage_key=key,
        sha256=hashlib.sha256(content).hexdigest(),
        size_bytes=len(content),
        created_at=at,
        ended_at=at,
        fetched_at=at,
    )


def _store_named(
    world: World, day: int, merchant: int, kind: str, prefix: str, size: tuple[int, int], folder: str = READING
) -> str:
    """Under the name of its content."""
    content = world.chance.randbytes(world.chance.randint(*size))
    key = f"{prefix}/{folder}/{hashlib.sha256(content).hexdigest()[:32]}.jpg"
    _store(world, day, merchant, kind, key, content)
    return key


def _store(world: World, day: int, merchant: int, kind: str, key: str, content: bytes) -> None:
    """For this user alone, as the product writes; without its safety against being cut off."""
    path = default_storage.path(key)
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(file, "wb") as out:
        out.write(content)
    world.ledger.stored(day, merchant, kind, len(content))
