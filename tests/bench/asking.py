"""Asking models, without any: what a question costs beside the model, and a job against the limits of its model."""

import math
import os
import statistics
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db.models import Max, Min

from catalogsku.accounts.models import Merchant
from catalogsku.profiles.routes import default_rows
from processing.engine.guard.inspect import inspect
from processing.engine.page import Block, Line, ParsedPage
from processing.llm.answers import PageAnswer
from processing.llm.call import Call
from processing.llm.chain import model_chain
from processing.llm.models import LanguageModel, ModelCall, ModelGate
from processing.llm.plan import CallPlan
from processing.llm.port import About, Operation, Request
from processing.llm.prompts import all_shipped
from processing.llm.providers.port import Image, RawAnswer
from processing.llm.routing import Priced, Routes, Row, select_model
from tests.bench.product import Product
from tests.support.model_server import ModelServer
from tests.support.reading_model import ReadingModel

TURNS, WARM_UP, ROUTED = 200, 20, 2000
# A dense page: its text in the prompt, and its screenshot.
PROMPT_CHARS, SCREENSHOT_BYTES = 15_000, 400_000
ANSWER_S, CALLS_A_MINUTE, THREADS = 3.0, 60, 16
ASKED = "qwen3.7-plus"
WINDOW_S = 60


def measure_overhead(turns: int = TURNS) -> dict[str, dict[str, float]]:
    """Milliseconds of a question through every wrapper with an answer that costs no time, and of choosing a model."""
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
    shot = Image("image/jpeg", os.urandom(SCREENSHOT_BYTES), "screenshot")
    ask = model_chain(CallPlan(limit=None), all_shipped(), Routes(), [model], sending=_answered)
    taken_ms = []
    try:
        for turn in range(turns + WARM_UP):
            zones = {"schema": "", "page_text": f"{turn} " + "text " * (PROMPT_CHARS // 5)}
            request = Request(Operation.READ_PAGE, About(merchant_id), zones, PageAnswer, images=(shot,))
            began_s = time.perf_counter()
            ask(request)
            taken_ms.append((time.perf_counter() - began_s) * 1000)
    finally:
        model.delete()
    return {
        "question": _figures(taken_ms[WARM_UP:]),
        "route": _figures(list(_routed_ms())),
        "guard": _figures(list(_guarded_ms())),
    }


def _answered(call: Call) -> RawAnswer:
    return RawAnswer(
        '{"page_type": "B", "confidence": 0.9, "count": 0}', "stop", 1000, 300, 0, call.asked_model.name, 0
    )


def _routed_ms() -> Iterator[float]:
    routes = Routes(tuple(Row(**row) for row in default_rows()))
    models = (Priced("a", 1), Priced("b", 2))
    for _ in range(ROUTED):
        began_s = time.perf_counter()
        select_model(routes, Operation.READ_PAGE, "B", "complex", models, ("a",))
        yield (time.perf_counter() - began_s) * 1000


def _guarded_ms() -> Iterator[float]:
    """Of a page of 60 lines that differ from turn to turn, as no two pages are the same."""
    for turn in range(TURNS):
        texts = (f"AX-{turn}-{n} oak chair 橡木餐椅 {400 + n} x 500 mm 12.50 USD" for n in range(60))
        lines = (Line(text, (0, 0, 1, 1), ()) for text in texts)
        page = ParsedPage(
            1, 595, 842, 0, "bench", tuple(Block(f"T{n}", one.box, (one,)) for n, one in enumerate(lines))
        )
        began_s = time.perf_counter()
        inspect(page)
        yield (time.perf_counter() - began_s) * 1000


def _figures(taken_ms: list[float]) -> dict[str, float]:
    p95 = statistics.quantiles(taken_ms, n=20)[-1]
    return {"median_ms": round(statistics.median(taken_ms), 3), "p95_ms": round(p95, 3)}


@contextmanager
def slow_model() -> Iterator[None]:
    """One model that takes 3 s an answer and 60 calls a minute; units that start meanwhile ask it."""
    LanguageModel.objects.exclude(name=ASKED).update(enabled=False)
    LanguageModel.objects.filter(name=ASKED).update(qpm=CALLS_A_MINUTE)
    with ModelServer(ReadingModel(), latency_s=ANSWER_S) as made:
        os.environ |= {"DASHSCOPE_API_KEY": "bench", "DASHSCOPE_BASE_URL": made.qwen_url}
        try:
            yield
        finally:
            del os.environ["DASHSCOPE_API_KEY"], os.environ["DASHSCOPE_BASE_URL"]


def measure_asking(product: Product, file: Path, timeout_s: float) -> dict[str, Any]:
    """``ratio``: the least time that the model's limits allow for the job's calls, beside the time they took."""
    ModelGate.objects.all().delete()  # the warming document had its share of the window
    job = product.submit(file)
    product.follow(job, timeout_s)
    calls = ModelCall.objects.filter(job=job, state="ANSWERED")
    times = calls.aggregate(first=Min("sent_at"), last=Max("answered_at"))
    if times["first"] is None:
        raise CommandError(f"No model was asked; see {settings.VAR_DIR / 'log'}.")
    made, took_s = calls.count(), (times["last"] - times["first"]).total_seconds()
    return {
        "calls": made,
        "took_s": round(took_s, 2),
        "least_s": least_s(made),
        "ratio": round(least_s(made) / took_s, 3),
    }


def least_s(calls: int) -> float:
    """Whole windows full of calls, and the answers of the last one, 16 at a time."""
    windows = (calls - 1) // CALLS_A_MINUTE
    return WINDOW_S * windows + math.ceil((calls - windows * CALLS_A_MINUTE) / THREADS) * ANSWER_S
