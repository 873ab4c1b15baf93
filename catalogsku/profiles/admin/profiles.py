"""Threshold profiles and category schemas in the admin."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from catalogsku.core.admin import LookOnlyAdmin
from catalogsku.profiles.admin.versions import GatedVersionAdmin, VersionAdmin, VersionForm
from catalogsku.profiles.models import Activation, CategorySchema, MerchantDictionary, ThresholdProfile, WorkRules


@admin.register(ThresholdProfile)
class ThresholdProfileAdmin(GatedVersionAdmin):
    fieldsets = (
        (None, {"fields": ("key", "category", "reason", "seen_version")}),
        (_("Thresholds"), {"fields": ("threshold_a", "threshold_pv", "threshold_b", "validity_mode")}),
        (_("People"), {"fields": ("sla_acceptance",)}),
        (_("Evaluation"), {"fields": ("weights", "prescan_rules", "classification")}),
        (_("Pictures and consistency"), {"fields": ("limits",)}),
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


class DictionaryForm(VersionForm):
    """Its key follows from its merchant and category, which stay once there is a version."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("merchant", "category") if self.instance.pk else ():
            if name in self.fields:
                self.fields[name].disabled = True

    def clean(self) -> dict[str, Any]:
        merchant, category = self.cleaned_data.get("merchant"), self.cleaned_data.get("category", "")
        if merchant is not None:
            self.cleaned_data["key"] = MerchantDictionary.key_of(merchant.pk, category)
        return super().clean()


@admin.register(MerchantDictionary)
class MerchantDictionaryAdmin(VersionAdmin):
    """Words are tried on stored pages on the screen of words."""

    form = DictionaryForm
    list_display = ("merchant", "category", *VersionAdmin.list_display[1:])
    list_filter = ("active", "merchant")
    list_select_related = ("merchant", "created_by")
    fieldsets = (
        (None, {"fields": ("merchant", "category", "reason", "seen_version")}),
        (_("Content"), {"fields": ("entries",)}),
    )


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
