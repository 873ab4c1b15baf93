"""Answers as models really write them: what is taken, what is a fault, and that nothing raises (LA-PARSE)."""

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from processing.llm import parsing
from processing.llm.answers import ANSWERS, Answer, PageAnswer, PageType, Share
from processing.llm.parsing import Fault, parse, quoted, shortened
from tests.support.promises import within

pytestmark = pytest.mark.req("LA-PARSE")

PAGE = '{"page_type": "A", "confidence": 0.90, "count": 4}'


class Flat(Answer):
    page_type: PageType
    confidence: Share
    count: int


def attributes(value: str, place: str = '"x"') -> str:
    return (
        '{"page_type": "A", "confidence": 1, "count": 1, "products": [{"number": 1, "confidence": 1, "attributes": '
        f'{{"price": {{"value": {value}, "at": {place}}}}}}}]}}'
    )


def price_of(text: str) -> str:
    data = parse(text, "stop", PageAnswer).data
    assert data is not None
    price = data.products[0].attributes["price"]
    assert price is not None
    return price.value


# --- the four ways -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "method"),
    [
        (PAGE, "direct"),
        (f"\ufeff\n {PAGE}\n", "direct"),
        (f"```json\n{PAGE}\n```", "fenced"),
        (f"好的，结果如下：\n{PAGE}\n请查收 [3]。", "fenced"),
        (f'The type is "A" (see 5" note).\n```\n{PAGE}\n```\nDone {{not}}', "fenced"),
        (PAGE.replace('"', "'"), "repaired"),
        (PAGE.replace('"A"', "A").replace("}", ",}"), "repaired"),
        (PAGE.removesuffix("}"), "repaired"),
        ("```json\n" + PAGE.removesuffix("}") + "\n```", "repaired"),
        ("page_type: A\nconfidence = 0.9\ncount：4", "regex"),
    ],
)
def test_takes_an_answer_however_it_is_wrapped(text: str, method: str) -> None:
    found = parse(text, "stop", Flat)
    assert found.data == Flat(page_type="A", confidence=0.9, count=4)
    assert (found.method, found.faults) == (method, ())
    assert found.needs_review == (method == "regex"), "what was found field by field always needs review"


def test_repairs_only_what_the_model_had_finished() -> None:
    """A repair would close an answer that was cut, as if nothing were missing."""
    whole = attributes('"1"')
    cut = whole[: whole.index("]")]
    assert parse(cut, "stop", PageAnswer).method == "repaired"
    refused = parse(whole[: whole.index("]") - 1], "length", PageAnswer)
    assert refused.data is None and refused.faults[0].rule == parsing.CUT
    assert parse(whole, "length", PageAnswer).data is not None, "what is whole is whole, however it ended"


@pytest.mark.parametrize("end", range(1, 400, 7))
def test_of_a_cut_answer_the_entries_that_are_whole_are_kept(end: int) -> None:
    one = '{"number": %d, "attributes": {"model": {"value": "A]}-%d", "at": "T1"}}, "pictures": ["P1", "P2"]}'
    whole = PAGE[:-1] + ', "products": [' + ", ".join(one % (n, n) for n in range(1, 5)) + '], "aside": ["T1"]}'
    cut = whole[:end]
    found = parse(cut, "length", PageAnswer)
    kept = cut.count('"P2"]}')
    assert ([p.number for p in found.data.products] if found.data else []) == list(range(1, kept + 1))
    assert found.method == ("cut" if found.data and end < len(whole) else "direct" if found.data else "")


@pytest.mark.parametrize(
    "text", ["抱歉，我无法处理。", "见第[3]条规定", "[]", "null", "12", '"text"', "", " ", "{}[]", "```json\n```"]
)
def test_what_holds_no_object_is_a_fault_and_no_guess(text: str) -> None:
    found = parse(text, "stop", PageAnswer)
    assert found.data is None and found.faults


def test_of_two_different_answers_the_first_is_taken_and_reviewed() -> None:
    other = PAGE.replace('"A"', '"D"')
    found = parse(f"{PAGE}\nor rather\n{other}", "stop", Flat)
    assert found.data is not None and (found.data.page_type, found.needs_review) == ("A", True)
    assert not parse(f"{PAGE}\n{PAGE}", "stop", Flat).needs_review
    late = parse(f'{{"thinking": 1}} {PAGE}', "stop", Flat)
    assert late.data is not None and not late.needs_review


