"""Entry points of the pages about webhooks: a merchant's receivers, and one of them with its log and its secret."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from catalogsku.accounts.access import SignedInRequest, allowed
from catalogsku.accounts.models import Merchant, User
from catalogsku.accounts.permissions import Action
from catalogsku.core.errors import ProductError
from processing.problems import sentence
from processing.webhooks import presenters
from processing.webhooks.models import WebhookDelivery, WebhookEndpoint
from processing.webhooks.services import endpoints as service

DELIVERIES_A_PAGE = 50


class EndpointForm(forms.Form):
    """``merchant`` only of a new one, and only where there is a choice."""

    merchant = forms.ModelChoiceField(Merchant.objects.none(), label=gettext_lazy("Merchant"), empty_label=None)
    url = forms.CharField(label=gettext_lazy("Address"), max_length=500)
    description = forms.CharField(label=gettext_lazy("Description"), max_length=120, required=False)
    events = forms.MultipleChoiceField(label=gettext_lazy("Events"), choices=presenters.events_shown)

    def __init__(self, actor: User, endpoint: WebhookEndpoint | None, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if endpoint is not None:
            del self.fields["merchant"]
            return
        seen = actor.merchant_ids()
        rows = Merchant.objects.order_by("name")
        self.fields["merchant"] = forms.ModelChoiceField(
            rows if seen is None else rows.filter(pk__in=seen), label=_("Merchant"), empty_label=None
        )

    def wanted(self) -> service.Wanted:
        cleaned = self.cleaned_data
        return service.Wanted(cleaned["url"].strip(), cleaned["events"], cleaned["description"].strip())


@require_http_methods(["GET", "POST"])
@allowed(Action.CONNECT)
def webhooks(request: SignedInRequest) -> HttpResponse:
    """The list, and the form for a new one: with POST the page that shows its secret, this once."""
    form = EndpointForm(request.user, None, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made, secret = service.add_endpoint(request.user, form.cleaned_data["merchant"].pk, form.wanted())
        except ProductError as refused:
            form.add_error("url", sentence(refused.code, refused.params))
        else:
            return _secret(request, made, secret)
    rows = presenters.endpoint_rows(presenters.list_endpoints(request.user))
    context = {"nav": "ops", "rows": rows, "form": form, "events": presenters.events_shown()}
    return render(request, "processing/webhooks.html", context)


def _secret(request: SignedInRequest, endpoint: WebhookEndpoint, secret: str) -> HttpResponse:
    response = render(request, "processing/webhook_secret.html", {"nav": "ops", "endpoint": endpoint, "secret": secret})
    response["Cache-Control"] = "no-store"
    return response


@require_GET
@allowed(Action.CONNECT)
def webhook(request: SignedInRequest, endpoint_id: UUID) -> HttpResponse:
    """One receiver with what was sent to it; with the header X-Fragment only that."""
    endpoint = service.find_endpoint(request.user, endpoint_id)
    return _page(request, endpoint, None)


def _page(request: SignedInRequest, endpoint: WebhookEndpoint, form: EndpointForm | None) -> HttpResponse:
    show = request.GET.get("show", "all")
    rows = presenters.list_deliveries(endpoint, show).select_related("job").order_by("-pk")
    paginator = Paginator(rows, DELIVERIES_A_PAGE)
    filters = presenters.delivery_filters(endpoint)
    paginator.count = next((chip.count for chip in filters if chip.key == show), filters[0].count)  # counted already
    page: Any = paginator.get_page(request.GET.get("page"))
    page.object_list = presenters.delivery_rows(page.object_list)
    initial = {"url": endpoint.url, "description": endpoint.description, "events": endpoint.events}
    context = {
        "nav": "ops",
        "endpoint": endpoint,
        "row": presenters.endpoint_rows(WebhookEndpoint.objects.filter(pk=endpoint.pk).select_related("merchant"))[0],
        "form": form or EndpointForm(request.user, endpoint, initial=initial),
        "events": presenters.events_shown(),
        "page": page,
        "filters": filters,
        "filter": show if show in {chip.key for chip in filters} else "all",
    }
    name = "_webhook_log" if request.headers.get("X-Fragment") == "region" else "webhook"
    return render(request, f"processing/{name}.html", context)


@require_POST
@allowed(Action.CONNECT)
def webhook_secret(request: SignedInRequest, endpoint_id: UUID) -> HttpResponse:
    """A new secret, shown this once."""
    endpoint = service.find_endpoint(request.user, endpoint_id)
    secret = service.rotate_secret(endpoint)
    endpoint.refresh_from_db()
    return _secret(request, endpoint, secret)


@require_POST
@allowed(Action.CONNECT)
def webhook_act(request: SignedInRequest, endpoint_id: UUID) -> HttpResponse:
    """The button that was pressed (`act`): save, ping, on, off, delete, replay (`only` one, else all that failed)."""
    endpoint = service.find_endpoint(request.user, endpoint_id)
    act = request.POST.get("act", "")
    if act == "save":
        form = EndpointForm(request.user, endpoint, request.POST)
        if not form.is_valid():
            return _page(request, endpoint, form)
        return _done(request, endpoint, lambda: service.change_endpoint(endpoint, form.wanted()), _("Saved"))
    if act == "delete":
        endpoint.delete()
        messages.success(request, _("The receiver was removed"))
        return redirect("webhooks")
    if act == "ping":
        said = _("A ping is on its way: the log shows its answer")
        return _done(request, endpoint, lambda: service.send_ping(endpoint), said)
    if act in ("on", "off"):
        said = _("Events go there from now on") if act == "on" else _("Nothing more is sent there")
        return _done(request, endpoint, lambda: service.switch_endpoint(endpoint, on=act == "on"), said)
    return _replay(request, endpoint)


def _done(request: SignedInRequest, endpoint: WebhookEndpoint, do: Callable[[], object], said: str) -> HttpResponse:
    try:
        do()
        messages.success(request, said)
    except ProductError as refused:
        messages.warning(request, sentence(refused.code, refused.params))
    return redirect("webhook", endpoint.uuid)


def _replay(request: SignedInRequest, endpoint: WebhookEndpoint) -> HttpResponse:
    try:
        if chosen_id := request.POST.get("only"):
            sent = service.replay(endpoint, WebhookDelivery.objects.filter(uuid=UUID(chosen_id)))
        else:
            sent = service.replay_failed(endpoint)
        words = ngettext("%(n)s event goes out again", "%(n)s events go out again", sent)
        (messages.success if sent else messages.warning)(request, words % {"n": sent})
    except ValueError:
        messages.warning(request, _("There is no such event."))
    except ProductError as refused:
        messages.warning(request, sentence(refused.code, refused.params))
    return redirect("webhook", endpoint.uuid)
