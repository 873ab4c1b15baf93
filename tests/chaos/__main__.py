"""`make chaos`: random harms, spread over the whole processing of a short and a long document, and a report of it.

Ends with code 1 where anything was lost, doubled or stuck, work came to a halt, or time ran out before all were done.
"""

import argparse
import os
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

from tests.chaos import report, verdict
from tests.chaos.doing import Done, do_harm, give_whole, is_possible
from tests.chaos.ground import DISK_BYTES, ChaosStack
from tests.chaos.table import DRAWN

# A page in twelve is blank, and the last ones are left alone: a harm there would find too little to hit.
_OVER_THE_FIRST = 11 / 12 * 0.97
_ENDS_WITHIN_S = 600.0
# Every harm may need a document of its own: its pictures, its rows and their log.
BYTES_A_HARM = 15 << 20


def main() -> int:
    options = _options()
    began_s, chance = time.monotonic(), Random(options.seed)
    _say(f"seed {options.seed}: {options.harms} harms over documents of {options.pages} pages")
    with ChaosStack(DISK_BYTES + options.harms * BYTES_A_HARM) as stack:
        for pages in sorted(options.pages, reverse=True):  # the short one meets harm from its first page on
            give_whole(stack, pages, chance)
        done = _harm(stack, options, chance, began_s + options.minutes * 60)
        _say("no more harm")
        left = verdict.left_by_machines(stack, _ENDS_WITHIN_S)
        took_s = time.monotonic() - began_s
        faults = verdict.faults(stack)
        if not left:
            _say(stack.last_words())
        companions = len(stack.documents) - len(options.pages)
    told = report.summary(options.seed, options.harms, options.pages, companions, done, faults, left, took_s)
    report.write(told, options.report, options.page)
    _say(report.table(told))
    return 0 if told["kept"] else 1


def _harm(stack: ChaosStack, options: Any, chance: Random, until_s: float) -> list[Done]:
    """Each harm comes when its share of all pages is done; a harm that met nothing is drawn anew."""
    possible = [harm for harm in DRAWN if is_possible(stack, harm) and options.only in harm.name]
    weights = [harm.often for harm in possible]
    done: list[Done] = []
    while len(done) < options.harms and time.monotonic() < until_s:
        due = len(done) / options.harms * _OVER_THE_FIRST * sum(options.pages)
        while stack.pages_done() < due and time.monotonic() < until_s:
            stack.revive_services()
            time.sleep(0.1)
        harm = chance.choices(possible, weights)[0]
        if one := do_harm(stack, harm, chance, lambda line: _say(f"{len(done) + 1:>4} {line}")):
            done.append(one)
    return done


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--harms", type=int, default=200)
    parser.add_argument("--pages", type=int, nargs="+", default=[200, 2000])
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(3), "big"))
    parser.add_argument("--only", default="", help="harms with this in their names")
    parser.add_argument("--minutes", type=float, default=60, help="no harm begins after that")
    parser.add_argument("--report", type=Path, default=Path("var/chaos.json"))
    parser.add_argument("--page", type=Path, default=None, help="a page of docs whose figures are renewed")
    return parser.parse_args()


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
