"""What lists of products show and hold: columns that there are and that a person has chosen, and a document's rows."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db import connection
from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.http import QueryDict

from catalogsku.accounts.models import User
from catalogsku.profiles.models import CategorySchema
from ingestion.models import Job
from processing.lists.columns import NAME_MOST_CHARS, Fragment, ListColumn, columns_of
from processing.lists.conditions import Condition, column_of, conditions_of
from processing.lists.models import ListName, ShownColumns
from processing.products import selectors
from processing.products.models import Sku
from processing.products.selectors import GROUP_OF

# Custom attributes that are offered as columns, the most frequent first.
CUSTOM_OFFERED = 60
# Of a merchant they are looked for here.
NEWEST_JOBS, NEWEST_SKUS = 20, 3000
BY_PAGE = "page"
_TABLE = "processing_sku"


# Custom attributes of a document's products, and of a merchant's newest ones.
_OF_JOB = f"SELECT custom_attributes FROM {_TABLE} WHERE job_id = %s AND NOT superseded AND custom_attributes <> '[]'"
_OF_MERCHANT = f"""SELECT custom_attributes FROM {_TABLE} WHERE NOT superseded AND job_id = ANY(ARRAY(
    SELECT id FROM ingestion_job WHERE merchant_id = %s ORDER BY id DESC LIMIT {NEWEST_JOBS})) LIMIT {NEWEST_SKUS}"""


@dataclass(frozen=True)
class Columns:
    """``known``: every column that products of the list can have, by key; ``chosen``: keys of those that the person
    wants to see, None: the usual ones."""

    known: dict[str, ListColumn]
    chosen: list[str] | None = None

    def shown(self, usual: Sequence[str]) -> list[ListColumn]:
        """What was chosen, else the ``usual`` ones; of both those that there are."""
        keys = usual if self.chosen is None else self.chosen
        return [self.known[key] for key in keys if key in self.known]


def document_columns(job: Job, user: User | None = None) -> Columns:
    names, chosen = _custom_and_chosen((_OF_JOB, [job.pk]), user, job.merchant_id, ListName.DOCUMENT)
    return Columns(columns_of([job.schema], names), chosen)


def catalogue_columns(
    merchant_id: int, user: User | None = None, schemas: Sequence[CategorySchema] | None = None
) -> Columns:
    """Over all documents of the merchant. ``schemas``: as ``schemas_of`` gives them, where they are read already."""
    names, chosen = _custom_and_chosen((_OF_MERCHANT, [merchant_id]), user, merchant_id, ListName.CATALOGUE)
    used = [schema for schema in (schemas_of(merchant_id) if schemas is None else schemas) if schema.is_used]  # type: ignore[attr-defined]
    return Columns(columns_of(used, names), chosen)


def schemas_of(merchant_id: int) -> list[CategorySchema]:
    """Those that are active and those that documents of the merchant were read by, which ``is_used`` says."""
    used = Q(pk__in=Job.objects.filter(merchant=merchant_id).order_by().values("schema").distinct())
    rows = CategorySchema.objects.annotate(is_used=ExpressionWrapper(used, output_field=BooleanField()))
    return list(rows.filter(Q(is_used=True) | Q(active=True)).order_by("pk"))


def _custom_and_chosen(
    rows: Fragment, user: User | None, merchant_id: int, name: str
) -> tuple[list[str], list[str] | None]:
    """In one statement: printed names of custom attributes, the most frequent first, and the person's choice.
    ``rows``: a query of ``custom_attributes``."""
    sql, values = rows
    with connection.cursor() as cursor:
        cursor.execute(
            f"""SELECT ARRAY(SELECT c->>'name' FROM ({sql}) s
                    CROSS JOIN LATERAL jsonb_array_elements(s.custom_attributes) c
                    WHERE char_length(c->>'name') BETWEEN 1 AND {NAME_MOST_CHARS}
                    GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT {CUSTOM_OFFERED}),
                (SELECT columns FROM {ShownColumns._meta.db_table}
                    WHERE user_id = %s AND merchant_id = %s AND name = %s)""",
            [*values, user.pk if user else None, merchant_id, str(name)],
        )
        names, chosen = cursor.fetchone()
    return names, json.loads(chosen) if chosen is not None else None


@dataclass(frozen=True)
class DocumentList:
    """What is listed of a document. ``show``: a group of products; ``q``: part of model, name or id; ``page_number``:
    only of this page; ``sort``: a column's key or ``page``, behind ``-`` from the other end."""

    show: str = "all"
    q: str = ""
    page_number: int | None = None
    where: tuple[Condition, ...] = ()
    sort: str = ""

    @classmethod
    def read(cls, address: QueryDict, known: Mapping[str, ListColumn]) -> "DocumentList":
        """From the parameters of an address. Raises Refused."""
        show, number = address.get("show", "all"), address.get("page_number", "")
        sort = address.get("sort", "")
        if sort and sort.removeprefix("-") != BY_PAGE:
            column_of(sort.removeprefix("-"), known)
        return cls(
            show if show in GROUP_OF.values() else "all",
            address.get("q", "").strip()[:100].replace("\x00", ""),
            int(number) if number.isdecimal() and len(number) < 6 else None,
            conditions_of(address.getlist("where"), known),
            sort,
        )

    @property
    def address(self) -> str:
        """The same list as parameters of an address, without the order."""
        parameters: list[tuple[str, Any]] = [("show", self.show)] if self.show != "all" else []
        parameters += [("q", self.q)] if self.q else []
        parameters += [("page_number", self.page_number)] if self.page_number else []
        return urlencode([*parameters, *(("where", condition.written) for condition in self.where)])


def listed_skus(job: Job, wanted: DocumentList, known: Mapping[str, ListColumn]) -> QuerySet[Sku]:
    """The document's products, however they are sorted: no more rows are looked at than it has."""
    rows = selectors.list_skus(job, wanted.show, wanted.q, wanted.page_number)
    rows = filtered(rows, wanted.where)
    if not wanted.sort:
        return rows
    down, key = wanted.sort.startswith("-"), wanted.sort.removeprefix("-")
    if key == BY_PAGE:
        return rows.order_by("-page__number" if down else "page__number", "sku_id")
    by = RawSQL(*column_of(key, known).sorted(_TABLE))
    ordered = by.desc(nulls_last=True) if down else by.asc(nulls_last=True)
    return rows.order_by(ordered, "page__number", "sku_id")


def filtered(rows: QuerySet[Sku], where: Sequence[Condition]) -> QuerySet[Sku]:
    """Those of ``rows`` that fit all conditions."""
    for condition in where:
        rows = rows.filter(RawSQL(*condition.sql(_TABLE), output_field=BooleanField()))
    return rows
