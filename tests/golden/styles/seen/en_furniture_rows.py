"""Contract furniture in English: products in bands across the page with the picture at the left, then in turn left and
right, panoramas with a strip of text under each, and bands with a large picture and two details."""

from tests.golden.styles.pens.cards import labelled
from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.ink import rgb

_INK, _SOFT, _LINE, _ACCENT = rgb("#22262B"), rgb("#7C838C"), rgb("#D8DCE0"), rgb("#A3512B")
# Model, name, motif, paint, size, material, price, sentence.
_Piece = tuple[str, str, str, str, str, str, str, str]
_PIECES: tuple[_Piece, ...] = (
    ("HB-210", "Harrow lounge chair", "armchair", "#A3512B", "780 x 820 x 760 mm", "Oak, wool felt", "$412.00",
     "A low chair with a wide seat, made for waiting rooms in which people stay."),
    ("HB-214", "Harrow two-seater", "sofa", "#5C6E58", "1560 x 820 x 760 mm", "Oak, wool felt", "$688.00",
     "The chair's companion. Seat and back come off for cleaning."),
    ("HB-330", "Linden dining chair", "chair", "#B58B58", "460 x 520 x 810 mm", "Ash, leather", "$146.00",
     "Stacks four high, and weighs less than five kilograms."),
    ("HB-345", "Linden table", "table", "#8A6A48", "1800 x 900 x 740 mm", "Ash", "$530.00",
     "The frame is bolted and may be taken apart without tools."),
    ("HB-410", "Quill desk", "desk", "#7A5B43", "1400 x 700 x 740 mm", "Walnut veneer", "$605.00",
     "Cable duct along the whole width, three drawers that close softly."),
    ("HB-422", "Quill sideboard", "cabinet", "#6B4E3A", "1600 x 420 x 780 mm", "Walnut veneer", "$742.00",
     "Doors in one run of veneer, adjustable feet, shelves for binders."),
    ("HB-505", "Tarn task chair", "office_chair", "#3D4A5C", "640 x 640 x 1150 mm", "Mesh, nylon", "$238.00",
     "Back and seat move together. Arms are adjustable in height and width."),
    ("HB-511", "Tarn visitor chair", "chair", "#44505E", "560 x 580 x 860 mm", "Mesh, steel", "$124.00",
     "On a sled base of chromed tube, with felt glides on request."),
    ("HB-620", "Wharf sofa", "sofa", "#3F5C73", "2200 x 900 x 700 mm", "Steel, boucle", "$1,180.00",
     "Modules are coupled without tools; ends may be open or closed."),
    ("HB-633", "Wharf bench", "table", "#8C8577", "1500 x 420 x 430 mm", "Beech", "$265.00",
     "For corridors and changing rooms. Feet may be fixed to the floor."),
    ("HB-641", "Wharf armchair", "armchair", "#75452E", "880 x 860 x 700 mm", "Steel, boucle", "$512.00",
     "The smallest module of the family, with two arms."),
    ("HB-707", "Mews cabinet", "cabinet", "#C7B394", "900 x 400 x 1250 mm", "Oak veneer", "$455.00",
     "Roller shutter, lock with two keys, four shelves."),
)  # fmt: skip


def _frame(folio: Folio, title: str) -> None:
    folio.heading = (title,)
    leaf = folio.leaf
    leaf.text(48, 46, title, face="bold", size=16, colour=_INK)
    leaf.text(547, 46, "HOLLIN & BREE", face="sans", size=8.5, colour=_SOFT, tracking=1.6, align="right")
    leaf.text(547, 820, str(folio.number), face="sans", size=8, colour=_SOFT, align="right")


def _pairs(piece: _Piece) -> tuple[tuple[str, str], ...]:
    return (("Model", piece[0]), ("Size", piece[4]), ("Material", piece[5]))


def _note(folio: Folio, piece: _Piece, card: tuple[float, float, float, float], images: list[str]) -> None:
    model, name, _, _, size, material, price, words = piece
    folio.sku(
        [card],
        {"model": model, "product_name": name, "size": size, "material": material, "price": price},
        images=images,
        optional={"description": words, "currency": "$"},
    )


