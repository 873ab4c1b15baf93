"""What a study holds, as its files and programs read it: its records some at a time, who has decided on their values,
and which checks do not hold."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Max, QuerySet, Sum

from catalogsku.accounts.models import User
from catalogsku.core.errors import NotFound
from ingestion.models import Job
from processing.studies import values
from processing.studies.consistency import Breach, Part, breaches, checked_fields
from processing.studies.definition import Definition
from processing.studies.kind import STUDY
from processing.studies.lifecycle import RecordStatus
from processing.studies.models import Decision, Record, TemplateVersion
from processing.studies.selectors import definition_in
from processing.studies.values import Said, Value

AT_ONCE = 100
_COUNTS = """
SELECT r.job_id, count(*) FILTER (WHERE said ? 'verdict'), count(*) FILTER (WHERE NOT said ? 'verdict')
FROM processing_record r, jsonb_array_elements(r.values) AS said
WHERE r.job_id = ANY(%s) AND NOT r.superseded AND r.status <> %s GROUP BY 1"""


class Counts(NamedTuple):
    """Values of a study: decided on by a person, and found alone."""

    decided: int = 0
    undecided: int = 0


class Decided(NamedTuple):
    """``by``: name of the person who has decided last."""

    by: str
    at: datetime


# By id of the decision.
Deciders = dict[int, Decided]


def version_of(job: Job) -> TemplateVersion:
    """Raises NotFound(not_found) for a document that is none of a template."""
    rows = TemplateVersion.objects.filter(pk__in=Record.objects.filter(job=job).values("template_version"))
    version: TemplateVersion | None = rows.select_related("template").first()
    if version is None:
        raise NotFound("not_found")
    return version


def studies_seen(actor: User, template: str = "") -> "QuerySet[Job]":
    """``template``: key of the one that they are read by."""
    rows: QuerySet[Job] = Job.objects.visible_to(actor).filter(kind=STUDY.key)
    return rows.filter(template__startswith=f"{template}/") if template else rows


def get_study(actor: User, job_id: UUID) -> Job:
    """Raises NotFound(not_found) where it is missing, another merchant's, or no study."""
    job = studies_seen(actor).filter(uuid=job_id).first()
    if job is None:
        raise NotFound("not_found")
    return job


def get_record(job: Job, record_id: UUID) -> Record:
    """Raises NotFound(not_found)."""
    record = active(job).filter(uuid=record_id).first()
    if record is None:
        raise NotFound("not_found")
    return record


def counts_of(job_ids: Sequence[int]) -> dict[int, Counts]:
    """Of parts that were left out nothing counts."""
    with connection.cursor() as cursor:
        cursor.execute(_COUNTS, [list(job_ids), RecordStatus.REJECTED])
        counted = {job_id: Counts(decided, undecided) for job_id, decided, undecided in cursor.fetchall()}
    return {job_id: counted.get(job_id, Counts()) for job_id in job_ids}


def active(job: Job) -> "QuerySet[Record]":
    """What the study says once, and then its parts as they were found or added."""
    rows: QuerySet[Record] = Record.objects.filter(job=job, superseded=False).order_by("pk")
    return rows


def in_steps(rows: "QuerySet[Record]") -> Iterator[tuple[Record, Deciders]]:
    """Memory does not grow with their number."""
    coming = rows.iterator(AT_ONCE)
    while records := list(islice(coming, AT_ONCE)):
        known = deciders(records)
        for record in records:
            yield record, known


def deciders(records: Iterable[Record]) -> Deciders:
    ids = [value["decision"] for record in records for value in record.values if value.get("decision")]
    rows = Decision.objects.filter(pk__in=ids).values_list("pk", "by__username", "at") if ids else ()
    return {pk: Decided(by, at) for pk, by, at in rows}


def etag_part(job: Job) -> str:
    """Another one after every change of a record."""
    told: dict[str, Any] = Record.objects.filter(job=job).aggregate(last=Max("pk"), versions=Sum("version"))
    return f"{told['last'] or 0}-{told['versions'] or 0}"


# --- as JSON --------------------------------------------------------------------------------------


def record_part(record: Record, known: Deciders) -> dict[str, Any]:
    """``values``: one for each field of which something was found or said; ``offers``: what else was found."""
    return {
        "record_id": str(record.uuid),
        "subject": record.subject,
        "repeat": record.repeat,
        "part": record.part,
        "status": record.status,
        "revision": record.revision,
        "pages": record.pages,
        "values": [value_part(value, known) for value in values.values_in(record.values)],
        "offers": [_said(offer) for offer in values.offers_in(record.offers)],
    }


def value_part(value: Value, known: Deciders) -> dict[str, Any]:
    decided = known.get(value.decision)
    return {
        **_said(value),
        "grade": value.grade or None,
        "verdict": value.verdict or None,
        "decision": value.decision,
        "decided_by": decided.by if decided else None,
        "decided_at": decided.at.isoformat() if decided else None,
    }


def _said(said: Said) -> dict[str, Any]:
    return {
        "field": said.field,
        "text": said.text,
        "quote": said.quote,
        "page": said.page or None,
        "places": [{"page": spot.page, "boxes": [list(box) for box in spot.boxes]} for spot in said.places],
        "method": said.method,
        "reason": said.reason or None,
    }


# --- checks ---------------------------------------------------------------------------------------


def checked_part(record: Record, read: frozenset[str]) -> Part | None:
    """What the checks read of it, by the keys of their fields; None of a part that was left out."""
    if record.superseded or record.status == RecordStatus.REJECTED:
        return None
    texts = {value["field"]: value.get("text", "") for value in record.values if value["field"] in read}
    return Part(record.repeat, record.part, texts)


def breaches_in(definition: Definition, records: Sequence[Record]) -> list[Breach]:
    """Which of the definition's checks do not hold in a study with these active records."""
    read = checked_fields(definition)
    return breaches(definition, [part for record in records if (part := checked_part(record, read)) is not None])


def breaches_of(job: Job) -> list[Breach]:
    definition = definition_in(version_of(job))
    return breaches_in(definition, list(active(job).only("repeat", "part", "status", "superseded", "values")))
