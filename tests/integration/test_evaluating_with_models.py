"""Documents evaluated by models over real HTTP: batches, what is left out, what fails, what is used again."""

import io
import json
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from PIL import Image as Picture

from catalogsku.accounts.models import Merchant
from catalogsku.core import metrics
from catalogsku.profiles.models import PromptVersion
from ingestion.models import Job, Page
from processing.engine.evaluation.assess import assess_page
from processing.engine.evaluation.scores import BY_RULES
from processing.engine.page import Features, pack_page
from processing.llm import gate, providers
from processing.models import Budget, Evaluation, LanguageModel, ModelCall, PageContent
from processing.pages.selectors import evaluation_of
from processing.pages.services import evaluating
from processing.sandboxed import frozen
from tests.support.model_server import ModelRequest, ModelServer, Mood, Reply
from tests.support.people import People
from tests.support.reading_model import ReadingModel
from tests.support.rows import in_threads, make_job, make_worker
from tests.unit.understanding.pages import line, page

pytestmark = pytest.mark.usefixtures("committed", "worker")
FILE = "cd" * 32
Spoil = Callable[[ModelRequest, Reply], Reply]


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> None:
    from processing.llm import calls

    row = make_worker("llm")
    for service in (evaluating, calls):
        monkeypatch.setattr(service, "current_worker", lambda: row)
    monkeypatch.setattr("processing.llm.sending.API_DELAY_S", 0.01)


@pytest.fixture
def server(settings: Any) -> Iterator[ModelServer]:
    with ModelServer(ReadingModel()) as made:
        settings.GEMINI_API_KEY = settings.DASHSCOPE_API_KEY = "k"
        settings.MODEL_PROVIDERS["gemini"]["base_url"] = made.gemini_url
        settings.MODEL_PROVIDERS["qwen"]["base_url"] = made.qwen_url
        providers.provider_named.cache_clear()
        yield made
        providers.provider_named.cache_clear()


def document(merchant: Merchant, pages: int = 20, **columns: Any) -> Job:
    """Sampled pages that were read, waiting to be evaluated."""
    job = make_job(merchant, status="EVALUATING", stage="EVALUATE", route="", **{"file_sha256": FILE, **columns})
    for number in range(1, pages + 1):
        parsed = page(line(f"Model: AX-{number}", 60, 100), line("Price: 12.50", 60, 120), number=number)
        parsed = msgspec.structs.replace(parsed, features=Features(chars=24, blocks=2))
        assessment = frozen.jsonable(assess_page(parsed))
        key = f"m{merchant.pk}/{job.file_sha256}/{number}.jpg"
        if not default_storage.exists(key):
            shot = io.BytesIO()
            Picture.new("RGB", (60, 80), (number, 90, 30)).save(shot, "JPEG")
            default_storage.save(key, ContentFile(shot.getvalue()))
        Page.objects.create(
            job=job,
            number=number,
            sampled=True,
            prescan={"blank": False, "chars": 24, "images": 1, "drawings": 3},
            features=frozen.jsonable(parsed.features),
            assessment=assessment,
            screenshot_key=key,
        )
        PageContent.objects.get_or_create(
            merchant=merchant,
            file_sha256=job.file_sha256,
            number=number,
            reading_key=frozen.reading_key(),
            defaults={"data": pack_page(parsed), "assessment": assessment},
        )
    return job


def evaluated(job: Job) -> Evaluation:
    evaluating.evaluate_job(job.pk)
    job.refresh_from_db()
    found = evaluation_of(job)
    assert found is not None, job.last_error
    return found


def scored_by(row: Evaluation) -> list[str]:
    return [page["analyst"] for page in row.report["pages"]]


def spoiling(server: ModelServer, spoil: Spoil) -> None:
    model = ReadingModel()
    server.answer = lambda request: spoil(request, model(request))


def failed(model: str, code: str) -> float:
    return metrics.EVAL_FAILED.labels(model, code)._value.get()  # type: ignore[no-any-return]


@pytest.mark.req("TA-EVBATCH", "TA-EVAL", "TA-CDOC", "LA-OPS")
def test_forty_pages_go_in_batches_of_sixteen_and_each_gets_its_own_score(server: ModelServer, people: People) -> None:
    job = document(people.merchant, 40)
    row = evaluated(job)
    assert [call.images for call in server.calls] == [16, 16, 8]
    assert {call.model for call in server.calls} == {"gemini-3.8-flash"}
    assert scored_by(row) == ["gemini-3.8-flash"] * 40 and row.report["pages"][7]["number"] == 8
    assert row.report["pages"][7]["evidence"] == "0 tables and 0 pictures beside 24 characters"
    assert (row.prompt_version, row.analysts) == ("1.1", "gemini-3.8-flash")
    assert (job.route, job.status) == ("AUTO", "PROCESSING") and job.c_doc == row.c_doc
    assert (job.route_reason["model"], job.route_reason["sampled"]) == ("gemini-3.8-flash", 40)
    assert set(ModelCall.objects.values_list("operation", "job", "page")) == {("evaluate_document", job.pk, None)}


