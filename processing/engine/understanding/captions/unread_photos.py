"""Pages of photos on which nothing was read and that may show products all the same: a person looks at them."""

from statistics import median

from catalogsku.core.box import Box, area, centre, gap, height, width
from catalogsku.core.text import squash, trim
from processing.engine.page import Line
from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.rules.headings import is_works_heading
from processing.engine.understanding.rules.shapes import is_code, is_price
from processing.engine.understanding.view import PageView

# Codes at photos that show that a page is one of products, their signs, and how far off they stand, points; print of
# names against theirs, and in heights how far under it they stand.
_LEAST_CODES, _LONG_CODE, _AT_PT, _LARGER, _UNDER = 2, 6, 40.0, 1.2, 1.5
# Signs about each of several pictures that tell of it; of their sides, how far pictures of one size vary.
_TOLD, _ALIKE = 25, 0.15
# Pictures in a row and a column that cross, and those of which that is true in a block of pictures without a word each.
_CROSS, _BLOCK = 6, 12
# Of the page: a photo that fills it; pictures or names that are several, and how unlike the sizes of one print may be.
_GROUND, _SEVERAL, _ONE_PRINT = 0.9, 4, 1.35


def shows_alike(view: PageView) -> bool:
    """Pictures of one size stand in a row or a column, and the page says something of each, or so many in rows and
    columns that they are all it shows: products mostly."""
    lines = [sum(_in_line(p.box, other.box) for other in view.pictures) for p in view.pictures]
    most = max(lines, default=0)
    described = most >= _SEVERAL and view.chars >= _TOLD * most
    return (described or sum(count >= _CROSS for count in lines) >= _BLOCK) and not any(
        is_works_heading(line.text) for line in view.page.lines
    )


def codes_at_photos(view: PageView) -> bool:
    """Codes of their own that each stand close to a picture or go on with a name in larger print, and a picture for
    each of them: products mostly."""
    coded = [line for line in view.lines if _is_bare_code(line) and len(squash(line.text)) >= _LONG_CODE]
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
    return len({squash(line.text) for line in alike}) >= _SEVERAL and 2 * len(alike) >= len(view.lines)


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


def _is_bare_code(line: Line) -> bool:
    text = trim(line.text)
    return is_code(text) and any(char.isalpha() for char in text) and not is_price(text)
