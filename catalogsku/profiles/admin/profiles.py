"""Threshold profiles and category schemas in the admin."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from catalogsku.core.admin import LookOnlyAdmin
from catalogsku.profiles.admin.versions import GatedVersionAdmin, VersionAdmin
from catalogsku.profiles.models import Activation, CategorySchema, ThresholdProfile


@admin.register(ThresholdProfile)
class ThresholdProfileAdmin(GatedVersionAdmin):
    fieldsets = (
        (None, {"fields": ("key", "category", "reason", "seen_version")}),
        (_("Thresholds"), {"fields": ("threshold_a", "threshold_pv", "threshold_b", "validity_mode")}),
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
        (
            _("Content"),
            {
                "fields": ("attributes", "rules", "all_attributes"),
                "description": _(
                    "An attribute: key, label_zh, label_en, synonyms, type (text, number, measure, choice), unit, "
                    "required, group. A rule: rule (required_field, range_check, regex_match, max_count), field, min, "
                    "max, pattern, severity (warning, error), action (note, review)."
                ),
            },
        ),
    )
    readonly_fields = ("all_attributes",)

    @admin.display(description=_("with those of the parent"))
    def all_attributes(self, row: CategorySchema) -> str:
        return ", ".join(entry["key"] for entry in row.resolved_attributes)
