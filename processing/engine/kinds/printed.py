"""A document's text with the place of each word, folded once, to look many quotes up in."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, pairwise
from typing import NamedTuple

from rapidfuzz.fuzz import partial_ratio_alignment

from catalogsku.core.box import Box, centre, height, rounded, turned, union
from catalogsku.core.text import squash
from processing.engine.evaluation.facts import seen_often
from processing.engine.kinds.amounts import is_cut
from processing.engine.kinds.folding import fold_words, joined
from processing.engine.page import Line, ParsedPage, Word
from processing.engine.understanding.quotes import Folded
from processing.engine.understanding.running import in_margin, running_form

# Letters on each side of a break: fewer are met by chance.
_PIECE = 6
# Tables, figures and notes that a sentence goes on behind: so many blocks, on the same page or one of the next.
_BLOCKS_BETWEEN, _PAGES_BETWEEN = 40, 2
_BREAKS = 3
_SENTENCE_ENDS = ".!?:"
# A running line differs in its numbers from page to page; one of fewer letters may be a row of a table.
_RUNNING_LETTERS = 3
# Columns of text or cells that a line may go on.
_CHAINS_BACK = 60
# In line heights, the most between two lines of one text; in points, by how much lines of one column are indented.
_LINE_GAP, _COLUMN_PT = 0.75, 40.0
# Indel likeness in hundredths at which a place is worth counting its slips: a fifth of the letters may be others.
_ALIKE = 75


class Spot(NamedTuple):
    """Part of a place on one page; a box for each printed line of it, points, as in catalogsku.core.box."""

    page: int
    boxes: tuple[Box, ...]


# Where a quote stands; of several spots where it goes over the end of a page.
Place = tuple[Spot, ...]


class _Placed(NamedTuple):
    """A printed word; ``line`` numbers the lines of the document."""

    word: Word
    page: int
    line: int


_Words = list[_Placed]


class _Upright(NamedTuple):
    """A line's words, and its box as the page is read."""

    box: Box
    words: _Words


class _Piece(NamedTuple):
    start: int
    end: int


@dataclass(frozen=True)
class Hit:
    """A quote found in ``text``, in one piece or, over breaks, in several."""

    text: "_Stream"
    pieces: tuple[_Piece, ...]

    @property
    def ids(self) -> frozenset[int]:
        return frozenset(id(placed.word) for placed in self._words())

    @property
    def place(self) -> Place:
        lines = [
            (page, rounded(union(placed.word.box for placed in words)))
            for (page, _), words in groupby(self._words(), key=lambda placed: (placed.page, placed.line))
        ]
        return tuple(
            Spot(page, tuple(box for _, box in some)) for page, some in groupby(lines, key=lambda line: line[0])
        )

    @property
    def folded(self) -> list[str]:
        """The words that stand there, as ``fold_text`` gives them."""
        return [word for piece in self.pieces for word in self.text.folded(piece)]

    def _words(self) -> _Words:
        return [placed for piece in self.pieces for placed in self.text.words_of(piece)]


