"""The columns that a list of products can have, and what SQL takes from a product for each of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from django.utils.translation import get_language

from catalogsku.profiles.models import CategorySchema
from catalogsku.profiles.words import ATTRIBUTES
from processing.engine.result import BASE_KEYS
from processing.engine.understanding.rules.typed import kinds_of

# Before the name of an attribute that no schema knows.
CUSTOM = "custom."
NAME_MOST_CHARS = 60
# Every list has these anyway, in columns of their own.
ALWAYS = ("model", "product_name")
NUMBERS = frozenset({"price", "moq"})

Fragment = tuple[str, list[Any]]

# Dashes as catalogsku.core.text.fold has them, which NFKC leaves.
_FOLDED = "translate(lower(normalize({}, NFKC)), '\u2010\u2011\u2012\u2013\u2014\u2212', '------')"
_NUMBER = r"(substring({} from '^[0-9]{{1,15}}(?:\.[0-9]{{1,6}})?$'))::numeric"
_FIRST_NUMBER = r"(substring(replace({}, ',', '') from '[0-9]{{1,15}}(?:\.[0-9]{{1,6}})?'))::numeric"


@dataclass(frozen=True)
class ListColumn:
    """``key``: of an attribute, or ``custom.`` and a printed name."""

    key: str
    label: str
    kind: Literal["text", "number"] = "text"

    @property
    def name(self) -> str:
        """The printed name of a custom attribute; empty for what a schema knows."""
        return self.key.removeprefix(CUSTOM) if self.key.startswith(CUSTOM) else ""

    def text(self, sku: str) -> Fragment:
        """What is shown, as SQL about the row ``sku`` of processing_sku; None where nothing is."""
        if self.name:
            of_name = f"(SELECT c->>'value' FROM jsonb_array_elements({sku}.custom_attributes) c"
            return f"{of_name} WHERE c->>'name' = %s LIMIT 1)", [self.name]
        if self.key == "price":
            return f"coalesce(nullif({sku}.attributes->>'price', ''), {sku}.normalized->'price'->>'text')", []
        if self.key == "currency":
            return f"coalesce({sku}.normalized->'price'->>'currency', {sku}.attributes->>'currency')", []
        return f"nullif({sku}.attributes->>%s, '')", [self.key]

    def folded(self, sku: str) -> Fragment:
        """The same as it is compared."""
        sql, values = self.text(sku)
        return _FOLDED.format(sql), values

    def number(self, sku: str) -> Fragment:
        """The first number of it; None where none is printed."""
        if self.key in NUMBERS:
            return _NUMBER.format(f"{sku}.normalized->'{self.key}'->>'value'"), []
        sql, values = self.text(sku)
        return _FIRST_NUMBER.format(_FOLDED.format(sql)), values

    def sorted(self, sku: str) -> Fragment:
        """What a list is sorted by: numbers by size, text by its signs."""
        if self.kind == "number":
            return self.number(sku)
        sql, values = self.folded(sku)
        return f'{sql} COLLATE "C"', values


def columns_of(schemas: Iterable[CategorySchema], names: Iterable[str] = ()) -> dict[str, ListColumn]:
    """By key: the base attributes, the categories' own, and ``names`` of custom ones; labels in the active language."""
    label = "label_zh" if (get_language() or "").startswith("zh") else "label_en"
    columns = {key: ListColumn(key, str(ATTRIBUTES[key]), _kind(key, {})) for key in BASE_KEYS}
    for schema in schemas:
        kinds = kinds_of(schema.resolved_attributes)
        for entry in schema.resolved_attributes:
            key = entry["key"]
            columns[key] = ListColumn(
                key, entry.get(label) or columns.get(key, ListColumn(key, key)).label, _kind(key, kinds)
            )
    return columns | {f"{CUSTOM}{name}": ListColumn(f"{CUSTOM}{name}", name) for name in names}


def _kind(key: str, kinds: Mapping[str, str]) -> Literal["text", "number"]:
    return "number" if key in NUMBERS or kinds.get(key) == "number" else "text"
