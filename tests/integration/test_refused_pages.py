"""Whatever a provider refuses, each page of a document is as without a key: a sure one as it was, every other one
where it goes without models, with the reason in plain words on the document's page, and nothing left reserved.

A class of refusals is served over the real kits to a sure and an unsure page of the sample; that each documented
refusal is of its class is tests/contract/test_refusals.py.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import Sum
from django.test import Client
from django.urls import reverse

from catalogsku.core import storage
from ingestion.models import Job, Page
from processing.llm import calls, gate, sending
from processing.llm.keys import mark_of
from processing.models import Budget, BudgetLimit, ImportRecord, LanguageModel, ModelCall, ModelGate, Sku
from processing.pages.services import consulting, reading, understanding
from tests.support.model_server import ModelRequest, ModelServer, Mood, Reply
from tests.support.people import People
from tests.support.reading_model import ReadingModel
from tests.support.refusals import REFUSALS, Refusal
from tests.support.rows import make_job, make_worker

pytestmark = [pytest.mark.usefixtures("committed"), pytest.mark.req("PL-C13", "X-OFFLINE")]

SAMPLE = Path(__file__).parents[2] / "samples/home-living.pdf"
NUMBERS = (4, 7)  # of its pages: the rules are sure of the first, and not of the second
OWN = "a-model-of-ones-own"
ROUNDS = 40  # a page that is put back comes again; more often than this it would never be done


@dataclass(frozen=True)
class Refused:
    """What each provider says, as status, code and the beginning of the message; the reason that the document's page
    tells in English and Chinese; and how many calls find it out, where that is certain."""

    said: dict[str, tuple[int, str, str]]
    en: str
    zh: str
    calls: int | None = None


def row(provider: str, status: int, code: str, message: str) -> Refusal:
    fitting = (one for one in REFUSALS if (one.provider, one.status, one.code) == (provider, status, code))
    return next(one for one in fitting if one.message.startswith(message))


def two(gemini: tuple[int, str, str], qwen: tuple[int, str, str]) -> dict[str, tuple[int, str, str]]:
    return {"gemini": gemini, "qwen": qwen}


CASES = {
    "key refused": Refused(
        two((403, "PERMISSION_DENIED", "Your API key was reported"), (401, "InvalidApiKey", "")),
        "its provider refuses the key", "提供方拒绝密钥", 2),
    "retired": Refused(
        two((404, "NOT_FOUND", "This model"), (404, "ModelNotFound", "")),
        "its provider does not have it any more", "提供方已不再提供", 2),
    "in arrears": Refused(
        two((400, "FAILED_PRECONDITION", ""), (400, "Arrearage", "")),
        "its provider refuses the account, the key or the model", "提供方拒绝该账户、密钥或模型", 2),
    "a bill not paid": Refused(
        two((429, "RESOURCE_EXHAUSTED", "Your prepayment credits"), (429, "PostpaidBillOverdue", "")),
        "the account&#x27;s quota or credit is spent", "提供方账户的配额或余额已用完", 2),
    "busy without end": Refused(
        two((429, "RESOURCE_EXHAUSTED", "You exceeded"), (429, "Throttling.RateQuota", "Requests")),
        "it failed too often and is left alone for a while", "它多次失败，暂时不再询问"),
    "the question refused": Refused(
        two((400, "INVALID_ARGUMENT", "Request contains"), (400, "InvalidParameter", "The image length")),
        "its provider refuses the question", "提供方拒绝这个问题"),
    "kept back": Refused(
        two((200, "PROHIBITED_CONTENT", "blockReason"), (400, "DataInspectionFailed", "Input image")),
        "its provider&#x27;s filter kept the page or the answer back", "提供方的内容审查拦下了页面或回答"),
    "overloaded": Refused(
        two((503, "UNAVAILABLE", ""), (503, "ModelServingError", "")),
        "its provider&#x27;s service has failed", "提供方的服务出错"),
    "of one's own: key refused": Refused(
        {"openai": (401, "invalid_api_key", "")}, "its provider refuses the key", "提供方拒绝密钥", 1),
    "of one's own: the question refused": Refused(
        {"openai": (400, "context_length_exceeded", "")}, "its provider refuses the question", "提供方拒绝这个问题"),
}  # fmt: skip


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "API_DELAY_S", 0.01)
    worker = make_worker("cpu")
    for service in (reading, understanding, consulting, calls):
        monkeypatch.setattr(service, "current_worker", lambda: worker)


def handed_over(job: Job) -> list[int]:
    """Its pages read and understood by the rules, as the workers do it; their ids."""
    pages = [
        Page.objects.create(job=job, number=number, status="AI_QUEUED", stage="READ", prescan={"blank": False})
        for number in NUMBERS
    ]
    ids = [page.pk for page in pages]
    reading.read_pages(ids)
    understanding.understand_pages(ids)
    return ids


def looked_at(job: Job) -> list[Page]:
    """Its pages through every stage that machines have; what is put back comes again at once."""
    ids = handed_over(job)
    for _ in range(ROUNDS):
        if not (waiting := list(Page.objects.filter(pk__in=ids, stage="UNDERSTAND"))):
            break
        for page in waiting:
            consulting.consult_models([page.pk])
        Page.objects.filter(pk__in=ids).update(not_before=None)
    return list(Page.objects.filter(pk__in=ids).order_by("number"))


def outcome(pages: list[Page]) -> list[Any]:
    """Of each page what people and receivers get to see."""
    return [
        (
            page.number, page.status, page.stage, page.page_type, page.analyst, page.blockers, page.needs_review,
            page.confidence,
            list(Sku.objects.filter(page=page, superseded=False).order_by("sku_id").values_list(
                "attributes", "validity", "confidence", "status", "box")),
            ImportRecord.objects.filter(sku__page=page).count(),
        )
        for page in pages
    ]  # fmt: skip


@pytest.fixture
def sample(people: People, workers: None) -> Callable[[], Job]:
    def make() -> Job:
        made = make_job(people.merchant, total_pages=len(NUMBERS), file_sha256="cd" * 32)
        storage.put_file(made.source_key, SAMPLE)
        return made

    return make


_without: list[list[Any]] = []


@pytest.fixture
def without(sample: Callable[[], Job], reading_models: ModelServer, settings: Any) -> list[Any]:
    """The sample's pages where no key is set; looked at once for all tests."""
    if not _without:
        keys = settings.GEMINI_API_KEY, settings.DASHSCOPE_API_KEY
        settings.GEMINI_API_KEY = settings.DASHSCOPE_API_KEY = ""
        _without.append(outcome(looked_at(sample())))
        settings.GEMINI_API_KEY, settings.DASHSCOPE_API_KEY = keys
        assert not reading_models.calls
    found = _without[0]
    assert [bool(page[5]) for page in found] == [False, True], "a person would have to look at the second alone"
    assert all(page[1] == "AI_COMPLETED" and page[8] for page in found)
    return found


