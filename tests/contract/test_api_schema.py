"""The OpenAPI document keeps its word: whatever is sent, the answer is one that it declares (TA-API)."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from catalogsku.accounts import tokens
from catalogsku.accounts.models import Role, User
from catalogsku.api import api
from tests.support.people import People
from tests.support.strangers import Document, cheap_passwords, own_document  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cheap_passwords"), pytest.mark.req("TA-API")]

# A few for the gate, in the name of who may most and who may least; API_EXAMPLES=50 asks in everybody's for as many.
EXAMPLES = int(os.environ.get("API_EXAMPLES", "2"))
ROLES = Role.values if "API_EXAMPLES" in os.environ else [Role.UPLOADER, Role.ADMIN]
CHECKS = [not_a_server_error, status_code_conformance, response_schema_conformance]
# Goes on for as long as the document is in work, and has a test of its own.
ENDLESS = "/events"


def operations() -> list[tuple[str, str]]:
    paths = api.get_openapi_schema()["paths"]
    return [(method, path) for path in paths for method in paths[path] if not path.endswith(ENDLESS)]


@pytest.fixture
def schema() -> Iterator[Any]:
    """Its requests run in this test's transaction, which the end of a request must not close."""
    found = schemathesis.openapi.from_dict(dict(api.get_openapi_schema()))
    found.app = WSGIHandler()
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield found
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.parametrize("role", ROLES)
def test_no_answer_breaks_the_schema(people: People, document: Document, schema: Any, role: str) -> None:
    """Every operation, with what its schema allows and with what it does not, in the name of each role."""
    user = {"admin": people.admin, "lead": people.lead, "annotator": people.annotator, "uploader": people.uploader}[
        role
    ]
    program = Program(user, document)
    for method, path in operations():
        program.is_answered_as_declared(schema[path][method.upper()])


class Program:
    """What hypothesis draws for an operation, sent in a person's name; every second time about a document of theirs."""

    def __init__(self, user: User, document: Document) -> None:
        self.headers = {"Authorization": f"Bearer {tokens.issue_token(user).text}"}
        self.known = {"job_id": str(document.job.uuid), "sku_id": f"{document.job.hash8}_p01_001"}

    def is_answered_as_declared(self, operation: Any) -> None:
        @settings(
            max_examples=EXAMPLES,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(), is_known=st.booleans())
        def answered(case: Any, is_known: bool) -> None:
            if is_known and case.path_parameters:
                case.path_parameters |= {k: v for k, v in self.known.items() if k in case.path_parameters}
            case.call_and_validate(headers=self.headers, checks=CHECKS)

        answered()
