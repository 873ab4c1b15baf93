"""Figures of days for programs, as the screen of figures shows them."""

from datetime import date, datetime
from typing import Any, Literal

from django.conf import settings
from django.http import HttpRequest
from ninja import Router, Schema

from annotation.figures import files, presenters, selectors
from annotation.figures.sums import MICRO
from catalogsku.accounts.bearer import require
from catalogsku.accounts.merchants import named_merchant
from catalogsku.accounts.permissions import Action
from catalogsku.core.answers import PROBLEMS

router = Router(tags=["operations"])
Range = Literal["today", "weeks", "year"]


class FiguresOut(Schema):
    """``figures`` of each: counts, seconds of people, USD, and shares, which are null where there is nothing that they
    would be shares of; docs/metrics.md tells each. ``of``: a day, the first day of a week, an hour of today (of
    ``zone``), or a category: "" where none was given, "*" for those beyond the bound of a day."""

    of: str
    figures: dict[str, float | None]


class DaysOut(Schema):
    """``operations``: USD by operation of models. ``counted_at``: when today was last counted."""

    range: str
    first: date
    last: date
    zone: str
    merchant_id: int | None
    counted_at: datetime | None
    whole: dict[str, float | None]
    points: list[FiguresOut]
    categories: list[FiguresOut]
    operations: dict[str, float]


@router.get("/figures", response={200: DaysOut, **PROBLEMS}, summary="Figures of days")
def list_figures(request: HttpRequest, range: Range = "weeks", merchant_id: int | None = None) -> Any:
    """Today by hours, four weeks by days, a year by weeks; of one merchant, or of all that you work for."""
    actor = require(request, Action.SUPERVISE)
    merchant = None if merchant_id is None else named_merchant(actor, merchant_id)
    shown = presenters.shown(actor, range, merchant)
    return {
        "range": shown.range,
        "first": shown.period.first,
        "last": shown.period.last,
        "zone": settings.TIME_ZONE,
        "merchant_id": merchant_id,
        "counted_at": selectors.counted_at(),
        "whole": files.values_of(shown.whole),
        "points": [{"of": of, "figures": files.values_of(sums)} for of, sums in files.points_of(shown)],
        "categories": [
            {"of": of, "figures": files.values_of(sums)} for of, sums in shown.categories.items() if not sums.is_nothing
        ],
        "operations": {name: micro / MICRO for name, micro in shown.operations.items()},
    }
