"""Which model a question goes to, as people write it: rows of a table, and what makes a page complex (LA-ROUTE).

Pure. Of two models "strong" is the dear one and "cheap" the other.
"""

import re
from typing import Any

from catalogsku.profiles.figures import Fault, Figure, completed, faults_of
from catalogsku.profiles.wording import ALL_RULES, NEEDED

ANY = "any"
PAGE_TYPES = ("A", "B", "C", "D", ANY)
COMPLEXITIES = ("simple", "complex", ANY)
WITHOUT_MODEL = ("RULES", "SKIP")
BY_STRENGTH = ("strong", "cheap")
OPERATIONS = tuple(key for key in NEEDED if key not in ALL_RULES)
# Of each field of a row what it may be; a route may also be the name of a model.
CHOICES: dict[str, tuple[str, ...]] = {
    "operation": OPERATIONS, "page_type": PAGE_TYPES, "complexity": COMPLEXITIES, "route": (),
}  # fmt: skip
FIELDS = tuple(CHOICES)
_MODEL = re.compile(r"[a-z0-9][a-z0-9._-]{2,59}")

# Which pages are asked about does not stand here: those that a person would have to look at (consulting.wants_models).
_DEFAULT = """
read_page         any simple  cheap
read_page         any complex strong
evaluate_document any any     strong
"""
# Points of what makes a page hard, and from how many points on it is complex (LA-ROUTE).
DEFAULT_POINTS: dict[str, float] = {
    "fragmented": 2, "recognised": 2, "columns": 1, "blocks": 1,
    "recognised_above": 0.3, "blocks_above": 20, "complex_from": 3,
}  # fmt: skip
POINTS = {key: Figure(value, most=1000) for key, value in DEFAULT_POINTS.items()}


def default_rows() -> list[dict[str, str]]:
    return [dict(zip(FIELDS, line.split(), strict=True)) for line in _DEFAULT.strip().splitlines()]


def default_points() -> dict[str, float]:
    return dict(DEFAULT_POINTS)


def row_problems(rows: Any) -> list[tuple[str, int]]:
    """(code, row counted from 1) of what cannot be meant; row 0: the whole."""
    if not isinstance(rows, list):
        return [("not_a_list", 0)]
    problems, seen = [], set()
    for place, row in enumerate(rows, 1):
        if not isinstance(row, dict) or set(row) != set(FIELDS) or not all(isinstance(v, str) for v in row.values()):
            problems.append(("bad_row", place))
            continue
        for code, wrong in (
            ("bad_operation", row["operation"] not in OPERATIONS),
            ("bad_page_type", row["page_type"] not in PAGE_TYPES),
            ("bad_complexity", row["complexity"] not in COMPLEXITIES),
            ("bad_route", row["route"] not in (*WITHOUT_MODEL, *BY_STRENGTH) and not _MODEL.fullmatch(row["route"])),
            ("row_twice", (row["operation"], row["page_type"], row["complexity"]) in seen),
        ):
            if wrong:
                problems.append((code, place))
        seen.add((row["operation"], row["page_type"], row["complexity"]))
    return problems


def faults_of_points(points: Any) -> list[Fault]:
    """The names of the defaults, each with a number that is not negative."""
    return faults_of(points, POINTS)


def points_are_usable(points: Any) -> bool:
    return not faults_of_points(points)


def usable_rows(rows: Any) -> list[dict[str, str]]:
    """Those that can be meant: a table that an earlier version stored may hold others. A question without a row goes
    by the page's complexity."""
    wrong = {place for _, place in row_problems(rows)}
    return [] if 0 in wrong else [row for place, row in enumerate(rows, 1) if place not in wrong]


def usable_points(points: Any) -> dict[str, float]:
    """The given ones with the default of each that is missing or is none."""
    return {
        name: float(value) if isinstance(value, bool) else value for name, value in completed(points, POINTS).items()
    }
