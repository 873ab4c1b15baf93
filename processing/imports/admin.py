"""Import targets and their switches in the admin."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from processing.imports.models import ImportRecord, ImportTarget


@admin.register(ImportTarget)
class ImportTargetAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "merchant", "enabled", "url", "writes", "query", "batch", "whole_job")
    list_select_related = ("merchant",)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """The ledger names targets by their name."""
        return ("name",) if obj else ()

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """One that something was sent to is switched off instead: its imports are kept under its name."""
        used = obj is not None and ImportRecord.objects.filter(target=obj.name).exists()
        return super().has_delete_permission(request, obj) and obj is not None and not used
