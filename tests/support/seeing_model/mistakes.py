"""Mistakes of a model, by rate and seed: the same question gets the same mistakes, whatever thread asks it and when."""

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True)
class Mistakes:
    """Each rate 0 to 1. ``drop``: products counted and not listed; ``invent``: values that are printed nowhere;
    ``move``: values of the next product; ``swap``: products that get the next one's pictures; ``miscount``: pages with
    a wrong count. ``cut_at``: characters after which an answer ends, None for as many as the request allows."""

    seed: int = 0
    drop: float = 0.0
    invent: float = 0.0
    move: float = 0.0
    swap: float = 0.0
    miscount: float = 0.0
    cut_at: int | None = None

    def strikes(self, kind: str, *what: str) -> bool:
        """``kind``: a rate's name; ``what``: the thing that it may befall."""
        return self._random(kind, *what).random() < float(getattr(self, kind))

    def invented(self, text: str) -> str:
        """Like the value, and not it: with other figures and a tail that no page prints."""
        random = self._random("invent", text)
        figures = "".join(str((int(c) + random.randint(1, 9)) % 10) if c in "0123456789" else c for c in text)
        return f"{figures} 7Q{random.randint(100, 999)}"

    def count(self, count: int, page: str) -> int:
        """One or two too many or too few, never less than none."""
        if not self.strikes("miscount", page):
            return count
        return max(0, count + self._random("miscount", page, "by").choice((-2, -1, 1, 2)))

    def _random(self, *what: str) -> Random:
        return Random("/".join((str(self.seed), *what)))


NONE = Mistakes()
