"""Two answers about one page beside each other: products gained and lost, values that are others (X-SHADOW). Pure."""

from collections.abc import Iterable, Sequence

import msgspec

from catalogsku.core.text import squash
from processing.engine.result import PageResult

Values = dict[str, str]


class PageProducts(msgspec.Struct, frozen=True):
    """What a comparison needs of a page's result: its type, and the values of each product by attribute."""

    page_type: str
    products: tuple[Values, ...] = ()


class ChangedValue(msgspec.Struct, frozen=True):
    """``product``: its model or name, empty for the page itself; an empty text where one side gives nothing."""

    product: str
    key: str
    before: str
    after: str


class Difference(msgspec.Struct, frozen=True):
    """``gained``, ``lost``: models or names of products that only the other or only the first answer has."""

    gained: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    changed: tuple[ChangedValue, ...] = ()

    @property
    def is_none(self) -> bool:
        return not (self.gained or self.lost or self.changed)


def products_of(result: PageResult) -> PageProducts:
    products = ({key: value.text for key, value in sku.attributes.items()} for sku in result.skus)
    return PageProducts(result.page_type, tuple(products))


def difference(before: PageProducts, after: PageProducts) -> Difference:
    """Products are paired where most speaks for it: all values, model and name, then the model, then the name."""
    pairs, lost, gained = _paired(before.products, after.products)
    changed = (
        []
        if before.page_type == after.page_type
        else [ChangedValue("", "page_type", before.page_type, after.page_type)]
    )
    for old, new in pairs:
        changed += _changes(old, new)
    return Difference(_names(gained), _names(lost), tuple(changed))


# Nothing stands for all of its values.
_PAIRED_BY: tuple[tuple[str, ...], ...] = ((), ("model", "product_name"), ("model",), ("product_name",))


def _paired(
    before: Sequence[Values], after: Sequence[Values]
) -> tuple[list[tuple[Values, Values]], list[Values], list[Values]]:
    pairs: list[tuple[Values, Values]] = []
    lost, gained = list(before), list(after)
    for keys in _PAIRED_BY:
        for old in list(lost):
            wanted = _form(old, keys)
            new = next((sku for sku in gained if any(wanted) and _form(sku, keys) == wanted), None)
            if new is not None:
                pairs.append((old, new))
                lost.remove(old)
                gained.remove(new)
    return pairs, lost, gained


def _form(values: Values, keys: Sequence[str]) -> tuple[str, ...]:
    return (
        tuple(squash(values.get(key, "")) for key in keys)
        if keys
        else tuple(f"{key} {squash(values[key])}" for key in sorted(values))
    )


def _changes(old: Values, new: Values) -> list[ChangedValue]:
    keys = [key for key in dict.fromkeys([*old, *new]) if squash(old.get(key, "")) != squash(new.get(key, ""))]
    return [ChangedValue(_name(old), key, old.get(key, ""), new.get(key, "")) for key in keys]


def _name(values: Values) -> str:
    return values.get("model") or values.get("product_name") or ""


def _names(products: Iterable[Values]) -> tuple[str, ...]:
    return tuple(map(_name, products))
