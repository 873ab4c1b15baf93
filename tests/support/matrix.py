"""One thing looked at in many ways: the gate looks in one, ``make test-long`` in all."""

from typing import Any

import pytest


def gate_first(*cases: Any) -> list[Any]:
    """Of these parameters the gate takes the first (a tuple: of several names); the others are ``long``."""
    parts = [case if isinstance(case, tuple) else (case,) for case in cases[1:]]
    return [cases[0], *(pytest.param(*part, marks=pytest.mark.long) for part in parts)]
