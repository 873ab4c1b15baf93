"""Captions so narrow that a value has no room behind what it belongs to: the code under its label, the last size of a
list under the others."""

from collections.abc import Sequence

from catalogsku.core.box import height, union
from catalogsku.core.text import trim
from processing.engine.page import Line
from processing.engine.understanding.labelled_lines import is_coded, line_fields
from processing.engine.understanding.rules.shapes import is_letter_sizes

# Points by which lines of one text begin apart; of a line's height, the hole between them.
_ALIGNED_PT, _HOLE = 3.0, 0.5


def with_values_below(lines: Sequence[Line]) -> list[Line]:
    """The lines, each such value in one line with what it belongs to."""
    whole: list[Line] = []
    for line in lines:
        last = whole[-1] if whole else None
        if last and _is_under(last, line) and (_is_labelled(last, line) or _lists_on(last, line)):
            text, words = f"{trim(last.text)} {trim(line.text)}", (*last.words, *line.words)
            whole[-1] = Line(text, union([last.box, line.box]), words, line.size, line.bold)
        else:
            whole.append(line)
    return whole


def _is_under(above: Line, line: Line) -> bool:
    hole = line.box[1] - above.box[3]
    return abs(above.box[0] - line.box[0]) <= _ALIGNED_PT and abs(hole) <= _HOLE * height(line.box)


def _is_labelled(above: Line, line: Line) -> bool:
    """A code alone under the label of one, whose colon nothing follows."""
    fields = line_fields(above, 0)
    return len(fields) == 1 and fields[0].open and fields[0].kind == "model" and is_coded(trim(line.text))


def _lists_on(above: Line, line: Line) -> bool:
    """Sizes that end in a comma, and more of them."""
    listed = is_letter_sizes(above.text) and trim(above.text).endswith(",")
    return listed and is_letter_sizes(f"{trim(above.text)} {trim(line.text)}")
