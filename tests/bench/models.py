"""What a call of a model waits for in the database: the gate, the budgets and the ledger, without any model."""

import statistics
import time
import uuid
from collections.abc import Callable

from catalogsku.accounts.models import Merchant
from processing.llm import calls, gate
from processing.llm.models import LanguageModel

TURNS, WARM_UP = 300, 20
BOUND_MICRO = 1000


def measure_models(turns: int = TURNS) -> dict[str, dict[str, float]]:
    """One after the other, in one connection, each committed; the measured model is removed afterwards."""
    model = LanguageModel.objects.create(
        name=f"bench {uuid.uuid4()}",
        provider="gemini",
        price_in_micro=0,
        price_out_micro=0,
        qpm=10**9,
        tpm=10**15,
        max_images=1,
        max_tokens=1,
        temperature=0,
        timeout_s=120,
    )
    merchant_id = Merchant.objects.create(name=f"bench {uuid.uuid4()}").pk
    keys = [uuid.uuid4().hex for _ in range(turns + WARM_UP)]
    begun: list[int] = []

    def begin(key: str) -> calls.Kept | calls.Sent | calls.Waiting | calls.OverBudget:
        return calls.begin(calls.Facts(merchant_id, "bench", model.name, "", key, BOUND_MICRO))

    def reserve(turn: int) -> None:
        found = begin(keys[turn])
        assert isinstance(found, calls.Sent), found
        begun.append(found.call_id)

    usage = calls.Usage(tokens_in=1000, tokens_out=300, cost_micro=700, latency_ms=1)
    steps: dict[str, Callable[[int], object]] = {
        "enter": lambda turn: gate.enter(model.name, 1000),
        "reserve": reserve,
        "sending": lambda turn: calls.sending(begun[turn]),
        "answered": lambda turn: calls.answered(begun[turn], "{}" * 1000, usage),
        "kept": lambda turn: begin(keys[turn]),
    }
    try:
        return {name: _measured(step, turns) for name, step in steps.items()}
    finally:
        model.delete()


def _measured(step: Callable[[int], object], turns: int) -> dict[str, float]:
    """Milliseconds."""
    taken_ms = []
    for turn in range(turns + WARM_UP):
        began_s = time.perf_counter()
        step(turn)
        taken_ms.append((time.perf_counter() - began_s) * 1000)
    measured = taken_ms[WARM_UP:]
    p95 = statistics.quantiles(measured, n=20)[-1]
    return {"median_ms": round(statistics.median(measured), 3), "p95_ms": round(p95, 3)}
