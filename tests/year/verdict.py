"""What the simulated year has to have shown, bar by bar, each with the figures that say so."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.year import truth
from tests.year.brought_back import PUT_RIGHT
from tests.year.screens import MOST_MS
from tests.year.truth import LIMITED

# Days of what is kept count from a document's end, some days after it came: what is there may be so much more than what
# came within those days.
MOST_SHARE = 1.25
# From so many days after the first of them on.
SETTLED = 5
# Thresholds nearer to the true one than this are as good as it, and move by chance.
NEAR = 0.05
# The share of nights on which chance may ring, and what would be soon.
BY_CHANCE, SOON = 0.05, 14
FLAT_FROM = {**LIMITED, "forgetting": truth.RESULTS_DAYS}


@dataclass(frozen=True)
class Bar:
    """``holds``: None where this run was too short to say. ``counts``: not where chance alone breaks it at times."""

    name: str
    holds: bool | None
    said: str
    counts: bool = True


def bars(told: Mapping[str, Any]) -> list[Bar]:
    found = [_nothing_failed(told), *_flat(told), _archived(told), _figures(told), *_proposals(told), *_drift(told)]
    found += [_restored(told["restored"])] if "restored" in told else []
    found += [_screens(told["screens"])] if "screens" in told else []
    return found


def _nothing_failed(told: Mapping[str, Any]) -> Bar:
    failed = told["failed"]
    return Bar("no periodic task failed, and no file is without a rule", not failed, "; ".join(failed[:3]) or "none")


def _flat(told: Mapping[str, Any]) -> list[Bar]:
    found = []
    for kind, days in FLAT_FROM.items():
        months = [month for month in told["months"] if month["day"] >= days + SETTLED]
        shares = [_of(month, kind)["share"] for month in months]
        name = f"{kind}: no more on the disk than came in within {days} days"
        said = f"{min(shares):.2f} to {max(shares):.2f} of that, over {len(shares)} months" if shares else "too short"
        found.append(Bar(name, max(shares) <= MOST_SHARE if shares else None, said))
    return found


def _of(month: Mapping[str, Any], kind: str) -> Mapping[str, float]:
    return month["kinds"][kind] if kind in LIMITED else month["forgetting"]  # type: ignore[no-any-return]


def _archived(told: Mapping[str, Any]) -> Bar:
    if told["days"] <= truth.AUDIT_DAYS + 5:
        return Bar("logs of documents are archived", None, "too short")
    last = told["months"][-1]["archives"]
    return Bar("logs of documents are archived", last["files"] > 0, f"{last['files']} files, {last['bytes']} bytes")


def _figures(told: Mapping[str, Any]) -> Bar:
    figures = told["figures"]
    said = f"{figures['differ']} of {figures['compared']} differ" + "".join(f"; {one}" for one in figures["some"][:3])
    return Bar("figures of days are what really happened", not figures["differ"], said)


def _proposals(told: Mapping[str, Any]) -> list[Bar]:
    """Where machines are better or worse than believed, the threshold has to come nearer to the true one. Proposals
    follow from a sample of some hundred pages: of those for a threshold that is off, some go the wrong way by chance.
    """
    if not told["decided"]:
        return [Bar("proposals move thresholds the right way", None, "too short")]
    ends, days, right, wrong = told["thresholds"], told["days"], 0, 0
    moved = [kind for kind in truth.CATEGORIES if abs(kind.threshold(days, days) - float(kind.believed)) > NEAR]
    off = {
        kind.name: [abs(kind.threshold(days, days) - at) for at in (float(kind.believed), ends[kind.name])]
        for kind in moved
    }
    for one in told["decided"]:
        true = true_threshold(one["category"], one["day"], days)
        if abs(true - one["now"]) > NEAR:
            went_right = (true - one["now"]) * (one["proposed"] - one["now"]) > 0
            right, wrong = right + went_right, wrong + (not went_right)
    said = ", ".join(
        f"{kind.name} begun {kind.believed}, true {kind.threshold(days, days):.2f}, at the end {ends[kind.name]:.3f}"
        for kind in truth.CATEGORIES
    )
    return [
        Bar("proposals move thresholds the right way", all(end < begun for begun, end in off.values()), said),
        Bar(
            f"every proposal for a threshold more than {NEAR} off goes the right way",
            not wrong,
            f"{right} do, {wrong} do not; {len(told['decided'])} were followed in all",
            counts=False,
        ),
    ]


def true_threshold(category: str, day: int, days: int) -> float:
    """In the middle of the 30 days that a proposal follows from."""
    kind = next(kind for kind in truth.CATEGORIES if kind.name == category)
    return kind.threshold(day - 15, days)


def _drift(told: Mapping[str, Any]) -> list[Bar]:
    """The alarm of the category that became worse, and those of the others."""
    changed = next(kind for kind in truth.CATEGORIES if kind.later is not None)
    on, days = changed.drift_day(told["days"]), told["days"]
    alarms = [night for night in told["nights"] if night["drifted"]]
    own = [night["day"] for night in alarms if night["category"] == changed.name and night["day"] >= on]
    others = [night for night in told["nights"] if night["category"] != changed.name or night["day"] < on]
    nights = Counter(night["category"] for night in others)
    falls = Counter(night["category"] for night in others if night["drifted"])
    said = ", ".join(f"{name} {falls[name]} of {n} nights" for name, n in sorted(nights.items()))
    if not told["nights"] or days - on < SOON:
        return [Bar("what becomes worse is told of", None, "too short")]
    after = f"after {own[0] - on} days" if own else "never"
    share = sum(falls.values()) / max(1, sum(nights.values()))
    said += f": {share:.1%}"
    return [
        Bar(f"{changed.name} becoming worse is told of", bool(own), after),
        Bar(f"it is told of within {SOON} days", bool(own) and own[0] - on <= SOON, after, counts=False),
        Bar(f"nothing else is told of on more than {BY_CHANCE:.0%} of nights", share <= BY_CHANCE, said, counts=False),
        Bar("nothing else is ever told to have become worse", not falls, said, counts=False),
    ]


def _restored(restored: Mapping[str, Any]) -> Bar:
    differ, audit = restored["differences"], {name: n for name, n in restored["audit"].items() if n}
    rows = sum(n for table, n in restored["rows"].items() if table not in PUT_RIGHT)
    said = f"{rows} rows, {restored['files']} files; " + ("; ".join(differ[:5]) or "all the same")
    return Bar("a backup brings back every row and every byte", not differ and not audit, said)


def _screens(screens: Mapping[str, Any]) -> Bar:
    said = f"{screens['slowest']}: {screens['slowest_statement_p95_ms']} ms" + "".join(
        f"; over: {name}" for name in screens["over"]
    )
    name = f"no statement of any screen over {MOST_MS:.0f} ms at its 95th of 100"
    return Bar(name, not screens["over"] and not screens["broken"], said)
