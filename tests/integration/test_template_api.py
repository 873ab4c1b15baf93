"""Templates of studies by the API: listed, cloned, edited version by version, and every mistake told at its place."""

import uuid
from typing import Any

import pytest

from processing.models import Template, TemplateVersion
from processing.studies import selectors
from processing.studies.services import templates
from tests.support.people import People
from tests.support.program import Program

pytestmark = [pytest.mark.django_db, pytest.mark.req("LX-FIELDS", "LX-SYS", "X-MATRIX")]

ASKED = {"groups": [{"key": "g", "labels": {"en": "G"}, "fields": [{"key": "n", "labels": {"en": "N"}}]}]}


def shipped(key: str = "rct") -> Template:
    return Template.objects.get(merchant=None, key=key)


def clone(program: Program, **given: Any) -> Any:
    return program("post", f"/templates/{shipped().uuid}/clone", {"key": "own", **given})


def test_a_program_clones_edits_and_archives(people: People) -> None:
    lead = Program(people.lead)
    listed = lead("get", "/templates").json()["items"]
    assert [(row["key"], row["merchant_id"], row["version"]) for row in listed] == [
        ("cohort", None, 1),
        ("diagnostic_accuracy", None, 1),
        ("rct", None, 1),
    ]
    made = clone(lead, name="Mine")
    assert (made.status_code, made.json()["number"], made.json()["created_by"]) == (201, 1, "lead")
    at = f"/templates/{made.json()['template_id']}"
    assert lead("get", at).json() | {"id": ""} == {
        "id": "", "merchant_id": people.merchant.pk, "key": "own", "name": "Mine", "name_zh": "", "archived": False,
        "version": 1,
    }  # fmt: skip
    change = {"expected_version": 1, "definition": ASKED, "reason": "shorter"}
    assert lead("post", f"{at}/versions", change).json()["number"] == 2
    stale = lead("post", f"{at}/versions", {**change, "definition": {**ASKED, "checks": []}})
    assert (stale.status_code, stale.json()["code"]) == (409, "template_stale")
    again = lead("post", f"{at}/versions", {**change, "expected_version": 2})
    assert (again.status_code, again.json()["number"]) == (201, 2)
    versions = lead("get", f"{at}/versions?limit=1").json()
    assert [row["number"] for row in versions["items"]] == [2] and versions["next"]
    older = lead("get", f"{at}/versions?cursor={versions['next']}").json()
    assert [row["number"] for row in older["items"]] == [1] and older["next"] is None
    assert lead("get", f"{at}/versions/1").json()["definition"] == selectors.get_version(shipped()).definition
    assert lead("get", f"{at}/versions/3").status_code == 404
    assert lead("post", f"{at}/archive", {}).json()["archived"] is True
    assert "own" not in [row["key"] for row in lead("get", "/templates").json()["items"]]
    assert "own" in [row["key"] for row in lead("get", "/templates?archived=true").json()["items"]]
    assert lead("post", f"{at}/versions", change).json()["code"] == "template_archived"
    assert lead("post", f"{at}/archive", {"archived": False}).json()["archived"] is False


def test_mistakes_are_told_at_their_places(people: People) -> None:
    lead = Program(people.lead)
    at = f"/templates/{clone(lead).json()['template_id']}/versions"
    wrong = {"groups": [{**ASKED["groups"][0], "key": "G"}], "checks": [{"check": "between", "field": "x"}]}
    found = lead("post", at, {"expected_version": 1, "definition": wrong})
    assert (found.status_code, found.json()["code"]) == (422, "template_invalid")
    assert [(one["path"], one["code"]) for one in found.json()["problems"]] == [
        ("groups.0.key", "bad_key"),
        ("checks.0.field", "check_unknown_field"),
        ("checks.0.least", "bad_range"),
    ]
    assert found.json()["problems"][1]["message"] == "There is no field x."
    chinese = lead("post", at, {"expected_version": 1, "definition": {"groups": []}}, accept_language="zh-hans")
    assert chinese.json()["problems"][0]["message"] == "模板至少需要一个含字段的分组。"
    sign = {"groups": [{**ASKED["groups"][0], "key": "\ud800"}]}
    assert lead("post", at, {"expected_version": 1, "definition": sign}).status_code in (400, 422)
    assert TemplateVersion.objects.filter(template__key="own").count() == 1


def test_what_is_shipped_stays(people: People) -> None:
    admin = Program(people.admin)
    at = f"/templates/{shipped().uuid}"
    assert admin("post", f"{at}/versions", {"expected_version": 1, "definition": ASKED}).json()["code"] == (
        "template_shipped"
    )
    assert admin("post", f"{at}/archive", {}).json()["code"] == "template_shipped"
    assert clone(admin).status_code == 400, "an administrator says for whom"
    assert clone(admin, merchant_id=people.other.pk).status_code == 201
    assert clone(admin, merchant_id=people.other.pk).json()["code"] == "template_key_taken"


def test_roles_read_and_leads_write(people: People) -> None:
    at = f"/templates/{shipped().uuid}"
    for user in (people.uploader, people.annotator, people.outsider):
        program = Program(user)
        assert program("get", "/templates").status_code == program("get", f"{at}/versions/1").status_code == 200
        assert clone(program).status_code == 403
    assert Program(None)("get", "/templates").status_code == 401


def test_another_merchants_templates_are_not_there(people: People) -> None:
    theirs = templates.clone_template(selectors.get_version(shipped()), people.other, people.admin, key="own").template
    lead = Program(people.lead)
    for method, path, body in (
        ("get", "", None),
        ("get", "/versions", None),
        ("get", "/versions/1", None),
        ("post", "/clone", {}),
        ("post", "/versions", {"expected_version": 1, "definition": ASKED}),
        ("post", "/archive", {}),
    ):
        answers = [lead(method, f"/templates/{one}{path}", body) for one in (theirs.uuid, uuid.uuid4())]
        assert [answer.status_code for answer in answers] == [404, 404], path
    assert clone(lead, merchant_id=people.other.pk).status_code == 404
    assert len(lead("get", "/templates?archived=true").json()["items"]) == 3
