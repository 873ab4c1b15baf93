"""Words and what they would change, put into words of the reader's language."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import get_language, pgettext_lazy

from catalogsku.profiles import dictionaries
from catalogsku.profiles.dictionaries import AS_BUILT_IN, Kind
from catalogsku.profiles.models import CategorySchema
from catalogsku.profiles.words import ATTRIBUTES
from processing.dictionaries.services.trying import Tried, TriedPage

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

ROWS_SHOWN = 200
KINDS: dict[Kind, "StrOrPromise"] = {
    "label": pgettext_lazy("kind of word", "Heads and labels"),
    "keyword": pgettext_lazy("kind of word", "Keywords"),
    "unit": pgettext_lazy("kind of word", "Units"),
    "pattern": pgettext_lazy("kind of word", "Patterns"),
}
_MEANINGS: dict[str, "StrOrPromise"] = {
    **ATTRIBUTES,
    AS_BUILT_IN: pgettext_lazy("meaning", "as it is built in"),
    "extra": pgettext_lazy("meaning", "a further value"),
    "foreign": pgettext_lazy("meaning", "of a table without products"),
    "row_number": pgettext_lazy("meaning", "a row's number"),
    "picture": pgettext_lazy("meaning", "a picture"),
    "quantity": pgettext_lazy("meaning", "a quantity"),
    "on_request": pgettext_lazy("meaning", "price on request"),
    "no_value": pgettext_lazy("meaning", "no value"),
    "total": pgettext_lazy("meaning", "a total"),
    "note": pgettext_lazy("meaning", "begins a note"),
    "heading": pgettext_lazy("meaning", "a heading, no name"),
    "document": pgettext_lazy("meaning", "a title of a document"),
    "running": pgettext_lazy("meaning", "printed on every page"),
    "not_model": pgettext_lazy("meaning", "no code, though it looks like one"),
}


@dataclass(frozen=True)
class WordRow:
    """``place``: in the list, from 0 on."""

    place: int
    word: str
    kind: str
    means: str


def word_rows(entries: Sequence[dict[str, Any]], schema: CategorySchema | None) -> list[WordRow]:
    own = _of_schema(schema)
    return [
        WordRow(n, entry["word"], str(KINDS[entry["kind"]]), own.get(entry["means"]) or meaning(entry["means"]))
        for n, entry in enumerate(entries)
    ]


def meaning(key: str) -> str:
    return str(_MEANINGS.get(key, key))


def meanings(schema: CategorySchema | None) -> list[tuple[str, list[tuple[str, str]]]]:
    """(kind, [(what a form sends, words)]), with the attributes of the category's schema among the labels."""
    groups = []
    for kind, keys in dictionaries.MEANINGS.items():
        choices = [(f"{kind}:{key}", meaning(key)) for key in keys]
        if kind == "label":
            choices += [(f"label:{key}", words) for key, words in _of_schema(schema).items()]
        groups.append((str(KINDS[kind]), [*choices, (f"{kind}:{AS_BUILT_IN}", meaning(AS_BUILT_IN))]))
    return groups


def _of_schema(schema: CategorySchema | None) -> dict[str, str]:
    """Attributes beside the base ones, with their labels."""
    first, second = ("label_zh", "label_en") if (get_language() or "").startswith("zh") else ("label_en", "label_zh")
    entries = schema.resolved_attributes if schema is not None else []
    return {
        entry["key"]: entry.get(first) or entry.get(second) or entry["key"]
        for entry in entries
        if entry["key"] not in dictionaries.LABELS
    }


@dataclass(frozen=True)
class ChangedRow:
    """A value of a product before and after; empty where there is none."""

    page: int
    product: str
    what: str
    before: str
    after: str


def changed_rows(tried: Tried) -> list[ChangedRow]:
    """Products that come, products that go, values that are others; at most ROWS_SHOWN."""
    rows = (row for page in tried.changed for row in _rows_of(page))
    return [row for row, _ in zip(rows, range(ROWS_SHOWN), strict=False)]


def _rows_of(page: TriedPage) -> Iterable[ChangedRow]:
    for value in page.difference.changed:
        yield ChangedRow(page.number, value.product, _named(value.key), value.before, value.after)
    for names, products, gained in (
        (page.difference.gained, page.after.products, True),
        (page.difference.lost, page.before.products, False),
    ):
        left = list(names)
        for product in products:
            name = product.get("model") or product.get("product_name") or ""
            if name in left:
                left.remove(name)
                for key, text in product.items():
                    yield ChangedRow(page.number, name, _named(key), *(("", text) if gained else (text, "")))


def _named(key: str) -> str:
    return str(pgettext_lazy("changed", "type of page")) if key == "page_type" else str(ATTRIBUTES.get(key, key))
