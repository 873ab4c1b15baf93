"""SKU ids {hash8}_p{page}_{sequence}, kept by the same product through every rerun (TA-ADR06, TA-SKUSTABLE)."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from catalogsku.core.box import area, intersect, overlap_ratio
from catalogsku.core.moves import move
from catalogsku.core.text import squash
from ingestion.models import Job, Page
from processing.engine.result import Sku as FoundSku
from processing.engine.understanding.judging.validity import IDENTITY
from processing.products.lifecycle import SKU, SkuStatus
from processing.products.models import Sku
from processing.products.services.decisions import PERSON

SAME_PLACE_RATIO = 0.5
_SEQUENCE = re.compile(r"_(\d+)$")


@dataclass(frozen=True)
class Known:
    """The SKUs that pages have had so far: the active ones, and the highest number given on each page."""

    active: dict[int, list[Sku]]
    last: dict[int, int]

    @classmethod
    def of(cls, page_ids: Sequence[int]) -> "Known":
        rows = Sku.objects.filter(page__in=page_ids)
        last: dict[int, int] = {}
        for page_id, sku_id in rows.values_list("page_id", "sku_id"):
            numbered = _SEQUENCE.search(sku_id)
            last[page_id] = max(last.get(page_id, 0), int(numbered.group(1)) if numbered else 0)
        active: dict[int, list[Sku]] = {}
        for sku in rows.filter(superseded=False).order_by("sku_id") if last else ():
            active.setdefault(sku.page_id, []).append(sku)
        return cls(active, last)

    def supersede(self, but: Collection[Sku] = ()) -> None:
        """The active ones are no longer; what was found now takes their place. ``but``: those that stay."""
        stay = {sku.pk for sku in but}
        ids = [sku.pk for skus in self.active.values() for sku in skus if sku.pk not in stay]
        if ids:
            rows = Sku.objects.filter(pk__in=ids)
            move(SKU, rows, to=SkuStatus.SUPERSEDED, trigger="superseded", changes={"superseded": True})


def assign_ids(job: Job, page: Page, skus: Sequence[FoundSku], known: Known) -> list[tuple[str, int]]:
    """(sku_id, revision) for each of ``skus``, which come in reading order.

    A SKU matched to an earlier one, by identity and else by place, continues it. Freed numbers are not used again.
    """
    matches = match(skus, known.active.get(page.pk, []))
    prefix = f"{job.hash8}_p{page.number:02d}_"
    sequence = known.last.get(page.pk, 0)
    ids = []
    for index in range(len(skus)):
        earlier = matches.get(index)
        if earlier is not None:
            ids.append((earlier.sku_id, earlier.revision + 1))
        else:
            sequence += 1
            ids.append((f"{prefix}{sequence:03d}", 1))
    return ids


def match(skus: Sequence[FoundSku], earlier: Sequence[Sku]) -> dict[int, Sku]:
    """The earlier SKU of each found one: the same identity, or the same place where one of them has none, or where a
    person has said what stands there."""
    matches: dict[int, Sku] = {}
    free = list(earlier)
    for same in (_same_identity, _same_place, _named_by_a_person):
        for index, sku in enumerate(skus):
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


def _named_by_a_person(sku: FoundSku, old: Sku) -> bool:
    """A reading's own name for what a person has named is no other product. Boxes of whole pages prove nothing."""
    if not any(old.attribute_source.get(key) == PERSON for key in IDENTITY):
        return False
    box = tuple(old.box)
    common = intersect(sku.box, box)
    return common is not None and area(common) >= SAME_PLACE_RATIO * max(area(sku.box), area(box))
