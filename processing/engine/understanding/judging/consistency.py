"""Consistency rules as data: each hit has a code, a severity and the numbers behind it (TA-T28, TA-RULES)."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from catalogsku.core.text import squash
from processing.engine.page import ParsedPage
from processing.engine.result import Finding, PictureRole, RowTally, Sku
from processing.engine.understanding.config import Rules
from processing.engine.understanding.rules.normalise import currency_of, is_valid_price

Params = dict[str, str | int | float]
Hit = tuple[Params, int | None]


@dataclass(frozen=True)
class Checked:
    """All that a rule may look at."""

    page: ParsedPage
    page_type: str
    skus: tuple[Sku, ...]
    roles: tuple[PictureRole, ...]
    tallies: tuple[RowTally, ...]
    rules: Rules


@dataclass(frozen=True)
class Rule:
    """``action`` on a hit: ``blocker`` opens a task under the rule's code, ``note`` only records it."""

    code: str
    severity: str
    action: str
    hits: Callable[[Checked], Iterator[Hit]]


def check(checked: Checked) -> tuple[Finding, ...]:
    """Every hit of every rule that is not switched off, in the order of the rules."""
    return tuple(
        Finding(rule.code, rule.severity, params, sku)
        for rule in RULES
        if rule.code not in checked.rules.disabled
        for params, sku in rule.hits(checked)
    )


def _all_invalid(c: Checked) -> Iterator[Hit]:
    if c.skus and all(sku.validity == "invalid" for sku in c.skus):
        yield {"skus": len(c.skus)}, None


def _many_invalid(c: Checked) -> Iterator[Hit]:
    invalid = sum(1 for sku in c.skus if sku.validity == "invalid")
    if (
        c.page_type == "A"
        and invalid
        and invalid < len(c.skus)
        and invalid > c.rules.missing_fields_share * len(c.skus)
    ):
        yield {"invalid": invalid, "skus": len(c.skus)}, None


def _count_abnormal(c: Checked) -> Iterator[Hit]:
    limit = c.rules.max_skus_table_page if c.page_type == "A" else c.rules.max_skus
    if len(c.skus) > limit:
        yield {"skus": len(c.skus), "limit": limit}, None


def _duplicate_model(c: Checked) -> Iterator[Hit]:
    """The same code printed for several products; one code merged over variant rows is meant so."""
    direct = [
        s.attributes["model"].text
        for s in c.skus
        if "model" in s.attributes and s.attributes["model"].source == "direct"
    ]
    for model, count in Counter(squash(text) for text in direct).items():
        if count > 1:
            first = next(text for text in direct if squash(text) == model)
            yield {"model": first, "count": count}, None


def _price_format(c: Checked) -> Iterator[Hit]:
    for n, sku in enumerate(c.skus):
        price = sku.attributes.get("price")
        if price is not None and not is_valid_price(price.text):
            yield {"price": price.text}, n


def _currencies(c: Checked) -> Iterator[Hit]:
    codes = sorted(
        {code for s in c.skus if "price" in s.attributes and (code := currency_of(s.attributes["price"].text))}
    )
    if len(codes) > 1:
        yield {"currencies": ", ".join(codes)}, None


def _without_image(c: Checked) -> Iterator[Hit]:
    for n, sku in enumerate(c.skus):
        if not sku.bindings and c.page.pictures and c.page_type in ("B", "C"):
            yield {}, n


def _table_without_image(c: Checked) -> Iterator[Hit]:
    missing = sum(1 for sku in c.skus if not sku.bindings)
    if c.page_type == "A" and missing:
        yield {"skus": missing}, None


def _image_without_sku(c: Checked) -> Iterator[Hit]:
    if c.page_type == "D":
        return
    bound = {binding.picture for sku in c.skus for binding in sku.bindings}
    free = [r.picture for r in c.roles if r.role in ("PRODUCT_MAIN", "SCENE", "DETAIL") and r.picture not in bound]
    if free:
        yield {"pictures": len(free)}, None


def _small_main(c: Checked) -> Iterator[Hit]:
    sizes = {picture.id: picture.short_edge for picture in c.page.pictures}
    mains = [b.picture for sku in c.skus for b in sku.bindings if b.role == "PRODUCT_MAIN"]
    small = sum(1 for picture in mains if sizes.get(picture, 0) < c.rules.min_short_edge_px)
    if mains and small > c.rules.small_main_share * len(mains):
        yield {"small": small, "pictures": len(mains)}, None


def _price_without_model(c: Checked) -> Iterator[Hit]:
    for n, sku in enumerate(c.skus):
        if "price" in sku.attributes and sku.identity is None:
            yield {}, n


def _rows_unresolved(c: Checked) -> Iterator[Hit]:
    for tally in c.tallies:
        if tally.unresolved:
            yield {"table": tally.table, "rows": tally.unresolved}, None


RULES: tuple[Rule, ...] = (
    Rule("all_skus_invalid", "error", "blocker", _all_invalid),
    Rule("table_page_missing_fields", "error", "blocker", _many_invalid),
    Rule("sku_count_abnormal", "error", "blocker", _count_abnormal),
    Rule("sku_no_model_but_has_price", "warning", "note", _price_without_model),
    Rule("duplicate_model_in_page", "warning", "note", _duplicate_model),
    Rule("price_format_invalid", "warning", "note", _price_format),
    Rule("multi_currency_detected", "warning", "note", _currencies),
    Rule("rows_unresolved", "warning", "blocker", _rows_unresolved),
    Rule("sku_without_image", "warning", "note", _without_image),
    Rule("sku_without_image", "info", "note", _table_without_image),
    Rule("image_without_sku", "info", "note", _image_without_sku),
    Rule("main_image_too_small", "info", "note", _small_main),
)
ACTIONS = {rule.code: rule.action for rule in RULES}
