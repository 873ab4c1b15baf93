"""The way that each page took, beside the way that was right for it, and how sure a share of so few pages is.

A page goes on alone by the rules (automatic) or by a model's answer (model), to a person, or is skipped as one without
products. Right was: skip where there is no product; a person where what machines had is wrong; a model where its answer
is right and the rules' own was not; else automatic.
"""

import math
from collections.abc import Iterable
from typing import Final

AUTOMATIC: Final = "automatic"
MODEL: Final = "model"
PERSON: Final = "person"
SKIP: Final = "skip"
ROUTES = (AUTOMATIC, MODEL, PERSON, SKIP)
# Nineteen of twenty such intervals hold the true share.
Z = 1.96

# Pages by the way they took, then by the way that was right.
Confusion = dict[str, dict[str, int]]
Interval = tuple[float, float]


def taken(*, person: bool, asked: bool, products: bool) -> str:
    """``products``: whether machines found any; ``asked``: whether a model's answer is the page's result."""
    if person:
        return PERSON
    if not products:
        return SKIP
    return MODEL if asked else AUTOMATIC


def wanted(*, products: bool, right: bool, rules_right: bool | None) -> str:
    """``products``: whether there are any in truth; ``right``: whether the machines' result is; ``rules_right``:
    whether the rules' own is, None where no model was asked."""
    if not products:
        return SKIP
    if not right:
        return PERSON
    return MODEL if rules_right is False else AUTOMATIC


def confusion_of(pages: Iterable[tuple[str, str]]) -> Confusion:
    """``pages``: (taken, wanted) of each; every way that was taken is a row, in the order of ROUTES."""
    counts = dict.fromkeys(((way, right) for way in ROUTES for right in ROUTES), 0)
    for pair in pages:
        counts[pair] += 1
    table: Confusion = {}
    for (way, right), n in counts.items():
        if n:
            table.setdefault(way, {})[right] = n
    return table


def added(tables: Iterable[Confusion]) -> Confusion:
    """Of several groups of pages together."""
    return confusion_of(
        (way, right) for table in tables for way, row in table.items() for right, n in row.items() for _ in range(n)
    )


def judged(table: Confusion) -> tuple[int, int]:
    """(pages on the right way, pages)."""
    return sum(row.get(way, 0) for way, row in table.items()), sum(sum(row.values()) for row in table.values())


def wilson(part: int, whole: int) -> Interval | None:
    """The interval of a share at 95 % (Wilson 1927), which holds near 0 and 1 and for few; None of nothing."""
    if whole <= 0:
        return None
    share, z2 = part / whole, Z * Z
    middle = share + z2 / (2 * whole)
    half = Z * math.sqrt(share * (1 - share) / whole + z2 / (4 * whole * whole))
    return (
        round(max(0.0, (middle - half) / (1 + z2 / whole)), 4),
        round(min(1.0, (middle + half) / (1 + z2 / whole)), 4),
    )
