"""Entry points of exports: the panel, asking for one, layouts, and the signed links to stored files."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_GET, require_POST, require_safe

from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.models import Merchant
from catalogsku.accounts.permissions import Action
from catalogsku.core.errors import NotFound, ProductError, Refused
from catalogsku.core.streamed import in_blocks
from ingestion import problems as documents_problems
from ingestion import selectors as documents
from ingestion.kinds import KINDS
from ingestion.models import Job
from processing.exports import presenters, selectors
from processing.exports.formats import TYPES
from processing.exports.listed import ADDRESS_MOST_CHARS
from processing.exports.models import Export, ExportKind, ExportLayout, Headings
from processing.exports.ranges import blocks, part_of
from processing.exports.services import exporting, signed_links
from processing.exports.services.exporting import Wish, contents_of
from processing.problems import PROBLEMS


class ReachForm(forms.Form):
    """Of what: one document, or all of a merchant, without one the person's own. ``listed``: the address of a list that
    shows some of it."""

    job = forms.UUIDField(required=False)
    merchant = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1)
    layout = forms.UUIDField(required=False)
    listed = forms.CharField(required=False, max_length=ADDRESS_MOST_CHARS)


class ExportForm(ReachForm):
    kind = forms.ChoiceField(choices=ExportKind.choices)
    headings = forms.ChoiceField(choices=Headings.choices, required=False)
    pictures = forms.BooleanField(required=False)
    which = forms.ChoiceField(choices=[(name, name) for name in ("all", "listed", "full", "changes")], required=False)


# The last one: what of an address filters.
Reach = tuple[Merchant, Job | None, ExportLayout | None, str]


def _reach(request: SignedInRequest, fields: dict[str, Any]) -> Reach:
    """Raises NotFound where the person may not see one of them, or they do not belong together."""
    job = documents.get_job(request.user, fields["job"]) if fields.get("job") else None
    merchant = job.merchant if job else selectors.get_merchant(request.user, fields.get("merchant"))
    layout = selectors.get_layout(request.user, fields["layout"]) if fields.get("layout") else None
    if layout is not None and layout.merchant_id != merchant.pk:
        raise NotFound("not_found")
    address = fields.get("listed") or ""
    return merchant, job, layout, contents_of(job, address).address(merchant, job, address)


def _given(form: forms.Form) -> dict[str, Any]:
    """Raises NotFound for ids that are none: nothing is there."""
    if not form.is_valid():
        raise NotFound("not_found")
    return form.cleaned_data


@require_GET
@allowed(Action.EXPORT)
def export_panel(request: SignedInRequest) -> HttpResponse:
    """The whole panel, for one document or all; with the header X-Fragment only the exports in it."""
    try:
        reach = _reach(request, _given(ReachForm(request.GET)))
    except NotFound:
        if request.GET:
            raise
        return render(request, "processing/_export_nobody.html")
    except Refused as refused:
        return render(request, "processing/export_refused.html", _explained(refused), status=_known()[refused.code][0])
    if request.headers.get("X-Fragment") == "region":
        return render(request, "processing/_exports.html", presenters.recent_context(request.user, *reach[:2]))
    return render(request, contents_of(reach[1], reach[3]).form, presenters.panel_context(request.user, *reach))


@require_POST
@allowed(Action.EXPORT)
def export_make(request: SignedInRequest) -> HttpResponse:
    form = ExportForm(request.POST)
    if not form.is_valid():
        return redirect("all_results")
    cleaned = form.cleaned_data
    merchant, job, layout, wanted = _reach(request, cleaned)
    wish = Wish(
        cleaned["kind"],
        request.POST.getlist("columns"),
        cleaned["headings"] or Headings.KEYS,
        layout,
        cleaned["pictures"],
        is_delta=cleaned["which"] == "changes",
        full_only=cleaned["which"] == "full",
        listed=wanted if cleaned["which"] == "listed" else "",
    )
    said = ""
    try:
        exporting.ask_for(request.user, merchant, job, wish)
    except ProductError as error:
        said = _sentence(error)
    return _answer(request, (merchant, job, layout, wanted), "_exports", said)


@require_POST
@allowed(Action.EXPORT)
def layout_save(request: SignedInRequest) -> HttpResponse:
    """Under the name that was given; or `delete` for the one that is shown."""
    form = ReachForm(request.POST)
    if not form.is_valid() or not ({"name", "delete"} & set(request.POST)):
        return redirect("all_results")
    merchant, job, layout, wanted = _reach(request, form.cleaned_data)
    if "delete" in request.POST:
        if layout is not None:
            exporting.delete_layout(layout)
        return _answer(request, (merchant, job, None, wanted), "_export_form")
    headings, said = request.POST.get("headings", ""), ""
    try:
        layout = exporting.save_layout(
            request.user,
            merchant,
            request.POST.get("name", ""),
            request.POST.getlist("columns"),
            headings if headings in Headings else Headings.KEYS,
        )
    except ProductError as error:
        said = _sentence(error)
    return _answer(request, (merchant, job, layout, wanted), "_export_form", said)


def _known() -> dict[str, Any]:
    """Codes of documents, too: a filter may name a template that there is not."""
    return {**documents_problems.PROBLEMS, **PROBLEMS}


def _sentence(error: ProductError) -> str:
    words = _known()[error.code][1]
    return str(words) % error.params if error.params else str(words)


def _answer(request: SignedInRequest, reach: Reach, name: str, said: str = "") -> HttpResponse:
    """The part of the panel that changed; a browser without scripts gets the page again."""
    if "HX-Request" not in request.headers:
        if said:
            messages.warning(request, said)
        if reach[1] is not None:
            return redirect(KINDS[reach[1].kind].screen or "results", reach[1].uuid)
        return redirect(contents_of(None, reach[3]).screen)
    context = presenters.recent_context(request.user, *reach[:2])
    if name == "_export_form":
        context = presenters.panel_context(request.user, *reach)
    return render(request, f"processing/{name}.html", {**context, "said": said})


@require_GET
@allowed(Action.EXPORT)
def export_link(request: SignedInRequest, export_id: UUID) -> JsonResponse:
    """A new link, for a page whose own has expired (LX-RESIGN)."""
    link = signed_links.link_to(selectors.get_export(request.user, export_id), request.user)
    return JsonResponse({"url": link.url, "good_for_s": link.good_for_s}, headers={"Cache-Control": "no-store"})


@require_safe
def export_file(request: HttpRequest, token: str) -> HttpResponseBase:
    """The file, whole or one part of it, to whoever has a link that holds; without a session, for programs too."""
    try:
        return _file(request, signed_links.export_of(token))
    except ProductError as error:
        status = PROBLEMS[error.code][0] if error.code in PROBLEMS else error.http_status
        return render(request, "processing/export_refused.html", _explained(error), status=status)


def _explained(error: ProductError) -> dict[str, str]:
    return {"said": _sentence(error), "code": error.code}


def _file(request: HttpRequest, export: Export) -> HttpResponseBase:
    etag, size = f'"{export.sha256}"', export.size_bytes
    unchanged = get_conditional_response(request, etag=etag)
    if unchanged is not None:
        return unchanged
    is_same = request.headers.get("If-Range", etag) == etag
    part = part_of(request.headers.get("Range", ""), size) if is_same else None
    sent = part if part is not None else range(size)
    response: HttpResponseBase = HttpResponse()
    if request.method == "GET":
        response = StreamingHttpResponse(in_blocks(blocks(export.storage_key, sent)))
        if sent.stop == size:
            signed_links.note_fetched(export)
    if part is not None:
        response.status_code = 206
        response["Content-Range"] = f"bytes {part.start}-{part.stop - 1}/{size}"
    response["Content-Type"] = TYPES[ExportKind(export.kind)]
    response["Content-Length"] = str(len(sent))
    response["Accept-Ranges"] = "bytes"
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    response["Content-Disposition"] = content_disposition_header(True, signed_links.file_name(export)) or "attachment"
    return response
