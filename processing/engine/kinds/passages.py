"""A paper cut into passages in reading order, and those of them that a question about some fields is shown."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from math import log

import msgspec

from processing.engine.kinds.paper_tables import PaperTable, tables_of
from processing.engine.page import ParsedPage

# A heading over the list of what a paper cites, which holds no value of its own study.
_CITED = re.compile(r"(?:\d+\.?\s*)?(?:references?|literature cited|bibliography|参考文献)\s*:?", re.IGNORECASE)
# The list is the last part of a paper: a heading of that name before the middle is something else.
_CITED_FROM = 0.4
_WORDS = re.compile(r"[^\W\d_]{3,}|[\u3400-\u9fff]{2}")


class Passage(msgspec.Struct, frozen=True):
    """A block of text, or a table as rows: its caption first, the parts of a row divided by bars. ``page`` from 1."""

    page: int
    text: str
    is_table: bool = False


def passages_of(pages: Sequence[ParsedPage]) -> list[Passage]:
    """Without the list of cited papers; a page's tables stand behind its text, which may hold their words too."""
    passages: list[Passage] = []
    for page in pages:
        passages += [Passage(page.number, text) for block in page.blocks if (text := block.text.strip())]
        passages += [Passage(page.number, text, is_table=True) for text in map(_rows, tables_of(page)) if text]
    return _without_cited(passages)


def chosen(passages: Sequence[Passage], words: Collection[str], most: int, *, tables: bool) -> list[Passage]:
    """Passages of ``most`` signs together, in their order: all of them where they fit, else those in which the rarest
    of ``words`` stand. What stands on the first page, and with ``tables`` each table, goes before other text."""
    if sum(len(passage.text) for passage in passages) <= most:
        return list(passages)
    wanted = set(_words(" ".join(words)))
    held = [set(_words(passage.text)) & wanted for passage in passages]
    counts = Counter(word for some in held for word in some)
    weight = {word: log(1 + len(passages) / count) for word, count in counts.items()}
    first = passages[0].page

    def worth(n: int) -> tuple[bool, float, int]:
        goes_first = passages[n].page == first or (tables and passages[n].is_table)
        return not goes_first, -sum(weight[word] for word in held[n]), n

    taken, room = set[int](), most
    for n in sorted(range(len(passages)), key=worth):
        if len(passages[n].text) <= room:
            taken.add(n)
            room -= len(passages[n].text)
    return [passages[n] for n in sorted(taken)]


def _rows(table: PaperTable) -> str:
    lines = [table.caption, *table.heads]
    section = ""
    for row in table.rows:
        if row.section != section:
            section = row.section
            lines.append(section)
        lines.append(" | ".join(line.text.strip() for line in row.lines))
    return "\n".join(filter(None, lines))


def _without_cited(passages: list[Passage]) -> list[Passage]:
    from_here = int(len(passages) * _CITED_FROM)
    heads = [n for n in range(from_here, len(passages)) if _CITED.fullmatch(passages[n].text)]
    if not heads:
        return passages
    behind = [passage for passage in passages[heads[-1] :] if passage.is_table]
    return [*passages[: heads[-1]], *behind]


def _words(text: str) -> Iterator[str]:
    return (word.casefold() for word in _WORDS.findall(text))
