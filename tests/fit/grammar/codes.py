"""What a maker's order codes look like: a shape drawn once, filled in for every product."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from random import Random

_LETTERS = "ABCDEFGHKLMNPRSTUVWXZ"
_CYRILLIC = "АБВГДКЛМНОПРСТУФЭ"
# # a digit, @ a letter of the maker's alphabet, ~ a size-like number, other signs as they are. The part before | is the
# family's and stays.
SHAPES = (
    "@@-|###",
    "@@@|###",
    "@@|####",
    "@|##-##",
    "@@###|-#,#@",
    "@@###|-#",
    "####",
    "######",
    "########",
    "##.###.##",
    "####.##.##",
    "#/####",
    "####/@",
    "@@-|###-@",
    "@@.|###.##",
    "@@@-|@@##-#",
    "###-###",
    "##-####",
    "@####@",
    "@|@@@@",
    "@@@|~",
    "@@~|.~-~",
    "@@ |###",
    "@ |~/~",
    "@@@ |###-#",
    "#@-|####",
    "@@@@@-|@@",
    "@@|##@@##",
    "(@@##)",
    "№|###",
    "@@_|###_##",
    "####-|####",
    "@@@-|##/#@",
    "#############",
    "@-|#",
    "0000####",
    "@@#@|-~@~",
    "#.#.##",
    "@@@#####-@@",
)


@dataclass(frozen=True)
class CodeShape:
    """``family``: what all of a group's codes begin with; ``rest``: what differs; ``counts``: numbers run upwards."""

    family: str
    rest: str
    letters: str
    counts: bool

    def maker(self, random: Random, used: set[str]) -> Callable[[], str]:
        """Codes of one group, none of them in ``used``, which they enter."""
        start = _filled(self.family, random, self.letters)
        step = random.choice((1, 1, 2, 5, 10))
        number = random.randrange(10, 900)

        def next_code() -> str:
            nonlocal number
            for attempt in count():
                if self.counts and (width := self.rest.count("#")) >= 2:
                    number += step
                    digits = iter(str(number).zfill(width)[-width:])
                    text = start + "".join(next(digits) if sign == "#" else sign for sign in self.rest)
                    text = _filled(text, random, self.letters)
                else:
                    text = start + _filled(self.rest, random, self.letters)
                if attempt > 20:
                    text += str(attempt)
                if text not in used:
                    used.add(text)
                    return text
            raise AssertionError("counting does not end")

        return next_code


def draw_code_shape(random: Random, *, cyrillic: bool) -> CodeShape:
    """One of the shapes; Cyrillic letters now and then where the catalogue is written so."""
    family, bar, rest = random.choice(SHAPES).partition("|")
    if not bar:
        family, rest = "", family
    letters = _CYRILLIC if cyrillic and random.random() < 0.5 else _LETTERS
    if letters == _LETTERS and random.random() < 0.12:
        letters = letters.lower()
    return CodeShape(family, rest, letters, random.random() < 0.5)


def _filled(shape: str, random: Random, letters: str) -> str:
    out = []
    for k, sign in enumerate(shape):
        if sign == "#":
            out.append(random.choice("123456789" if k == 0 else "0123456789"))
        elif sign == "@":
            out.append(random.choice(letters))
        elif sign == "~":
            out.append(str(random.choice((5, 6, 8, 10, 12, 16, 20, 25, 30, 40, 50, 60, 75, 80, 100, 120, 150, 200))))
        else:
            out.append(sign)
    return "".join(out)
