"""The import ledger, the targets and their switches, and the local target for where no other is configured."""

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from catalogsku.accounts.models import Merchant
from catalogsku.core import addresses, moments
from catalogsku.core.models import LiveRow
from catalogsku.core.scope import ScopedManager
from ingestion.models import Job, Page
from processing.imports.lifecycle import IN_FLIGHT, Delivery, ImportKind
from processing.imports.targets.port import Queries, Traits, Writes
from processing.imports.targets.shape import ID_PARTS, Shape, fields_fault, id_fault
from processing.products.models import Sku

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

_FAULTS = {
    "id_pattern_unreadable": _("The pattern has a bracket without its other half."),
    "id_pattern_unknown_part": _("The pattern may hold %(parts)s, each in braces."),
    "id_pattern_ambiguous": _("The pattern needs page, sequence, and hash8 or number: else two SKUs would be one."),
    "fields_not_names": _("Each field needs a name at the target and one of ours, as text."),
    "fields_inside_each_other": _("One name lies inside another."),
    "fields_unknown_source": _("One of the sources does not exist."),
    "fields_lack_order": _("The fields need sku_id and generation: else the target cannot tell which is newer."),
}


class ImportTarget(models.Model):
    """A downstream and its switches (TA-ADAPT): of one merchant, or of all that have none of their own.

    Without ``url`` it says how IMPORT_URL is spoken to.
    """

    name = models.CharField(
        _("name"), max_length=20, unique=True, validators=[RegexValidator(r"\A(?!local\Z)[a-z][a-z0-9-]*\Z")]
    )
    merchant = models.ForeignKey(
        Merchant, models.CASCADE, verbose_name=_("merchant"), null=True, blank=True, related_name="+"
    )
    enabled = models.BooleanField(_("enabled"), default=True)
    url = models.URLField(_("address"), blank=True, help_text=_("Empty: the one in IMPORT_URL."))
    auth_header = models.CharField(
        _("header of the secret"), max_length=40, default="Authorization", validators=[RegexValidator(r"\A[\w-]+\Z")]
    )
    writes = models.CharField(_("the same SKU again"), max_length=6, choices=Writes, default=Writes.UPSERT)
    query = models.CharField(_("can be asked"), max_length=4, choices=Queries, default=Queries.SKU)
    batch = models.PositiveSmallIntegerField(
        _("products in a request"), default=1, validators=[MinValueValidator(1), MaxValueValidator(200)]
    )
    whole_job = models.BooleanField(_("documents whole, in one request"), default=False)
    id_pattern = models.CharField(
        _("form of its ids"), max_length=80, blank=True, help_text=_("Like {number}{page}{sequence}; empty: ours.")
    )
    fields = models.JSONField(
        _("names of its fields"), default=dict, blank=True, help_text=_("Its name: ours; empty: all under our names.")
    )

    class Meta:
        verbose_name = _("import target")
        verbose_name_plural = _("import targets")
        constraints = [models.UniqueConstraint(fields=["merchant"], name="one_target_a_merchant", nulls_distinct=False)]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        if fault := id_fault(self.id_pattern):
            raise ValidationError({"id_pattern": _said(fault)})
        if fault := fields_fault(self.fields):
            raise ValidationError({"fields": _said(fault)})
        if not self.url and not settings.IMPORT_URL:
            raise ValidationError({"url": _("IMPORT_URL is not set.")})
        if self.url and (why := url_fault(self.url, settings.IMPORT_PRIVATE_HOSTS)):
            raise ValidationError({"url": why})

    @property
    def traits(self) -> Traits:
        return Traits(self.writes, self.query, self.batch, self.whole_job)

    @property
    def shape(self) -> Shape:
        return Shape(self.fields, self.id_pattern)


def _said(fault: str) -> str:
    return _FAULTS[fault] % {"parts": ", ".join(ID_PARTS)}


_URL_FAULTS = {
    addresses.NOT_AN_ADDRESS: _("This is no address."),
    addresses.HTTPS_NEEDED: _("HTTPS is needed, but for hosts in IMPORT_PRIVATE_HOSTS."),
    addresses.PRIVATE_NETWORK: _("This is an address of a private network."),
}


