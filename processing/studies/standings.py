"""How the values of a record stand, and how far people have come with them; pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from processing.studies.definition import Field
from processing.studies.values import Value

# What a dot says: a person or the quote stands for the value; somebody has to look; locked until somebody has; a person
# has said that the paper does not say it; nothing was found.
Stand = Literal["proved", "check", "locked", "absent", "nothing"]


def stand_of(value: Value | None) -> Stand:
    if value is None or not (value.text or value.verdict):
        return "nothing"
    if value.verdict:
        return "absent" if value.verdict == "not_reported" else "proved"
    return {"green": "proved", "red": "locked"}.get(value.grade, "check")  # type: ignore[return-value]


@dataclass(frozen=True)
class Progress:
    """``all``: fields that have a value or have to have one; ``decided``: those on which a person has decided."""

    decided: int = 0
    all: int = 0

    def __add__(self, other: "Progress") -> "Progress":
        return Progress(self.decided + other.decided, self.all + other.all)


def is_left(field: Field, value: Value | None) -> bool:
    """A person has still to decide on it: it has a value, or has to have one."""
    return not (value and value.verdict) and (value is not None or field.required)


def progress_of(fields: Sequence[Field], held: Iterable[str], decided: Iterable[str]) -> Progress:
    """``fields``: those that the record is asked for; ``held`` and ``decided``: keys of those with a value, and with a
    verdict."""
    keys, by_people = set(held), set(decided)
    counted = {field.key for field in fields if field.required or field.key in keys}
    return Progress(len(counted & by_people), len(counted))
