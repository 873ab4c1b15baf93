"""Templates, their versions and records in the admin, to look at: they are changed where people edit them."""

from django.contrib import admin

from catalogsku.core.admin import LookOnlyAdmin
from processing.studies.models import Record, Template, TemplateVersion


@admin.register(Template)
class TemplateAdmin(LookOnlyAdmin):
    list_display = ("key", "name", "merchant", "archived")
    list_filter = ("archived", "merchant")
    list_select_related = ("merchant",)
    ordering = ("merchant__name", "key")


@admin.register(TemplateVersion)
class TemplateVersionAdmin(LookOnlyAdmin):
    list_display = ("template", "number", "created_by", "created_at", "reason")
    list_select_related = ("template", "created_by")
    ordering = ("template", "-number")


@admin.register(Record)
class RecordAdmin(LookOnlyAdmin):
    list_display = ("job", "subject", "part", "status", "revision", "superseded", "created_at")
    list_filter = ("status",)
    list_select_related = ("job",)
    ordering = ("-pk",)
