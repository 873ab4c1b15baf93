"""The REST API as a program uses it: a token, a document, its pages, products, result and tasks (TA-API)."""

import json
import os
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import jwt
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from jsonschema import Draft202012Validator

from annotation.models import HumanTask
from catalogsku.accounts import tokens
from catalogsku.accounts.models import ApiWindow, User
from catalogsku.api import PROBLEMS
from catalogsku.profiles.models import ThresholdProfile
from ingestion import standing
from ingestion.events import Told
from ingestion.lifecycle import JobStatus
from ingestion.models import Job, Page
from ingestion.presentation import Groups
from processing.exports import result_file
from processing.models import Sku
from tests.support.people import People
from tests.support.program import V1, Program
from tests.support.rows import make_job, make_page, make_sku
from tests.support.strangers import Document, cheap_passwords, own_document, told  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cheap_passwords"), pytest.mark.req("TA-API")]

PDF = b"%PDF-1.7\n" + os.urandom(3000) + b"\n%%EOF\n"
PASSWORD = "a-long-one-7"  # not-a-secret


@pytest.fixture
def uploader(people: People) -> Program:
    return Program(people.uploader)


def login(username: str, password: str = PASSWORD) -> Any:
    return Program(None)("POST", "/auth/login", {"username": username, "password": password})


@pytest.fixture
def known(people: People) -> User:
    people.uploader.set_password(PASSWORD)
    people.uploader.save()
    return people.uploader


# --- tokens --------------------------------------------------------------------------------------


@pytest.mark.req("TA-AUTH")
class TestTokens:
    def test_a_name_and_a_password_give_one_that_lasts_a_day(self, known: User) -> None:
        found = login(known.username).json()
        hours = (datetime.fromisoformat(found["expires_at"]) - datetime.now(UTC)).total_seconds() / 3600
        assert 23.9 < hours <= 24
        own = Client(headers={"Authorization": f"Bearer {found['access_token']}"}).get(f"{V1}/auth/me").json()
        assert (own["username"], own["role"]) == (known.username, "uploader")

    def test_wrong_ones_give_none_and_are_throttled(self, known: User) -> None:
        answers = [login(known.username, "wrong") for _ in range(12)]
        assert {answers[0].status_code, answers[-1].status_code} == {401, 429}
        assert answers[-1].json()["code"] == "locked_out"
        assert login(known.username).status_code == 429

    @pytest.mark.parametrize("change", ["password", "role", "disabled"])
    def test_it_ends_with_what_ends_a_session(self, people: People, change: str) -> None:
        program, user = Program(people.annotator), people.annotator
        assert program("GET", "/auth/me").status_code == 200
        if change == "password":
            user.set_password("another")
        elif change == "role":
            user.role = "lead"
        else:
            user.is_active = False
        user.save()
        assert program("GET", "/auth/me").status_code == 401

    def test_it_ends_with_its_time_and_is_taken_from_nobody_else(self, people: People) -> None:
        text = tokens.issue_token(people.uploader).text
        claims = jwt.decode(text, options={"verify_signature": False})
        key = jwt.get_unverified_header(text)["kid"]
        for forged in (
            jwt.encode(claims, "x" * 32, "HS256", headers={"kid": key}),
            jwt.encode(claims, None, "none", headers={"kid": key}),
            text[:-2] + ("aa" if text[-2:] != "aa" else "bb"),
            "",
            "x" * 5000,
        ):
            assert tokens.user_of(forged) is None
        assert tokens.user_of(text) == people.uploader

    def test_an_old_one_is_worth_nothing(self, people: People, monkeypatch: Any) -> None:
        monkeypatch.setattr(tokens, "VALID_FOR", -tokens.VALID_FOR)
        assert tokens.user_of(tokens.issue_token(people.uploader).text) is None

    def test_the_secret_may_be_exchanged_while_tokens_are_out(self, people: People, settings: Any) -> None:
        text = tokens.issue_token(people.uploader).text
        settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another" * 8, [settings.SECRET_KEY]
        people.uploader.refresh_from_db()
        assert tokens.user_of(text) == people.uploader
        settings.SECRET_KEY_FALLBACKS = []
        assert tokens.user_of(text) is None

    def test_a_minute_has_so_many_requests_and_no_more(self, uploader: Program, settings: Any) -> None:
        settings.API_REQUESTS_A_MINUTE = 3
        assert [uploader("GET", "/auth/me").status_code for _ in range(4)] == [200, 200, 200, 429]
        refused = uploader("GET", "/auth/me")
        assert refused.json()["code"] == "too_many_requests"
        assert 1 <= int(refused["Retry-After"]) <= 60
        ApiWindow.objects.update(began_at=datetime(2020, 1, 1, tzinfo=UTC))
        assert uploader("GET", "/auth/me").status_code == 200

    def test_the_cookie_of_the_web_pages_needs_their_token_against_forgery(self, people: People) -> None:
        client = Client(enforce_csrf_checks=True)
        client.force_login(people.uploader)
        assert client.get(f"{V1}/auth/me").status_code == 200
        forged = client.patch(f"{V1}/auth/me", {"display_name": "x"}, content_type="application/json")
        assert forged.status_code == 403


