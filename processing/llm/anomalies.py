"""What is odd about an answer that has the right shape: orders, links, copies, boxes off the page, too many products.

The strict mode (the page's text tries to give orders, LA-GUARD) also refuses fields nobody asked for and long values.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from typing import Any

from pydantic import BaseModel

from processing.llm.parsing import MAX_FAULTS, Fault, shortened

SCALE = 1000
# A catalogue repeats a brand on every product; a whole product or its order number at most by mistake.
MAX_COPIES = 2
# Products for each block and table row of the page, and how many any page may have.
PRODUCTS_A_PLACE, PRODUCTS_ALWAYS = 2, 5
MAX_VALUE_CHARS = 300
INSTRUCTION_SCORE = 0.7  # LA-GUARD: from here on a text is treated as an order

_LINK = re.compile(r"\b(?:https?|ftp|file|javascript|data):(?://)?\S|\bwww\.\w", re.I)
_IDS = {"at", "line", "table"}
_LISTS_OF_IDS = {"pictures", "aside"}

ORDER, LINK = "reads like an instruction; give only what is printed as a product's value", "must not hold an address"
OFF_PAGE = f"must be [left, top, right, bottom] within 0 to {SCALE}, left below right and top below bottom"
COPY = f"is the same for more than {MAX_COPIES} products; give each product's own"
TOO_MANY = "more products than the page has places for"
NO_ID = "is no id of a block, cell, row or picture of this page"
EXTRA, TOO_LONG = "is a field that was not asked for", f"must be shorter than {MAX_VALUE_CHARS} characters"


def anomalies(
    data: BaseModel,
    *,
    strict: bool = False,
    places: int | None = None,
    ids: Collection[str] | None = None,
    instruction_score: Callable[[str], float] = lambda text: 0.0,
) -> tuple[Fault, ...]:
    """Everything odd, each with its place. ``places``: text blocks and table rows of the page; ``ids``: what evidence
    may name on it (None: not checked); ``instruction_score``: 0 to 1, how much a text looks like an order."""
    faults: list[Fault] = []
    for path, name, value in _leaves(data):
        if isinstance(value, str):
            faults += _odd_text(path, value, strict, instruction_score)
            if ids is not None and _is_id(path, name) and value not in ids:
                faults.append(_fault(path, value, NO_ID))
        elif name == "box" and isinstance(value, list) and not _on_page(value):
            faults.append(_fault(path, str(value), OFF_PAGE))
    products = getattr(data, "products", ())
    faults += _copies(products)
    if places is not None and len(products) > max(PRODUCTS_ALWAYS, PRODUCTS_A_PLACE * places):
        faults.append(_fault("products", str(len(products)), TOO_MANY))
    if strict:
        faults += [_fault(path, "", EXTRA) for path in _extras(data)]
    return tuple(faults[:MAX_FAULTS])


def _fault(path: str, value: str, rule: str) -> Fault:
    return Fault(path, shortened(value), rule)


def _odd_text(path: str, text: str, strict: bool, score: Callable[[str], float]) -> Iterator[Fault]:
    if score(text) >= INSTRUCTION_SCORE:
        yield _fault(path, text, ORDER)
    if _LINK.search(text):
        yield _fault(path, text, LINK)
    if strict and len(text) > MAX_VALUE_CHARS:
        yield _fault(path, text, TOO_LONG)


def _is_id(path: str, name: str) -> bool:
    return name in _IDS or (name in _LISTS_OF_IDS and path.endswith("]"))


def _on_page(box: list[float]) -> bool:
    left, top, right, bottom = box
    return 0 <= left < right <= SCALE and 0 <= top < bottom <= SCALE


def _copies(products: Any) -> Iterator[Fault]:
    """Products with the same values in every attribute, and order numbers that stand with many products."""
    values = [
        tuple(sorted((key, attribute.value) for key, attribute in product.attributes.items() if attribute is not None))
        for product in products
        if hasattr(product, "attributes")
    ]
    for whole, times in Counter(each for each in values if each).items():
        if times > MAX_COPIES:
            yield _fault("products[].attributes", ", ".join(value for _, value in whole), COPY)
    models = Counter(value for whole in values for key, value in whole if key == "model")
    yield from (_fault("products[].attributes.model", model, COPY) for model, n in models.items() if n > MAX_COPIES)


def _leaves(data: Any, path: str = "", name: str = "") -> Iterator[tuple[str, str, Any]]:
    """(path, field, value) of every text, number and box of the fields that were asked for."""
    if isinstance(data, BaseModel):
        for field in type(data).model_fields:
            yield from _leaves(getattr(data, field), f"{path}.{field}".lstrip("."), field)
    elif isinstance(data, dict):
        for key, value in data.items():
            yield from _leaves(value, f"{path}.{key}", str(key))
    elif isinstance(data, list) and name != "box":
        for n, value in enumerate(data):
            yield from _leaves(value, f"{path}[{n}]", name)
    elif data is not None:
        yield path, name, data


def _extras(data: Any, path: str = "") -> Iterator[str]:
    if isinstance(data, BaseModel):
        yield from (f"{path}.{name}".lstrip(".") for name in data.model_extra or {})
        for field in type(data).model_fields:
            yield from _extras(getattr(data, field), f"{path}.{field}".lstrip("."))
    elif isinstance(data, dict):
        for key, value in data.items():
            yield from _extras(value, f"{path}.{key}")
    elif isinstance(data, list):
        for n, value in enumerate(data):
            yield from _extras(value, f"{path}[{n}]")
