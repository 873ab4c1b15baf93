"""Documents in the admin, to look at: they are moved by services alone."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from catalogsku.core.admin import LookOnlyAdmin
from catalogsku.profiles.admin.configuration import ConfigurationAdmin
from ingestion.keeping import admin as _keeping  # noqa: F401 -- it registers itself
from ingestion.models import FileRule, Job, Page, Quota, Upload
from ingestion.services import jobs


@admin.register(Job)
class JobAdmin(LookOnlyAdmin):
    list_display = (
        "source_name",
        "merchant",
        "status",
        "route",
        "c_doc",
        "total_pages",
        "held_reason",
        "import_hold",
        "created_at",
    )
    list_filter = ("status", "route", "import_hold", "merchant")
    search_fields = ("source_name", "uuid", "file_sha256")
    list_select_related = ("merchant",)
    exclude = ("password",)
    actions = ("hold_imports", "let_imports_go")

    @admin.action(description=_("Hold the imports"), permissions=["view"])
    def hold_imports(self, request: HttpRequest, rows: QuerySet[Job]) -> None:
        n = jobs.hold_imports(rows, request.user.get_username())
        self.message_user(request, ngettext("%(n)s document is held", "%(n)s documents are held", n) % {"n": n})

    @admin.action(description=_("Let the imports go"), permissions=["view"])
    def let_imports_go(self, request: HttpRequest, rows: QuerySet[Job]) -> None:
        n = jobs.let_imports_go(rows)
        self.message_user(request, ngettext("%(n)s document goes on", "%(n)s documents go on", n) % {"n": n})


@admin.register(Page)
class PageAdmin(LookOnlyAdmin):
    list_display = (
        *("job", "number", "status", "import_state", "stage", "page_type", "sku_count", "personal_data", "failures"),
        "losses",
    )
    list_filter = ("status", "stage", "page_type")
    list_select_related = ("job",)
    raw_id_fields = ("job",)
    show_full_result_count = False


@admin.register(Upload)
class UploadAdmin(LookOnlyAdmin):
    list_display = ("name", "merchant", "user", "offset_bytes", "size_bytes", "expires_at")
    list_select_related = ("merchant", "user")


@admin.register(FileRule)
class FileRuleAdmin(ConfigurationAdmin):
    list_display = ("merchant", "active_files")
    list_select_related = ("merchant",)

    def get_readonly_fields(self, request: HttpRequest, obj: FileRule | None = None) -> tuple[str, ...]:
        return ("merchant",) if obj else ()


@admin.register(Quota)
class QuotaAdmin(ConfigurationAdmin):
    list_display = ("merchant", "storage_mb", "jobs_in_work", "open_uploads")
    list_select_related = ("merchant",)
