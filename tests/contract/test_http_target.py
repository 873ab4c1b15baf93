"""What the HTTP target makes of everything that a downstream and the network between may do."""

import json
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from catalogsku.core import wire
from processing.imports.models import url_fault
from processing.imports.targets.http import HttpTarget
from processing.imports.targets.port import Answer, Envelope, Found, Traits, Unclear
from tests.support.downstream import Downstream, Mood
from tests.support.promises import within

TIMEOUT_S = 20.0
SINGLE, BATCH, WHOLE = Traits(), Traits(batch=10), Traits(whole_job=True)


@pytest.fixture
def downstream() -> Iterator[Downstream]:
    with Downstream() as server:
        yield server


def product(number: int = 1, generation: int = 1, **more: Any) -> Envelope:
    sku = f"aaaaaaaa_p01_{number:03d}"
    body = {"merchant_id": 1, "sku_id": sku, "generation": generation, "job_id": "j", "content_hash": "h", **more}
    return Envelope(1, sku, generation, json.dumps(body).encode(), "h", job="j")


def put(
    downstream: Downstream, *envelopes: Envelope, traits: Traits = SINGLE, timeout_s: float = TIMEOUT_S
) -> list[Answer]:
    return HttpTarget(downstream.url, traits, private=True).put(envelopes or [product()], timeout_s)


@pytest.mark.req("TA-IMPORT", "TA-4XX")
@pytest.mark.parametrize(
    ("mood", "state", "trigger", "said"),
    [
        (Mood.OK, "CONFIRMED", "confirmed", ""),
        (Mood.NO_CONTENT, "CONFIRMED", "confirmed", ""),
        (Mood.LATER, "ASSUMED", "assumed", ""),
        (Mood.DUPLICATING, "CONFIRMED", "confirmed", ""),
        (Mood.REFUSING, "REFUSED", "refused", 'HTTP 422: {"error": "refusing: category is missing"}'),
        (Mood.CONFLICT, "PENDING", "conflict", "HTTP 409"),
        (Mood.RATE_LIMITED, "PENDING", "not_sent", "HTTP 429"),
        (Mood.REDIRECT, "PENDING", "not_sent", "HTTP 302"),
        (Mood.DOWN, "UNKNOWN", "answer_lost", "HTTP 503"),
        (Mood.BROKEN, "UNKNOWN", "answer_lost", "HTTP 500"),
        (Mood.TIMED_OUT, "UNKNOWN", "answer_lost", "HTTP 408"),
        (Mood.LOSSY, "UNKNOWN", "answer_lost", "RemoteDisconnected"),
        (Mood.UNHEARD, "UNKNOWN", "answer_lost", "RemoteDisconnected"),
        (Mood.GARBAGE, "UNKNOWN", "answer_lost", "unreadable: <html>Welcome"),
        (Mood.HUGE, "UNKNOWN", "answer_lost", "more than"),
    ],
)
@pytest.mark.parametrize("traits", [SINGLE, BATCH, WHOLE], ids=["single", "batch", "whole"])
def test_each_answer_has_its_class(
    downstream: Downstream, traits: Traits, mood: Mood, state: str, trigger: str, said: str
) -> None:
    downstream.otherwise = mood
    answers = put(downstream, traits=traits)
    if mood is Mood.NO_CONTENT and traits is not SINGLE:
        assert answers[0].state == "UNKNOWN", "of some products nothing was said"
        return
    assert [(answer.state, answer.trigger) for answer in answers] == [(state, trigger)]
    assert said in answers[0].response


def test_redirects_are_not_followed(downstream: Downstream) -> None:
    downstream.otherwise = Mood.REDIRECT
    put(downstream)
    assert [request.path for request in downstream.requests] == ["/api/products"]


@pytest.mark.req("TA-IMPRETRY")
def test_how_long_to_wait_is_the_downstreams_to_say(downstream: Downstream) -> None:
    downstream.otherwise = Mood.RATE_LIMITED
    assert put(downstream)[0].retry_after_s == 7
    at = datetime.now(UTC) + timedelta(seconds=90)
    downstream.retry_after = at.strftime("%a, %d %b %Y %H:%M:%S GMT")
    assert 80 < (put(downstream)[0].retry_after_s or 0) <= 90
    downstream.retry_after = "soon"
    assert put(downstream)[0].retry_after_s is None


