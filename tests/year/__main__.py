"""`make year`: a year passes over an installation of its own; what it shows of keeping, calibration, figures, restore
and screens is reported.

Ends with code 1 where a bar does not hold.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.support.stack import PROJECT
from tests.year import brought_back, report, screens, truth
from tests.year.ground import YearStack

SEED = 20261129


def live(stack: YearStack, seed: int, days: int, documents: int) -> dict[str, Any]:
    """What the process in which the year passes saw. Raises AssertionError where it ended otherwise."""
    options = ["--seed", str(seed), "--days", str(days), "--documents", str(documents)]
    with stack.told_the_time() as environment, (stack.clocks / "year.log").open("w") as log:
        done = subprocess.run(
            [sys.executable, "-m", "tests.year.passing", *options],
            cwd=PROJECT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            check=False,
        )
    said = (stack.clocks / "year.log").read_text()
    assert done.returncode == 0, said[-4000:]
    stack.is_over = True
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def year(options: Any, say: Callable[[str], None]) -> dict[str, Any]:
    took_s: dict[str, float] = {}

    def timed(name: str, what: Callable[..., Any], *arguments: Any) -> Any:
        say(name)
        began_s = time.monotonic()
        found = what(*arguments)
        took_s[name] = time.monotonic() - began_s
        return found

    with tempfile.TemporaryDirectory(prefix="catalogsku-year-") as target:
        with YearStack() as stack:
            told = timed("the year", live, stack, options.seed, options.days, options.documents)
            before = brought_back.contents(stack)
            folder, took = timed("backup", brought_back.back_up, stack, Path(target))
        with YearStack() as again:  # the first one is gone with all that it had
            again.is_over = True
            back = timed("restore", brought_back.bring_back, again, folder)
            after = brought_back.contents(again)
            told["restored"] = {**took, **back, **after, "differences": brought_back.differences(before, after)}
            if options.turns:
                told["screens"] = timed("screens", screens.measure, again, options.turns)
    return report.summary(told, options.seed, took_s)


def main() -> int:
    options = _options()
    told = {**year(options, _say), "notes": options.note}
    report.write(told, options.report, options.page)
    _say(report.table(told))
    return 0 if told["kept"] else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.year", description=__doc__)
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--days", type=int, default=truth.DAYS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--turns", type=int, default=20, help="how often each screen is asked for; 0: not at all")
    parser.add_argument("--note", action="append", default=[], help="a sentence about this run, told on the page")
    parser.add_argument("--report", type=Path, default=Path("var/year.json"))
    parser.add_argument("--page", type=Path, default=None, help="the page of docs that is written anew")
    return parser.parse_args()


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
