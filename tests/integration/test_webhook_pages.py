"""Receivers of webhooks in the browser, over the REST API and as a command: who may, and what is told (X-WEBHOOK)."""

import json
import re
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.urls import reverse

from processing.models import WebhookDelivery, WebhookEndpoint
from processing.webhooks import presenters
from processing.webhooks.events import EVENTS
from processing.webhooks.services import endpoints
from tests.support.hooks import SECRET, make_endpoint, waiting
from tests.support.people import People
from tests.support.program import Program
from tests.support.rows import make_job

pytestmark = [pytest.mark.django_db, pytest.mark.req("X-WEBHOOK")]

URL = "https://shop.example.org/hooks"
NEW = {"url": URL, "events": ["job.completed", "page.completed"], "description": "the shop"}


@pytest.fixture
def client() -> Client:
    return Client(headers={"Accept-Language": "en"})


def log(endpoint: WebhookEndpoint, *states: str) -> list[WebhookDelivery]:
    """One event in each state; each but the waiting ones with its answer."""
    rows = waiting(endpoint, make_job(endpoint.merchant), *range(1, len(states) + 1))
    for row, state in zip(rows, states, strict=True):
        answer = {"at": "2026-01-01T00:00:00+00:00", "code": 500, "duration_ms": 12, "answer": "<b>no</b>", "error": ""}
        WebhookDelivery.objects.filter(pk=row.pk).update(
            state=state, attempts=1, log=[answer] if state != "WAITING" else []
        )
    return rows


def act(client: Client, endpoint: WebhookEndpoint, **fields: Any) -> list[str]:
    response = client.post(reverse("webhook_act", args=[endpoint.uuid]), fields, follow=True)
    assert response.status_code == 200
    return [str(message) for message in response.context["messages"]]


# --- in the browser ---------------------------------------------------------------------------------------


def test_a_receiver_is_added_and_its_secret_shown_this_once(people: People, client: Client) -> None:
    client.force_login(people.lead)
    assert b"No program is told of events yet" in client.get(reverse("webhooks")).content
    made = client.post(reverse("webhooks"), {**NEW, "merchant": people.merchant.pk})
    secret = re.search(r"whsec_[A-Za-z0-9+/=]{44}", made.content.decode())
    endpoint = WebhookEndpoint.objects.get()
    assert secret and made["Cache-Control"] == "no-store"
    assert (endpoint.url, endpoint.events) == (URL, ["job.completed", "page.completed"])
    assert endpoint.created_by == people.lead
    for name in ("webhooks", "webhook"):
        page = client.get(reverse(name, args=[endpoint.uuid] if name == "webhook" else []))
        assert URL in page.content.decode() and secret[0] not in page.content.decode()
    rotated = client.post(reverse("webhook_secret", args=[endpoint.uuid])).content.decode()
    assert "whsec_" in rotated and secret[0] not in rotated and "24 hours" in rotated


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"url": "http://shop.example.org/"}, "HTTPS is needed"),
        ({"url": "https://127.0.0.1/"}, "private network"),
        ({"events": ["no.such"]}, "no.such"),
        ({"events": []}, "This field is required"),
    ],
)
def test_what_cannot_be_is_said_at_its_field(people: People, client: Client, given: Any, said: str) -> None:
    client.force_login(people.lead)
    page = client.post(reverse("webhooks"), {**NEW, "merchant": people.merchant.pk, **given})
    assert page.status_code == 200 and said in page.content.decode() and not WebhookEndpoint.objects.exists()


def test_the_log_shows_requests_and_answers_and_sends_again(people: People, client: Client) -> None:
    endpoint = make_endpoint(people.merchant)
    rows = log(endpoint, "WAITING", "DELIVERED", "FAILED")
    client.force_login(people.lead)
    page = client.get(reverse("webhook", args=[endpoint.uuid])).content.decode()
    assert "HTTP 500" in page and "&lt;b&gt;no&lt;/b&gt;" in page and f"msg_{rows[2].uuid.hex}" in page
    failed = client.get(reverse("webhook", args=[endpoint.uuid]), {"show": "failed"}, headers={"X-Fragment": "region"})
    assert failed.content.decode().count("data-key") == 1 and b"<html" not in failed.content
    assert act(client, endpoint, only=str(rows[1].uuid)) == ["1 event goes out again"]
    assert act(client, endpoint, act="replay") == ["1 event goes out again"]
    assert set(WebhookDelivery.objects.values_list("state", flat=True)) == {"WAITING"}
    assert act(client, endpoint, only="nonsense") == ["There is no such event."]


