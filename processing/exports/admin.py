"""Exports and their layouts in the admin, to look at."""

from django.contrib import admin

from catalogsku.core.admin import LookOnlyAdmin
from processing.exports.models import Export, ExportLayout


@admin.register(ExportLayout)
class ExportLayoutAdmin(LookOnlyAdmin):
    list_display = ("name", "merchant", "headings", "columns", "saved_by", "saved_at")
    list_filter = ("merchant",)
    list_select_related = ("merchant", "saved_by")
    ordering = ("merchant__name", "name")


@admin.register(Export)
class ExportAdmin(LookOnlyAdmin):
    list_display = (
        *("uuid", "merchant", "job", "kind", "layout", "is_delta", "status", "code", "skus", "size_bytes", "asked_by"),
        *("created_at", "ended_at", "fetched_at"),
    )
    list_filter = ("status", "kind", "merchant")
    list_select_related = ("merchant", "job", "layout", "asked_by")
    exclude = ("held",)
    ordering = ("-pk",)
