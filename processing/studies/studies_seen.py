"""Studies that a person may read: a list of those read by one template, and all records of one of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Func, JSONField, Q, QuerySet, Value

from catalogsku.accounts.models import User
from catalogsku.core.errors import NotFound
from ingestion import selectors as documents
from ingestion.lifecycle import JobStatus
from ingestion.models import Job, Page
from processing.studies.definition import Definition, Field
from processing.studies.kind import STUDY
from processing.studies.lifecycle import RecordStatus
from processing.studies.models import Decision, Record, Template, TemplateVersion
from processing.studies.selectors import definition_in, get_version, templates_seen
from processing.studies.standings import Progress, progress_of

# By how a study stands, the states of what it says once.
SHOWN: dict[str, tuple[RecordStatus, ...]] = {
    "all": (),
    "machines": (RecordStatus.WAITING, RecordStatus.FOUND),
    "open": (RecordStatus.REVIEW,),
    "approved": (RecordStatus.APPROVED,),
}
# Documents that were refused or cancelled: their records stand as they stood then.
ENDED = (JobStatus.REJECTED, JobStatus.CANCELLED)
_FIELDS, _DECIDED = "$[*].field", '$[*] ? (@.verdict != "").field'


@dataclass(frozen=True)
class Counts:
    """Of one study: its arms and outcomes that count, and how far people are with all of it."""

    arms: int = 0
    outcomes: int = 0
    progress: Progress = Progress()


@dataclass(frozen=True)
class Study:
    """One document with its records; ``main``: of what it says once; ``parts``: arms, then outcomes, in their order."""

    job: Job
    main: Record
    parts: tuple[Record, ...]
    definition: Definition

    @property
    def records(self) -> tuple[Record, ...]:
        return (self.main, *self.parts)

    def record(self, record_id: str) -> Record:
        """Raises NotFound(not_found)."""
        found = next((record for record in self.records if str(record.uuid) == record_id), None)
        if found is None:
            raise NotFound("not_found")
        return found

    def fields(self, repeat: str) -> list[Field]:
        return [field for field in self.definition.fields if field.repeat == repeat]


def templates_in_use(actor: User) -> list[Any]:
    """Those by which studies of the person's are read, each with ``studies``, their number; most in use first."""
    rows = _mains(actor).order_by().values_list("template_version__template").annotate(n=Count("pk"))
    counts: dict[int, int] = dict(rows)
    templates: list[Any] = list(templates_seen(actor, archived=True).filter(pk__in=counts))
    for template in templates:
        template.studies = counts[template.pk]
    return sorted(templates, key=lambda template: (-template.studies, template.pk))


def version_chosen(templates: Sequence[Template], named: str) -> tuple[Template, TemplateVersion, bool] | None:
    """``named``: the key or id of one of these, alone or with "/version"; else the first of them. With its version, the
    newest where none is named, and whether one is."""
    key, _, number = named.partition("/")
    template = next((one for one in templates if key in (one.key, str(one.uuid))), templates[0] if templates else None)
    if template is None:
        return None
    if number.isascii() and number.isdigit() and len(number) < 10:
        try:
            return template, get_version(template, int(number)), True
        except NotFound:
            pass
    return template, get_version(template), False


def listed_studies(
    actor: User, template: Template, version: TemplateVersion | None, show: str, q: str
) -> QuerySet[Any]:
    """Their records of what is said once, the newest first. ``show``: of SHOWN; ``q``: part of a name."""
    rows = _mains(actor).filter(template_version__template=template)
    rows = rows if version is None else rows.filter(template_version=version)
    if q:
        rows = rows.filter(Q(subject__icontains=q) | Q(job__source_name__icontains=q))
    if show == "ended":
        rows = rows.filter(job__status__in=ENDED)
    elif SHOWN.get(show):
        rows = rows.filter(status__in=SHOWN[show]).exclude(job__status__in=ENDED)
    return rows.select_related("job").order_by("-pk")


def counts_by_standing(rows: "QuerySet[Any]") -> dict[str, int]:
    """By key of SHOWN, and ``ended``."""
    counted = rows.order_by().values_list("status", "job__status").annotate(n=Count("pk"))
    by_status: dict[str, int] = {}
    for status, job_status, n in counted:
        key = "ended" if job_status in ENDED else status
        by_status[key] = by_status.get(key, 0) + n
    counts = {key: sum(by_status.get(one, 0) for one in states or by_status) for key, states in SHOWN.items()}
    return {**counts, "ended": by_status.get("ended", 0)}


def next_study(actor: User, study: Study) -> Any:
    """Of those read by the same template the next in the list that waits to be reviewed, round its end; None where no
    other one does."""
    rows = listed_studies(actor, study.main.template_version.template, None, "open", "").exclude(pk=study.main.pk)
    return rows.filter(pk__lt=study.main.pk).first() or rows.first()


def counts_of(mains: Sequence[Record], fields: Sequence[Field]) -> dict[int, Counts]:
    """By job, of one page of the list: one query, which reads no quotes."""
    rows = Record.objects.filter(job__in=[main.job_id for main in mains], superseded=False)
    rows = rows.exclude(Q(status=RecordStatus.REJECTED) & ~Q(repeat="none"))
    asked = {
        repeat: [field for field in fields if field.repeat == repeat] for repeat in ("none", "per_arm", "per_outcome")
    }
    counts: dict[int, Counts] = {}
    keyed = rows.order_by().annotate(held=_keys(_FIELDS), decided=_keys(_DECIDED))
    for job_id, repeat, held, decided in keyed.values_list("job_id", "repeat", "held", "decided"):
        now, progress = counts.get(job_id, Counts()), progress_of(asked[repeat], held or (), decided or ())
        counts[job_id] = Counts(
            now.arms + (repeat == "per_arm"), now.outcomes + (repeat == "per_outcome"), now.progress + progress
        )
    return counts


def get_study(actor: User, job_id: UUID) -> Study:
    """Raises NotFound(not_found), also for a document that is no study."""
    job = documents.get_job(actor, job_id)
    rows = Record.objects.filter(job=job, superseded=False).select_related("template_version__template")
    records = list(rows.order_by("repeat", "pk")) if job.kind == STUDY.key else []
    main = next((record for record in records if record.repeat == "none"), None)
    if main is None:
        raise NotFound("not_found")
    parts = tuple(record for record in records if record.repeat != "none")
    return Study(job, main, parts, definition_in(main.template_version))


def revisions(job_id: int) -> dict[str, str]:
    """Of each record that counts by its id, what tells one state of it from another."""
    rows = Record.objects.filter(job=job_id, superseded=False).values_list("uuid", "version", "status")
    return {str(uuid): f"{version} {status}" for uuid, version, status in rows}


def people_behind(decisions: Sequence[int]) -> Mapping[int, str]:
    """By decision, who made it."""
    rows = Decision.objects.filter(pk__in=decisions).select_related("by")
    return {row.pk: str(row.by) for row in rows}


def get_page(study: Study, number: int) -> Page:
    """Raises NotFound(not_found)."""
    page = Page.objects.filter(job=study.job, number=number).first()
    if page is None:
        raise NotFound("not_found")
    return page


def _mains(actor: User) -> "QuerySet[Any]":
    rows: QuerySet[Any] = Record.objects.visible_to(actor).filter(repeat="none", superseded=False)
    return rows


def _keys(path: str) -> Func:
    """Keys of fields as a list of JSON."""
    jsonpath = Func(Value(path), template="%(expressions)s::jsonpath")
    return Func(F("values"), jsonpath, function="jsonb_path_query_array", output_field=JSONField())
