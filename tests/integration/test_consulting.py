"""Pages that models are asked about, over real HTTP: what comes of good answers, bad ones, and none."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from catalogsku.core import secret_files, storage
from catalogsku.core.text import squash
from ingestion.models import Page
from processing.engine.result import BASE_KEYS, Blocker
from processing.llm import calls, sending
from processing.models import ImportRecord, LanguageModel, ModelCall, RuleResult, Sku
from processing.pages.services import consulting, reading, understanding
from tests.support.asked_pages import drawn_pages, job_for, waiting_page
from tests.support.catalogues import make_catalogue
from tests.support.imports import product_of
from tests.support.model_server import ModelRequest, ModelServer, Mood, Reply
from tests.support.people import People
from tests.support.reading_model import ReadingModel
from tests.support.rows import make_job, make_pages, make_worker

pytestmark = pytest.mark.usefixtures("committed")

QWEN, GEMINI = "qwen3.7-plus", "gemini-3.8-flash"


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = make_worker("cpu")
    for service in (reading, understanding, consulting, calls):
        monkeypatch.setattr(service, "current_worker", lambda: worker)


@pytest.fixture
def page(people: People, tmp_path: Path, workers: None) -> Page:
    """A page that the rules have understood."""
    source = tmp_path / "one.pdf"
    truth = make_catalogue(source, 4, 7)
    job = make_job(people.merchant, file_sha256="ab" * 32)
    storage.put_file(job.source_key, source)
    number = truth[0].page_number
    made = Page.objects.create(job=job, number=number, status="AI_QUEUED", stage="READ", prescan={"blank": False})
    reading.read_pages([made.pk])
    return made


def test_a_page_is_classified_and_extracted_by_the_models(
    reading_models: ModelServer, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    understanding.understand_pages([page.pk])
    page.refresh_from_db()
    assert (page.stage, page.blockers) == ("NONE", []) and not reading_models.calls, "the rules were sure of it"
    Page.objects.filter(pk=page.pk).update(stage="UNDERSTAND_RULES", status="AI_QUEUED", finished_at=None)
    monkeypatch.setattr(consulting, "page_blockers", lambda *_: [Blocker("low_confidence")])
    understanding.understand_pages([page.pk])
    page.refresh_from_db()
    assert page.stage == "UNDERSTAND" and RuleResult.objects.filter(page=page).exists()
    consulting.consult_models([page.pk])
    page.refresh_from_db()
    assert [call.operation for call in reading_models.calls][-1:] == ["PageAnswer"]
    assert (page.stage, page.status) == ("NONE", "AI_COMPLETED"), page.blockers
    assert page.extraction_method == "model" and page.analyst == "qwen3.7-plus"
    assert Sku.objects.filter(page=page, superseded=False).count() >= 4
    assert set(ModelCall.objects.filter(page=page).values_list("state", flat=True)) == {"ANSWERED"}
    assert not RuleResult.objects.exists()


def test_without_a_key_the_rules_finish_the_page(page: Page) -> None:
    understanding.understand_pages([page.pk])
    page.refresh_from_db()
    assert (page.stage, page.analyst.split("/")[0]) == ("NONE", "rules")


# --- pages that were read before --------------------------------------------------------------------


@pytest.fixture
def waiting(people: People, workers: None, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Page]]:
    """Pages of one new job that wait for models; ``of``: how many of the drawn ones."""
    monkeypatch.setattr(sending, "API_DELAY_S", 0.01)

    def make(of: int = 1, merchant: Any = None) -> list[Page]:
        job = job_for(merchant or people.merchant)
        return [waiting_page(job, drawn) for drawn in drawn_pages()[:of]]

    return make


def consulted(*pages: Page) -> list[Page]:
    """After one round of each."""
    for page in pages:
        consulting.consult_models([page.pk])
        page.refresh_from_db()
    return list(pages)


def moody(mood: Mood, *models: str, **reply: Any) -> Callable[[ModelRequest], Reply]:
    """A good model, but these are in that mood."""
    good = ReadingModel()

    def answer(request: ModelRequest) -> Reply:
        said = good(request)
        return replace(said, mood=mood, **reply) if request.model in models else said

    return answer


def codes(page: Page) -> set[str]:
    return {blocker["code"] for blocker in page.blockers}


@pytest.mark.req("LA-RATE", "PL-C13", "LA-RETRY", "X-ACTOR")
def test_a_page_that_is_turned_away_is_put_back_at_no_cost_and_finished_later(
    reading_models: ModelServer, waiting: Callable[..., list[Page]]
) -> None:
    (page,) = waiting()
    reading_models.answer = moody(Mood.RATE_LIMITED, QWEN, GEMINI, retry_after_s=7.0)
    for _ in range(4):  # were it counted, the six calls would be gone
        consulted(page)
        assert (page.stage, page.worker, page.failures, page.losses) == ("UNDERSTAND", None, 0, 0)
        assert page.not_before is not None and 4 < (page.not_before - timezone.now()).total_seconds() <= 7
        assert calls.for_page(page.pk) == 0
    reading_models.answer = ReadingModel()
    consulted(page)
    assert (page.stage, page.analyst, codes(page)) == ("NONE", QWEN, set())
    assert sum(call.settled_micro for call in ModelCall.objects.filter(state="FAILED")) == 0


@pytest.mark.req("LA-RATE")
def test_a_short_wait_is_waited_for_and_a_quota_that_is_gone_for_hours_is_another_models_turn(
    reading_models: ModelServer, waiting: Callable[..., list[Page]]
) -> None:
    first, second = waiting(of=2)
    turned_away: list[str] = []

    def busy_once(request: ModelRequest) -> Reply:
        said = ReadingModel()(request)
        if request.operation in turned_away:
            return said
        turned_away.append(request.operation)
        return replace(said, mood=Mood.RATE_LIMITED, retry_after_s=0.05)

    reading_models.answer = busy_once
    consulted(first)
    assert first.analyst == QWEN and {call.model for call in reading_models.calls} == {QWEN}
    reading_models.answer = moody(Mood.RATE_LIMITED, QWEN, retry_after_s=3600.0)
    consulted(second)
    assert second.stage == "NONE" and second.analyst == GEMINI
    assert {one["downgraded"] for one in second.validation["asked"]} == {"quota_spent"}


@pytest.mark.req("X-OFFLINE", "LA-BUDGET")
def test_where_no_model_answers_the_rules_finish_the_page_and_say_so(
    reading_models: ModelServer, waiting: Callable[..., list[Page]]
) -> None:
    (page,) = waiting()
    reading_models.answer = moody(Mood.SERVER_ERROR, QWEN, GEMINI)
    consulted(page)
    assert page.stage == "NONE" and page.analyst.startswith("rules/") and page.fallback_reason
    assert {(one["model"], one["code"]) for one in page.validation["asked"]} <= {("", "http_500"), ("", "call_limit")}
    assert not codes(page) and Sku.objects.filter(page=page).exists(), "what the rules read surely waits for nobody"
    assert not RuleResult.objects.exists()


@pytest.mark.req("X-NOBILL", "GR-CACHE")
def test_a_page_whose_six_answers_are_kept_is_finished_from_them(
    reading_models: ModelServer, waiting: Callable[..., list[Page]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that dies between the last answer and the record has paid for all of them."""
    (page,) = waiting()

    class Died(Exception):
        pass

    def die(*_: Any) -> None:
        raise Died

    with monkeypatch.context() as patched:
        patched.setattr(consulting, "record_understood", die)
        consulted(page)
        assert (page.stage, page.failures) == ("UNDERSTAND", 1)
    made = len(reading_models.calls)
    missing = 6 - calls.for_page(page.pk)
    row = ModelCall.objects.filter(page=page).order_by("pk").last()
    assert made == 1 and row is not None
    for n in range(missing):  # as if repeats had used up the rest
        row.pk, row.request_key, row.state, row.answer = None, f"{n}" * 64, "FAILED", None
        row.save(force_insert=True)
    assert calls.for_page(page.pk) == 6
    Page.objects.filter(pk=page.pk).update(worker=None, claim_token=None, not_before=None)
    consulted(page)
    assert (page.stage, page.analyst, codes(page)) == ("NONE", QWEN, set())
    assert len(reading_models.calls) == made


