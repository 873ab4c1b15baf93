"""Small truths, found SKUs and pages, made by hand."""

import json
from typing import Any

from catalogsku.core.box import Box
from processing.engine.page import Block, Line, ParsedPage, Picture, Word
from processing.engine.quality.measure import PageMeasure, UnderstoodPage, measure_file
from processing.engine.quality.totals import Figures, figures_of
from processing.engine.quality.truth import Truth, read_truth
from processing.engine.result import Binding, Blocker, CustomValue, Evidence, PageResult, Sku, Value

BOX = (0.0, 0.0, 100.0, 20.0)


def truth_sku(page: int = 1, **fields: Any) -> dict[str, Any]:
    """Attributes by their key; what a truth's SKU has beside them under its own name."""
    own = ("optional", "accept", "custom_attributes", "tiers", "card_bbox", "images")
    attributes = {key: text for key, text in fields.items() if key not in own}
    return {"page_number": page, "attributes": attributes, **{key: fields[key] for key in own if key in fields}}


def truth(
    *skus: dict[str, Any], types: dict[int, str] | None = None, images: dict[str, Box] | None = None, **page: Any
) -> Truth:
    """``types``: page number to type (one page of type A); ``images``: on page 1; ``page``: fields of every page."""
    kinds = types or {1: "A"}
    body = {
        "schema_version": "1.0",
        "job": {"source_file": "a.pdf", "total_pages": max(kinds)},
        "pages": [{"page_number": number, "page_type": kind, **page} for number, kind in kinds.items()],
        "skus": skus,
        "images": [{"image_id": name, "page_number": 1, "bbox": box} for name, box in (images or {}).items()],
    }
    return read_truth(json.dumps(body).encode(), "a.truth.json")


def sku(
    confidence: float = 0.9,
    custom: dict[str, str] | None = None,
    tiers: list[dict[str, str]] | None = None,
    pictures: tuple[str, ...] = (),
    ambiguous: bool = False,
    page: int = 1,
    box: Box = BOX,
    **attributes: str,
) -> Sku:
    def evidence(text: str) -> Evidence:
        return Evidence(text, page, (0.0, 0.0, 1.0, 1.0))

    return Sku(
        box=box,
        attributes={key: Value(text, evidence(text)) for key, text in attributes.items()},
        custom=tuple(CustomValue(name, text, evidence(text)) for name, text in (custom or {}).items()),
        confidence=confidence,
        normalized={"price": {"tiers": tiers}} if tiers else {},
        bindings=tuple(Binding(name, "PRODUCT_MAIN", "test", 1.0) for name in pictures),
        ambiguous=ambiguous,
    )


def printed_text(*skus: Sku) -> str:
    lines = [value.text for one in skus for value in one.attributes.values()]
    return "\n".join([*lines, *(value.value for one in skus for value in one.custom)])


def page(
    *skus: Sku,
    number: int = 1,
    kind: str = "A",
    text: str | None = None,
    pictures: dict[str, Box] | None = None,
    blockers: tuple[str, ...] = (),
) -> UnderstoodPage:
    """``text``: what is printed there; every value of the SKUs where none is given."""
    lines = tuple(
        Line(one, (0.0, 50.0 * n, 500.0, 50.0 * n + 10), (Word(one, (0.0, 50.0 * n, 500.0, 50.0 * n + 10)),))
        for n, one in enumerate((printed_text(*skus) if text is None else text).splitlines(), 2)
    )
    return UnderstoodPage(
        ParsedPage(
            number=number,
            width_pt=600.0,
            height_pt=800.0,
            rotation=0,
            reader="test",
            blocks=(Block("T1", (0.0, 0.0, 600.0, 800.0), lines),),
            pictures=tuple(Picture(name, box, 800, 800) for name, box in (pictures or {}).items()),
        ),
        PageResult(
            number=number,
            page_type=kind,
            type_confidence=1.0,
            layout_type="L1",
            confidence=1.0,
            extractor="test",
            skus=skus,
            blockers=tuple(Blocker(code) for code in blockers),
        ),
        seconds=0.5,
    )


def measured(wanted: Truth, *pages: UnderstoodPage) -> tuple[PageMeasure, ...]:
    return measure_file(wanted, {one.result.number: one for one in pages if one.result})


def figured(wanted: Truth, *pages: UnderstoodPage) -> Figures:
    return figures_of(measured(wanted, *pages))
