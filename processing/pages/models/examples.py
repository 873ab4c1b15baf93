"""AnnotationExample: what people corrected, as an example for a prompt once a person has confirmed it (TA-T36)."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from catalogsku.accounts.models import Merchant
from catalogsku.core.scope import ScopedManager
from ingestion.models import Page


class AnnotationExample(models.Model):
    """``key`` of the prompt; ``shown``: the part of the page that it is from; ``answer``: JSON of the prompt's shape.

    Shown to models once confirmed, with pages of the same category and type: of its own merchant, and of all where it
    is ``shared``. Jobs take those that were confirmed before they were made; a withdrawn one is shown no more.
    """

    merchant = models.ForeignKey(Merchant, models.CASCADE, related_name="+", verbose_name=_("merchant"))
    page = models.ForeignKey(Page, models.SET_NULL, null=True, related_name="+", verbose_name=_("page"))
    key = models.CharField(_("prompt"), max_length=60)
    category = models.CharField(_("category"), max_length=60, blank=True)
    page_type = models.CharField(_("page type"), max_length=1)
    quality = models.FloatField(_("quality"))
    shown = models.TextField(_("shown"))
    answer = models.TextField(_("answer"))
    shared = models.BooleanField(_("for all merchants"), default=False)
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", verbose_name=_("confirmed by")
    )
    confirmed_at = models.DateTimeField(_("confirmed"), null=True)
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = ScopedManager()

    class Meta:
        verbose_name = _("example of a prompt")
        verbose_name_plural = _("examples of prompts")
        constraints = [
            models.UniqueConstraint(fields=["page", "key"], name="one_example_a_page"),
            models.CheckConstraint(condition=Q(quality__gte=0, quality__lte=1), name="example_quality_is_a_share"),
            models.CheckConstraint(
                condition=Q(confirmed_at__isnull=True, shared=False)
                | Q(confirmed_at__isnull=False, confirmed_by__isnull=False),
                name="example_confirmed_by_a_person",
            ),
        ]
        indexes = [
            models.Index(
                fields=["category", "page_type"],
                name="examples_in_use",
                condition=Q(confirmed_at__isnull=False, withdrawn_at__isnull=True),
            )
        ]

    def __str__(self) -> str:
        return f"{self.key} {self.category} {self.page_type} #{self.pk}"
