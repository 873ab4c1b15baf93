"""SKU ids {hash8}_p{page}_{sequence}, kept by the same product through every rerun (TA-ADR06, TA-SKUSTABLE)."""

import re
from collections.abc import Sequence

from catalogsku.core.box import overlap_ratio
from catalogsku.core.moves import move
from catalogsku.core.text import squash
from ingestion.models import Job, Page
from processing.engine.result import Sku as FoundSku
from processing.lifecycle import SKU, SkuStatus
from processing.models import Sku

SAME_PLACE_RATIO = 0.5
_SEQUENCE = re.compile(r"_(\d+)$")


def assign_ids(job: Job, page: Page, found: Sequence[FoundSku]) -> list[tuple[str, int]]:
    """(sku_id, revision) for each of ``found``, which come in reading order.

    A SKU matched to an earlier one, by identity and else by place, continues it; earlier ones are superseded.
    Freed numbers are not used again.
    """
    earlier = list(Sku.objects.filter(page=page, superseded=False).order_by("sku_id"))
    matches = match(found, earlier)
    if earlier:
        rows = Sku.objects.filter(pk__in=[sku.pk for sku in earlier])
        move(SKU, rows, to=SkuStatus.SUPERSEDED, trigger="superseded", changes={"superseded": True})
    prefix = f"{job.hash8}_p{page.number:02d}_"
    known = Sku.objects.filter(job=job, page=page).order_by().values_list("sku_id", flat=True).distinct()
    sequence = max((int(m.group(1)) for sku_id in known if (m := _SEQUENCE.search(sku_id))), default=0)
    given = []
    for index in range(len(found)):
        kept = matches.get(index)
        if kept is not None:
            given.append((kept.sku_id, kept.revision + 1))
        else:
            sequence += 1
            given.append((f"{prefix}{sequence:03d}", 1))
    return given


def match(found: Sequence[FoundSku], earlier: Sequence[Sku]) -> dict[int, Sku]:
    """The earlier SKU of each found one: the same identity, or the same place where one of them has none."""
    matches: dict[int, Sku] = {}
    free = list(earlier)
    for same in (_same_identity, _same_place):
        for index, sku in enumerate(found):
            if index in matches:
                continue
            hit = next((old for old in free if same(sku, old)), None)
            if hit is not None:
                matches[index] = hit
                free.remove(hit)
    return matches


def _identity(sku: Sku) -> str:
    return squash(sku.attributes.get("model") or sku.attributes.get("product_name") or "")


def _same_identity(sku: FoundSku, old: Sku) -> bool:
    return bool(sku.identity) and squash(sku.identity or "") == _identity(old)


def _same_place(sku: FoundSku, old: Sku) -> bool:
    return overlap_ratio(sku.box, tuple(old.box)) >= SAME_PLACE_RATIO and not (sku.identity and _identity(old))
