"""Which picture shows which SKU: rows of tables by their cells and links, others by the gap between picture and text;
in doubt none (TA-T84)."""

import dataclasses
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from catalogsku.core.box import Box, area, gap, intersect, union, width
from processing.engine.page import Picture
from processing.engine.result import Binding, Candidate, Sku
from processing.engine.understanding.bands import (
    Bands,
    pictures_in_bands,
    pictures_in_figures,
    pictures_in_places,
    pictures_on_cards,
)
from processing.engine.understanding.captions.strips import in_rows, in_shares, is_level
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.pictures.details import (
    adjoining,
    adorns_list,
    among_text,
    are_close,
    are_together,
    details,
    lies_across,
)
from processing.engine.understanding.pictures.levels import level_products
from processing.engine.understanding.pictures.marks import linked_texts, marked_pictures
from processing.engine.understanding.pictures.roles import MINOR, SWATCH, is_stamp, is_swatch, shows_something_else
from processing.engine.understanding.pictures.row_pictures import row_bindings
from processing.engine.understanding.pictures.standing import direction, method
from processing.engine.understanding.view import PageView

# A picture that stands nearer to another SKU is hardly this one's.
_NEARER_TO_OTHER = 0.45
# A picture that the product captions is its own, however far its text begins.
_CAPTIONED = 0.6
# One that stands below a caption where the page's captions stand below their pictures is likely the next product's.
_OTHER_SIDE = 0.6
# Share of the products with a picture on one side that makes it the page's side.
_MOSTLY = 0.8
# Of a binding by a mark that both print, at least of one by the band of the page that product and picture share, and of
# one to a photo with tags upon it.
_LINKED, _IN_BAND, _TAGGED = 0.9, 0.8, 0.6
# Of the area of a page's largest picture: what is smaller is an icon.
_ICON = 0.03
# Of the smallest of as many largest pictures as there are products: what is smaller is a code to be scanned or a badge.
_BADGE = 0.08
# Of its shorter side: how far from each other the pictures of a gallery stand.
_BLOCK = 0.15
# Of a text: what is printed on pictures is the caption of only one of them.
_PRINTED_ON = 0.5
_SIDES = ("above", "left", "right", "below")
_HARDLY = frozenset(("nearer_to_other_sku", "shows_something_else", "small_beside_another", "in_the_letterhead"))

# Pictures that stand as one, of one product.
Unit = tuple[Picture, ...]


