"""Rules for keeping and the record of deletions in the admin."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from catalogsku.core.admin import LookOnlyAdmin
from catalogsku.profiles.admin.configuration import ConfigurationAdmin
from ingestion.keeping.models import Deletion, KeepingRule
from ingestion.keeping.policies import DEFAULT_DAYS


@admin.register(KeepingRule)
class KeepingRuleAdmin(ConfigurationAdmin):
    list_display = ("__str__", *(f"{kind}_days" for kind in DEFAULT_DAYS))
    list_select_related = ("merchant",)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("merchant",) if obj else ()


@admin.register(Deletion)
class DeletionAdmin(LookOnlyAdmin):
    list_display = ("subject", "number", "state", "by_rule", "files", "bytes", "asked_at", "ended_at")
    list_filter = ("subject", "state", "by_rule")
    exclude = ("needles", "pending")
