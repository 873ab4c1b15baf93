"""What lies around a task's page: the pages beside it with their products and tables, and what is known of the whole
document (TA-P1-4)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from django.urls import reverse
from django.utils.functional import Promise

from annotation.tasks.models import HumanTask
from annotation.workbench.presenters import PAGE_TYPES
from catalogsku.core.structs import ready
from catalogsku.profiles.words import UNIT_WORDS
from ingestion.models import Page
from ingestion.presentation import picture_address
from processing.engine.page import Table, unpack_page
from processing.engine.result import DocumentFacts
from processing.pages.selectors import evaluation_of
from processing.pages.services.reading import kept_pages
from processing.products import presenters
from processing.products.models import Sku

PRODUCTS_SHOWN = 12
TABLES_SHOWN = 4
LINES_SHOWN = 8


@dataclass
class Neighbour:
    """``began``: the table of the task's page began there; ``tables``: the first row of each, a cell an entry."""

    number: int
    began: bool
    image_url: str
    thumb_url: str
    kind: str | Promise
    products: list[str] = field(default_factory=list)
    further: int = 0
    tables: list[list[str]] = field(default_factory=list)


@dataclass(frozen=True)
class Facts:
    """``inherited``: label, value and the page that says so."""

    inherited: list[tuple[str, str, int]]
    running_lines: list[str]
    index_pages: list[int]
    repeated_pictures: int


def around(task: HumanTask) -> dict[str, Any]:
    """``near``: the pages before and after, and that on which a table of this one began; ``facts``, if known yet."""
    return {"near": neighbours(task), "facts": document_facts(task)}


def neighbours(task: HumanTask) -> list[Neighbour]:
    page = task.page
    numbers = {page.number - 1, page.number + 1, page.continues or page.number - 1}
    pages = {
        near_page.pk: near_page
        for near_page in Page.objects.filter(job=page.job_id, number__in=numbers).order_by("number")
    }
    by_id = {pk: _neighbour(task, near_page) for pk, near_page in pages.items()}
    skus = Sku.objects.filter(page__in=list(pages), superseded=False).exclude(status="REJECTED").order_by("sku_id")
    for page_id, sku_id, values in skus.values_list("page_id", "sku_id", "attributes"):
        near = by_id[page_id]
        if len(near.products) < PRODUCTS_SHOWN:
            near.products.append(values.get("model") or values.get("product_name") or sku_id)
        else:
            near.further += 1
    contents = kept_pages(task.job, [near_page.number for near_page in pages.values()])
    for near in by_id.values():
        if content := contents.get(near.number):
            near.tables = [_head(table) for table in unpack_page(bytes(content.data)).tables[:TABLES_SHOWN]]
    return list(by_id.values())


def _neighbour(task: HumanTask, page: Page) -> Neighbour:
    job = task.job.uuid
    return Neighbour(
        number=page.number,
        began=page.number == task.page.continues,
        image_url=picture_address(job, page),
        thumb_url=reverse("page_thumb", args=[job, page.number]) if page.thumbnail_key else "",
        kind=PAGE_TYPES.get(page.page_type, ""),
    )


def _head(table: Table) -> list[str]:
    first = min((cell.row for cell in table.cells), default=0)
    return [cell.text.strip() for cell in sorted(table.cells, key=lambda cell: cell.col) if cell.row == first]


def document_facts(task: HumanTask) -> Facts | None:
    evaluation = evaluation_of(task.job)
    if evaluation is None:
        return None
    known, names = msgspec.convert(evaluation.facts, ready(DocumentFacts)), presenters.labels(task.job.schema)
    names |= {key: str(word) for key, word in UNIT_WORDS.items()}
    inherited = [
        (names.get(key, key), value.text, value.evidence.page_number) for key, value in known.inherited.items()
    ]
    return Facts(
        inherited, _cut(known.running_lines, LINES_SHOWN), list(known.index_pages), len(known.repeated_pictures)
    )


def _cut(lines: Sequence[str], most: int) -> list[str]:
    return [line.strip() for line in lines if line.strip()][:most]
