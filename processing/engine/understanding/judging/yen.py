"""The sign of yuan and of yen is one: in print of Japan it means yen."""

import re
from collections.abc import Iterable

import msgspec

from processing.engine.page import ParsedPage
from processing.engine.result import Sku

# Of the page's letters, as language is told of print that is recognised; a maker's name alone has fewer.
_KANA, _JAPANESE = re.compile("[\u3041-\u30ff\uff66-\uff9f]"), 0.1
_SIGNS = "¥￥"


def in_yen(skus: Iterable[Sku], page: ParsedPage) -> tuple[Sku, ...]:
    """The products of a page in Japanese with the currency that the sign in their prices means there."""
    return tuple(map(_in_yen, skus)) if _is_japanese(page.text) else tuple(skus)


def _is_japanese(text: str) -> bool:
    return len(_KANA.findall(text)) > _JAPANESE * sum(map(str.isalpha, text))


def _in_yen(sku: Sku) -> Sku:
    price = sku.normalized.get("price")
    printed = "".join(sku.attributes[key].text for key in ("price", "currency") if key in sku.attributes)
    if not isinstance(price, dict) or price.get("currency") != "CNY" or not set(_SIGNS) & set(printed):
        return sku
    return msgspec.structs.replace(sku, normalized={**sku.normalized, "price": {**price, "currency": "JPY"}})
