"""Large names at photos, each over a text of its own: furniture, devices, things that no code or price tells of.

A person always looks at such a page, for sections of a brochure are printed alike.
"""

import re
from collections.abc import Sequence
from statistics import median_low

from catalogsku.core.box import Box, area, centre, gap, height, holds_centre, union, width
from catalogsku.core.text import squash, trim
from processing.engine.assignment import best_assignment
from processing.engine.page import Line
from processing.engine.result import Value
from processing.engine.understanding.captions.sides import stands
from processing.engine.understanding.captions.text import read_caption, take_fields
from processing.engine.understanding.draft import Draft, Extraction
from processing.engine.understanding.evidence import add_currency, part_box, take_on_request, text_value
from processing.engine.understanding.labelled_lines import Field, line_fields
from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.once import as_extractor
from processing.engine.understanding.rules.headings import is_works_heading, names_no_thing
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.shapes import is_code, is_extent
from processing.engine.understanding.rules.wording import is_sentence
from processing.engine.understanding.signs import begins_with_code
from processing.engine.understanding.view import PageView

# Of the page: the least photo that may be a product's; so many of them named in print so much larger than the usual
# one, no further off, points.
_PHOTO, _LEAST, _LARGE, _BESIDE_PT = 0.02, 2, 1.25, 40.0
# How far sizes of one print vary; of a line's height, how close the lines of one name stand, and the hole that ends a
# text; points by which they begin apart.
_ALIKE, _CLOSE, _HOLE, _ALIGNED_PT = 0.15, 0.3, 2.8, 5.0
_FOUND = 0.68
# Between the parts of a text; the least signs of a code at its end.
_BAR, _LEAST_CODE = re.compile(r"[|｜]"), 8
_NAMING = ("product_name", "description")
_TYPE_NUMBER = re.compile(r"[1-9]\d{2}")
_DASH = re.compile(r"([^\d:–—]{2,32}?)\s+[–—-]\s+(.{2,60})")

Named = tuple[tuple[Line, ...], Box]


def names_photos(view: PageView) -> bool:
    """Names in one large print, and a photo for each of them."""
    return bool(_named(view))


@as_extractor("photo_names")
def extract_photo_names(view: PageView) -> list[Draft]:
    """One product a name with its photo, where each has a text of its own; nothing otherwise."""
    return _drafts(view)


def photos_tell_more(view: PageView, *others: Extraction) -> bool:
    """Where other ways give products, the names at photos give more of them, or as many and more codes."""
    return any(other.drafts for other in others) and all(
        _told(extract_photo_names(view)) > _told(other) for other in others
    )


def _told(extraction: Extraction) -> tuple[int, int]:
    return len(extraction.drafts), sum("model" in draft.attributes for draft in extraction.drafts)


def stand_beside(view: PageView) -> bool:
    """The texts stand beside their photos and not under them."""
    places = [(centre(union(line.box for line in lines)), photo) for lines, photo in _named(view)]
    beside = sum(not box[0] <= x <= box[2] for (x, _), box in places)
    return 2 * beside > len(places)


def _named(view: PageView) -> list[Named]:
    if "named_photos" not in view.seen:
        view.seen["named_photos"] = _find(view)
    photos: list[Named] = view.seen["named_photos"]
    return photos


def _find(view: PageView) -> list[Named]:
    """The lines of each name, and its photo."""
    photos = [p.box for p in view.pictures if area(p.box) >= _PHOTO * view.page_area]
    if len(photos) < _LEAST or not view.lines or any(is_works_heading(line.text) for line in view.page.lines):
        return []
    usual = median_low(line.size for line in view.lines)
    level = [line for line in view.lines if not line.vertical]
    large = [line for line in level if _size(line) >= _LARGE * usual and _may_name(line.text)]
    large = _without_lettering(view, large)
    alike = [[o for o in large if abs(_size(o) - _size(line)) <= _ALIKE * _size(line)] for line in large]
    names = whole_names(max(alike, key=len, default=[]))
    boxes = [union(line.box for line in lines) for lines in names]
    whole = [
        union([box, *(line.box for line in text)])
        for box, text in zip(boxes, texts_under(view, names, boxes), strict=True)
    ]
    far = 2.0 * (view.page.width_pt + view.page.height_pt)
    widest = max(map(width, photos)) if view.page.ocr else 0.0  # of one on white only the thing itself was seen
    near = {
        (n, m): far - apart
        for n, name in enumerate(boxes)
        for m, photo in enumerate(photos)
        if (apart := _apart(view, name, whole[n], photo, widest)) is not None
    }
    pairs = best_assignment(near)
    if not _LEAST <= len(names) <= len(photos) or len(pairs) < len(names):
        return []
    return [(names[n], photos[m]) for n, m in pairs]


