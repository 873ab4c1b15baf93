"""Questions that are not urgent, over real HTTP: put aside, sent in batches, answered, and brought back unanswered."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from django.core.files.storage import default_storage
from django.utils import timezone

from catalogsku.core import crash_points
from ingestion.models import Job, Page
from ingestion.services import sweep
from processing.batches import services
from processing.engine.page import unpack_page
from processing.engine.result import PageResult
from processing.llm import batched, calls, money, sending
from processing.llm.prospects import page_cost
from processing.llm.translate import schema_zone
from processing.models import BatchStage, LanguageModel, ModelBatch, ModelCall, PageContent, RuleResult
from processing.operations.services import cancelling
from processing.pages.services import consulting
from processing.sandboxed import frozen
from tests.support.asked_pages import drawn_pages, job_for, waiting_page
from tests.support.model_server import ModelServer, Mood
from tests.support.people import People
from tests.support.reading_model import ReadingModel
from tests.support.rows import make_worker

pytestmark = pytest.mark.usefixtures("committed")

GEMINI, QWEN = "gemini-3.8-flash", "qwen3.7-plus"
Waiting = Callable[..., list[Page]]


@pytest.fixture(autouse=True)
def worker(monkeypatch: pytest.MonkeyPatch, committed: None) -> None:
    here = make_worker("llm")
    for service in (consulting, calls, batched, services):
        monkeypatch.setattr(service, "current_worker", lambda: here)
    monkeypatch.setattr(sending, "API_DELAY_S", 0.01)
    monkeypatch.setattr(services, "LOOKED_AT_EVERY_S", 0.0)
    monkeypatch.setattr(services, "PUT_BACK_S", 0.0)


@pytest.fixture
def waiting(people: People) -> Waiting:
    """Pages of one new job that wait for models, and may wait for a batch."""

    def make(of: int = 1, merchant: Any = None, urgency: str = "batch") -> list[Page]:
        job = job_for(merchant or people.merchant, urgency=urgency, models_state="go")
        return [waiting_page(job, drawn) for drawn in drawn_pages()[:of]]

    return make


def consulted(*pages: Page) -> None:
    for page in pages:
        consulting.consult_models([page.pk])
        page.refresh_from_db()


def closed() -> ModelBatch:
    """The open batch, after its time."""
    ModelBatch.objects.filter(state="COLLECTED").update(created_at=timezone.now() - timedelta(hours=1))
    assert services.close_due() == 1
    return ModelBatch.objects.latest("pk")


def tended(batch: ModelBatch, times: int = 1) -> ModelBatch:
    for _ in range(times):
        services.tend(batch.pk)
    batch.refresh_from_db()
    return batch


def spent(people: People) -> tuple[int, int]:
    found = money.spent(people.merchant.pk, money.today())
    return found.reserved_micro, found.settled_micro


def stages(*pages: Page) -> list[str]:
    for page in pages:
        page.refresh_from_db()
    return [page.stage for page in pages]


def files() -> list[str]:
    """Of questions, in storage."""
    found = []
    for batch in ModelBatch.objects.all():
        try:
            found += default_storage.listdir(batch.folder)[1]
        except FileNotFoundError:
            continue
    return found


@pytest.mark.req("GR-CACHE", "LA-BUDGET")
def test_pages_wait_in_a_batch_and_go_on_by_its_answers_at_half_the_price(
    reading_models: ModelServer, people: People, waiting: Waiting
) -> None:
    pages = waiting(of=3)
    consulted(*pages)
    assert stages(*pages) == ["BATCH"] * 3 and not reading_models.calls
    rows = list(ModelCall.objects.order_by("pk"))
    assert {(row.state, row.model, row.sent_at) for row in rows} == {("BATCHED", GEMINI, None)}
    assert spent(people) == (sum(row.reserved_micro for row in rows), 0) and len(files()) == 3
    batch = closed()
    assert (batch.state, batch.stage) == ("SENDING", BatchStage.SEND) and not reading_models.batches.sent
    assert calls.for_page(pages[0].pk) == 1

    version = Job.objects.get().version
    tended(batch)
    assert Job.objects.get().version > version, "its page says anew what waits"
    (sent,) = reading_models.batches.sent
    assert batch.state == "SENT" and batch.remote_id == f"batches/{sent.id}" and sent.name == str(batch.name)
    assert services.wake_pages() == 0 and stages(*pages) == ["BATCH"] * 3
    tended(batch)
    assert batch.state == "ANSWERED" and batch.ended_at and not files() and not reading_models.batches.sent
    assert stages(*pages) == ["UNDERSTAND"] * 3
    asked = len(reading_models.calls)
    consulted(*pages)
    assert [(page.stage, page.analyst) for page in pages] == [("NONE", GEMINI)] * 3
    assert len(reading_models.calls) == asked == 3, "the answers were kept"
    model = LanguageModel.objects.get(name=GEMINI)
    for row in ModelCall.objects.all():
        full = model.cost_micro(row.tokens_in or 0, row.tokens_out or 0)
        assert row.state == "ANSWERED" and row.latency_ms is None and 0 < row.settled_micro == (full + 1) // 2
    assert spent(people) == (0, sum(row.settled_micro for row in ModelCall.objects.all()))


def test_what_a_batch_brings_is_what_a_call_would_have_brought(reading_models: ModelServer, waiting: Waiting) -> None:
    LanguageModel.objects.filter(name=QWEN).update(enabled=False)
    try:
        (page,) = waiting()
        consulted(page)
        tended(closed(), 2)
        consulted(page)
        (now,) = waiting(urgency="now")
        ModelCall.objects.update(answer=None)
        consulted(now)
    finally:
        LanguageModel.objects.update(enabled=True)
    assert (page.analyst, page.sku_count, page.blockers) == (now.analyst, now.sku_count, now.blockers)
    first, second = ModelCall.objects.order_by("pk")
    assert first.request_key == second.request_key and first.batch_id and not second.batch_id
    assert second.settled_micro > first.settled_micro


def test_only_models_with_batches_have_them_and_urgent_documents_are_asked_at_once(
    reading_models: ModelServer, waiting: Waiting
) -> None:
    (now,) = waiting(urgency="now")
    consulted(now)
    assert (now.stage, now.analyst) == ("NONE", QWEN) and not ModelBatch.objects.exists()
    LanguageModel.objects.filter(name=GEMINI).update(batch_percent=None)
    try:
        (page,) = waiting()
        ModelCall.objects.update(answer=None)
        consulted(page)
    finally:
        LanguageModel.objects.filter(name=GEMINI).update(batch_percent=50)
    assert (page.stage, page.analyst) == ("NONE", QWEN) and not ModelBatch.objects.exists()


def test_a_model_behind_the_openai_protocol_is_asked_in_batches_where_its_row_says_so(
    reading_models: ModelServer, waiting: Waiting
) -> None:
    own = LanguageModel.objects.create(
        name="own",
        provider="openai",
        price_in_micro=1_000_000,
        price_out_micro=2_000_000,
        qpm=60,
        tpm=2_000_000,
        max_images=4,
        max_tokens=4096,
        timeout_s=60,
        batch_percent=50,
    )
    LanguageModel.objects.filter(name=GEMINI).update(enabled=False)
    try:
        (page,) = waiting()
        consulted(page)
        batch = tended(closed(), 2)
        consulted(page)
    finally:
        LanguageModel.objects.filter(pk=own.pk).delete()
        LanguageModel.objects.update(enabled=True)
    assert (batch.state, page.stage, page.analyst) == ("ANSWERED", "NONE", "own")
    row = ModelCall.objects.get()
    assert row.settled_micro == own.cost_micro(row.tokens_in or 0, row.tokens_out or 0, batched=True) > 0
    assert not reading_models.batches.files, "nothing is left with the provider"


def test_the_same_question_of_another_page_waits_for_the_one_that_is_there(
    reading_models: ModelServer, waiting: Waiting
) -> None:
    (first,), (again,) = waiting(), waiting()
    consulted(first, again)
    assert ModelCall.objects.count() == 1 and services.wake_pages() == 0
    (urgent,) = waiting(urgency="now")
    LanguageModel.objects.filter(name=QWEN).update(enabled=False)
    try:
        consulted(urgent)
    finally:
        LanguageModel.objects.update(enabled=True)
    assert urgent.stage == "NONE", "who is in a hurry does not wait for it"
    tended(closed(), 2)
    assert stages(first, again) == ["UNDERSTAND"] * 2
    consulted(first, again)
    assert stages(first, again) == ["NONE"] * 2 and ModelCall.objects.count() == 2


# --- how a batch is closed ------------------------------------------------------------------------


def test_a_batch_is_closed_once_it_is_full(
    reading_models: ModelServer, people: People, waiting: Waiting, settings: Any
) -> None:
    settings.MODEL_BATCH_QUESTIONS = 2
    pages = waiting(of=3)
    consulted(*pages)
    assert list(ModelBatch.objects.order_by("pk").values_list("state", flat=True)) == ["SENDING", "COLLECTED"]
    settings.MODEL_BATCH_QUESTIONS, settings.MODEL_BATCH_BYTES = 500, 1
    consulted(*waiting(merchant=people.other))
    assert ModelBatch.objects.latest("pk").state == "SENDING"
    assert services.close_due() == 0, "the open one is young"


def test_a_cancelled_document_takes_its_questions_out_of_what_was_not_sent(
    reading_models: ModelServer, people: People, waiting: Waiting
) -> None:
    pages = waiting(of=2)
    consulted(*pages)
    cancelling.cancel(Job.objects.get(pk=pages[0].job_id), "somebody")
    assert services.sweep_batches()["withdrawn"] == 2
    assert spent(people) == (0, 0) and not ModelCall.objects.exists()
    ModelBatch.objects.update(created_at=timezone.now() - timedelta(hours=1))
    assert services.close_due() == 0
    assert ModelBatch.objects.get().state == "CANCELLED" and not reading_models.batches.sent


# --- what goes wrong ------------------------------------------------------------------------------


@pytest.mark.parametrize(("ends", "state"), [("expired", "EXPIRED"), ("failed", "REFUSED"), ("cancelled", "CANCELLED")])
def test_pages_of_a_batch_that_ends_without_answers_are_asked_at_once_at_the_full_price(
    reading_models: ModelServer, people: People, waiting: Waiting, ends: Any, state: str
) -> None:
    reading_models.batches.held = True
    (page,) = waiting()
    consulted(page)
    batch = tended(closed(), 2)
    assert batch.state == "SENT"
    reading_models.batches.end(reading_models.batches.sent[0], ends)
    tended(batch)
    assert (batch.state, stages(page), files()) == (state, ["UNDERSTAND"], [])
    assert spent(people) == (0, 0) and calls.for_page(page.pk) == 0
    consulted(page)
    assert (page.stage, page.analyst) == ("NONE", GEMINI)
    first, second = ModelCall.objects.order_by("pk")
    assert (first.state, first.error_code) == ("FAILED", "batch_ended")
    model = LanguageModel.objects.get(name=GEMINI)
    assert second.settled_micro == model.cost_micro(second.tokens_in or 0, second.tokens_out or 0) > 0
    assert second.batch_id is None and ModelBatch.objects.count() == 1


def test_of_a_batch_that_failed_in_part_the_rest_is_asked_at_once(
    reading_models: ModelServer, waiting: Waiting
) -> None:
    pages = waiting(of=2)
    consulted(*pages)
    batch = closed()
    good, failing = ReadingModel(), [Mood.BAD_REQUEST]
    reading_models.answer = lambda asked: replace(good(asked), mood=failing.pop() if failing else Mood.OK)
    tended(batch, 2)
    assert batch.state == "ANSWERED"
    assert sorted(ModelCall.objects.values_list("state", "error_code")) == [("ANSWERED", ""), ("FAILED", "rpc_3")]
    asked = len(reading_models.calls)
    consulted(*pages)
    assert stages(*pages) == ["NONE"] * 2 and len(reading_models.calls) == asked + 1


def test_a_batch_that_is_refused_costs_nothing(reading_models: ModelServer, people: People, waiting: Waiting) -> None:
    reading_models.batches.refusal = (400, "Batches are not for this model.")
    (page,) = waiting()
    consulted(page)
    batch = tended(closed())
    assert (batch.state, batch.error_code, spent(people)) == ("REFUSED", "http_400", (0, 0))
    consulted(page)
    assert page.stage == "NONE" and len(reading_models.calls) == 1


def test_an_answer_that_is_blocked_is_paid_and_kept(reading_models: ModelServer, waiting: Waiting) -> None:
    (page,) = waiting()
    consulted(page)
    batch = closed()
    reading_models.answer = lambda asked: replace(ReadingModel()(asked), mood=Mood.BLOCKED)
    tended(batch, 2)
    row = ModelCall.objects.get()
    assert (row.state, row.finish) == ("ANSWERED", "blocked") and row.settled_micro > 0
    reading_models.answer = ReadingModel()
    consulted(page)
    assert (page.stage, page.analyst) == ("NONE", QWEN), "the other model is asked, as ever"


# --- kill -9 --------------------------------------------------------------------------------------


class Killed(BaseException):
    pass


@pytest.fixture
def dying(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """From then on who reaches the point is gone, and whatever it had in hand stays as it is."""

    def at(point: str) -> None:
        def reached(name: str) -> None:
            if name == point:
                raise Killed(name)

        monkeypatch.setattr(crash_points, "reached", reached)

    monkeypatch.setattr(services.work, "release", lambda *_, **__: None)
    return at


@pytest.mark.req("X-NOBILL")
@pytest.mark.parametrize(
    "point", ["batch.before_send", "batch.after_send", "batch.answer_taken", "batch.answers_taken"]
)
def test_a_worker_that_dies_around_sending_loses_nothing_and_pays_nothing_twice(
    reading_models: ModelServer,
    people: People,
    waiting: Waiting,
    dying: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
    point: str,
) -> None:
    pages = waiting(of=2)
    consulted(*pages)
    batch = closed()
    dying(point)
    with pytest.raises(Killed):
        tended(batch, 3)
    monkeypatch.undo()
    batch.refresh_from_db()
    assert batch.worker is not None, "nobody has given it back"
    ModelBatch.objects.update(worker=make_worker("llm").pk - 100_000)  # of a process that is no more
    alive = make_worker("llm")
    for service in (consulting, calls, batched, services):
        monkeypatch.setattr(service, "current_worker", lambda: alive)
    monkeypatch.setattr(services, "LOOKED_AT_EVERY_S", 0.0)
    assert services.sweep_batches()["freed"] == 1
    if point == "batch.before_send":  # it may have left, and is not in the list: after a while it is sent
        tended(batch)
        assert not reading_models.batches.sent and batch.state == "SENDING"
        ModelBatch.objects.update(attempted_at=timezone.now() - timedelta(minutes=5), not_before=None)
    tended(batch, 3)
    assert batch.state == "ANSWERED" and reading_models.batches.taken == 1
    assert len({call.request.key for call in reading_models.calls}) == len(reading_models.calls) == 2
    consulted(*pages)
    assert stages(*pages) == ["NONE"] * 2
    reserved, settled = spent(people)
    assert (reserved, settled) == (0, sum(row.settled_micro for row in ModelCall.objects.all()))
    assert {row.state for row in ModelCall.objects.all()} == {"ANSWERED"} and len(reading_models.calls) == 2


@pytest.mark.req("X-NOBILL")
def test_a_batch_whose_receipt_is_lost_is_found_by_its_name(
    reading_models: ModelServer, waiting: Waiting, monkeypatch: pytest.MonkeyPatch
) -> None:
    (page,) = waiting()
    consulted(page)
    reading_models.batches.lost, reading_models.batches.hidden = 1, 1
    batch = tended(closed())
    assert batch.state == "SENDING" and batch.attempted_at and batch.last_error == {"code": "connection_lost"}
    tended(batch)
    assert batch.state == "SENDING" and len(reading_models.batches.sent) == 1, "not listed yet: it is waited for"
    ModelBatch.objects.update(not_before=None)
    tended(batch)
    assert batch.state == "SENT" and len(reading_models.batches.sent) == 1
    tended(batch)
    assert batch.state == "ANSWERED" and len(reading_models.calls) == reading_models.batches.taken == 1


def test_a_page_whose_worker_died_before_it_was_put_aside_waits_all_the_same(
    reading_models: ModelServer, waiting: Waiting, monkeypatch: pytest.MonkeyPatch
) -> None:
    (page,) = waiting()
    with monkeypatch.context() as patched:
        patched.setattr(consulting, "_wait_for_batch", lambda *_: None)
        consulted(page)
    assert page.stage == "UNDERSTAND" and page.worker is not None
    Page.objects.update(worker=None, claim_token=None)
    consulted(page)
    assert page.stage == "BATCH" and ModelCall.objects.count() == 1


def test_questions_that_storage_has_lost_are_asked_at_once(reading_models: ModelServer, waiting: Waiting) -> None:
    (page,) = waiting()
    consulted(page)
    batch = closed()
    default_storage.delete(batched.question_key(batch, ModelCall.objects.get().request_key))
    tended(batch)
    assert (batch.state, batch.error_code) == ("REFUSED", "questions_gone") and stages(page) == ["UNDERSTAND"]


# --- the rest of the house ------------------------------------------------------------------------


def test_a_document_that_waits_for_a_batch_is_not_stuck(reading_models: ModelServer, waiting: Waiting) -> None:
    (page,) = waiting()
    consulted(page)
    batch = closed()
    long_ago = timezone.now() - timedelta(hours=20)
    Job.objects.update(created_at=long_ago, progressed_at=long_ago, checked_at=long_ago)
    make_worker("cpu")
    assert sweep.watch_progress() == {"orphaned": 0, "resumed": 0}
    tended(batch, 2)
    assert stages(page) == ["UNDERSTAND"] and sweep.watch_progress()["orphaned"] == 0, "its clock begins anew"
    Job.objects.update(resumed_at=long_ago)
    assert sweep.watch_progress()["orphaned"] == 1, "one that machines forget is found as ever"


def test_the_estimate_counts_the_price_of_batches(
    people: People, reading_models: ModelServer, waiting: Waiting
) -> None:
    (page,) = waiting()
    parsed, job = unpack_page(bytes(PageContent.objects.get().data)), page.job
    rules = msgspec.json.decode(bytes(RuleResult.objects.get().data), type=PageResult)
    zones = {"schema": schema_zone(frozen.analyst_config(job))}
    told = (parsed, rules, frozen.wordings(job), "zh", zones, consulting.routes_for(job, page))
    models = consulting.available_models()
    gemini = [one for one in models if one.name == GEMINI]
    at_once, batch = page_cost(*told, gemini).micro, page_cost(*told, gemini, batched=True).micro
    assert batch == (at_once + 1) // 2 > 0
    assert page_cost(*told, models, batched=True).micro == batch, "of the model that has batches"
    assert page_cost(*told, models).micro < at_once, "now the cheap one is asked"
