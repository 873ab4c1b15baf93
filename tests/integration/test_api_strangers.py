"""Who may ask the REST API for what: every operation, for every role on every side (X-MATRIX)."""

import uuid
from dataclasses import dataclass
from typing import Any

import pytest

from annotation.models import HumanTask
from catalogsku.accounts.models import User
from catalogsku.accounts.permissions import Action, may
from catalogsku.api import api
from processing.models import Export, Template
from tests.integration.test_strangers import state
from tests.support.people import People
from tests.support.program import V1, Program
from tests.support.strangers import EVERYBODY, SECRET, Document, own_document, person, sees, told  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.req("X-MATRIX", "TA-T43", "TA-API")]

ANYBODY, SIGNED_IN = "anybody", "signed in"


@dataclass(frozen=True)
class Operation:
    """``body``: one that its schema takes; what it then says of a document that is not in such a state is no matter."""

    right: Action | str
    body: Any = None

    def allows(self, user: User | None) -> bool:
        if self.right == ANYBODY:
            return True
        return user is not None and (self.right == SIGNED_IN or may(user, Action(self.right)))


NOBODYS = str(uuid.UUID(int=7))
OPERATIONS: dict[tuple[str, str], Operation] = {
    ("post", "/auth/login"): Operation(ANYBODY, {"username": "a", "password": "b"}),
    ("get", "/auth/me"): Operation(SIGNED_IN),
    ("patch", "/auth/me"): Operation(SIGNED_IN, {}),
    ("post", "/auth/change-password"): Operation(SIGNED_IN, {"old_password": "a", "new_password": "b"}),
    ("get", "/auth/users"): Operation(Action.OPERATE),
    ("post", "/auth/users"): Operation(Action.OPERATE, {"username": "x", "password": "x"}),
    ("patch", "/auth/users/{user_id}"): Operation(Action.OPERATE, {"display_name": "x"}),
    ("patch", "/auth/users/{user_id}/status"): Operation(Action.OPERATE, {"is_active": False}),
    ("get", "/jobs"): Operation(Action.SEE_JOBS),
    ("post", "/jobs"): Operation(Action.UPLOAD, {}),
    ("get", "/jobs/{job_id}"): Operation(Action.SEE_JOBS),
    ("get", "/jobs/{job_id}/pages"): Operation(Action.SEE_JOBS),
    ("get", "/jobs/{job_id}/progress"): Operation(Action.SEE_JOBS),
    ("get", "/jobs/{job_id}/events"): Operation(Action.SEE_JOBS),
    ("post", "/jobs/{job_id}/cancel"): Operation(Action.CANCEL_JOB),
    ("post", "/jobs/{job_id}/requeue"): Operation(Action.SUPERVISE),
    ("post", "/jobs/{job_id}/rerun"): Operation(Action.RETRY, {}),
    ("post", "/jobs/{job_id}/models"): Operation(Action.UPLOAD, {"go": True}),
    ("post", "/jobs/{job_id}/password"): Operation(Action.UPLOAD, {"password": "a"}),
    ("post", "/jobs/{job_id}/copy"): Operation(Action.READ_COPY),
    ("get", "/file-rule"): Operation(Action.READ_COPY),
    ("put", "/file-rule"): Operation(Action.READ_COPY, {"active_files": "refuse"}),
    ("get", "/skus"): Operation(Action.SEE_RESULTS),
    ("get", "/jobs/{job_id}/skus"): Operation(Action.SEE_RESULTS),
    ("get", "/jobs/{job_id}/skus/{sku_id}"): Operation(Action.SEE_RESULTS),
    ("get", "/jobs/{job_id}/skus/{sku_id}/also-in"): Operation(Action.SEE_RESULTS),
    ("post", "/jobs/{job_id}/skus/{sku_id}/corrections"): Operation(
        Action.CORRECT, {"field": "model", "value": "M", "revision": 1}
    ),
    ("post", "/jobs/{job_id}/skus/{sku_id}/corrections/{correction_id}/undo"): Operation(Action.CORRECT),
    ("get", "/dictionaries"): Operation(Action.SUPERVISE),
    ("get", "/dictionaries/{dictionary_id}"): Operation(Action.SUPERVISE),
    ("put", "/dictionaries"): Operation(Action.SUPERVISE, {"entries": [], "expected_version": 9, "reason": "x"}),
    ("post", "/dictionaries/try"): Operation(Action.SUPERVISE, {"entries": [], "job_id": NOBODYS}),
    ("get", "/templates"): Operation(Action.SEE_JOBS),
    ("get", "/templates/{template_id}"): Operation(Action.SEE_JOBS),
    ("get", "/templates/{template_id}/versions"): Operation(Action.SEE_JOBS),
    ("get", "/templates/{template_id}/versions/{number}"): Operation(Action.SEE_JOBS),
    ("post", "/templates/{template_id}/clone"): Operation(Action.SUPERVISE, {}),
    ("post", "/templates/{template_id}/versions"): Operation(
        Action.SUPERVISE, {"expected_version": 1, "definition": {}}
    ),
    ("post", "/templates/{template_id}/archive"): Operation(Action.SUPERVISE, {}),
    ("get", "/studies"): Operation(Action.SEE_RESULTS),
    ("get", "/studies/{job_id}"): Operation(Action.SEE_RESULTS),
    ("get", "/studies/{job_id}/compare"): Operation(Action.SEE_RESULTS),
    ("post", "/studies/{job_id}/parts"): Operation(Action.REVIEW, {"repeat": "per_arm", "part": "x"}),
    ("post", "/studies/{job_id}/records/{record_id}/fields/{field}"): Operation(
        Action.REVIEW, {"verdict": "confirmed"}
    ),
    ("post", "/studies/{job_id}/records/{record_id}/fields/{field}/withdraw"): Operation(Action.REVIEW, {"seen": 1}),
    ("post", "/studies/{job_id}/records/{record_id}/left-out"): Operation(Action.REVIEW, {"left_out": True}),
    ("post", "/studies/{job_id}/approve"): Operation(Action.REVIEW, {}),
    ("post", "/studies/{job_id}/reopen"): Operation(Action.REVIEW),
    ("get", "/correction-rule"): Operation(Action.SUPERVISE),
    ("put", "/correction-rule"): Operation(Action.SUPERVISE, {"at_once": False}),
    ("get", "/jobs/{job_id}/pictures/{image_id}"): Operation(Action.SEE_RESULTS),
    ("get", "/jobs/{job_id}/result"): Operation(Action.SEE_RESULTS),
    ("get", "/jobs/{job_id}/export/{kind}"): Operation(Action.EXPORT),
    ("get", "/jobs/{job_id}/evaluation"): Operation(Action.SEE_JOBS),
    ("get", "/jobs/{job_id}/edition"): Operation(Action.SEE_RESULTS),
    ("get", "/jobs/{job_id}/edition/changes"): Operation(Action.SEE_RESULTS),
    ("post", "/jobs/{job_id}/edition"): Operation(Action.APPROVE, {"edition_of": NOBODYS}),
    ("post", "/jobs/{job_id}/edition/undo"): Operation(Action.APPROVE),
    ("post", "/jobs/{job_id}/edition/choose"): Operation(Action.APPROVE, {"goes": False, "keys": ["x"]}),
    ("post", "/jobs/{job_id}/edition/choose/undo"): Operation(Action.APPROVE),
    ("get", "/jobs/{job_id}/edition/renamings"): Operation(Action.SEE_RESULTS),
    ("post", "/jobs/{job_id}/edition/renamings"): Operation(
        Action.APPROVE, {"earlier_sku_id": "x", "sku_id": "y", "taken": True}
    ),
    ("post", "/jobs/{job_id}/edition/approve"): Operation(Action.APPROVE, {"digest": "x"}),
    ("get", "/jobs/{job_id}/traces/{number}"): Operation(Action.SEE_RESULTS),
    ("post", "/exports"): Operation(Action.EXPORT, {"kind": "csv"}),
    ("get", "/exports"): Operation(Action.EXPORT),
    ("get", "/exports/{export_id}"): Operation(Action.EXPORT),
    ("get", "/export-layouts"): Operation(Action.EXPORT),
    ("post", "/export-layouts"): Operation(Action.EXPORT, {"name": "x", "columns": ["model"]}),
    ("delete", "/export-layouts/{layout_id}"): Operation(Action.EXPORT),
    ("get", "/tasks"): Operation(Action.SEE_TASKS),
    ("get", "/tasks/{task_id}"): Operation(Action.SEE_TASKS),
    ("post", "/tasks/{task_id}/lock"): Operation(Action.SEE_TASKS, {}),
    ("post", "/tasks/{task_id}/heartbeat"): Operation(Action.SEE_TASKS, {"token": 1, "session": NOBODYS}),
    ("post", "/tasks/{task_id}/release"): Operation(Action.SEE_TASKS, {"token": 1}),
    ("post", "/tasks/{task_id}/complete"): Operation(
        Action.SEE_TASKS,
        {"token": 1, "page_version": 1, "state": {"page_type": "A", "layout_type": "L3", "skus": [], "roles": {}}},
    ),
    ("post", "/tasks/{task_id}/skip"): Operation(Action.SEE_TASKS, {"token": 1, "reason": "other"}),
    ("post", "/tasks/{task_id}/reject"): Operation(Action.SEE_TASKS, {"token": 1, "reason": "other"}),
    ("post", "/tasks/{task_id}/comments"): Operation(Action.SEE_TASKS, {"text": "x"}),
    ("post", "/tasks/{task_id}/retry"): Operation(Action.RETRY),
    ("post", "/tasks/{task_id}/revert"): Operation(Action.SUPERVISE, {"reason": "x"}),
    ("post", "/annotations"): Operation(
        Action.SEE_TASKS,
        {
            "task_id": NOBODYS,
            "token": 1,
            "page_version": 1,
            "state": {"page_type": "A", "layout_type": "L3", "skus": [], "roles": {}},
        },
    ),
    ("get", "/ops/annotators/{username}/stats"): Operation(Action.SUPERVISE),
    ("post", "/ops/eval/run"): Operation(Action.OPERATE, {"golden": "none"}),
    ("get", "/ops/eval/runs/{run_id}"): Operation(Action.SEE_QUALITY),
    ("post", "/config/reload"): Operation(Action.OPERATE),
    ("post", "/ops/tasks/batch-skip"): Operation(Action.SUPERVISE, {"tasks": [NOBODYS], "reason": "x"}),
    ("post", "/ops/tasks/batch-reassign"): Operation(Action.SUPERVISE, {"tasks": [NOBODYS], "to": "nobody"}),
    ("get", "/ops/annotators"): Operation(Action.SUPERVISE),
    ("post", "/ops/jobs/batch-retry"): Operation(Action.SUPERVISE, {"code": "nothing"}),
    ("get", "/ops/dashboard"): Operation(Action.SUPERVISE),
    ("get", "/webhooks"): Operation(Action.CONNECT),
    ("get", "/webhooks/events"): Operation(Action.CONNECT),
    ("post", "/webhooks"): Operation(Action.CONNECT, {"url": "http://a", "events": ["ping"], "merchant_id": 1}),
    ("get", "/webhooks/{endpoint_id}"): Operation(Action.CONNECT),
    ("patch", "/webhooks/{endpoint_id}"): Operation(Action.CONNECT, {}),
    ("delete", "/webhooks/{endpoint_id}"): Operation(Action.CONNECT),
    ("post", "/webhooks/{endpoint_id}/secret"): Operation(Action.CONNECT),
    ("post", "/webhooks/{endpoint_id}/ping"): Operation(Action.CONNECT),
    ("get", "/webhooks/{endpoint_id}/deliveries"): Operation(Action.CONNECT),
    ("post", "/webhooks/{endpoint_id}/deliveries/{delivery_id}/replay"): Operation(Action.CONNECT),
    ("post", "/webhooks/{endpoint_id}/replay"): Operation(Action.CONNECT),
    ("get", "/config/profiles"): Operation(Action.OPERATE),
    ("get", "/config/profiles/{profile_id}"): Operation(Action.OPERATE),
    ("put", "/config/profiles/{profile_id}"): Operation(Action.OPERATE, {"expected_version": 1, "reason": "x"}),
    ("get", "/ops/config/audit-log"): Operation(Action.OPERATE),
    ("post", "/ops/config/rollback/{profile_id}"): Operation(Action.OPERATE, {}),
    ("get", "/ops/calibration"): Operation(Action.SEE_QUALITY),
    ("post", "/ops/calibration/run"): Operation(Action.OPERATE),
    ("get", "/ops/calibration/proposals"): Operation(Action.SEE_QUALITY),
    ("post", "/ops/calibration/proposals/{proposal_id}"): Operation(Action.OPERATE, {"do": "decline"}),
    ("get", "/ops/figures"): Operation(Action.SUPERVISE),
    ("get", "/ops/keeping"): Operation(Action.OPERATE),
    ("put", "/ops/keeping"): Operation(Action.OPERATE, {"days": {}, "merchant_id": 999_999}),
    ("get", "/ops/deletions"): Operation(Action.OPERATE),
    ("get", "/ops/deletions/{deletion_id}"): Operation(Action.OPERATE),
    ("post", "/ops/deletions/preview"): Operation(Action.OPERATE, {"subject": "merchant", "which": "nobody"}),
    ("post", "/ops/deletions"): Operation(Action.OPERATE, {"subject": "merchant", "which": "nobody"}),
    ("get", "/ops/eval/reports"): Operation(Action.SEE_QUALITY),
    ("get", "/ops/eval/reports/{report_id}"): Operation(Action.SEE_QUALITY),
}
ABOUT_IT = ("{job_id}", "{task_id}", "{export_id}", "{template_id}")
# A heartbeat says of any task that is not in hand the same: that it is lost.
SAYS_LOST = ("post", "/tasks/{task_id}/heartbeat")


