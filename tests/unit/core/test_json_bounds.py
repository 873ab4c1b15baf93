"""The look at a text finds what a parser would make of it, reads no further than it must, and never twice."""

import json
import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogsku.core.json_bounds import ORDINARY, Bounds, TooMuch, check

FEW = Bounds(bytes=200, depth=3, names=4, entries=8, text_bytes=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=25), inner, max_size=6),
    max_leaves=25,
)


def depth_of(value):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(depth_of, inner), default=0)


def objects_in(value):
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects_in(inner)


def texts_in(value):
    if isinstance(value, str):
        yield value
    if isinstance(value, dict):
        yield from value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from texts_in(inner)


@given(JSON, st.booleans())
def test_depth_names_and_texts_are_those_of_what_is_said(value, ascii_only):
    text = json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    wide = Bounds(bytes=10**6, depth=2, names=3, entries=10**6, text_bytes=12)
    longest = max(
        (len(json.dumps(t, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")) - 2 for t in texts_in(value)),
        default=0,
    )
    is_too_much = depth_of(value) > 2 or any(len(one) > 3 for one in objects_in(value)) or longest > 12
    try:
        check(text, wide)
    except TooMuch:
        assert is_too_much
    else:
        assert not is_too_much


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (b" " * 201, "bytes"),
        (b"[[[[1]]]]", "depth"),
        (b'{"a":1,"b":1,"c":1,"d":1,"e":1}', "names"),
        (b"[1,2,3,4,5,6,7,8,9]", "entries"),
        (b'["' + b"x" * 21 + b'"]', "text_bytes"),
        (b'{"' + b"x" * 21 + b'":1}', "text_bytes"),
        (b'["' + b'\\"' * 11 + b'"]', "text_bytes"),
    ],
)
def test_each_bound_refuses_by_its_name(text, what):
    with pytest.raises(TooMuch) as refused:
        check(text, FEW)
    assert (refused.value.params["what"], refused.value.http_status) == (what, 413)


@pytest.mark.parametrize(
    "text", [b"", b"{", b"]]]]", b'"', b'"\\', b'{"a":[1,2,{"b":"]]]]{{{{"}]}', b"\xff\xfe", b"[1,2,3,4,5,6]"]
)
def test_what_is_small_or_no_json_passes(text):
    check(text, FEW)


@pytest.mark.parametrize(
    "text",
    [
        b'"' + b'\\"' * 120_000,
        b'"\\' * 80_000,
        b'"' * 200_000,
        b"[" * 200_000,
        b'{"a":' * 40_000,
        b"\\" * 200_000,
        b"," * 200_000,
    ],
    ids=range(7),
)
def test_no_text_takes_longer_than_its_length_allows(text):
    """Four times the text takes four times as long, not sixteen times."""
    assert cost_s(text) < 8 * cost_s(text[: len(text) // 4]) + 0.005


def cost_s(text: bytes) -> float:
    """Of a core, at best."""
    costs = []
    for _ in range(5):
        began_s = time.process_time()
        with suppress(TooMuch):
            check(text, ORDINARY)
        costs.append(time.process_time() - began_s)
    return min(costs)
