"""What the pages about documents show; every read begins with what the person may see."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import (
    Aggregate,
    Count,
    Exists,
    F,
    Q,
    QuerySet,
    TextField,
)
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce, Greatest
from django.urls import reverse
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from catalogsku.accounts.models import User
from catalogsku.core.errors import NotFound
from ingestion import presentation, queueing, shown
from ingestion.kinds import KINDS
from ingestion.lifecycle import (
    CANCELLABLE,
    CLOSED,
    MOVED_BY_MACHINES,
    SETTLED,
    ImportState,
    JobStage,
    JobStatus,
    PageStage,
    PageStatus,
)
from ingestion.models import Job, Page
from ingestion.page_groups import claimed, counted_pages, groups_of
from ingestion.presentation import Filter, Groups, JobCard, JobHead, Tile
from ingestion.reasons import reason_sentence
from ingestion.standing import ASKS_PASSWORD, refusal_sentence, standing
from ingestion.verdicts import BY_CODE, CURED_BY_COPY, way_on

WAITS_FOR_A_TURN = (JobStatus.UPLOADED, JobStatus.EVALUATING, JobStatus.PROCESSING)
TILES_AT_ONCE = 240


def get_job(actor: User, job_id: UUID) -> Job:
    """Raises NotFound where it is missing or another merchant's."""
    rows = Job.objects.visible_to(actor).select_related("profile", "schema", "uploader", "merchant")
    job = rows.filter(uuid=job_id).first()
    if job is None:
        raise NotFound("not_found")
    return job


def has_machine_work(job_id: int) -> bool:
    """Whether machines have something to do in the document, now or as soon as there are workers: with it, with one of
    its pages, or with a delivery that nobody holds."""
    pages = Page.objects.filter(job=job_id)
    sent = Q(import_hold=False) & Exists(pages.filter(import_state=ImportState.PENDING))
    busy = (
        Q(status__in=MOVED_BY_MACHINES) | ~Q(stage=JobStage.NONE) | Exists(pages.exclude(stage=PageStage.NONE)) | sent
    )
    has_work: bool = Job.objects.exclude(status__in=CLOSED).filter(busy, pk=job_id).exists()
    return has_work


def job_of_key(actor: User, key: str) -> Job | None:
    """The document that an upload with this idempotency key has made."""
    merchant = actor.own_merchant()
    rows = Job.objects.visible_to(actor).filter(merchant=merchant, idempotency_key=key)
    job: Job | None = rows.first()
    return job


def get_page(actor: User, job_id: UUID, number: int) -> Page:
    """Raises NotFound where it is missing or another merchant's."""
    page = Page.objects.visible_to(actor).select_related("job").filter(job__uuid=job_id, number=number).first()
    if page is None:
        raise NotFound("not_found")
    return page


# --- lists ---------------------------------------------------------------------------------------

JOB_FILTERS: dict[str, tuple[list[str], str, str]] = {
    "all": ([], "", "ink2"),
    "running": ([s for s, look in presentation.JOBS.items() if look.group == "running"], "running", "acc"),
    "people": ([s for s, look in presentation.JOBS.items() if look.group == "people"], "person", "person"),
    "finished": ([s for s, look in presentation.JOBS.items() if look.group == "finished"], "checks", "done"),
    "failed": ([s for s, look in presentation.JOBS.items() if look.group == "failed"], "flag", "fault"),
    "cancelled": ([s for s, look in presentation.JOBS.items() if look.group == "cancelled"], "slash", "ink2"),
}


def list_jobs(actor: User, show: str = "all", q: str = "") -> QuerySet[Job]:
    """The person's documents, newest first; ``show`` is one of JOB_FILTERS, ``q`` part of a name."""
    rows = Job.objects.visible_to(actor).select_related("uploader").order_by("-pk")
    if show in JOB_FILTERS and show != "all":
        rows = rows.filter(status__in=JOB_FILTERS[show][0])
    return rows.filter(source_name__icontains=q) if q else rows


def job_filters(actor: User) -> list[Filter]:
    labels = {
        "all": _("All"),
        "running": _("In progress"),
        "people": _("Needs people"),
        "finished": _("Finished"),
        "failed": _("Failed"),
        "cancelled": _("Cancelled"),
    }
    by_status = dict(Job.objects.visible_to(actor).order_by().values_list("status").annotate(n=Count("pk")))
    filters = []
    for key, (statuses, icon, tone) in JOB_FILTERS.items():
        count = sum(by_status.values()) if key == "all" else sum(by_status.get(s, 0) for s in statuses)
        filters.append(Filter(key, labels[key], icon, count, tone))
    return filters


