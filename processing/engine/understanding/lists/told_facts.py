"""What is told of a page's one product below its title: labels with values in columns under a heading of
specifications, or labelled lines right under the title, in its own print as slides have them."""

from collections.abc import Sequence
from itertools import pairwise

from catalogsku.core.box import height, union
from catalogsku.core.text import trim
from processing.engine.page import Line
from processing.engine.result import Value
from processing.engine.understanding.captions.bare_codes import is_bare_code
from processing.engine.understanding.cards.sheets import may_be_label
from processing.engine.understanding.evidence import text_value
from processing.engine.understanding.labelled_lines import Field, line_fields
from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.rules.headings import heads_facts
from processing.engine.understanding.rules.labels import CODE_OR_NUMBER, label_kind
from processing.engine.understanding.rules.shapes import is_measure
from processing.engine.understanding.tables.open_table import baselines
from processing.engine.understanding.unread import reaches_a_company
from processing.engine.understanding.view import PageView

# Pairs under a heading at least, and labelled lines under a title.
_LEAST_PAIRS, _LEAST_LINES = 4, 3
# Points by which lines of one column begin apart; of a line's height, the hole between two lines of one text, and how
# far apart the first two stand at most, where a bar or white parts them.
_ALIGNED_PT, _CLOSE, _NEXT = 4.0, 0.5, 1.5
# Of the largest print, what a title has at least: figures beside it may be larger.
_LARGE, _ALIKE_PT = 0.7, 0.5
_FOUND = 0.68


def in_columns_under_heading(view: PageView) -> list[Field]:
    """Pairs of one or two columns under the page's only heading of specifications, as long as they go on."""
    heads = [line for line in view.lines if heads_facts(line.text)]
    below = [line for line in view.lines if len(heads) == 1 and line.box[1] >= heads[0].box[3]]
    rows = baselines(below)
    fields: list[Field] = []
    for row in rows:
        if len(row) != len(rows[0]) or len(row) not in (2, 4) or not _begin_alike(row, rows[0]):
            break
        pairs = list(zip(row[::2], row[1::2], strict=True))
        if not all(may_be_label(label) for label, _ in pairs):
            break
        fields += [_field(label, value, view.page.number) for label, value in pairs]
    return fields if len(fields) >= _LEAST_PAIRS else []


def _begin_alike(row: Sequence[Line], first: Sequence[Line]) -> bool:
    return all(abs(a.box[0] - b.box[0]) <= _ALIGNED_PT for a, b in zip(row[::2], first[::2], strict=True))


def _field(label: Line, value: Line, page_number: int) -> Field:
    said = text_value(trim(value.text), value.box, page_number, "label", _FOUND)
    return Field(trim(label.text), label_kind(label.text), union([label.box, value.box]), said, label.size)


def title_and_lines(view: PageView) -> tuple[Line, list[Field]] | None:
    """The page's only labelled lines, all right under each other, and the one unlabelled line that they follow."""
    labelled = [(line, fields[0]) for line in view.lines if len(fields := line_fields(line, view.page.number)) == 1]
    told = [(line, field) for line, field in labelled if field.value]
    if len(told) < _LEAST_LINES or any(reaches_a_company(line.text) for line, _ in labelled):
        return None
    lines = [line for line, _ in told]
    over = [line for line in view.lines if line not in lines and _goes_before(line, lines[0])]
    whole = [*over[:1], *lines]
    if len(over) != 1 or any(_goes_before(line, over[0]) for line in view.lines):
        return None
    if not all(_goes_before(a, b) for a, b in pairwise(whole)):
        return None
    return over[0], [field for _, field in told]


def _goes_before(above: Line, line: Line) -> bool:
    """In no smaller print right over it, beginning where it does."""
    begins = abs(above.box[0] - line.box[0]) <= _ALIGNED_PT and above.size >= line.size - _ALIKE_PT
    return begins and -_CLOSE * height(line.box) <= line.box[1] - above.box[3] <= _NEXT * height(line.box)


def title_over(view: PageView, top: float) -> Line | None:
    """The uppermost of the large lines above ``top`` that may be a name, whole with the next one in its print; no
    smaller than what stands below."""
    above = [line for line in view.lines if line.box[3] <= top and not is_measure(line.text)]
    above = [line for line in above if not heads_facts(line.text)]
    below = max((line.size for line in view.lines if line.box[1] >= top), default=0.0)
    largest = max((line.size for line in above), default=0.0)
    large = [line for line in above if line.size >= _LARGE * largest and is_name(line.text)]
    first = min(large, key=lambda line: (line.box[1], line.box[0]), default=None)
    if first is None or first.size < below - _ALIKE_PT:
        return None
    second = next((line for line in above if line is not first and _is_one(first, line)), None)
    if second is None:
        return first
    text, words = f"{trim(first.text)} {trim(second.text)}", (*first.words, *second.words)
    return Line(text, union([first.box, second.box]), words, first.size, first.bold)


def _is_one(first: Line, second: Line) -> bool:
    alike = abs(first.size - second.size) <= _ALIKE_PT and abs(first.box[0] - second.box[0]) <= _ALIGNED_PT
    return alike and first.box[1] < second.box[1] <= first.box[3] + _CLOSE * height(first.box)


def labelled_code(view: PageView) -> Value | None:
    """The only code on the page that stands alone right of the label of one, which other pages may have there too."""
    found = [
        text_value(trim(code.text), code.box, view.page.number, "label", _FOUND)
        for row in baselines(view.page.lines)
        for label, code in pairwise(row)
        if label_kind(label.text) in ("model", CODE_OR_NUMBER) and is_bare_code(code)
    ]
    return found[0] if len(found) == 1 else None
