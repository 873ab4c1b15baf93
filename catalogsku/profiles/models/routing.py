"""Routing tables: which model each question of a page goes to (LA-ROUTE), with the switch back to one model for all."""

from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from catalogsku.profiles.models.thresholds import figure_fault
from catalogsku.profiles.models.versioned import VersionedRow
from catalogsku.profiles.routes import default_points, default_rows, faults_of_points, row_problems

ROW_PROBLEMS = {
    "not_a_list": _("This must be a list: [ ... ]."),
    "bad_row": _("Row %(place)s needs operation, page_type, complexity and route, all of them text."),
    "bad_operation": _("Row %(place)s names an operation that there is not."),
    "bad_page_type": _("The page type of row %(place)s must be A, B, C, D or any."),
    "bad_complexity": _("The complexity of row %(place)s must be simple, complex or any."),
    "bad_route": _("The route of row %(place)s must be RULES, SKIP, strong, cheap or the name of a model."),
    "row_twice": _("Row %(place)s speaks of the same pages as an earlier one."),
}


class RoutingTable(VersionedRow):
    """``prefer_always``: every question to the strong model, as if there were no rows (LA-ROLLBACK); ``rules_from``:
    the rule analyst's confidence from which a page needs no model, above 1 for never."""

    prefer_always = models.BooleanField(_("always the strong model"), default=False)
    rows = models.JSONField(_("rows"), default=default_rows)
    points = models.JSONField(_("points of complexity"), default=default_points)
    rules_from = models.FloatField(
        _("rules alone from this confidence on"), default=1.1, validators=[MinValueValidator(0.5)]
    )

    class Meta:
        verbose_name = _("routing table")
        verbose_name_plural = _("routing tables")
        constraints = [
            models.UniqueConstraint(fields=["key", "version"], name="one_routing_version"),
            models.UniqueConstraint(fields=["key"], condition=Q(active=True), name="one_active_routing"),
        ]

    def clean(self) -> None:
        wrong = [ValidationError(ROW_PROBLEMS[code], code, {"place": place}) for code, place in row_problems(self.rows)]
        if wrong:
            raise ValidationError({"rows": wrong})
        faults = [figure_fault(fault) for fault in faults_of_points(self.points)]
        if faults:
            raise ValidationError({"points": faults})
