"""Exporter's slides in English: photos with captions beside, above and under; one product on a slide; a contact sheet
of many; no codes or prices where the maker printed none."""

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.ink import WHITE, rgb

_SLIDE = (720.0, 405.0)
_BROWN, _INK, _TAN = rgb("#8A5A2B"), rgb("#2B2725"), rgb("#D8BFA0")
_NAMES = (
    ("Enamel Stock Pot", "pot", "#B5402F"), ("Whistling Kettle", "kettle", "#3E7C74"), ("Skillet", "pan", "#33383D"),
    ("Chef Knife", "knife", "#6B4A34"), ("Coffee Mug", "mug", "#D2A83C"), ("Travel Flask", "bottle", "#455A77"),
    ("Serving Bowl", "bowl", "#3F6E9A"), ("Bread Board", "cutting_board", "#B98A54"),
    ("Cutlery Trio", "cutlery", "#A9AFB4"),
    ("Milk Pan", "pan", "#7C8A72"), ("Casserole", "pot", "#4E6A8A"), ("Tea Kettle", "kettle", "#A2553D"),
)  # fmt: skip


def _frame(folio: Folio, title: str) -> None:
    folio.heading = (title,)
    leaf = folio.leaf
    leaf.rect((500, 0, 720, 405), fill=rgb("#F3EFE9"))
    leaf.rect((36, 22, 42, 50), fill=_BROWN)
    leaf.text(52, 45, title, face="serifb", size=22, colour=_BROWN)
    leaf.text(690, 388, "ORCHARD & STOVE", face="bold", size=9, colour=_BROWN, tracking=1, align="right")


def _under(folio: Folio) -> None:
    """Three by two, the caption on a ribbon under the photo; nothing but a name is printed."""
    folio.page("C", "L2", size=_SLIDE)
    _frame(folio, "Stove Top")
    for k, (name, motif, paint) in enumerate(_NAMES[:6]):
        x, y = 48 + k % 3 * 160.0, 70 + k // 3 * 158.0
        leaf = folio.leaf
        image = folio.shows(motif, (x, y, x + 140, y + 112), paint)
        leaf.rect((x, y + 112, x + 140, y + 132), fill=_TAN)
        leaf.rect((x, y, x + 140, y + 132), line=_TAN, thick=1)
        leaf.text(x + 70, y + 126, name, face="sans", size=10, colour=_INK, align="center")
        folio.sku([(x, y, x + 140, y + 132)], {"product_name": name}, images=[image])


def _beside(folio: Folio, *, fragmented: bool) -> None:
    """Two by two, code and name at the right of each photo."""
    folio.page("C", "L2", size=_SLIDE, fragmented=fragmented)
    _frame(folio, "Table Top" if fragmented else "Everyday")
    for k, (name, motif, paint) in enumerate(_NAMES[6:10] if fragmented else _NAMES[2:6]):
        x, y = 48 + k % 2 * 326.0, 72 + k // 2 * 156.0
        leaf, code, size = folio.leaf, f"OS-{410 + k * 7}{'T' if fragmented else 'E'}", f"{18 + 2 * k} cm"
        image = folio.shows(motif, (x, y, x + 160, y + 136), paint)
        leaf.text(x + 172, y + 50, name, face="bold", size=12, colour=_INK)
        leaf.text(x + 172, y + 68, f"Item No. {code}", face="sans", size=10, colour=_INK)
        leaf.text(x + 172, y + 84, f"Size: {size}", face="sans", size=10, colour=_INK)
        folio.sku([(x, y, x + 310, y + 138)], {"model": code, "product_name": name, "size": size}, images=[image])


def _above(folio: Folio) -> None:
    """Captions over the photos."""
    folio.page("C", "L2", size=_SLIDE)
    _frame(folio, "Gifts")
    for k, (name, motif, paint) in enumerate(_NAMES[8:12]):
        x, leaf, code, price = (
            40 + k * 165.0,
            folio.leaf,
            f"GS-{77 + k * 4}",
            ("$12.90", "$9.50", "undefined", "$16.00")[k],
        )
        leaf.text(x + 75, 112, name, face="bold", size=11, colour=_INK, align="center")
        leaf.text(x + 75, 128, f"{code}   {price}", face="sans", size=10, colour=_BROWN, align="center")
        image = folio.shows(motif, (x, 138, x + 150, 318), paint)
        folio.sku(
            [(x, 98, x + 150, 318)],
            {"model": code, "product_name": name, "price": price},
            images=[image],
            optional={"currency": "$"},
        )


def _single(folio: Folio, *, fragmented: bool) -> None:
    folio.page("C", "L1", size=_SLIDE, fragmented=fragmented)
    _frame(folio, "New")
    name, motif, paint, code = (
        ("Harvest Bowl", "bowl", "#A65A3A", "OS-905")
        if fragmented
        else ("Farmhouse Kettle", "kettle", "#54724F", "OS-901")
    )
    image = folio.shows(motif, (48, 68, 480, 350), paint, "#EDE7DE")
    folio.leaf.text(264, 370, f"{code} {name}", face="bold", size=13, colour=_INK, align="center")
    folio.sku([(48, 68, 480, 376)], {"model": code, "product_name": name}, images=[image])


def _contact_sheet(folio: Folio, *, fragmented: bool) -> None:
    folio.page("C", "L4", size=_SLIDE, fragmented=fragmented)
    _frame(folio, "All colours" if fragmented else "At a glance")
    for k in range(24):
        name, motif, paint = _NAMES[(k * 5 + fragmented) % 12]
        x, y = 36 + k % 8 * 82.0, 62 + k // 8 * 106.0
        code = f"{'C' if fragmented else 'A'}{130 + k * 3}"
        image = folio.shows(motif, (x, y, x + 74, y + 74), paint)
        folio.leaf.text(x + 37, y + 84, code, face="bold", size=7.5, colour=_INK, align="center")
        folio.leaf.text(x + 37, y + 94, name, face="sans", size=7, colour=_INK, align="center")
        folio.sku([(x, y, x + 74, y + 97)], {"model": code, "product_name": name}, images=[image])


def _pages(folio: Folio) -> None:
    folio.brand = ("ORCHARD & STOVE",)
    leaf = folio.page("D", "L1", size=_SLIDE)
    leaf.rect((0, 0, *_SLIDE), fill=_BROWN)
    leaf.text(60, 200, "Orchard & Stove", face="serifb", size=44, colour=WHITE)
    leaf.text(62, 232, "Collection 2026", face="serif", size=18, colour=_TAN)
    _under(folio)
    for fragmented in (False, True):
        _beside(folio, fragmented=fragmented)
    _above(folio)
    for fragmented in (False, True):
        _single(folio, fragmented=fragmented)
        _contact_sheet(folio, fragmented=fragmented)


STYLE = Style("en_kitchen_photos", "en", "kitchenware", ("sans", "bold", "serif", "serifb"), _pages)
