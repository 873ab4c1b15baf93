"""Reading pages: sandboxed children turn pages into ParsedPages, which are kept by file inside their merchant."""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from catalogsku.core import live, secrets, storage, work
from catalogsku.core.presence import current_worker
from catalogsku.core.sandbox import Outcome
from ingestion.lifecycle import PageStage
from ingestion.models import Job, Page
from ingestion.services import dispatch
from ingestion.services.pages import page_is_wanted, pages_held, record_failure, record_read
from ingestion.services.settle import touch_progress
from processing.engine.page import ParsedPage, unpack_page
from processing.models import PageContent
from processing.services import frozen, sandboxes

log = logging.getLogger(__name__)

MAX_PICTURES = 400


def read_pages(page_ids: Sequence[int]) -> None:
    """Claim, read and record pages of one job; those the merchant has had read already are only looked up."""
    claims = work.claim(dispatch.active_pages().filter(pk__in=page_ids), PageStage.READ, current_worker())
    if claims:
        with pages_held(claims):
            _read(claims)


def _read(claims: Sequence[work.Claim]) -> None:
    pages = {page.pk: page for page in Page.objects.filter(pk__in=[c.id for c in claims]).select_related("job")}
    job = next(iter(pages.values())).job
    live.hint(job.pk)
    kept = kept_pages(job, [page.number for page in pages.values()])
    missing = []
    for held in claims:
        content = kept.get(pages[held.id].number)
        if content is None:
            missing.append(held)
        else:
            _record(held, job, content, reused=True)
    if missing:
        _read_missing(job, {pages[c.id].number: c for c in missing}, {p.number for p in pages.values() if p.sampled})
    touch_progress(job.pk)
    dispatch.dispatch_job(job.pk)


def kept_pages(job: Job, numbers: Sequence[int]) -> dict[int, PageContent]:
    """What the merchant has had read of this file, by page number."""
    rows = PageContent.objects.filter(
        merchant=job.merchant_id, file_sha256=job.file_sha256, reading_key=frozen.reading_key(), number__in=numbers
    )
    return {row.number: row for row in rows}


def password_of(job: Job) -> str:
    """The password that a person gave, or nothing."""
    return (secrets.decrypt(job.password) or "") if job.password else ""


def _read_missing(job: Job, by_number: dict[int, work.Claim], sampled: set[int]) -> None:
    numbers = sorted(by_number)
    with sandboxes.work_folder() as out, storage.local_copy(job.source_key) as source:
        request = {
            "path": str(source),
            "password": password_of(job),
            "pages": numbers,
            "out": str(out),
            "settings": frozen.jsonable(frozen.reading_settings()),
            "assess": sorted(sampled & set(numbers)),
        }
        outcome = sandboxes.sandbox().run(
            "processing.engine.children:read_and_assess", request, numbers, out, [source], sandboxes.READING
        )
        _take(job, by_number, outcome, out)


def _take(job: Job, by_number: dict[int, work.Claim], outcome: Outcome, out: Path) -> None:
    """Record every finished page; the culprit alone fails, the rest goes back without being counted."""
    for number, claim in by_number.items():
        path = outcome.finished.get(number)
        if path is not None:
            try:
                content = keep_page(job, number, path.read_bytes(), out)
            except ValueError as error:
                _fail(claim, {"code": "reading_invalid", "params": {}, "detail": str(error)[:300]})
            else:
                _record(claim, job, content, reused=False)
        elif number == outcome.culprit and outcome.reason not in sandboxes.NOT_THE_DOCUMENT:
            _fail(claim, sandboxes.error_of(outcome))
        else:
            work.release(Page, [claim])


def keep_page(job: Job, number: int, payload: bytes, out: Path) -> PageContent:
    """Check what a child handed out and keep it with its files. Raises ValueError for anything that does not fit."""
    packed, assessment = msgspec.msgpack.decode(payload, type=tuple[bytes, dict[str, Any] | None])
    parsed = unpack_page(packed)
    if parsed.number != number or len(parsed.pictures) > MAX_PICTURES:
        raise ValueError("a page that was not asked for, or too many pictures")
    prefix = storage.file_prefix(job.merchant_id, job.file_sha256)
    files = {}
    for name in _file_names(parsed):
        path = out / name
        if path.name != name or path.is_symlink() or not path.is_file():
            raise ValueError(f"no file {name!r}")
        check_image(path)
        files[name] = f"{prefix}/{frozen.reading_key()}/{name}"
        storage.put_file(files[name], path)
    content = PageContent(
        merchant_id=job.merchant_id,
        file_sha256=job.file_sha256,
        reading_key=frozen.reading_key(),
        number=number,
        data=packed,
        assessment=assessment,
        files=files,
    )
    PageContent.objects.bulk_create(
        [content],
        update_conflicts=True,
        unique_fields=["merchant", "file_sha256", "reading_key", "number"],
        update_fields=["data", "assessment", "files"],
    )
    return content


def _file_names(parsed: ParsedPage) -> list[str]:
    return [name for name in (parsed.screenshot, parsed.thumbnail, *(p.file for p in parsed.pictures)) if name]


_MAGIC = {".jpg": (b"\xff\xd8\xff",), ".png": (b"\x89PNG\r\n",), ".webp": (b"RIFF",)}


def check_image(path: Path) -> None:
    """ValueError unless the file begins as its name says."""
    with path.open("rb") as file:
        head = file.read(8)
    if not any(head.startswith(magic) for magic in _MAGIC.get(path.suffix, ())):
        raise ValueError(f"{path.name} is not the picture its name says")


def _record(claim: work.Claim, job: Job, content: PageContent, *, reused: bool) -> None:
    parsed = unpack_page(bytes(content.data))
    fields = {
        "features": frozen.jsonable(parsed.features),
        "assessment": content.assessment,
        "screenshot_key": content.files.get(parsed.screenshot, ""),
        "thumbnail_key": content.files.get(parsed.thumbnail, ""),
        "reader": parsed.reader,
        "read_reused": reused,
        "width_pt": parsed.width_pt,
        "height_pt": parsed.height_pt,
        "timings_ms": {} if reused else frozen.jsonable(parsed.timing),
    }
    with work.recording(Page, claim) as page:
        if page_is_wanted(page):
            record_read(page, fields)


def _fail(claim: work.Claim, error: dict[str, Any]) -> None:
    """A document fails the same way again: the second time is final, and a person takes the page."""
    log.warning("page not read", extra={"page_id": claim.id, "code": error["code"]})
    with work.recording(Page, claim) as page:
        if page_is_wanted(page):
            again = page.last_error is not None and page.last_error.get("code") == error["code"]
            record_failure(page, error, permanent=again)
