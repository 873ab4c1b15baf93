"""Nobody stops the web process: streams of events take no places of requests, and some places are always kept."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import connection, transaction

from catalogsku.accounts.models import Merchant, Role, User
from catalogsku.accounts.tokens import issue_token
from ingestion.models import Job, Page
from processing.exports.services import signed_links
from processing.models import Export
from tests.support.people import People
from tests.support.promises import within
from tests.support.rows import make_job, make_page
from tests.support.web_process import Stream, WebProcess, running_web

__all__ = ["running_web"]
pytestmark = [pytest.mark.req("TA-API", "TA-AUTH"), pytest.mark.timeout(120)]

SOON_S = within(2)  # what every request beside an attack has for its answer
A_PERSON, A_MERCHANT = 8, 32  # ingestion.lines.STREAMS


@pytest.fixture
def web(committed: None, people: People, running_web: WebProcess) -> Iterator[WebProcess]:
    yield running_web
    running_web.close_streams()


@pytest.fixture
def job(people: People) -> Job:
    made = make_job(people.merchant)
    make_page(made, 1)
    return made


def more_people(merchant: Merchant, count: int) -> list[User]:
    made = [User.objects.create(username=f"{merchant} {n}", role=Role.UPLOADER, language="en") for n in range(count)]
    for user in made:
        user.merchants.set([merchant])
    return made


def streams_of(web: WebProcess, user: User, job: Job, count: int) -> list[Stream]:
    token = issue_token(user).text
    return [web.open_stream(f"/api/v1/jobs/{job.uuid}/events", token) for _ in range(count)]


def is_well(web: WebProcess) -> None:
    for path in ("/healthz", "/readyz", "/login/", "/static/css/base.css", "/"):
        assert web.ask("GET", path, timeout_s=10).took_s < SOON_S, path


class TestStreams:
    def test_more_of_them_than_there_are_places_stop_nobody(self, web: WebProcess, people: People, job: Job) -> None:
        opened = [one for user in more_people(people.merchant, 5) for one in streams_of(web, user, job, A_PERSON)]
        elsewhere = make_job(people.other)
        make_page(elsewhere, 1)
        for user in more_people(people.other, 4):
            opened += streams_of(web, user, elsewhere, A_PERSON)
        assert [one.status for one in opened].count(200) == 2 * A_MERCHANT == 64
        is_well(web)
        token = issue_token(people.uploader).text
        assert web.ask("GET", "/api/v1/jobs", Authorization=f"Bearer {token}").took_s < SOON_S

    def test_one_more_than_a_person_may_have_is_refused_with_a_code(
        self, web: WebProcess, people: People, job: Job
    ) -> None:
        assert [one.status for one in streams_of(web, people.uploader, job, A_PERSON)] == [200] * A_PERSON
        found = web.ask(
            "GET", f"/api/v1/jobs/{job.uuid}/events", Authorization=f"Bearer {issue_token(people.uploader).text}"
        )
        assert (found.status, found.json()["code"]) == (429, "too_many_streams")
        assert 0 < int(found.headers["Retry-After"]) <= 30
        assert streams_of(web, people.colleague, job, 1)[0].status == 200

    def test_the_oldest_idle_one_of_the_same_person_gives_way(self, web: WebProcess, people: People, job: Job) -> None:
        first, *others = streams_of(web, people.uploader, job, A_PERSON)
        time.sleep(10.5)
        assert streams_of(web, people.uploader, job, 1)[0].status == 200
        assert first.has_ended(within_s=within(2))
        assert not any(one.has_ended(within_s=0.1) for one in others)

    def test_a_listener_who_goes_leaves_the_place(self, web: WebProcess, people: People, job: Job) -> None:
        for one in streams_of(web, people.uploader, job, A_PERSON):
            one.close()
        time.sleep(0.5)
        assert [one.status for one in streams_of(web, people.uploader, job, A_PERSON)] == [200] * A_PERSON

    def test_ends_where_machines_have_nothing_left_to_do(self, web: WebProcess, people: People) -> None:
        left = make_job(people.merchant, "PARTIAL_IMPORTED")
        make_page(left, 1, "HUMAN_QUEUED")
        stream = streams_of(web, people.uploader, left, 1)[0]
        assert stream.has_ended(within_s=within(3))
        assert b"event: human_needed" in stream.head
        assert b'event: machines_done\ndata: {"status":"PARTIAL_IMPORTED"}' in stream.head

    def test_stays_while_they_have(self, web: WebProcess, people: People) -> None:
        busy = make_job(people.merchant, "PARTIAL_IMPORTED")
        make_page(busy, 1, "AI_COMPLETED", import_state="pending")
        stream = streams_of(web, people.uploader, busy, 1)[0]
        assert not stream.has_ended(within_s=2.5)
        Page.objects.filter(job=busy).update(import_state="confirmed", **Page.visible_change())
        assert stream.has_ended(within_s=within(5))

    @pytest.mark.req("TA-DISABLE")
    @pytest.mark.parametrize("end", ["disabled", "moved", "password", "merchant"])
    def test_ends_within_two_seconds_of_the_right_to_it(
        self, web: WebProcess, people: People, job: Job, end: str
    ) -> None:
        [stream] = streams_of(web, people.uploader, job, 1)
        [other] = streams_of(web, people.admin, job, 1)
        time.sleep(0.3)
        if end == "disabled":
            User.objects.filter(pk=people.uploader.pk).update(is_active=False)
        elif end == "moved":
            people.uploader.merchants.set([people.other])
        elif end == "merchant":
            Merchant.objects.filter(pk=people.merchant.pk).update(is_active=False)
        else:
            User.objects.filter(pk=people.uploader.pk).update(password=make_password("another one"))
        assert stream.has_ended(within_s=within(2))
        assert not other.has_ended(within_s=0.5), "whose right holds listens on"


@pytest.mark.alone
class TestPlaces:
    def test_health_and_sign_in_answer_whatever_else_waits(self, web: WebProcess, people: People, job: Job) -> None:
        """Every ordinary place is taken by a request that waits for the database."""
        people.uploader.set_password("known-to-this-test")
        people.uploader.save()
        token = issue_token(people.uploader).text
        may_go = threading.Event()

        def lock() -> None:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("LOCK TABLE ingestion_job IN ACCESS EXCLUSIVE MODE")
                locked.set()
                may_go.wait(60)
            connection.close()

        locked, holder = threading.Event(), threading.Thread(target=lock)
        holder.start()
        try:
            assert locked.wait(10)
            for _ in range(70):
                web.send(f"GET /api/v1/jobs HTTP/1.1\r\nAuthorization: Bearer {token}\r\n")
            time.sleep(1.5)
            with pytest.raises(OSError):
                web.ask("GET", "/api/v1/auth/me", timeout_s=2, Authorization=f"Bearer {token}")
            for path in ("/healthz", "/login/", "/static/css/base.css"):
                assert web.ask("GET", path, timeout_s=10).took_s < SOON_S, path
            given = b'{"username": "uploader", "password": "known-to-this-test"}'
            found = web.ask("POST", "/api/v1/auth/login", given, Content_Type="application/json", timeout_s=10)
            assert found.status == 200  # however long its key is derived on a busy machine: without a place it waits
        finally:
            may_go.set()
            holder.join()


class TestReaders:
    """Who asks for much and takes little."""

    SIZE_BYTES, READERS = 64 << 20, 12

    @pytest.fixture
    def address(self, people: People) -> Iterator[str]:
        file = Path(settings.MEDIA_ROOT, "slow", "export.csv")
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("wb") as made:
            made.truncate(self.SIZE_BYTES)
        export = Export.objects.create(
            merchant=people.merchant,
            kind="csv",
            columns=["model"],
            status="DONE",
            storage_key="slow/export.csv",
            size_bytes=self.SIZE_BYTES,
            sha256="0" * 64,
        )
        yield signed_links.link_to(export, people.uploader).url
        Export.objects.all().delete()
        file.unlink()

    def test_their_answers_are_not_made_before_they_are_taken(self, web: WebProcess, address: str) -> None:
        assert len(web.ask("GET", address).body) == self.SIZE_BYTES
        before = web.resident_bytes
        for _ in range(self.READERS):
            web.send(f"GET {address} HTTP/1.1\r\n")
        for _ in range(6):
            time.sleep(0.5)
            assert web.resident_bytes - before < 50 << 20

    def test_they_take_no_places_of_requests(self, web: WebProcess, address: str) -> None:
        slow = [web.send(f"GET {address} HTTP/1.1\r\n") for _ in range(70)]
        time.sleep(5)
        is_well(web)
        assert len(web.ask("GET", address).body) == self.SIZE_BYTES
        slow[-1].connection.settimeout(10)
        assert slow[-1].connection.recv(100).startswith(b"HTTP/1.1 200"), "the last ones go on when they want to"


class TestSockets:
    HANDSHAKE = (
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: http://127.0.0.1:{port}\r\n"
    )

    @pytest.mark.parametrize("path", ["/ws/nothing/", "/ws/jobs/no-uuid/", "/ws/work", "/", "/ws/jobs/../work/"])
    def test_an_address_where_none_lives_is_not_found(self, web: WebProcess, path: str) -> None:
        stream = web.send(f"GET {path} HTTP/1.1\r\n" + self.HANDSHAKE.format(port=web.port))
        stream.has_ended(within_s=5)
        assert stream.status == 404, stream.head[:200]

    def test_one_from_elsewhere_is_still_refused(self, web: WebProcess) -> None:
        head = self.HANDSHAKE.format(port=web.port).replace("http://127.0.0.1", "http://elsewhere.example")
        stream = web.send("GET /ws/nothing/ HTTP/1.1\r\n" + head)
        stream.has_ended(within_s=5)
        assert stream.status == 403
