"""Which lines of a caption name a product and which identify it; names that go on in a second line."""

import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

from catalogsku.core.box import centre, height, union, width
from catalogsku.core.text import has_han, squash, trim
from processing.engine.page import Line
from processing.engine.understanding.labelled_lines import line_fields
from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.rules.finishes import is_material, is_row_of_colours
from processing.engine.understanding.rules.labels import CODE_OR_NUMBER
from processing.engine.understanding.rules.shapes import is_code, is_extent, is_on_request, is_price
from processing.engine.understanding.rules.wording import is_sentence, without_number

Lines = tuple[Line, ...]

# Captions that have a name in two lines, of the distance to the line below it how far these are apart, and how unlike
# their sizes may be, in print and where it was recognised.
_LEAST, _CLOSE, _SIZES, _RECOGNISED_SIZES = 3, 0.75, 1.15, 1.6
# Share of the captions with such names; where they were recognised, sizes and places vary.
_MOSTLY, _RECOGNISED_MOSTLY = 0.8, 0.6
# Of captions that are names alone, those in one line.
_ALONE = 0.4
# Lines of a name that goes on.
_LEAST_LINES, _MOST_LINES = 2, 5
# Of the larger size, by which lines in one print differ; of a line's height, how close they stand; signs at a line's
# end that something follows.
_SPACE = 0.2
_SAME_PRINT, _HOLE, _JOINING = 0.03, 0.5, ("&", "+", "/", "-", "·", ",")


def identifies(line: Line) -> set[str]:
    """``model`` and ``price``, where the line gives them."""
    fields = line_fields(line, 0)
    labelled = {field.kind for field in fields}
    numbered = any(field.kind == CODE_OR_NUMBER and field.value and is_code(field.value.text) for field in fields)
    coded = numbered or is_code(line.text) or is_code(trim(line.text).split(" ", 1)[0])
    said = {"model": coded or "model" in labelled, "price": is_price(line.text) or "price" in labelled}
    return {kind for kind, holds in said.items() if holds}


def with_whole_names(captions: Sequence[Lines], *, recognised: bool) -> list[Lines]:
    """The captions, their names in one line: in nearly all of them two lines in one print stand close together, and
    more below them; or wherever a name and the line below it are alone in one print, the first is full or they alone
    are bold and touch; recognised, where captions say nothing else and many have one line."""
    mostly = _RECOGNISED_MOSTLY if recognised else _MOSTLY
    if sum(_has_long_name(caption, recognised=recognised) for caption in captions) >= max(
        _LEAST, mostly * len(captions)
    ):
        return [_joined(caption, caption[:2]) if _may_have_long_name(caption) else caption for caption in captions]
    if recognised:
        return [_joined(caption, caption) for caption in captions] if _are_only_names(captions) else list(captions)
    lines = [line for caption in captions for line in caption]
    many = len(captions) >= _LEAST
    wrapped = {n: own for n, caption in enumerate(captions) if (own := _in_lines(caption, _may_go_on))}
    bold = {n: own for n, own in wrapped.items() if _are_bold_alone(own, captions[n])}
    if not all(_have_no_room(own, lines, many) for n, own in wrapped.items() if n not in bold):
        return [_joined(caption, bold[n]) if n in bold else caption for n, caption in enumerate(captions)]
    if len(wrapped) >= _LEAST - 1:
        for ends in (_looks_coded, _names_a_colour):
            ended = {
                n: own for n, caption in enumerate(captions) if n not in wrapped and (own := _in_lines(caption, ends))
            }
            wrapped |= ended if all(_have_no_room(own, lines, many) for own in ended.values()) else {}
    return [_joined(caption, wrapped[n]) if n in wrapped else caption for n, caption in enumerate(captions)]


def _are_only_names(captions: Sequence[Lines]) -> bool:
    """In one print, and so many of them in one line that the second one of the others is no text under a name."""
    lines = [line for caption in captions for line in caption]
    alone = sum(len(caption) == 1 for caption in captions)
    return (
        alone >= max(_LEAST, _ALONE * len(captions))
        and all(len(caption) <= _LEAST_LINES and may_be_named(caption[0]) for caption in captions)
        and all(
            _may_go_on(line) and _hole_under(line, caption) <= _HOLE for caption in captions for line in caption[1:]
        )
        and max(line.size for line in lines) <= _RECOGNISED_SIZES * min(line.size for line in lines)
    )


def _hole_under(line: Line, caption: Lines) -> float:
    """Between the caption's first line and this one, of its height."""
    return (line.box[1] - caption[0].box[3]) / height(line.box)


