"""Entry point of a merchant's catalogue: all its products over all documents, searched, filtered and compared."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.permissions import Action, may
from catalogsku.core.errors import Refused
from processing.catalogue import presenters, selectors
from processing.catalogue.address import ORDERS, TWICE, CatalogueForm
from processing.lists import presenters as lists
from processing.lists.conditions import conditions_of
from processing.lists.models import ListName
from processing.lists.selectors import catalogue_columns, schemas_of
from processing.problems import PROBLEMS, sentence

ROWS_A_PAGE = 50


@require_GET
@allowed(Action.SEE_RESULTS)
def all_skus(request: SignedInRequest) -> HttpResponse:
    """With the header X-Fragment only the counts, for the page that keeps them fresh."""
    form = CatalogueForm(request.GET)
    form.is_valid()
    merchants, named = selectors.merchants_of(request.user), form.cleaned_data.get("merchant")
    merchant = next((candidate for candidate in merchants if named in (None, candidate.pk)), None)
    if merchant is None and named is not None:
        merchant = selectors.get_merchant(request.user, named)
    context: dict[str, Any] = {"nav": "results", "merchant": merchant, "form": form}
    if merchant is None:
        return render(request, "processing/catalogue.html", context)
    if address := lists.added(request.GET):
        return redirect(reverse("catalogue") + address)
    schemas = schemas_of(merchant.pk)
    columns = catalogue_columns(merchant.pk, request.user, schemas)
    known, shown = columns.known, columns.shown(presenters.COLUMNS)
    refused: dict[str, Any] | None = None
    wanted, status = form.wanted(), 200
    try:
        wanted = form.wanted(conditions_of(request.GET.getlist("where"), known))
    except Refused as error:
        refused, status = {"code": error.code, "words": sentence(error.code, error.params)}, PROBLEMS[error.code][0]
    counts = selectors.count_hits(merchant, wanted)
    context |= {
        "wanted": wanted,
        "filters": presenters.filters_of(counts),
        "counts": counts,
        "rest": _rest(form, request.GET, "show"),
        "refused": refused,
    }
    if request.headers.get("X-Fragment") == "region":
        return render(request, "processing/_catalogue_counts.html", context)
    base = {"merchant": str(form.cleaned_data["merchant"])} if form.cleaned_data.get("merchant") else {}
    listing: dict[str, Any] = {"groups": []}
    try:
        if refused is None:
            keys = [column.key for column in shown]
            cursor = request.GET.get("cursor", "")
            listing = presenters.context_of(merchant, wanted, cursor, ROWS_A_PAGE, base, keys, schemas)
    except Refused:
        return render(request, "processing/catalogue.html", context | {"stale": True}, status=400)
    context |= listing | {
        "merchants": merchants,
        "categories": presenters.categories(schemas),
        "orders": ORDERS.items(),
        "twice": TWICE.items(),
        "faults": list(form.faults()),
        "can_export": may(request.user, Action.EXPORT),
        "listed": _rest(form, request.GET) if wanted.is_filtered and not refused else "",
        "cursor": request.GET.get("cursor", ""),
        "unfiltered": f"?{urlencode(base)}",
        "columns": presenters.heads(shown, request.GET),
        "always": presenters.heads_always(known, request.GET),
        **lists.tools_context(ListName.CATALOGUE, known, shown, wanted.where, request.GET),
    }
    return render(request, "processing/catalogue.html", context, status=status)


def _rest(form: CatalogueForm, address: QueryDict, *without: str) -> str:
    """The address's parameters as they were given, without these."""
    parameters = [(name, form.data[name]) for name in form.fields if form.data.get(name) and name not in without]
    return urlencode([*parameters, *(("where", condition) for condition in address.getlist("where"))])
