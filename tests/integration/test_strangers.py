"""Who may see and do what: every address and socket, by every method, for every role on every side (X-MATRIX)."""

import re
import uuid
from typing import Any

import pytest
from django.db import transaction
from django.test import Client, RequestFactory
from django.urls import reverse

from annotation.context import shell
from annotation.models import HumanTask
from annotation.queue.selectors import task_filters
from catalogsku.accounts.models import Merchant, Role, User
from catalogsku.accounts.permissions import ALLOWED, Action, may
from ingestion.models import Job, Page
from ingestion.selectors import job_filters
from ingestion.watch import queues
from processing.models import Sku, Template, TemplateVersion
from tests.support.matrix import gate_first
from tests.support.people import People
from tests.support.strangers import (
    ABOUT_A_JOB,
    ADDRESSES,
    ANYBODY,
    API,
    EVERYBODY,
    FILES,
    PROGRAM,
    SECRET,
    SIGNED_IN,
    SOCKETS,
    UNSAFE,
    Document,
    admin_urls,
    ask,
    browser,
    entries,
    make_document,
    methods,
    own_document,  # noqa: F401
    person,
    sees,
    told,
)

pytestmark = pytest.mark.req("X-MATRIX", "TA-T43")


def state() -> Any:
    """All that a stranger must not have moved."""
    return [
        list(model.objects.order_by("pk").values())  # type: ignore[attr-defined]
        for model in (Job, Page, Sku, HumanTask, Merchant, Template, TemplateVersion)
    ]


# --- the table is whole ------------------------------------------------------------------------------


def test_every_address_has_a_line_in_the_table() -> None:
    assert {name for name, _ in entries() if not name.startswith(("admin:", *API))} == set(ADDRESSES)


def test_every_socket_has_a_line_in_the_table() -> None:
    from catalogsku.asgi import websocket_routes

    assert {route.name for route in websocket_routes if route.name} == set(SOCKETS)
    assert [route.name for route in websocket_routes][-1] is None, "and all others lead nowhere"


def test_every_role_has_a_line_in_the_table_of_rights() -> None:
    assert set(ALLOWED) == set(Role.values)
    assert all(any(action in actions for actions in ALLOWED.values()) for action in Action)


# --- addresses of a document -------------------------------------------------------------------------


def expected(user: User | None, place: str, name: str, method: str, exists: bool) -> set[int]:
    """The statuses that are right."""
    door = ADDRESSES[name]
    right = door.rights.get(method)
    if user is None and door.tus:
        return {401}
    if right is None:
        return {405}
    if user is None:
        return {302}
    if not may(user, Action(right)):
        return {403}
    if not exists or not sees(user.role, place):
        return {404}
    return {302} if method == "post" else {200}


@pytest.mark.django_db
@pytest.mark.parametrize(("role", "place"), [*EVERYBODY, ("", "")], ids=lambda value: value or "anonymous")
def test_a_document_is_there_for_its_people_and_for_nobody_else(
    people: People, document: Document, role: str, place: str
) -> None:
    """For all others it answers like one that is missing, to the byte."""
    user = person(role, place, people.merchant, people.other) if role else None
    client, wrong, before = browser(user), [], state()
    for name in ABOUT_A_JOB:
        for method in methods(name, role, place):
            answers = set()
            for job_id in (document.job.uuid, uuid.uuid4())[: 2 if method in ADDRESSES[name].rights else 1]:
                exists = job_id == document.job.uuid
                right = expected(user, place, name, method, exists)
                if right == {302} and user is not None:
                    continue  # moves the document: test_a_button_moves_only_what_is_ours
                found = ask(client, method, name, document.url(name, job_id))
                if found.status_code not in right:
                    wrong.append((name, method, exists, found.status_code, right))
                if right != {200} and SECRET in told(found):
                    wrong.append((name, method, "leaks"))
                if right == {302} and not found["Location"].startswith(reverse("login")):
                    wrong.append((name, method, found["Location"]))
                if not sees(role, place):
                    answers.add(without_ids(found))
            if len(answers) > 1:
                wrong.append((name, method, "is told from a missing one"))
    assert not wrong
    assert state() == before


def without_ids(found: Any) -> str:
    """Of an answer what does not come from the id that was asked for, nor changes with each answer."""
    return re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|[A-Za-z0-9]{64}|expires=[^;]+", "", f"{found.status_code} {told(found)}")


@pytest.mark.django_db
@pytest.mark.parametrize(("role", "place"), EVERYBODY)
def test_a_button_moves_only_what_is_ours(people: People, document: Document, role: str, place: str) -> None:
    """Each is pressed as if none had been pressed before it."""
    Job.objects.filter(pk=document.job.pk).update(status="REJECTED", failure_code="password_needed")
    user = person(role, place, people.merchant, people.other)
    client, before = browser(user), state()
    for name in (name for name in ABOUT_A_JOB if "post" in ADDRESSES[name].rights):
        with transaction.atomic():
            found = ask(client, "post", name, document.url(name))
            assert found.status_code in expected(user, place, name, "post", True), name
            if found.status_code != 302:
                assert state() == before, name
            transaction.set_rollback(True)


