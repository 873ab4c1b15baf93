"""What a category asks of its products, as data: attributes with the labels that catalogues print, and rules (TA-T55).

Pure: the structures, how they are read from JSON that a person wrote, and how a category takes over its parent's.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeVar

import msgspec

from catalogsku.core.structs import ready

Entry = TypeVar("Entry", bound=msgspec.Struct)

PATTERN_LENGTH_MAX = 200
# A group that repeats inside a group that repeats: the time to match may double with every character.
_NESTED_REPEAT = re.compile(r"\([^()]*[*+}][^()]*\)\s*[*+{]")


class Attribute(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """``synonyms``: further printed labels, in any language. ``unit``: the one meant where none is printed."""

    key: str
    label_zh: str = ""
    label_en: str = ""
    synonyms: tuple[str, ...] = ()
    type: Literal["text", "number", "measure", "choice"] = "text"
    unit: str = ""
    required: bool = False
    group: str = ""

    @property
    def labels(self) -> tuple[str, ...]:
        """Every label that names it."""
        return tuple(label for label in (self.label_zh, self.label_en, *self.synonyms) if label)


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is to hold for one attribute of each SKU. ``min`` and ``max`` for range_check (a number of the value in its
    printed unit), ``pattern`` for regex_match (the whole value), ``max`` for max_count (values in one cell).

    ``action``: note marks the SKU, review sends it to a person.
    """

    rule: Literal["required_field", "range_check", "regex_match", "max_count"]
    field: str
    min: float | None = None
    max: float | None = None
    pattern: str = ""
    severity: Literal["warning", "error"] = "warning"
    action: Literal["note", "review"] = "note"


class SchemaError(ValueError):
    """``code`` names what is wrong, ``place`` the entry from 1 on (0: the list itself), ``what`` the word at fault."""

    def __init__(self, code: str, place: int = 0, what: str = "") -> None:
        super().__init__(f"{code} at {place}: {what}")
        self.code, self.place, self.what = code, place, what


def attributes_of(raw: Any) -> tuple[Attribute, ...]:
    """Raises SchemaError: not_a_list, bad_entry, bad_key, key_twice, label_twice."""
    attributes = _entries(raw, Attribute)
    for place, entry in enumerate(attributes, 1):
        if not (entry.key.isidentifier() and entry.key.isascii() and entry.key.islower()):
            raise SchemaError("bad_key", place, entry.key)
    _refuse_twice("key_twice", [entry.key for entry in attributes])
    _refuse_twice("label_twice", [label for entry in attributes for label in {fold(label) for label in entry.labels}])
    return attributes


def rules_of(raw: Any, keys: Iterable[str]) -> tuple[Rule, ...]:
    """``keys``: the attributes there are. Raises SchemaError: not_a_list, bad_entry, unknown_field, bad_range,
    bad_pattern."""
    rules, known = _entries(raw, Rule), set(keys)
    for place, entry in enumerate(rules, 1):
        if entry.field not in known:
            raise SchemaError("unknown_field", place, entry.field)
        if entry.rule in ("range_check", "max_count"):
            _check_range(place, entry)
        if entry.rule == "regex_match":
            _check_pattern(place, entry.pattern)
    return rules


def inherited(own: Sequence[Entry], parents: Sequence[Entry], by: Sequence[str]) -> tuple[Entry, ...]:
    """The parent's entries, each replaced by the category's own of the same columns ``by``, then what is new."""

    def name(entry: Entry) -> tuple[Any, ...]:
        return tuple(getattr(entry, column) for column in by)

    mine = {name(entry): entry for entry in own}
    merged = [mine.pop(name(entry), entry) for entry in parents]
    return (*merged, *mine.values())


def fold(label: str) -> str:
    """How labels are compared: letters' case and white space do not count."""
    return re.sub(r"\s+", "", label).casefold()


def _entries(raw: Any, kind: type[Entry]) -> tuple[Entry, ...]:
    if not isinstance(raw, list):
        raise SchemaError("not_a_list")
    entries = []
    for place, entry in enumerate(raw, 1):
        try:
            entries.append(msgspec.convert(entry, ready(kind)))
        except msgspec.ValidationError as error:
            raise SchemaError("bad_entry", place, str(error)) from error
    return tuple(entries)


def _refuse_twice(code: str, names: Sequence[str]) -> None:
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise SchemaError(code, 0, twice[0])


def _check_range(place: int, rule: Rule) -> None:
    is_empty = rule.min is None and rule.max is None
    if is_empty or (rule.min is not None and rule.max is not None and rule.min > rule.max):
        raise SchemaError("bad_range", place, rule.field)


def _check_pattern(place: int, pattern: str) -> None:
    """A pattern is matched in the sandbox, under its limits; what would use those up is refused here."""
    if not 0 < len(pattern) <= PATTERN_LENGTH_MAX or _NESTED_REPEAT.search(pattern):
        raise SchemaError("bad_pattern", place, pattern[:60])
    try:
        re.compile(pattern)
    except re.error as error:
        raise SchemaError("bad_pattern", place, f"{pattern[:60]}: {error}") from error
