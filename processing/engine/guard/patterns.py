"""What a mark of an order to a model looks like (LA-GUARD): an expression, and how sure a sign it is.

Expressions are matched without space, in small letters (``views.signs``). Every repetition is bounded: a page cannot
make one of them slow.
"""

import re
from typing import NamedTuple


class Pattern(NamedTuple):
    """``hints``: one of these strings must occur before the expression is tried; this keeps a page below 5 ms."""

    name: str
    score: float
    hints: tuple[str, ...]
    expression: re.Pattern[str]


def pattern(name: str, score: float, hints: str, expression: str) -> Pattern:
    return Pattern(name, score, tuple(hints.split()), re.compile(expression))
