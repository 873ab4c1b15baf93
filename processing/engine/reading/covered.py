"""Pictures that others lie on: of those placed over one another only what the page shows is kept, where a design was
used again and earlier photos were left under the new one."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from catalogsku.core.box import Box, area, intersect
from processing.engine.page import Picture
from processing.engine.reading.seen import Seen

# Of the larger of two pictures that lie over one another, what both have in common at least.
_SAME_PLACE = 0.85
# A page with more pictures is a drawing's pieces.
_MOST = 100
# Grey levels by which, in the mean over a coarse grid of so many fields a side, a picture differs from the page where
# it shows (with a frame or print on it), and by how much more one that is covered.
_SHOWN, _COVERED, _GRID = 14.0, 2.0, 16


def without_covered(pictures: Sequence[Picture], seen: Seen, out_dir: Path) -> list[Picture]:
    """The pictures without those in whose place another one is clearly what the page, ``seen``, shows."""
    if seen.small is None or len(pictures) > _MOST:
        return list(pictures)
    unlike: dict[int, float] = {}
    gone: set[int] = set()
    for n, own in enumerate(pictures):
        group = [m for m, other in enumerate(pictures) if _in_one_place(own.box, other.box)]
        if len(group) < 2 or not all(pictures[m].file and not pictures[m].drawn for m in group):
            continue
        unlike |= {m: _unlike(pictures[m], seen, out_dir) for m in group if m not in unlike}
        least = min(unlike[m] for m in group)
        if least <= _SHOWN and unlike[n] > _SHOWN and unlike[n] > _COVERED * least:
            gone.add(n)
    return [picture for n, picture in enumerate(pictures) if n not in gone]


def _in_one_place(a: Box, b: Box) -> bool:
    common = intersect(a, b)
    return common is not None and area(common) >= _SAME_PLACE * max(area(a), area(b))


def _unlike(picture: Picture, seen: Seen, out_dir: Path) -> float:
    """Mean difference in grey levels between the picture and its place on the page."""
    there = seen.part(picture.box)
    if not there.size:
        return 255.0
    with Image.open(out_dir / picture.file) as image:
        image.draft("L", (_GRID, _GRID))
        own = np.asarray(image.convert("L").resize((_GRID, _GRID), Image.Resampling.BOX), np.float64)
    page = np.asarray(Image.fromarray(there).resize((_GRID, _GRID), Image.Resampling.BOX), np.float64)
    return float(np.abs(own - page).mean())
