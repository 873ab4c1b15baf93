"""docs/models.md, "What goes wrong": each failure at each question of a page, over HTTP, ends as the table says."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
import pytest

from processing.engine.page import Block, ParsedPage
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.pipeline import understand_page
from processing.llm import calls, chain, providers, sending
from processing.llm.consult import NOTHING, Arrange, Consultation, Consulted, Given
from processing.llm.pictures import Source, arrange
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
SHOT = Image("image/jpeg", screenshot(), "screenshot")


# --- pages, each of which brings one question up ---------------------------------------------------


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
# Two pictures as near to the one product as each other.
BETWEEN = ParsedPage(
    1, 595.0, 842.0, 0, "test", (card("T1", 260, "Model: C-107", "Size: 40 x 40 cm"),), (),
    (picture("P1", (60, 250, 250, 390)), picture("P2", (380, 250, 570, 390))),
)  # fmt: skip


@dataclass
class Case:
    """``told``: what the model says of the page's class; ``no_outlines``: it finds no boundaries. ``tries``: calls of
    the first model where trouble on the way is tried again."""

    title: str
    shown: ParsedPage
    key: str
    told: dict[str, Any] = field(default_factory=dict)
    no_outlines: bool = False
    tries: int = 3


CASES = {
    "classify_page": Case("PageClassAnswer", BOUND, "classify_page"),
    "classify_images": Case(
        "PictureRolesAnswer", BOUND, "classify_images",
        {"pictures": [{"picture": "P1", "role": "LOGO", "confidence": 0.9}]}, tries=2,
    ),
    "classify_layout": Case("LayoutAnswer", BOUND, "classify_layout", {"layout_type": "L4"}, tries=2),
    "classify_text": Case(
        "TextRolesAnswer", BOUND, "classify_text", {"blocks": [{"block": "T1", "role": "note"}]}, tries=2
    ),
    "boundaries": Case("BoundariesAnswer", BOUND, "extract_sku_attrs/boundaries"),
    "attributes": Case("AttributesAnswer", BOUND, "extract_sku_attrs/attributes"),
    "single": Case("ProductsAnswer", BOUND, "extract_sku_attrs/single", no_outlines=True),
    "resolve_binding": Case(
        "BindingsAnswer", BETWEEN, "resolve_binding", {"page_type": "B", "confidence": 1.0}, tries=2
    ),
}  # fmt: skip


class Moody:
    """A good model whose ``moods`` (by model) spoil the answers to one question."""

    def __init__(self, case: Case, rules: PageResult, moods: dict[str, Reply], everywhere: bool = False) -> None:
        self._case, self._moods, self._everywhere, self._good = case, moods, everywhere, ReadingModel()
        self._class = {
            "page_type": rules.page_type, "confidence": 0.93, "layout_type": rules.layout_type, "blocks": [],
            "pictures": [], **case.told,
        }  # fmt: skip

    def __call__(self, request: ModelRequest) -> Reply:
        reply = self._good(request)
        if request.operation == "PageClassAnswer":
            reply = replace(reply, text=json.dumps(self._class))
        if request.operation == "BoundariesAnswer" and self._case.no_outlines:
            reply = replace(reply, text='{"products": []}')
        bad = self._moods.get(request.model)
        if bad is None or not (self._everywhere or request.operation == self._case.title):
            return reply
        return replace(bad, text=reply.text)


@pytest.fixture
def server(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    worker = make_worker("llm")
    monkeypatch.setattr(calls, "current_worker", lambda: worker)
    monkeypatch.setattr(sending, "API_DELAY_S", 0.01)
    LanguageModel.objects.update(failures_to_open=1000, timeout_s=1)
    with ModelServer(ReadingModel(), slow_s=3.0) as made:
        settings.GEMINI_API_KEY = settings.DASHSCOPE_API_KEY = "k"
        settings.MODEL_PROVIDERS["gemini"]["base_url"] = made.gemini_url
        settings.MODEL_PROVIDERS["qwen"]["base_url"] = made.qwen_url
        providers.provider_named.cache_clear()
        yield made
        providers.provider_named.cache_clear()
    LanguageModel.objects.update(failures_to_open=5, timeout_s=90)


@dataclass
class Asking:
    """One page asked about from its first question on; no answer is kept from one page to the next."""

    server: ModelServer
    people: People
    _serial: int = 0
    _before: int = 0

    def __call__(
        self, case: Case, moods: dict[str, Reply], everywhere: bool = False, arranged: Arrange = lambda names: NOTHING
    ) -> Consulted:
        self._serial += 1
        ModelGate.objects.update(unusable="")  # what the page before has found out
        self._before = len(self.server.calls)
        job = make_job(self.people.merchant)
        self.page = make_page(job)
        rules = understand_page(case.shown, (), DocumentFacts(), AnalystConfig())
        about = About(job.merchant_id, job.pk, self.page.pk, language="en", page_type=rules.page_type,
                      profile=str(self._serial))  # fmt: skip
        given = Given(case.shown, (), DocumentFacts(), AnalystConfig(), rules, about, Routes(), SHOT, arranged)
        self.rules = rules
        self.server.answer = Moody(case, rules, moods, everywhere)
        plan = CallPlan(calls.for_page(self.page.pk))
        models = list(LanguageModel.objects.filter(enabled=True))
        return Consultation(given, chain.model_chain(plan, all_shipped(), Routes(), models), plan).run()

    @property
    def calls(self) -> list[ServerCall]:
        return self.server.calls[self._before :]

    def tried(self, case: Case) -> list[str]:
        return [call.model for call in self.calls if call.operation == case.title]

    def made(self) -> list[ModelCall]:
        return list(ModelCall.objects.filter(page=self.page).order_by("pk"))


@pytest.fixture
def asking(server: ModelServer, people: People) -> Asking:
    return Asking(server, people)


# --- the table -------------------------------------------------------------------------------------

AGAIN = -1  # tried again at once, as often as the case's calls allow
# Mood of the first model, how often it is asked, the reason for which the second is, and what the ledger says of it.
ELSEWHERE = {
    Mood.RATE_LIMITED: (1, "rate_limited", "FAILED"),  # names 7 s, for which no thread waits
    Mood.SERVER_ERROR: (AGAIN, "http_500", "FAILED"),
    Mood.UNAVAILABLE: (AGAIN, "http_503", "FAILED"),
    Mood.BAD_GATEWAY: (AGAIN, "http_502", "FAILED"),
    Mood.DROPPED: (AGAIN, "connection_lost", "LOST"),
    Mood.CUT: (AGAIN, "connection_lost", "LOST"),
    Mood.TIMEOUT: (1, "timeout", "LOST"),
    Mood.SLOW: (1, "timeout", "LOST"),
    Mood.BAD_JSON_BODY: (1, "unreadable_body", "LOST"),
    Mood.BAD_REQUEST: (1, "http_400", "FAILED"),
    Mood.UNAUTHORISED: (1, "http_401", "FAILED"),
    Mood.RETIRED: (1, "http_404", "FAILED"),
    Mood.ARREARS: (1, "http_400", "FAILED"),
    Mood.QUOTA_SPENT: (1, "quota", "FAILED"),
    Mood.BLOCKED: (1, "blocked", "ANSWERED"),
    Mood.EMPTY: (1, "empty", "ANSWERED"),
    Mood.TRUNCATED: (2, "answer_unusable", "ANSWERED"),
    Mood.GARBAGE: (2, "answer_unusable", "ANSWERED"),
    Mood.WRONG_SCHEMA: (2, "answer_unusable", "ANSWERED"),
    Mood.NAN: (2, "answer_unusable", "ANSWERED"),
}
READ_ANYWAY = (Mood.OK, Mood.FENCED, Mood.PROSE, Mood.DOUBLED)
# A mood of the wire takes its second; one question stands for all there.
SLOW_ONES = (Mood.TIMEOUT, Mood.SLOW)


def test_every_mood_of_the_server_is_in_the_table() -> None:
    assert {*ELSEWHERE, *READ_ANYWAY} == set(Mood)


@pytest.mark.req("LA-OPS", "LA-RETRY", "LA-PROV", "PL-C13", "GR-CRITIQUE")
@pytest.mark.parametrize("name", CASES)
def test_another_model_answers(asking: Asking, name: str) -> None:
    case = CASES[name]
    for mood, (times, code, state) in ELSEWHERE.items():
        if mood in SLOW_ONES and name not in ("classify_page", "attributes"):
            continue
        consulted = asking(case, {FIRST: Reply(mood=mood)})
        tries = case.tries if times == AGAIN else times
        assert asking.tried(case) == [FIRST] * tries + [SECOND], mood
        (asked,) = [one for one in consulted.result.asked if one.operation == case.key]
        assert (asked.model, asked.downgraded) == (SECOND, code), mood
        assert consulted.answers is not None, mood
        spoilt = [call for call in asking.made() if _is_of(call, case) and call.model == FIRST][-tries:]
        assert {call.state for call in spoilt} == {state}, mood
        if state != "ANSWERED":
            assert all(c.settled_micro == (c.reserved_micro if state == "LOST" else 0) for c in spoilt), mood
        by_second = next(c for c in asking.made() if c.model == SECOND and _is_of(c, case))
        assert (by_second.state, by_second.downgrade_reason) == ("ANSWERED", code), mood
        assert calls.for_page(asking.page.pk) <= 6 and len(asking.calls) <= 6 + (mood is Mood.RATE_LIMITED), mood


def _is_of(call: ModelCall, case: Case) -> bool:
    return case.key.split("/")[0] == call.operation


def _is_as_by_rules(asking: Asking, consulted: Consulted) -> bool:
    """But for what is kept beside it: who was asked, and why none answered."""
    told = {"asked": asking.rules.asked, "fallback_reason": asking.rules.fallback_reason}
    return consulted.answers is None and msgspec.structs.replace(consulted.result, **told) == asking.rules


@pytest.mark.req("LA-PARSE", "LA-OPS")
@pytest.mark.parametrize("name", CASES)
def test_good_answers_in_bad_form_are_read(asking: Asking, name: str) -> None:
    case = CASES[name]
    for mood in READ_ANYWAY:
        consulted = asking(case, {FIRST: Reply(mood=mood)})
        assert asking.tried(case) == [FIRST], mood
        (asked,) = [one for one in consulted.result.asked if one.operation == case.key]
        assert (asked.model, asked.downgraded) == (FIRST, ""), mood
        assert [s.identity for s in consulted.result.skus][0] == "C-107", mood


@pytest.mark.req("PL-C13", "GR-CRITIQUE")
@pytest.mark.parametrize("name", CASES)
def test_where_no_model_answers_the_page_goes_on_with_what_it_has(asking: Asking, name: str) -> None:
    for mood in (Mood.SERVER_ERROR, Mood.GARBAGE, Mood.BLOCKED):
        _goes_on(asking, name, mood)


def _goes_on(asking: Asking, name: str, mood: Mood) -> None:
    case = CASES[name]
    consulted = asking(case, {FIRST: Reply(mood=mood), SECOND: Reply(mood=mood)})
    result, rules = consulted.result, asking.rules
    unanswered = [one for one in result.asked if one.operation == case.key]
    assert unanswered and not unanswered[0].model
    assert len(asking.calls) <= 6
    if name.startswith("classify"):
        assert result.page_type == rules.page_type
        assert result.extractor == "model.two_stage"
    elif name == "boundaries":
        assert result.extractor == "model.single_stage"
    elif name == "resolve_binding":
        assert result.skus[0].ambiguous and "binding_ambiguous" in {b.code for b in result.blockers}
    elif name == "single" or mood is not Mood.BLOCKED:
        assert _is_as_by_rules(asking, consulted)
    else:  # two calls were refused, so one is left for a single stage
        assert result.extractor == "model.single_stage"


@pytest.mark.req("X-OFFLINE", "PL-C13")
@pytest.mark.parametrize("mood", [Mood.SERVER_ERROR, Mood.GARBAGE, Mood.RETIRED, Mood.EMPTY], ids=lambda m: m.name)
def test_where_nobody_answers_anything_the_rules_result_is_kept_as_it_is(asking: Asking, mood: Mood) -> None:
    consulted = asking(CASES["attributes"], dict.fromkeys((FIRST, SECOND), Reply(mood=mood)), everywhere=True)
    assert _is_as_by_rules(asking, consulted) and consulted.result.fallback_reason
    assert len(asking.calls) <= 6


@pytest.mark.req("LA-TRUNC", "LA-IMGBATCH")
@pytest.mark.parametrize("room", [7, 1], ids=["sheets for all", "more than fit"])
def test_pictures_above_the_limit_go_as_sheets_and_none_stays_without_a_role(asking: Asking, room: int) -> None:
    case = CASES["classify_images"]
    more = [picture(f"P{n}", (20.0 + 12 * n, 780, 30.0 + 12 * n, 790), pixels=40) for n in range(3, 46)]
    shown = msgspec.structs.replace(case.shown, pictures=(*case.shown.pictures, *more))
    found = asking(
        replace(case, shown=shown), {}, arranged=lambda names: arrange([Source(n, screenshot()) for n in names], room)
    )
    (sent,) = [call.request for call in asking.calls if call.operation == case.title]
    (call,) = [row for row in asking.made() if row.operation == "classify_images"]
    told = "\n".join(sent.texts)
    labelled = [name for name in (one.id for one in shown.pictures) if f"= {name}" in told]
    assert 2 <= len(sent.images) <= 1 + room <= LanguageModel.objects.get(name=FIRST).max_images
    assert call.images_truncated == len(shown.pictures) - len(labelled)
    assert (call.images_truncated > 0) is (room == 1)
    assert {role.picture for role in found.result.roles} == {one.id for one in shown.pictures}
