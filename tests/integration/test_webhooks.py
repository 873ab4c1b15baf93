"""Events become deliveries always and once, and go out whatever happens on the other side (X-WEBHOOK)."""

import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from catalogsku.core import secrets, wire
from catalogsku.core.moves import move
from ingestion.lifecycle import PAGE, PageStatus
from ingestion.models import Job, Page
from processing.models import WebhookCursor, WebhookDelivery, WebhookEndpoint
from processing.operations.services.cancelling import cancel
from processing.webhooks.services import endpoints, outbox, sending
from processing.webhooks.services.sending import send_webhooks
from tests.support.hooks import SECRET, make_endpoint, read_pages, try_again, waiting
from tests.support.people import People
from tests.support.receiver import Receiver, Receives
from tests.support.rows import make_job, make_page, make_worker
from tests.unit.delivery.test_webhooks import verify

pytestmark = pytest.mark.req("X-WEBHOOK")

R = Receives
DAY = timedelta(days=1)


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOK_PRIVATE_HOSTS = ["127.0.0.1"]
    with Receiver() as server:
        yield server


@pytest.fixture
def endpoint(people: People, receiver: Receiver) -> WebhookEndpoint:
    return make_endpoint(people.merchant, receiver.url)


@pytest.fixture
def job(people: People) -> Job:
    return make_job(people.merchant)


def states(endpoint: WebhookEndpoint) -> list[str]:
    return list(WebhookDelivery.objects.filter(endpoint=endpoint).order_by("pk").values_list("state", flat=True))


# --- events become deliveries ---------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_move_reaches_the_receiver_signed_and_once(endpoint: WebhookEndpoint, receiver: Receiver, job: Job) -> None:
    read_pages(job, 3)
    assert [outbox.write_deliveries() for _ in range(2)] == [1, 0], "read again, written once"
    assert [send_webhooks(endpoint.pk) for _ in range(2)] == [1, 0]
    got = receiver.requests[0]
    event = verify()(got.headers, got.body, SECRET)
    assert (event["type"], got.path) == ("page.completed", "/hooks?shop=1")
    assert event["data"] == {
        "job_id": str(job.uuid),
        "merchant_id": job.merchant_id,
        "source_file": job.source_name,
        "status": "AI_COMPLETED",
        "previous_status": "AI_QUEUED",
        "cause": "understood",
        "page_number": 3,
        "sku_count": 0,
        "sequence": WebhookDelivery.objects.get().event,
    }
    row = WebhookDelivery.objects.get()
    assert (row.state, row.attempts, row.log[0]["code"], row.log[0]["answer"]) == (
        "DELIVERED",
        1,
        200,
        '{"mood": "OK"}',
    )
    assert got.id == f"msg_{row.uuid.hex}"


@pytest.mark.django_db
def test_only_what_was_chosen_of_ones_own_merchant_since_one_listens(people: People, job: Job) -> None:
    wanted = make_endpoint(people.merchant, events=["job.cancelled"])
    others = [
        make_endpoint(people.other),
        make_endpoint(people.merchant, "https://a.example.org/", off="person"),
        make_endpoint(people.merchant, "https://b.example.org/", on_at=timezone.now() + timedelta(hours=1)),
    ]
    make_page(job, 1)
    cancel(job, "lead")
    outbox.write_deliveries()
    assert list(WebhookDelivery.objects.values_list("endpoint", "type")) == [(wanted.pk, "job.cancelled")]
    assert not any(states(one) for one in others)


@pytest.mark.django_db
def test_an_event_exists_exactly_where_its_move_was_committed(endpoint: WebhookEndpoint, job: Job) -> None:
    with pytest.raises(ValueError), transaction.atomic():
        read_pages(job, 1)
        raise ValueError
    read_pages(job, 2)
    outbox.write_deliveries()
    assert [row.body.count('"page_number":2') for row in WebhookDelivery.objects.all()] == [1]


