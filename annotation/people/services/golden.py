"""Golden pages: finished ones of known truth, shown again as if nobody had done them, to measure people (X-HONEY).

Nothing of such a page changes, and nobody is told before it is done.
"""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.db.models.functions import Now

from annotation.people.models import GoldenPage
from annotation.people.services.judging import as_items, record_golden, truth_of
from annotation.tasks.lifecycle import OF_THE_PAGE, OPEN, Purpose, TaskStatus
from annotation.tasks.models import HumanTask
from annotation.tasks.services.accepting import is_sampled
from annotation.tasks.services.locks import find_task
from annotation.tasks.services.results import before_of
from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from catalogsku.core.errors import Refused
from catalogsku.core.moves import audit_rows
from catalogsku.profiles.models import WorkRules
from ingestion.lifecycle import JobStatus, PageStatus
from ingestion.models import Page
from processing.corrections.services.correcting import Found, PageState
from processing.corrections.services.restoring import active_rows
from processing.products.models import Sku


@transaction.atomic
def make_golden(actor: User, uuid: UUID, reason: str = "") -> GoldenPage:
    """This task's page is right as it stands: from now on it measures people.

    Raises NotFound; Refused for who is no lead, and for a task that was not done, changed since, or about single SKUs.
    """
    if not may(actor, Action.SUPERVISE):
        raise Refused("supervise_forbidden")
    task = find_task(actor, uuid)
    page = Page.objects.get(pk=task.page_id)
    done = task.status == TaskStatus.COMPLETED and task.purpose == Purpose.WORK and task.type in OF_THE_PAGE
    if not done or before_of(task) is None or task.result["after"] != active_rows(page):
        raise Refused("cannot_be_golden")
    columns = {"truth": truth_of(task, page), "made_by": actor, "active": True}
    golden_page, _ = GoldenPage.objects.update_or_create(task=task, defaults=columns)
    said = {"reason": reason.strip()} if reason.strip() else {}
    why = {task.pk: {"golden": golden_page.pk, **said}}
    audit_rows("task", task.job_id, why, target=task.status, trigger="made_golden", actor=actor.username)
    return golden_page


def mix_in_golden_page(actor: User, rules: WorkRules) -> bool:
    """Where it is a golden page's turn for this person, one waits among their tasks; True where one was put there.

    The draw is one for each task that they finish, so that asking again does not change it; on average the share that
    the rules give.
    """
    if not rules.honeypot_ratio or may(actor, Action.SUPERVISE):
        return False
    mine = HumanTask.objects.filter(purpose=Purpose.HONEYPOT, assigned_to=actor, status__in=OPEN)
    done = HumanTask.objects.filter(closed_by=actor).exclude(status__in=OPEN).count()
    if not is_sampled(f"golden{actor.pk}/{done}", float(rules.honeypot_ratio)) or mine.exists():
        return False
    golden = _not_seen(actor)
    return golden is not None and _open(golden, actor, rules)


def _not_seen(actor: User) -> GoldenPage | None:
    seen = HumanTask.objects.filter(purpose=Purpose.HONEYPOT, about=OuterRef("task"), assigned_to=actor)
    done = HumanTask.objects.filter(purpose=Purpose.HONEYPOT, about=OuterRef("task"), closed_by=actor)
    open_work = HumanTask.objects.filter(page=OuterRef("task__page"), status__in=OPEN)
    rows = GoldenPage.objects.visible_to(actor).filter(~Exists(seen), ~Exists(done), ~Exists(open_work), active=True)
    rows = rows.exclude(task__closed_by=actor).exclude(task__job__status=JobStatus.CANCELLED)
    return rows.filter(task__page__status=PageStatus.HUMAN_COMPLETED).select_related("task").order_by("pk").first()


def _open(golden: GoldenPage, actor: User, rules: WorkRules) -> bool:
    task = golden.task
    until = Now() + timedelta(minutes=rules.reserved_min)
    try:
        with transaction.atomic():
            HumanTask.objects.create(
                job_id=task.job_id,
                page_id=task.page_id,
                type=task.type,
                purpose=Purpose.HONEYPOT,
                about=task,
                subject=str(actor.pk),
                reasons=task.reasons,
                confidence=task.confidence,
                assigned_to=actor,
                assigned_until=until,
            )
    except IntegrityError:  # another tab of theirs asked in this moment
        return False
    return True


def score(actor: User, task: HumanTask, state: PageState) -> float:
    """In the transaction that completes the task."""
    assert task.about is not None
    return record_golden(actor, task, state, as_items(task.about.golden.truth))


def found_before(task: HumanTask, page: Page, state: PageState) -> Found:
    """What the golden page had before anybody worked on it, for checking what was typed."""
    return replace(Found.of(task.job, page, state), skus=skus_before(task), pictures={})


def skus_before(task: HumanTask) -> dict[str, Sku]:
    """Rows as they stood then, by SKU id; not to be saved."""
    before = before_of(task.about) if task.about else None
    assert before is not None
    then = {row_before.row: row_before for row_before in before.skus}
    rows = Sku.objects.filter(pk__in=list(then)).prefetch_related("pictures__image").order_by("sku_id")
    for sku in rows:
        sku.status, sku.blockers = then[sku.pk].status, then[sku.pk].blockers
    return {sku.sku_id: sku for sku in rows}


def page_then(task: HumanTask, page: Page) -> Page:
    """The page's columns as they were; not to be saved."""
    before = before_of(task.about) if task.about else None
    assert before is not None
    for name, value in msgspec.structs.asdict(before).items():
        if name in ("page_type", "layout_type", "type_confidence", "blockers"):
            setattr(page, name, value)
    return page