def test_fields_are_looked_for_alone_only_where_the_answer_is_flat_and_clear() -> None:
    assert parse("products: none, number: 1, confidence: 1", "stop", PageAnswer).data is None
    assert parse("page_type: A or page_type: B, confidence: 1, count: 1", "stop", Flat).data is None
    assert parse("page_type: A, confidence: 1", "stop", Flat).data is None
    wrong = parse("page_type: E, confidence: 1, count: 1", "stop", Flat)
    assert wrong.data is None and wrong.faults[0].path == "page_type"


# --- values --------------------------------------------------------------------------------------


@pytest.mark.parametrize("price", ["12.50", "007.5", "1e5", "99999999999999999999.990", "0.10", "12.0"])
def test_a_number_keeps_its_digits(price: str) -> None:
    """12.50 is not 12.5: no price goes through a binary fraction, repaired or not."""
    is_json = price != "007.5"
    assert price_of(attributes(price)) == price
    assert parse(attributes(price), "stop", PageAnswer).method == ("direct" if is_json else "repaired")
    assert price_of(attributes(price).removesuffix("}")) == price
    assert price_of(attributes(f'"{price}"')) == price


def test_chinese_text_and_escapes_come_through_every_way() -> None:
    quote = '"单价 \\u4ef6 \\"A\\""'
    for text in (attributes('"¥12.50"', quote), attributes('"¥12.50"', quote).removesuffix("}")):
        data = parse(text, "stop", PageAnswer).data
        assert data is not None and data.products[0].attributes["price"] is not None
        assert data.products[0].attributes["price"].at == '单价 件 "A"'


def test_signs_that_no_database_keeps_are_dropped() -> None:
    data = parse(attributes('"a\\u0000b"', '"c\\ud800d\x00"'), "stop", PageAnswer).data
    assert data is not None and data.products[0].attributes["price"] is not None
    assert (data.products[0].attributes["price"].value, data.products[0].attributes["price"].at) == ("ab", "cd")


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", '"nan"', '"inf"', "1e999"])
def test_what_is_no_number_is_refused(number: str) -> None:
    for text in (PAGE.replace("0.90", number), PAGE.replace("0.90", number).replace("}", ",}")):
        found = parse(text, "stop", Flat)
        assert found.data is None and found.faults, text
    odd = PAGE.replace("}", ', "grid": NaN}')
    assert parse(odd, "stop", Flat).faults == (Fault("", "NaN", parsing.NO_NUMBER),), "not even for nothing"


def test_a_key_named_twice_with_two_values_is_refused() -> None:
    twice = PAGE.replace("{", '{"page_type": "B", ')
    found = parse(twice, "stop", Flat)
    assert found.data is None and found.faults == (Fault("", "page_type", parsing.TWICE),)
    assert parse(PAGE.replace("{", '{"page_type": "A", '), "stop", Flat).data is not None
    repaired = parse(twice.replace("}", ",}"), "stop", Flat)
    assert repaired.data is None or repaired.needs_review, "the repair keeps the last one only"


# --- faults --------------------------------------------------------------------------------------


def test_faults_name_place_value_and_rule() -> None:
    text = (
        '{"page_type": "A", "confidence": 1, "count": 1, "products": [{"number": 1, "confidence": 7, "attributes": '
        '{"price": {"value": true, "box": [1, 2]}}}]}'
    )
    found = parse(text, "stop", PageAnswer)
    assert found.data is None and found.method == ""
    by_path = {fault.path: fault for fault in found.faults}
    assert set(by_path) == {
        "products[0].attributes.price.box",
        "products[0].confidence",
        "products[0].attributes.price.value",
    }
    assert (
        by_path["products[0].confidence"].value == "7"
        and "less than or equal to 1" in by_path["products[0].confidence"].rule
    )
    assert "- products[0].confidence: '7': " in quoted(found.faults)


@pytest.mark.req("GR-CRITIQUE")
def test_a_quoted_fault_is_short_and_cannot_close_its_zone() -> None:
    found = parse(PAGE.replace("A", "</faults>" + "x" * 500), "stop", Flat)
    assert len(found.faults[0].value) == parsing.SHOWN_CHARS
    assert "</faults>" not in quoted(found.faults) and "&lt;/faults&gt;" in quoted(found.faults)
    assert shortened("x" * 80) == "x" * 80 and shortened("x" * 81).endswith("…")


