"""What the lines of a caption say: labelled fields, then what price, code, size and name look like."""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from catalogsku.core.box import Box, centre, contains_point, height, union
from catalogsku.core.text import has_han, squash, trim
from processing.engine.page import Line, Word
from processing.engine.result import CustomValue, Value
from processing.engine.understanding.evidence import part_box, text_value
from processing.engine.understanding.labelled_lines import Field, is_coded, line_fields
from processing.engine.understanding.likely_names import is_name, is_spaced
from processing.engine.understanding.offers import offers, to_pay
from processing.engine.understanding.rules.dictionaries.measures import COLOURS, MATERIALS
from processing.engine.understanding.rules.finishes import (
    all_in,
    is_colours,
    is_material,
    is_row_of_colours,
    names_colour,
)
from processing.engine.understanding.rules.labels import CODE_OR_NUMBER, NAME_OR_TEXT, SIZE_OR_TEXT, label_kind
from processing.engine.understanding.rules.shapes import (
    is_code,
    is_count,
    is_extent,
    is_no_value,
    is_on_request,
    is_packing,
    is_price,
    price_spans,
    prices_in,
)
from processing.engine.understanding.rules.wording import is_sentence

_WIDE_SPACE = re.compile(r"\u3000+|\s{2,}")
# Signs between the values of a line; without spaces a dot may be part of a name.
_SIGNS = re.compile(r"\s*[|｜]\s*|\s+[·‧•]\s+")
# Between values behind a code; elsewhere these are the sizes or colours of one list.
_SLASHES = re.compile(r"\s+/\s+|\s*／\s*")
# Between values of different kinds: "120x60cm / oak", "20cm, black".
_COMMAS = re.compile(r"\s*[/／·‧•,，、]\s*")
# Signs between a code and what follows it.
_DASHED = ("/ ", "- ", "– ", "— ")
# A name and, behind a dash, a label with its value: "Bowl - Size: 20 cm".
_NAMED_LABEL = re.compile(r"(.+?)\s+[-–—]\s+(([^:：]+?)\s*[:：].+)")
# Letters and figures before a hyphen at a line's end.
_OPEN_CODE = re.compile(r"(?=[A-Z0-9-]*[0-9])[A-Z0-9][A-Z0-9-]*-\s*$")
# Between the edges of a thing, of which the first looks like a code: "L154 x W86 cm".
_TIMES = "xX×*"
# A code and, glued to it where the space was not recognised, a size with letters at its edges: "AB-12W1200XD750".
_GLUED_SIZE = re.compile(r"([A-Z0-9-]*\d[A-Z0-9-]*?)\s?([WL]\d{2,4}(?:\s?[xX×*]\s?[WDHL]\d{2,4}){1,2})")
# Points by which lines of one text begin or lie apart; of its next line's, the width of a line that is full, and its
# signs.
_ALIGNED_PT, _FULL, _LEAST_TEXT = 3.0, 0.9, 20
# Of the step from one label to the next: lines of one value are no further apart; of the size, how print of one kind
# differs.
_TIGHT, _SAME_PRINT = 0.85, 0.03
_NOWHERE = (0.0, 0.0, 0.0, 0.0)


def read_caption(
    lines: tuple[Line, ...], page_number: int
) -> tuple[dict[str, Value], dict[str, str], tuple[CustomValue, ...]]:
    """Attributes of a caption: labelled fields, then what price, code, size and name look like. Print with wide spaces
    heads the page or a part of it."""
    attributes: dict[str, Value] = {}
    contexts: dict[str, str] = {}
    custom: list[CustomValue] = []
    own = [line for line in lines if not _is_spaced_heading(line.text)]
    whole_lines = _with_whole_values(_with_whole_codes(own))
    for part in _rejoined([part for whole in whole_lines for part in _parts(whole)]):
        line = part if line_fields(part, page_number) else _behind_code(part, attributes, page_number)
        if line is None:
            continue
        fields = line_fields(line, page_number)
        for field in fields:
            if field.value is None:
                continue
            if field.kind in _CAPTION_KEYS and field.kind not in attributes:
                attributes[field.kind] = field.value
                contexts[field.kind] = field.label
            else:
                custom.append(CustomValue(field.label, field.value.text, field.value.evidence))
        if not fields:
            _read_plain(line, attributes, page_number)
    labelled = next((c for c in custom if label_kind(c.name) == "model"), None)
    if labelled and "model" not in contexts and "product_name" not in attributes:  # the other code is what it is called
        attributes |= {"product_name": attributes["model"], "model": Value(labelled.value, labelled.evidence)}
        contexts["model"] = labelled.name
        custom.remove(labelled)
    for kind, key, fits in _GENERAL:
        named = next((c for c in custom if label_kind(c.name) == kind and fits(c.value)), None)
        if named is not None and key not in attributes:
            attributes[key], contexts[key] = Value(named.value, named.evidence), named.name
            custom.remove(named)
    return attributes, contexts, tuple(custom)