@pytest.fixture
def own_model(settings: Any) -> Iterator[Callable[[], None]]:
    """Sets a model of one's own in the place of the two that came with the product."""
    enabled = list(LanguageModel.objects.filter(enabled=True).values_list("pk", flat=True))

    def stand_alone() -> None:
        LanguageModel.objects.update(enabled=False)
        call_command("models", "add", OWN, stdout=StringIO())
        settings.GEMINI_API_KEY = settings.DASHSCOPE_API_KEY = ""
        settings.OPENAI_API_KEY = "k"

    yield stand_alone
    ModelGate.objects.filter(model__name=OWN).delete()
    LanguageModel.objects.filter(name=OWN).delete()
    LanguageModel.objects.filter(pk__in=enabled).update(enabled=True)


def shown(people: People, job: Job, language: str) -> str:
    client = Client()
    client.force_login(people.uploader)
    client.cookies["django_language"] = language
    return client.get(reverse("job", args=[job.uuid])).content.decode()


def reserved() -> int:
    return int(Budget.objects.aggregate(micro=Sum("reserved_micro"))["micro"] or 0)


@pytest.mark.parametrize("why", CASES)
def test_each_page_is_as_without_a_key_and_the_reason_is_said_in_plain_words(
    reading_models: ModelServer,
    people: People,
    sample: Callable[[], Job],
    without: list[Any],
    own_model: Callable[[], None],
    why: str,
) -> None:
    case = CASES[why]
    if "openai" in case.said:
        own_model()
    refusals = {provider: row(provider, *told) for provider, told in case.said.items()}
    reading_models.answer = lambda request: refusals[request.provider].reply()
    job = sample()
    assert outcome(looked_at(job)) == without
    assert reading_models.calls and case.calls in (None, len(reading_models.calls)), "one call of each model finds out"
    assert reserved() == 0 and not ModelCall.objects.filter(job=job, state="SENT").exists()
    free = ModelCall.objects.filter(job=job).exclude(state="ANSWERED")
    assert not free.exclude(settled_micro=0, state="FAILED").exists(), "what is refused costs nothing"
    sure = {page[0] for page in without if not page[5]}
    assert not ModelCall.objects.filter(job=job, page__number__in=sure).exists(), "what is sure is not asked about"
    for language, words in (("en", case.en), ("zh-hans", case.zh)):
        page = shown(people, job, language)
        assert words in page, language
        raw = [refusal.message for refusal in refusals.values()] + [refusal.code for refusal in refusals.values()]
        assert not re.search(r"http_\d", page) and not [code for code in raw if code in page]


