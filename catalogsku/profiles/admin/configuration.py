"""Forms of configuration in the admin: who saves over another's change is shown it first; why goes into the log."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.translation import gettext_lazy as _

from catalogsku.core.admin import LookOnlyAdmin
from catalogsku.profiles.asking import WHY_LENGTH_MAX, changing
from catalogsku.profiles.differences import Difference, differences
from catalogsku.profiles.models import ConfigChange, Configuration

FORM = "admin/profiles/config_form.html"


class StaleMixin:
    """Of a form that may be behind what is stored: ``stale`` is shown above it."""

    stale: list[Difference]

    def tell_stale(
        self, seen: Mapping[str, Any], now: Mapping[str, Any], name: str, newest: int, words: ValidationError
    ) -> None:
        """Raises ``words``. ``name``: of the field with what the editor saw; from now on that is ``newest``, so that
        saving once more is meant."""
        form: Any = self
        columns = {field.attname: field.name for field in form.instance._meta.concrete_fields}
        shown = {attname for attname, own in columns.items() if own in form.fields and own != "reason"}
        typed = {attname: form.cleaned_data.get(columns[attname]) for attname in shown}
        mine = {attname: value.pk if isinstance(value, Model) else value for attname, value in typed.items()}
        before, after = ({attname: row[attname] for attname in row if attname in shown} for row in (seen, now))
        self.stale = differences(type(form.instance), before, after, mine)
        form.data = form.data.copy()
        form.data[form.add_prefix(name)] = str(newest)
        raise words


class ConfigurationForm(StaleMixin, forms.ModelForm):  # type: ignore[type-arg]
    """Carries the last change that the editor saw."""

    seen_change = forms.IntegerField(widget=forms.HiddenInput, required=False)
    why = forms.CharField(
        label=_("Reason"),
        max_length=WHY_LENGTH_MAX,
        required=False,
        help_text=_("Why you change it; kept with the change for good."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            newest = _changes_of(self.instance).values_list("pk", flat=True).first()
            self.fields["seen_change"].initial = newest or 0

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        seen = data.get("seen_change")
        if self.instance._state.adding or seen is None:
            return data
        row = type(self.instance)._base_manager.select_for_update(of=("self",)).filter(pk=self.instance.pk).first()
        later = list(_changes_of(self.instance).filter(pk__gt=seen))
        if row is not None and later:
            now = row.values_told()
            before = dict(now)
            for change in later:
                before |= change.before
            words = _("%(by)s has changed this meanwhile. Nothing was saved; saving again puts your values in place.")
            refusal = ValidationError(words, params={"by": later[0].by})
            self.tell_stale(before, now, "seen_change", later[0].pk, refusal)
        return data


def _changes_of(row: Configuration) -> QuerySet[ConfigChange]:
    """The newest first."""
    return ConfigChange.objects.filter(model=row._meta.label_lower, row=row.change_row).order_by("-pk")


class ConfigurationAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Of rows without versions."""

    form = ConfigurationForm
    change_form_template = FORM

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """A row that keeps its own reason is asked for no other."""
        has_reason = any(field.name == "reason" for field in self.model._meta.concrete_fields)
        own = [name for name in super().get_fields(request, obj) if name not in ("why", "seen_change")]
        return [*own, *([] if has_reason else ["why"]), *(["seen_change"] if obj else [])]

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        with changing(None, form.cleaned_data.get("why", "")):
            super().save_model(request, obj, form, change)


class OfModel(admin.SimpleListFilter):
    """By the kind of configuration, in words."""

    title = _("configuration")
    parameter_name = "model"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Any:
        return sorted(
            ((m._meta.label_lower, str(m._meta.verbose_name)) for m in _configured()), key=lambda pair: pair[1]
        )

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset.filter(model=self.value()) if self.value() else queryset


def _configured() -> list[type[Configuration]]:
    kinds, left = [], list(Configuration.__subclasses__())
    while left:
        kind = left.pop()
        left += kind.__subclasses__()
        if not kind._meta.abstract:
            kinds.append(kind)
    return kinds


@admin.register(ConfigChange)
class ConfigChangeAdmin(LookOnlyAdmin):
    list_display = ("at", "of", "name", "kind", "by", "what", "why")
    list_filter = (OfModel, "kind", "by", "at")
    search_fields = ("name", "by", "why", "=row")
    ordering = ("-pk",)
    fields = readonly_fields = ("at", "of", "name", "kind", "by", "why", "what")

    @admin.display(description=_("configuration"), ordering="model")
    def of(self, change: ConfigChange) -> str:
        return str(
            next((m._meta.verbose_name for m in _configured() if m._meta.label_lower == change.model), change.model)
        )

    @admin.display(description=_("what"))
    def what(self, change: ConfigChange) -> str:
        model = next((m for m in _configured() if m._meta.label_lower == change.model), None)
        changed = differences(model, change.before, change.after)
        return format_html_join(
            "", "<div>{}: {} → {}</div>", ((item.what, item.before, item.after) for item in changed)
        )
