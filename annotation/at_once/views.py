"""Entry points of corrections at once: the form beside a value, taking it back, and the merchant's rule."""

import json
from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from annotation.at_once import services
from annotation.at_once.services import WHY_MOST_CHARS, Corrected
from annotation.problems import fault_sentence, sentence
from annotation.workbench.services.submitting import Invalid
from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.merchants import chosen_merchant, merchants_of
from catalogsku.accounts.permissions import Action
from catalogsku.core.errors import Conflict, ProductError, Refused
from processing.corrections.selectors import allows_at_once
from processing.corrections.services.page_faults import MOST_CHARS
from processing.corrections.services.rules import set_rule
from processing.products import presenters, selectors

# What a person may insist on, as the page prints it so.
DOUBTS = frozenset(
    {"price_unclear", "figures_mixed", "number_missing", "currency_unknown", "not_printed", "insist_why_missing"}
)
# Another press of the same button may succeed after these.
MENDABLE = frozenset({"value_moved_on", "value_missing", "value_same", "bad_command"})


class CorrectForm(forms.Form):
    field = forms.CharField(max_length=60)
    value = forms.CharField(max_length=MOST_CHARS, required=False)
    why = forms.CharField(max_length=WHY_MOST_CHARS, required=False)
    insist = forms.BooleanField(required=False)
    revision = forms.IntegerField(min_value=1, max_value=2**31 - 1)
    submit_id = forms.UUIDField()


class UndoForm(forms.Form):
    correction = forms.UUIDField()
    field = forms.CharField(max_length=60)


@require_http_methods(["GET", "POST"])
@allowed(Action.CORRECT)
def sku_correct(request: SignedInRequest, job_id: UUID, sku_id: str) -> HttpResponse:
    """``field``: the key of the value. Answered in its row; the header HX-Trigger says that it was done."""
    if request.method == "GET":
        return _form(request, job_id, sku_id, request.GET.get("field", ""))
    selectors.get_sku(request.user, job_id, sku_id)  # whatever was typed: what is not theirs is not there
    form = CorrectForm(request.POST)
    key = request.POST.get("field", "")
    typed = {name: request.POST.get(name, "") for name in ("value", "why", "insist")}
    try:
        if not form.is_valid():
            raise Refused("bad_command", what=", ".join(form.errors))
        cleaned = form.cleaned_data
        wanted = Corrected(
            key, cleaned["value"], cleaned["revision"], cleaned["why"], cleaned["insist"], cleaned["submit_id"]
        )
        services.correct(request.user, job_id, sku_id, wanted)
    except (Invalid, Conflict, Refused) as refused:
        if "HX-Request" not in request.headers:
            return _back(request, job_id, refused)
        return _form(request, job_id, sku_id, key, typed, refused)
    return _done(request, job_id, key)


@require_POST
@allowed(Action.CORRECT)
def sku_correct_undo(request: SignedInRequest, job_id: UUID, sku_id: str) -> HttpResponse:
    selectors.get_sku(request.user, job_id, sku_id)
    form = UndoForm(request.POST)
    try:
        if not form.is_valid():
            raise Refused("bad_command", what=", ".join(form.errors))
        services.take_back(request.user, job_id, sku_id, form.cleaned_data["correction"])
    except (Conflict, Refused) as refused:
        if "HX-Request" not in request.headers:
            return _back(request, job_id, refused)
        return _refused(request, refused.code, sentence(refused.code, refused.params))
    return _done(request, job_id, form.cleaned_data["field"])


def _done(request: SignedInRequest, job_id: UUID, key: str) -> HttpResponse:
    """The dialog shows the product as it is now; without scripts its list does."""
    if "HX-Request" not in request.headers:
        return redirect("results", job_id)
    answer = HttpResponse()
    answer["HX-Trigger"] = json.dumps({"corrected": {"field": key}})
    return answer


def _back(request: SignedInRequest, job_id: UUID, refused: ProductError) -> HttpResponse:
    """Without scripts: to the list, which says why."""
    messages.warning(request, sentence(refused.code, refused.params))
    return redirect("results", job_id)


def _refused(request: SignedInRequest, code: str, said: str) -> HttpResponse:
    return render(request, "annotation/_correct_refused.html", {"said": said, "code": code})


def _form(
    request: SignedInRequest,
    job_id: UUID,
    sku_id: str,
    key: str,
    typed: dict[str, str] | None = None,
    refused: ProductError | None = None,
) -> HttpResponse:
    """Of the value as it stands now; ``typed``: what the person has there already, and why it was ``refused``."""
    sku = selectors.get_sku(request.user, job_id, sku_id)
    cell = presenters.sku_context(sku.job, sku, key)["value"]
    if cell is None:
        return _refused(request, "unknown_key", fault_sentence("unknown_key", {"key": key[:40]}))
    shown = typed or {"value": cell.text or "", "why": "", "insist": ""}
    code, words, report = "", "", False
    if isinstance(refused, Invalid):
        code, words = refused.faults[0].code, fault_sentence(refused.faults[0].code, refused.faults[0].params)
    elif refused is not None:
        code, words = refused.code, sentence(refused.code, refused.params)
        report = code not in MENDABLE
    context = {
        "job_uuid": job_id,
        "sku": {"sku_id": sku_id},
        "value": cell,
        "given": shown,
        "revision": sku.revision,
        "submit_id": uuid4(),
        "told": words,
        "code": code,
        "insisting": code in DOUBTS or shown["insist"],
        "report": report,
        "report_text": _report_text(cell, shown),
    }
    return render(request, "annotation/_correct_form.html", context)


def _report_text(cell: presenters.ValueCell, shown: dict[str, str]) -> str:
    """What was typed, as a report says it."""
    change = _("%(label)s: %(before)s should be %(after)s") % {
        "label": cell.label,
        "before": cell.text or "—",
        "after": shown["value"],
    }
    return "\n".join(filter(None, [change, shown["why"]]))[:WHY_MOST_CHARS]


class RuleForm(forms.Form):
    at_once = forms.ChoiceField(
        choices=[
            ("no", pgettext_lazy("corrections", "are reported, and corrected by people who do tasks")),
            ("yes", pgettext_lazy("corrections", "may be corrected at once by uploaders and leads")),
        ],
        label=gettext_lazy("Wrong values in results"),
    )


@require_http_methods(["GET", "POST"])
@allowed(Action.SUPERVISE)
def correction_rule(request: SignedInRequest) -> HttpResponse:
    """``merchant``: id of one of the person's; their own where none is named."""
    merchants = merchants_of(request.user)
    named = request.POST.get("merchant") or request.GET.get("merchant", "")
    chosen = chosen_merchant(merchants, named, request.user)
    initial = {"at_once": "yes" if chosen and allows_at_once(chosen.pk) else "no"}
    form = RuleForm(request.POST) if request.method == "POST" else RuleForm(initial=initial)
    if request.method == "POST" and chosen is not None and form.is_valid():
        set_rule(chosen, request.user, at_once=form.cleaned_data["at_once"] == "yes")
        messages.success(request, _("Saved: it holds from now on"))
        return redirect(f"{reverse('correction_rule')}?merchant={chosen.pk}")
    context = {"nav": "results", "merchant": chosen, "merchants": merchants, "form": form}
    return render(request, "annotation/correction_rule.html", context)
