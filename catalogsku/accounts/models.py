"""Merchants and the people who work for them or for us."""

from collections.abc import Iterator

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _


class Merchant(models.Model):
    """Owner of catalogues; nothing is ever shared between two of them."""

    name = models.CharField(_("name"), max_length=120, unique=True)
    is_active = models.BooleanField(_("active"), default=True)
    created_at = models.DateTimeField(auto_now_add=True)

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


class User(AbstractUser):
    """A person. An uploader belongs to one merchant, annotators and leads to those assigned to them, admins see all."""

    role = models.CharField(_("role"), max_length=12, choices=Role, default=Role.UPLOADER)
    display_name = models.CharField(_("display name"), max_length=60, blank=True)
    language = models.CharField(_("language"), max_length=10, default="zh-hans")
    merchants = models.ManyToManyField(Merchant, verbose_name=_("merchants"), blank=True, related_name="users")
    sessions_ended = models.PositiveIntegerField(default=0, editable=False)  # how often; each time all of them end

    def __str__(self) -> str:
        return self.display_name or self.username

    def save(self, *args: object, **kwargs: object) -> None:
        if self._state.adding and self.is_superuser:  # `createsuperuser` knows no roles
            self.role = Role.ADMIN
        self.is_staff = self.is_superuser = self.role == Role.ADMIN
        if not self._state.adding and self._rights_differ():
            self.sessions_ended += 1
            if kwargs.get("update_fields") is not None:
                kwargs["update_fields"] = {*kwargs["update_fields"], "sessions_ended"}  # type: ignore[misc]
        super().save(*args, **kwargs)  # type: ignore[arg-type]

    def _rights_differ(self) -> bool:
        """From what is stored: a person who is enabled or promoted again signs in anew."""
        stored = User.objects.filter(pk=self.pk).values_list("role", "is_active", "sessions_ended").first()
        if stored is None:
            return False
        self.sessions_ended = stored[2]
        return stored[:2] != (self.role, self.is_active)

    def get_session_auth_hash(self) -> str:
        """What a session must carry to be this person's still: it changes with password, role and being disabled."""
        return self._session_hash(settings.SECRET_KEY)

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        return map(self._session_hash, settings.SECRET_KEY_FALLBACKS)

    def _session_hash(self, secret: str | bytes) -> str:
        facts = f"{self.password}:{self.role}:{self.is_active}:{self.sessions_ended}"
        return salted_hmac("catalogsku.accounts.session", facts, secret=secret, algorithm="sha256").hexdigest()

    def merchant_ids(self) -> list[int] | None:
        """The active merchants this user may see; None for all (admins). See catalogsku.core.scope."""
        if self.role == Role.ADMIN:
            return None
        if not hasattr(self, "_merchant_ids"):
            self._merchant_ids = list(self.merchants.filter(is_active=True).values_list("pk", flat=True))
        return self._merchant_ids

    def know_merchants(self, ids: list[int]) -> None:
        """For who has read them for many people at once."""
        self._merchant_ids = ids

    def own_merchant(self) -> Merchant | None:
        """The merchant an upload belongs to; for admins without one, the first."""
        own = self.merchants.filter(is_active=True).order_by("pk").first()
        if own is None and self.role == Role.ADMIN:
            return Merchant.objects.filter(is_active=True).order_by("pk").first()
        return own


class ApiWindow(models.Model):
    """How often a person's programs have asked in the running minute; written by catalogsku.accounts.bearer alone."""

    user = models.OneToOneField(User, models.CASCADE, primary_key=True, related_name="+")
    began_at = models.DateTimeField()
    requests = models.IntegerField()

    def __str__(self) -> str:
        return f"{self.user_id}: {self.requests}"
