"""Merchant scope: the one place that says which rows an actor may see (TA-T43)."""

from typing import TYPE_CHECKING, Any, Protocol, Self

from django.db import models

if TYPE_CHECKING:
    from catalogsku.accounts.models import User


class Actor(Protocol):
    """Whoever asks: a user, or something that acts for one."""

    @property
    def is_active(self) -> bool: ...

    def merchant_ids(self) -> "list[int] | None":
        """The merchants it may see; None for all of them."""


class ScopedQuerySet(models.QuerySet[Any]):
    """``visible_to(actor)`` is how entry points and selectors begin every query."""

    merchant_path = "merchant_id"

    def visible_to(self, actor: "Actor | User") -> Self:
        if not actor.is_active:
            return self.none()
        merchants = actor.merchant_ids()
        return self if merchants is None else self.filter(**{f"{self.merchant_path}__in": merchants})


def scoped(merchant_path: str) -> type[ScopedQuerySet]:
    """A queryset class for models that reach their merchant through ``merchant_path``."""
    return type("ScopedQuerySet", (ScopedQuerySet,), {"merchant_path": merchant_path})
