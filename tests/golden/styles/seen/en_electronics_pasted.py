"""Sensor brochure in English: an ordering table pasted as a picture, a ruled table with a row of units, tables of one
row, product features beside a photo."""

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.golden.styles.pens.tables import Between, Column, Item, product_table
from tests.support.catalogues.grid import Look
from tests.support.catalogues.ink import WHITE, rgb

_PLUM, _INK, _SOFT = rgb("#6A2C5B"), rgb("#232126"), rgb("#807B84")
_LOOK = Look(
    size=8.2,
    face="sans",
    header_face="bold",
    header_fill=_PLUM,
    header_colour=WHITE,
    band=None,
    line=rgb("#A79BA6"),
    colour=_INK,
)


def _strip(folio: Folio) -> None:
    leaf = folio.leaf
    leaf.rect((0, 0, 595, 12), fill=_PLUM)
    leaf.text(46, 40, "VELDT SENSORS", face="bold", size=11, colour=_PLUM, tracking=1)
    leaf.text(549, 40, "Inductive and photoelectric range", face="italic", size=8.5, colour=_SOFT, align="right")
    leaf.text(549, 822, f"{folio.number}", face="bold", size=9, colour=_PLUM, align="right")


def _feature(folio: Folio) -> None:
    """One product: name and code at the head, bullets beside the photo, two lines of facts at the foot."""
    leaf = folio.page("B", "L1")
    _strip(folio)
    leaf.text(46, 92, "Proximity Sensor VI-18", face="bold", size=22, colour=_INK)
    image = folio.shows("sensor", (46, 116, 300, 306), "#3C5A78", "#F0EEF1")
    for k, line in enumerate(
        ("Detects steel at 8 mm through paint and dirt", "Survives welding spatter", "Lamp visible all around")
    ):
        leaf.text(318, 140 + k * 20, f"• {line}", face="sans", size=9.5, colour=_INK)
    facts = (("Order code", "VI-18-N8P"), ("Dimensions", "M18 x 65 mm"), ("Housing material", "Nickel-plated brass"),
             ("Weight", "48 g"), ("Price", "undefined"), ("Packing unit", "10 pcs"))  # fmt: skip
    for k, (label, value) in enumerate(facts):
        x, y = 46 + k % 2 * 256.0, 344 + k // 2 * 30
        leaf.text(x, y, label, face="sans", size=8, colour=_SOFT)
        leaf.text(x + 100, y, value, face="bold", size=9, colour=_INK)
        leaf.rule(x, y + 8, x + 240, y + 8, colour=rgb("#D8D2D8"), thick=0.5)
    values = {"model": "VI-18-N8P", "product_name": "Proximity Sensor VI-18", "size": "M18 x 65 mm", "weight": "48 g",
              "material": "Nickel-plated brass", "price": "undefined", "packing": "10 pcs"}  # fmt: skip
    folio.sku([(46, 70, 549, 420)], values, images=[image], accept={"product_name": ["Proximity Sensor"]})


def _units(folio: Folio) -> None:
    """The first row under the header holds units."""
    leaf = folio.page("A", "L3")
    _strip(folio)
    leaf.text(46, 84, "Family overview", face="bold", size=16, colour=_INK)
    columns = (
        Column("model", "Type", 92), Column("=Range", "Range", 60, "right"), Column("=Supply", "Supply", 68, "right"),
        Column("=Output", "Output", 58, "center"), Column("size", "Size", 80, "center"),
        Column("weight", "Weight", 56, "right"),
        Column("price", "Price", 66, "right"),
    )  # fmt: skip
    items = []
    for k in range(14):
        size, mass = (("M8 x 45", 14), ("M12 x 60", 25), ("M18 x 65", 48), ("M30 x 70", 120))[k % 4]
        cells = {
            "model": f"VI-{(8, 12, 18, 30)[k % 4]}-{'NPNF'[k % 4]}{2 + k}", "=Range": str(2 + k), "=Supply": "10-30",
            "=Output": ("PNP", "NPN")[k % 2], "size": size, "weight": str(mass), "price": f"{17.5 + 2.4 * k:.2f}",
        }  # fmt: skip
        items.append(Item(cells))
    unit = Between(0, "", cells=("", "mm", "VDC", "", "mm", "g", "EUR"), colour=_SOFT, height=15)
    section = Between(7, "With connector M12", rgb("#EDE4EB"), "bold", _PLUM, series="With connector M12")
    product_table(
        folio,
        46,
        100,
        columns,
        items,
        _LOOK,
        head_height=22,
        row_height=21,
        between=(unit, section),
        also={"currency": "EUR"},
    )


def _pasted(folio: Folio) -> None:
    leaf = folio.page("A", "L3", scanned=True)
    _strip(folio)
    folio.heading = ("Accessories",)
    leaf.text(46, 84, "Accessories", face="bold", size=16, colour=_INK)
    leaf.text(46, 102, "Excerpt from our web shop; see there for stock.", face="sans", size=9, colour=_SOFT)
    look = Look(size=10, face="sans", header_face="bold", header_fill=rgb("#E6E1E6"), header_colour=_INK, band=None)
    columns = (
        Column("model", "Order No.", 130),
        Column("product_name", "Product", 190),
        Column("price", "Price", 100, "right"),
    )
    goods = ("Mounting bracket", "Cable 2 m, straight", "Cable 5 m, angled", "Reflector 80 mm", "Lock nut set",
             "Test target",
             "Protective cap", "Clamp, plastic", "Adjusting key")  # fmt: skip
    items = [
        Item(
            {"model": f"VA-{1100 + 37 * k}", "product_name": name, "price": f"EUR {2.9 + 1.35 * k:.2f}"},
            optional={"currency": "EUR"},
        )
        for k, name in enumerate(goods)
    ]
    with folio.pictured((70, 120, 520, 412)):
        product_table(folio, 84, 130, columns, items, look, head_height=28, row_height=27)


def _single(folio: Folio, *, fragmented: bool) -> None:
    leaf = folio.page("A", "L1", fragmented=fragmented)
    _strip(folio)
    code, name, paint = (
        ("VP-50-R", "Light barrier receiver", "#5A7A3C"),
        ("VP-50-S", "Light barrier sender", "#7A5A3C"),
    )[fragmented]
    leaf.text(46, 84, name, face="bold", size=16, colour=_INK)
    columns = (Column("picture", "Photo", 120), Column("model", "Type", 90, "center"),
               Column("product_name", "Product", 130, "center"),
               Column("=Range", "Range", 70, "center"), Column("price", "Price", 90, "right"))  # fmt: skip
    cells = {"model": code, "product_name": name, "=Range": "15 m", "price": "EUR 63.00"}
    end = product_table(
        folio, 46, 104, columns, [Item(cells, ("sensor", paint), optional={"currency": "EUR"})], _LOOK, row_height=104
    )
    leaf.paragraph(
        46,
        end + 30,
        460,
        "Sender and receiver are aligned with the lamp at the back; it burns steadily once the reserve is sufficient.",
        face="sans",
        size=9.5,
        leading=1.6,
    )


def _pages(folio: Folio) -> None:
    folio.brand = ("VELDT SENSORS",)
    _feature(folio)
    _units(folio)
    _pasted(folio)
    for fragmented in (False, True):
        _single(folio, fragmented=fragmented)


STYLE = Style("en_electronics_pasted", "en", "electronics", ("sans", "bold", "italic"), _pages)
