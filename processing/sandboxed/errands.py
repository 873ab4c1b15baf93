"""What children are asked to do with pages of a golden file, until every page is done or has failed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from catalogsku.core.sandbox import Limits, Sandbox
from processing.sandboxed import sandboxes

# Quality must not depend on how busy the machine is: clocks run four times as long as for the product's own work.
PATIENCE = 4
# After so many pages that ended their child the file is given up: what is left fails too, one limit after the other.
MOST_FAILURES = 20
# Limits that the pages before have used up too.
OF_ALL_PAGES = ("wall_limit", "cpu_limit")


@dataclass(frozen=True)
class Errand:
    """What a child is asked to do with pages; ``read``: what it may open, ``name``: of its folder and in failures."""

    name: str
    task: str
    request: Callable[[list[int]], Mapping[str, Any]]
    read: Sequence[Path]
    limits: Limits


@dataclass
class Finished:
    """What children handed out, the pages that failed and why, and the children's seconds."""

    pages: dict[int, bytes] = field(default_factory=dict)
    failures: dict[int, str] = field(default_factory=dict)
    wall_s: float = 0.0


def finish_pages(box: Sandbox, errand: Errand, numbers: Sequence[int], folder: Path) -> Finished:
    """Child after child until every page is handed out or has failed: one that ends its child is left out of the next.

    Raises InterruptedError where a child ended for a reason that is not the document's.
    """
    done = Finished()
    left, out = list(numbers), folder / errand.name
    while left:
        outcome = box.run(errand.task, errand.request(left), left, out, errand.read, patient(errand.limits))
        if outcome.reason in sandboxes.NOT_THE_DOCUMENT:
            raise InterruptedError(f"{errand.name}: {outcome.reason}")
        done.wall_s += outcome.wall_s
        done.pages |= outcome.finished
        left = [number for number in left if number not in done.pages]
        if left and not (outcome.finished and outcome.reason in OF_ALL_PAGES):
            detail = outcome.detail.strip()[-200:]
            done.failures[left.pop(0)] = f"{errand.name}: {outcome.reason} {detail}".strip()
        if len(done.failures) > MOST_FAILURES:
            done.failures |= dict.fromkeys(left, f"{errand.name}: given up")
            break
    return done


def patient(limits: Limits) -> Limits:
    """Memory and processor time as for the product; a minute may be a longer one."""
    return msgspec.structs.replace(limits, wall_s=PATIENCE * limits.wall_s, page_s=PATIENCE * limits.page_s)
