"""Tables without a full set of rules: rows between level rules or on common baselines, columns by white gutters."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import median

from catalogsku.core.box import Box, union
from processing.engine.reading.grids import Grid, GridCell
from processing.engine.reading.layout import text_rows, typical_size
from processing.engine.reading.level_rules import LEAST_BANDS, bands
from processing.engine.reading.merged_cells import with_inner_rules, with_tall_labels
from processing.engine.reading.port import Drawings, Glyphs

# Dots that lead from an entry to the one it belongs with: an ellipsis has three of them.
_DOTS, _LEAST_DOTS = ".·…‧・_", 4
# In em: the least white space between two columns, that between two entries of one row, and the widest step between
# two rows of one table.
_GUTTER = 0.8
_SPACE = 1.35
# In em: white space wider than that between words parts columns too where all that stands right of it begins at one
# place, so far apart at most.
_NARROW, _FLUSH = 0.25, 0.15
_ROW_STEP = 3.0
# A table has at least that many rows and columns; its cells are short and mostly filled.
_LEAST_ROWS = 3
_LEAST_COLS = 3
_MEAN_CHARS = 22
_FILLED = 0.6
# Of the texts that its rows mostly have: a row with no more, as a total or a note, tells nothing of the columns.
_SPARSE = 0.5
# Of a row's height: how unequal rows of one height are.
_UNEQUAL = 0.3
# Rows at least whose entries all stand between where the rules meet; those of others run over several columns.
_LEAST_PARTED = 2
# Of a table's width: what a line of running text takes; so many of them are a paragraph, and so many rows may come
# before the one in which it stands.
_THROUGH_ALL, _PARAGRAPH, _BEFORE = 0.7, 2, 2
# In em: the least height of a band without words that may part two tables.
_EMPTY = 3.5
# Of a row's print, that of a heading over it.
_HEADING = 1.1
_NONE: Mapping[int, Sequence[tuple[int, int]]] = {}


def banded_grids(drawings: Drawings, words: Sequence[Glyphs], width_pt: float) -> list[Grid]:
    """Tables whose rows stand between long level rules, with no rule between the columns."""
    em = typical_size(words)
    grids = []
    for ruled, x0, x1, joints, inner in bands(drawings, width_pt):
        own = [w for w in words if _within(w.box, (x0, ruled[0], x1, ruled[-1]))]
        ys = _under_headings(_with_missing(ruled, own), own, em)
        inside = [[w for w in words if _within(w.box, (x0, top, x1, bottom))] for top, bottom in pairwise(ys)]
        ys, inside = _without_text_above(ys, inside, x1 - x0, em)
        for some, rows in _where_columns_change(ys, inside, x0, x1, em):
            grid = _between(some, rows, joints, (x0, x1), words, em)
            grids += [with_inner_rules(grid, inner)] if grid else []
    return grids


def _where_columns_change(
    ys: Sequence[float], rows: Sequence[list[Glyphs]], x0: float, x1: float, em: float
) -> list[tuple[list[float], list[list[Glyphs]]]]:
    """The rules and what stands between them, apart at the empty bands where the rows on one side have columns that run
    together where all are taken for one table."""
    empty = [n for n, row in enumerate(rows) if not row and ys[n + 1] - ys[n] > _EMPTY * em]
    ends = [(a + 1, b) for a, b in pairwise([-1, *empty, len(rows)]) if b - a > LEAST_BANDS]
    parts = [(list(ys[a : b + 1]), list(rows[a:b])) for a, b in ends]
    columns = [len(gutters([row for row in part if len(segments(row, em)) > 1], x0, x1, em)) for _, part in parts]
    whole = len(gutters([row for row in rows if len(segments(row, em)) > 1], x0, x1, em))
    return parts if len(parts) > 1 and max(columns) > whole else [(list(ys), list(rows))]


def _between(
    ys: list[float],
    inside: list[list[Glyphs]],
    joints: Sequence[float],
    sides: tuple[float, float],
    words: Sequence[Glyphs],
    em: float,
) -> Grid | None:
    """The table whose rows stand between these rules; None where they have no columns."""
    x0, x1 = sides
    filled = [r for r, row in enumerate(inside) if row]
    if len(filled) < LEAST_BANDS:
        return None
    ys, inside = ys[filled[0] : filled[-1] + 2], inside[filled[0] : filled[-1] + 1]
    top = _header_top(words, [x0, *joints, x1], ys[0], em)
    if top < ys[0]:
        ys = [top, *ys]
        inside = [[w for w in words if _within(w.box, (x0, top, x1, ys[1]))], *inside]
    wide = _wide_labels(inside, x0, x1, em)
    if wide:
        at = _below(wide, inside[0])
        ys = [ys[0], at, *ys[1:]]
        inside = [
            *([w for w in inside[0] if (_middle(w) < at) == over] for over in (True, False)),
            *inside[1:],
        ]
    unlabelled = [[w for w in row if not any(w in label for label in wide)] for row in inside]
    entries = [len(segments(row, em)) for row in unlabelled]
    most = max(1.0, _SPARSE * median(n for n in entries if n))
    cuts = gutters([row for row, n in zip(unlabelled, entries, strict=True) if n > most], x0, x1, em)
    cuts = _without_head_gutters(cuts, unlabelled)
    over = [r for r, row in enumerate(unlabelled) if any(_is_cut(w, joints) for w in row)]
    if len(joints) >= len(cuts) and len(unlabelled) - len(over) >= _LEAST_PARTED:
        cuts = list(joints)
    else:
        over = [r for r, row in enumerate(unlabelled) if 1 < entries[r] <= most and any(_is_cut(w, cuts) for w in row)]
    if len(cuts) + 1 >= _LEAST_COLS:
        xs = [x0, *cuts, x1]
        wholes = {r: [(0, len(cuts))] for r, row in enumerate(inside) if _is_title(row, cuts, em)}
        wholes |= {r: _spread(inside[r], xs, em) for r in over if r not in wholes}
        if wide:
            wholes[0] = [columns_of(label, xs) for label in wide]
        grid = _grid(ys, xs, wholes)
        return with_tall_labels(grid, inside[0]) if wide else grid
    return None


def _without_head_gutters(cuts: Sequence[float], rows: Sequence[Sequence[Glyphs]]) -> list[float]:
    """The gutters without those between the label of a column and its values, which stand to one side of it: no row has
    words on both sides, and the rows with words on one are all over those with words on the other."""
    parting: list[float] = []
    for cut, following in pairwise([*cuts, float("inf")]):
        left = parting[-1] if parting else float("-inf")
        before = [r for r, row in enumerate(rows) if any(left < w.box[0] < cut for w in row)]
        behind = [r for r, row in enumerate(rows) if any(cut < w.box[0] < following for w in row)]
        one_sided = before and behind and (max(before) < min(behind) or max(behind) < min(before))
        parting += [] if one_sided else [cut]
    return parting


def _spread(row: Sequence[Glyphs], xs: Sequence[float], em: float) -> list[tuple[int, int]]:
    """The columns that each text of the row reaches into; all of them where two reach into one."""
    spans = [columns_of(segment, xs) for segment in segments(row, em)]
    return spans if all(a[1] < b[0] for a, b in pairwise(spans)) else [(0, len(xs) - 2)]


def _without_text_above(
    ys: list[float], rows: list[list[Glyphs]], wide: float, em: float
) -> tuple[list[float], list[list[Glyphs]]]:
    """The rules and what stands between them, from the head on: over it, between rules as long as the table's, may be
    lines that run through all of its columns."""
    lines = [sorted(text_rows(row), key=lambda line: min(w.box[1] for w in line)) for row in rows]
    through = [[n for n, line in enumerate(own) if _runs_through(line, wide, em)] for own in lines]
    last = max((r for r, crossing in enumerate(through) if len(crossing) >= _PARAGRAPH), default=len(rows))
    if last > min(_BEFORE, len(rows) - LEAST_BANDS - 1):
        return ys, rows
    head = [line for line in lines[last][through[last][-1] + 1 :] if len(segments(line, em)) >= _LEAST_COLS]
    if not head:
        return ys[last + 1 :], rows[last + 1 :]
    top = min(w.box[1] for w in head[0]) - 0.3 * em
    return [top, *ys[last + 1 :]], [[w for w in rows[last] if _middle(w) > top], *rows[last + 1 :]]


def _runs_through(line: Sequence[Glyphs], wide: float, em: float) -> bool:
    return len(segments(line, em)) == 1 and line[-1].box[2] - line[0].box[0] >= _THROUGH_ALL * wide


def _wide_labels(rows: Sequence[Sequence[Glyphs]], x0: float, x1: float, em: float) -> list[list[Glyphs]]:
    """Labels over several columns in the first line of a head, over the labels of each: these and all rows below them
    leave a gutter that such a label crosses."""
    lines = sorted(text_rows(rows[0]), key=lambda line: line[0].box[1])
    below = [row for row in rows[1:] if len(segments(row, em)) > 1]
    if len(lines) < 2 or not below:
        return []
    cuts = gutters([lines[-1], *below], x0, x1, em)
    return [s for s in segments(lines[0], em) if any(s[0].box[0] < cut < s[-1].box[2] for cut in cuts)]


def _below(wide: Sequence[Sequence[Glyphs]], head: Sequence[Glyphs]) -> float:
    """The middle between the labels over several columns and those under them."""
    foot = max(w.box[3] for label in wide for w in label)
    under = [w.box[1] for w in head if _middle(w) > foot]
    return (foot + min(under)) / 2


def columns_of(label: Sequence[Glyphs], xs: Sequence[float]) -> tuple[int, int]:
    """The first and the last column that a label reaches into."""
    left, right = min(w.box[0] for w in label), max(w.box[2] for w in label)
    inside = [c for c, (a, b) in enumerate(pairwise(xs)) if left < b and right > a]
    return inside[0], inside[-1]


def _with_missing(ys: Sequence[float], words: Sequence[Glyphs]) -> list[float]:
    """The rules and those that are missing between rows of text in a list of equal rows, as faint shades of every other
    row on a scan may be: a band as high as several others has as many rows of text."""
    inside = [text_rows([w for w in words if top <= _middle(w) < foot]) for top, foot in pairwise(ys)]
    single = [foot - top for (top, foot), rows in zip(pairwise(ys), inside, strict=True) if len(rows) == 1]
    if len(single) < LEAST_BANDS:
        return list(ys)
    edges = [ys[0]]
    for (top, foot), rows in zip(pairwise(ys), inside, strict=True):
        if len(rows) > 1 and abs(foot - top - len(rows) * median(single)) <= _UNEQUAL * median(single):
            rows.sort(key=lambda row: row[0].box[1])
            edges += [(max(w.box[3] for w in a) + min(w.box[1] for w in b)) / 2 for a, b in pairwise(rows)]
        edges.append(foot)
    return edges


def _under_headings(ys: Sequence[float], words: Sequence[Glyphs], em: float) -> list[float]:
    """The rules, and an edge under each heading that stands in one band with the row below it: alone on its line, in
    larger print than that row."""
    edges = [ys[0]]
    for top, foot in pairwise(ys):
        lines = sorted(text_rows([w for w in words if top <= _middle(w) < foot]), key=lambda line: line[0].box[1])
        if len(lines) == 2 and len(segments(lines[0], em)) == 1 and len(segments(lines[1], em)) >= _LEAST_COLS:
            head, row = lines
            if min(w.size for w in head) >= _HEADING * max(w.size for w in row):
                edges.append((max(w.box[3] for w in head) + min(w.box[1] for w in row)) / 2)
        edges.append(foot)
    return edges


def _is_cut(word: Glyphs, cuts: Sequence[float]) -> bool:
    return any(word.box[0] + 1 < cut < word.box[2] - 1 for cut in cuts)


def _middle(word: Glyphs) -> float:
    return (word.box[1] + word.box[3]) / 2


def _is_title(row: Sequence[Glyphs], cuts: Sequence[float], em: float) -> bool:
    """One run of words across a column's edge: a heading inside the table, with or without further lines under it."""
    lines = text_rows(row)
    if not row or any(len(segments(line, em)) != 1 for line in lines):
        return False
    spans = [(min(w.box[0] for w in line), max(w.box[2] for w in line)) for line in lines]
    flush = max(left for left, _ in spans) - min(left for left, _ in spans) <= em
    return flush and any(left < cut < right for left, right in spans for cut in cuts)