def test_a_document_that_comes_while_every_provider_refuses_says_why_nobody_was_asked(
    reading_models: ModelServer, people: People, sample: Callable[[], Job], without: list[Any]
) -> None:
    said = {provider: row(provider, *told) for provider, told in CASES["a bill not paid"].said.items()}
    reading_models.answer = lambda request: said[request.provider].reply()
    looked_at(sample())
    asked = len(reading_models.calls)
    later = sample()
    assert outcome(looked_at(later)) == without and len(reading_models.calls) == asked
    assert "the account&#x27;s quota or credit is spent" in shown(people, later, "en")
    assert "提供方账户的配额或余额已用完" in shown(people, later, "zh-hans")
    sure = [page[0] for page in without if not page[5]]
    assert not Page.objects.filter(job=later, number__in=sure).exclude(fallback_reason="").exists()


def test_a_page_that_waits_for_models_which_are_refused_meanwhile_says_why(
    reading_models: ModelServer, people: People, sample: Callable[[], Job], without: list[Any]
) -> None:
    job = sample()
    ids = handed_over(job)
    for model in consulting.available_models():
        assert isinstance(gate.enter(model.name, 1, mark_of(model)), gate.Entered)
        gate.refused_by_provider(model.name, "quota", "Spent.", mark_of(model))
    consulting.consult_models(ids)
    assert outcome(list(Page.objects.filter(job=job).order_by("number"))) == without and not reading_models.calls
    assert "the account&#x27;s quota or credit is spent" in shown(people, job, "en")


@pytest.fixture
def no_money() -> Iterator[Callable[[], object]]:
    """Sets every limit of a budget to nothing; afterwards they are as they were."""
    before = dict(BudgetLimit.objects.values_list("pk", "limit_micro"))
    yield lambda: BudgetLimit.objects.update(limit_micro=0)
    for pk, limit_micro in before.items():
        BudgetLimit.objects.filter(pk=pk).update(limit_micro=limit_micro)


def in_mood(mood: Mood, **reply: Any) -> Callable[[ModelRequest], Reply]:
    good = ReadingModel()
    return lambda request: replace(good(request), mood=mood, **reply)


# What no provider refuses, and yet brings no answer.
UNANSWERED: dict[str, tuple[Mood, dict[str, Any]]] = {
    "its quota spent": (Mood.RATE_LIMITED, {"retry_after_s": 3600.0}),
    "our budget spent": (Mood.OK, {}),
    "nonsense": (Mood.GARBAGE, {}),
}


@pytest.mark.parametrize("why", UNANSWERED)
def test_each_page_is_as_without_a_key_where_no_answer_is_of_use(
    reading_models: ModelServer, sample: Callable[[], Job], without: list[Any], no_money: Callable[[], object], why: str
) -> None:
    mood, reply = UNANSWERED[why]
    reading_models.answer = in_mood(mood, **reply)
    if why == "our budget spent":
        no_money()
    assert outcome(looked_at(sample())) == without and reserved() == 0
    assert bool(reading_models.calls) is (why != "our budget spent")
    assert not ModelGate.objects.exclude(unusable="").exists()