@pytest.mark.req("TA-G1")
def test_its_events_are_counted_as_far_as_they_are_shown(
    people: People, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint = make_endpoint(people.merchant)
    log(endpoint, "WAITING", "FAILED", "FAILED", "FAILED")
    client.force_login(people.lead)
    monkeypatch.setattr(presenters, "MOST_COUNTED", 2)
    page = client.get(reverse("webhook", args=[endpoint.uuid])).content.decode()
    assert re.findall(r"<b>(\d+\+?)</b></a>", page) == ["2+", "1", "0", "2+"]
    assert page.count("<tr data-key") == 2
    (row,) = presenters.endpoint_rows(presenters.list_endpoints(people.lead))
    assert (row.waiting, row.failed) == (1, 3)
    monkeypatch.setattr(presenters, "MOST_IN_A_LIST", 2)
    (row,) = presenters.endpoint_rows(presenters.list_endpoints(people.lead))
    assert (row.waiting, row.failed) == (1, 2)


def test_its_buttons_ping_switch_save_and_remove(people: People, client: Client) -> None:
    endpoint = make_endpoint(people.merchant)
    client.force_login(people.lead)
    assert act(client, endpoint, act="ping") == ["A ping is on its way: the log shows its answer"]
    assert WebhookDelivery.objects.get().type == "ping"
    assert act(client, endpoint, act="off") == ["Nothing more is sent there"]
    assert act(client, endpoint, act="ping") == ["This receiver is switched off. Switch it on first."]
    assert act(client, endpoint, act="replay") == ["This receiver is switched off. Switch it on first."]
    assert act(client, endpoint, act="on") == ["Events go there from now on"]
    assert act(client, endpoint, act="save", **{**NEW, "events": ["job.failed"]}) == ["Saved"]
    endpoint.refresh_from_db()
    assert (endpoint.off, endpoint.events, endpoint.description) == ("", ["job.failed"], "the shop")
    assert act(client, endpoint, act="delete") == ["The receiver was removed"]
    assert not WebhookEndpoint.objects.exists()


@pytest.mark.req("X-MATRIX", "TA-T43")
def test_a_receiver_is_there_for_leads_of_its_merchant_and_admins(people: People, client: Client) -> None:
    endpoint = make_endpoint(people.other, "https://south.example.org/hooks")
    log(endpoint, "FAILED")
    for person, status in ((people.lead, 404), (people.other_uploader, 403), (people.admin, 200)):
        client.force_login(person)
        assert client.get(reverse("webhook", args=[endpoint.uuid])).status_code == status, person
        if status != 200:
            for name in ("webhook_act", "webhook_secret"):
                assert client.post(reverse(name, args=[endpoint.uuid]), {"act": "delete"}).status_code == status
        program, base = Program(person), f"/webhooks/{endpoint.uuid}"
        assert program("GET", base).status_code == status
        if status != 200:
            for method, path in (
                *(("PATCH", base), ("DELETE", base), ("POST", f"{base}/ping"), ("POST", f"{base}/replay")),
                *(("POST", f"{base}/secret"), ("GET", f"{base}/deliveries")),
            ):
                assert program(method, path, {} if method == "PATCH" else None).status_code == status
    assert WebhookEndpoint.objects.exists()
    client.force_login(people.lead)
    assert endpoint.url not in client.get(reverse("webhooks")).content.decode()
    assert client.post(reverse("webhooks"), {**NEW, "merchant": people.other.pk}).status_code == 200
    assert Program(people.lead)("POST", "/webhooks", {**NEW, "merchant_id": people.other.pk}).status_code == 404
    assert WebhookEndpoint.objects.count() == 1


# --- for programs -----------------------------------------------------------------------------------------


@pytest.mark.req("TA-API")
def test_a_program_adds_changes_pings_and_reads_the_log(people: People) -> None:
    program = Program(people.lead)
    assert set(program("GET", "/webhooks/events").json()["items"]) == set(EVENTS)
    made = program("POST", "/webhooks", NEW)
    assert made.status_code == 201 and made.json()["secret"].startswith("whsec_")
    endpoint = made.json()["endpoint"]
    assert program("GET", "/webhooks").json() == {"items": [endpoint]}
    base = f"/webhooks/{endpoint['id']}"
    assert program("PATCH", base, {"events": ["job.failed"]}).json() == {**endpoint, "events": ["job.failed"]}
    pinged = program("POST", f"{base}/ping")
    assert (pinged.status_code, pinged.json()["type"], pinged.json()["state"]) == (202, "ping", "WAITING")
    assert program("GET", f"{base}/deliveries").json()["items"] == [pinged.json()]
    assert program("PATCH", base, {"on": False}).json()["off"] == "person"
    assert program("GET", f"{base}/deliveries?show=failed").json()["items"][0]["id"] == pinged.json()["id"]
    again = f"{base}/deliveries/{pinged.json()['id']}/replay"
    assert (program("POST", again).status_code, program("POST", again).json()["code"]) == (409, "webhook_off")
    program("PATCH", base, {"on": True})
    assert program("POST", again).json() == {"events": 1} and program("POST", f"{base}/replay").json() == {"events": 0}
    assert program("POST", f"{base}/secret").json()["secret"] != made.json()["secret"]
    assert program("DELETE", base).status_code == 204 and program("GET", base).status_code == 404


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"url": "https://10.0.0.1/"}, 422, "webhook_url"),
        ({"events": ["no.such"]}, 422, "webhook_events"),
        ({"events": []}, 422, "bad_request"),
        ({"url": "https://known.example.org/"}, 409, "webhook_known"),
        ({"surplus": 1}, 422, "bad_request"),
    ],
)
def test_a_refusal_has_a_code(people: People, change: Any, status: int, code: str) -> None:
    make_endpoint(people.merchant, "https://known.example.org/")
    found = Program(people.lead)("POST", "/webhooks", {**NEW, **change})
    assert (found.status_code, found.json()["code"]) == (status, code)