def test_every_operation_has_a_line_in_the_table() -> None:
    paths = api.get_openapi_schema()["paths"]
    assert {(method, path.removeprefix(V1)) for path in paths for method in paths[path]} == set(OPERATIONS)


def address(path: str, document: Document, *, exists: bool = True) -> str:
    job = document.job
    task = HumanTask.objects.get(job=job).uuid
    named = {
        "job_id": job.uuid if exists else uuid.uuid4(),
        "task_id": task if exists else uuid.uuid4(),
        "sku_id": f"{job.hash8}_p01_001",
        "image_id": f"img_{job.hash8}_01_001",
        "kind": "csv",
        "number": 1,
        "user_id": 999_999,
        "profile_id": 999_999,
        "proposal_id": 999_999,
        "dictionary_id": 999_999,
        "template_id": Template.objects.get(merchant__name="North").uuid if exists else uuid.uuid4(),
        "record_id": uuid.UUID(int=9),
        "field": "country",
        "deletion_id": 999_999,
        "report_id": uuid.UUID(int=2),
        "run_id": uuid.UUID(int=6),
        "username": "nobody",
        "endpoint_id": uuid.UUID(int=4),
        "delivery_id": uuid.UUID(int=5),
        "export_id": Export.objects.get(job=job).uuid if exists else uuid.uuid4(),
        "layout_id": uuid.uuid4(),
        "correction_id": uuid.UUID(int=8),
    }
    return path.format(**named)


