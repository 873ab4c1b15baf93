"""Entry points of imports: what became of them, and sending them again."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.permissions import Action, may
from ingestion import selectors as documents
from ingestion.models import Job
from processing.imports import presenters
from processing.imports.services import delivering, holds

IMPORTS_A_PAGE = 50


RETRIED_AT_ONCE = 1000


@require_GET
@allowed(Action.SUPERVISE)
def imports(request: SignedInRequest) -> HttpResponse:
    """Of all documents: what was refused, given up, is not confirmed, differs, or is on its way."""
    return render(request, "processing/imports.html", {"nav": "ops", **_imports(request, None)})


@require_GET
@allowed(Action.SEE_RESULTS)
def job_imports(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    """The newest import of each SKU of one document."""
    job = documents.get_job(request.user, job_id)
    held = {"by_operator": job.import_held_by, "by_edition": job.import_hold and not job.import_held_by}
    context = {"nav": "results", "job": documents.job_head(job), "held": held, **_imports(request, job)}
    return render(request, "processing/imports.html", context)


@require_POST
@allowed(Action.SUPERVISE)
def imports_try(request: SignedInRequest) -> HttpResponse:
    """The secret of a held target was mended: one of its imports goes out at once, and the others after it."""
    name = request.POST.get("target", "")[:20]
    tried = holds.try_now(presenters.list_holds(request.user).filter(target=name))
    if tried:
        messages.success(request, _("%(target)s is tried again") % {"target": name})
    else:
        messages.warning(request, _("This target is not held."))
    return redirect("imports")


def _imports(request: SignedInRequest, job: Job | None) -> dict[str, Any]:
    show, listing = request.GET.get("show", "all"), presenters.find_imports(request.user, job)
    page: Any = Paginator(listing.of(show), IMPORTS_A_PAGE).get_page(request.GET.get("page"))
    page.object_list = presenters.imports_with(page.object_list)
    return {
        "page": page,
        "filters": presenters.import_filters(listing),
        "filter": show if show in presenters.GROUPS else "all",
        "can_retry": may(request.user, Action.SUPERVISE),
        "holds": presenters.hold_rows(request.user) if job is None else [],
    }


@require_POST
@allowed(Action.SUPERVISE)
def imports_retry(request: SignedInRequest) -> HttpResponse:
    """The row whose button was pressed (`only`; `confirm`: it has arrived), or `all` that failed or differ."""
    job_id = request.POST.get("job", "")
    job = documents.get_job(request.user, UUID(job_id)) if _is_uuid(job_id) else None
    chosen = _chosen(request, job)
    if request.POST.get("confirm"):
        done = delivering.confirm_by_hand(chosen, request.user.username)
        words = ngettext("%(n)s import counts as arrived", "%(n)s imports count as arrived", done)
    else:
        done = delivering.retry_imports(chosen, request.user.username)
        words = ngettext("%(n)s import goes out again", "%(n)s imports go out again", done)
    (messages.success if done else messages.warning)(request, words % {"n": done})
    return redirect("job_imports", job.uuid) if job is not None else redirect("imports")


def _chosen(request: SignedInRequest, job: Job | None) -> list[int]:
    """Ids, within what the person may see."""
    if "all" in request.POST:
        listing = presenters.find_imports(request.user, job)
        failed = {pk for group in presenters.FAILED_OR_DIFFERS for pk in listing.of(group)}
        return sorted(failed, reverse=True)[:RETRIED_AT_ONCE]
    number = request.POST.get("only") or request.POST.get("confirm") or ""
    is_number = number.isascii() and number.isdecimal() and len(number) < 19
    return presenters.the_import(request.user, job, int(number)) if is_number else []


def _is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True
