"""Export quotation for lamps in English: zebra rows without rules, photos in cells, three quantity prices, MOQ and
carton data; goes on with photos in strips; a dense list of bulbs over two pages without pictures."""

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.golden.styles.pens.tables import Between, Column, Item, Rules, product_table
from tests.support.catalogues.grid import Entry, Look, Row
from tests.support.catalogues.ink import rgb

_SEA, _INK, _SOFT, _BAND = rgb("#0F6B6B"), rgb("#20262A"), rgb("#76808A"), rgb("#EDF4F3")
_WIDE = (842.0, 595.0)
_LOOK = Look(
    size=8,
    face="sans",
    header_face="bold",
    pad=4,
    header_fill=rgb("#D3E6E4"),
    header_colour=_INK,
    band=_BAND,
    colour=_INK,
)
_PLAIN = Rules(0.0, 0.0, 1.0, (0.06, 0.42, 0.42))
_COLUMNS = (
    Column("picture", "Photo", 78), Column("model", "Article", 78), Column("product_name", "Description", 130),
    Column("size", "Dimension", 90), Column("color", "Finish", 70), Column("#500 pcs", "500 pcs", 62, "right"),
    Column("#1000 pcs", "1000 pcs", 62, "right"), Column("#3000 pcs", "3000 pcs", 62, "right"),
    Column("moq", "MOQ", 56, "right"), Column("packing", "Pcs/ctn", 54, "right"),
)  # fmt: skip
_LAMPS = (
    ("NW-2101", "Aluminium ceiling spot", "downlight", "#D9D6CE", "D85 x H60 mm", "White", 3.85),
    ("NW-2107", "Adjustable ceiling spot", "downlight", "#3B3D40", "D95 x H70 mm", "Black", 4.6),
    ("NW-3310", "Track head with honeycomb", "spotlight", "#54585C", "D65 x L150 mm", "Grey", 9.2),
    ("NW-4405", "Office panel, low glare", "panel", "#BEBBB2", "595 x 595 mm", "White", 11.4),
    ("NW-5502", "Metal dome pendant", "pendant", "#2F5D7C", "D400 mm", "Ocean blue", 13.75),
    ("NW-5509", "Small dome pendant", "pendant", "#C97B3D", "D250 mm", "Amber", 8.9),
    ("NW-6601", "Yard floodlight", "floodlight", "#3A3F45", "250 x 200 mm", "Graphite", 17.3),
    ("NW-7704", "Flexible strip, 5 m", "strip", "#E9E6DC", "5000 x 10 mm", "-", 5.15),
    ("NW-7711", "Flexible strip, 10 m", "strip", "#CFE0E8", "10000 x 10 mm", "-", 9.6),
)  # fmt: skip


def _item(k: int) -> Item:
    model, name, motif, paint, size, finish, base = _LAMPS[k]
    last = "Call" if k % 4 == 2 else f"${base * 0.86:.2f}"
    cells = {
        "model": model, "product_name": name, "size": size, "color": finish, "#500 pcs": f"${base:.2f}",
        "#1000 pcs": f"${base * 0.93:.2f}", "#3000 pcs": last, "moq": "500 pcs", "packing": str(12 + 8 * (k % 3)),
    }  # fmt: skip
    return Item(cells, (motif, paint), optional={"currency": "$"})


def _letterhead(folio: Folio) -> None:
    leaf = folio.leaf
    folio.decorates("logo", (40, 22, 70, 52), "#0F6B6B")
    leaf.text(80, 38, "NORWICK LIGHTING LIMITED", face="bold", size=11, colour=_SEA)
    leaf.text(80, 50, "Quotation valid for 60 days", face="italic", size=8, colour=_SOFT)
    leaf.text(leaf.width - 40, 44, f"Sheet {folio.number} of 5", face="sans", size=8, colour=_SOFT, align="right")


def _photos(folio: Folio, start: int, stop: int, *, last: bool) -> None:
    _letterhead(folio)
    head: list[Row] = [
        [*[""] * 5, Entry("Unit price FOB Ningbo", cols=3, align="center"), None, None, "", ""],
        [Entry(column.head, align=column.align) for column in _COLUMNS],
    ]
    notes = (
        (
            Between(
                stop - start,
                "Prices exclude driver unless stated. Lead time 35 days after deposit.",
                face="italic",
                colour=_SOFT,
            ),
        )
        if last
        else ()
    )
    product_table(
        folio,
        50,
        70,
        _COLUMNS,
        [_item(k) for k in range(start, stop)],
        _LOOK,
        head=head,
        head_height=15,
        row_height=84,
        between=notes,
        rules=_PLAIN,
    )


def _bulbs(folio: Folio) -> None:
    columns = (
        Column("model", "Article", 96), Column("product_name", "Lamp", 128), Column("=Base", "Base", 60),
        Column("=Power", "Power", 60), Column("=CCT", "CCT", 64), Column("price", "USD/pc", 60, "right"),
        Column("packing", "Pcs/ctn", 56, "right"),
    )  # fmt: skip
    shapes = (("A60", "Classic bulb"), ("G45", "Golf ball bulb"), ("C37", "Candle bulb"), ("R80", "Reflector bulb"))
    items = []
    for k in range(44):
        shape, name = shapes[k // 11]
        cells = {
            "model": f"NB-{shape}-{4 + k % 11}", "product_name": name, "=Base": ("E27", "E14", "B22")[k % 3],
            "=Power": f"{4 + k % 11} W", "=CCT": ("2700 K", "4000 K")[k % 2], "price": f"{0.42 + 0.06 * k:.2f}",
            "packing": "100",
        }  # fmt: skip
        items.append(Item(cells, optional={"currency": "USD"}))
    for start, stop in ((0, 33), (33, 44)):
        folio.page("A", "L4" if start == 0 else "L3", continues=start > 0)
        _letterhead(folio)
        product_table(
            folio,
            36,
            72,
            columns,
            items[start:stop],
            _LOOK,
            head=None if start == 0 else (),
            row_height=20,
            rules=_PLAIN,
        )


def _pages(folio: Folio) -> None:
    folio.brand = ("NORWICK LIGHTING LIMITED",)
    leaf = folio.page("D", "L3")
    _letterhead(folio)
    leaf.text(40, 120, "Dear customer,", face="sans", size=11, colour=_INK)
    leaf.paragraph(
        40,
        146,
        480,
        "thank you for your visit at our stand. Please find enclosed our quotation for the coming "
        "season. Payment is thirty per cent in advance, the balance against copy of the bill of "
        "lading. Samples are free of charge, the courier is at your account.\n \n"
        "We look forward to your order.",
        face="sans",
        size=10.5,
        leading=1.8,
    )
    folio.page("A", "L3", size=_WIDE)
    _photos(folio, 0, 5, last=False)
    folio.page("A", "L3", size=_WIDE, continues=True, fragmented=True)
    _photos(folio, 5, 9, last=True)
    _bulbs(folio)


STYLE = Style("en_lighting_quantity", "en", "lighting", ("sans", "bold", "italic"), _pages)
