"""What logs, traces and exports do not show, and what they still show."""

import json
import logging
import re
import time

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st

from catalogsku.core.check_digits import is_card_number, is_gtin, is_identity_number
from catalogsku.core.logs import logging_config
from catalogsku.core.redact import redact, redact_all
from tests.support.promises import within

pytestmark = pytest.mark.req("LA-REDACT")
numbers = st.text("0123456789", min_size=8, max_size=20)


def with_luhn(body: str) -> str:
    total = sum(sum(divmod(int(d) * (2 if n % 2 == 0 else 1), 10)) for n, d in enumerate(reversed(body)))
    return body + str(-total % 10)


def with_gtin(body: str) -> str:
    return body + str(-sum(int(d) * (3 if n % 2 == 0 else 1) for n, d in enumerate(reversed(body))) % 10)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("key AIzaSyA1234567890abcdefghijklmnopqrstuv", "key [key]"),  # not-a-secret
        ("DASHSCOPE sk-0123456789abcdef0123456789abcdef!", "DASHSCOPE [key]!"),  # not-a-secret
        (f"GET /exports/file/eyJ4IjoxfQ.:1wABCd:{'s' * 43}/ 200", "GET /exports/file/[signed]/ 200"),
        (f"/exports/file/.eJwr_Q-x%3A1wABCd%3A{'-_' * 21}x?x=1", "/exports/file/[signed]?x=1"),
        ("at 12:30:45 a:b:c", "at 12:30:45 a:b:c"),
        ("Authorization: Bearer eyJhbGciOi.eyJzdWIiOiI.c2ln", "Authorization: Bearer [key]"),
        ("Bearer abcdef0123456789", "Bearer [key]"),
        ("https://x/?api_key=abc123def456&page=2", "https://x/?api_key=[key]&page=2"),  # not-a-secret
        ('{"password": "hunter2hunter2"}', '{"password": "[key]"}'),
        ("paid with 4111 1111 1111 1111 today", "paid with [card] today"),
        ("5500-0055-5555-5559?", "[card]?"),
        ("请致电13812345678", "请致电[phone]"),
        ("tel +86 13812345678.", "tel +[phone]."),
        ("身份证11010519491231002X号", "身份证[identity]号"),
        ("write to li.wei+a@mail.example.com.cn please", "write to [mail] please"),
    ],
)
def test_secrets_are_replaced_by_their_kind(text: str, shown: str) -> None:
    assert redact(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "EAN 6901234567892, GTIN 4006381333931 and 00012345600012",
        "Model 4111-1111, size 1200x600x750 mm, page 13 of 2000, 12.138123456789 s",
        "11010519491231002 and 110105194912310021 pass no check",
        "order 13812345678901",
        "400-123-4567",
        "tokens_in=1234 tokens_out=56 trace 0f8fad5b-d9cb-469f-a165-70867728950e 2026-11-22T06:30:00Z",
        "@media print, a@b",
    ],
)
def test_what_products_and_logs_are_made_of_stays(text: str) -> None:
    assert redact(text) == text


@given(st.text("0123456789", min_size=14, max_size=14).map(lambda tail: with_luhn("4" + tail)))
def test_a_card_number_never_shows(number: str) -> None:
    spaced = " ".join(re.findall(".{1,4}", number))
    assert redact(f"a {number} b") == "a [card] b" and redact(f"a {spaced} b") == "a [card] b"


@given(st.sampled_from([7, 11, 12, 13]).flatmap(lambda n: st.text("0123456789", min_size=n, max_size=n)).map(with_gtin))
def test_a_gtin_is_no_card(number: str) -> None:
    assert is_gtin(number) and not is_card_number(number)


@given(numbers)
def test_only_a_number_with_a_right_sum_is_a_card(number: str) -> None:
    if is_card_number(number):
        assert with_luhn(number[:-1]) == number and not is_gtin(number)
    wrong = number[:-1] + str((int(number[-1]) + 1) % 10)
    assert not (is_card_number(number) and is_card_number(wrong))


@given(st.integers(0, 999), st.dates(), st.sampled_from(["110105", "440305", "310115"]))
def test_an_identity_number_with_its_check_never_shows(order: int, born, place: str) -> None:  # type: ignore[no-untyped-def]
    if not 1900 <= born.year < 2100:
        return
    body = f"{place}{born:%Y%m%d}{order:03d}"
    whole = next(body + last for last in "0123456789X" if is_identity_number(body + last))
    assert redact(f"id:{whole};") == "id:[identity];"
    others = [last for last in "0123456789X" if last != whole[-1]]
    assert not any(is_identity_number(body + last) for last in others)


@given(st.text())
def test_redacting_twice_changes_no_more(text: str) -> None:
    assert redact(redact(text)) == redact(text)


def test_what_stands_under_a_secrets_name_goes_whole() -> None:
    seen = redact_all({"api_key": "x", "token": "abc", "tokens_in": 7, "note": ["mail a@b.example", {"password": "p"}]})
    assert seen == {
        "api_key": "[key]",
        "token": "[key]",
        "tokens_in": 7,
        "note": ["mail [mail]", {"password": "[key]"}],
    }


def test_logs_show_no_secret_even_in_an_exception() -> None:
    made = logging_config("INFO", True)["formatters"]["structured"]
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=made["foreign_pre_chain"], processors=made["processors"]
    )
    try:
        raise ValueError("call with sk-0123456789abcdef0123 failed for 13812345678")  # not-a-secret
    except ValueError as error:
        record = logging.LogRecord(
            "x", logging.ERROR, "f", 1, "asked %s", ("a@b.example.com",), (type(error), error, None)
        )
    written = json.loads(formatter.format(record))
    assert written["event"] == "asked [mail]"
    assert "call with [key] failed for [phone]" in written["exception"]


def test_a_long_text_is_cut_and_takes_no_time_that_grows_with_its_length() -> None:
    shown = redact_all({"url": "x" * 400_000 + "@example.com"}, most_chars=100)
    assert shown["url"] == "x" * 100 + "…"
    began_s = time.process_time()
    redact("%78" * 200_000)
    assert time.process_time() - began_s < within(2)
