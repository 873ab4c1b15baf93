"""What a template asks of a study, as data: groups of fields, and checks that hold between them (LX-FIELDS).

Pure: the structures, and how they are read from JSON that a person wrote.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal, get_args

import msgspec

from catalogsku.core.structs import ready

FieldType = Literal["text", "number", "integer", "percentage", "interval", "choice", "boolean", "date"]
Repeat = Literal["none", "per_arm", "per_outcome"]
TYPES: tuple[FieldType, ...] = get_args(FieldType)
REPEATS: tuple[Repeat, ...] = get_args(Repeat)

GROUPS_MOST, FIELDS_MOST, CHOICES_MOST, CHECKS_MOST = 30, 200, 40, 60
NAME_LENGTH_MAX, KEY_LENGTH_MAX, UNIT_LENGTH_MAX, INSTRUCTION_LENGTH_MAX = 80, 60, 20, 500
SUBJECT_LENGTH_MAX, PART_LENGTH_MAX = 200, 120  # the name of a study, of an arm or outcome
BYTES_MOST = 64 << 10
FAULTS_MOST = 20  # a person mends these first
NUMBERS: frozenset[FieldType] = frozenset({"number", "integer", "percentage"})
WITH_UNIT: frozenset[FieldType] = frozenset({"number", "integer", "interval"})  # a percentage has its own
_KEY = re.compile(rf"[a-z][a-z0-9_]{{0,{KEY_LENGTH_MAX - 1}}}")


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Everything of a definition."""


class Labels(Entry, frozen=True):
    """One of both may be missing: the other is shown then."""

    en: str = ""
    zh: str = ""


class Choice(Entry, frozen=True):
    key: str
    labels: Labels


class Field(Entry, frozen=True):
    """``unit``: the one meant where none is printed. ``instruction``: the user's own words on where the value is found,
    kept as they were typed; models are shown them in a fence (``fencing``)."""

    key: str
    labels: Labels
    type: FieldType = "text"
    unit: str = ""
    required: bool = False
    repeat: Repeat = "none"
    choices: tuple[Choice, ...] = ()
    instruction: str = ""


class Group(Entry, frozen=True):
    key: str
    labels: Labels
    fields: tuple[Field, ...]


class Check(Entry, frozen=True, tag_field="check"):
    """What is to hold between values of one record; fields by key."""


class IntervalHoldsEstimate(Check, frozen=True, tag="interval_holds_estimate"):
    interval: str
    estimate: str


class EventsAtMostTotal(Check, frozen=True, tag="events_at_most_total"):
    events: str
    total: str


class ArmsSumToTotal(Check, frozen=True, tag="arms_sum_to_total"):
    """``arms``: counted in each arm; ``total``: of the whole study."""

    arms: str
    total: str


class Between(Check, frozen=True, tag="between"):
    """``least`` and ``most``: both allowed, either may be missing."""

    field: str
    least: float | None = None
    most: float | None = None


AnyCheck = IntervalHoldsEstimate | EventsAtMostTotal | ArmsSumToTotal | Between
CHECKS: tuple[type[AnyCheck], ...] = get_args(AnyCheck)


@dataclass(frozen=True)
class Part:
    """What a check's field has to be."""

    types: frozenset[FieldType]
    repeats: frozenset[Repeat] = frozenset(REPEATS)


_COUNT = Part(frozenset({"integer"}))
# By kind of check, its fields. Those that say no one repeat have to repeat alike.
PARTS: Mapping[type[AnyCheck], Mapping[str, Part]] = {
    IntervalHoldsEstimate: {"interval": Part(frozenset({"interval"})), "estimate": Part(NUMBERS)},
    EventsAtMostTotal: {"events": _COUNT, "total": _COUNT},
    ArmsSumToTotal: {
        "arms": Part(_COUNT.types, frozenset({"per_arm"})),
        "total": Part(_COUNT.types, frozenset({"none"})),
    },
    Between: {"field": Part(NUMBERS)},
}


class Definition(Entry, frozen=True):
    groups: tuple[Group, ...]
    checks: tuple[AnyCheck, ...] = ()

    @property
    def fields(self) -> tuple[Field, ...]:
        """In their order, of all groups."""
        return tuple(chain.from_iterable(group.fields for group in self.groups))


@dataclass(frozen=True)
class Fault:
    """``code`` names what is wrong, ``path`` its place, as in "groups.0.fields.3.key", ``what`` the word at fault."""

    code: str
    path: str
    what: str = ""

    def __post_init__(self) -> None:
        shown = self.what[:KEY_LENGTH_MAX].encode("utf-8", "replace").decode()
        object.__setattr__(self, "what", shown)


