"""Entry points of copies without scripts: the button of a refused file, and the merchant's rule for such files."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.merchants import chosen_merchant, merchants_of
from catalogsku.accounts.permissions import Action
from catalogsku.core.errors import Conflict
from ingestion import selectors
from ingestion.models import ActiveFiles
from ingestion.problems import sentence
from ingestion.services import copies


@require_POST
@allowed(Action.READ_COPY)
def job_copy(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    """Pressed twice it is done once."""
    document = selectors.get_job(request.user, job_id)
    try:
        if copies.read_copy(document, request.user.username):
            messages.success(request, _("The file is checked again, and a copy of it is read"))
    except Conflict as refused:
        messages.warning(request, sentence(refused.code, refused.params))
    return redirect("job", document.uuid)


class FileRuleForm(forms.Form):
    active_files = forms.ChoiceField(
        choices=ActiveFiles.choices, label=gettext_lazy("Files with scripts, actions or attachments")
    )


@require_http_methods(["GET", "POST"])
@allowed(Action.READ_COPY)
def file_rule(request: SignedInRequest) -> HttpResponse:
    """``merchant``: id of one of the person's; their own where none is named."""
    merchants = merchants_of(request.user)
    named = request.POST.get("merchant") or request.GET.get("merchant", "")
    chosen = chosen_merchant(merchants, named, request.user)
    initial: dict[str, Any] = {"active_files": copies.rule_of(chosen.pk).active_files} if chosen else {}
    form = FileRuleForm(request.POST) if request.method == "POST" else FileRuleForm(initial=initial)
    if request.method == "POST" and chosen is not None and form.is_valid():
        copies.set_rule(chosen, form.cleaned_data["active_files"], request.user)
        messages.success(request, _("Saved: it holds for files that are checked from now on"))
        return redirect(f"{reverse('file_rule')}?merchant={chosen.pk}")
    context = {"nav": "documents", "merchant": chosen, "merchants": merchants, "form": form}
    return render(request, "ingestion/file_rule.html", context)
