"""From pages to records: pages are noted as they are read, and once none waits a sandboxed child finds candidates."""

import logging
from collections.abc import Mapping, Sequence

import msgspec
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from catalogsku.core import crash_points, live, messages, work
from catalogsku.core.moves import move
from catalogsku.core.presence import current_worker
from catalogsku.core.sandbox import Outcome
from catalogsku.core.structs import ready
from ingestion.lifecycle import JobStage, JobStatus, PageStage
from ingestion.models import Job, Page
from ingestion.services import dispatch, steps
from ingestion.services.pages import page_is_wanted, pages_held, record_understood
from ingestion.services.settle import touch_progress
from processing.engine.kinds.candidates import Candidate
from processing.engine.kinds.children import TASK, WHOLE, Found
from processing.pages.services import offering
from processing.pages.services.reading import kept_pages
from processing.sandboxed import sandboxes
from processing.sandboxed.metered import OVER_BUDGET, Metered
from processing.studies import values
from processing.studies.definition import PART_LENGTH_MAX, SUBJECT_LENGTH_MAX, Field
from processing.studies.lifecycle import RECORD, RECORD_ENDED, RecordStatus
from processing.studies.models import Record
from processing.studies.selectors import definition_in
from processing.studies.services import filling
from processing.studies.services.filling import Filling

log = logging.getLogger(__name__)

# A paper has 5 to 30 pages; of a longer document the first ones are looked at.
PAGES_MOST = 300


def note_pages(page_ids: Sequence[int]) -> None:
    """Nothing is taken from a page of a study by itself: it is read, and the document may be ready for its turn."""
    rows = dispatch.active_pages().filter(pk__in=page_ids)
    claims = work.claim(rows, PageStage.UNDERSTAND_RULES, current_worker())
    job_ids: set[int] = set()
    with pages_held(claims), work.recording_all(Page, claims) as pages:
        wanted = [page for page in pages.values() if page_is_wanted(page)]
        record_understood([(page, {"confidence": 1.0, "needs_review": False}) for page in wanted], no_product=())
        job_ids = {page.job_id for page in wanted}
        # Pages that were sent again: what is found is found anew, also by who is at it just now.
        done = Q(stage__in=(JobStage.NONE, JobStage.ASK)) | Q(stage=JobStage.EXTRACT, worker__isnull=False)
        jobs = Job.objects.filter(done, pk__in=job_ids, status=JobStatus.PROCESSING)
        jobs.update(stage=JobStage.EXTRACT, **work.CLEARED, **Job.visible_change())
    for job_id in job_ids:
        touch_progress(job_id)
        dispatch.dispatch_job(job_id)


def extract_job(job_id: int) -> None:
    """Find candidates for the fields of the study's template, and offer them to people (LX-SCATTER)."""
    for claim in work.claim(dispatch.active_jobs().filter(pk=job_id), JobStage.EXTRACT, current_worker()):
        crash_points.reached("extract.claimed")
        with steps.job_held(claim):
            _extract(claim)
        crash_points.reached("extract.recorded")
    dispatch.dispatch_job(job_id)


def _extract(claim: work.Claim) -> None:
    job = Job.objects.get(pk=claim.id)
    live.hint(job.pk)
    contents = kept_pages(job, range(1, PAGES_MOST + 1))
    outcome = _candidates(job, claim, {number: bytes(content.data) for number, content in contents.items()})
    if WHOLE in outcome.finished:
        found = msgspec.json.decode(outcome.finished[WHOLE], type=ready(Found))
    elif outcome.reason == OVER_BUDGET:
        found = Found()
    elif outcome.reason in sandboxes.NOT_THE_DOCUMENT:
        raise InterruptedError(outcome.reason)
    else:
        steps.record_job_failure(claim, sandboxes.error_of(outcome), permanent=False)
        return
    record(claim, found)


def _candidates(job: Job, claim: work.Claim, pages: Mapping[int, bytes]) -> Outcome:
    if not pages:
        return Outcome({WHOLE: b"{}"}, None, "ok")
    with sandboxes.work_folder() as folder:
        packed = folder / "pages"
        packed.write_bytes(msgspec.msgpack.encode(pages))
        metered = Metered(job, Job, [claim])
        return metered.run(TASK, {"file": str(packed)}, [WHOLE], folder / "out", [packed], sandboxes.UNDERSTANDING)


def record(claim: work.Claim, found: Found) -> None:
    """What was found becomes the records' values, beside what people have decided; parts are added, and those that
    nobody has touched go where they are found no more."""
    crash_points.reached("extract.before_record")
    with work.recording(Job, claim) as job:
        if job is None or job.status != JobStatus.PROCESSING:
            return
        _record(job, found)
        follows = JobStage.ASK if offering.asking_of(job).may else JobStage.NONE
        columns = {**work.RECORDED, **Job.visible_change(), "stage": follows, "progressed_at": Now()}
        Job.objects.filter(pk=job.pk).update(**columns)
        messages.send_after_commit("settle_job", job.pk)


def _record(job: Job, found: Found) -> None:
    active = Record.objects.filter(job=job, superseded=False).order_by("pk").select_related("template_version")
    records = list(active.select_for_update(of=("self",), no_key=True))
    main = next(record for record in records if record.repeat == "none")
    fields = definition_in(main.template_version).fields
    if (title := found.title[:SUBJECT_LENGTH_MAX].strip()) and title != main.subject:
        Record.objects.filter(job=job).update(subject=title, **Record.visible_change())
        main.subject = title
    known = {(record.repeat, record.part): record for record in records}
    by_part = _by_part(found.candidates, fields)
    for key, record in known.items():
        if record.status not in RECORD_ENDED:
            _fill(record, by_part.get(key, ()), fields)
    _offer(active)
    for key, candidates in by_part.items():
        if key not in known:
            row = filling.part_of(main, *key)
            filling.add(row, _filled(row, candidates, fields), "found")


def _by_part(found: Sequence[Candidate], fields: Sequence[Field]) -> dict[tuple[str, str], list[Candidate]]:
    """By repeat and part, in the order in which they were found; of fields that the template has, repeated as there."""
    repeats = {field.key: field.repeat for field in fields}
    by_part: dict[tuple[str, str], list[Candidate]] = {}
    for candidate in found:
        if repeats.get(candidate.field) == candidate.repeat:
            key = (candidate.repeat, candidate.part[:PART_LENGTH_MAX].strip())
            by_part.setdefault(key, []).append(candidate)
    return by_part


def _filled(record: Record, candidates: Sequence[Candidate], fields: Sequence[Field]) -> Filling:
    own = [field for field in fields if field.repeat == record.repeat]
    return values.merged(values.values_in(record.values), candidates, own)


def _fill(record: Record, candidates: Sequence[Candidate], fields: Sequence[Field]) -> None:
    if record.repeat != "none" and not candidates and not record.decisions.exists():
        filling.drop(record)
    else:
        filling.fill(record, _filled(record, candidates, fields))


def _offer(records: "QuerySet[Record]") -> None:
    move(RECORD, records, to=RecordStatus.FOUND, trigger="found")
    move(RECORD, records, to=RecordStatus.REVIEW, trigger="offered")
