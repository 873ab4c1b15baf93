"""Headings over lists of facts: the print of the page that gives each list a heading of its own."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from catalogsku.core.box import Box, centre, height, holds_centre, union
from catalogsku.core.text import fold, has_han, trim
from processing.engine.assignment import best_assignment
from processing.engine.page import Line
from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.lists.facts import FactList
from processing.engine.understanding.rules.headings import (
    is_category_heading,
    is_document,
    is_drawing,
    is_sample_heading,
    is_works_heading,
    names_no_thing,
)
from processing.engine.understanding.rules.shapes import is_code, is_extent, is_price
from processing.engine.understanding.rules.wording import is_sentence
from processing.engine.understanding.view import PageView

# A heading is in so much larger print than its list, or bold or in capitals where that is not; the print of one kind
# of headings differs by no more, where it was recognised and where it is printed.
_LARGER, _RECOGNISED_ALIKE, _ALIKE = 1.15, 1.2, 1.05
# Lines of one heading: heights of print between them, points by which they begin apart, how unlike their sizes are.
_CLOSE, _ALIGNED_PT, _TOGETHER = 0.6, 5.0, 1.3
# Of its height: how far words of one line stand higher or lower; of its size, the hole between them.
_BASELINE, _WORD = 0.2, 0.75
# Of the page: how far a list is under its heading and beside it. A step aside counts so much of one down.
_UNDER, _BESIDE, _ASIDE = 0.6, 0.45, 0.5
_IN_BRACKETS = re.compile(r"[(\[（【].*[)\]）】]")
_NUMBERED = re.compile(r"\d{1,2}(\.\d{1,2})*[.、)]?(\s|$)|[0-9]{1,2}$")


@dataclass(frozen=True)
class Heading:
    """The lines of one heading, the first in the page's own language."""

    lines: tuple[Line, ...]

    @property
    def box(self) -> Box:
        return union(line.box for line in self.lines)

    @property
    def size(self) -> float:
        return max(line.size for line in self.lines)

    @property
    def bold(self) -> bool:
        return self.lines[0].bold

    @property
    def in_capitals(self) -> bool:
        return is_capital(self.lines[0].text)


Headed = tuple[Heading, tuple[FactList, ...]]


def is_capital(text: str) -> bool:
    letters = [char for char in text if char.isalpha()]
    return len(letters) > 3 and all(char.isupper() for char in letters)


def headed_lists(view: PageView, lists: Sequence[FactList], alike: float = 0.0) -> list[Headed]:
    """The headings of one print over or beside the lists, each with its own; the kind of which most have a list and
    none, or as few as may be, has not. Of several such kinds the nearest, and where all stand under one heading the
    largest. ``alike``: how unlike their sizes may be, else as little as print of one kind varies."""
    candidates = [heading for heading in _headings(view, lists) if _may_name(heading)]
    best: tuple[int, int, float, list[Headed]] = (0, 0, 0.0, [])
    for kind in _kinds(view, candidates, alike):
        pairs = _paired(view, kind, lists)
        idle = len(kind) - len(pairs)
        apart = sum(_step(view, heading, own[0]) or 0.0 for heading, own in pairs)
        near = -apart if len(pairs) > 1 else max(heading.size for heading in kind)
        held = sum(len(own) for _, own in pairs)
        if (len(pairs) - idle, held, near) > best[:3] and not any(map(_tells_twice, pairs)):
            best = len(pairs) - idle, held, near, pairs
    return best[3]


def _headings(view: PageView, lists: Sequence[FactList]) -> list[Heading]:
    """Prominent lines outside the lists, those that stand close under each other as one."""
    usual = min((fact_list.print.size for fact_list in lists), default=0.0)
    bold = all(fact_list.print.bold for fact_list in lists)
    capital = all(is_capital(fact_list.print.text) for fact_list in lists)
    taken = [fact_list.box for fact_list in lists] + [picture.box for picture in view.pictures if view.page.ocr]
    free = [line for line in view.lines if not holds_centre(taken, line.box)]
    groups: list[list[Line]] = []
    for line in sorted(free, key=lambda line: (line.box[1], line.box[0])):
        marked = (line.bold and not bold) or (is_capital(line.text) and not capital)
        if line.size < _LARGER * usual and not (marked and line.size >= usual / _LARGER):
            continue
        own = next((group for group in groups if _belongs(group[-1], line)), None)
        if own is None:
            groups.append([line])
        else:
            own.append(line)
    return [Heading(tuple(group)) for group in groups]


