"""Entry points of the figures of days: the screen, and the same as a file."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotation.figures import files, presenters
from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.merchants import chosen_merchant, merchants_of
from catalogsku.accounts.permissions import Action


@require_GET
@allowed(Action.SUPERVISE)
def figures(request: SignedInRequest) -> HttpResponse:
    """``range``: today, weeks or year; ``merchant``: id of one of the person's.

    Today's chart alone for the screen of operations, which asks for it once it is there.
    """
    if request.headers.get("HX-Request"):
        return render(request, "annotation/_today_chart.html", {"chart": presenters.today_chart(request.user)})
    given = request.GET
    context = presenters.figures_context(request.user, given.get("range", ""), given.get("merchant", ""))
    return render(request, "annotation/figures.html", {"nav": "ops", **context})


@require_GET
@allowed(Action.SUPERVISE)
def figures_file(request: SignedInRequest) -> HttpResponse:
    named = request.GET.get("merchant", "")
    merchant = chosen_merchant(merchants_of(request.user), named, request.user) if named else None
    shown = presenters.shown(request.user, request.GET.get("range", ""), merchant)
    name = f"figures-{shown.range}-{shown.period.last}.csv"
    return HttpResponse(
        files.csv_of(shown),
        "text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"},
    )
