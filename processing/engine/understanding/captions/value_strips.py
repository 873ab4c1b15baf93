"""Labels with their values set under their middle or their begin, in strips at captioned pictures: "Width | Length |
Weight" over "620 mm | 1140 mm | 183 kg". Each strip tells of the product that it stands at."""

from collections import Counter
from collections.abc import Sequence

import msgspec

from catalogsku.core.box import Box, centre, contains_point, gap, height, union
from catalogsku.core.text import trim
from processing.engine.page import Line
from processing.engine.result import BASE_KEYS
from processing.engine.understanding.captions.text import take_fields
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import text_value
from processing.engine.understanding.labelled_lines import Field
from processing.engine.understanding.rules.labels import CODE_OR_NUMBER, SIZE_OR_TEXT, SIZE_PART, label_kind
from processing.engine.understanding.rules.shapes import has_value, is_code, is_extent
from processing.engine.understanding.view import PageView

_KINDS = frozenset((*BASE_KEYS, SIZE_PART, SIZE_OR_TEXT, CODE_OR_NUMBER)) - {"product_name", "description"}
# Products that have strips, and labels of each; how far from its caption and picture one stands.
_LEAST, _LABELS, _NEAR_PT = 2, 2, 60.0
# Points by which boxes of lines that follow each other may overlap; of the type's size, how far off the middle is.
_OVERLAP, _OFF = 3.0, 1.0


def with_strips(view: PageView, drafts: list[Draft]) -> list[Draft]:
    """The products of the page, with what the strips at most of them say; as they are where one would say two things of
    one kind."""
    if len(drafts) < _LEAST:
        return drafts
    of: dict[int, list[Field]] = {}
    boxes = [_shown(draft) for draft in drafts]
    others = [p.box for p in view.pictures if all(draft.picture != p.box for draft in drafts)]
    for field in _fields(view, [draft.anchor for draft in drafts]):
        gaps = [gap(box, field.box) for box in [*boxes, *others]]
        nearest = gaps.index(min(gaps))
        if min(gaps) <= _NEAR_PT * view.scale and nearest < len(drafts):
            of.setdefault(nearest, []).append(field)
    told = {n: fields for n, fields in of.items() if len({field.label for field in fields}) >= _LABELS}
    doubled = any(max(Counter(field.label for field in fields).values()) > 1 for fields in told.values())
    if doubled or 2 * len(told) < max(_LEAST, len(drafts)):
        return drafts
    return [_with_fields(draft, told.get(n, [])) for n, draft in enumerate(drafts)]


def _shown(draft: Draft) -> Box:
    return union([draft.box, draft.picture]) if draft.picture else draft.box


def _with_fields(draft: Draft, fields: Sequence[Field]) -> Draft:
    attributes, contexts = dict(draft.attributes), dict(draft.contexts)
    custom = (*draft.custom, *take_fields(fields, attributes, contexts))
    box = union([draft.box, *(field.box for field in fields)])
    return msgspec.structs.replace(draft, attributes=attributes, contexts=contexts, custom=custom, box=box)


def _fields(view: PageView, taken: Sequence[Box]) -> list[Field]:
    """Known labels outside of the captions, each over one value: nothing more stands right under that, as in a list."""
    free = [line for line in view.lines if not any(contains_point(box, *centre(line.box)) for box in taken)]
    labels = [line for line in free if label_kind(line.text) in _KINDS]
    fields = []
    for label in labels:
        kind, value = label_kind(label.text), _under(label, free)
        below = _under(value, free) if value else None
        alone = below is None or label_kind(below.text) is not None
        if value and alone and _may_be_value(kind, value.text):
            said = text_value(value.text, value.box, view.page.number, "label")
            fields.append(Field(trim(label.text), kind, union([label.box, value.box]), said, label.size))
    return fields


def _may_be_value(kind: str | None, text: str) -> bool:
    """What may stand under a label of this kind; a code is one, and measures may begin like labels: "高135cm"."""
    coded = is_code(text) or kind not in ("model", CODE_OR_NUMBER)
    return coded and (is_extent(text) or label_kind(text) is None) and has_value(kind, text)


def _under(line: Line, lines: Sequence[Line]) -> Line | None:
    """The next line, less than a line below this one and set to its middle, or beginning where it does."""
    low = [other for other in lines if other is not line
           and (abs(centre(other.box)[0] - centre(line.box)[0]) <= _OFF * line.size
                or abs(other.box[0] - line.box[0]) <= _OVERLAP)
           and -_OVERLAP <= other.box[1] - line.box[3] <= height(line.box)]  # fmt: skip
    return min(low, key=lambda other: other.box[1], default=None)
