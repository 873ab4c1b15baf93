"""Exports of a large document: SKUs a second, peak memory of the process, and the time until the first byte, by format.

Each file is made by `manage.py exports make` in a process of its own, so that its peak is its own.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

from asgiref.sync import async_to_sync
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.test import Client
from PIL import Image as Pillow

from catalogsku.accounts.models import Merchant, Role, User
from catalogsku.core import storage
from catalogsku.profiles.services import profile_for, routing_now, schema_for
from ingestion.models import Job, Page
from processing.engine.result import BASE_KEYS
from processing.exports import selectors
from processing.exports.formats import writer_of
from processing.exports.models import Export, ExportKind
from processing.exports.services import signed_links
from processing.exports.tables import streamed
from processing.products.lifecycle import ImageStatus, SkuStatus
from processing.products.models import Image, Sku, SkuImage
from tests.bench.web import percentile

SKUS, SKUS_A_PAGE, AT_ONCE = 50_000, 25, 250
PICTURES, PICTURE_PX = 40, (480, 360)
TURNS = 20
MERCHANT = "Merchant of exports"
MIB = 1 << 20
# The arguments of `manage.py exports`; the most memory that the process had, in bytes.
Runner = Callable[[list[str]], int]


def in_a_process(arguments: list[str]) -> int:
    """Raises CalledProcessError."""
    command = [sys.executable, "manage.py", "exports", *arguments]
    with subprocess.Popen(command, cwd=settings.BASE_DIR, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return usage.ru_maxrss * 1024


def measure_export(skus: int = SKUS, run: Runner = in_a_process, turns: int = TURNS) -> dict[str, Any]:
    """``growth_mb``: the largest peak of all formats above that of a document of one SKU."""
    merchant, _ = Merchant.objects.get_or_create(name=MERCHANT)
    large, single = make_document(merchant, skus), make_document(merchant, 1)
    user, _ = User.objects.get_or_create(username="bench exporter", defaults={"role": Role.UPLOADER})
    user.merchants.set([merchant])
    with tempfile.TemporaryDirectory() as folder:
        alone_bytes = run(_arguments(single, ExportKind.CSV, Path(folder, "single")))
        kinds = {kind: _made(large, kind, Path(folder, "file"), run, user, turns) for kind in ExportKind.values}
    most = max(kind["peak_mb"] for kind in kinds.values())
    return {
        "skus": skus,
        **kinds,
        "slowest_skus_per_s": min(kind["skus_per_s"] for kind in kinds.values()),
        "peak_of_one_sku_mb": round(alone_bytes / MIB, 1),
        "growth_mb": round(most - alone_bytes / MIB, 1),
        "first_byte_p95_ms": max(kind["first_byte_p95_ms"] for kind in kinds.values()),
        "at_once_first_byte_ms": {kind: _at_once_ms(large, kind) for kind in (ExportKind.CSV, ExportKind.XLSX)},
    }


def _arguments(job: Job, kind: str, out: Path) -> list[str]:
    return ["make", "--job", str(job.uuid), "--kind", kind, "--out", str(out)]


def _made(job: Job, kind: str, out: Path, run: Runner, user: User, turns: int) -> dict[str, float]:
    peak_bytes = run(_arguments(job, kind, out))
    export = Export.objects.select_related("layout", "job", "merchant").filter(job=job, kind=kind).latest("pk")
    if export.ended_at is None:
        raise ValueError(f"the export as {kind} did not end")
    seconds = (export.ended_at - export.created_at).total_seconds()
    waited_ms = [_first_byte_ms(signed_links.link_to(export, user).url) for _ in range(turns)]
    return {
        "seconds": round(seconds, 2),
        "skus_per_s": round(export.skus / seconds),
        "file_mb": round(export.size_bytes / MIB, 1),
        "peak_mb": round(peak_bytes / MIB, 1),
        "first_byte_p95_ms": percentile(waited_ms, 95),
    }


def _first_byte_ms(url: str) -> float:
    client = Client(headers={"host": "localhost"})
    began_s = time.perf_counter()
    answer: Any = client.get(url)

    async def first() -> bytes:
        return bytes(await anext(answer.streaming_content))

    if not async_to_sync(first)():
        raise ValueError(f"{url} gave nothing")
    return round((time.perf_counter() - began_s) * 1000, 1)


def _at_once_ms(job: Job, kind: str) -> float:
    """Of a file that is streamed while it is written."""
    began_s = time.perf_counter()
    parts = streamed(writer_of(kind, with_pictures=False), selectors.job_table(job))
    next(parts)
    return round((time.perf_counter() - began_s) * 1000, 1)


def make_document(merchant: Merchant, skus: int) -> Job:
    """A finished document whose SKUs have a picture each, of a few files."""
    number, pages_needed = Job.objects.count() + 1, -(-skus // SKUS_A_PAGE)
    sha256 = f"{number:08x}" + "e" * 56
    job = Job.objects.create(
        merchant=merchant,
        status="FULL_IMPORTED",
        stage="NONE",
        idempotency_key=f"export {number}",
        source_name=f"目录 {number}.pdf",
        source_key=f"m/{sha256}.pdf",
        source_bytes=1,
        file_sha256=sha256,
        hash8=sha256[:8],
        route="AUTO",
        profile=profile_for(""),
        schema=schema_for(""),
        routing=routing_now(),
        total_pages=pages_needed,
    )
    keys = [_picture(job, n) for n in range(min(PICTURES, skus))]
    pages = Page.objects.bulk_create(
        [Page(job=job, number=n, status="AI_COMPLETED") for n in range(1, pages_needed + 1)], AT_ONCE
    )
    for start in range(0, len(pages), AT_ONCE // SKUS_A_PAGE):
        _fill(job, pages[start : start + AT_ONCE // SKUS_A_PAGE], keys, skus)
    return job


def _picture(job: Job, number: int) -> str:
    key = f"{storage.file_prefix(job.merchant_id, job.file_sha256)}/p{number}.jpg"
    data = BytesIO()
    Pillow.effect_noise(PICTURE_PX, 30 + number).save(data, "JPEG", quality=85)
    return str(default_storage.save(key, ContentFile(data.getvalue())))


def _fill(job: Job, pages: list[Page], keys: list[str], skus: int) -> None:
    places = [
        (page, n) for page in pages for n in range(1, SKUS_A_PAGE + 1) if (page.number - 1) * SKUS_A_PAGE + n <= skus
    ]
    rows = Sku.objects.bulk_create(_sku(job, page, n) for page, n in places)
    images = Image.objects.bulk_create(
        Image(
            job=job,
            page=page,
            image_id=f"img_{job.hash8}_{page.number:02d}_{n:03d}",
            picture=f"P{n}",
            status=ImageStatus.DELIVERABLE,
            role="PRODUCT_MAIN",
            box=[0, 0, 90, 90],
            width_px=PICTURE_PX[0],
            height_px=PICTURE_PX[1],
            short_edge=PICTURE_PX[1],
            grade="good",
            content_hash="a" * 64,
            storage_key=keys[n % len(keys)],
        )
        for page, n in places
    )
    SkuImage.objects.bulk_create(
        SkuImage(sku=sku, image=image, role="PRODUCT_MAIN", method="table_row", confidence=0.9)
        for sku, image in zip(rows, images, strict=True)
    )


def _sku(job: Job, page: Page, number: int) -> Sku:
    given = {
        "model": f"A200-{page.number}-{number}", "product_name": "青禾餐椅", "brand": "示例家居",
        "size": "1200×600×750", "material": "橡木", "color": "原木", "price": "1,299.00", "currency": "CNY",
        "moq": "20",
    }  # fmt: skip
    evidence = {key: {"quote": value, "page_number": page.number, "bbox": [1, 2, 3, 4]} for key, value in given.items()}
    return Sku(
        job=job,
        page=page,
        sku_id=f"{job.hash8}_p{page.number:02d}_{number:03d}",
        status=SkuStatus.IMPORTED,
        validity="full",
        confidence=0.93,
        box=[40, 104, 555, 134],
        attributes={**dict.fromkeys(BASE_KEYS), **given},
        evidence=evidence,
    )
