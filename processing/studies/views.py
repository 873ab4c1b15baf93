"""Entry points of templates of studies: those there are, and one of them, put together in forms and saved."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import msgspec
from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.merchants import chosen_merchant, merchants_of
from catalogsku.accounts.models import Merchant
from catalogsku.accounts.permissions import Action
from catalogsku.core.errors import NotFound, ProductError
from processing.problems import sentence
from processing.studies import drafting, files, presenters, selectors
from processing.studies.definition import Fault
from processing.studies.drafting import Draft, NotThere
from processing.studies.faults import TemplateInvalid
from processing.studies.models import Template, TemplateVersion
from processing.studies.services import templates

# More than any draft that can be saved; what is larger was not made here.
DRAFT_MOST = files.FILE_BYTES_MOST
VERSIONS_SHOWN = 50


class DeskForm(forms.Form):
    """``draft``: the template as it stands on the page, as JSON; ``seen``: the version it came from; ``at``: the part
    whose inputs are sent with it; ``do``: what is to be done, with the place it is done at."""

    do = forms.RegexField(r"^(keep|save|over|(open|add|remove|up|down):[a-z0-9_.]{0,60})$", required=False)
    draft = forms.CharField(max_length=DRAFT_MOST, strip=False)
    seen = forms.IntegerField(min_value=1, max_value=2**31 - 1)
    at = forms.RegexField(r"^[a-z0-9_.]{0,60}$", required=False)
    name = forms.CharField(max_length=200, required=False)
    name_zh = forms.CharField(max_length=200, required=False)
    reason = forms.CharField(max_length=200, required=False)


@dataclass
class Desk:
    """What one page shows. ``newest``: where somebody else has saved meanwhile, the version that stands now."""

    draft: Draft
    seen: int
    name: str
    name_zh: str
    at: str = ""
    reason: str = ""
    error: str = ""
    faults: tuple[Fault, ...] = ()
    newest: int = 0
    is_changed: bool = False


@require_GET
@allowed(Action.SUPERVISE)
def study_templates(request: SignedInRequest) -> HttpResponse:
    """``merchant``: id of one of the person's."""
    merchants = merchants_of(request.user)
    merchant = chosen_merchant(merchants, request.GET.get("merchant", ""), request.user)
    rows = selectors.templates_of(request.user, merchant.pk if merchant else 0, archived=True)
    for row in rows:
        row.words = presenters.name_of(row)
    context = {
        "nav": "documents",
        "merchant": merchant,
        "merchants": merchants,
        "own": [row for row in rows if row.merchant_id is not None],
        "shipped": [row for row in rows if row.merchant_id is None],
    }
    return render(request, "processing/study_templates.html", context)


@require_http_methods(["GET", "POST"])
@allowed(Action.SUPERVISE)
def study_template(request: SignedInRequest, template_id: UUID) -> HttpResponse:
    """``version``: an earlier one, to read, or to go on from."""
    template = selectors.get_template(request.user, template_id)
    number = request.GET.get("version", "")
    version = selectors.get_version(template, int(number) if number.isdecimal() and len(number) < 10 else None)
    newest = selectors.get_version(template)
    desk = Desk(drafting.draft_of(selectors.definition_in(version)), newest.number, template.name, template.name_zh)
    if request.method == "POST":
        form = DeskForm(request.POST)
        if not form.is_valid():
            desk.error = _("What was sent cannot be read.")
        elif (saved := _work(request, template, desk, form.cleaned_data)) is not None:
            messages.success(request, _("Saved as version %(n)s") % {"n": saved.number})
            return redirect("study_template", template.uuid)
    return _page(request, template, version, desk)


def _work(request: SignedInRequest, template: Template, desk: Desk, given: dict[str, Any]) -> TemplateVersion | None:
    """The version, where one was saved."""
    desk.seen, desk.at, desk.reason = given["seen"], given["at"], given["reason"]
    desk.name, desk.name_zh, desk.is_changed = given["name"], given["name_zh"], True
    do, _colon, at = given["do"].partition(":")
    try:
        desk.draft = drafting.draft_in(given["draft"])
        if desk.at:
            drafting.put(desk.draft, desk.at, request.POST.dict())
        if do in ("save", "over"):
            return _save(request, template, desk, given["reason"], is_over=do == "over")
        _arrange(desk, do, at)
    except NotThere:
        desk.error = _("What was sent cannot be read.")
    except TemplateInvalid as refused:
        desk.faults = refused.faults
        desk.at = drafting.owner_of(desk.faults[0].path)
    except ProductError as refused:
        desk.error = sentence(refused.code, refused.params)
        desk.newest = int(refused.params["now"]) if refused.code == "template_stale" else 0  # type: ignore[call-overload]
    return None


