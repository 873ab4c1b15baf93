"""Products of two editions beside each other: which are the same one, and what of it changed."""

from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from catalogsku.core.text import squash

ADDED, REMOVED, CHANGED, RENAMED, UNCHANGED = "added", "removed", "changed", "renamed", "unchanged"
PICTURES = "pictures"


class Product(NamedTuple):
    """As far as it is compared. ``page``: of the earlier edition (for a later product: the page that it was there, or
    0); ``price``: decimal text; ``pictures``: hashes of their contents; ``predecessor``: key of the earlier product
    that it was carried over from."""

    key: str
    page: int
    model: str
    name: str
    attributes: Mapping[str, str | None]
    price: str = ""
    currency: str = ""
    pictures: frozenset[str] = frozenset()
    predecessor: str = ""


class Difference(NamedTuple):
    """``later`` or ``earlier`` is None where it was removed or added. ``fields``: (key, before, after);
    ``price_change``: as a share of the earlier price, None where it has not changed or cannot be compared."""

    kind: str
    earlier: Product | None
    later: Product | None
    fields: tuple[tuple[str, str | None, str | None], ...] = ()
    price_change: float | None = None
    price_differs: bool = False


def match_products(
    earlier: Sequence[Product], later: Sequence[Product], renamed: Mapping[str, str] | None = None
) -> list[tuple[Product | None, Product | None]]:
    """(earlier, later) of the same product, then those without a counterpart.

    What was carried over is known, and what a person has said is the same under another code (``renamed``: key of the
    later to that of the earlier one). Else the model decides, on the page's counterpart before anywhere else; then the
    name, for products without a model on either side. A product is never matched by its place alone: another one may
    stand there now (TA-SKUSTABLE).
    """
    names: Sequence[Callable[[Product], tuple[object, ...] | None]] = (
        lambda p: (p.page, squash(p.model), squash(p.name)) if p.model else None,
        lambda p: (p.page, squash(p.model)) if p.model else None,
        lambda p: (squash(p.model),) if p.model else None,
        lambda p: (p.page, squash(p.name)) if p.name and not p.model else None,
        lambda p: (squash(p.name),) if p.name and not p.model else None,
    )
    by_key = {product.key: product for product in earlier}
    said = {product.key: (renamed or {}).get(product.key, product.predecessor) for product in later}
    pairs = {product.key: by_key[said[product.key]] for product in later if said[product.key] in by_key}
    taken = {product.key for product in pairs.values()}
    left = [product for product in earlier if product.key not in taken]
    for name in names:
        waiting: defaultdict[object, deque[Product]] = defaultdict(deque)
        for product in left:
            if (known := name(product)) is not None:
                waiting[known].append(product)
        for product in later:
            known = name(product)
            if product.key not in pairs and known is not None and waiting[known]:
                pairs[product.key] = waiting[known].popleft()
        taken = {product.key for product in pairs.values()}
        left = [product for product in left if product.key not in taken]
    matched = [(pairs.get(product.key), product) for product in later]
    return [*matched, *((product, None) for product in left)]


def difference(earlier: Product | None, later: Product | None, *, renamed: bool = False) -> Difference:
    """What became of one product. At least one of both is there; ``renamed``: a person has said that they are one."""
    if earlier is None or later is None:
        return Difference(ADDED if earlier is None else REMOVED, earlier, later)
    keys = dict.fromkeys([*earlier.attributes, *later.attributes])
    fields = [
        (key, earlier.attributes.get(key), later.attributes.get(key))
        for key in keys
        if _said(earlier.attributes.get(key)) != _said(later.attributes.get(key))
    ]
    if earlier.pictures != later.pictures:
        fields.append((PICTURES, str(len(earlier.pictures)), str(len(later.pictures))))
    changed = {key for key, _, _ in fields}
    differs = bool(changed & {"price", "currency"})
    return Difference(
        RENAMED if renamed and fields else CHANGED if fields else UNCHANGED,
        earlier,
        later,
        tuple(fields),
        _ratio(earlier, later) if differs else None,
        differs,
    )


def _said(value: str | None) -> str:
    return " ".join((value or "").split())


def _ratio(earlier: Product, later: Product) -> float | None:
    if earlier.currency != later.currency:
        return None
    try:
        before, after = Decimal(earlier.price), Decimal(later.price)
    except InvalidOperation:
        return None
    return float((after - before) / before) if before > 0 and after != before else None


def rank(change: Difference) -> tuple[int, float]:
    """Ascending: price changes first, the largest before the smaller ones; then other changes, added, removed."""
    if change.price_differs:
        return 0, -abs(change.price_change) if change.price_change is not None else 0.0
    return {CHANGED: 1, RENAMED: 1, ADDED: 2, REMOVED: 3, UNCHANGED: 4}[change.kind], 0.0
