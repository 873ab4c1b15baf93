"""Pictures as JPEG, whole or cut into strips."""

import io
import itertools
from functools import cache

from PIL import Image

from tests.golden.styles.pens.board import Board, hexa
from tests.golden.styles.pens.views import drawing

# Short edge of a picture; from 640 on a product may be searched by it.
SHORT_EDGE_PX = 660


@cache
def photo(motif: str, paint: str, wall: str, shape: tuple[float, float], pieces: int = 1) -> tuple[bytes, ...]:
    """JPEGs of one picture in the proportions of ``shape`` (any unit), cut into ``pieces`` strips from the top."""
    scale = SHORT_EDGE_PX / min(shape)
    wide, high = round(shape[0] * scale), round(shape[1] * scale)
    board = Board(wide, high, hexa(wall))
    drawing(motif)(board, hexa(paint))
    edges = [round(high * k / pieces) for k in range(pieces + 1)]
    strips = (board.image.crop((0, top, wide, foot)) for top, foot in itertools.pairwise(edges))
    return tuple(_jpeg(strip) for strip in strips)


def _jpeg(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=78)
    return out.getvalue()
