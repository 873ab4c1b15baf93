"""A language's words, read from its file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

_HERE = Path(__file__).parent
LANGUAGES = tuple(sorted(path.stem for path in _HERE.glob("*.txt")))
# Languages of the built-in fallback face; the others are written in the faces of Latin, Greek and Cyrillic.
_EASTERN = frozenset(("zh", "ja", "ko"))
TRADES = ("home", "kitchen", "tools", "electric", "food", "care", "industry", "wear", "office")


@dataclass(frozen=True)
class Language:
    """``lists``: texts by key."""

    code: str
    lists: Mapping[str, Sequence[str]]

    @property
    def is_eastern(self) -> bool:
        return self.code in _EASTERN

    @property
    def is_spaced(self) -> bool:
        """Words are set apart."""
        return self.code not in ("zh", "ja")

    def one(self, key: str, random: Random) -> str:
        """Any text of the key."""
        return random.choice(self.lists[key])

    def some(self, key: str, random: Random, most: int) -> list[str]:
        """Up to ``most`` different texts of the key, in any order."""
        return random.sample(self.lists[key], min(most, len(self.lists[key])))

    def joined(self, *parts: str) -> str:
        """Words behind each other as the language writes them."""
        return (" " if self.is_spaced else "").join(part for part in parts if part)


@cache
def spoken(code: str) -> Language:
    """The language of a file."""
    lists: dict[str, Sequence[str]] = {}
    for line in (_HERE / f"{code}.txt").read_text(encoding="utf-8").splitlines():
        key, _, texts = line.partition(": ")
        lists[key] = tuple(text.strip() for text in texts.split("|"))
    return Language(code, lists)