@pytest.mark.req("TA-EVBATCH")
def test_with_the_smaller_model_alone_batches_are_of_eight(server: ModelServer, people: People) -> None:
    LanguageModel.objects.filter(name="gemini-3.8-flash").update(enabled=False)
    try:
        row = evaluated(document(people.merchant, 20))
    finally:
        LanguageModel.objects.update(enabled=True)
    assert [call.images for call in server.calls] == [8, 8, 4] and scored_by(row) == ["qwen3.7-plus"] * 20


@pytest.mark.req("TA-EVBATCH")
def test_pages_that_the_model_leaves_out_keep_the_rules_score(server: ModelServer, people: People) -> None:
    def forgetful(request: ModelRequest, reply: Reply) -> Reply:
        pages = json.loads(reply.text)["pages"]
        return Reply(json.dumps({"pages": [one for one in pages if one["number"] % 3]}))

    spoiling(server, forgetful)
    job = document(people.merchant, 9)
    row = evaluated(job)
    assert [n for n, who in enumerate(scored_by(row), 1) if who == BY_RULES] == [3, 6, 9]
    rules = {p.number: p.assessment["score"]["dimensions"] for p in Page.objects.filter(job=job)}
    assert row.report["pages"][2]["dimensions"] == rules[3] and len(row.report["page_scores"]) == 9
    assert row.analysts == "gemini-3.8-flash", "the model has answered: it is its evaluation"


@pytest.mark.req("TA-EVBATCH", "TA-P1-16")
def test_a_batch_without_an_answer_goes_to_the_next_model_and_then_to_the_rules(
    server: ModelServer, people: People
) -> None:
    def late(request: ModelRequest, reply: Reply) -> Reply:
        return Reply(mood=Mood.GARBAGE) if '<page number="17"' in "".join(request.texts) else reply

    spoiling(server, late)
    before = failed("gemini-3.8-flash", "answer_unusable"), failed("qwen3.7-plus", "answer_unusable")
    job = document(people.merchant, 26)
    row = evaluated(job)
    assert scored_by(row) == ["gemini-3.8-flash"] * 16 + [BY_RULES] * 8 + ["qwen3.7-plus"] * 2
    assert row.analysts == "gemini-3.8-flash+qwen3.7-plus+rules-1", "and so it is not taken for the model's own later"
    assert (failed("gemini-3.8-flash", "answer_unusable"), failed("qwen3.7-plus", "answer_unusable")) == (
        before[0] + 1,
        before[1] + 1,
    )
    assert job.route_reason["failures"] == [
        {"model": "gemini-3.8-flash", "code": "answer_unusable"},
        {"model": "qwen3.7-plus", "code": "answer_unusable"},
    ]


@pytest.mark.req("TA-P1-16")
@pytest.mark.parametrize("mood", [Mood.BAD_REQUEST, Mood.UNAVAILABLE, Mood.DROPPED])
def test_without_any_model_the_rules_judge_and_say_so(server: ModelServer, people: People, mood: Mood) -> None:
    server.answer = lambda request: Reply(mood=mood)
    job = document(people.merchant, 5)
    row = evaluated(job)
    assert scored_by(row) == [BY_RULES] * 5 and (row.analysts, row.prompt_version) == ("rules-1", "none")
    assert job.status == "PROCESSING" and [f["model"] for f in job.route_reason["failures"]] == [
        "gemini-3.8-flash",
        "qwen3.7-plus",
    ]
    server.answer = ReadingModel()
    again = evaluated(document(people.merchant, 5))
    assert scored_by(again) == ["gemini-3.8-flash"] * 5, "and once a model answers again, it judges"


