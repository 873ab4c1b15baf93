"""The load generator: its bounds, whom it sends to, what it draws and how it counts."""

import io
import threading
import urllib.error
from email.message import Message
from typing import Any

import pymupdf
import pytest

from catalogsku.core.errors import Refused
from ingestion.load.drawing import PRODUCTS_A_PAGE, draw
from ingestion.load.driving import BOUNDS, Sent, Wish, check_place, code_of, drive, tell


@pytest.mark.parametrize("place", ["http://127.0.0.1:8000", "http://localhost/", "https://[::1]:8443"])
def test_this_machine_needs_no_second_word(place: str) -> None:
    assert check_place(place, "") == place.rstrip("/")


@pytest.mark.parametrize(
    ("place", "again"),
    [
        ("http://shop.example.org", ""),
        ("https://shop.example.org", "example.org"),
        ("http://10.0.0.5", "10.0.0.6"),
        ("http://localhost.example.org", ""),
    ],
)
def test_another_host_is_refused_until_it_is_named_again(place: str, again: str) -> None:
    with pytest.raises(Refused, match="not_own_host"):
        check_place(place, again)


def test_a_host_that_is_named_again_is_taken() -> None:
    assert check_place("https://shop.example.org/", "shop.example.org") == "https://shop.example.org"


@pytest.mark.parametrize(
    "place", ["ftp://localhost", "localhost:8000", "http://", "http://a@localhost", "http://localhost?x"]
)
def test_what_is_no_address_is_refused(place: str) -> None:
    with pytest.raises(Refused, match="bad_load"):
        check_place(place, "localhost")


@pytest.mark.parametrize("name", BOUNDS)
def test_every_wish_has_bounds(name: str) -> None:
    least, most = BOUNDS[name]
    for value in (least, most):
        Wish(**{"documents": 1, "rate": 1, "minutes": 1, "pages": 1, name: value}).check()  # type: ignore[arg-type]
    for value in (least - 0.1, most + 1, float("nan")):
        with pytest.raises(Refused, match=f"bad_load.*{name}"):
            Wish(**{"documents": 1, "rate": 1, "minutes": 1, "pages": 1, name: value}).check()  # type: ignore[arg-type]


def test_it_draws_a_whole_pdf_that_no_other_is_like() -> None:
    data = draw("ab12", 7, 3)
    with pymupdf.open(stream=data) as found:
        assert found.page_count == 3 and not found.is_repaired
        text = found[2].get_text()
    assert "Load test ab12, document 7, page 3" in text and f"LT-7-3-{PRODUCTS_A_PAGE}" in text and "EUR 13.50" in text
    assert data != draw("ab12", 8, 3) and data != draw("ab13", 7, 3)


class Server:
    """Answers as the API does: each document is read at the second look, and done at the third."""

    def __init__(self, *, refuses: int = 0, never: bool = False) -> None:
        self.refuses, self.never = refuses, never
        self.looks: dict[str, int] = {}
        self.bodies: list[bytes] = []
        self.lock = threading.Lock()

    def __call__(self, path: str, body: bytes | None, headers: Any) -> dict[str, Any]:
        with self.lock:
            if body is not None:
                self.bodies.append(body)
                if len(self.bodies) <= self.refuses:
                    raise refusal(429, b'{"code": "slow_down"}')
                return {"job_id": f"j{len(self.bodies)}"}
            self.looks[path] = self.looks.get(path, 0) + 1
            status = "FULL_IMPORTED" if self.looks[path] > 2 and not self.never else "PROCESSING"
            return {"status": status, "completed_pages": int(self.looks[path] > 1)}


def refusal(status: int, body: bytes) -> urllib.error.HTTPError:
    return urllib.error.HTTPError("http://localhost", status, "", Message(), io.BytesIO(body))


def test_it_sends_at_its_rate_and_ends_once_all_are_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ingestion.load.driving.LOOK_EVERY_S", 0.01)
    server = Server(refuses=1)
    told = drive(Wish(documents=4, rate=120, minutes=1), server, "r")
    assert (told.sent, told.accepted, told.done, told.unfinished, told.errors) == (4, 3, 3, 0, {"slow_down": 1})
    assert 1.5 <= told.took_s < 30 and set(told.times_s) == {"accepted", "first_page", "done"}
    assert told.times_s["first_page"]["p50"] <= told.times_s["done"]["p50"]
    assert all(b"load-test" in body and b"%PDF-1.4" in body for body in server.bodies)


def test_it_ends_by_itself_though_nothing_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ingestion.load.driving.LOOK_EVERY_S", 0.01)
    told = drive(Wish(documents=50, rate=60, minutes=0.1), Server(never=True), "r")
    assert told.took_s < 20 and 5 <= told.sent <= 7 and told.unfinished == told.sent and not told.done


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (refusal(403, b'{"code": "forbidden"}'), "forbidden"),
        (refusal(502, b"<html>"), "http_502"),
        (TimeoutError(), "timeout"),
        (ConnectionRefusedError(), "connectionrefusederror"),
    ],
)
def test_what_went_wrong_has_a_code(error: Exception, code: str) -> None:
    assert code_of(error) == code


def test_times_are_told_by_their_percentiles() -> None:
    told = tell("r", 1, [Sent(0, "j", accepted_s=n / 100, done_s=n / 10) for n in range(1, 101)])
    assert told.times_s["accepted"] == {"p50": 0.5, "p95": 0.95, "most": 1.0} and told.times_s["done"]["p95"] == 9.5