# --- people --------------------------------------------------------------------------------------


@pytest.mark.req("TA-AUTH")
class TestPeople:
    def test_an_administrator_makes_and_disables_them(self, people: People) -> None:
        admin = Program(people.admin)
        new = {"username": "ling", "password": PASSWORD, "role": "annotator", "merchants": [people.merchant.pk]}
        made = admin("POST", "/auth/users", new)
        assert (made.status_code, made.json()["merchants"][0]["name"]) == (201, "North")
        assert admin("POST", "/auth/users", new).json()["code"] == "name_taken"
        assert login("ling").status_code == 200
        assert admin("PATCH", f"/auth/users/{made.json()['id']}/status", {"is_active": False}).status_code == 200
        assert login("ling").status_code == 401

    def test_what_cannot_stand_is_refused_with_its_code(self, people: People) -> None:
        admin, own = Program(people.admin), f"/auth/users/{people.admin.pk}"
        weak = {"username": "ling", "password": "123"}  # not-a-secret
        nowhere = {"username": "ling", "password": PASSWORD, "merchants": [99_999]}
        assert admin("POST", "/auth/users", weak).json()["code"] == "weak_password"
        assert admin("POST", "/auth/users", nowhere).json()["code"] == "no_such_merchant"
        assert not User.objects.filter(username="ling").exists()
        assert admin("PATCH", own, {"role": "uploader"}).json()["code"] == "own_account"
        assert admin("PATCH", "/auth/users/999999", {}).json()["code"] == "no_such_person"

    def test_a_person_changes_their_password(self, known: User) -> None:
        program, new = Program(known), "another-long-8"
        wrong = program("POST", "/auth/change-password", {"old_password": "x", "new_password": new})
        assert wrong.json()["code"] == "wrong_password"
        assert (
            program("POST", "/auth/change-password", {"old_password": PASSWORD, "new_password": new}).status_code == 204
        )
        assert program("GET", "/auth/me").status_code == 401
        assert login(known.username, new).status_code == 200


# --- documents -----------------------------------------------------------------------------------


def give(user: User, key: str = "", data: bytes = PDF, **fields: Any) -> Any:
    client = Client(headers={"Authorization": f"Bearer {tokens.issue_token(user).text}"})
    file = SimpleUploadedFile("chairs.pdf", data, "application/pdf")
    headers = {"Idempotency-Key": key} if key else {}
    return client.post(f"{V1}/jobs", {"file": file, **fields}, headers=headers)


