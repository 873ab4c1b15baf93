"""Pictures with the lines that are printed at them: on which side of them most have theirs, one caption of several
parts, texts and pictures paired as a whole."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import msgspec

from catalogsku.core.box import Box, centre, contains_point, gap, height, union
from catalogsku.core.text import has_han, trim
from processing.engine.page import Line, Picture
from processing.engine.understanding.captions.figures import as_one, figures
from processing.engine.understanding.captions.names import Lines, identifies, may_be_named, with_whole_names
from processing.engine.understanding.captions.on_panels import down_panels
from processing.engine.understanding.captions.pairing import paired, texts
from processing.engine.understanding.captions.sides import (
    ALIGNED_PT,
    CLOSE,
    MAX_LINES,
    MOST_LINES,
    SIDES,
    Captioned,
    hole,
    is_whole,
    on_side,
)
from processing.engine.understanding.captions.strips import in_rows, is_level
from processing.engine.understanding.fields import paired_fields, with_value_column
from processing.engine.understanding.labelled_lines import Field, line_fields
from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.rules.finishes import is_material
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.shapes import is_code, is_extent, is_price
from processing.engine.understanding.view import PageView

# So much of something, in any script: "1 140 mm", "42 кг".
_AMOUNT = re.compile(r"\d[\d\s.,]*[^\W\d_]{0,4}")
# Texts with a picture each that are paired as a whole.
_LEAST = 3
# Captions with a name and a code or a price on one side that show how the page is set.
_SURE = 2
# Labelled values that make lines with a code the text of a product.
_LABELLED = 2
# Of the distance to another picture, how near one is that a text is clearly nearer to.
_CLEARLY = 0.6
# Share of the captions of which a second part makes whole ones.
_MOSTLY = 0.8


def captioned_pictures(view: PageView) -> list[Captioned]:
    """Pictures with captions on the side where most of the page's pictures have theirs; a code or a price that most of
    them have on another side, or printed on them, belongs to the caption."""
    if "captioned" not in view.seen:
        view.seen["captioned"] = _of_figures(view) or _of_cards(view) or _captioned(view)
    captions: list[Captioned] = view.seen["captioned"]
    return captions


def paired_on(view: PageView) -> list[Field]:
    """Labels with values in a line of their own, beside or under them."""
    if "paired" not in view.seen:
        view.seen["paired"] = _beside_colons(view) + paired_fields(view)
    fields: list[Field] = view.seen["paired"]
    return fields


def _beside_colons(view: PageView) -> list[Field]:
    """Labels with nothing behind their colons that have their values in a column beside them."""
    alone = [field for line in view.lines for field in line_fields(line, view.page.number)]
    completed = with_value_column(alone, view.lines, view.page.number)
    return [field for field, before in zip(completed, alone, strict=True) if field is not before]


def without_pictures(view: PageView) -> list[Sequence[Line]]:
    """Texts like the captions whose picture was not found."""
    captioned_pictures(view)
    unpaired: list[Sequence[Line]] = view.seen.get("unpaired", [])
    return unpaired


def _of_figures(view: PageView) -> list[Captioned]:
    """Where the page has as many texts that tell a product as figures of several pictures: their captions."""
    products = [text for text in texts(view) if len(text) <= MAX_LINES and _tells(text)]
    groups = figures(view.beside_each_other(view.pictures, len(products)), len(products))
    return _as_figures(view, groups) if groups else []


def _of_cards(view: PageView) -> list[Captioned]:
    """Where most of the cards hold one picture and some several, these are one figure."""
    cards = [[p for p in view.pictures if contains_point(card, *centre(p.box))] for card in view.cards]
    single = sum(len(shown) == 1 for shown in cards)
    if len(cards) < _LEAST or single == len(cards) or 2 * single <= len(cards):
        return []
    return _as_figures(view, [*cards, *((p,) for p in view.pictures if not any(p in shown for shown in cards))])


def _as_figures(view: PageView, groups: Sequence[Sequence[Picture]]) -> list[Captioned]:
    """The captions of the page, each group of pictures taken for one; the largest of a group has its caption."""
    shown = {figure.id: figure for figure in map(as_one, groups)}
    pictures = tuple(shown[p.id] for p in view.pictures if p.id in shown)
    captions = _captioned(
        replace(view, page=msgspec.structs.replace(view.page, pictures=pictures), extractions={}, seen={})
    )
    mains = {picture.id: picture for picture in view.pictures}
    return [Captioned(mains[caption.picture.id], caption.lines) for caption in captions]


def _captioned(view: PageView) -> list[Captioned]:
    sides = [[caption for caption in on_side(view, side) if not _is_strip(caption)] for side in SIDES]
    captions = max(sides, key=len)
    parts = next((whole for other in [*sides, _printed_on(view)] if (whole := _in_two_parts(captions, other))), None)
    both = next((whole for other in sides if (whole := _in_two_parts(captions, other, _are_halves))), None)
    captions = both or _as_paired(view, _with_other_sides(parts or captions, sides))
    whole = _with_prices(_by_rows(view, captions))
    lines = down_panels(view, [(caption.picture.box, caption.lines) for caption in whole])
    lines = with_whole_names(lines, recognised=view.page.ocr is not None)
    return [Captioned(caption.picture, own) for caption, own in zip(whole, lines, strict=True)]


def _is_strip(caption: Captioned) -> bool:
    """Nothing but labels and the measures under them: what the picture's caption goes on with, and no caption."""
    labels = sum(label_kind(line.text) is not None for line in caption.lines)
    values = sum(_AMOUNT.fullmatch(trim(line.text)) is not None for line in caption.lines)
    return labels == values == len(caption.lines) - labels > 1


