"""Merchants and the people who work for them or for us."""

from django.contrib.auth.models import AbstractUser
from django.db import models
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

    def __str__(self) -> str:
        return self.display_name or self.username

    def save(self, *args: object, **kwargs: object) -> None:
        if self._state.adding and self.is_superuser:  # `createsuperuser` knows no roles
            self.role = Role.ADMIN
        self.is_staff = self.is_superuser = self.role == Role.ADMIN
        super().save(*args, **kwargs)  # type: ignore[arg-type]

    def merchant_ids(self) -> list[int] | None:
        """The active merchants this user may see; None for all (admins). See catalogsku.core.scope."""
        if self.role == Role.ADMIN:
            return None
        if not hasattr(self, "_merchant_ids"):
            self._merchant_ids = list(self.merchants.filter(is_active=True).values_list("pk", flat=True))
        return self._merchant_ids

    def own_merchant(self) -> Merchant | None:
        """The merchant an upload belongs to; for admins without one, the first."""
        own = self.merchants.filter(is_active=True).order_by("pk").first()
        if own is None and self.role == Role.ADMIN:
            return Merchant.objects.filter(is_active=True).order_by("pk").first()
        return own
