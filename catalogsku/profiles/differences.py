"""How two states of a configuration differ, value by value, in the reader's words. Pure but for the words."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django.db.models import Model
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from catalogsku.profiles.columns import WORDS

NOTHING = "–"
# Of an entry of a list, what names it to a reader.
NAMES = ("key", "rule", "field", "operation", "page_type", "complexity")
SHOWN_CHARS = 300


class Difference(NamedTuple):
    """``mine``: what somebody has entered instead, where that is asked for."""

    what: str
    before: str
    after: str
    mine: str = ""


def differences(
    model: type[Model] | None,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    mine: Mapping[str, Any] | None = None,
) -> list[Difference]:
    """Values that differ between ``before`` and ``after``; a key that is missing is no value."""
    old, new = dict(_flat(model, before)), dict(_flat(model, after))
    own = dict(_flat(model, mine or {}))
    return [
        Difference(path, old.get(path, NOTHING), new.get(path, NOTHING), own.get(path, NOTHING))
        for path in {**old, **new}
        if old.get(path) != new.get(path)
    ]


def _flat(model: type[Model] | None, values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    labels = {field.attname: capfirst(field.verbose_name) for field in model._meta.concrete_fields} if model else {}
    for name, value in values.items():
        yield from _parts(str(labels.get(name, name)), value)


def _parts(path: str, value: Any) -> Iterator[tuple[str, str]]:
    """Objects by their keys, lists of objects by what names each entry."""
    if isinstance(value, Mapping) and value:
        for key, part in value.items():
            yield from _parts(f"{path} / {WORDS[key].label if key in WORDS else key}", part)
    elif isinstance(value, list) and value and all(isinstance(entry, Mapping) for entry in value):
        for n, entry in enumerate(value, 1):
            name = " ".join(str(entry[key]) for key in NAMES if entry.get(key)) or str(n)
            yield from _parts(f"{path} / {name}", {key: part for key, part in entry.items() if key not in NAMES} or "✓")
    else:
        yield path, _text(value)


def _text(value: Any) -> str:
    if value is None or value in ("", [], {}):
        return NOTHING
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return ", ".join(map(str, value))[:SHOWN_CHARS]
    text = str(value)
    return text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}…"
