"""Finished work is looked at again: a share by a second person, golden pages by their truth (X-VERDICT, X-HONEY)."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models.expressions import RawSQL

from annotation.people.agreement import Agreement, Items, compare
from annotation.people.dispatching import COLD_ACCURACY
from annotation.people.models import AnnotatorProfile, Judgement
from annotation.people.services.annotators import as_json
from annotation.tasks.lifecycle import TASK, Purpose, TaskStatus
from annotation.tasks.models import HumanTask
from annotation.tasks.services.accepting import is_sampled
from annotation.tasks.services.holding import hold, locked
from annotation.tasks.services.locks import UNLOCKED, WORKED
from annotation.tasks.services.reopening import open_again, reserve
from annotation.tasks.services.results import before_of
from catalogsku.accounts.models import User
from catalogsku.core.errors import Refused
from catalogsku.core.moves import audit_rows, move
from catalogsku.core.text import squash
from catalogsku.profiles.models import WorkRules
from ingestion.models import Page
from processing.corrections.services.correcting import PageState
from processing.products.lifecycle import SkuStatus
from processing.products.models import Sku, SkuImage

SUBJECT = "verdict"
WHY_MOST_CHARS = 400


def verdict_share(accuracy: float, rules: WorkRules) -> float:
    """Twice the share that is expected to be wrong, within what the rules allow."""
    return min(float(rules.verdict_most), max(float(rules.verdict_least), 2 * (1 - accuracy)))


def open_verdict(task: HumanTask, author: User, rules: WorkRules) -> bool:
    """A second person looks at this task, where it is drawn; in the transaction that completes it."""
    known = AnnotatorProfile.objects.filter(user=author).values_list("accuracy", flat=True).first()
    share = verdict_share(COLD_ACCURACY if known is None else known, rules)
    if task.purpose != Purpose.WORK or not is_sampled(f"{SUBJECT}{task.uuid}{task.rework_count}", share):
        return False
    verdict = HumanTask.objects.create(
        job_id=task.job_id,
        page_id=task.page_id,
        type=task.type,
        purpose=Purpose.VERDICT,
        subject=SUBJECT,
        about=task,
        confidence=task.confidence,
        reasons=[{"code": "second_look", "params": {"by": str(author)}}],
    )
    why = {verdict.pk: {"purpose": str(Purpose.VERDICT), "about": task.pk}}
    audit_rows("task", task.job_id, why, target=TaskStatus.CREATED, trigger="opened")
    return True


def record_verdict(reviewer: User, task: HumanTask, page: Page, earlier: Page, changed: bool) -> None:
    """What the second person left, against what the first had; ``earlier``: the page's columns before. After the page
    was corrected, in the same transaction. Nothing for an audit: nobody had done it."""
    if task.about is None or task.about.closed_by is None:
        return
    before = before_of(task.about)
    rows = task.about.result.get("after", [])
    known = set() if before is None else set(_keys(row_before.row for row_before in before.skus))
    machine: Items = {}
    if before is not None:
        statuses = {row_before.row: row_before.status for row_before in before.skus}
        machine = _items(before.page_type, before.layout_type, list(statuses), known, statuses)
    first = _items(earlier.page_type, earlier.layout_type, rows, known)
    second = _items(page.page_type, page.layout_type, _active(page), known)
    outcome = Judgement.Outcome.FIXED if changed else Judgement.Outcome.ACCEPTED
    _judge(Judgement.Kind.VERDICT, outcome, task, task.about, reviewer, compare(machine, first, second))


def reject(actor: User, uuid: UUID, token: int, submit_id: UUID, reason: str) -> None:
    """The work goes back to its author, who is told why; the page waits for them again (X-DISPATCH).

    Raises NotFound, LockLost, Refused: not a verdict, or without a reason.
    """
    if not reason.strip():
        raise Refused("reason_missing")
    with transaction.atomic():
        task, page = locked(actor, uuid)
        if task.status == TaskStatus.COMPLETED and task.submit_id == submit_id:
            return
        hold(actor, task, token)
        if task.purpose != Purpose.VERDICT or task.about is None or task.about.closed_by is None:
            raise Refused("not_a_verdict")
        why = reason.strip()[:WHY_MOST_CHARS]
        author, about = task.about.closed_by, task.about
        _close(task, actor, submit_id, why)
        nothing = Agreement(compare({}, {}, {}).counts, {})
        _judge(Judgement.Kind.VERDICT, Judgement.Outcome.REJECTED, task, about, actor, nothing, 0.0, why)
        _send_back(about, page, author, actor, why)


def _close(task: HumanTask, actor: User, submit_id: UUID, why: str) -> None:
    closed = {"closed_at": RawSQL("statement_timestamp()", ()), "closed_by": actor.pk, "submit_id": submit_id}
    move(
        TASK,
        HumanTask.objects.filter(pk=task.pk),
        to=TaskStatus.COMPLETED,
        trigger="completed",
        actor=actor.username,
        reason={"verdict": "rejected", "reason": why},
        changes={**closed, **UNLOCKED, "worked_s": WORKED},
    )


def _send_back(about: HumanTask, page: Page, author: User, actor: User, why: str) -> None:
    reasons = [*about.reasons, {"code": "sent_back", "params": {"reason": why}}]
    result = {"before": about.result["before"]} if "before" in about.result else {}
    open_again(about, page, "rejected", actor.username, {"reason": why}, result=result, reasons=reasons)
    reserve(about, author)


def record_revert(task: HumanTask, why: str) -> None:
    """A lead took it back: it was wrong."""
    if task.closed_by is not None:
        nothing = compare({}, {}, {})
        _judge(Judgement.Kind.REVERT, Judgement.Outcome.REJECTED, task, task, None, nothing, 0.0, why)


def record_golden(actor: User, task: HumanTask, state: PageState, truth: Items) -> float:
    """How a person did a page whose truth is known; nothing of the page changes. The score."""
    before = before_of(task.about) if task.about else None
    assert before is not None and task.about is not None
    statuses = {row_before.row: row_before.status for row_before in before.skus}
    known = set(_keys(statuses))
    machine = _items(before.page_type, before.layout_type, list(statuses), known, statuses)
    agreement = compare(machine, items_of_state(state, known), truth)
    _judge(Judgement.Kind.GOLDEN, Judgement.Outcome.SCORED, task, None, None, agreement, annotator=actor)
    return agreement.counts.score


def _judge(
    kind: str,
    outcome: str,
    task: HumanTask,
    about: HumanTask | None,
    reviewer: User | None,
    agreement: Agreement,
    score: float | None = None,
    reason: str = "",
    annotator: User | None = None,
) -> None:
    whose = annotator or (about.closed_by if about is not None else None)
    assert whose is not None
    Judgement.objects.create(
        kind=kind,
        outcome=outcome,
        task=task,
        about=about,
        annotator=whose,
        reviewer=reviewer,
        type=task.type,
        score=agreement.counts.score if score is None else score,
        counts=as_json(agreement.counts),
        by_field={name: list(pair) for name, pair in agreement.by_field.items()},
        reason=reason,
    )


def truth_of(task: HumanTask, page: Page) -> list[list[Any]]:
    """A finished page as items, to be kept: [SKU, field, value]."""
    before = before_of(task)
    known = set() if before is None else set(_keys(row_before.row for row_before in before.skus))
    items = _items(page.page_type, page.layout_type, task.result["after"], known)
    return [[name, field, value] for (name, field), value in items.items()]


def as_items(stored: Sequence[Sequence[Any]]) -> Items:
    return {(name, field): value for name, field, value in stored}


def items_of_state(state: PageState, known: Collection[str]) -> Items:
    items: dict[tuple[str, str], Any] = {("", "page_type"): state.page_type, ("", "layout_type"): state.layout_type}
    for sku in state.skus:
        values = {key: value.text for key, value in sku.attributes.items() if value is not None and value.text.strip()}
        items.update(_sku_items(sku.sku_id or "", known, values, list(sku.pictures), sku.rejected))
    return items


def _items(
    page_type: str, layout: str, rows: Sequence[int], known: Collection[str], statuses: dict[int, str] | None = None
) -> Items:
    """Of stored revisions; ``statuses``: as they were then, where they have moved on since."""
    items: dict[tuple[str, str], Any] = {("", "page_type"): page_type, ("", "layout_type"): layout}
    pictures: dict[int, list[str]] = {}
    bound = SkuImage.objects.filter(sku__in=rows).order_by("rank", "pk")
    for sku_pk, image_id in bound.values_list("sku_id", "image__image_id"):
        pictures.setdefault(sku_pk, []).append(image_id)
    for sku in Sku.objects.filter(pk__in=rows):
        values = {key: value for key, value in sku.attributes.items() if value}
        rejected = (statuses or {}).get(sku.pk, sku.status) == SkuStatus.REJECTED
        items.update(_sku_items(sku.sku_id, known, values, pictures.get(sku.pk, []), rejected))
    return items


def _sku_items(
    sku_id: str, known: Collection[str], values: dict[str, str], pictures: list[str], rejected: bool
) -> dict[tuple[str, str], Any]:
    """A product that no machine had found goes by its name; a rejected one has no values."""
    name = sku_id if sku_id in known else "+" + squash(values.get("model") or values.get("product_name") or "")
    if rejected:
        return {(name, "product"): False}
    items: dict[tuple[str, str], Any] = {(name, "product"): True}
    items |= {(name, key): value.strip() for key, value in values.items()}
    return items | ({(name, "pictures"): pictures} if pictures else {})


def _keys(rows: Iterable[int]) -> list[str]:
    return list(Sku.objects.filter(pk__in=list(rows)).values_list("sku_id", flat=True))


def _active(page: Page) -> list[int]:
    return list(Sku.objects.filter(page=page, superseded=False).values_list("pk", flat=True))
