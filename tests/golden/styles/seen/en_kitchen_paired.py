"""Wholesale kitchenware list in English: two narrow tables with photos side by side, which go on over the next page
under their headers; a dense list whose ranges hold for several sizes and colours; colours to choose from."""

from collections.abc import Sequence

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.golden.styles.pens.tables import Between, Column, Item, product_table
from tests.support.catalogues.grid import Entry, Look, Row
from tests.support.catalogues.ink import WHITE, rgb

_OLIVE, _INK, _SOFT, _CREAM = rgb("#5B6236"), rgb("#25261F"), rgb("#84867A"), rgb("#F4F3EA")
_LOOK = Look(
    size=7.6,
    leading=1.3,
    face="sans",
    header_face="bold",
    pad=3,
    header_fill=_OLIVE,
    header_colour=WHITE,
    band=_CREAM,
    line=rgb("#B9BBA6"),
    colour=_INK,
)
_NARROW = (
    Column("picture", "", 52), Column("model", "Ref.", 50), Column("product_name", "Article", 74),
    Column("price", "GBP", 40, "right"), Column("packing", "Pcs/case", 42, "center"),
)  # fmt: skip
_Goods = Sequence[tuple[str, str, str, str, str]]
_LEFT: _Goods = (
    ("OK-11", "Stock pot 24 cm", "pot", "#8D949A", "18.40"), ("OK-12", "Stock pot 28 cm", "pot", "#8D949A", "23.90"),
    ("OK-15", "Saute pan 26 cm", "pan", "#3A4046", "15.75"),
    ("OK-16", "Crepe pan 22 cm", "pan", "#56504A", "undefined"),
    ("OK-21", "Stove kettle 2 L", "kettle", "#A33F33", "14.20"),
    ("OK-22", "Pour-over kettle", "kettle", "#2F3A40", "19.95"),
    ("OK-31", "Stew pot 22 cm", "pot", "#486A74", "31.00"), ("OK-33", "Grill pan", "pan", "#2D2D30", "16.60"),
)  # fmt: skip
_RIGHT: _Goods = (
    ("OT-51", "Salad bowl", "bowl", "#A87A44", "9.80"), ("OT-52", "Cereal bowl", "bowl", "#C7B79A", "3.15"),
    ("OT-55", "Latte mug", "mug", "#6F8B78", "4.40"), ("OT-56", "Espresso cup", "mug", "#B4604A", "2.95"),
    ("OT-61", "Carving board", "cutting_board", "#B48A58", "12.50"),
    ("OT-63", "Paring knife", "knife", "#3C3B3A", "N/A"),
    ("OT-71", "Picnic flask", "bottle", "#53708C", "11.25"), ("OT-74", "Server set", "cutlery", "#A4AAAE", "8.30"),
)  # fmt: skip


def _head(folio: Folio, title: str) -> None:
    leaf = folio.leaf
    leaf.text(34, 44, "Oakley & Thorne", face="serifb", size=17, colour=_OLIVE)
    leaf.text(561, 44, title, face="serif", size=11, colour=_SOFT, align="right")
    leaf.rule(34, 52, 561, 52, colour=_OLIVE, thick=1.4)
    leaf.text(34, 822, "Trade prices, VAT excluded. Minimum order 250 GBP.", face="sans", size=7, colour=_SOFT)
    leaf.text(561, 822, str(folio.number), face="serif", size=10, colour=_OLIVE, align="right")


def _half(folio: Folio, x: float, goods: _Goods, section: str, *, last: bool) -> None:
    items = [
        Item({"model": ref, "product_name": name, "price": price, "packing": str(6 + 6 * (k % 2))}, (motif, paint))
        for k, (ref, name, motif, paint, price) in enumerate(goods)
    ]
    between = [Between(0, section, rgb("#DDE0C8"), "bold", _OLIVE, series=section)]
    if last:
        between.append(Between(len(items), "Mixed cases on request", face="italic", colour=_SOFT))
    product_table(
        folio, x, 70, _NARROW, items, _LOOK, head_height=20, row_height=62, between=between, also={"currency": "GBP"}
    )


