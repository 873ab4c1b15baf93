"""Where else the pictures of a product stand, in its document and in others of the merchant: the same file, or one that
looks the same.

Both are found by an index: the file by its hash, the look by the merchant's bands of the perceptual hash, of which any
picture near enough shares one. What only shares a band is left out by the hash itself, in the database, and what is
left is compared in full.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db.models import BooleanField, Q, QuerySet
from django.db.models.expressions import RawSQL

from catalogsku.accounts.models import User
from ingestion.models import Job
from processing.engine.alike import MOST_BITS, looks_same
from processing.products.lifecycle import DELIVERABLE_ROLES, Repeats, SkuStatus
from processing.products.likeness import look, looks_near
from processing.products.models import Image, Sku, SkuImage

DOCUMENTS_SHOWN = 20
# Pictures of one product that are looked for, and pictures that are looked at for them: the newest documents' first.
_MOST_OWN, _MOST_FOUND = 8, 500
# Only what has bands has sixteen hex digits for certain.
_NEAR = """CASE WHEN cardinality(processing_image.looks) > 0 THEN
    bit_count(('x' || processing_image.perceptual_hash)::bit(64) # ('x' || %s)::bit(64)) <= %s ELSE FALSE END"""


@dataclass(frozen=True)
class Stand:
    """One place where a picture stands. ``own``: the product's picture, ``image``: the one there, with the ``skus``
    that it is bound to."""

    own: Image
    image: Image
    likeness: Repeats
    skus: list[Sku] = field(default_factory=list)


@dataclass(frozen=True)
class DocumentWith:
    """``own``: the product's own document."""

    job: Job
    stands: list[Stand]
    own: bool


@dataclass(frozen=True)
class AlsoIn:
    """Its own document, then the newest; ``more``: there are older ones. ``known``: a picture could be looked for."""

    documents: list[DocumentWith]
    more: bool = False
    known: bool = True


def also_in(actor: User, sku: Sku) -> AlsoIn:
    """Of a product that the person may see, with its ``pictures__image``; in documents of its merchant alone."""
    own = [binding.image for binding in sorted(sku.pictures.all(), key=lambda b: b.rank)][:_MOST_OWN]
    own = [image for image in own if image.content_hash]
    if not own:
        return AlsoIn([], known=False)
    rows = elsewhere(actor, sku)
    found = [*_of_the_file(rows, own), *_of_the_look(rows, own, sku.job.merchant_id)]
    by_job: dict[int, dict[int, Stand]] = {}
    for stand in sorted(found, key=lambda stand: (stand.image.job_id != sku.job_id, -stand.image.job_id)):
        by_job.setdefault(stand.image.job_id, {}).setdefault(stand.image.pk, stand)
    documents = list(by_job.items())[:DOCUMENTS_SHOWN]
    shown = [DocumentWith(_job(stands), _in_order(stands), pk == sku.job_id) for pk, stands in documents]
    _add_skus([stand for document in shown for stand in document.stands])
    return AlsoIn(shown, more=len(by_job) > DOCUMENTS_SHOWN)


def elsewhere(actor: User, sku: Sku) -> "QuerySet[Image]":
    """Pictures of products in documents of its merchant but for its own, the newest documents' first."""
    own = [binding.image_id for binding in sku.pictures.all()]
    rows = Image.objects.visible_to(actor).filter(job__merchant=sku.job.merchant_id).exclude(pk__in=own)
    return rows.filter(role__in=sorted(DELIVERABLE_ROLES)).order_by("-job", "page__number", "pk")


def _of_the_file(rows: "QuerySet[Image]", own: Sequence[Image]) -> list[Stand]:
    by_hash = {image.content_hash: image for image in reversed(own)}
    same = same_file(rows, list(by_hash))
    return [Stand(by_hash[image.content_hash], image, Repeats.SAME_FILE) for image in _read(same)]


def same_file(rows: "QuerySet[Image]", hashes: Sequence[str]) -> "QuerySet[Image]":
    return rows.filter(content_hash__in=hashes).exclude(content_hash="")  # as the condition of its index


def _of_the_look(rows: "QuerySet[Image]", own: Sequence[Image], merchant_id: int) -> list[Stand]:
    known = [(image, it) for image in own if (it := look(image))]
    if not known:
        return []
    near = near_rows(rows, merchant_id, [image for image, _ in known])
    stands = []
    for image in _read(near):
        other = look(image)
        mine = next((one for one, it in known if other and looks_same(it, other)), None)
        if mine is not None:
            stands.append(Stand(mine, image, Repeats.SAME_LOOK))
    return stands


def near_rows(rows: "QuerySet[Image]", merchant_id: int, own: Sequence[Image]) -> "QuerySet[Image]":
    """Those whose hash is within the bound of one of ``own``, which all have a look."""
    bands = sorted({band for image in own if (it := look(image)) for band in looks_near(merchant_id, it)})
    near = Q()
    for image in own:
        near |= Q(RawSQL(_NEAR, [image.perceptual_hash, MOST_BITS], BooleanField()))
    return rows.filter(near, looks__overlap=bands)


def _read(rows: "QuerySet[Image]") -> "QuerySet[Image]":
    return rows.select_related("job", "page")[:_MOST_FOUND]


def _job(stands: dict[int, Stand]) -> Job:
    return next(iter(stands.values())).image.job


def _in_order(stands: dict[int, Stand]) -> list[Stand]:
    return sorted(stands.values(), key=lambda stand: (stand.image.page.number, stand.image.pk))


def _add_skus(stands: Sequence[Stand]) -> None:
    by_image = {stand.image.pk: stand for stand in stands}
    rows = SkuImage.objects.filter(image__in=list(by_image), sku__superseded=False).exclude(
        sku__status=SkuStatus.REJECTED
    )
    for binding in rows.select_related("sku").order_by("sku__sku_id"):
        by_image[binding.image_id].skus.append(binding.sku)
