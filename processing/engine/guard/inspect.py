"""Whether a page speaks to a machine that reads it: instructions in its visible and hidden text, in plain words or in
disguise (LA-GUARD). A finding never stops a page; it decides how far an answer about it is trusted."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Literal, NamedTuple

import msgspec

from catalogsku.core.box import Box, union
from processing.engine.guard import grammar, lexicon, views
from processing.engine.guard.roles import Tag
from processing.engine.guard.signs import SIGNS
from processing.engine.guard.views import View
from processing.engine.page import ParsedPage

Policy = Literal["normal", "strict_schema", "force_review"]

STRICT_FROM = 0.7
REVIEW_FROM = 0.9
# Who hides or disguises an instruction means it: such a hit counts for more.
_HIDDEN_ADDS = 0.2
_DISGUISED_ADDS = 0.1
_MOST_HITS = 20
_MOST_MATCHES = 3
_QUOTE_CHARS = 160
# What is worth a disguise; looking for all in every view would take twice as long.
_WORTH = frozenset({"ignore_instructions", "override_rules", "reveal_prompt", "set_value", "hide_rows", "skip_review"})
# Prices are digits, and "$45" would be "sas".
_WORTH_OF = {"leet": _WORTH - {"set_value"}, "rot13": _WORTH, "backwards": _WORTH}


class Hit(msgspec.Struct, frozen=True):
    """One sign of an injection. ``box`` is None for what stands on no page; ``where``: visible, extra or the reason
    for which a line is hidden; ``how``: plain, leet, backwards, rot13 or encoded."""

    pattern: str
    score: float
    quote: str
    box: Box | None
    page: int
    where: str = "visible"
    how: str = "plain"


class Findings(msgspec.Struct, frozen=True):
    """``score`` is the surest hit's, 0 without any; ``hits`` are sorted by score, at most 20."""

    score: float
    policy: Policy
    hits: tuple[Hit, ...] = ()


class _Line(NamedTuple):
    text: str
    box: Box | None
    where: str


def inspect(page: ParsedPage, extra: Sequence[str] = ()) -> Findings:
    """``extra``: texts that belong to the page without standing on it: names of links and attachments, metadata."""
    seen = [_Line(line.text, line.box, "visible") for line in page.lines]
    unseen = [_Line(line.text, line.box, line.reason) for line in page.hidden]
    return _findings((seen, unseen, _beside(extra)), page.number)


def inspect_texts(texts: Sequence[str]) -> Findings:
    """Of texts that belong to the whole document; their hits have page 0."""
    return _findings((_beside(texts),), 0)


def _beside(texts: Sequence[str]) -> list[_Line]:
    return [_Line(text, None, "extra") for text in texts]


def _findings(groups: Sequence[Sequence[_Line]], page: int) -> Findings:
    hits = _strongest([hit for lines in groups if lines for hit in _hits(lines, page)])
    score = hits[0].score if hits else 0.0
    return Findings(score, policy_for(score), hits)


def score_of_text(text: str) -> float:
    """The surest hit in a text that stands on no page; 0 to 1."""
    return max((hit.score for hit in _hits([_Line(text, None, "visible")], 0)), default=0.0)


def policy_for(score: float) -> Policy:
    if score >= REVIEW_FROM:
        return "force_review"
    return "strict_schema" if score >= STRICT_FROM else "normal"


def _hits(lines: Sequence[_Line], page: int) -> Iterator[Hit]:
    texts = [line.text for line in lines]
    folded = views.fold(texts)
    yield from _marks(views.signs(folded), lines, page)
    view = views.words(folded)
    tags = lexicon.tags_of(view)
    yield from _orders(view, tags, lines, page)
    rows = _rows(lines)
    if rows != list(view.lines):
        yield from _orders(*_in_order(view, tags, rows), lines, page)
    for other in _disguised(view):
        yield from _orders(other, lexicon.tags_in(other.text), lines, page, _WORTH_OF[other.how])
    for other in views.coded(texts):
        yield from _orders(other, lexicon.tags_in(other.text), lines, page)


def _disguised(view: View) -> Iterator[View]:
    """The view read as a disguise would have it, where anything speaks for that."""
    leet = views.leet(view)
    if leet:
        yield leet
    if lexicon.speaks_shifted(view.text):
        yield views.shifted(view)
    if lexicon.speaks_backwards(view.text):
        yield views.backwards(view)


def _orders(
    view: View, tags: Sequence[Tag], lines: Sequence[_Line], page: int, names: frozenset[str] | None = None
) -> Iterator[Hit]:
    for order in grammar.orders_in(view.text, tags):
        if names is None or order.rule.name in names:
            yield _spanned(order.rule.name, order.rule.score, view, order.start, order.end, lines, page)


def _marks(view: View, lines: Sequence[_Line], page: int) -> Iterator[Hit]:
    for pattern in SIGNS:
        if any(hint in view.text for hint in pattern.hints):
            for match in islice(pattern.expression.finditer(view.text), _MOST_MATCHES):
                yield _spanned(pattern.name, pattern.score, view, match.start(), match.end(), lines, page)


def _rows(lines: Sequence[_Line]) -> list[int]:
    """The lines row by row across the page, which is not the reading order where there are columns."""
    places = {n: (round(line.box[1]), line.box[0]) for n, line in enumerate(lines) if line.box}
    return sorted(places, key=lambda n: places[n])


def _in_order(view: View, tags: Sequence[Tag], order: Sequence[int]) -> tuple[View, list[Tag]]:
    """The view with its lines in another order, and the words that were found, where they are now."""
    moved = views.in_order(view, order)
    starts, was = [0, *moved.ends], [0, *view.ends]
    now = {line: starts[place] - was[line] for place, line in enumerate(order)}
    placed = ((tag, now.get(min(bisect_right(view.ends, tag.start), len(view.ends) - 1))) for tag in tags)
    return moved, sorted(Tag(t.start + by, t.end + by, t.roles) for t, by in placed if by is not None)


def _spanned(name: str, score: float, view: View, start: int, end: int, lines: Sequence[_Line], page: int) -> Hit:
    numbers = view.lines_at(start, end)
    quote = " ".join(view.said.get(n, "") if view.said else lines[n].text for n in numbers)
    return _hit(name, score, view.how, [lines[n] for n in numbers], quote.strip(), page)


def _hit(name: str, score: float, how: str, spanned: Sequence[_Line], quote: str, page: int) -> Hit:
    where = spanned[0].where
    score += _HIDDEN_ADDS if where not in ("visible", "slanted") else 0.0
    score += _DISGUISED_ADDS if how != "plain" else 0.0
    boxes = [line.box for line in spanned if line.box]
    return Hit(
        pattern=name,
        score=round(min(1.0, score), 2),
        quote=quote if len(quote) <= _QUOTE_CHARS else quote[: _QUOTE_CHARS - 1] + "\u2026",
        box=union(boxes) if boxes else None,
        page=page,
        where=where,
        how=how,
    )


def _strongest(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """One for each pattern and place, the surest first; what can be read plainly there is in no disguise."""
    best: dict[tuple[str, Box | None, str], Hit] = {}
    for hit in sorted(hits, key=lambda hit: (hit.how != "plain", -hit.score)):
        best.setdefault((hit.pattern, hit.box, hit.where), hit)
    return tuple(sorted(best.values(), key=lambda hit: -hit.score)[:_MOST_HITS])