class TestGiving:
    @pytest.fixture(autouse=True)
    def _own_storage(self, document: Document) -> None:
        """What the document of the other tests lies in."""

    def test_the_same_key_gives_the_same_document(self, people: People) -> None:
        first, again = give(people.uploader, "key-12345"), give(people.uploader, "key-12345")
        assert (first.status_code, again.status_code) == (201, 200)
        assert first.json()["job_id"] == again.json()["job_id"]
        assert first.json()["user_status"] == "processing"

    @pytest.mark.req("LX-IDEM")
    @pytest.mark.parametrize(
        ("data", "fields"),
        [(PDF[:-1] + b"\r", {}), (PDF + b" ", {}), (PDF, {"category": "seating"}), (PDF, {"profile": "none-such"})],
        ids=["another file", "a longer file", "another category", "another profile"],
    )
    def test_the_same_key_with_another_body_is_a_conflict(
        self, people: People, data: bytes, fields: dict[str, str]
    ) -> None:
        assert give(people.uploader, "key-12345").status_code == 201
        before = Job.objects.count()
        found = give(people.uploader, "key-12345", data, **fields)
        assert (found.status_code, found.json()["code"]) == (409, "key_taken")
        assert Job.objects.count() == before

    def test_a_file_that_is_there_already_is_named(self, people: People) -> None:
        first = give(people.uploader).json()
        second = give(people.uploader)
        assert (second.status_code, second.json()["code"]) == (409, "duplicate_file")
        assert second.json()["job_id"] == first["job_id"]
        assert give(people.uploader, again=True).status_code == 201

    def test_what_is_no_pdf_is_refused_and_leaves_nothing(self, people: People) -> None:
        before = Job.objects.count()
        found = give(people.uploader, data=b"MZ" + b"\0" * 2000)
        assert (found.status_code, found.json()["code"]) == (415, "not_a_pdf")
        assert Job.objects.count() == before

    def test_a_large_file_comes_in_parts(self, people: People) -> None:
        client = Client(headers={"Authorization": f"Bearer {tokens.issue_token(people.uploader).text}"})
        told = {"Upload-Length": str(len(PDF)), "Upload-Metadata": "filename Y2hhaXJzLnBkZg==,key a2V5LTEyMzQ1Ng=="}
        begun = client.post(f"{V1}/uploads/", headers=told)
        assert begun["Location"].startswith(f"{V1}/uploads/")
        kind = "application/offset+octet-stream"
        half = client.patch(begun["Location"], PDF[:1000], content_type=kind, headers={"Upload-Offset": "0"})
        assert half["Upload-Offset"] == "1000"
        whole = client.patch(begun["Location"], PDF[1000:], content_type=kind, headers={"Upload-Offset": "1000"})
        assert Job.objects.get(uuid=whole["Job-Url"].split("/")[2]).source_bytes == len(PDF)
        assert Client().post(f"{V1}/uploads/", headers=told).status_code == 401


