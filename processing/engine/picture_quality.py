"""Quality of a picture as a file: what it may be used for (TA-T78)."""

import msgspec

from processing.engine.page import Picture

SEARCH_SHORT_EDGE_PX = 640
FINE_SHORT_EDGE_PX = 1200


class PictureQuality(msgspec.Struct, frozen=True):
    """``grade``: low_resolution, medium or high."""

    grade: str
    search_eligible: bool


def assess_picture(picture: Picture) -> PictureQuality:
    """Below 640 px on the short edge a picture is kept but never offered for image search (INV-03)."""
    if picture.short_edge < SEARCH_SHORT_EDGE_PX:
        return PictureQuality("low_resolution", False)
    return PictureQuality("high" if picture.short_edge >= FINE_SHORT_EDGE_PX else "medium", True)
