"""The pictures of one matched SKU beside the truth's: recovered, wrong, ambiguous; by the overlap of boxes."""

from collections.abc import Mapping

import msgspec

from catalogsku.core.box import Box, clamp
from processing.engine.page import ParsedPage
from processing.engine.quality.likeness import same_picture
from processing.engine.quality.truth import TruthImage, TruthSku
from processing.engine.result import Sku


class Bound(msgspec.Struct, frozen=True):
    """``lost``: ids of required pictures that no binding overlaps; ``wrong``: bound pictures that are none of them.

    ``judged``: bindings that were looked at; ``ambiguous``: the SKU has a picture, and it was left to a person.
    """

    required: int = 0
    lost: tuple[str, ...] = ()
    judged: int = 0
    wrong: tuple[str, ...] = ()
    ambiguous: bool = False


def picture_boxes(page: ParsedPage | None) -> dict[str, Box]:
    """The visible part of each picture, by id."""
    if page is None:
        return {}
    return {picture.id: clamp(picture.box, page.width_pt, page.height_pt) for picture in page.pictures}


def required_pictures(truth: TruthSku) -> tuple[str, ...]:
    return tuple(use.image_id for use in truth.images or () if use.required)


def judge_bindings(
    truth: TruthSku, images: Mapping[str, TruthImage], sku: Sku | None, boxes: Mapping[str, Box]
) -> Bound:
    """``sku``: None where the product was not found, which loses its pictures too.

    Pictures of a SKU about which the truth says nothing (``images`` absent) are not judged.
    """
    if truth.images is None:
        return Bound()
    required = required_pictures(truth)
    if sku is None:
        return Bound(len(required), required)
    bound = {binding.picture: boxes.get(binding.picture) for binding in sku.bindings}
    # A picture may stand on a neighbouring page, where a drawing belongs to the item before: it cannot overlap here.
    here = [image.bbox for use in truth.images if (image := images[use.image_id]).page_number == truth.page_number]
    return Bound(
        required=len(required),
        lost=tuple(name for name in required if not _overlaps(images[name], truth.page_number, bound)),
        judged=len(bound),
        wrong=tuple(name for name, box in bound.items() if box is None or not any(same_picture(box, b) for b in here)),
        ambiguous=sku.ambiguous and bool(required),
    )


def _overlaps(image: TruthImage, page_number: int, bound: Mapping[str, Box | None]) -> bool:
    if image.page_number != page_number:
        return False
    return any(box is not None and same_picture(box, image.bbox) for box in bound.values())