@pytest.mark.req("TA-IMPKEY")
def test_a_conflict_tells_the_generation_that_the_downstream_has(downstream: Downstream) -> None:
    put(downstream, product(generation=7))
    downstream.otherwise = Mood.CONFLICT
    assert put(downstream, product(generation=2))[0].held == 7


@pytest.mark.req("TA-IMPKEY", "TA-IMPORT")
def test_the_request_carries_key_and_the_exact_bytes(downstream: Downstream) -> None:
    downstream.token = "a made-up secret"
    sent = product(generation=3)
    target = HttpTarget(downstream.url, SINGLE, private=True, token=lambda: "a made-up secret")
    assert target.put([sent], TIMEOUT_S)[0].state == "CONFIRMED"
    request = downstream.posts()[0]
    assert request.headers["idempotency-key"] == "1:aaaaaaaa_p01_001:3"
    assert request.body == sent.payload
    assert request.headers["host"] == downstream.url.split("/")[2]
    assert put(downstream, sent)[0].response.startswith("HTTP 401"), "without the secret"


@pytest.mark.req("TA-IMPORT")
def test_a_batch_is_answered_item_by_item(downstream: Downstream) -> None:
    downstream.moods.append(Mood.PARTIAL)
    answers = put(downstream, product(1), product(2), product(3), traits=BATCH)
    assert [answer.state for answer in answers] == ["CONFIRMED", "REFUSED", "UNKNOWN"]
    assert answers[1].response == "HTTP 422: no category"
    assert len(downstream.posts()) == 1


def test_a_batch_refused_whole_is_halved_until_the_one_at_fault_stands_alone(downstream: Downstream) -> None:
    """The first answer refuses all four, the second the first two, the third the first one."""
    downstream.moods.extend([Mood.REFUSING, Mood.REFUSING, Mood.REFUSING])
    answers = put(downstream, *(product(n) for n in range(1, 5)), traits=BATCH)
    assert [answer.state for answer in answers] == ["REFUSED", "CONFIRMED", "CONFIRMED", "CONFIRMED"]


@pytest.mark.req("TA-ADAPT")
def test_a_document_goes_out_in_one_request(downstream: Downstream) -> None:
    answers = put(downstream, *(product(n) for n in range(1, 61)), traits=WHOLE)
    assert [answer.state for answer in answers] == ["CONFIRMED"] * 60
    assert len(downstream.posts()) == 1


# --- time ----------------------------------------------------------------------------------------


def test_nobody_there_means_that_nothing_left() -> None:
    with Downstream() as gone:
        pass
    answer = put(gone)[0]
    assert (answer.state, answer.retry_after_s) == ("PENDING", None)
    assert "refused" in answer.response.lower()


def test_a_name_without_an_address_means_that_nothing_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: Any, **__: Any) -> Any:
        raise socket.gaierror("no such name")

    monkeypatch.setattr(wire.socket, "getaddrinfo", unknown)
    answer = HttpTarget("https://nowhere.example/x", SINGLE).put([product()], TIMEOUT_S)[0]
    assert (answer.state, "no such name" in answer.response) == ("PENDING", True)


@pytest.mark.req("PL-C3")
def test_an_answer_in_drops_is_given_up_after_the_whole_time(downstream: Downstream) -> None:
    """Each drop comes in time; all of them together do not."""
    downstream.otherwise, downstream.slow_s = Mood.SLOW, 20.0
    began_s = time.monotonic()
    answer = put(downstream, timeout_s=0.5)[0]
    assert (answer.state, answer.response) == ("UNKNOWN", "no whole answer in time")
    assert time.monotonic() - began_s < within(2)


@pytest.mark.req("PL-C3")
def test_what_could_not_begin_in_time_was_not_sent(downstream: Downstream) -> None:
    downstream.otherwise, downstream.slow_s = Mood.SLOW, 0.4
    answers = put(downstream, *(product(n) for n in range(1, 6)), timeout_s=0.6)
    states = [answer.state for answer in answers]
    assert states[0] == "CONFIRMED" and states[-1] == "PENDING", states
    assert answers[-1].retry_after_s == 0, "it waits for nobody"
    assert len(downstream.posts()) == len([state for state in states if state != "PENDING"])


# --- where products may go -----------------------------------------------------------------------


