"""Documents that are not urgent: the choice at upload, what is shown of them, and what operators can do."""

import base64
import io
import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalogsku.accounts import tokens
from catalogsku.accounts.models import User
from ingestion.job_page import figures
from ingestion.models import Job, Page
from processing import facts
from processing.management.commands import doctor
from processing.models import AskingRule, LanguageModel, ModelBatch, ModelCall
from processing.operations import presenters
from processing.operations.services import cancelling
from processing.pages import selectors
from tests.support.model_server import ModelServer
from tests.support.people import People
from tests.support.program import V1
from tests.support.rows import make_job, make_pages
from tests.support.strangers import cheap_passwords, own_document  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cheap_passwords")]

GEMINI = "gemini-3.8-flash"
PDF = b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"
CHOICE = "Not urgent: answered within about a day, at half the price"


@pytest.fixture(autouse=True)
def _own_storage(settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = str(tmp_path)


def give(user: User, key: str, **fields: Any) -> Any:
    client = Client(headers={"Authorization": f"Bearer {tokens.issue_token(user).text}"})
    file = SimpleUploadedFile("chairs.pdf", PDF + key.encode(), "application/pdf")
    return client.post(f"{V1}/jobs", {"file": file, **fields}, headers={"Idempotency-Key": key})


def signed_in(user: User, language: str = "en") -> Client:
    client = Client(headers={"Accept-Language": language})
    client.force_login(user)
    return client


def documents(user: User, language: str = "en") -> str:
    return signed_in(user, language).get(reverse("documents")).content.decode()


@pytest.fixture
def batched(people: People) -> Job:
    """Three pages that wait: two for a batch that was sent, one for an open one."""
    job = make_job(people.merchant, urgency="batch", models_state="go", total_pages=4)
    pages = make_pages(job, range(1, 4), stage="BATCH")
    sent = timezone.now() - timedelta(hours=30)
    closed = ModelBatch.objects.create(
        merchant=people.merchant,
        provider="gemini",
        model=GEMINI,
        state="SENT",
        stage="POLL",
        closed_at=sent,
        sent_at=sent,
        remote_id="batches/b1",
    )
    open_one = ModelBatch.objects.create(merchant=people.merchant, provider="gemini", model=GEMINI)
    for n, page in enumerate(pages):
        batch = open_one if n == 2 else closed
        ModelCall.objects.create(
            merchant=people.merchant,
            job=job,
            page=page,
            operation="read_page",
            model=GEMINI,
            prompt_version="v1",
            request_key=f"{n}" * 64,
            state="BATCHED",
            batch=batch,
            day=timezone.localdate(),
            reserved_micro=5_000,
            worker=1,
            sent_at=batch.sent_at,
        )
    return job


# --- the choice -----------------------------------------------------------------------------------


def test_the_choice_is_there_where_a_model_has_batches(people: People, reading_models: ModelServer) -> None:
    assert CHOICE in documents(people.uploader) and 'value="batch"' in documents(people.uploader)
    assert "半价" in documents(people.uploader, "zh-hans")
    LanguageModel.objects.filter(name=GEMINI).update(batch_percent=40)
    assert "at 40 % of the price" in documents(people.uploader)
    AskingRule.objects.create(merchant=people.merchant, ask_models="never")
    assert "data-urgency" not in documents(people.uploader), "whose documents no model sees"
    AskingRule.objects.all().delete()
    LanguageModel.objects.filter(name=GEMINI).update(batch_percent=None)
    assert "data-urgency" not in documents(people.uploader)


def test_without_a_key_there_is_none(people: People, settings: Any) -> None:
    settings.GEMINI_API_KEY = settings.GEMINI_API_KEY_FILE = ""
    assert selectors.batch_percent(people.merchant.pk) is None
    found = give(people.uploader, "key-none", urgency="batch")
    assert (found.status_code, found.json()["code"]) == (409, "no_batches") and not Job.objects.exists()
    assert give(people.uploader, "key-none").json()["urgency"] == "now"


def test_the_api_takes_it_and_freezes_it(people: People, reading_models: ModelServer) -> None:
    made = give(people.uploader, "key-batch", urgency="batch")
    assert (made.status_code, made.json()["urgency"]) == (201, "batch"), made.json()
    assert Job.objects.get().urgency == "batch" and made.json()["models"]["waiting_in_batches"] == 0
    LanguageModel.objects.update(batch_percent=None)  # it is what it was given as
    assert give(people.uploader, "key-batch", urgency="batch").status_code == 200
    other = give(people.uploader, "key-batch")
    assert (other.status_code, other.json()["code"]) == (409, "key_taken")
    assert give(people.uploader, "key-wrong", urgency="soon").status_code == 422


@pytest.mark.parametrize(("urgency", "status"), [("batch", 201), ("", 201), ("now", 201), ("soon", 400)])
def test_a_resumable_upload_says_it_in_its_metadata(
    people: People, reading_models: ModelServer, urgency: str, status: int
) -> None:
    pairs = {"filename": "a.pdf", "key": "key-upload", "urgency": urgency}
    told = ",".join(f"{name} {base64.b64encode(text.encode()).decode()}" for name, text in pairs.items())
    client = signed_in(people.uploader)
    begun = client.post(reverse("upload_create"), headers={"Upload-Length": str(len(PDF)), "Upload-Metadata": told})
    assert begun.status_code == status
    if status == 201:
        headers = {"Upload-Offset": "0"}
        done = client.patch(begun["Location"], PDF, content_type="application/offset+octet-stream", headers=headers)
        assert done.status_code == 204 and Job.objects.get().urgency == (urgency or "now")


# --- what is shown --------------------------------------------------------------------------------


def test_the_page_of_a_document_says_what_waits(people: People, batched: Job) -> None:
    page = signed_in(people.uploader).get(reverse("job", args=[batched.uuid])).content.decode()
    assert "2 questions wait in a batch sent at" in page and "1 question waits for a batch to be sent" in page
    assert "asked at once, at the full price" in page and "not urgent" in page and "In a batch" in page
    page = signed_in(people.uploader, "zh-hans").get(reverse("job", args=[batched.uuid])).content.decode()
    assert "2 个问题在" in page
    client = Client(headers={"Authorization": f"Bearer {tokens.issue_token(people.uploader).text}"})
    told = client.get(f"{V1}/jobs/{batched.uuid}").json()
    assert (told["urgency"], told["models"]["waiting_in_batches"]) == ("batch", 3)
    assert told["message"] == "3 pages wait for a batch"


def test_whoever_is_asked_before_money_is_spent_is_told_of_the_full_price(people: People) -> None:
    job = make_job(
        people.merchant,
        "AWAITING_GO",
        urgency="batch",
        total_pages=2,
        models_state="asking",
        models_pages=2,
        models_estimated_micro=311_000,
        models_priced_at=timezone.now(),
    )
    make_pages(job, range(1, 3), stage="PRICE")
    page = signed_in(people.uploader).get(reverse("job", args=[job.uuid])).content.decode()
    assert "asked at once, at the full price" in page


def test_no_time_left_is_told_while_pages_wait_for_a_batch_or_a_word(people: People) -> None:
    """At the pace of the pages before them they would be done in minutes; a batch takes a day."""
    job = make_job(people.merchant, total_pages=4, evaluated_at=timezone.now() - timedelta(minutes=1))
    done, _, waiting, _ = make_pages(job, range(1, 5), stage="READ")
    Page.objects.filter(pk=done.pk).update(stage="NONE", status="AI_COMPLETED", finished_at=timezone.now())
    assert figures(job)["eta"] and figures(job)["rate"]
    Page.objects.filter(pk=waiting.pk).update(stage="BATCH")
    assert figures(job)["eta"] == ""
    Page.objects.filter(pk=waiting.pk).update(stage="PRICE")
    job.models_state = "asking"
    assert figures(job)["eta"] == ""


def test_the_time_of_an_answer_is_told_of_calls_that_were_asked_at_once(people: People, batched: Job) -> None:
    ModelCall.objects.filter(sent_at__isnull=False).update(state="ANSWERED", sent_at=timezone.now(), settled_micro=10)
    (row,) = [one for one in presenters.last_hour(people.admin) if one.state == "ANSWERED"]
    assert (row.calls, row.timed, row.latency_ms, row.micro) == (2, 0, None, 20)
    page = signed_in(people.admin).get(reverse("models")).content.decode()
    assert "in batches at 50 % of the price" in page


# --- operators ------------------------------------------------------------------------------------


def test_metrics_and_doctor_say_what_waits_and_what_is_overdue(batched: Job) -> None:
    assert facts.llm_batched_questions() == {("COLLECTED",): 1.0, ("SENDING",): 0.0, ("SENT",): 2.0}
    assert facts.llm_batch_oldest()[()] == pytest.approx(30 * 3600, abs=60)
    found = list(doctor.check_batches())
    assert [one.level for one in found] == ["warning", "ok"] and "is SENT" in found[0].text
    ModelBatch.objects.update(closed_at=timezone.now() - timedelta(hours=20))
    assert [one.level for one in doctor.check_batches()] == ["ok"]


def batches_command(*arguments: str) -> str:
    out = io.StringIO()
    call_command("batches", *arguments, stdout=out)
    return out.getvalue()


def test_an_operator_lists_and_cancels_them(batched: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    sent, open_one = ModelBatch.objects.order_by("state")[1], ModelBatch.objects.get(state="COLLECTED")
    told = {one["name"]: one for one in json.loads(batches_command("list", "--json"))}
    assert (told[str(sent.name)]["questions"], told[str(sent.name)]["reserved_usd"]) == (2, 0.01)
    assert str(open_one.name) in batches_command("list")
    assert batches_command("cancel", str(sent.name)) == "Its provider is asked to stop.\n"
    sent.refresh_from_db()
    assert sent.state == "SENT" and sent.cancel_asked_at and sent.not_before is None
    with pytest.raises(CommandError, match="no batch"):
        call_command("batches", "cancel", "nonsense")
    ModelBatch.objects.filter(pk=sent.pk).update(state="ANSWERED")
    with pytest.raises(CommandError, match="ended"):
        call_command("batches", "cancel", str(sent.name))
    assert str(sent.name) not in batches_command("list") and str(sent.name) in batches_command("list", "--all")


def test_cancelling_a_document_counts_what_was_sent(people: People, batched: Job) -> None:
    assert cancelling.cancel(batched, "somebody").model_calls_in_flight == 2


def test_the_price_in_batches_is_set_by_the_command(capsys: Any) -> None:
    call_command("models", "limits", GEMINI, "--batch-percent", "60")
    assert LanguageModel.objects.get(name=GEMINI).batch_percent == 60
    call_command("models", "limits", GEMINI, "--batch-percent", "none")
    assert LanguageModel.objects.get(name=GEMINI).batch_percent is None
    call_command("models", "add", "own", "--price-in", "1", "--price-out", "1", "--batch-percent", "50")
    own = LanguageModel.objects.get(name="own")
    assert own.has_batches and own.cost_micro(1_000_000, 0, batched=True) == 500_000
    for wrong in ("0", "101"):
        with pytest.raises(CommandError):
            call_command("models", "limits", GEMINI, "--batch-percent", wrong)
    with pytest.raises(CommandError, match="without batches"):
        call_command("models", "limits", "qwen3.7-plus", "--batch-percent", "50")
