"""Fashion line sheet in English: look photos with style number, price pair and colour chips beneath; a look book page;
a thumbnail sheet; a size guide."""

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.grid import Look, draw_table
from tests.support.catalogues.ink import Rgb, rgb

_BLACK, _GREY, _BLUSH = rgb("#161616"), rgb("#8E8A86"), rgb("#F4E9E4")
_CHIPS = ("#B5566A", "#2D3E57", "#D9A441", "#6B7F5E", "#222326", "#E8DFD0")
# Style number, name, motif, paint, fabric, colours, sizes, wholesale, retail.
_LOOKS = (
    ("AW26-101", "Ines Wrap Dress", "dress", "#B5566A", "100% viscose", "Rose, Ink", "XS-L", "$46.00", "$118.00"),
    ("AW26-104", "Noor Slip Dress", "dress", "#2D3E57", "Satin polyester", "Ink, Ochre", "XS-XL", "$39.00", "$98.00"),
    ("AW26-112", "Tove Field Jacket", "jacket", "#6B7F5E", "Waxed cotton", "Moss", "S-XL", "$74.00", "$189.00"),
    ("AW26-118", "Per Boxy Tee", "shirt", "#E8DFD0", "Organic cotton", "Ecru, Black, Moss", "XS-XXL", "$14.50",
     "$38.00"),
    ("AW26-120", "Sol Hoodie", "hoodie", "#D9A441", "Brushed fleece", "Ochre, Black", "S-XL", "$31.00", "$79.00"),
    ("AW26-127", "Ode Trousers", "trousers", "#222326", "Wool blend", "Black", "34-44", "TBD", "$129.00"),
)  # fmt: skip


def _furniture(folio: Folio, title: str) -> None:
    folio.heading = (title, "Autumn / Winter 2026")
    leaf = folio.leaf
    leaf.text(48, 56, "atelier ROSLIN", face="serif", size=16, colour=_BLACK, tracking=1)
    leaf.text(547, 56, title, face="italic", size=9, colour=_GREY, align="right")
    leaf.text(297, 818, "Autumn / Winter 2026   -   delivery August", face="sans", size=7, colour=_GREY, align="center")


def _chips(folio: Folio, x: float, y: float, count: int, first: int) -> None:
    for k in range(count):
        paint: Rgb = rgb(_CHIPS[(first + k) % len(_CHIPS)])
        folio.leaf.rect((x + k * 15, y, x + k * 15 + 11, y + 11), fill=paint, line=_GREY, thick=0.3)


def _sheet(folio: Folio, *, offset: int, fragmented: bool) -> None:
    folio.page("C", "L2", fragmented=fragmented)
    _furniture(folio, "Line sheet")
    for k, (style, name, motif, paint, fabric, colours, sizes, wholesale, retail) in enumerate(_LOOKS):
        code = f"{style[:5]}{int(style[5:]) + offset}"
        wide, high = 158.0, 214.0
        x, y = 48 + k % 3 * (wide + 12.5), 84 + k // 3 * 350.0
        leaf = folio.leaf
        image = folio.shows(motif, (x, y, x + wide, y + high), paint, "#F4E9E4")
        leaf.text(x, y + high + 16, name.upper(), face="bold", size=8.5, colour=_BLACK)
        leaf.text(x, y + high + 28, f"Style {code}", face="sans", size=8, colour=_GREY)
        for n, (label, value) in enumerate(
            (("Fabric", fabric), ("Colours", colours), ("Sizes", sizes), ("WS", wholesale), ("RRP", retail))
        ):
            leaf.text(x, y + high + 42 + n * 11.5, f"{label}: {value}", face="sans", size=8, colour=_BLACK)
        _chips(folio, x, y + high + 96, len(colours.split(",")), k)
        values = {"model": code, "product_name": name.upper(), "material": fabric, "color": colours, "size": sizes,
                  "price": wholesale if wholesale != "TBD" else ""}  # fmt: skip
        folio.sku(
            [(x, y, x + wide, y + high + 110)],
            values,
            images=[image],
            accept={"price": [retail]},
            optional={"currency": "$", **({"price": retail} if wholesale == "TBD" else {})},
        )


