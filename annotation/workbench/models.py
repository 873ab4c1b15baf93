"""Presence: which person has which task open, in which tab, and when that tab last said so (X-PRES)."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from annotation.tasks.models import HumanTask


class Presence(models.Model):
    """One tab of a person. It is there while ``seen_at`` is fresh, whatever became of its connection."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    session = models.UUIDField()
    task = models.ForeignKey(HumanTask, models.CASCADE, related_name="present")
    seen_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "session"], name="one_presence_a_tab")]

    def __str__(self) -> str:
        return f"{self.user_id} at {self.task_id}"
