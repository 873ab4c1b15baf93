"""Expressions that people write: what they take, what they refuse, and that none of them takes long."""

import re
import time

import pytest

from catalogsku.core.expressions import LENGTH_MAX, TEXT_MAX, ExpressionError, Expressions
from tests.support.promises import within


@pytest.mark.parametrize(
    ("written", "taken", "left"),
    [
        (r"[A-Z]{2}\d{4,6}(-[A-Z0-9]+)?", ["AB1234", "AB123456-X9"], ["A1234", "AB123", "AB1234-", "xAB1234"]),
        (r"^(AB|CD)-\d+$", ["AB-1", "CD-22"], ["ABCD-1", "AB-", "-1"]),
        (r"(?:ab?c*)+x?", ["acabccx", "a"], ["bx", ""]),
        (r"x{0,2}y", ["y", "xy", "xxy"], ["xxxy"]),
        (r"x{2,}", ["xx", "xxxxx"], ["x"]),
        (r"a||b", ["a", "b", ""], ["ab"]),
        (r"[^\d.]+", ["ab"], ["a1", "a."]),
        (r"\$\.[\]a]", ["$.]", "$.a"], ["$x]"]),
        (r"型号\d", ["型号3"], ["型号"]),
    ],
)
def test_whole_texts_are_matched_as_python_does(written: str, taken: list[str], left: list[str]) -> None:
    machine = Expressions([written])
    for text in taken + left:
        assert machine.match(text) == (text in taken) == (re.fullmatch(written, text) is not None), text


def test_several_are_asked_at_once() -> None:
    machine = Expressions([r"A\d", r"B\d\d"])
    assert [machine.match(text) for text in ("A1", "B22", "A22", "B2")] == [True, True, False, False]


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("", "empty"),
        ("(a", "not_closed"),
        ("a)", "not_opened"),
        ("*a", "nothing_to_repeat"),
        ("a**", "not_allowed"),
        ("a+?", "not_allowed"),
        (r"(a)\1", "not_allowed"),
        (r"a\b", "not_allowed"),
        ("(?=a)", "not_allowed"),
        ("(?P<x>a)", "not_allowed"),
        ("[z-a]", "bad_class"),
        ("[[a]", "bad_class"),
        ("[a", "not_closed"),
        ("a{3", "bad_repeat"),
        ("a{5,2}", "bad_repeat"),
        ("a{99}", "bad_repeat"),
        ("((a{40}){40}){40}", "too_large"),
        ("(" * 11 + "a" + ")" * 11, "too_large"),
        ("a" * (LENGTH_MAX + 1), "too_long"),
    ],
)
def test_what_cannot_be_read_is_refused_by_its_code(written: str, code: str) -> None:
    with pytest.raises(ExpressionError) as refused:
        Expressions([written])
    assert refused.value.code == code


@pytest.mark.req("TA-DICT")
@pytest.mark.parametrize(
    "written",
    [
        "(a+)+b",
        "(a|a)*b",
        "(a|aa)+b",
        "((a*)*)*b",
        r"(\w*\d*)*-",
        ".*.*.*.*.*.*.*.*.*x",
        "(a?){40}a{40}",
        "([a-z]+)*!a",
        "(.|a|aa|aaa)*b",
    ],
)
def test_none_makes_a_text_long(written: str) -> None:
    """Python's own matcher would take longer than the universe for most of these."""
    machine = Expressions([written])
    begun = time.process_time()
    for length in range(TEXT_MAX):
        assert not machine.match("a" * length + "!")
    assert time.process_time() - begun < within(0.5)


def test_a_text_beyond_all_values_is_not_looked_at() -> None:
    machine = Expressions(["a*"])
    assert machine.match("a" * TEXT_MAX) and not machine.match("a" * (TEXT_MAX + 1))


def test_many_different_texts_leave_little_behind() -> None:
    machine = Expressions([".*" * 20 + "x"])
    for number in range(20_000):
        machine.match(chr(0x4E00 + number) + "a")
    assert len(machine._steps) <= 4096
