"""Who may see and do what: every address of the application for every role, with own, foreign and missing documents."""

import asyncio
import re
import uuid
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import ALLOWED, Action, may
from ingestion import consumers
from ingestion.models import Job
from tests.support.people import People
from tests.support.rows import make_image, make_job, make_page, make_sku

ROLES = ("uploader", "colleague", "annotator", "lead", "admin", "other_uploader", "outsider", "anonymous")
JOB, PAGE, SKU, IMAGE = ("job",), ("job", "page"), ("job", "sku"), ("job", "image")
ANYBODY, SIGNED_IN = "anybody", "signed in"

# name: (what it is about, method, who may). A new address without a line here fails the first test.
ADDRESSES: dict[str, tuple[tuple[str, ...], str, Action | str]] = {
    "documents": ((), "get", Action.SEE_JOBS),
    "upload_create": ((), "tus", Action.UPLOAD),
    "upload": (("upload",), "tus", Action.UPLOAD),
    "job": (JOB, "get", Action.SEE_JOBS),
    "job_region": (JOB, "get", Action.SEE_JOBS),
    "job_sync": (JOB, "get", Action.SEE_JOBS),
    "job_cancel": (JOB, "post", Action.CANCEL_JOB),
    "job_retry": (JOB, "post", Action.RETRY),
    "job_password": (JOB, "post", Action.UPLOAD),
    "page_rerun": (PAGE, "post", Action.RETRY),
    "page_thumb": (PAGE, "get", Action.SEE_JOBS),
    "page_image": (PAGE, "get", Action.SEE_JOBS),
    "all_results": ((), "get", Action.SEE_RESULTS),
    "results": (JOB, "get", Action.SEE_RESULTS),
    "sku": (SKU, "get", Action.SEE_RESULTS),
    "picture": (IMAGE, "get", Action.SEE_RESULTS),
    "export": (("job", "kind"), "get", Action.EXPORT),
    "tasks": ((), "get", Action.SEE_TASKS),
    "login": ((), "get", ANYBODY),
    "logout": ((), "post", ANYBODY),
    "set_language": ((), "post", ANYBODY),
    "password_change": ((), "get", SIGNED_IN),
    "healthz": ((), "get", ANYBODY),
}
ABOUT_A_JOB = sorted(name for name, (about, _, _) in ADDRESSES.items() if "job" in about)


def names_of(resolver: URLResolver) -> Iterator[str]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            if entry.namespace != "admin":
                yield from names_of(entry)
        elif isinstance(entry, URLPattern):
            yield entry.name or str(entry.pattern)


@pytest.fixture
def client_of(people: People) -> Any:
    def make(name: str) -> Client:
        client = Client(raise_request_exception=True)
        if (user := people.named(name)) is not None:
            client.force_login(user)
        return client

    return make


@pytest.fixture
def document(people: People) -> Job:
    """A job of the first merchant with a page, a SKU and a picture."""
    job = make_job(people.merchant, uploader=people.uploader)
    page = make_page(
        job, 1, "AI_COMPLETED", import_state="confirmed", thumbnail_key="t/1.jpg", screenshot_key="t/2.jpg"
    )
    make_sku(page)
    make_image(page)
    return job


def address(name: str, job_id: Any, hash8: str) -> str:
    about = ADDRESSES[name][0]
    arguments = {"job": job_id, "page": 1, "sku": f"{hash8}_p01_001", "image": f"img_{hash8}_01_001", "kind": "json",
                 "upload": uuid.UUID(int=1)}  # fmt: skip
    return reverse(name, args=[arguments[part] for part in about])


def answer(client: Client, name: str, url: str) -> Any:
    method = ADDRESSES[name][1]
    if method == "tus":
        announced = {"Upload-Length": "9", "Upload-Metadata": "filename YS5wZGY=,key c29tZS1rZXktMQ=="}
        return client.head(url) if name == "upload" else client.post(url, headers=announced)
    return getattr(client, method)(url)


