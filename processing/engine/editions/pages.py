"""Which page of the earlier edition each page of the later one is, whatever was put in or taken out between them."""

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

# How a page was found: it is the same, looks alike, or stands between two that were found.
SAME, ALIKE, BETWEEN = "same", "alike", "between"

# An edition shares at least half of its product pages, counted from either side; that many pages at least, unless the
# file is called as its predecessor was.
LEAST_SHARE = 0.5
LEAST_PAGES = 3


class Sheet(NamedTuple):
    """A page as far as it is compared. ``sells``: products were found on it."""

    number: int
    fingerprint: str
    likeness: str = ""
    sells: bool = True


class Pair(NamedTuple):
    """``earlier`` and ``later``: page numbers; ``how``: SAME, ALIKE or BETWEEN."""

    later: int
    earlier: int
    how: str


@dataclass(frozen=True)
class Share:
    """How much two documents have in common: pages with products that are the same or look alike, of all."""

    pages: int
    of_earlier: float
    of_later: float

    def is_edition(self, *, same_family: bool) -> bool:
        """Cover, back and terms count for nothing: documents that share only these are different catalogues."""
        enough = self.pages >= (1 if same_family else LEAST_PAGES)
        return enough and min(self.of_earlier, self.of_later) >= LEAST_SHARE


def match_pages(earlier: Sequence[Sheet], later: Sequence[Sheet]) -> list[Pair]:
    """Equal pages first, in order where one stands there twice; then those that look alike; then those in between."""
    pairs: dict[int, Pair] = {}
    left = list(earlier)
    for how, key in ((SAME, "fingerprint"), (ALIKE, "likeness")):
        waiting: defaultdict[str, deque[Sheet]] = defaultdict(deque)
        for sheet in left:
            waiting[getattr(sheet, key)].append(sheet)
        for sheet in later:
            name = getattr(sheet, key)
            if name and sheet.number not in pairs and waiting[name]:
                pairs[sheet.number] = Pair(sheet.number, waiting[name].popleft().number, how)
        taken = {pair.earlier for pair in pairs.values()}
        left = [sheet for sheet in left if sheet.number not in taken]
    for pair in _between(left, [sheet for sheet in later if sheet.number not in pairs], pairs):
        pairs[pair.later] = pair
    return [pairs[number] for number in sorted(pairs)]


def _between(earlier: Iterable[Sheet], later: Iterable[Sheet], pairs: Mapping[int, Pair]) -> Iterable[Pair]:
    """Pages that were not found, where as many stand between the same two neighbours on both sides."""
    by_later = sorted(pairs)
    by_earlier = {pair.earlier: pair.later for pair in pairs.values()}
    gaps: defaultdict[int, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    before = 0
    marks = iter([*by_later, None])
    mark = next(marks)
    for sheet in later:
        while mark is not None and mark < sheet.number:
            before, mark = mark, next(marks)
        gaps[before][1].append(sheet.number)
    before, known = 0, sorted(by_earlier)
    place = 0
    for sheet in earlier:
        while place < len(known) and known[place] < sheet.number:
            before, place = by_earlier[known[place]], place + 1
        gaps[before][0].append(sheet.number)
    for old, new in gaps.values():
        if len(old) == len(new):
            yield from (Pair(n, o, BETWEEN) for n, o in zip(new, old, strict=True))


def share_of(earlier: Sequence[Sheet], later: Sequence[Sheet], pairs: Sequence[Pair]) -> Share:
    """Of the later document those pages count that are not a page without products of the earlier one."""
    sells = {sheet.number for sheet in earlier if sheet.sells}
    met = [pair for pair in pairs if pair.how != BETWEEN]
    common = sum(pair.earlier in sells for pair in met)
    own = len(later) - (len(met) - common)
    return Share(common, common / len(sells) if sells else 0.0, common / own if own else 0.0)


def reusable(
    pairs: Sequence[Pair], leans_on: Mapping[int, Collection[int]], continues: Mapping[int, int | None]
) -> list[Pair]:
    """Those of ``pairs`` whose results stand: the same page, and so is all that its results were taken from.

    By numbers of the earlier edition: ``leans_on`` names the pages where values of a page stand, ``continues`` the page
    whose table it goes on with; nothing may have been put in between these.
    """
    later_of = {pair.earlier: pair.later for pair in pairs if pair.how == SAME}

    def stands(pair: Pair) -> bool:
        first = continues.get(pair.earlier) or pair.earlier
        run = range(first, pair.earlier)
        unbroken = all(later_of.get(number) == number + pair.later - pair.earlier for number in run)
        return unbroken and all(number in later_of for number in leans_on.get(pair.earlier, ()))

    return [pair for pair in pairs if pair.how == SAME and stands(pair)]
