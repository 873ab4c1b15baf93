"""AttributeProposal: a name that catalogues print and people confirm, offered to its category's schema (TA-BR21)."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy, pgettext_lazy

from catalogsku.core import clock


class AttributeProposal(models.Model):
    """``folded``: the printed name without case and space; ``names``: how it was printed, with counts; ``samples``:
    values of it. Spans all merchants of the category, as the schema does: for administrators only.
    """

    class State(models.TextChoices):
        OPEN = "open", pgettext_lazy("proposal", "Proposed")
        ACCEPTED = "accepted", pgettext_lazy("proposal", "Accepted")
        DECLINED = "declined", pgettext_lazy("proposal", "Declined")

    category = models.CharField(gettext_lazy("category"), max_length=60)
    folded = models.CharField(max_length=60)
    key = models.CharField(gettext_lazy("key"), max_length=60)
    type = models.CharField(gettext_lazy("type"), max_length=10)
    unit = models.CharField(gettext_lazy("unit"), max_length=20, blank=True)
    names = models.JSONField(gettext_lazy("names"), default=dict)
    samples = models.JSONField(gettext_lazy("samples"), default=list)
    confirmed = models.PositiveIntegerField(gettext_lazy("confirmed"))
    state = models.CharField(gettext_lazy("state"), max_length=8, choices=State, default=State.OPEN)
    proposed_at = models.DateTimeField(gettext_lazy("proposed"), default=clock.now, editable=False)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    decided_at = models.DateTimeField(gettext_lazy("decided"), null=True)

    class Meta:
        verbose_name = gettext_lazy("proposed attribute")
        verbose_name_plural = gettext_lazy("proposed attributes")
        constraints = [models.UniqueConstraint(fields=["category", "folded"], name="one_proposal_a_name")]
        indexes = [models.Index(fields=["-confirmed"], name="proposals_open", condition=Q(state="open"))]

    def __str__(self) -> str:
        return f"{self.category}: {self.name}"

    @property
    def name(self) -> str:
        """As it is printed most often."""
        return max(self.names, key=lambda name: (self.names[name], name), default=self.folded)