def _within(box: Box, area: Box) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return area[0] <= x <= area[2] and area[1] <= y < area[3]


def _may_head(parts: Sequence[Sequence[Glyphs]]) -> bool:
    """Side by side as columns are, one of them at least without a number: values alone head nothing."""
    wordy = (not any(char.isdigit() for word in part for char in word.text) for part in parts)
    return len(parts) >= _LEAST_COLS and any(wordy)


def _heads_joints(parts: Sequence[Sequence[Glyphs]], xs: Sequence[float]) -> bool:
    """One over each column but the first, as variants stand over their values."""
    return len(parts) > 1 and [columns_of(part, xs) for part in parts] == [(c, c) for c in range(1, len(xs) - 1)]


def _header_top(words: Sequence[Glyphs], xs: Sequence[float], top: float, em: float) -> float:
    """The upper edge of column titles printed over the first rule; ``top`` itself where there are none. ``xs``: where
    the rules meet and end."""
    x0, x1 = xs[0], xs[-1]
    above = [w for w in words if x0 - em <= w.box[0] and w.box[2] <= x1 + em and top - _EMPTY * em <= w.box[1] <= top]
    rows = [row for row in text_rows(above) if _may_head(parts := segments(row, em)) or _heads_joints(parts, xs)]
    return min(w.box[1] for row in rows for w in row) - 0.3 * em if rows else top