def _without_lettering(view: PageView, large: Sequence[Line]) -> list[Line]:
    """On a recognised page without what pictures show, as badges and logos do, where other names stand beside these."""
    boxes = [p.box for p in view.shown] if view.page.ocr else []
    beside = [line for line in large if not holds_centre(boxes, line.box)]
    return beside if len(beside) >= _LEAST else list(large)


def _may_name(text: str) -> bool:
    """A name, a code of letters and figures as devices have, or the number of a type, longer than a step's."""
    coded = " " not in trim(text) and begins_with_code(text)
    return is_name(text) or coded or _TYPE_NUMBER.fullmatch(trim(text)) is not None


def _size(line: Line) -> float:
    """Print size of the line's first word: what stands behind a name may be smaller."""
    return line.words[0].size if line.words else line.size


def _apart(view: PageView, name: Box, text: Box, photo: Box, wide: float) -> float | None:
    """Points between a name and its photo; None for more than a caption stands off, with a line over it more. Name and
    ``text`` may stand as far beside it as the photo is wide, ``wide`` at least, or half of that where the text comes
    between; the text may run into the empty margin of a thing that is cut out."""
    apart, between = gap(name, photo), gap(text, photo)
    if apart - _tag(view, photo, name) <= _BESIDE_PT * view.scale:
        return apart
    beside = any(stands(photo, box, side) for box in (text, name) for side in ("left", "right"))
    reach = max(width(photo), wide)
    near = apart <= reach or 2 * between <= reach
    return min(apart, between) if beside and near else None


def whole_names(lines: Sequence[Line]) -> list[tuple[Line, ...]]:
    """Lines close under each other that begin, end or are centred alike are one name."""
    names: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: (line.box[1], line.box[0])):
        own = next((name for name in names if _goes_on(name[-1], line)), None)
        if own is None:
            names.append([line])
        else:
            own.append(line)
    return [tuple(name) for name in names]


def _goes_on(above: Line, line: Line) -> bool:
    a, b = above.box, line.box
    aligned = min(abs(a[0] - b[0]), abs(a[2] - b[2]), abs(centre(a)[0] - centre(b)[0])) <= _ALIGNED_PT
    return aligned and b[1] - a[3] <= _CLOSE * height(a) and centre(b)[1] > a[3] - _CLOSE * height(a)


def _tag(view: PageView, photo: Box, name: Box) -> float:
    """Points that the one line between a photo and the name under it is high: its number or its kind."""
    between = [line.box for line in view.lines if photo[3] <= line.box[1] and line.box[3] <= name[1]]
    over = [box for box in between if box[0] < name[2] and name[0] < box[2]]
    return height(over[0]) if len(over) == 1 else 0.0


def _drafts(view: PageView) -> list[Draft]:
    named = _named(view)
    names = [trim(" ".join(line.text for line in lines)).rstrip(":： ") for lines, _ in named]
    if any(names_no_thing(name) or is_sentence(name) for name in names) or len(set(map(squash, names))) < len(names):
        return []
    heads = [union(line.box for line in lines) for lines, _ in named]
    texts = texts_under(view, [lines for lines, _ in named], heads)
    if not all(texts):
        return []
    return [
        _draft(view, name, head, text, photo)
        for name, head, text, (_, photo) in zip(names, heads, texts, named, strict=True)
    ]


def texts_under(view: PageView, names: Sequence[tuple[Line, ...]], heads: Sequence[Box]) -> list[list[Line]]:
    """For each name the lines of the text under it."""
    taken = {line.box for lines in names for line in lines}
    return [
        _text_under(view, head, max(map(_size, lines)), heads, taken) for head, lines in zip(heads, names, strict=True)
    ]


