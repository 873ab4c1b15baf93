"""The title of a paper: what its first page says in its largest print, apart from names of journals and series."""

from collections.abc import Sequence
from itertools import groupby

from processing.engine.page import Block, ParsedPage

# A journal's name or "Original Article" is shorter, a paragraph in print of one size is longer.
WORDS_LEAST, HAN_LEAST, LENGTH_MAX = 5, 10, 400
# Type that differs by less is of one size.
_SIZE_PT = 0.3


def title_of(pages: Sequence[ParsedPage]) -> str:
    """Empty where no print of the first page stands out and is as long as titles are."""
    if not pages:
        return ""
    blocks = [part for block in pages[0].blocks for part in _by_size(block)]
    body = _body_size(blocks)
    sizes = sorted({size for size, _ in blocks if size > body + _SIZE_PT}, reverse=True)
    for size in sizes:
        texts = [text for other, text in blocks if abs(other - size) <= _SIZE_PT]
        while len(texts) > 1 and not _is_long(texts[0]) and _is_long(" ".join(texts[1:])):
            del texts[0]  # "Research Article" over it
        title = " ".join(texts)
        if _is_long(title) and len(title) <= LENGTH_MAX:
            return title
    return ""


def _by_size(block: Block) -> list[tuple[float, str]]:
    """Neighbouring lines of one size; a word that is hyphenated at the end of a line is kept as printed."""
    lines = [line for line in block.lines if not line.vertical and any(map(str.isalpha, line.text))]
    return [
        (size, " ".join(" ".join(line.text.split()) for line in some))
        for size, some in groupby(lines, key=lambda line: round(line.size, 1))
    ]


def _body_size(blocks: Sequence[tuple[float, str]]) -> float:
    """That of most letters."""
    letters: dict[float, int] = {}
    for size, text in blocks:
        letters[size] = letters.get(size, 0) + len(text)
    return max(letters, key=lambda size: letters[size], default=0.0)


def _is_long(text: str) -> bool:
    han = sum("\u4e00" <= sign <= "\u9fff" for sign in text)
    return han >= HAN_LEAST or len([word for word in text.split() if any(map(str.isalpha, word))]) >= WORDS_LEAST
