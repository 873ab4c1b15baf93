"""A second kind of document, made up here, goes its own way through the product, and catalogues do not notice it.

Letters: their pages are read and not evaluated; each printed line is to be answered, in a table of its own; a letter is
done once all of its lines are.
"""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from annotation.models import HumanTask
from annotation.workbench import views
from catalogsku.accounts import tokens
from catalogsku.core import messages, work
from catalogsku.core.errors import Refused
from catalogsku.core.models import Transition
from catalogsku.profiles.models import PromptVersion
from catalogsku.profiles.wording import RULES
from ingestion import kinds
from ingestion.kinds import CATALOGUE, Kind
from ingestion.lifecycle import JobStage, JobStatus, PageStage
from ingestion.models import Job, Page, Upload
from ingestion.page_groups import groups_of
from ingestion.services import dispatch, settle
from ingestion.services.pages import record_understood
from ingestion.services.receiving import submit_file
from ingestion.standing import standing
from processing.engine.page import unpack_page
from processing.exports import result_file
from processing.exports.columns import Column
from processing.exports.services import exporting
from processing.exports.services.exporting import Contents, Wish
from processing.models import Edition, Evaluation, Export, Image, PageContent, Sku
from processing.pages.services import consulting, taking_turns
from processing.pages.services.reading import kept_pages
from processing.sandboxed import frozen
from tests.support.catalogues.small import tables_pdf
from tests.support.people import People
from tests.support.program import V1
from tests.support.rows import make_job, make_page
from tests.support.stages import as_worker, sheet

pytestmark = pytest.mark.django_db

LETTER = Kind(
    key="letter",
    name="Letter",  # type: ignore[arg-type]
    settled_by="lines",
    stages=frozenset({JobStage.INSPECT, JobStage.PRESCAN, PageStage.READ, PageStage.UNDERSTAND_RULES}),
    questions=("read_letter",),
)
PDF = b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"