class _Stream(Folded):
    """Blocks of printed words after one another, as one text: what is hyphenated at the end of one goes on with the
    next one, unless they stand ``apart``."""

    def __init__(self, blocks: Sequence[Sequence[_Placed]], *, apart: bool = False) -> None:
        printed = [placed for block in blocks for placed in block]
        firsts = accumulate(map(len, blocks), initial=0)
        parts = blocks if apart else [printed]
        folded = [word for part in parts for word in fold_words([placed.word.text for placed in part])]
        super().__init__(joined(folded))
        self._placed: list[_Placed] = []
        self._offsets: list[int] = []
        at, offsets = 0, []
        for (word, _), placed in zip(folded, printed, strict=True):
            offsets.append(at)
            if word:
                self._placed.append(placed)
                self._offsets.append(at)
                at += len(word)
        self._breaks = [offsets[first] for first in firsts if first < len(offsets)]

    def words_of(self, piece: _Piece) -> _Words:
        first = bisect_right(self._offsets, piece.start) - 1
        return self._placed[first : bisect_right(self._offsets, piece.end - 1)]

    def folded(self, piece: _Piece) -> list[str]:
        """The words of a piece, as ``fold_text`` gives them."""
        cuts = [piece.start, *sorted(n for n in range(piece.start + 1, piece.end) if n in self.starts), piece.end]
        return [self.signs[a:b] for a, b in pairwise(cuts)]

    def hits(self, quote: Folded) -> Iterator[Hit]:
        for at in self.found(quote):
            if not is_cut(self, at):
                yield Hit(self, (_Piece(at, at + len(quote.signs)),))

    def broken_hits(self, quote: Folded) -> Iterator[Hit]:
        """A sentence that something stands in the midst of: it breaks off at the end of a block, and goes on where
        another one begins."""
        for n, end in enumerate(self._breaks[1:], 1):
            last = self.signs[max(0, end - _PIECE) : end]
            at = quote.signs.find(last)
            while at >= 0:
                length = at + len(last)
                first = _Piece(end - length, end)
                begins = first.start in self.starts and not is_cut(self, first.start)
                if begins and self._agrees(quote, 0, first) and (rest := self._rest(quote, length, n, _BREAKS)):
                    yield Hit(self, (first, *rest))
                at = quote.signs.find(last, at + 1)

    def _rest(self, quote: Folded, at: int, after: int, breaks: int) -> tuple[_Piece, ...]:
        """Pieces of what the quote has from ``at`` on, in blocks behind the one that ends where ``after`` begins."""
        wanted = quote.signs[at:]
        if not breaks or len(wanted) < _PIECE or quote.signs[at - 1] in _SENTENCE_ENDS:
            return ()
        last_page = self._page_at(self._breaks[after] - 1) + _PAGES_BETWEEN
        for n in range(after, min(after + _BLOCKS_BETWEEN, len(self._breaks))):
            start = self._breaks[n]
            if self._page_at(start) > last_page:
                break
            if not self.signs.startswith(wanted[:_PIECE], start):
                continue
            whole = _Piece(start, start + len(wanted))
            if self._is_word_end(whole.end) and self._agrees(quote, at, whole):
                return (whole,)
            for m in range(n + 1, len(self._breaks)):
                piece = _Piece(start, self._breaks[m])
                if not self._agrees(quote, at, piece):
                    break
                if rest := self._rest(quote, at + piece.end - start, m, breaks - 1):
                    return (piece, *rest)
        return ()

    def _agrees(self, quote: Folded, at: int, piece: _Piece) -> bool:
        """The piece is what the quote has from ``at`` on; no space is forgiven between digits."""
        start, end = piece
        if not self.signs.startswith(quote.signs[at : at + end - start], start) or at + end - start > len(quote.signs):
            return False
        inner = (n for n in range(1, end - start) if self.signs[start + n].isdigit())
        return all(
            (start + n in self.starts) == (at + n in quote.starts) for n in inner if self.signs[start + n - 1].isdigit()
        )

    def _is_word_end(self, at: int) -> bool:
        return at in self.starts or (at + 1 in self.starts and not self.signs[at].isalnum())

    def _page_at(self, at: int) -> int:
        return self._placed[max(0, bisect_right(self._offsets, at) - 1)].page

    def alike(self, quote: Folded) -> Hit | None:
        """The piece that is most like the quote; None where none is much."""
        if not self.signs:
            return None
        best = partial_ratio_alignment(quote.signs, self.signs, score_cutoff=_ALIKE)
        if best is None or best.dest_end <= best.dest_start:
            return None
        return Hit(self, (_Piece(best.dest_start, best.dest_end),))


