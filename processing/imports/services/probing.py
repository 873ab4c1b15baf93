"""Whether a downstream does what imports take for granted (I1 to I5), found out with products of no merchant.

Speaks to the target alone; what it sends is deleted at the end. What does not hold has a switch of the import target.
"""

import hashlib
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from uuid import uuid4

from processing.imports.targets.http import HttpTarget
from processing.imports.targets.port import Answer, Envelope, Found, Queries, Traits, Unclear
from processing.imports.targets.shape import Shape

CALL_S = 20.0
# Of 20 calls none may fail: with more than 1 % of failures some of a hundred would (docs/imports.md, I3).
TRIED = 20
TOGETHER = 100
SAMPLE_ID = "{number}{page}{sequence}"


@dataclass
class Finding:
    """``switches``: of the import target, where the assumption does not hold."""

    assumption: str
    holds: bool
    seen: str
    switches: dict[str, object] = field(default_factory=dict)


class Probe:
    """One examination; ``make``: the target with these traits and this shape."""

    def __init__(self, make: Callable[[Traits, Shape], HttpTarget], merchant_id: int = 0) -> None:
        self._make, self._merchant = make, merchant_id
        self._job, self._shape = str(uuid4()), Shape()
        self._hash8 = hashlib.sha256(self._job.encode()).hexdigest()[:8]
        self._sent: dict[str, Envelope] = {}
        self._times_s: list[float] = []

    def run(self) -> list[Finding]:
        """In an order in which each step knows what the ones before have found."""
        ids = self._ids()
        if not ids.holds and not ids.switches:
            return [ids]
        queries, repeats = self._queries(), self._repeats()
        findings = [repeats, ids, self._steady(), self._batches(), queries]
        self._clean()
        return findings

    def _envelope(self, number: int, generation: int = 1, *, deleted: bool = False) -> Envelope:
        key = f"{self._hash8}_p01_{number:03d}"
        name = self._shape.external_id(self._merchant, key)
        digest = hashlib.sha256(b"" if deleted else f"{key} {generation}".encode()).hexdigest()
        head = {
            "merchant_id": self._merchant,
            "sku_id": name or key,
            "generation": generation,
            "revision": generation,
            "job_id": self._job,
            "content_hash": digest,
            "deleted": deleted,
        }
        product = None if deleted else b'{"attributes":{"model":"CHECK-%d","product_name":"Import check"}}' % generation
        body = self._shape.body(head, product)
        return Envelope(self._merchant, key, generation, body, digest, external_id=name, job=self._job, deleted=deleted)

    def _put(self, *envelopes: Envelope, traits: Traits | None = None) -> list[Answer]:
        began_s = time.monotonic()
        answers = self._make(traits or Traits(), self._shape).put(envelopes, CALL_S)
        self._times_s.append(time.monotonic() - began_s)
        self._sent |= {e.sku_key: e for e in envelopes}
        return answers

    def _ids(self) -> Finding:
        """I2: ids like a1b2c3d4_p01_001."""
        first = self._put(self._envelope(1))[0]
        if _taken(first):
            return Finding("I2", True, "takes ids like " + self._envelope(1).sku_key)
        self._shape = Shape(id_pattern=SAMPLE_ID)
        second = self._put(self._envelope(1))[0]
        if _taken(second):
            seen = f"refuses our ids ({first.response}), takes digits"
            return Finding("I2", False, seen, {"id_pattern": SAMPLE_ID})
        self._shape = Shape()
        return Finding("I2", False, f"takes no product at all: {first.response or first.state}")

    def _queries(self) -> Finding:
        """I5: what of a document is there."""
        sent = self._envelope(1)
        for query in (Queries.JOB, Queries.SKU):
            answer = self._make(Traits(query=query), self._shape).query([sent], CALL_S)[0]
            if isinstance(answer, Found):
                return Finding("I5", query == Queries.JOB, f"can be asked by {query}", {"query": query.value})
        seen = answer.response if isinstance(answer, Unclear) else "does not know what it has taken"
        return Finding("I5", False, seen, {"query": Queries.NONE.value})

    def _repeats(self) -> Finding:
        """I1: the same product three times is there once, and an older one changes nothing."""
        again = [self._put(self._envelope(1))[0] for _ in range(2)]
        if not all(_taken(answer) for answer in again):
            refused = next(answer.response for answer in again if not _taken(answer))
            return Finding("I1", False, f"refuses a repetition: {refused}", {"writes": "once"})
        names = self._make(Traits(), self._shape).listed(self._merchant, self._job, CALL_S)
        mine = names.count(self._envelope(1).name) if isinstance(names, list) else None
        if mine is not None and mine > 1:
            return Finding("I1", False, f"three calls made {mine} products", {"writes": "insert"})
        self._put(self._envelope(1, 2))
        self._put(self._envelope(1, 1))
        held = self._make(Traits(), self._shape).query([self._envelope(1, 2)], CALL_S)[0]
        if isinstance(held, Found) and held.generation == 1:
            return Finding("I1", False, "an older generation overwrites a newer one; ours never sends one", {})
        return Finding(
            "I1", True, "three calls are one product" if mine == 1 else "takes repetitions; cannot be counted"
        )

    def _steady(self) -> Finding:
        """I3: answers, and soon."""
        answers = [self._put(self._envelope(2, n))[0] for n in range(1, TRIED + 1)]
        failed = [answer for answer in answers if not _taken(answer)]
        times = statistics.quantiles(self._times_s, n=20)
        seen = f"{len(failed)} of {TRIED} calls failed; half within {times[9]:.2f} s, 95 % within {times[18]:.2f} s"
        return Finding("I3", not failed, seen + (f"; {failed[0].response}" if failed else ""))

    def _batches(self) -> Finding:
        """I4: some products in one request, answered one by one."""
        for size in (TOGETHER, 10):
            answers = self._put(*(self._envelope(100 + n) for n in range(size)), traits=Traits(batch=size))
            if all(_taken(answer) for answer in answers):
                return Finding("I4", True, f"takes {size} in a request", {"batch": size})
        seen = f"takes no batch: {answers[0].response}"
        return Finding("I4", False, seen + "; where it wants documents whole: whole_job", {"batch": 1})

    def _clean(self) -> None:
        gone = [
            replace(self._envelope(int(key[-3:]), TRIED + 1, deleted=True), sku_key=key) for key in sorted(self._sent)
        ]
        self._make(Traits(), self._shape).put(gone, 2 * CALL_S)


def _taken(answer: Answer) -> bool:
    return answer.trigger in ("confirmed", "assumed")
