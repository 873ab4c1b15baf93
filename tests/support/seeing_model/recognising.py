"""Which drawn page it is that was seen, and which of its products and values are to be seen on it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.support.seeing_model.eyes import Line, folded, middle
from tests.support.seeing_model.finding import Page, Place
from tests.support.seeing_model.sheets import Product, Sheet

# A page is known by so many of its printed signs at least; what is shorter stands on many pages.
_KNOWN_BY, _TELLING = 12, 3


@dataclass(frozen=True)
class Found:
    """A value as it is printed, and where."""

    text: str
    place: Place


@dataclass
class SeenProduct:
    """``values`` by key and ``custom`` by printed label: those alone that were seen. The first is its identity."""

    product: Product
    values: dict[str, Found] = field(default_factory=dict)
    custom: dict[str, Found] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return next(self.values[key].text for key in ("model", "product_name") if key in self.values)

    @property
    def told(self) -> dict[str, Found]:
        """Values by key, and by label where no key stands for them."""
        return {**self.custom, **self.values}


def recognised(lines: Sequence[Line], sheets: Sequence[Sheet]) -> Sheet | None:
    """The sheet of whose print the largest share is among the lines; None where that is next to nothing."""
    text = "\n".join(line.text for line in lines)
    found: tuple[float, Sheet | None] = (0.0, None)
    for sheet in sheets:
        said = {one for line in sheet.said if len(one := folded(line)) >= _TELLING}
        seen = sum(len(one) for one in said if one in text)
        if seen >= _KNOWN_BY:
            found = max(found, (seen / sum(map(len, said)), sheet), key=lambda one: one[0])
    return found[1]


def products_on(lines: Sequence[Line], sheet: Sheet) -> list[SeenProduct]:
    """In the order of the page; a product whose name or code is not to be seen is none."""
    page, taken = Page(lines), set[tuple[int, int, int]]()
    found = []
    for product in sheet.products:
        seen = SeenProduct(product)
        keys = sorted(product.values, key=lambda key: key not in ("model", "product_name"))
        own = taken if product.card is None else set[tuple[int, int, int]]()
        for key in keys:
            if one := _best(page, product.values[key], seen, own):
                seen.values[key] = one
            elif product.values[key] == product.identity:
                break
        for label, value in product.custom.items():
            if one := _best(page, (value,), seen, own):
                seen.custom[label] = one
        if product.identity and any(seen.values.get(key) for key in ("model", "product_name")):
            found.append(seen)
    return found


def _best(page: Page, forms: Sequence[str], seen: SeenProduct, taken: set[tuple[int, int, int]]) -> Found | None:
    """On the product's card; what several products share may stand elsewhere, and then as near as can be. A place that
    another value has is the last choice."""
    product = seen.product
    options = page.places(forms, product.card) or page.places(forms, None)
    if not options:
        return None
    near = next((middle(one.place.box) for one in seen.values.values()), None)

    def cost(option: tuple[str, Place]) -> tuple[bool, float]:
        x, y = middle(option[1].box)
        far = abs(y - near[1]) * 3 + abs(x - near[0]) if near else 0.0
        return not taken.isdisjoint(option[1].parts), far

    text, place = min(options, key=cost)
    taken.update(place.parts)
    return Found(text, place)