def column_gutters(cells: Sequence[Sequence[Glyphs]]) -> list[float]:
    """Where a column whose rules are drawn is several: the middles of the white stretches that all its cells leave
    between their words, the head being the first of them. The head and most others have words on either side."""
    if len(cells) < _LEAST_ROWS:
        return []
    em = typical_size([w for cell in cells for w in cell])
    if len(segments(cells[0], em)) < 2:
        return []
    cuts_kept: list[float] = []
    left = float("-inf")
    cuts = gutters(cells, float("-inf"), float("inf"), em, _NARROW)
    wide = {*gutters(cells, float("-inf"), float("inf"), em, _SPACE)}
    cuts = [cut for cut in cuts if cut in wide or _begin_flush(cells, cut, em)]
    for cut, following in pairwise([*cuts, float("inf")]):
        if _are_filled(cells, left, cut) and _are_filled(cells, cut, following):
            cuts_kept.append(cut)
            left = cut
    return cuts_kept


def _begin_flush(cells: Sequence[Sequence[Glyphs]], cut: float, em: float) -> bool:
    """The words right of the cut begin under each other, mostly with a gutter's space before them: only the longest
    entries left of it come close."""
    starts: list[float] = []
    gaps: list[float] = []
    for cell in cells:
        right = min((w.box[0] for w in cell if w.box[0] > cut), default=None)
        left = max((w.box[2] for w in cell if w.box[0] < cut), default=None)
        if right is not None:
            starts.append(right)
            gaps += [right - left] if left is not None else []
    return bool(gaps) and max(starts) - min(starts) <= _FLUSH * em and median(gaps) >= _SPACE * em


