"""Sums of figures over days, hours or categories, and the shares that follow from them: pure."""

from collections.abc import Iterable
from dataclasses import dataclass, field, fields

MICRO = 1_000_000


@dataclass
class Sums:
    """As the columns of DayFigures; a share is None where there is nothing that it would be a share of."""

    documents_in: int = 0
    documents_out: int = 0
    pages_in: int = 0
    pages_machine: int = 0
    pages_person: int = 0
    pages_skipped: int = 0
    pages_degraded: int = 0
    products: int = 0
    corrections: int = 0
    tasks: int = 0
    person_s: float = 0.0
    cost_micro: int = 0
    operations: dict[str, int] = field(default_factory=dict)
    hours: dict[str, list[int]] = field(default_factory=dict)

    def add(self, other: "Sums") -> None:
        for name in COUNTED:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for operation, micro in other.operations.items():
            self.operations[operation] = self.operations.get(operation, 0) + micro
        for hour, pages in other.hours.items():
            self.hours[hour] = [a + b for a, b in zip(self.hours.get(hour, [0, 0, 0]), pages, strict=True)]

    @property
    def pages_done(self) -> int:
        return self.pages_machine + self.pages_person + self.pages_skipped

    @property
    def intervention(self) -> float | None:
        """Of the pages with a result, those that a person finished."""
        return _share(self.pages_person, self.pages_machine + self.pages_person)

    @property
    def degraded(self) -> float | None:
        return _share(self.pages_degraded, self.pages_done)

    @property
    def minutes_a_document(self) -> float | None:
        return _share(self.person_s / 60, self.documents_out)

    @property
    def corrections_a_hundred(self) -> float | None:
        share = _share(self.corrections, self.products)
        return None if share is None else 100 * share

    @property
    def cost_usd(self) -> float:
        return self.cost_micro / MICRO

    @property
    def usd_a_document(self) -> float | None:
        return _share(self.cost_usd, self.documents_out)

    @property
    def is_nothing(self) -> bool:
        return not any(getattr(self, name) for name in COUNTED)


COUNTED = tuple(entry.name for entry in fields(Sums) if entry.name not in ("operations", "hours"))
SHARES = ("intervention", "minutes_a_document", "corrections_a_hundred", "degraded", "cost_usd", "usd_a_document")


def sum_of(parts: Iterable[Sums]) -> Sums:
    whole = Sums()
    for part in parts:
        whole.add(part)
    return whole


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None
