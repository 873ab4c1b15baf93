"""How far a page has got is recorded here: read, understood, failed. The rows of what is on it belong to processing."""

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from django.db import InterfaceError, InternalError, OperationalError, transaction
from django.db.models.expressions import RawSQL
from django.db.models.functions import Now

from catalogsku.core import bulk, messages, work
from catalogsku.core.moves import move
from ingestion.lifecycle import PAGE, PAGES_WITH_PEOPLE, PageStage, PageStatus, SkipReason
from ingestion.models import Job, Page

log = logging.getLogger(__name__)


class Held(Protocol):
    """Something to record for a page in this process's hands."""

    @property
    def claim(self) -> work.Claim: ...


Entry = TypeVar("Entry", bound=Held)

# All that is looked at of a page while its work is recorded; its JSON columns are large.
LOOKED_AT = ("job", "number", "status", "stage", "validation")
MACHINE_TROUBLE_S = 10
INTERNAL_ERROR = "internal_error"  # the program failed: nothing says that the document is at fault
# InternalError: PostgreSQL ended a session that stood still inside its transaction.
MACHINE_TROUBLE = (OSError, OperationalError, InterfaceError, InternalError)


def page_is_wanted(page: Page | None) -> bool:
    """False where a result must be dropped: the claim is gone, or the job was cancelled meanwhile."""
    return page is not None and page.stage != PageStage.NONE


@contextmanager
def pages_held(claims: Sequence[work.Claim]) -> Iterator[None]:
    """While pages are worked on: what the work itself trips over puts them back. Trouble of the machine (a full disk, a
    database that is away) counts for nothing and is tried again soon; anything else is an attempt, also a value that
    the database does not take.
    """
    with work.holding(claims):
        try:
            yield
        except MACHINE_TROUBLE as error:
            log.error("work interrupted", extra={"error": repr(error), "pages": len(claims)})
            work.release(Page, claims, delay_s=MACHINE_TROUBLE_S)
        except Exception as error:
            log.exception("work failed")
            _count_failure(claims, error)
        except BaseException:  # a shutdown or a time limit
            work.release(Page, claims)
            raise


def _count_failure(claims: Sequence[work.Claim], error: Exception) -> None:
    for held in claims:
        with work.recording(Page, held) as page:
            if page_is_wanted(page):
                record_failure(page, internal_error(error), permanent=False)


def internal_error(error: Exception) -> dict[str, Any]:
    return {"code": INTERNAL_ERROR, "params": {}, "detail": repr(error)[:300]}


def record_together(entries: Sequence[Entry], record: Callable[[Sequence[Entry]], None]) -> None:
    """Record all in one transaction; where that fails each in its own, so that only the one at fault pays for it."""
    try:
        record(entries)
    except MACHINE_TROUBLE:
        raise
    except Exception as error:
        if len(entries) == 1:
            log.exception("page not recorded", extra={"page_id": entries[0].claim.id})
            _count_failure([entries[0].claim], error)
        else:
            for entry in entries:
                record_together([entry], record)


def record_read(pages: Sequence[tuple[Page, dict[str, Any]]]) -> None:
    """Pages have been read, with these columns; understanding them comes next. The caller holds their rows."""
    rows = [{"id": page.pk, **fields} for page, fields in pages]
    stage = {"stage": PageStage.UNDERSTAND_RULES}
    bulk.update_rows(Page, rows, {**work.RECORDED, **Page.visible_sql(), **stage})
    again = [page.pk for page, _ in pages if page.status == PageStatus.AI_FAILED]
    if again:
        move(PAGE, Page.objects.filter(pk__in=again), to=PageStatus.AI_QUEUED, trigger="retried")


def record_for_models(page_ids: Sequence[int]) -> None:
    """The rule analyst has done with these pages; they wait until it is known what models would cost
    (services.permission). The caller holds their rows."""
    ended = {**work.RECORDED, **Page.visible_change(), "stage": PageStage.PRICE}
    Page.objects.filter(pk__in=page_ids).update(**ended)


def record_batched(page_ids: Sequence[int]) -> None:
    """A question about each waits in a batch; nothing is to be done until `take_up_batched`. The caller holds them."""
    Page.objects.filter(pk__in=page_ids).update(**work.RECORDED, **Page.visible_change(), stage=PageStage.BATCH)