@pytest.mark.req("TA-P1-16")
def test_where_the_rules_fail_too_people_take_the_document(
    people: People, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    def broken(*_: Any) -> None:
        raise ValueError("no arithmetic today")

    monkeypatch.setattr(evaluating, "evaluate", broken)
    job, before = document(people.merchant, 2), failed("rules", "internal_error")
    for _ in range(5):
        Job.objects.filter(pk=job.pk).update(not_before=None)
        evaluating.evaluate_job(job.pk)
    job.refresh_from_db()
    assert (job.status, job.route, job.degrade_reason) == ("DEGRADED_HUMAN", "HUMAN_ALL", "eval_failed")
    assert failed("rules", "internal_error") == before + 1


@pytest.mark.req("LA-RATE", "TA-P1-16")
def test_a_busy_model_puts_the_document_back_without_cost(server: ModelServer, people: People) -> None:
    job = document(people.merchant, 20)
    LanguageModel.objects.filter(name="gemini-3.8-flash").update(qpm=1)
    try:
        evaluating.evaluate_job(job.pk)
        job.refresh_from_db()
        assert (job.status, job.stage, job.worker, job.failures) == ("EVALUATING", "EVALUATE", None, 0)
        assert job.not_before is not None and len(server.calls) == 1
        assert not Evaluation.objects.exists() and Budget.objects.filter(reserved_micro__gt=0).count() == 0
        LanguageModel.objects.update(qpm=100)
        Job.objects.filter(pk=job.pk).update(not_before=None)
        row = evaluated(job)
    finally:
        LanguageModel.objects.filter(name="gemini-3.8-flash").update(qpm=60)
        LanguageModel.objects.filter(name="qwen3.7-plus").update(qpm=100)
    assert len(server.calls) == 2 and scored_by(row) == ["gemini-3.8-flash"] * 20, "the first batch's answer was kept"


@pytest.mark.req("TA-ADR04", "TA-FHASH")
def test_the_second_upload_uses_the_evaluation_again_and_other_merchants_do_not(
    server: ModelServer, people: People
) -> None:
    first = evaluated(document(people.merchant, 4))
    second = document(people.merchant, 4)
    assert evaluated(second).pk == first.pk and second.route_reason["reused"] and len(server.calls) == 1
    theirs = document(people.other, 4)
    assert evaluated(theirs).pk != first.pk and not theirs.route_reason["reused"] and len(server.calls) == 2


@pytest.mark.req("TA-ADR04")
def test_another_prompt_or_model_is_another_evaluation(server: ModelServer, people: People) -> None:
    first = evaluated(document(people.merchant, 4))
    prompt = PromptVersion.objects.get(key="evaluate_document", version=1)
    PromptVersion.objects.filter(pk=prompt.pk).update(active=False)
    newer = PromptVersion.objects.create(
        key="evaluate_document", version=2, active=True, text_zh=prompt.text_zh, text_en=f"Anew. {prompt.text_en}"
    )
    worded = evaluated(document(people.merchant, 4, prompts={"evaluate_document": newer.pk}))
    assert (worded.prompt_version, first.prompt_version) == ("2.1", "1.1") and worded.pk != first.pk
    gate.set_state("gemini-3.8-flash", "open", "tests")
    by_qwen = evaluated(document(people.merchant, 4, prompts={"evaluate_document": newer.pk}))
    assert by_qwen.pk == worded.pk, "what the preferred model has judged needs no other"
    other = evaluated(document(people.merchant, 5, file_sha256="ee" * 32))
    assert other.analysts == "qwen3.7-plus" and scored_by(other) == ["qwen3.7-plus"] * 5
    gate.set_state("gemini-3.8-flash", "closed", "tests")
    again = evaluated(document(people.merchant, 5, file_sha256="ee" * 32))
    assert again.pk != other.pk and again.analysts == "gemini-3.8-flash"


@pytest.mark.req("TA-ADR04")
def test_jobs_that_ask_at_once_pay_once(server: ModelServer, people: People) -> None:
    jobs = [document(people.merchant, 4) for _ in range(4)]
    server.latency_s = 0.3
    in_threads([lambda job=job: evaluating.evaluate_job(job.pk) for job in jobs])
    assert len(server.calls) == 1
    server.latency_s = 0.0
    for job in jobs:
        Job.objects.filter(pk=job.pk).update(not_before=None)
        assert evaluated(job).pk == Evaluation.objects.get().pk
    assert len(server.calls) == 1


@pytest.mark.req("LA-BUDGET", "TA-P1-16")
def test_a_spent_budget_leaves_the_document_to_the_rules(server: ModelServer, people: People) -> None:
    from processing.models import BudgetLimit

    BudgetLimit.objects.create(scope="merchant", merchant=people.merchant, limit_micro=10)
    job = document(people.merchant, 4)
    assert scored_by(evaluated(job)) == [BY_RULES] * 4 and not server.calls
    assert job.route_reason["failures"][-1] == {"model": "qwen3.7-plus", "code": "over_budget_merchant"}
