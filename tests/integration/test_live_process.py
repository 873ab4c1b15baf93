"""The process with the websockets: the web process hands connections over, and neither needs the other afterwards."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from catalogsku.core import handing_over
from ingestion.models import Job, Page
from tests.support.people import People
from tests.support.promises import within
from tests.support.rows import make_job, make_page
from tests.support.web_process import LiveProcess, Stream, WebProcess

pytestmark = [pytest.mark.req("TA-PROG", "X-SEQ"), pytest.mark.timeout(120)]

HANDSHAKE = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: http://127.0.0.1:{port}\r\n"
)


@pytest.fixture(scope="module")
def web(process_environment: dict[str, str]) -> Iterator[WebProcess]:
    with WebProcess(process_environment) as running:
        yield running


@pytest.fixture(scope="class")
def live(process_environment: dict[str, str]) -> Iterator[None]:
    """One for all tests of a class: starting it is most of what they cost."""
    with LiveProcess(process_environment):
        yield


@pytest.fixture
def job(committed: None, people: People) -> Job:
    made = make_job(people.merchant)
    make_page(made, 1)
    return made


def open_socket(web: WebProcess, people: People, path: str, more: str = "") -> Stream:
    client = Client()
    client.force_login(people.uploader)
    cookie = f"Cookie: {settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}\r\n"
    return web.send(f"GET {path} HTTP/1.1\r\n{HANDSHAKE.format(port=web.port)}{cookie}{more}")


def read_on(stream: Stream, is_there: Callable[[bytes], bool], within_s: float = 10) -> bool:
    until_s = time.monotonic() + within_s
    while not is_there(stream.head):
        if time.monotonic() > until_s or stream.has_ended(within_s=0.1):
            return False
    return True


def sockets_of(pid: int) -> int:
    """Connections of that process with a peer: TCP, established."""
    inodes = {line.split()[9] for line in Path("/proc/net/tcp").read_text().splitlines()[1:] if line.split()[3] == "01"}
    links = (link for link in Path(f"/proc/{pid}/fd").iterdir() if link.is_symlink())
    return sum(os.readlink(link).removeprefix("socket:[").rstrip("]") in inodes for link in links)


def touch(job: Job) -> None:
    Page.objects.filter(job=job).update(sku_count=7, **Page.visible_change())


def test_a_socket_is_held_by_it_and_outlives_the_web_process(
    process_environment: dict[str, str], people: People, job: Job
) -> None:
    with LiveProcess(process_environment) as live, WebProcess(process_environment) as web:
        stream = open_socket(web, people, f"/ws/jobs/{job.uuid}/?language=en")
        assert read_on(stream, lambda head: b'"type":"sync"' in head)
        assert stream.status == 101 and b'{"seq":1,' in stream.head
        assert sockets_of(live.process.pid) >= 1
        os.kill(web.pid, signal.SIGKILL)
        touch(job)
        assert read_on(stream, lambda head: b'"type":"rows"' in head), stream.head[-300:]
        stream.close()


def test_where_it_is_away_the_web_process_holds_them(web: WebProcess, people: People, job: Job) -> None:
    assert not handing_over.door().exists()
    stream = open_socket(web, people, f"/ws/jobs/{job.uuid}/")
    assert read_on(stream, lambda head: b'"type":"sync"' in head)


def test_where_it_was_killed_too(
    process_environment: dict[str, str], web: WebProcess, people: People, job: Job
) -> None:
    with LiveProcess(process_environment) as live:
        cut = open_socket(web, people, f"/ws/jobs/{job.uuid}/")
        assert read_on(cut, lambda head: b'"type":"sync"' in head)
        live.process.kill()
        live.process.wait()
        assert cut.has_ended(within_s=5), "its page comes again"
        assert handing_over.door().exists(), "what it leaves behind is no door"
        again = open_socket(web, people, f"/ws/jobs/{job.uuid}/")
        assert read_on(again, lambda head: b'"type":"sync"' in head)


@pytest.mark.usefixtures("live")
class TestWhileItLives:
    @pytest.fixture(autouse=True)
    def _no_stream_stays_open(self, web: WebProcess) -> Iterator[None]:
        yield
        web.close_streams()

    @pytest.mark.parametrize(("path", "status"), [("/ws/nothing/", 404), ("/ws/jobs/no-uuid/", 404)])
    def test_an_address_where_none_lives_is_not_found(
        self, web: WebProcess, people: People, job: Job, path: str, status: int
    ) -> None:
        stream = open_socket(web, people, path)
        stream.has_ended(within_s=5)
        assert stream.status == status

    @pytest.mark.req("X-MATRIX")
    def test_one_from_elsewhere_is_refused_and_so_is_a_head_that_is_none(
        self, web: WebProcess, people: People, job: Job
    ) -> None:
        path = f"/ws/jobs/{job.uuid}/"
        elsewhere = web.send(f"GET {path} HTTP/1.1\r\n" + HANDSHAKE.format(port=1))
        elsewhere.has_ended(within_s=5)
        assert elsewhere.status == 403
        crooked = open_socket(web, people, path, more="X-Forwarded-Proto: https\x0bX\r\n")
        crooked.has_ended(within_s=5)
        assert crooked.status == 400

    @pytest.mark.req("TA-DISABLE")
    def test_it_ends_a_socket_within_two_seconds_of_the_right_to_it(
        self, web: WebProcess, people: People, job: Job
    ) -> None:
        stream = open_socket(web, people, f"/ws/jobs/{job.uuid}/")
        assert read_on(stream, lambda head: b'"type":"sync"' in head)
        people.uploader.merchants.set([people.other])
        assert read_on(stream, lambda head: (4401).to_bytes(2, "big") in head, within_s=within(2.5))

    def test_its_beats_stop_while_the_web_process_stands_still(self, web: WebProcess, people: People, job: Job) -> None:
        """Pages judge by them whether the server is there."""
        stream = open_socket(web, people, f"/ws/jobs/{job.uuid}/")
        assert read_on(stream, lambda head: b'"type":"beat"' in head)
        os.kill(web.pid, signal.SIGSTOP)
        try:
            stream.has_ended(within_s=handing_over.GONE_AFTER_S + 0.5)
            stream.head = b""
            assert not read_on(stream, lambda head: b'"type":"beat"' in head, within_s=4.5)
        finally:
            os.kill(web.pid, signal.SIGCONT)
        assert read_on(stream, lambda head: b'"type":"beat"' in head, within_s=within(6))