def _in_lines(caption: Lines, goes_on: Callable[[Line], bool]) -> Lines:
    """The caption's name and the lines close below it, which may be its end, if they are alone in one print: one line,
    or more over what is printed otherwise; empty where there are none."""
    at = next((n for n, line in enumerate(caption[:-1]) if may_be_named(line)), len(caption))
    name = list(caption[at : at + 1])
    for line in caption[at + 1 :]:
        above = name[-1]
        step = line.box[1] - above.box[3]
        close = -_CLOSE * height(above.box) <= step <= _HOLE * height(above.box)
        if not close or not same_print(above, line):
            break
        name.append(line)
    if not _LEAST_LINES <= len(name) <= _MOST_LINES or not all(map(goes_on, name[1:])):
        return ()
    others = [line for line in caption if line not in name and not identifies(line)]
    if any(same_print(name[0], line) for line in others):
        return ()
    return tuple(name) if len(name) == _LEAST_LINES or caption[-1] is not name[-1] else ()


def _are_bold_alone(name: Lines, caption: Lines) -> bool:
    """The caption's only bold lines, with nothing between them: what is told of the product stands in other print."""
    touching = all(below.box[1] <= above.box[3] for above, below in pairwise(name))
    return touching and len(name) < len(caption) and [line for line in caption if line.bold] == list(name)


def _looks_coded(line: Line) -> bool:
    """As a code does, or begins with one, and has no label: the end of a name may ("Gel 5+", "S1 Black widow"), where
    other names go on in words and no line over such a text has room for it."""
    return identifies(line) == {"model"} and not line_fields(line, 0)


def _names_a_colour(line: Line) -> bool:
    """One alone: the last word of a name may be one, where no line over such a word has room for it."""
    return len(trim(line.text).split()) == 1 and is_row_of_colours(trim(line.text))


def _have_no_room(name: Lines, lines: Sequence[Line], many: bool) -> bool:
    """The next word had no room on any line, or a sign there is open; ``lines``: of all captions, ``many`` of them."""
    return all(_has_no_room(first, second, lines, many) for first, second in pairwise(name))


def _has_no_room(first: Line, second: Line, lines: Sequence[Line], many: bool) -> bool:
    room = max(width(line.box) for line in lines if same_print(line, first))
    word = second.words[0].box if second.words else second.box
    alike = has_han(trim(first.text)[-1:]) == has_han(trim(second.text)[:1])
    whole = (
        width(first.box) + (_SPACE * first.size if alike and not has_han(trim(first.text)[-1:]) else 0.0) + width(word)
    )
    return (many and alike and whole > room) or _is_open(first.text)


def same_print(line: Line, other: Line) -> bool:
    return line.bold == other.bold and abs(line.size - other.size) <= _SAME_PRINT * max(line.size, other.size)


def _is_open(text: str) -> bool:
    """Ends in a bracket that is not closed, or in a sign that joins what stands on both sides of it."""
    plain = unicodedata.normalize("NFKC", text).strip()
    return plain.count("(") > plain.count(")") or plain[-1:] in _JOINING


def _may_have_long_name(caption: Lines) -> bool:
    return len(caption) >= 3 and all(map(may_be_named, caption[:2]))


def _has_long_name(caption: Lines, *, recognised: bool) -> bool:
    if not _may_have_long_name(caption):
        return False
    first, second, third = caption[:3]
    steps = [centre(b.box)[1] - centre(a.box)[1] for a, b in ((first, second), (second, third))]
    unlike = _RECOGNISED_SIZES if recognised else _SIZES
    alike = max(first.size, second.size) <= unlike * min(first.size, second.size) and first.bold == second.bold
    translated = has_han(first.text) and not has_han(second.text)
    return alike and not translated and 0.5 * height(first.box) < steps[0] <= _CLOSE * steps[1]


def without_refrain(captions: Sequence[Lines]) -> list[Lines]:
    """The captions without what most of them say word for word, as what their prices are for, where they name something
    else."""
    said = [
        {squash(ln.text) for ln in caption if may_be_named(ln) and not is_on_request(ln.text)} for caption in captions
    ]
    times = Counter(text for texts in said for text in texts)
    refrain = {text for text, n in times.items() if n >= max(_LEAST, len(captions) / 2)}
    own = [tuple(line for line in caption if squash(line.text) not in refrain) for caption in captions]
    return [rest if any(map(may_be_named, rest)) else caption for rest, caption in zip(own, captions, strict=True)]


def may_be_named(line: Line) -> bool:
    text = trim(line.text)
    return is_name(text) and _may_go_on(line) and not is_sentence(without_number(text))


def _may_go_on(line: Line) -> bool:
    """Says nothing of its own, as the end of a name does not."""
    text = trim(line.text)
    said = identifies(line) or line_fields(line, 0) or is_row_of_colours(text) or is_material(text) or is_extent(text)
    return not said


def _joined(caption: Lines, name: Lines) -> Lines:
    """The caption, the lines of its name joined."""
    first = name[0]
    for second in name[1:]:
        space = "" if has_han(first.text[-1] + second.text[0]) else " "
        words, size = (*first.words, *second.words), (first.size + second.size) / 2
        first = Line(first.text + space + second.text, union([first.box, second.box]), words, size, first.bold)
    at = caption.index(name[0])
    return (*caption[:at], first, *caption[at + len(name) :])
