"""Photos with a name over one label each, the same at all of them, with a figure behind it: wares by their customs
codes, sorts by their numbers. No code or price tells of them, and a person always looks at such a page."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from catalogsku.core.box import Box, area, gap, height, union, width
from catalogsku.core.text import fold, squash, trim
from processing.engine.assignment import best_assignment
from processing.engine.page import Line
from processing.engine.result import Value
from processing.engine.understanding.captions.text import take_fields
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import add_currency, part_box, text_value
from processing.engine.understanding.labelled_lines import Field
from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.lists.facts import label_of
from processing.engine.understanding.once import way
from processing.engine.understanding.rules.dictionaries.terms import CONTACTS
from processing.engine.understanding.rules.headings import is_document, is_works_heading, names_no_thing
from processing.engine.understanding.rules.labels import FOREIGN, label_kind
from processing.engine.understanding.view import PageView

# Labels at least, and the share of them with a name and a photo.
_LEAST, _MOSTLY = 4, 0.8
# Of the page, the least photo; points, how far from it the text stands.
_PHOTO, _NEAR_PT = 0.003, 40.0
# Of the higher line, the hole between two lines of one text; of the narrower one, how much they have in common. Lines
# of a name and what stands in brackets under it.
_HOLE, _COMMON, _MOST_LINES = 1.0, 0.5, 4
_BRACKETS = "(（"
_FOUND = 0.68


@dataclass(frozen=True)
class _Told:
    name: tuple[Line, ...]
    text: tuple[Line, ...]
    label: str
    value: Value

    @property
    def said(self) -> str:
        return trim(" ".join(line.text for line in self.name))


@way("labelled_photos")
def extract_labelled_photos(view: PageView) -> list[Draft]:
    """One product a name with its photo; nothing where names or photos are missing or say something else."""
    if any(is_works_heading(line.text) for line in view.page.lines):
        return []
    labelled = _labelled(view)
    told = [one for line in labelled if (one := _read(view, line))]
    pairs = _with_photos(view, told)
    names = {squash(one.said) for one, _ in pairs}
    if len(pairs) < max(_LEAST, _MOSTLY * len(labelled)) or len(names) < len(pairs):
        return []
    if any(is_document(one.said) or names_no_thing(one.said) for one, _ in pairs):
        return []
    return [_draft(one, photo) for one, photo in pairs]


def _labelled(view: PageView) -> list[Line]:
    """The lines with the label that most have, or one that begins so ("HS Code", "HS Code Range")."""
    labels = {line.box: label for line in view.lines if (label := fold(label_of(line.text)))}
    counted = Counter(label for label in labels.values() if label not in CONTACTS and label_kind(label) != FOREIGN)
    most, times = max(counted.items(), key=lambda item: item[1], default=("", 0))
    return [line for line in view.lines if labels.get(line.box, "").startswith(most)] if times >= _LEAST else []


def _read(view: PageView, line: Line) -> _Told | None:
    """The value behind the label or under it, and the name over it."""
    label = label_of(line.text)
    said = line.text.partition(label)[2].lstrip(" :：")
    place = part_box(line, said) if said else None
    under = () if said else tuple(_next(view, line, above=False))
    if under:
        said, place = under[0].text, under[0].box
    over = [line]
    while len(over) <= _MOST_LINES and (more := _next(view, over[-1], above=True)):
        over.append(more[0])
    text = over[:0:-1]
    bracketed = next((n for n, one in enumerate(text) if trim(one.text)[:1] in _BRACKETS), len(text))
    name = tuple(text[:bracketed])
    plain = name and all(is_name(one.text) and not label_of(one.text) for one in name)
    if not plain or place is None or not any(map(str.isdigit, said)):
        return None
    value = text_value(trim(said), place, view.page.number, "label", _FOUND)
    return _Told(name, (*text, line, *under), label, value)


def _next(view: PageView, line: Line, *, above: bool) -> list[Line]:
    """The line right over or under it, if there is one."""
    near = []
    for other in view.lines:
        upper, lower = (other, line) if above else (line, other)
        high = max(height(line.box), height(other.box))
        common = min(upper.box[2], lower.box[2]) - max(upper.box[0], lower.box[0])
        apart = lower.box[1] - upper.box[3]
        close = upper.box[1] < lower.box[1] and -_COMMON * high <= apart <= _HOLE * high
        if close and common >= _COMMON * min(width(upper.box), width(lower.box)):
            near.append((apart, other.box, other))
    return [min(near)[2]] if near else []


def _with_photos(view: PageView, told: Sequence[_Told]) -> list[tuple[_Told, Box]]:
    """The names with a photo of their own each, all as near as they can be together."""
    photos = [p.box for p in view.pictures if area(p.box) >= _PHOTO * view.page_area]
    reach = _NEAR_PT * view.scale
    near = {(n, m): reach - apart + 1.0 for n, one in enumerate(told) for m, photo in enumerate(photos)
            if (apart := gap(union(line.box for line in one.text), photo)) <= reach}  # fmt: skip
    return [(told[n], photos[m]) for n, m in sorted(best_assignment(near))]


def _draft(told: _Told, photo: Box) -> Draft:
    name = union(line.box for line in told.name)
    box = union(line.box for line in told.text)
    value = told.value
    attributes = {"product_name": text_value(told.said, name, value.evidence.page_number, "title", _FOUND)}
    contexts: dict[str, str] = {}
    custom = take_fields([Field(told.label, label_kind(told.label), box, value)], attributes, contexts)
    add_currency(attributes)
    return Draft(box=union([box, photo]), anchor=box, attributes=attributes, custom=custom, contexts=contexts,
                 confidence=_FOUND, picture=photo)  # fmt: skip
