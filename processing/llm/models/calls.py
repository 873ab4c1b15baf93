"""Language models, their gates, budgets, and the ledger of calls, which also keeps the answers."""

from datetime import UTC
from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now, TruncDate
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from catalogsku.accounts.models import Merchant
from catalogsku.core.scope import ScopedManager
from catalogsku.profiles.models import Configuration
from catalogsku.profiles.models.changes import ConfigurationQuerySet
from ingestion.models import Job, Page
from processing.llm.models.batches import ModelBatch

TOKENS_PRICED = 1_000_000
# On a smaller page no text can be read.
LEAST_IMAGE_PX = 256


class Provider(models.TextChoices):
    GEMINI = "gemini", "Gemini"
    QWEN = "qwen", "Qwen"
    OPENAI = "openai", _("OpenAI protocol")


# Through whose kits batches are sent.
WITH_BATCHES = (Provider.GEMINI, Provider.OPENAI)


class Thinking(models.TextChoices):
    """How much a model thinks before it answers; each adapter says it in its provider's words."""

    OFF = "off", _("not at all")
    MINIMAL = "minimal", _("as little as it can")
    LOW = "low", pgettext_lazy("thinking level", "low")
    MEDIUM = "medium", pgettext_lazy("thinking level", "medium")
    HIGH = "high", pgettext_lazy("thinking level", "high")


class MediaResolution(models.TextChoices):
    """How closely a model looks at images: how many tokens it takes of each."""

    LOW = "low", pgettext_lazy("resolution", "low")
    MEDIUM = "medium", pgettext_lazy("resolution", "medium")
    HIGH = "high", pgettext_lazy("resolution", "high")


class GateState(models.TextChoices):
    CLOSED = "closed", _("closed: calls go through")
    OPEN = "open", _("open: no call goes through")
    HALF_OPEN = "half_open", _("half-open: trial calls only")
    UNUSABLE = "unusable", _("unusable: its provider refuses it")


class BudgetScope(models.TextChoices):
    DAY = "day", _("all merchants together")
    MERCHANT = "merchant", _("one merchant")


class CallState(models.TextChoices):
    """BATCHED: it waits in a batch, sent or not; LOST: it went out and nobody knows the answer; FAILED: it cost
    nothing."""

    BATCHED = "BATCHED", _("in a batch")
    SENT = "SENT", _("sent")
    ANSWERED = "ANSWERED", _("answered")
    LOST = "LOST", _("lost")
    FAILED = "FAILED", _("failed")


def _at_least(least: float, most: float | None = None) -> dict[str, Any]:
    return {"validators": [MinValueValidator(least), *([MaxValueValidator(most)] if most is not None else [])]}


class LanguageModels(ConfigurationQuerySet["LanguageModel"]):
    def in_service(self) -> "LanguageModels":
        """Switched on, and not taken offline by its provider, whose dates are taken as those of UTC."""
        still_served = Q(retires_on__isnull=True) | Q(retires_on__gt=TruncDate(Now(), tzinfo=UTC))
        return self.filter(still_served, enabled=True)


