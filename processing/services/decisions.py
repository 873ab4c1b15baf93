"""What people decided about a SKU outlives a rerun: a machine's word is not put over a person's (TA-RERUN)."""

from processing.engine.understanding.rules.normalise import normalised
from processing.lifecycle import SKU, SkuStatus
from processing.models import Sku

PERSON = "person"
S = SkuStatus


def kept_status(old: Sku | None) -> SkuStatus | None:
    """The state that a person gave the earlier revision: a rejected SKU stays rejected. None: nobody decided."""
    if old is None or old.status != S.REJECTED:
        return None
    return S(SKU.check_path(S.EXTRACTED, S.PARTIAL, S.REJECTED))


def keep_line(sku: Sku, old: Sku) -> None:
    """The product that it continues from an earlier edition, and whether it is to go out."""
    sku.predecessor, sku.downstream_id, sku.left_out = old.predecessor, old.downstream_id, old.left_out


def keep_values(sku: Sku, old: Sku | None) -> None:
    """Into the new revision, before it is stored: what a person gave for the earlier one."""
    if old is None:
        return
    keep_line(sku, old)
    kept = [key for key, source in old.attribute_source.items() if source == PERSON and old.attributes.get(key)]
    for key in kept:
        sku.attributes[key] = old.attributes[key]
        sku.evidence[key] = old.evidence[key]
        sku.attribute_source[key] = PERSON
    if kept:
        sku.normalized = normalised({key: value for key, value in sku.attributes.items() if value}, {})