class TestDocuments:
    def test_a_list_goes_on_where_it_stopped_though_documents_come_in(self, people: People, uploader: Program) -> None:
        made = [make_job(people.merchant) for _ in range(5)]
        first = uploader("GET", "/jobs?limit=2").json()
        make_job(people.merchant)
        second = uploader("GET", f"/jobs?limit=2&cursor={first['next']}").json()
        third = uploader("GET", f"/jobs?limit=2&cursor={second['next']}").json()
        found = [item["job_id"] for step in (first, second, third) for item in step["items"]]
        assert found == [str(job.uuid) for job in reversed(made)]
        assert third["next"] is None
        assert uploader("GET", "/jobs?cursor=%21").json()["code"] == "bad_request"

    @pytest.mark.req("TA-PROGDTO")
    def test_progress_names_phase_and_pages(self, people: People, uploader: Program) -> None:
        job = make_job(people.merchant, total_pages=4)
        for number, status in enumerate(("AI_COMPLETED", "AI_QUEUED", "HUMAN_QUEUED", "BLANK"), 1):
            make_page(job, number, status, import_state="confirmed" if number == 1 else "none", stage="NONE")
        found = uploader("GET", f"/jobs/{job.uuid}/progress").json()
        assert (found["current_phase"], found["total_pages"], found["completed_pages"]) == ("processing", 4, 3)
        assert found["page_breakdown"] == {
            "delivered": 1,
            "read": 0,
            "reading": 0,
            "queued": 1,
            "people": 1,
            "failed": 0,
            "empty": 1,
        }
        Page.objects.filter(job=job, number=2).delete()
        assert uploader("GET", f"/jobs/{job.uuid}/progress").json()["current_phase"] == "human_pending"

    @pytest.mark.req("TA-T54", "TA-USERMAP")
    @pytest.mark.parametrize("language", ["zh-hans", "en"])
    def test_every_state_has_words_and_a_hint_for_its_owner(
        self, people: People, uploader: Program, language: str
    ) -> None:
        assert set(standing.USER_STATUS) == set(JobStatus)
        for status in JobStatus:
            job = make_job(people.merchant, status)
            found = uploader("GET", f"/jobs/{job.uuid}", Accept_Language=language).json()
            assert found["user_status"] in ("processing", "partial_success", "completed", "needs_manual", "failed")
            assert found["action_hint"]
            chinese = any("\u4e00" <= letter <= "\u9fff" for letter in found["action_hint"])
            assert chinese == (language == "zh-hans"), found["action_hint"]
        cancelled = make_job(people.merchant, JobStatus.CANCELLED)
        found = uploader("GET", f"/jobs/{cancelled.uuid}").json()
        assert (found["user_status"], found["reason_code"]) == ("failed", "cancelled")

    @pytest.mark.usefixtures("english")
    def test_an_evaluation_that_is_tried_again_is_being_processed(self, people: People) -> None:
        again = make_job(people.merchant, JobStatus.EVAL_FAILED, stage="EVALUATE")
        ended = make_job(people.merchant, JobStatus.EVAL_FAILED, stage="NONE")
        found = standing.standing(again, Groups())
        assert (found.user_status, standing.standing(ended, Groups()).user_status) == ("processing", "failed")
        assert found.phase == "evaluating" and found.word == "Evaluating"

    def test_cancelled_twice_is_a_conflict(self, people: People, uploader: Program) -> None:
        job = make_job(people.merchant)
        make_page(job, 1)
        flying = {"imports_in_flight": 0, "model_calls_in_flight": 0}
        assert uploader("POST", f"/jobs/{job.uuid}/cancel").json() == {"pages": 1, **flying}
        again = uploader("POST", f"/jobs/{job.uuid}/cancel")
        assert (again.status_code, again.json()["code"]) == (409, "job_ended")


class TestResults:
    def test_result_is_what_the_file_is_and_is_not_sent_twice(self, uploader: Program, document: Document) -> None:
        path = f"/jobs/{document.job.uuid}/result"
        found = uploader("GET", path)
        text = told(found).split(" ", 1)[1]
        content = json.loads(text[text.index('{"schema_version"') :])
        Draft202012Validator(json.loads(result_file.SCHEMA_FILE.read_text())).validate(content)
        assert uploader("GET", path, If_None_Match=found["ETag"]).status_code == 304
        make_sku(Page.objects.get(job=document.job), 2)
        assert uploader("GET", path, If_None_Match=found["ETag"]).status_code == 200

    def test_products_are_found_by_their_page_and_text(self, people: People, uploader: Program) -> None:
        job = make_job(people.merchant)
        for number in (1, 2):
            make_sku(make_page(job, number), 1, attributes={"model": f"QX-{number}"})
        assert [s["page_number"] for s in uploader("GET", f"/jobs/{job.uuid}/skus").json()["items"]] == [1, 2]
        found = uploader("GET", f"/jobs/{job.uuid}/skus?q=QX-2").json()["items"]
        assert [s["attributes"]["model"] for s in found] == ["QX-2"]
        assert (
            uploader("GET", f"/jobs/{job.uuid}/skus?page_number=1").json()["items"][0]["attributes"]["model"] == "QX-1"
        )
        assert uploader("GET", f"/jobs/{job.uuid}/skus/nothing").status_code == 404


