"""From pages a day to cores, disk, people and euros: by hand, at both ends, and what is refused."""

import math
from dataclasses import replace

import pytest

from annotation.capacity.plan import GIVEN, KINDS, MEASURED, Assumption, Wish, given, plan
from annotation.capacity.services.measuring import ratio
from catalogsku.core.errors import Refused

VALUES = {
    "text_s": 0.2, "scan_s": 3.0, "core_gb": 1.0, "base_gb": 3.0, "sources_bytes": 1e5, "pictures_bytes": 2e5,
    "traces_bytes": 0, "results_bytes": 5e4, "database_bytes": 4e4, "intervention": 0.5, "person_s": 72,
    "model_usd": 0.002,
}  # fmt: skip
KNOWN = {key: Assumption(key, value, value / 2, value * 2, "", MEASURED, "here") for key, value in VALUES.items()}
DAYS = {"sources": 30, "pictures": 30, "traces": 90, "results": None}


def needs(wish: Wish, end: str = "value") -> dict[str, float]:
    return {one.key: getattr(one, end) for one in plan(wish, KNOWN, DAYS)}


def test_it_follows_from_the_figures_by_hand() -> None:
    wish = Wish(100_000, scans=0.1, hours_per_day=10, utilisation=0.5, core_eur=10, person_hour_eur=20, usd_eur=0.9)
    found = needs(wish)
    assert found["core_seconds"] == pytest.approx(100_000 * (0.9 * 0.2 + 0.1 * 3.0))
    assert found["cores"] == math.ceil(48_000 / (10 * 3600 * 0.5)) == 3
    assert found["memory"] == 6
    assert found["storage"] == pytest.approx(100_000 * (3e5 * 30 + 5e4 * 365) / 1e9)
    assert found["database"] == pytest.approx(100_000 * 4e4 * 365 / 1e9)
    assert found["disk"] == pytest.approx((found["storage"] + found["database"]) / 0.7)
    assert found["database_growth"] == pytest.approx(120)
    assert found["people_hours"] == 1000 and found["people"] == pytest.approx(1000 * 30 / (22 * 6.5))
    assert found["models_eur"] == pytest.approx(100_000 * 30 * 0.002 * 0.9)
    assert found["machines_eur"] == 30 and found["people_eur"] == 600_000
    assert found["total_eur"] == pytest.approx(5400 + 30 + 600_000)


def test_every_need_has_the_ends_of_its_figures() -> None:
    for one in plan(Wish(50_000), KNOWN, DAYS):
        assert one.low <= one.value <= one.high, one
    wish = Wish(50_000)
    assert (
        needs(wish, "high")["people_hours"]
        == 4 * needs(wish)["people_hours"]
        == 16 * needs(wish, "low")["people_hours"]
    )


def test_few_pages_need_two_cores_and_nothing_costs_what_has_no_price() -> None:
    found = needs(Wish(1))
    assert found["cores"] == 2 and not [key for key in found if key.endswith("_eur")]


@pytest.mark.parametrize(
    ("what", "value"),
    [
        ("pages_per_day", 0),
        ("pages_per_day", 10**9),
        ("scans", 1.2),
        ("scans", float("nan")),
        ("utilisation", 0),
        ("hours_per_day", 25),
        ("people_hours", -1),
        ("workdays", 40),
        ("core_eur", -0.01),
        ("usd_eur", float("inf")),
    ],
)
def test_nonsense_is_refused_with_a_code(what: str, value: float) -> None:
    with pytest.raises(Refused) as refused:
        plan(replace(Wish(100), **{what: value}), KNOWN, DAYS)  # type: ignore[arg-type]
    assert refused.value.code == "bad_capacity" and refused.value.params["what"] == what.replace("_", "-")


def test_what_is_given_takes_the_place_of_what_is_known() -> None:
    pace = given(KNOWN["person_s"], 45, "people-pace", 0, 86_400)
    assert (pace.value, pace.low, pace.high, pace.kind, pace.source) == (45, 45, 45, GIVEN, "--people-pace")
    assert given(KNOWN["person_s"], None, "people-pace", 0, 86_400) is KNOWN["person_s"]
    with pytest.raises(Refused):
        given(KNOWN["person_s"], -1, "people-pace", 0, 86_400)


def test_the_interval_is_that_of_a_ratio_of_sums() -> None:
    assert ratio([(2.0, 10.0)] * 20) == (0.2, pytest.approx(0.2), pytest.approx(0.2))
    value, low, high = ratio([(1.0, 10.0), (3.0, 10.0)] * 50)
    assert value == 0.2 and low == pytest.approx(0.2 - 1.96 * 0.1 / math.sqrt(99), rel=0.02) and high > 0.2


def test_every_kind_of_file_has_its_days() -> None:
    assert set(KINDS) == set(DAYS)