def _save(request: SignedInRequest, template: Template, desk: Desk, reason: str, *, is_over: bool) -> TemplateVersion:
    """``is_over``: also where somebody else has saved: theirs stays as the version before."""
    definition = templates.checked(desk.draft)
    expected = None if is_over else desk.seen
    return templates.save_named(
        template, definition, request.user, name=desk.name, name_zh=desk.name_zh, expected=expected, reason=reason
    )


def _arrange(desk: Desk, do: str, at: str) -> None:
    if do == "open":
        desk.at = "" if at == desk.at else at
    elif do == "add":
        desk.at = drafting.add(desk.draft, at)
    elif do == "remove":
        drafting.remove(desk.draft, at)
        desk.at = ""
    elif do in ("up", "down"):
        desk.at = drafting.move(desk.draft, at, -1 if do == "up" else 1)


def _page(request: SignedInRequest, template: Template, version: TemplateVersion, desk: Desk) -> HttpResponse:
    open_part = presenters.spot(desk.draft, desk.at, desk.faults)
    at = open_part.at if open_part else ""
    context = {
        "nav": "documents",
        "template": template,
        "words": presenters.name_of(template),
        "version": version,
        "desk": desk,
        "may_edit": template.merchant_id is not None and not template.archived,
        "merchants": merchants_of(request.user),
        "draft": msgspec.json.encode(desk.draft).decode(),
        "spot": open_part,
        "groups": presenters.groups_in(desk.draft, at, desk.faults),
        "checks": presenters.checks_in(desk.draft, at, desk.faults),
        "told": presenters.told(desk.draft, desk.faults),
        "types": presenters.TYPE_WORDS.items(),
        "repeats": presenters.REPEAT_WORDS.items(),
        "kinds": presenters.kinds_of_checks(),
        "versions": selectors.versions_of(template)[:VERSIONS_SHOWN],
    }
    is_refused = bool(desk.error or desk.faults)
    return render(request, "processing/study_template.html", context, status=400 if is_refused else 200)


@require_POST
@allowed(Action.SUPERVISE)
def study_template_clone(request: SignedInRequest, template_id: UUID) -> HttpResponse:
    """``merchant``: for whom; ``name``; ``version``: which one of it, the newest where none is named."""
    template = selectors.get_template(request.user, template_id)
    number = request.POST.get("version", "")
    source = selectors.get_version(template, int(number) if number.isdecimal() and len(number) < 10 else None)
    merchant: Merchant | None = chosen_merchant(
        merchants_of(request.user), request.POST.get("merchant", ""), request.user
    )
    if merchant is None:
        raise NotFound("not_found")
    try:
        made = templates.clone_template(source, merchant, request.user, name=request.POST.get("name", ""))
    except ProductError as refused:
        messages.error(request, sentence(refused.code, refused.params))
        return redirect("study_template", template.uuid)
    return redirect("study_template", made.template.uuid)


@require_POST
@allowed(Action.SUPERVISE)
def study_template_archive(request: SignedInRequest, template_id: UUID) -> HttpResponse:
    """``archived``: 1 puts it away, anything else takes it back."""
    template = selectors.get_template(request.user, template_id)
    try:
        templates.set_archived(template, request.user, archived=request.POST.get("archived") == "1")
    except ProductError as refused:
        messages.error(request, sentence(refused.code, refused.params))
    return redirect("study_template", template.uuid)


@require_GET
@allowed(Action.SUPERVISE)
def study_template_file(request: SignedInRequest, template_id: UUID) -> HttpResponse:
    """The newest version as a file."""
    template = selectors.get_template(request.user, template_id)
    definition = selectors.definition_in(selectors.get_version(template))
    text = files.written(template.key, template.name, template.name_zh, definition)
    disposition = content_disposition_header(as_attachment=True, filename=f"{template.key}.json")
    return HttpResponse(text, content_type="application/json", headers={"Content-Disposition": disposition or ""})