def job_cards(jobs: Sequence[Job]) -> list[JobCard]:
    """Cards of one list page, with two queries for all of them."""
    ids = [job.pk for job in jobs]
    groups = {job.pk: Groups(by_pages=KINDS[job.kind].by_pages) for job in jobs}
    slivers: dict[int, dict[int, str]] = {pk: {} for pk in ids}
    for row in counted_pages(ids).annotate(slivers=_Slivers(_sliver())):
        groups[row["job"]].add(row)
        shown_as = {"claimed": row["claimed"], "by_pages": groups[row["job"]].by_pages}
        state = presentation.shown_state(row["status"], row["import_state"], row["stage"], **shown_as)
        mine = slivers[row["job"]]
        for sliver in (at for at, bit in enumerate(row["slivers"]) if bit == "1"):
            mine[sliver] = presentation.worst([state, mine.get(sliver, state)])
    firsts = Page.objects.filter(job__in=ids, number=1).exclude(thumbnail_key="")
    thumbs = set(firsts.values_list("job", flat=True))
    return [_card(job, groups[job.pk], sorted(slivers[job.pk].items()), job.pk in thumbs) for job in jobs]


class _Slivers(Aggregate):
    """Which slivers the pages belong to, as a text of 0 and 1: grouping by sliver would give thousands of rows."""

    template = f"bit_or(set_bit(0::bit({presentation.LIST_BINS}), (%(expressions)s)::int, 1))::text"
    output_field = TextField()


def _sliver() -> Combinable:
    """Which sliver of a list's fore-edge a page belongs to: as many pages each as fit into the number of slivers."""
    pages = Greatest(Coalesce(F("job__total_pages"), 1), 1)
    return (F("number") - 1) / ((pages + presentation.LIST_BINS - 1) / presentation.LIST_BINS)


def _card(job: Job, groups: Groups, slivers: list[tuple[int, str]], has_thumb: bool) -> JobCard:
    stands = standing(job, groups)
    name = str(job.uploader) if job.uploader else ""
    return JobCard(
        id=str(job.uuid),
        name=job.source_name,
        hash8=job.hash8,
        status=stands.status,
        word=stands.word,
        icon=stands.icon,
        tone=stands.tone,
        reason=stands.reason,
        way_on=way_on(job.failure_code) if job.status == JobStatus.REJECTED else "",
        pages_done=groups.done,
        pages_total=groups.total or job.total_pages,
        skus=groups.skus if groups.total and groups.by_pages else None,
        people=groups.counts["people"],
        updated_at=job.finished_at or job.progressed_at or job.created_at,
        uploader_name=name,
        uploader_initials=presentation.initials(name),
        edge=slivers,
        thumb_url=reverse("page_thumb", args=[job.uuid, 1]) if has_thumb else "",
        url=reverse("job", args=[job.uuid]),
    )


# --- one document --------------------------------------------------------------------------------


def job_head(job: Job, groups: Groups | None = None) -> JobHead:
    stands = standing(job, groups or groups_of(job))
    has_thumb = Page.objects.filter(job=job, number=1).exclude(thumbnail_key="").exists()
    return JobHead(
        id=str(job.uuid),
        name=job.source_name,
        hash8=job.hash8,
        status=job.status,
        word=stands.word,
        icon=stands.icon,
        tone=stands.tone,
        route=job.route,
        route_word=job.get_route_display() if job.route else "",
        pages_total=job.total_pages,
        bytes=job.source_bytes,
        profile=_("thresholds %(of)s") % {"of": job.profile.words},
        category=_category_word(job),
        uploader_name=str(job.uploader) if job.uploader else "",
        created_at=job.created_at,
        thumb_url=reverse("page_thumb", args=[job.uuid, 1]) if has_thumb else "",
        refusal=refusal(job),
        held_reason=reason_sentence(job.held_reason) if job.held_reason else "",
        notes=notes(job),
        c_doc=job.c_doc,
        reused_pages=job.reused_pages,
        import_hold=job.import_hold,
        edition_of=job.edition_of.source_name if job.edition_of else "",
        urgency=job.urgency,
        is_paged=KINDS[job.kind].by_pages,
        screen="" if job.status == JobStatus.REJECTED else KINDS[job.kind].screen,
    )