@pytest.mark.django_db
@pytest.mark.parametrize("field", ["sku", "field", "from", "page_number", "q"])
def test_a_parameter_opens_no_foreign_document(people: People, document: Document, field: str) -> None:
    mine = make_document(people.other, people.other_uploader)
    Job.objects.filter(pk=mine.job.pk).update(source_name="mine.pdf")
    client = browser(people.other_uploader)
    for value in (SECRET[1:], str(document.job.uuid), f"{document.job.hash8}_p01_001", str(document.job.pk)):
        for name in ("documents", "all_results", "job_region"):
            assert f"{SECRET}.pdf" not in told(client.get(mine.url(name), {field: value})), (name, value)
    foreign_sku = reverse("sku", args=[mine.job.uuid, f"{document.job.hash8}_p01_001"])
    foreign_picture = reverse("picture", args=[mine.job.uuid, f"img_{document.job.hash8}_01_001"])
    assert [client.get(url).status_code for url in (foreign_sku, foreign_picture)] == [404, 404]


# --- files -------------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("name", [*FILES, "export"])
def test_a_file_is_kept_by_no_one_but_its_reader(people: People, document: Document, name: str) -> None:
    """Shared caches must not keep it, the browser only for this cookie; a condition or a range opens nothing."""
    own, stranger = browser(people.uploader), browser(people.other_uploader)
    found = own.get(document.url(name))
    assert found.status_code == 200
    assert SECRET in told(found)
    assert "private" in found["Cache-Control"] or found["Cache-Control"] == "no-store"
    assert "Cookie" in found["Vary"]
    assert found["X-Content-Type-Options"] == "nosniff"
    for condition in (
        {"If-None-Match": found.headers.get("ETag", "*")},
        {"If-None-Match": "*"},
        {"If-Modified-Since": "Fri, 31 Dec 2100 23:59:59 GMT"},
        {"Range": "bytes=0-10"},
    ):
        for client, status in ((stranger, 404), (Client(), 302)):
            refused = client.get(document.url(name), headers=condition)
            assert refused.status_code == status, condition
            assert SECRET not in told(refused)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    [
        "/static/../manage.py",
        "/static/%2e%2e/manage.py",
        "/static/..%2f..%2fetc/passwd",
        "/static//etc/passwd",
        "/media/",
        "/storage/",
        "/uploads/../manage.py",
        "/.env",
        "/.git/config",
        "/var/run/services.json",
    ],
)
def test_no_path_leads_to_a_file_of_the_machine(people: People, path: str) -> None:
    assert browser(people.admin).get(path).status_code == 404


# --- addresses that name no document ---------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(("role", "place"), [*EVERYBODY, ("", "")], ids=lambda value: value or "anonymous")
def test_general_addresses_ask_for_a_login_and_show_no_foreign_document(
    people: People, document: Document, role: str, place: str
) -> None:
    user = person(role, place, people.merchant, people.other) if role else None
    client, before, shown = browser(user), state(), set()
    for name, door in ADDRESSES.items():
        if name in ABOUT_A_JOB or name == "logout":
            continue
        for method in methods(name, role, place):
            found = ask(client, method, name, document.url(name))
            right = door.rights.get(method)
            assert found.status_code in general(user, name, method), (name, method, found.status_code)
            if user is None and isinstance(right, Action) and not door.tus:
                assert found["Location"].startswith(reverse("login"))
            if SECRET in told(found):
                shown.add(name)
    may_list = user is not None and sees(role, place)
    lists = {name for name, door in ADDRESSES.items() if door.lists}
    assert shown <= {name for name in lists if may_list and may(user, Action(ADDRESSES[name].rights["get"]))}  # type: ignore[arg-type]
    assert ("documents" in shown) == may_list
    if not may_list:
        assert state() == before


@pytest.mark.django_db
@pytest.mark.parametrize(("role", "place"), EVERYBODY)
def test_figures_count_nothing_foreign(people: People, document: Document, role: str, place: str) -> None:
    """A count of what one may not see tells that it is there."""
    user = person(role, place, people.merchant, people.other)
    shown = int(sees(role, place))
    request = RequestFactory().get("/")
    request.user = user
    assert shell(request)["shell"]["task_count"] == (shown if may(user, Action.SEE_TASKS) else None)
    assert [one.count for one in task_filters(user)] == [1] * 2 * shown + [0] * (1 - shown)
    assert job_filters(user)[0].count == 3 * shown, "the document, its earlier edition, and a study"
    Page.objects.filter(job=document.job).update(stage="READ")
    assert sum(queue.waiting for queue in queues(user, [])) == shown


