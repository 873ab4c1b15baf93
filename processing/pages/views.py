"""Entry points of what models are asked about pages: a merchant's rule, what they said of a document and its pages, and
prompts tried out on a page."""

from decimal import Decimal
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.merchants import chosen_merchant, merchants_of
from catalogsku.accounts.models import Merchant
from catalogsku.accounts.permissions import Action
from catalogsku.core.errors import NotFound
from catalogsku.profiles.models import PromptVersion
from ingestion import selectors as documents
from ingestion.models import Job
from ingestion.personal_data import ranges
from processing.llm.available import available_models
from processing.llm.money import MICRO
from processing.llm.presenters import prompt_word
from processing.pages import presenters, selectors
from processing.pages.models import AskModels
from processing.pages.services import asking_rules, trying
from processing.pages.services import personal_data as finding
from processing.pages.services.offering import rule_of

MOST_USD = Decimal(1_000_000)


# Of a search that somebody waits for; the command looks through all.
MOST_PAGES = 2000


class SoughtForm(forms.Form):
    value = forms.CharField(max_length=200, strip=True)


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
    merchants = merchants_of(request.user)
    named = request.POST.get("merchant") or request.GET.get("merchant", "")
    chosen = chosen_merchant(merchants, named, request.user)
    form = AskingForm(request.POST) if request.method == "POST" else AskingForm(initial=_kept(chosen))
    if request.method == "POST" and chosen is not None and form.is_valid():
        cleaned = form.cleaned_data
        asking_rules.set_rule(chosen, cleaned["ask_models"], int(cleaned["above_usd"] * MICRO), request.user)
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


def _kept(merchant: Merchant | None) -> dict[str, Any]:
    if merchant is None:
        return {}
    rule = rule_of(merchant.pk)
    return {"ask_models": rule.ask_models, "above_usd": f"{rule.ask_first_above_micro_usd / MICRO:.2f}"}


JOBS_TO_TRY = 50


@require_GET
@allowed(Action.SEE_JOBS)
def evaluation(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    """How the document was judged: score by score, by whom, why, and for how much (TA-P1-11)."""
    job = documents.get_job(request.user, job_id)
    context = presenters.evaluation_context(job, selectors.evaluation_of(job))
    return render(request, "processing/evaluation.html", {"nav": "documents", **context})


@require_GET
@allowed(Action.SEE_JOBS)
def page_models(request: SignedInRequest, job_id: UUID, number: int) -> HttpResponse:
    """What models were asked about one page, shown in its dialog."""
    page = documents.get_page(request.user, job_id, number)
    context = presenters.page_context(page, selectors.evaluation_of(page.job))
    return render(request, "processing/_page_models.html", context)


class TryForm(forms.Form):
    job = forms.ModelChoiceField(Job.objects.none(), label=gettext_lazy("Document"))
    number = forms.IntegerField(label=gettext_lazy("Page"), min_value=1, max_value=100_000, initial=1)
    language = forms.ChoiceField(
        label=gettext_lazy("Language"), choices=[("zh", gettext_lazy("Chinese")), ("en", gettext_lazy("English"))]
    )
    confirm = forms.BooleanField(label=gettext_lazy("Send it to a model; this costs money"), required=False)

    def __init__(self, request: SignedInRequest) -> None:
        super().__init__(request.POST or None)
        newest = documents.list_jobs(request.user).values("pk")[:JOBS_TO_TRY]
        self.fields["job"] = forms.ModelChoiceField(
            Job.objects.filter(pk__in=newest).order_by("-pk"), label=gettext_lazy("Document")
        )


@require_http_methods(["GET", "POST"])
@allowed(Action.OPERATE)
def prompt_try(request: SignedInRequest, prompt_id: int) -> HttpResponse:
    """What this version would send for a page that was read; confirmed, also what a model answers."""
    prompt = get_object_or_404(PromptVersion, pk=prompt_id)
    form, trial, answer, can_send = TryForm(request), None, None, trying.can_send()
    if request.method == "POST" and form.is_valid():
        cleaned = form.cleaned_data
        try:
            trial = trying.prepare_trial(prompt, cleaned["job"], cleaned["number"], cleaned["language"])
        except NotFound:
            form.add_error("number", _("This page has not been read."))
        if trial is not None and cleaned["confirm"] and can_send:
            answer = trying.send_trial(trial)
    context = {"prompt": prompt, "word": prompt_word(prompt.key), "form": form, "trial": trial, "answer": answer}
    return render(request, "processing/prompt_try.html", context | {"can_send": can_send})


@require_http_methods(["GET", "POST"])
@allowed(Action.SUPERVISE)
def personal_data(request: SignedInRequest) -> HttpResponse:
    """In which documents of a merchant somebody's number or address stands; what is looked for is in no address."""
    merchants = merchants_of(request.user)
    chosen = chosen_merchant(merchants, request.POST.get("merchant", ""), request.user)
    chosen = chosen or (merchants[0] if merchants and request.method == "GET" else None)
    form = SoughtForm(request.POST) if request.method == "POST" else SoughtForm()
    hits = None
    if chosen is not None and form.is_valid():
        try:
            hits = finding.search(chosen, form.cleaned_data["value"], request.user.get_username(), MOST_PAGES)
        except ValueError:
            form.add_error("value", _("No telephone number, no mail address, no other number of 7 digits or more."))
    context = {
        "nav": "ops",
        "merchant": chosen,
        "merchants": merchants,
        "form": form,
        "hits": hits,
        "found": [(job, ranges(numbers)) for job, numbers in hits.pages.items()] if hits else [],
    }
    return render(request, "processing/personal_data.html", context, status=400 if form.errors else 200)