@pytest.mark.parametrize(("role", "place"), [*EVERYBODY, ("", "")], ids=lambda value: value or "anonymous")
def test_a_document_is_there_for_its_people_and_for_nobody_else(
    people: People, document: Document, role: str, place: str
) -> None:
    """For people of another merchant it answers like one that is missing."""
    user = person(role, place, people.merchant, people.other) if role else None
    program, wrong, before = Program(user), [], state()
    for (method, path), operation in OPERATIONS.items():
        about_it = any(name in path for name in ABOUT_IT)
        is_theirs = user is not None and sees(user.role, place)
        if operation.allows(user) and is_theirs and (method != "get" or path.endswith("/events")):
            continue  # may move the document, or goes on for as long as it does
        found = program(method, address(path, document), operation.body)
        if not operation.allows(user):
            right = {401} if user is None else {403, 422} if path == "/jobs" else {403}  # its body is no JSON
        elif about_it and not is_theirs and (method, path) != SAYS_LOST:
            right = {404}
        else:
            right = {200, 201, 202, 204, 400, 401, 404, 409, 422}
        if found.status_code not in right:
            wrong.append((method, path, found.status_code, right))
        if not is_theirs and SECRET in told(found):
            wrong.append((method, path, "leaks"))
        if about_it and place == "other" and not is_theirs:
            missing = program(method, address(path, document, exists=False), operation.body)
            if {**found.json(), "request_id": ""} != {**missing.json(), "request_id": ""}:
                wrong.append((method, path, "is told from a missing one"))
    assert not wrong
    assert state() == before


def test_an_address_that_is_none_is_a_problem_too(people: People) -> None:
    found = Program(people.admin)("GET", "/nothing/of/it")
    assert (found.status_code, found["Content-Type"]) == (404, "application/problem+json")
    assert found.json()["code"] == "not_found"
