"""Studies for programs: what was found in them, and what a person says of it; the same services as the screens'."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from django.http import HttpRequest
from ninja import Router, Schema, Status
from pydantic import ConfigDict, Field

from catalogsku.accounts.bearer import require
from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action
from catalogsku.core.answers import PROBLEMS, Limit
from catalogsku.core.paging import step
from ingestion.models import Job
from processing.studies import records, studies_compared
from processing.studies.answers import QUOTE_LENGTH_MAX, TEXT_LENGTH_MAX
from processing.studies.comparing import Mark, Pair
from processing.studies.definition import KEY_LENGTH_MAX, PART_LENGTH_MAX
from processing.studies.models import Record
from processing.studies.services import reviewing
from processing.studies.studies_seen import get_study
from processing.studies.values import Value

router = Router(tags=["studies"])


Username = Annotated[str, Field(max_length=150)]
Verdict = Literal["confirmed", "corrected", "not_reported"]
FieldKey = Annotated[str, Field(max_length=KEY_LENGTH_MAX)]
Seen = Annotated[int, Field(ge=0, lt=2**63)]
Key = Annotated[str, Field(max_length=KEY_LENGTH_MAX, pattern=r"^[^\x00]*$")]


class StudyOut(Schema):
    """``name``: of its file; ``template``: "key/version". ``decided``, ``undecided``: values on which somebody has
    decided, and which were found alone, without those of parts that were left out."""

    job_id: UUID
    name: str
    template: str
    status: str
    decided: int
    undecided: int
    created_at: datetime


class Studies(Schema):
    items: list[StudyOut]
    next: str | None


class PlaceOut(Schema):
    """``boxes``: one a printed line, [x0, y0, x1, y1] in points."""

    page: int
    boxes: list[list[float]]


class OfferOut(Schema):
    """``text`` as printed in ``quote``, which stands on ``page`` (from 1) at ``places``."""

    field: str
    text: str
    quote: str
    page: int | None
    places: list[PlaceOut]
    method: str
    reason: str | None


class ValueOut(OfferOut):
    """``grade``: how far the quote proves it, null without one; ``verdict``: null while nobody has decided;
    ``decision``: what whoever decides next has to have seen, 0 for none."""

    grade: Literal["green", "yellow", "red"] | None
    verdict: Verdict | None
    decision: int
    decided_by: str | None
    decided_at: datetime | None


class RecordOut(Schema):
    """``repeat``: none (what the study says once), per_arm, per_outcome; ``part``: which arm or outcome. ``offers``:
    what else was found for its fields."""

    record_id: UUID
    subject: str
    repeat: Literal["none", "per_arm", "per_outcome"]
    part: str
    status: str
    revision: int
    pages: list[int]
    values: list[ValueOut]
    offers: list[OfferOut]


class ReadOut(Schema):
    field: str
    part: str
    text: str


class CheckOut(Schema):
    """A check of the template that does not hold between ``values``; ``least``, ``most``: of "between"."""

    check: str
    repeat: str
    part: str
    values: list[ReadOut]
    least: float | None
    most: float | None


class StudyWithRecords(StudyOut):
    """``next``: cursor of further records. ``checks``: those that do not hold, of the whole study."""

    records: list[RecordOut]
    next: str | None
    checks: list[CheckOut]


class ReviewerOut(Schema):
    """``fields``: how many they have decided."""

    username: str
    fields: int


class SideOut(Schema):
    """What a person said of a field."""

    verdict: Verdict
    text: str
    quote: str
    page: int | None


class PairOut(Schema):
    """A field that at least one of both has decided; ``one``, ``other``: null where that person has not."""

    record_id: UUID
    repeat: Literal["none", "per_arm", "per_outcome"]
    part: str
    field: str
    mark: Mark
    one: SideOut | None
    other: SideOut | None


class ComparisonOut(Schema):
    """``people``: all who have decided, who decided most first. ``both``: fields that both decided; ``agreed``: of
    these; ``single``: that one of them decided. ``share``: of ``both``, 0 to 1; ``kappa``: Cohen's, of whether the
    paper reports the field, null where it cannot be said."""

    people: list[ReviewerOut]
    one: str | None
    other: str | None
    both: int
    agreed: int
    single: int
    share: float | None
    kappa: float | None
    fields: list[PairOut]


class Said(Schema):
    """``text``, ``quote`` and ``page`` (of the quote, from 1) count where the value is corrected. ``seen``: the value's
    ``decision`` as it was seen, 0 for none."""

    model_config = ConfigDict(extra="forbid")
    verdict: Verdict
    text: Annotated[str, Field(max_length=TEXT_LENGTH_MAX)] = ""
    quote: Annotated[str, Field(max_length=QUOTE_LENGTH_MAX)] = ""
    page: Annotated[int, Field(ge=0, le=100_000)] = 0
    seen: Seen = 0


class Withdrawn(Schema):
    model_config = ConfigDict(extra="forbid")
    seen: Seen


class PartIn(Schema):
    model_config = ConfigDict(extra="forbid")
    repeat: Literal["per_arm", "per_outcome"]
    part: Annotated[str, Field(max_length=4 * PART_LENGTH_MAX)]


class LeftOut(Schema):
    model_config = ConfigDict(extra="forbid")
    left_out: bool


class Approval(Schema):
    """``drop_rest``: values on which nobody has decided are dropped, and parts that nobody has touched left out."""

    model_config = ConfigDict(extra="forbid")
    drop_rest: bool = False


class Moved(Schema):
    """``records``: how many were approved, or opened again."""

    records: int


@router.get("", response={200: Studies, **PROBLEMS}, summary="Studies, the newest first")
def list_studies(request: HttpRequest, template: Key = "", cursor: str = "", limit: Limit = 50) -> Any:
    """``template``: key of the one that they are read by, in any version."""
    rows = records.studies_seen(require(request, Action.SEE_RESULTS), template)
    items, following = step(rows, cursor, limit, newest_first=True)
    counts = records.counts_of([job.pk for job in items])
    return {"items": [_study(job, counts[job.pk]) for job in items], "next": following}


@router.get("/{uuid:job_id}", response={200: StudyWithRecords, **PROBLEMS}, summary="One study with its records")
def show_study(request: HttpRequest, job_id: UUID, cursor: str = "", limit: Limit = 50) -> Any:
    """What the study says once, then its arms and outcomes, in steps. All at once: GET /jobs/ID/result."""
    job = records.get_study(require(request, Action.SEE_RESULTS), job_id)
    items, following = step(records.active(job), cursor, limit)
    known = records.deciders(items)
    return {
        **_study(job, records.counts_of([job.pk])[job.pk]),
        "records": [records.record_part(record, known) for record in items],
        "next": following,
        "checks": msgspec.to_builtins(records.breaches_of(job)),
    }


@router.get(
    "/{uuid:job_id}/compare", response={200: ComparisonOut, **PROBLEMS}, summary="What two people said of a study"
)
def compare_study(request: HttpRequest, job_id: UUID, one: Username = "", other: Username = "") -> Any:
    """``one``, ``other``: user names; left out: those who decided most. A decision that was taken back counts as none,
    parts that were left out are not there. 404 for who has decided nothing in it, 400 for the same person twice."""
    study = get_study(require(request, Action.SEE_RESULTS), job_id)
    shown, records_of = studies_compared.compare(study, one, other), {record.pk: record for record in study.records}
    return {
        "people": [{"username": person.user.username, "fields": person.fields} for person in shown.people],
        "one": shown.one.username if shown.one else None,
        "other": shown.other.username if shown.other else None,
        **{name: getattr(shown.figures, name) for name in ("both", "agreed", "single", "share", "kappa")},
        "fields": [_pair(records_of[pair.record], pair) for pair in shown.pairs],
    }


@router.post(
    "/{uuid:job_id}/records/{uuid:record_id}/fields/{field}",
    response={200: RecordOut, **PROBLEMS},
    summary="Decide on a value",
)
def decide(request: HttpRequest, job_id: UUID, record_id: UUID, field: FieldKey, given: Said) -> Any:
    """409 ``value_moved_on`` where somebody has decided since, ``record_closed`` where it is approved or left out,
    ``nothing_to_confirm``; 422 ``value_form``. What a quote proves of the value is looked up, and told as ``grade``."""
    actor, record = _record(request, job_id, record_id)
    answer = reviewing.Answer(given.verdict, given.text, given.quote, given.page, given.seen)
    return _told(reviewing.decide(actor, record, field, answer))


@router.post(
    "/{uuid:job_id}/records/{uuid:record_id}/fields/{field}/withdraw",
    response={200: RecordOut, **PROBLEMS},
    summary="Take the last decision on a value back",
)
def withdraw(request: HttpRequest, job_id: UUID, record_id: UUID, field: FieldKey, given: Withdrawn) -> Any:
    """What was there before counts again. 409 ``not_decided``, ``value_moved_on``, ``record_closed``."""
    actor, record = _record(request, job_id, record_id)
    return _told(reviewing.withdraw(actor, record, field, given.seen))


@router.post("/{uuid:job_id}/parts", response={201: RecordOut, **PROBLEMS}, summary="Add an arm or outcome")
def add_part(request: HttpRequest, job_id: UUID, given: PartIn) -> Any:
    """One that was not found. 409 ``part_known``, ``parts_full``, ``record_closed``; 422 ``part_name``."""
    actor, job = _open(request, job_id)
    return Status(201, _told(reviewing.add_part(actor, job, given.repeat, given.part)))


@router.post(
    "/{uuid:job_id}/records/{uuid:record_id}/left-out",
    response={200: RecordOut, **PROBLEMS},
    summary="Leave an arm or outcome out, or take it in again",
)
def leave_out(request: HttpRequest, job_id: UUID, record_id: UUID, given: LeftOut) -> Any:
    """409 ``record_closed`` where it stands so already, is approved, or is what the study says once."""
    actor, record = _record(request, job_id, record_id)
    return _told(reviewing.set_rejected(actor, record, rejected=given.left_out))


@router.post("/{uuid:job_id}/approve", response={200: Moved, **PROBLEMS}, summary="Approve the study")
def approve(request: HttpRequest, job_id: UUID, given: Approval) -> Any:
    """409 ``study_undecided``, ``required_missing``, and ``record_closed`` where nothing is open."""
    actor, job = _open(request, job_id)
    return {"records": reviewing.approve(actor, job, drop_rest=given.drop_rest)}


@router.post("/{uuid:job_id}/reopen", response={200: Moved, **PROBLEMS}, summary="Open the study again")
def reopen(request: HttpRequest, job_id: UUID) -> Any:
    """Parts that were left out stay so. 409 ``record_closed`` where it was not approved."""
    actor, job = _open(request, job_id)
    return {"records": reviewing.reopen(actor, job)}


def _open(request: HttpRequest, job_id: UUID) -> tuple[User, Job]:
    actor = require(request, Action.REVIEW)
    return actor, records.get_study(actor, job_id)


def _record(request: HttpRequest, job_id: UUID, record_id: UUID) -> tuple[User, Record]:
    actor, job = _open(request, job_id)
    return actor, records.get_record(job, record_id)


def _study(job: Job, counts: records.Counts) -> dict[str, Any]:
    return {
        "job_id": job.uuid,
        "name": job.source_name,
        "template": job.template,
        "status": job.status,
        "decided": counts.decided,
        "undecided": counts.undecided,
        "created_at": job.created_at,
    }


def _pair(record: Record, pair: Pair) -> dict[str, Any]:
    return {
        "record_id": record.uuid,
        "repeat": record.repeat,
        "part": record.part,
        "field": pair.field.key,
        "mark": pair.mark,
        "one": _side(pair.one),
        "other": _side(pair.other),
    }


def _side(said: Value | None) -> dict[str, Any] | None:
    if said is None:
        return None
    return {"verdict": said.verdict, "text": said.text, "quote": said.quote, "page": said.page or None}


def _told(record: Record) -> dict[str, Any]:
    row = Record.objects.get(pk=record.pk)
    return records.record_part(row, records.deciders([row]))
