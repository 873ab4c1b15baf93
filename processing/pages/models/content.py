"""What was read from a file: kept pages, pictures, and the document's evaluation."""

from django.db import models
from django.db.models.functions import Now

from catalogsku.accounts.models import Merchant
from catalogsku.core import clock
from catalogsku.core.scope import ScopedManager
from catalogsku.profiles.models import ThresholdProfile
from ingestion.models import Page


class PageContent(models.Model):
    """A packed ParsedPage, kept by file, page and reading settings inside one merchant (LX-PARSECACHE).

    ``files``: storage names of its preview, thumbnail and pictures by the names the page uses, and of its screenshot
    once that is drawn.
    """

    merchant = models.ForeignKey(Merchant, models.CASCADE, related_name="+", db_index=False)  # one_content_a_page
    file_sha256 = models.CharField(max_length=64)
    number = models.IntegerField()
    reading_key = models.CharField(max_length=16)
    data = models.BinaryField()
    assessment = models.JSONField(null=True)
    files = models.JSONField(default=dict)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["merchant", "file_sha256", "reading_key", "number"], name="one_content_a_page"
            )
        ]

    def __str__(self) -> str:
        return f"{self.file_sha256[:8]}/{self.number}"


class RuleResult(models.Model):
    """What the rule analyst made of a page that waits for models: their yardstick, and the answer where none comes.

    ``estimated_micro``: what asking them is expected to cost, in micro-USD (llm.prospects). ``waits_for``: id of the
    question in a batch (ModelCall) whose end brings the page on; of this page, or of one that asks the same.
    """

    page = models.OneToOneField(Page, models.CASCADE, primary_key=True, related_name="+")
    data = models.BinaryField()
    estimated_micro = models.BigIntegerField(default=0, db_default=0)
    waits_for = models.BigIntegerField(null=True)

    def __str__(self) -> str:
        return str(self.page_id)


class PageAlternatives(models.Model):
    """What proposals that were not taken tell of a page that goes to people, besides its result, for them to take.

    ``found``: at most two, the best first, as ``pages.services.alternatives`` writes them.
    """

    page = models.OneToOneField(Page, models.CASCADE, primary_key=True, related_name="+")
    found = models.JSONField()

    def __str__(self) -> str:
        return str(self.page_id)


class Evaluation(models.Model):
    """How a document was judged and routed; the row is lock and cache for its key (TA-ADR04)."""

    merchant = models.ForeignKey(Merchant, models.CASCADE, related_name="+")
    file_sha256 = models.CharField(max_length=64)
    profile = models.ForeignKey(ThresholdProfile, models.PROTECT, related_name="+")
    prompt_version = models.CharField(max_length=40, default="none")
    model = models.CharField(max_length=150)  # who scored, joined by +, and how pages were read
    c_doc = models.FloatField()
    route = models.CharField(max_length=10)
    reasons = models.JSONField(default=list)
    report = models.JSONField()
    facts = models.JSONField()
    created_at = models.DateTimeField(default=clock.now, editable=False)

    objects = ScopedManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["merchant", "file_sha256", "profile", "prompt_version", "model"], name="one_evaluation_a_key"
            )
        ]

    def __str__(self) -> str:
        return f"{self.file_sha256[:8]} {self.c_doc:.2f} {self.route}"

    @property
    def analysts(self) -> str:
        return self.model.partition("/")[0]
