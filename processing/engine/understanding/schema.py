"""Attributes that the job's category adds: values under a label which its schema names become that attribute."""

from collections.abc import Sequence

import msgspec

from processing.engine.result import CustomValue, Value
from processing.engine.understanding.config import SchemaAttribute
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.rules.labels import label_forms

_IDENTITY = ("model", "product_name")


def named_by_schema(drafts: tuple[Draft, ...], attributes: Sequence[SchemaAttribute]) -> tuple[Draft, ...]:
    """The drafts with the schema's keys in place of custom names, and beside base keys whose label the schema claims.

    A schema only adds: the base key keeps its value, by which validity and every consumer knows the product.
    """
    if not attributes:
        return drafts
    keys = _keys_by_label(attributes)
    return tuple(_named(draft, keys) for draft in drafts)


def known_labels(attributes: Sequence[SchemaAttribute]) -> frozenset[str]:
    """The printed forms by which a schema's attributes are known."""
    return frozenset(_keys_by_label(attributes))


def _keys_by_label(attributes: Sequence[SchemaAttribute]) -> dict[str, str]:
    """Key by printed form of each label and synonym; where two attributes share one, the first has it."""
    keys: dict[str, str] = {}
    for attribute in attributes:
        for label in (attribute.label_zh, attribute.label_en, *attribute.synonyms, attribute.key.replace("_", " ")):
            for form in label_forms(label)[:1]:
                keys.setdefault(form, attribute.key)
    return keys


def _key_of(label: str, keys: dict[str, str]) -> str | None:
    return next((keys[form] for form in label_forms(label) if form in keys), None)


def _named(draft: Draft, keys: dict[str, str]) -> Draft:
    attributes, contexts = dict(draft.attributes), dict(draft.contexts)
    for key, label in draft.contexts.items():
        claimed = _key_of(label, keys)
        if key in attributes and key not in _IDENTITY and claimed is not None and claimed not in attributes:
            attributes[claimed], contexts[claimed] = attributes[key], label
    remaining: list[CustomValue] = []
    for custom in draft.custom:
        claimed = _key_of(custom.name, keys)
        if claimed is None or claimed in attributes:
            remaining.append(custom)
            continue
        attributes[claimed], contexts[claimed] = Value(custom.value, custom.evidence), custom.name
    return msgspec.structs.replace(draft, attributes=attributes, custom=tuple(remaining), contexts=contexts)