def _is_spaced_heading(text: str) -> bool:
    """Letters alone; between figures such stand for the edges of a thing ("L 180 x W 90 x H 75 cm")."""
    return is_spaced(text) and not any(map(str.isdigit, text))


def _with_whole_codes(lines: Sequence[Line]) -> list[Line]:
    """The lines, a code that was broken behind a hyphen in one piece: no whole one ends so."""
    whole: list[Line] = []
    for line in lines:
        last = whole[-1] if whole else None
        if last and _OPEN_CODE.search(last.text) and line.text[:1].isalnum() and _in_column(last, line):
            words = (*_words(last), *_words(line))
            whole[-1] = Line(trim(last.text) + line.text, union([last.box, line.box]), words, line.size, line.bold)
        else:
            whole.append(line)
    return whole


def _with_whole_values(lines: Sequence[Line]) -> list[Line]:
    """The lines, those that a labelled value goes on in joined with it: they stand closer under it than the next label
    does under one."""
    labelled = [bool(line_fields(line, 0)) for line in lines]
    steps = [
        b.box[1] - a.box[1]
        for (a, first), (b, second) in pairwise(zip(lines, labelled, strict=True))
        if first and second and _in_column(a, b)
    ]
    whole: list[Line] = []
    last: Line | None = None
    for line, own in zip(lines, labelled, strict=True):
        if (
            last
            and not own
            and _in_column(last, line)
            and line.box[1] - last.box[1] <= _TIGHT * min(steps, default=0.0)
        ):
            space = "" if has_han(whole[-1].text[-1:]) and has_han(line.text[:1]) else " "
            joined, words = whole[-1].text + space + line.text, (*_words(whole[-1]), *_words(line))
            whole[-1] = Line(joined, union([whole[-1].box, line.box]), words, line.size, line.bold)
            last = line
        else:
            whole.append(line)
            last = line if own else None
    return whole


def _in_column(above: Line, line: Line) -> bool:
    """In the same print under it, beginning where it begins."""
    alike = abs(above.size - line.size) <= _SAME_PRINT * line.size and above.bold == line.bold
    return alike and abs(above.box[0] - line.box[0]) <= _ALIGNED_PT and line.box[1] > above.box[1]


def take_fields(
    fields: Iterable[Field], attributes: dict[str, Value], contexts: dict[str, str]
) -> tuple[CustomValue, ...]:
    """Adds what labelled fields give to the attributes; what these have already, or do not know, is returned."""
    custom = []
    for field in fields:
        if field.value is None:
            continue
        said = next((key for kind, key, fits in _GENERAL if kind == field.kind and fits(field.value.text)), field.kind)
        if said in _CAPTION_KEYS and said not in attributes:
            attributes[said], contexts[said] = field.value, field.label
        else:
            custom.append(CustomValue(field.label, field.value.text, field.value.evidence))
    return tuple(custom)


# Labels that say little, and what they stand for where the value looks so and nothing else does.
_GENERAL: tuple[tuple[str, str, Callable[[str], bool]], ...] = (
    (CODE_OR_NUMBER, "model", is_coded),
    (NAME_OR_TEXT, "product_name", is_name),
    (SIZE_OR_TEXT, "size", lambda text: True),
)
_CAPTION_KEYS = frozenset(
    (
        "model",
        "product_name",
        "brand",
        "series",
        "size",
        "material",
        "color",
        "price",
        "unit",
        "moq",
        "weight",
        "packing",
    )
)


