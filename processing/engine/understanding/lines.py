"""Printed lines as the analyst wants them: pieces that stand far apart on one baseline are lines of their own."""

from catalogsku.core.box import height, union
from processing.engine.page import Line, Word

# In print sizes; justified text stays below one.
_WIDE_GAP = 2.5


def pieces(line: Line) -> list[Line]:
    """The line, cut where the space between two words is far wider than a space."""
    limit = _WIDE_GAP * max(line.size, height(line.box), 4.0)
    groups: list[list[Word]] = []
    for word in line.words:
        if groups and word.box[0] - groups[-1][-1].box[2] <= limit:
            groups[-1].append(word)
        else:
            groups.append([word])
    if line.vertical or len(groups) < 2:
        return [line]
    return [part_line(line, tuple(group)) for group in groups]


def part_line(line: Line, words: tuple[Word, ...]) -> Line:
    """A line of some of the words."""
    text = " ".join(word.text for word in words)
    return Line(text, union(word.box for word in words), words, line.size, line.bold)
