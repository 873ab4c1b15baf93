"""Product cards: fields printed as "label: value", with a title, for one product or several on a page."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from catalogsku.core.box import Box, centre, contains_point, gap, height, union
from catalogsku.core.text import fold, has_han, squash, trim
from processing.engine.page import Cell, Line
from processing.engine.result import BASE_KEYS, CustomValue, Value
from processing.engine.understanding.draft import Draft, Extraction
from processing.engine.understanding.evidence import add_currency, cell_value, part_box, take_on_request, text_value
from processing.engine.understanding.rules.dictionaries.measures import COLOURS, MATERIALS
from processing.engine.understanding.rules.labels import (
    CODE_OR_NUMBER,
    FOREIGN,
    NAME_OR_TEXT,
    SIZE_OR_TEXT,
    label_kind,
)
from processing.engine.understanding.rules.normalise import is_valid_price
from processing.engine.understanding.rules.shapes import (
    all_in,
    has_value,
    is_code,
    is_figure_caption,
    is_heading_word,
    is_measure,
    is_no_value,
    is_number,
    is_on_request,
    is_price,
    is_sentence,
    is_series,
    is_size,
)
from processing.engine.understanding.sheets import (
    code_beside,
    column_pairs,
    only_code,
    sheet_title,
    title_area,
    title_over,
)
from processing.engine.understanding.view import PageView

# Signs before the items of a list; those of symbol fonts lie in the private area.
_PAIR = re.compile(r"^[\s•·●○▪■□◆◇➢➤►▶✓√\uf000-\uf0ff]*([^:：]{1,32}?)\s*[:：]\s*(.*)$", re.DOTALL)
_CODE_AT_END = re.compile(r"^(\D{2,24}?)[\s.]\s*([A-Za-z0-9][\w\-/.]{1,30})$")
_AMOUNT = re.compile(r"^[0-9][0-9.,]*\s?[^\W\d]{1,4}$")
_ALIGNED_PT = 5.0
# Points by which the boxes of lines that follow each other may overlap.
_OVERLAP = 2.0
_SPLIT = re.compile(r"\s{2,}|[;；|]\s*")
_IDENTITY = ("model", "product_name")
# Kinds of specification that make a page without a readable product one for a person.
_SPECIFIED = 2
_SPEC = ("price", "size", "material", "color", "moq", "weight", "packing", "brand")


@dataclass(frozen=True)
class Field:
    """A printed label with its value; ``value`` None where nothing or a "no value" word is printed;
    ``open`` where nothing at all follows the colon."""

    label: str
    kind: str | None
    box: Box
    value: Value | None
    size: float = 0.0
    open: bool = False


def names_a_product(view: PageView) -> bool:
    """Code and name are both printed as labelled fields, whatever else is missing."""
    fields = find_fields(view)
    kinds = {named.kind for field in fields if (named := _named(field, fields)).value}
    return {"model", "product_name"} <= kinds


def specifies_a_product(view: PageView) -> bool:
    """Several specifications of one thing are printed as labelled fields, or one beside its code."""
    fields = find_fields(view)
    kinds = {field.kind for field in fields if field.value and field.kind in (*_SPEC, "model")}
    return len(kinds - {"brand", "packing", "model"}) >= _SPECIFIED - ("model" in kinds)


def extract_cards(view: PageView) -> Extraction:
    """Products given as labelled fields; nothing where the fields name none."""
    if "cards" not in view.kept:
        view.kept["cards"] = _cards(view)
    return view.kept["cards"]


def _cards(view: PageView) -> Extraction:
    fields = find_fields(view)
    fields = [_named(field, fields) for field in fields]
    drafts = [draft for group in _groups(view, known_fields(fields)) if (draft := _card(view, group, fields))]
    return Extraction(tuple(drafts), (), (), tuple(draft.box for draft in drafts), (), "card")


def known_fields(fields: list[Field]) -> list[Field]:
    return [field for field in fields if field.kind in BASE_KEYS]


def _named(field: Field, fields: list[Field]) -> Field:
    """A field whose label says little ("Item", "名称", "规格") is the code, name or size that no other field gives."""
    if field.kind not in (NAME_OR_TEXT, CODE_OR_NUMBER, SIZE_OR_TEXT) or field.value is None:
        return field
    text = field.value.text
    key = "model" if is_code(text) else "size" if field.kind == SIZE_OR_TEXT else "product_name"
    fits = key == "model" or (is_name(text) if key == "product_name" else any(char.isdigit() for char in text))
    taken = any(other.kind == key and other.value for other in fields)
    return replace(field, kind=key) if fits and not taken else field


def find_fields(view: PageView) -> list[Field]:
    """Every label with its value outside the product tables, in reading order."""
    fields = [field for line in view.lines for field in line_fields(line, view.page.number)]
    fields = with_value_column(fields, view.lines, view.page.number)
    fields += column_fields(view.lines, view.page.number)
    taken = [field.box for field in fields]
    for table in view.page.tables:
        if table.box in view.table_boxes:
            continue
        row_of: dict[int, list[Cell]] = {}
        for cell in sorted(table.cells, key=lambda one: one.col):
            row_of.setdefault(cell.row, []).append(cell)
        for cell in table.cells:
            right = next((c for c in row_of[cell.row] if c.col > cell.col and c.text.strip()), None)
            field = _cell_field(cell, right, view)
            if field and not any(contains_point(field.box, *centre(box)) for box in taken):
                fields.append(field)
    return fields


def line_fields(line: Line, page_number: int) -> list[Field]:
    """The fields of one line: "Size: 20 cm  Color: red" holds two, "Item No. A-10" one without a colon."""
    fields = []
    if ":" not in line.text and "：" not in line.text:
        return _labelled_code(line, page_number) or _spaced(line, page_number)
    for segment in _SPLIT.split(line.text):
        pair = _PAIR.match(segment)
        if not pair:
            continue
        label, text = trim(pair.group(1)), trim(pair.group(2))
        kind = label_kind(label)
        if kind is None and (len(label) > 24 or not any(char.isalpha() for char in label)):
            continue
        value = None
        if has_value(kind, text):
            value = text_value(text, part_box(line, text), page_number, "label")
        fields.append(Field(label, kind, line.box, value, line.size, not text))
    return fields


def _labelled_code(line: Line, page_number: int) -> list[Field]:
    """A code right behind its label: "Item No. A-10", "型号 A-10"."""
    found = _CODE_AT_END.match(trim(line.text))
    if found is None or label_kind(found.group(1)) != "model" or not is_code(found.group(2)):
        return []
    value = text_value(found.group(2), part_box(line, found.group(2)), page_number, "label")
    return [Field(found.group(1), "model", line.box, value, line.size)]


def is_extent(text: str) -> bool:
    """A size, or one amount with its unit."""
    return is_size(text) or is_measure(text) or _AMOUNT.match(text) is not None


# What a value looks like that may follow its label without a colon.
_VALUE_OF: dict[str, Callable[[str], bool]] = {
    "model": is_code,
    CODE_OR_NUMBER: is_code,
    "size": is_extent,
    SIZE_OR_TEXT: is_extent,
    "weight": is_extent,
    "price": lambda text: is_price(text) or is_number(text) or is_on_request(text),
    "material": lambda text: all_in(text, MATERIALS),
    "color": lambda text: all_in(text, COLOURS),
}


def _spaced(line: Line, page_number: int) -> list[Field]:
    """A label and, behind a mere space, a value of its kind: "规格 650毫升", "Weight 2 kg"."""
    label, _, text = trim(line.text).partition(" ")
    text = trim(text)
    kind = label_kind(label)
    fits = _VALUE_OF.get(kind or "")
    if fits is None or not fits(text) or is_on_request(line.text) or is_price(line.text) != is_price(text):
        return []
    return [Field(label, kind, line.box, text_value(text, part_box(line, text), page_number, "label"), line.size)]


def with_value_column(fields: list[Field], lines: list[Line], page_number: int) -> list[Field]:
    """Labels without a value take the one to their right, where at least three do so from one common column.

    A single label beside other text proves nothing: "Package:" may simply be empty.
    """
    empty = [field for field in fields if field.value is None and field.open]
    pairs = {id(field): line for field in empty if (line := _right_of(field, lines))}
    columns = [line.box[0] for line in pairs.values()]
    completed = []
    for field in fields:
        line = pairs.get(id(field))
        aligned = line is not None and sum(1 for x in columns if abs(x - line.box[0]) <= _ALIGNED_PT) >= 3
        if line is None or not aligned or not has_value(field.kind, line.text):
            completed.append(field)
            continue
        whole = _whole_value(field.box, line, lines)
        value = text_value(whole.text, whole.box, page_number, "label")
        completed.append(Field(field.label, field.kind, union([field.box, whole.box]), value, field.size))
    return completed


def column_fields(lines: list[Line], page_number: int) -> list[Field]:
    """Labels and values that stand in two columns of print, without colons and rules."""
    fields = []
    for label, first in column_pairs(lines):
        kind, value = label_kind(label.text), _whole_value(label.box, first, lines)
        found = text_value(value.text, value.box, page_number, "label") if has_value(kind, value.text) else None
        fields.append(Field(trim(label.text), kind, union([label.box, value.box]), found, label.size))
    return fields


def _whole_value(label: Box, value: Line, lines: Sequence[Line]) -> Line:
    """The value with its further lines: right below it, beginning where it begins, with no label beside them."""
    whole = value
    for line in sorted(lines, key=lambda one: one.box[1]):
        close = 0.0 <= line.box[1] - whole.box[3] + _OVERLAP <= 0.5 * height(value.box)
        if not close or abs(line.box[0] - value.box[0]) > _ALIGNED_PT or line.size != value.size:
            continue
        y = centre(line.box)[1]
        if any(other.box[1] <= y <= other.box[3] and abs(other.box[0] - label[0]) <= _ALIGNED_PT for other in lines):
            break
        space = "" if has_han(whole.text[-1] + line.text[0]) else " "
        whole = Line(whole.text + space + line.text, union([whole.box, line.box]), whole.words + line.words, line.size)
    return whole


def _right_of(field: Field, lines: list[Line]) -> Line | None:
    """The next line on the label's baseline, unless it is a label itself."""
    y = centre(field.box)[1]
    beside = [line for line in lines if line.box[0] > field.box[2] and line.box[1] <= y <= line.box[3]]
    nearest = min(beside, key=lambda line: line.box[0], default=None)
    return None if nearest is None or _PAIR.match(nearest.text) else nearest