def _with_other_sides(captions: list[Captioned], sides: list[list[Captioned]]) -> list[Captioned]:
    """The captions, and for pictures without one that names and identifies a product those that do so on another side:
    of lines that are none of the first."""
    whole = [caption for caption in captions if is_whole(caption.lines)]
    if len(whole) < _SURE:
        return captions
    others = [caption for side in sides for caption in side if is_whole(caption.lines)]
    for caption in [*others, *captions]:
        if all(caption.picture is not other.picture and _are_apart(caption, other) for other in whole):
            whole.append(caption)
    return whole


def _as_paired(view: PageView, captions: list[Captioned]) -> list[Captioned]:
    """The captions, or what pairs more of the page's texts that tell a product with a picture each."""
    if len(view.pictures) < _LEAST:
        return captions
    whole = [text for text in texts(view) if len(text) <= MAX_LINES and _tells(text)]
    products = _without_rests(view, [text for text in whole if not _are_values(view, text)])
    if len(products) < _LEAST:
        return captions
    sure = {n: caption.picture for n in range(len(products)) if (caption := _only(captions, products, n))}
    captioned = all(any(_has(caption, line) for caption in captions for line in text) for text in products)
    if len(sure) == len(products) or (captioned and len(sure) >= _MOSTLY * len(products)):
        return captions
    pairs = paired(view, products)
    pictures = {id(text): picture for picture, text in pairs}
    if len(sure) == len(products) and all(pictures[id(products[n])] is picture for n, picture in sure.items()):
        return captions
    near = all(_is_as_near(products[n], pictures.get(id(products[n])), picture) for n, picture in sure.items())
    if len(pairs) > len(sure) and (near or 2 * len(sure) <= len(products)):
        view.seen["unpaired"] = [text for text in products if id(text) not in pictures]
        return [Captioned(picture, _whole_text(view, text, products, picture.box)) for picture, text in pairs]
    if len(sure) >= _MOSTLY * len(whole):
        view.seen["unpaired"] = [
            text for text in products if not any(_has(caption, line) for caption in captions for line in text)
        ]
    return captions


def _are_values(view: PageView, text: Sequence[Line]) -> bool:
    """Holds what stands behind labels that are no part of it."""
    left = min(line.box[0] for line in text)
    behind = [f.value.evidence.bbox for f in paired_on(view) if f.value and f.box[0] < left - ALIGNED_PT]
    return any(contains_point(box, *centre(line.box)) for box in behind for line in text)


def _is_as_near(text: Sequence[Line], picture: Picture | None, other: Picture) -> bool:
    """The same picture, or one level with the text and clearly nearer to it."""
    if picture is None or picture is other:
        return picture is other
    box = union(line.box for line in text)
    level = picture.box[1] <= centre(box)[1] <= picture.box[3]
    return level and gap(box, picture.box) < _CLEARLY * gap(box, other.box)