def _text_under(view: PageView, head: Box, size: float, heads: Sequence[Box], taken: set[Box]) -> list[Line]:
    """Lines in smaller print under the name, down to the next name below it or to a hole; the first may stand as far
    off as suits the name's print, ``size``."""
    below = [other[1] for other in heads if other[1] >= head[3] and other[0] < head[2] and head[0] < other[2]]
    end = min(below, default=view.page.height_pt)
    under = [
        line
        for line in view.lines
        if line.box not in taken and _size(line) < size and head[3] - _CLOSE * height(head) <= centre(line.box)[1] < end
    ]
    text: list[Line] = []
    left, _, right, foot = head
    for line in sorted(under, key=lambda line: line.box[1]):
        if line.box[0] >= right or line.box[2] <= left:
            continue
        if line.box[1] - foot > _HOLE * max(height(line.box), 0.0 if text else size):
            break
        text.append(line)
        left, right, foot = min(left, line.box[0]), max(right, line.box[2]), max(foot, line.box[3])
    return text


def _draft(view: PageView, name: str, head: Box, text: Sequence[Line], photo: Box) -> Draft:
    number = view.page.number
    coded = (is_code(name) and " " not in name) or _TYPE_NUMBER.fullmatch(name)
    identity = "model" if coded else "product_name"
    attributes: dict[str, Value] = {identity: text_value(name, head, number, "title", _FOUND)}
    contexts: dict[str, str] = {}
    runs_on = any(_BAR.search(line.text) for line in text)
    plain = _labelled_parts(text, number) if runs_on else [line for line in text if not is_sentence(line.text)]
    dashed = {line.box: fields for line in plain if not line_fields(line, number) and (fields := _dashed(line, number))}
    title = Line(name, head, (), max(line.size for line in text))
    said, labels, custom = read_caption((title, *(line for line in plain if line.box not in dashed)), number)
    attributes |= {key: value for key, value in said.items() if key not in (*_NAMING, *attributes)}
    contexts |= {key: label for key, label in labels.items() if key in attributes}
    custom += take_fields([field for fields in dashed.values() for field in fields], attributes, contexts)
    if "model" not in attributes and (code := _code_at_end(text, number)):
        attributes["model"] = code
    if "size" not in contexts and sum(is_extent(line.text) for line in plain) > 1:
        attributes.pop("size", None)  # of several to choose from none is its own
    add_currency(attributes)
    on_request = take_on_request(attributes)
    box = union([head, *(line.box for line in text)])
    return Draft(
        box=union([box, photo]),
        anchor=box,
        attributes=attributes,
        custom=custom,
        contexts=contexts,
        confidence=_FOUND,
        picture=photo,
        on_request=on_request,
    )


def _labelled_parts(text: Sequence[Line], page_number: int) -> list[Line]:
    """The parts of a text parted by upright bars that are a label with its value, whole in one line."""
    rows = sorted(text, key=lambda line: (round(centre(line.box)[1]), line.box[0]))
    labelled: list[Line] = []
    for line in rows:
        parts = _BAR.split(line.text)[1:]
        whole = parts if line is rows[-1] else parts[:-1]
        made = [Line(said, part_box(line, said), (), line.size, line.bold) for part in whole if (said := trim(part))]
        labelled += [part for part in made if any(field.value for field in line_fields(part, page_number))]
    return labelled


def _code_at_end(text: Sequence[Line], page_number: int) -> Value | None:
    """The code that a text parted by upright bars ends in; one that was broken behind a hyphen goes on in the next
    line, where that holds nothing else."""
    rows = sorted(text, key=lambda line: (round(centre(line.box)[1]), line.box[0]))
    if not rows or not any(_BAR.search(line.text) for line in rows):
        return None
    last = [rows[-1]]
    if len(rows) > 1 and not _BAR.search(rows[-1].text) and trim(rows[-2].text).endswith("-"):
        last = rows[-2:]
    code = _BAR.split("".join(trim(line.text) for line in last))[-1].strip()
    if len(code) < _LEAST_CODE or "-" not in code or not (is_code(code) and any(map(str.isalpha, code))):
        return None
    if len(last) == 1 and not _BAR.search(last[0].text):
        return None
    return text_value(code, union(line.box for line in last), page_number, "caption", _FOUND)


def _dashed(line: Line, page_number: int) -> list[Field]:
    """An amount behind a dash between spaces and words without a figure: "Load – from 25 kg"."""
    match = _DASH.fullmatch(trim(line.text))
    if match is None or not any(map(str.isdigit, match.group(2))):
        return []
    label, text = match.groups()
    value = text_value(text, part_box(line, text), page_number, "label", _FOUND)
    return [Field(label, label_kind(label), line.box, value, line.size)]
