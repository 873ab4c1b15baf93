import pytest
from hypothesis import given
from hypothesis import strategies as st

from processing.engine.inspection.syntax import Name, Ref, TooDeep, parse


def test_reads_every_kind_of_value():
    text = b"<</A 1/B -2.5/C(a(b)c\\))/D<4142>/E[true false null]/F 7 2 R/G<</H/I#20J>>>>"
    assert parse(text, 9) == {
        "A": 1,
        "B": -2.5,
        "C": b"a(b)c\\)",
        "D": b"4142",
        "E": [True, False, None],
        "F": Ref(7, 2),
        "G": {"H": Name("I J")},
    }


def test_a_key_in_a_string_is_no_key():
    assert parse(b"<</X(/JS /Launch >> /EF)>>", 9) == {"X": b"/JS /Launch >> /EF"}


def test_numbers_before_a_reference_stay_numbers():
    assert parse(b"[0 0 595 842 5 0 R]", 9) == [0, 0, 595, 842, Ref(5)]


def test_refuses_what_is_nested_too_deep():
    assert parse(b"[" * 9 + b"]" * 9, 9)
    with pytest.raises(TooDeep):
        parse(b"[" * 10 + b"]" * 10, 9)


@given(st.binary(max_size=300))
def test_any_bytes_end_in_a_value_or_too_deep(data):
    try:
        parse(data, 20)
    except TooDeep:
        assert data.count(b"[") + data.count(b"<<") > 20


VALUES = st.recursive(
    st.integers(-(10**9), 10**9) | st.booleans() | st.none() | st.builds(Name, st.text("abcXYZ09_", min_size=1)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("KLM", min_size=1, max_size=3), inner),
    max_leaves=20,
)


def _print(value) -> bytes:
    if isinstance(value, dict):
        return b"<<" + b" ".join(b"/%s %s" % (key.encode(), _print(item)) for key, item in value.items()) + b">>"
    if isinstance(value, list):
        return b"[ " + b" ".join(map(_print, value)) + b" ]"
    if isinstance(value, Name):
        return b"/" + value.encode()
    return {"True": b"true", "False": b"false", "None": b"null"}.get(str(value), str(value).encode())


@given(VALUES)
def test_reads_what_was_printed(value):
    assert parse(_print(value), 60) == value
