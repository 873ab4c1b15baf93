"""What was given ends with the right to it: sessions, tokens, streams, sockets and export links, however the right was
taken, and at once."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.hashers import make_password
from django.db.models import F
from django.test import Client

from catalogsku.accounts import people as persons
from catalogsku.accounts.grants import Grant, still_holds
from catalogsku.accounts.models import Merchant, User
from catalogsku.accounts.tokens import issue_token
from catalogsku.core import storage
from catalogsku.core.places import Place
from ingestion import events, lines
from ingestion.models import Job
from processing.exports.lifecycle import ExportStatus
from processing.exports.services import signed_links
from processing.models import Export
from tests.support.people import People
from tests.support.program import Program
from tests.support.rows import make_job, waiting_pages
from tests.support.strangers import browser, cheap_passwords  # noqa: F401

pytestmark = [pytest.mark.req("TA-DISABLE", "TA-AUTH"), pytest.mark.usefixtures("cheap_passwords")]

End = Callable[[User], Any]


def change_password(user: User) -> None:
    user.set_password("another-long-password")
    user.save()


def change_password_past_the_model(user: User) -> None:
    User.objects.filter(pk=user.pk).update(password=make_password("another-long-password"))


def change_role(user: User) -> None:
    User.objects.filter(pk=user.pk).update(role="lead")


def disable_and_enable(user: User) -> None:
    for is_active in (False, True):
        User.objects.filter(pk=user.pk).update(is_active=is_active)


def move(user: User) -> None:
    user.merchants.set([Merchant.objects.get(name="South")])


def move_and_back(user: User) -> None:
    own = list(user.merchants.all())
    user.merchants.clear()
    user.merchants.set(own)


def move_by_an_administrator(user: User) -> None:
    south = Merchant.objects.get(name="South").pk
    persons.change_person(User.objects.get(username="admin"), user, {"merchants": [south]})


def close_and_open_the_merchant(user: User) -> None:
    for is_active in (False, True):
        Merchant.objects.filter(name="North").update(is_active=is_active)


def change_password_beside_a_stale_row(user: User) -> None:
    """Somebody else has the person in memory as they were, and writes them back whole."""
    stale = User.objects.get(pk=user.pk)
    change_password_past_the_model(user)
    stale.display_name = "Somebody"
    stale.save()


ENDS: tuple[End, ...] = (
    change_password, change_password_past_the_model, change_role, disable_and_enable, move, move_and_back,
    move_by_an_administrator, close_and_open_the_merchant, change_password_beside_a_stale_row,
)  # fmt: skip
ends = pytest.mark.parametrize("end", ENDS, ids=lambda end: end.__name__)


def link_of(people: People, user: User, tmp_path: Any) -> str:
    file = tmp_path / "skus.csv"
    file.write_bytes(b"sku\n")
    key = f"m{people.merchant.pk}/exports/revocation.csv"
    storage.put_file(key, file)
    export = Export.objects.create(
        merchant=people.merchant,
        kind="csv",
        columns=["sku_id"],
        status=ExportStatus.DONE,
        storage_key=key,
        size_bytes=4,
        sha256="0" * 64,
    )
    return signed_links.link_to(export, user).url


@ends
@pytest.mark.django_db
def test_session_token_and_link_end_at_once(people: People, tmp_path: Any, end: End) -> None:
    user = User.objects.get(pk=people.uploader.pk)
    mine, colleague = browser(user), browser(people.colleague)
    token, link = Program(user), link_of(people, user, tmp_path)
    assert mine.get("/").status_code == token("GET", "/auth/me").status_code == Client().get(link).status_code == 200

    end(user)

    assert mine.get("/").status_code == 302
    assert token("GET", "/auth/me").status_code == 401
    assert Client().get(link).status_code == 403
    if end is not close_and_open_the_merchant:
        assert colleague.get("/").status_code == 200, "a colleague's things stay"


@pytest.mark.django_db
def test_what_takes_no_right_ends_nothing(people: People, tmp_path: Any) -> None:
    user = User.objects.get(pk=people.uploader.pk)
    mine, token, link = browser(user), Program(user), link_of(people, user, tmp_path)
    user.display_name = "Another"
    user.save()
    user.merchants.add(people.other)
    Merchant.objects.filter(pk=people.merchant.pk).update(name="North again")
    User.objects.filter(pk=user.pk).update(last_login=F("date_joined"))
    assert mine.get("/").status_code == token("GET", "/auth/me").status_code == Client().get(link).status_code == 200


@pytest.mark.django_db
def test_many_grants_are_asked_about_in_a_handful_of_queries(
    people: People, django_assert_max_num_queries: Any
) -> None:
    tokens = [Grant(token=issue_token(user).text) for user in (people.uploader, people.annotator) for _ in range(50)]
    key = browser(people.lead).session.session_key
    grants = [*tokens, Grant(session_key=str(key)), Grant(token="x.y.z"), Grant(session_key="none"), Grant()]
    with django_assert_max_num_queries(5):
        found = still_holds(grants)
    assert {user.username for user in found.values()} == {"uploader", "annotator", "lead"}
    assert not {Grant(token="x.y.z"), Grant(session_key="none"), Grant()} & found.keys()


async def silent_stream(people: People, grant: Grant) -> "asyncio.Future[str]":
    """The next word of a stream about a document that machines still have something to do for."""

    def take() -> tuple[Job, Place]:
        job = make_job(people.merchant)
        waiting_pages(job, [1])
        return job, lines.take_stream(people.uploader, job)

    job, place = await sync_to_async(take)()
    stream = events.job_events(grant, place, job)
    assert await anext(stream) == ": open\n\n"
    return asyncio.ensure_future(anext(stream, "over"))


@ends
async def test_an_open_stream_ends_within_two_seconds(committed: None, people: People, end: End) -> None:
    grant = Grant(token=(await sync_to_async(issue_token)(people.uploader)).text)
    waiting = await silent_stream(people, grant)
    await asyncio.sleep(0.2)
    assert not waiting.done(), "nothing has happened yet"
    await sync_to_async(lambda: end(User.objects.get(pk=people.uploader.pk)))()
    assert await asyncio.wait_for(waiting, 2) == "over"


async def test_a_stream_ends_with_the_session_that_opened_it(committed: None, people: People) -> None:
    def sign_in() -> Client:
        return browser(people.uploader)

    client = await sync_to_async(sign_in)()
    key = await sync_to_async(lambda: client.session.session_key)()
    waiting = await silent_stream(people, Grant(session_key=str(key)))
    await asyncio.sleep(0.2)
    await sync_to_async(client.logout)()
    assert await asyncio.wait_for(waiting, 2) == "over"
