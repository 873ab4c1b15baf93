"""A page of one thing in several finishes: one large title, and for each finish a card of the same labels, none of
which names the thing: "BX500" over "Size, Style, Price" twice.

A person always looks at such a page, for the title may be that of a chapter.
"""

from collections import Counter
from collections.abc import Sequence

from catalogsku.core.text import squash, trim
from processing.engine.page import Line
from processing.engine.understanding.evidence import text_value
from processing.engine.understanding.labelled_lines import Field
from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.rules.headings import names_no_thing
from processing.engine.understanding.rules.shapes import is_code
from processing.engine.understanding.rules.wording import is_series
from processing.engine.understanding.view import PageView

# Print of the title against that of all else on the page; its signs at most.
_LARGER, _LONGEST = 2.0, 40
# Cards, and labels that each of them has.
_LEAST_CARDS, _LEAST_LABELS = 2, 2
# How sure such a title is to be theirs.
_SHARED = 0.65


def titled_code(view: PageView) -> Line | None:
    """The page's only large print, where it is a code."""
    title = _title(view)
    return title if title and _is_code(title.text) else None


def under_one_title(view: PageView, fields: Sequence[Field]) -> list[list[Field]]:
    """The fields of each card, the title's code or name before them in the card's own place; nothing where the cards
    differ."""
    title = _title(view)
    often = Counter(field.label for field in fields)
    repeated = set(often.values()) == {max(often.values(), default=0)}
    if title is None or not repeated or len(fields) < _LEAST_LABELS * _LEAST_CARDS:
        return []
    first = min(fields, key=lambda field: (field.box[1], field.box[0])).label
    heads = [field for field in fields if field.label == first]
    groups = _under(heads, [field for field in fields if field.label != first])
    alike = len({frozenset(squash(field.label) for field in group) for group in groups}) == 1
    if len(groups) < _LEAST_CARDS or not alike or any(len(group) < _LEAST_LABELS for group in groups):
        return []
    kind = "model" if _is_code(title.text) else "product_name"
    named = text_value(trim(title.text), title.box, view.page.number, "title", _SHARED)
    return [[Field("", kind, group[0].box, named, title.size), *group] for group in groups]


def _under(heads: Sequence[Field], rest: Sequence[Field]) -> list[list[Field]]:
    """Each field with the nearest head over it that begins where it does."""
    groups = [[head] for head in heads]
    for field in sorted(rest, key=lambda field: field.box[1]):
        near = [
            (field.box[1] - head.box[1], abs(head.box[0] - field.box[0]), n)
            for n, head in enumerate(heads)
            if head.box[1] < field.box[1] and abs(head.box[0] - field.box[0]) <= field.size
        ]
        if not near:
            return []
        groups[min(near)[2]].append(field)
    return groups


def _title(view: PageView) -> Line | None:
    """The one line in print so much larger than all else, where it may name a thing."""
    ordered = sorted(view.lines, key=lambda line: -line.size)
    if len(ordered) < _LEAST_LABELS or ordered[0].size < _LARGER * ordered[1].size:
        return None
    title, text = ordered[0], trim(ordered[0].text)
    named = _is_code(text) or (is_name(text) and not names_no_thing(text) and not is_series(text))
    return title if named and len(text) <= _LONGEST else None


def _is_code(text: str) -> bool:
    return is_code(text) and any(map(str.isalpha, text))
