"""/api/v1: the REST API put together from the apps; every refusal is a problem with a code (TA-API, TA-ERRMAP)."""

import json
import logging
from collections.abc import Mapping
from typing import Any

import msgspec
from django.core.exceptions import RequestDataTooBig
from django.db import DatabaseError, OperationalError
from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError, ValidationErrorContext
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation
from ninja.parser import Parser
from ninja.renderers import BaseRenderer

from annotation import api as tasks
from annotation.at_once import api as at_once
from annotation.calibration import api as calibration
from annotation.figures import api as figures
from annotation.problems import PROBLEMS as TASK_PROBLEMS
from annotation.workbench.commands import problems_of
from annotation.workbench.services.submitting import Invalid
from catalogsku.accounts import api as people
from catalogsku.accounts.bearer import AUTH
from catalogsku.accounts.hurried import Hurried
from catalogsku.accounts.problems import PROBLEMS as PEOPLE_PROBLEMS
from catalogsku.core import json_bounds
from catalogsku.core.errors import ProductError, Refused
from catalogsku.core.problems import PROBLEM_TYPE, problem_answer
from catalogsku.core.problems import PROBLEMS as CORE_PROBLEMS
from catalogsku.profiles import api as profiles
from catalogsku.profiles.gate import PROBLEMS as PROFILE_PROBLEMS
from ingestion import api as documents
from ingestion import file_rules
from ingestion.keeping import api as keeping
from ingestion.lines import NoLine
from ingestion.models import Job
from ingestion.problems import PROBLEMS as DOCUMENT_PROBLEMS
from ingestion.problems import way_on
from processing.catalogue import api as catalogue
from processing.dictionaries import api as dictionaries
from processing.editions import api as editions
from processing.exports import api as exports
from processing.operations import api as operations
from processing.pages import api as pages
from processing.problems import PROBLEMS as RESULT_PROBLEMS
from processing.quality import api as quality
from processing.results import api as results
from processing.studies import api as templates
from processing.studies import studies_api as studies
from processing.studies.faults import TemplateInvalid
from processing.studies.faults import problems_of as problems_of_template
from processing.webhooks import api as webhooks

log = logging.getLogger(__name__)

PROBLEMS: dict[str, tuple[int, Any]] = {
    **CORE_PROBLEMS, **DOCUMENT_PROBLEMS, **TASK_PROBLEMS, **PEOPLE_PROBLEMS, **PROFILE_PROBLEMS, **RESULT_PROBLEMS
}  # fmt: skip


WORK_ADDRESSES = ("/api/v1/tasks/", "/api/v1/annotations")  # whose bodies hold all of a page
PROBLEMS_LISTED, PATH_CHARACTERS, MESSAGE_CHARACTERS = 20, 100, 200


class JsonBody(Parser):
    """Refuses what no honest request holds, and what no row of PostgreSQL can, before anything is made of it."""

    def parse_body(self, request: HttpRequest) -> Any:
        bounds = json_bounds.WORK if request.path.startswith(WORK_ADDRESSES) else json_bounds.ORDINARY
        json_bounds.check(request.body, bounds)
        if b"\\u0000" in request.body:
            raise Refused("bad_request", what="a NUL character")
        return json.loads(request.body.decode())


class JsonAnswer(BaseRenderer):
    media_type = "application/json"

    def render(self, request: HttpRequest, data: Any, *, response_status: int) -> Any:
        return msgspec.json.encode(data, enc_hook=str)


# By these generated clients call operations: they stay, whichever module an operation moves to.
OPERATION_PREFIXES = {
    **{module.__name__: "processing_api" for module in (catalogue, operations, pages, quality, results)},
    editions.__name__: "processing_edition_api",
    exports.__name__: "processing_export_api",
    studies.__name__: "processing_study_api",
    webhooks.__name__: "processing_webhook_api",
}


class Api(NinjaAPI):
    def get_openapi_operation_id(self, operation: Operation) -> str:
        module, name = operation.view_func.__module__, operation.view_func.__name__
        return f"{OPERATION_PREFIXES.get(module, module.replace('.', '_'))}_{name}"

    def get_openapi_schema(self, *args: Any, **options: Any) -> OpenAPISchema:
        """Refusals have a media type of their own, which the schema's generator does not know."""
        schema = super().get_openapi_schema(*args, **options)
        for path in schema["paths"].values():
            for operation in path.values():
                for status, response in operation.get("responses", {}).items():
                    if int(status) >= 400 and "application/json" in response.get("content", {}):
                        response["content"][PROBLEM_TYPE] = response["content"].pop("application/json")
        return schema

    def validation_error_from_error_contexts(
        self, error_contexts: list[ValidationErrorContext[Any]]
    ) -> ValidationError:
        """The first of them, without what was sent: an answer does not outgrow its request."""
        problems: list[dict[str, Any]] = []
        for context in error_contexts:
            source, names = context.model.__ninja_param_source__, context.model.__ninja_flatten_map_reverse__
            errors = context.pydantic_validation_error.errors(
                include_url=False, include_context=False, include_input=False
            )
            listed = errors[: PROBLEMS_LISTED - len(problems)]
            problems += [{**error, "loc": (source, *names.get(error["loc"], error["loc"]))} for error in listed]
        return ValidationError(problems)


