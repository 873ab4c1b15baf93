"""Merchants' rules for corrections in the admin."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from catalogsku.profiles.admin.configuration import ConfigurationAdmin
from processing.corrections.models import CorrectionRule


@admin.register(CorrectionRule)
class CorrectionRuleAdmin(ConfigurationAdmin):
    list_display = ("merchant", "at_once")
    list_select_related = ("merchant",)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("merchant",) if obj else ()
