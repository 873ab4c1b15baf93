"""DayFigures: what a day brought, counted once from rows that may go; the screen of figures reads nothing else."""

from django.db import models

from catalogsku.accounts.models import Merchant
from catalogsku.core.scope import ScopedManager

# Of a merchant's categories on a day beyond those that had the most.
OTHER = "*"


class DayFigures(models.Model):
    """A day (of TIME_ZONE) of one merchant, or without one of all together, in one category ("": none was given).

    Pages and documents count on the day of their outcome; ``pages_degraded``, of those: a model was to be asked and was
    away or over budget. ``products``: on the pages that machines and people have finished. ``corrections``: values that
    people changed. ``person_s``: of the tasks closed on that day. ``operations``: micro-USD by operation of models.
    ``hours``: pages by the hour of the day, each [by machines, by people, skipped].

    The row of all without a category is there for every day that was counted.
    """

    day = models.DateField()
    merchant = models.ForeignKey(
        Merchant, models.CASCADE, null=True, related_name="+", db_index=False
    )  # figures_of_day
    category = models.CharField(max_length=60, blank=True)
    documents_in = models.IntegerField(default=0)
    documents_out = models.IntegerField(default=0)
    pages_in = models.IntegerField(default=0)
    pages_machine = models.IntegerField(default=0)
    pages_person = models.IntegerField(default=0)
    pages_skipped = models.IntegerField(default=0)
    pages_degraded = models.IntegerField(default=0)
    products = models.IntegerField(default=0)
    corrections = models.IntegerField(default=0)
    tasks = models.IntegerField(default=0)
    person_s = models.FloatField(default=0)
    cost_micro = models.BigIntegerField(default=0)
    operations = models.JSONField(default=dict)
    hours = models.JSONField(default=dict)
    gathered_at = models.DateTimeField()

    objects = ScopedManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["merchant", "day", "category"], nulls_distinct=False, name="one_row_of_figures_a_day"
            )
        ]
        indexes = [models.Index(fields=["day"], name="figures_of_day")]

    def __str__(self) -> str:
        return f"{self.day} {self.merchant_id or '-'} {self.category}"
