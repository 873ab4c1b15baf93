"""Photo pages: a grid of pictures, each with its caption under, above or beside it."""

import re
from collections.abc import Mapping, Sequence

import msgspec

from catalogsku.core.box import Box, centre, contains_point, union
from catalogsku.core.text import trim
from processing.engine.page import Line
from processing.engine.result import Value
from processing.engine.understanding.captions.bare_amounts import bare_amounts
from processing.engine.understanding.captions.captioned import captioned_pictures, paired_on, without_pictures
from processing.engine.understanding.captions.grids import is_name_grid
from processing.engine.understanding.captions.names import without_refrain
from processing.engine.understanding.captions.priced_panels import drafts_on_priced_panels
from processing.engine.understanding.captions.text import read_caption, take_fields
from processing.engine.understanding.cards.bare_prices import with_bare_prices
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import add_currency, take_on_request, text_value
from processing.engine.understanding.labelled_lines import line_fields
from processing.engine.understanding.once import as_extractor
from processing.engine.understanding.rules.finishes import are_shades, is_colours
from processing.engine.understanding.rules.wording import is_sentence, without_number
from processing.engine.understanding.tables.families import heads_rows
from processing.engine.understanding.view import PageView

# How far from a caption and its picture the price in the corner of their card stands.
_CORNER_PT = 60.0
# What tells the variants of one code apart: "RX-20-BL".
_END = re.compile(r"[-_/. ][A-Za-z0-9]{1,4}$")


@as_extractor("caption")
def extract_captions(view: PageView) -> list[Draft]:
    """One product a captioned picture, where the page is such a grid; nothing otherwise."""
    if drafts := drafts_on_priced_panels(view):
        return drafts
    captions = captioned_pictures(view)
    lines = without_refrain([caption.lines for caption in captions])
    amounts = bare_amounts(view, captions)
    drafts = [
        d
        for caption, own in zip(captions, lines, strict=True)
        if (d := _draft(view, own, caption.picture.box, amounts))
    ]
    drafts += [draft for text in without_pictures(view) if (draft := _draft(view, text, None))]
    drafts = with_bare_prices(view, [draft for draft in drafts if not heads_rows(view, draft)], _CORNER_PT * view.scale)
    sold = {_shape(d) for d in drafts if {"model", "color", "price"} <= d.attributes.keys()}
    coded = [draft for draft in drafts if _is_proven(draft) or ("color" in draft.attributes and _shape(draft) in sold)]
    enough = len(coded) * 2 >= len(drafts) and _enough(coded)
    if not drafts or not (enough or is_name_grid(view, captions, drafts)):
        return []
    if len(coded) * 2 >= len(drafts):
        drafts = coded
    return _in_colours(drafts)


def _in_colours(drafts: list[Draft]) -> list[Draft]:
    """Where all names over codes are those of colours and the codes differ in their ends alone, the products are one
    thing in several colours, and none of these is its name."""
    names = [draft.attributes["product_name"].text for draft in drafts if "product_name" in draft.attributes]
    codes = [draft.attributes["model"].text for draft in drafts if "model" in draft.attributes]
    coloured = len(names) == len(codes) == len(drafts) > 1 and (all(map(is_colours, names)) or are_shades(names))
    alike = len({_END.sub("", code) for code in codes}) == 1 and len(set(codes)) == len(codes)
    if not (coloured and alike) or any("color" in draft.attributes for draft in drafts):
        return drafts
    return [msgspec.structs.replace(draft, attributes=_renamed(draft.attributes)) for draft in drafts]


def _renamed(attributes: Mapping[str, Value]) -> dict[str, Value]:
    return {"color" if key == "product_name" else key: value for key, value in attributes.items()}


def _is_proven(draft: Draft) -> bool:
    """More than a bare code or name: those also stand under samples, drawings and people. A colour's name beside a code
    is a sample's as well, unless a label calls it a model."""
    attributes = draft.attributes
    described = {"product_name", "size", "material", *(["color"] if "model" in draft.contexts else [])}
    return "price" in attributes or ("model" in attributes and bool(described & set(attributes)))


def _shape(draft: Draft) -> str:
    """Where letters and figures stand in its code: a code of a colour is a product's beside one such with a price."""
    code = draft.attributes["model"].text if "model" in draft.attributes else ""
    return "".join("A" if char.isalpha() else "0" if char.isdigit() else char for char in code)


def _enough(coded: list[Draft]) -> bool:
    """Two captions with a code and a name, or a price, make a page of products; one alone must print code and price."""
    return len(coded) >= 2 or any("model" in d.attributes and "price" in d.attributes for d in coded)


def _draft(view: PageView, lines: Sequence[Line], picture: Box | None, amounts: Sequence[Line] = ()) -> Draft | None:
    """The product of a caption. ``amounts``: lines that are prices though nothing on them says so."""
    box = union(line.box for line in lines)
    paired = [field for field in paired_on(view) if contains_point(box, *centre(field.box))]
    plain = tuple(line for line in lines if not any(contains_point(f.box, *centre(line.box)) for f in paired))
    priced = next((line for line in plain if line in amounts), None)
    attributes, contexts, custom = read_caption(tuple(line for line in plain if line is not priced), view.page.number)
    if priced is not None:
        attributes["price"] = text_value(trim(priced.text), priced.box, view.page.number, "caption", 0.9)
    custom += take_fields(paired, attributes, contexts)
    on_request = take_on_request(attributes)
    texts = [line.text for line in lines if not line_fields(line, view.page.number)]
    if "price" not in attributes and any(is_sentence(without_number(text)) for text in texts):
        return None
    if not {"model", "product_name"} & set(attributes) and "price" not in attributes:
        return None
    add_currency(attributes)
    strong = "model" in attributes or "price" in attributes
    return Draft(
        box=union([picture, box]) if picture else box,
        anchor=box,
        attributes=attributes,
        custom=custom,
        contexts=contexts,
        confidence=0.86 if strong else 0.76,
        picture=picture,
        on_request=on_request,
    )
