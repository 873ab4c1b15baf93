"""Cells that name a series in large print and say below, in smaller, what its products have in common."""

from collections.abc import Sequence

import msgspec

from catalogsku.core.box import centre, contains_point, rounded
from catalogsku.core.text import trim
from processing.engine.page import Line, ParsedPage
from processing.engine.result import Value
from processing.engine.understanding.draft import Draft

# Print so many times as large as all below it is a name; recognised sizes vary by less.
_LARGER = 1.2


def with_large_series(drafts: Sequence[Draft], page: ParsedPage) -> list[Draft]:
    """Products whose series is only what its cell prints large, where that comes first."""
    cut: dict[Value, Value] = {}
    for series in {draft.attributes["series"] for draft in drafts if "series" in draft.attributes}:
        if (first := _first_if_large(series, page.lines)) is not None:
            text = trim(first.text)
            place = msgspec.structs.replace(series.evidence, quote=text, bbox=rounded(first.box))
            cut[series] = msgspec.structs.replace(series, text=text, evidence=place)
    return [
        msgspec.structs.replace(draft, attributes={**draft.attributes, "series": cut[draft.attributes["series"]]})
        if draft.attributes.get("series") in cut
        else draft
        for draft in drafts
    ]


def _first_if_large(series: Value, lines: Sequence[Line]) -> Line | None:
    inside = [line for line in lines if contains_point(series.evidence.bbox, *centre(line.box))]
    if len(inside) < 2:
        return None
    first, *rest = sorted(inside, key=lambda line: line.box[1])
    large = first.size >= _LARGER * max(line.size for line in rest)
    return first if large and series.text.startswith(trim(first.text)) else None
