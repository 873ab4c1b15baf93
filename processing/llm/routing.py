"""Which model is asked, and which after it: by operation, page type and complexity (LA-ROUTE). Pure; under 1 ms."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal, Protocol

import msgspec

from processing.engine.page import Features

Complexity = Literal["simple", "complex"]
RULES, SKIP, STRONG, CHEAP = "RULES", "SKIP", "strong", "cheap"
ANY = "any"


class Points(msgspec.Struct, frozen=True):
    """What makes a page complex: points of its features, and from how many on."""

    fragmented: int = 2
    recognised: int = 2
    columns: int = 1
    blocks: int = 1
    recognised_above: float = 0.3
    blocks_above: int = 20
    complex_from: int = 3


class Row(msgspec.Struct, frozen=True):
    """``route``: RULES, SKIP, strong, cheap or a model's name; "any" stands for every page type or complexity."""

    operation: str
    page_type: str
    complexity: str
    route: str


class Routes(msgspec.Struct, frozen=True):
    """The table, frozen into a job. ``prefer_always``: every question to the strong model, as if there were no table
    (LA-ROLLBACK). ``rules_from``: confidence of the rule analyst from which a page needs no model; above 1 for never.
    ``low_cost``: whatever the table gives to a model goes to the cheap one first (TA-P1-5).
    """

    rows: tuple[Row, ...] = ()
    points: Points = Points()
    prefer_always: bool = False
    rules_from: float = 1.1
    low_cost: bool = False


class Priced(msgspec.Struct, frozen=True):
    """A model that may be asked now: enabled, with a key, not given up for this job."""

    name: str
    price_micro: int


class Choice(msgspec.Struct, frozen=True):
    """``route`` as the table has it; ``models`` in the order in which they are asked, none for RULES and SKIP."""

    route: str
    models: tuple[str, ...]


def complexity_of(features: Features, points: Points) -> Complexity:
    score = (
        points.fragmented * (features.fragmented_pictures > 0)
        + points.recognised * (features.ocr_ratio > points.recognised_above)
        + points.columns * (features.columns > 1)
        + points.blocks * (features.blocks > points.blocks_above)
    )
    return "complex" if score >= points.complex_from else "simple"


def select_model(
    routes: Routes,
    operation: str,
    page_type: str,
    complexity: str,
    models: Sequence[Priced],
    failed: Collection[str] = (),
    wanted: str = "",
) -> Choice:
    """The chain for one question. ``failed``: models whose answers failed too often in this job go last, and where
    that is all of them none is asked (LA-SEM); ``wanted`` goes first where it may be asked at all."""
    route = STRONG if routes.prefer_always else _looked_up(routes, operation, page_type, complexity)
    if route in (RULES, SKIP):
        return Choice(route, ())
    if models and all(model.name in failed for model in models):
        return Choice(route, ())
    by_price = sorted(models, key=lambda m: (m.price_micro, m.name))
    names = [m.name for m in (by_price if route == CHEAP else by_price[::-1])]
    first = wanted or (route if route in names else "")
    ordered = sorted(names, key=lambda name: (name in failed, name != first))
    return Choice(route, tuple(ordered))


class HasBatches(Protocol):
    @property
    def has_batches(self) -> bool: ...


def batches_first(names: Iterable[str], models: Mapping[str, HasBatches], *, batched: bool) -> list[str]:
    """``names`` in the order in which they are asked; what may wait goes to models with batches before all others."""
    return sorted(names, key=lambda name: batched and not models[name].has_batches)


def _looked_up(routes: Routes, operation: str, page_type: str, complexity: str) -> str:
    route = _row_of(routes, operation, page_type, complexity)
    return CHEAP if routes.low_cost and route not in (RULES, SKIP) else route


def _row_of(routes: Routes, operation: str, page_type: str, complexity: str) -> str:
    """The row that says most of the page: its type before its complexity; without one by complexity alone."""
    table = {(row.page_type, row.complexity): row.route for row in routes.rows if row.operation == operation}
    for key in ((page_type, complexity), (page_type, ANY), (ANY, complexity), (ANY, ANY)):
        if key in table:
            return table[key]
    return STRONG if complexity == "complex" else CHEAP
