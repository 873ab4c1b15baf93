"""Lists of facts: bulleted or labelled lines under each other with what they go on with, or a table of labels and
values."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from catalogsku.core.box import Box, centre, contains_point, height, holds_centre, union
from catalogsku.core.text import fold, has_han, trim
from processing.engine.page import Cell, Line, Table
from processing.engine.understanding.evidence import part_box
from processing.engine.understanding.rules.dictionaries.terms import CONTACTS, SPECIFICATION_HEADS
from processing.engine.understanding.rules.in_force import kept
from processing.engine.understanding.rules.labels import CODE_OR_NUMBER, FOREIGN, label_kind
from processing.engine.understanding.rules.shapes import is_code
from processing.engine.understanding.rules.wording import is_figure_caption
from processing.engine.understanding.view import PageView

# A bullet before an item; a dash or a star only with a space behind it.
_BULLET = re.compile(r"^\s*(?:[•·●○◦▪■□◆◇➢➤►▶✓✔√★\uf000-\uf0ff]\s*|[*–-]\s+)(?=\S)")
_PAIR = re.compile(r"^([^:：]{1,40}?)\s*[:：]\s*(.*)$", re.DOTALL)
_ADDRESS = re.compile(r"\w@\w|www\.")
_CLOCK = re.compile(r"\d$")
# Lines of one list: heights of print between them, print sizes by which they begin apart, how unlike their sizes may be
# and where these were recognised.
_HOLE, _ITEM_HOLE, _INDENT = 0.9, 2.2, 2.2
_ONE_PRINT, _RECOGNISED_PRINT = 1.12, 1.4
# A bulleted item that ends so does not go on.
_ENDS = (";", "；", ".", "。")
_LEAST_ITEMS, _LEAST_FAR = 3, 2
# Of a table's rows, those that must have a label beside a value; signs of the longest label, and in Latin letters.
_MOSTLY, _LONGEST_LABEL, _LONGEST_LATIN = 0.8, 24, 48
# A mean item of a list of facts is no longer than that; running text is.
_LONGEST_FACT = 90


@dataclass(frozen=True)
class Fact:
    """One item. ``label`` is empty where it has none; ``value`` is then the whole item; ``box`` is the value's.
    ``key``: what it gives whatever its label says."""

    label: str
    value: str
    box: Box
    key: str = ""

    @property
    def kind(self) -> str | None:
        return self.key or (label_kind(self.label) if self.label else None)

    @property
    def gives_code(self) -> bool:
        return self.kind == "model" or (self.kind == CODE_OR_NUMBER and is_code(self.value))


@dataclass(frozen=True)
class FactList:
    """``named``: lines without a label right under the code that it begins with. ``print``: a line of it, to measure
    headings by. ``tabled``: a table of labels and values."""

    facts: tuple[Fact, ...]
    box: Box
    print: Line
    named: tuple[Line, ...] = ()
    tabled: bool = False

    @property
    def is_coded(self) -> bool:
        return not self.tabled and self.facts[0].gives_code


def find_fact_lists(view: PageView) -> list[FactList]:
    """Lists of at least three facts, down the page; no addresses, running text or tables of registers."""
    if "fact_lists" not in view.seen:
        view.seen["fact_lists"] = _fact_lists(view)
    lists: list[FactList] = view.seen["fact_lists"]
    return lists


def _fact_lists(view: PageView) -> list[FactList]:
    tables = [fact_list for table in view.page.tables if (fact_list := _of_table(view, table))]
    inside = [table.box for table in tables]
    free = [line for line in view.lines if not holds_centre(inside, line.box)]
    begun = sum(map(_begins_item, free)) >= _LEAST_ITEMS
    lists = (
        [fact_list for run in _runs(view, free) for part in _parts(run) if (fact_list := _of_lines(part, free))]
        if begun
        else []
    )
    return sorted([*tables, *lists], key=lambda fact_list: (fact_list.box[1], fact_list.box[0]))


def _runs(view: PageView, lines: Sequence[Line]) -> list[list[Line]]:
    """Lines in one print that stand close under each other and begin about alike."""
    unlike = _RECOGNISED_PRINT if view.page.ocr else _ONE_PRINT
    runs: list[list[Line]] = []
    near: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: (line.box[1], line.box[0])):
        near = [run for run in near if line.box[1] - run[-1].box[3] <= _ITEM_HOLE * height(run[-1].box)]
        own = [run for run in near if _goes_on(run, line, unlike)]
        if own:
            min(own, key=lambda run: (line.box[1] - run[-1].box[3], abs(line.box[0] - run[-1].box[0]))).append(line)
        else:
            runs.append([line])
            near.append(runs[-1])
    return runs


def _goes_on(run: Sequence[Line], line: Line, unlike: float) -> bool:
    last = run[-1]
    high = max(height(last.box), height(line.box))
    hole = line.box[1] - last.box[3]
    aside = min(abs(line.box[0] - last.box[0]), abs(line.box[0] - run[0].box[0]))
    sizes = sorted((max(line.size, 1.0), max(last.size, 1.0)))
    if aside > _INDENT * high or not -0.5 * high <= hole <= _ITEM_HOLE * high or sizes[1] > unlike * sizes[0]:
        return False
    if _begins_item(line):
        return True
    opened = last.text.rstrip().endswith((":", "：")) or _is_code_line(last)
    prominent = (line.bold and not last.bold) or (_is_capital(line.text) and not _is_capital(last.text))
    return (opened or hole <= _HOLE * high) and not prominent


def _is_capital(text: str) -> bool:
    letters = [char for char in text if char.isalpha()]
    return len(letters) > 3 and all(char.isupper() for char in letters)


def _begins_item(line: Line) -> bool:
    return is_bulleted(line.text) or bool(label_of(line.text))


def is_bulleted(text: str) -> bool:
    return _BULLET.match(text) is not None


@kept(4096)
def label_of(text: str) -> str:
    """The printed label of an item, without its bullet; empty where it has none."""
    plain = _BULLET.sub("", trim(text))
    pair = _PAIR.match(plain)
    label = trim(pair.group(1)) if pair else ""
    if not pair or not any(map(str.isalpha, label)) or is_figure_caption(label) or is_code(label):
        return ""
    clock = _CLOCK.search(label) is not None and pair.group(2)[:1].isdigit()
    address = fold(label) in ("http", "https") or pair.group(2).startswith("//")
    return "" if clock or address else label


def _parts(run: Sequence[Line]) -> Iterator[list[Line]]:
    """The run, cut where one more code begins the facts of the next product."""
    part: list[Line] = []
    for line in run:
        if part and _is_code_line(line) and any(map(_begins_item, part)):
            yield part
            part = []
        part.append(line)
    yield part


def _is_code_line(line: Line) -> bool:
    return bool(label_of(line.text)) and _fact([line]).gives_code


def _of_lines(part: Sequence[Line], printed: Sequence[Line]) -> FactList | None:
    start = next((n for n, line in enumerate(part) if _begins_item(line)), len(part))
    items: list[list[Line]] = []
    named: list[Line] = []
    bulleted = any(_BULLET.match(line.text) for line in part)
    for line in part[start:]:
        ended = bulleted and bool(items) and items[-1][-1].text.rstrip().endswith(_ENDS)
        if ended or (_begins_item(line) and not (items and bulleted and _is_inside(items[-1][0], line))):
            items.append([line])
        elif len(items) == 1 and _fact(items[0]).gives_code:
            named.append(line)
        else:
            items[-1].append(line)
    facts = tuple(_of_far_values(items, printed) or [_fact(item) for item in items])
    if len(facts) < _LEAST_ITEMS or any(map(_is_contact, facts)) or _is_running_text(facts):
        return None
    own = part[start:]
    return FactList(facts, union(line.box for line in own), own[0], tuple(named))


def _of_far_values(items: Sequence[Sequence[Line]], printed: Sequence[Line]) -> list[Fact]:
    """The facts of a list in which the values of some labels stand in a column far from them, each on the baseline of
    its label; none where fewer than two do, or fewer than two have theirs in their own line. What stands under a label
    that ends with a colon is no value of it but the next label, if a value stands beside it."""
    opened = [item[0] for item in items if item[0].text.rstrip().endswith((":", "："))]
    far = {id(line): value for item in items for line in item if (value := _far_value(line, printed))}
    under = any(id(line) not in far for first, *more in items if first in opened for line in more)
    if under or min(len(items) - len(opened), sum(id(line) in far for line in opened)) < _LEAST_FAR:
        return []
    facts = []
    for first, *more in items:
        if first in opened:
            lines = [line for line in (first, *more) if id(line) in far]
            facts += [
                Fact(trim(line.text.rstrip(" :：")), trim(far[id(line)].text), far[id(line)].box) for line in lines
            ]
        else:
            facts.append(_fact([first, *more]))
    return facts


def _far_value(line: Line, printed: Sequence[Line]) -> Line | None:
    """What stands next on the line's baseline, with no label of its own."""
    level = [
        other for other in printed if other.box[0] > line.box[2] and line.box[1] < centre(other.box)[1] < line.box[3]
    ]
    value = min(level, key=lambda other: other.box[0], default=None)
    return None if value is None or _begins_item(value) else value


