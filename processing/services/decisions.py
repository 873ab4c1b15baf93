"""What people decided about a SKU outlives a rerun: a machine's word is not put over a person's (TA-RERUN)."""

from collections.abc import Sequence

from processing.engine.understanding.rules.normalise import normalised
from processing.lifecycle import SKU, SkuStatus
from processing.models import Sku

PERSON = "person"
S = SkuStatus


def keep_decisions(skus: Sequence[Sku], earlier: Sequence[Sku]) -> None:
    """Into the new revisions, before they are stored: values that a person gave, and that a person rejected it.

    ``earlier``: the page's SKUs before the rerun; those of other ids are left alone.
    """
    before = {sku.sku_id: sku for sku in earlier}
    for sku in skus:
        old = before.get(sku.sku_id)
        if old is not None:
            _keep_values(sku, old)
            if old.status == S.REJECTED:
                sku.status = SKU.check_path(S.EXTRACTED, S.PARTIAL, S.REJECTED)
                sku.blockers = []


def _keep_values(sku: Sku, old: Sku) -> None:
    kept = [key for key, source in old.attribute_source.items() if source == PERSON and old.attributes.get(key)]
    for key in kept:
        sku.attributes[key] = old.attributes[key]
        sku.evidence[key] = old.evidence[key]
        sku.attribute_source[key] = PERSON
    if kept:
        sku.normalized = normalised({key: value for key, value in sku.attributes.items() if value}, {})
