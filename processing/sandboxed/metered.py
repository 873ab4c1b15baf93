"""Children at work for a document: on its account, and ended when what they do is wanted no more.

A child holds a turn that others wait for. So it hands back the pages that its turn leaves no time for; it is ended
within a second where its document is cancelled or its pages are another's by now; and it gives way, on a page that
takes long, to a merchant who has no thread at all while its own has several.
"""

import logging
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from typing import Any

import msgspec
from django.db import Error, connection

from catalogsku.core import work
from catalogsku.core.metrics import CHILDREN_ENDED
from catalogsku.core.models import WorkRow
from catalogsku.core.presence import current_worker
from catalogsku.core.sandbox import Hold, Limits, Outcome
from ingestion.models import Job
from ingestion.services import machine_time, turns
from processing.sandboxed import sandboxes

log = logging.getLogger(__name__)

OVER_BUDGET = "over_budget"
TURN_S = 5.0
# Above a turn and its last page, as pages commonly are; recognised ones take some seconds.
GIVES_WAY_AFTER_S = 8.0
LOOK_S = 0.4
# A thread and its connection cost more than many looks: they stay while one child follows the other.
IDLE_S = 5.0


class Child(Hold):
    """``gave_way``: it was ended for somebody else's sake."""

    def __init__(self, job: Job, model: type[WorkRow], claims: Sequence[work.Claim]) -> None:
        super().__init__()
        self.job, self.model, self.claims = job, model, claims
        self.gave_way = False


@dataclass(frozen=True)
class Metered:
    """The process's sandboxes, on a document's account; ``claims`` are the rows of ``model`` that the work is for."""

    job: Job
    model: type[WorkRow]
    claims: Sequence[work.Claim]

    def run(
        self,
        task: str,
        request: Mapping[str, Any],
        numbers: Sequence[int],
        out_dir: Path,
        read_paths: Sequence[Path],
        limits: Limits,
        *,
        recognises: bool = False,
        turn_s: float = TURN_S,
    ) -> Outcome:
        """As ``Sandbox.run``; the reason is ``over_budget`` where the document may take no more."""
        left_s = ceil(machine_time.left_s(self.job))
        if left_s <= 0:
            return Outcome({}, None, OVER_BUDGET)
        bounded = msgspec.structs.replace(limits, cpu_s=min(limits.cpu_s, left_s), turn_s=turn_s)
        child = Child(self.job, self.model, self.claims)
        with _watch.over(child):
            box = sandboxes.sandbox(recognises=recognises)
            outcome = box.run(task, request, numbers, out_dir, read_paths, bounded, child)
        taken_s = machine_time.taken_s(outcome.cpu_s, outcome.wall_s)
        machine_time.spend(self.job, taken_s, counts_for_job=not child.gave_way)
        if outcome.reason == "cpu_limit" and left_s < limits.cpu_s:
            return msgspec.structs.replace(outcome, reason=OVER_BUDGET, culprit=None)
        return outcome


@dataclass
class _Watch:
    """One thread of this process looks after all its children, while there are any."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    children: set[Child] = field(default_factory=set)
    thread: threading.Thread | None = None
    seen_s: float = 0.0  # when there were children last
    waits: int | None = None  # the merchant that was found waiting at the last look

    @contextmanager
    def over(self, child: Child) -> Iterator[None]:
        with self.lock:
            self.children.add(child)
            if self.thread is None:
                self.thread = threading.Thread(target=self._look_after, name="children", daemon=True)
                self.thread.start()
        try:
            yield
        finally:
            with self.lock:
                self.children.discard(child)

    def _look_after(self) -> None:
        try:
            time.sleep(LOOK_S)
            while (children := self._running()) is not None:
                try:
                    self.look(children)
                except Error as error:  # the database is away, or was: the next look finds out
                    log.warning("children not looked after", extra={"error": repr(error)})
                    connection.close()
                time.sleep(LOOK_S)
        finally:
            connection.close()
            with self.lock:  # however it ended: the next child is looked after
                if self.thread is threading.current_thread():
                    self.thread = None

    def _running(self) -> list[Child] | None:
        """Those of now. None where there have been none for a while: the thread ends, and the next child starts
        another."""
        with self.lock:
            now_s = time.monotonic()
            if self.children:
                self.seen_s = now_s
            elif now_s - self.seen_s > IDLE_S:
                self.thread = None
                return None
            return list(self.children)

    def look(self, children: Sequence[Child]) -> None:
        for child in children:
            if not child.is_stopped and work.are_lost(child.model, child.claims):
                _end(child, "unwanted")
        self._make_room([child for child in children if child.began_s is not None and not child.is_stopped])

    def _make_room(self, children: Sequence[Child]) -> None:
        """Where somebody has waited for two looks."""
        now_s = time.monotonic()
        old = [child for child in children if now_s - (child.began_s or now_s) > GIVES_WAY_AFTER_S]
        if not old or len(children) < sandboxes.AT_ONCE:
            self.waits = None
            return
        chosen = _youngest_of_who_has_most(old, children)
        waits = turns.kept_waiting(current_worker().unit, chosen.job.merchant_id)
        if waits is not None and waits == self.waits:
            chosen.gave_way = True
            _end(chosen, "gave_way")
            waits = None
        self.waits = waits


def _youngest_of_who_has_most(old: Sequence[Child], children: Sequence[Child]) -> Child:
    """Least is lost with it."""
    held: dict[int, int] = {}
    for child in children:
        held[child.job.merchant_id] = held.get(child.job.merchant_id, 0) + 1
    return max(old, key=lambda child: (held[child.job.merchant_id], child.began_s or 0.0))


def _end(child: Child, why: str) -> None:
    CHILDREN_ENDED.labels(why).inc()
    log.info("child ended", extra={"job_id": child.job.pk, "why": why, "rows": len(child.claims)})
    child.stop()


_watch = _Watch()
