"""Files with scripts or attachments: refused, or read from a copy without them; and what every refusal offers."""

import os
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from catalogsku.core import storage
from catalogsku.core.errors import Conflict
from catalogsku.core.models import Transition
from ingestion.models import FileRule, Job
from ingestion.problems import PROBLEMS, WAYS_ON
from ingestion.services import copies
from ingestion.services.jobs import give_password
from ingestion.services.receiving import submit_file
from ingestion.verdicts import BY_CODE, CURED_BY_COPY, Outcome
from processing.pages.services import checking, copying
from tests.support import hostile
from tests.support.people import People
from tests.support.program import Program
from tests.support.rows import make_job, make_worker

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-T23", "TA-VERDICT")]
CORPUS = Path(os.environ.get("CORPUS_DIR", "/nowhere"), "hostile")
SCRIPTED = hostile.with_catalog(b"/OpenAction 6 0 R", hostile.SCRIPT)
ATTACHED = hostile.with_catalog(
    b"/Names<</EmbeddedFiles<</Names[(a)7 0 R]>>>>",
    hostile.stream(b"MZ", b"/Type/EmbeddedFile"),
    b"<</Type/Filespec/F(a.exe)/EF<</F 6 0 R>>>>",
)
REFUSALS = sorted(code for code, rule in BY_CODE.items() if rule.outcome is not Outcome.NOTE)


@pytest.fixture(autouse=True)
def worker(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = str(tmp_path / "media")
    row = make_worker("cpu")
    monkeypatch.setattr(checking, "current_worker", lambda: row)


def checked(people: People, folder: Path, data: bytes, key: str = "scripted") -> Job:
    path = folder / f"{key}.pdf"
    path.write_bytes(data)
    return check(submit_file(people.uploader, people.merchant.pk, path, key=key))


def check(job: Job) -> Job:
    checking.inspect_job(job.pk)
    return Job.objects.get(pk=job.pk)


def signed_in(user: Any) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(user)
    return client


def bytes_of(job: Job) -> bytes:
    with storage.open_file(job.source_key) as file:
        return file.read()


@pytest.mark.parametrize(("data", "code"), [(SCRIPTED, "javascript"), (ATTACHED, "embedded_file")])
def test_a_refused_file_is_read_from_a_copy_once_somebody_says_so(
    people: People, tmp_path: Path, data: bytes, code: str
) -> None:
    job = checked(people, tmp_path, data)
    assert (job.status, job.failure_code, job.copy_sha256) == ("REJECTED", code, "")
    original = job.source_key
    assert copies.read_copy(job, "uploader") and not copies.read_copy(job, "lead"), "a second press does nothing"
    assert Transition.objects.filter(entity="job", trigger="copy_wanted", actor="uploader").count() == 1
    job = check(job)
    assert (job.status, job.stage, job.failure_code, job.total_pages) == ("UPLOADED", "PRESCAN", "", 1)
    assert job.notes == ["read_from_copy"] and not copies.read_copy(job, "uploader")
    copy = bytes_of(job)
    assert storage.has_file(original) and job.source_key != original
    assert (tmp_path / "scripted.pdf").read_bytes() == Path(storage.default_storage.path(original)).read_bytes()
    assert job.copy_sha256 == storage.sha256_of(Path(storage.default_storage.path(job.source_key)))
    assert b"FST-100" in copy and b"JavaScript" not in copy and b"EmbeddedFile" not in copy


def test_a_file_that_is_fine_or_refused_for_something_else_has_no_copy(people: People, tmp_path: Path) -> None:
    fine = checked(people, tmp_path, hostile.pdf(), "fine")
    huge = checked(people, tmp_path, hostile.with_media_box(b"0 0 14401 600"), "huge")
    for job in (fine, huge):
        with pytest.raises(Conflict, match="no_copy_asked"):
            copies.read_copy(job, "uploader")
    assert (fine.copy_sha256, huge.failure_code) == ("", "page_too_large")


def test_the_copy_is_inspected_like_any_file(people: People, tmp_path: Path) -> None:
    FileRule.objects.create(merchant=people.merchant, active_files="copy")
    pages = b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 14401 600]>>"
    catalog = hostile.CATALOG[:-2] + b"/OpenAction 6 0 R>>"
    job = checked(people, tmp_path, hostile.pdf(hostile.SCRIPT, catalog=catalog, pages=pages))
    assert (job.status, job.failure_code, job.copy_sha256) == ("REJECTED", "page_too_large", "")


