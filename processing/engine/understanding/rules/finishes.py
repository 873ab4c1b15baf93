"""Names of colours and of materials."""

import re
from collections.abc import Sequence

from catalogsku.core.text import has_han
from processing.engine.understanding.rules.dictionaries import measures
from processing.engine.understanding.rules.folding import HAN, fold
from processing.engine.understanding.rules.in_force import kept
from processing.engine.understanding.rules.wording import is_sentence

# Colours are shown as dots before their names; readers take some for letters.
DOTS = "●○◯⬤◉◐◑"
_HAN_COLOURS = "".join(
    sorted({word[0] for word in measures.COLOURS if has_han(word) and len(word) == 1} | {"色", "青"})
)
_COLOUR = re.compile(
    rf"[{DOTS}]?(?:[\u3400-\u9fff]{{0,3}}[{_HAN_COLOURS}]|{'|'.join(re.escape(word) for word in measures.COLOURS)})"
)
# A colour's name has fewer spaces: "army green".
_COLOUR_WORDS = 2
_SHADES = frozenset((*measures.COLOURS, *measures.COLOURS_IN_ROWS))
# Between materials; not in "18/8" or "304/316".
_BETWEEN_WORDS = re.compile(r"[,，、/+&;；]|\band\b")
_BETWEEN_COLOURS = re.compile(r"[\s,、/]+")
_BETWEEN_MATERIALS = re.compile(r"[,、+&;]|(?<![0-9])/|/(?![0-9])|\band\b")
# Silver without its grade is a colour.
_HAN_ENDS = "|".join([*filter(has_han, measures.MATERIALS), *measures.MATERIAL_ENDS, "(?<=[0-9])银"])
_NO_MATERIAL = "|".join(measures.NO_MATERIALS)
# A longer one is a line about the product that happens to end so; "食品级304不锈钢" has seven signs beside its number.
_GRADED_HAN = re.compile(
    rf"(?!.*(?:的|如|{_NO_MATERIAL}))[0-9./%#a-z-]*[\u3400-\u9fff]{{0,4}}[0-9./%#]*[\u3400-\u9fff]{{0,3}}({_HAN_ENDS})"
)
_MATERIALS_LONGEST_FIRST = sorted((word for word in measures.MATERIALS if not has_han(word)), key=len, reverse=True)
_GRADES = {*measures.MATERIAL_GRADES, *measures.MATERIALS, *measures.COLOURS}
_GRADE_NUMBER = re.compile(r"[0-9][0-9./-]*%?")
_MOST_GRADES = 3


def all_in(text: str, words: tuple[str, ...]) -> bool:
    """Nothing but words of the list: "Black / White", "橡木、玻璃"."""
    parts = [part.strip() for part in _BETWEEN_WORDS.split(fold(text)) if part.strip()]
    return bool(parts) and all(part in words for part in parts)


def is_colours(text: str) -> bool:
    """What a list of colours may go on with: known ones, Chinese words that end in one, what a dot stands before."""
    folded = fold(text)
    if not folded or is_sentence(text):
        return False
    return folded[0] in DOTS or all(_COLOUR.fullmatch(part) for part in _BETWEEN_COLOURS.split(folded) if part)


def is_row_of_colours(text: str) -> bool:
    """Nothing but colours, with signs or mere spaces between: "Black / White", "Gold Silver Rose"."""
    if all_in(text, measures.COLOURS):
        return True
    words = [] if has_han(text) else fold(text).split()
    sure = [word for word in words if word in measures.COLOURS]
    return len(words) > 1 and bool(sure) and all(word in sure or word in measures.COLOURS_IN_ROWS for word in words)


def are_shades(texts: Sequence[str]) -> bool:
    """Colours in English with a word of its own before each: "Ember orange", "Moss green"; in "Runner red", "Runner
    blue" that word is a thing's name."""
    parts = [fold(text).split() for text in texts]
    coloured = all(1 <= len(words) <= _COLOUR_WORDS and words[-1] in _SHADES for words in parts)
    leads = [words[0] for words in parts if len(words) > 1]
    return coloured and len(leads) > 1 and len(set(leads)) == len(leads)


@kept(4096)
def names_colour(text: str) -> bool:
    """Nothing but colours, in Chinese mostly with their name in English behind: "橙色 Orange", "雪地灰 Snow grey"."""
    if all_in(text, measures.COLOURS):
        return True
    han, latin = "".join(HAN.findall(text)), fold(HAN.sub(" ", text)).strip(" /()")
    known = all_in(han, measures.COLOURS) or all_in(latin.rpartition(" ")[2], measures.COLOURS)
    return known and is_colours(han) and latin.count(" ") < _COLOUR_WORDS and latin.replace(" ", "").isalpha()


@kept(4096)
def is_material(text: str) -> bool:
    """Nothing but materials, each with what grades it before it: "304不锈钢", "Enamelled cast iron", "95%羊毛 5%羊绒".

    Chinese names of materials are told by their end and their length, English ones by every word before the last.
    """
    folded = fold(text)
    if all_in(text, measures.MATERIALS):
        return True
    parts = [part.strip() for part in _BETWEEN_MATERIALS.split(folded) if part.strip()]
    han, _, latin = folded.partition(" ")
    if has_han(han) and latin and not has_han(latin):  # in two languages
        return is_material(han) and is_material(latin)
    if has_han(folded):
        return bool(parts) and all(_GRADED_HAN.fullmatch(word) is not None for part in parts for word in part.split())
    return bool(parts) and all(map(_is_graded, parts))


def _is_graded(part: str) -> bool:
    """English: the last words are a material, and each before them says of which grade or kind."""
    ends = (word for word in _MATERIALS_LONGEST_FIRST if part == word or part.endswith(" " + word))
    material = next(ends, None)
    if material is None:
        return False
    before = part[: len(part) - len(material)].split()
    return len(before) <= _MOST_GRADES and all(
        word in _GRADES or word.endswith("ed") or _GRADE_NUMBER.fullmatch(word) for word in before
    )
