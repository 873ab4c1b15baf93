"""From pages a day to cores, memory, disk, people and euros: pure. The formula is in docs/capacity.md."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from math import ceil
from typing import Any

from catalogsku.core.errors import Refused

MEASURED, RECORDED, GIVEN, ASSUMED = "measured", "recorded", "given", "assumed"
DAY_S, MONTH_DAYS = 86_400, 30
GB = 1_000_000_000
PAGES_MOST = 10_000_000


@dataclass(frozen=True)
class Assumption:
    """``low`` to ``high``: between which the figure lies in nineteen of twenty cases where it is ``measured``, or lay
    in the runs that were ``recorded``. ``source``: how it is known, and from what."""

    key: str
    value: float
    low: float
    high: float
    unit: str
    kind: str
    source: str


@dataclass(frozen=True)
class Wish:
    """What is asked for. Shares from 0 to 1; prices in EUR a month; ``usd``: EUR for one USD."""

    pages_per_day: int
    scans: float = 0.2
    hours_per_day: float = 24.0
    utilisation: float = 0.6
    people_hours: float = 6.5
    workdays: float = 22.0
    retention_years: float = 1.0
    core_eur: float = 0.0
    memory_eur: float = 0.0
    disk_eur: float = 0.0
    person_hour_eur: float = 0.0
    usd_eur: float = 0.0

    def check(self) -> None:
        """Raises Refused(bad_capacity), which names the option."""
        ranges = {
            "pages_per_day": (1, PAGES_MOST),
            "scans": (0, 1),
            "hours_per_day": (0.25, 24),
            "utilisation": (0.05, 0.95),
            "people_hours": (0.25, 24),
            "workdays": (1, 31),
            "retention_years": (0, 50),
            **dict.fromkeys(("core_eur", "memory_eur", "disk_eur", "person_hour_eur", "usd_eur"), (0, 1_000_000)),
        }
        for name, (least, most) in ranges.items():
            if not least <= getattr(self, name) <= most:  # NaN is in no range
                raise Refused("bad_capacity", what=name.replace("_", "-"), least=least, most=most)


@dataclass(frozen=True)
class Need:
    """``low`` and ``high``: with every figure at its better, and at its worse end."""

    key: str
    value: float
    low: float
    high: float
    unit: str
    how: str


# (of a page's bytes, how many days they are kept)
KINDS = ("sources", "pictures", "traces", "results")


def plan(wish: Wish, known: Mapping[str, Assumption], days: Mapping[str, int | None]) -> list[Need]:
    """``days``: for how long each of KINDS is kept; None: as long as the retention that is asked for."""
    wish.check()
    middle, better, worse = (_needs(wish, {k: getattr(a, end) for k, a in known.items()}, days) for end in _ENDS)
    return [
        Need(key, middle[key], better[key], worse[key], unit, how)
        for key, unit, how in _SHOWN
        if not (key.endswith("_eur") and middle[key] == 0)
    ]


_ENDS = ("value", "low", "high")
_SHOWN = (
    ("core_seconds", "core s a day", "pages x (text share x text page + scan share x scanned page)"),
    ("cores", "cores", "core seconds / (hours x 3600 x utilisation), at least 2"),
    ("memory", "GB", "base + cores x memory a core"),
    ("storage", "GB", "pages a day x sum of (bytes a page x days that they are kept)"),
    ("database", "GB", "pages a day x days of retention x bytes a page"),
    ("disk", "GB", "(storage + database) / 0.7: cleaning begins at 85 %"),
    ("database_growth", "GB a month", "pages a day x 30 x bytes a page"),
    ("people_hours", "hours a day", "pages x share that people finish x seconds a page / 3600"),
    ("people", "people", "hours a day x 30 / (workdays x hours of a person a day)"),
    ("models_eur", "EUR a month", "pages x 30 x USD a page x EUR a USD"),
    ("machines_eur", "EUR a month", "cores, memory and disk at the prices given"),
    ("people_eur", "EUR a month", "hours a day x 30 x price of an hour"),
    ("total_eur", "EUR a month", "models, machines and people"),
)
LEAST_CORES, FULL_AT = 2, 0.7


def _needs(wish: Wish, known: Mapping[str, float], days: Mapping[str, int | None]) -> dict[str, float]:
    pages = wish.pages_per_day
    retention_days = wish.retention_years * 365
    core_s = pages * ((1 - wish.scans) * known["text_s"] + wish.scans * known["scan_s"])
    cores = max(LEAST_CORES, ceil(core_s / (wish.hours_per_day * 3600 * wish.utilisation) - 1e-9))
    kept = {kind: retention_days if days[kind] is None else min(float(days[kind] or 0), DAYS_MOST) for kind in KINDS}
    storage = pages * sum(known[f"{kind}_bytes"] * kept[kind] for kind in KINDS) / GB
    database = pages * known["database_bytes"] * retention_days / GB
    memory = known["base_gb"] + cores * known["core_gb"]
    hours = pages * known["intervention"] * known["person_s"] / 3600
    disk = (storage + database) / FULL_AT
    models = pages * MONTH_DAYS * known["model_usd"] * wish.usd_eur
    machines = cores * wish.core_eur + memory * wish.memory_eur + disk * wish.disk_eur
    people = hours * MONTH_DAYS * wish.person_hour_eur
    return {
        "core_seconds": core_s,
        "cores": cores,
        "memory": memory,
        "storage": storage,
        "database": database,
        "disk": disk,
        "database_growth": pages * MONTH_DAYS * known["database_bytes"] / GB,
        "people_hours": hours,
        "people": hours * MONTH_DAYS / (wish.workdays * wish.people_hours),
        "models_eur": models,
        "machines_eur": machines,
        "people_eur": people,
        "total_eur": models + machines + people,
    }


DAYS_MOST = 36_500.0


def given(found: Assumption, value: float | None, option: str, least: float, most: float) -> Assumption:
    """The same with what was said in place of what is known. Raises Refused(bad_capacity)."""
    if value is None:
        return found
    if not least <= value <= most:
        raise Refused("bad_capacity", what=option, least=least, most=most)
    return replace(found, value=value, low=value, high=value, kind=GIVEN, source=f"--{option}")


def as_json(wish: Wish, known: Mapping[str, Assumption], needs: list[Need]) -> dict[str, Any]:
    return {
        "wish": asdict(wish),
        "assumptions": [asdict(one) for one in known.values()],
        "needs": [asdict(one) for one in needs],
    }
