"""What the admin pages of versions have in common: a saved form is a new version, a stale form is refused."""

import difflib
import json
from typing import Any, cast

from django import forms
from django.contrib import admin
from django.contrib.admin.helpers import ActionForm
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from catalogsku.accounts.models import User
from catalogsku.core.errors import Refused
from catalogsku.profiles.admin.configuration import FORM, StaleMixin
from catalogsku.profiles.admin.json_forms import json_field
from catalogsku.profiles.columns import HELP
from catalogsku.profiles.gate import refusal_of, sentence
from catalogsku.profiles.models import PromptVersion, ThresholdProfile, VersionedRow
from catalogsku.profiles.services import activate


def newest_version(row: VersionedRow) -> int:
    rows = type(row)._default_manager.filter(key=row.key).order_by("-version")
    newest: int = rows.values_list("version", flat=True)[0]
    return newest


class VersionForm(StaleMixin, forms.ModelForm):  # type: ignore[type-arg]
    """Carries the version that the editor saw."""

    seen_version = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            self.fields["seen_version"].initial = newest_version(self.instance)
            self.initial["reason"] = ""  # each version has its own
            if "key" in self.fields:
                self.fields["key"].disabled = True
        if "reason" in self.fields:  # none is asked for where a version is only looked at
            self.fields["reason"].required = True

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        key, seen = data.get("key") or self.instance.key, data.get("seen_version")
        latest = type(self.instance)._default_manager.filter(key=key).order_by("-version").first()
        if latest is not None and self.instance.pk is None:
            raise ValidationError(_("This key exists. Open it to make a new version."))
        if latest is not None and latest.version != seen:
            shown = type(self.instance)._default_manager.filter(key=key, version=seen).first() or self.instance
            refusal = ValidationError(
                _("%(key)s has moved on to version %(now)d while you edited version %(seen)d."),
                params={"key": key, "now": latest.version, "seen": shown.version},
            )
            self.tell_stale(shown.values_told(), latest.values_told(), "seen_version", latest.version, refusal)
        return data

    def _get_validation_exclusions(self) -> set[str]:
        """Uniqueness holds for the version that is made, not for the one that is shown."""
        return super()._get_validation_exclusions() | {"key", "version", "active"}  # type: ignore[misc,no-any-return]


class VersionAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """JSON is filled in by its columns, of which profiles.columns says kinds, ranges, units and words."""

    form = VersionForm
    change_form_template = FORM
    list_display: tuple[str, ...] = ("key", "version", "active", "reason", "created_by", "created_at")
    list_filter = ("active", "key")
    ordering = ("key", "-version")
    actions = ("activate",)

    class Media:
        js = (forms.Script("js/admin_form.js", type="module"),)

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        words = {"label": capfirst(db_field.verbose_name), "help_text": HELP.get(db_field.name, db_field.help_text)}
        drawn = json_field(db_field.name, required=not db_field.blank, **words)
        if drawn is not None:
            return drawn
        return super().formfield_for_dbfield(db_field, request, **{**options, "help_text": words["help_text"]})

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        obj.created_by = request.user
        obj.add_version(form.cleaned_data.get("seen_version"))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Only the active and the newest version are edited; what a job has frozen stays as it is. A form that was
        opened before it became an older one is answered, with what has changed since."""
        may_change = super().has_change_permission(request, obj)
        is_open = obj is None or request.method == "POST" or obj.active or obj.version == newest_version(obj)
        return may_change and is_open

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        return super().log_change(request, obj, [{"changed": {"fields": [f"version {obj.version}"]}}])

    @admin.action(description=_("Make the chosen version the active one again"))
    def activate(self, request: HttpRequest, rows: QuerySet[VersionedRow]) -> None:
        """A roll-back is a new version with the old values."""
        if rows.count() != 1:
            self.message_user(request, _("Choose exactly one version."), level="ERROR")
            return
        row = rows.get()
        row.reason, row.created_by = f"as version {row.version}", cast(User, request.user)
        try:
            row.add_version()
        except ValidationError as error:  # what it stood on has changed since, or is asked for since
            self.message_user(request, " ".join(error.messages), level="WARNING")
        else:
            self.message_user(request, _("%(row)s is active.") % {"row": row})


class ActivationForm(ActionForm):
    """Beside the list's actions."""

    override = forms.CharField(label=_("Override the gate, because"), max_length=200, required=False)


class GatedVersionAdmin(VersionAdmin):
    """A saved form is a new version that waits for its report on golden sets; then it is activated from the list."""

    action_form = ActivationForm
    list_display = (*VersionAdmin.list_display, "gate")

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        obj.created_by = request.user
        obj.add_version(form.cleaned_data.get("seen_version"), active=False)
        self._activate(request, obj)

    @admin.action(description=_("Make the chosen version the active one"))
    def activate(self, request: HttpRequest, rows: QuerySet[VersionedRow]) -> None:
        if rows.count() != 1:
            self.message_user(request, _("Choose exactly one version."), level="ERROR")
            return
        self._activate(request, cast(ThresholdProfile | PromptVersion, rows.get()))

    def _activate(self, request: HttpRequest, row: ThresholdProfile | PromptVersion) -> None:
        try:
            activate(row, cast(User, request.user), request.POST.get("override", ""))
        except Refused as refused:
            self.message_user(request, sentence(refused), level="WARNING")
        else:
            self.message_user(request, _("%(row)s is active.") % {"row": row})

    @admin.display(description=_("gate"))
    def gate(self, row: ThresholdProfile | PromptVersion) -> str:
        refused = refusal_of(row)
        return str(_("passed")) if refused is None else refused.code


class DiffMixin:
    """Shows what a version changes against the active one; ``compared``: the fields that are looked at."""

    compared: tuple[str, ...] = ()

    @admin.display(description=_("against the active version"))
    def changes(self, row: VersionedRow) -> str:
        active = type(row)._default_manager.filter(key=row.key, active=True).first()
        if active is None or active.pk == row.pk:
            return str(_("This is the active version."))
        lines = (line for name in self.compared for line in _diff(name, getattr(active, name), getattr(row, name)))
        return format_html("<pre>{}</pre>", "\n".join(lines) or _("no difference"))


def _diff(name: str, old: Any, new: Any) -> list[str]:
    return list(difflib.unified_diff(_lines(old), _lines(new), f"{name} (active)", f"{name} (this)", lineterm="", n=2))


def _lines(value: Any) -> list[str]:
    """Lists an entry a line."""
    if isinstance(value, list):
        return [json.dumps(entry, ensure_ascii=False) for entry in value]
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)
    return text.splitlines()