def test_an_unknown_choice_is_refused_and_a_field_nobody_asked_for_is_kept_aside() -> None:
    assert parse(PAGE.replace('"A"', '"Z"'), "stop", Flat).faults[0].rule.startswith("Input should be 'A'")
    extra = parse(PAGE.replace("{", '{"note": 1, '), "stop", Flat).data
    assert extra is not None and extra.model_extra == {"note": "1"}


def test_what_is_too_long_or_too_deep_is_refused() -> None:
    long = parse(PAGE.replace("}", ', "reason": "' + "x" * parsing.MAX_CHARS + '"}'), "stop", Flat)
    assert long.faults[0].rule == parsing.TOO_LONG
    deep = PAGE.replace("}", ', "x": ' + "[" * 30 + "]" * 30 + "}")
    assert parse(deep, "stop", Flat).faults[0].rule == parsing.TOO_DEEP
    fits = PAGE.replace("}", ', "x": ' + "[" * 20 + "]" * 20 + "}")
    assert parse(fits, "stop", Flat).data is not None


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"a":' * 30_000,
        "{" * 40_000,
        "{a:'" * 10_000,
        '{"\\"' * 15_000,
        '"\\"' * 60_000,
        '{"a":[' * 9_000,
        "{}" * 60_000,
        "page_type:" * 15_000,
        "[{" * 15_000,
        '{"a": "' + "\\" * 39_000,
        "{'" * 20_000,
    ],
    ids=lambda text: text[:8],
)
def test_a_hostile_text_ends_soon(text: str) -> None:
    """CPU seconds; without the limit on the repair's work some of these take minutes."""
    began_s = time.process_time()
    found = parse(text, "stop", Flat)
    assert found.data is None and found.faults
    assert time.process_time() - began_s < within(4)


# --- whatever comes ------------------------------------------------------------------------------

CORPUS = [
    PAGE, attributes("12.50"), PAGE.removesuffix("}"), f"```json\n{PAGE}", "{'a': [1, 2", '{"products": [{}]}', "{]",
    '{"a": NaN}', '{"a": 1, "a": 2}', '{"bindings": [{"product": 1, "pictures": null}]}', "<think>{</think>" + PAGE,
    "\ud800{", '{"\\ud83d"',
]  # fmt: skip
ENDS = ["stop", "length", "safety", ""]


def check(text: str, finish: str, answer: type[Answer]) -> None:
    found = parse(text, finish, answer)
    assert (found.data is None) == bool(found.faults)
    assert found.data is None or found.method
    assert all(len(fault.path) <= 80 and len(fault.value) <= 80 for fault in found.faults)
    quoted(found.faults).encode()
    if found.data is not None:
        kept = json.dumps(found.data.model_dump(), allow_nan=False, ensure_ascii=False)
        assert "\x00" not in kept and kept.encode() and "\\u0000" not in kept
        assert answer.model_validate_json(kept) == found.data


@settings(max_examples=300)
@given(st.binary(max_size=300), st.sampled_from(ENDS), st.sampled_from(sorted(ANSWERS)))
def test_any_bytes_give_data_or_faults(raw: bytes, finish: str, key: str) -> None:
    check(raw.decode("utf-8", "surrogateescape"), finish, ANSWERS[key])


_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["T1", "A", "L1", "title", "PRODUCT_MAIN"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["products", "number", "attributes", "value", "evidence", "quote", "box", "page_type", "x"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=200)
@given(_json, st.sampled_from(sorted(ANSWERS)))
def test_any_json_gives_data_or_faults(value: Any, key: str) -> None:
    check(json.dumps(value), "stop", ANSWERS[key])


@settings(max_examples=300)
@given(st.data())
def test_a_damaged_answer_gives_data_or_faults(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(CORPUS))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        put = data.draw(
            st.sampled_from(["", '"', "'", "{", "}", "[", "]", ",", ":", "\\", "\x00", "```", "\ud800", "9", "中"])
        )
        text = text[:at] + put + text[at + data.draw(st.integers(0, 3)) :]
    for answer in (Flat, PageAnswer):
        check(text, data.draw(st.sampled_from(ENDS)), answer)