@pytest.mark.parametrize("leaves", ["nothing", "a link", "the original"])
def test_a_child_that_leaves_no_copy_or_one_with_scripts_is_not_believed(
    people: People, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leaves: str
) -> None:
    make = copying.make_copy

    def left(job: Job, metered: Any, source: Path, folder: Path) -> Any:
        outcome, path = make(job, metered, source, folder)
        assert path is not None
        if leaves == "the original":
            path.write_bytes(source.read_bytes())
            return outcome, path
        path.unlink()
        if leaves == "a link":
            path.symlink_to(source)
        return outcome, path if copying.sandboxes.is_own_file(path) else None

    monkeypatch.setattr(copying, "make_copy", left)
    job = checked(people, tmp_path, SCRIPTED)
    copies.read_copy(job, "uploader")
    job = check(job)
    assert (job.status, job.failure_code, job.copy_sha256) == ("REJECTED", "copy_failed", "")
    assert not copies.read_copy(job, "uploader"), "it is not tried again and again"
    assert Job.objects.get(pk=job.pk).status == "REJECTED"


def test_a_locked_file_with_scripts_asks_for_its_password_again(people: People, tmp_path: Path) -> None:
    (tmp_path / "plain.pdf").write_bytes(SCRIPTED)
    with pikepdf.open(tmp_path / "plain.pdf") as pdf:
        pdf.save(tmp_path / "locked.pdf", encryption=pikepdf.Encryption(owner="o", user="geheim"))
    job = checked(people, tmp_path, (tmp_path / "locked.pdf").read_bytes())
    give_password(job, "geheim", "uploader")
    job = check(job)
    assert (job.failure_code, job.password) == ("javascript", None)
    copies.read_copy(job, "uploader")
    job = check(job)
    assert job.failure_code == "password_needed"
    give_password(job, "geheim", "uploader")
    job = check(job)
    assert (job.status, job.notes, bool(job.copy_sha256)) == ("UPLOADED", ["read_from_copy"], True)
    with pytest.raises(pikepdf.PasswordError):
        pikepdf.open(storage.default_storage.path(job.source_key))


def test_a_merchants_rule_reads_copies_at_once_and_of_no_other_merchant(people: People, tmp_path: Path) -> None:
    copies.set_rule(people.other, "copy", people.admin)
    assert checked(people, tmp_path, SCRIPTED, "first").failure_code == "javascript"
    copies.set_rule(people.merchant, "copy", people.lead)
    job = checked(people, tmp_path, SCRIPTED, "second")
    assert (job.status, job.copy_wanted, bool(job.copy_sha256)) == ("UPLOADED", False, True)
    copies.set_rule(people.merchant, "refuse", people.uploader)
    assert checked(people, tmp_path, SCRIPTED, "third").failure_code == "javascript"


@pytest.mark.skipif(not CORPUS.is_dir(), reason="CORPUS_DIR names no folder with hostile files")
@pytest.mark.parametrize(
    "name",
    [
        *("attachment_names.pdf", "js_doc_actions.pdf", "js_openaction_url.pdf"),
        *("launch_action.pdf", "launch_windows_all_triggers.pdf"),
    ],
)
def test_a_file_of_strangers_is_read_from_a_copy(people: People, tmp_path: Path, name: str) -> None:
    job = checked(people, tmp_path, (CORPUS / name).read_bytes())
    assert job.failure_code in CURED_BY_COPY
    copies.read_copy(job, "uploader")
    job = check(job)
    assert (job.status, job.stage, job.failure_code) == ("UPLOADED", "PRESCAN", "")
    assert "read_from_copy" in job.notes


class TestScreens:
    def test_the_button_is_pressed_by_an_uploader_or_a_lead(self, people: People) -> None:
        job = make_job(people.merchant, "REJECTED", failure_code="javascript")
        for user, shown in ((people.uploader, True), (people.lead, True), (people.annotator, False)):
            page = signed_in(user).get(reverse("job", args=[job.uuid])).content.decode()
            assert ("Read it without its scripts</button>" in page) == shown, user
        assert signed_in(people.annotator).post(reverse("job_copy", args=[job.uuid])).status_code == 403
        assert signed_in(people.other_uploader).post(reverse("job_copy", args=[job.uuid])).status_code == 404
        client = signed_in(people.lead)
        for _ in range(2):
            assert client.post(reverse("job_copy", args=[job.uuid])).status_code == 302
        job.refresh_from_db()
        assert (job.status, job.stage, job.copy_wanted) == ("UPLOADED", "INSPECT", True)

    def test_a_merchant_sets_its_rule(self, people: People) -> None:
        client = signed_in(people.lead)
        page = client.get(reverse("file_rule")).content.decode()
        assert 'value="refuse" required checked' in page
        assert client.post(reverse("file_rule"), {"active_files": "copy"}).status_code == 302
        assert copies.rule_of(people.merchant.pk).active_files == "copy"
        assert 'value="copy" required checked' in client.get(reverse("file_rule")).content.decode()
        assert "field-error" in client.post(reverse("file_rule"), {"active_files": "run"}).content.decode()
        foreign = {"active_files": "refuse", "merchant": people.other.pk}
        assert client.post(reverse("file_rule"), foreign).status_code == 404
        assert copies.rule_of(people.merchant.pk).active_files == "copy", "nor is one's own changed in its place"
        assert list(FileRule.objects.values_list("merchant", flat=True)) == [people.merchant.pk]

    def test_who_belongs_to_no_merchant_is_told(self, people: People) -> None:
        people.uploader.merchants.clear()
        client = signed_in(type(people.uploader).objects.get(pk=people.uploader.pk))
        assert "You belong to no merchant" in client.get(reverse("file_rule")).content.decode()

    def test_the_document_says_that_a_copy_was_read(self, people: People) -> None:
        job = make_job(people.merchant, notes=["read_from_copy"], copy_sha256="c" * 64, total_pages=1)
        side = signed_in(people.uploader).get(reverse("job_region", args=[job.uuid]), {"part": "side"}).content.decode()
        assert "A copy without scripts, actions and attachments was read" in side


