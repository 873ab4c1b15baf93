"""What a grid of captioned pictures shows: products with bare names, or certificates, samples, the company's works."""

import re
from statistics import median

from catalogsku.core.box import Box, area, centre, contains_point, gap, height, width
from catalogsku.core.text import squash
from processing.engine.page import Line
from processing.engine.understanding.captions.bare_codes import are_bare_codes, is_bare_code
from processing.engine.understanding.captions.names import identifies
from processing.engine.understanding.captions.sides import Captioned, stands
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.rules.dictionaries.measures import MATERIALS
from processing.engine.understanding.rules.finishes import all_in, is_colours, names_colour
from processing.engine.understanding.rules.headings import (
    is_category_heading,
    is_document,
    is_sample_heading,
    is_works_heading,
)
from processing.engine.understanding.rules.shapes import is_code
from processing.engine.understanding.view import PageView

# The page's heading is so much larger than its captions.
_HEADING = 1.5
# Signs outside the captions of a grid of names that are hardly any; of those in them, so many, and beside cards.
_FEW_SIGNS, _BESIDE, _BESIDE_CARDS = 60, 1.5, 3.0
# Captions that make a grid; the number of the first of a page's steps.
_GRID, _FIRST = 4, re.compile(r"1\.\s")
# Codes at photos that show that a page is one of products, their signs, and how far off they stand, points; print of
# names against theirs, and in heights how far under it they stand.
_LEAST_CODES, _LONG_CODE, _AT_PT, _LARGER, _UNDER = 2, 6, 40.0, 1.2, 1.5
# Captions by which repeated names are those of samples; a few products may come in two forms each.
_REPEATED = 6
# The code of a sample in a range, and the share of the range whose names are known for colours.
_COUNTED, _COLOURED = re.compile(r"([A-Za-z]{0,2}[-.]?)([0-9]{1,3})"), 0.5
# Captions that make a row, and the share of a grid of codes that stands in such.
_ROW, _IN_ROWS = 3, 0.6
# Signs about each of several pictures that tell of it; of their sides, how far pictures of one size vary.
_TOLD, _ALIKE = 25, 0.15
# Pictures in a row and a column that cross, and those of which that is true in a block of pictures without a word each.
_CROSS, _BLOCK = 6, 12
# How unlike the sizes of one print may be, and where they were recognised.
_ONE_PRINT, _RECOGNISED_PRINT = 1.35, 1.6
# Of the page: a photo that fills it.
_GROUND = 0.9


def is_name_grid(view: PageView, found: list[Captioned], drafts: list[Draft]) -> bool:
    """Names or codes alone are products only in a regular grid: captions in one print, hardly any other text, or not
    much more where each has a card of its own. What stands under the name may be smaller where every caption has it.

    Words beside a picture are more often remarks on a drawing, so such captions stand under or over theirs; what is
    counted from one on the page are steps or uses as well.
    """
    carded = _on_cards(view, found)
    stacked = carded or all(
        stands(one.picture.box, one.text_box, "below") or stands(one.picture.box, one.text_box, "above")
        for one in found
    )
    if len(drafts) < _GRID or len(drafts) * 10 < len(found) * 8 or not stacked:
        return False
    if shows_no_products(view, found) or any(_FIRST.match(line.text) for one in found for line in one.lines):
        return False
    alike = len({len(one.lines) for one in found}) == 1
    sizes = [line.size for one in found for line in one.lines[: 1 if alike else None]]
    unlike = _RECOGNISED_PRINT if view.page.ocr else _ONE_PRINT
    if max(sizes) > unlike * min(sizes) or any(is_category_heading(line.text) for line in view.lines):
        return False
    own = sum(len(line.text) for one in found for line in one.lines)
    most = max((_BESIDE_CARDS if carded else _BESIDE) * own, _FEW_SIGNS)
    return other_text(view, found) <= most and is_grid([one.text_box for one in found])


