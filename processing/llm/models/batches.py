"""Batches of questions that are not urgent, which a provider answers within a day or so at a part of the price."""

import uuid

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from catalogsku.accounts.models import Merchant
from catalogsku.core.models import WorkRow
from catalogsku.core.scope import ScopedManager
from processing.llm.lifecycle import BatchState


class BatchStage(models.TextChoices):
    """What a machine does next with a batch."""

    NONE = "NONE"
    SEND = "SEND"
    POLL = "POLL"


class ModelBatch(WorkRow):
    """Questions of one merchant to one model; its rows of the ledger hold what each costs (``questions``).

    ``name``: ours, which the provider is told, so that a batch is found again by who does not know whether it was sent.
    ``attempted_at``: null until it may have left this machine. ``remote_id``: the provider's own name of it.
    ``size_bytes``: of the questions as they go out. Their bytes lie in storage under ``folder`` until it has ended.
    """

    name = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    merchant = models.ForeignKey(Merchant, models.PROTECT, related_name="+", db_index=False)  # batches_of_merchant
    provider = models.CharField(_("provider"), max_length=10)
    model = models.CharField(_("language model"), max_length=60)
    state = models.CharField(_("state"), max_length=10, choices=BatchState, default=BatchState.COLLECTED)
    size_bytes = models.BigIntegerField(default=0)
    remote_id = models.CharField(max_length=200, blank=True)
    error_code = models.CharField(max_length=60, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    closed_at = models.DateTimeField(null=True)
    attempted_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(_("sent at"), null=True)
    cancel_asked_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    objects = ScopedManager()

    class Meta:
        verbose_name = _("batch of questions")
        verbose_name_plural = _("batches of questions")
        constraints = [
            models.UniqueConstraint(
                fields=["merchant", "model"], condition=Q(state=BatchState.COLLECTED), name="one_open_batch"
            )
        ]
        indexes = [
            models.Index(fields=["merchant", "-created_at"], name="batches_of_merchant"),
            models.Index(fields=["stage"], name="batches_to_tend", condition=~Q(stage="NONE")),
        ]

    def __str__(self) -> str:
        return f"{self.model} {self.name} {self.state}"

    @property
    def folder(self) -> str:
        return f"m{self.merchant_id}/batches/{self.name}"
