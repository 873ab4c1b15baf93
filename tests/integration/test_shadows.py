"""Shadows over real HTTP and in real sandboxes: what they find is told, and nothing of the results changes."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from catalogsku.core import messages, storage
from catalogsku.core.metrics import SHADOW_PAGES
from catalogsku.profiles.models import PromptVersion
from ingestion.models import Page
from processing.engine.quality.shadow import products_of
from processing.engine.result import Evidence, PageResult, Sku, Value
from processing.llm import calls
from processing.models import Budget, LanguageModel, ModelCall, Shadow, ShadowPage
from processing.models import Sku as SkuRow
from processing.pages.services import consulting, reading, understanding
from processing.shadows.services import pages as shadow_pages
from processing.shadows.services import shadowing
from tests.support.asked_pages import drawn_pages, job_for, waiting_page
from tests.support.catalogues import make_catalogue
from tests.support.model_server import ModelRequest, ModelServer, Mood, Reply
from tests.support.people import People
from tests.support.reading_model import ReadingModel
from tests.support.rows import make_job, make_page, make_worker

pytestmark = [pytest.mark.usefixtures("committed"), pytest.mark.req("X-SHADOW")]
QWEN, GEMINI = "qwen3.7-plus", "gemini-3.8-flash"


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Messages to shadows."""
    found: list[tuple[str, int]] = []

    def send(actor: str, *args: Any, **_: Any) -> bool:
        found.append((actor, args[0]))
        return True

    monkeypatch.setattr(messages, "send", send)
    return found


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch, sent: list[tuple[str, int]]) -> None:
    worker = make_worker("llm")
    for service in (reading, understanding, consulting, calls):
        monkeypatch.setattr(service, "current_worker", lambda: worker)


def shadow(**columns: Any) -> Shadow:
    row = Shadow(**{"share": 100, "running": True, **columns})
    row.full_clean()
    row.save()
    return row


def recorded(people: People, pages: int = 1) -> list[Page]:
    """Pages of a new job that models were asked about."""
    job = job_for(people.merchant)
    found = [waiting_page(job, drawn) for drawn in drawn_pages()[:pages]]
    for page in found:
        consulting.consult_models([page.pk])
        page.refresh_from_db()
        assert page.stage == "NONE"
    return found


def results(page: Page) -> Any:
    page.refresh_from_db()
    rows = SkuRow.objects.filter(page=page).order_by("pk").values_list("pk", "version", "attributes", "status")
    mine = ModelCall.objects.filter(page=page).order_by("pk").values_list("pk", "settled_micro")
    return list(rows), list(mine), page.version, page.validation, page.blockers, calls.for_page(page.pk)


def test_a_second_model_is_compared_with_the_result_and_changes_nothing_of_it(
    reading_models: ModelServer, people: People, workers: None, sent: list[tuple[str, int]]
) -> None:
    row = shadow(model=LanguageModel.objects.get(name=GEMINI))
    (page,) = recorded(people)
    waiting = ShadowPage.objects.get()
    before = results(page)
    shadow_pages.send_waiting()
    assert ("shadow_models", waiting.pk) in sent

    def loses_one(request: ModelRequest) -> Reply:
        said = ReadingModel()(request)
        told = json.loads(said.text)
        if request.operation == "PageAnswer":
            told |= {"products": told["products"][1:], "count": told["count"] - 1}
            told["products"][0]["attributes"]["price"]["value"] = "9.99"
        return replace(said, text=json.dumps(told, ensure_ascii=False))

    reading_models.answer = loses_one
    shadowing.look_at(waiting.pk)
    waiting.refresh_from_db()
    assert (waiting.gained, waiting.lost, waiting.code) == (0, 1, ""), waiting.difference
    assert {c["after"] for c in waiting.difference["changed"] if c["key"] == "price"} == {"9.99"}
    assert waiting.skus_before == waiting.skus_after + 1
    asked = ModelCall.objects.filter(bucket__startswith=f"shadow:{row.pk}:")
    assert {call.model for call in asked} == {GEMINI} and not asked.exclude(job=None, page=None).exists()
    assert waiting.paid_micro == waiting.cost_micro == sum(call.settled_micro for call in asked) > 0
    assert waiting.own_cost_micro == sum(call.settled_micro for call in ModelCall.objects.filter(page=page))
    assert results(page) == before
    made = len(reading_models.calls)
    shadowing.look_at(waiting.pk)  # a message that came twice
    assert len(reading_models.calls) == made


