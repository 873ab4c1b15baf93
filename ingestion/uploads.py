"""Entry point of resumable uploads: the tus 1.0 protocol (creation, offset, parts, termination)."""

import base64
import binascii
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.views import View

from catalogsku.accounts.bearer import by_token, refusal
from catalogsku.core.arriving import ARRIVED
from catalogsku.core.errors import Conflict, ProductError, Refused
from ingestion.kinds import CATALOGUE
from ingestion.lifecycle import Urgency
from ingestion.models import Job
from ingestion.problems import problem
from ingestion.services import receiving

TUS = {"Tus-Resumable": "1.0.0", "Cache-Control": "no-store"}


class TusView(View):
    """Answers every refusal as a problem with its code; asks for a login with 401 instead of a page."""

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return _with_tus(refusal(request, Refused("not_signed_in")))
        try:
            response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        except ProductError as error:
            job = error.params.pop("job", None)
            if isinstance(job, Job):
                error.params["extra"] = {
                    "job_url": reverse("job", args=[job.uuid]),
                    "existing": {"name": job.source_name, "at": job.created_at.isoformat()},
                }
            response = problem(request, error)
        return _with_tus(response)


def _with_tus(response: HttpResponseBase) -> HttpResponseBase:
    for name, value in TUS.items():
        response.headers.setdefault(name, value)
    return response


class UploadCreate(TusView):
    part = "upload"

    def options(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        return HttpResponse(status=204, headers={"Tus-Version": "1.0.0", "Tus-Extension": "creation,termination"})

    def post(self, request: HttpRequest) -> HttpResponse:
        upload = receiving.begin_upload(request.user, announcement(request))  # type: ignore[arg-type]
        headers = {"Location": reverse(self.part, args=[upload.uuid]), "Upload-Offset": str(upload.offset_bytes)}
        return HttpResponse(status=201, headers=headers)


class UploadParts(TusView):
    def head(self, request: HttpRequest, upload_id: UUID) -> HttpResponse:
        """Where to go on; a whole file whose job was not made (the connection or we broke off) gets it now."""
        upload = receiving.get_upload(request.user, upload_id)  # type: ignore[arg-type]
        if upload.job is None and upload.offset_bytes == upload.size_bytes:
            upload.job, _earlier = receiving.finish_upload(request.user, upload)  # type: ignore[arg-type]
        headers = {"Upload-Offset": str(upload.offset_bytes), "Upload-Length": str(upload.size_bytes)}
        if upload.job is not None:
            headers["Job-Url"] = reverse("job", args=[upload.job.uuid])
        return HttpResponse(headers=headers)

    def patch(self, request: HttpRequest, upload_id: UUID) -> HttpResponse:
        upload = receiving.get_upload(request.user, upload_id)  # type: ignore[arg-type]
        if upload.job is not None:
            raise Conflict("offset_mismatch")
        arrived = getattr(request, "scope", {}).get(ARRIVED)  # of a web process that has taken it (catalogsku.web)
        offset = receiving.receive_part(upload, header_number(request, "Upload-Offset"), request.read, arrived)
        response = HttpResponse(status=204, headers={"Upload-Offset": str(offset)})
        if offset == upload.size_bytes:
            job, earlier = receiving.finish_upload(request.user, upload)  # type: ignore[arg-type]
            response["Job-Url"] = reverse("job", args=[job.uuid])
            if earlier is not None:
                response["Duplicate-Of-Url"] = reverse("job", args=[earlier.uuid])
        return response

    def delete(self, request: HttpRequest, upload_id: UUID) -> HttpResponse:
        receiving.abandon_upload(receiving.get_upload(request.user, upload_id))  # type: ignore[arg-type]
        return HttpResponse(status=204)


def announcement(request: HttpRequest) -> receiving.Announcement:
    """Raises Refused(bad_request) for headers that do not say name, size and key."""
    meta = metadata(request.headers.get("Upload-Metadata", ""))
    name, key = meta.get("filename", ""), meta.get("key", "")
    if not name or not 8 <= len(key) <= 100:
        raise Refused("bad_request", what="filename, key")
    head = meta.get("head_sha256", "").lower()
    if head and (len(head) != 64 or not set(head) <= set("0123456789abcdef")):
        raise Refused("bad_request", what="head_sha256")
    return receiving.Announcement(
        name=name,
        size_bytes=header_number(request, "Upload-Length"),
        key=key,
        kind=meta.get("kind") or CATALOGUE.key,
        template=meta.get("template", "")[:80],
        category=meta.get("category", "")[:60],
        profile_key=meta.get("profile", "")[:60],
        head_sha256=head,
        again=meta.get("again") == "1",
        edition_of=_job_id(meta.get("edition_of", "")),
        urgency=meta.get("urgency") or Urgency.NOW,
    )


def _job_id(text: str) -> UUID | None:
    try:
        return UUID(text) if text else None
    except ValueError:
        raise Refused("bad_request", what="edition_of") from None


def metadata(header: str) -> dict[str, str]:
    """``key base64value,key base64value`` as text; pairs that do not decode are an error."""
    pairs: dict[str, str] = {}
    for item in filter(None, header.split(",")):
        key, _, value = item.strip().partition(" ")
        try:
            pairs[key] = base64.b64decode(value, validate=True).decode()
        except (binascii.Error, UnicodeDecodeError):
            raise Refused("bad_request", what="Upload-Metadata") from None
        if "\0" in pairs[key]:  # no row can hold it
            raise Refused("bad_request", what="Upload-Metadata")
    return pairs


def header_number(request: HttpRequest, name: str) -> int:
    value = request.headers.get(name, "")
    if not value.isascii() or not value.isdigit() or len(value) > 15:
        raise Refused("bad_request", what=name)
    return int(value)


create = UploadCreate.as_view()
parts = UploadParts.as_view()
# The same for programs, who say by a token who they are.
api_create = by_token(UploadCreate.as_view(part="api_upload"))
api_parts = by_token(UploadParts.as_view())
