"""Setting papers as journals do: justified lines with hyphens, columns, tables and figures that float, running heads.

Markup in a text: ``*italic*``, ``**bold**``, ``^raised^``; ``~`` is a space at which no line ends.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from tests.support.catalogues.ink import A4, BLACK, Book, Sheet

_MARKS = re.compile(r"(\*\*.+?\*\*|\*.+?\*|\^.+?\^)")
_RAISED_SIZE, _RAISED_BY = 0.68, 0.34
_SPACE = 0.25
# A gap in a justified line that is wider than this share of the type size looks torn: the line stays ragged.
_WIDEST_GAP = 1.1
# Consonants that are one sound: no word is broken between them.
_PAIRS = re.compile("th|ch|sh|ph|ck|gh|wh|ng|qu|st|[tpbcdfg]r|[pbcfg]l|sp")
_VOWELS = "aeiouy"


@dataclass(frozen=True)
class Piece:
    """Letters of one face; ``raised`` ones are small and high, as marks of references are."""

    text: str
    face: str
    raised: bool = False


Word = tuple[Piece, ...]
Line = list[Word]


@dataclass(frozen=True)
class Look:
    """How a journal's pages look; lengths in points. ``serif`` and ``heads`` name faces of the book."""

    columns: int = 2
    left: float = 48
    right: float = 48
    gap: float = 20
    top: float = 70
    bottom: float = 60
    size: float = 9.6
    leading: float = 1.22
    heads: str = "bold"
    heads_size: float = 10.5
    small: float = 8
    ruled: bool = False

    @property
    def width(self) -> float:
        """Of the printed area."""
        return A4[0] - self.left - self.right

    @property
    def column(self) -> float:
        """Width of one column."""
        return (self.width - self.gap * (self.columns - 1)) / self.columns


@dataclass(frozen=True)
class Table:
    """``rows``: cells as markup, the first row is the head; a row of one cell is a line between groups. ``widths``:
    shares of the whole."""

    caption: str
    rows: Sequence[Sequence[str]]
    widths: Sequence[float]
    notes: Sequence[str] = ()


