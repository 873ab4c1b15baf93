"""How shadows are shown: what each found otherwise on the pages that it looked at, and what that cost (X-SHADOW)."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, Sum
from django.utils.translation import gettext as _

from catalogsku.accounts.models import User
from processing.llm.money import MICRO
from processing.shadows.models import Shadow, ShadowPage

_SUMS = ("gained", "lost", "changed", "skus_before", "skus_after", "cost_micro", "own_cost_micro", "ms", "own_ms")


@dataclass(frozen=True)
class ShadowRow:
    """``pages``: looked at; ``differing``: of them with any difference; ``without``: that could not be looked at.

    Products of the results and of the shadow, costs in USD and seconds a page, ``own_``: of the results.
    """

    id: int
    name: str
    kind: str
    share: int
    running: bool
    pages: int
    differing: int
    without: int
    waiting: int
    products: int
    products_before: int
    gained: int
    lost: int
    changed: int
    usd: float
    own_usd: float
    seconds: float
    own_seconds: float


def shadow_rows(actor: User | None = None) -> list[ShadowRow]:
    """The newest first, by the pages that ``actor`` may see; by all without one. One query."""
    mine = Q() if actor is None else Q(pages__in=ShadowPage.objects.visible_to(actor))
    seen = mine & Q(pages__difference__isnull=False)
    counted = Shadow.objects.select_related("prompt", "model").annotate(
        looked_at=Count("pages", filter=seen),
        differing=Count(
            "pages", filter=mine & (Q(pages__gained__gt=0) | Q(pages__lost__gt=0) | Q(pages__changed__gt=0))
        ),
        without=Count("pages", filter=mine & ~Q(pages__code="")),
        waiting=Count("pages", filter=mine & Q(pages__isnull=False, pages__ended_at=None)),
        **{f"sum_{name}": Sum(f"pages__{name}", filter=seen, default=0) for name in _SUMS},
    )
    return [_row(row) for row in counted.order_by("-pk")]


def _row(row: Any) -> ShadowRow:
    of = row.looked_at or 1
    return ShadowRow(
        id=row.pk,
        name=str(row),
        kind=kind_of(row),
        share=row.share,
        running=row.running,
        pages=row.looked_at,
        differing=row.differing,
        without=row.without,
        waiting=row.waiting,
        products=row.sum_skus_after,
        products_before=row.sum_skus_before,
        gained=row.sum_gained,
        lost=row.sum_lost,
        changed=row.sum_changed,
        usd=row.sum_cost_micro / of / MICRO,
        own_usd=row.sum_own_cost_micro / of / MICRO,
        seconds=row.sum_ms / of / 1000,
        own_seconds=row.sum_own_ms / of / 1000,
    )


def kind_of(shadow: Shadow) -> str:
    return str(_("reader") if shadow.reader else _("prompt") if shadow.prompt_id else _("language model"))