def general(user: User | None, name: str, method: str) -> set[int]:
    door = ADDRESSES[name]
    right = door.rights.get(method)
    if user is None and door.tus:
        return {401}
    if name == ("password_change" if user is None else "login"):
        return {302}  # signed out: to the login; signed in: there already
    if right is None:
        return {405}
    if right == PROGRAM:
        return {200, 401, 403}
    if right == ANYBODY:
        return {200, 302, 503}
    if user is None:
        return {302}
    if right == SIGNED_IN:
        return {200, 204}
    if name == "upload":
        return {404}
    if {"hook", "template"} & set(door.about) and may(user, Action(right)):
        return {404}  # tests/integration/test_webhook_pages.py and test_template_screens.py ask about one that exists
    if not may(user, Action(right)):
        return {403}
    if name == "notice":
        return {404}  # somebody else's; tests/integration/test_notices.py opens one
    if name in ("work_command", "keeping_delete") or (name, method) == ("personal_data", "post"):
        return {400}  # who may command, delete or search has said nothing yet
    if name == "upload_create":
        return {201} if user.own_merchant() else {403}
    # Some forms answer on the spot: a prompt that is tried, a receiver of webhooks, a merchant's rules, what
    # a change of configuration would do; every other button sends back.
    rules = ("asking", "file_rule", "correction_rule", "dictionary")
    on_the_spot = (*rules, "prompt_try", "webhooks", "profile_effect", "routing_effect")
    return {302} if method == "post" and name not in on_the_spot else {200}


@pytest.mark.django_db
@pytest.mark.parametrize("place", ["other", "none"])
def test_the_operations_of_a_lead_end_at_his_merchants(people: People, document: Document, place: str) -> None:
    Job.objects.filter(pk=document.job.pk).update(held_reason="no_progress")
    Page.objects.filter(job=document.job).update(status="DEAD_LETTER")
    client, before = browser(person(Role.LEAD, place, people.merchant, people.other)), state()
    stopped = Page.objects.get(job=document.job)
    for data in ({"only": stopped.pk}, {"page": [stopped.pk]}, {"all": "1", "code": "all"}):
        client.post(reverse("operations_retry"), data)
    for data in ({"only": str(document.job.uuid)}, {"all": "1"}):
        client.post(reverse("operations_requeue"), data)
    assert state() == before
    assert SECRET not in told(client.get(reverse("operations")))


@pytest.mark.django_db
def test_an_upload_belongs_to_who_began_it(people: People, document: Document) -> None:
    begun = ask(browser(people.uploader), "post", "upload_create", reverse("upload_create"))
    assert begun.status_code == 201
    for stranger in (people.other_uploader, people.colleague, people.lead, people.annotator, people.outsider):
        for method in ("head", "patch", "delete"):
            headers = {"Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"}
            found = ask(browser(stranger), method, "upload", begun["Location"], headers=headers)
            assert found.status_code == 404, (stranger.username, method)
    assert ask(browser(people.uploader), "head", "upload", begun["Location"]).status_code == 200


# --- the admin ---------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("role", ["", *gate_first(Role.LEAD.value, Role.ANNOTATOR.value, Role.UPLOADER.value)])
def test_the_admin_site_is_for_admins(people: People, document: Document, role: str) -> None:
    user = person(role, "own", people.merchant, people.other) if role else None
    client, before, open_to_all = browser(user), state(), ("/admin/login/", "/admin/jsi18n/", "/admin/logout/")
    urls = admin_urls(document, people.uploader)
    assert len(urls) > 40, "the admin's addresses are found"
    for url in urls:
        for method in ("get", "post"):
            found = getattr(client, method)(url)
            assert SECRET not in told(found), url
            if url not in open_to_all:
                assert found.status_code in (302, 403), (url, method, found.status_code)
                assert found.status_code == 403 or "/admin/login/" in found["Location"], (url, method)
    assert state() == before


@pytest.mark.django_db
def test_the_admin_site_opens_to_an_admin(people: People, document: Document) -> None:
    """Each address of it answers, so that the test above looks at doors that lead somewhere."""
    client = browser(people.admin)
    found = {url: client.get(url).status_code for url in admin_urls(document, people.uploader)}
    assert {url for url, status in found.items() if status >= 500} == set()
    assert sum(status == 200 for status in found.values()) > 20
    assert client.get(reverse("admin:ingestion_job_change", args=[document.job.pk])).status_code == 200


# --- people whose rights have ended ------------------------------------------------------------------


def change_password(user: User) -> None:
    user.set_password("another-long-password")
    user.save()


def change_role(user: User) -> None:
    user.role = Role.LEAD
    user.save()