def url_fault(url: str, private_hosts: list[str]) -> "StrOrPromise | None":
    """Why products do not go there: plain HTTP only inside, and nothing of ours in front of or behind the path."""
    if fault := addresses.url_fault(url, private_hosts):
        return _URL_FAULTS[fault]
    parts = urlsplit(url)
    if parts.username or parts.query or parts.fragment:
        return _("An address without user name, query and fragment is needed.")
    return None


class TargetHold(models.Model):
    """A target that does not take our secret: one incident, for which all of its imports wait.

    One goes out as a trial when ``try_at`` has come; the first that is not turned away ends the hold.
    """

    target = models.CharField(max_length=20, unique=True)
    response = models.CharField(max_length=500)
    since = models.DateTimeField(db_default=Now(), editable=False)
    trials = models.IntegerField(default=0)
    try_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.target} since {moments.full(self.since)}"


NOT_KEPT = b""  # once the target has confirmed a product, whose revision says what it was (rewriting.py)
NO_BYTES = b"{}"  # of a target that takes none; an object, as 1.0.0 sends it while machines are upgraded in turn


class ImportRecord(LiveRow):
    """One generation of one SKU towards one target; ``payload`` holds the exact bytes that are sent (TA-IMPKEY), until
    the target has confirmed them: then NOT_KEPT, but of what was restored.

    ``uncertain``: sent once without an answer, so the target may hold it although it counts as not delivered.
    ``failing_since``: of attempts without success in between. ``drift``: how the target differs from what it confirmed.
    """

    target = models.CharField(max_length=20)
    merchant = models.ForeignKey(Merchant, models.PROTECT, related_name="+", db_index=False)
    job = models.ForeignKey(Job, models.CASCADE, related_name="imports")
    page = models.ForeignKey(Page, models.CASCADE, related_name="imports")
    sku = models.ForeignKey(Sku, models.CASCADE, related_name="imports")
    sku_key = models.CharField(max_length=40)
    generation = models.IntegerField()
    kind = models.CharField(max_length=8, choices=ImportKind, default=ImportKind.PUT)
    state = models.CharField(max_length=10, choices=Delivery, default=Delivery.PENDING)
    attempt = models.SmallIntegerField(default=0)
    conflicts = models.SmallIntegerField(default=0)
    worker = models.BigIntegerField(null=True)
    claim_token = models.BigIntegerField(null=True)
    sent_at = models.DateTimeField(null=True)
    not_before = models.DateTimeField(null=True)
    payload = models.BinaryField()
    payload_hash = models.CharField(max_length=64)
    external_id = models.CharField(max_length=120, blank=True)
    response = models.JSONField(null=True)
    uncertain = models.BooleanField(default=False)
    failing_since = models.DateTimeField(null=True)
    drift = models.CharField(max_length=12, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = ScopedManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["target", "merchant", "sku_key", "generation"], name="one_generation"),
            models.UniqueConstraint(
                fields=["target", "merchant", "sku_key"], condition=Q(state__in=IN_FLIGHT), name="one_in_flight"
            ),
        ]
        indexes = [
            models.Index(fields=["id"], name="imports_open", condition=Q(state__in=[Delivery.PENDING, *IN_FLIGHT])),
            models.Index(fields=["id"], name="imports_refused", condition=Q(state=Delivery.REFUSED)),
            models.Index(fields=["id"], name="imports_assumed", condition=Q(state=Delivery.ASSUMED)),
            models.Index(fields=["id"], name="imports_stale", condition=Q(state=Delivery.STALE)),
            models.Index(fields=["id"], name="imports_drifted", condition=~Q(drift="")),
        ]

    def __str__(self) -> str:
        return f"{self.sku_key} g{self.generation} {self.state}"


class LocalProduct(models.Model):
    """That the local target holds a product: one row per (merchant, SKU), as a downstream product service would have.

    What the product is, its revision says: the one that the ledger's row of this generation was made of.
    """

    merchant = models.ForeignKey(Merchant, models.CASCADE, related_name="products", db_index=False)  # one_product
    sku_key = models.CharField(max_length=40)
    generation = models.IntegerField()
    payload_hash = models.CharField(max_length=64)
    product = models.JSONField(null=True)  # nothing reads it; 1.0.0 writes it while machines are upgraded in turn
    deleted = models.BooleanField(default=False)
    received = models.IntegerField(default=1)
    updated_at = models.DateTimeField(auto_now=True)

    objects = ScopedManager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["merchant", "sku_key"], name="one_product")]

    def __str__(self) -> str:
        return self.sku_key