class TestPrograms:
    def test_a_program_has_a_copy_read(self, people: People, tmp_path: Path) -> None:
        job = checked(people, tmp_path, SCRIPTED)
        program = Program(people.uploader)
        told = program("get", f"/jobs/{job.uuid}").json()
        assert (told["reason_code"], told["copy_hash"]) == ("javascript", None)
        assert "without its scripts" in told["action_hint"]
        for _ in range(2):
            assert program("post", f"/jobs/{job.uuid}/copy").status_code == 200
        job = check(job)
        assert program("get", f"/jobs/{job.uuid}").json()["copy_hash"] == job.copy_sha256
        fine = checked(people, tmp_path, hostile.pdf(), "fine")
        refused = program("post", f"/jobs/{fine.uuid}/copy")
        assert (refused.status_code, refused.json()["code"]) == (409, "no_copy_asked")

    def test_a_program_reads_and_sets_the_rule(self, people: People) -> None:
        lead, admin = Program(people.lead), Program(people.admin)
        own = {"merchant_id": people.merchant.pk, "active_files": "refuse"}
        assert lead("get", "/file-rule").json() == own
        assert lead("put", "/file-rule", {"active_files": "copy"}).json() == {**own, "active_files": "copy"}
        foreign = {"active_files": "copy", "merchant_id": people.other.pk}
        assert lead("put", "/file-rule", foreign).status_code == 404
        assert lead("put", "/file-rule", {"active_files": "run"}).status_code == 422
        assert admin("get", "/file-rule").status_code == 400, "of whom?"
        assert admin("put", "/file-rule", foreign).json() == foreign
        assert admin("get", f"/file-rule?merchant_id={people.other.pk}").json()["active_files"] == "copy"


# --- every refusal offers its way on ---------------------------------------------------------------------


@pytest.mark.parametrize("code", REFUSALS)
def test_every_refusal_says_what_may_be_done_now(people: People, code: str) -> None:
    """On the document's page, in the list and to programs, in both languages."""
    job = make_job(people.merchant, "REJECTED", failure_code=code, uploader=people.uploader, stage="NONE")
    ways = {}
    for language in ("en", "zh-hans"):
        people.uploader.language = language
        people.uploader.save(update_fields=["language"])
        client = Client(headers={"accept-language": language})
        client.force_login(people.uploader)
        with translation.override(language):
            ways[language] = str(BY_CODE[code].hint)
        for address in (reverse("job", args=[job.uuid]), reverse("documents")):
            page = client.get(address).content.decode()
            assert ways[language] in page.replace("&#x27;", "'"), (language, address)
        told = Program(people.uploader)("get", f"/jobs/{job.uuid}", accept_language=language).json()
        assert (told["reason_code"], told["action_hint"]) == (code, ways[language])
    assert ways["en"] and ways["zh-hans"] and ways["en"] != ways["zh-hans"]


def test_every_refusal_of_an_upload_says_what_may_be_done_now(people: People) -> None:
    not_of_uploads = {
        *("bad_request", "too_many_streams", "job_ended", "models_not_asked", "no_password_asked", "no_copy_asked"),
        *("source_gone", "under_way", "merchant_under_way", "last_admin", "person_at_work"),
        *("no_such_page", "not_found", "unavailable"),
        *(code for code in PROBLEMS if code.startswith("edition_")),
    }
    assert set(WAYS_ON) == set(PROBLEMS) - not_of_uploads
    for code, way in WAYS_ON.items():
        told = []
        for language in ("en", "zh-hans"):
            with translation.override(language):
                told.append(str(way))
        assert all(told) and told[0] != told[1], code


def test_a_problem_carries_its_way_on(people: People) -> None:
    given = {"HTTP_TUS_RESUMABLE": "1.0.0", "HTTP_UPLOAD_METADATA": "filename YS5kb2M=,key c29tZS1rZXktMQ=="}
    client = signed_in(people.uploader)
    refused = client.post(reverse("upload_create"), HTTP_UPLOAD_LENGTH="9", **given)  # type: ignore[arg-type]
    assert refused.json()["code"] == "not_a_pdf"
    assert refused.json()["action_hint"] == "Save the document as PDF and upload that file."
