"""Reading pages: sandboxed children turn pages into ParsedPages, which are kept by file inside their merchant."""

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from catalogsku.core import bulk, crash_points, live, metrics, secrets, storage, work
from catalogsku.core.personal_data import counted
from catalogsku.core.presence import current_worker
from catalogsku.core.sandbox import Outcome
from catalogsku.core.structs import ready
from ingestion.keeping.selectors import pictures_went, source_went
from ingestion.lifecycle import PAGES_WITH_PEOPLE, PageStage
from ingestion.models import Job, Page
from ingestion.services import dispatch
from ingestion.services.giving_up import give_up_document
from ingestion.services.pages import LOOKED_AT, page_is_wanted, pages_held, record_failure, record_read, record_together
from ingestion.services.screenshots import ask_for
from ingestion.services.settle import touch_progress
from processing.engine.page import ParsedPage, unpack_page
from processing.engine.personal_data import found_on
from processing.engine.reading.rendering import screenshot_name
from processing.pages.models import PageContent
from processing.sandboxed import frozen, sandboxes
from processing.sandboxed.metered import OVER_BUDGET, Metered

log = logging.getLogger(__name__)

TASK = "processing.engine.children:read_and_assess"
MAX_PICTURES = 400


@dataclass(frozen=True)
class Taken:
    """A page as a child handed it out, checked, with its files stored; or as it was kept from an earlier reading."""

    claim: work.Claim
    parsed: ParsedPage
    packed: bytes
    assessment: dict[str, Any] | None
    files: dict[str, str]
    reused: bool


def read_pages(page_ids: Sequence[int]) -> None:
    """Claim, read and record pages of one job; those the merchant has had read already are only looked up."""
    claims = work.claim(dispatch.active_pages().filter(pk__in=page_ids), PageStage.READ, current_worker())
    if claims:
        with pages_held(claims):
            crash_points.reached("read.claimed")
            _read(claims)


def _read(claims: Sequence[work.Claim]) -> None:
    held = {claim.id: claim for claim in claims}
    pages = list(Page.objects.filter(pk__in=list(held)).values_list("pk", "number", "sampled", "job_id"))
    job = Job.objects.get(pk=pages[0][3])
    live.hint(job.pk)
    by_number = {number: held[pk] for pk, number, _, _ in pages}
    within_budget = True
    taken = [_again(by_number.pop(n), content) for n, content in whole_pages(job, list(by_number)).items()]
    spent_s = 0.0
    if by_number and source_went(job):
        for claim in by_number.values():
            _fail(claim, {"code": "source_gone", "params": {}})
    elif by_number:
        sample = {number for _, number, sampled, _ in pages if sampled}
        read, spent_s, within_budget = _read_missing(job, by_number, sample)
        taken += read
    if taken:
        record_together(taken, lambda entries: _record(job, entries))
    if not within_budget:
        give_up_document(job)
    crash_points.reached("read.recorded")
    touch_progress(job.pk, PageStage.READ, spent_s / len(claims))
    dispatch.dispatch_job(job.pk)


def _again(claim: work.Claim, content: PageContent) -> Taken:
    packed = bytes(content.data)
    return Taken(claim, unpack_page(packed), packed, content.assessment, content.files, reused=True)


def kept_pages(job: Job, numbers: Sequence[int]) -> dict[int, PageContent]:
    """What the merchant has had read of this file, by page number."""
    rows = PageContent.objects.filter(
        merchant=job.merchant_id, file_sha256=job.file_sha256, reading_key=frozen.reading_key(), number__in=numbers
    )
    return {row.number: row for row in rows}


def whole_pages(job: Job, numbers: Sequence[int]) -> dict[int, PageContent]:
    """``kept_pages`` without those whose picture has gone by its rule, where the file is there to be read anew."""
    kept = kept_pages(job, numbers)
    if not kept or not pictures_went(job) or not storage.has_file(job.source_key):
        return kept
    return {number: content for number, content in kept.items() if _has_picture(content)}


def _has_picture(content: PageContent) -> bool:
    name = unpack_page(bytes(content.data)).preview
    return not name or name in content.files


def kept_columns(content: PageContent) -> dict[str, Any]:
    """Of a page that is read already, as if it had been read for this job."""
    columns: dict[str, Any] = frozen.jsonable(_columns(_again(work.Claim(0, 0), content)))
    return columns


def password_of(job: Job) -> str:
    """The password that a person gave, or nothing."""
    return (secrets.decrypt(job.password) or "") if job.password else ""


def _read_missing(job: Job, by_number: dict[int, work.Claim], sampled: set[int]) -> tuple[list[Taken], float, bool]:
    """In a plain child; the pages that turn out to need OCR then in one that has its models. Also the seconds of a core
    that the children took, and whether the document's budget allowed it."""
    taken, put_off, spent_s, within_budget = [], dict[int, work.Claim](), 0.0, True
    metered = Metered(job, Page, list(by_number.values()))
    with sandboxes.work_folder() as out, storage.local_copy(job.source_key) as source:
        request = {
            "path": str(source),
            "password": password_of(job),
            "out": str(out),
            "settings": frozen.jsonable(frozen.reading_settings()),
        }
        for recognises, wanted in ((False, by_number), (True, put_off)):
            if not wanted:
                continue
            numbers = sorted(wanted)
            options = {"pages": numbers, "assess": sorted(sampled & set(numbers)), "recognises": recognises}
            limits = sandboxes.reading_limits(recognises=recognises)
            outcome = metered.run(TASK, {**request, **options}, numbers, out, [source], limits, recognises=recognises)
            spent_s += outcome.cpu_s
            within_budget &= outcome.reason != OVER_BUDGET
            payloads = _finished(outcome, wanted)
            put_off |= {number: wanted[number] for number, payload in payloads.items() if not payload}
            taken += _take(job, wanted, {n: payload for n, payload in payloads.items() if payload}, out)
    return taken, spent_s, within_budget