def _is_inside(first: Line, line: Line) -> bool:
    """The label in a line that a bulleted item goes on with: behind its bullet, without one of its own."""
    return bool(_BULLET.match(first.text)) and not _BULLET.match(line.text) and line.box[0] > first.box[0] + 2.0


def _fact(lines: Sequence[Line]) -> Fact:
    text = lines[0].text
    for before, line in pairwise(lines):
        text += ("" if _is_tight(before, line) else " ") + line.text.strip()
    plain = _BULLET.sub("", trim(text)).rstrip(";； ")
    label = label_of(plain)
    value = trim(plain[len(label) :].lstrip().lstrip(":：")) if label else plain
    first = _BULLET.sub("", trim(lines[0].text))
    head = trim(first[len(label) :].lstrip().lstrip(":：")) if label else first
    boxes = [line.box for line in lines[1:]] + ([part_box(lines[0], head)] if head else [])
    return Fact(label, value, union(boxes) if boxes else lines[0].box)


def _is_tight(before: Line, line: Line) -> bool:
    """No space belongs between them: Chinese print, or a word that a hyphen parts."""
    ends = before.text.rstrip()[-1:], line.text.lstrip()[:1]
    return has_han("".join(ends)) or (ends[0] == "-" and ends[1].islower())


def _is_contact(fact: Fact) -> bool:
    folded = fold(fact.label)
    return folded in CONTACTS or _ADDRESS.search(fold(fact.value)) is not None


