"""What proposals that were not taken tell of a page besides its result: kept for people who look at it, for nothing
else."""

from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from catalogsku.core import bulk
from catalogsku.core.box import Box, clamp
from catalogsku.core.structs import ready
from ingestion.models import Page
from processing.engine.result import Alternative, Evidence
from processing.engine.result import Sku as FoundSku
from processing.engine.understanding.judging.validity import IDENTITY
from processing.pages.models import PageAlternatives
from processing.products.models import Image
from processing.products.page_state import GivenCustom, GivenSku, GivenValue


class Offered(msgspec.Struct, frozen=True):
    """One of a page's alternatives. ``proposer``: as in ``grid.ruled``, which no other of the page has; ``skus``: as
    they would stand on the page had a person added them; ``page_type``, ``layout_type``: what the page would be."""

    proposer: str
    page_type: str
    layout_type: str
    skus: tuple[GivenSku, ...]


def record_alternatives(
    entries: Iterable[tuple[Page, Sequence[Alternative], Mapping[str, Image]]], keys: Collection[str]
) -> None:
    """Of these pages, which people look at; what was kept of them before must be gone. ``keys``: of the attributes that
    the category knows; pictures by their name on the page."""
    rows = [
        {"page_id": page.pk, "found": [_offered(page, one, images, keys) for one in alternatives]}
        for page, alternatives, images in entries
        if alternatives
    ]
    bulk.insert_rows(PageAlternatives, rows, returning=("page_id",))


def forget_alternatives(page_ids: Collection[int]) -> None:
    PageAlternatives.objects.filter(page__in=page_ids).delete()


def alternatives_of(page: Page) -> tuple[Offered, ...]:
    """The best first; none where the page went to people for another reason than how it was read."""
    found = PageAlternatives.objects.filter(page=page).values_list("found", flat=True).first()
    return msgspec.convert(found or [], ready(tuple[Offered, ...]))


def _offered(page: Page, one: Alternative, images: Mapping[str, Image], keys: Collection[str]) -> Offered:
    skus = (_given(page, sku, images, keys, one.proposer) for sku in one.skus)
    named = tuple(sku for sku in skus if any(key in sku.attributes for key in IDENTITY))
    return Offered(one.proposer, one.page_type, one.layout_type, named)


def _given(page: Page, sku: FoundSku, images: Mapping[str, Image], keys: Collection[str], proposer: str) -> GivenSku:
    """What is not printed is not offered."""
    proved = {key: value for key, value in sku.attributes.items() if key in keys and value.evidence.match}
    return GivenSku(
        attributes={key: GivenValue(value.text, _place(page, value.evidence)) for key, value in proved.items()},
        custom=tuple(GivenCustom(c.name, c.value, _place(page, c.evidence)) for c in sku.custom),
        pictures=tuple(dict.fromkeys(images[b.picture].image_id for b in sku.bindings if b.picture in images)),
        box=_on(page, sku.box),
        offered=proposer,
    )


def _place(page: Page, evidence: Evidence) -> Box | None:
    return _on(page, evidence.bbox) if evidence.page_number == page.number else None


def _on(page: Page, box: Box) -> Box:
    """As submits ask of it; a page whose size is not known has none to judge by."""
    return clamp(box, page.width_pt, page.height_pt) if page.width_pt else box
