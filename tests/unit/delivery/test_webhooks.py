"""Signatures, pace and events of webhooks, and where nothing is sent (X-WEBHOOK)."""

import base64
import hashlib
import hmac
import re
from pathlib import Path
from typing import Any

import pytest

from annotation.tasks.lifecycle import TASK
from ingestion.lifecycle import JOB, PAGE, PAGE_IMPORT
from processing.studies.lifecycle import RECORD
from processing.webhooks import events
from processing.webhooks.events import DELAYS_S, EVENTS, RETRY_FOR_S, delay_s, event_of, pause_s, secret_of
from processing.webhooks.models import webhook_url_fault

pytestmark = pytest.mark.req("X-WEBHOOK")

KEY = bytes(range(32))
DOCS = Path(__file__).resolve().parents[3] / "docs" / "webhooks.md"


def headers(body: bytes = b'{"a":1}', at_s: int = 1_700_000_000, *secrets: str) -> dict[str, str]:
    return events.signed_headers("msg_1", at_s, body, secrets or [secret_of(KEY)])


def test_signs_id_time_and_body_as_the_specification_says() -> None:
    signed = hmac.new(KEY, b'msg_1.1700000000.{"a":1}', hashlib.sha256).digest()
    assert headers() == {
        "webhook-id": "msg_1",
        "webhook-timestamp": "1700000000",
        "webhook-signature": "v1," + base64.b64encode(signed).decode(),
    }


def test_matches_the_specifications_own_example() -> None:
    """The vector that the Standard Webhooks libraries are tested with."""
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"  # not-a-secret
    found = events.signed_headers("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}', [secret])
    assert found["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def verify() -> Any:
    """The function that docs/webhooks.md shows to receivers."""
    code = re.search(r"```python\n(.*?)```", DOCS.read_text(), re.S)
    assert code is not None
    shown: dict[str, Any] = {}
    exec(code[1], shown)
    return shown["verify"]


def test_the_documented_example_takes_what_is_ours_and_nothing_else() -> None:
    check, body, now_s = verify(), b'{"a":1}', 1_700_000_000
    secret, old = secret_of(KEY), secret_of(b"o" * 32)
    assert check(headers(body), body, secret, now_s=now_s + 60) == {"a": 1}
    both = headers(body, now_s, secret, old)
    assert check(both, body, old, now_s=now_s) == check(both, body, secret, now_s=now_s) == {"a": 1}
    for wrong in (
        lambda: check(headers(body), b'{"a":2}', secret, now_s=now_s),
        lambda: check(headers(body), body, old, now_s=now_s),
        lambda: check(headers(body), body, secret, now_s=now_s + 400),
        lambda: check(headers(body), body, secret, now_s=now_s - 400),
        lambda: check({**headers(body), "webhook-id": "msg_2"}, body, secret, now_s=now_s),
    ):
        with pytest.raises(ValueError):
            wrong()


def test_ten_attempts_fill_a_day_and_no_two_receivers_keep_step() -> None:
    assert 0.9 * RETRY_FOR_S < sum(DELAYS_S) <= RETRY_FOR_S
    for attempts, planned in enumerate(DELAYS_S, start=1):
        assert delay_s(attempts, 0.0) == pytest.approx(0.8 * planned)
        assert delay_s(attempts, 1.0) == pytest.approx(1.2 * planned)
    assert delay_s(99, 0.5) == DELAYS_S[-1]
    assert delay_s(1, 0.5, wanted_s=120) == 120 and delay_s(1, 0.5, wanted_s=10**9) == 3600
    assert [pause_s(n) for n in (1, 2, 3, 20)] == [5, 10, 20, 600]


def test_every_event_is_a_move_that_happens() -> None:
    cycles = (JOB, PAGE, PAGE_IMPORT, TASK, RECORD)
    moves = {(cycle.entity, one.source, one.target) for cycle in cycles for one in cycle.moves}
    told = {event_of(*one) for one in moves} - {None} | {event_of("job_imports", "", "HELD")}
    assert set(EVENTS) - told == {"budget.nearly_spent", "budget.spent"}, "those are written at once"
    noted = {one for one in events._QUIET if not one[1]}  # a task that stays where it is, a record that is new
    assert moves >= events._QUIET - noted and {one[0] for one in noted} == {"task", "record"}
    assert event_of("page", "AI_COMPLETED", "HUMAN_QUEUED") == "page.needs_people"
    assert event_of("page", "HUMAN_PROCESSING", "HUMAN_QUEUED") is None, "a task that was only handed back"
    assert {("job", "CANCELLED"), ("job", "REJECTED"), ("page", "DEAD_LETTER")} <= set(events.STATES)


@pytest.mark.parametrize(
    ("url", "is_fine"),
    [
        ("https://shop.example.org/hooks?a=1", True),
        ("https://shop.example.org:8443/hooks", True),
        ("https://93.184.216.34/hooks", True),
        ("http://shop.example.org/hooks", False),
        ("ftp://shop.example.org/", False),
        ("https://me:secret@shop.example.org/", False),
        ("https://shop.example.org/#part", False),
        ("https://", False),
        ("https://shop.example.org:99999/", False),
        ("https://shop.example.org/a b", False),
        ("https://shop.example.org/\r\nX: 1", False),
        ("https://127.0.0.1/", False),
        ("https://10.1.2.3/", False),
        ("https://169.254.169.254/latest/meta-data", False),
        ("https://[::1]/", False),
        ("https://[::ffff:127.0.0.1]/", False),
        ("https://[fd00::1]/", False),
        ("https://localhost/", False),
        ("https://0x7f.1/", False),
        ("https://2130706433/", False),
        ("https://[64:ff9b::8.8.8.8]/", False),
        ("https://db.internal/", False),
        ("http://shop.inside:8080/hooks", True),
    ],
)
def test_only_public_addresses_over_https_but_for_the_hosts_of_the_setting(
    settings: Any, url: str, is_fine: bool
) -> None:
    settings.WEBHOOK_PRIVATE_HOSTS = ["shop.inside"]
    assert (webhook_url_fault(url) is None) == is_fine
