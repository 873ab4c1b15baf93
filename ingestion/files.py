"""Entry points of pictures: thumbnails and page images from storage, to those who may see the page."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest
from django.views.decorators.http import require_GET

from catalogsku.core import storage
from catalogsku.core.errors import NotFound
from ingestion import selectors

TYPES = {"webp": "image/webp", "jpg": "image/jpeg", "png": "image/png"}


def stored_picture(key: str) -> FileResponse:
    """The file, cached by the browser alone: its address names the page, its content does not change."""
    kind = TYPES.get(key.rpartition(".")[2])
    if not key or kind is None or not storage.has_file(key):
        raise Http404
    response = FileResponse(storage.open_file(key), content_type=kind)
    response["Cache-Control"] = "private, max-age=600"
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
def page_image(request: HttpRequest, job_id: UUID, number: int) -> FileResponse:
    try:
        return stored_picture(selectors.get_page(request.user, job_id, number).shown_key)  # type: ignore[arg-type]
    except NotFound:
        raise Http404 from None