@pytest.mark.req("X-MATRIX")
def test_every_address_has_a_line_in_the_table() -> None:
    assert set(names_of(get_resolver())) == set(ADDRESSES)


@pytest.mark.req("X-MATRIX")
def test_every_role_has_a_line_in_the_table_of_rights() -> None:
    from catalogsku.accounts.models import Role

    assert set(ALLOWED) == set(Role.values)
    assert all(any(action in actions for actions in ALLOWED.values()) for action in Action)


@pytest.mark.django_db
@pytest.mark.req("X-MATRIX", "TA-T43")
@pytest.mark.parametrize("role", ROLES)
def test_a_document_is_there_for_its_people_and_for_nobody_else(
    people: People, client_of: Any, document: Job, role: str
) -> None:
    user, client, found = people.named(role), client_of(role), {}
    for name in ABOUT_A_JOB:
        here = answer(client, name, address(name, document.uuid, document.hash8))
        missing = answer(client, name, address(name, uuid.uuid4(), document.hash8))
        found[name] = here.status_code, missing.status_code
        if role not in OURS:
            assert document.source_name not in here.content.decode(), name
        if user is None:
            assert here["Location"].startswith(reverse("login")), name
    assert found == {name: expected(user, role, name) for name in ABOUT_A_JOB}


OURS = ("uploader", "colleague", "annotator", "lead", "admin")


def expected(user: User | None, role: str, name: str) -> tuple[int, int]:
    """Statuses for the document and for a missing one: only to its own people do they differ."""
    right = ADDRESSES[name][2]
    if user is None:
        return 302, 302
    if not may(user, Action(right)):
        return 403, 403
    if role not in OURS:
        return 404, 404
    if name in ("page_thumb", "page_image", "picture"):  # known, but no such file lies in storage
        return 404, 404
    return 302 if ADDRESSES[name][1] == "post" else 200, 404


@pytest.mark.django_db
@pytest.mark.req("X-MATRIX", "TA-T43")
def test_a_foreign_document_answers_like_a_missing_one_to_the_byte(client_of: Any, document: Job) -> None:
    client = client_of("other_uploader")

    def seen(name: str, job_id: Any) -> tuple[int, str]:
        found = answer(client, name, address(name, job_id, document.hash8))
        return found.status_code, re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|[A-Za-z0-9]{64}", "", found.content.decode())

    for name in ABOUT_A_JOB:
        assert seen(name, document.uuid) == seen(name, uuid.uuid4()), name
    assert Job.objects.get().status == "PROCESSING"


@pytest.mark.django_db
@pytest.mark.req("X-MATRIX", "TA-T43")
@pytest.mark.parametrize("name", sorted(set(ADDRESSES) - set(ABOUT_A_JOB)))
def test_general_addresses_ask_for_a_login_and_show_no_foreign_document(
    people: People, client_of: Any, document: Job, name: str
) -> None:
    right = ADDRESSES[name][2]
    url = address(name, "", "")
    nobody = answer(client_of("anonymous"), name, url)
    if ADDRESSES[name][1] == "tus":
        assert nobody.status_code == 401
    elif right != ANYBODY:
        assert nobody.status_code == 302
        assert nobody["Location"].startswith(reverse("login"))
    for role in ("other_uploader", "outsider"):
        found = answer(client_of(role), name, url)
        assert document.source_name not in found.content.decode(errors="replace")
        if isinstance(right, Action) and not may(people.named(role), right):
            assert found.status_code == (404 if name == "upload" else 403)


@pytest.mark.django_db
@pytest.mark.req("TA-DISABLE", "TA-T43")
def test_a_disabled_user_and_a_disabled_merchant_see_nothing_at_once(
    people: People, client_of: Any, document: Job
) -> None:
    client, url = client_of("uploader"), reverse("job", args=[document.uuid])
    assert client.get(url).status_code == 200
    type(people.merchant).objects.filter(pk=people.merchant.pk).update(is_active=False)
    assert client.get(url).status_code == 404
    type(people.merchant).objects.filter(pk=people.merchant.pk).update(is_active=True)
    User.objects.filter(pk=people.uploader.pk).update(is_active=False)
    assert client.get(url)["Location"].startswith(reverse("login"))


