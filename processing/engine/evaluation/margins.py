"""What the document pass needs of one page: margin lines, picture hashes, codes and whether it is a contents page."""

import re

from catalogsku.core.text import fold, squash, trim
from processing.engine.evaluation.scores import MarginSummary
from processing.engine.page import Line, ParsedPage
from processing.engine.understanding.rules.shapes import is_code, is_price
from processing.engine.understanding.running import picture_key, running_form

_MARGIN = 0.12
_MOST_LINES = 6
_MOST_CODES = 80
_CONTENTS = frozenset(
    map(squash, ("contents", "table of contents", "index", "目录", "目 录", "索引", "产品目录", "catalog index"))
)
_LEADER = re.compile(r"([.·…‧_－-]\s?){3,}\s*\d{1,4}$|[\u3400-\u9fffa-z)]\s+\d{1,4}$", re.IGNORECASE)


def summarise_margins(page: ParsedPage) -> MarginSummary:
    """``lines``: margin lines in running form; ``codes``: empty on pages with prices, which are no indexes."""
    lines = sorted(page.lines, key=lambda line: (line.box[1], line.box[0]))
    top = [line for line in lines if line.box[3] <= _MARGIN * page.height_pt][:_MOST_LINES]
    bottom = [line for line in lines if line.box[1] >= (1.0 - _MARGIN) * page.height_pt][-_MOST_LINES:]
    margin = dict.fromkeys(running_form(line.text) for line in (*top, *bottom) if trim(line.text))
    hashes = dict.fromkeys(key for picture in page.pictures if (key := picture_key(picture)))
    priced = any(is_price(line.text) for line in lines)
    return MarginSummary(
        page.number, tuple(margin), tuple(hashes), () if priced else tuple(_codes(lines)), _is_contents(lines)
    )


def _codes(lines: list[Line]) -> list[str]:
    heads = (trim(line.text).split(" ", 1)[0] for line in lines)
    codes = dict.fromkeys(squash(head) for head in heads if is_code(head) and any(char.isalpha() for char in head))
    return list(codes)[:_MOST_CODES]


def _is_contents(lines: list[Line]) -> bool:
    """A contents heading with some lines that end in page numbers, or hardly anything but such lines."""
    texts = [fold(line.text) for line in lines if trim(line.text)]
    if len(texts) < 4:
        return False
    ending = sum(1 for text in texts if _LEADER.search(text) and not is_price(text))
    headed = any(squash(text) in _CONTENTS for text in texts[:6])
    return (headed and ending * 10 >= len(texts) * 3) or _dotted(texts) * 2 >= len(texts)


def _dotted(texts: list[str]) -> int:
    return sum(1 for text in texts if re.search(r"([.·…‧]\s?){4,}\s*\d{1,4}$", text))
