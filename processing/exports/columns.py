"""The one description of an export's columns, which every format takes its values from."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any

from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from catalogsku.core.text import safe_file_name
from catalogsku.profiles.models import CategorySchema
from catalogsku.profiles.words import ATTRIBUTES, UNIT_WORDS
from processing.engine.result import BASE_KEYS
from processing.exports.models import Headings
from processing.products.measures import UNITS, number_of, printed, unit_code
from processing.products.models import Sku, SkuImage

Label = str | Promise


@dataclass(frozen=True)
class Entry:
    """A line of an export. ``sku`` is None where a delta tells that it is gone."""

    sku_id: str
    sku: Sku | None
    change: str = ""

    @property
    def pictures(self) -> list[SkuImage]:
        """The best first."""
        return sorted(self.sku.pictures.all(), key=lambda picture: picture.rank) if self.sku is not None else []


@dataclass(frozen=True)
class Column:
    """``of_entry``: text as printed, a number, or None. ``number``: what a spreadsheet counts with in its place."""

    key: str
    label_zh: Label
    label_en: Label
    of_entry: Callable[[Entry], Any]
    number: Callable[[Entry], Decimal | None] | None = None

    def heading(self, headings: str) -> str:
        if headings == Headings.KEYS:
            return self.key
        with translation.override(headings):
            return str(self.label_zh if headings == Headings.CHINESE else self.label_en)

    def printed_heading(self, headings: str) -> str:
        """Of the column beside its numbers."""
        with translation.override(headings if headings != Headings.KEYS else None):
            as_printed = str(_("as printed"))
        return f"{self.key}_printed" if headings == Headings.KEYS else f"{self.heading(headings)} ({as_printed})"

    @property
    def label(self) -> Label:
        """In the active language."""
        return self.label_zh if (translation.get_language() or "").startswith("zh") else self.label_en


def _of_sku(key: str, label: Label, value: Callable[[Sku], Any]) -> Column:
    return Column(key, label, label, lambda entry: value(entry.sku) if entry.sku is not None else None)


def _custom(sku: Sku) -> str:
    return "; ".join(f"{attribute['name']}: {attribute['value']}" for attribute in sku.custom_attributes)


def _image_ids(entry: Entry) -> str:
    return ", ".join(picture.image.image_id for picture in entry.pictures)


CHANGE = Column("change", _("Change"), _("Change"), lambda entry: entry.change)
_BEFORE = (
    Column("sku_id", "SKU", "SKU", lambda entry: entry.sku_id),
    _of_sku("revision", _("Revision"), lambda sku: sku.revision),
    _of_sku("document", _("Document"), lambda sku: sku.job.source_name),
    _of_sku("category", _("Category"), lambda sku: sku.job.category or None),
    _of_sku("page", _("Page"), lambda sku: sku.page.number),
    _of_sku("status", _("Status"), lambda sku: sku.status),
    _of_sku("validity", _("Validity"), lambda sku: sku.validity),
    _of_sku("confidence", _("Confidence"), lambda sku: round(sku.confidence, 4)),
    _of_sku("quality_warning", _("Warning"), lambda sku: sku.quality_warning),
)
_AFTER = (
    _of_sku("custom_attributes", _("Further attributes"), _custom),
    Column("images", pgettext_lazy("export", "Pictures"), pgettext_lazy("export", "Pictures"), _image_ids),
    _of_sku("job_id", _("Document id"), lambda sku: str(sku.job.uuid)),
)
FIXED = (*(column.key for column in (CHANGE, *_BEFORE, *_AFTER)), *UNITS.values())
# Attributes of which there is a number.
_NUMBERS = ("price", "moq", *UNITS)
# Left out unless somebody picks them: one document needs neither its name nor its id in every line.
UNPICKED = ("document", "category", "job_id")


def columns_of(schemas: Iterable[CategorySchema]) -> dict[str, Column]:
    """Every column that SKUs of these schemas can have, by key, in the order of a table that nobody has arranged."""
    own: dict[str, Mapping[str, Any]] = {}
    for schema in schemas:
        own.update({entry["key"]: entry for entry in schema.resolved_attributes})
    keys = [*BASE_KEYS, *(key for key in own if key not in BASE_KEYS)]
    attributes = [column for key in keys for column in (_attribute(key, own.get(key, {})), *_unit(key))]
    return {column.key: column for column in (*_BEFORE, *attributes, *_AFTER)}


def _attribute(key: str, entry: Mapping[str, Any]) -> Column:
    word = ATTRIBUTES.get(key, key)
    labels = (entry.get("label_zh") or word, entry.get("label_en") or word)
    number = partial(_number_of, key) if key in _NUMBERS else None
    return Column(key if key not in FIXED else f"attributes.{key}", *labels, partial(_attribute_of, key), number)


def _attribute_of(key: str, entry: Entry) -> str | None:
    return printed(entry.sku.attributes, entry.sku.normalized, key) if entry.sku is not None else None


def _number_of(key: str, entry: Entry) -> Decimal | None:
    return number_of(entry.sku.normalized, key) if entry.sku is not None else None


def _unit(key: str) -> list[Column]:
    """The column behind a measure that says what it is in."""
    if key not in UNITS:
        return []
    label = UNIT_WORDS[UNITS[key]]
    return [_of_sku(UNITS[key], label, lambda sku: unit_code(sku.normalized, key))]


def unarranged(known: Mapping[str, Column], *, one_document: bool) -> list[str]:
    """The keys of a table that nobody has arranged."""
    return [key for key in known if key not in UNPICKED or (key == "document" and not one_document)]


@dataclass(frozen=True)
class Table:
    """What a writer of any format needs. ``entries`` may be gone through once. ``wanted``: the address of the list
    whose rows these are, ``wanted_words``: the same for people; empty where it is everything."""

    columns: Sequence[Column]
    entries: Iterator[Entry]
    headings: str = Headings.KEYS
    wanted: str = ""
    wanted_words: Sequence[str] = ()

    @property
    def filter(self) -> dict[str, Any]:
        """What a file says of the list that it was made from."""
        return {"filter": {"address": self.wanted, "words": list(self.wanted_words)}} if self.wanted else {}

    @property
    def head(self) -> list[str]:
        return [column.heading(self.headings) for column in self.columns]

    def values(self, entry: Entry) -> list[Any]:
        return [column.of_entry(entry) for column in self.columns]


def product_name(entry: Entry) -> str:
    """What a person would call it, as part of a file name on any system."""
    attributes = entry.sku.attributes if entry.sku is not None else {}
    words = [attributes.get("model") or "", attributes.get("product_name") or ""]
    return safe_file_name(" ".join(word for word in words if word))
