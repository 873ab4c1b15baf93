"""Templates of studies for programs: those that are shipped, and the merchant's own, version by version."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from django.http import HttpRequest
from ninja import Router, Schema, Status
from pydantic import ConfigDict, Field

from catalogsku.accounts.bearer import require
from catalogsku.accounts.merchants import named_merchant
from catalogsku.accounts.permissions import Action
from catalogsku.core.answers import PROBLEMS, Limit
from catalogsku.core.paging import step
from processing.studies import selectors
from processing.studies.definition import KEY_LENGTH_MAX, NAME_LENGTH_MAX
from processing.studies.models import Template, TemplateVersion
from processing.studies.services import templates

router = Router(tags=["templates"])

MerchantId = Annotated[int | None, Field(ge=1, lt=2**63)]
Number = Annotated[int, Field(ge=1, lt=2**31)]
Key = Annotated[str, Field(max_length=KEY_LENGTH_MAX, pattern=r"^[^\x00]*$")]
Name = Annotated[str, Field(max_length=NAME_LENGTH_MAX, pattern=r"^[^\x00]*$")]


class TemplateOut(Schema):
    """``merchant_id``: null for one that comes with the product. ``version``: the newest."""

    id: UUID
    merchant_id: int | None
    key: str
    name: str
    name_zh: str
    archived: bool
    version: int

    @staticmethod
    def resolve_id(row: Template) -> UUID:
        return row.uuid

    @staticmethod
    def resolve_version(row: Any) -> int:
        return int(row.newest)


class Templates(Schema):
    items: list[TemplateOut]
    next: str | None


class VersionOut(Schema):
    """``definition``: groups of fields and checks; docs/study-templates.md has what may stand in them."""

    template_id: UUID
    number: int
    definition: dict[str, Any]
    reason: str
    created_by: str | None
    created_at: datetime

    @staticmethod
    def resolve_template_id(row: TemplateVersion) -> UUID:
        return row.template.uuid

    @staticmethod
    def resolve_created_by(row: TemplateVersion) -> str | None:
        return row.created_by.username if row.created_by else None


class VersionRow(Schema):
    """A version without what it asks."""

    number: int
    reason: str
    created_by: str | None
    created_at: datetime

    @staticmethod
    def resolve_created_by(row: TemplateVersion) -> str | None:
        return row.created_by.username if row.created_by else None


class Versions(Schema):
    items: list[VersionRow]
    next: str | None


class Clone(Schema):
    """``version``: left out: the newest; ``key``, ``name``: left out: a key from the name, and the name as it is."""

    model_config = ConfigDict(extra="forbid")
    merchant_id: MerchantId = None
    version: Number | None = None
    key: Key = ""
    name: Name = ""


class NextVersion(Schema):
    """``expected_version``: the newest that its author has seen."""

    model_config = ConfigDict(extra="forbid")
    expected_version: Number
    definition: dict[str, Any]
    reason: Annotated[str, Field(max_length=200, pattern=r"^[^\x00]*$")] = ""


class Archive(Schema):
    model_config = ConfigDict(extra="forbid")
    archived: bool = True


@router.get("", response={200: Templates, **PROBLEMS}, summary="Templates of studies, shipped ones and own ones")
def list_templates(request: HttpRequest, archived: bool = False, cursor: str = "", limit: Limit = 50) -> Any:
    """``archived``: those too that are put away."""
    rows = selectors.templates_seen(require(request, Action.SEE_JOBS), archived=archived)
    items, following = step(rows, cursor, limit)
    return {"items": items, "next": following}


@router.get("/{uuid:template_id}", response={200: TemplateOut, **PROBLEMS}, summary="One template")
def show_template(request: HttpRequest, template_id: UUID) -> Any:
    return selectors.get_template(require(request, Action.SEE_JOBS), template_id)


@router.get("/{uuid:template_id}/versions", response={200: Versions, **PROBLEMS}, summary="Its versions, newest first")
def list_versions(request: HttpRequest, template_id: UUID, cursor: str = "", limit: Limit = 50) -> Any:
    template = selectors.get_template(require(request, Action.SEE_JOBS), template_id)
    items, following = step(selectors.versions_of(template), cursor, limit, key="number", newest_first=True)
    return {"items": items, "next": following}


@router.get(
    "/{uuid:template_id}/versions/{int:number}", response={200: VersionOut, **PROBLEMS}, summary="What a version asks"
)
def show_version(request: HttpRequest, template_id: UUID, number: int) -> Any:
    template = selectors.get_template(require(request, Action.SEE_JOBS), template_id)
    return selectors.get_version(template, number)


@router.post("/{uuid:template_id}/clone", response={201: VersionOut, **PROBLEMS}, summary="Make it the merchant's own")
def clone_template(request: HttpRequest, template_id: UUID, given: Clone) -> Any:
    """The first version of a template of the merchant asks what the cloned version does. 409 where the key is taken."""
    actor = require(request, Action.SUPERVISE)
    source = selectors.get_version(selectors.get_template(actor, template_id), given.version)
    merchant = named_merchant(actor, given.merchant_id)
    return Status(201, templates.clone_template(source, merchant, actor, key=given.key, name=given.name))


@router.post("/{uuid:template_id}/versions", response={201: VersionOut, **PROBLEMS}, summary="Append a version")
def add_version(request: HttpRequest, template_id: UUID, given: NextVersion) -> Any:
    """Versions are never changed. The newest one where it asks the same already. 409 where somebody else has appended
    one meanwhile, where the template comes with the product or is archived; 422 with ``problems``, each at its place in
    the definition."""
    actor = require(request, Action.SUPERVISE)
    template = selectors.get_template(actor, template_id)
    definition = templates.checked(given.definition)
    row = templates.save_version(template, definition, actor, expected=given.expected_version, reason=given.reason)
    return Status(201, row)


@router.post("/{uuid:template_id}/archive", response={200: TemplateOut, **PROBLEMS}, summary="Put it away, or back")
def archive_template(request: HttpRequest, template_id: UUID, given: Archive) -> Any:
    """What began with it goes on. Repeated it changes nothing."""
    actor = require(request, Action.SUPERVISE)
    template = selectors.get_template(actor, template_id)
    templates.set_archived(template, actor, archived=given.archived)
    return selectors.get_template(actor, template_id)
