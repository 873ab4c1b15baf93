"""Edition: a document that takes the place of an earlier one, and what it changes, product by product (X-DIFF)."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from catalogsku.core import clock
from catalogsku.core.scope import ScopedManager
from ingestion.models import Job
from processing.products.models import Sku


class Origin(models.TextChoices):
    RECOGNISED = "recognised", pgettext_lazy("edition", "recognised")
    DECLARED = "declared", pgettext_lazy("edition", "declared")


class EditionState(models.TextChoices):
    """APPROVING: the decision stands, its products are not under the ids yet that targets know. UNDONE stays on record,
    so that the same document is not recognised again."""

    OPEN = "open", pgettext_lazy("edition", "Waits for approval")
    APPROVING = "approving", pgettext_lazy("edition", "Approved, being prepared")
    APPROVED = "approved", pgettext_lazy("edition", "Approved")
    UNDONE = "undone", pgettext_lazy("edition", "Not an edition")


# Nothing of it goes out, and targets know its products under no lasting id.
UNSETTLED = (EditionState.OPEN, EditionState.APPROVING)


class ChangeKind(models.TextChoices):
    CHANGED = "changed", pgettext_lazy("edition", "Changed")
    ADDED = "added", pgettext_lazy("edition", "Added")
    RENAMED = "renamed", pgettext_lazy("edition", "Renamed")
    REMOVED = "removed", pgettext_lazy("edition", "Removed")


class Edition(models.Model):
    """``pages``: [later, earlier, how] as in engine.editions; ``tally``: how many of each kind; ``compared``: the
    transaction before which every change of a page is in the comparison, null before the first; ``digest`` names the
    changes: who approves says which ones. Whoever carries an approval out has it in hand until ``lease_until``."""

    job = models.OneToOneField(Job, models.CASCADE, primary_key=True, related_name="edition")
    predecessor = models.ForeignKey(Job, models.PROTECT, related_name="+")
    origin = models.CharField(max_length=10, choices=Origin)
    state = models.CharField(max_length=9, choices=EditionState, default=EditionState.OPEN)
    pages = models.JSONField(default=list)
    share = models.FloatField(default=0)
    tally = models.JSONField(default=dict)
    compared = models.BigIntegerField(null=True)
    digest = models.CharField(max_length=16, blank=True)
    actor = models.CharField(max_length=150, blank=True)
    created_at = models.DateTimeField(default=clock.now, editable=False)
    decided_at = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)

    merchant_path = "job__merchant_id"
    objects = ScopedManager()

    class Meta:
        verbose_name = _("edition")
        verbose_name_plural = _("editions")
        indexes = [
            models.Index(fields=["job"], name="editions_open", condition=models.Q(state__in=UNSETTLED)),
        ]

    def __str__(self) -> str:
        return f"{self.job} / {self.predecessor}"


class EditionChange(models.Model):
    """One product that was added, removed or changed. ``rank``, ``weight``: their order, price changes first.

    ``key``: the sku_id, of a removed one with a minus before it. ``goes``: it is carried out on approval; for a removed
    one that means that it is taken back. ``noted_together``: the last word on many at once changed that.
    """

    edition = models.ForeignKey(Edition, models.CASCADE, related_name="changes", db_index=False)  # one_change_a_sku
    key = models.CharField(max_length=41)
    kind = models.CharField(max_length=8, choices=ChangeKind)
    later = models.ForeignKey(Sku, models.CASCADE, null=True, related_name="+")
    earlier = models.ForeignKey(Sku, models.CASCADE, null=True, related_name="+")
    fields = models.JSONField(default=list)
    price_change = models.FloatField(null=True)
    rank = models.SmallIntegerField()
    weight = models.FloatField(default=0)
    goes = models.BooleanField(default=True)
    noted_together = models.BooleanField(default=False, db_default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["edition", "key"], name="one_change_a_sku")]
        indexes = [models.Index(fields=["edition", "rank", "weight", "id"], name="changes_in_order")]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class RenamingState(models.TextChoices):
    PROPOSED = "proposed", pgettext_lazy("renaming", "Proposed")
    TAKEN = "taken", pgettext_lazy("renaming", "One product")
    LEFT = "left", pgettext_lazy("renaming", "Two products")


class EditionRenaming(models.Model):
    """A product that is gone and one that is new, alike in all but their codes; by their SKU ids. What a person has
    said of them stays, whatever is compared anew."""

    edition = models.ForeignKey(
        Edition, models.CASCADE, related_name="renamings", db_index=False
    )  # one_renaming_a_pair
    earlier = models.CharField(max_length=40)
    later = models.CharField(max_length=40)
    score = models.FloatField()
    state = models.CharField(max_length=8, choices=RenamingState, default=RenamingState.PROPOSED)
    actor = models.CharField(max_length=150, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["edition", "earlier", "later"], name="one_renaming_a_pair"),
            models.UniqueConstraint(
                fields=["edition", "earlier"],
                condition=models.Q(state=RenamingState.TAKEN),
                name="renamed_from_once",
            ),
            models.UniqueConstraint(
                fields=["edition", "later"], condition=models.Q(state=RenamingState.TAKEN), name="renamed_to_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.earlier} > {self.later}"
