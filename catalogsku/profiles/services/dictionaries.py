"""Dictionaries of merchants by category: what a document keeps at its creation, and how the next version is made."""

from collections.abc import Sequence
from typing import Any

import msgspec
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from catalogsku.accounts.models import Merchant, User
from catalogsku.core.errors import Conflict, Refused
from catalogsku.core.structs import ready
from catalogsku.profiles.asking import changing
from catalogsku.profiles.dictionaries import Word, merged, words_of
from catalogsku.profiles.models import CategorySchema, MerchantDictionary


def categories_above(category: str) -> list[str]:
    """The category and those above it, the uppermost first; none where nobody has named one."""
    parents = dict(CategorySchema.objects.filter(active=True).values_list("key", "parent_key"))
    line: list[str] = []
    while category and category not in line:
        line.insert(0, category)
        category = parents.get(category, "")
    return line


def dictionaries_for(merchant_id: int, category: str) -> list[int]:
    """Ids of the versions that hold for a new document: the merchant's, then those of its category from above."""
    line = ["", *categories_above(category)]
    rows = MerchantDictionary.objects.filter(merchant=merchant_id, category__in=line, active=True)
    return [row.pk for row in sorted(rows.only("pk", "category"), key=lambda row: line.index(row.category))]


def words_in(dictionaries: Sequence[int], instead: MerchantDictionary | None = None) -> tuple[Word, ...]:
    """What these versions say together. ``instead``: a version that is not stored, in the place of the stored one of
    its category, or behind all wider ones."""
    by_id = MerchantDictionary.objects.in_bulk(dictionaries)
    rows = [by_id[pk] for pk in dictionaries if pk in by_id]
    if instead is not None:
        line = ["", *categories_above(instead.category)]
        above = [row for row in rows if row.category in line and row.category != instead.category]
        below = [row for row in rows if row.category not in line]
        rows = [*above, instead, *below]
    return merged(msgspec.convert(row.entries, ready(tuple[Word, ...])) for row in rows)


def dictionary_of(merchant_id: int, category: str) -> MerchantDictionary | None:
    """The one that holds for documents from now on."""
    return MerchantDictionary.objects.filter(merchant=merchant_id, category=category, active=True).first()


def draft_of(merchant: Merchant, category: str, entries: Any) -> MerchantDictionary:
    """A version that nobody has stored, checked. Raises Refused(dictionary_invalid)."""
    row = MerchantDictionary(merchant=merchant, category=category, entries=entries)
    row.key, row.version = row.key_of(merchant.pk, category), 1
    try:
        row.clean_fields(exclude=["version", "created_by", "reason"])
        row.clean()
    except ValidationError as error:
        raise refusal_of(error) from None
    return row


def set_dictionary(
    merchant: Merchant, category: str, entries: Any, by: User | None, reason: str, expected: int | None = None
) -> MerchantDictionary:
    """The next version, active at once: it holds for documents that are made from now on.

    ``expected``: the newest version that its author saw, 0 for none. Raises Refused(dictionary_invalid),
    Conflict(version_taken).
    """
    row = draft_of(merchant, category, entries)
    row.created_by, row.reason = by, reason[:200]
    try:
        with transaction.atomic(), changing(by, reason):
            newest = MerchantDictionary.objects.filter(key=row.key).order_by("-version").first()
            now = newest.version if newest else 0
            if expected is not None and now != expected:
                raise Conflict("version_taken", profile=row.key, now=now)
            row.add_version(now)
    except ValidationError as error:
        raise refusal_of(error) from None
    except IntegrityError:
        raise Conflict("version_taken", profile=row.key, now="?") from None
    return row


def with_word(entries: Any, word: Word | None, without: Word | None = None) -> list[dict[str, Any]]:
    """The entries with this one in the place of what they say of the same word, or ``without`` one."""
    said = words_of(entries)
    gone = {(w.kind, w.word) for w in (word, without) if w is not None}
    kept = [entry for entry in said if (entry.kind, entry.word) not in gone]
    raw: list[dict[str, Any]] = msgspec.to_builtins([*kept, *([word] if word else [])])
    return raw


def refusal_of(error: ValidationError) -> Refused:
    fault = error.error_dict if hasattr(error, "error_dict") else {"": error.error_list}
    first = next(iter(fault.values()))[0]
    return Refused("dictionary_invalid", why=" ".join(first.messages), fault=first.code or "invalid")
