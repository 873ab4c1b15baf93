"""Products that a name in large print and a text with the same label tell, block after block beside their photos:
neither codes nor prices, and no lists of facts. Read extractor.py first."""

from collections import Counter
from collections.abc import Sequence
from math import dist

from catalogsku.core.box import Box, area, centre, gap, height, union
from catalogsku.core.text import fold, trim
from processing.engine.assignment import best_assignment
from processing.engine.page import Line
from processing.engine.result import BASE_KEYS, Value
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import add_currency, text_value
from processing.engine.understanding.lists.facts import Fact, FactList, label_of
from processing.engine.understanding.lists.headings import Headed, Heading, headed_lists, joined
from processing.engine.understanding.once import as_extractor
from processing.engine.understanding.rules.dictionaries.terms import CONTACTS
from processing.engine.understanding.rules.labels import FOREIGN, label_kind
from processing.engine.understanding.rules.shapes import has_value
from processing.engine.understanding.view import PageView

# Blocks with one label; with one that is known to be a product's two are enough.
_LEAST, _LEAST_KNOWN = 3, 2
# Of the labels: so many have a heading of their own; of the blocks: so many photos.
_MOSTLY = 0.8
# Points by which lines of a text begin apart; of its print, the hole between two of them, and where it was recognised.
_ALIGNED_PT, _HOLE = 5.0, 0.9
# A heading is so much larger than the label, for capitals say little where there is no list; a text about as large.
_LARGE, _LARGER = 1.4, 1.6
# How unlike the sizes of names are that were fitted to their columns.
_ALIKE = 1.15
# Of the smallest of as many pictures as there are blocks: what is smaller is an icon. Beside the gap between photo and
# text, so much of what their middles are apart counts.
_OF_PHOTOS, _MIDDLES = 0.3, 0.25
# Less than any limit: nothing but its print says that such a page is one of products.
_FOUND = 0.68


@as_extractor("told_alike")
def extract_told_alike(view: PageView) -> list[Draft]:
    """One product a name with the label under it; nothing where names or photos are missing."""
    blocks = _blocks(view)
    shown = _shown(view, blocks)
    return [_draft(view, *block, shown.get(n)) for n, block in enumerate(blocks)]


def _blocks(view: PageView) -> list[Headed]:
    """The headings with their texts, of the label that most blocks have."""
    labels = Counter(label for line in view.lines if (label := _own_label(line)))
    for label, times in labels.most_common():
        if times < (_LEAST_KNOWN if label_kind(label) in BASE_KEYS else _LEAST):
            continue
        texts = [_text(view, line) for line in view.lines if _own_label(line) == label]
        headed = [(heading, own[:1]) for heading, own in headed_lists(view, texts, _ALIKE)]
        large = [pair for pair in headed if pair[0].size >= _LARGE * pair[1][0].print.size]
        photos = [p for p in view.pictures if height(p.box) > 2 * large[0][0].size] if large else []
        if len(large) == len(headed) >= _MOSTLY * times and len(photos) >= _MOSTLY * len(large):
            return large
    return []


def _shown(view: PageView, blocks: Sequence[Headed]) -> dict[int, Box]:
    """The photo of each block, all as near as they can be together; nothing where some have none."""
    boxes = [union([heading.box, lists[0].box]) for heading, lists in blocks]
    sizes = sorted((area(p.box) for p in view.pictures), reverse=True)
    photos = [p.box for p in view.pictures if area(p.box) >= _OF_PHOTOS * sizes[min(len(boxes), len(sizes)) - 1]]
    far = 2.0 * (view.page.width_pt + view.page.height_pt)
    near = {
        (n, m): far - gap(box, photo) - _MIDDLES * dist(centre(box), centre(photo))
        for n, box in enumerate(boxes)
        for m, photo in enumerate(photos)
    }
    pairs = best_assignment(near)
    return {n: photos[m] for n, m in pairs} if len(pairs) == len(boxes) else {}


def _own_label(line: Line) -> str:
    """The label with a colon that the line begins with and that may be a product's."""
    label = fold(label_of(line.text))
    return "" if label in CONTACTS or label_kind(label) == FOREIGN else label


def _text(view: PageView, line: Line) -> FactList:
    """The label with its value, and the text above that it goes on with."""
    label = label_of(line.text)
    first = trim(line.text[line.text.find(label) + len(label) :].lstrip(" :："))
    below = _run(line, [other for other in view.lines if other.box[1] > line.box[1]])
    said = trim(" ".join([first, *(trim(part.text) for part in below)]))
    above = _run(line, [other for other in reversed(view.lines) if other.box[1] < line.box[1]])
    box = union(part.box for part in (line, *below, *above))
    value = union(part.box for part in below) if below and not first else line.box
    return FactList((Fact(trim(label), said, value),), box, line)


def _run(line: Line, others: Sequence[Line]) -> list[Line]:
    """Lines right under or over each other that begin where ``line`` does, up to the next label."""
    run = [line]
    for other in sorted(others, key=lambda candidate: abs(candidate.box[1] - line.box[1])):
        aside = abs(other.box[0] - line.box[0]) > _ALIGNED_PT
        if aside or _hole(run[-1].box, other.box) > _HOLE * height(other.box):
            continue
        if label_of(other.text) or other.size > _LARGER * line.size:
            break
        run.append(other)
    return run[1:]


def _hole(a: Box, b: Box) -> float:
    return max(a[1] - b[3], b[1] - a[3], 0.0)


def _draft(view: PageView, heading: Heading, lists: Sequence[FactList], picture: Box | None) -> Draft:
    (fact,), number = lists[0].facts, view.page.number
    attributes: dict[str, Value] = {"product_name": text_value(joined(heading), heading.box, number, "title", 0.95)}
    known = fact.kind in BASE_KEYS and fact.kind not in attributes and fact.kind is not None
    if known and has_value(fact.kind, fact.value):
        attributes[str(fact.kind)] = text_value(fact.value, fact.box, number, "label", 0.95)
    add_currency(attributes)
    box = union([heading.box, lists[0].box])
    contexts = {str(fact.kind): fact.label} if known else {}
    return Draft(box=box, anchor=box, attributes=attributes, contexts=contexts, confidence=_FOUND, picture=picture)