@dataclass(frozen=True)
class Bound:
    """What is decided for one SKU."""

    bindings: tuple[Binding, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    ambiguous: bool = False


@dataclass(frozen=True)
class _Choice:
    """A unit as one product's candidate. ``shared``: it is as likely another one's."""

    unit: Unit
    confidence: float
    reason: str
    shared: bool = False


def bind(view: PageView, skus: tuple[Sku, ...], drafts: tuple[Draft, ...], layout: str) -> list[Bound]:
    """Decisions in the order of ``skus``; gaps are measured from the texts of the ``drafts`` that they come from."""
    in_tables = row_bindings(view, skus)
    taken = {binding.picture for bindings in in_tables.values() for binding in bindings}
    pictures = [p for p in view.pictures if p.id not in taken and not view.in_product_table(p.box)]
    pictures = [p for p in pictures if not is_stamp(view, p)]
    if len(skus) > 1:
        photos = [picture for picture in pictures if not view.is_ground(picture.box)]
        pictures = view.beside_each_other(photos, len(skus))
    limit = view.config.binding.gap_pt.get(layout, 100.0) * view.scale
    free = {n: drafts[n] for n, sku in enumerate(skus) if not sku.table}
    marked = linked_texts(view, {n: draft.anchor for n, draft in free.items()}, marked_pictures(view))
    linked = {n: Bound((Binding(p.id, "PRODUCT_MAIN", "id_matching", _LINKED),)) for n, p in marked.items()}
    pictured = Counter(draft.picture for draft in free.values())  # several products may be told of by one photo
    common = {n: p for n, draft in free.items() for p in pictures if pictured[p.box] > 1 and p.box == draft.picture}
    linked |= {n: Bound((Binding(p.id, "PRODUCT_MAIN", "vertical_stack", _IN_BAND),)) for n, p in common.items()}
    tagged = {n: p for n, draft in free.items() if (p := _tagged(view, draft))}
    linked |= {n: Bound((Binding(p.id, "PRODUCT_MAIN", "vertical_stack", _TAGGED),)) for n, p in tagged.items()}
    own = {picture.id for picture in (*marked.values(), *common.values())}
    rest = {n: draft for n, draft in free.items() if n not in linked}
    near = linked | _near(view, rest, _photos([p for p in pictures if p.id not in own], len(rest)), limit)
    near = _with_details(view, {n: draft.anchor for n, draft in free.items()}, near, pictures)
    return [near[n] if n in near else Bound(in_tables.get(n, ())) for n in range(len(skus))]


def _tagged(view: PageView, draft: Draft) -> Picture | None:
    """The photo that the product was told of by, where tags laid upon it make it look like a ground."""
    return next((p for p in view.page.pictures if p.box == draft.picture and p not in view.pictures), None)


def _photos(pictures: Sequence[Picture], products: int) -> list[Picture]:
    """Those that are not far smaller than the products' photos are."""
    sizes = sorted((area(p.box) for p in pictures), reverse=True)
    least = _BADGE * sizes[products - 1] if 1 < products <= len(sizes) else 0.0
    return [p for p in pictures if area(p.box) >= least]


def _with_details(
    view: PageView, anchors: Mapping[int, Box], near: Mapping[int, Bound], pictures: Sequence[Picture]
) -> dict[int, Bound]:
    taken = {binding.picture: n for n, bound in near.items() for binding in bound.bindings}
    shown = {n: [p for p in pictures if taken.get(p.id) == n] for n in near}
    doubtful = {candidate.picture for bound in near.values() if bound.ambiguous for candidate in bound.candidates}
    free = [p for p in pictures if p.id not in taken and p.id not in doubtful and p is not view.letterhead]
    more = details(view, anchors, shown, free)
    sizes = {p.id: round(area(p.box)) for p in view.page.pictures}
    return {n: _joined(bound, more.get(n, ()), sizes) for n, bound in near.items()}


def _joined(bound: Bound, more: tuple[Binding, ...], sizes: Mapping[str, float]) -> Bound:
    """With more bindings; the largest picture is the main one."""
    names = {binding.picture for binding in more}
    whole = (*bound.bindings, *more)
    main = max(whole, key=lambda binding: sizes[binding.picture], default=None)
    if more and main is not None:
        ordered = (main, *(b for b in whole if b is not main))
        whole = tuple(replace(b, role="DETAIL" if b is not main else "PRODUCT_MAIN") for b in ordered)
    return dataclasses.replace(
        bound, bindings=whole, candidates=tuple(c for c in bound.candidates if c.picture not in names)
    )


def _near(view: PageView, drafts: Mapping[int, Draft], pictures: Sequence[Picture], limit: float) -> dict[int, Bound]:
    """Decisions for products outside tables: with pictures in rows as units where every product has as many, or text
    along the whole row; else with single pictures."""
    if bands := _bands(view, drafts, pictures):
        choices = {n: _in_band(view, draft, bands[n], limit) for n, draft in drafts.items()}
        return {n: _decide(view, draft, choices[n], len(drafts)) for n, draft in drafts.items()}
    anchors = [draft.anchor for draft in drafts.values()]
    plain = [picture for picture in pictures if not shows_something_else(view, picture)]
    alone = len(drafts) == 1 and len(plain) > 1
    gallery = _gallery(view, anchors[0], plain) if alone else ()
    whole = alone and _hold_between(next(iter(drafts.values())), plain)
    if whole or gallery:
        return {n: _decide(view, draft, _in_band(view, draft, plain, limit, gallery), 1) for n, draft in drafts.items()}
    choices = _choices(view, drafts, _units(pictures, drafts.values()), limit)
    best = {n: ranked[0].unit for n, ranked in choices.items() if ranked and ranked[0].reason not in _HARDLY}
    alike = len({len(unit) for unit in best.values()}) == 1
    if not alike and not all(_spans(drafts[n].anchor, unit) for n, unit in best.items()):
        choices = _choices(view, drafts, [(picture,) for picture in pictures], limit)
    return {n: _decide(view, draft, choices[n], len(drafts)) for n, draft in drafts.items()}


def _hold_between(draft: Draft, pictures: Sequence[Picture]) -> bool:
    """The pictures stand between the product's title and its labelled values."""
    name = draft.attributes.get("product_name")
    tops = [value.evidence.bbox[1] for key, value in draft.attributes.items() if key in draft.contexts]
    if name is None or "product_name" in draft.contexts or not tops:
        return False
    return all(name.evidence.bbox[3] <= p.box[1] and p.box[3] <= min(tops) for p in pictures)


def _bands(view: PageView, drafts: Mapping[int, Draft], pictures: Sequence[Picture]) -> Bands:
    """The pictures in each product's band of the page; none where a caption says otherwise."""
    anchors = {n: draft.anchor for n, draft in drafts.items()}
    bands = (
        pictures_on_cards(anchors, pictures, view.cards)
        or pictures_in_bands(anchors, pictures)
        or pictures_in_places(anchors, pictures)
        or pictures_in_figures(anchors, pictures)
    )
    pictured = {n: draft.picture for n, draft in drafts.items() if draft.picture}
    return bands if all(any(p.box == pictured[n] for p in bands.get(n, ())) for n in pictured) else {}


def _gallery(view: PageView, anchor: Box, pictures: Sequence[Picture]) -> Unit:
    """The largest photo and others close around it, however small beside it; icons may stand elsewhere, and among the
    text of a sheet what it comes with."""
    main = max(pictures, key=lambda picture: area(picture.box))
    shown = [p for p in pictures if area(p.box) >= _ICON * area(main.box) and not is_swatch(view, p)]
    among = [] if among_text(view, main.box, anchor) else [p for p in shown if among_text(view, p.box, anchor)]
    rest = [p for p in shown if p is not main and p not in among and not lies_across(p, main)]
    around = adjoining([main], rest, _BLOCK)
    return tuple(p for p in pictures if p in around) if len(around) > 1 else ()


def _in_band(
    view: PageView, draft: Draft, pictures: Sequence[Picture], limit: float, gallery: Unit = ()
) -> list[_Choice]:
    """All of the band's pictures but what is far smaller and in no gallery or shows something else, then these."""
    plain = [p for p in pictures if not shows_something_else(view, p)] or list(pictures)
    largest = max(area(picture.box) for picture in plain)
    main = gallery or tuple(p for p in plain if not _is_minor(view, (p,), largest))
    confidence = max(_IN_BAND, 1.0 - _gap(draft.anchor, main) / limit)
    others = [_Choice((p,), 0.5 * _IN_BAND, "small_beside_another") for p in pictures if p not in main]
    return [_Choice(main, confidence, "same_band"), *others]


def _units(pictures: Sequence[Picture], drafts: Iterable[Draft]) -> list[Unit]:
    """Pictures close in a row, equally high or all along one product's text; single ones where several products stand
    nearest to different ones, or have different ones for their own."""
    anchors = [draft.anchor for draft in drafts]
    nearest = {min(pictures, key=lambda p: (gap(anchor, p.box), _place(p))).id for anchor in anchors if pictures}
    pictured = {draft.picture for draft in drafts if draft.picture}
    units: list[Unit] = []
    for unit in in_rows(pictures):
        fits = is_level(unit) or any(_spans(anchor, unit) for anchor in anchors)
        own = max(sum(p.id in nearest for p in unit), sum(p.box in pictured for p in unit))
        shares = in_shares(unit, sum(p.box in pictured for p in unit))
        if fits and own <= 1:
            units.append(unit)
        elif fits and shares and all(sum(p.box in pictured for p in share) == 1 for share in shares):
            units += shares
        else:
            units += [(picture,) for picture in unit]
    return units


def _spans(anchor: Box, unit: Unit) -> bool:
    """The product's text runs along every picture of the row."""
    along = all(min(anchor[2], p.box[2]) - max(anchor[0], p.box[0]) >= 0.5 * width(p.box) for p in unit)
    return along or len(unit) == 1


def _place(picture: Picture) -> tuple[float, float]:
    return picture.box[1], picture.box[0]


def _choices(
    view: PageView, drafts: Mapping[int, Draft], units: Sequence[Unit], limit: float
) -> dict[int, list[_Choice]]:
    """For each product the units within the limit, the likeliest first, each with the reason for its confidence."""
    side = _common_side([draft.anchor for draft in drafts.values()], units, limit)
    scores = {n: [_score(draft, drafts.values(), unit, limit, side) for unit in units] for n, draft in drafts.items()}
    level = level_products({n: draft.anchor for n, draft in drafts.items()}, [p for unit in units for p in unit])
    for k, unit in enumerate(units):
        for n in drafts:
            scores[n][k] *= 1.0 if level.get(unit[0].id) in (None, n) else _NEARER_TO_OTHER
    best = [max((scores[n][k] for n in drafts), default=0.0) for k in range(len(units))]
    close = view.config.binding.ambiguous_below
    shared = {k for k, most in enumerate(best) if sum(scores[n][k] > most - close for n in drafts) > 1}
    pictured = {draft.picture for draft in drafts.values()}
    plain = {k for k, unit in enumerate(units) if all(picture.box not in pictured for picture in unit)}
    common = {k for k in plain if adorns_list(_box(units[k]), [draft.anchor for draft in drafts.values()])}
    return {n: _ranked(view, draft, units, scores[n], best, side, shared, common) for n, draft in drafts.items()}


def _common_side(anchors: Sequence[Box], units: Sequence[Unit], limit: float) -> str | None:
    """The side on which nearly all products have pictures of their own; of several the one with the smaller gaps."""
    sides = []
    for side in _SIDES:
        nearest: dict[int, float] = {}
        for anchor in anchors:
            there = [(_gap(anchor, u), k) for k, u in enumerate(units) if _is_on_side(anchor, _box(u), side)]
            distance, k = min(there, default=(limit, -1))
            if distance < limit:
                nearest[k] = distance
        sides.append((-len(nearest), sum(nearest.values()), side))
    count, _, side = min(sides)
    return side if -count >= max(2, _MOSTLY * len(anchors)) else None


def _is_on_side(anchor: Box, picture: Box, side: str) -> bool:
    """There, and overlapping the text across."""
    low, high = (0, 2) if side in ("above", "below") else (1, 3)
    return direction(anchor, picture) == side and min(anchor[high], picture[high]) > max(anchor[low], picture[low])


def _box(unit: Unit) -> Box:
    return union(picture.box for picture in unit)


def _gap(anchor: Box, unit: Unit) -> float:
    return min(gap(anchor, picture.box) for picture in unit)


def _own_side(draft: Draft, side: str | None) -> str | None:
    return direction(draft.anchor, draft.picture) if draft.picture else side


def _score(draft: Draft, drafts: Iterable[Draft], unit: Unit, limit: float, side: str | None) -> float:
    """1 where they touch, 0 at the limit unless it is the product's by the page's captions; less on the side where
    pictures are the next product's, and for a picture that another product captions."""
    score = max(0.0, 1.0 - _gap(draft.anchor, unit) / limit)
    boxes = {picture.box for picture in unit}
    if draft.picture in boxes:
        return max(score, _CAPTIONED)
    if any(other.picture in boxes for other in drafts):
        score *= _NEARER_TO_OTHER
    return score if _own_side(draft, side) in (None, direction(draft.anchor, _box(unit))) else score * _OTHER_SIDE


def _ranked(
    view: PageView,
    draft: Draft,
    units: Sequence[Unit],
    scores: Sequence[float],
    best: Sequence[float],
    side: str | None,
    shared: Container[int],
    common: Container[int],
) -> list[_Choice]:
    own = {k for k, score in enumerate(scores) if score == best[k] > 0.0 and k not in common}
    plain = {k for k in own if not any(shows_something_else(view, picture) for picture in units[k])}
    largest = max((area(picture.box) for k in plain or own for picture in units[k]), default=0.0)
    choices = []
    for k, unit in enumerate(units):
        confidence, reason = scores[k], "within_distance"
        if confidence <= 0.0:
            continue
        if k not in own:
            reason = "nearer_to_other_sku"
        elif plain and k not in plain:
            reason = "shows_something_else"
        elif _is_minor(view, unit, largest):
            reason = "small_beside_another"
        elif len(unit) == 1 and unit[0] is view.letterhead:
            reason = "in_the_letterhead"
        elif _own_side(draft, side) not in (None, direction(draft.anchor, _box(unit))):
            reason = "not_on_the_caption_side"
        likely = confidence * _NEARER_TO_OTHER if reason in _HARDLY else confidence
        choices.append(_Choice(unit, likely, reason, k in shared))
    return sorted(choices, key=lambda c: (-round(c.confidence, 4), -round(area(_box(c.unit))), _place(c.unit[0])))


def _is_minor(view: PageView, unit: Unit, largest: float) -> bool:
    share = max(area(picture.box) for picture in unit) / largest
    return share < MINOR or (share < SWATCH and any(is_swatch(view, picture) for picture in unit))


def _decide(view: PageView, draft: Draft, choices: list[_Choice], products: int) -> Bound:
    most = view.config.binding.max_candidates
    choices = _as_one(draft, choices, view.config.binding.ambiguous_below)
    candidates = [
        Candidate(p.id, round(c.confidence, 4), method(draft.anchor, p.box, products), c.reason)
        for c in choices
        for p in c.unit
    ]
    if not choices or choices[0].reason in _HARDLY:
        return Bound((), tuple(candidates[:most]), False)
    rivals = [c.confidence for c in choices[1:] if not _is_detail_of(c, choices[0])]
    if rivals and choices[0].confidence - rivals[0] < view.config.binding.ambiguous_below:
        return Bound((), tuple(candidates[:most]), True)
    unit = choices[0].unit
    own, others = candidates[: len(unit)], candidates[len(unit) :]
    main = min(unit, key=lambda p: (-round(area(p.box)), _place(p))).id
    bindings = tuple(
        Binding(c.picture, "PRODUCT_MAIN" if c.picture == main else "DETAIL", c.method, c.confidence)
        for c in sorted(own, key=lambda c: c.picture != main)
    )
    return Bound(bindings, tuple(others[: most - 1]), False)


def _is_detail_of(choice: _Choice, main: _Choice) -> bool:
    """Small pictures close to the other ones are no rivals of theirs."""
    small = choice.reason == "small_beside_another"
    return small and all(any(are_close(p, q) for q in main.unit) for p in choice.unit)


def _as_one(draft: Draft, choices: list[_Choice], least: float) -> list[_Choice]:
    """The choices, those as likely as the first as one where they stand on one side of the text and close together."""
    alike = [c for c in choices if c.reason not in _HARDLY and choices[0].confidence - c.confidence < least]
    sides = {direction(draft.anchor, _box(c.unit)) for c in alike}
    pictures = tuple(p for c in alike for p in c.unit)
    printed_on = sum(area(common) for p in pictures if (common := intersect(p.box, draft.anchor)))
    if len(alike) < 2 or len(sides) > 1 or any(c.shared for c in alike) or not are_together(pictures):
        return choices
    if printed_on > _PRINTED_ON * area(draft.anchor):
        return choices
    whole = _Choice(pictures, choices[0].confidence, choices[0].reason)
    return [whole, *(c for c in choices if c not in alike)]
