"""Documents go in at a rate, and are asked about until machines have done with them or the time is over."""

import ipaddress
import json
import math
import time
import urllib.error
import urllib.request
import uuid
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from catalogsku.core.errors import Refused
from ingestion.load.drawing import CATEGORY, KEY_BEGINS, draw, name_of

# (least, most) of what may be asked for.
BOUNDS = {"documents": (1, 500), "rate": (0.1, 120), "minutes": (0.1, 60), "pages": (1, 20)}
AT_ONCE = 8
ANSWER_WITHIN_S = 30
# Each document is asked about about once a second; a slower server is asked less.
LOOK_EVERY_S, LOOKS_A_ROUND = 1.0, 10
DONE = frozenset({"FULL_IMPORTED", "PARTIAL_IMPORTED", "PARTIAL_FAILED", "DEGRADED_HUMAN", "AWAITING_GO"})
ENDED_OTHERWISE = frozenset({"REJECTED", "CANCELLED", "EVAL_FAILED", "ORPHANED"})


@dataclass(frozen=True)
class Wish:
    """``rate``: documents a minute; after ``minutes`` it ends, whatever is open."""

    documents: int
    rate: float
    minutes: float
    pages: int = 3

    def check(self) -> None:
        """Raises Refused(bad_load), which names the option."""
        for name, (least, most) in BOUNDS.items():
            if not least <= getattr(self, name) <= most:
                raise Refused("bad_load", f"--{name} lies between {least} and {most}")


@dataclass
class Sent:
    """Seconds; None where it has not come to that. ``code``: why not."""

    began_s: float
    job: str = ""
    accepted_s: float | None = None
    first_page_s: float | None = None
    done_s: float | None = None
    code: str = ""
    looked_at_s: float = 0.0

    @property
    def is_open(self) -> bool:
        return bool(self.job) and self.done_s is None and not self.code


@dataclass
class Told:
    """What came of a run: times as p50, p95 and most, in seconds; a document's are good to about a second."""

    run: str
    took_s: float
    sent: int
    accepted: int
    done: int
    unfinished: int
    errors: dict[str, int]
    times_s: dict[str, dict[str, float]] = field(default_factory=dict)


def check_place(url: str, own_host: str) -> str:
    """The address without a slash at its end. Raises Refused(not_own_host) for any but this machine, unless its host
    is named a second time: nobody else's installation is ever loaded by a slip."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if parts.scheme not in ("http", "https") or not host or parts.username or parts.query or parts.fragment:
        raise Refused("bad_load", "--url is http(s)://HOST[:PORT]")
    if not _is_here(host) and own_host != host:
        raise Refused("not_own_host", f"{host} is not this machine: --own-host {host} says that it is yours")
    return url.rstrip("/")


def _is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Another place is another host, perhaps."""

    def redirect_request(self, *_args: Any) -> None:
        return None


Ask = Callable[[str, bytes | None, Mapping[str, str]], dict[str, Any]]


def asker(base: str, token: str) -> Ask:
    """``ask(path, body, headers)``: the JSON of the answer. Raises OSError, or ValueError where it is no JSON."""
    opener = urllib.request.build_opener(_NoRedirects, urllib.request.ProxyHandler({}))

    def ask(path: str, body: bytes | None, headers: Mapping[str, str]) -> dict[str, Any]:
        given = {"Authorization": f"Bearer {token}", **headers}
        request = urllib.request.Request(f"{base}/api/v1{path}", body, given)
        with opener.open(request, timeout=ANSWER_WITHIN_S) as answer:
            found = json.loads(answer.read(1 << 20))
        if not isinstance(found, dict):
            raise ValueError("not an object")
        return found

    return ask


def drive(wish: Wish, ask: Ask, run: str) -> Told:
    """Sends and looks until all are done or the time is over; then nothing more is asked."""
    wish.check()
    began_s = time.monotonic()
    ends_s = began_s + 60 * wish.minutes
    sent: list[Sent] = []
    on_their_way: list[Future[None]] = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        while (now_s := time.monotonic()) < ends_s:
            if len(sent) < wish.documents and now_s >= began_s + len(sent) * 60 / wish.rate:
                sent.append(Sent(now_s))
                on_their_way.append(pool.submit(_send, ask, sent[-1], run, len(sent), wish.pages))
                continue
            on_their_way = [future for future in on_their_way if not future.done()]
            _look(ask, sent)
            if len(sent) == wish.documents and not on_their_way and not any(one.is_open for one in sent):
                break
            time.sleep(0.05)
        pool.shutdown(cancel_futures=True)
    return tell(run, time.monotonic() - began_s, sent)


def _send(ask: Ask, one: Sent, run: str, number: int, pages: int) -> None:
    boundary = uuid.uuid4().hex
    fields = f'--{boundary}\r\nContent-Disposition: form-data; name="category"\r\n\r\n{CATEGORY}\r\n'
    fields += f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name_of(run, number)}"\r\n'
    head = f"{fields}Content-Type: application/pdf\r\n\r\n".encode()
    body = head + draw(run, number, pages) + f"\r\n--{boundary}--\r\n".encode()
    headers = {
        "Content-Type": f"multipart/form-data; boundary={boundary}",
        "Idempotency-Key": f"{KEY_BEGINS}{run}-{number}",
    }
    one.began_s = time.monotonic()
    try:
        found = ask("/jobs", body, headers)
        one.accepted_s, one.job = time.monotonic() - one.began_s, str(found["job_id"])
    except Exception as error:
        one.code = code_of(error)


def _look(ask: Ask, sent: Sequence[Sent]) -> None:
    now_s = time.monotonic()
    due = [one for one in sent if one.is_open and now_s - one.looked_at_s >= LOOK_EVERY_S]
    for one in sorted(due, key=lambda one: one.looked_at_s)[:LOOKS_A_ROUND]:
        one.looked_at_s = time.monotonic()
        try:
            found = ask(f"/jobs/{one.job}", None, {})
        except Exception as error:
            one.code = code_of(error)
            continue
        passed_s, status = time.monotonic() - one.began_s, str(found.get("status"))
        if one.first_page_s is None and (found.get("completed_pages") or status in DONE):
            one.first_page_s = passed_s
        if status in DONE:
            one.done_s = passed_s
        elif status in ENDED_OTHERWISE:
            one.code = status.lower()


def code_of(error: Exception) -> str:
    """The code of a refusal, else the status, else what kind of error it was."""
    if isinstance(error, urllib.error.HTTPError):
        try:
            return str(json.loads(error.read(1 << 16))["code"])
        except (ValueError, KeyError, TypeError, OSError):
            return f"http_{error.code}"
    return "timeout" if isinstance(error, TimeoutError) else type(error).__name__.lower()


def tell(run: str, took_s: float, sent: Sequence[Sent]) -> Told:
    done = [one for one in sent if one.done_s is not None]
    errors = Counter(one.code for one in sent if one.code)
    accepted = sum(one.accepted_s is not None for one in sent)
    unfinished = len(sent) - len(done) - errors.total()
    told = Told(run, round(took_s, 1), len(sent), accepted, len(done), unfinished, dict(errors))
    for name in ("accepted_s", "first_page_s", "done_s"):
        values = sorted(value for one in sent if (value := getattr(one, name)) is not None)
        if values:
            told.times_s[name.removesuffix("_s")] = {
                "p50": round(_percentile(values, 50), 3),
                "p95": round(_percentile(values, 95), 3),
                "most": round(values[-1], 3),
            }
    return told


def _percentile(values: Sequence[float], share: int) -> float:
    return values[math.ceil(len(values) * share / 100) - 1]
