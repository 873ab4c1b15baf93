"""Entry points of pictures: thumbnails and page images from storage, to those who may see the page."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from catalogsku.core import storage
from catalogsku.core.errors import NotFound
from ingestion import selectors
from ingestion.services import screenshots

SHOWN_AGAIN, SHOWN_ONCE = "private, max-age=600", "private, no-store"
TYPES = {"webp": "image/webp", "jpg": "image/jpeg", "png": "image/png"}


def stored_picture(key: str) -> FileResponse:
    """The file, cached by the browser alone: its address names the page, its content does not change."""
    kind = TYPES.get(key.rpartition(".")[2])
    if not key or kind is None or not storage.has_file(key):
        raise Http404
    response = FileResponse(storage.open_file(key), content_type=kind)
    response["Cache-Control"] = SHOWN_AGAIN
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response


@require_GET
@login_required
def page_thumb(request: HttpRequest, job_id: UUID, number: int) -> FileResponse:
    try:
        return stored_picture(selectors.get_page(request.user, job_id, number).thumbnail_key)  # type: ignore[arg-type]
    except NotFound:
        raise Http404 from None


@require_GET
@login_required
def page_image(request: HttpRequest, job_id: UUID, number: int) -> FileResponse | HttpResponse:
    """The largest picture of the page that is there. Where that is the preview, the page is drawn large for whoever
    looks at it; ``?whole`` asks for that alone: 202 while it is to come, 404 where it never will."""
    try:
        page = selectors.get_page(request.user, job_id, number)  # type: ignore[arg-type]
    except NotFound:
        raise Http404 from None
    if not page.awaits_screenshot:
        return stored_picture(page.shown_key)
    coming = screenshots.is_coming(page)
    response: HttpResponse | FileResponse
    if "whole" not in request.GET:
        response = stored_picture(page.shown_key)
    elif coming:
        response = HttpResponse(status=202, headers={"Retry-After": "1"})
    else:
        raise Http404
    response["Cache-Control"] = SHOWN_ONCE
    return response