def _finished(outcome: Outcome, claims: dict[int, work.Claim]) -> dict[int, bytes]:
    """What was handed out; of the rest the culprit alone fails, the others go back without being counted."""
    for number, claim in claims.items():
        if number in outcome.finished:
            continue
        if number == outcome.culprit and outcome.reason not in sandboxes.NOT_THE_DOCUMENT:
            _fail(claim, sandboxes.error_of(outcome))
        else:
            work.release(Page, [claim])
    return outcome.finished


def _take(job: Job, claims: dict[int, work.Claim], payloads: dict[int, bytes], out: Path) -> list[Taken]:
    taken = []
    for number, payload in payloads.items():
        try:
            taken.append(_check(job, claims[number], number, payload, out))
        except ValueError as error:
            _fail(claims[number], {"code": "reading_invalid", "params": {}, "detail": str(error)[:300]})
    return taken


def _check(job: Job, claim: work.Claim, number: int, payload: bytes, out: Path) -> Taken:
    """Check what a child handed out and store its files. Raises ValueError for anything that does not fit."""
    packed, assessment = msgspec.msgpack.decode(payload, type=ready(tuple[bytes, dict[str, Any] | None]))
    parsed = unpack_page(packed)
    if parsed.number != number or len(parsed.pictures) > MAX_PICTURES:
        raise ValueError("a page that was not asked for, or too many pictures")
    prefix = f"{storage.file_prefix(job.merchant_id, job.file_sha256)}/{frozen.reading_key()}"
    files = {}
    for name in _file_names(parsed):
        path = out / name
        if path.name != name or not sandboxes.is_own_file(path):
            raise ValueError(f"no file of its own called {name!r}")
        check_image(path)
        files[name] = f"{prefix}/{name}"
        storage.link_file(files[name], path)  # the child is gone, and the folder goes: nobody else has the file
    return Taken(claim, parsed, packed, assessment, files, reused=False)


def _file_names(parsed: ParsedPage) -> list[str]:
    return [name for name in (parsed.preview, parsed.thumbnail, *(p.file for p in parsed.pictures)) if name]


_MAGIC = {".jpg": (b"\xff\xd8\xff",), ".png": (b"\x89PNG\r\n",), ".webp": (b"RIFF",)}


def check_image(path: Path) -> None:
    """ValueError unless the file begins as its name says."""
    with path.open("rb") as file:
        head = file.read(8)
    if not any(head.startswith(magic) for magic in _MAGIC.get(path.suffix, ())):
        raise ValueError(f"{path.name} is not the picture its name says")


def _record(job: Job, entries: Sequence[Taken]) -> None:
    """Keep what was read, and let the pages go on, in one transaction; kept pages serve the merchant's later jobs."""
    crash_points.reached("read.before_record")
    with work.recording_all(Page, [entry.claim for entry in entries], LOOKED_AT) as pages:
        wanted = [(pages[e.claim.id], e) for e in entries if page_is_wanted(pages.get(e.claim.id))]
        _keep(job, [entry for _, entry in wanted if not entry.reused])
        columns = [(page, _columns(entry)) for page, entry in wanted]
        record_read(columns)
        ask_for(
            [page.pk for page, of_page in columns if page.status in PAGES_WITH_PEOPLE and not of_page["screenshot_key"]]
        )
        for kind, count in sum((Counter(of_page["personal_data"]) for _, of_page in columns), Counter()).items():
            metrics.after_commit(metrics.PERSONAL_DATA, count, kind=kind)
        crash_points.reached("read.before_commit")


def _keep(job: Job, entries: Sequence[Taken]) -> None:
    key = {"merchant_id": job.merchant_id, "file_sha256": job.file_sha256, "reading_key": frozen.reading_key()}
    rows = [
        {**key, "number": e.parsed.number, "data": e.packed, "assessment": e.assessment, "files": e.files}
        for e in entries
    ]
    bulk.insert_rows(PageContent, rows, unique=("merchant_id", "file_sha256", "reading_key", "number"))


def _columns(entry: Taken) -> dict[str, Any]:
    parsed, files = entry.parsed, entry.files
    return {
        "features": parsed.features,
        "assessment": entry.assessment,
        "personal_data": counted(found_on(parsed)),
        "screenshot_key": files.get(screenshot_name(parsed.number), ""),
        "preview_key": files.get(parsed.preview, ""),
        "thumbnail_key": files.get(parsed.thumbnail, ""),
        "reader": parsed.reader,
        "read_reused": entry.reused,
        "width_pt": parsed.width_pt,
        "height_pt": parsed.height_pt,
        "timings_ms": {} if entry.reused else parsed.timing,
    }


def _fail(claim: work.Claim, error: dict[str, Any]) -> None:
    """A document fails the same way again: the second time is final, and a person takes the page."""
    log.warning("page not read", extra={"page_id": claim.id, "code": error["code"]})
    with work.recording(Page, claim) as page:
        if page_is_wanted(page):
            again = page.last_error is not None and page.last_error.get("code") == error["code"]
            record_failure(page, error, permanent=again)