@transaction.atomic
def take_up_batched(page_ids: Sequence[int]) -> int:
    """What they waited for has ended: machines go on with them. How many there were."""
    ids = work.lock(Page.objects.filter(pk__in=page_ids, stage=PageStage.BATCH, worker__isnull=True))
    rows = Page.objects.filter(pk__in=ids)
    rows.update(stage=PageStage.UNDERSTAND, not_before=None, dispatched_at=None, **Page.visible_change())
    job_ids = sorted(set(rows.values_list("job", flat=True)))
    Job.objects.filter(pk__in=job_ids).update(resumed_at=Now())  # machines had nothing to do with them until now
    for job_id in job_ids:
        messages.send_after_commit("dispatch_job", job_id)
    return len(ids)


def record_understood(pages: Sequence[tuple[Page, dict[str, Any]]], no_product: Collection[int]) -> None:
    """Pages have been understood, with these columns; their status moves unless people have them (their prefill).

    ``no_product``: ids of those that show none. The caller holds their rows.
    """
    ended = {**work.RECORDED, "stage": PageStage.NONE, "finished_at": RawSQL("statement_timestamp()", ())}
    bulk.update_rows(Page, [{"id": page.pk, **fields} for page, fields in pages], {**ended, **Page.visible_sql()})
    ids = [page.pk for page, _ in pages if page.status not in PAGES_WITH_PEOPLE]
    empty = [pk for pk in ids if pk in no_product]
    full = [pk for pk in ids if pk not in no_product]
    if full:
        move(PAGE, Page.objects.filter(pk__in=full), to=PageStatus.AI_COMPLETED, trigger="understood")
    if empty:
        changes = {"skip_reason": SkipReason.NO_PRODUCT}
        move(PAGE, Page.objects.filter(pk__in=empty), to=PageStatus.SKIPPED, trigger="no_product", changes=changes)


def record_failure(page: Page, error: dict[str, Any], *, permanent: bool) -> None:
    """The page's work raised. Temporary: tried again later, five times; permanent: people take it over."""
    rows = Page.objects.filter(pk=page.pk)
    if permanent:
        rows.update(**work.CLEARED, failures=page.failures + 1, last_error=error)
        give_to_people(page, error)
        return
    again = work.put_back_after_failure(page, error)
    if again:
        move(PAGE, rows, to=PageStatus.AI_FAILED, trigger="failed", reason=error)
        rows.update(**Page.visible_change())
    else:
        bury(page, error)


def give_to_people(page: Page, error: dict[str, Any]) -> None:
    """Machines have done with the page; a person does it, and sees why."""
    _end_machine_work(page, error)
    move(PAGE, Page.objects.filter(pk=page.pk), to=PageStatus.HUMAN_QUEUED, trigger="given_up", reason=error)


def bury(page: Page, error: dict[str, Any]) -> None:
    """To the dead letters, with the last error, until a person sends it again (TA-D2).

    A page that people have already, or whose document has no route yet, becomes theirs instead.
    """
    _end_machine_work(page, error)
    move(PAGE, Page.objects.filter(pk=page.pk), to=PageStatus.DEAD_LETTER, trigger="exhausted", reason=error)


def _end_machine_work(page: Page, error: dict[str, Any]) -> None:
    blockers = [{"code": error["code"], "params": error.get("params", {})}]
    Page.objects.filter(pk=page.pk).update(
        stage=PageStage.NONE,
        blockers=blockers,
        needs_review=True,
        last_error=error,
        fallback_reason=error["code"][:60],
        extraction_method="none",
        finished_at=Now(),
        **Page.visible_change(),
    )
    messages.send_after_commit("settle_pages", [page.pk])


@transaction.atomic
def bury_lost(page_ids: list[int]) -> None:
    """Pages that cost ten workers their life."""
    for page in Page.objects.select_for_update(no_key=True).filter(pk__in=page_ids).order_by("pk"):
        bury(page, {"code": "worker_lost", "params": {"losses": page.losses}})


def set_tiles(tiles: Sequence[dict[str, Any]]) -> None:
    """What pages' tiles show of tasks and SKUs (``id, holder, sku_count, delivered_count``), where it has changed."""
    bulk.update_rows(Page, tiles, Page.visible_sql())