def _cell_field(cell: Cell, right: Cell | None, view: PageView) -> Field | None:
    """A label in one cell and its value in the next."""
    kind = label_kind(cell.text)
    if kind is None or kind == FOREIGN or right is None or label_kind(right.text) is not None:
        return None
    value = cell_value([right], view.page.number) if has_value(kind, right.text) else None
    label = [line for line in view.lines if contains_point(cell.box, *centre(line.box))]
    box = union([*(line.box for line in label), right.box]) if label else union([cell.box, right.box])
    return Field(trim(cell.text), kind, box, value, label[0].size if label else 0.0)


def _groups(view: PageView, fields: list[Field]) -> list[list[Field]]:
    """Fields by product: each goes to the nearest identity label at or above it, without such labels to the title over
    it."""
    lead = next((key for key in _IDENTITY if any(field.kind == key and field.value for field in fields)), None)
    if lead is None:
        if titled := _under_titles(view, fields):
            return titled
        return [fields] if fields and all(_single(fields, key) for key in BASE_KEYS) else []
    heads = [field for field in fields if field.kind == lead and field.value]
    groups: list[list[Field]] = [[head] for head in heads]
    for field in fields:
        if any(field is head for head in heads):
            continue
        nearest = min(range(len(heads)), key=lambda i: _distance(heads[i].box, field.box))
        groups[nearest].append(field)
    return groups


