"""Every value looked up on the page that its evidence names; one that is not there goes to a person (LX-QUOTE)."""

from collections.abc import Mapping, Sequence

import msgspec

from catalogsku.core.box import Box, centre, contains_point
from catalogsku.core.text import apart
from processing.engine.page import ParsedPage
from processing.engine.result import Blocker, Evidence, Sku
from processing.engine.understanding.evidence import ELSEWHERE, MISLABELLED, READ_AGAIN, SEEN
from processing.engine.understanding.quotes import Match, Printed

_SLACK_PT = 1.0
_DISPROVED = {ELSEWHERE: "value_of_another", MISLABELLED: "value_mislabelled", SEEN: "value_unproved"}


class PageText:
    """What is printed on a page: its lines, its cells, and the words inside any box of it."""

    def __init__(self, page: ParsedPage) -> None:
        self._lines = page.lines
        cells = (cell.text for table in page.tables for cell in table.cells)
        self._whole = Printed((page.text, "\n".join(cells)))

    def match(self, text: str, box: Box) -> Match:
        """In one piece on the page, or all that stands in its box (a name over the lines of a cell, the cells of one
        size)."""
        whole = self._whole.match(text)
        if whole.kind == "exact":
            return whole
        inside = self._inside(box)
        return max(whole, inside.match(text), inside.match(apart(text)), key=lambda m: m.score)

    def _inside(self, box: Box) -> Printed:
        wide = (box[0] - _SLACK_PT, box[1] - _SLACK_PT, box[2] + _SLACK_PT, box[3] + _SLACK_PT)
        words = (word.text for line in self._lines for word in line.words if contains_point(wide, *centre(word.box)))
        return Printed((" ".join(words),))


def grounded(skus: Sequence[Sku], pages: Mapping[int, ParsedPage]) -> tuple[tuple[Sku, ...], tuple[Blocker, ...]]:
    """The SKUs with the match score of each value, and a blocker for each value that is not exactly on its page.

    A value inherited from a page that is not among ``pages`` (the cover) keeps the score it came with.
    """
    blockers: list[Blocker] = []
    texts: dict[int, PageText] = {}

    def looked_up(n: int, key: str, text: str, evidence: Evidence) -> Evidence:
        number = evidence.page_number
        if number not in pages:
            return evidence
        if evidence.method in _DISPROVED:
            blockers.append(Blocker(_DISPROVED[evidence.method], {"key": key, "value": text}, n))
            return evidence
        if evidence.method == READ_AGAIN:
            return evidence
        if number not in texts:
            texts[number] = PageText(pages[number])
        match = texts[number].match(text, evidence.bbox)
        if match.kind != "exact":
            blockers.append(Blocker(f"value_{match.kind}", {"key": key, "value": text}, n))
        return msgspec.structs.replace(evidence, match=match.score) if match.score != evidence.match else evidence

    checked = []
    for n, sku in enumerate(skus):
        attributes = {
            key: msgspec.structs.replace(value, evidence=looked_up(n, key, value.text, value.evidence))
            for key, value in sku.attributes.items()
        }
        custom = tuple(
            msgspec.structs.replace(value, evidence=looked_up(n, value.name, value.value, value.evidence))
            for value in sku.custom
        )
        checked.append(msgspec.structs.replace(sku, attributes=attributes, custom=custom))
    return tuple(checked), tuple(blockers)