def test_a_transaction_that_commits_late_is_not_passed_over(committed: None, people: People) -> None:
    """Its audit rows have earlier numbers than those that were read meanwhile."""
    endpoint, job = make_endpoint(people.merchant), make_job(people.merchant)
    pages = [make_page(job, n) for n in (1, 2)]
    moved, seen = threading.Event(), threading.Event()

    def slow() -> None:
        with transaction.atomic():
            move(PAGE, Page.objects.filter(pk=pages[0].pk), to=PageStatus.AI_COMPLETED, trigger="understood")
            moved.set()
            seen.wait(20)
        connection.close()

    thread = threading.Thread(target=slow)
    thread.start()
    assert moved.wait(20)
    with transaction.atomic():
        move(PAGE, Page.objects.filter(pk=pages[1].pk), to=PageStatus.AI_COMPLETED, trigger="understood")
    rounds = [outbox.write_deliveries() for _ in range(2)]
    seen.set()
    thread.join()
    rounds += [outbox.write_deliveries() for _ in range(2)]
    assert rounds == [1, 0, 1, 0]
    numbers = [row.body.split('"page_number":')[1][0] for row in endpoint.deliveries.order_by("pk")]
    assert numbers == ["2", "1"]


@pytest.mark.django_db
def test_a_restored_database_begins_where_it_is(endpoint: WebhookEndpoint, job: Job) -> None:
    """Its transactions have smaller numbers than those that the cursor has seen."""
    WebhookCursor.objects.update(position=2**60)
    outbox.write_deliveries()
    read_pages(job, 1)
    assert outbox.write_deliveries() == 1


def test_the_rounds_of_two_schedulers_write_nothing_twice(committed: None, people: People) -> None:
    endpoint, job = make_endpoint(people.merchant), make_job(people.merchant)
    read_pages(job, 1, 2, 3)
    with transaction.atomic():
        WebhookCursor.objects.select_for_update().get()
        found: list[int] = []

        def other() -> None:
            found.append(outbox.write_deliveries())
            connection.close()

        thread = threading.Thread(target=other)
        thread.start()
        thread.join(20)
    assert found == [0] and outbox.write_deliveries() == 3
    assert len(states(endpoint)) == 3


# --- what the receiver does -----------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("mood", "code", "error"),
    [
        (R.BROKEN, 500, ""),
        (R.REFUSING, 422, ""),
        (R.BUSY, 429, ""),
        (R.REDIRECTING, 302, ""),
        (R.CLOSING, None, "RemoteDisconnected"),
        (R.HANGING, None, "no whole answer in time"),
        (R.DRIPPING, None, "no whole answer in time"),
    ],
)
def test_whatever_goes_wrong_is_tried_again_under_the_same_id(
    endpoint: WebhookEndpoint,
    receiver: Receiver,
    job: Job,
    monkeypatch: pytest.MonkeyPatch,
    mood: Receives,
    code: int | None,
    error: str,
) -> None:
    monkeypatch.setattr(sending, "CALL_TIMEOUT_S", 0.3)
    receiver.moods.append(mood)
    waiting(endpoint, job, 1)
    assert send_webhooks(endpoint.pk) == 0
    row = WebhookDelivery.objects.get()
    assert (row.state, row.attempts, row.log[0]["code"]) == ("WAITING", 1, code)
    assert error in row.log[0]["error"] and row.not_before is not None
    assert send_webhooks(endpoint.pk) == 0 and len(receiver.requests) == 1, "not before its time"
    assert try_again(endpoint) == 1
    first, second = receiver.requests
    assert (first.id, first.body) == (second.id, second.body)
    endpoint.refresh_from_db()
    assert (endpoint.failures, endpoint.failing_since) == (0, None)