def _under_titles(view: PageView, fields: list[Field]) -> list[list[Field]]:
    """Fields of several products that are named by titles alone, each with its title and the code printed with it."""
    found = [title for field in fields if (title := title_over(view.lines, field.box, field.size))]
    titles = list({title.box: title for title in found}.values())
    groups = []
    for title in titles if len(titles) > 1 else ():
        own = title_area(title, titles, (0.0, 0.0, view.page.width_pt, view.page.height_pt))
        group = [field for field in fields if contains_point(own, *centre(field.box))]
        code = only_code(view.lines, own)
        if not all(_single(group, key) for key in BASE_KEYS) or not (code or any(f.kind == "price" for f in group)):
            continue
        named = [("product_name", title)] + ([("model", code)] if code else [])
        groups.append([_as_field(kind, line, view.page.number) for kind, line in named] + group)
    return groups


def _as_field(kind: str, line: Line, page_number: int) -> Field:
    """What the print says without a label."""
    return Field("", kind, line.box, text_value(line.text, line.box, page_number, "title", 0.95), line.size)


def _single(fields: list[Field], key: str) -> bool:
    return sum(1 for field in fields if field.kind == key) <= 1


def _distance(head: Box, box: Box) -> float:
    """Gap between the boxes; what stands above its identity counts double."""
    return gap(head, box) * (2.0 if box[3] < head[1] else 1.0)