def _whole_text(view: PageView, text: Sequence[Line], products: Sequence[Sequence[Line]], box: Box) -> tuple[Line, ...]:
    """The text with all that stands under it level with its picture, up to the next picture beside it, where it stands
    so itself; else with what goes on right under it."""
    own = union(line.box for line in text)
    if not (box[1] <= centre(own)[1] <= box[3] and (own[0] >= box[2] - ALIGNED_PT or own[2] <= box[0] + ALIGNED_PT)):
        return _with_rest(view, text, products)
    others = {line.box for other in products if other is not text for line in other}
    level = [p.box[0] for p in view.pictures if p.box[1] < own[3] and own[1] < p.box[3] and p.box[0] > own[2]]
    right = min(level, default=view.page.width_pt)
    rest = [
        line
        for line in view.lines
        if line.box not in others
        and own[3] <= centre(line.box)[1] <= box[3]
        and own[0] - ALIGNED_PT <= line.box[0]
        and line.box[2] <= right
    ]
    labelled = all(line_fields(line, 0) for line in text)  # a card, which has its own title
    over = [] if labelled or any(map(may_be_named, text)) else _level_over(view, own, box, others)
    whole = (*over, *text, *sorted(rest, key=lambda line: (line.box[1], line.box[0])))
    return whole if len(whole) <= MOST_LINES else _with_rest(view, text, products)


def _level_over(view: PageView, text: Box, picture: Box, others: set[Box]) -> list[Line]:
    """What begins over a text where it does, no higher than its picture: the name that it lacks."""
    over = [
        line
        for line in view.lines
        if line.box not in others
        and picture[1] <= line.box[1] < text[1]
        and abs(line.box[0] - text[0]) <= ALIGNED_PT
        and line.box[3] <= text[1] + ALIGNED_PT
    ]
    return sorted(over, key=lambda line: line.box[1])


def _without_rests(view: PageView, products: list[tuple[Line, ...]]) -> list[tuple[Line, ...]]:
    """The texts without those that only go on, indented, with another: a list in which something looks like a code."""
    rests = [
        line.box
        for text in products
        for line in _with_rest(view, text, ())[len(text) :]
        if line.box[0] > text[0].box[0] + ALIGNED_PT
    ]
    return [text for text in products if text[0].box not in rests]


def _with_rest(view: PageView, text: Sequence[Line], products: Sequence[Sequence[Line]]) -> tuple[Line, ...]:
    """The text with what goes on right under it and is indented: bulleted lines, and the price under them."""
    others = {line.box for other in products if other is not text for line in other}
    whole = list(text)
    for line in sorted(view.lines, key=lambda line: (line.box[1], line.box[0])):
        last = whole[-1].box
        right_under = line.box[1] - last[3] + ALIGNED_PT >= 0.0 and hole(last, line.box) <= CLOSE * height(line.box)
        within = text[0].box[0] - ALIGNED_PT <= line.box[0] <= max(own.box[2] for own in text)
        if line.box not in others and right_under and within and len(whole) < MAX_LINES:
            whole.append(line)
    return tuple(whole)


def _only(captions: Sequence[Captioned], products: Sequence[Sequence[Line]], n: int) -> Captioned | None:
    """The caption that has the whole text, and nothing of another."""
    own = [caption for caption in captions if any(_has(caption, line) for line in products[n])]
    if len(own) != 1 or not all(_has(own[0], line) for line in products[n]):
        return None
    others = (line for m, text in enumerate(products) if m != n for line in text)
    return None if any(_has(own[0], line) for line in others) else own[0]


def _tells(text: Sequence[Line]) -> bool:
    """Names and identifies a product, or gives its code and another value behind labels, or what says itself what it
    is."""
    coded = any("model" in identifies(line) for line in text)
    labelled = sum(len(line_fields(line, 0)) for line in text)
    plain = sum(is_extent(line.text) or is_material(line.text) for line in text if not line_fields(line, 0))
    return is_whole(text) or (coded and labelled > 0 and labelled + plain >= _LABELLED)


def _has(caption: Captioned, line: Line) -> bool:
    """The caption has the line, or a part of it."""
    return any(contains_point(line.box, *centre(own.box)) for own in caption.lines)


def _are_apart(caption: Captioned, other: Captioned) -> bool:
    return {line.box for line in caption.lines}.isdisjoint(line.box for line in other.lines)


