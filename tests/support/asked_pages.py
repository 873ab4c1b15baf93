"""Pages that are ready to be shown to models, without a sandbox: drawn or built by hand, read and understood here."""

import io
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import msgspec
from PIL import Image as Picture

from catalogsku.accounts.models import Merchant
from catalogsku.core import storage
from ingestion.models import Job, Page
from processing.engine.page import ParsedPage, pack_page
from processing.engine.reading.read import read_page
from processing.engine.reading.readers import OpenFile
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from processing.models import PageContent, RuleResult
from processing.sandboxed import frozen
from tests.support.catalogues import make_catalogue
from tests.support.rows import make_job

SHA256 = "ab" * 32


@dataclass(frozen=True)
class Drawn:
    """A page as reading leaves it; ``files``: bytes by the names that the page uses."""

    parsed: ParsedPage
    files: dict[str, bytes]


@lru_cache
def drawn_pages(seed: int = 7, pages: int = 4) -> tuple[Drawn, ...]:
    """The pages with products of a drawn catalogue."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "drawn.pdf")
        numbers = sorted({sku.page_number for sku in make_catalogue(source, pages, seed)})
        settings = frozen.reading_settings()
        found = []
        with OpenFile(source, settings.readers) as documents:
            for number in numbers:
                parsed = read_page(documents, number, settings, Path(folder))
                names = [parsed.preview, parsed.thumbnail, *(p.file for p in parsed.pictures)]
                found.append(Drawn(parsed, {name: Path(folder, name).read_bytes() for name in names if name}))
    return tuple(found)


def screenshot(width_px: int = 60, height_px: int = 80) -> bytes:
    out = io.BytesIO()
    Picture.new("RGB", (width_px, height_px), "white").save(out, "JPEG")
    return out.getvalue()


def job_for(merchant: Merchant, **columns: object) -> Job:
    return make_job(merchant, **{"file_sha256": SHA256, **columns})


def waiting_page(job: Job, drawn: Drawn) -> Page:
    """A page of that job that the rules have understood and that waits for models."""
    parsed = drawn.parsed
    keys = {name: f"kept/{job.file_sha256}/{parsed.number}/{name}" for name in drawn.files}
    with tempfile.TemporaryDirectory() as folder:
        for name, data in drawn.files.items():
            path = Path(folder, name)
            path.write_bytes(data)
            storage.put_file(keys[name], path)
    PageContent.objects.get_or_create(
        merchant_id=job.merchant_id,
        file_sha256=job.file_sha256,
        number=parsed.number,
        reading_key=frozen.reading_key(),
        defaults={"data": pack_page(parsed), "files": keys},
    )
    page = Page.objects.create(
        job=job,
        number=parsed.number,
        status="AI_QUEUED",
        stage="UNDERSTAND",
        prescan={"blank": False},
        features=msgspec.to_builtins(parsed.features),
        preview_key=keys.get(parsed.preview, ""),
    )
    RuleResult.objects.create(page=page, data=msgspec.json.encode(rules_of(parsed, job)))
    return page


def rules_of(parsed: ParsedPage, job: Job) -> PageResult:
    return understand_page(parsed, (), DocumentFacts(), frozen.analyst_config(job))