@pytest.mark.django_db
@pytest.mark.req("TA-T43")
def test_the_admin_site_is_for_admins(client_of: Any) -> None:
    assert client_of("admin").get("/admin/").status_code == 200
    for role in ("uploader", "annotator", "lead", "outsider", "anonymous"):
        assert client_of(role).get("/admin/").status_code == 302, role


# --- the pages themselves ------------------------------------------------------------------------


class Inline(HTMLParser):
    """Collects what a strict policy would block: scripts and styles in the page, handlers and styles on elements."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "script" and "src" not in given and given.get("type") != "application/json":
            self.found.append("script without src")
        if tag == "style":
            self.found.append("style element")
        for name, value in attrs:
            if name.startswith("on") or name == "style" or (value or "").strip().lower().startswith("javascript:"):
                self.found.append(f"{tag} {name}={value}")


@pytest.mark.django_db
@pytest.mark.req("TA-AUTH", "TA-T43")
@pytest.mark.parametrize("role", ["admin", "uploader", "anonymous"])
def test_every_page_has_a_strict_policy_and_nothing_inline(client_of: Any, document: Job, role: str) -> None:
    client, looked_at = client_of(role), 0
    urls = [address(name, document.uuid, document.hash8) for name, (_, how, _) in ADDRESSES.items() if how == "get"]
    urls += ["/jobs/00000000-0000-0000-0000-000000000000/", "/nowhere/", "/admin/"]
    for url in urls:
        found = client.get(url)
        policy = found.headers.get("Content-Security-Policy", "")
        assert "default-src 'self'" in policy or "default-src 'none'" in policy, url
        assert "unsafe-inline" not in policy and "unsafe-eval" not in policy, url
        assert found["X-Content-Type-Options"] == "nosniff" and found["X-Frame-Options"] == "DENY", url
        if found["Content-Type"].startswith("text/html") and not url.startswith("/admin/"):
            page = Inline()
            page.feed(found.content.decode())
            assert page.found == [], url
            looked_at += 1
    assert looked_at >= 3


@pytest.mark.django_db
@pytest.mark.req("TA-AUTH")
def test_five_wrong_passwords_lock_the_door_also_for_the_right_one(people: People) -> None:
    people.uploader.set_password("a-right-password")
    User.objects.filter(pk=people.uploader.pk).update(password=people.uploader.password)

    def sign_in(password: str, name: str = "uploader") -> Any:
        return Client().post(reverse("login"), {"username": name, "password": password})

    assert sign_in("a-right-password").status_code == 302
    statuses = [sign_in("wrong").status_code for _ in range(5)]
    assert statuses[:4] == [200] * 4
    assert statuses[4] == 429
    assert sign_in("a-right-password").status_code == 429
    assert sign_in("whatever", "lead").status_code == 200, "somebody else may still try"


@pytest.mark.django_db
@pytest.mark.req("TA-AUTH")
def test_changing_anything_needs_the_csrf_token(people: People, document: Job) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(people.uploader)
    for name, (about, method, _) in ADDRESSES.items():
        if method in ("post", "tus") and name != "upload":
            found = client.post(address(name, document.uuid, document.hash8))
            assert found.status_code == 403, (name, about)
    assert Job.objects.get().status == "PROCESSING"
    for name in ("job_cancel", "job_retry", "job_password", "page_rerun"):
        assert client.get(address(name, document.uuid, document.hash8)).status_code == 405


# --- sockets -------------------------------------------------------------------------------------


def socket(job_id: Any, user: User | None, origin: str = "http://localhost") -> WebsocketCommunicator:
    from catalogsku.asgi import application

    headers = [(b"origin", origin.encode()), (b"host", b"localhost")]
    if user is not None:
        client = Client()
        client.force_login(user)
        cookie = f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"
        headers.append((b"cookie", cookie.encode()))
    return WebsocketCommunicator(application, f"/ws/jobs/{job_id}/", headers=headers)


async def closing_code(opened: WebsocketCommunicator, within_s: float = 5) -> int:
    while True:
        message = await opened.receive_output(within_s)
        if message["type"] == "websocket.close":
            return int(message["code"])


@pytest.mark.req("X-MATRIX", "TA-T43")
async def test_a_socket_says_why_it_closes_and_nothing_of_foreign_documents(committed: None, people: People) -> None:
    job = await sync_to_async(make_job)(people.merchant)
    cases = [
        (job.uuid, None, 4401),
        (uuid.uuid4(), None, 4401),
        (job.uuid, people.other_uploader, 4403),
        (job.uuid, people.outsider, 4403),
        (uuid.uuid4(), people.uploader, 4403),
        (uuid.uuid4(), people.other_uploader, 4403),
    ]
    for job_id, user, code in cases:
        opened = await sync_to_async(socket)(job_id, user)
        assert (await opened.connect())[0]
        assert await closing_code(opened) == code


@pytest.mark.req("X-MATRIX")
async def test_a_socket_from_another_site_is_not_opened(committed: None, people: People) -> None:
    job = await sync_to_async(make_job)(people.merchant)
    opened = await sync_to_async(socket)(job.uuid, people.uploader, origin="https://elsewhere.example")
    assert not (await opened.connect())[0]


@pytest.mark.req("X-MATRIX", "X-SEQ")
@pytest.mark.parametrize("role", ["uploader", "colleague", "annotator", "lead", "admin"])
async def test_its_people_get_the_whole_region_first(committed: None, people: People, role: str) -> None:
    job = await sync_to_async(make_job)(people.merchant)
    await sync_to_async(make_page)(job, 1)
    opened = await sync_to_async(socket)(job.uuid, people.named(role))
    assert (await opened.connect())[0]
    first = await opened.receive_json_from(5)
    assert (first["type"], first["seq"], len(first["rows"])) == ("sync", 1, 1)
    await opened.disconnect()


@pytest.mark.req("TA-DISABLE")
@pytest.mark.parametrize("harm", ["disabled", "signed out", "other merchant"])
async def test_a_socket_closes_within_a_beat_once_its_user_may_no_more(
    committed: None, people: People, monkeypatch: pytest.MonkeyPatch, harm: str
) -> None:
    monkeypatch.setattr(consumers, "BEAT_S", 0.3)
    job = await sync_to_async(make_job)(people.merchant)
    opened = await sync_to_async(socket)(job.uuid, people.uploader)
    await opened.connect()
    assert (await opened.receive_json_from(5))["type"] == "sync"
    assert (await opened.receive_json_from(5))["type"] == "beat"

    def end() -> None:
        if harm == "disabled":
            User.objects.filter(pk=people.uploader.pk).update(is_active=False)
        elif harm == "signed out":
            from django.contrib.sessions.models import Session

            Session.objects.all().delete()
        else:
            people.uploader.merchants.set([people.other])

    await sync_to_async(end)()
    code = await asyncio.wait_for(closing_code(opened), 3)
    assert code == (4403 if harm == "other merchant" else 4401)


@pytest.mark.req("X-MATRIX")
async def test_nonsense_from_a_client_is_ignored(committed: None, people: People) -> None:
    job = await sync_to_async(make_job)(people.merchant)
    opened = await sync_to_async(socket)(job.uuid, people.uploader)
    await opened.connect()
    await opened.receive_json_from(5)
    for text in ("{", "[]", "7", '{"type": "delete"}', "x" * 5000):
        await opened.send_to(text_data=text)
    await opened.send_to(bytes_data=b"\xff")
    await opened.send_to(text_data='{"type": "sync"}')
    answer_ = await opened.receive_json_from(5)
    assert (answer_["type"], answer_["seq"]) == ("sync", 2)
    await opened.disconnect()