@pytest.mark.req("GR-CACHE")
def test_the_same_page_of_a_second_job_makes_no_call_but_another_merchants_does(
    reading_models: ModelServer, people: People, waiting: Callable[..., list[Page]]
) -> None:
    (first,), (again,) = waiting(), waiting()
    consulted(first)
    made = len(reading_models.calls)
    consulted(again)
    assert made > 0 and len(reading_models.calls) == made and calls.for_page(again.pk) == 0
    said = [
        list(Sku.objects.filter(page=p).order_by("sku_id").values_list("attributes", "confidence"))
        for p in (first, again)
    ]
    assert said[0] == said[1] and said[0]
    consulted(*waiting(merchant=people.other))
    assert len(reading_models.calls) == 2 * made


@pytest.mark.req("LA-KEYROT")
@pytest.mark.parametrize("model", [QWEN, GEMINI])
def test_of_two_keys_the_second_is_used_where_the_first_is_refused(
    reading_models: ModelServer,
    waiting: Callable[..., list[Page]],
    settings: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    model: str,
) -> None:
    file = tmp_path / "key"
    file.write_text("new\nold\n")
    monkeypatch.setattr(secret_files, "_files", {})
    settings.GEMINI_API_KEY_FILE = settings.DASHSCOPE_API_KEY_FILE = str(file)
    LanguageModel.objects.exclude(name=model).update(enabled=False)
    try:
        good = ReadingModel()
        reading_models.answer = lambda request: replace(
            good(request), mood=Mood.OK if request.api_key == "old" else Mood.UNAUTHORISED
        )
        (page,) = consulted(*waiting())
    finally:
        LanguageModel.objects.update(enabled=True)
    assert page.stage == "NONE" and page.analyst == model
    assert [call.request.api_key for call in reading_models.calls] == ["new", "old"] * (len(reading_models.calls) // 2)


@pytest.mark.req("LA-SEM")
def test_a_model_that_finds_nameless_products_gives_way_to_the_other_and_then_to_the_rules(people: People) -> None:
    job = make_job(people.merchant)
    nameless = [{"code": "identity_missing", "sku": 0, "params": {}, "severity": "review"}]

    def done(numbers: range, analyst: str, blockers: list[dict[str, Any]]) -> None:
        made = make_pages(job, numbers, status="AI_COMPLETED", stage="NONE")
        for n, page in enumerate(made):
            Page.objects.filter(pk=page.pk).update(
                analyst=analyst, blockers=blockers, finished_at=timezone.now() + timezone.timedelta(seconds=numbers[n])
            )

    both = [QWEN, GEMINI]
    done(range(1, 5), QWEN, nameless)
    done(range(5, 10), GEMINI, [])
    assert consulting.failing_models(job, both) == []
    done(range(10, 11), f"{QWEN}+{GEMINI}", nameless)
    assert consulting.failing_models(job, both) == [QWEN]
    done(range(20, 60), GEMINI, [])  # the other's pages do not push its own out
    assert consulting.failing_models(job, both) == [QWEN]
    done(range(60, 65), GEMINI, nameless)
    assert consulting.failing_models(job, both) == both
    done(range(100, 120), QWEN, [])
    assert consulting.failing_models(job, both) == [GEMINI]
    assert consulting.failing_models(make_job(people.merchant), both) == []


@pytest.mark.req("LA-SEM")
def test_the_choice_for_semantic_failures_stays_with_the_page(
    reading_models: ModelServer, waiting: Callable[..., list[Page]], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = waiting(of=2)
    monkeypatch.setattr(consulting, "failing_models", lambda job, names: [QWEN])
    consulted(first)
    assert first.analyst == GEMINI
    assert {(o["model"], o["downgraded"]) for o in first.validation["asked"]} == {(GEMINI, "semantic")}
    monkeypatch.setattr(consulting, "failing_models", lambda job, names: [QWEN, GEMINI])
    made = len(reading_models.calls)
    consulted(second)
    assert second.analyst.startswith("rules/") and len(reading_models.calls) == made
    assert {o["code"] for o in second.validation["asked"]} == {"semantic"} and second.fallback_reason == "semantic"


@pytest.mark.req("X-NOBILL", "LA-PROV")
def test_a_provider_that_dies_in_the_middle_changes_nothing_but_who_is_written_down(
    reading_models: ModelServer, people: People, waiting: Callable[..., list[Page]]
) -> None:
    undisturbed = consulted(*waiting(of=3))
    good, left = ReadingModel(), [1]

    def dies(request: ModelRequest) -> Reply:
        left[0] -= request.model == QWEN
        said = good(request)
        return said if request.model == GEMINI or left[0] >= 0 else replace(said, mood=Mood.DROPPED)

    reading_models.answer = dies
    disturbed = consulted(*waiting(of=3, merchant=people.other))
    assert [page.analyst for page in undisturbed] == [QWEN] * 3
    assert disturbed[0].analyst == QWEN and disturbed[-1].analyst == GEMINI

    def said(pages: list[Page]) -> list[Any]:
        rows = Sku.objects.filter(page__in=pages).order_by("page__number", "sku_id")
        return list(rows.values_list("page__number", "attributes", "confidence", "status", "validity"))

    assert said(disturbed) == said(undisturbed) and said(disturbed)


@pytest.mark.req("LX-QUOTE", "LX-EXACT")
@pytest.mark.parametrize("spoilt", [{"invent": 20}, {"move": 20}], ids=["invented", "from another row"])
def test_of_a_model_that_gets_one_value_in_twenty_wrong_none_is_imported(
    reading_models: ModelServer, waiting: Callable[..., list[Page]], tmp_path: Path, spoilt: dict[str, int]
) -> None:
    truth = {sku.model: sku for sku in make_catalogue(tmp_path / "same.pdf", 4, 7) if sku.model}
    model = ReadingModel(**spoilt)
    reading_models.answer = model
    pages = consulted(*waiting(of=4))
    assert (model.made_up or model.moved) and all(page.stage == "NONE" for page in pages)
    products = [product_of(record) for record in ImportRecord.objects.all()]
    assert products
    for product in products:
        found = product["attributes"]
        printed = truth[found["model"]].attributes
        for key in printed.keys() & found.keys():
            assert found[key] is None or squash(found[key]) == squash(printed[key]), (key, found)
    wrong = [
        sku
        for sku in Sku.objects.filter(superseded=False)
        if any(v in model.made_up for v in sku.attributes.values())
        or any((sku.attributes["model"], key, sku.attributes[key]) in model.moved for key in BASE_KEYS)
    ]
    held = {sku.page_id for sku in wrong}
    assert wrong and all(sku.status not in ("IMPORTED", "CONFIRMED") and sku.blockers for sku in wrong)
    assert not ImportRecord.objects.filter(sku__in=wrong).exists()
    assert all(page.needs_review for page in pages if page.pk in held)
