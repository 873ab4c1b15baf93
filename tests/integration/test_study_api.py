"""Studies by the API: listed, read record by record, decided on, approved, opened again, each by its people alone."""

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from ingestion.models import Job
from processing.models import Decision, Record
from tests.support.people import People
from tests.support.program import Program
from tests.support.rows import make_job
from tests.support.studies import add_record, found, make_study, say

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-API", "LX-SYS", "LX-UNLOCK")]


@pytest.fixture
def job(people: People) -> Job:
    job = make_study(people.merchant)
    say(Record.objects.get(job=job), found("registration_number", "NCT01234567", "registered as NCT01234567"))
    add_record(job, found("n_randomised", "45", page=2), repeat="per_arm", part="Exercise")
    return job


def at(job: Job, part: str = "", rest: str = "") -> str:
    return f"/studies/{job.uuid}/records/{Record.objects.get(job=job, part=part).uuid}{rest}"


def told(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")


def test_studies_are_listed_with_what_is_open(people: People, job: Job) -> None:
    make_job(people.merchant)
    make_study(people.other)
    second = make_study(people.merchant)
    add_record(second, found("n_randomised", "4"), repeat="per_arm", part="Out", status="REJECTED")
    program = Program(people.annotator)
    assert told(program("post", at(job, "", "/fields/country"), {"verdict": "not_reported"})) == (200, "")
    items = program("get", "/studies").json()["items"]
    assert [(one["job_id"], one["template"], one["decided"], one["undecided"]) for one in items] == [
        (str(second.uuid), "rct/1", 0, 0),
        (str(job.uuid), "rct/1", 1, 2),
    ]
    assert len(program("get", "/studies?template=rct").json()["items"]) == 2
    assert program("get", "/studies?template=rc").json()["items"] == []
    first = program("get", "/studies?limit=1").json()
    following = program("get", f"/studies?limit=1&cursor={first['next']}").json()
    assert [one["job_id"] for one in following["items"]] == [str(job.uuid)] and following["next"] is None


def test_one_study_is_told_with_its_records_and_checks(people: People, job: Job) -> None:
    main = Record.objects.get(job=job, repeat="none")
    say(main, found("n_randomised_total", "92", "In all, 92 adults"))
    add_record(job, found("n_randomised", "46"), repeat="per_arm", part="Control")
    program = Program(people.uploader)
    study = program("get", f"/studies/{job.uuid}").json()
    (value,) = study["records"][0]["values"]
    assert value == {
        "field": "n_randomised_total", "text": "92", "quote": "In all, 92 adults", "page": 1, "method": "rules-1",
        "places": [{"page": 1, "boxes": [[50.0, 90.0, 200.0, 101.5]]}], "reason": "offered", "grade": "yellow",
        "verdict": None, "decision": 0, "decided_by": None, "decided_at": None,
    }  # fmt: skip
    assert [check["check"] for check in study["checks"]] == ["arms_sum_to_total"]
    step = program("get", f"/studies/{job.uuid}?limit=2").json()
    rest = program("get", f"/studies/{job.uuid}?limit=2&cursor={step['next']}").json()
    assert [len(step["records"]), len(rest["records"]), rest["next"]] == [2, 1, None]
    assert told(program("get", f"/studies/{make_job(people.merchant).uuid}")) == (404, "not_found")


def test_a_value_is_decided_on_by_whoever_has_seen_the_last_word(people: People, job: Job) -> None:
    annotator, uploader = Program(people.annotator), Program(people.uploader)
    path = at(job, "", "/fields/registration_number")
    confirmed = annotator("post", path, {"verdict": "confirmed"}).json()
    (value,) = confirmed["values"]
    assert (value["verdict"], value["decided_by"], confirmed["revision"]) == ("confirmed", "annotator", 2)
    assert told(uploader("post", path, {"verdict": "not_reported"})) == (409, "value_moved_on")
    said = {"verdict": "corrected", "text": "NCT7", "seen": value["decision"]}
    (value,) = uploader("post", path, said).json()["values"]
    assert (value["text"], value["grade"], value["reason"], value["decided_by"]) == (
        "NCT7", None, "no_quote", "uploader"
    )  # fmt: skip
    back = annotator("post", f"{path}/withdraw", {"seen": value["decision"]}).json()["values"][0]
    assert (back["text"], back["verdict"], back["decided_by"]) == ("NCT01234567", "confirmed", "annotator")
    assert told(annotator("post", f"{path}/withdraw", {"seen": 0})) == (409, "value_moved_on")
    assert told(annotator("post", at(job, "", "/fields/country/withdraw"), {"seen": 0})) == (409, "not_decided")


@pytest.mark.req("TA-ERRMAP")
@pytest.mark.parametrize(
    ("field", "said", "right"),
    [
        ("n_randomised_total", {"verdict": "corrected", "text": "ninety"}, (422, "value_form")),
        ("country", {"verdict": "confirmed"}, (409, "nothing_to_confirm")),
        ("nothing", {"verdict": "not_reported"}, (404, "not_found")),
        ("n_randomised", {"verdict": "not_reported"}, (404, "not_found")),
        ("country", {"verdict": "perhaps"}, (422, "bad_request")),
        ("country", {"verdict": "corrected", "text": "x", "quote": "q" * 2001}, (422, "bad_request")),
        ("country", {"verdict": "corrected", "text": "a\x00"}, (400, "bad_request")),
    ],
)
def test_what_cannot_be_said_has_a_code(
    people: People, job: Job, field: str, said: dict[str, Any], right: tuple[int, str]
) -> None:
    assert told(Program(people.lead)("post", at(job, "", f"/fields/{field}"), said)) == right
    assert not Decision.objects.exists()


def test_a_study_is_approved_and_opened_again(people: People, job: Job) -> None:
    lead, path = Program(people.lead), f"/studies/{job.uuid}"
    assert told(lead("post", f"{path}/reopen")) == (409, "record_closed")
    assert told(lead("post", f"{path}/approve", {})) == (409, "study_undecided")
    missing = lead("post", f"{path}/approve", {"drop_rest": True})
    assert told(missing) == (409, "required_missing") and "study_id" in missing.json()["title"]
    for field in ("study_id", "study_design", "n_randomised_total", "condition"):
        assert lead("post", at(job, "", f"/fields/{field}"), {"verdict": "not_reported"}).status_code == 200
    assert lead("post", f"{path}/approve", {"drop_rest": True}).json() == {"records": 1}
    assert set(Record.objects.filter(job=job).values_list("part", "status")) == {
        ("", "APPROVED"),
        ("Exercise", "REJECTED"),
    }
    closed = lead("post", at(job, "", "/fields/country"), {"verdict": "not_reported"}, accept_language="zh-hans")
    assert told(closed) == (409, "record_closed") and not closed.json()["title"].isascii()
    assert lead("post", f"{path}/reopen").json() == {"records": 1}


def test_arms_are_added_left_out_and_taken_in(people: People, job: Job) -> None:
    program = Program(people.annotator)
    made = program("post", f"/studies/{job.uuid}/parts", {"repeat": "per_arm", "part": " Rest  cure "})
    assert (made.status_code, made.json()["part"], made.json()["status"]) == (201, "Rest cure", "REVIEW")
    again = {"repeat": "per_arm", "part": "Rest cure"}
    assert told(program("post", f"/studies/{job.uuid}/parts", again)) == (409, "part_known")
    assert told(program("post", f"/studies/{job.uuid}/parts", {**again, "part": " "})) == (422, "part_name")
    path = at(job, "Rest cure", "/left-out")
    assert program("post", path, {"left_out": True}).json()["status"] == "REJECTED"
    assert told(program("post", path, {"left_out": True})) == (409, "record_closed")
    assert program("post", path, {"left_out": False}).json()["status"] == "REVIEW"
    assert told(program("post", at(job, "", "/left-out"), {"left_out": True})) == (409, "record_closed")


def test_a_cancelled_study_is_read_and_changed_no_more(people: People) -> None:
    job = make_study(people.merchant, status="CANCELLED")
    program = Program(people.lead)
    assert program("get", f"/studies/{job.uuid}").json()["status"] == "CANCELLED"
    assert told(program("post", f"/studies/{job.uuid}/approve", {"drop_rest": True})) == (409, "job_ended")
    assert told(program("post", at(job, "", "/fields/country"), {"verdict": "not_reported"})) == (409, "job_ended")


@pytest.mark.req("X-MATRIX")
@pytest.mark.parametrize("name", ["other_uploader", "outsider"])
def test_a_study_is_there_for_its_merchant_alone(people: People, job: Job, name: str) -> None:
    stranger, foreign = Program(people.named(name)), make_study(people.other)
    calls = [
        ("get", f"/studies/{job.uuid}", None), ("post", f"/studies/{job.uuid}/approve", {}),
        ("post", f"/studies/{job.uuid}/reopen", None), ("post", at(job, "", "/left-out"), {"left_out": True}),
        ("post", f"/studies/{job.uuid}/parts", {"repeat": "per_arm", "part": "x"}),
        ("post", at(job, "", "/fields/country"), {"verdict": "not_reported"}),
        ("post", at(job, "", "/fields/country/withdraw"), {"seen": 0}),
    ]  # fmt: skip
    for method, path, body in calls:
        answer, missing = stranger(method, path, body), path.replace(str(job.uuid), str(uuid.uuid4()))
        assert told(answer) == (404, "not_found") == told(stranger(method, missing, body)), path
    assert str(job.uuid) not in stranger("get", "/studies").content.decode()
    own = Program(people.uploader)
    record = Record.objects.get(job=foreign).uuid
    mixed = f"/studies/{job.uuid}/records/{record}/fields/country"
    assert told(own("post", mixed, {"verdict": "not_reported"})) == (404, "not_found"), "of another study"


def test_an_upload_that_names_no_template_says_so(people: People) -> None:
    client = Client()
    client.force_login(people.uploader)
    told = "filename YS5wZGY=,key a2V5LXVwbG9hZA==,kind c3R1ZHk="  # a.pdf, key-upload, study
    for named, code in (("", "template_missing"), (",template bm9uZQ==", "unknown_template")):
        refused = client.post(reverse("upload_create"), headers={"Upload-Length": "9", "Upload-Metadata": told + named})
        assert (refused.status_code, refused.json()["code"]) == (400, code)
        assert refused.json()["action_hint"] and "rct" in refused.json()["title"]