def change_role_and_back(user: User) -> None:
    for role in (Role.ADMIN, Role.UPLOADER):
        user.role = role
        user.save()


def disable(user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


def disable_and_enable(user: User) -> None:
    for is_active in (False, True):
        user.is_active = is_active
        user.save(update_fields=["is_active"])


def sign_out_elsewhere(user: User) -> None:
    from django.contrib.sessions.models import Session

    Session.objects.all().delete()


def grow_old(user: User) -> None:
    from django.contrib.sessions.models import Session

    Session.objects.all().update(expire_date="2001-01-01T00:00Z")


ENDS = (
    change_password,
    change_role,
    change_role_and_back,
    disable,
    disable_and_enable,
    sign_out_elsewhere,
    grow_old,
)


@pytest.mark.django_db
@pytest.mark.req("TA-DISABLE", "TA-AUTH")
@pytest.mark.parametrize("end", ENDS, ids=lambda end: end.__name__)
def test_a_session_ends_with_the_right_to_it(people: People, document: Document, end: Any) -> None:
    client = browser(people.uploader)
    assert client.get(document.url("job")).status_code == 200
    end(User.objects.get(pk=people.uploader.pk))
    for name in ABOUT_A_JOB:
        for method in set(ADDRESSES[name].rights) | {"get"}:
            found = ask(client, method, name, document.url(name))
            assert found.status_code in (302, 405), (name, method)
            assert SECRET not in told(found)
    assert ask(client, "post", "upload_create", reverse("upload_create")).status_code == 401


@pytest.mark.django_db
@pytest.mark.req("TA-DISABLE")
def test_a_person_moved_to_another_merchant_sees_nothing_of_the_first(people: People, document: Document) -> None:
    client = browser(people.uploader)
    people.uploader.merchants.set([people.other])
    assert client.get(document.url("job")).status_code == 302, "whoever is moved signs in anew"
    client = browser(User.objects.get(pk=people.uploader.pk))
    assert client.get(document.url("job")).status_code == 404
    assert SECRET not in told(client.get(reverse("documents")))


@pytest.mark.django_db
@pytest.mark.req("TA-DISABLE")
def test_a_disabled_merchant_is_gone_for_its_people_at_once(people: People, document: Document) -> None:
    client = browser(people.uploader)
    Merchant.objects.filter(pk=people.merchant.pk).update(is_active=False)
    assert client.get(document.url("job")).status_code == 302, "they sign in anew"
    client = browser(User.objects.get(pk=people.uploader.pk))
    assert client.get(document.url("job")).status_code == 404
    assert SECRET not in told(client.get(reverse("documents")))


@pytest.mark.django_db
@pytest.mark.req("TA-DISABLE")
@pytest.mark.parametrize("name", ["uploader", "admin"])
def test_a_query_for_a_disabled_person_finds_nothing(people: People, document: Document, name: str) -> None:
    """Whoever asks for them: their sessions have ended already."""
    disabled = getattr(people, name)
    assert Job.objects.visible_to(disabled).exists()
    disabled.is_active = False
    assert not Job.objects.visible_to(disabled).exists()


# --- forged requests -----------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.req("TA-AUTH")
@pytest.mark.parametrize("forgery", ["no token", "a wrong token", "another origin", "origin null", "no referer"])
def test_changing_anything_needs_the_token_and_our_own_origin(people: People, document: Document, forgery: str) -> None:
    client = browser(people.uploader, enforce_csrf_checks=True)
    token = "a" * 32
    client.cookies["csrftoken"] = token
    headers = {
        "no token": {},
        "a wrong token": {"X-CSRFToken": "b" * 32},
        "another origin": {"X-CSRFToken": token, "Origin": "http://elsewhere.example"},
        "origin null": {"X-CSRFToken": token, "Origin": "null"},
        "no referer": {"X-CSRFToken": token},
    }[forgery]
    before, tried = state(), 0
    for name, door in ADDRESSES.items():
        for method in set(door.rights) & set(UNSAFE):
            found = ask(client, method, name, document.url(name), headers=headers, secure=forgery == "no referer")
            assert found.status_code == 403, (name, method)
            tried += 1
    assert tried >= 14
    assert state() == before
    assert client.get(document.url("job")).status_code == 200, "still signed in"


@pytest.mark.django_db
@pytest.mark.req("TA-AUTH")
def test_the_token_from_our_own_page_opens_the_door(people: People, document: Document) -> None:
    """The test above would pass behind a wall as well."""
    client = browser(people.uploader, enforce_csrf_checks=True)
    client.cookies["csrftoken"] = token = "a" * 32
    headers = {"X-CSRFToken": token, "Origin": "http://testserver"}
    assert ask(client, "post", "upload_create", reverse("upload_create"), headers=headers).status_code == 201
    assert ask(client, "post", "set_language", reverse("set_language"), headers=headers).status_code == 302
