"""Entry point of a merchant's catalogue: all its products over all documents, searched, filtered and compared."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_GET

from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.permissions import Action
from catalogsku.core.errors import Refused
from processing.catalogue import presenters, selectors
from processing.catalogue.selectors import Wanted
from processing.products.presenters import GROUPS

ROWS_A_PAGE = 50
YES_NO = {"": None, "yes": True, "no": False}
ORDERS = {
    "newest": _("Newest first"),
    "model": pgettext_lazy("order", "Model"),
    "price": _("Cheapest first"),
    "-price": _("Dearest first"),
    "complete": _("Least complete first"),
}
TWICE = {"": _("All"), "model": _("Same model in several documents"), "picture": _("Same picture in several documents")}


class CatalogueForm(forms.Form):
    """The address of the page; what is no such value is said, and left out."""

    merchant = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1)
    q = forms.CharField(required=False, max_length=100)
    show = forms.ChoiceField(required=False, choices=list(GROUPS.items()))
    category = forms.CharField(required=False, max_length=60)
    brand = forms.CharField(required=False, max_length=80)
    document = forms.UUIDField(required=False)
    price_from = forms.DecimalField(required=False, min_value=0, max_digits=14, label=_("Price from"))
    price_to = forms.DecimalField(required=False, min_value=0, max_digits=14, label=_("to"))
    currency = forms.RegexField(r"\A[A-Z]{3}\Z", required=False)
    complete = forms.ChoiceField(required=False, choices=[("yes", ""), ("no", "")])
    pictured = forms.ChoiceField(required=False, choices=[("yes", ""), ("no", "")])
    twice = forms.ChoiceField(required=False, choices=list(TWICE.items()))
    alike = forms.IntegerField(required=False, min_value=1, max_value=2**62)
    order = forms.ChoiceField(required=False, choices=list(ORDERS.items()))

    @property
    def wanted(self) -> Wanted:
        """After ``is_valid``."""
        given = self.cleaned_data
        return Wanted(
            q=given.get("q") or "",
            show=given.get("show") or "all",
            category=given.get("category") or "",
            brand=given.get("brand") or "",
            document=given.get("document"),
            price_from=given.get("price_from"),
            price_to=given.get("price_to"),
            currency=given.get("currency") or "",
            complete=YES_NO[given.get("complete") or ""],
            pictured=YES_NO[given.get("pictured") or ""],
            twice=given.get("twice") or "",
            alike=given.get("alike"),
            order=given.get("order") or "newest",
        )

    def faults(self) -> Iterator[str]:
        for name, errors in self.errors.items():
            label = self.fields[name].label or name
            yield from (f"{label}: {error}" for error in errors)


@require_GET
@allowed(Action.SEE_RESULTS)
def all_skus(request: SignedInRequest) -> HttpResponse:
    """With the header X-Fragment only the counts, for the page that keeps them fresh."""
    form = CatalogueForm(request.GET)
    form.is_valid()
    merchants, named = selectors.merchants_of(request.user), form.cleaned_data.get("merchant")
    merchant = next((one for one in merchants if named in (None, one.pk)), None)
    if merchant is None and named is not None:
        merchant = selectors.get_merchant(request.user, named)
    context: dict[str, Any] = {"nav": "results", "merchant": merchant, "form": form}
    if merchant is None:
        return render(request, "processing/catalogue.html", context)
    wanted = form.wanted
    counts = selectors.count_hits(merchant, wanted)
    context |= {
        "wanted": wanted,
        "filters": presenters.filters_of(counts),
        "counts": counts,
        "rest": _rest(form, "show"),
    }
    if request.headers.get("X-Fragment") == "region":
        return render(request, "processing/_catalogue_counts.html", context)
    base = {"merchant": str(form.cleaned_data["merchant"])} if form.cleaned_data.get("merchant") else {}
    try:
        found = presenters.context_of(merchant, wanted, request.GET.get("cursor", ""), ROWS_A_PAGE, base)
    except Refused:
        return render(request, "processing/catalogue.html", context | {"stale": True}, status=400)
    context |= found | {
        "merchants": merchants,
        "categories": presenters.categories(),
        "orders": ORDERS.items(),
        "twice": TWICE.items(),
        "faults": list(form.faults()),
        "cursor": request.GET.get("cursor", ""),
        "unfiltered": f"?{urlencode(base)}",
    }
    return render(request, "processing/catalogue.html", context)


def _rest(form: CatalogueForm, *without: str) -> str:
    """The address's parameters as they were given, without these."""
    given = {name: form.data[name] for name in form.fields if form.data.get(name) and name not in without}
    return urlencode(given)