def _by_rows(view: PageView, captions: list[Captioned]) -> list[Captioned]:
    """One caption for pictures close in a row of which only one is named: they show one product, and what stands at the
    others, its price mostly, goes on with its caption."""
    whole = list(captions)
    for row in in_rows(view.pictures):
        parts = [caption for caption in captions if caption.picture in row]
        named = [
            caption
            for caption in parts
            if any(is_name(line.text) or "model" in identifies(line) for line in caption.lines)
        ]
        if len(parts) > len(named) == 1 and is_level(row):
            lines = sorted(
                (line for caption in parts for line in caption.lines), key=lambda line: (line.box[1], line.box[0])
            )
            whole = [
                Captioned(caption.picture, tuple(lines)) if caption is named[0] else caption
                for caption in whole
                if caption is named[0] or caption not in parts
            ]
    return whole


def _with_prices(captions: list[Captioned]) -> list[Captioned]:
    """The captions without those of nothing but a price, which stands at the end of another's line: under a second
    picture of its product."""
    bare = [caption for caption in captions if all(is_price(line.text) for line in caption.lines)]
    named = [
        caption
        for caption in captions
        if caption not in bare and not any("price" in identifies(line) for line in caption.lines)
    ]
    heads = {caption.picture.id: _line_before(caption, named) for caption in bare}
    priced = {head.picture.id: caption.lines for caption in bare if (head := heads[caption.picture.id])}
    if not bare or len(priced) < len(bare):
        return captions
    return [
        Captioned(caption.picture, (*caption.lines, *priced.get(caption.picture.id, ())))
        for caption in captions
        if caption not in bare
    ]


def _line_before(price: Captioned, named: list[Captioned]) -> Captioned | None:
    """The caption with a line left of the price on its baseline, the nearest one."""
    x, y = price.text_box[0], centre(price.text_box)[1]
    beside = [
        (x - line.box[2], n)
        for n, caption in enumerate(named)
        for line in caption.lines
        if line.box[2] <= x and line.box[1] <= y <= line.box[3]
    ]
    return named[min(beside)[1]] if beside else None


def _printed_on(view: PageView) -> list[Captioned]:
    """Pictures that carry tags: lines that are nothing but a code or a price."""
    tags = [(line, centre(line.box)) for line in view.lines if _is_tag(line)]
    on = [(p, tuple(line for line, place in tags if contains_point(p.box, *place))) for p in view.pictures]
    return [Captioned(picture, lines) for picture, lines in on if lines]


def _in_two_parts(
    captions: list[Captioned], other: list[Captioned], fit: Callable[[Lines, Lines], bool] | None = None
) -> list[Captioned]:
    """The captions, each with what ``other`` adds to it; empty where it adds to few of them. ``fit``: whether two parts
    are of one caption, else where one is nothing but tags."""
    taken = {line.box for caption in captions for line in caption.lines}
    parts = {
        caption.picture.id: caption.lines for caption in other if taken.isdisjoint(line.box for line in caption.lines)
    }
    whole = [_joined(caption, parts.get(caption.picture.id, ()), fit or _are_tagged) for caption in captions]
    joined = sum(len(a.lines) > len(b.lines) for a, b in zip(whole, captions, strict=True))
    return whole if joined >= max(2, _MOSTLY * len(captions)) else []


def _joined(caption: Captioned, lines: Lines, fit: Callable[[Lines, Lines], bool]) -> Captioned:
    """One caption of both parts, where they fit and neither says what the other identifies the product by."""
    first, second = ({kind for line in part for kind in identifies(line)} for part in (caption.lines, lines))
    if not lines or first & second or not fit(caption.lines, lines):
        return caption
    return Captioned(
        caption.picture, tuple(sorted((*caption.lines, *lines), key=lambda line: (line.box[1], line.box[0])))
    )


def _are_tagged(lines: Lines, others: Lines) -> bool:
    return all(map(_is_tag, lines)) != all(map(_is_tag, others))


def _are_halves(lines: Lines, others: Lines) -> bool:
    """Each has a name, in two scripts, one the code and the other the price: what stands on both sides of a picture."""
    names = [next((trim(line.text) for line in part if may_be_named(line)), "") for part in (lines, others)]
    identified = all(any(map(identifies, part)) for part in (lines, others))
    return all(names) and has_han(names[0]) != has_han(names[1]) and identified


def _is_tag(line: Line) -> bool:
    text = trim(line.text)
    return (is_code(text) and any(char.isalpha() for char in text)) or (is_price(text) and not line_fields(line, 0))
