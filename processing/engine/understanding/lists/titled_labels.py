"""One thing under the page's title, shown by a photo and told by known labels that name what it may be had in, or by
any labels under a heading of specifications: no code, no price and no long list of facts. A person always looks at such
a page."""

from collections.abc import Sequence

from catalogsku.core.box import Box, area, centre, contains_point, union
from catalogsku.core.text import squash, trim
from processing.engine.page import Line
from processing.engine.result import BASE_KEYS, CustomValue, Value
from processing.engine.understanding.captions.bare_codes import is_bare_code
from processing.engine.understanding.cards.sheets import sheet_title
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import cell_value, part_box, text_value
from processing.engine.understanding.labelled_lines import Field, line_fields
from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.lines import part_line
from processing.engine.understanding.lists.told_facts import (
    in_columns_under_heading,
    labelled_code,
    title_and_lines,
    title_over,
)
from processing.engine.understanding.once import way
from processing.engine.understanding.rules.headings import (
    heads_facts,
    is_category_heading,
    is_document,
    is_works_heading,
    names_no_thing,
)
from processing.engine.understanding.rules.labels import EXTRA, FOREIGN, SIZE_OR_TEXT, SIZE_PART, label_kind
from processing.engine.understanding.rules.shapes import has_value, is_code, is_measure, is_price
from processing.engine.understanding.rules.wording import is_series
from processing.engine.understanding.signs import begins_with_code
from processing.engine.understanding.tables.open_table import baselines
from processing.engine.understanding.view import FEW_PHOTOS, PageView

# Signs of the page at most, and labels of different kinds at least.
_MOST_SIGNS, _LEAST = 1500, 2
_SPECIFIED = ("size", "material", "color", "weight", "packing")
_LABELLED = (*_SPECIFIED, SIZE_PART, SIZE_OR_TEXT)
# Points by which labels begin apart, and values; rows that make two columns of them; how close they stand, of a line.
_ALIGNED_PT, _LEAST_ROWS, _NEXT = 4.0, 3, 1.2
# Rows of a table of heads over one of values.
_ONE_ROW = 2
# Labelled lines under a heading of specifications, right after it.
_LEAST_TOLD = 4
# Of the title's print, that of another one, and that of a figure with so few signs.
_AS_LARGE, _LARGER, _FIGURE = 0.9, 1.1, 8
_FOUND = 0.68


@way("titled_labels")
def extract_titled_labels(view: PageView) -> list[Draft]:
    """The page's one product; nothing where it has no such title, photo and labels."""
    coded = _coded_title(view)
    under = _in_table(view, coded) if coded else []
    headed = [] if under else _under_heading(view) or in_columns_under_heading(view)
    title = coded if coded and under else title_over(view, headed[0].box[1]) if headed else sheet_title(view)
    if not under and not headed and (slide := title_and_lines(view)):
        title, headed = slide
    if title is None or not (under or _may_name(title.text)) or view.chars > _MOST_SIGNS:
        return []
    photos = [p.box for p in view.large_photos if not contains_point(p.box, *centre(title.box))]
    if not 0 < len(photos) <= FEW_PHOTOS or any(is_price(line.text) for line in view.lines):
        return []
    fields = headed or under or _fields(view, [line for line in view.lines if line.box[1] >= title.box[3]])
    kinds = {field.kind for field in fields if field.kind in _LABELLED}
    told = headed or (len(kinds) >= _LEAST and kinds & set(_SPECIFIED))
    if not told or any(field.kind == FOREIGN for field in fields):
        return []
    if len({squash(field.label) for field in fields}) < len(fields) or _heads_several(view, title, under, headed):
        return []
    return [_draft(view, title, fields, photos)]


def _heads_several(view: PageView, title: Line, fields: Sequence[Field], headed: Sequence[Field]) -> bool:
    """Another line is as large, under a heading of specifications one above that, or a code stands by itself, no value
    of a table or a label: more than one thing may be told of. Figures that the page makes much of may be larger."""
    code = labelled_code(view)
    own = [title.box, *(field.box for field in (*fields, *headed)), *([code.evidence.bbox] if code else [])]
    others = [line for line in view.lines if not any(contains_point(box, *centre(line.box)) for box in own)]
    others = [line for line in others if not _is_figure(line, title)]
    large = [line for line in others if not headed or line.box[1] < headed[0].box[1]]
    large = [line for line in large if not heads_facts(line.text) and not trim(line.text).isdigit()]
    return any(line.size >= _AS_LARGE * title.size for line in large) or any(map(is_bare_code, others))


def _is_figure(line: Line, title: Line) -> bool:
    text = trim(line.text)
    return line.size > _LARGER * title.size and (len(text) <= _FIGURE or is_measure(text))


def _under_heading(view: PageView) -> list[Field]:
    """The labelled lines right under the page's only heading of specifications, at one edge, as long as they go on."""
    at = [n for n, line in enumerate(view.lines) if heads_facts(line.text)]
    fields: list[Field] = []
    for line in view.lines[at[0] + 1 :] if len(at) == 1 else ():
        told = line_fields(line, view.page.number)
        if len(told) != 1 or (fields and abs(line.box[0] - fields[0].box[0]) > _ALIGNED_PT):
            break
        fields += told
    given = [field for field in fields if field.value]
    return given if len(given) >= _LEAST_TOLD else []