def _belongs(above: Line, line: Line) -> bool:
    sizes = sorted((above.size, line.size))
    if _is_behind(above, line):
        return True
    close = -0.5 * height(line.box) <= line.box[1] - above.box[3] <= _CLOSE * height(line.box)
    left, middle = abs(above.box[0] - line.box[0]), abs(centre(above.box)[0] - centre(line.box)[0])
    return close and min(left, middle) <= _ALIGNED_PT and sizes[1] <= _TOGETHER * sizes[0]


def _is_behind(last: Line, line: Line) -> bool:
    """The next word in the same print on the same line: letters that are spaced leave wide holes between words."""
    level = abs(last.box[1] - line.box[1]) <= _BASELINE * height(line.box) and abs(last.size - line.size) < 1.0
    return level and 0.0 <= line.box[0] - last.box[2] <= _WORD * line.size


def _may_name(heading: Heading) -> bool:
    """Names a thing: no number, no value, nothing that tells of a company or of what stands beside its products."""
    text = trim(" ".join(line.text for line in heading.lines))
    if names_no_thing(text) or _NUMBERED.match(text) or is_sentence(heading.lines[0].text):
        return False
    others = (is_works_heading, is_document, is_drawing, is_sample_heading, is_category_heading, is_price, is_extent)
    return is_name(heading.lines[0].text) and not any(test(heading.lines[0].text) for test in others)


def _kinds(view: PageView, headings: Sequence[Heading], alike: float) -> Iterator[list[Heading]]:
    """Headings in one print, codes and names apart, for each of them once."""
    alike = max(alike, _RECOGNISED_ALIKE if view.page.ocr else _ALIKE)
    styles = [(heading.bold, heading.in_capitals, is_code(joined(heading))) for heading in headings]
    for style in dict.fromkeys(styles):
        own = sorted(
            (h for h, of in zip(headings, styles, strict=True) if of == style), key=lambda heading: heading.size
        )
        while own:
            yield [heading for heading in own if heading.size <= alike * own[0].size]
            own = [heading for heading in own if heading.size > alike * own[0].size]


def _paired(view: PageView, headings: Sequence[Heading], lists: Sequence[FactList]) -> list[Headed]:
    """Each heading with the list that all together have nearest, and the lists left over with the nearest heading."""
    far = 2.0 * (view.page.width_pt + view.page.height_pt)
    steps = {
        (n, m): far - step
        for n, heading in enumerate(headings)
        for m, fact_list in enumerate(lists)
        if (step := _step(view, heading, fact_list)) is not None
    }
    own = {n: [m] for n, m in best_assignment(steps)}
    for m in set(range(len(lists))) - {m for taken in own.values() for m in taken}:
        nearest = max((n for n in own if (n, m) in steps), key=lambda n: steps[n, m], default=None)
        if nearest is not None:
            own[nearest].append(m)
    return [(headings[n], tuple(lists[m] for m in sorted(taken))) for n, taken in sorted(own.items())]


def _tells_twice(pair: Headed) -> bool:
    """Lists of one heading that tell the same things: they are those of several products."""
    labels = Counter(
        label for fact_list in pair[1] for label in {fold(fact.label) for fact in fact_list.facts if fact.label}
    )
    return sum(times > 1 for times in labels.values()) > 1


def _step(view: PageView, heading: Heading, fact_list: FactList) -> float | None:
    """How far the list is from the heading; None where it does not stand under or right beside it."""
    down = fact_list.box[1] - heading.box[3]
    aside = max(fact_list.box[0] - heading.box[2], heading.box[0] - fact_list.box[2], 0.0)
    level = fact_list.box[1] >= heading.box[1] - height(heading.box) and aside > 0
    if not (down >= -0.5 * heading.size or level):
        return None
    if down > _UNDER * view.page.height_pt or aside > _BESIDE * view.page.width_pt:
        return None
    return max(down, 0.0) + _ASIDE * aside


def joined(heading: Heading) -> str:
    """The heading's text: lines in another script than the first's, a translation of it, and those in brackets are left
    out."""
    first, *others = heading.lines
    text = trim(first.text)
    for line in others:
        if has_han(line.text) != has_han(text) or _IN_BRACKETS.fullmatch(trim(line.text)):
            break
        text += ("" if has_han(text[-1] + line.text[0]) else " ") + trim(line.text)
    return text
