"""The report of a year: a JSON file, and a page of docs that is written anew."""

import json
import os
import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.year import truth
from tests.year.verdict import Bar, bars

_HOW = {True: "holds", False: "**does not hold**", None: "not to be said"}


def summary(told: Mapping[str, Any], seed: int, took_s: Mapping[str, float]) -> dict[str, Any]:
    found = bars(told)
    return {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {"cores": os.cpu_count(), "kernel": platform.release(), "python": platform.python_version()},
        "seed": seed,
        "took_s": {name: round(n, 1) for name, n in took_s.items()},
        "kept": all(bar.holds is not False for bar in found if bar.counts),
        "bars": [{"bar": bar.name, "holds": bar.holds, "said": bar.said, "counts": bar.counts} for bar in found],
        **told,
    }


def write(told: Mapping[str, Any], file: Path, page: Path | None) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({**told, "nights": _nights(told)}, indent=1, ensure_ascii=False) + "\n")
    if page is not None:
        page.write_text(text(told))


def _nights(told: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """By category on how many nights there were figures, and on which days something was told to have become worse."""
    found: dict[str, dict[str, Any]] = {}
    for night in told["nights"]:
        one = found.setdefault(night["category"], {"nights": 0, "told_on": ""})
        one["nights"] += 1
        if night["drifted"]:
            one["told_on"] = f"{one['told_on']} {night['day']}".strip()
    return found


def text(told: Mapping[str, Any]) -> str:
    took = ", ".join(f"{name} {_minutes(seconds)}" for name, seconds in told["took_s"].items())
    parts = [
        _INTRODUCTION,
        "## The last run\n",
        f"{told['documents']} documents in {told['days']} days from {told['first']} on, seed {told['seed']}, run on"
        f" {told['at'][:10]} with {told['machine']['cores']} cores ({took}): [year.json](year.json).\n",
        _table(("bar", "", "what was seen"), [(b["bar"], _HOW[b["holds"]], b["said"]) for b in told["bars"]]),
        _OTHERWISE,
        *(f"* {note}" for note in told.get("notes", [])),
        "\n## The disk\n",
        _DISK,
        _table(_MONTH, [_month(month) for month in told["months"]]),
        "\n## Thresholds\n",
        _THRESHOLDS,
        _table(
            ("day", "category", "was", "proposed and followed"),
            [(one["day"], one["category"], f"{one['now']:.3f}", f"{one['proposed']:.3f}") for one in told["decided"]],
        ),
    ]
    if "restored" in told:
        parts += ["\n## Backup and restore\n", _restored(told["restored"])]
    if "screens" in told:
        parts += ["\n## Screens\n", _SCREENS.format(turns=told["screens"]["turns"]), _screens(told["screens"])]
    return "\n".join(parts) + "\n"


_INTRODUCTION = f"""# A year

`tests/year` lets a year pass over the product: 10,000 documents of four merchants in four categories come, three times
as many on the last day as on the first. Machines make mistakes at a rate that follows from how sure they are; people do
what waits on the next day, look at {float(truth.BLIND):.0%} of what went out alone, and correct what is wrong there. Of
the categories one is read better than its threshold believes, and one is read worse from a day in summer on. The
product is told none of it.

* Time is that of the machine's clock, which PostgreSQL and the product's process take from one place, so that every
  condition on time is the product's own. Rows and files are put there; what comes with time is run each simulated night
  as the scheduler runs it: keeping, deletions, figures, blind looks, calibration.
* Proposed thresholds for pages are followed each night; documents that come later are measured by them.
* Half of the merchants forget documents as a whole after {truth.RESULTS_DAYS} days; the log of documents is archived
  after {truth.AUDIT_DAYS}.
* Left out: the reading itself (see [bench](bench.md)), models, golden sets, and evaluations of documents, so that the
  effect of a proposed threshold is told of no documents.

`make year` runs it in half an hour and writes this page and [year.json](year.json); `make year YEAR="--seed 7"` runs
another one. `make test` lets some weeks pass, `make test-long` all of it.
"""
_OTHERWISE = """
Where nothing drifts, what is told to have become worse is chance. How often and how soon it is told, and the proposals
that go the wrong way, are figures: they do not make a run fail. [Many years](quality.md) of looks alone say more of it.
"""
_DISK = f"""Bytes in storage at the end of a month, as a share of what came in within the days that its kind is kept: 1
is as much as has to be there; a little more is there because days count from a document's end. *Forgetting*: all of the
merchants that keep documents {truth.RESULTS_DAYS} days. *For good*: results of the others, which only a rule deletes.
"""
_MONTH = (
    "day",
    "documents",
    "files",
    "MB",
    "sources",
    "page pictures",
    "exports",
    "forgetting",
    "for good, MB",
    "archives",
    "log rows",
    "answers kept",
    "database, MB",
)
_THRESHOLDS = """A proposal follows from the looks of 30 days, some hundred pages of a category. Followed every night,
thresholds go to and fro around the true one by as much chance as there is in so many pages; who waits some weeks
between two has less of it.
"""
_SCREENS = """Every screen of the four roles, {turns} times each over loopback from the real web process on that
database; statements as PostgreSQL timed them, the slowest of each screen.
"""


def _month(month: Mapping[str, Any]) -> Sequence[Any]:
    kinds = month["kinds"]
    return (
        month["day"],
        month["documents"],
        month["total"]["files"],
        _mb(month["total"]["bytes"]),
        *(f"{kinds[kind]['share']:.2f}" for kind in ("sources", "pictures", "exports")),
        f"{month['forgetting']['share']:.2f}",
        _mb(month["keeping"]["bytes"]),
        month["archives"]["files"],
        month["moves"],
        month["answers"],
        _mb(month["total"]["database_bytes"]),
    )


def _restored(restored: Mapping[str, Any]) -> str:
    return (
        f"A backup of {_mb(restored['bytes'])} MB is made in {restored['backup_s']} s, verified in"
        f" {restored['verify_s']} s, and brought back into an empty installation in {restored['restore_s']} s."
    )


def _screens(screens: Mapping[str, Any]) -> str:
    rows = sorted(screens["screens"].items(), key=lambda entry: -entry[1]["statement_p95_ms"])
    return _table(
        ("screen", "roles", "statements", "slowest statement, p95", "request, p50", "p95"),
        [
            (
                name,
                ", ".join(one["roles"]),
                one["queries"],
                f"{one['statement_p95_ms']:.1f} ms",
                f"{one['p50_ms']:.0f} ms",
                f"{one['p95_ms']:.0f} ms",
            )
            for name, one in rows
            if one["roles"]
        ],
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def _mb(size: float) -> str:
    return f"{size / 1e6:.1f}"


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.1f} min"


def table(told: Mapping[str, Any]) -> str:
    return "\n".join(f"{_HOW[bar['holds']]}: {bar['bar']}: {bar['said']}" for bar in told["bars"])


__all__ = ["Bar", "summary", "table", "text", "write"]
