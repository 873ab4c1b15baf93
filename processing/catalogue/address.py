"""A list of the catalogue as its address says it, with everything that it is filtered and sorted by."""

from collections.abc import Iterator

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from catalogsku.core.errors import Refused
from processing.catalogue.selectors import Wanted
from processing.lists.conditions import Condition, conditions_of
from processing.lists.selectors import catalogue_columns
from processing.products.presenters import GROUPS

YES_NO = {"": None, "yes": True, "no": False}
ORDERS = {
    "newest": _("Newest first"),
    "oldest": _("Oldest first"),
    "model": pgettext_lazy("order", "Model"),
    "-model": _("Model, from the end"),
    "brand": pgettext_lazy("order", "Brand"),
    "-brand": _("Brand, from the end"),
    "price": _("Cheapest first"),
    "-price": _("Dearest first"),
    "complete": _("Least complete first"),
    "-complete": _("Most complete first"),
}
TWICE = {"": _("All"), "model": _("Same model in several documents"), "picture": _("Same picture in several documents")}


def read(address: QueryDict, merchant_id: int) -> Wanted:
    """What a list of the catalogue with this address shows. Raises Refused."""
    form = CatalogueForm(address)
    if not form.is_valid():
        raise Refused("filter_unreadable", what="; ".join(form.faults())[:200])
    where = address.getlist("where")
    return form.wanted(conditions_of(where, catalogue_columns(merchant_id).known) if any(where) else ())


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

    def wanted(self, where: tuple[Condition, ...] = ()) -> Wanted:
        """After ``is_valid``."""
        cleaned = self.cleaned_data
        return Wanted(
            q=cleaned.get("q") or "",
            show=cleaned.get("show") or "all",
            category=cleaned.get("category") or "",
            brand=cleaned.get("brand") or "",
            document=cleaned.get("document"),
            price_from=cleaned.get("price_from"),
            price_to=cleaned.get("price_to"),
            currency=cleaned.get("currency") or "",
            complete=YES_NO[cleaned.get("complete") or ""],
            pictured=YES_NO[cleaned.get("pictured") or ""],
            twice=cleaned.get("twice") or "",
            alike=cleaned.get("alike"),
            where=where,
            order=cleaned.get("order") or "newest",
        )

    def faults(self) -> Iterator[str]:
        for name, errors in self.errors.items():
            label = self.fields[name].label or name
            yield from (f"{label}: {error}" for error in errors)
