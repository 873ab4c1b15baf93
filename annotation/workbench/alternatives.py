"""What another extractor proposed for a task's page: shown beside what was read, and counted as the task ends."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec
from django.utils.translation import pgettext_lazy

from catalogsku.core import metrics
from ingestion.models import Page
from processing.pages.services.alternatives import alternatives_of
from processing.products.page_state import GivenSku

# By the first two parts of a proposer's name (processing/engine/understanding/records).
WAYS = {
    "rules": pgettext_lazy("alternative", "by rules"),
    "grid.ruled": pgettext_lazy("alternative", "by a ruled table"),
    "grid.open": pgettext_lazy("alternative", "by rows and columns"),
    "grid.gutters": pgettext_lazy("alternative", "by columns of print"),
    "grid.labels": pgettext_lazy("alternative", "by repeated labels"),
    "repeat.variants": pgettext_lazy("alternative", "by sizes under a name"),
    "repeat.lines": pgettext_lazy("alternative", "by lines"),
    "repeat.paragraphs": pgettext_lazy("alternative", "by paragraphs"),
    "repeat.first": pgettext_lazy("alternative", "by first lines"),
    "repeat.one": pgettext_lazy("alternative", "by its heading"),
}  # fmt: skip


def way_of(proposer: str) -> str:
    return ".".join(proposer.split(".")[:2])


def shown(page: Page, keys: Sequence[str]) -> list[dict[str, Any]]:
    """The best first, each with its SKUs as the workbench's state has them; ``keys``: of all attributes."""
    return [
        {
            "proposer": one.proposer,
            "way": str(WAYS.get(way_of(one.proposer), one.proposer)),
            "page_type": one.page_type,
            "layout_type": one.layout_type,
            "skus": [_sku_state(sku, keys) for sku in one.skus],
        }
        for one in alternatives_of(page)
    ]


def _sku_state(sku: GivenSku, keys: Sequence[str]) -> dict[str, Any]:
    state: dict[str, Any] = msgspec.to_builtins(sku)
    return {**state, "attributes": {**dict.fromkeys(keys), **state["attributes"]}}


def count_outcome(page: Page, skus: Sequence[GivenSku] = ()) -> dict[str, int]:
    """Each alternative of the page is taken, or left, as its task ends with these ``skus``; how many of them were taken
    from which. In the caller's transaction."""
    taken = Counter(sku.offered for sku in skus if sku.offered and sku.sku_id is None)
    for one in alternatives_of(page):
        outcome = "taken" if taken[one.proposer] else "left"
        metrics.after_commit(metrics.ALTERNATIVES, proposer=way_of(one.proposer), outcome=outcome)
    return dict(taken)