def asked(sql: str, *values: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return cursor.fetchall() if cursor.description else []


def note_lines(page_ids: Sequence[int]) -> None:
    """The letters' own way to understand pages that were read."""
    rows = dispatch.active_pages().filter(pk__in=page_ids)
    claims = work.claim(rows, PageStage.UNDERSTAND_RULES, consulting.current_worker())
    with work.recording_all(Page, claims) as pages:
        for page in pages.values():
            for block in unpack_page(bytes(kept_pages(page.job, [page.number])[page.number].data)).blocks:
                asked("INSERT INTO letter_line VALUES (%s, %s, %s, false)", page.job_id, page.number, block.text)
        record_understood([(page, {"confidence": 1.0}) for page in pages.values()], no_product=())


def census(job_id: int) -> dict[bool, int]:
    return dict(asked("SELECT answered, count(*) FROM letter_line WHERE job_id = %s GROUP BY 1", job_id))


def status(job: Job, lines: dict[bool, int]) -> JobStatus:
    if not lines:
        return JobStatus.PROCESSING
    return JobStatus.PARTIAL_IMPORTED if lines.get(False) else JobStatus.FULL_IMPORTED


def completion(job: Job, lines: dict[bool, int]) -> dict[str, Any]:
    return {"completion_source": "people", "completion": {"lines": sum(lines.values())}}


def unsettled(most: int) -> list[int]:
    done = "NOT EXISTS (SELECT FROM letter_line l WHERE l.job_id = j.id AND NOT l.answered)"
    sql = f"SELECT id FROM ingestion_job j WHERE kind = 'letter' AND status = 'PARTIAL_IMPORTED' AND {done} LIMIT %s"
    return [pk for (pk,) in asked(sql, most)]


def write_lines(export: Export, out: Any) -> dict[str, Any]:
    lines = asked("SELECT page, text FROM letter_line WHERE job_id = %s ORDER BY 1, 2", export.job_id)
    text = io.StringIO()
    csv.writer(text).writerows([export.columns, *lines])
    out.write(text.getvalue().encode())
    return {"skus": 0}


def fields(merchant_id: int) -> dict[str, Column]:
    return {key: Column(key, key, key, lambda entry: None) for key in ("page", "line")}


def stream(job: Job) -> Iterator[str]:
    yield json.dumps({"lines": sum(census(job.pk).values())})


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Letters are there; the stages that machines have done for one, in their order."""
    stages: list[str] = []

    def noted(stage: str, service: Any) -> Any:
        return lambda subject: (stages.append(stage), service(subject))

    services = {**taking_turns.READING, PageStage.UNDERSTAND_RULES: note_lines}
    noting = {stage: noted(stage, service) for stage, service in services.items()}
    monkeypatch.setitem(kinds.KINDS, "letter", LETTER)
    monkeypatch.setitem(taking_turns.DO, "letter", noting)
    monkeypatch.setitem(settle.SETTLING, "letter", settle.Settling(census, status, completion, unsettled))
    monkeypatch.setitem(exporting.CONTENTS, "letter", Contents(fields, write_lines))
    monkeypatch.setitem(result_file.STREAMS, "letter", stream)
    monkeypatch.setitem(views.SCREENS, "letter", lambda request, task: HttpResponse(f"letter {task.page.number}"))
    asked("CREATE TEMP TABLE letter_line (job_id bigint, page int, text text, answered boolean) ON COMMIT DROP")
    texts = {"text_zh": "读信。\n\n{{page_text}}", "text_en": "Read the letter.\n\n{{page_text}}"}
    PromptVersion.objects.create(key="read_letter", version=1, active=True, **texts)
    return stages


@pytest.fixture(autouse=True)
def _worker(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = str(tmp_path / "media")
    as_worker(monkeypatch, consulting)
    monkeypatch.setattr(messages, "send_unless_waiting", lambda actor: True)


def given(people: People, path: Path, names: Sequence[str], kind: Kind = CATALOGUE) -> Job:
    """A file with a page a name, written where it is not there, through all that machines do with it."""
    if not path.exists():
        path.write_bytes(tables_pdf([sheet(name) for name in names], header_rows=1))
    job = submit_file(None, people.merchant.pk, path, key=f"{kind.key} {path.name}", kind=kind)
    while any(taking_turns.take_turn(unit) for unit in ("cpu", "llm")):
        pass
    settle.settle_job(job.pk)
    return Job.objects.get(pk=job.pk)


def rows_of(job: Job) -> dict[str, list[Any]]:
    """All that is kept of it."""
    tables: tuple[Any, ...] = (Page, Sku, Image)
    rows = {table.__name__: list(table.objects.filter(job=job).order_by("pk").values()) for table in tables}
    return {
        **rows,
        "Job": list(Job.objects.filter(pk=job.pk).values()),
        "Transition": list(Transition.objects.filter(job_id=job.pk).order_by("pk").values()),
        "Evaluation": list(Evaluation.objects.filter(file_sha256=job.file_sha256).values()),
        "PageContent": list(PageContent.objects.filter(file_sha256=job.file_sha256).order_by("pk").values()),
    }


# --- its way --------------------------------------------------------------------------------------


@pytest.mark.req("LX-SCATTER")
def test_a_letter_goes_through_its_own_stages_and_leaves_a_catalogue_alone(
    people: People, tmp_path: Path, done: list[str]
) -> None:
    catalogue = given(people, tmp_path / "book.pdf", ["AB", "CD"])
    before = rows_of(catalogue)
    assert done == [] and catalogue.kind == "catalogue" and before["Sku"] and before["Evaluation"]
    letter = given(people, tmp_path / "letter.pdf", ["AB", "CD", "EF"], LETTER)
    assert list(dict.fromkeys(done)) == ["INSPECT", "PRESCAN", "READ", "UNDERSTAND_RULES"]
    assert (letter.kind, letter.route, letter.c_doc, letter.stage) == ("letter", "", None, "NONE")
    moves = Transition.objects.filter(entity="job", job_id=letter.pk).order_by("pk").values_list("trigger", "target")
    assert list(moves) == [("accepted", "PROCESSING"), ("settled", "PARTIAL_IMPORTED")]
    assert set(letter.pages.values_list("status", "stage", "sku_count")) == {("AI_COMPLETED", "NONE", 0)}
    assert census(letter.pk) == {False: 3}, "its printed blocks"
    own = rows_of(letter)
    assert not own["Sku"] and not own["Evaluation"]
    assert rows_of(catalogue) == before


@pytest.mark.req("X-DIFF")
def test_a_letter_is_no_edition_of_a_catalogue_with_the_same_pages(
    people: People, tmp_path: Path, done: list[str]
) -> None:
    names = ["AB", "CD", "EF"]
    book = given(people, tmp_path / "book.pdf", names)
    assert given(people, tmp_path / "letter.pdf", [*names, "GH"], LETTER).edition_of is None
    assert given(people, tmp_path / "next.pdf", [*names, "JK"]).edition_of_id == book.pk


@pytest.mark.req("LX-PARSECACHE")
def test_what_was_read_of_a_file_serves_both_kinds(people: People, tmp_path: Path, done: list[str]) -> None:
    given(people, tmp_path / "both.pdf", ["AB", "CD", "EF"], LETTER)
    catalogue = given(people, tmp_path / "both.pdf", [])
    assert (catalogue.reused_pages, Sku.objects.filter(job=catalogue).count()) == (3, 9)
    assert Evaluation.objects.get().report["page_scores"], "its sample was judged as it was read"
    assert not Edition.objects.exists() and not catalogue.import_hold


@pytest.mark.req("PL-C2")
def test_it_is_settled_by_its_own_rows(people: People, tmp_path: Path, done: list[str]) -> None:
    letter = given(people, tmp_path / "letter.pdf", ["AB"], LETTER)
    pages = Page.census(letter.pk)
    assert letter.status == "PARTIAL_IMPORTED" != settle.SETTLING["catalogue"].status(letter, pages)
    stands = standing(letter, groups_of(letter))
    assert stands.status == "PARTIAL_IMPORTED", "its pages have no say in it"
    assert settle.unsettled_jobs() == []
    asked("UPDATE letter_line SET answered = true WHERE job_id = %s", letter.pk)
    assert settle.unsettled_jobs() == [letter.pk] and settle.status_of(letter) == "FULL_IMPORTED"
    assert settle.settle_job(letter.pk) == "FULL_IMPORTED" and settle.unsettled_jobs() == []
    letter.refresh_from_db()
    assert (letter.completion_source, letter.completion) == ("people", {"lines": sum(census(letter.pk).values())})


@pytest.mark.req("LA-PROMPT")
def test_each_kind_freezes_the_prompts_of_its_own_questions(people: People, tmp_path: Path, done: list[str]) -> None:
    letter = given(people, tmp_path / "letter.pdf", ["AB"], LETTER)
    catalogue = given(people, tmp_path / "book.pdf", ["CD"])
    own = {RULES, *CATALOGUE.questions}
    assert set(letter.prompts) == {RULES, "read_letter"} and set(catalogue.prompts) == own
    assert frozen.wordings(letter)["read_letter"].texts["en"].startswith("Read the letter.")
    assert set(frozen.wordings(letter)) == {RULES, "read_letter"} and set(frozen.wordings(catalogue)) == own


# --- what comes of it -----------------------------------------------------------------------------


@pytest.mark.req("TA-JSON")
def test_its_files_hold_what_it_has(people: People, tmp_path: Path, done: list[str]) -> None:
    letter = given(people, tmp_path / "letter.pdf", ["AB"], LETTER)
    export = exporting.ask_for(people.uploader, people.merchant, letter, Wish("csv"))
    exporting.make_export(export.pk)
    export.refresh_from_db()
    assert (export.status, export.columns) == ("DONE", ["page", "line"])
    with exporting.storage.open_file(export.storage_key) as file:
        head, *lines = csv.reader(io.TextIOWrapper(file, encoding="utf-8"))
    assert head == ["page", "line"] and len(lines) == sum(census(letter.pk).values())
    with pytest.raises(Refused, match="unknown_columns"):
        exporting.ask_for(people.uploader, people.merchant, letter, Wish("csv", ["sku_id"]))
    assert json.loads("".join(result_file.stream(letter))) == {"lines": len(lines)}


@pytest.mark.req("X-PURPOSE")
def test_a_task_opens_on_the_screen_of_its_kind(people: People, done: list[str]) -> None:
    client = Client()
    client.force_login(people.lead)
    screens = {}
    for key in ("letter", "catalogue"):
        page = make_page(make_job(people.merchant, kind=key), 7, "HUMAN_QUEUED")
        task = HumanTask.objects.create(job=page.job, page=page, type="PAGE_REVIEW")
        screens[key] = client.get(reverse("task", args=[task.uuid])).content.decode()
    assert screens["letter"] == "letter 7" and "<html" in screens["catalogue"]


# --- how it is named ------------------------------------------------------------------------------


def give(people: People, key: str, language: str = "en", **values: Any) -> Any:
    bearer = f"Bearer {tokens.issue_token(people.uploader).text}"
    client = Client(headers={"Authorization": bearer, "Accept-Language": language})
    file = SimpleUploadedFile("a.pdf", PDF, "application/pdf")
    return client.post(f"{V1}/jobs", {"file": file, **values}, headers={"Idempotency-Key": key})


@pytest.mark.req("TA-API", "LX-IDEM")
def test_a_program_says_what_a_file_is(people: People, done: list[str]) -> None:
    made = give(people, "key-book")
    assert (made.status_code, made.json()["kind"]) == (201, "catalogue")
    assert give(people, "key-twice").json()["code"] == "duplicate_file"
    other = give(people, "key-letter", kind="letter")
    assert (other.status_code, other.json()["kind"]) == (201, "letter"), "the same file may be both"
    assert give(people, "key-letter", kind="letter").status_code == 200
    assert give(people, "key-letter").json()["code"] == "key_taken"
    assert sorted(Job.objects.values_list("kind", flat=True)) == ["catalogue", "letter"]
    assert set(Upload.objects.values_list("kind", "job__kind")) == {("catalogue", "catalogue"), ("letter", "letter")}


@pytest.mark.req("TA-ERRMAP")
@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "There is no kind of document “poster”. There are: catalogue, study."),
        ("zh-hans", "没有“poster”这种文档。现有：catalogue, study。"),
    ],
)
def test_a_kind_that_there_is_not_is_refused(people: People, language: str, words: str) -> None:
    refused = give(people, "key-poster", language, kind="poster")
    assert (refused.status_code, refused.json()["code"], refused.json()["title"]) == (400, "unknown_kind", words)
    assert refused.json()["action_hint"] and not Upload.objects.exists() and not Job.objects.exists()


@pytest.mark.req("TA-ERRMAP")
def test_a_resumable_upload_and_a_command_say_so_too(people: People, tmp_path: Path) -> None:
    client = Client()
    client.force_login(people.uploader)
    told = "filename YS5wZGY=,key a2V5LXVwbG9hZA==,kind cG9zdGVy"  # a.pdf, key-upload, poster
    headers = {"Upload-Length": "9", "Upload-Metadata": told}
    refused = client.post(reverse("upload_create"), headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (400, "unknown_kind")
    (tmp_path / "a.pdf").write_bytes(PDF)
    with pytest.raises(CommandError, match="no kind of document “poster”. There are: catalogue, study"):
        call_command("extract", str(tmp_path / "a.pdf"), "--kind", "poster")


@pytest.mark.req("LX-IDEM")
def test_an_upload_under_way_goes_on_as_what_it_was_begun_as(people: People, done: list[str]) -> None:
    client = Client()
    client.force_login(people.uploader)
    told = "filename YS5wZGY=,key a2V5LXVwbG9hZA=="  # a.pdf, key-upload
    answers = [
        client.post(reverse("upload_create"), headers={"Upload-Length": "9", "Upload-Metadata": f"{told}{kind}"})
        for kind in (",kind bGV0dGVy", ",kind bGV0dGVy", "")  # a letter, once more, and then a catalogue
    ]
    assert [answer.status_code for answer in answers] == [201, 201, 409]
    assert answers[0]["Location"] == answers[1]["Location"] and answers[2].json()["code"] == "key_taken"
