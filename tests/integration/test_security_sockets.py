"""Sockets and strangers: who may open one, from where, and how soon it ends with the right to it (TA-DISABLE)."""

import asyncio
import uuid
from datetime import UTC, datetime
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client

from catalogsku.accounts.grants import Grant
from catalogsku.accounts.models import Merchant, User
from catalogsku.accounts.origin import is_same_origin
from catalogsku.accounts.permissions import Action
from catalogsku.core.places import Bounds, Places
from ingestion import admission, lines, live_socket
from tests.integration.test_strangers import ENDS, grow_old, sign_out_elsewhere
from tests.support import sockets
from tests.support.people import People
from tests.support.rows import make_job, make_page
from tests.support.sockets import LOGIN_NEEDED, NO_ACCESS, NO_ROOM, closing, hears_only_beats
from tests.support.strangers import EVERYBODY, person, sees

pytestmark = pytest.mark.req("X-MATRIX", "TA-T43")
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def no_beat_comes_between(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine the first one may come before what a test waits for."""
    monkeypatch.setattr(live_socket, "BEAT_S", 60)


def socket(job_id: Any, user: User | None, **headers: str) -> WebsocketCommunicator:
    return sockets.socket(f"/ws/jobs/{job_id}/", user, **headers)


async def opened_socket(job_id: Any, user: User | None, **headers: str) -> WebsocketCommunicator:
    return await sockets.opened_socket(f"/ws/jobs/{job_id}/", user, **headers)


async def test_every_role_on_every_side_gets_its_own_documents_and_nothing_of_others(
    committed: None, people: People
) -> None:
    job = await sync_to_async(make_job)(people.merchant)
    await sync_to_async(make_page)(job, 1)
    for role, place in EVERYBODY:
        user = await sync_to_async(person)(role, place, people.merchant, people.other)
        missing = await closing(await opened_socket(uuid.uuid4(), user))
        assert missing == (NO_ACCESS, []), (role, place)
        opened = await opened_socket(job.uuid, user)
        if sees(role, place):
            first = await opened.receive_json_from(5)
            assert (first["type"], first["seq"], len(first["rows"])) == ("sync", 1, 1)
            await opened.disconnect()
        else:
            assert await closing(opened) == missing, (role, place)


async def test_nobody_gets_anything_without_a_session(committed: None, people: People) -> None:
    job = await sync_to_async(make_job)(people.merchant)
    cookies = ("", f"{settings.SESSION_COOKIE_NAME}=", f"{settings.SESSION_COOKIE_NAME}={'a' * 32}", "x=\x00;;=")
    for cookie in cookies:
        assert await closing(await opened_socket(job.uuid, None, cookie=cookie)) == (LOGIN_NEEDED, [])


@pytest.mark.req("TA-DISABLE", "TA-AUTH")
@pytest.mark.parametrize("end", ENDS, ids=lambda end: end.__name__)
async def test_a_session_that_has_ended_opens_no_socket(committed: None, people: People, end: Any) -> None:
    job = await sync_to_async(make_job)(people.merchant)
    stale = await sync_to_async(socket)(job.uuid, people.uploader)
    await sync_to_async(end)(await sync_to_async(User.objects.get)(pk=people.uploader.pk))
    assert (await stale.connect())[0]
    assert await closing(stale) == (LOGIN_NEEDED, [])


async def test_sockets_are_bounded_by_person_merchant_and_in_all(
    committed: None, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = Places(Bounds(a_person=2, a_merchant=3, in_all=4))
    monkeypatch.setattr(lines, "SOCKETS", places)
    monkeypatch.setattr(live_socket, "SOCKETS", places)
    job, elsewhere = await sync_to_async(make_job)(people.merchant), await sync_to_async(make_job)(people.other)
    opened = [await opened_socket(job.uuid, people.uploader) for _ in range(2)]
    assert await closing(await opened_socket(job.uuid, people.uploader)) == (NO_ROOM, [])
    opened.append(await opened_socket(job.uuid, people.colleague))
    assert await closing(await opened_socket(job.uuid, people.lead)) == (NO_ROOM, [])
    opened.append(await opened_socket(elsewhere.uuid, people.other_uploader))
    assert await closing(await opened_socket(elsewhere.uuid, people.admin)) == (NO_ROOM, [])
    for one in opened:
        assert (await one.receive_json_from(5))["type"] == "sync"
        await one.disconnect()
    assert len(places) == 0
    again = await opened_socket(job.uuid, people.uploader)
    assert (await again.receive_json_from(5))["type"] == "sync"
    await again.disconnect()


def move_away(user: User) -> None:
    user.merchants.set([Merchant.objects.get(name="South")])


def disable_the_merchant(user: User) -> None:
    Merchant.objects.filter(name="North").update(is_active=False)


def test_a_look_leaves_time_within_the_two_seconds() -> None:
    assert admission.LOOK_EVERY_S + admission.VALID_FOR_S <= 1.5


@pytest.mark.req("TA-DISABLE")
@pytest.mark.parametrize("end", [*ENDS, move_away, disable_the_merchant], ids=lambda end: end.__name__)
async def test_an_open_socket_ends_with_the_right_to_it(
    committed: None, people: People, monkeypatch: pytest.MonkeyPatch, end: Any
) -> None:
    monkeypatch.setattr(admission, "LOOK_EVERY_S", 0.3)
    monkeypatch.setattr(admission, "VALID_FOR_S", 0.1)
    job = await sync_to_async(make_job)(people.merchant)
    opened = await opened_socket(job.uuid, people.uploader)
    other = await opened_socket(job.uuid, people.colleague)
    for one in (opened, other):
        assert (await one.receive_json_from(5))["type"] == "sync"

    def harm() -> None:
        end(User.objects.get(pk=people.uploader.pk))

    await sync_to_async(harm)()
    code, before = await asyncio.wait_for(closing(opened), 3)
    told = [event for event in before if '"type":"beat"' not in event["text"]]  # while a slow machine hashes a password
    assert (code, told) == (LOGIN_NEEDED, [])
    if end not in (sign_out_elsewhere, grow_old, disable_the_merchant):  # those are everybody's
        assert await hears_only_beats(other, 0.8), "the colleague's socket stays"


@pytest.mark.req("TA-DISABLE")
async def test_nothing_is_sent_to_who_may_no_more_even_before_the_next_look(
    committed: None, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change that comes between two looks is the reason to look."""
    monkeypatch.setattr(admission, "LOOK_EVERY_S", 60)
    monkeypatch.setattr(admission, "VALID_FOR_S", 0)
    monkeypatch.setattr(live_socket, "BEAT_S", 60)  # says nothing but that the server is there
    job = await sync_to_async(make_job)(people.merchant)
    page = await sync_to_async(make_page)(job, 1)
    opened = await opened_socket(job.uuid, people.uploader)
    assert (await opened.receive_json_from(5))["type"] == "sync"
    await sync_to_async(User.objects.filter(pk=people.uploader.pk).update)(is_active=False)
    from django.db.models import F

    changed = sync_to_async(type(page).objects.filter(pk=page.pk).update)
    await changed(sku_count=7, version=F("version") + 1)
    from django.db import connection

    def touch() -> None:
        with connection.cursor() as db:
            db.execute("UPDATE ingestion_page SET changed = pg_current_xact_id() WHERE id = %s", [page.pk])

    await sync_to_async(touch)()
    assert await closing(opened) == (LOGIN_NEEDED, [])


async def test_a_refused_socket_gets_nothing_more_whatever_its_browser_does(
    committed: None, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client may ignore the close and go on asking."""
    monkeypatch.setattr(admission, "LOOK_EVERY_S", 0.2)
    monkeypatch.setattr(admission, "VALID_FOR_S", 0.1)
    monkeypatch.setattr(live_socket, "BEAT_S", 0.3)
    job = await sync_to_async(make_job)(people.merchant)
    opened = await opened_socket(job.uuid, people.uploader)
    await opened.receive_json_from(5)
    await sync_to_async(User.objects.filter(pk=people.uploader.pk).update)(is_active=False)
    assert (await closing(opened))[0] == LOGIN_NEEDED
    await opened.send_to(text_data='{"type": "sync"}')
    assert await opened.receive_nothing(1)


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": ""},
        {"origin": "null"},
        {"origin": "https://elsewhere.example"},
        {"origin": "http://localhost.elsewhere.example"},
        {"origin": "http://elsewhere.example/http://localhost"},
        {"origin": "http://localhost:8001"},
        {"origin": "https://localhost"},
        {"origin": "http://localhost@elsewhere.example"},
        {"origin": "http://127.0.0.1"},
        {"host": "elsewhere.example", "origin": "http://elsewhere.example"},
        {"host": "", "origin": "http://"},
        {"host": "localhost:8000"},
    ],
    ids=str,
)
async def test_a_socket_from_another_site_is_not_opened(
    committed: None, people: People, headers: dict[str, str]
) -> None:
    job = await sync_to_async(make_job)(people.merchant)
    opened = await sync_to_async(socket)(job.uuid, people.uploader, **headers)
    assert not (await opened.connect())[0]


def scope(**headers: str) -> dict[str, Any]:
    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"type": "websocket", "scheme": "ws", "headers": pairs}


def test_behind_a_proxy_the_site_is_the_one_that_people_see(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["catalog.example.org"]
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    settings.SECURE_SSL_REDIRECT = True
    ours = {"host": "catalog.example.org", "origin": "https://catalog.example.org"}
    assert is_same_origin(scope(**ours, x_forwarded_proto="https"))
    assert not is_same_origin(scope(**ours, x_forwarded_proto="http"))
    assert not is_same_origin(scope(**ours))
    assert not is_same_origin(scope(**ours | {"origin": "http://catalog.example.org"}, x_forwarded_proto="https"))
    elsewhere = {"origin": "https://partner.example.org"}
    assert not is_same_origin(scope(**ours | elsewhere, x_forwarded_proto="https"))
    settings.CSRF_TRUSTED_ORIGINS = ["https://partner.example.org"]
    assert is_same_origin(scope(**ours | elsewhere, x_forwarded_proto="https"))


def test_two_origins_are_none() -> None:
    doubled = scope(host="localhost", origin="http://localhost")
    assert is_same_origin(doubled)
    doubled["headers"].append((b"origin", b"http://localhost"))
    assert not is_same_origin(doubled)


async def test_nonsense_from_a_client_is_ignored(committed: None, people: People) -> None:
    job = await sync_to_async(make_job)(people.merchant)
    opened = await opened_socket(job.uuid, people.uploader)
    await opened.receive_json_from(5)
    for text in ("{", "[]", "7", '{"type": "delete"}', '{"type": {}}', "x" * 5000, "[" * 100_000, "NaN", "\x00"):
        await opened.send_to(text_data=text)
    await opened.send_to(bytes_data=b"\xff")
    await opened.send_to(text_data='{"type": "sync"}')
    answer = await opened.receive_json_from(5)
    assert (answer["type"], answer["seq"]) == ("sync", 2)
    await opened.disconnect()


async def test_a_flood_of_syncs_is_answered_once_a_second(
    committed: None, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_socket, "SYNC_EVERY_S", 0.5)
    job = await sync_to_async(make_job)(people.merchant)
    opened = await opened_socket(job.uuid, people.uploader)
    await opened.receive_json_from(5)
    for _ in range(200):
        await opened.send_to(text_data='{"type": "sync"}')
    assert (await opened.receive_json_from(5))["seq"] == 2
    assert await opened.receive_nothing(0.3)
    assert (await opened.receive_json_from(5))["seq"] == 3, "what was asked meanwhile is answered, once"
    assert await opened.receive_nothing(0.8)
    await opened.disconnect()


@pytest.mark.parametrize("language", ["xx", "zz-ZZ", "", "a" * 600, "../../etc"])
async def test_a_strange_language_cookie_closes_nothing(committed: None, people: People, language: str) -> None:
    job = await sync_to_async(make_job)(people.merchant)
    opened = await sync_to_async(socket)(job.uuid, people.uploader)
    headers = dict(opened.scope["headers"])
    headers[b"cookie"] += f"; {settings.LANGUAGE_COOKIE_NAME}={language}".encode()
    opened.scope["headers"] = list(headers.items())
    assert (await opened.connect())[0]
    assert (await opened.receive_json_from(5))["type"] == "sync"
    await opened.disconnect()


@pytest.mark.parametrize("language", ["xx", "", "a" * 600, "%00%ff", "../../etc"])
async def test_a_page_in_a_strange_language_closes_nothing(committed: None, people: People, language: str) -> None:
    job = await sync_to_async(make_job)(people.merchant)
    asked = f"/ws/jobs/{job.uuid}/?language={language}"
    opened = await sockets.opened_socket(asked, people.uploader)
    assert (await opened.receive_json_from(5))["type"] == "sync"
    await opened.disconnect()


@pytest.mark.parametrize(("language", "word"), [("en", "understood by rules"), ("zh-hans", "由规则识别")])
async def test_a_socket_speaks_as_the_page_that_opened_it(
    committed: None, people: People, language: str, word: str
) -> None:
    """A browser that has never chosen a language sends no cookie, and its person may have chosen another elsewhere."""
    job = await sync_to_async(make_job)(people.merchant)
    await sync_to_async(make_page)(job, 1)
    opened = await sockets.opened_socket(f"/ws/jobs/{job.uuid}/?language={language}", people.uploader)
    told = await opened.receive_json_from(5)
    assert word in str(told), told
    await opened.disconnect()


async def test_two_hundred_sockets_are_looked_at_in_a_handful_of_queries(committed: None, people: People) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    def look() -> tuple[int, set[int]]:
        job, keys = make_job(people.merchant), []
        for user in (people.other_uploader, people.uploader):
            client = Client()
            client.force_login(user)
            keys.append(str(client.session.session_key))
        tickets = [
            admission.Ticket(Grant(session_key=keys[number % 2]), Action.SEE_JOBS, job.pk) for number in range(200)
        ]
        with CaptureQueriesContext(connection) as queries:
            found = admission.look_at(tickets)
        codes = [found[ticket].code for ticket in tickets]
        assert codes == [NO_ACCESS, 0] * 100
        return len(queries), set(codes)

    queries, _ = await sync_to_async(look)()
    assert queries <= 5


@pytest.mark.req("TA-DISABLE")
async def test_while_nothing_has_changed_a_look_is_one_query_for_all_people(
    committed: None, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what may end a right is seen by it, whoever changes it and however."""
    looked: list[int] = []
    original = admission.look_at

    def look_at(tickets: Any) -> Any:
        looked.append(len(tickets))
        return original(tickets)

    monkeypatch.setattr(admission, "look_at", look_at)

    def look() -> None:
        user = people.uploader
        job, person = make_job(people.merchant), User.objects.filter(pk=people.uploader.pk)
        harms: list[tuple[Any, int]] = [
            (lambda client: person.update(display_name="Another"), 0),  # ends nothing, and is looked at all the same
            (lambda client: type(job).objects.filter(pk=job.pk).update(merchant=people.other), NO_ACCESS),
            (lambda client: type(job).objects.filter(pk=job.pk).update(merchant=people.merchant), 0),
            (lambda client: client.session.flush(), LOGIN_NEEDED),
            (lambda client: Session.objects.update(expire_date=LONG_AGO), LOGIN_NEEDED),
            (lambda client: person.update(password="another"), LOGIN_NEEDED),
            (lambda client: Merchant.objects.filter(pk=people.merchant.pk).update(is_active=False), LOGIN_NEEDED),
            (lambda client: User.merchants.through.objects.filter(user=user).delete(), LOGIN_NEEDED),
        ]
        for number, (harm, code) in enumerate(harms):
            client = Client()
            client.force_login(User.objects.get(pk=user.pk))
            tickets = (admission.Ticket(Grant(session_key=str(client.session.session_key)), Action.SEE_JOBS, job.pk),)
            found = admission.look_again(admission.Look((), {}), tickets)
            looked.clear()
            assert admission.look_again(found, tickets) is found and not looked, number
            harm(client)
            found = admission.look_again(found, tickets)
            assert (looked, found.findings[tickets[0]].code) == ([1], code), number

    await sync_to_async(look)()


async def test_a_socket_that_could_not_begin_leaves_nothing_behind(
    committed: None, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the database goes in this moment: its place would be taken for good."""
    places = Places(Bounds(a_person=1, a_merchant=1, in_all=1))
    monkeypatch.setattr(live_socket, "SOCKETS", places)
    monkeypatch.setattr(lines, "SOCKETS", places)
    job = await sync_to_async(make_job)(people.merchant)

    async def whole(*key: Any) -> Any:
        raise OSError("the database is away")

    with monkeypatch.context() as away:
        away.setattr(live_socket.hub, "whole", whole)
        assert await closing(await opened_socket(job.uuid, people.uploader)) == (live_socket.INTERNAL_ERROR, [])
    assert len(places) == 0
    opened = await opened_socket(job.uuid, people.uploader)
    assert (await opened.receive_json_from(5))["type"] == "sync"
    await opened.disconnect()
