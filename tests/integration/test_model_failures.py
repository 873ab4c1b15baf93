"""docs/models.md, "What goes wrong": each failure of a page's question, over HTTP, ends as the table says."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import pytest

from processing.engine.page import Block, ParsedPage
from processing.engine.result import DocumentFacts
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.pipeline import understand_page
from processing.llm import calls, chain, providers, sending
from processing.llm.consult import Busy, Consultation, Consulted, PagePack
from processing.llm.plan import CallPlan
from processing.llm.port import About
from processing.llm.prompts import all_shipped
from processing.llm.providers.port import Image
from processing.llm.routing import Routes
from processing.models import LanguageModel, ModelCall, ModelGate
from tests.support.asked_pages import screenshot
from tests.support.model_server import Call as ServerCall
from tests.support.model_server import ModelRequest, ModelServer, Mood, Reply
from tests.support.people import People
from tests.support.reading_model import ReadingModel
from tests.support.rows import make_job, make_page, make_worker
from tests.unit.understanding.pages import line, page, picture

pytestmark = pytest.mark.usefixtures("committed")

FIRST, SECOND = "qwen3.7-plus", "gemini-3.8-flash"  # a simple page is the cheaper one's
SHOT = Image("image/jpeg", screenshot(), "page")
QUESTION, TRIES = "read_page", 3


def card(name: str, x: float, *texts: str) -> Block:
    lines = tuple(line(text, x, 320 + 15 * n) for n, text in enumerate(texts))
    return Block(name, (x, 320, x + 200, 320 + 15 * len(lines)), lines)


def cards(*pictures: tuple[float, float]) -> ParsedPage:
    """Two cards; ``pictures``: left and right side of each picture over them."""
    shown = [picture(f"P{n}", (left, 100, right, 310)) for n, (left, right) in enumerate(pictures, 1)]
    one = ("Model: C-107", "Size: 40 x 40 cm", "Price: USD 30")
    two = ("Model: C-108", "Size: 50 x 50 cm", "Price: USD 40")
    blocks = (card("T1", 60, *one), card("T2", 360, *two))
    return msgspec.structs.replace(page(pictures=shown), blocks=blocks)


BOUND = cards((60, 260), (360, 560))


class Moody:
    """A good model whose ``moods`` (by model) spoil its answers."""

    def __init__(self, moods: dict[str, Reply]) -> None:
        self._moods, self._good = moods, ReadingModel()

    def __call__(self, request: ModelRequest) -> Reply:
        reply = self._good(request)
        bad = self._moods.get(request.model)
        return reply if bad is None else replace(bad, text=reply.text)


@pytest.fixture
def server(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    worker = make_worker("llm")
    monkeypatch.setattr(calls, "current_worker", lambda: worker)
    monkeypatch.setattr(sending, "API_DELAY_S", 0.01)
    before = list(LanguageModel.objects.values("pk", "failures_to_open", "timeout_s"))
    LanguageModel.objects.update(failures_to_open=1000)
    with ModelServer(ReadingModel(), slow_s=3.0) as made:
        settings.GEMINI_API_KEY = settings.DASHSCOPE_API_KEY = "k"
        settings.MODEL_PROVIDERS["gemini"]["base_url"] = made.gemini_url
        settings.MODEL_PROVIDERS["qwen"]["base_url"] = made.qwen_url
        providers.provider_named.cache_clear()
        yield made
        providers.provider_named.cache_clear()
    for row in before:
        LanguageModel.objects.filter(pk=row.pop("pk")).update(**row)


@dataclass
class Asking:
    """One page asked about from its first question on; no answer is kept from one page to the next."""

    server: ModelServer
    people: People
    _serial: int = 0
    _before: int = 0

    def __call__(self, moods: dict[str, Reply]) -> Consulted:
        self._serial += 1
        ModelGate.objects.update(unusable="")  # what the page before has found out
        late = [model for model, reply in moods.items() if reply.mood in LATE]
        LanguageModel.objects.update(timeout_s=60)  # a good answer takes its time, too, where the machine is busy
        LanguageModel.objects.filter(name__in=late).update(timeout_s=1)
        self._before = len(self.server.calls)
        job = make_job(self.people.merchant)
        self.page = make_page(job)
        self.rules = understand_page(BOUND, (), DocumentFacts(), AnalystConfig())
        about = About(
            job.merchant_id,
            job.pk,
            self.page.pk,
            language="en",
            page_type=self.rules.page_type,
            profile=str(self._serial),
        )
        given = PagePack(BOUND, (), DocumentFacts(), AnalystConfig(), self.rules, about, Routes(), lambda: (SHOT,))
        self.server.answer = Moody(moods)
        plan = CallPlan(calls.for_page(self.page.pk))
        models = list(LanguageModel.objects.filter(enabled=True))
        return Consultation(given, chain.model_chain(plan, all_shipped(), Routes(), models), plan).run()

    @property
    def calls(self) -> list[ServerCall]:
        return self.server.calls[self._before :]

    def tried(self) -> list[str]:
        return [call.model for call in self.calls]

    def made(self) -> list[ModelCall]:
        return list(ModelCall.objects.filter(page=self.page).order_by("pk"))


@pytest.fixture
def asking(server: ModelServer, people: People) -> Asking:
    return Asking(server, people)


# --- the table -------------------------------------------------------------------------------------

# Mood of the first model, how often it is asked, the reason for which the second is, and what the ledger says of it.
ELSEWHERE = {
    Mood.RATE_LIMITED: (1, "rate_limited", "FAILED"),  # names 7 s, for which no thread waits
    Mood.SERVER_ERROR: (TRIES, "http_500", "FAILED"),
    Mood.UNAVAILABLE: (TRIES, "http_503", "FAILED"),
    Mood.BAD_GATEWAY: (TRIES, "http_502", "FAILED"),
    Mood.DROPPED: (TRIES, "connection_lost", "LOST"),
    Mood.CUT: (TRIES, "connection_lost", "LOST"),
    Mood.TIMEOUT: (1, "timeout", "LOST"),
    Mood.SLOW: (1, "timeout", "LOST"),
    Mood.BAD_JSON_BODY: (1, "unreadable_body", "LOST"),
    Mood.BAD_REQUEST: (1, "http_400", "FAILED"),
    Mood.UNAUTHORISED: (1, "http_401", "FAILED"),
    Mood.RETIRED: (1, "http_404", "FAILED"),
    Mood.ARREARS: (1, "account", "FAILED"),
    Mood.QUOTA_SPENT: (1, "quota", "FAILED"),
    Mood.BLOCKED: (1, "blocked", "ANSWERED"),
    Mood.EMPTY: (1, "empty", "ANSWERED"),
    Mood.TRUNCATED: (2, "answer_unusable", "ANSWERED"),
    Mood.GARBAGE: (2, "answer_unusable", "ANSWERED"),
    Mood.WRONG_SCHEMA: (2, "answer_unusable", "ANSWERED"),
    Mood.NAN: (2, "answer_unusable", "ANSWERED"),
}
LATE = (Mood.TIMEOUT, Mood.SLOW)
READ_ANYWAY = (Mood.OK, Mood.FENCED, Mood.PROSE, Mood.DOUBLED)


def test_every_mood_of_the_server_is_in_the_table() -> None:
    assert {*ELSEWHERE, *READ_ANYWAY} == set(Mood)


@pytest.mark.req("LA-OPS", "LA-RETRY", "LA-PROV", "PL-C13", "GR-CRITIQUE")
@pytest.mark.parametrize("mood", ELSEWHERE, ids=lambda mood: mood.name)
def test_another_model_answers(asking: Asking, mood: Mood) -> None:
    tries, code, state = ELSEWHERE[mood]
    consulted = asking({FIRST: Reply(mood=mood)})
    assert asking.tried() == [FIRST] * tries + [SECOND]
    (asked,) = consulted.result.asked
    assert (asked.operation, asked.model, asked.downgraded) == (QUESTION, SECOND, code)
    assert consulted.answers is not None
    spoilt = [call for call in asking.made() if call.model == FIRST][-tries:]
    assert {call.state for call in spoilt} == {state}
    if state != "ANSWERED":
        assert all(c.settled_micro == (c.reserved_micro if state == "LOST" else 0) for c in spoilt)
    by_second = next(c for c in asking.made() if c.model == SECOND)
    assert (by_second.state, by_second.downgrade_reason) == ("ANSWERED", code)
    assert calls.for_page(asking.page.pk) <= 6 and len(asking.calls) <= 6 + (mood is Mood.RATE_LIMITED)


@pytest.mark.req("LA-PARSE", "LA-OPS")
@pytest.mark.parametrize("mood", READ_ANYWAY, ids=lambda mood: mood.name)
def test_good_answers_in_bad_form_are_read(asking: Asking, mood: Mood) -> None:
    consulted = asking({FIRST: Reply(mood=mood)})
    assert asking.tried() == [FIRST]
    (asked,) = consulted.result.asked
    assert (asked.model, asked.downgraded) == (FIRST, "")
    assert [s.identity for s in consulted.result.skus] == ["C-107", "C-108"]


@pytest.mark.req("X-OFFLINE", "PL-C13")
@pytest.mark.parametrize("mood", [*ELSEWHERE], ids=lambda mood: mood.name)
def test_where_nobody_answers_the_rules_result_is_kept_as_it_is(asking: Asking, mood: Mood) -> None:
    """But for what is kept beside it: who was asked, and why none answered. Who is only busy gets the page later."""
    moods = dict.fromkeys((FIRST, SECOND), Reply(mood=mood))
    if mood is Mood.RATE_LIMITED:
        with pytest.raises(Busy):
            asking(moods)
        return
    consulted = asking(moods)
    assert consulted.answers is None and consulted.result.fallback_reason
    told = {"asked": asking.rules.asked, "fallback_reason": asking.rules.fallback_reason}
    assert msgspec.structs.replace(consulted.result, **told) == asking.rules
    assert len(asking.calls) <= 6
