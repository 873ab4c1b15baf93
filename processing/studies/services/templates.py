"""Templates of a merchant: cloned, edited version by version, put away and back (LX-FIELDS)."""

import logging
from typing import Any

from django.db import connection, transaction

from catalogsku.accounts.models import Merchant, User
from catalogsku.core.errors import Conflict, Refused
from catalogsku.profiles.asking import changing
from catalogsku.profiles.models.changes import record
from processing.studies.definition import (
    KEY_LENGTH_MAX,
    NAME_LENGTH_MAX,
    Definition,
    DefinitionError,
    definition_of,
    is_key,
    key_from,
    stored,
)
from processing.studies.faults import TemplateInvalid
from processing.studies.models import Template, TemplateVersion
from processing.studies.selectors import versions_of

TEMPLATES_MOST = 100  # of a merchant, archived ones included
_LOCK = 0x5C8  # of pg_advisory_xact_lock, with the merchant's id

log = logging.getLogger(__name__)


def checked(raw: Any) -> Definition:
    """Raises TemplateInvalid."""
    try:
        return definition_of(raw)
    except DefinitionError as error:
        raise TemplateInvalid(error) from error


def make_template(
    merchant: Merchant, key: str, name: str, definition: Definition, by: User | None, *, name_zh: str = ""
) -> TemplateVersion:
    """A template of this merchant with its first version. ``key``: empty: from the name.

    Raises Refused(template_key), Refused(template_name), Conflict(template_key_taken), Conflict(templates_full).
    """
    name, name_zh, key = _name(name), _name(name_zh, may_be_empty=True), key.strip()
    with transaction.atomic(), changing(by):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [_LOCK, merchant.pk])
        own = set(Template.objects.filter(merchant=merchant).values_list("key", flat=True))
        if len(own) >= TEMPLATES_MOST:
            raise Conflict("templates_full", max=TEMPLATES_MOST)
        taken = own | set(Template.objects.filter(merchant=None).values_list("key", flat=True))
        key = _key(key) if key else _free_key(name, taken)
        if key in taken:
            raise Conflict("template_key_taken", key=key)
        template = Template.objects.create(merchant=merchant, key=key, name=name, name_zh=name_zh)
        return _add_version(template, definition, by, "")


def clone_template(
    source: TemplateVersion, merchant: Merchant, by: User | None, *, key: str = "", name: str = ""
) -> TemplateVersion:
    """What the version asks, as the first version of a template of this merchant. Raises as ``make_template``."""
    template = source.template
    names = (name, "") if name.strip() else (template.name, template.name_zh)
    return make_template(merchant, key, names[0], checked(source.definition), by, name_zh=names[1])


def save_version(
    template: Template, definition: Definition, by: User | None, *, expected: int | None = None, reason: str = ""
) -> TemplateVersion:
    """The next version, or the newest one where that asks the same already.

    ``expected``: the newest version that its author saw. Raises Conflict(template_stale), Refused(template_shipped),
    Refused(template_archived).
    """
    with transaction.atomic(), changing(by, reason):
        template = Template.objects.select_for_update().get(pk=template.pk)
        _refuse_unless_editable(template)
        newest: TemplateVersion = versions_of(template)[0]
        if expected is not None and newest.number != expected:
            raise Conflict("template_stale", template=template.key, now=newest.number, seen=expected)
        if newest.definition == stored(definition):
            return newest
        return _add_version(template, definition, by, reason, newest)


def rename_template(template: Template, by: User | None, name: str, name_zh: str = "") -> Template:
    """Raises Refused(template_name), Refused(template_shipped), Refused(template_archived)."""
    name, name_zh = _name(name), _name(name_zh, may_be_empty=True)
    with transaction.atomic(), changing(by):
        template = Template.objects.select_for_update().get(pk=template.pk)
        _refuse_unless_editable(template)
        if (template.name, template.name_zh) != (name, name_zh):
            template.name, template.name_zh = name, name_zh
            template.save()
    return template


