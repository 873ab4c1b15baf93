"""How long things are kept and what is deleted, over REST: the same rules, refusals and record as on the screen."""

from typing import Any

import pytest

from ingestion.keeping.policies import DEFAULT_DAYS
from ingestion.keeping.selectors import days
from ingestion.keeping.services import deleting
from ingestion.models import Deletion, Job, KeepingRule
from tests.support.kept import ended
from tests.support.people import People
from tests.support.program import Program
from tests.support.rows import make_job

pytestmark = [pytest.mark.django_db, pytest.mark.req("TA-KEEP", "TA-API")]


@pytest.fixture
def admin(people: People) -> Program:
    return Program(people.admin)


def rule(admin: Program, query: str = "") -> Any:
    return admin("GET", f"/ops/keeping{query}").json()


def test_a_rule_of_one_merchant_stands_over_that_of_all(admin: Program, people: People) -> None:
    assert rule(admin)["days"] == DEFAULT_DAYS and set(rule(admin)["own"].values()) == {None}
    assert admin("PUT", "/ops/keeping", {"days": {"sources": 12, "traces": 0}}).json()["days"]["sources"] == 12
    own = {"merchant_id": people.merchant.pk, "days": {"sources": 90}}
    answer = admin("PUT", "/ops/keeping", own).json()
    assert (answer["days"]["sources"], answer["days"]["traces"], answer["own"]["traces"]) == (90, None, None)
    assert (days(people.merchant.pk)["sources"], days(people.other.pk)["sources"]) == (90, 12)
    assert rule(admin, f"?merchant_id={people.merchant.pk}") == answer
    assert KeepingRule.objects.count() == 2


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({"days": {"sources": -1}}, 422),
        ({"days": {"sources": 99_999_999}}, 422),
        ({"days": {"everything": 3}}, 422),
        ({"days": {}, "merchant": 1}, 422),
        ({"days": {}, "merchant_id": 999_999}, 404),
    ],
)
def test_what_is_no_rule_is_refused_and_nothing_is_changed(admin: Program, given: dict[str, Any], status: int) -> None:
    assert admin("PUT", "/ops/keeping", given).status_code == status
    assert not KeepingRule.objects.exists()


def test_a_document_is_told_of_first_and_then_goes_with_its_record(admin: Program, people: People) -> None:
    job = ended(make_job(people.merchant), 1)
    target = {"subject": "document", "which": str(job.uuid)}
    would = admin("POST", "/ops/deletions/preview", target).json()
    assert would["documents"] == 1 and sum(would["rows"].values()) > 0 and Job.objects.filter(pk=job.pk).exists()
    answer = admin("POST", "/ops/deletions", target)
    assert (answer.status_code, answer.json()["state"]) == (202, "rows")
    assert admin("POST", "/ops/deletions", target).json()["id"] == answer.json()["id"], "asked for twice it is one"
    deleting.carry_out(answer.json()["id"])
    done = admin("GET", f"/ops/deletions/{answer.json()['id']}").json()
    assert done["state"] == "done" and done["ended_at"] and done["hashes"]["file"] == job.file_sha256
    assert admin("GET", "/ops/deletions").json()["items"] == [done]
    assert not Job.objects.filter(pk=job.pk).exists()


def test_what_is_under_way_stays(admin: Program, people: People) -> None:
    job = make_job(people.merchant)
    target = {"subject": "document", "which": str(job.uuid)}
    for path in ("/ops/deletions/preview", "/ops/deletions"):
        answer = admin("POST", path, target)
        assert (answer.status_code, answer.json()["code"]) == (409, "under_way")
    assert admin("POST", "/ops/deletions", {"subject": "person", "which": people.admin.username}).status_code == 409
    assert admin("POST", "/ops/deletions", {"subject": "merchant", "which": "nobody"}).status_code == 404
    assert admin("POST", "/ops/deletions", {"subject": "all", "which": "x"}).status_code == 422
    assert not Deletion.objects.exists()