def _look_book(folio: Folio, *, fragmented: bool) -> None:
    folio.page("C", "L1", fragmented=fragmented)
    leaf = folio.leaf
    style, name, motif, paint = (
        ("AW26-301", "Maren Evening Dress", "dress", "#5B2A3C"),
        ("AW26-305", "Ilse Storm Jacket", "jacket", "#3C4A45"),
    )[fragmented]
    leaf.rect((0, 0, 595, 842), fill=_BLUSH)
    image = folio.shows(motif, (60, 80, 535, 660), paint, "#E9D9D1")
    leaf.text(60, 700, name, face="serif", size=24, colour=_BLACK)
    leaf.text(60, 722, f"Style {style}", face="sans", size=10, colour=_GREY)
    leaf.text(535, 722, "$96.00", face="sans", size=10, colour=_BLACK, align="right")
    folio.sku(
        [(60, 80, 535, 728)],
        {"model": style, "product_name": name, "price": "$96.00"},
        images=[image],
        optional={"currency": "$"},
    )


def _thumbnails(folio: Folio) -> None:
    folio.page("C", "L4")
    _furniture(folio, "Overview")
    motifs = ("cap", "shirt", "hoodie", "trousers", "dress", "jacket")
    names = ("Cap", "Tee", "Hoodie", "Trousers", "Dress", "Jacket")
    for k in range(30):
        x, y = 48 + k % 6 * 84.0, 84 + k // 6 * 142.0
        leaf, code, name = (
            folio.leaf,
            f"AW26-{500 + 3 * k}",
            f"{('Ada', 'Bo', 'Cleo', 'Dag', 'Eli')[k // 6]} {names[k % 6]}",
        )
        image = folio.shows(motifs[k % 6], (x, y, x + 76, y + 96), _CHIPS[(k * 5 + k // 6) % 6], "#F7F3EF")
        leaf.text(x, y + 107, code, face="bold", size=7, colour=_BLACK)
        leaf.text(x, y + 117, name, face="sans", size=7, colour=_GREY)
        folio.sku([(x, y, x + 76, y + 120)], {"model": code, "product_name": name}, images=[image])


def _size_guide(folio: Folio) -> None:
    leaf = folio.page("D", "L3")
    _furniture(folio, "Size guide")
    leaf.text(48, 110, "Find your size", face="serif", size=22, colour=_BLACK)
    look = Look(size=8.5, face="sans", header_face="bold", header_fill=rgb("#E4D3CA"), header_colour=_BLACK, band=None)
    rows = [["", "XS", "S", "M", "L", "XL"], ["Chest", "80", "86", "92", "98", "106"],
            ["Waist", "62", "68", "74", "80", "88"],
            ["Hip", "88", "94", "100", "106", "114"], ["Inseam", "76", "77", "78", "79", "80"]]  # fmt: skip
    draw_table(leaf, 48, 130, [99.0, *[80.0] * 5], [24.0] * 5, rows, look)
    leaf.paragraph(
        48,
        290,
        400,
        "Measure over light underwear, tape level and not tight. All figures are body measurements "
        "in centimetres, not those of the garment.",
        face="sans",
        size=9.5,
        leading=1.7,
    )


def _pages(folio: Folio) -> None:
    folio.brand = ("atelier ROSLIN", "ROSLIN")
    _look_book(folio, fragmented=False)
    _sheet(folio, offset=0, fragmented=False)
    _sheet(folio, offset=60, fragmented=True)
    _look_book(folio, fragmented=True)
    _thumbnails(folio)
    _size_guide(folio)


STYLE = Style("en_apparel_linesheet", "en", "apparel", ("sans", "bold", "italic", "serif"), _pages)