@dataclass
class Paper:
    """A paper on its way: give it texts and floats in their order, then ``finish``."""

    book: Book
    look: Look
    running: Callable[[Sheet, int], None]
    sheet: Sheet = field(init=False)
    number: int = 0
    y: float = 0
    _column: int = 0
    _begins: float = 0
    _foot: list[float] = field(default_factory=list)
    _floats: list[tuple[bool, float, Callable[[float, float, float], None]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._new_page()

    @property
    def x(self) -> float:
        """Left edge of the column that is being filled."""
        return self.look.left + self._column * (self.look.column + self.look.gap)

    def heading(self, text: str, *, minor: bool = False) -> None:
        """A heading stays with the two lines behind it."""
        look = self.look
        size = look.size if minor else look.heads_size
        self._room(size * 1.6 + look.size * look.leading * 2)
        if self.y > self._begins:
            self.y += size * (0.5 if minor else 0.9)
        line = words_of(text, "italic" if minor else look.heads)
        draw_line(self.sheet, line, self.x, self.y + size, size)
        self.y += size * 1.45

    def text(self, markup: str, *, indent: float = 10, size: float = 0, hang: float = 0) -> None:
        """A paragraph over columns and pages; ``hang`` moves all its lines but the first one in."""
        size = size or self.look.size
        width = self.look.column - hang
        lines = list(lines_of(self.book, words_of(markup), size, width, indent - hang))
        for k, line in enumerate(lines):
            self._room(size * self.look.leading)
            inset = indent if k == 0 else hang
            full = 0.0 if k == len(lines) - 1 else self.look.column - inset
            draw_line(self.sheet, line, self.x + inset, self.y + size, size, justify=full)
            self.y += size * self.look.leading

    def across(self, markup: str, *, size: float, face: str = "body", leading: float = 1.2, inset: float = 0) -> None:
        """Ragged text over the whole width, as titles are; columns begin below it."""
        for line in lines_of(self.book, words_of(markup, face), size, self.look.width - 2 * inset, 0, hyphens=False):
            draw_line(self.sheet, line, self.look.left + inset, self.y + size, size)
            self.y += size * leading
        self._begins = self.y

    def panel(self, parts: Sequence[str], *, size: float) -> None:
        """Justified paragraphs over the whole width between two rules, as abstracts are."""
        look = self.look
        self.sheet.rule(look.left, self.y, A4[0] - look.right, self.y, thick=0.8, colour=BLACK)
        self.y += 6
        for part in parts:
            lines = list(lines_of(self.book, words_of(part), size, look.width, 0))
            for k, line in enumerate(lines):
                full = 0.0 if k == len(lines) - 1 else look.width
                draw_line(self.sheet, line, look.left, self.y + size, size, justify=full)
                self.y += size * 1.25
            self.y += 2.5
        self.y += 4
        self.sheet.rule(look.left, self.y, A4[0] - look.right, self.y, thick=0.8, colour=BLACK)
        self.y += 12
        self._begins = self.y

    def footnote(self, notes: Sequence[str], size: float = 7.6) -> None:
        """Notes under the column that is being filled, which ends above them."""
        lines = [line for note in notes for line in lines_of(self.book, words_of(note), size, self.look.column, 0)]
        top = self._foot[self._column] - len(lines) * size * 1.2 - 8
        self.sheet.rule(self.x, top, self.x + 60, top)
        for k, line in enumerate(lines):
            draw_line(self.sheet, line, self.x, top + 4 + size + k * size * 1.2, size)
        self._foot[self._column] = top - 6

    def table(self, table: Table, *, wide: bool = False) -> None:
        """Comes at the top of the next page (``wide``) or column; in a paper of one column here, where it fits."""
        width = self.look.width if wide else self.look.column
        high = self._draw_table(table, 0, 0, width, dry=True)
        if self.look.columns == 1 and self.y + 8 + high < self._foot[self._column]:
            self._draw_table(table, self.x, self.y + 8, width)
            self.y += 8 + high
            return
        self._floats.append((wide, high, lambda x, y, w: void(self._draw_table(table, x, y, w))))

    def figure(self, draw: Callable[[Sheet, float, float, float], None], high: float, caption: str) -> None:
        """Comes at the top of the next column; ``draw`` gets sheet, left, top and width."""
        size = self.look.small
        lines = list(lines_of(self.book, words_of(caption), size, self.look.column, 0))

        def put(x: float, y: float, width: float) -> None:
            draw(self.sheet, x, y, width)
            for k, line in enumerate(lines):
                draw_line(self.sheet, line, x, y + high + 4 + size + k * size * 1.2, size)

        self._floats.append((False, high + 4 + len(lines) * size * 1.2 + 14, put))

    def finish(self) -> None:
        """What still floats comes on pages of its own; then the last page is closed."""
        while self._floats:
            self._next_column()
        self.book.close(self.sheet)

    def _room(self, high: float) -> None:
        while self.y + high > self._foot[self._column]:
            self._next_column()

    def _next_column(self) -> None:
        if self._column + 1 < self.look.columns:
            self._column += 1
            self.y = self._begins
        else:
            self.book.close(self.sheet)
            self._new_page()
        wide = next((n for n, one in enumerate(self._floats) if one[0]), None)
        if self._column == 0 and wide is not None:
            _, high, put = self._floats.pop(wide)
            put(self.look.left, self.y, self.look.width)
            self.y = self._begins = self.y + high
        while self._floats and not self._floats[0][0] and self.y + self._floats[0][1] < self._foot[self._column]:
            _, high, put = self._floats.pop(0)
            put(self.x, self.y, self.look.column)
            self.y += high

    def _new_page(self) -> None:
        self.number += 1
        self.sheet = self.book.sheet()
        self.running(self.sheet, self.number)
        self._column = 0
        self._foot = [A4[1] - self.look.bottom] * self.look.columns
        self.y = self._begins = self.look.top

    def _draw_table(self, table: Table, x: float, y: float, width: float, *, dry: bool = False) -> float:
        """Returns its height with the space behind it; ``dry`` draws nothing."""
        look, size = self.look, self.look.small
        step, top = size * 1.25, y
        sheet = Sheet(self.book.faces, A4[0], A4[1]) if dry else self.sheet
        y = self._small(sheet, table.caption, x, y, width, size + 0.4) + 3
        edges = [x + width * sum(table.widths[:k]) / sum(table.widths) for k in range(len(table.widths) + 1)]
        marks = [y]
        for number, row in enumerate(table.rows):
            face = look.heads if number == 0 else "italic" if len(row) == 1 else "body"
            ends = [edges[-1]] if len(row) == 1 else edges[1:]
            cells = [
                list(lines_of(self.book, words_of(cell, face), size, end - start - 6, 0, hyphens=False))
                for cell, start, end in zip(row, edges, ends, strict=False)
            ]
            high = max(len(lines) for lines in cells) * step + (5 if look.ruled or number == 0 else 2)
            for k, lines in enumerate(cells):
                for n, line in enumerate(lines):
                    inset = 3.0 if k == 0 else (edges[k + 1] - edges[k] - line_width(sheet, line, size)) / 2
                    draw_line(sheet, line, edges[k] + inset, y + 2 + size + n * step, size)
            y += high + (3 if number == len(table.rows) - 1 else 0)
            marks.append(y)
        self._rules(sheet, table, edges, marks)
        y += 3
        for note in table.notes:
            y = self._small(sheet, note, x, y, width, size - 0.8)
        return y + 14 - top

    def _rules(self, sheet: Sheet, table: Table, edges: Sequence[float], marks: Sequence[float]) -> None:
        """All lines of a grid, or the three that a journal sets."""
        kept = marks if self.look.ruled else (marks[0], marks[1], marks[-1])
        for mark in kept:
            sheet.rule(edges[0], mark, edges[-1], mark, colour=BLACK, thick=0.5 if self.look.ruled else 0.7)
        if not self.look.ruled:
            return
        for edge in (edges[0], edges[-1]):
            sheet.rule(edge, marks[0], edge, marks[-1], colour=BLACK, thick=0.5)
        for edge in edges[1:-1]:
            for number, row in enumerate(table.rows):
                if len(row) > 1:
                    sheet.rule(edge, marks[number], edge, marks[number + 1], colour=BLACK, thick=0.5)

    def _small(self, sheet: Sheet, markup: str, x: float, y: float, width: float, size: float) -> float:
        for line in lines_of(self.book, words_of(markup), size, width, 0, hyphens=False):
            draw_line(sheet, line, x, y + size, size)
            y += size * 1.22
        return y


def void(_: object) -> None:
    """Forgets what it is handed."""


def words_of(markup: str, face: str = "body") -> Line:
    """The words of a text, each in pieces of one face."""
    words: Line = []
    word: list[Piece] = []
    for part in _MARKS.split(markup):
        style, raised, text = face, False, part
        if part.startswith("**"):
            style, text = "bold", part[2:-2]
        elif part.startswith("*"):
            style, text = "italic", part[1:-1]
        elif part.startswith("^"):
            raised, text = True, part[1:-1]
        for k, bit in enumerate(text.split(" ")):
            if k and word:
                words.append(tuple(word))
                word = []
            if bit:
                word.append(Piece(bit.replace("~", " "), style, raised))
    return [*words, tuple(word)] if word else words


def lines_of(
    book: Book, words: Line, size: float, width: float, indent: float, *, hyphens: bool = True
) -> Iterator[Line]:
    """Lines no wider than ``width``, the first one shorter by ``indent``."""
    sheet = Sheet(book.faces, A4[0], A4[1])
    left, line = list(reversed(words)), Line()
    room = width - indent
    while left:
        word = left.pop()
        wide = word_width(sheet, word, size) + (size * _SPACE if line else 0)
        if wide <= room:
            line.append(word)
            room -= wide
            continue
        broken = _broken(sheet, word, size, room - size * _SPACE) if hyphens else None
        if broken:
            line.append(broken[0])
            word = broken[1]
        if line:
            yield line
        line, room = [word], width - word_width(sheet, word, size)
    if line:
        yield line


def draw_line(sheet: Sheet, line: Line, x: float, y: float, size: float, *, justify: float = 0) -> None:
    """One line with its baseline at ``y``; ``justify`` is the width that its gaps are widened to."""
    gap = size * _SPACE
    if justify and len(line) > 1:
        wanted = gap + (justify - line_width(sheet, line, size)) / (len(line) - 1)
        gap = wanted if wanted < size * _WIDEST_GAP else gap
    for word in line:
        for piece in word:
            small = size * _RAISED_SIZE if piece.raised else size
            rise = size * _RAISED_BY if piece.raised else 0
            x += sheet.text(x, y - rise, piece.text, face=piece.face, size=small)
        if word is not line[-1]:
            sheet.text(x, y, " ", face=word[-1].face, size=size)
        x += gap


def line_width(sheet: Sheet, line: Line, size: float) -> float:
    """With gaps of the usual width."""
    return sum(word_width(sheet, word, size) for word in line) + size * _SPACE * (len(line) - 1)


def word_width(sheet: Sheet, word: Word, size: float) -> float:
    return sum(
        sheet.faces[piece.face].width(piece.text, size * (_RAISED_SIZE if piece.raised else 1)) for piece in word
    )


def _broken(sheet: Sheet, word: Word, size: float, room: float) -> tuple[Word, Word] | None:
    """The word over two lines, as much of it as fits in the first one."""
    if not word or word[0].raised:
        return None
    first = word[0]
    for at in reversed(list(_breaks(first.text))):
        head = first.text[:at] if first.text[at - 1] == "-" else first.text[:at] + "-"
        begun: Word = (Piece(head, first.face),)
        if word_width(sheet, begun, size) <= room:
            return begun, (Piece(first.text[at:], first.face), *word[1:])
    return None


def _breaks(text: str) -> Iterator[int]:
    """Places behind which a word may end on the line: behind its own hyphen, and between two consonants that stand
    between vowels, three letters from either end."""
    for at in range(3, len(text) - 2):
        before, after = text[at - 1].lower(), text[at].lower()
        if before == "-" and text[:at].replace("-", "").isalpha():
            yield at
        whole = re.fullmatch(r"[A-Za-z]+[.,;:)]?", text) is not None and len(text) - at > 3
        between = before not in _VOWELS and after not in _VOWELS
        around = text[at - 2].lower() in _VOWELS and text[at + 1].lower() in _VOWELS
        if whole and between and around and not _PAIRS.fullmatch(before + after):
            yield at