class TestTasks:
    @pytest.fixture
    def task(self, people: People) -> HumanTask:
        page = make_page(
            make_job(people.merchant),
            1,
            "HUMAN_QUEUED",
            needs_review=True,
            page_type="B",
            layout_type="L3",
            sku_count=1,
        )
        make_sku(page, 1, "PARTIAL", validity="partial", attributes={"model": "QX-1"})
        return HumanTask.objects.create(job=page.job, page=page, type="PAGE_REVIEW")

    def test_a_program_takes_one_corrects_it_and_is_told_so_again(self, people: People, task: HumanTask) -> None:
        program, path = Program(people.annotator), f"/tasks/{task.uuid}"
        assert [t["task_id"] for t in program("GET", "/tasks").json()["items"]] == [str(task.uuid)]
        held = program("POST", f"{path}/lock", {}).json()
        beat = {"token": held["token"], "session": held["session"]}
        assert program("POST", f"{path}/heartbeat", beat).json() == {"lost": False}
        detail = program("GET", path).json()
        assert detail["holder"] == people.annotator.username
        state = detail["state"]
        state["skus"][0]["attributes"]["price"] = {"text": "¥ 12.50", "box": None, "confirmed": True}
        done = {
            "token": held["token"],
            "page_version": detail["page_version"],
            "state": state,
            "submit_id": str(uuid4()),
        }
        answers = [program("POST", f"{path}/complete", done) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [200, 200], answers[0].content
        assert Sku.objects.get(page=task.page, superseded=False).attributes["price"] == "¥ 12.50"

    def test_a_second_one_is_told_who_has_it(self, people: People, task: HumanTask) -> None:
        assert Program(people.annotator)("POST", f"/tasks/{task.uuid}/lock", {}).status_code == 200
        found = Program(people.lead)("POST", f"/tasks/{task.uuid}/lock", {})
        assert (found.status_code, found.json()["code"]) == (409, "task_held")

    def test_each_entry_that_cannot_stay_is_named(self, people: People, task: HumanTask) -> None:
        program, path = Program(people.annotator), f"/tasks/{task.uuid}"
        token = program("POST", f"{path}/lock", {}).json()["token"]
        detail = program("GET", path).json()
        detail["state"]["skus"][0]["attributes"]["model"] = None
        body = {"token": token, "page_version": detail["page_version"], "state": detail["state"]}
        found = program("POST", f"{path}/complete", body)
        assert (found.status_code, found.json()["code"]) == (400, "invalid")
        assert found.json()["problems"][0]["code"] == "identity_missing"
        detail["state"]["skus"][0]["attributes"] |= {"model": {"text": "A-1"}, "price": {"text": "1,86O.00"}}
        mixed = program("POST", f"{path}/complete", body).json()["problems"]
        assert [(one["path"], one["code"]) for one in mixed] == [("skus[0].attributes.price", "figures_mixed")]
        broken = program("POST", f"{path}/complete", {**body, "state": {"skus": "none"}})
        assert (broken.status_code, broken.json()["code"]) == (400, "bad_command")


class TestConfiguration:
    def test_a_version_follows_the_newest_and_waits_for_its_gate(self, people: People) -> None:
        admin, base = Program(people.admin), ThresholdProfile.objects.get(key="default", active=True)
        change = {"expected_version": base.version, "reason": "less human work", "threshold_a": "0.850"}
        made = admin("PUT", f"/config/profiles/{base.pk}", change)
        assert (made.status_code, made.json()["version"], made.json()["active"]) == (201, base.version + 1, False)
        late = admin("PUT", f"/config/profiles/{base.pk}", change)
        assert (late.status_code, late.json()["code"]) == (409, "version_taken")
        wrong = {**change, "expected_version": base.version + 1, "threshold_b": "0.900"}
        assert admin("PUT", f"/config/profiles/{base.pk}", wrong).json()["code"] == "profile_invalid"
        path = f"/ops/config/rollback/{made.json()['id']}"
        assert admin("POST", path, {}).json()["code"] == "gate_report_missing"
        assert admin("POST", path, {"override": "measured by hand"}).json()["active"] is True
        newest = admin("GET", "/ops/config/audit-log?limit=1").json()["items"][0]
        assert (newest["by"], newest["override"]) == (people.admin.username, "measured by hand")


# --- events --------------------------------------------------------------------------------------


@pytest.mark.req("TA-PROGDTO")
class TestEvents:
    def row(self, number: int, state: str, count: str = "") -> dict[str, Any]:
        return {"number": number, "state": state, "count": count, "reason": "why"}

    def test_each_page_is_told_once_a_state(self) -> None:
        told = Told()
        first = list(told.news({"rows": [self.row(1, "AI_PROCESSING"), self.row(2, "AI_QUEUED")]}))
        again = list(told.news({"rows": [self.row(1, "AI_PROCESSING"), self.row(2, "HUMAN_QUEUED")]}))
        last = list(told.news({"rows": [self.row(1, "AI_COMPLETED", "3")]}))
        assert [text.split("\n")[0] for text in first + again + last] == [
            "event: page_started",
            "event: human_needed",
            "event: page_completed",
        ]
        assert '"skus_found":3' in last[0]

    def test_the_end_of_the_document_ends_them(self) -> None:
        told = Told()
        text = list(told.news({"figures": {"status": "FULL_IMPORTED", "skus": "12", "reason": ""}}))
        assert text == ['event: job_completed\ndata: {"status":"FULL_IMPORTED","total_skus":12}\n\n']
        assert told.has_ended

    def test_a_document_that_has_ended_is_told_whole(self, people: People) -> None:
        job = make_job(people.merchant, "CANCELLED")
        make_page(job, 1, "SKIPPED", skip_reason="cancelled")
        found = Program(people.uploader)("GET", f"/jobs/{job.uuid}/events")
        assert found["Content-Type"] == "text/event-stream"


NOWHERE = UUID(int=1)  # the same in every worker that collects these tests
ANONYMOUS_POSTS = [
    "/jobs", f"/jobs/{NOWHERE}/cancel", "/auth/change-password", "/auth/users", "/exports", "/annotations", "/uploads/",
    f"/tasks/{NOWHERE}/lock", "/webhooks", "/ops/eval/run", "/config/reload",
]  # fmt: skip


@pytest.mark.req("TA-ERRMAP", "TA-AUTH")
class TestNobody:
    """What docs/api.md says of who is not signed in, also to browsers that send no CSRF token."""

    @pytest.mark.parametrize("path", ANONYMOUS_POSTS)
    def test_is_told_that_nobody_is_signed_in(self, path: str) -> None:
        found = Client(enforce_csrf_checks=True).post(V1 + path, "{}", content_type="application/json")
        assert (found.status_code, found["Content-Type"]) == (401, "application/problem+json")
        assert (found.json()["code"], found["WWW-Authenticate"]) == ("not_signed_in", "Bearer")

    @pytest.mark.parametrize(("path", "status"), [("/nothing", 404), ("/health", 405), ("/docs", 405)])
    def test_is_told_what_is_not_there(self, path: str, status: int) -> None:
        found = Client(enforce_csrf_checks=True).post(V1 + path, "{}", content_type="application/json")
        assert found.status_code == status

    def test_a_session_still_needs_its_token(self, people: People) -> None:
        client = Client(enforce_csrf_checks=True)
        client.force_login(people.uploader)
        found = client.post(f"{V1}/jobs/{uuid4()}/cancel", "{}", content_type="application/json")
        assert (found.status_code, found.json()["code"]) == (403, "forbidden")


@pytest.mark.req("TA-ERRMAP")
def test_every_code_has_a_status_of_a_refusal() -> None:
    assert all(400 <= status < 600 and str(words) for status, words in PROBLEMS.values())
