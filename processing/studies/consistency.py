"""Which checks of a template do not hold between the values of a study; pure.

Numbers are read by the rules of ``engine.kinds``: no digit, sign or decimal mark is folded away. What is not plainly
one number (or the two of an interval) is not judged, and neither is a check of which a value is missing.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product

import msgspec

from processing.engine.kinds.amounts import Amount, amounts
from processing.engine.kinds.folding import MINUS, RANGE, UNSURE, fold_text
from processing.studies.definition import (
    AnyCheck,
    ArmsSumToTotal,
    Between,
    Definition,
    EventsAtMostTotal,
    Field,
    IntervalHoldsEstimate,
)

# What may stand around numbers without making them others: brackets, their parting, a share's sign.
_AROUND = re.compile(rf"(?:[\s()\[\],;%~{RANGE}{UNSURE}{MINUS}+-]|\bto\b|\.\.+)*")
_FIGURES = re.compile(r"\d+(?:[.,]\d+)?|\.\d+")
# Thousands are grouped behind a digit that is none of these: of "0,125" nobody knows here what it is.
_LEADING_ZERO = re.compile(r"(?<![\d.,])0\d")


class Read(msgspec.Struct, frozen=True):
    """A value that a check has read: ``text`` as it stands in the record of ``part``."""

    field: str
    part: str
    text: str


class Breach(msgspec.Struct, frozen=True):
    """A check that does not hold. ``check``: its kind, as in a definition; ``part``: the arm or outcome, empty for the
    study as a whole; ``least``, ``most``: of ``between``."""

    check: str
    repeat: str
    part: str
    values: tuple[Read, ...]
    least: float | None = None
    most: float | None = None


@dataclass(frozen=True)
class Part:
    """``texts``: what the record of an arm, an outcome or study says, by field. Parts that were left out are none."""

    repeat: str
    part: str
    texts: Mapping[str, str]


def checked_fields(definition: Definition) -> frozenset[str]:
    """Keys of the fields that checks read."""
    names = ("interval", "estimate", "events", "total", "arms", "field")
    return frozenset(getattr(check, name) for check in definition.checks for name in names if hasattr(check, name))


def breaches(definition: Definition, parts: Iterable[Part]) -> list[Breach]:
    """In the order of the definition's checks, and of the parts."""
    fields, known = {field.key: field for field in definition.fields}, list(parts)
    return [breach for check in definition.checks for breach in _breaches(check, fields, known)]


def _breaches(check: AnyCheck, fields: Mapping[str, Field], parts: Sequence[Part]) -> Iterator[Breach]:
    kind = str(type(check).__struct_config__.tag)
    if isinstance(check, ArmsSumToTotal):
        yield from _arms(kind, check, fields, parts)
        return
    names = _fields_of(check)
    bounds = (check.least, check.most) if isinstance(check, Between) else (None, None)
    for part in parts:
        if any(not part.texts.get(name) or fields[name].repeat != part.repeat for name in names):
            continue
        if _holds(check, [(fields[name], part.texts[name]) for name in names]) is False:
            read = tuple(Read(name, part.part, part.texts[name]) for name in names)
            yield Breach(kind, part.repeat, part.part, read, *bounds)


def _fields_of(check: IntervalHoldsEstimate | EventsAtMostTotal | Between) -> tuple[str, ...]:
    if isinstance(check, IntervalHoldsEstimate):
        return check.interval, check.estimate
    if isinstance(check, EventsAtMostTotal):
        return check.events, check.total
    return (check.field,)


def _holds(
    check: IntervalHoldsEstimate | EventsAtMostTotal | Between, values: Sequence[tuple[Field, str]]
) -> bool | None:
    """None where a value cannot be read."""
    if isinstance(check, IntervalHoldsEstimate):
        interval, estimate = interval_in(*_unpacked(values[0])), number_in(*_unpacked(values[1]))
        return interval[0] <= estimate <= interval[1] if interval is not None and estimate is not None else None
    numbers = [number for value in values if (number := number_in(*_unpacked(value))) is not None]
    if len(numbers) < len(values):
        return None
    if isinstance(check, EventsAtMostTotal):
        return numbers[0] <= numbers[1]
    least = check.least is None or numbers[0] >= Decimal(str(check.least))
    return least and (check.most is None or numbers[0] <= Decimal(str(check.most)))


def _unpacked(value: tuple[Field, str]) -> tuple[str, str]:
    return value[1], value[0].unit


def _arms(kind: str, check: ArmsSumToTotal, fields: Mapping[str, Field], parts: Sequence[Part]) -> Iterator[Breach]:
    """Where every arm says its number, and there are two of them at least: one alone is an arm of which the others were
    not found."""
    arms = [Read(check.arms, part.part, part.texts.get(check.arms, "")) for part in parts if part.repeat == "per_arm"]
    wholes = [part.texts.get(check.total, "") for part in parts if part.repeat == "none"]
    total = Read(check.total, "", wholes[0] if wholes else "")
    read = [number_in(one.text, fields[one.field].unit) for one in (total, *arms)]
    numbers = [number for number in read if number is not None]
    if len(arms) > 1 and len(numbers) == len(read) and numbers[0] != sum(numbers[1:]):
        yield Breach(kind, "none", "", (*arms, total))


def number_in(text: str, unit: str = "") -> Decimal | None:
    """The one number that a text is, perhaps with a per cent sign or the field's own unit behind it; None for anything
    else: a bound ("<0.05"), a number with its share, one whose sign print does not tell."""
    read = _amounts(text, unit)
    if len(read) != 1 or not read[0][0]:
        return None
    sign, number = read[0]
    return sign * number


def interval_in(text: str, unit: str = "") -> tuple[Decimal, Decimal] | None:
    """Both bounds, the lower one first. Where print does not tell a sign from a dash ("0.6 - 0.9"), the one way to read
    it in which the bounds are in their order; None where there are two."""
    read = _amounts(text, unit)
    if len(read) != 2:
        return None
    signs = product(*((sign,) if sign else (1, -1) for sign, _ in read))
    ways = [(one * read[0][1], other * read[1][1]) for one, other in signs]
    ordered = [way for way in ways if way[0] <= way[1]]
    return ordered[0] if len(ordered) == 1 else None


def _amounts(text: str, unit: str) -> Sequence[Amount]:
    """All that stands there, or nothing where more than numbers does."""
    folded = " ".join(fold_text(text.replace("至", " ~ ")))
    if _LEADING_ZERO.search(folded):
        return ()
    rest = folded
    for word in fold_text(unit):
        rest = rest.replace(word, " ")
    rest, count = _FIGURES.subn(" ", rest)
    read = amounts(folded)
    if count != len(read) or not _AROUND.fullmatch(rest) or any(unicodedata.category(sign) == "No" for sign in folded):
        return ()
    return read
