"""Codes of refused requests: their HTTP status and their sentence in the reader's language (TA-ERRMAP)."""

from django.http import HttpRequest, JsonResponse
from django.utils.translation import gettext_lazy as _

from catalogsku.core.errors import ProductError
from catalogsku.core.problems import problem_answer
from ingestion.verdicts import BY_CODE

PROBLEMS = {
    "not_a_pdf": (415, _("This file is not a PDF.")),
    "empty_file": (400, _("This file is empty.")),
    "too_large": (413, _("This file is larger than %(max_mb)s MB.")),
    "duplicate_file": (409, _("This file is the same as %(name)s.")),
    "disk_full": (503, _("Storage is almost full, nothing was uploaded. An operator has to make room.")),
    "quota_storage": (413, _("The documents of your merchant may have %(max_mb)s MB in all. Ask an administrator.")),
    "quota_jobs": (429, _("%(max)s documents are in work already. Wait until some of them are done.")),
    "quota_uploads": (429, _("%(max)s uploads are under way already. Finish or cancel some of them.")),
    "key_taken": (409, _("This upload's key belongs to another file. Choose the file again.")),
    "no_merchant": (403, _("You belong to no merchant, so nothing can be uploaded.")),
    "forbidden": (403, _("Your role does not allow this.")),
    "upload_gone": (404, _("This upload has ended or expired. Choose the file again.")),
    "offset_mismatch": (409, _("Another window has sent this part already.")),
    "bad_request": (400, _("The request is incomplete: %(what)s.")),
    "too_many_streams": (429, _("Too many streams of events are open. End one, or ask again in some seconds.")),
    "chunk_too_large": (413, _("A part of an upload may have at most %(max_mb)s MB.")),
    "unknown_kind": (400, _("There is no kind of document “%(what)s”. There are: %(known)s.")),
    "not_of_kind": (400, _("Of a document of the kind “%(kind)s” this says nothing: %(what)s.")),
    "no_templates": (400, _("A document of the kind “%(kind)s” is read by no template.")),
    "template_missing": (400, _("A study is read by a template: name one. There are: %(known)s.")),
    "unknown_template": (400, _("There is no template “%(what)s”. There are: %(known)s.")),
    "template_archived": (409, _("%(template)s is archived. Take it back to change it.")),
    "unknown_profile": (400, _("There is no such profile.")),
    "job_ended": (409, _("This document has ended already.")),
    "edition_closed": (409, _("This document is no edition that waits for approval.")),
    "edition_open": (409, _("This document is known as an edition already.")),
    "edition_same_file": (409, _("Both documents are the same file.")),
    "edition_order": (409, _("An edition follows an earlier document.")),
    "edition_unseen": (409, _("The changes of %(name)s have not been approved yet.")),
    "edition_not_ready": (409, _("%(pages)s pages are still in work.")),
    "edition_moved_on": (409, _("The changes are newer than those you have seen. Look at them again.")),
    "edition_overtaken": (409, _("A later edition of the same document has been approved already.")),
    "models_not_asked": (409, _("This document does not ask about models, or somebody has answered already.")),
    "no_batches": (409, _("No model that may be asked answers in batches. Upload it without that choice.")),
    "no_copy_asked": (409, _("This document was not refused for scripts or attachments.")),
    "no_password_asked": (409, _("No password is asked for this document.")),
    "under_way": (409, _("This document is under way. Cancel it first, or wait until nothing of it is open.")),
    "merchant_under_way": (409, _("Documents of this merchant are under way. Cancel them first, or wait.")),
    "last_admin": (409, _("Nobody else is an administrator: this account cannot be deleted.")),
    "person_at_work": (409, _("This person has a task in hand. Wait until it is submitted or given back.")),
    "source_gone": (409, _("The source file is kept no longer. Upload it again.")),
    "no_such_page": (404, _("There is no such page.")),
    "not_found": (404, _("Not found.")),
    "unavailable": (503, _("This cannot be answered now. Try again in a minute.")),
}

# What may be done now, where a file was not taken in; of what its verdict would say as well, as the verdict says it.
WAYS_ON = {
    **{code: BY_CODE[code].hint for code in ("not_a_pdf", "empty_file", "too_large")},
    "duplicate_file": _(
        "Open the document that is there; to have the file read once more, upload it again all the same."
    ),
    "disk_full": _("Try again once an operator has made room; what has arrived is kept for a day."),
    "quota_storage": _("Have an administrator raise what your merchant may store, then upload the file again."),
    "quota_jobs": _("Wait until some documents are done, then upload the file again."),
    "quota_uploads": _("Finish or cancel some of the uploads under way, then upload the file again."),
    "key_taken": _("Choose the file again: it gets a key of its own."),
    "no_merchant": _("Ask an administrator to make you a member of a merchant."),
    "forbidden": _("Ask somebody whose role allows it, or an administrator."),
    "upload_gone": _("Choose the file again: it is sent from its beginning."),
    "offset_mismatch": _("Ask how far the upload is and go on from there, or leave it to the other window."),
    "chunk_too_large": _("Send the file in smaller parts."),
    "unknown_kind": _("Name a kind that there is, or none: then it is a catalogue."),
    "not_of_kind": _("Leave it out; only a catalogue has it."),
    "no_templates": _("Leave the template out, or say that it is a study."),
    "template_missing": _("Name a template that there is: /api/v1/templates lists them."),
    "unknown_template": _("Name a template that there is: /api/v1/templates lists them."),
    "template_archived": _("Name another template, or have a lead take this one back."),
    "unknown_profile": _("Name a profile that is active, or none."),
    "no_batches": _("Upload the file without that choice: models are asked at once then."),
}


def way_on(code: str) -> dict[str, str]:
    """``action_hint`` of a problem, in the active language; nothing where there is none."""
    return {"action_hint": str(WAYS_ON[code])} if code in WAYS_ON else {}


def sentence(code: str, params: dict[str, object] | None = None) -> str:
    """The code's sentence in the active language."""
    text = str(PROBLEMS[code][1])
    return text % params if params else text


def problem(request: HttpRequest, error: ProductError) -> JsonResponse:
    """The error as application/problem+json (RFC 9457), with its code and whatever else helps the caller on."""
    extra = error.params.pop("extra", {})
    title, details = sentence(error.code, error.params), extra if isinstance(extra, dict) else {}
    return problem_answer(request, PROBLEMS[error.code][0], error.code, title, {**way_on(error.code), **details})