def test_another_prompt_asks_anew_what_it_words(reading_models: ModelServer, people: People, workers: None) -> None:
    old = PromptVersion.objects.get(key="read_page", active=True)
    new = PromptVersion(
        key=old.key, text_zh=f"{old.text_zh}\n", text_en=f"{old.text_en}\n\nRead every row.", reason="x"
    )
    new.text_zh = f"{old.text_zh}\n\n逐行读。"
    new.add_version(active=False)
    shadow(prompt=new)
    (page,) = recorded(people)
    made = len(reading_models.calls)
    shadowing.look_at(ShadowPage.objects.get().pk)
    row = ShadowPage.objects.get()
    asked = ModelCall.objects.filter(bucket__startswith="shadow:")
    assert [call.prompt_version for call in asked] == [f"{new.version}.1"] and len(reading_models.calls) == made + 1
    assert row.difference == {"gained": [], "lost": [], "changed": []} and row.skus_after > 0
    assert row.cost_micro == row.paid_micro > 0


def test_another_reader_is_compared_by_rules_alone(people: People, workers: None, tmp_path: Path) -> None:
    source = tmp_path / "one.pdf"
    number = make_catalogue(source, 4, 7)[0].page_number
    job = make_job(people.merchant, file_sha256="cd" * 32)
    storage.put_file(job.source_key, source)
    page = Page.objects.create(job=job, number=number, status="AI_QUEUED", stage="READ", prescan={"blank": False})
    shadow(reader="pdfplumber")
    reading.read_pages([page.pk])
    understanding.understand_pages([page.pk])
    before = results(page)
    row = ShadowPage.objects.get(page=page)
    shadowing.look_at(row.pk)
    row.refresh_from_db()
    assert row.code == "" and row.skus_before == row.skus_after > 3 and row.gained == row.lost == 0
    assert row.ms > 0 and row.own_ms > 0 and row.cost_micro == 0 and row.ended_at is not None
    assert results(page) == before


def found(*names: str) -> PageResult:
    place = Evidence("", 1, (0, 0, 1, 1))
    return PageResult(
        1, "B", 0.9, "L1", 0.9, "test", tuple(Sku((0, 0, 9, 9), {"model": Value(n, place)}) for n in names)
    )


def test_a_share_is_the_same_pages_whenever_they_come_and_none_of_people_alone(people: People) -> None:
    row = shadow(reader="pdfplumber", share=20)
    stopped = shadow(reader="pypdfium2", running=False)
    chosen = []
    for route in ("AUTO", "HYBRID", "HUMAN_ALL"):
        job = make_job(people.merchant, file_sha256="ab" * 32, route=route)
        pages = [make_page(job, n) for n in range(1, 101)]
        shadow_pages.choose_pages(job, [(page.pk, page.number, found("A")) for page in pages])
        shadow_pages.choose_pages(job, [(page.pk, page.number, found("B")) for page in pages])
        rows = ShadowPage.objects.filter(job=job)
        chosen.append(sorted(rows.values_list("page__number", flat=True)))
        assert all(one.before["products"] == [{"model": "A"}] for one in rows), "the first result is compared"
    assert chosen[0] == chosen[1] and 8 <= len(chosen[0]) <= 35 and chosen[2] == []
    assert set(ShadowPage.objects.values_list("shadow", flat=True)) == {row.pk} != {stopped.pk}


