"""Further pictures of a product: those on the part of the page that its text and its picture take up."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain

from catalogsku.core.box import Box, area, centre, contains_point, gap, height, holds_centre, intersect, union, width
from processing.engine.page import Picture
from processing.engine.result import Binding
from processing.engine.understanding.pictures.roles import is_swatch, shows_something_else
from processing.engine.understanding.view import PageView

# Of a picture's area: how much of it is on the product's part of the page, or laid upon its picture, and on another
# one's part at most.
_ON_PART, _UPON, _ON_OTHERS = 0.6, 0.3, 0.1
# Of a product's part of the page: the most of another product's text on it.
_STRANGE = 0.1
# Of a product's largest picture: smaller ones are icons. So many times as long as wide ornaments are.
_ICON, _RIBBON = 0.02, 3.0
# Of the same: a photo under the text, or a block of them, is at least so large, and of its width so much within the
# product's. Points: the shorter side of one in a block, and by which they differ.
_PHOTO, _MOSTLY, _THUMB_PT, _ALIKE_PT = 0.25, 0.6, 30.0, 2.0
# Of its shorter side: how far from another picture of the product a further one stands at most; what stands alone among
# the text is a code to be scanned, a badge or a sample of a stuff.
CLOSE = 0.35
# Of the smaller of two pictures: the most that pictures beside each other have in common; of the larger one, the most
# that one laid upon it covers, which is no longer than so many times its width.
_SEAM, _INSET, _LONGEST = 0.05, 0.35, 2.0
# Of its side: so much of a picture stands within the width or height of the product's others; other products are so
# many times as far from it, and more points.
_ALONG, _FURTHER, _FURTHER_PT = 0.9, 2.0, 3.0
# Products beside a picture that make a list.
_LISTED = 3
_CONFIDENCE = 0.75


def details(
    view: PageView, anchors: Mapping[int, Box], bound: Mapping[int, Sequence[Picture]], free: Collection[Picture]
) -> dict[int, tuple[Binding, ...]]:
    """For each product with a picture those of the free ones that stand between or on its text and its pictures, and at
    no other product's."""
    parts = {n: union([anchor, *(p.box for p in bound.get(n, ()))]) for n, anchor in anchors.items()}
    own = {
        n: part
        for n, part in parts.items()
        if bound.get(n) and not any(_share(anchors[m], part) > _STRANGE for m in anchors if m != n)
    }
    by_product: dict[int, list[Picture]] = {}
    under: set[str] = set()
    for picture in free:
        on = [n for n, part in parts.items() if _share(picture.box, part) > _ON_OTHERS]
        beside = [n for n in own if _goes_on(view, picture, bound[n], anchors[n], _others(parts, n))]
        held = [n for n in on if n in own and _is_on(picture, own[n], bound[n])] or beside
        if not on and not held:
            block = _block_of(picture, free)
            held = [n for n in own if _is_under(view, block, bound[n], anchors[n], _others(parts, n))]
            under |= {picture.id} if len(held) == 1 else set()
        if len(held) == 1 and on in ([], held):
            by_product.setdefault(held[0], []).append(picture)
    return {n: _bindings(view, bound[n], pictures, by_product, n, under) for n, pictures in by_product.items()}


def _others(parts: Mapping[int, Box], n: int) -> list[Box]:
    return [part for m, part in parts.items() if m != n]


def _is_on(picture: Picture, part: Box, bound: Sequence[Picture]) -> bool:
    """Most of it is on the product's part of the page, or it is laid upon its picture."""
    upon = any(_share(picture.box, p.box) >= _UPON and _is_inset(picture, p) for p in bound)
    return upon or _share(picture.box, part) >= _ON_PART


def _goes_on(view: PageView, picture: Picture, bound: Sequence[Picture], anchor: Box, others: Sequence[Box]) -> bool:
    """Close to the product's pictures and within their width or height, and clearly further from other products; not
    among its text, unless they are, and not off the card on which they and it stand."""
    box, whole = picture.box, union(p.box for p in bound)
    apart = min(gap(box, p.box) for p in bound)
    within = any(
        min(box[side + 2], whole[side + 2]) - max(box[side], whole[side]) >= _ALONG * (box[side + 2] - box[side])
        for side in (0, 1)
    )
    near = apart <= CLOSE * min(width(box), height(box)) and not _is_off_card(view, box, [p.box for p in bound])
    among = among_text(view, box, anchor) and not any(among_text(view, p.box, anchor) for p in bound)
    return within and near and not among and all(gap(box, part) >= _FURTHER * apart + _FURTHER_PT for part in others)


def _is_off_card(view: PageView, box: Box, bound: Sequence[Box]) -> bool:
    """The product's pictures stand on cards, and it on none of these."""
    cards = [card for card in view.cards if any(contains_point(card, *centre(other)) for other in bound)]
    return bool(cards) and not holds_centre(cards, box)


