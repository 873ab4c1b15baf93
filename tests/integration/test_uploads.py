"""Uploads by the tus protocol, through the web: resumed where they stopped, refused before bytes, one job a file."""

import base64
import errno
import hashlib
import json
import os
import threading
import time
import uuid
from collections import namedtuple
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.storage import default_storage
from django.test import Client
from django.utils import timezone, translation

from catalogsku.accounts.models import User
from catalogsku.core import storage
from catalogsku.core.errors import Conflict, ProductError
from ingestion.models import Job, Quota, Upload
from ingestion.problems import PROBLEMS, sentence
from ingestion.services import disk, quotas, receiving
from ingestion.services import parts as upload_parts
from tests.support.people import People
from tests.support.rows import in_threads

MIB = 1 << 20
PDF = b"%PDF-1.7\n" + os.urandom(3000) + b"\n%%EOF\n"


@pytest.fixture(autouse=True)
def _own_storage(tmp_path: Path, settings: Any) -> Iterator[None]:
    settings.MEDIA_ROOT = tmp_path
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": str(tmp_path)}},
    }
    return


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def meta(**pairs: str) -> str:
    return ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in pairs.items())


def create(client: Client, size: int = len(PDF), name: str = "chairs.pdf", **pairs: str) -> Any:
    pairs.setdefault("key", uuid.uuid4().hex)
    return client.post(
        "/uploads/", headers={"Upload-Length": str(size), "Upload-Metadata": meta(filename=name, **pairs)}
    )


def send(client: Client, url: str, offset: int, data: bytes) -> Any:
    return client.patch(
        url, data, content_type="application/offset+octet-stream", headers={"Upload-Offset": str(offset)}
    )


def uploaded(client: Client, data: bytes = PDF, **pairs: str) -> Any:
    return send(client, create(client, len(data), **pairs)["Location"], 0, data)


def parts() -> list[str]:
    return sorted(path.name for path in upload_parts._folder().iterdir())


# --- the whole way -------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.req("X-UPLOAD", "TA-FHASH")
def test_a_file_in_three_parts_becomes_one_job_with_its_hash(people: People) -> None:
    client = signed_in(people.uploader)
    answer = create(client, category="home")
    assert (answer.status_code, answer["Upload-Offset"], answer["Tus-Resumable"]) == (201, "0", "1.0.0")
    url, at = answer["Location"], 0
    for size in (1000, 1500, len(PDF)):
        answer = send(client, url, at, PDF[at : at + size])
        at = min(at + size, len(PDF))
        assert (answer.status_code, answer["Upload-Offset"]) == (204, str(at))
    job = Job.objects.get()
    assert answer["Job-Url"] == f"/jobs/{job.uuid}/"
    assert "Duplicate-Of-Url" not in answer
    assert (job.file_sha256, job.source_bytes) == (hashlib.sha256(PDF).hexdigest(), len(PDF))
    assert job.head_sha256 == hashlib.sha256(PDF[:MIB]).hexdigest()
    assert (job.merchant, job.uploader, job.category, job.stage, job.status) == (
        people.merchant,
        people.uploader,
        "home",
        "INSPECT",
        "UPLOADED",
    )
    assert default_storage.open(job.source_key).read() == PDF
    assert parts() == []
    head = client.head(url)
    assert (head["Upload-Offset"], head["Job-Url"]) == (str(len(PDF)), answer["Job-Url"])


@pytest.mark.django_db
@pytest.mark.req("X-UPLOAD")
def test_an_upload_goes_on_from_the_committed_offset_with_another_client(people: People) -> None:
    client = signed_in(people.uploader)
    url = create(client, key="same-key-1")["Location"]
    send(client, url, 0, PDF[:1000])
    elsewhere = signed_in(people.uploader)
    assert elsewhere.head(url)["Upload-Offset"] == "1000"
    again = create(elsewhere, key="same-key-1")
    assert (again["Location"], again["Upload-Offset"]) == (url, "1000")
    assert send(elsewhere, url, 1000, PDF[1000:]).status_code == 204
    assert Job.objects.get().file_sha256 == hashlib.sha256(PDF).hexdigest()


