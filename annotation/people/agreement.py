"""How far two people agree about one page, item by item, against what the machine had said (X-VERDICT, X-HONEY): pure.

An item is a value of a product, its pictures, whether it is one at all, or the kind of the page.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

Items = Mapping[tuple[str, str], Any]


@dataclass(frozen=True)
class Counts:
    """Items by what the first person did and the second would have done: both kept the machine's word; both changed it
    alike; only the second; only the first; both, but to different words."""

    kept: int = 0
    changed: int = 0
    missed: int = 0
    needless: int = 0
    otherwise: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(Counts)))

    @property
    def items(self) -> int:
        return self.kept + self.changed + self.missed + self.needless + self.otherwise

    @property
    def agreed(self) -> int:
        return self.kept + self.changed

    @property
    def score(self) -> float:
        """Of what was to be corrected, or was without need, the share that both did alike; 1 where there was nothing.

        Values that nobody doubted do not count: on a page of a hundred a person who does nothing would look perfect.
        """
        decided = self.items - self.kept
        return self.changed / decided if decided else 1.0

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa of keeping or changing; None without items."""
        n = self.items
        if not n:
            return None
        first = (self.changed + self.needless + self.otherwise) / n
        second = (self.changed + self.missed + self.otherwise) / n
        by_chance = first * second + (1 - first) * (1 - second)
        return 1.0 if by_chance == 1 else (self.agreed / n - by_chance) / (1 - by_chance)


@dataclass(frozen=True)
class Agreement:
    """``by_field``: (items, of them agreed)."""

    counts: Counts
    by_field: dict[str, tuple[int, int]]


def compare(machine: Items, first: Items, second: Items) -> Agreement:
    """An item that somebody has not is an item without a value."""
    counts: dict[str, int] = {f.name: 0 for f in fields(Counts)}
    by_field: dict[str, list[int]] = {}
    for key in {*machine, *first, *second}:
        what = _judge(machine.get(key), first.get(key), second.get(key))
        counts[what] += 1
        entry = by_field.setdefault(key[1], [0, 0])
        entry[0] += 1
        entry[1] += what in ("kept", "changed")
    return Agreement(Counts(**counts), {name: (items, agreed) for name, (items, agreed) in sorted(by_field.items())})


def _judge(machine: Any, first: Any, second: Any) -> str:
    if first == second:
        return "kept" if first == machine else "changed"
    if first == machine:
        return "missed"
    return "needless" if second == machine else "otherwise"
