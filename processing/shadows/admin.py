"""Shadows in the admin: what looks at which share of the pages, and what it found otherwise."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from catalogsku.core.admin import LookOnlyAdmin
from catalogsku.profiles.admin.configuration import ConfigurationAdmin
from processing.shadows.models import Shadow, ShadowPage
from processing.shadows.presenters import kind_of, shadow_rows


@admin.register(Shadow)
class ShadowAdmin(ConfigurationAdmin):
    list_display = ("__str__", "kind", "share", "limit_micro", "running", "found", "reason", "created_by", "created_at")
    list_editable = ("running",)
    list_select_related = ("prompt", "model", "created_by")
    fields = ("reader", "prompt", "model", "share", "limit_micro", "running", "reason")
    ordering = ("-pk",)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        obj.created_by = obj.created_by or request.user
        super().save_model(request, obj, form, change)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Differences that were found belong to one thing and one share."""
        return ("reader", "prompt", "model", "share") if obj else ()

    @admin.display(description=_("what it is"))
    def kind(self, row: Shadow) -> str:
        return kind_of(row)

    @admin.display(description=_("found otherwise"))
    def found(self, row: Shadow) -> str:
        shadow = next(shadow for shadow in shadow_rows() if shadow.id == row.pk)
        template = _("%(differing)d of %(pages)d pages: %(gained)d products more, %(lost)d fewer, %(changed)d values")
        return str(template) % vars(shadow)


@admin.register(ShadowPage)
class ShadowPageAdmin(LookOnlyAdmin):
    list_display = (
        *("shadow", "job", "page", "skus_before", "skus_after", "gained", "lost", "changed", "code"),
        *("cost_micro", "own_cost_micro", "ms", "own_ms", "ended_at"),
    )
    list_filter = ("shadow",)
    list_select_related = ("shadow__prompt", "shadow__model", "job", "page")
    ordering = ("-id",)