@pytest.mark.django_db
def test_a_receiver_says_how_long_it_wants_to_be_left_alone(
    endpoint: WebhookEndpoint, receiver: Receiver, job: Job
) -> None:
    receiver.moods.append(R.BUSY)
    [row] = waiting(endpoint, job, 1)
    send_webhooks(endpoint.pk)
    row.refresh_from_db()
    assert row.not_before - timezone.now() > timedelta(seconds=110)


@pytest.mark.django_db
def test_of_an_answer_no_more_than_its_beginning_is_read(
    endpoint: WebhookEndpoint, receiver: Receiver, job: Job
) -> None:
    receiver.otherwise = R.HUGE
    waiting(endpoint, job, 1, 2)
    assert send_webhooks(endpoint.pk) == 2
    assert {len(row.log[0]["answer"]) for row in WebhookDelivery.objects.all()} == {1024}


@pytest.mark.django_db
def test_a_connection_that_the_receiver_has_left_costs_no_attempt(
    endpoint: WebhookEndpoint, receiver: Receiver, job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    receiver.moods.append(R.LEAVING)
    waiting(endpoint, job, 1, 2)
    record = sending._record
    monkeypatch.setattr(sending, "_record", lambda *given: (time.sleep(0.1), record(*given))[1])
    assert send_webhooks(endpoint.pk) == 2
    assert [row.attempts for row in WebhookDelivery.objects.all()] == [1, 1]


@pytest.mark.django_db
def test_documents_keep_their_order_and_wait_for_none_but_their_own(
    people: People, endpoint: WebhookEndpoint, receiver: Receiver, job: Job
) -> None:
    other = make_job(people.merchant)
    waiting(endpoint, job, 1, 2)
    waiting(endpoint, other, 7, 8)
    receiver.moods.append(R.BROKEN)
    assert send_webhooks(endpoint.pk) == 0, "after a failure the endpoint is left alone"
    WebhookEndpoint.objects.update(not_before=None)
    assert send_webhooks(endpoint.pk) == 2
    assert try_again(endpoint) == 2
    assert [number for _, number in receiver.told()] == [1, 7, 8, 1, 2]


@pytest.mark.django_db
def test_after_a_day_an_event_is_given_up_and_those_behind_it_go_on(
    endpoint: WebhookEndpoint, receiver: Receiver, job: Job
) -> None:
    receiver.moods.append(R.BROKEN)
    first, _ = waiting(endpoint, job, 1, 2)
    WebhookDelivery.objects.filter(pk=first.pk).update(due_until=timezone.now() + timedelta(seconds=3), attempts=5)
    send_webhooks(endpoint.pk)
    assert states(endpoint) == ["FAILED", "WAITING"]
    assert try_again(endpoint) == 1


@pytest.mark.django_db
def test_a_receiver_that_takes_nothing_for_three_days_is_switched_off_and_its_people_are_told(
    people: People, endpoint: WebhookEndpoint, receiver: Receiver, job: Job, client: Any
) -> None:
    receiver.otherwise = R.BROKEN
    waiting(endpoint, job, 1, 2)
    for since, off in ((timedelta(days=2), ""), (timedelta(days=3, minutes=1), "failing")):
        WebhookEndpoint.objects.update(failing_since=timezone.now() - since)
        try_again(endpoint)
        endpoint.refresh_from_db()
        assert endpoint.off == off
    assert states(endpoint) == ["FAILED", "FAILED"]
    read_pages(job, 3)
    assert outbox.write_deliveries() == 0 and sending.send_waiting() == {"endpoints": 0}
    for person, is_told in ((people.uploader, True), (people.lead, True), (people.other_uploader, False)):
        client.force_login(person)
        shown = client.get("/", headers={"Accept-Language": "en"}).content.decode()
        assert ("was switched off" in shown and endpoint.url in shown) == is_told, person
    receiver.otherwise = R.OK
    endpoints.switch_endpoint(endpoint, on=True)
    assert endpoints.replay_failed(endpoint) == 2 and send_webhooks(endpoint.pk) == 2


@pytest.mark.django_db
def test_where_nobody_listens_nothing_is_asked_about_events(people: People, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(1):
        assert sending.send_waiting() == {"endpoints": 0}
    make_endpoint(people.merchant, off=WebhookEndpoint.Off.PERSON)
    with django_assert_num_queries(1):
        assert sending.send_waiting() == {"endpoints": 0}


@pytest.mark.django_db
def test_a_receiver_that_is_gone_is_switched_off_at_once(
    endpoint: WebhookEndpoint, receiver: Receiver, job: Job
) -> None:
    receiver.otherwise = R.GONE
    waiting(endpoint, job, 1, 2)
    send_webhooks(endpoint.pk)
    endpoint.refresh_from_db()
    assert (endpoint.off, states(endpoint), len(receiver.requests)) == ("gone", ["FAILED", "FAILED"], 1)


# --- who waits for whom ---------------------------------------------------------------------------------


@pytest.mark.django_db
def test_receivers_take_at_most_half_of_the_threads_and_each_one_message(
    people: People, job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    rung: list[int] = []
    monkeypatch.setattr(sending.messages, "send", lambda name, pk: rung.append(pk))
    make_worker("out", threads=4)
    many = [make_endpoint(people.merchant, f"https://{n}.example.org/") for n in range(4)]
    waiting(many[0], job, 1)
    sending.send_waiting()
    assert len(rung) == 2
    for pk in rung:
        assert sending._claim(pk) is not None
        assert sending._claim(pk) is None, "in somebody's hands"
    assert sending.send_waiting() == {"endpoints": 0}
    WebhookEndpoint.objects.update(lease_until=None)
    WebhookEndpoint.objects.filter(pk=many[3].pk).update(not_before=timezone.now() + DAY)
    rung.clear()
    sending.send_waiting()
    assert many[3].pk not in rung and len(rung) == 2


@pytest.mark.django_db
def test_whoever_has_lost_the_endpoint_writes_nothing(endpoint: WebhookEndpoint, receiver: Receiver, job: Job) -> None:
    [row] = waiting(endpoint, job, 1)
    held = sending._claim(endpoint.pk)
    assert held is not None
    WebhookEndpoint.objects.update(lease_token=-1)
    assert not sending._record(held, row, sending.Attempt(200, 1))
    assert states(endpoint) == ["WAITING"]


def test_killed_between_call_and_record_it_comes_again_and_nothing_is_lost(
    committed: None, people: People, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint, job = make_endpoint(people.merchant, receiver.url), make_job(people.merchant)
    waiting(endpoint, job, 1, 2)
    connection.close()
    child = os.fork()
    if not child:
        os.environ["CRASH_AT"] = "webhook.after_call"
        send_webhooks(endpoint.pk)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    assert states(endpoint) == ["WAITING", "WAITING"]
    assert send_webhooks(endpoint.pk) == 0, "its lease is not over"
    WebhookEndpoint.objects.update(lease_until=timezone.now())
    assert send_webhooks(endpoint.pk) == 2
    assert [number for _, number in receiver.told()] == [1, 1, 2]
    assert receiver.requests[0].id == receiver.requests[1].id


# --- where nothing is sent ------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_name_that_leads_inside_by_now_is_not_dialled(
    people: People, receiver: Receiver, job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its address was public when the receiver was added."""
    port = int(receiver.url.split(":")[2].split("/")[0])
    endpoint = make_endpoint(people.merchant, f"https://shop.example.org:{port}/hooks")
    asked: list[str] = []

    def inside(host: str, *rest: Any, **more: Any) -> Any:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(wire.socket, "getaddrinfo", inside)
    [row] = waiting(endpoint, job, 1)
    assert send_webhooks(endpoint.pk) == 0
    row.refresh_from_db()
    assert "private network" in row.log[0]["error"] and asked == ["shop.example.org"] and not receiver.requests


@pytest.mark.django_db
def test_a_host_that_the_setting_no_longer_names_gets_nothing(
    endpoint: WebhookEndpoint, receiver: Receiver, job: Job, settings: Any
) -> None:
    settings.WEBHOOK_PRIVATE_HOSTS = []
    [row] = waiting(endpoint, job, 1)
    assert send_webhooks(endpoint.pk) == 0
    row.refresh_from_db()
    assert row.log[0]["error"] == "address_not_allowed" and not receiver.requests


# --- secrets, pings, replays, age -----------------------------------------------------------------------


@pytest.mark.django_db
def test_for_a_day_both_secrets_sign(endpoint: WebhookEndpoint, receiver: Receiver, job: Job) -> None:
    new = endpoints.rotate_secret(endpoint)
    waiting(endpoint, job, 1)
    send_webhooks(endpoint.pk)
    got = receiver.requests[0]
    assert verify()(got.headers, got.body, new) == verify()(got.headers, got.body, SECRET)
    WebhookEndpoint.objects.update(old_secret_until=timezone.now())
    waiting(endpoint, job, 2)
    send_webhooks(endpoint.pk)
    got = receiver.requests[1]
    assert verify()(got.headers, got.body, new)
    with pytest.raises(ValueError):
        verify()(got.headers, got.body, SECRET)


@pytest.mark.django_db
def test_secrets_are_kept_encrypted_and_one_that_cannot_be_read_is_named(
    endpoint: WebhookEndpoint, receiver: Receiver, job: Job, settings: Any
) -> None:
    assert SECRET.encode() not in bytes(endpoint.secret) and secrets.decrypt(endpoint.secret) == SECRET
    settings.SECRET_KEY = "another-key"
    [row] = waiting(endpoint, job, 1)
    send_webhooks(endpoint.pk)
    row.refresh_from_db()
    assert row.log[0]["error"] == "no_secret" and not receiver.requests


@pytest.mark.django_db
def test_a_ping_goes_at_once_also_to_a_receiver_that_is_left_alone(
    endpoint: WebhookEndpoint, receiver: Receiver, job: Job
) -> None:
    receiver.moods.append(R.BROKEN)
    waiting(endpoint, job, 1)
    send_webhooks(endpoint.pk)
    endpoints.send_ping(endpoint)
    assert send_webhooks(endpoint.pk) == 1
    assert receiver.requests[-1].event["type"] == "ping"


@pytest.mark.django_db
def test_a_replay_comes_under_the_id_that_is_known(endpoint: WebhookEndpoint, receiver: Receiver, job: Job) -> None:
    first, _ = waiting(endpoint, job, 1, 2)
    send_webhooks(endpoint.pk)
    assert endpoints.replay(endpoint, WebhookDelivery.objects.filter(pk=first.pk)) == 1
    send_webhooks(endpoint.pk)
    assert receiver.requests[0].id == receiver.requests[2].id and receiver.requests[0].body == receiver.requests[2].body
    first.refresh_from_db()
    assert [one["code"] for one in first.log] == [200, 200]
    assert endpoints.replay_failed(endpoint) == 0


@pytest.mark.django_db
def test_what_is_old_is_given_up_and_forgotten(endpoint: WebhookEndpoint, job: Job) -> None:
    rows = waiting(endpoint, job, *range(1, 7))
    now = timezone.now()
    for row, state, age in zip(
        rows, ["WAITING", "WAITING", "DELIVERED", "DELIVERED", "FAILED", "FAILED"], [2, 0, 8, 6, 31, 29], strict=True
    ):
        due_until = now - DAY if age == 2 else now + DAY
        WebhookDelivery.objects.filter(pk=row.pk).update(state=state, created_at=now - age * DAY, due_until=due_until)
    assert endpoints.tidy_up() == {"given_up": 1, "forgotten": 2}
    assert states(endpoint) == ["FAILED", "WAITING", "DELIVERED", "FAILED"]
