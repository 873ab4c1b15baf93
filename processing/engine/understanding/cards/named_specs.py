"""Products that a name and the labelled lines right under it tell, again and again on a page: beside photos that show
several of them, where no picture has a caption of its own."""

from collections.abc import Sequence

from catalogsku.core.box import Box, centre, height, union, width
from catalogsku.core.text import trim
from processing.engine.page import Line
from processing.engine.result import CustomValue, Value
from processing.engine.understanding.captions.names import same_print
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import add_currency, take_on_request, text_value
from processing.engine.understanding.labelled_lines import line_fields
from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.once import as_extractor
from processing.engine.understanding.rules.shapes import is_code, is_price, is_size
from processing.engine.understanding.view import PageView

# Names with the same label under them.
_LEAST = 3
# Share of the page's lines with that label that stand under a name of their own.
_MOSTLY = 0.75
# Of the higher line: how far the middles of two lines under each other are apart at most.
_STEP = 1.6
_SPECIFIED = ("size", "material", "color", "weight", "price")
# A person looks at it: no code, no picture and no table confirms what such a page lists.
_FOUND = 0.72

Group = tuple[Line, list[Line]]


@as_extractor("named")
def extract_named(view: PageView) -> list[Draft]:
    """One product a name with its labelled lines; nothing where these are few or most labels have no name."""
    return [_draft(view, *group) for group in _groups(view)]


def _groups(view: PageView) -> list[Group]:
    """Names with the lines of labels under them, down the page."""
    labelled = {line.box: line_fields(line, view.page.number) for line in view.lines}
    groups: list[Group] = [
        (line, []) for line in view.lines if not labelled[line.box] and _may_name(line) and not _goes_on(view, line)
    ]
    specified = [line for line in view.lines if any(field.kind in _SPECIFIED for field in labelled[line.box])]
    for line in sorted(specified, key=lambda line: centre(line.box)[1]):
        over = [group for group in groups if _is_under(line.box, (group[1] or [group[0]])[-1].box)]
        if over:
            min(over, key=lambda group: _step((group[1] or [group[0]])[-1].box, line.box))[1].append(line)
    filled = [group for group in groups if group[1]]
    kinds = {field.kind for _, lines in filled[:1] for line in lines for field in labelled[line.box]}
    same = [group for group in filled if kinds & {f.kind for line in group[1] for f in labelled[line.box]}]
    placed = sum(len(lines) for _, lines in same)
    return same if len(same) >= _LEAST and placed >= _MOSTLY * len(specified) else []


def _may_name(line: Line) -> bool:
    return is_name(line.text) and not (is_code(line.text) or is_price(line.text) or is_size(line.text))


def _goes_on(view: PageView, line: Line) -> bool:
    """With what stands right above in the same print: it begins in small letters, as the lines of a text do."""
    small = trim(line.text)[:1].islower()
    return small and any(same_print(other, line) and _is_under(line.box, other.box) for other in view.lines)


def _step(a: Box, b: Box) -> float:
    """From the middle of one line down to that of the other."""
    return centre(b)[1] - centre(a)[1]


def _is_under(line: Box, over: Box) -> bool:
    common = min(line[2], over[2]) - max(line[0], over[0])
    near = 0.0 < _step(over, line) <= _STEP * max(height(line), height(over))
    return near and common >= 0.5 * min(width(line), width(over))


def _draft(view: PageView, name: Line, lines: Sequence[Line]) -> Draft:
    attributes: dict[str, Value] = {"product_name": text_value(name.text, name.box, view.page.number, "caption", 0.95)}
    contexts: dict[str, str] = {}
    custom: list[CustomValue] = []
    for field in (field for line in lines for field in line_fields(line, view.page.number)):
        if field.value is None:
            continue
        if field.kind in _SPECIFIED and field.kind not in attributes:
            attributes[field.kind], contexts[field.kind] = field.value, field.label
        else:
            custom.append(CustomValue(field.label, field.value.text, field.value.evidence))
    add_currency(attributes)
    on_request = take_on_request(attributes)
    box = union([name.box, *(line.box for line in lines)])
    return Draft(
        box=box,
        anchor=box,
        attributes=attributes,
        custom=tuple(custom),
        contexts=contexts,
        confidence=_FOUND,
        on_request=on_request,
    )
