"""Shadow: a second reader, prompt version or model that works beside the product's own way on a share of the pages, and
what it found otherwise on each of them (X-SHADOW). Nothing of it is ever a result."""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from catalogsku.core.scope import ScopedManager
from catalogsku.profiles.models import Configuration, PromptVersion
from ingestion.models import Job, Page
from processing.llm.models import LanguageModel

_NO_READER, _NO_PROMPT, _NO_MODEL = Q(reader=""), Q(prompt=None), Q(model=None)


class Reader(models.TextChoices):
    PYMUPDF = "pymupdf", "PyMuPDF"
    PDFPLUMBER = "pdfplumber", "pdfplumber"
    PYPDFIUM2 = "pypdfium2", "pypdfium2"


class Shadow(Configuration):
    """One of ``reader`` (read first), ``prompt`` and ``model``. ``share``: per cent of the pages, always the same ones;
    ``limit_micro``: no page is begun once so much was spent on a day."""

    reader = models.CharField(_("reader"), max_length=20, choices=Reader, blank=True)
    prompt = models.ForeignKey(
        PromptVersion, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("prompt")
    )
    model = models.ForeignKey(
        LanguageModel, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("language model")
    )
    share = models.PositiveSmallIntegerField(
        _("share of pages in per cent"), default=5, validators=[MinValueValidator(1), MaxValueValidator(100)]
    )
    limit_micro = models.BigIntegerField(_("micro-USD a day"), default=1_000_000, validators=[MinValueValidator(0)])
    running = models.BooleanField(_("running"), default=False)
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, editable=False, related_name="+"
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("shadow")
        verbose_name_plural = _("shadows")
        constraints = [
            models.CheckConstraint(
                condition=(~_NO_READER & _NO_PROMPT & _NO_MODEL)
                | (_NO_READER & ~_NO_PROMPT & _NO_MODEL)
                | (_NO_READER & _NO_PROMPT & ~_NO_MODEL),
                name="shadow_of_one_thing",
            ),
            models.CheckConstraint(condition=Q(share__gte=1, share__lte=100), name="shadow_share_in_per_cent"),
        ]

    def __str__(self) -> str:
        return self.reader or str(self.prompt or self.model)

    def clean(self) -> None:
        if sum(map(bool, (self.reader, self.prompt_id, self.model_id))) != 1:
            raise ValidationError(_("Choose one of reader, prompt and language model."), code="shadow_of_one_thing")
        if self.prompt is not None and self.prompt.key == "evaluate_document":
            raise ValidationError({"prompt": _("This prompt is asked about documents, not about pages.")})


class ShadowPage(models.Model):
    """One page of a shadow's share. ``before``: type and products as the page was recorded (quality.shadow).

    Begun at most once; without ``ended_at`` it waits, is in hand, or its worker died. ``code``: why there is no
    difference. Costs in micro-USD and milliseconds of the shadow and, as ``own_``, of the page's result;
    ``paid_micro``: what of the cost was not an answer kept from before.
    """

    shadow = models.ForeignKey(Shadow, models.CASCADE, related_name="pages", db_index=False)  # one_look_a_page
    job = models.ForeignKey(Job, models.CASCADE, related_name="+")
    page = models.ForeignKey(Page, models.CASCADE, related_name="+")
    before = models.JSONField()
    difference = models.JSONField(null=True)
    code = models.CharField(max_length=60, blank=True)
    skus_before = models.IntegerField(default=0)
    skus_after = models.IntegerField(default=0)
    gained = models.IntegerField(default=0)
    lost = models.IntegerField(default=0)
    changed = models.IntegerField(default=0)
    cost_micro = models.BigIntegerField(default=0)
    own_cost_micro = models.BigIntegerField(default=0)
    paid_micro = models.BigIntegerField(default=0)
    ms = models.IntegerField(default=0)
    own_ms = models.IntegerField(default=0)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    begun_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    merchant_path = "job__merchant_id"
    objects = ScopedManager()

    class Meta:
        verbose_name = _("page of a shadow")
        verbose_name_plural = _("pages of shadows")
        constraints = [models.UniqueConstraint(fields=["shadow", "page"], name="one_look_a_page")]
        indexes = [models.Index(fields=["shadow", "id"], name="shadow_waits", condition=Q(begun_at__isnull=True))]

    def __str__(self) -> str:
        return f"{self.shadow} {self.page_id}"
