"""Prompts, their trials and routing tables in the admin; a prompt is tried out on a page in processing."""

from collections.abc import Callable
from typing import Any, cast

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from catalogsku.accounts.models import User
from catalogsku.core.admin import LookOnlyAdmin
from catalogsku.core.errors import Refused
from catalogsku.profiles.admin.versions import ActivationForm, DiffMixin, GatedVersionAdmin, VersionAdmin
from catalogsku.profiles.gate import sentence
from catalogsku.profiles.models import PromptActivation, PromptExperiment, PromptVersion, RoutingTable
from catalogsku.profiles.services import end_trial, promote_trial, start_trial


@admin.register(PromptVersion)
class PromptVersionAdmin(DiffMixin, GatedVersionAdmin):
    change_form_template = "admin/profiles/promptversion/change_form.html"
    compared = ("text_zh", "text_en")
    fieldsets = (
        (None, {"fields": ("key", "reason", "seen_version")}),
        (
            _("Texts"),
            {
                "fields": ("text_zh", "text_en", "changes"),
                "description": _(
                    "{{name}} is replaced by a zone: page_tables, page_text, page_pictures, schema, examples, faults, "
                    "boundaries, products, pages. A paragraph whose zones are all empty is left out."
                ),
            },
        ),
    )
    readonly_fields = ("changes",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Every prompt there can be is there; a saved form is its next version."""
        return False


@admin.register(RoutingTable)
class RoutingTableAdmin(DiffMixin, VersionAdmin):
    compared = ("prefer_always", "rows", "points", "rules_from")
    fieldsets = (
        (None, {"fields": ("key", "reason", "seen_version")}),
        (
            _("Routes"),
            {
                "fields": ("prefer_always", "rows", "points", "rules_from", "changes"),
                "description": _("It holds for documents that are given from now on."),
            },
        ),
    )
    readonly_fields = ("changes",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False


class TrialForm(ModelForm):  # type: ignore[type-arg]
    """Planned against the version that is active now."""

    class Meta:
        model = PromptExperiment
        fields = ("trial", "share", "reason")

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        version = data.get("trial")
        if version is not None:
            control = PromptVersion.objects.filter(key=version.key, active=True).first()
            if control is None or control == version:
                raise ValidationError({"trial": _("This is the active version; there is nothing to try.")})
            self.instance.key, self.instance.control = version.key, control
        return data


@admin.register(PromptExperiment)
class PromptExperimentAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    form = TrialForm
    action_form = ActivationForm
    list_display = ("key", "control", "trial", "share", "state", "reason", "created_by", "started_at", "ended_at")
    list_filter = ("state", "key")
    list_select_related = ("control", "trial", "created_by")
    ordering = ("-pk",)
    actions = ("start", "promote", "end")

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        obj.created_by = request.user
        super().save_model(request, obj, form, change)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """What runs or has run stays as it was planned; jobs have been dealt out by it."""
        return super().has_change_permission(request, obj) and (
            obj is None or obj.state == PromptExperiment.State.PLANNED
        )

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.action(description=_("Start: deal out new jobs"), permissions=["change"])
    def start(self, request: HttpRequest, rows: QuerySet[PromptExperiment]) -> None:
        self._each(request, rows, lambda row, user, words: start_trial(row, user, words))

    @admin.action(description=_("Promote: the trial's version becomes the active one"), permissions=["change"])
    def promote(self, request: HttpRequest, rows: QuerySet[PromptExperiment]) -> None:
        self._each(request, rows, lambda row, user, words: promote_trial(row, user, words))

    @admin.action(description=_("End: new jobs get the control again"), permissions=["change"])
    def end(self, request: HttpRequest, rows: QuerySet[PromptExperiment]) -> None:
        self._each(request, rows, lambda row, user, words: end_trial(row, words))

    def _each(
        self,
        request: HttpRequest,
        rows: QuerySet[PromptExperiment],
        step: Callable[[PromptExperiment, User, str], None],
    ) -> None:
        for row in rows:
            try:
                step(row, cast(User, request.user), request.POST.get("override", ""))
            except Refused as refused:
                self.message_user(request, sentence(refused), level="WARNING")
            else:
                row.refresh_from_db()
                self.message_user(request, f"{row}: {row.get_state_display()}")


@admin.register(PromptActivation)
class PromptActivationAdmin(LookOnlyAdmin):
    list_display = ("prompt", "by", "refusal", "override", "at")
    ordering = ("-pk",)