@pytest.mark.django_db
@pytest.mark.req("X-UPLOAD")
def test_a_first_part_too_short_to_show_what_it_is_is_not_refused(people: People) -> None:
    client = signed_in(people.uploader)
    url = create(client)["Location"]
    assert send(client, url, 0, PDF[:3]).status_code == 204
    assert send(client, url, 3, PDF[3:]).status_code == 204


@pytest.mark.django_db
@pytest.mark.req("X-UPLOAD")
def test_a_wrong_offset_is_a_conflict_and_changes_nothing(people: People) -> None:
    client = signed_in(people.uploader)
    url = create(client)["Location"]
    send(client, url, 0, PDF[:1000])
    for offset in (0, 999, 1001):
        answer = send(client, url, offset, PDF[1000:])
        assert (answer.status_code, answer.json()["code"]) == (409, "offset_mismatch")
    assert client.head(url)["Upload-Offset"] == "1000"
    assert len(parts()) == 1


@pytest.mark.req("X-UPLOAD")
def test_of_two_windows_that_send_the_same_part_one_wins(committed: None, people: People) -> None:
    """While the first still writes its part, the second comes with another one."""
    create(signed_in(people.uploader))
    is_writing = threading.Event()

    def first() -> int | str:
        blocks = iter([PDF[:9] + b"a" * 491, b"a" * 500])

        def read(size: int) -> bytes:
            is_writing.set()
            time.sleep(0.2)
            return next(blocks, b"")

        return sent(read)

    def second() -> int | str:
        assert is_writing.wait(10)
        blocks = iter([PDF[:9] + b"b" * 1191])
        return sent(lambda size: next(blocks, b""))

    def sent(read: Callable[[int], bytes]) -> int | str:
        try:
            return receiving.receive_part(Upload.objects.get(), 0, read)
        except Conflict as refused:
            return refused.code

    assert in_threads([first, second]) == [1000, "offset_mismatch"]
    upload = Upload.objects.get()
    assert (upload.offset_bytes, parts()) == (1000, [f"{upload.uuid}.part"])
    assert (upload_parts._folder() / f"{upload.uuid}.part").read_bytes() == PDF[:9] + b"a" * 991


@pytest.mark.req("X-UPLOAD")
def test_what_lies_behind_the_committed_offset_never_counts(committed: None, people: People) -> None:
    """A part was written and its process died before the commit: the part that is sent again lies over it."""
    client = signed_in(people.uploader)
    url = create(client)["Location"]
    send(client, url, 0, PDF[:1000])
    with (upload_parts._folder() / parts()[0]).open("ab") as file:
        file.write(b"z" * 5000)
    assert client.head(url)["Upload-Offset"] == "1000"
    assert send(client, url, 1000, PDF[1000:2000]).status_code == 204
    assert send(client, url, 2000, PDF[2000:]).status_code == 204
    assert Job.objects.get().file_sha256 == hashlib.sha256(PDF).hexdigest()