def test_one_page_at_a_time_and_none_beyond_the_limit_or_at_the_cost_of_documents(
    people: People, sent: list[tuple[str, int]], settings: Any
) -> None:
    settings.GEMINI_API_KEY = "k"
    row = shadow(model=LanguageModel.objects.get(name=GEMINI), limit_micro=1000)
    job = make_job(people.merchant)
    shadow_pages.choose_pages(job, [(make_page(job, n).pk, n, found("A")) for n in range(1, 6)])
    first, second, third, *_ = ShadowPage.objects.order_by("pk")
    assert shadow_pages.begin(first.pk) is not None
    assert shadow_pages.begin(first.pk) is None and shadow_pages.begin(second.pk) is None
    assert shadow_pages.send_waiting()["sent"] == 0
    shadow_pages.end_without(first, "timeout", paid_micro=999)
    assert shadow_pages.send_waiting()["sent"] == 1 and sent[-1] == ("shadow_models", second.pk)
    from processing.llm.money import today

    Budget.objects.create(merchant=people.merchant, day=today(), settled_micro=25_000_001)
    shadowing.look_at(second.pk)
    second.refresh_from_db()
    assert second.code == "budget_for_documents" and not ModelCall.objects.exists()
    assert shadow_pages.begin(third.pk) is not None
    shadow_pages.end_without(third, "x", paid_micro=1)
    assert shadow_pages.send_waiting()["sent"] == 0, "1000 of 1000 are spent"
    Shadow.objects.filter(pk=row.pk).update(limit_micro=2000)
    assert shadow_pages.send_waiting()["sent"] == 1
    Shadow.objects.filter(pk=row.pk).update(running=False)
    assert shadow_pages.send_waiting()["sent"] == 0 and shadow_pages.begin(sent[-1][1]) is None
    ShadowPage.objects.filter(begun_at=None).update(created_at="2000-01-01T00:00Z")
    assert shadow_pages.send_waiting()["forgotten"] == 2


@pytest.mark.parametrize("mood", [Mood.SERVER_ERROR, Mood.RATE_LIMITED, Mood.GARBAGE])
def test_a_shadow_that_gets_no_answer_says_why(
    reading_models: ModelServer, people: People, workers: None, monkeypatch: pytest.MonkeyPatch, mood: Mood
) -> None:
    monkeypatch.setattr("processing.llm.sending.API_DELAY_S", 0.01)
    shadow(model=LanguageModel.objects.get(name=GEMINI))
    (page,) = recorded(people)
    before = results(page)
    good = ReadingModel()
    reading_models.answer = lambda request: replace(good(request), mood=mood, retry_after_s=9.0)
    shadowing.look_at(ShadowPage.objects.get().pk)
    row = ShadowPage.objects.get()
    assert row.code and row.difference is None and row.ended_at and results(page) == before


