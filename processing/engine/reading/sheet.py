"""A page's words, rules and characters, wherever they come from: printed in the file, or recognised in pixels."""

from collections.abc import Sequence
from typing import NamedTuple

from PIL import Image

from catalogsku.core.box import Box, contains_point
from processing.engine.page import Ocr
from processing.engine.reading.ocr import ENGINE, Recognition, characters_from, recognise, words_from
from processing.engine.reading.port import Drawings, Glyphs
from processing.engine.reading.raster import rules_of, straightened
from processing.engine.reading.script import language_of, model_for
from processing.engine.reading.tables import Characters

# A line in a picture is believed from this score on; patterns and logos are read as words with less.
_PICTURE_SCORE = 0.8


class Sheet(NamedTuple):
    """What tables and blocks are made of. ``ocr``: how its words were recognised, if any were."""

    words: list[Glyphs]
    drawings: Drawings
    characters: Characters
    ocr: Ocr | None = None


def recognised_sheet(image: Image.Image, px_per_pt: float, printed: Sheet, reason: str, turn_below: float) -> Sheet:
    """The page read from its rendering alone. A page that lies askew is turned straight about its middle, and that is
    where its boxes are. Raises ImportError without the engine."""
    image = straightened(image)
    found = recognise(image, turn_below)
    words, rules, characters = _as_printed(image, found, px_per_pt, 0.0, 0.0)
    drawings = printed.drawings._replace(rules=(*printed.drawings.rules, *rules))
    return Sheet(words, drawings, _lookup(characters), _told(found, words, printed.words, reason))


def with_picture(image: Image.Image, place: Box, px_per_pt: float, printed: Sheet, reason: str) -> Sheet:
    """The page with what a picture at ``place`` says, but for what is printed over it. ``image``: the page there, drawn
    at that scale. Raises ImportError without the engine."""
    found = recognise(image, 0.0)
    found = found._replace(lines=tuple(line for line in found.lines if line.score >= _PICTURE_SCORE))
    words, rules, characters = _as_printed(image, found, px_per_pt, place[0], place[1])
    words = [word for word in words if not any(_holds(other.box, word.box) for other in printed.words)]
    if not words:
        return printed
    drawings = printed.drawings._replace(rules=(*printed.drawings.rules, *rules))
    lookup = _lookup(characters)
    told = _told(found, words, [], reason)
    if printed.ocr is not None:
        lines = printed.ocr.lines + told.lines
        mean = (printed.ocr.mean_score * printed.ocr.lines + told.mean_score * told.lines) / lines
        told = Ocr(ENGINE, reason, round(mean, 4), 0, lines, told.language, told.model)
    return Sheet([*printed.words, *words], drawings, lambda box: [*printed.characters(box), *lookup(box)], told)


def _as_printed(
    image: Image.Image, found: Recognition, px_per_pt: float, left_pt: float, top_pt: float
) -> tuple[list[Glyphs], list[Box], list[tuple[str, Box]]]:
    words = words_from(found, px_per_pt, left_pt, top_pt)
    lines = [(b[0] - left_pt, b[1] - top_pt, b[2] - left_pt, b[3] - top_pt) for b in (w.box for w in words)]
    rules = [
        (x0 + left_pt, y0 + top_pt, x1 + left_pt, y1 + top_pt) for x0, y0, x1, y1 in rules_of(image, px_per_pt, lines)
    ]
    return words, rules, characters_from(found, px_per_pt, left_pt, top_pt)


def _told(found: Recognition, words: Sequence[Glyphs], layer: Sequence[Glyphs], reason: str) -> Ocr:
    language = language_of("".join(w.text for w in [*words, *layer]))
    scores = [line.score for line in found.lines]
    mean = sum(scores) / len(scores) if scores else 0.0
    return Ocr(ENGINE, reason, round(mean, 4), found.rotation, len(scores), language, model_for(language))


def _lookup(characters: Sequence[tuple[str, Box]]) -> Characters:
    return lambda box: [(char, place) for char, place in characters if _holds(box, place)]


def _holds(box: Box, other: Box) -> bool:
    """Whether the middle of the other lies in it."""
    return contains_point(box, (other[0] + other[2]) / 2, (other[1] + other[3]) / 2)