class PrintedText:
    """All that is printed on the pages of a document, in views of the same words: as it is read on from block to block
    and page to page without its running lines; down the columns, whose lines readers mix with those of a table beside
    them; along the rows across each page, as tables have them; and the running lines alone."""

    def __init__(self, pages: Sequence[ParsedPage]) -> None:
        running = _running_forms(pages)
        read: list[_Words] = []
        columns: list[_Words] = []
        rows: list[_Words] = []
        heads: list[_Words] = []
        count = 0
        for page in pages:
            upright: list[_Upright] = []
            for block in page.blocks:
                words: _Words = []
                for line in block.lines:
                    count += 1
                    placed = [_Placed(word, page.number, count) for word in line.words]
                    if _is_running(line, page, running):
                        heads.append(placed)
                        continue
                    words += placed
                    upright.append(_Upright(turned(line.box, page.turn, page.width_pt, page.height_pt), placed))
                read += [words] if words else []
            columns += _columns(upright)
            rows += _rows(upright)
        self._read, self._columns = _Stream(read), _Stream(columns)
        self._views = (self._read, self._columns, _Stream(rows, apart=True), _Stream(heads, apart=True))

    def find(self, quote: Folded) -> list[Hit]:
        """Each place at which the quote stands sign by sign, once."""
        return (
            _once(hit for view in self._views for hit in view.hits(quote))
            or _once(self._read.broken_hits(quote))
            or _once(self._columns.broken_hits(quote))
        )

    def find_alike(self, quote: Folded) -> Hit | None:
        """Where most of the quote stands; to be asked only about text without digits."""
        return self._read.alike(quote)


def _once(found: Iterable[Hit]) -> list[Hit]:
    hits: list[Hit] = []
    seen: set[int] = set()
    for hit in found:
        if seen.isdisjoint(hit.ids):
            hits.append(hit)
            seen |= hit.ids
    return hits


def _columns(lines: Sequence[_Upright]) -> list[_Words]:
    """Lines right under one another, column by column from left to right."""
    chains: list[list[_Upright]] = []
    for line in sorted(lines, key=lambda line: (line.box[1], line.box[0])):
        over = [chain for chain in chains[-_CHAINS_BACK:] if _is_under(chain[-1].box, line.box)]
        chain = min(over, key=lambda chain: line.box[1] - chain[-1].box[3], default=None)
        if chain is None:
            chains.append([line])
        else:
            chain.append(line)
    chains.sort(key=lambda chain: (chain[0].box[0] // _COLUMN_PT, chain[0].box[1]))
    return [[word for line in chain for word in line.words] for chain in chains]


def _is_under(above: Box, box: Box) -> bool:
    high = min(height(above), height(box))
    return -0.5 * high <= box[1] - above[3] <= _LINE_GAP * high and _shared(above, box, 0) > 0.5


def _rows(lines: Sequence[_Upright]) -> list[_Words]:
    """What stands side by side across the page, row by row."""
    rows: list[list[_Upright]] = []
    for line in sorted(lines, key=lambda line: (centre(line.box)[1], line.box[0])):
        if rows and _shared(rows[-1][0].box, line.box, 1) > 0.5:
            rows[-1].append(line)
        else:
            rows.append([line])
    return [line.words for row in rows for line in sorted(row, key=lambda line: line.box[0])]


def _shared(a: Box, b: Box, axis: int) -> float:
    """How much of the shorter one lies beside the other one, across (0) or down (1) the page."""
    shorter = min(a[axis + 2] - a[axis], b[axis + 2] - b[axis])
    return (min(a[axis + 2], b[axis + 2]) - max(a[axis], b[axis])) / max(1.0, shorter)


def _form(line: Line) -> str:
    """How a running line is known again on another page; empty for what may be a row of a table."""
    form = running_form(line.text)
    if form == "#page":
        return form
    blank = "".join("0" if sign.isdigit() else sign for sign in squash(line.text))
    return blank if sum(map(str.isalpha, blank)) >= _RUNNING_LETTERS else ""


def _running_forms(pages: Sequence[ParsedPage]) -> frozenset[str]:
    margins = [[_form(line) for line in page.lines if in_margin(line.box, page.height_pt)] for page in pages]
    return frozenset(seen_often(margins, len(pages)))


def _is_running(line: Line, page: ParsedPage, running: frozenset[str]) -> bool:
    return in_margin(line.box, page.height_pt) and _form(line) in running
