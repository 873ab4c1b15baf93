"""Contents and index pages: they name what has its place on another page, with that page's number."""

import re
from collections.abc import Sequence
from itertools import pairwise

from catalogsku.core.box import Box, holds_centre
from catalogsku.core.text import trim
from processing.engine.page import Line, ParsedPage
from processing.engine.result import BASE_KEYS
from processing.engine.understanding.rules.folding import fold, squash
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.shapes import is_price
from processing.engine.understanding.tables.open_table import baselines

_HEADINGS = frozenset(
    map(
        squash,
        ("contents", "table of contents", "index", "product index", "index of products", "index by code",
         "page index", "目录", "目 录", "索引", "产品索引", "型号索引",
         "目录 contents", "目录 content", "contents 目录", "索引 index"),
    )
)  # fmt: skip
# An index may name what follows without page numbers; the word on a button or in a header is not in the largest print.
_INDEX = frozenset(map(squash, ("index", "product index", "item index", "索引", "产品索引", "型号索引", "索引 index")))
_LARGER = 1.2
# What a list of products says of them, and an index does not.
_SPECIFIED = frozenset(("price", "moq", "size", "material", "color", "weight", "packing"))
# Also the title of a catalogue or of a list of products.
_TITLES = frozenset(map(squash, ("产品目录", "catalog index", "list of products", "catalogue contents")))
_PAGE_LABELS = frozenset(map(squash, ("page", "pages", "page no", "page no.", "页码", "页", "页次", "页数")))
_DOTTED = re.compile(r"([.·…‧_]\s?){4,}\s*(p\.?\s?)?\d{1,4}$", re.IGNORECASE)
_ENDS_IN_PAGE = re.compile(
    r"([.·…‧_－-]\s?){3,}\s*(p\.?\s?)?\d{1,4}$|[\u3400-\u9fffa-z)]\s+(p\.?\s?)?\d{1,4}$|\sp\.?\s?\d{1,4}$",
    re.IGNORECASE,
)
_PAGE_NUMBER = re.compile(r"(?:p\.?\s?|第)?(\d{1,4})\s?页?", re.IGNORECASE)
_DOTTED_END = re.compile(r"[.·…‧_]\s?[.·…‧_].*\d\s*$|^[.·…‧_\s]{4,}$")
_LONGEST, _UPPER = 24, 0.3
_LEAST = 4
_LEAST_UNHEADED = 8
_EARLY = 10


def is_contents(page: ParsedPage) -> bool:
    """A contents heading over some rows that end in page numbers, hardly anything but dotted rows, unless they seem
    to lead to prices, or rows whose last numbers rise through the document; an index without specifications also by its
    heading alone."""
    lines = [line for line in page.lines if line.text.strip()]
    if _is_headed_index(page, lines):
        return True
    heads = {
        squash(line.text) for line in lines if line.box[1] < _UPPER * page.height_pt and len(line.text) <= _LONGEST
    }
    headed = heads & (_HEADINGS | _TITLES)
    ends = [line for line in lines if _DOTTED_END.search(line.text)]
    ruled = [table.box for table in page.tables if table.ruled]
    numbers = [line for line in lines if len(line.text) <= 7 and _is_free_number(line, ruled)]
    if not headed and len(ends) < _LEAST and len(numbers) < _LEAST_UNHEADED:
        return False
    rows = baselines(lines)
    texts = [fold(" ".join(line.text for line in row)) for row in rows]
    if len(texts) < _LEAST:
        return False
    dotted = [text for text in texts if _DOTTED.search(text)]
    if len(dotted) * 2 >= len(texts) and (headed or _are_rising(dotted) or _leads_to_early(dotted)):
        return True
    ending = [text for text in texts if _ENDS_IN_PAGE.search(text) and not is_price(text)]
    if len(ending) * 10 >= len(texts) * 3 and headed and _stands_first(rows):
        return _are_rising(ending) or (bool(heads & _HEADINGS) and not _heads_a_product_list(rows))
    return len(numbers) >= _LEAST_UNHEADED and not any(map(is_price, texts)) and _rises(page, rows)


def _is_headed_index(page: ParsedPage, lines: Sequence[Line]) -> bool:
    upper = [line for line in lines if squash(line.text) in _INDEX and line.box[1] < _UPPER * page.height_pt]
    if not upper or any(is_price(line.text) or label_kind(line.text) in _SPECIFIED for line in lines):
        return False
    size = max(line.size for line in upper)
    body = sorted(line.size for line in lines)[len(lines) // 2]
    return size >= _LARGER * body and size >= max(line.size for line in lines)


def _is_free_number(line: Line, ruled: Sequence[Box]) -> bool:
    text = line.text.strip()
    if not (text[-1].isdigit() or text[-1] == "页") or not _PAGE_NUMBER.fullmatch(text):
        return False
    return not holds_centre(ruled, line.box)


def _stands_first(rows: Sequence[list[Line]]) -> bool:
    return any(squash(line.text) in _HEADINGS | _TITLES for row in rows[:6] for line in row)


def _are_rising(texts: list[str]) -> bool:
    """The numbers at the ends follow each other through the document, but for a few."""
    numbers = [int(match.group(0)) for text in texts if (match := re.search(r"\d+$", text))]
    rising = sum(1 for a, b in pairwise(numbers) if a <= b)
    return len(set(numbers)) >= _LEAST and rising * 10 >= 8 * (len(numbers) - 1)


def _leads_to_early(texts: list[str]) -> bool:
    """One of the numbers is of the first pages; prices without a currency seldom have one figure."""
    return any(int(match.group(0)) < _EARLY for text in texts if (match := re.search(r"\d+$", text)))


def _heads_a_product_list(rows: Sequence[list[Line]]) -> bool:
    """Labels of products side by side, none of which is the page's."""
    for row in rows:
        known = sum(1 for line in row if label_kind(line.text) in BASE_KEYS)
        if known >= 2 and not any(squash(line.text) in _PAGE_LABELS for line in row):
            return True
    return False


def _rises(page: ParsedPage, rows: Sequence[list[Line]]) -> bool:
    """Outside tables, most rows end in a number of their own; these rise and lead to this page's followers."""
    tables = [table.box for table in page.tables if table.ruled]
    free = [row for row in rows if not holds_centre(tables, row[0].box)]
    if _heads_a_product_list(free):
        return False
    ends = [(row, match) for row in free if len(row) > 1 and (match := _PAGE_NUMBER.fullmatch(trim(row[-1].text)))]
    numbers = [int(match.group(1)) for _, match in ends]
    named = all(any(char.isalpha() for char in row[0].text) for row, _ in ends)
    if len(ends) < _LEAST_UNHEADED or len(ends) * 10 < len(free) * 7 or not named:
        return False
    return numbers == sorted(numbers) and len(set(numbers)) >= _LEAST and numbers[0] > page.number
