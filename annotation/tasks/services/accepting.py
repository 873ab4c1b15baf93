"""A page whose result goes out although no person came to it, where everything speaks for it (TA-SLAACCEPT)."""

from zlib import crc32

from django.db import transaction
from django.db.models.expressions import RawSQL

from annotation.tasks.acceptance import PageFacts, SkuFacts, obstacles
from annotation.tasks.lifecycle import FREE, OPEN, TASK, Purpose, TaskStatus, TaskType
from annotation.tasks.models import HumanTask
from annotation.tasks.services.results import result_of
from catalogsku.core import messages
from catalogsku.core.moves import audit_rows, move
from catalogsku.profiles.models import WorkRules
from ingestion.lifecycle import PageStage, PageStatus, Route
from ingestion.models import Page
from processing.corrections.services.correcting import accept_as_found
from processing.corrections.services.restoring import page_before
from processing.products.lifecycle import SkuStatus
from processing.products.models import Sku

AUDIT = "audit"


@transaction.atomic
def accept_page(page_id: int, rules: WorkRules) -> bool:
    """True where the page was accepted; else its tasks' history says what stood against it."""
    page = Page.objects.select_for_update(no_key=True, of=("self",)).select_related("job__profile").get(pk=page_id)
    tasks = list(
        HumanTask.objects.select_for_update(no_key=True).filter(page=page, status__in=OPEN, purpose=Purpose.WORK)
    )
    if not tasks or any(task.status not in FREE for task in tasks) or page.stage != PageStage.NONE:
        return False
    if page.status != PageStatus.HUMAN_QUEUED:
        return False
    against = obstacles(_facts(page, tasks), float(rules.accept_above))
    ids = {task.pk: {"against": [str(obstacle) for obstacle in against]} for task in tasks}
    if against:
        audit_rows("task", page.job_id, ids, target=tasks[0].status, trigger="not_accepted")
        return False
    before = page_before(page)
    accept_as_found(page.job, page)
    rows = HumanTask.objects.filter(pk__in=list(ids))
    changes = {"closed_at": RawSQL("statement_timestamp()", ()), "result": result_of(page, before)}
    move(TASK, rows, to=TaskStatus.COMPLETED, trigger="accepted", reason={"auto_accepted": True}, changes=changes)
    if is_sampled(f"{AUDIT}{page.pk}", float(rules.audit_ratio)):
        open_audit(page)
    messages.send_after_commit("settle_pages", [page.pk])
    return True


def open_audit(page: Page, code: str = "auto_accepted") -> None:
    """A person looks at what was accepted, or went out by itself; the page stays as it is."""
    task = HumanTask.objects.create(
        job_id=page.job_id,
        page=page,
        type=TaskType.PAGE_REVIEW,
        purpose=Purpose.AUDIT,
        subject=AUDIT,
        confidence=page.confidence,
        reasons=[{"code": code, "params": {}}],
    )
    audit_rows("task", page.job_id, {task.pk: {"purpose": AUDIT}}, target=TaskStatus.CREATED, trigger="opened")


def is_sampled(name: str, share: float) -> bool:
    """Yes for that share of all names; the same name has the same answer, however often it is asked."""
    return crc32(name.encode()) / 2**32 < share


def _facts(page: Page, tasks: list[HumanTask]) -> PageFacts:
    skus = Sku.objects.filter(page=page, superseded=False).exclude(status=SkuStatus.REJECTED)
    blockers = [*page.blockers, *(entry for sku in skus for entry in sku.blockers)]
    blockers += [entry for task in tasks for entry in task.reasons]
    return PageFacts(
        permitted=page.job.profile.sla_acceptance,
        people_only=page.job.route == Route.HUMAN_ALL,
        confidence=page.confidence,
        skus=[SkuFacts(sku.validity, sku.confidence, _is_grounded(sku)) for sku in skus],
        blockers=frozenset(entry["code"] for entry in blockers),
    )


def _is_grounded(sku: Sku) -> bool:
    evidence = (sku.evidence.get(key) for key, value in sku.attributes.items() if value)
    return all(proof is not None and proof.get("match") == 1.0 for proof in evidence)