def _may_name(text: str) -> bool:
    others = (names_no_thing, is_document, is_works_heading, is_category_heading, is_series, is_code)
    return is_name(text) and not any(test(text) for test in others)


def _fields(view: PageView, lines: Sequence[Line]) -> list[Field]:
    """Labels with a colon, their values going on in the next line; else those in a column beside one of values."""
    labelled = [(n, field) for n, line in enumerate(lines) for field in line_fields(line, view.page.number)
                if field.value and field.kind in (*_LABELLED, EXTRA, FOREIGN, None)]  # fmt: skip
    if sum(field.kind in _LABELLED for _, field in labelled) >= _LEAST:
        return [_whole(field, lines[n], lines[n + 1 : n + 2], view.page.number) for n, field in labelled]
    return _in_columns(lines, view.page.number)


def _coded_title(view: PageView) -> Line | None:
    """The page's largest line, where that is a code."""
    title = max(view.lines, key=lambda line: line.size, default=None)
    coded = title is not None and begins_with_code(title.text) and " " not in trim(title.text)
    return title if coded and title is not None and not is_document(title.text) else None


def _in_table(view: PageView, title: Line) -> list[Field]:
    """Heads over one row of values, in the page's only table, under the title."""
    tables = [table for table in view.page.tables if table.box[1] >= title.box[3]]
    if len(tables) != 1 or len(view.page.tables) > 1 or tables[0].n_rows != _ONE_ROW:
        return []
    heads, values = ({c.col: c for c in tables[0].cells if c.row == row and c.cols == c.rows == 1} for row in (0, 1))
    pairs = [(label_kind(head.text), head, values[col]) for col, head in heads.items() if col in values]
    return [Field(trim(head.text), kind, union([head.box, value.box]), cell_value([value], view.page.number), 0.0)
            for kind, head, value in pairs if has_value(kind, value.text)]  # fmt: skip


def _whole(field: Field, line: Line, after: Sequence[Line], page_number: int) -> Field:
    """With the next line, where a list of values breaks off at a stroke or a comma."""
    value = field.value
    if value is None or not after or value.text[-1] not in "/,，、" or line_fields(after[0], page_number):
        return field
    below = after[0].box[1] - line.box[3] <= _NEXT * line.size and abs(after[0].box[0] - line.box[0]) <= _ALIGNED_PT
    if not below:
        return field
    text, box = f"{value.text} {trim(after[0].text)}", union([line.box, after[0].box])
    return Field(field.label, field.kind, box, text_value(text, box, page_number, "label", _FOUND), field.size)


def _in_columns(lines: Sequence[Line], page_number: int) -> list[Field]:
    """Of the labels that begin in one column and the values in another those under each other; what was read as one
    line is parted where the values begin."""
    rows = [(row[0], row[1]) for row in baselines(lines) if len(row) == 2 and label_kind(row[0].text)]
    if len(rows) < _LEAST_ROWS:
        return []
    label_x, value_x = rows[0][0].box[0], rows[0][1].box[0]
    if any(abs(a.box[0] - label_x) > _ALIGNED_PT or abs(b.box[0] - value_x) > _ALIGNED_PT for a, b in rows):
        return []
    whole = [line for line in lines if abs(line.box[0] - label_x) <= _ALIGNED_PT and line.box[2] > value_x]
    rows += [parts for line in whole if (parts := _parted(line, value_x)) and label_kind(parts[0].text)]
    return [_field(label, value, page_number) for label, value in sorted(rows, key=lambda row: row[0].box[1])
            if has_value(label_kind(label.text), value.text)]  # fmt: skip


def _parted(line: Line, at: float) -> tuple[Line, Line] | None:
    cut = next((n for n, word in enumerate(line.words) if n and abs(word.box[0] - at) <= _ALIGNED_PT), None)
    return (part_line(line, line.words[:cut]), part_line(line, line.words[cut:])) if cut else None


def _field(label: Line, value: Line, page_number: int) -> Field:
    found = text_value(trim(value.text), value.box, page_number, "label", _FOUND)
    return Field(trim(label.text), label_kind(label.text), union([label.box, value.box]), found, label.size)


def _draft(view: PageView, title: Line, fields: Sequence[Field], photos: Sequence[Box]) -> Draft:
    name = trim(title.text).rstrip(":： ")
    key = "model" if is_code(name) and begins_with_code(name) else "product_name"
    where = part_box(title, name) if title in view.lines else title.box
    attributes: dict[str, Value] = {key: text_value(name, where, view.page.number, "title", _FOUND)}
    if key != "model" and (code := labelled_code(view)):
        attributes["model"] = code
    contexts: dict[str, str] = {}
    custom: list[CustomValue] = []
    for field in fields:
        if field.value is None:
            continue
        if field.kind in _SPECIFIED and field.kind not in attributes:
            attributes[field.kind], contexts[field.kind] = field.value, field.label
        elif field.kind not in BASE_KEYS:
            custom.append(CustomValue(field.label, field.value.text, field.value.evidence))
    box = union([title.box, *(field.box for field in fields)])
    largest = max(photos, key=area)
    return Draft(box=union([box, largest]), anchor=box, attributes=attributes, custom=tuple(custom), contexts=contexts,
                 confidence=_FOUND, picture=largest if len(photos) == 1 else None)  # fmt: skip
