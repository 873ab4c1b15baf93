"""Merchant scope: the one place that says which rows an actor may see (TA-T43)."""

from typing import TYPE_CHECKING, Protocol, Self, TypeVar

from django.db import models

if TYPE_CHECKING:
    from catalogsku.accounts.models import User


class Actor(Protocol):
    """Whoever asks: a user, or something that acts for one."""

    @property
    def is_active(self) -> bool: ...

    def merchant_ids(self) -> "list[int] | None":
        """The merchants it may see; None for all of them."""


Row = TypeVar("Row", bound=models.Model)


class ScopedQuerySet(models.QuerySet[Row]):
    """``visible_to(actor)`` is how entry points and selectors begin every query. A model that reaches its merchant
    through another one says how in ``merchant_path``."""

    def visible_to(self, actor: "Actor | User") -> Self:
        if not actor.is_active:
            return self.none()
        merchants = actor.merchant_ids()
        path = getattr(self.model, "merchant_path", "merchant_id")
        return self if merchants is None else self.filter(**{f"{path}__in": merchants})


ScopedManager = models.Manager.from_queryset(ScopedQuerySet)
