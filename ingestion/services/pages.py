"""How far a page has got is recorded here: read, understood, failed. The rows of what is on it belong to processing."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import InterfaceError, OperationalError, transaction
from django.db.models.functions import Now

from catalogsku.core import messages, work
from catalogsku.core.moves import move
from ingestion.lifecycle import PAGE, PAGES_WITH_PEOPLE, PageStage, PageStatus, SkipReason
from ingestion.models import Page

log = logging.getLogger(__name__)

MACHINE_TROUBLE_S = 10


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
        except (OSError, OperationalError, InterfaceError) as error:
            log.error("work interrupted", extra={"error": repr(error), "pages": len(claims)})
            work.release(Page, claims, delay_s=MACHINE_TROUBLE_S)
        except Exception as error:
            log.exception("work failed")
            for held in claims:
                with work.recording(Page, held) as page:
                    if page_is_wanted(page):
                        record_failure(page, internal_error(error), permanent=False)
        except BaseException:  # a shutdown or a time limit
            work.release(Page, claims)
            raise


def internal_error(error: Exception) -> dict[str, Any]:
    return {"code": "internal_error", "params": {}, "detail": repr(error)[:300]}


def record_read(page: Page, fields: dict[str, Any]) -> None:
    """The page has been read; understanding it comes next. The caller holds its row (work.recording)."""
    Page.objects.filter(pk=page.pk).update(
        **work.RECORDED, **Page.visible_change(), **fields, stage=PageStage.UNDERSTAND_RULES
    )
    if page.status == PageStatus.AI_FAILED:
        move(PAGE, Page.objects.filter(pk=page.pk), to=PageStatus.AI_QUEUED, trigger="retried")


def record_understood(page: Page, fields: dict[str, Any], *, no_product: bool) -> None:
    """The page has been understood; its status moves unless people have it already (their prefill)."""
    rows = Page.objects.filter(pk=page.pk)
    rows.update(**work.RECORDED, stage=PageStage.NONE, finished_at=Now())
    if page.status in PAGES_WITH_PEOPLE:
        rows.update(**fields, **Page.visible_change())
        return
    changes = {**fields, "skip_reason": SkipReason.NO_PRODUCT} if no_product else fields
    to, trigger = (PageStatus.SKIPPED, "no_product") if no_product else (PageStatus.AI_COMPLETED, "understood")
    move(PAGE, rows, to=to, trigger=trigger, changes=changes)


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
        stage=PageStage.NONE, blockers=blockers, needs_review=True, last_error=error,
        fallback_reason=error["code"][:60], extraction_method="none", finished_at=Now(), **Page.visible_change(),
    )  # fmt: skip
    messages.send_after_commit("settle_page", page.pk)


@transaction.atomic
def bury_lost(page_ids: list[int]) -> None:
    """Pages that cost ten workers their life."""
    for page in Page.objects.select_for_update().filter(pk__in=page_ids).order_by("pk"):
        bury(page, {"code": "worker_lost", "params": {"losses": page.losses}})


def set_tile(page_id: int, *, holder: str, sku_count: int, delivered_count: int) -> None:
    """What the page's tile shows of tasks and SKUs (written by settle_page); quiet where nothing changes."""
    shown = {"holder": holder, "sku_count": sku_count, "delivered_count": delivered_count}
    Page.objects.filter(pk=page_id).exclude(**shown).update(**shown, **Page.visible_change())
