"""Colours and sizes that only names tell: "Napkins white (33 x 33 cm)" and "Napkins black (38 x 38 cm)".

A measure in a name is the product's size, unless it says what the product is for or what comes with it, or the name has
a designation that may say as much ("Rod 1 m, zinc plated, M6"). A word for a
colour may be a scent or a brand ("Orange deodorant", "Gold Lakshmi"): it is a colour where it stands behind a comma, or
where another name that is alike has another one at its place.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from processing.engine.result import Value
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import text_value
from processing.engine.understanding.rules.dictionaries import measures
from processing.engine.understanding.rules.folding import fold

METHOD = "name"
_LATIN = sorted((word for word in measures.COLOURS if not "\u3400" <= word[0] <= "\u9fff"), key=len, reverse=True)
_HAN = sorted((word for word in measures.COLOURS if "\u3400" <= word[0] <= "\u9fff" and len(word) > 1), key=len)[::-1]
_SHADES = "dark|light|bright|matt|matte|pastel|dunkel|hell|deep|navy|sky|army|olive"
# German joins words: "moosgrün", "anthrazitgrau".
_JOINED = "grün|grau|blau|braun|weiß|schwarz|gelb|silber"
_COLOUR = (
    rf"(?:(?:{_SHADES})[ -])?(?<!\w)(?:{'|'.join(map(re.escape, _LATIN))}|\w{{2,10}}(?:{_JOINED}))(?!\w)"
    rf"|[深浅淡亮暗哑]?(?:{'|'.join(_HAN)})"
)
_COLOURS = re.compile(rf"(?:{_COLOUR})(?:\s?(?:[/+&,]|and|und|et|y|e|и)\s?(?:{_COLOUR}))*")
_UNIT = "|".join(
    re.escape(unit)
    for unit in sorted({*measures.LENGTHS, *measures.WEIGHTS, *measures.CONTENTS, "mtr"}, key=len, reverse=True)
)
_FIGURE = r"[0-9]+(?:[.,][0-9]+)*"
_AMOUNT = rf"{_FIGURE} ?(?:{_UNIT})(?![\w'])"
_SIDES = rf"{_FIGURE} ?(?:{_UNIT})?(?: ?[x×х*] ?{_FIGURE} ?(?:{_UNIT})?){{1,2}}(?![\w'])"
_LISTED = rf"(?:{_FIGURE} ?(?:{_UNIT})? ?/ ?)*"
_SIZE = re.compile(rf"(?<![\w.,/-])(?:{_LISTED}(?:{_SIDES}|{_AMOUNT}))")
# What follows is not the product's own: what it is for, or what comes with it.
_OF_OTHERS = re.compile(
    r"(?:\b(?:for|with|für|mit|pour|avec|para|con|com|per|voor|met|до|для|с|na|do)|适用|适配|配|含)\s?[^,;(]{0,20}$"
)
_BEHIND = re.compile(r"[,;(/:–—-]\s?$")
_DESIGNATION = re.compile(r"(?<![\w-])(?:[^\W\d_]+[0-9]|[0-9]+[^\W\d_])[\w-]*")
# Of the words of a name, the share that it has in common with one that is alike.
_ALIKE = 0.5


@dataclass(frozen=True)
class _Coloured:
    """``words``: the name's others, folded; ``at``: how many stand before the colour, -1 for none behind it."""

    draft: int
    colour: str
    text: str
    words: tuple[str, ...]
    at: int
    behind: bool


def with_values_of_names(drafts: Sequence[Draft]) -> tuple[Draft, ...]:
    """Each with the colour and the size that its name tells, where nothing else does."""
    coloured = [one for n, draft in enumerate(drafts) if "color" not in draft.attributes for one in _coloured(n, draft)]
    colours = {one.draft: one.text for one in coloured if one.behind or any(_differ(one, other) for other in coloured)}
    return tuple(_told(draft, colours.get(n)) for n, draft in enumerate(drafts))


def _told(draft: Draft, colour: str | None) -> Draft:
    name = draft.attributes.get("product_name")
    if name is None or not name.evidence.match:
        return draft
    model = draft.attributes.get("model")
    size = None if {"size", "weight"} & draft.attributes.keys() else _size(name.text, model.text if model else "")
    more = {key: _part(name, text) for key, text in (("color", colour), ("size", size)) if text}
    return msgspec.structs.replace(draft, attributes={**draft.attributes, **more}) if more else draft


def _part(name: Value, text: str) -> Value:
    place = name.evidence
    value = text_value(text, place.bbox, place.page_number, METHOD, name.confidence)
    return msgspec.structs.replace(value, source=name.source)


def _size(name: str, model: str) -> str | None:
    """The only measure in the name, as printed; ``model``: a designation in the name that says nothing of its size."""
    folded = fold(name)
    if len(folded) != len(name):
        return None
    found = [m for m in _SIZE.finditer(folded) if not _OF_OTHERS.search(folded[: m.start()])]
    if len(found) != 1 or found[0].span() == (0, len(folded)):
        return None
    begin, end = found[0].span()
    rest = f"{folded[:begin]} {folded[end:]}"
    if _DESIGNATION.search(rest.replace(fold(model), " ") if model else rest):
        return None
    return name[begin:end]


def _coloured(n: int, draft: Draft) -> Iterator[_Coloured]:
    name = draft.attributes.get("product_name")
    if name is None or not name.evidence.match:
        return
    folded = fold(name.text)
    found = list(_COLOURS.finditer(folded)) if len(folded) == len(name.text) else []
    if len(found) != 1 or found[0].span() == (0, len(folded)):
        return
    begin, end = found[0].span()
    before, after = _words(folded[:begin]), _words(folded[end:])
    behind = not after and _BEHIND.search(folded[:begin]) is not None
    at = len(before) if after else -1
    yield _Coloured(n, found[0].group(), name.text[begin:end], (*before, *after), at, behind)


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in re.split(r"[^\w]+", text) if word)


def _differ(one: _Coloured, other: _Coloured) -> bool:
    """Another colour at the same place of a name that is alike."""
    if one.colour == other.colour or one.at != other.at:
        return False
    common = len({*one.words} & {*other.words})
    return common >= max(1, _ALIKE * max(len({*one.words}), len({*other.words})))