def _is_running_text(facts: Sequence[Fact]) -> bool:
    return sum(len(fact.label) + len(fact.value) for fact in facts) > _LONGEST_FACT * len(facts)


def _of_table(view: PageView, table: Table) -> FactList | None:
    """A table of two columns, labels and values."""
    if table.n_cols != 2 or table.box in view.table_boxes or table.box in view.chart_boxes:
        return None
    rows: dict[int, dict[int, Cell]] = {}
    for cell in table.cells:
        rows.setdefault(cell.row, {})[cell.col] = cell
    pairs = [(row[0], row[1]) for row in rows.values() if len(row) == 2]
    said = [(label, value) for label, value in pairs if _may_be_label(label.text) and trim(value.text)]
    facts = [fact for label, value in said if (fact := _of_cells(label, value))]
    lines = [line for line in view.lines if contains_point(table.box, *centre(line.box))]
    known = not any(fact.kind == FOREIGN for fact in facts)
    if len(facts) < max(_LEAST_ITEMS, _MOSTLY * len(rows)) or not lines or not known or any(map(_is_contact, facts)):
        return None
    return FactList(tuple(facts), table.box, min(lines, key=lambda line: line.size), tabled=True)


def _of_cells(label: Cell, value: Cell) -> Fact | None:
    """The fact of a row; of the head over both columns the code that may stand there."""
    if label.row or fold(label.text).removeprefix("technical ") not in SPECIFICATION_HEADS:
        return Fact(trim(label.text), trim(value.text), value.box)
    head = trim(value.text).split(" ", 1)[0]
    coded = is_code(head) and any(map(str.isalpha, head))
    return Fact("", head, value.box, "model") if coded else None


def _may_be_label(text: str) -> bool:
    plain = trim(text)
    longest = _LONGEST_LABEL if has_han(plain) else _LONGEST_LATIN
    return 0 < len(plain) <= longest and any(map(str.isalpha, plain)) and not is_code(plain)
