"""The report of a run: a JSON file, and the figures in docs between two marks."""

import json
import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.chaos.doing import Done
from tests.chaos.recovery import PROMISED_WITHIN_S

BEGIN, END = "<!-- figures of the last run -->", "<!-- end of the figures -->"


def summary(
    seed: int,
    wanted: int,
    pages: Sequence[int],
    companions: int,
    done: Sequence[Done],
    faults: dict[str, int],
    left: bool,
    took_s: float,
) -> dict[str, Any]:
    late = [one.harm for one in done if not one.kept_promise]
    return {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {"cores": os.cpu_count(), "kernel": platform.release(), "python": platform.python_version()},
        "seed": seed,
        "pages": list(pages),
        "companions": companions,
        "harms_wanted": wanted,
        "harms": len(done),
        "took_s": round(took_s, 1),
        "late": late,
        "ended": left,
        "faults": faults,
        "kept": len(done) == wanted and not late and left and not any(faults.values()),
        "by_kind": {kind: _figures([one for one in done if one.kind == kind]) for kind in _kinds(done)},
        "all": _figures(done),
        "each": [
            {"harm": one.harm, "at_page": one.at_page, "took_s": round(one.took_s, 1),
             "recovered_s": None if one.recovered_s is None else round(one.recovered_s, 1),
             **({"wrong": one.wrong} if one.wrong else {})}
            for one in done
        ],
    }  # fmt: skip


def _kinds(done: Sequence[Done]) -> list[str]:
    return sorted({one.kind for one in done})


def _figures(done: Sequence[Done]) -> dict[str, Any]:
    """Harms, and seconds from a harm's end until work went on: median, the 95th of 100, the longest."""
    times = sorted(one.recovered_s for one in done if one.recovered_s is not None)
    at = [round(times[min(len(times) - 1, int(len(times) * part))], 1) if times else None for part in (0.5, 0.95, 1)]
    return {"harms": len(done), "p50_s": at[0], "p95_s": at[1], "max_s": at[2]}


def table(told: dict[str, Any]) -> str:
    """The figures as Markdown."""
    faults = told["faults"]
    audit = sum(count for name, count in faults.items() if name.startswith("audit"))
    lines = [
        f"Seed {told['seed']}, {told['at'][:10]}, {told['machine']['cores']} cores: {_how_many(told)} in"
        f" {told['took_s'] / 60:.0f} minutes over documents of {' and '.join(map(str, told['pages']))} pages, with"
        f" {told['companions']} small ones of another merchant coming in meanwhile.",
        "",
        "| kind of harm | harms | recovered: half within | 95 % within | longest |",
        "|---|---|---|---|---|",
    ]
    for kind, figures in [*told["by_kind"].items(), ("all", told["all"])]:
        lines.append(
            f"| {kind} | {figures['harms']} | {figures['p50_s']} s | {figures['p95_s']} s | {figures['max_s']} s |"
        )
    lines += ["", "| afterwards | found |", "|---|---|"]
    lines += [f"| {name} | {count} |" for name, count in faults.items() if not name.startswith("audit")]
    lines += [f"| differences found by `manage.py audit` | {audit} |"]
    lines += [f"| later than {PROMISED_WITHIN_S:.0f} s | {len(told['late'])} |"]
    return "\n".join(lines)


def _how_many(told: dict[str, Any]) -> str:
    harms, wanted = told["harms"], told["harms_wanted"]
    return f"{harms} harms" if harms == wanted else f"{harms} of {wanted} harms (time ran out)"


def write(told: dict[str, Any], file: Path, page: Path | None) -> None:
    """Only a run that kept everything renews the page."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(told, indent=1) + "\n")
    if page is not None and told["kept"]:
        text = page.read_text()
        head, tail = text[: text.index(BEGIN) + len(BEGIN)], text[text.index(END) :]
        page.write_text(f"{head}\n{table(told)}\n{tail}")