def is_code_grid(view: PageView, found: list[Captioned]) -> bool:
    """Many pictures with nothing but a code each, most of them in rows, and hardly any other text. Their columns are
    as wide as the things shown, and pages beside each other have rows of their own."""
    if not are_bare_codes([one.lines for one in found]) or shows_no_products(view, found):
        return False
    boxes = [one.text_box for one in found]
    rows = _clusters([centre(box)[1] for box in boxes], 1.5 * median(height(box) for box in boxes))
    in_rows = sum(len(row) for row in rows if len(row) >= _ROW)
    own = sum(len(line.text) for one in found for line in one.lines)
    return in_rows >= _IN_ROWS * len(found) and other_text(view, found) <= max(_BESIDE * own, _FEW_SIGNS)


def _on_cards(view: PageView, found: list[Captioned]) -> bool:
    """Each caption stands under the pictures of a card of its own."""
    cards = [next((box for box in view.cards if contains_point(box, *centre(one.text_box))), None) for one in found]
    shown = [[p.box for p in view.pictures if card and contains_point(card, *centre(p.box))] for card in cards]
    under = all(box[3] <= one.text_box[1] for one, boxes in zip(found, shown, strict=True) for box in boxes)
    return all(shown) and under and len(set(cards)) == len(found)


def shows_no_products(view: PageView, found: list[Captioned]) -> bool:
    return shows_documents(view, found) or shows_samples(view, found) or _shows_works(view, found)


def other_text(view: PageView, found: list[Captioned]) -> int:
    """Signs printed outside the captions, and not on what a picture shows."""
    own = [line for one in found for line in one.lines]
    return sum(_signs_beside(view, line) for line in view.lines) - sum(_signs_beside(view, line) for line in own)


def _signs_beside(view: PageView, line: Line) -> int:
    return 0 if any(contains_point(p.box, *centre(line.box)) for p in view.pictures) else len(line.text)


def shows_documents(view: PageView, found: list[Captioned]) -> bool:
    """Certificates, patents and reports: by the page's heading or by what most of the captions say."""
    captions = [line for one in found for line in one.lines]
    if not captions:
        return False
    largest = max(line.size for line in captions)
    headed = any(line.size > _HEADING * largest and is_document(line.text) for line in view.lines)
    return headed or sum(1 for line in captions if is_document(line.text)) * 2 >= len(found)


def shows_samples(view: PageView, found: list[Captioned]) -> bool:
    """Colours and materials to choose from: by what most captions name, or by a heading above the pictures."""
    return (
        names_samples(found)
        or counts_samples(found)
        or any(is_sample_heading(line.text) for line in _above(view, found))
    )


def shows_alike(view: PageView) -> bool:
    """Pictures of one size stand in a row or a column, and the page says something of each, or so many in rows and
    columns that they are all it shows: products mostly."""
    lines = [sum(_in_line(p.box, other.box) for other in view.pictures) for p in view.pictures]
    most = max(lines, default=0)
    told = most >= _GRID and view.chars >= _TOLD * most
    return (told or sum(count >= _CROSS for count in lines) >= _BLOCK) and not any(
        is_works_heading(line.text) for line in view.page.lines
    )


def codes_at_photos(view: PageView) -> bool:
    """Codes of their own that each stand close to a picture or go on with a name in larger print, and a picture for
    each of them: products mostly."""
    coded = [line for line in view.lines if is_bare_code(line) and len(squash(line.text)) >= _LONG_CODE]
    coded = [line for line in coded if line.text.strip()[0].isalpha()]
    if len({squash(line.text) for line in coded}) < _LEAST_CODES or len(coded) > len(view.pictures):
        return False
    reach = _AT_PT * view.scale
    return all(any(gap(line.box, p.box) <= reach for p in view.pictures) or _is_named(view, line) for line in coded)


def names_on_a_photo(view: PageView) -> bool:
    """One photo fills the page, and on it several names stand apart, each by what it is of: a group of wares."""
    photo = view.poster
    if photo is None or area(photo.box) < _GROUND * view.page_area:
        return False
    names = [line for line in view.lines if is_name(line.text) and _stands_alone(view, line)]
    print_size = median(line.size for line in names) if names else 0.0
    alike = [line for line in names if line.size <= _ONE_PRINT * print_size and print_size <= _ONE_PRINT * line.size]
    return len({squash(line.text) for line in alike}) >= _GRID and 2 * len(alike) >= len(view.lines)


def _stands_alone(view: PageView, line: Line) -> bool:
    """No other line goes on with it: none stands close to it."""
    return not any(other is not line and gap(line.box, other.box) <= _UNDER * height(line.box) for other in view.lines)