def _tableware(folio: Folio) -> None:
    """One line a size: name and material stand once and hold for the lines below."""
    folio.page("A", "L4")
    _head(folio, "Melamine and enamel")
    columns = (
        Column("product_name", "Product", 110, merge=True), Column("material", "Material", 84, merge=True),
        Column("model", "Ref.", 72), Column("size", "Size", 64, "center"), Column("color", "Colour", 70, "center"),
        Column("price", "GBP each", 60, "right"), Column("packing", "Per case", 60, "right"),
    )  # fmt: skip
    items = []
    for code, name, material, sizes in (
        ("ME", "Beach plate", "Melamine", ("18 cm", "22 cm", "26 cm")),
        ("MB", "Beach bowl", "Melamine", ("12 cm", "15 cm")),
        ("EM", "Camp mug", "Enamelled steel", ("250 ml", "350 ml", "500 ml")),
        ("EP", "Camp plate", "Enamelled steel", ("20 cm", "24 cm")),
        ("ET", "Pie dish", "Enamelled steel", ("24 cm", "28 cm")),
    ):
        for k, size in enumerate(sizes):
            for colour in ("Cream", "Sage"):
                cells = {
                    "product_name": name, "material": material, "model": f"{code}-{size.split()[0]}{colour[0]}",
                    "size": size,
                    "color": colour, "price": f"{1.9 + 0.7 * k + 0.1 * len(name):.2f}", "packing": str((24, 12, 6)[k]),
                }  # fmt: skip
                items.append(Item(cells, group=code))
    head: list[Row] = [
        [Entry("Article", cols=2), None, Entry("Variant", cols=3), None, None, Entry("Trade", cols=2), None],
        [column.head for column in columns],
    ]
    product_table(
        folio, 37, 70, columns, items, _LOOK, head=head, head_height=17, row_height=22, also={"currency": "GBP"}
    )


def _terms(folio: Folio) -> None:
    leaf = folio.page("D", "L3")
    _head(folio, "Terms")
    leaf.paragraph(
        34,
        90,
        400,
        "Carriage is free on mainland orders above 400 pounds; below that we charge 12 pounds a parcel.\n \n"
        "New accounts pay their first two orders in advance. Thereafter 30 days from invoice.\n \n"
        "Breakages must be reported with a photograph within three working days.",
        face="serif",
        size=10.5,
        leading=1.7,
    )


def _swatches(folio: Folio) -> None:
    """Colours to choose from, named, without any article."""
    leaf = folio.page("D", "L2")
    _head(folio, "Enamel colours")
    for k, (name, paint) in enumerate(
        (("Cream", "#EFE6CF"), ("Sage", "#9DAE8C"), ("Slate", "#5D6670"), ("Rust", "#A9583A"))
    ):
        x, y = 34 + k % 2 * 270.0, 80 + k // 2 * 240.0
        folio.decorates("swatch", (x, y, x + 250, y + 190), paint)
        leaf.text(x, y + 208, name, face="serif", size=12, colour=_INK)


def _pages(folio: Folio) -> None:
    folio.brand = ("Oakley & Thorne",)
    for second in (False, True):
        folio.page("A", "L3", continues=second, fragmented=second)
        _head(folio, "Hob and table" + (", continued" if second else ""))
        part = slice(6, 8) if second else slice(0, 6)
        _half(folio, 34, _LEFT[part], "ON THE HOB", last=second)
        _half(folio, 305, _RIGHT[part], "ON THE TABLE", last=second)
    _tableware(folio)
    _swatches(folio)
    _terms(folio)


STYLE = Style("en_kitchen_paired", "en", "kitchenware", ("sans", "bold", "italic", "serif", "serifb"), _pages)
