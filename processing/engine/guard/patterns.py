"""What an instruction to a model looks like (LA-GUARD): an expression, and how sure a sign it is.

Expressions for words are matched against letters and digits alone (``views.latin``, ``views.letters``): no space, no
sign, small, Latin for look-alikes, simplified for traditional. So one covers a text however it is spaced, broken over
lines or accented. Every repetition is bounded: a page cannot make one of them slow.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple


class Pattern(NamedTuple):
    """``hints``: one of these strings must occur before the expression is tried; this keeps a page below 5 ms."""

    name: str
    score: float
    hints: tuple[str, ...]
    expression: re.Pattern[str]


def pattern(name: str, score: float, hints: str, expression: str) -> Pattern:
    return Pattern(name, score, tuple(hints.split()), re.compile(expression))


def in_leet(patterns: Sequence[Pattern]) -> tuple[Pattern, ...]:
    """The same for a text in which l is written as i, since leetspeak has one sign for both."""
    return tuple(
        Pattern(
            p.name,
            p.score,
            tuple(h.replace("l", "i") for h in p.hints),
            re.compile(p.expression.pattern.replace("l", "i")),
        )
        for p in patterns
    )