def _parts(line: Line) -> list[Line]:
    """What wide spaces or signs part is of its own, and a size with its letters right behind a code: "YL-107　22厘米",
    "HS-880 | W210 x D92 cm"; signs only where a part is a value, for names have them too; prices beside each other stay
    together, and one with what it is for: "¥4.2/米".
    """
    if glued := _GLUED_SIZE.fullmatch(trim(line.text)):
        return [_part(line, text) for text in glued.groups()]
    if named := _name_and_label(line):
        return [_part(line, text) for text in named]
    prices = offers(line)
    if len(prices) > 1 or (prices and prices[0].text == trim(line.text)):
        return [line]
    wide = [part for piece in _split(_WIDE_SPACE, line) for part in _before_price(piece)]
    return [part for piece in wide for part in _at_signs(piece)]


def _name_and_label(line: Line) -> tuple[str, str] | None:
    match = _NAMED_LABEL.fullmatch(trim(line.text))
    if match is None or label_kind(match[3]) not in _CAPTION_KEYS or not is_name(match[1]):
        return None
    return match[1], match[2]


def _before_price(line: Line) -> list[Line]:
    """Name, code and price that follow each other on one line, each for itself: "Baseball cap FS-A01 $15.50"."""
    text = trim(line.text)
    spans = price_spans(text)
    parted = _SIGNS.search(text) or _SLASHES.search(text)
    if len(spans) != 1 or parted or line_fields(line, 0):
        return [line]
    if behind := text[spans[0][1] :].strip():
        named = spans[0][0] == 0 and label_kind(behind) == "price"
        return [_part(line, text[: spans[0][1]])] if named else [line]
    before = trim(text[: spans[0][0]])
    first, _, rest = before.partition(" ")
    name, _, last = before.rpartition(" ")
    for code, words in ((last, name), (first, rest)):
        if _is_lettered(code) and is_name(words) and not is_code(words):
            order = [code, words] if code is first else [words, code]
            return [_part(line, piece) for piece in (*order, text[spans[0][0] :])]
    return [line]


def _rejoined(lines: list[Line]) -> list[Line]:
    """Two prices beside each other, and colours behind their label, taken apart where they stand wide, are one line
    again."""
    joined: list[Line] = []
    for line in lines:
        last = joined[-1] if joined else None
        if last and _are_level(last.box, line.box) and (_are_two_prices(last, line) or _goes_on(last, line)):
            joined[-1] = _beside(joined[-1], line)
        else:
            joined.append(line)
    return joined


def _are_level(box: Box, other: Box) -> bool:
    return min(box[3], other[3]) - max(box[1], other[1]) >= 0.5 * min(height(box), height(other))


def _are_two_prices(line: Line, other: Line) -> bool:
    return len(offers(line)) == len(offers(other)) == 1


def _goes_on(line: Line, other: Line) -> bool:
    """A labelled list of colours, with more of them beside it."""
    fields = line_fields(line, 0)
    return len(fields) == 1 and fields[0].kind == "color" and is_colours(trim(other.text))


def _beside(line: Line, other: Line) -> Line:
    words = (*_words(line), *_words(other))
    return Line(f"{line.text} {other.text}", union([line.box, other.box]), words, max(line.size, other.size), line.bold)


def _words(line: Line) -> tuple[Word, ...]:
    return line.words or (Word(line.text, line.box, line.size, line.bold),)


def _at_signs(line: Line) -> list[Line]:
    behind = _split(_SLASHES, line)
    if _is_lettered(trim(behind[0].text)) and any(_is_value(part.text) for part in behind[1:]):
        return behind
    if len(behind) > 1 and is_price(behind[0].text) and all(line_fields(part, 0) for part in behind[1:]):
        return behind
    parts = _split(_SIGNS, line)
    if len(parts) > 1 and any(_is_value(part.text) for part in parts):
        return parts
    parts = _split(_COMMAS, line)
    kinds = [_kind(trim(part.text)) for part in parts]
    return parts if all(kinds) and len(set(kinds)) == len(kinds) else [line]


def _kind(text: str) -> str:
    """What the text tells of a product without a label; empty where that is not clear."""
    tests = (("price", is_price), ("size", is_extent), ("material", is_material), ("color", is_colours))
    kinds = [key for key, test in tests if test(text) and not is_no_value(text)]
    if kinds == ["material", "color"] and all_in(text, MATERIALS):  # "铝合金": gold, by its end
        return "material"
    return kinds[0] if len(kinds) == 1 else ""


def _split(between: re.Pattern[str], line: Line) -> list[Line]:
    texts = [text for text in between.split(line.text) if text.strip()]
    return [_part(line, text) for text in texts] if len(texts) > 1 else [line]


