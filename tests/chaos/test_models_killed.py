"""Twenty workers that ask models die by kill -9, one after the other: no stored answer is paid for twice."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from catalogsku.accounts.models import Merchant
from catalogsku.core import work
from catalogsku.core.models import Worker
from ingestion.models import Page
from processing.llm import abandoned, calls, money, providers
from processing.models import LanguageModel, ModelCall, Sku
from processing.pages.services import consulting
from tests.chaos.consulting import Forge
from tests.support.asked_pages import drawn_pages, job_for, waiting_page
from tests.support.model_server import ModelServer
from tests.support.people import People
from tests.support.reading_model import ReadingModel
from tests.support.rows import make_worker

pytestmark = [
    pytest.mark.chaos,
    pytest.mark.slow,
    pytest.mark.long,
    pytest.mark.timeout(900),
    pytest.mark.usefixtures("committed"),
]

MERCHANTS, KILLS, WORKERS = 15, 20, 3  # with 4 pages each: 60 pages
LATENCY_S, ENDS_WITHIN_S = 0.3, 180.0


@pytest.fixture
def server(settings: Any) -> Iterator[ModelServer]:
    LanguageModel.objects.update(qpm=10**6, tpm=10**12)
    with ModelServer(ReadingModel(), latency_s=LATENCY_S) as made:
        settings.GEMINI_API_KEY = settings.DASHSCOPE_API_KEY = "k"
        settings.MODEL_PROVIDERS["gemini"]["base_url"] = made.gemini_url
        settings.MODEL_PROVIDERS["qwen"]["base_url"] = made.qwen_url
        providers.provider_named.cache_clear()
        yield made
        providers.provider_named.cache_clear()
    LanguageModel.objects.filter(name="gemini-3.8-flash").update(qpm=60, tpm=2_000_000)
    LanguageModel.objects.filter(name="qwen3.7-plus").update(qpm=100, tpm=5_000_000)


def pages_of(merchant: Merchant) -> list[Page]:
    job = job_for(merchant)
    return [waiting_page(job, drawn) for drawn in drawn_pages()]


def said_of(merchant: Merchant) -> list[Any]:
    rows = Sku.objects.filter(job__merchant=merchant, superseded=False).order_by("page__number", "sku_id")
    return list(rows.values_list("page__number", "attributes", "confidence", "status"))


def out_of_calls(merchant: Merchant) -> bool:
    """Some page died so often with a call under way that its six were used up (PL-C13); it ended another way then."""
    asked = Page.objects.filter(job__merchant=merchant).values_list("validation__asked", flat=True)
    return any(one["code"] == "call_limit" for page in asked for one in page)


def sweep(killed: list[int]) -> None:
    """What sweeps do half a minute after a death, and again: PostgreSQL still ends what the dead had asked of it."""
    dead = Worker.objects.filter(pid__in=killed)
    dead.update(seen_at="2000-01-01T00:00:00Z")
    work.reap(Page, list(dead.values_list("pk", flat=True)))
    Page.objects.filter(losses__gt=0).update(losses=0)  # the third one would make it people's: shown elsewhere
    abandoned.lose_abandoned()


def until(condition: Callable[[], bool], meanwhile: Callable[[], None] = lambda: None) -> None:
    end_s = time.monotonic() + ENDS_WITHIN_S
    while not condition():
        assert time.monotonic() < end_s, "not in time"
        meanwhile()
        time.sleep(0.05)


@pytest.mark.req("X-NOBILL", "GR-CACHE", "LA-BUDGET", "TA-T52")
def test_no_answer_is_paid_for_twice_though_twenty_workers_die(
    server: ModelServer, people: People, process_environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = make_worker("llm")
    for service in (consulting, calls):
        monkeypatch.setattr(service, "current_worker", lambda: worker)
    for page in pages_of(people.merchant):  # undisturbed, to compare with
        consulting.consult_models([page.pk])
    planned_each = len(server.calls)
    merchants = [Merchant.objects.create(name=f"Killed {n}") for n in range(MERCHANTS)]
    for merchant in merchants:
        pages_of(merchant)
    planned = planned_each * MERCHANTS
    environment = {
        **process_environment, "GEMINI_API_KEY": "k", "DASHSCOPE_API_KEY": "k", "GEMINI_BASE_URL": server.gemini_url,
        "DASHSCOPE_BASE_URL": server.qwen_url,
    }  # fmt: skip
    with Forge(environment) as forge:
        pids, killed = [forge.start() for _ in range(WORKERS)], list[int]()
        for n in range(KILLS):
            # Each a few calls after the one before, so that all of them fall into the job.
            due = planned_each + (n + 1) * planned // (KILLS + 8)
            until(lambda due=due: len(server.calls) >= due)
            killed.append(pids.pop(0))
            os.kill(killed[-1], signal.SIGKILL)
            sweep(killed)
            pids.append(forge.start())
        until(lambda: not Page.objects.exclude(stage="NONE").exists(), lambda: sweep(killed))

    lost = ModelCall.objects.filter(state="LOST").count()
    assert lost > 0, "nothing was in flight at the kills"
    assert len(server.calls) - planned_each <= planned + lost
    answered = ModelCall.objects.filter(state="ANSWERED").exclude(merchant=people.merchant)
    assert answered.count() == answered.values("merchant", "request_key").distinct().count() <= planned
    for merchant in merchants:
        spent = money.spent(merchant.pk, money.today())
        assert spent.reserved_micro == 0 and spent.settled_micro <= spent.limit_micro
    assert not ModelCall.objects.filter(state="SENT").exists()
    undisturbed = said_of(people.merchant)
    whole = [merchant for merchant in merchants if not out_of_calls(merchant)]
    assert len(whole) > MERCHANTS / 2 and undisturbed
    assert all(said_of(merchant) == undisturbed for merchant in whole)