def _card(view: PageView, group: list[Field], fields: list[Field]) -> Draft | None:
    attributes: dict[str, Value] = {}
    contexts: dict[str, str] = {}
    for field in sorted(group, key=lambda f: (f.box[1], f.box[0])):
        if field.kind in BASE_KEYS and field.value and field.kind not in attributes:
            attributes[field.kind] = field.value
            if field.label:
                contexts[field.kind] = field.label
    box = union(field.box for field in group)
    specs = sum(1 for field in group if field.kind in _SPEC)
    size = max(field.size for field in group)
    title = None if "product_name" in attributes else title_near(view, box, size, [field.box for field in fields])
    if title is not None and "model" in attributes and is_series(title.text):
        title = None
    if title is None and "product_name" not in attributes and len(group) == len(known_fields(fields)):
        title = _title_of_page(view, box, "model" in attributes)
    if title is not None:
        attributes["product_name"] = text_value(title.text, title.box, view.page.number, "title", 0.95)
        if "model" not in attributes and (code := code_beside(view.lines, title)):
            attributes["model"] = text_value(code.text, code.box, view.page.number, "title", 0.95)
        box = union([box, title.box])
    labelled = "model" in attributes or any(field.kind in _IDENTITY and field.value for field in group)
    both = all(any(field.kind == key and field.value for field in group) for key in _IDENTITY)
    if not _is_product(attributes, labelled, specs + both):
        return None
    add_currency(attributes)
    price, on_request = attributes.get("price"), take_on_request(attributes)
    return Draft(
        box=box, anchor=box, attributes=attributes, custom=_customs(fields, group, box), contexts=contexts,
        confidence=0.9 if price and labelled else 0.8, price_unclear=bool(price and not is_valid_price(price.text)),
        on_request=on_request,
    )  # fmt: skip


def _title_of_page(view: PageView, fields: Box, coded: bool) -> Line | None:
    """The page's title; where the fields give a code, which may do without a name, only if it begins where they do."""
    title = sheet_title(view)
    aligned = title is not None and abs(title.box[0] - fields[0]) <= _ALIGNED_PT and title.box[3] <= fields[1]
    return title if aligned or not coded else None


def _is_product(attributes: dict[str, Value], labelled: bool, specs: int) -> bool:
    """A labelled identity with a price or two specifications; with a mere title, a price and two more.

    ``specs`` counts a name beside a code, both labelled, as one.
    """
    if not any(key in attributes for key in _IDENTITY):
        return "price" in attributes and specs >= 2
    if labelled:
        return "price" in attributes or (specs >= 2 and bool(set(_SPEC) & set(attributes)))
    return "price" in attributes and specs >= 3


def title_near(view: PageView, box: Box, size: float, taken: Sequence[Box]) -> Line | None:
    """The nearest line in larger print that may be a product's name, rather above than below; where a still larger one
    stands right above it (the name in the other language) that one. ``taken``: what stands in fields."""
    limit = 80.0 * view.scale
    larger = [
        line for line in view.lines
        if line.size > 1.1 * size > 0 and is_name(line.text) and not _PAIR.match(line.text) and not is_code(line.text)
        and not any(contains_point(field, *centre(line.box)) for field in taken)
    ]  # fmt: skip
    near = [line for line in larger if gap(line.box, box) <= limit]
    title = min(near, key=lambda line: (_distance_up(line.box, box), line.box[1]), default=None)
    while title is not None and (above := next((line for line in larger if _is_over(line, title)), None)):
        title = above
    return title


def _distance_up(title: Box, box: Box) -> float:
    """Gap between the boxes; what stands below the fields, the next product's title, counts double."""
    return gap(title, box) * (2.0 if title[1] > box[3] else 1.0)


def _is_over(line: Line, title: Line) -> bool:
    """In larger print right above the title, beginning where it begins."""
    close = 0.0 <= title.box[1] - line.box[3] <= 0.5 * line.size
    return close and line.size > title.size and abs(line.box[0] - title.box[0]) <= _ALIGNED_PT


def is_name(text: str) -> bool:
    """May be a product's name: short, with letters, neither a sentence nor a figure's or a page's heading."""
    value = trim(text)
    return (
        2 <= len(value) <= 70
        and sum(1 for char in value if char.isalpha()) >= 2
        and not (is_no_value(value) or is_sentence(value) or is_figure_caption(value) or is_heading_word(value))
        and label_kind(value) is None
        and "@" not in value.replace(" @ ", "")
        and "www." not in fold(value)
    )


def _customs(fields: list[Field], group: list[Field], box: Box) -> tuple[CustomValue, ...]:
    """Labelled values inside the card that the schema does not know."""
    inside = [
        field for field in fields
        if field.value and field.kind not in BASE_KEYS and gap(field.box, box) <= max(12.0, field.size)
    ]  # fmt: skip
    repeated = [field for field in group if field.value and _is_second(field, group)]
    seen: set[str] = set()
    customs = []
    for field in inside + repeated:
        if field.value and squash(field.label) not in seen:
            seen.add(squash(field.label))
            customs.append(CustomValue(field.label, field.value.text, field.value.evidence))
    return tuple(customs)


def _is_second(field: Field, group: list[Field]) -> bool:
    first = next(
        other for other in sorted(group, key=lambda f: (f.box[1], f.box[0])) if other.kind == field.kind and other.value
    )
    return first is not field