@pytest.mark.req("TA-IMPORT")
@pytest.mark.parametrize(
    "address", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "fd00::1", "::ffff:10.0.0.1", "0.0.0.0", "224.0.0.1"]
)
def test_an_address_of_a_private_network_is_not_dialled(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    """Whatever its name says: looked at when it is dialled."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    monkeypatch.setattr(wire.socket, "getaddrinfo", lambda *_, **__: [(family, 1, 6, "", (address, 443))])
    answer = HttpTarget("https://shop.example/x", SINGLE).put([product()], TIMEOUT_S)[0]
    assert (answer.state, answer.response) == ("PENDING", "shop.example has an address of a private network")


def test_what_was_judged_is_dialled_whatever_the_name_says_next(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def rebinding(host: str, port: int, *_: Any, **__: Any) -> Any:
        if host == "shop.example":
            asked.append(host)
            host = "93.184.216.34" if len(asked) == 1 else "127.0.0.1"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, port))]

    monkeypatch.setattr(wire.socket, "getaddrinfo", rebinding)
    with pytest.raises(Exception, match=r"connection to 93\.184\.216\.34 from a test"):
        HttpTarget("https://shop.example/x", SINGLE).put([product()], TIMEOUT_S)
    assert asked == ["shop.example"]


@pytest.mark.parametrize(
    ("url", "is_fine"),
    [
        ("https://shop.example.org/products", True),
        ("http://shop.inside/products", True),
        ("https://shop.example.org/products?a=1", False),
        ("https://10.1.2.3/products", False),
        ("https://0251.0376.0251.0376/products", False),
        ("https://shop.internal/products", False),
        ("shop.example.org", False),
        ("ftp://shop.inside/products", False),
    ],
)
def test_an_address_in_a_row_is_public_but_for_the_hosts_of_the_setting(url: str, is_fine: bool) -> None:
    assert (url_fault(url, ["shop.inside"]) is None) == is_fine


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """For 127.0.0.1, signed by nobody."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "downstream")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path / "both.pem"
    plain = serialization.NoEncryption()
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    file.write_bytes(pem + made.public_bytes(serialization.Encoding.PEM))
    return file


@pytest.mark.req("TA-IMPORT")
def test_a_certificate_that_nobody_vouches_for_ends_it_before_anything_is_said(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    with Downstream(tls=tls) as downstream:
        answer = put(downstream)[0]
        assert (answer.state, "CERTIFICATE_VERIFY_FAILED" in answer.response) == ("PENDING", True)
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert put(downstream)[0].state == "CONFIRMED", "one that is trusted"
    assert len(downstream.requests) == 1


# --- asking --------------------------------------------------------------------------------------


@pytest.mark.req("TA-RECON", "TA-ADAPT")
@pytest.mark.parametrize("query", ["sku", "job"])
def test_asking_tells_there_absent_and_unclear_apart(downstream: Downstream, query: str) -> None:
    target = HttpTarget(downstream.url, Traits(query=query), private=True)
    target.put([product(1, 4)], TIMEOUT_S)
    assert target.query([product(1), product(2)], TIMEOUT_S) == [Found(4, "h"), None]
    for mood in (Mood.DOWN, Mood.GARBAGE, Mood.UNHEARD):
        downstream.otherwise = mood
        assert [type(one) for one in target.query([product(1), product(2)], TIMEOUT_S)] == [Unclear] * 2
    downstream.otherwise = Mood.OK
    assert target.query([product(1)], 0.0) == [Unclear("no time left")]


def test_a_target_that_cannot_be_asked_is_not_asked(downstream: Downstream) -> None:
    target = HttpTarget(downstream.url, Traits(query="none"), private=True)
    assert isinstance(target.query([product()], TIMEOUT_S)[0], Unclear)
    assert downstream.requests == []


def test_many_skus_are_asked_for_over_some_connections_at_once(downstream: Downstream) -> None:
    target = HttpTarget(downstream.url, SINGLE, private=True)
    threads: set[int] = set()
    original = HttpTarget._query_sku

    def noted(self: HttpTarget, *arguments: Any) -> Any:
        threads.add(threading.get_ident())
        time.sleep(0.01)
        return original(self, *arguments)

    HttpTarget._query_sku = noted  # type: ignore[method-assign]
    try:
        assert target.query([product(n) for n in range(1, 41)], TIMEOUT_S) == [None] * 40
    finally:
        HttpTarget._query_sku = original  # type: ignore[method-assign]
    assert len(threads) == 4