def are_columns(parts: Sequence[Sequence[Glyphs]]) -> bool:
    """Words side by side in all parts, each with a gutter to the next part's."""
    if not all(parts):
        return False
    least = _GUTTER * typical_size([w for part in parts for w in part])
    return all(min(w.box[0] for w in b) - max(w.box[2] for w in a) >= least for a, b in pairwise(parts))


def _are_filled(cells: Sequence[Sequence[Glyphs]], left: float, right: float) -> bool:
    filled = [any(left < w.box[0] < right for w in cell) for cell in cells]
    return filled[0] and sum(filled) >= _FILLED * len(filled)


def gutters(rows: Sequence[Sequence[Glyphs]], x0: float, x1: float, em: float, least: float = _GUTTER) -> list[float]:
    """Middles of the white stretches, at least so many em wide, that no row crosses."""
    spans = sorted((w.box[0], w.box[2]) for row in rows for w in row)
    middles: list[float] = []
    if not spans:
        return middles
    edge = spans[0][1]
    for start, end in spans[1:]:
        if start - edge >= least * em and x0 < edge and start < x1:
            middles.append((edge + start) / 2)
        edge = max(edge, end)
    return middles


def _grid(ys: Sequence[float], xs: Sequence[float], wide: Mapping[int, Sequence[tuple[int, int]]] = _NONE) -> Grid:
    """A full grid; ``wide``: by row the first and the last column of its cells over several."""
    cells = []
    for r, (top, bottom) in enumerate(pairwise(ys)):
        lasts = dict(wide.get(r, ()))
        inner = {c for first, last in lasts.items() for c in range(first + 1, last + 1)}
        for c in range(len(xs) - 1):
            if c not in inner:
                last = lasts.get(c, c)
                cells.append(GridCell(r, c, 1, last - c + 1, (xs[c], top, xs[last + 1], bottom)))
    return Grid((xs[0], ys[0], xs[-1], ys[-1]), len(ys) - 1, len(xs) - 1, tuple(cells))


