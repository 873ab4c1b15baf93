"""What lists of products show and hold: columns that there are and that a person has chosen, and a document's rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db import connection
from django.db.models import BooleanField, QuerySet
from django.db.models.expressions import RawSQL
from django.http import QueryDict

from catalogsku.accounts.models import User
from catalogsku.profiles.models import CategorySchema
from ingestion.models import Job
from processing.lists.columns import ALWAYS, Fragment, ListColumn, columns_of
from processing.lists.conditions import Condition, column_of, conditions_of
from processing.lists.models import ShownColumns
from processing.products import selectors
from processing.products.models import Sku
from processing.products.selectors import GROUP_OF

# Custom attributes that are offered as columns, the most frequent first.
CUSTOM_OFFERED = 60
# Of a merchant they are looked for here.
NEWEST_JOBS, NEWEST_SKUS = 20, 3000
BY_PAGE = "page"
_TABLE = "processing_sku"


def custom_names(rows: Fragment) -> list[str]:
    """Printed names of custom attributes among some products; ``rows``: a query of their ``custom_attributes``."""
    sql, values = rows
    with connection.cursor() as cursor:
        cursor.execute(
            f"""SELECT c->>'name' FROM ({sql}) s CROSS JOIN LATERAL jsonb_array_elements(s.custom_attributes) c
                WHERE char_length(c->>'name') BETWEEN 1 AND 60
                GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT {CUSTOM_OFFERED}""",
            values,
        )
        return [row[0] for row in cursor.fetchall()]


def known_of_job(job: Job) -> dict[str, ListColumn]:
    """Every column that products of the document can have, by key."""
    own = f"SELECT custom_attributes FROM {_TABLE} WHERE job_id = %s AND NOT superseded AND custom_attributes <> '[]'"
    return columns_of([job.schema], custom_names((own, [job.pk])))


def known_of_merchant(merchant_id: int) -> dict[str, ListColumn]:
    """The same over all its documents; of custom attributes those of its newest ones."""
    jobs = Job.objects.filter(merchant=merchant_id).order_by()
    newest = list(jobs.order_by("-pk").values_list("pk", flat=True)[:NEWEST_JOBS])
    own = f"SELECT custom_attributes FROM {_TABLE} WHERE job_id = ANY(%s) AND NOT superseded LIMIT {NEWEST_SKUS}"
    schemas = CategorySchema.objects.filter(pk__in=jobs.values("schema").distinct()).order_by("pk")
    return columns_of(schemas, custom_names((own, [newest])))


def shown_columns(
    user: User, merchant_id: int, name: str, known: Mapping[str, ListColumn], usual: Sequence[str]
) -> list[ListColumn]:
    """Those that the person has chosen for this list, else the ``usual`` ones; of both those that there are."""
    kept = ShownColumns.objects.filter(user=user, merchant=merchant_id, name=name).values_list("columns", flat=True)
    keys = next(iter(kept), usual)
    return [known[key] for key in keys if key in known and key not in ALWAYS]


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
        given: list[tuple[str, Any]] = [("show", self.show)] if self.show != "all" else []
        given += [("q", self.q)] if self.q else []
        given += [("page_number", self.page_number)] if self.page_number else []
        return urlencode([*given, *(("where", one.written) for one in self.where)])


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
    for one in where:
        rows = rows.filter(RawSQL(*one.sql(_TABLE), output_field=BooleanField()))
    return rows
