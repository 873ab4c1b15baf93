"""Receivers of webhooks, for programs."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from django.http import HttpRequest
from ninja import Router, Schema, Status
from pydantic import ConfigDict, Field

from catalogsku.accounts.bearer import require
from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action
from catalogsku.core.answers import PROBLEMS, Limit
from catalogsku.core.errors import NotFound, Refused
from catalogsku.core.paging import step
from processing.webhooks import presenters
from processing.webhooks.events import EVENTS, message_id
from processing.webhooks.models import WebhookDelivery, WebhookEndpoint
from processing.webhooks.services import endpoints as service

router = Router(tags=["webhooks"])

Url = Annotated[str, Field(min_length=1, max_length=500, pattern=r"^[^\x00]+$")]
Description = Annotated[str, Field(max_length=120, pattern=r"^[^\x00]*$")]
Events = Annotated[list[Annotated[str, Field(max_length=30)]], Field(min_length=1, max_length=50)]


class EndpointOut(Schema):
    """``off`` null: events go there; else why not. ``failing_since``: it has taken nothing since."""

    id: UUID
    merchant_id: int
    url: str
    description: str
    events: list[str]
    off: Literal["person", "failing", "gone"] | None
    failing_since: datetime | None
    old_secret_until: datetime | None
    created_at: datetime

    @staticmethod
    def resolve_id(row: WebhookEndpoint) -> UUID:
        return row.uuid

    @staticmethod
    def resolve_off(row: WebhookEndpoint) -> str | None:
        return row.off or None


class Endpoints(Schema):
    items: list[EndpointOut]


class Created(Schema):
    """``secret`` is shown this once."""

    endpoint: EndpointOut
    secret: str


class Secret(Schema):
    secret: str


class NewEndpoint(Schema):
    """``merchant_id`` may be left out by whoever works for one merchant."""

    model_config = ConfigDict(extra="forbid")
    url: Url
    events: Events
    description: Description = ""
    merchant_id: Annotated[int, Field(ge=1, lt=2**63)] | None = None


class EndpointChange(Schema):
    """What is left out stays. ``on``: switch it on or off."""

    model_config = ConfigDict(extra="forbid")
    url: Url | None = None
    events: Events | None = None
    description: Description | None = None
    on: bool | None = None


class AttemptOut(Schema):
    at: datetime
    code: int | None
    duration_ms: int
    answer: str
    error: str


class DeliveryOut(Schema):
    """``log``: its last attempts, with the first kB of each answer."""

    id: UUID
    webhook_id: str
    type: str
    state: Literal["WAITING", "DELIVERED", "FAILED"]
    attempts: int
    body: str
    log: list[AttemptOut]
    not_before: datetime | None
    created_at: datetime

    @staticmethod
    def resolve_id(row: WebhookDelivery) -> UUID:
        return row.uuid

    @staticmethod
    def resolve_webhook_id(row: WebhookDelivery) -> str:
        return message_id(row.uuid)


class Deliveries(Schema):
    items: list[DeliveryOut]
    next: str | None


class Replayed(Schema):
    events: int


class EventTypes(Schema):
    items: dict[str, str]


def _endpoint(request: HttpRequest, endpoint_id: UUID) -> WebhookEndpoint:
    return service.find_endpoint(require(request, Action.CONNECT), endpoint_id)


@router.get("", response={200: Endpoints, **PROBLEMS}, summary="All receivers")
def list_endpoints(request: HttpRequest) -> Any:
    return {"items": list(presenters.list_endpoints(require(request, Action.CONNECT)))}


@router.get("/events", response={200: EventTypes, **PROBLEMS}, summary="Which events there are")
def list_events(request: HttpRequest) -> Any:
    require(request, Action.CONNECT)
    return {"items": {name: str(words) for name, (words, _) in EVENTS.items()}}


@router.post("", response={201: Created, **PROBLEMS}, summary="Add a receiver")
def add(request: HttpRequest, given: NewEndpoint) -> Any:
    actor = require(request, Action.CONNECT)
    wanted = service.Wanted(given.url, given.events, given.description)
    made, secret = service.add_endpoint(actor, given.merchant_id or _only_merchant(actor), wanted)
    return Status(201, {"endpoint": made, "secret": secret})


def _only_merchant(actor: User) -> int:
    seen = actor.merchant_ids()
    if seen is None or len(seen) != 1:
        raise Refused("bad_request", what="merchant_id")
    return seen[0]


@router.get("/{uuid:endpoint_id}", response={200: EndpointOut, **PROBLEMS}, summary="One receiver")
def show(request: HttpRequest, endpoint_id: UUID) -> Any:
    return _endpoint(request, endpoint_id)


@router.patch("/{uuid:endpoint_id}", response={200: EndpointOut, **PROBLEMS}, summary="Change or switch a receiver")
def change(request: HttpRequest, endpoint_id: UUID, given: EndpointChange) -> Any:
    endpoint = _endpoint(request, endpoint_id)
    stays = {"url": endpoint.url, "events": endpoint.events, "description": endpoint.description}
    changes = given.model_dump(exclude_none=True, exclude={"on"})
    if changes:
        service.change_endpoint(endpoint, service.Wanted(**{**stays, **changes}))
    if given.on is not None:
        service.switch_endpoint(endpoint, on=given.on)
    return _endpoint(request, endpoint_id)


@router.delete("/{uuid:endpoint_id}", response={204: None, **PROBLEMS}, summary="Remove a receiver")
def remove(request: HttpRequest, endpoint_id: UUID) -> Any:
    _endpoint(request, endpoint_id).delete()
    return Status(204, None)


@router.post("/{uuid:endpoint_id}/secret", response={200: Secret, **PROBLEMS}, summary="Make a new secret")
def rotate(request: HttpRequest, endpoint_id: UUID) -> Any:
    """For 24 hours the secret before signs beside it."""
    return {"secret": service.rotate_secret(_endpoint(request, endpoint_id))}


@router.post("/{uuid:endpoint_id}/ping", response={202: DeliveryOut, **PROBLEMS}, summary="Send a ping")
def ping(request: HttpRequest, endpoint_id: UUID) -> Any:
    """What came of it stands in the deliveries a moment later."""
    return Status(202, service.send_ping(_endpoint(request, endpoint_id)))


@router.get("/{uuid:endpoint_id}/deliveries", response={200: Deliveries, **PROBLEMS}, summary="What was sent to it")
def list_deliveries(
    request: HttpRequest,
    endpoint_id: UUID,
    show: Literal["all", "waiting", "delivered", "failed"] = "all",
    cursor: str = "",
    limit: Limit = 50,
) -> Any:
    """The newest first."""
    rows = presenters.list_deliveries(_endpoint(request, endpoint_id), show)
    items, following = step(rows, cursor, limit, newest_first=True)
    return {"items": items, "next": following}


@router.post(
    "/{uuid:endpoint_id}/deliveries/{uuid:delivery_id}/replay",
    response={200: Replayed, **PROBLEMS},
    summary="Send an event again",
)
def replay(request: HttpRequest, endpoint_id: UUID, delivery_id: UUID) -> Any:
    """Under the id that it has. ``events`` 0: it has not ended yet."""
    endpoint = _endpoint(request, endpoint_id)
    rows = WebhookDelivery.objects.filter(endpoint=endpoint, uuid=delivery_id)
    if not rows.exists():
        raise NotFound("not_found")
    return {"events": service.replay(endpoint, rows)}


@router.post("/{uuid:endpoint_id}/replay", response={200: Replayed, **PROBLEMS}, summary="Send all failed events again")
def replay_failed(request: HttpRequest, endpoint_id: UUID) -> Any:
    return {"events": service.replay_failed(_endpoint(request, endpoint_id))}