api = Api(
    title="CatalogSKU",
    version="1.0",
    urls_namespace="api",
    parser=JsonBody(),
    renderer=JsonAnswer(),
    auth=AUTH,
    docs_url=None,
    description="Catalogue PDFs in, verified SKU records out. Sign in with POST /auth/login and send the token as"
    " `Authorization: Bearer TOKEN`. Lists come in steps: `next` is the cursor of the following ones.",
)
api.add_router("/auth", people.router)
api.add_router("/jobs", documents.router)
api.add_router("/jobs", operations.router)
api.add_router("/jobs", results.router)
api.add_router("/jobs", pages.router)
api.add_router("/jobs", editions.router)
api.add_router("/jobs", at_once.router)
api.add_router("/correction-rule", at_once.rule)
api.add_router("/file-rule", file_rules.router)
api.add_router("/dictionaries", dictionaries.router)
api.add_router("/templates", templates.router)
api.add_router("/studies", studies.router)
api.add_router("/skus", catalogue.router)
api.add_router("/exports", exports.router)
api.add_router("/export-layouts", exports.layouts)
api.add_router("/tasks", tasks.router)
api.add_router("/annotations", tasks.annotations)
api.add_router("/webhooks", webhooks.router)
api.add_router("/config", profiles.router)
api.add_router("/ops", profiles.operations)
api.add_router("/ops", quality.router)
api.add_router("/ops", documents.operations)
api.add_router("/ops", keeping.router)
api.add_router("/ops", tasks.operations)
api.add_router("/ops", calibration.router)
api.add_router("/ops", figures.router)


@api.exception_handler(ProductError)
def refused(request: HttpRequest, error: ProductError) -> HttpResponse:
    status, words = PROBLEMS[error.code]
    extra: dict[str, Any] = {**way_on(error.code)}
    job = error.params.pop("job", None)
    if isinstance(job, Job):
        extra["job_id"] = str(job.uuid)
    if isinstance(error, Invalid):
        extra["problems"] = problems_of(error.faults)
    if isinstance(error, TemplateInvalid):
        extra["problems"] = problems_of_template(error.faults)
    response = problem_answer(request, status, error.code, _sentence(words, error.params), extra)
    if isinstance(error, Hurried | NoLine):
        response["Retry-After"] = str(error.retry_after_s)
    return response


def _sentence(words: Any, params: Mapping[str, object]) -> str:
    return str(words) % params if params else str(words)


@api.exception_handler(ValidationError)
def not_as_asked(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """``problems``: where, and what is wrong there."""
    problems = [
        {
            "path": ".".join(map(str, problem["loc"]))[:PATH_CHARACTERS],
            "code": problem["type"],
            "message": problem["msg"][:MESSAGE_CHARACTERS],
        }
        for problem in error.errors
    ]
    what = ", ".join(sorted({problem["path"] for problem in problems}))[:200]
    return problem_answer(
        request, 422, "bad_request", _sentence(PROBLEMS["bad_request"][1], {"what": what}), {"problems": problems}
    )


@api.exception_handler(msgspec.DecodeError)
def not_a_state(request: HttpRequest, error: msgspec.DecodeError) -> HttpResponse:
    what = {"what": str(error)[:200]}
    return problem_answer(request, 400, "bad_command", _sentence(PROBLEMS["bad_command"][1], what))


@api.exception_handler(AuthenticationError)
def nobody(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
    response = problem_answer(request, 401, "not_signed_in", str(PROBLEMS["not_signed_in"][1]))
    response["WWW-Authenticate"] = "Bearer"
    return response


@api.exception_handler(HttpError)
def plain(request: HttpRequest, error: HttpError) -> HttpResponse:
    """What the framework itself refuses: a body that is no JSON, a missing CSRF token. What a parser of ours refuses
    comes wrapped into it."""
    if isinstance(error.__cause__, ProductError):
        return refused(request, error.__cause__)
    code = {403: "forbidden", 404: "not_found"}.get(error.status_code, "bad_request")
    return problem_answer(request, error.status_code, code, _sentence(PROBLEMS[code][1], {"what": error.message}))


@api.exception_handler(RequestDataTooBig)
def too_large(request: HttpRequest, error: RequestDataTooBig) -> HttpResponse:
    return refused(request, json_bounds.TooMuch("bytes", json_bounds.WORK.bytes))


@api.exception_handler(OperationalError)
def away(request: HttpRequest, error: DatabaseError) -> HttpResponse:
    log.warning("database did not answer", exc_info=error)
    return problem_answer(request, 503, "unavailable", str(PROBLEMS["unavailable"][1]))


def unknown_address(request: HttpRequest, rest: str) -> HttpResponse:
    """What begins like an address of the API and is none."""
    return problem_answer(request, 404, "not_found", str(PROBLEMS["not_found"][1]))
