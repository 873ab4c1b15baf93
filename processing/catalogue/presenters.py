"""What people see of a merchant's catalogue: rows, what each lacks, and what else may be the same product."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import get_language, gettext

from catalogsku.accounts.models import Merchant
from catalogsku.profiles.models import CategorySchema
from ingestion.presentation import Filter
from processing.catalogue import selectors
from processing.catalogue.searching import differing
from processing.catalogue.selectors import TWICE, Counts, Wanted
from processing.catalogue.twins import Twin, twins_of
from processing.lists.columns import ALWAYS, ListColumn
from processing.lists.presenters import Head, head
from processing.products import presenters
from processing.products.completeness import missing_keys, required_keys
from processing.products.models import Sku
from processing.products.presenters import SkuRow, picture_url

# Unless a person has chosen others.
COLUMNS = ("brand", "size", "price", "currency")
# Columns that an index sorts the catalogue by: the order for each direction.
SORTED = {"model": ("model", "-model"), "brand": ("brand", "-brand"), "price": ("price", "-price")}


@dataclass(frozen=True)
class Difference:
    """``values``: as printed, each once, in the order of the rows."""

    label: str
    values: list[str]


@dataclass(frozen=True)
class EntryRow:
    """``document_url``: of the catalogue of this document alone. ``documents``: others that have what may be the same
    product; ``differences``: how it is printed there."""

    sku: SkuRow
    job_id: str
    job_name: str
    sku_url: str
    page_url: str
    document_url: str
    complete_percent: int
    missing: list[str]
    documents: int = 0
    differences: list[Difference] = field(default_factory=list)
    alike_url: str = ""


@dataclass(frozen=True)
class Group:
    """Rows that may be one product; a list without groups is one of them, without ``title``."""

    title: str
    rows: list[EntryRow]
    differences: list[Difference]


def groups_of(
    merchant: Merchant, wanted: Wanted, skus: Sequence[Sku], base: Mapping[str, str], keys: Sequence[str] = COLUMNS
) -> list[Group]:
    """``base``: parameters of the address that stay when a row's twins are looked at; ``keys``: of the columns."""
    rows = {sku.pk: row for sku, row in zip(skus, _rows(merchant, skus, base, keys), strict=True)}
    if not wanted.twice:
        differ = _differences(skus, _labels(skus[0])) if skus and wanted.alike is not None else []
        return [Group("", list(rows.values()), differ)] if rows else []
    columns = TWICE[wanted.twice]

    def key(sku: Sku) -> tuple[str, ...]:
        return tuple(getattr(sku.entry, name) for name in columns)

    return [
        Group(_title(members[0]), [rows[sku.pk] for sku in members], _differences(members, _labels(members[0])))
        for members in (list(same) for _, same in groupby(skus, key))
    ]


def _labels(sku: Sku) -> dict[str, str]:
    return presenters.labels(sku.job.schema)


def _title(sku: Sku) -> str:
    parts = (sku.attributes.get("brand"), sku.attributes.get("model") or sku.attributes.get("product_name"))
    return " ".join(part for part in parts if part) or sku.sku_id


def _rows(merchant: Merchant, skus: Sequence[Sku], base: Mapping[str, str], keys: Sequence[str]) -> Iterator[EntryRow]:
    twins, words = twins_of(merchant, skus), _Words()
    for sku in skus:
        job, others, names = sku.job, twins.get(sku.pk, []), words.labels(sku.job.schema)
        shown = presenters.sku_row(sku, names, partial(picture_url, job), by_page=False, columns=keys)
        alike = urlencode({**base, "alike": sku.pk})
        yield EntryRow(
            sku=shown,
            job_id=str(job.uuid),
            job_name=job.source_name,
            sku_url=reverse("sku", args=[job.uuid, sku.sku_id]),
            page_url=f"{reverse('job', args=[job.uuid])}#page-{sku.page.number}",
            document_url=f"?{urlencode({**base, 'document': str(job.uuid)})}",
            complete_percent=sku.entry.complete_percent,
            missing=[names.get(key, key) for key in _missing(sku, words.required(job.schema))],
            documents=len({twin.job_id for twin in others}),
            differences=_differences([sku, *others], names),
            alike_url=f"{reverse('catalogue')}?{alike}" if others else "",
        )


def _missing(sku: Sku, required: Sequence[str]) -> list[str]:
    return missing_keys(required, sku.attributes, sku.normalized)


class _Words:
    """Of each schema once: rows of a page share a few."""

    def __init__(self) -> None:
        self._labels: dict[int, dict[str, str]] = {}
        self._required: dict[int, list[str]] = {}

    def labels(self, schema: CategorySchema) -> dict[str, str]:
        if schema.pk not in self._labels:
            self._labels[schema.pk] = presenters.labels(schema)
        return self._labels[schema.pk]

    def required(self, schema: CategorySchema) -> list[str]:
        if schema.pk not in self._required:
            self._required[schema.pk] = required_keys(schema)
        return self._required[schema.pk]


def _differences(skus: Sequence[Sku | Twin], names: Mapping[str, str]) -> list[Difference]:
    """Attributes that several of them have and print otherwise, the price first."""
    if len(skus) < 2:
        return []
    keys = dict.fromkeys(
        key for sku in skus for other in skus[1:] for key in differing(sku.attributes, other.attributes, list(names))
    )
    ordered = sorted(keys, key=lambda key: (key not in ("price", "currency"), list(names).index(key)))
    values = {key: dict.fromkeys(text for sku in skus if (text := sku.attributes.get(key))) for key in ordered}
    return [Difference(names[key], list(values[key])) for key in ordered]


def filters_of(counts: Counts) -> list[Filter]:
    return [
        Filter(key, str(label), presenters.GROUP_ICONS[key], counts.by_group[key], _tone(key))
        for key, label in presenters.GROUPS.items()
    ]


def _tone(key: str) -> str:
    return presenters.GROUP_TONES.get(key, "ink2")


def categories(schemas: Iterable[CategorySchema]) -> list[tuple[str, str]]:
    """Of the active ones."""
    label = "label_zh" if (get_language() or "").startswith("zh") else "label_en"
    return [(schema.key, getattr(schema, label)) for schema in schemas if schema.active and schema.key]


def heads(columns: Sequence[ListColumn], address: QueryDict) -> list[Head]:
    return [_head(column, address, *SORTED.get(column.key, ("", ""))) for column in columns]


def heads_always(known: Mapping[str, ListColumn], address: QueryDict) -> dict[str, Head]:
    """Of the columns that the catalogue always has."""
    share = ListColumn("complete", gettext("Completeness"))
    of_each = {key: _head(known[key], address, *SORTED.get(key, ("", ""))) for key in ALWAYS}
    return {**of_each, "complete": _head(share, address, "complete", "-complete")}


def _head(column: ListColumn, address: QueryDict, up: str, down: str) -> Head:
    """Groups stand in an order of their own."""
    return head(column, address, "order", *(("", "") if address.get("twice") else (up, down)))


def context_of(
    merchant: Merchant,
    wanted: Wanted,
    cursor: str,
    limit: int,
    base: Mapping[str, str],
    keys: Sequence[str],
    schemas: Iterable[CategorySchema],
) -> dict[str, Any]:
    """``schemas``: of the merchant's documents. Raises Refused(bad_request), NotFound."""
    step = selectors.list_step(merchant, wanted, cursor, limit, {schema.pk: schema for schema in schemas})
    return {"groups": groups_of(merchant, wanted, step.skus, base, keys), "next": step.next, "shown": len(step.skus)}
