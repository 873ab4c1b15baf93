"""Cookware catalogue in English: four products a page, the name over the photo and the code in a coloured tag on it;
a page of twelve with names and tags only; an index by code with leader dots that repeats everything."""

from collections.abc import Sequence

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.ink import WHITE, Rgb, rgb

_EMBER, _PINE, _INK, _SOFT = rgb("#C4512D"), rgb("#2F5D50"), rgb("#262626"), rgb("#8B8B86")
# Code, name, motif, paint, material, capacity, packing, price.
_Ware = tuple[str, str, str, str, str, str, str, str]
_STOVE: tuple[_Ware, ...] = (
    ("ME 1402", "Low Casserole", "pot", "#9EA5AB", "Stainless steel 18/10", "2.4 L", "6 pcs per carton", "$14.20"),
    ("ME 1408", "Tall Stockpot", "pot", "#7F868C", "Stainless steel 18/10", "7.5 L", "2 pcs per carton", "$27.90"),
    ("ME 1511", "Crepe Pan", "pan", "#3B3B3D", "Carbon steel", "N/A", "12 pcs per carton", "$8.60"),
    ("ME 1517", "Deep Frying Pan", "pan", "#5A2E28", "Cast aluminium", "3.1 L", "8 pcs per carton", "$12.35"),
)
_TABLE: tuple[_Ware, ...] = (
    ("ME 2203", "Whistling Kettle", "kettle", "#B8452F", "Enamelled steel", "2.0 L", "10 pcs per carton", "$16.75"),
    ("ME 2206", "Gooseneck Kettle", "kettle", "#2E3B3A", "Stainless steel 18/8", "0.9 L", "12 pcs per carton",
     "Price on request"),
    ("ME 2310", "Vacuum Bottle", "bottle", "#33658A", "Stainless steel 18/8", "750 ml", "24 pcs per carton", "$9.15"),
    ("ME 2318", "Camp Mug", "mug", "#E0D8C4", "Enamelled steel", "350 ml", "48 pcs per carton", "$2.40"),
)  # fmt: skip
_SMALL = (
    ("ME 3101", "Paring Knife", "knife", "#3A3A3A"), ("ME 3104", "Bread Knife", "knife", "#7A5230"),
    ("ME 3109", "Santoku", "knife", "#4A5560"), ("ME 3202", "Acacia Board", "cutting_board", "#A56F3E"),
    ("ME 3205", "Bamboo Board", "cutting_board", "#D2B374"), ("ME 3301", "Soup Bowl", "bowl", "#DDD7CA"),
    ("ME 3306", "Salad Bowl", "bowl", "#8FA58C"), ("ME 3309", "Noodle Bowl", "bowl", "#4F6B86"),
    ("ME 3403", "Dinner Cutlery", "cutlery", "#A7ABB0"), ("ME 3407", "Picnic Cutlery", "cutlery", "#C9A35E"),
    ("ME 3502", "Latte Mug", "mug", "#B98A6A"), ("ME 3508", "Travel Bottle", "bottle", "#6B8F71"),
)  # fmt: skip


def _top(folio: Folio, title: str, colour: Rgb) -> None:
    leaf = folio.leaf
    leaf.rect((0, 0, 595, 54), fill=colour)
    leaf.text(40, 35, title, face="serifb", size=20, colour=WHITE)
    leaf.text(555, 33, "Maple & Ember", face="italic", size=11, colour=WHITE, align="right")
    leaf.text(297, 824, f"{folio.number}", face="sans", size=9, colour=_SOFT, align="center")
    folio.heading = (title,)


def _tag(folio: Folio, x: float, y: float, code: str, colour: Rgb, size: float) -> None:
    leaf = folio.leaf
    wide = leaf.faces["bold"].width(code, size)
    leaf.rect((x, y, x + wide + 14, y + size * 1.75), fill=colour, radius=3)
    leaf.text(x + 7, y + size * 1.25, code, face="bold", size=size, colour=WHITE)


def _opening(folio: Folio) -> None:
    leaf = folio.page("D", "L1")
    folio.decorates("kettle", (40, 140, 555, 655), "#C4512D", "#F4EFE6")
    leaf.text(297, 84, "MAPLE & EMBER", face="serifb", size=36, colour=_PINE, tracking=3, align="center")
    leaf.text(297, 112, "Cookware for people who cook", face="italic", size=13, colour=_SOFT, align="center")
    leaf.text(297, 720, "Trade catalogue, spring and summer", face="serif", size=15, colour=_INK, align="center")