class DefinitionError(ValueError):
    """``faults``: the first ones, each at its place."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults[:FAULTS_MOST])
        super().__init__("; ".join(f"{fault.code} at {fault.path}: {fault.what}" for fault in self.faults))


def definition_of(raw: Any) -> Definition:
    """Raises DefinitionError: bad_entry, too_large, too_many_groups, too_many_fields, too_many_choices,
    too_many_checks, no_groups, empty_group, bad_key, key_twice, no_label, too_long, bad_text, unit_not_here,
    no_choices, choices_not_here, check_unknown_field, check_wrong_field, check_repeats_differ, check_twice,
    bad_range."""
    try:
        definition = msgspec.convert(raw, ready(Definition))
    except msgspec.ValidationError as error:
        what, _, at = str(error).partition(" - at `$")
        raise DefinitionError([Fault("bad_entry", _path(at), what)]) from error
    faults = list(_faults_in(definition))
    if not faults and len(msgspec.json.encode(definition)) > BYTES_MOST:  # with faults it may be no UTF-8
        faults = [Fault("too_large", "", str(BYTES_MOST >> 10))]
    if faults:
        raise DefinitionError(faults)
    return definition


def stored(definition: Definition) -> dict[str, Any]:
    """As a row holds it and a file says it; equal where the definitions are."""
    raw: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(definition))
    return raw


def key_from(label: str) -> str:
    """A key that a label suggests; empty where it holds no letter of the Latin alphabet to begin with."""
    plain = unicodedata.normalize("NFKD", label).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "_", plain).lstrip("_0123456789")[:KEY_LENGTH_MAX].rstrip("_")


def is_key(text: str) -> bool:
    return _KEY.fullmatch(text) is not None


def _path(told: str) -> str:
    """As msgspec says it, `.groups[0].fields[1].type`, as everywhere else."""
    return re.sub(r"\[(\.\.\.|\d*)\]", r".\1", told.rstrip("`")).strip(".")


def _faults_in(definition: Definition) -> Iterator[Fault]:
    yield from _too_many("groups", "too_many_groups", len(definition.groups), GROUPS_MOST)
    yield from _too_many("groups", "too_many_fields", len(definition.fields), FIELDS_MOST)
    yield from _too_many("checks", "too_many_checks", len(definition.checks), CHECKS_MOST)
    if not definition.groups:
        yield Fault("no_groups", "groups")
    groups = [(f"groups.{n}", group) for n, group in enumerate(definition.groups)]
    fields = [(f"{at}.fields.{n}", field) for at, group in groups for n, field in enumerate(group.fields)]
    yield from _keys([(at, group.key) for at, group in groups])
    yield from _keys([(at, field.key) for at, field in fields])
    for at, group in groups:
        yield from _labels(at, group.labels)
        if not group.fields:
            yield Fault("empty_group", f"{at}.fields")
    for at, field in fields:
        yield from _labels(at, field.labels)
        yield from _field(at, field)
    yield from _checks(definition)


def _field(at: str, field: Field) -> Iterator[Fault]:
    yield from _text(f"{at}.unit", field.unit, UNIT_LENGTH_MAX)
    yield from _text(f"{at}.instruction", field.instruction, INSTRUCTION_LENGTH_MAX, lines=True)
    if field.unit and field.type not in WITH_UNIT:
        yield Fault("unit_not_here", f"{at}.unit", field.unit)
    if field.type != "choice":
        if field.choices:
            yield Fault("choices_not_here", f"{at}.choices")
        return
    if not field.choices:
        yield Fault("no_choices", f"{at}.choices")
    yield from _too_many(f"{at}.choices", "too_many_choices", len(field.choices), CHOICES_MOST)
    choices = [(f"{at}.choices.{n}", choice) for n, choice in enumerate(field.choices)]
    yield from _keys([(place, choice.key) for place, choice in choices])
    for place, choice in choices:
        yield from _labels(place, choice.labels)


def _checks(definition: Definition) -> Iterator[Fault]:
    known = {field.key: field for field in definition.fields}
    for n, check in enumerate(definition.checks):
        at = f"checks.{n}"
        if check in definition.checks[:n]:
            yield Fault("check_twice", at)
        repeats = set()
        for name, part in PARTS[type(check)].items():
            key = getattr(check, name)
            field = known.get(key)
            if field is None:
                yield Fault("check_unknown_field", f"{at}.{name}", key)
            elif field.type not in part.types or field.repeat not in part.repeats:
                yield Fault("check_wrong_field", f"{at}.{name}", key)
            elif len(part.repeats) > 1:
                repeats.add(field.repeat)
        if len(repeats) > 1:
            yield Fault("check_repeats_differ", at)
        if isinstance(check, Between) and not _is_range(check.least, check.most):
            yield Fault("bad_range", f"{at}.least")


def _is_range(least: float | None, most: float | None) -> bool:
    bounds = [bound for bound in (least, most) if bound is not None]
    return bool(bounds) and all(abs(bound) < float("inf") for bound in bounds) and bounds == sorted(bounds)


def _too_many(at: str, code: str, there: int, most: int) -> Iterator[Fault]:
    if there > most:
        yield Fault(code, at, str(most))


def _keys(keys: Sequence[tuple[str, str]]) -> Iterator[Fault]:
    seen: Counter[str] = Counter()
    for at, key in keys:
        seen[key] += 1
        if not is_key(key):
            yield Fault("bad_key", f"{at}.key", key)
        elif seen[key] > 1:
            yield Fault("key_twice", f"{at}.key", key)


def _labels(at: str, labels: Labels) -> Iterator[Fault]:
    if not (labels.en.strip() or labels.zh.strip()):
        yield Fault("no_label", f"{at}.labels.en")
    for language in ("en", "zh"):
        yield from _text(f"{at}.labels.{language}", getattr(labels, language), NAME_LENGTH_MAX)


def _text(at: str, text: str, most: int, *, lines: bool = False) -> Iterator[Fault]:
    """Nothing that no row keeps or nobody sees: control signs, halves of signs, marks of direction."""
    if len(text) > most:
        yield Fault("too_long", at, str(most))
    allowed = "\n\t" if lines else ""
    if any(unicodedata.category(sign) in ("Cc", "Cf", "Cs") and sign not in allowed for sign in text):
        yield Fault("bad_text", at)
