"""An export of what a list shows: its address read, put into words, and as rows.

Of a document ``processing.lists`` reads the address, of a merchant ``processing.catalogue``: the export holds what the
list held, in the order of every export.
"""

from collections.abc import Iterator
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.db.models.expressions import RawSQL
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from catalogsku.accounts.models import Merchant
from catalogsku.core.errors import Refused
from ingestion.models import Job
from processing.catalogue import address as catalogue_address
from processing.catalogue.selectors import Wanted, all_hits
from processing.lists.presenters import words_of
from processing.lists.selectors import DocumentList, document_columns, filtered
from processing.products.models import Sku
from processing.products.presenters import GROUPS
from processing.products.selectors import narrowed

ADDRESS_MOST_CHARS = 2000
# Parameters that name no product: how the list is sorted, and where one is in it.
_NO_FILTER = ("sort", "order", "cursor", "page", "merchant", "columns", "kind")


def canonical(merchant: Merchant, job: Job | None, address: str) -> str:
    """What of an address filters; empty where nothing does. Raises Refused, NotFound."""
    if not address:
        return ""
    if len(address) > ADDRESS_MOST_CHARS or "\x00" in address:
        raise Refused("filter_unreadable", what=address[:60].replace("\x00", ""))
    query = QueryDict(address)
    if job is not None:
        return DocumentList.read(query, document_columns(job).known).address
    wanted = catalogue_address.read(query, merchant.pk)
    if wanted.alike is not None:
        all_hits(merchant, wanted)
    if not wanted.is_filtered:
        return ""
    return urlencode(
        [(name, value) for name, all_of in query.lists() for value in all_of if value and name not in _NO_FILTER]
    )


def only_listed(rows: QuerySet[Sku], merchant_id: int, job: Job | None, address: str) -> QuerySet[Sku]:
    """Those of ``rows`` that the list shows; all of them without an address. Raises Refused, NotFound."""
    if not address:
        return rows
    if job is not None:
        wanted = DocumentList.read(QueryDict(address), document_columns(job).known)
        return filtered(narrowed(rows, wanted.show, wanted.q, wanted.page_number), wanted.where)
    merchant = Merchant.objects.get(pk=merchant_id)
    return rows.filter(pk__in=RawSQL(*all_hits(merchant, catalogue_address.read(QueryDict(address), merchant_id))))


def marked(address: str) -> str:
    """What the name of a file has behind it, so that a part of a list is not taken for all of it."""
    word = pgettext("export", "filtered")
    return f" ({word})" if address else ""


def words(merchant_id: int, job: Job | None, address: str) -> list[str]:
    """The filter, a condition each, in the active language; none without an address."""
    if not address:
        return []
    try:
        if job is not None:
            return list(_of_document(DocumentList.read(QueryDict(address), document_columns(job).known)))
        return list(_of_catalogue(catalogue_address.read(QueryDict(address), merchant_id)))
    except Refused:  # a schema that no document of the merchant has any more
        return [address]


def _of_document(wanted: DocumentList) -> Iterator[str]:
    yield from _group(wanted.show)
    yield from _search(wanted.q)
    if wanted.page_number:
        yield _("Only page %(page_number)s") % {"page_number": wanted.page_number}
    yield from map(words_of, wanted.where)


def _of_catalogue(wanted: Wanted) -> Iterator[str]:
    yield from _group(wanted.show)
    yield from _search(wanted.q)
    if wanted.category:
        yield _said(_("Category"), wanted.category)
    if wanted.brand:
        yield _said(pgettext("attribute", "Brand"), wanted.brand)
    if wanted.document:
        yield _("Only one document")
    if wanted.price_from is not None or wanted.price_to is not None:
        ends = ("" if end is None else str(end) for end in (wanted.price_from, wanted.price_to))
        yield _said(pgettext("attribute", "Price"), " – ".join(ends).strip())
    if wanted.currency:
        yield _said(pgettext("attribute", "Currency"), wanted.currency)
    if wanted.complete is not None:
        yield pgettext("sku", "Complete") if wanted.complete else _("Something missing")
    if wanted.pictured is not None:
        yield _("With picture") if wanted.pictured else _("Without picture")
    if wanted.twice:
        yield str(catalogue_address.TWICE[wanted.twice])
    if wanted.alike is not None:
        yield _("Perhaps the same product")
    yield from map(words_of, wanted.where)


def _group(show: str) -> Iterator[str]:
    if show in GROUPS and show != "all":
        yield str(GROUPS[show])


def _search(q: str) -> Iterator[str]:
    if q:
        yield _said(_("Search"), q)


def _said(label: str, value: str) -> str:
    return f"{label}: {value}"
