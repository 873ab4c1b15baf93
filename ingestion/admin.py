"""Documents in the admin, to look at: they are moved by services alone."""

from django.contrib import admin

from catalogsku.core.admin import LookOnlyAdmin
from ingestion.models import Job, Page, Quota, Upload


@admin.register(Job)
class JobAdmin(LookOnlyAdmin):
    list_display = ("source_name", "merchant", "status", "route", "c_doc", "total_pages", "held_reason", "created_at")
    list_filter = ("status", "route", "merchant")
    search_fields = ("source_name", "uuid", "file_sha256")
    list_select_related = ("merchant",)
    exclude = ("password",)


@admin.register(Page)
class PageAdmin(LookOnlyAdmin):
    list_display = ("job", "number", "status", "import_state", "stage", "page_type", "sku_count", "failures", "losses")
    list_filter = ("status", "stage", "page_type")
    list_select_related = ("job",)
    raw_id_fields = ("job",)
    show_full_result_count = False


@admin.register(Upload)
class UploadAdmin(LookOnlyAdmin):
    list_display = ("name", "merchant", "user", "offset_bytes", "size_bytes", "expires_at")
    list_select_related = ("merchant", "user")


@admin.register(Quota)
class QuotaAdmin(admin.ModelAdmin):
    list_display = ("merchant", "storage_mb", "jobs_in_work", "open_uploads")
    list_select_related = ("merchant",)
