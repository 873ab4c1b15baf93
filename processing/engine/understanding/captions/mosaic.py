"""Photos and texts as tiles of one size, by turns in each row and from row to row: a text belongs to the photo that it
shares a pair of tiles with."""

from collections.abc import Sequence

from catalogsku.core.box import Box, centre, contains_point, height, width
from processing.engine.page import Line, Picture
from processing.engine.understanding.captions.sides import Captioned
from processing.engine.understanding.view import PageView

# Photos of a mosaic at least. Points by which tiles of one size differ; of a tile's width, the most between two.
_LEAST, _ALIKE_PT, _GUTTER = 4, 5.0, 0.15


def in_mosaic(view: PageView) -> list[Captioned]:
    """Every photo with the text beside it; nothing where the page is no such mosaic."""
    rows = _rows(view.pictures)
    counts = {len(row) for row in rows}
    if len(rows) < 2 or len(counts) != 1 or len(view.pictures) < _LEAST or not _are_of_one_size(view.pictures):
        return []
    columns = 2 * counts.pop()
    left, right = (of(picture.box[0] for picture in view.pictures) for of in (min, max))
    pitch, wide = (right - left) / (columns - 1), width(view.pictures[0].box)
    if abs(pitch - wide) > _GUTTER * wide:
        return []
    found: list[Captioned] = []
    turns: list[int] = []
    for row in rows:
        turns.append(round((row[0].box[0] - left) / pitch) % 2)
        for pair, picture in enumerate(row):
            at = round((picture.box[0] - left) / pitch)
            other = at + 1 if at % 2 == 0 else at - 1
            tile = (left + other * pitch, picture.box[1], left + other * pitch + wide, picture.box[3])
            lines = _within(view.lines, tile)
            if (
                at % 2 != turns[-1]
                or at // 2 != pair
                or abs(left + at * pitch - picture.box[0]) > _ALIKE_PT
                or not lines
            ):
                return []
            found.append(Captioned(picture, lines))
    return found if len(set(turns)) == 2 else []


def _rows(pictures: Sequence[Picture]) -> list[list[Picture]]:
    rows: list[list[Picture]] = []
    for picture in sorted(pictures, key=lambda one: one.box[1]):
        if rows and abs(rows[-1][0].box[1] - picture.box[1]) <= _ALIKE_PT:
            rows[-1].append(picture)
        else:
            rows.append([picture])
    return [sorted(row, key=lambda one: one.box[0]) for row in rows]


def _are_of_one_size(pictures: Sequence[Picture]) -> bool:
    sides = [[side(picture.box) for picture in pictures] for side in (width, height)]
    return all(max(lengths) - min(lengths) <= _ALIKE_PT for lengths in sides)


def _within(lines: Sequence[Line], tile: Box) -> tuple[Line, ...]:
    """The lines of the tile from top to bottom; none where one runs out of it."""
    own = sorted((line for line in lines if contains_point(tile, *centre(line.box))), key=lambda line: line.box[1])
    inside = all(tile[0] - _ALIKE_PT <= line.box[0] and line.box[2] <= tile[2] + _ALIKE_PT for line in own)
    return tuple(own) if inside else ()
