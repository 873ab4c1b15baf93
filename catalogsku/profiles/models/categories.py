"""Category schemas: attributes and rules, resolved with those of the categories above (TA-T55)."""

import msgspec
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from catalogsku.core.attributes import BASE_KEYS
from catalogsku.core.structs import ready
from catalogsku.profiles import schemas
from catalogsku.profiles.models.versioned import VersionedRow


class CategorySchema(VersionedRow):
    """Attributes and rules of a category; ``key`` is the category. Its attributes add to the base ones and to those of
    its parent, whose entries of the same key it replaces.

    ``attributes`` and ``rules`` are the category's own, as in profiles.schemas; the ``resolved`` ones are what holds
    with the parent's, written with the version and never changed, so that a job that keeps the version keeps both.
    """

    label_zh = models.CharField(_("Chinese name"), max_length=60)
    label_en = models.CharField(_("English name"), max_length=60)
    parent_key = models.CharField(_("parent"), max_length=60, blank=True)
    attributes = models.JSONField(_("attributes"), default=list, blank=True)
    rules = models.JSONField(_("rules"), default=list, blank=True)
    resolved_attributes = models.JSONField(default=list, editable=False)
    resolved_rules = models.JSONField(default=list, editable=False)

    class Meta:
        verbose_name = _("category schema")
        verbose_name_plural = _("category schemas")
        constraints = [
            models.UniqueConstraint(fields=["key", "version"], name="one_schema_version"),
            models.UniqueConstraint(fields=["key"], condition=Q(active=True), name="one_active_schema"),
        ]

    @transaction.atomic
    def add_version(self, expected: int | None = None, *, active: bool = True) -> "CategorySchema":
        """Categories below it get a new version of their own, which takes over what has changed here."""
        super().add_version(expected, active=active)
        for child in CategorySchema.objects.filter(parent_key=self.key, active=True).order_by("key"):
            child.reason = str(self)
            child.add_version()
        return self

    def clean(self) -> None:
        """Checks the JSON that a person wrote, and resolves it."""
        parent = self._parent()
        above: tuple[schemas.Attribute, ...] = ()
        rules_above: tuple[schemas.Rule, ...] = ()
        if parent is not None:
            above = schemas.attributes_of(parent.resolved_attributes)
            rules_above = msgspec.convert(parent.resolved_rules, ready(tuple[schemas.Rule, ...]))
        try:
            attributes = schemas.inherited(schemas.attributes_of(self.attributes), above, by=("key",))
            self.resolved_attributes = msgspec.to_builtins(list(attributes))
            schemas.attributes_of(self.resolved_attributes)  # labels may meet the parent's
        except schemas.SchemaError as error:
            raise ValidationError({"attributes": _said(error)}, code=error.code) from error
        try:
            own = schemas.rules_of(self.rules, (*BASE_KEYS, *(entry.key for entry in attributes)))
        except schemas.SchemaError as error:
            raise ValidationError({"rules": _said(error)}, code=error.code) from error
        self.resolved_rules = msgspec.to_builtins(list(schemas.inherited(own, rules_above, by=("rule", "field"))))

    def _parent(self) -> "CategorySchema | None":
        """The active schema above it. Raises ValidationError where there is none, or it stands below this one."""
        key, seen, first = self.parent_key, {self.key}, None
        while key:
            parent = CategorySchema.objects.filter(key=key, active=True).first()
            if parent is None:
                raise ValidationError(
                    {"parent_key": _("There is no category %(key)s.") % {"key": key}}, code="no_parent"
                )
            if key in seen:
                raise ValidationError({"parent_key": _("A category cannot be above itself.")}, code="parent_circle")
            first, key = first or parent, parent.parent_key
            seen.add(parent.key)
        return first


SCHEMA_FAULTS = {
    "not_a_list": _("This must be a list: [ ... ]."),
    "bad_entry": _("Entry %(place)s cannot be read: %(what)s"),
    "bad_key": _("Entry %(place)s needs a key of small letters, digits and underscores, not %(what)s."),
    "key_twice": _("The key %(what)s stands here twice."),
    "label_twice": _("The label %(what)s would name two attributes (perhaps one of the parent category)."),
    "unknown_field": _("Rule %(place)s speaks of %(what)s, which is no attribute."),
    "bad_range": _("Rule %(place)s needs a smallest or a largest value, the smallest first."),
    "bad_pattern": _("The pattern of rule %(place)s cannot be used: %(what)s"),
}


def _said(error: schemas.SchemaError) -> str:
    return str(SCHEMA_FAULTS[error.code]) % {"place": error.place, "what": error.what}
