"""Tasks and what is known of people, in the admin, to look at; golden pages are taken out of use here."""

from django.contrib import admin
from django.http import HttpRequest

from annotation.calibration.models import CalibrationProposal, CalibrationRecord
from annotation.people.models import AnnotatorProfile, GoldenPage, Judgement
from annotation.proposals.models import AttributeProposal
from annotation.tasks.models import HumanTask
from catalogsku.core.admin import LookOnlyAdmin


@admin.register(HumanTask)
class HumanTaskAdmin(LookOnlyAdmin):
    list_display = ("job", "page", "type", "purpose", "status", "priority", "locked_by", "assigned_to", "rework_count")
    list_filter = ("status", "type", "purpose", "priority")
    list_select_related = ("job", "page", "locked_by", "assigned_to")
    raw_id_fields = ("job", "page")


@admin.register(AnnotatorProfile)
class AnnotatorProfileAdmin(LookOnlyAdmin):
    list_display = ("user", "tasks", "duration_s", "accuracy", "judged", "kappa", "golden_score", "updated_at")
    list_select_related = ("user",)


@admin.register(Judgement)
class JudgementAdmin(LookOnlyAdmin):
    list_display = ("annotator", "kind", "outcome", "score", "reviewer", "at")
    list_filter = ("kind", "outcome")
    list_select_related = ("annotator", "reviewer")


@admin.register(AttributeProposal)
class AttributeProposalAdmin(LookOnlyAdmin):
    """Decided on the product's own page, with one click."""

    list_display = ("category", "name", "key", "type", "confirmed", "state", "decided_by", "decided_at")
    list_filter = ("state", "category")
    list_select_related = ("decided_by",)


@admin.register(CalibrationRecord)
class CalibrationRecordAdmin(LookOnlyAdmin):
    list_display = ("profile", "category", "reason", "since", "until", "counts", "rates")
    list_filter = ("profile__key", "category")
    list_select_related = ("profile",)


@admin.register(CalibrationProposal)
class CalibrationProposalAdmin(LookOnlyAdmin):
    """Decided on the product's own page, beside what it would have done."""

    list_display = ("profile", "figure", "now", "proposed", "state", "made", "decided_by", "decided_at")
    list_filter = ("state", "figure")
    list_select_related = ("profile", "made", "decided_by")


@admin.register(GoldenPage)
class GoldenPageAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("task", "active", "made_by", "made_at")
    list_editable = ("active",)
    list_select_related = ("task", "made_by")
    fields = readonly_fields = ("task", "made_by", "made_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """They are made from closed tasks."""
        return False