class LanguageModel(Configuration):
    """A model that may be asked: its price, limits and breaker, in force from the next call on.

    What is empty of ``thinking_level``, ``media_resolution``, ``temperature`` and ``max_image_px`` is not sent: the
    provider's own holds. ``max_tokens`` bounds thinking and answer together. From ``retires_on`` on it counts as
    switched off. ``price_cached_micro``: of tokens that its provider has from an earlier question; empty for those of
    any other. ``batch_percent``: of these prices, in a batch that is answered within a day or so; empty where there are
    none for the model.
    """

    name = models.CharField(_("name"), max_length=60, unique=True)
    provider = models.CharField(_("provider"), max_length=10, choices=Provider)
    enabled = models.BooleanField(_("enabled"), default=True)
    shadow_only = models.BooleanField(_("asked by shadows alone"), default=False)
    price_in_micro = models.BigIntegerField(_("micro-USD per million tokens in"), **_at_least(0))
    price_cached_micro = models.BigIntegerField(
        _("micro-USD per million cached tokens in"), null=True, blank=True, **_at_least(0)
    )
    price_out_micro = models.BigIntegerField(_("micro-USD per million tokens out"), **_at_least(0))
    batch_percent = models.SmallIntegerField(
        _("per cent of the price in batches"),
        null=True,
        blank=True,
        **_at_least(1, 100),
        help_text=_("Empty: its provider has no batches for it."),
    )
    qpm = models.IntegerField(_("calls a minute"), **_at_least(1))
    tpm = models.BigIntegerField(_("tokens a minute"), **_at_least(1))
    max_images = models.SmallIntegerField(_("most pictures a call"), **_at_least(0))
    max_tokens = models.IntegerField(_("most tokens out"), **_at_least(1))
    temperature = models.FloatField(_("temperature"), null=True, blank=True, **_at_least(0, 2))
    thinking_level = models.CharField(_("thinking level"), max_length=8, choices=Thinking, blank=True)
    media_resolution = models.CharField(_("resolution of images"), max_length=8, choices=MediaResolution, blank=True)
    max_image_px = models.IntegerField(
        _("longest side of an image in px"), null=True, blank=True, **_at_least(LEAST_IMAGE_PX)
    )
    retires_on = models.DateField(_("taken offline by its provider on"), null=True, blank=True)
    timeout_s = models.IntegerField(_("seconds until a call is given up"), **_at_least(1, 300))
    failures_to_open = models.SmallIntegerField(_("failures in a row that open the breaker"), default=5, **_at_least(1))
    open_s = models.IntegerField(_("seconds that it stays open"), default=60, **_at_least(1))
    trials_max = models.SmallIntegerField(_("trial calls when half-open"), default=3, **_at_least(1))
    successes_to_close = models.SmallIntegerField(_("of them must succeed"), default=2, **_at_least(1))
    half_open_s = models.IntegerField(_("seconds to decide in"), default=30, **_at_least(1))

    objects = models.Manager.from_queryset(LanguageModels)()  # type: ignore[misc]

    class Meta:
        verbose_name = _("language model")
        verbose_name_plural = _("language models")
        constraints = [
            models.CheckConstraint(
                condition=Q(successes_to_close__lte=models.F("trials_max")), name="trials_can_close_the_breaker"
            ),
            models.CheckConstraint(
                condition=Q(price_cached_micro__isnull=True)
                | Q(price_cached_micro__gte=0, price_cached_micro__lte=models.F("price_in_micro")),
                name="cached_tokens_not_dearer",
                violation_error_message=_("Cached tokens cannot cost more than others."),
            ),
            models.CheckConstraint(
                condition=Q(batch_percent__isnull=True) | Q(batch_percent__gte=1, batch_percent__lte=100),
                name="batch_percent_is_one",
            ),
            models.CheckConstraint(
                condition=Q(batch_percent__isnull=True) | Q(provider__in=WITH_BATCHES),
                name="provider_has_batches",
                violation_error_message=_("This provider is asked without batches."),
            ),
            models.CheckConstraint(condition=Q(thinking_level__in=["", *Thinking]), name="thinking_level_known"),
            models.CheckConstraint(
                condition=Q(media_resolution__in=["", *MediaResolution]), name="media_resolution_known"
            ),
            models.CheckConstraint(
                condition=Q(max_image_px__isnull=True) | Q(max_image_px__gte=LEAST_IMAGE_PX), name="image_can_be_read"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def has_batches(self) -> bool:
        return self.batch_percent is not None

    def cost_micro(self, tokens_in: int, tokens_out: int, tokens_cached: int = 0, *, batched: bool = False) -> int:
        """Micro-USD, rounded up. ``tokens_cached``: those of ``tokens_in`` that the provider had kept; whether a batch
        makes these cheaper still nobody says surely, so that they cost the smaller of both prices."""
        percent = self.batch_percent if batched and self.batch_percent is not None else 100
        of_in, of_out = self.price_in_micro * percent, self.price_out_micro * percent
        of_cached = of_in if self.price_cached_micro is None else min(of_in, self.price_cached_micro * 100)
        cached = min(max(tokens_cached, 0), tokens_in)
        priced = (tokens_in - cached) * of_in + cached * of_cached + tokens_out * of_out
        return -(-priced // (100 * TOKENS_PRICED))


class ModelGate(models.Model):
    """Rate window and breaker of one model for all processes; written by processing.llm.gate alone.

    ``unusable``: the code with which its provider refuses the model, the key or the account; ``unusable_as`` marks what
    was refused (``keys.mark_of``), ``probes`` counts the calls that have tried it since. ``period`` counts the times it
    was half-open, so that a trial of an earlier one decides nothing. ``held_open``: by ``set_by``, until a person
    closes it. ``next_probe_at``: when a person's probe is let in again, one at a time. The state that is in force
    follows from the columns and the clock (``gate.states``).
    """

    model = models.OneToOneField(LanguageModel, models.CASCADE, related_name="gate", verbose_name=_("language model"))
    window_started_at = models.DateTimeField(db_default=Now())
    requests = models.IntegerField(default=0)
    tokens = models.BigIntegerField(default=0)
    state = models.CharField(_("state"), max_length=10, choices=GateState, default=GateState.CLOSED)
    failures = models.IntegerField(default=0)
    open_until = models.DateTimeField(null=True)
    half_open_since = models.DateTimeField(null=True)
    period = models.IntegerField(default=0)
    trials = models.SmallIntegerField(default=0)
    trials_succeeded = models.SmallIntegerField(default=0)
    trials_failed = models.SmallIntegerField(default=0)
    unusable = models.CharField(_("refused by its provider"), max_length=60, blank=True)
    unusable_detail = models.CharField(_("in its words"), max_length=300, blank=True)
    unusable_as = models.CharField(max_length=16, blank=True)
    unusable_since = models.DateTimeField(null=True)
    unusable_until = models.DateTimeField(null=True)
    probes = models.SmallIntegerField(default=0)
    next_probe_at = models.DateTimeField(null=True)
    held_open = models.BooleanField(_("held open"), default=False)
    set_by = models.CharField(_("set by"), max_length=80, blank=True)
    set_at = models.DateTimeField(_("set at"), null=True)

    class Meta:
        verbose_name = _("gate of a model")
        verbose_name_plural = _("gates of models")

    def __str__(self) -> str:
        return f"{self.model} {self.state}"


class BudgetLimit(Configuration):
    """Most that may be spent a day: altogether, or for a merchant; without a merchant, for each that has no own row."""

    scope = models.CharField(_("scope"), max_length=10, choices=BudgetScope)
    merchant = models.ForeignKey(
        Merchant, models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("merchant")
    )
    limit_micro = models.BigIntegerField(_("micro-USD a day"), **_at_least(0))

    class Meta:
        verbose_name = _("limit of a budget")
        verbose_name_plural = _("limits of budgets")
        constraints = [
            models.UniqueConstraint(fields=["scope", "merchant"], nulls_distinct=False, name="one_limit_a_scope"),
            models.CheckConstraint(
                condition=Q(scope=BudgetScope.MERCHANT) | Q(merchant__isnull=True), name="day_limit_names_no_merchant"
            ),
            models.CheckConstraint(condition=Q(limit_micro__gte=0), name="limit_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.get_scope_display()} {self.merchant or ''}".rstrip()


class Budget(models.Model):
    """What a day has cost, for one merchant or (without one) altogether; written by processing.llm.money alone.

    ``reserved_micro``: upper bounds of calls without an answer; ``settled_micro``: spent. ``day``: of TIME_ZONE.
    """

    merchant = models.ForeignKey(Merchant, models.CASCADE, null=True, related_name="+", db_index=False)  # one_budget
    day = models.DateField()
    reserved_micro = models.BigIntegerField(default=0)
    settled_micro = models.BigIntegerField(default=0)

    objects = ScopedManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["merchant", "day"], nulls_distinct=False, name="one_budget"),
            models.CheckConstraint(
                condition=Q(reserved_micro__gte=0) & Q(settled_micro__gte=0), name="budget_not_negative"
            ),
        ]
        indexes = [models.Index(fields=["day"], name="budgets_of_day")]

    def __str__(self) -> str:
        return f"{self.day} {self.merchant_id or ''}".rstrip()


class ModelCall(models.Model):
    """One call of a model: what for, what it cost, and what was answered (zlib); written by processing.llm.calls, and
    what waits in a batch by processing.llm.batched, alone.

    ``batch``: that it was or is a question of; empty for one that was asked at once. ``request_key``: SHA-256 of the
    exact request. ``day``: of the budgets that it is charged to. ``attempt``: the try that is part of the request.
    ``sent_at``: null until the request may have left this machine. ``tokens_cached``: those of ``tokens_in`` that the
    provider had kept from an earlier question.
    """

    merchant = models.ForeignKey(Merchant, models.PROTECT, related_name="+", db_index=False)  # calls_of_merchant
    job = models.ForeignKey(Job, models.SET_NULL, null=True, related_name="model_calls", db_index=False)
    page = models.ForeignKey(Page, models.SET_NULL, null=True, related_name="model_calls", db_index=False)
    batch = models.ForeignKey(ModelBatch, models.PROTECT, null=True, related_name="questions", db_index=False)
    category = models.CharField(max_length=60, blank=True)
    operation = models.CharField(max_length=30)
    model = models.CharField(max_length=60)
    prompt_version = models.CharField(max_length=80)
    bucket = models.CharField(max_length=40, blank=True)
    attempt = models.SmallIntegerField(default=1)
    request_key = models.CharField(max_length=64)
    state = models.CharField(max_length=8, choices=CallState, default=CallState.SENT)
    day = models.DateField()
    reserved_micro = models.BigIntegerField()
    settled_micro = models.BigIntegerField(default=0)
    tokens_in = models.IntegerField(null=True)
    tokens_cached = models.IntegerField(null=True)
    tokens_out = models.IntegerField(null=True)
    image_tokens = models.IntegerField(null=True)
    images_truncated = models.SmallIntegerField(default=0)
    latency_ms = models.IntegerField(null=True)
    finish = models.CharField(max_length=30, blank=True)
    parse_method = models.CharField(max_length=30, blank=True)
    needs_review = models.BooleanField(default=False)
    downgrade_reason = models.CharField(max_length=60, blank=True)
    injection = models.FloatField(default=0)
    error_code = models.CharField(max_length=60, blank=True)
    worker = models.BigIntegerField()
    answer = models.BinaryField(null=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    sent_at = models.DateTimeField(null=True)
    answered_at = models.DateTimeField(null=True)

    objects = ScopedManager()

    class Meta:
        verbose_name = _("call of a model")
        verbose_name_plural = _("calls of models")
        constraints = [
            models.UniqueConstraint(
                fields=["merchant", "request_key"],
                condition=Q(state=CallState.SENT) | Q(state=CallState.ANSWERED, answer__isnull=False),
                name="one_answer_a_request",
            ),
            models.UniqueConstraint(
                fields=["merchant", "request_key"], condition=Q(state=CallState.BATCHED), name="one_batched_a_request"
            ),
            models.CheckConstraint(
                condition=~Q(state=CallState.BATCHED) | Q(batch__isnull=False), name="batched_in_a_batch"
            ),
            models.CheckConstraint(
                condition=Q(reserved_micro__gte=0) & Q(settled_micro__gte=0), name="call_cost_not_negative"
            ),
        ]
        indexes = [
            models.Index(fields=["id"], name="calls_unanswered", condition=Q(state=CallState.SENT)),
            models.Index(fields=["batch"], name="calls_of_batch", condition=Q(batch__isnull=False)),
            models.Index(fields=["page", "sent_at"], name="calls_of_page", condition=Q(page__isnull=False)),
            models.Index(fields=["job"], name="calls_of_job", condition=Q(job__isnull=False)),
            models.Index(fields=["merchant", "day"], name="calls_of_merchant"),
            models.Index(fields=["created_at"], name="calls_by_age"),
            models.Index(fields=["answered_at"], name="answers_kept", condition=Q(answer__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.operation} {self.model} {self.state}"
