"""Entry point of the page on which a merchant says whether models are asked: at once, after a word, or never."""

from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.models import Merchant, User
from catalogsku.accounts.permissions import Action
from processing.llm.money import MICRO
from processing.models import AskModels
from processing.pages.services import asking_rules
from processing.pages.services.consulting import available_models
from processing.pages.services.offering import rule_of

MOST_USD = Decimal(1_000_000)


class AskingForm(forms.Form):
    """``above_usd``: from which estimate of a document on somebody is asked first."""

    ask_models = forms.ChoiceField(choices=AskModels.choices, label=gettext_lazy("Models are asked"))
    above_usd = forms.DecimalField(
        label=gettext_lazy("Amount above which somebody is asked, in USD a document"),
        min_value=0,
        max_value=MOST_USD,
        decimal_places=2,
        max_digits=9,
    )


@require_http_methods(["GET", "POST"])
@allowed(Action.UPLOAD)
def asking(request: SignedInRequest) -> HttpResponse:
    """``merchant``: id of one of the person's; their own where none is named."""
    merchants = _merchants(request.user)
    chosen = _chosen(merchants, request.POST.get("merchant") or request.GET.get("merchant", ""), request.user)
    form = AskingForm(request.POST) if request.method == "POST" else AskingForm(initial=_kept(chosen))
    if request.method == "POST" and chosen is not None and form.is_valid():
        given = form.cleaned_data
        asking_rules.set_rule(chosen, given["ask_models"], int(given["above_usd"] * MICRO), request.user)
        messages.success(request, _("Saved: it holds for documents that are not priced yet"))
        return redirect(f"{reverse('asking')}?merchant={chosen.pk}")
    context = {
        "nav": "documents",
        "merchant": chosen,
        "merchants": merchants,
        "form": form,
        "can_ask": bool(available_models()),
    }
    return render(request, "processing/asking.html", context)


def _merchants(actor: User) -> list[Merchant]:
    seen = actor.merchant_ids()
    rows = Merchant.objects.filter(is_active=True).order_by("name")
    return list(rows if seen is None else rows.filter(pk__in=seen))


def _chosen(merchants: list[Merchant], named: str, actor: User) -> Merchant | None:
    own = actor.own_merchant()
    wanted = {merchant.pk: merchant for merchant in merchants}
    if named.isascii() and named.isdecimal() and len(named) < 19 and int(named) in wanted:
        return wanted[int(named)]
    return own if own is not None and own.pk in wanted else None


def _kept(merchant: Merchant | None) -> dict[str, Any]:
    if merchant is None:
        return {}
    rule = rule_of(merchant.pk)
    return {"ask_models": rule.ask_models, "above_usd": f"{rule.ask_first_above_micro_usd / MICRO:.2f}"}
