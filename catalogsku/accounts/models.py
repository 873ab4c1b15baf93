"""Merchants and the people who work for them or for us."""

from collections.abc import Iterator

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Exists, OuterRef
from django.utils.crypto import salted_hmac
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from catalogsku.core import clock


class Merchant(models.Model):
    """Owner of catalogues; nothing is ever shared between two of them."""

    name = models.CharField(_("name"), max_length=120, unique=True)
    is_active = models.BooleanField(_("active"), default=True)
    created_at = models.DateTimeField(default=clock.now, editable=False)

    class Meta:
        verbose_name = _("merchant")
        verbose_name_plural = _("merchants")

    def __str__(self) -> str:
        return self.name


class Role(models.TextChoices):
    UPLOADER = "uploader", _("uploader")
    ANNOTATOR = "annotator", _("annotator")
    LEAD = "lead", _("lead")
    ADMIN = "admin", _("admin")


# What a person may do follows from these and from their merchants.
RIGHTS = frozenset({"password", "role", "is_active"})


class User(AbstractUser):
    """A person. An uploader belongs to one merchant, annotators and leads to those assigned to them, admins see all."""

    role = models.CharField(_("role"), max_length=12, choices=Role, default=Role.UPLOADER)
    display_name = models.CharField(_("display name"), max_length=60, blank=True)
    language = models.CharField(_("language"), max_length=10, default="zh-hans")
    merchants = models.ManyToManyField(Merchant, verbose_name=_("merchants"), blank=True, related_name="users")
    # How often a right of theirs was taken; each time everything ends that was given before: sessions, tokens, streams,
    # sockets, links. The database counts it (its first migration), whoever changes the row and however.
    sessions_ended = models.PositiveIntegerField(default=0, editable=False)

    def __str__(self) -> str:
        return self.display_name or self.username

    def save(self, *args: object, **kwargs: object) -> None:
        if self._state.adding and self.is_superuser:  # `createsuperuser` knows no roles
            self.role = Role.ADMIN
        self.is_staff = self.is_superuser = self.role == Role.ADMIN
        known = not self._state.adding
        super().save(*args, **kwargs)  # type: ignore[arg-type]
        written = kwargs.get("update_fields")
        if known and (written is None or not RIGHTS.isdisjoint(written)):  # type: ignore[arg-type]
            self.refresh_from_db(fields=["sessions_ended"])  # the database counts it

    def get_session_auth_hash(self) -> str:
        """What a session must carry to be this person's still: it changes with every right that is taken from them."""
        return self._session_hash(settings.SECRET_KEY)

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        return map(self._session_hash, settings.SECRET_KEY_FALLBACKS)

    def _session_hash(self, secret: str | bytes) -> str:
        covered = f"{self.password}:{self.role}:{self.is_active}:{self.sessions_ended}"
        return salted_hmac("catalogsku.accounts.session", covered, secret=secret, algorithm="sha256").hexdigest()

    def merchant_ids(self) -> list[int] | None:
        """The active merchants this user may see; None for all (admins). See catalogsku.core.scope."""
        if self.role == Role.ADMIN:
            return None
        return [merchant.pk for merchant in self._own_merchants]

    def own_merchant(self) -> Merchant | None:
        """The merchant an upload belongs to; for admins without one, the first."""
        return next(iter(self._own_merchants), None)

    def know_merchants(self, merchants: list[Merchant]) -> None:
        """For who has read them for many people at once: the active ones, the first one first."""
        self._own_merchants = merchants

    @cached_property
    def _own_merchants(self) -> list[Merchant]:
        """Active ones; of an admin only the first."""
        if self.role != Role.ADMIN:
            return list(self.merchants.filter(is_active=True).order_by("pk"))
        return list(self._all_with_own_first()[:1])

    def merchants_seen(self, most: int) -> list[Merchant]:
        """The active ones this user may see, by age, at most so many; what ``own_merchant`` gives is known then."""
        if self.role != Role.ADMIN:
            return self._own_merchants[:most]
        rows = list(self._all_with_own_first()[:most])
        self._own_merchants = rows[:1]
        return sorted(rows, key=lambda merchant: merchant.pk)

    def _all_with_own_first(self) -> "models.QuerySet[Merchant]":
        own = Exists(User.merchants.through.objects.filter(user=self.pk, merchant=OuterRef("pk")))
        return Merchant.objects.filter(is_active=True).order_by(own.desc(), "pk")


class FailedTries(models.Model):
    """How full the vessel of an address or a person is; written by catalogsku.accounts.guessing alone."""

    key = models.CharField(max_length=80, primary_key=True)
    level = models.FloatField()
    at = models.DateTimeField()
    refused = models.BooleanField()

    def __str__(self) -> str:
        return f"{self.key}: {self.level:.1f}"


class KnownPlace(models.Model):
    """That a person has signed in from an address, and when last."""

    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    address = models.GenericIPAddressField()
    seen_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "address"], name="one_row_a_place")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.address}"


class ApiWindow(models.Model):
    """How often a person's programs have asked in the running minute; written by catalogsku.accounts.bearer alone."""

    user = models.OneToOneField(User, models.CASCADE, primary_key=True, related_name="+")
    began_at = models.DateTimeField()
    requests = models.IntegerField()

    def __str__(self) -> str:
        return f"{self.user_id}: {self.requests}"