def _block_of(picture: Picture, free: Collection[Picture]) -> Box:
    """The box of the pictures of one size that stand close to each other, each large enough to show a thing; of the
    picture alone where there is no such block."""
    block, (wide, high) = picture.box, _sides(picture)
    alike = [p.box for p in free if max(abs(a - b) for a, b in zip(_sides(p), (wide, high), strict=True)) <= _ALIKE_PT]
    while more := [box for box in alike if _share(box, block) < 1.0 and gap(box, block) <= CLOSE * min(wide, high)]:
        block = union([block, *more])
    return block if min(wide, high) >= _THUMB_PT else picture.box


def _sides(picture: Picture) -> tuple[float, float]:
    return width(picture.box), height(picture.box)


def _is_under(view: PageView, box: Box, bound: Sequence[Picture], anchor: Box, others: Sequence[Box]) -> bool:
    """Another photo of the product, or a block of them, under its text, mostly within its width and clearly further
    from others, or with no other on the page; what has a text of its own, or over it, shows something else."""
    whole = [anchor, *(p.box for p in bound)]
    part, apart = union(whole), min(gap(box, other) for other in whole)
    if box[1] < anchor[3] or area(box) < _PHOTO * max(area(p.box) for p in bound):
        return False
    x0, x1 = min(box[0], part[0]), max(box[2], part[2])
    around = [(x0, anchor[3] + 1.0, x1, box[1]), (box[0], box[3], box[2], box[3] + CLOSE * height(box))]
    if any(intersect(line.box, free) for line in view.page.lines for free in around):
        return False
    near = apart <= height(box) and min(box[2], part[2]) - max(box[0], part[0]) >= _MOSTLY * width(box)
    return not others or (near and all(gap(box, other) >= _FURTHER * apart + _FURTHER_PT for other in others))


def among_text(view: PageView, box: Box, anchor: Box) -> bool:
    """Text of the product stands beside it."""
    cells = (cell.box for table in view.page.tables for cell in table.cells if cell.text.strip())
    middles = map(centre, chain((line.box for line in view.page.lines), cells))
    return any(box[1] <= y <= box[3] and contains_point(anchor, x, y) for x, y in middles)


def _bindings(
    view: PageView,
    bound: Sequence[Picture],
    pictures: Sequence[Picture],
    by_product: Mapping[int, Collection[Picture]],
    n: int,
    under: Collection[str],
) -> tuple[Binding, ...]:
    elsewhere = {p.content_hash for m, others in by_product.items() if m != n for p in others if p.content_hash}
    least = _ICON * max(area(p.box) for p in bound)
    shown = [
        p
        for p in pictures
        if area(p.box) >= least
        and max(width(p.box), height(p.box)) <= _RIBBON * min(width(p.box), height(p.box))
        and not any(lies_across(p, other) for other in bound)
        and not (shows_something_else(view, p) or is_swatch(view, p) or p.content_hash in elsewhere)
    ]
    close = adjoining(bound, shown)
    return tuple(
        Binding(p.id, "DETAIL", "spatial_proximity", _CONFIDENCE) for p in shown if p in close or p.id in under
    )


def are_together(pictures: Sequence[Picture]) -> bool:
    """Each is close to another one, and so to all."""
    return len(adjoining(pictures[:1], pictures)) == len(pictures)


def adjoining(bound: Sequence[Picture], shown: Sequence[Picture], within: float = CLOSE) -> list[Picture]:
    """The pictures of the product and those on or close to one of them, and so on."""
    held = list(bound)
    while more := [p for p in shown if p not in held and any(are_close(p, other, within) for other in held)]:
        held += more
    return held


def are_close(detail: Picture, other: Picture, within: float = CLOSE) -> bool:
    """Beside it, or a far smaller one laid upon it, no label; parts of one thing that a scan shows overlap too."""
    if lies_across(detail, other):
        return False
    return gap(detail.box, other.box) <= within * min(width(detail.box), height(detail.box))


def _share(box: Box, part: Box) -> float:
    common = intersect(box, part)
    return area(common) / max(area(box), 1.0) if common else 0.0


def lies_across(detail: Picture, other: Picture) -> bool:
    common = intersect(detail.box, other.box)
    if common is None or area(common) <= _SEAM * min(area(detail.box), area(other.box)):
        return False
    return detail.drawn or not _is_inset(detail, other)


def _is_inset(detail: Picture, photo: Picture) -> bool:
    """Far smaller, and no strip, as a label on it is."""
    sides = width(detail.box), height(detail.box)
    return area(detail.box) <= _INSET * area(photo.box) and max(sides) <= _LONGEST * min(sides)


def adorns_list(picture: Box, anchors: Iterable[Box]) -> bool:
    """Several products stand along the picture: it shows none of them but adorns their list."""
    beside = (anchor for anchor in anchors if anchor[2] <= picture[0] or anchor[0] >= picture[2])
    return sum(picture[1] <= centre(anchor)[1] <= picture[3] for anchor in beside) >= _LISTED
