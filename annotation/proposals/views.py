"""Entry points of proposed attributes: what people confirmed so often that it belongs to its category's schema."""

from collections.abc import Iterable

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotation.problems import sentence
from annotation.proposals import services
from annotation.proposals.models import AttributeProposal
from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.permissions import Action
from catalogsku.core.errors import ProductError
from catalogsku.profiles.models import CategorySchema

SHOWN = 100


class DecisionForm(forms.Form):
    """``into``: key of the attribute whose further label it is."""

    do = forms.ChoiceField(choices=[("accept", ""), ("decline", "")])
    into = forms.CharField(max_length=60, required=False)


@require_GET
@allowed(Action.OPERATE)
def proposals(request: SignedInRequest) -> HttpResponse:
    newest = AttributeProposal.objects.filter(state=AttributeProposal.State.OPEN).order_by("-confirmed", "pk")[:SHOWN]
    rows = list(newest)
    schemas = CategorySchema.objects.filter(active=True, key__in={row.category for row in rows})
    return render(
        request,
        "annotation/proposals.html",
        {
            "nav": "tasks",
            "rows": [(row, _attributes(schemas, row.category)) for row in rows],
            "least": services.CONFIRMED_LEAST,
        },
    )


def _attributes(schemas: Iterable[CategorySchema], category: str) -> list[tuple[str, str]]:
    schema = next((row for row in schemas if row.key == category), None)
    entries = schema.resolved_attributes if schema is not None else []
    return [(entry["key"], entry.get("label_en") or entry.get("label_zh") or entry["key"]) for entry in entries]


@require_POST
@allowed(Action.OPERATE)
def decide(request: SignedInRequest, proposal_id: int) -> HttpResponse:
    form = DecisionForm(request.POST)
    try:
        if form.is_valid() and form.cleaned_data["do"] == "accept":
            schema = services.accept(request.user, proposal_id, form.cleaned_data["into"])
            words = _("%(schema)s has it; documents from now on are read with it")
            messages.success(request, words % {"schema": str(schema)})
        elif form.is_valid():
            services.decline(request.user, proposal_id)
    except ProductError as refused:
        messages.error(request, sentence(refused.code, refused.params))
    return redirect("attribute_proposals")
