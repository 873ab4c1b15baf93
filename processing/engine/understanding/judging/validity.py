"""full, partial or invalid, and how sure: the same for every way a SKU was found (TA-BR11)."""

from processing.engine.result import Sku, Value
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.judging.confidence import sku_confidence
from processing.engine.understanding.rules.normalise import normalised
from processing.engine.understanding.rules.shapes import is_on_request

IDENTITY = ("model", "product_name")
SPECS = ("size", "material", "color", "price")


def judge_validity(attributes: dict[str, Value]) -> tuple[str, str | None]:
    """Validity and quality warning: full needs identity and a spec, no identity is invalid (INV-06)."""
    if not any(key in attributes for key in IDENTITY):
        return "invalid", None
    specs = [key for key in SPECS if key in attributes and not (key == "price" and is_on_request(attributes[key].text))]
    return ("full", None) if specs else ("partial", "missing_specifications")


def to_sku(draft: Draft, doubts: tuple[str, ...], reading: float) -> Sku:
    """The draft with validity, confidence and normalised forms; pictures come later. ``reading``: 0 to 1."""
    validity, warning = judge_validity(draft.attributes)
    printed = {key: value.text for key, value in draft.attributes.items()}
    if draft.on_request is not None:
        printed["price"] = draft.on_request.text
    return Sku(
        box=draft.box,
        attributes=draft.attributes,
        custom=draft.custom,
        validity=validity,
        confidence=sku_confidence(draft, doubts, reading),
        doubts=doubts,
        quality_warning=warning,
        normalized=normalised(printed, {key: unit.text for key, unit in draft.units.items()}, draft.tiers),
        units=draft.units,
        on_request=draft.on_request,
        table=draft.table,
        row=draft.row,
    )
