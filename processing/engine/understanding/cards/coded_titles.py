"""Products whose titles give a code and a name, on one line or beside each other, over their labelled fields."""

from collections.abc import Sequence

from catalogsku.core.box import centre, contains_point, union
from catalogsku.core.text import trim
from processing.engine.page import Line
from processing.engine.result import BASE_KEYS, Value
from processing.engine.understanding.cards.sheets import TITLE, title_area
from processing.engine.understanding.evidence import part_box, text_value
from processing.engine.understanding.labelled_lines import Field
from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.rules.shapes import is_code, is_lettered_code
from processing.engine.understanding.view import PageView

# Points by which a name may stand off the level of the code before it, and by which their sizes may differ.
_LEVEL_PT, _SIZE_PT = 3.0, 1.0
# Print of a title against that of its fields; what begins with a code need not be as large as others, where all tell so
# many of the same things.
_LARGER, _ALIKE = 1.15, 2


def under_coded_titles(view: PageView, fields: list[Field]) -> list[list[Field]]:
    """Fields of several products whose titles give a code and a name: "A-10 Chair". What stands from one title to the
    next is the first one's."""
    size = max((field.size for field in fields), default=0.0)
    large = [line for line in view.lines if line.size >= _LARGER * size > 0]
    titles = [title for line in large for title in (line, _with_name(line, large)) if title and _is_coded_title(title)]
    groups: list[list[Field]] = []
    for title in titles if len(titles) > 1 else ():
        own = title_area(title, titles, (0.0, 0.0, view.page.width_pt, view.page.height_pt))
        group = [field for field in fields if contains_point(own, *centre(field.box))]
        if not group or any(sum(field.kind == key for field in group) > 1 for key in BASE_KEYS):
            return []
        named = in_title(title, view.page.number).items()
        groups.append([Field("", kind, title.box, value, title.size) for kind, value in named] + group)
    labelled = [{field.kind for field in group if field.label} for group in groups]
    alike = len(set[str | None].intersection(*labelled)) >= _ALIKE if labelled else False
    return groups if alike or all(title.size >= TITLE * size for title in titles) else []


def _with_name(code: Line, large: Sequence[Line]) -> Line | None:
    """One title of a code and of the name that stands on its level, right of it."""
    near = [o for o in large if o.box[0] > code.box[2] and abs(centre(o.box)[1] - centre(code.box)[1]) < _LEVEL_PT]
    name = min(near, key=lambda line: line.box[0], default=None)
    if name is None or abs(name.size - code.size) > _SIZE_PT:
        return None
    text, words = f"{code.text} {name.text}", (*code.words, *name.words)
    return Line(text, union((code.box, name.box)), words, code.size, code.bold and name.bold)


def in_title(title: Line, page_number: int) -> dict[str, Value]:
    """Code and name of a title that gives both, else the name."""
    code, _, name = trim(title.text).partition(" ")
    said = {"model": code, "product_name": trim(name)} if _is_coded_title(title) else {"product_name": title.text}
    return {k: text_value(v, part_box(title, v), page_number, "title", 0.95) for k, v in said.items()}


def _is_coded_title(line: Line) -> bool:
    code, _, name = trim(line.text).partition(" ")
    return is_lettered_code(code) and is_name(name) and not is_code(name)
