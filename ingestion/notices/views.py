"""Entry points of the bell: its panel and count, the list of all notices, opening one, reading all, mail."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.permissions import Action
from ingestion.notices import mailing, presenters, selectors
from ingestion.notices.kinds import Choice
from ingestion.notices.services import reading


@require_GET
@never_cache
@allowed(Action.SEE_JOBS)
def notices(request: SignedInRequest) -> HttpResponse:
    """All of them, in steps (``before``); ``part=panel``: what the bell opens alone."""
    is_panel, before = request.GET.get("part") == "panel", request.GET.get("before", "")
    most = selectors.IN_THE_PANEL if is_panel else selectors.A_PAGE
    notices, following = selectors.newest(request.user, most, before)
    context: dict[str, Any] = {"days": presenters.by_day(notices), "unread": selectors.count_unread(request.user) > 0}
    if is_panel:
        return render(request, "ingestion/_notices_panel.html", context)
    choice = selectors.mail_choice(request.user)
    context |= {
        "is_first": not before,
        "following": following,
        "choices": [(option.value, option.label, choice.wants(option)) for option in Choice],
        "sends": mailing.can_send(),
    }
    return render(request, "ingestion/notices.html", context)


@require_GET
@never_cache
@allowed(Action.SEE_JOBS)
def unread(request: SignedInRequest) -> HttpResponse:
    """What the badge says, for screens without a socket."""
    return JsonResponse({"unread": selectors.count_word(selectors.count_unread(request.user))})


@require_GET
@never_cache
@allowed(Action.SEE_JOBS)
def notice(request: SignedInRequest, notice_id: int) -> HttpResponse:
    """Opened it counts as read; on to what it tells of."""
    notice = selectors.get_notice(request.user, notice_id)
    reading.read_one(notice)
    return redirect(presenters.target(notice))


@require_POST
@allowed(Action.SEE_JOBS)
def read_all(request: SignedInRequest) -> HttpResponse:
    reading.read_all(request.user)
    return redirect("notices")


@require_POST
@allowed(Action.SEE_JOBS)
def mail(request: SignedInRequest) -> HttpResponse:
    """The fields that are ticked are what mail is sent for."""
    reading.choose_mail(request.user, {choice: choice in request.POST for choice in Choice})
    messages.success(request, _("Saved"))
    return redirect("notices")
