"""What may be the name of a product."""

import re

from catalogsku.core.text import fold, trim
from processing.engine.understanding.rules.in_force import kept
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.shapes import is_extent, is_no_value, is_rating
from processing.engine.understanding.rules.wording import (
    is_figure_caption,
    is_heading_word,
    is_sentence,
    without_number,
)

# Letters beside each other, or of a script of which one says a word; figures with single letters are a number.
_WORD = re.compile(r"[^\W\d_]{2}|[\u2e80-\u9fff]")
_BULLETS, _BRACKET = "-_•·*–▪■●○►➢ ", re.compile(r"\s*[(（][^()（）]*[)）]?\.?$")
# Letters that stand alone in a line in spaced print, which heads pages and sections, the least and their share.
_ALONE, _SPACED = 4, 0.5


@kept(20_000)
def is_name(text: str) -> bool:
    """May be a product's name: short, with letters, neither a sentence nor a figure's or a page's heading."""
    value = trim(text)
    return (
        2 <= len(value) <= 70
        and sum(1 for char in value if char.isalpha()) >= 2
        and _WORD.search(value) is not None
        and not (
            is_no_value(value)
            or is_sentence(without_number(value))
            or is_figure_caption(value)
            or is_heading_word(value)
        )
        and label_kind(value) is None
        and not is_extent(f"1 {value}")  # a bare unit
        and not is_spaced(value)
        and not is_rating(value)
        and "@" not in value.replace(" @ ", "")
        and "www." not in fold(value)
        and not (value[0].islower() and value[-1] == ".")  # the end of a sentence
    )


def bare_name(text: str) -> str:
    """Without a bullet and what stands in brackets at its end: "- Foam box ( LB 2). (1x100 Pcs)"."""
    bare = trim(text).lstrip(_BULLETS)
    while (shorter := _BRACKET.sub("", bare)) != bare:
        bare = shorter
    return bare


def is_spaced(value: str) -> bool:
    """Letter by letter, as print with wide spaces is read: "P R O D U C T", "Г Р У З О Б Л ОЧ НЫЕ"."""
    tokens = value.split()
    alone = sum(len(token) == 1 and token.isalpha() and token < "\u2e80" for token in tokens)
    return alone >= _ALONE and alone >= _SPACED * len(tokens)
