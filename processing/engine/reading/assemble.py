"""Characters in drawing order -> words, for readers whose library gives none."""

from collections.abc import Iterable
from typing import NamedTuple, Self

from catalogsku.core.box import Box, union
from processing.engine.reading.port import DOWN, LEFT, RIGHT, Glyphs

# In em: a wider gap along the line, or a step across it, ends a word.
_WORD_GAP = 0.2
_LINE_STEP = 0.5
# In em: the same character again, this near, is drawn twice; narrow letters are 0.22 em apart.
_OVERPRINT = 0.12
_VERTICAL_RUN = 3


class Character(NamedTuple):
    """One drawn character; its fields as in Glyphs. An empty text stands for a space."""

    text: str
    box: Box
    size: float
    bold: bool
    turn: int
    invisible: bool
    rgb: int

    @classmethod
    def space(cls) -> Self:
        return cls("", (0.0, 0.0, 0.0, 0.0), 0.0, False, 0, False, 0)


def words_of(characters: Iterable[Character]) -> list[Glyphs]:
    """Words in drawing order: cut at spaces, gaps, steps to another line and changes of direction or visibility."""
    words: list[Glyphs] = []
    current: list[Character] = []
    for char in _written_downwards(_drawn_once(characters)):
        if current and (not char.text or not _continues(current[-1], char)):
            words.append(_word(current))
            current = []
        if char.text:
            current.append(char)
    if current:
        words.append(_word(current))
    return words


def _drawn_once(characters: Iterable[Character]) -> list[Character]:
    """Without the repetitions that make type look bold; what was repeated becomes bold."""
    drawn: list[Character] = []
    places: dict[tuple[str, int, int], list[int]] = {}
    for char in characters:
        if not char.text:
            drawn.append(char)
            continue
        near = _OVERPRINT * max(char.size, 1.0)
        x, y = round(char.box[0] / 4), round(char.box[1] / 4)
        around = [(char.text, x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        twin = next(
            (i for key in around for i in places.get(key, ()) if _same_place(drawn[i].box, char.box, near)), None
        )
        if twin is None:
            places.setdefault((char.text, x, y), []).append(len(drawn))
            drawn.append(char)
        else:
            drawn[twin] = drawn[twin]._replace(bold=True)
    return drawn


def _same_place(a: Box, b: Box, near: float) -> bool:
    return abs(a[0] - b[0]) <= near and abs(a[1] - b[1]) <= near


def _written_downwards(characters: list[Character]) -> list[Character]:
    """Runs of upright characters drawn one below the other are vertical writing, which no matrix tells."""
    turned, start = list(characters), 0
    for index in range(1, len(turned) + 1):
        if index < len(turned) and _below(turned[index - 1], turned[index]):
            continue
        if index - start >= _VERTICAL_RUN:
            turned[start:index] = [c._replace(turn=DOWN) for c in turned[start:index]]
        start = index
    return turned


def _below(a: Character, b: Character) -> bool:
    if not a.text or not b.text or a.turn != RIGHT or b.turn != RIGHT or ord(b.text[0]) < 0x2E80:
        return False
    em = max(a.size, b.size, 1.0)
    middle = (b.box[0] + b.box[2] - a.box[0] - a.box[2]) / 2
    return abs(middle) < 0.3 * em and 0.5 * em < b.box[1] - a.box[1] < 1.5 * em


def _word(characters: list[Character]) -> Glyphs:
    first = characters[0]
    text = "".join(c.text for c in characters)
    size = max(c.size for c in characters)
    bold = 2 * sum(c.bold for c in characters) > len(characters)
    return Glyphs(text, union(c.box for c in characters), size, bold, first.turn, first.invisible, first.rgb)


def _continues(last: Character, char: Character) -> bool:
    if char.turn != last.turn or char.invisible != last.invisible:
        return False
    em = max(last.size, char.size, 1.0)
    gap, step = _along(last.box, char.box, last.turn)
    return -_LINE_STEP * em < gap < _WORD_GAP * em and abs(step) < _LINE_STEP * em


def _along(a: Box, b: Box, turn: int) -> tuple[float, float]:
    """(gap along the writing direction, step of the middle across it) from ``a`` to ``b``."""
    across_y, across_x = (b[1] + b[3] - a[1] - a[3]) / 2, (b[0] + b[2] - a[0] - a[2]) / 2
    if turn == RIGHT:
        return b[0] - a[2], across_y
    if turn == LEFT:
        return a[0] - b[2], across_y
    return (b[1] - a[3], across_x) if turn == DOWN else (a[1] - b[3], across_x)