def _band(folio: Folio, piece: _Piece, y: float) -> None:
    leaf = folio.leaf
    image = folio.shows(piece[2], (48, y, 208, y + 140), piece[3], "#F2EFEA")
    leaf.text(226, y + 16, piece[1], face="bold", size=13, colour=_INK)
    leaf.paragraph(226, y + 36, 130, piece[7], face="serif", size=9.5, colour=_SOFT)
    labelled(leaf, 378, y + 16, 169, _pairs(piece), gap=52, size=8.5, step=1.8, colour=_INK, label_colour=_SOFT)
    leaf.text(547, y + 132, piece[6], face="bold", size=15, colour=_ACCENT, align="right")
    leaf.rule(48, y + 154, 547, y + 154, colour=_LINE)
    _note(folio, piece, (48, y, 547, y + 150), [image])


def _in_turn(folio: Folio, piece: _Piece, y: float, left: bool) -> None:
    leaf = folio.leaf
    x = 48 if left else 287
    image = folio.shows(piece[2], (x, y, x + 260, y + 168), piece[3], "#ECEFF1")
    at = 326 if left else 48
    leaf.text(at, y + 24, piece[1], face="bold", size=15, colour=_INK)
    foot = labelled(leaf, at, y + 50, 221, (*_pairs(piece), ("Price", piece[6])), size=9, step=1.75, colour=_INK)
    leaf.paragraph(at, foot + 8, 215, piece[7], face="serif", size=9.5, colour=_SOFT)
    _note(folio, piece, (48, y, 547, y + 168), [image])


def _panorama(folio: Folio, piece: _Piece, y: float) -> None:
    leaf = folio.leaf
    image = folio.shows(piece[2], (48, y, 547, y + 160), piece[3], "#E9E4DC")
    leaf.text(48, y + 180, piece[1], face="bold", size=12, colour=_INK)
    leaf.text(48, y + 195, piece[0], face="sans", size=9, colour=_SOFT)
    labelled(leaf, 240, y + 180, 200, _pairs(piece)[1:], gap=52, size=8.5, step=1.75, colour=_INK, label_colour=_SOFT)
    leaf.text(547, y + 182, piece[6], face="bold", size=13, colour=_ACCENT, align="right")
    _note(folio, piece, (48, y, 547, y + 200), [image])


def _with_details(folio: Folio, piece: _Piece, y: float) -> None:
    leaf = folio.leaf
    images = [folio.shows(piece[2], (48, y, 228, y + 190), piece[3], "#F2EFEA")]
    images += [folio.shows(piece[2], (447, y + k * 100, 547, y + 90 + k * 100), piece[3], "#DDE2E6") for k in (0, 1)]
    leaf.text(248, y + 18, piece[1], face="bold", size=14, colour=_INK)
    labelled(leaf, 248, y + 48, 180, (*_pairs(piece), ("Price", piece[6])), size=9, step=1.8, colour=_INK)
    leaf.rule(48, y + 206, 547, y + 206, colour=_LINE)
    _note(folio, piece, (48, y, 547, y + 190), images)


def _pages(folio: Folio) -> None:
    folio.brand = ("HOLLIN & BREE", "Hollin & Bree")
    folio.page("B", "L3")
    _frame(folio, "Lounge and dining")
    for k, piece in enumerate(_PIECES[:4]):
        _band(folio, piece, 76 + k * 172)
    folio.page("B", "L3")
    _frame(folio, "Work")
    for k, piece in enumerate(_PIECES[4:8]):
        _in_turn(folio, piece, 76 + k * 184, left=k % 2 == 0)
    folio.page("B", "L3")
    _frame(folio, "Wharf")
    for k, piece in enumerate(_PIECES[8:11]):
        _panorama(folio, piece, 76 + k * 238)
    folio.page("B", "L3")
    _frame(folio, "Details")
    for k, piece in enumerate((_PIECES[11], *_PIECES[4:6])):
        code = (f"{piece[0]}D", *piece[1:])
        _with_details(folio, code, 84 + k * 236)


STYLE = Style("en_furniture_rows", "en", "furniture", ("sans", "bold", "serif"), _pages)
