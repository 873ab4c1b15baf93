"""Entry points of keeping and deleting, for administrators: rules, what would go, and the record of what went."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.merchants import chosen_merchant, merchants_of
from catalogsku.accounts.models import Merchant
from catalogsku.accounts.permissions import Action
from catalogsku.core.errors import Conflict
from ingestion.keeping import presenters, selectors
from ingestion.keeping.models import DAYS_MAX, KeepingRule, Subject
from ingestion.keeping.policies import DEFAULT_DAYS, Kind
from ingestion.keeping.services import deleting, rules
from ingestion.problems import PROBLEMS, sentence


class RuleForm(forms.Form):
    """Days by kind; empty: as it holds for all."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for kind in DEFAULT_DAYS:
            self.fields[kind] = forms.IntegerField(
                min_value=0, max_value=DAYS_MAX, required=False, label=Kind(kind).label
            )


class DeleteForm(forms.Form):
    subject = forms.ChoiceField(choices=Subject.choices)
    which = forms.CharField(max_length=300)


@require_http_methods(["GET", "POST"])
@allowed(Action.OPERATE)
def keeping(request: SignedInRequest) -> HttpResponse:
    """``merchant``: id of the one whose rule it is; that of all where none is named."""
    if request.headers.get("X-Fragment") == "region":
        return render(request, "ingestion/_deletions.html", _records())
    merchants = merchants_of(request.user)
    named = request.POST.get("merchant") or request.GET.get("merchant", "")
    merchant = chosen_merchant(merchants, named, request.user) if named else None
    form = RuleForm(request.POST) if request.method == "POST" else RuleForm(initial=_own_days(merchant))
    if request.method == "POST" and form.is_valid():
        rules.set_rule(merchant, form.cleaned_data, request.user)
        messages.success(request, _("Saved: what has gone already does not come back"))
        return redirect(f"{reverse('keeping')}?merchant={merchant.pk}" if merchant else "keeping")
    wanted = {"subject": request.GET.get("subject", Subject.DOCUMENT), "which": request.GET.get("which", "")[:300]}
    return _page(request, merchant, form, DeleteForm(initial=wanted), status=400 if form.errors else 200)


def _own_days(merchant: Merchant | None) -> dict[str, int | None]:
    rule = KeepingRule.objects.filter(merchant=merchant).first()
    return {kind: getattr(rule, f"{kind}_days") for kind in DEFAULT_DAYS} if rule else {}


def _page(
    request: SignedInRequest,
    merchant: Merchant | None,
    form: RuleForm,
    delete_form: DeleteForm,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    fallback = selectors.days() if merchant else DEFAULT_DAYS
    context = {
        "nav": "ops",
        "merchant": merchant,
        "merchants": merchants_of(request.user),
        "rows": [(form[kind], fallback[kind]) for kind in DEFAULT_DAYS],
        "delete_form": delete_form,
        **_records(),
        **more,
    }
    return render(request, "ingestion/keeping.html", context, status=status)


def _records() -> dict[str, Any]:
    return {"deletions": presenters.deletion_rows(selectors.last_deletions())}


@require_POST
@allowed(Action.OPERATE)
def keeping_delete(request: SignedInRequest) -> HttpResponse:
    """What would go; with ``sure`` it goes. 409 with a sentence for what is under way."""
    form = DeleteForm(request.POST)
    rule_form = RuleForm(initial=_own_days(None))
    if not form.is_valid():
        return _page(request, None, rule_form, form, status=400)
    target = selectors.find_target(form.cleaned_data["subject"], form.cleaned_data["which"])
    if target is None:
        return _page(request, None, rule_form, form, status=404, refused=_("There is none of that name or number."))
    try:
        if request.POST.get("sure"):
            deleting.ask(target, request.user)
            messages.success(request, _("The deletion has begun; its record says when it is done"))
            return redirect("keeping")
        would = deleting.preview(target)
    except Conflict as conflict:
        refused = sentence(conflict.code, conflict.params)
        return _page(request, None, rule_form, form, status=PROBLEMS[conflict.code][0], refused=refused)
    by_kind = presenters.rows_by_kind(would.rows)
    personal = presenters.personal_words(would.personal_data)
    return _page(
        request, None, rule_form, form, target=target, preview=would, preview_rows=by_kind, preview_personal=personal
    )