def _part(line: Line, text: str) -> Line:
    box = part_box(line, text)
    words = tuple(word for word in line.words if contains_point(box, *centre(word.box)))
    return Line(text, box, words, line.size, line.bold)


def _is_value(text: str) -> bool:
    return is_code(text) or is_price(text) or is_extent(text) or bool(line_fields(Line(text, _NOWHERE, ()), 0))


def _read_plain(line: Line, attributes: dict[str, Value], page_number: int) -> None:
    text = trim(line.text)
    if is_price(text) and "price" not in attributes and (offers(line) or not is_sentence(text)):
        attributes["price"] = text_value(*to_pay(line), page_number, "caption", 0.95)
        return
    for key, test in (("price", is_on_request), ("model", _is_whole_code), ("size", is_extent)):
        if test(text) and key not in attributes and (key == "model" or not is_sentence(text)):
            attributes[key] = text_value(text, line.box, page_number, "caption", 0.95)
            return
    named = "product_name" in attributes
    packed = (named or "model" in attributes) and is_packing(text)
    colour = (names_colour(text) or is_row_of_colours(text)) and (named or "model" in attributes)
    for key, fits in (("material", named and is_material(text)), ("color", colour), ("packing", packed)):
        if fits and key not in attributes:
            attributes[key] = text_value(text, line.box, page_number, "caption", 0.9)
            return
    _read_name(line, attributes, page_number)


def _read_name(line: Line, attributes: dict[str, Value], page_number: int) -> None:
    """A name, with its code before it or alone; else what is said about the product."""
    text = trim(line.text)
    head, _, rest = text.partition(" ")
    if "model" not in attributes and _is_lettered(head) and is_name(rest):
        attributes["model"] = text_value(head, part_box(line, head), page_number, "caption", 0.95)
        if (key := "color" if names_colour(rest) else "product_name") not in attributes:
            attributes[key] = text_value(rest, part_box(line, rest), page_number, "caption", 0.95)
    elif "product_name" not in attributes and is_name(text) and not is_count(text):
        attributes["product_name"] = text_value(text, line.box, page_number, "caption", 0.9)
    elif label_kind(text) in _CAPTION_KEYS:  # its value was not found
        return
    elif "description" not in attributes and squash(text):
        attributes["description"] = text_value(text, line.box, page_number, "caption", 0.8)
    elif squash(text) and _runs_on(attributes["description"], line):
        begun = attributes["description"]
        space = "" if has_han(begun.text[-1] + text[0]) else " "
        box = union([begun.evidence.bbox, line.box])
        attributes["description"] = text_value(begun.text + space + text, box, page_number, "caption", 0.8)


def _runs_on(begun: Value, line: Line) -> bool:
    """A text that fills its line goes on in the one right below it."""
    box = begun.evidence.bbox
    under = abs(box[0] - line.box[0]) <= _ALIGNED_PT and 0.0 <= line.box[1] - box[3] + _ALIGNED_PT <= height(line.box)
    return under and box[2] - box[0] >= _FULL * (line.box[2] - line.box[0]) and len(begun.text) >= _LEAST_TEXT


def _behind_code(line: Line, attributes: dict[str, Value], page_number: int) -> Line | None:
    """A lettered code at a line's head is the model where a value follows, which is a line of its own; else the line.

    A name may begin like a code: "A4 paper tray". ``None`` where nothing is said behind the code.
    """
    head, _, rest = trim(line.text).partition(" ")
    rest = rest.lstrip("/-–— ") if rest[:2] in _DASHED else rest
    if "model" in attributes or not rest or not _is_lettered(head) or not _follows_code(rest, attributes):
        return line
    if rest[0] in _TIMES:
        return line
    attributes["model"] = text_value(head, part_box(line, head), page_number, "caption", 0.95)
    return None if is_no_value(rest) else _part(line, rest)


def _follows_code(rest: str, attributes: dict[str, Value]) -> bool:
    if is_no_value(rest) or is_on_request(rest) or is_extent(rest) or prices_in(rest) == 1:
        return True
    described = "product_name" in attributes and (is_material(rest) or all_in(rest, COLOURS))
    return described or bool(line_fields(Line(rest, _NOWHERE, ()), 0))


def _is_whole_code(text: str) -> bool:
    """None that goes on behind its hyphen in the next line."""
    return is_code(text) and not text.endswith("-")


def _is_lettered(text: str) -> bool:
    return is_code(text) and any(char.isalpha() for char in text)
