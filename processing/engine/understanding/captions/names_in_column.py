"""Names in one column of a recognised page, in large print and each over a text, with photos level with some: of photos
that lie on a photo, as on a printed ground, not all are found. A person always looks at such a page."""

from collections.abc import Sequence
from statistics import median

from catalogsku.core.box import centre, contains_point, union
from catalogsku.core.text import squash, trim
from processing.engine.page import Line
from processing.engine.understanding.captions.photo_names import texts_under, whole_names
from processing.engine.understanding.captions.sides import stands
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import text_value
from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.once import way
from processing.engine.understanding.rules.headings import is_document, is_works_heading, names_no_thing
from processing.engine.understanding.rules.shapes import is_price
from processing.engine.understanding.rules.wording import is_sentence
from processing.engine.understanding.view import PageView

# Against the usual print, that of a name; of their median, how sizes that were recognised vary; points by which names
# begin apart.
_LARGE, _ALIKE, _ALIGNED_PT = 1.25, 0.25, 8.0
# Names of a column at least, those with a photo, and the share of texts that say a figure.
_LEAST, _SHOWN, _FIGURES = 4, 2, 0.6
_FOUND = 0.68


@way("names_in_column")
def extract_names_in_column(view: PageView) -> list[Draft]:
    """One product a name; nothing where the page has no such column."""
    return _drafts(view) if view.page.ocr else []


def _drafts(view: PageView) -> list[Draft]:
    names = whole_names(_column(view))
    said = [trim(" ".join(line.text for line in lines)) for lines in names]
    heads = [union(line.box for line in lines) for lines in names]
    if len(set(map(squash, said))) < max(_LEAST, len(names)) or any(map(_names_none, said)):
        return []
    if any(is_works_heading(line.text) or is_price(line.text) for line in view.page.lines):
        return []
    texts = texts_under(view, names, heads)
    boxes = [union([head, *(line.box for line in text)]) for head, text in zip(heads, texts, strict=True)]
    beside = sum(any(stands(box, p.box, side) for side in ("left", "right") for p in view.pictures) for box in boxes)
    figures = sum(any(any(map(str.isdigit, line.text)) for line in text) for text in texts)
    if not all(texts) or beside < _SHOWN or figures < _FIGURES * len(names):
        return []
    return [
        Draft(
            box=box, anchor=box, confidence=_FOUND,
            attributes={"product_name": text_value(name, head, view.page.number, "title", _FOUND)},
        )
        for name, head, box in zip(said, heads, boxes, strict=True)
    ]  # fmt: skip


def _names_none(name: str) -> bool:
    return names_no_thing(name) or is_document(name) or is_sentence(name)


def _column(view: PageView) -> Sequence[Line]:
    """The most large lines that may be names and begin alike, outside of the photos."""
    usual = median(line.size for line in view.lines) if view.lines else 0.0
    large = [line for line in view.lines if line.size >= _LARGE * usual and is_name(line.text)
             and not any(contains_point(p.box, *centre(line.box)) for p in view.pictures)]  # fmt: skip
    columns = [[o for o in large if abs(o.box[0] - line.box[0]) <= _ALIGNED_PT] for line in large]
    column = max(columns, key=len, default=[])
    sizes = [line.size for line in column]
    return column if sizes and max(abs(size - median(sizes)) for size in sizes) <= _ALIKE * median(sizes) else []
