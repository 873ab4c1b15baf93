"""Templates that a person may read: their merchants' own, and those that are shipped."""

from typing import Any
from uuid import UUID

import msgspec
from django.db.models import OuterRef, QuerySet, Subquery

from catalogsku.accounts.models import Merchant, User
from catalogsku.core.errors import NotFound
from catalogsku.core.structs import ready
from processing.studies.definition import Definition
from processing.studies.models import Template, TemplateVersion


def templates_seen(actor: User, *, archived: bool = False) -> "QuerySet[Any]":
    """Each with ``newest``, the number of its newest version. ``archived``: those too."""
    rows: QuerySet[Any] = Template.objects.visible_to(actor).select_related("merchant")
    return with_newest(rows if archived else rows.filter(archived=False))


def with_newest(rows: "QuerySet[Any]") -> "QuerySet[Any]":
    numbers = TemplateVersion.objects.filter(template=OuterRef("pk")).order_by("-number").values("number")
    numbered: QuerySet[Any] = rows.annotate(newest=Subquery(numbers[:1]))
    return numbered


def templates_of(actor: User, merchant_id: int, *, archived: bool = False) -> list[Any]:
    """The merchant's own by name, then the shipped ones."""
    rows = templates_seen(actor, archived=archived)
    own, shipped = rows.filter(merchant=merchant_id), rows.filter(merchant=None)
    return [*own.order_by("archived", "name", "pk"), *shipped.order_by("pk")]


def get_template(actor: User, template_id: UUID) -> Template:
    """Raises NotFound(not_found)."""
    template: Template | None = templates_seen(actor, archived=True).filter(uuid=template_id).first()
    if template is None:
        raise NotFound("not_found")
    return template


def get_version(template: Template, number: int | None = None) -> TemplateVersion:
    """The newest where none is named. Raises NotFound(not_found)."""
    rows = versions_of(template)
    version: TemplateVersion | None = (rows if number is None else rows.filter(number=number)).first()
    if version is None:
        raise NotFound("not_found")
    return version


def versions_of(template: Template) -> "QuerySet[Any]":
    """The newest first."""
    return TemplateVersion.objects.filter(template=template).select_related("created_by").order_by("-number")


def named_template(merchant: Merchant | None, key: str) -> Template | None:
    """The merchant's own of this key; else the shipped one, which may have come later."""
    rows = Template.objects.filter(key=key)
    own = rows.filter(merchant=merchant) if merchant is not None else rows.none()
    template: Template | None = own.first() or rows.filter(merchant=None).first()
    return template


def templates_to_begin_with(merchant_id: int) -> list[Template]:
    """Those that a document of the merchant may name by their keys: its own, and shipped ones whose key none of
    its own has, archived or not."""
    rows = Template.objects.filter(merchant=merchant_id) | Template.objects.filter(merchant=None)
    by_key: dict[str, Template] = {}
    for template in rows.order_by("merchant_id", "name", "pk"):  # those of no merchant last
        by_key.setdefault(template.key, template)
    return [template for template in by_key.values() if not template.archived]


def version_named(merchant_id: int, named: str) -> TemplateVersion | None:
    """Of "key" the newest version, of "key/version" that one."""
    key, _, number = named.partition("/")
    template = named_template(Merchant(pk=merchant_id), key)
    if template is None or (number and not (number.isascii() and number.isdigit() and len(number) < 10)):
        return None
    rows = versions_of(template).select_related("template")
    version: TemplateVersion | None = (rows.filter(number=int(number)) if number else rows).first()
    return version


def definition_in(version: TemplateVersion) -> Definition:
    """Checked when the version was made, and not again by what a later release may ask."""
    return msgspec.convert(version.definition, ready(Definition))
