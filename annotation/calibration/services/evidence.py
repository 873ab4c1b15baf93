"""What people's work of a period says of pages: one statement for the tasks, one for what was changed in them."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from annotation.calibration.looks import Look, of_machines
from annotation.people.models import Judgement
from annotation.tasks.lifecycle import MOVES_THE_PAGE, OPEN, Purpose, TaskStatus
from annotation.tasks.models import Annotation, HumanTask
from processing.engine.evaluation.scores import BY_RULES
from processing.products.lifecycle import SkuStatus
from processing.products.models import Sku

# Golden pages measure people, and are no evidence of machines (X-PURPOSE).
LOOKED = (Purpose.WORK, Purpose.DOCUMENT, Purpose.VERDICT, Purpose.AUDIT, Purpose.AT_ONCE)
MOST_TASKS = 20_000
RIGHT_SCORE = 1.0


@dataclass
class _Seen:
    """A page while its tasks are gathered."""

    row: dict[str, Any]
    reasons: set[str] = field(default_factory=set)
    audited: bool = False
    seconds: float = 0.0


@dataclass(frozen=True)
class Evidence:
    """``by_key``: looks at pages of documents frozen with a version of that profile key, the newest first.
    ``left_out``: tasks beyond the bound, the oldest. ``golden``: golden pages that people did, and how many of them
    wholly right."""

    by_key: dict[str, list[Look]]
    annotations: int
    golden: tuple[int, int]
    left_out: int = 0


def annotations_between(since: datetime, until: datetime) -> "QuerySet[Annotation]":
    """What people changed; that they confirmed an attribute is none."""
    rows = Annotation.objects.filter(created_at__gte=since, created_at__lt=until, task__purpose__in=LOOKED)
    return rows.filter(task__status=TaskStatus.COMPLETED)


def gather(since: datetime, until: datetime) -> Evidence:
    tasks = _tasks(since, until)
    rows = list(tasks[: MOST_TASKS + 1])
    seen: dict[int, _Seen] = {}
    for row in rows[:MOST_TASKS]:
        page = seen.setdefault(row["page_id"], _Seen(row))
        page.seconds += row["worked_s"]
        page.audited |= row["purpose"] == Purpose.AUDIT
        if row["purpose"] in MOVES_THE_PAGE:
            page.reasons |= of_machines([reason["code"] for reason in row["reasons"]] or ["review"])
    changed, annotations = _changed(since, until, seen)
    by_key: dict[str, list[Look]] = defaultdict(list)
    for page_id, page in seen.items():
        by_key[page.row["job__profile__key"]].append(_look(page, changed.get(page_id)))
    left_out = tasks.count() - MOST_TASKS if len(rows) > MOST_TASKS else 0
    return Evidence(dict(by_key), annotations, _golden(since, until), left_out)


def _tasks(since: datetime, until: datetime) -> "QuerySet[HumanTask, dict[str, Any]]":
    """The newest first. Who accepts what nobody came to is no person."""
    active = Sku.objects.filter(page=OuterRef("page"), superseded=False)
    done = HumanTask.objects.exclude(status__in=OPEN).filter(
        status=TaskStatus.COMPLETED,
        closed_by__isnull=False,
        closed_at__gte=since,
        closed_at__lt=until,
        purpose__in=LOOKED,
    )
    rows: QuerySet[HumanTask, dict[str, Any]] = (
        done.annotate(
            products=Exists(active.exclude(status=SkuStatus.REJECTED)),
            found=Exists(Sku.objects.filter(page=OuterRef("page"), revision=1, confidence__lt=1)),
        )
        .order_by("-closed_at", "-pk")
        .values(
            *("page_id", "purpose", "reasons", "worked_s", "products", "found"),
            *("page__confidence", "page__analyst", "job__category", "job__c_doc", "job__profile__key"),
        )
    )
    return rows


def _changed(since: datetime, until: datetime, pages: Iterable[int]) -> tuple[dict[int, set[str]], int]:
    """By page the products that were changed ("" is the page itself), and how many changes there were."""
    rows = annotations_between(since, until)
    changed: dict[int, set[str]] = defaultdict(set)
    known = set(pages)
    total = rows.count()
    changes = rows.exclude(type=Annotation.Type.CUSTOM_ATTR_CONFIRM)
    for page_id, sku_id in changes.order_by().values_list("page_id", "sku_id").distinct().iterator():
        if page_id in known:
            changed[page_id].add(sku_id)
    return changed, total


def _look(page: _Seen, changed: set[str] | None) -> Look:
    row, analyst = page.row, page.row["page__analyst"]
    return Look(
        page=row["page_id"],
        category=row["job__category"],
        reasons=frozenset(page.reasons),
        corrected=changed is not None,
        wrong=len((changed or set()) - {""}),
        products=row["products"],
        found=row["found"],
        answered=bool(analyst) and not analyst.startswith(BY_RULES),
        audited=page.audited,
        asked_s=page.seconds,
        confidence=row["page__confidence"],
        c_doc=row["job__c_doc"],
    )


def _golden(since: datetime, until: datetime) -> tuple[int, int]:
    rows = Judgement.objects.filter(kind=Judgement.Kind.GOLDEN, at__gte=since, at__lt=until)
    return rows.count(), rows.filter(score__gte=RIGHT_SCORE).count()