def _is_named(view: PageView, code: Line) -> bool:
    """A name in larger print stands on its baseline or right over it."""
    names = [line for line in view.lines if line.size >= _LARGER * code.size and is_name(line.text)]
    return any(_goes_on(name.box, code.box) for name in names)


def _goes_on(name: Box, code: Box) -> bool:
    level = name[1] <= centre(code)[1] <= name[3]
    over = 0.0 <= code[1] - name[3] <= _UNDER * height(code) and name[0] <= code[2] and code[0] <= name[2]
    return level or over


def _in_line(a: Box, b: Box) -> bool:
    """The same box, or one of nearly its size beside, over or under it."""
    sizes = (width(a), height(a)), (width(b), height(b))
    alike = all(abs(mine - other) <= _ALIKE * mine for mine, other in zip(*sizes, strict=True))
    apart = [abs(mine - other) for mine, other in zip(centre(a), centre(b), strict=True)]
    return alike and (apart[0] <= _ALIKE * width(a) or apart[1] <= _ALIKE * height(a))


def _shows_works(view: PageView, found: list[Captioned]) -> bool:
    """The company's machines, rooms and people: by a heading above the pictures."""
    return any(is_works_heading(line.text) for line in _above(view, found))


def _above(view: PageView, found: list[Captioned]) -> list[Line]:
    top = min((one.picture.box[1] for one in found), default=0.0)
    return [line for line in view.page.lines if line.box[3] <= top]


def names_samples(found: list[Captioned]) -> bool:
    """Most captions name a colour or a material, or the same names without codes stand under picture after picture."""
    captions = [line.text for one in found for line in one.lines]
    names = [squash(one.lines[0].text) for one in found]
    if len(names) >= _REPEATED and len(set(names)) * 2 <= len(names):
        return not any(identifies(line) for one in found for line in one.lines)
    return sum(1 for text in captions if _is_coded_colour(text) or all_in(text, MATERIALS)) * 2 > len(captions)


def counts_samples(found: list[Captioned]) -> bool:
    """Nothing but a name and a short code stand at each picture, the codes count on from one to the next ("F01",
    "F02"), and many of the names are those of colours; a maker has fanciful ones too ("Oat", "墨蓝")."""
    texts = [sorted((_with_noughts(line.text.strip()) for line in one.lines), key=lambda t: not _COUNTED.fullmatch(t))
             for one in found]  # fmt: skip
    codes = [match for own in texts if len(own) == 2 and (match := _COUNTED.fullmatch(own[0]))]
    if len(found) < _GRID or len(codes) < len(found) or len({code[1] for code in codes}) > 1:
        return False
    numbers = sorted(int(code[2]) for code in codes)
    coloured = sum(is_colours(own[1]) or all_in(own[1], MATERIALS) for own in texts)
    return numbers == list(range(numbers[0], numbers[0] + len(codes))) and coloured >= _COLOURED * len(found)


def _with_noughts(text: str) -> str:
    """A short code with noughts for what was recognised as letters: "FO3"."""
    figures = text[:1] + text[1:].replace("O", "0").replace("o", "0")
    return figures if _COUNTED.fullmatch(figures) else text


def _is_coded_colour(text: str) -> bool:
    """A colour, mostly behind its code: "A01 橙色 Orange"."""
    code, _, name = text.partition(" ")
    return names_colour(text) or (is_code(code) and names_colour(name))


def is_grid(boxes: list[Box]) -> bool:
    """Captions stand in at least two columns, evenly, and on few common lines."""
    rows = _clusters([centre(box)[1] for box in boxes], 1.5 * median(height(box) for box in boxes))
    columns = _clusters([centre(box)[0] for box in boxes], median(width(box) for box in boxes))
    shared = sum(1 for row in rows if len(row) >= 2)
    return len(columns) >= 2 and shared * 3 >= len(rows) * 2 and len(rows) * len(columns) <= 2 * len(boxes)


def _clusters(values: list[float], reach: float) -> list[list[float]]:
    """Values in groups that lie within ``reach`` of the group's first."""
    groups: list[list[float]] = []
    for value in sorted(values):
        if groups and value - groups[-1][0] <= reach:
            groups[-1].append(value)
        else:
            groups.append([value])
    return groups