def _large(folio: Folio, ware: _Ware, x: float, y: float, colour: Rgb) -> None:
    code, name, motif, paint, material, capacity, packing, price = ware
    leaf = folio.leaf
    leaf.text(x, y + 14, name, face="serifb", size=14, colour=_INK)
    image = folio.shows(motif, (x, y + 24, x + 245, y + 214), paint, "#F4EFE6")
    _tag(folio, x + 8, y + 190, code, colour, 9)
    for k, (label, value) in enumerate((("Material", material), ("Capacity", capacity), ("Packing", packing))):
        at = y + 232 + k * 15
        leaf.text(x, at, label, face="sans", size=8.5, colour=_SOFT)
        leaf.text(x + 54, at, value, face="sans", size=8.5, colour=_INK)
    leaf.rule(x, y + 272, x + 245, y + 272, colour=colour, thick=0.8)
    leaf.text(x, y + 289, "FOB price", face="sans", size=8.5, colour=_SOFT)
    leaf.text(x + 245, y + 290, price, face="bold", size=12, colour=colour, align="right")
    values = {"model": code, "product_name": name, "material": material, "packing": packing}
    asked = price.startswith("$")
    folio.sku(
        [(x, y, x + 245, y + 294)],
        values | ({"price": price} if asked else {}),
        images=[image],
        custom={"Capacity": capacity},
        optional={"currency": "$"} if asked else {"price": price},
    )


def _four(folio: Folio, title: str, wares: Sequence[_Ware], colour: Rgb, *, fragmented: bool) -> None:
    folio.page("B", "L2", fragmented=fragmented)
    _top(folio, title, colour)
    for k, ware in enumerate(wares):
        _large(folio, ware, 40 + k % 2 * 270.0, 84 + k // 2 * 362.0, colour)


def _twelve(folio: Folio) -> None:
    folio.page("C", "L2")
    _top(folio, "Tools & Tableware", _EMBER)
    leaf = folio.leaf
    for k, (code, name, motif, paint) in enumerate(_SMALL):
        x, y = 40 + k % 3 * 177.0, 80 + k // 3 * 182.0
        leaf.text(x + 80, y + 12, name, face="serifb", size=11, colour=_INK, align="center")
        image = folio.shows(motif, (x, y + 20, x + 161, y + 154), paint, "#F4EFE6")
        _tag(folio, x + 6, y + 134, code, _EMBER, 8)
        folio.sku([(x, y, x + 161, y + 156)], {"model": code, "product_name": name}, images=[image])


def _index(folio: Folio) -> None:
    leaf = folio.page("D", "L4")
    _top(folio, "Index by item number", _PINE)
    entries = [(code, name, 2) for code, name, *_ in _STOVE] + [(code, name, 3) for code, name, *_ in _TABLE]
    entries += [(code, name, 4) for code, name, *_ in _SMALL]
    for k, (code, name, page) in enumerate(entries):
        x, y = 40 + k // 10 * 270.0, 96 + k % 10 * 34.0
        wide = leaf.text(x, y, f"{code}  {name}", face="sans", size=9.5, colour=_INK)
        dots = "." * int((222 - wide) / leaf.faces["sans"].width(".", 9.5))
        leaf.text(x + wide + 4, y, dots, face="sans", size=9.5, colour=_SOFT)
        leaf.text(x + 245, y, str(page), face="bold", size=9.5, colour=_PINE, align="right")
    leaf.paragraph(
        40,
        500,
        515,
        "All prices are FOB Ningbo and exclude gift boxes. Colours may differ from print.",
        face="italic",
        size=9,
        colour=_SOFT,
    )


def _pages(folio: Folio) -> None:
    folio.brand = ("Maple & Ember", "MAPLE & EMBER")
    _opening(folio)
    _four(folio, "On the Stove", _STOVE, _EMBER, fragmented=False)
    _four(folio, "On the Table", _TABLE, _PINE, fragmented=True)
    _twelve(folio)
    _index(folio)


STYLE = Style("en_kitchen_tags", "en", "kitchenware", ("sans", "bold", "italic", "serif", "serifb"), _pages)