@pytest.mark.django_db
@pytest.mark.req("X-UPLOAD", "TA-DISK")
def test_a_disk_that_fills_while_a_part_arrives_answers_503_and_keeps_the_offset(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = signed_in(people.uploader)
    url = create(client)["Location"]
    send(client, url, 0, PDF[:1000])

    def full(number: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as harm:
        harm.setattr(upload_parts.os, "fdatasync", full)
        answer = send(client, url, 1000, PDF[1000:])
    assert (answer.status_code, answer.json()["code"]) == (503, "disk_full")
    assert client.head(url)["Upload-Offset"] == "1000"
    assert send(client, url, 1000, PDF[1000:]).status_code == 204
    assert Job.objects.get().file_sha256 == hashlib.sha256(PDF).hexdigest()


# --- refused before or while bytes arrive --------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.req("TA-T23", "TA-ERRMAP")
@pytest.mark.parametrize(
    ("size", "pairs", "status", "code"),
    [
        (0, {}, 400, "empty_file"),
        (200 * MIB + 1, {}, 413, "too_large"),
        (5000, {"name": "chairs.xlsx"}, 415, "not_a_pdf"),
        (5000, {"profile": "nobody-made-it"}, 400, "unknown_profile"),
        (5000, {"key": "short"}, 400, "bad_request"),
        (5000, {"head_sha256": "xyz"}, 400, "bad_request"),
    ],
)
def test_is_refused_before_a_byte_is_sent_in_both_languages(
    people: People, size: int, pairs: dict[str, str], status: int, code: str
) -> None:
    client = signed_in(people.uploader)
    answer = create(client, size, **pairs)
    assert (answer.status_code, answer.json()["code"], answer["Content-Type"]) == (
        status,
        code,
        "application/problem+json",
    )
    titles = set()
    for language in ("zh-hans", "en"):
        client.cookies["django_language"] = language
        titles.add(create(client, size, **pairs).json()["title"])
    assert len(titles) == 2, "two languages, two sentences"
    assert not Upload.objects.exists()
    assert not Job.objects.exists()


@pytest.mark.req("TA-ERRMAP")
@pytest.mark.parametrize("code", sorted(PROBLEMS))
def test_every_code_has_a_status_and_a_sentence_in_both_languages(code: str) -> None:
    params: dict[str, object] = {
        "max_mb": 8,
        "max": 8,
        "name": "a.pdf",
        "what": "key",
        "pages": 2,
        "known": "catalogue",
        "kind": "catalogue",
        "template": "rct",
    }
    sentences = []
    for language in ("en", "zh-hans"):
        with translation.override(language):
            sentences.append(sentence(code, params))
    assert 400 <= PROBLEMS[code][0] < 600
    assert sentences[0] != sentences[1]
    assert all("%(" not in text and text for text in sentences)


@pytest.mark.django_db
@pytest.mark.req("TA-T23")
def test_bytes_that_are_no_pdf_are_refused_with_the_first_part(people: People) -> None:
    client = signed_in(people.uploader)
    url = create(client)["Location"]
    answer = send(client, url, 0, b"PK\x03\x04" + bytes(2000))
    assert (answer.status_code, answer.json()["code"]) == (415, "not_a_pdf")
    assert (client.head(url).status_code, parts(), Upload.objects.count()) == (404, [], 0)


@pytest.mark.django_db
@pytest.mark.req("TA-T23")
def test_bytes_that_are_no_pdf_are_refused_as_soon_as_enough_of_them_are_there(people: People) -> None:
    """However small the parts are: with the byte that completes the place where the signature may stand."""
    client = signed_in(people.uploader)
    url = create(client)["Location"]
    junk = b"PK\x03\x04" + bytes(2000)
    assert send(client, url, 0, junk[:600]).status_code == 204
    assert send(client, url, 600, junk[600:1000]).status_code == 204
    answer = send(client, url, 1000, junk[1000:1100])
    assert (answer.status_code, answer.json()["code"], parts()) == (415, "not_a_pdf", [])
    tiny = create(client, 4)["Location"]
    assert send(client, tiny, 0, b"%PDF").status_code == 415, "the whole file is there, and is none"


@pytest.mark.django_db
@pytest.mark.req("X-UPLOAD")
def test_a_part_over_eight_mb_or_beyond_the_end_is_refused_and_counts_for_nothing(people: People) -> None:
    client = signed_in(people.uploader)
    url = create(client, 20 * MIB)["Location"]
    answer = send(client, url, 0, PDF + bytes(8 * MIB))
    assert (answer.status_code, answer.json()["code"]) == (413, "chunk_too_large")
    small = create(client, len(PDF))["Location"]
    assert send(client, small, 0, PDF + b"more").status_code == 413
    assert (client.head(url)["Upload-Offset"], client.head(small)["Upload-Offset"]) == ("0", "0")
    assert send(client, small, 0, PDF).status_code == 204
    assert Job.objects.get().file_sha256 == hashlib.sha256(PDF).hexdigest()


@pytest.mark.django_db
@pytest.mark.req("X-MATRIX", "TA-T43")
def test_only_those_who_may_upload_can(people: People) -> None:
    assert create(Client()).status_code == 401
    for name in ("annotator", "lead", "outsider"):
        answer = create(signed_in(people.named(name)))
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden"), name
    lone = User.objects.create(username="lone", role="uploader")
    answer = create(signed_in(lone))
    assert (answer.status_code, answer.json()["code"]) == (403, "no_merchant")
    assert not Upload.objects.exists()


@pytest.mark.django_db
@pytest.mark.req("TA-DISK")
def test_a_full_disk_refuses_new_uploads_with_503_and_when_to_come_again(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    disk = [usage(1000 * MIB, 940 * MIB, 60 * MIB)]
    monkeypatch.setattr(storage.shutil, "disk_usage", lambda path: disk[0])
    client = signed_in(people.uploader)
    assert create(client, 5 * MIB).status_code == 201
    answer = create(client, 20 * MIB)
    assert (answer.status_code, answer.json()["code"], answer["Retry-After"]) == (503, "disk_full", "60")
    disk[0] = usage(1000 * MIB, 951 * MIB, 49 * MIB)
    assert create(client, 100).status_code == 503


# --- who it belongs to ---------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.req("TA-T43", "X-UPLOAD")
@pytest.mark.parametrize("stranger", ["other_uploader", "colleague", "annotator", "outsider"])
def test_an_upload_of_somebody_else_is_not_there(people: People, stranger: str) -> None:
    url = create(signed_in(people.uploader))["Location"]
    client = signed_in(people.named(stranger))
    missing = f"/uploads/{uuid.uuid4()}/"
    for answer, of_nobody in (
        (client.head(url), client.head(missing)),
        (send(client, url, 0, PDF), send(client, missing, 0, PDF)),
        (client.delete(url), client.delete(missing)),
    ):
        assert answer.status_code == of_nobody.status_code == 404
        told, told_of_nobody = (json.loads(each.content or b"{}") for each in (answer, of_nobody))
        assert {**told, "request_id": ""} == {**told_of_nobody, "request_id": ""}
    assert Upload.objects.get().offset_bytes == 0


@pytest.mark.django_db
@pytest.mark.req("X-UPLOAD")
def test_an_expired_upload_is_gone_and_its_key_begins_anew(people: People) -> None:
    client = signed_in(people.uploader)
    url = create(client, key="again-and-again")["Location"]
    send(client, url, 0, PDF[:1000])
    Upload.objects.update(expires_at=timezone.now() - timezone.timedelta(seconds=1))
    answer = send(client, url, 1000, PDF[1000:])
    assert (answer.status_code, answer.json()["code"]) == (404, "upload_gone")
    fresh = create(client, key="again-and-again")
    assert fresh["Location"] != url
    assert send(client, fresh["Location"], 0, PDF).status_code == 204
    Upload.objects.update(job=None, expires_at=timezone.now() - timezone.timedelta(seconds=1))
    assert receiving.clean_uploads()["expired"] == 1


@pytest.mark.django_db
@pytest.mark.req("X-UPLOAD")
def test_a_web_clock_two_days_behind_ends_no_new_upload(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    client = signed_in(people.uploader)
    with monkeypatch.context() as late:
        late.setattr(timezone, "now", lambda: datetime.now(UTC) - timedelta(days=2))
        url = create(client)["Location"]
    assert send(client, url, 0, PDF).status_code == 204


@pytest.mark.req("X-UPLOAD", "TA-FHASH")
def test_a_stored_file_is_there_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed while it stores the file, a process must not leave a part under the name that stands for the whole."""
    source = tmp_path / "whole.pdf"
    source.write_bytes(PDF)

    def half(path: Path, target: Path) -> None:
        assert not storage.has_file("m1/aa/source.pdf")
        target.write_bytes(PDF[:100])
        assert not storage.has_file("m1/aa/source.pdf")
        raise OSError("no space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(storage.shutil, "copyfile", half)
        with pytest.raises(OSError, match="no space"):
            storage.put_file("m1/aa/source.pdf", source)
    assert not storage.has_file("m1/aa/source.pdf")
    storage.put_file("m1/aa/source.pdf", source)
    assert storage.open_file("m1/aa/source.pdf").read() == PDF
    assert [path.name for path in (tmp_path / "m1/aa").iterdir()] == ["source.pdf"]


@pytest.mark.django_db
@pytest.mark.req("X-UPLOAD")
def test_giving_up_deletes_what_arrived(people: People) -> None:
    client = signed_in(people.uploader)
    url = create(client)["Location"]
    send(client, url, 0, PDF[:1000])
    assert client.delete(url).status_code == 204
    assert (client.head(url).status_code, parts()) == (404, [])


# --- the same again ------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.req("TA-FHASH")
def test_the_same_bytes_again_name_the_earlier_document(people: People) -> None:
    client = signed_in(people.uploader)
    first = uploaded(client)
    second = uploaded(signed_in(people.colleague))
    assert second["Duplicate-Of-Url"] == first["Job-Url"] != second["Job-Url"]
    assert Job.objects.values("source_key").distinct().count() == 1


@pytest.mark.django_db
@pytest.mark.req("TA-FHASH")
def test_a_known_file_is_refused_before_its_bytes_unless_wanted_again(people: People) -> None:
    client = signed_in(people.uploader)
    head = hashlib.sha256(PDF[:MIB]).hexdigest()
    first = uploaded(client, head_sha256=head)
    answer = create(client, head_sha256=head)
    body = answer.json()
    assert (answer.status_code, body["code"], body["job_url"]) == (409, "duplicate_file", first["Job-Url"])
    assert body["existing"]["name"] == "chairs.pdf"
    assert create(client, len(PDF) + 1, head_sha256=head).status_code == 201, "another length is another file"
    assert create(client, head_sha256=head, again="1").status_code == 201
    Job.objects.update(status="CANCELLED")
    assert create(client, head_sha256=head).status_code == 201, "what was cancelled is no reason"


@pytest.mark.django_db
@pytest.mark.req("TA-FHASH", "TA-T43")
def test_another_merchant_learns_nothing_of_it(people: People) -> None:
    head = hashlib.sha256(PDF[:MIB]).hexdigest()
    first = uploaded(signed_in(people.uploader), head_sha256=head)
    stranger = signed_in(people.other_uploader)
    assert create(stranger, head_sha256=head).status_code == 201
    answer = uploaded(stranger, head_sha256=head)
    assert "Duplicate-Of-Url" not in answer
    ours, theirs = (Job.objects.get(uuid=a["Job-Url"].split("/")[2]) for a in (first, answer))
    assert ours.source_key != theirs.source_key
    assert theirs.merchant == people.other


@pytest.mark.django_db
@pytest.mark.req("TA-SKUKEY")
def test_another_file_with_the_same_eight_digits_gets_others(people: People) -> None:
    from ingestion.services.jobs import Source, create_job

    sums = ["deadbeef" + c * 56 for c in "012"]
    jobs = [
        create_job(None, people.merchant.pk, Source("a.pdf", "k", 1, s), idempotency_key=f"key-of-{s[-1]}")[0]
        for s in sums
    ]
    assert jobs[0].hash8 == "deadbeef"
    assert len({job.hash8 for job in jobs}) == 3
    again, _ = create_job(None, people.merchant.pk, Source("a.pdf", "k", 1, sums[1]), idempotency_key="another-key")
    assert again.hash8 == jobs[1].hash8, "the same file keeps its digits"
    other, _ = create_job(None, people.other.pk, Source("a.pdf", "k", 1, sums[1]), idempotency_key="key-of-theirs")
    assert other.hash8 == "deadbeef"


@pytest.mark.req("LX-IDEM")
def test_one_key_twice_at_once_makes_one_job(committed: None, people: People) -> None:
    from ingestion.services.jobs import Source, create_job

    source = Source("a.pdf", "key", 10, "c" * 64)
    made = in_threads([lambda: create_job(None, people.merchant.pk, source, idempotency_key="the-only-key")] * 8)
    assert len({job.pk for job, _ in made}) == 1
    assert sum(created for _, created in made) == 1
    assert Job.objects.count() == 1


@pytest.mark.req("LX-IDEM", "X-UPLOAD")
def test_ending_one_upload_twice_at_once_gives_the_same_job(committed: None, people: People) -> None:
    """The part's answer was lost and the browser asks again while the first request still puts the file together."""
    client = signed_in(people.uploader)
    create(client)
    upload = Upload.objects.get()
    blocks = iter([PDF])
    receiving.receive_part(upload, 0, lambda size: next(blocks, b""))

    def end() -> Job | str:
        try:
            return receiving.finish_upload(people.uploader, Upload.objects.get())[0]
        except ProductError as error:
            return error.code

    for _ in range(3):
        assert {str(job) for job in in_threads([end] * 6)} == {"chairs.pdf"}
    assert Job.objects.count() == 1
    assert parts() == []


@pytest.mark.django_db
@pytest.mark.req("X-UPLOAD")
def test_a_whole_file_whose_job_was_never_made_gets_it_when_asked_for(people: People) -> None:
    client = signed_in(people.uploader)
    url = create(client)["Location"]
    blocks = iter([PDF])
    receiving.receive_part(Upload.objects.get(), 0, lambda size: next(blocks, b""))
    assert not Job.objects.exists()
    assert client.head(url)["Job-Url"] == f"/jobs/{Job.objects.get().uuid}/"


@pytest.mark.django_db
@pytest.mark.req("X-UPLOAD")
def test_a_file_name_is_shown_and_never_a_path(people: People) -> None:
    uploaded(signed_in(people.uploader), name="../../etc/\x07pass\\..\\wd.pdf")
    job = Job.objects.get()
    assert job.source_name == "wd.pdf"
    assert job.source_key.startswith(f"m{people.merchant.pk}/")
    assert settings.UPLOAD_CHUNK_BYTES == 8 * MIB


# --- keys and quotas -----------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.req("LX-IDEM", "X-UPLOAD")
def test_a_key_that_another_person_or_another_file_has_is_refused_instead_of_shared(people: People) -> None:
    mine = create(signed_in(people.uploader), key="chosen-by-both")
    assert mine.status_code == 201
    for answer in (
        create(signed_in(people.colleague), key="chosen-by-both"),
        create(signed_in(people.uploader), len(PDF) + 1, key="chosen-by-both"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (409, "key_taken")
    assert create(signed_in(people.other_uploader), key="chosen-by-both").status_code == 201
    assert create(signed_in(people.uploader), key="chosen-by-both")["Location"] == mine["Location"]


@pytest.mark.django_db
@pytest.mark.req("LX-IDEM")
def test_a_key_never_gives_the_job_of_another_file(people: People) -> None:
    """The upload that made the job is forgotten; the job still has its key."""
    client = signed_in(people.uploader)
    first = uploaded(client, key="used-long-ago")
    Upload.objects.all().delete()
    assert uploaded(client, key="used-long-ago")["Job-Url"] == first["Job-Url"], "the same file again"
    Upload.objects.all().delete()
    answer = uploaded(client, PDF[:-1] + b"\r", key="used-long-ago")
    assert (answer.status_code, answer.json()["code"]) == (409, "key_taken")
    assert Job.objects.count() == 1


def refused(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


@pytest.mark.django_db
@pytest.mark.req("TA-DISK")
def test_a_merchant_stays_within_its_quota_and_others_do_not_notice(people: People, settings: Any) -> None:
    client, other = signed_in(people.uploader), signed_in(people.other_uploader)
    settings.QUOTA_STORAGE_MB, settings.QUOTA_OPEN_UPLOADS, settings.QUOTA_JOBS_IN_WORK = 1, 2, 2
    assert refused(create(client, MIB + 1)) == (413, "quota_storage")
    first = create(client, MIB // 2, key="the-first-of-two")
    assert refused(create(client, MIB // 2 + 1)) == (413, "quota_storage"), "what is announced counts"
    assert create(client, 2000).status_code == 201
    answer = create(client, 2000)
    assert (*refused(answer), answer["Retry-After"]) == (429, "quota_uploads", "60")
    again = create(client, MIB // 2, key="the-first-of-two")
    assert again["Location"] == first["Location"], "an upload under way goes on"
    assert create(other, MIB // 2).status_code == 201
    Upload.objects.all().delete()
    uploaded(client)
    uploaded(client, PDF[:-1] + b"\r")
    assert refused(create(client)) == (429, "quota_jobs")
    Job.objects.update(status="FULL_IMPORTED")
    assert create(client).status_code == 201
    Quota.objects.create(merchant=people.merchant, open_uploads=0)
    assert refused(create(client)) == (429, "quota_uploads")
    assert create(other, 2000).status_code == 201


@pytest.mark.django_db
@pytest.mark.req("TA-DISK", "TA-FHASH")
def test_the_same_bytes_twice_count_once(people: People, settings: Any) -> None:
    settings.QUOTA_STORAGE_MB = 1
    client = signed_in(people.uploader)
    half = PDF + bytes(MIB // 3)
    uploaded(client, half)
    uploaded(client, half)
    assert quotas.stored_bytes(people.merchant.pk) == len(half)


@pytest.mark.req("TA-DISK")
def test_uploads_begun_at_once_do_not_pass_the_quota_together(committed: None, people: People, settings: Any) -> None:
    settings.QUOTA_OPEN_UPLOADS = 3

    def begin() -> str:
        try:
            receiving.begin_upload(people.uploader, receiving.Announcement("a.pdf", 2000, uuid.uuid4().hex))
        except ProductError as error:
            return error.code
        return "begun"

    assert sorted(in_threads([begin] * 8)) == ["begun"] * 3 + ["quota_uploads"] * 5


@pytest.mark.django_db
@pytest.mark.req("TA-DISK")
def test_an_administrator_sets_a_merchants_quota(people: People) -> None:
    client = signed_in(people.admin)
    answer = client.post("/admin/ingestion/quota/add/", {"merchant": people.merchant.pk, "storage_mb": "7"})
    assert answer.status_code == 302
    assert quotas.allowance(people.merchant.pk).storage_mb == 7
    assert quotas.allowance(people.merchant.pk).open_uploads == quotas.allowance(people.other.pk).open_uploads
    answer = client.post("/admin/ingestion/quota/add/", {"merchant": people.other.pk, "storage_mb": "-1"})
    assert answer.status_code == 200 and not Quota.objects.filter(merchant=people.other).exists()


# --- a disk that fills ---------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.req("TA-DISK")
@pytest.mark.parametrize(("ratio", "warned", "left"), [(0.7, 0, 3), (0.8, 1, 3), (0.9, 1, 2)])
def test_a_disk_that_fills_is_told_and_then_cleaned(
    people: People,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    ratio: float,
    warned: int,
    left: int,
) -> None:
    """What open uploads have sent stays; what lies about of ended ones, and was not touched for minutes, goes."""
    client = signed_in(people.uploader)
    send(client, create(client)["Location"], 0, PDF[:1000])
    for name, age_s in (("old.part", 1000), ("fresh.part", 0)):
        path = upload_parts._folder() / name
        path.write_bytes(PDF)
        os.utime(path, (time.time() - age_s, time.time() - age_s))
    monkeypatch.setattr(storage, "disk_usage_ratio", lambda more_bytes=0: ratio)
    disk.watch_disk()
    assert [record.levelname for record in caplog.records if "disk" in record.message] == ["WARNING"] * warned
    assert len(parts()) == left
    assert (left == 3) == ("old.part" in parts())