def test_what_breaks_in_a_shadow_ends_the_look_alone(
    people: People, workers: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    shadow(reader="pdfplumber")
    job = make_job(people.merchant)
    shadow_pages.choose_pages(job, [(make_page(job, 1).pk, 1, found("A"))])
    shadowing.look_at(ShadowPage.objects.get().pk)
    assert ShadowPage.objects.get().code == "page_not_read"
    monkeypatch.setattr(shadow_pages, "choose_pages", lambda *_: 1 / 0)
    with transaction.atomic():
        transaction.on_commit(lambda: shadow_pages.choose_pages(job, []), robust=True)


def test_a_model_for_shadows_alone_is_asked_about_no_document(reading_models: ModelServer, people: People) -> None:
    LanguageModel.objects.filter(name=GEMINI).update(shadow_only=True)
    try:
        assert [model.name for model in consulting.available_models()] == [QWEN]
    finally:
        LanguageModel.objects.update(shadow_only=False)


def test_what_it_finds_is_counted_by_outcome(people: People) -> None:
    def counted(outcome: str) -> float:
        return SHADOW_PAGES.labels(row.shadow_id, outcome)._value.get()  # type: ignore[no-any-return]

    looks, job = shadow(reader="pdfplumber"), make_job(people.merchant)
    shadow_pages.choose_pages(job, [(make_page(job, n).pk, n, found("A")) for n in (1, 2, 3)])
    row, other, unread = ShadowPage.objects.filter(shadow=looks).order_by("pk")
    seen = shadow_pages.Seen(products_of(found("A")))
    shadow_pages.end_seen(row, seen, 0)
    shadow_pages.end_seen(other, shadow_pages.Seen(products_of(found("B"))), 0)
    shadow_pages.end_without(unread, "page_not_read")
    assert [counted(outcome) for outcome in ("same", "different", "unseen")] == [1, 1, 1]


@pytest.mark.parametrize("columns", [{}, {"reader": "pymupdf", "model_id": 1}], ids=["of nothing", "of two things"])
def test_a_shadow_is_of_one_thing(people: People, columns: dict[str, Any]) -> None:
    with pytest.raises(IntegrityError, match="shadow_of_one_thing"), transaction.atomic():
        Shadow.objects.create(**columns)


def test_it_is_started_stopped_and_reported_by_command_admin_and_page(people: People, capsys: Any) -> None:
    call_command("shadows", "start", "--model", GEMINI, "--share", "7", "--usd-a-day", "0.5")
    call_command("shadows", "start", "--prompt", "read_page@1")
    for wrong in (
        ["--model", "nobody"],
        ["--prompt", "read_page@99"],
        ["--reader", "eyes"],
        ["--prompt", "evaluate_document@1"],
        ["--model", GEMINI, "--share", "0"],
    ):
        with pytest.raises(CommandError):
            call_command("shadows", "start", *wrong)
    row, prompt = Shadow.objects.order_by("pk")
    assert (row.share, row.limit_micro, row.running, str(prompt)) == (7, 500_000, True, "read_page v1")
    for merchant, gained in ((people.merchant, 2), (people.other, 40)):
        job = make_job(merchant)
        ShadowPage.objects.create(
            shadow=row,
            job=job,
            page=make_page(job, 1),
            before={},
            difference={},
            skus_before=5,
            skus_after=7,
            gained=gained,
            cost_micro=2_000,
            own_cost_micro=1_000,
            ms=3_000,
            own_ms=1_500,
            ended_at="2026-01-01T00:00Z",
        )
    ShadowPage.objects.create(
        shadow=row, job=job, page=make_page(job, 2), before={}, code="timeout", ended_at="2026-01-01T00:00Z"
    )
    capsys.readouterr()
    call_command("shadows", "list", "--json")
    told = {one["name"]: one for one in json.loads(capsys.readouterr().out)}
    assert (told[GEMINI]["gained"], told[GEMINI]["pages"], told[GEMINI]["without"]) == (42, 2, 1)
    call_command("shadows", "list")
    assert "42 products gained" in capsys.readouterr().out
    shown = {}
    for who in (people.lead, people.admin):
        client = Client()
        client.force_login(who)
        shown[who] = " ".join(client.get(reverse("models"), headers={"accept-language": "en"}).content.decode().split())
    assert (
        "0.0020 / 0.0010" in shown[people.lead] and ">42<" in shown[people.admin] and ">42<" not in shown[people.lead]
    )
    client.force_login(people.admin)
    listed = client.get(
        reverse("admin:processing_shadow_changelist"), headers={"accept-language": "en"}
    ).content.decode()
    assert "2 of 2 pages: 42 products more" in listed
    assert client.get(reverse("admin:processing_shadowpage_changelist")).status_code == 200
    call_command("shadows", "stop", str(row.pk))
    row.refresh_from_db()
    assert not row.running
    with pytest.raises(CommandError):
        call_command("shadows", "stop", "999999")
