"""Dense grids of pictures with nothing but a code each: headings between the rows are no captions, two codes under one
picture name two things, and where a row has its codes on another side they stand there."""

from collections.abc import Iterable, Mapping, Sequence

from catalogsku.core.box import Box, height
from catalogsku.core.text import trim
from processing.engine.page import Line, Picture
from processing.engine.understanding.captions.names import Lines
from processing.engine.understanding.rules.shapes import is_code, is_price

# Captions of nothing but a code that show how the page is set, and their share of all.
_LEAST, _MOSTLY = 8, 0.8
# Of a line's height, how far codes beside each other stand higher or lower.
_LEVEL = 0.5


def is_bare_code(line: Line) -> bool:
    text = trim(line.text)
    return is_code(text) and any(char.isalpha() for char in text) and not is_price(text)


def with_bare_codes(
    pictures: Sequence[Picture], found: Mapping[str, Lines], others: Iterable[Mapping[str, Lines]]
) -> list[tuple[Picture, Lines]]:
    """Pictures with their codes; empty where the captions are no such. ``others``: what stands on other sides."""
    if not are_bare_codes(list(found.values())):
        return []
    own = {name: _codes(lines) for name, lines in found.items()}
    taken = {line.box for captions in own.values() for lines in captions for line in lines}
    bare = [p.id for p in pictures if p.id not in own]
    beside = [{name: side[name] for name in bare if _is_free(side.get(name, ()), taken)} for side in others]
    most: dict[str, Lines] = max(beside, key=len, default={})
    own |= {name: [lines] for name, lines in most.items()}
    return [(picture, lines) for picture in pictures for lines in own.get(picture.id, ())]


def are_bare_codes(captions: Sequence[Lines]) -> bool:
    bare = sum(1 for lines in captions if len(lines) == 1 and is_bare_code(lines[0]))
    return bare >= max(_LEAST, _MOSTLY * len(captions))


def _codes(lines: Lines) -> list[Lines]:
    """The caption; of one that heads a section too only the code, and each of several beside each other."""
    codes = [line for line in lines if is_bare_code(line)]
    if not codes or any(abs(line.box[1] - codes[0].box[1]) > _LEVEL * height(codes[0].box) for line in codes):
        return [lines]
    return [(line,) for line in codes]


def _is_free(lines: Lines, taken: set[Box]) -> bool:
    """A code that stands alone there and is no other picture's."""
    return len(lines) == 1 and is_bare_code(lines[0]) and lines[0].box not in taken
