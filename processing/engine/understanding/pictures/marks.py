"""Marks that link pictures with products: a number or a letter printed at each picture and again at a row or text."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from catalogsku.core.box import Box, centre, contains_point, height
from catalogsku.core.text import squash
from processing.engine.page import Line, Picture
from processing.engine.result import Sku
from processing.engine.understanding.lines import pieces
from processing.engine.understanding.rules.labels import PICTURE, ROW_NUMBER
from processing.engine.understanding.tables.columns import Column
from processing.engine.understanding.tables.extractor import Reading
from processing.engine.understanding.view import PageView

# A single mark at a picture may be anything.
_LEAST = 2
# Heads of columns that name pictures.
_FIGURES = frozenset(
    ("fig", "figure", "pic", "图", "图号", "图示", "图例", "picno", "figno", "photono", "photo", "picture")
)
_WORDS = re.compile(r"^(no|fig|figure|pic|picture|photo|图|圖|号|號|款)+(?=[^a-z]|[a-z]$)")
_EDGE = " .#:()[]图圖号號款"
# Of the print's height: how far beside a product's text its mark may stand.
_BESIDE = 4.0


def mark_of(text: str) -> str:
    """The number or letter of a badge or a row ("1", "01", "No. 1", "图1", "①", "B", "Fig. C"); empty for anything
    else."""
    bare = _WORDS.sub("", squash(text)).strip(_EDGE)
    if bare.isdecimal() and len(bare) <= 3:
        return bare.lstrip("0")
    return bare if len(bare) == 1 and "a" <= bare <= "z" else ""


def marked_pictures(view: PageView) -> dict[str, Picture]:
    """Pictures outside the product tables by the one mark that is printed at each and at no other; one on a picture is
    not that of the next, however near."""
    free = [picture for picture in view.pictures if not view.in_product_table(picture.box)]
    marked = [(line, mark) for line in (*view.lines, *_in_margins(view)) if (mark := mark_of(line.text))]
    on = {line.box: [p.id for p in free if contains_point(p.box, *centre(line.box))] for line, _ in marked}
    pairs: list[tuple[str, Picture]] = []
    for picture in free if len(marked) >= _LEAST else ():
        near = [(line, mark) for line, mark in marked if picture.id in (on[line.box] or [picture.id])]
        marks = {mark for line, mark in near if is_at(picture.box, line)}
        pairs += [(mark, picture) for mark in marks if len(marks) == 1]
    times = Counter(mark for mark, _ in pairs)
    return {mark: picture for mark, picture in pairs if times[mark] == 1}


def _in_margins(view: PageView) -> list[Line]:
    """Lines like those in the margins of other pages, but on photos: there a number counts no pages."""
    running = [piece for line in view.page.lines for piece in pieces(line) if view.is_running(piece)]
    return [line for line in running if any(contains_point(p.box, *centre(line.box)) for p in view.pictures)]


def is_at(picture: Box, line: Line) -> bool:
    """Printed on the picture, or within a line and a half above or below it."""
    x, y = centre(line.box)
    reach = 1.5 * max(line.size, height(line.box))
    return picture[0] <= x <= picture[2] and picture[1] - reach <= y <= picture[3] + reach


def is_under(picture: Box, line: Line) -> bool:
    """Printed within a line and a half below it."""
    return centre(line.box)[1] > picture[3] and is_at(picture, line)


def linked_rows(view: PageView, skus: Sequence[Sku], pictures: Mapping[str, Picture]) -> dict[int, Picture]:
    """Rows of tables, by index into ``skus``, that a column of marks links with the pictures; several may share one."""
    linked: dict[int, Picture] = {}
    for reading in view.tables:
        column = _mark_column(reading)
        for n, sku in enumerate(skus):
            if column is not None and sku.table == reading.grid.table.id:
                picture = pictures.get(mark_of(reading.grid.text(sku.row, column.col)))
                linked |= {n: picture} if picture else {}
    return linked if len({picture.id for picture in linked.values()}) >= _LEAST else {}


def _mark_column(reading: Reading) -> Column | None:
    """Names pictures, or numbers the rows."""
    named = [c for c in reading.columns if c.label.kind == PICTURE or squash(c.label.text).strip(".:") in _FIGURES]
    numbered = [c for c in reading.columns if c.label.kind == ROW_NUMBER]
    texts = {
        c.col: [reading.grid.text(row, c.col) for row in range(reading.header.body, reading.grid.n_rows)]
        for c in (*named, *numbered)
    }
    return next((c for c in (*named, *numbered) if any(map(mark_of, texts[c.col]))), None)


def linked_texts(view: PageView, anchors: Mapping[int, Box], pictures: Mapping[str, Picture]) -> dict[int, Picture]:
    """Products outside tables whose text begins with the mark of one of the pictures, or stands beside it."""
    marks: dict[int, set[str]] = {n: set() for n in anchors}
    for line in view.lines if len(pictures) >= _LEAST else ():
        mark = mark_of(line.text) or mark_of(line.words[0].text if line.words else "")
        if mark not in pictures or is_at(pictures[mark].box, line):
            continue
        for n, anchor in anchors.items():
            if _leads(line, anchor):
                marks[n].add(mark)
    times = Counter(mark for own in marks.values() for mark in own)
    marked = {n: mark for n, own in marks.items() if len(own) == 1 for mark in own if times[mark] == 1}
    return {n: pictures[mark] for n, mark in _whole(marked, anchors, pictures).items()} if len(marked) >= _LEAST else {}


def _whole(marked: Mapping[int, str], products: Collection[int], marks: Collection[str]) -> Mapping[int, str]:
    """With the marks that were not read at products: where there are as many marks as products, and no fewer than half
    of them were found, all in the order of the products."""
    run = sorted(marks, key=lambda mark: (len(mark), mark))
    if not len(products) == len(run) <= 2 * len(marked):
        return marked
    whole = dict(zip(sorted(products), run, strict=True))
    return whole if marked.items() <= whole.items() else marked


def _leads(line: Line, anchor: Box) -> bool:
    """Begins in the text's upper left, or right beside or above it."""
    high = max(line.size, height(line.box))
    near = (anchor[0] - _BESIDE * high, anchor[1] - 1.5 * high, (anchor[0] + anchor[2]) / 2, anchor[3])
    return contains_point(near, line.box[0], centre(line.box)[1])
