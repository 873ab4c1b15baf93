"""Threshold profiles and category schemas in the admin."""

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from catalogsku.core.admin import LookOnlyAdmin
from catalogsku.profiles.admin.versions import GatedVersionAdmin, VersionAdmin
from catalogsku.profiles.models import Activation, CategorySchema, ThresholdProfile, WorkRules


@admin.register(ThresholdProfile)
class ThresholdProfileAdmin(GatedVersionAdmin):
    fieldsets = (
        (None, {"fields": ("key", "category", "reason", "seen_version")}),
        (_("Thresholds"), {"fields": ("threshold_a", "threshold_pv", "threshold_b", "validity_mode")}),
        (_("People"), {"fields": ("sla_acceptance",)}),
        (_("Evaluation"), {"fields": ("weights", "prescan_rules", "classification")}),
    )


@admin.register(Activation)
class ActivationAdmin(LookOnlyAdmin):
    list_display = ("profile", "by", "refusal", "override", "at")
    ordering = ("-pk",)


@admin.register(CategorySchema)
class CategorySchemaAdmin(VersionAdmin):
    list_display = ("key", "parent_key", *VersionAdmin.list_display[1:])
    fieldsets = (
        (None, {"fields": ("key", "label_zh", "label_en", "parent_key", "reason", "seen_version")}),
        (_("Content"), {"fields": ("attributes", "rules", "all_attributes")}),
    )
    readonly_fields = ("all_attributes",)

    @admin.display(description=_("with those of the parent"))
    def all_attributes(self, row: CategorySchema) -> str:
        return ", ".join(entry["key"] for entry in row.resolved_attributes)


@admin.register(WorkRules)
class WorkRulesAdmin(VersionAdmin):
    fieldsets = (
        (None, {"fields": ("key", "reason", "seen_version")}),
        (
            _("Waiting"),
            {"fields": ("high_after_min", "escalate_after_min", "accept_after_min", "skip_after_min", "accept_above")},
        ),
        (_("Dispatch"), {"fields": ("reserved_min", "open_most", "hard_below", "hard_accuracy")}),
        (
            _("Looked at again"),
            {"fields": ("audit_ratio", "blind_ratio", "verdict_least", "verdict_most", "honeypot_ratio")},
        ),
    )

    def has_add_permission(self, request: HttpRequest) -> bool:
        """One set of rules holds for all; a saved form is its next version."""
        return False