def test_a_merchant_may_have_ten(people: People) -> None:
    for n in range(endpoints.MOST_ENDPOINTS):
        make_endpoint(people.merchant, f"https://{n}.example.org/")
    assert Program(people.lead)("POST", "/webhooks", NEW).json()["code"] == "webhooks_full"
    assert Program(people.admin)("POST", "/webhooks", NEW).json()["code"] == "bad_request", "for which merchant?"


# --- for operators ----------------------------------------------------------------------------------------


def run(*arguments: str) -> Any:
    said = StringIO()
    call_command("webhooks", *arguments, "--json", stdout=said)
    return json.loads(said.getvalue())


def test_the_command_lists_shows_pings_replays_and_switches(people: People) -> None:
    endpoint = make_endpoint(people.merchant)
    log(endpoint, "FAILED", "WAITING")
    assert [(row["url"], row["state"], row["waiting"], row["failed"]) for row in run("list")] == [(URL, "On", 1, 1)]
    assert len(run("show", str(endpoint.uuid))) == 2
    assert run("replay", str(endpoint.uuid)) == [{"events_sent": 1}]
    assert "ping" in run("ping", str(endpoint.uuid))[0]
    assert run("off", str(endpoint.uuid)) == [{"endpoint": str(endpoint.uuid), "on": False}]
    assert run("list")[0]["state"] == "Off"
    with pytest.raises(CommandError, match="switched off"):
        run("ping", str(endpoint.uuid))
    with pytest.raises(CommandError, match="There is no receiver"):
        run("show", "nonsense")
    assert SECRET not in json.dumps(run("list"))