def save_named(
    template: Template,
    definition: Definition,
    by: User | None,
    *,
    name: str,
    name_zh: str = "",
    expected: int | None = None,
    reason: str = "",
) -> TemplateVersion:
    """As ``save_version`` and ``rename_template``: both, or nothing."""
    with transaction.atomic():
        version = save_version(template, definition, by, expected=expected, reason=reason)
        rename_template(template, by, name, name_zh)
    return version


def set_archived(template: Template, by: User | None, *, archived: bool) -> Template:
    """Put away, or back; documents that began with it go on. Repeated it changes nothing. Raises
    Refused(template_shipped)."""
    with transaction.atomic(), changing(by):
        template = Template.objects.select_for_update().get(pk=template.pk)
        if template.merchant_id is None:
            raise Refused("template_shipped", template=template.key)
        if template.archived != archived:
            template.archived = archived
            template.save()
            log.info(
                "template archived" if archived else "template taken back",
                extra={"template": template.key, "merchant_id": template.merchant_id},
            )
    return template


def import_template(
    merchant: Merchant, key: str, name: str, definition: Definition, by: User | None, *, name_zh: str = ""
) -> TemplateVersion:
    """The next version of the merchant's template of this key, or its first. The same content makes no new version.
    Raises as ``make_template`` and ``save_version``."""
    template = Template.objects.filter(merchant=merchant, key=key).first()
    if template is None:
        return make_template(merchant, key, name, definition, by, name_zh=name_zh)
    return save_named(template, definition, by, name=name, name_zh=name_zh)


def add_shipped(key: str, name: str, name_zh: str, definition: Definition) -> TemplateVersion | None:
    """A template of no merchant as this release ships it; None where it is so already. May run twice at once."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [_LOCK, 0])
        template = Template.objects.filter(merchant=None, key=key).first()
        if template is None:
            template = Template.objects.create(merchant=None, key=key, name=name, name_zh=name_zh)
        elif (template.name, template.name_zh) != (name, name_zh):
            template.name, template.name_zh = name, name_zh
            template.save()
        newest = versions_of(template).first()
        if newest is not None and newest.definition == stored(definition):
            return None
        return _add_version(template, definition, None, "", newest)


def _add_version(
    template: Template, definition: Definition, by: User | None, reason: str, before: TemplateVersion | None = None
) -> TemplateVersion:
    """The one after ``before``, the newest."""
    version = TemplateVersion.objects.create(
        template=template,
        number=before.number + 1 if before else 1,
        definition=stored(definition),
        created_by=by,
        reason=reason[:200],
    )
    earlier = {"version": before.number, "definition": before.definition} if before else {"version": 0}
    record(template, earlier, {"version": version.number, "definition": version.definition}, reason)
    for field in definition.fields:
        if field.instruction:  # as it was typed, so that what a model was told can be looked into (LX-FIELDS)
            log.info(
                "instruction of a template",
                extra={"template": str(version), "field": field.key, "instruction": field.instruction},
            )
    return version


def _refuse_unless_editable(template: Template) -> None:
    if template.merchant_id is None:
        raise Refused("template_shipped", template=template.key)
    if template.archived:
        raise Refused("template_archived", template=template.key)


def _name(name: str, *, may_be_empty: bool = False) -> str:
    name = name.strip()
    if not (name or may_be_empty) or len(name) > NAME_LENGTH_MAX or not name.isprintable():
        raise Refused("template_name", max=NAME_LENGTH_MAX)
    return name


def _key(key: str) -> str:
    if not is_key(key):
        raise Refused("template_key", max=KEY_LENGTH_MAX)
    return key


def _free_key(name: str, taken: set[str]) -> str:
    stem = key_from(name)[: KEY_LENGTH_MAX - 4].rstrip("_") or "template"
    return next(key for n in range(1, len(taken) + 2) if (key := stem if n == 1 else f"{stem}_{n}") not in taken)