def _category_word(job: Job) -> str:
    if not job.category or "category" not in KINDS[job.kind].takes:
        return ""
    return job.schema.label_zh if (get_language() or "").startswith("zh") else job.schema.label_en


def waiting_words(job: Job, groups: Groups) -> str:
    """That machines have others to serve first, where they are not at the document; nothing while they are."""
    if job.status not in WAITS_FOR_A_TURN or job.held_reason or job.worker is not None or groups.at_work:
        return ""
    if (place := queueing.place_of(job)) is None:
        return ""
    if not place.before:
        return _("Waiting for a turn, next")
    return ngettext("Waiting for a turn, %(n)s before it", "Waiting for a turn, %(n)s before it", place.before) % {
        "n": place.before
    }


def refusal(job: Job) -> dict[str, Any] | None:
    """Why the file was refused, what would help, and whether its password would."""
    if job.status != JobStatus.REJECTED:
        return None
    rule = BY_CODE.get(job.failure_code)
    return {
        "code": job.failure_code,
        "message": refusal_sentence(job) if rule else _("The file was refused."),
        "hint": way_on(job.failure_code),
        "asks_password": job.failure_code in ASKS_PASSWORD,
        "offers_copy": job.failure_code in CURED_BY_COPY,
    }


def notes(job: Job) -> list[str]:
    sentences = [str(BY_CODE[code].message) for code in job.notes if code in BY_CODE]
    if job.reused_pages:
        sentences.append(
            _("%(n)s pages were read for an earlier document and are used again.") % {"n": job.reused_pages}
        )
    return sentences


def tiles(job: Job, start: int = 1, limit: int = TILES_AT_ONCE) -> tuple[list[Tile], int | None]:
    """Tiles from page ``start`` on, and the number of the next one where there are more."""
    shown_tiles = tile_rows(job, Page.objects.filter(number__gte=start), limit + 1)
    return shown_tiles[:limit], shown_tiles[limit].number if len(shown_tiles) > limit else None


_TILE_COLUMNS = (
    *("number", "version", "status", "import_state", "stage", "worker", "skip_reason", "failures", "last_error"),
    *("needs_review", "blockers", "sku_count", "confidence", "holder", "thumbnail_key", "job_id"),
)


def tile_rows(job: Job, pages: QuerySet[Page], limit: int | None = None) -> list[Tile]:
    """Those of ``pages`` that are the job's, in their order. Of 2000 few have changed since they were last shown: only
    those are read whole and put into words."""
    versions = pages.filter(job=job).order_by("number").values_list("pk", "version")[:limit]
    return shown.tiles(
        job.uuid,
        list(versions),
        lambda ids: Page.objects.filter(pk__in=ids).only(*_TILE_COLUMNS),
        by_pages=KINDS[job.kind].by_pages,
    )


def edge(job: Job) -> list[tuple[int, str, str]]:
    rows = Page.objects.filter(job=job).order_by("number")
    columns = rows.values_list("number", "status", "import_state", "stage", claimed())
    return presentation.worst_edge(columns, by_pages=KINDS[job.kind].by_pages)


def can_cancel(job: Job) -> bool:
    return job.status in CANCELLABLE


def earlier_editions(actor: User, limit: int = 50) -> list[Job]:
    """Documents that a new one may be an edition of, the newest first."""
    of_kinds = [kind.key for kind in KINDS.values() if "edition_of" in kind.takes]
    rows = Job.objects.visible_to(actor).filter(status__in=SETTLED, kind__in=of_kinds).only("uuid", "source_name")
    return list(rows.order_by("-pk")[:limit])


def can_be_decided(job: Job) -> bool:
    """Whether there is something left to say about what goes out of it."""
    return job.status not in (JobStatus.CANCELLED, JobStatus.REJECTED)


# --- for operators -------------------------------------------------------------------------------


def stopped_pages(actor: User | None = None) -> QuerySet[Page]:
    """The dead letters, newest first: pages given up after five attempts; None sees those of all merchants."""
    rows = Page.objects.visible_to(actor) if actor else Page.objects.all()
    return rows.filter(status=PageStatus.DEAD_LETTER).order_by("-pk")


def held_jobs(actor: User | None = None) -> QuerySet[Job]:
    """Documents that an operator has to let go on, newest first."""
    rows = Job.objects.visible_to(actor) if actor else Job.objects.all()
    return rows.exclude(held_reason="").order_by("-pk")
