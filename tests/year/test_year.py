"""A year passes over an installation: some weeks of it here, all of it where there is time (docs/year.md)."""

import shutil
from argparse import Namespace
from collections.abc import Mapping
from typing import Any

import pytest

from tests.year import __main__ as program
from tests.year import truth
from tests.year.ground import YearStack
from tests.year.verdict import Bar, bars

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("cc") is None, reason="the clock needs a C compiler")]

WEEKS, FEW = 37, 74
NOTHING = {"failed": [], "months": [], "decided": [], "nights": [], "days": 365, "thresholds": {}}


def not_held(told: Mapping[str, Any]) -> list[Bar]:
    return [bar for bar in bars(told) if bar.counts and bar.holds is False]


@pytest.mark.long
@pytest.mark.timeout(240)
@pytest.mark.req("TA-CLEAN", "TA-KEEP")
def test_some_weeks_leave_on_the_disk_what_is_to_be_kept_and_are_counted_rightly() -> None:
    with YearStack() as stack:
        told = program.live(stack, seed=3, days=WEEKS, documents=FEW)
        (open_now,) = stack.sql("SELECT count(*), max(closed_at) <= now() FROM annotation_humantask")
    assert not not_held(told), not_held(told)
    assert {"sources", "pictures", "exports"} <= {bar.name.partition(":")[0] for bar in bars(told) if bar.holds}
    assert told["figures"] == {"compared": told["figures"]["compared"], "differ": 0, "some": [], "days": WEEKS}
    assert open_now[0] > FEW / 2 and open_now[1], "the clock is the true one again, and nothing lies ahead of it"


@pytest.mark.long
@pytest.mark.timeout(5400)
@pytest.mark.req("TA-CLEAN", "TA-KEEP", "TA-CAL", "TA-BACKUP")
def test_a_year_is_kept_calibrated_counted_restored_and_shown() -> None:
    options = Namespace(seed=program.SEED, days=truth.DAYS, documents=10_000, turns=20)
    told = program.year(options, print)
    assert told["kept"], told["bars"]


def month(day: int, **shares: float) -> dict[str, Any]:
    kinds = {kind: {"share": shares.get(kind, 1.0)} for kind in truth.LIMITED}
    return {
        "day": day,
        "kinds": kinds,
        "forgetting": {"share": shares.get("forgetting", 1.0)},
        "archives": {"files": 1, "bytes": 1},
    }


def figures(differ: int) -> dict[str, Any]:
    return {"compared": 10, "differ": differ, "some": ["a day"] * differ}


ENDS = {kind.name: kind.later or kind.true for kind in truth.CATEGORIES}


@pytest.mark.parametrize(
    ("seen", "falls"),
    [
        ({}, ""),
        ({"failed": ["keeping: no"]}, "no periodic task failed"),
        ({"figures": figures(1)}, "figures of days"),
        ({"months": [month(150), month(180, pictures=2.0)]}, "pictures:"),
        ({"months": [month(150), month(180, forgetting=1.4)]}, "forgetting:"),
        ({"thresholds": {**ENDS, "chairs": 0.85}}, "proposals move"),
        ({"thresholds": {**ENDS, "tools": 0.65}}, "proposals move"),
        ({"nights": [{"category": "lamps", "day": 225, "drifted": [1]}]}, "tools becoming worse"),
    ],
)
def test_each_bar_can_fall(seen: dict[str, Any], falls: str) -> None:
    good = {
        "months": [month(150)],
        "figures": figures(0),
        "thresholds": ENDS,
        "nights": [{"category": "tools", "day": 225, "drifted": [1]}],
        "decided": [{"category": "chairs", "day": 60, "now": 0.8, "proposed": 0.7}],
    }
    fallen = [bar.name for bar in not_held({**NOTHING, **good, **seen})]
    assert all(name.startswith(falls) for name in fallen) and bool(fallen) == bool(falls), fallen
