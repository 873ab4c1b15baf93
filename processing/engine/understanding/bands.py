"""Bands of a page: products that stand over or beside each other, each with pictures on its own level, on its own card
or at the same places from its text."""

from collections.abc import Mapping, Sequence
from math import dist

from catalogsku.core.box import Box, centre, contains_point, gap, height, union, width
from processing.engine.page import Picture
from processing.engine.understanding.captions.figures import figures

# Of the lower of both: a picture is level with a product's text from here on, and with none of the others above this.
_LEVEL, _STRANGE = 0.5, 0.2
# Points by which the texts of products that follow each other may overlap.
_OVERLAP_PT = 2.0
# Of the distances between pictures and texts in the other way to cut the page.
_CLEARLY = 0.6
# Of the shorter side: how far a picture's centre may be from where it stands at another product, for white parts of
# photos are not seen on scans; and so many pictures at least, since two at two products are at the same places soon.
_PLACE, _LEAST_PLACED = 0.25, 3

Bands = dict[int, tuple[Picture, ...]]


def pictures_in_bands(anchors: Mapping[int, Box], pictures: Sequence[Picture]) -> Bands:
    """The pictures in each product's own band of the page; empty unless every product has one with a picture.

    A page that can be cut both ways is cut so that the bands hold more pictures; of two ways that hold as many, so that
    these stand clearly nearer to their texts, else not at all.
    """
    cuts = [bands for along in (1, 0) if (bands := _cut(anchors, pictures, along))]
    most = max((_held(bands) for bands in cuts), default=0)
    ranked = sorted((_apart(anchors, bands), n) for n, bands in enumerate(cuts) if _held(bands) == most)
    if len(ranked) == 2 and cuts[0] != cuts[1] and ranked[0][0] > _CLEARLY * ranked[1][0]:
        return {}
    return cuts[ranked[0][1]] if ranked else {}


def pictures_on_cards(anchors: Mapping[int, Box], pictures: Sequence[Picture], cards: Sequence[Box]) -> Bands:
    """The pictures on each product's own card; empty unless every product has one with a picture for itself."""
    on = own_cards(anchors, cards)
    bands = {n: tuple(p for p in pictures if contains_point(card, *centre(p.box))) for n, card in on.items()}
    return bands if all(bands.values()) else {}


def own_cards(anchors: Mapping[int, Box], cards: Sequence[Box]) -> dict[int, Box]:
    """The card that each product's text stands on; empty unless each of several has one for itself."""
    own = {n: [card for card in cards if contains_point(card, *centre(box))] for n, box in anchors.items()}
    on = {n: under[0] for n, under in own.items() if len(under) == 1}
    return on if len(set(on.values())) == len(anchors) > 1 else {}


def pictures_in_places(anchors: Mapping[int, Box], pictures: Sequence[Picture]) -> Bands:
    """The pictures that stand at the same places from the beginnings of all products' texts; empty unless every picture
    has one such place and no other."""
    if len(anchors) < 2:
        return {}
    sets = [placed for picture in pictures if (placed := _at_places(anchors, pictures, picture))]
    held = [picture.id for placed in sets for picture in placed]
    if len(held) < _LEAST_PLACED or sorted(held) != sorted(picture.id for picture in pictures):
        return {}
    return {n: tuple(placed[k] for placed in sets) for k, n in enumerate(anchors)}


def pictures_in_figures(anchors: Mapping[int, Box], pictures: Sequence[Picture]) -> Bands:
    """The pictures as a figure for each product, nearest to its text; empty where they do not part so."""
    groups = figures(pictures, len(anchors))
    boxes = [union(picture.box for picture in figure) for figure in groups]
    nearest = {n: min(range(len(groups)), key=lambda k: gap(box, boxes[k])) for n, box in anchors.items() if groups}
    return {n: groups[k] for n, k in nearest.items()} if len(set(nearest.values())) == len(anchors) else {}


def _at_places(anchors: Mapping[int, Box], pictures: Sequence[Picture], first: Picture) -> tuple[Picture, ...]:
    """For each product the picture that stands to its text as ``first`` to the first one's; empty if one has none."""
    texts = list(anchors.values())
    x, y = centre(first.box)
    reach = _PLACE * min(width(first.box), height(first.box))
    placed = []
    for text in texts:
        place = (x - texts[0][0] + text[0], y - texts[0][1] + text[1])
        near, at = min(((dist(centre(p.box), place), k) for k, p in enumerate(pictures)))
        if near > reach:
            return ()
        placed.append(pictures[at])
    return tuple(placed) if len({picture.id for picture in placed}) == len(placed) else ()


def _apart(anchors: Mapping[int, Box], bands: Bands) -> float:
    return sum(gap(anchors[n], picture.box) for n, held in bands.items() for picture in held)


def _held(bands: Bands) -> int:
    return sum(map(len, bands.values()))


def _cut(anchors: Mapping[int, Box], pictures: Sequence[Picture], along: int) -> Bands:
    """``along``: 1 cuts into bands over each other, 0 into columns. A band of several products is cut the other way."""
    groups = _groups(anchors, along)
    if len(groups) < 2:
        return {}
    texts = [[anchors[n] for n in group] for group in groups]
    own = _own(texts, pictures, along)
    if own is None:
        return {}
    held = [[*boxes, *(picture.box for picture in mine)] for boxes, mine in zip(texts, own, strict=True)]
    own = _own(held, pictures, along) or own  # beside a high picture others may stand under each other
    bands: Bands = {}
    for group, shown in zip(groups, own, strict=True):
        parts = {group[0]: tuple(shown)} if len(group) == 1 else _cut({n: anchors[n] for n in group}, shown, 1 - along)
        if not parts or not all(parts.values()):
            return {}
        bands |= parts
    return bands


def _own(bands: Sequence[Sequence[Box]], pictures: Sequence[Picture], along: int) -> list[list[Picture]] | None:
    """The pictures level with each band's boxes, in page order; None where one is level with two bands."""
    spans = [(min(box[along] for box in boxes), max(box[along + 2] for box in boxes)) for boxes in bands]
    own: list[list[Picture]] = [[] for _ in bands]
    for picture in pictures:
        shares = [_share((picture.box[along], picture.box[along + 2]), span) for span in spans]
        level = [k for k, share in enumerate(shares) if share > _STRANGE]
        if len(level) > 1:
            return None
        if level and shares[level[0]] >= _LEVEL:
            own[level[0]].append(picture)
    return own


def _groups(anchors: Mapping[int, Box], along: int) -> list[list[int]]:
    """Products whose texts overlap in this direction, in its order."""
    groups: list[list[int]] = []
    end = 0.0
    for n in sorted(anchors, key=lambda n: anchors[n][along]):
        if groups and anchors[n][along] < end - _OVERLAP_PT:
            groups[-1].append(n)
            end = max(end, anchors[n][along + 2])
        else:
            groups.append([n])
            end = anchors[n][along + 2]
    return groups


def _share(a: tuple[float, float], b: tuple[float, float]) -> float:
    """What two stretches have in common, of the shorter one."""
    return (min(a[1], b[1]) - max(a[0], b[0])) / max(min(a[1] - a[0], b[1] - b[0]), 1.0)
