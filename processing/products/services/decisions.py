"""What people decided outlives a rerun: a machine's word is not put over a person's, but noted beside it (TA-RERUN)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from catalogsku.core.text import squash
from processing.engine.result import Blocker, Evidence, Value
from processing.engine.understanding.judging.validity import judge_validity
from processing.products.lifecycle import SKU, SkuStatus
from processing.products.measures import renormalised, still_told
from processing.products.models import Image, Sku, SkuImage
from processing.products.page_state import Change

PERSON = "person"
# What the last reading says instead of a person's words, by attribute; gone with the next submit of the page.
OTHERWISE = "otherwise"
# Who corrected a value where results are shown, when and why, by attribute; gone with the next word on the value.
SAID = "said"
S = SkuStatus
# Numbers of pictures that people drew, which no reading of a page comes to: a rerun writes over its own only.
DRAWN_FROM = 901
# A person let it go out, or found nothing to hold back.
TAKEN = (S.CONFIRMED, S.BOUND, S.IMPORTING, S.IMPORTED, S.IMPORT_FAILED)
_NOWHERE = Evidence("", 0, (0, 0, 0, 0))


@dataclass
class Reading:
    """What becomes a revision of a SKU: columns as in Sku."""

    box: Sequence[float]
    attributes: dict[str, str | None]
    attribute_source: dict[str, str]
    evidence: dict[str, Any]
    normalized: dict[str, Any]
    custom_attributes: list[dict[str, Any]]
    validity: str
    quality_warning: str | None
    decisions: dict[str, Any] = field(default_factory=dict)
    predecessor: str = ""
    downstream_id: str = ""
    left_out: bool = False


@dataclass(frozen=True)
class ChosenPicture:
    """A picture of a SKU, and who says so."""

    image: Image
    role: str
    method: str
    confidence: float
    chosen_by: str


# --- of SKUs -----------------------------------------------------------------------------------------


def keep_line(sku: Sku | Reading, old: Sku) -> None:
    """The product that it continues from an earlier edition, and whether it is to go out."""
    sku.predecessor, sku.downstream_id, sku.left_out = old.predecessor, old.downstream_id, old.left_out


def decisions_of(old: Sku | None, changes: Sequence[Change], values: Collection[str]) -> dict[str, Any]:
    """What beside the ``values`` that a SKU has now people have decided of it, with this submit (see Sku)."""
    before: dict[str, Any] = {"product": True} if old is None else old.decisions
    decisions = {name: value for name, value in before.items() if name not in (OTHERWISE, "emptied")}
    if any(change.kind == "BINDING" for change in changes):
        decisions["pictures"] = True
    if any(change.field == "source_box" for change in changes):
        decisions["box"] = True
    touched = {change.field: change.after for change in changes if change.kind == "SKU_ATTRIBUTE"}
    decisions = _without_said(decisions, touched)
    gone = {key for key, after in touched.items() if after is None}
    emptied = sorted({*before.get("emptied", ()), *gone} - set(values))
    return {**decisions, "emptied": emptied} if emptied else decisions


def _without_said(decisions: Mapping[str, Any], keys: Collection[str]) -> dict[str, Any]:
    left = {key: statement for key, statement in decisions.get(SAID, {}).items() if key not in keys}
    return {
        **{name: decision for name, decision in decisions.items() if name != SAID},
        **({SAID: left} if left else {}),
    }


def said_with(decisions: Mapping[str, Any], key: str, said: Mapping[str, Any]) -> dict[str, Any]:
    """The decisions, with who said the value of ``key``."""
    return {**decisions, SAID: {**decisions.get(SAID, {}), key: dict(said)}}


def put_back(now: Mapping[str, Any], earlier: Mapping[str, Any], key: str) -> dict[str, Any]:
    """The decisions as they are ``now``, but those on the value of ``key`` as they were ``earlier``."""
    decisions = _without_said({name: decision for name, decision in now.items() if name != "emptied"}, {key})
    if key in earlier.get(SAID, {}):
        decisions = said_with(decisions, key, earlier[SAID][key])
    emptied = sorted({*now.get("emptied", ())} - {key} | ({key} & {*earlier.get("emptied", ())}))
    return {**decisions, "emptied": emptied} if emptied else decisions


def is_decided(old: Sku) -> bool:
    """A person added it, or has a word in it: it is a product, or none, although a reading does not find it."""
    confirmed = any(custom.get("confirmed") for custom in old.custom_attributes)
    return old.status == S.REJECTED or bool(old.decisions) or confirmed or PERSON in old.attribute_source.values()


def keep_decisions(sku: Reading, old: Sku | None) -> None:
    """Into the new revision, before it is a row: what a person decided of the earlier one."""
    if old is None:
        return
    keep_line(sku, old)
    read = dict(sku.attributes)
    decided, emptied = _given(old), [key for key in old.decisions.get("emptied", ()) if key in read]
    for key in decided:
        sku.attributes[key], sku.evidence[key] = old.attributes[key], old.evidence[key]
        sku.attribute_source[key] = PERSON
    for key in emptied:
        sku.attributes[key] = None
        sku.evidence.pop(key, None), sku.attribute_source.pop(key, None)
    sku.custom_attributes = _customs(sku, old)
    if old.decisions.get("box"):
        sku.box = old.box
    otherwise = {key: read[key] for key in [*decided, *emptied] if read.get(key) and read[key] != sku.attributes[key]}
    decisions = {name: value for name, value in old.decisions.items() if name != OTHERWISE}
    sku.decisions = {**decisions, OTHERWISE: otherwise} if otherwise else decisions
    if decided or emptied:
        values = {key: value for key, value in sku.attributes.items() if value}
        sku.evidence = still_told(sku.evidence, values, emptied)
        sku.attribute_source = still_told(sku.attribute_source, values)
        sku.normalized = renormalised(values, sku.evidence)
        judged = {key: Value(text, _NOWHERE) for key, text in values.items()}
        sku.validity, sku.quality_warning = judge_validity(judged)


def _given(old: Sku) -> list[str]:
    """Keys of the values that a person gave, or confirmed."""
    return [key for key, source in old.attribute_source.items() if source == PERSON and old.attributes.get(key)]


def _customs(sku: Reading, old: Sku) -> list[dict[str, Any]]:
    """Those that a person confirmed, and what else was read under other names."""
    confirmed = [custom for custom in old.custom_attributes if custom.get("confirmed")]
    names = {squash(custom["name"]) for custom in confirmed}
    return [*confirmed, *(custom for custom in sku.custom_attributes if squash(custom["name"]) not in names)]


def decided_status(validity: str, old: Sku | None) -> SkuStatus | None:
    """What a person's word makes of the new revision: rejected, or right although it is incomplete; None: nobody's."""
    if old is None:
        return None
    if old.status == S.REJECTED:
        return S(SKU.check_path(S.EXTRACTED, S.PARTIAL, S.REJECTED))
    if validity == "partial" and old.status in TAKEN and is_decided(old):
        return S(SKU.check_path(S.EXTRACTED, S.PARTIAL, S.CONFIRMED, S.BOUND))
    return None


def is_answered(blocker: Blocker, sku: Sku) -> bool:
    """What it asks of this SKU was decided by a person."""
    if sku.status == S.REJECTED:
        return True
    key = "price" if blocker.code == "price_unclear" else blocker.params.get("key", blocker.params.get("field"))
    if key is not None:
        return sku.attribute_source.get(str(key)) == PERSON or key in sku.decisions.get("emptied", ())
    return {
        "binding_ambiguous": bool(sku.decisions.get("pictures")),
        "identity_missing": sku.validity != "invalid",
        "sku_doubtful": is_decided(sku),
        "specification_missing": sku.validity == "full" or sku.status == S.BOUND,
    }.get(blocker.code, False)


def chosen_pictures(skus: Sequence[Sku]) -> dict[int, list[ChosenPicture]]:
    """What people bound, by key of those SKUs whose pictures they decided; an empty list: nothing."""
    chosen: dict[int, list[ChosenPicture]] = {sku.pk: [] for sku in skus if sku.decisions.get("pictures")}
    if chosen:
        rows = SkuImage.objects.filter(sku__in=list(chosen)).select_related("image").order_by("sku", "rank", "pk")
        for row in rows:
            picture = ChosenPicture(row.image, row.role, row.method, row.confidence, row.chosen_by)
            chosen[row.sku_id].append(picture)
    return chosen


def is_drawn(image_id: str) -> bool:
    """By a person, not found in the file."""
    return int(image_id.rpartition("_")[2]) >= DRAWN_FROM


def found_again(image: Image, images: Mapping[str, Image]) -> Image | None:
    """The same picture in ``images``, by image id, as they are read now; None: it is not there any more."""
    here = images.get(image.image_id)
    if is_drawn(image.image_id) or (here is not None and here.content_hash == image.content_hash):
        return here or image
    return next((other for other in images.values() if other.content_hash == image.content_hash), None)
