"""Cells of several lines that say their values under labels: "Wine glass", "Material: crystal", "Size: 350 ml"."""

import re
from collections.abc import Sequence

from catalogsku.core.text import has_han, squash, trim
from processing.engine.result import BASE_KEYS
from processing.engine.understanding.rules import labels as kinds
from processing.engine.understanding.rules.in_force import kept
from processing.engine.understanding.rules.labels import label_kind

# What stands before the first label, and what is no value of a label below it.
LEAD, REST = "lead", "rest"
_PAIR = re.compile(r"^\s*([^:：]{1,24}?)\s*[:：]\s*(?!//)(.*)$")
_MARK = re.compile(r"^[\s•·●▪■◆➢►✓*-]*(?:[(（]?\d{1,2}\s*[.、)）]\s*)?(?=[^\d\s][^:：]{0,23}[:：])")
# Before each further label of one line: "Size: 20 cm; Color: red".
_NEXT_PAIR = re.compile(r"\s*[;；|]\s*(?=[^:：;；|]{1,24}[:：])|\s*[,，、]\s*(?=[^:：,，、\s]{1,24}[:：])|\s{3,}")
# A line goes on with the one above that ends so, or where it begins so itself.
_OPEN_END = re.compile(r"([-–&+/,，、(（]|\b(with|and|or|for|of|in|by|to))$", re.IGNORECASE)
_OPEN_START = re.compile(r"[a-z&+/,，、)）]")
# Columns of identities and of text; others say what their one value is.
_MAY_HOLD = (
    None, "model", "product_name", "description", kinds.NAME_OR_TEXT, kinds.CODE_OR_NUMBER, kinds.SIZE_OR_TEXT,
    kinds.EXTRA,
)  # fmt: skip
# Labels of what such a cell says of the product.
_KNOWN = (*BASE_KEYS, kinds.SIZE_OR_TEXT, kinds.EXTRA)
_LEAST_SHARE = 0.5
# So many signs less than the longest line of its column a full line of Chinese may have.
_FULL_HAN = 1


def labels_in(kind: str | None, texts: Sequence[str]) -> list[str]:
    """The labels that a column's cells print before values, in the order they first stand in; none where fewer than
    half of them say something else beside a label that is known. ``kind``: of the column's own head."""
    if kind not in _MAY_HOLD or not texts:
        return []
    labelled = [[label for label in parts_of(text) if label not in (LEAD, REST)] for text in texts]
    known = sum(
        len(parts_of(text)) > 1 and any(label_kind(label) in _KNOWN for label in labels)
        for text, labels in zip(texts, labelled, strict=True)
    )
    if known < _LEAST_SHARE * len(texts):
        return []
    return list({squash(label): label for labels in labelled for label in labels}.values())


def part_of(text: str, part: str) -> str:
    """Of a cell's text the lead, the rest, or the value of a label; empty where it prints none."""
    return next((said for label, said in parts_of(text).items() if squash(label) == squash(part)), "")


@kept(1024)
def parts_of(text: str) -> dict[str, str]:
    """The texts of a cell by their labels, the first value of each; ``LEAD`` and ``REST`` where it has such lines."""
    texts: dict[str, list[str]] = {LEAD: [], REST: []}
    last = LEAD
    longest = max(map(len, text.splitlines()), default=0)
    before = ""
    for line in text.splitlines():
        for segment in _NEXT_PAIR.split(_MARK.sub("", line)):
            pair = _labelled(segment)
            if pair is not None:
                last = pair[0] if pair[0] not in texts else REST
                texts.setdefault(last, []).append(pair[1] if last == pair[0] else trim(segment))
            else:
                last = last if last == LEAD or _goes_on(before, segment, longest) else REST
                texts[last].append(trim(segment))
            before = segment
    return {label: " ".join(said) for label, lines in texts.items() if (said := [line for line in lines if line])}


def _labelled(segment: str) -> tuple[str, str] | None:
    pair = _PAIR.match(segment)
    if pair is None or not any(map(str.isalpha, pair.group(1))):
        return None
    return trim(pair.group(1)), trim(pair.group(2))


def _goes_on(before: str, line: str, longest: int) -> bool:
    """The line is a further one of the value above: that was cut, or it begins as no statement does."""
    if has_han(before[-1:] + line[:1]):
        return len(before) + _FULL_HAN >= longest or _OPEN_END.search(before) is not None
    return _OPEN_END.search(before) is not None or _OPEN_START.match(line) is not None
