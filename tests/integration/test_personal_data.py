"""Personal data in a document: masked in traces, replays and examples, left as printed in results."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from catalogsku.accounts.models import Merchant, User
from catalogsku.core import metrics, storage
from ingestion.models import Page
from processing.models import AnnotationExample, PageContent, Sku, TraceBundle
from processing.pages import views
from processing.pages.services import examples, reading, tracing, understanding
from processing.pages.services.examples import offer_example
from tests.support.people import People
from tests.support.personal import BARE, COUNTS, EAN, VALUES, left_in, personal_pdf
from tests.support.program import Program
from tests.support.rows import make_job, make_worker

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-PII")]


@pytest.fixture
def sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = make_worker("cpu")
    for service in (reading, understanding):
        monkeypatch.setattr(service, "current_worker", lambda: worker)


def read_page(people: People, tmp_path: Path, sha256: str) -> Page:
    source = tmp_path / "one.pdf"
    source.write_bytes(personal_pdf())
    job = make_job(people.merchant, file_sha256=sha256)
    storage.put_file(job.source_key, source)
    page = Page.objects.create(job=job, number=1, status="AI_QUEUED", stage="READ", prescan={"blank": False})
    reading.read_pages([page.pk])
    return page


@pytest.fixture
def page(sandbox: None, people: People, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Page:
    """Read and understood, its trace kept."""
    monkeypatch.setattr(tracing, "SAMPLED_OF", 1)
    page = read_page(people, tmp_path, "ab" * 32)
    understanding.understand_pages([page.pk])
    page.refresh_from_db()
    return page


def whole(bundle: tracing.Bundle) -> str:
    """All that can be read in it, its pages unpacked."""
    pages = [msgspec.json.encode(tracing.unpack_page(packed)).decode() for packed in bundle.pages.values()]
    rest = [json.dumps(part, ensure_ascii=False) for part in (bundle.facts, bundle.error, bundle.answers)]
    return "\n".join([*pages, *rest, bundle.result.decode()])


def replayed(*arguments: Any) -> tuple[dict[str, Any], int]:
    out, code = StringIO(), 0
    try:
        call_command("replay", *arguments, "--json", stdout=out)
    except SystemExit as end:
        code = int(end.code or 0)
    return json.loads(out.getvalue()), code


def test_a_page_says_how_much_it_shows_and_its_results_stay_as_printed(page: Page) -> None:
    assert page.personal_data == COUNTS
    rows = Sku.objects.filter(page=page).order_by("sku_id")
    said = json.dumps([[row.attributes, row.custom_attributes] for row in rows], ensure_ascii=False)
    assert rows.count() >= 4 and BARE in said and EAN in said


def test_a_stored_trace_holds_none_and_replays_to_the_same(page: Page, tmp_path: Path) -> None:
    with storage.open_file(TraceBundle.objects.get(page=page).storage_key) as file:
        stored = tracing.unpack(file.read())
    assert left_in(whole(stored)) == []
    assert stored.masked == COUNTS and EAN in whole(stored) and "55551234" not in whole(stored)
    saved = tmp_path / "page.trace"
    told, code = replayed(str(page.job.uuid), 1, "--save", str(saved))
    assert (told["same"], code, told["masked"]) == (True, 0, COUNTS), told["differences"]
    assert left_in(json.dumps(told, ensure_ascii=False)) == []
    assert len(told["found"]["skus"]) == Sku.objects.filter(page=page).count()
    assert left_in(whole(tracing.unpack(saved.read_bytes()))) == []
    again, code = replayed(str(saved))
    assert (again["same"], code) == (True, 0)


def test_a_trace_is_saved_in_clear_only_where_it_is_said(page: Page, tmp_path: Path) -> None:
    saved = tmp_path / "page.trace"
    told, code = replayed(str(page.job.uuid), 1, "--save", str(saved), "--with-personal-data")
    assert (told["same"], code) == (True, 0), told["differences"]
    clear = tracing.unpack(saved.read_bytes())
    assert set(left_in(whole(clear))) == set(VALUES) and left_in(clear.result.decode()) == []
    with pytest.raises(CommandError, match="with-personal-data"):
        call_command("replay", str(saved), "--with-personal-data")
    PageContent.objects.all().delete()
    with pytest.raises(CommandError, match="kept no more"):
        call_command("replay", str(page.job.uuid), 1, "--save", str(saved), "--with-personal-data")


def test_a_trace_from_before_is_masked_as_it_leaves(page: Page, people: People, tmp_path: Path) -> None:
    row = TraceBundle.objects.get(page=page)
    clear = msgspec.structs.replace(tracing.bundle_in_clear(page), masked=None)
    file = tmp_path / "old.trace"
    file.write_bytes(tracing.pack(clear))
    storage.put_file(row.storage_key, file)
    assert left_in(whole(tracing.bundle_of(page))) == []
    saved = tmp_path / "new.trace"
    replayed(str(file), "--save", str(saved))
    assert left_in(whole(tracing.unpack(saved.read_bytes()))) == []
    shown = Program(people.uploader)("GET", f"/jobs/{page.job.uuid}/traces/1")
    assert shown.status_code == 200 and left_in(shown.content.decode()) == []


def test_a_page_without_any_is_kept_byte_for_byte(page: Page) -> None:
    bundle = tracing.bundle_in_clear(page)
    kept = tracing.masked(bundle, ())
    assert kept.pages == bundle.pages and kept.result == bundle.result and kept.masked == {}


def test_examples_for_prompts_hold_none(page: Page, people: People) -> None:
    ids = list(Sku.objects.filter(page=page).values_list("sku_id", flat=True))
    assert offer_example(page, ids, 1.0)
    example = AnnotationExample.objects.get(page=page)
    assert left_in(example.shown + example.answer) == []
    assert "A-102" in example.answer and example.quality >= 0.85
    AnnotationExample.objects.update(
        shown=f"A-102 Tel: {VALUES[2]} {VALUES[3]}", confirmed_at=page.job.created_at, confirmed_by=people.lead
    )
    (shown,) = examples.examples_for(page.job, page.page_type)[examples.KEY]
    assert left_in(shown.shown) == [] and shown.shown.startswith("A-102 Tel: 000-")


def screen(user: User, page: Page, language: str = "en") -> str:
    client = Client()
    client.force_login(user)
    client.cookies["django_language"] = language
    found = client.get(reverse("job_region", args=[page.job.uuid]), {"part": "side"})
    assert found.status_code == 200
    return found.content.decode()


def told(*arguments: Any) -> dict[str, Any]:
    out = StringIO()
    call_command("personal_data", *arguments, "--json", stdout=out)
    answer: dict[str, Any] = json.loads(out.getvalue())
    assert left_in(out.getvalue()) == [], "neither the data nor what was looked for"
    return answer


def test_a_document_says_how_much_it_shows_on_which_pages(page: Page, people: People) -> None:
    said = told(str(page.job.uuid))
    assert said["kinds"]["phone"] == {"count": 3, "pages": [1]} and said["not_looked_at"] == 0
    assert said["lines"][:2] == ["3 telephone numbers on page 1", "1 mail address on page 1"]
    (shown,) = Program(people.uploader)("GET", f"/jobs/{page.job.uuid}/pages").json()["items"]
    assert shown["personal_data"] == COUNTS
    text = screen(people.uploader, page)
    assert "Personal data" in text and "3 telephone numbers on page 1" in text
    assert left_in(text) == []
    assert "3 个电话号码" in screen(people.uploader, page, "zh-hans")


def test_a_page_from_before_is_looked_at_by_the_command(page: Page, people: People) -> None:
    Page.objects.update(personal_data=None)
    assert "Personal data" not in screen(people.uploader, page)
    assert told(str(page.job.uuid))["kinds"]["phone"]["count"] == 3
    assert Page.objects.get().personal_data == COUNTS
    Page.objects.update(personal_data=None)
    PageContent.objects.all().delete()
    said = told(str(page.job.uuid))
    assert (said["kinds"], said["not_looked_at"]) == ({}, 1)


def test_who_asks_to_be_deleted_is_found_in_his_merchants_documents_alone(
    page: Page, people: People, caplog: pytest.LogCaptureFixture
) -> None:
    merchant = str(people.merchant.pk)
    with caplog.at_level("INFO"):
        for said in VALUES:
            found = told("--find", said, "--merchant", merchant)
            assert found["documents"] == [{"job": str(page.job.uuid), "pages": [1]}], said
    assert len(caplog.records) >= len(VALUES)
    assert all(left_in(json.dumps(record.__dict__, default=str)) == [] for record in caplog.records)
    assert told("--find", f"+86 {VALUES[0]}", "--merchant", merchant)["documents"]
    assert told("--find", "138 1234 5679", "--merchant", merchant)["documents"] == []
    assert told("--find", VALUES[0], "--merchant", "South")["documents"] == []
    with pytest.raises(CommandError, match="Not a telephone number"):
        call_command("personal_data", "--find", "12", "--merchant", merchant)
    PageContent.objects.all().delete()
    assert told("--find", VALUES[0], "--merchant", merchant)["unsearched"] == [str(page.job.uuid)]


def test_what_was_found_is_counted(
    sandbox: None, people: People, tmp_path: Path, django_capture_on_commit_callbacks: Any
) -> None:
    def counter() -> float:
        return float(metrics.PERSONAL_DATA.labels("phone")._value.get())

    before = counter()
    with django_capture_on_commit_callbacks(execute=True):
        read_page(people, tmp_path, "cd" * 32)
    assert counter() == before + 3


def looked_for(user: User, value: str, merchant: Merchant) -> tuple[int, str]:
    client = Client()
    client.force_login(user)
    client.cookies["django_language"] = "en"
    given = {"value": value, "merchant": str(merchant.pk)}
    found = client.post(reverse("personal_data"), given)
    return found.status_code, found.content.decode()


def test_a_lead_finds_who_asks_to_be_deleted_in_the_browser(
    page: Page, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    south = Merchant.objects.get(name="South")
    for user in (people.lead, people.admin):
        code, text = looked_for(user, "+86 13812345678", people.merchant)
        assert code == 200 and str(page.job.uuid) in text and "1 page that shows personal data" in text
    code, text = looked_for(people.lead, "13812345679", people.merchant)
    assert code == 200 and "It stands in none" in text and str(page.job.uuid) not in text
    assert looked_for(people.lead, VALUES[0], south)[0] == 404
    assert str(page.job.uuid) not in looked_for(people.admin, VALUES[0], south)[1]
    code, text = looked_for(people.lead, "12", people.merchant)
    assert code == 400 and "No telephone number" in text
    assert looked_for(people.uploader, VALUES[0], people.merchant)[0] == 403
    monkeypatch.setattr(views, "MOST_PAGES", 0)
    assert "There are more" in looked_for(people.lead, VALUES[0], people.merchant)[1]
    monkeypatch.undo()
    Page.objects.update(personal_data={})
    assert "It stands in none" in looked_for(people.lead, VALUES[0], people.merchant)[1], "no page shows any"
