"""Workers, periodic runs and audit rows in the admin, to look at."""

from django.contrib import admin
from django.http import HttpRequest

from catalogsku.core.models import PeriodicRun, Transition, Worker

admin.site.site_header = admin.site.site_title = "CatalogSKU"


# Of forms and admins only the stubs take an argument, Django itself does not: hence `type-arg` is ignored at theirs.
class LookOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(Worker)
class WorkerAdmin(LookOnlyAdmin):
    list_display = ("unit", "host", "pid", "threads", "started_at", "seen_at")


@admin.register(PeriodicRun)
class PeriodicRunAdmin(LookOnlyAdmin):
    list_display = ("name", "period", "started_at", "finished_at", "outcome", "error")
    list_filter = ("name",)


@admin.register(Transition)
class TransitionAdmin(LookOnlyAdmin):
    list_display = ("entity", "entity_id", "source", "target", "trigger", "actor", "at")
    list_filter = ("entity", "trigger")
    ordering = ("-id",)
