"""Between what models write and what the engine takes: answers as ModelAnswers, results as zones of the next prompt."""

import json
from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

import msgspec

from processing.engine.result import BASE_KEYS, PageResult
from processing.engine.understanding.answers import AnsweredCustom, AnsweredSku, AnsweredValue, ModelAnswers
from processing.engine.understanding.config import AnalystConfig
from processing.llm import answers as said
from processing.llm.parsing import Fault
from processing.llm.zones import Zones

# Reasons of a page that a model can do something about when it is told them.
_ANSWERABLE = {
    "value_not_found": "not printed on the page; give what is printed, or null",
    "value_of_another": "printed with another product; give what is printed for this one, or null",
    "value_mislabelled": "printed under the label of another attribute; give what stands under its own, or null",
    "value_approximate": "printed differently; give it exactly as printed",
    "identity_missing": "a product needs a model or a name as printed; leave it out where the page gives neither",
    "price_unclear": "not a price as printed",
}


def class_of(found: said.PageClassAnswer, zones: Zones) -> ModelAnswers:
    return ModelAnswers(
        analyst="",
        page_type=found.page_type,
        type_confidence=found.confidence,
        layout_type=found.layout_type,
        roles={one.picture: one.role for one in found.pictures},
        texts=_roles_by_block(found.blocks, zones),
    )


def with_text_roles(found: ModelAnswers, texts: said.TextRolesAnswer, zones: Zones) -> ModelAnswers:
    return msgspec.structs.replace(found, texts={**found.texts, **_roles_by_block(texts.blocks, zones)})


def with_picture_roles(found: ModelAnswers, pictures: said.PictureRolesAnswer) -> ModelAnswers:
    return msgspec.structs.replace(found, roles={**found.roles, **{p.picture: p.role for p in pictures.pictures}})


def with_layout(found: ModelAnswers, layout: said.LayoutAnswer) -> ModelAnswers:
    return msgspec.structs.replace(found, layout_type=layout.layout_type)


def _roles_by_block(blocks: Iterable[said.BlockRoleAnswer], zones: Zones) -> dict[str, str]:
    """A role given to blocks that were shown as one is each one's."""
    merged = _merged(zones)
    return {name: one.role for one in blocks for name in merged.get(one.block, (one.block,))}


def _merged(zones: Zones) -> dict[str, tuple[str, ...]]:
    return {anchor.id: anchor.blocks for anchor in zones.anchors}


def products_of(found: ModelAnswers, products: Sequence[said.ProductAnswer], zones: Zones, method: str) -> ModelAnswers:
    merged = _merged(zones)
    skus = tuple(_sku(product, merged) for product in products)
    return msgspec.structs.replace(found, skus=skus, method=method)


def _sku(product: said.ProductAnswer, merged: dict[str, tuple[str, ...]]) -> AnsweredSku:
    given = {key: value for key, value in product.attributes.items() if value is not None}
    return AnsweredSku(
        attributes={key: _value(value, merged) for key, value in given.items()},
        custom=tuple(AnsweredCustom(one.label, _value(one, merged)) for one in product.custom),
        pictures=tuple(product.pictures),
        confidence=product.confidence,
    )


def _value(value: said.ValueAnswer, merged: dict[str, tuple[str, ...]]) -> AnsweredValue:
    return AnsweredValue(value.value, " ".join(merged.get(value.evidence, (value.evidence,))))


def schema_zone(config: AnalystConfig) -> str:
    """The attributes to look for: base keys, then the category's with their printed labels."""
    own: list[dict[str, object]] = [
        {"key": a.key, "labels": [label for label in (a.label_zh, a.label_en, *a.synonyms) if label]}
        for a in config.attributes
        if a.key not in BASE_KEYS
    ]
    base: list[dict[str, object]] = [{"key": key} for key in BASE_KEYS]
    return _lines(base + own)


def boundaries_zone(found: said.BoundariesAnswer) -> str:
    return _lines([{"number": p.number, "members": p.members, "box": p.box} for p in found.products])


def candidates_zone(result: PageResult, indexes: Sequence[int]) -> str:
    """Products by their number on the page (from 1), each with the pictures that may show it."""
    return _lines(
        [
            {
                "product": n + 1,
                "name": " ".join(
                    v.text for k, v in result.skus[n].attributes.items() if k in ("model", "product_name")
                ),
                "candidates": [c.picture for c in result.skus[n].candidates],
            }
            for n in indexes
        ]
    )


def _lines(entries: Sequence[dict[str, object]]) -> str:
    return "\n".join(escape(json.dumps(entry, ensure_ascii=False)) for entry in entries)


def faults_of(result: PageResult) -> tuple[Fault, ...]:
    """What the checks refuse and a model could mend: where, the value, and the rule (GR-CRITIQUE)."""
    found = []
    for blocker in result.blockers:
        if blocker.code in _ANSWERABLE and blocker.sku is not None:
            key, value = blocker.params.get("key", ""), blocker.params.get("value", blocker.params.get("price", ""))
            path = f"products[{blocker.sku}].{key}".rstrip(".")
            found.append(Fault(path, str(value)[:80], _ANSWERABLE[blocker.code]))
    return tuple(found)