def is_leader(word: Glyphs) -> bool:
    """Dots that lead from one entry to the next, and say nothing."""
    return len(word.text) >= _LEAST_DOTS and not word.text.strip(_DOTS)


def aligned_grids(words: Sequence[Glyphs]) -> list[Grid]:
    """Tables without any rule: neighbouring lines of short entries that leave the same gutters, white or dotted."""
    em = typical_size(words)
    rows = [row for row in text_rows([w for w in words if not is_leader(w)]) if row]
    rows.sort(key=lambda row: min(w.box[1] for w in row))
    grids: list[Grid] = []
    run: list[list[Glyphs]] = []
    for row in [*rows, []]:
        if row and len(segments(row, em)) >= _LEAST_COLS and (not run or _follows(run, row, em)):
            run.append(row)
            continue
        if len(run) >= _LEAST_ROWS and (grid := _aligned(run, em)):
            grids.append(grid)
        run = [row] if row and len(segments(row, em)) >= _LEAST_COLS else []
    return grids


def segments(row: Sequence[Glyphs], em: float, least: float = _SPACE) -> list[list[Glyphs]]:
    """The row cut where white space is wider than a column gutter, or than ``least`` em."""
    segments: list[list[Glyphs]] = []
    edge = float("-inf")
    for word in sorted(row, key=lambda w: w.box[0]):
        if word.box[0] - edge >= least * em:
            segments.append([])
        segments[-1].append(word)
        edge = max(edge, word.box[2])
    return segments


def _follows(run: list[list[Glyphs]], row: list[Glyphs], em: float) -> bool:
    """Whether the row stands close under the run and leaves at least two of its gutters white."""
    if min(w.box[1] for w in row) - max(w.box[3] for w in run[-1]) > _ROW_STEP * em:
        return False
    around = union(w.box for r in [*run, row] for w in r)
    return len(gutters([*run, row], around[0], around[2], em)) + 1 >= _LEAST_COLS


def _aligned(run: list[list[Glyphs]], em: float) -> Grid | None:
    around = union(w.box for row in run for w in row)
    cuts = gutters(run, around[0], around[2], em)
    xs = [around[0] - 1, *cuts, around[2] + 1]
    tops = [min(w.box[1] for w in row) for row in run]
    bottoms = [max(w.box[3] for w in row) for row in run]
    ys = [tops[0] - 1, *((b + t) / 2 for b, t in zip(bottoms, tops[1:], strict=False)), bottoms[-1] + 1]
    if any(b <= a for a, b in pairwise(ys)):
        return None
    filled = {
        (r, next(c for c in range(len(xs) - 1) if w.box[0] < xs[c + 1])) for r, row in enumerate(run) for w in row
    }
    chars = sum(len(w.text) for row in run for w in row)
    if chars > _MEAN_CHARS * len(filled) or len(filled) < _FILLED * len(run) * (len(xs) - 1):
        return None
    return _grid(ys, xs)
