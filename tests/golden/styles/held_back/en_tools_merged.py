"""Hand tool price list in English: the photo of a tool is merged over the rows of its variants, trade price and retail
price in two columns, group rows between; it goes on over the page; then tools named by a row of their own beside the
photo; nine captioned photos; terms."""

from collections.abc import Sequence

from tests.golden.styles.pens.folio import Folio, around
from tests.golden.styles.pens.style import Style
from tests.golden.styles.pens.tables import Between, Column, Item, product_table
from tests.support.catalogues.grid import Entry, Look, Row, draw_table
from tests.support.catalogues.ink import WHITE, rgb

_NAVY, _RED, _INK, _SOFT = rgb("#1D3250"), rgb("#C0342B"), rgb("#22262B"), rgb("#7C858F")
_GROUP, _NAMED = rgb("#DCE4EE"), rgb("#F3F6FA")
_LOOK = Look(
    size=8.2,
    face="sans",
    header_face="bold",
    header_fill=_NAVY,
    header_colour=WHITE,
    band=None,
    line=rgb("#B4BECA"),
    colour=_INK,
)
_COLUMNS = (
    Column("picture", "Photo", 92, merge=True), Column("product_name", "Product", 118, merge=True),
    Column("model", "Part No.", 78), Column("size", "Size", 78), Column("packing", "Pack", 47, "center"),
    Column("price", "Trade price", 55, "right"), Column("=RRP", "RRP", 55, "right"),
)  # fmt: skip
# Code, name, motif, paint, variants: size, pack, trade price, retail price.
_Variant = tuple[str, str, str, str]
_Tool = tuple[str, str, str, str, tuple[_Variant, ...]]
_Range = tuple[str, tuple[_Tool, ...]]
_FIRST: tuple[_Range, ...] = (
    ("PLIERS AND CUTTERS", (
        ("BK-21", "Combination pliers, two-tone grip", "pliers", "#C0342B", (
            ("160 mm", "6", "7.40", "12.95"), ("180 mm", "6", "8.25", "14.50"), ("200 mm", "6", "9.10", "15.95"))),
        ("BK-24", "Side cutters", "pliers", "#2C5D94", (
            ("140 mm", "6", "6.85", "11.95"), ("160 mm", "6", "7.60", "13.25"))),
    )),
    ("STRIKING TOOLS", (
        ("BK-35", "Claw hammer, hickory handle", "hammer", "#B98449", (
            ("8 oz", "4", "9.95", "17.50"), ("16 oz", "4", "12.30", "21.50"), ("20 oz", "4", "13.80", "23.95"))),
        ("BK-38", "Cross pein hammer", "hammer", "#3A6B4A", (
            ("200 g", "4", "6.20", "10.95"), ("300 g", "4", "6.95", "12.25"), ("500 g", "4", "8.40", "-"))),
        ("BK-39", "Shockproof hammer", "hammer", "#D08A1E", (("450 g", "2", "19.90", "34.95"),)),
    )),
)  # fmt: skip
_SECOND: tuple[_Range, ...] = (
    ("SCREWDRIVERS", (
        ("BK-52", "Slotted screwdriver", "screwdriver", "#C0342B", (
            ("4 x 100 mm", "12", "2.35", "4.25"), ("5.5 x 125 mm", "12", "2.80", "4.95"),
            ("6.5 x 150 mm", "12", "3.15", "5.50"), ("8 x 200 mm", "12", "POA", "6.75"))),
        ("BK-54", "Insulated screwdriver, 1000 V", "screwdriver", "#D9A51F", (
            ("3 x 75 mm", "12", "3.60", "6.25"), ("4 x 100 mm", "12", "4.05", "6.95"))),
    )),
    ("WRENCHES", (
        ("BK-61", "Combination wrench", "wrench", "#8C959E", (
            ("8 mm", "10", "2.90", "4.95"), ("10 mm", "10", "3.20", "5.50"), ("13 mm", "10", "3.95", "6.75"),
            ("17 mm", "10", "5.25", "8.95"), ("19 mm", "5", "5.90", "9.95"))),
        ("BK-66", "Adjustable wrench", "wrench", "#5F6A75", (
            ("200 mm", "5", "8.70", "14.95"), ("250 mm", "5", "10.40", "17.95"), ("300 mm", "5", "13.60", "23.50"))),
    )),
)  # fmt: skip
_NAMED_TOOLS: tuple[_Tool, ...] = (
    ("BK-71", "Pocket tape measure, magnetic hook", "tape_measure", "#D9A51F", (
        ("3 m x 16 mm", "12", "3.10", "5.50"), ("5 m x 19 mm", "12", "4.45", "7.95"), ("8 m x 25 mm", "6", "6.90",
                                                                                      "11.95"))),
    ("BK-74", "Box section level", "level", "#2C5D94", (
        ("400 mm", "4", "9.30", "15.95"), ("600 mm", "4", "11.20", "18.95"), ("1200 mm", "2", "17.50", "29.95"))),
    ("BK-78", "Hardpoint handsaw", "saw", "#C0342B", (
        ("450 mm, 8 tpi", "6", "5.80", "9.95"), ("500 mm, 7 tpi", "6", "6.15", "10.50"),
        ("550 mm, 7 tpi", "6", "6.50", "N/A"))),
    ("BK-81", "Cordless drill driver", "drill", "#33597F", (
        ("10 mm chuck", "1", "58.00", "99.00"), ("13 mm chuck", "1", "94.50", "159.00"))),
)  # fmt: skip
_SMALL = (
    ("BK-901", "Disc padlock", "padlock", "#B98B3C", "9.75"), ("BK-902", "Swivel castor", "caster", "#3E444B", "3.40"),
    ("BK-903", "Gate hinge", "hinge", "#8F8A7E", "5.20"), ("BK-904", "Pull handle", "handle", "#2F3439", "4.15"),
    ("BK-905", "Anchor bolt M10", "bolt", "#9AA2AA", "0.85"), ("BK-906", "Flange nut M10", "nut", "#A8AEB4", "0.22"),
    ("BK-907", "Workshop shears", "scissors", "#C0342B", "6.60"), ("BK-908", "Trimming knife", "knife", "#D9A51F",
                                                                   "4.95"),
    ("BK-909", "Carry bag", "tote", "#4B5A3C", "POA"),
)  # fmt: skip


def _letterhead(folio: Folio, title: str) -> None:
    folio.heading = (title, title.removesuffix(", continued"))
    leaf = folio.leaf
    leaf.rect((36, 26, 120, 48), fill=_RED)
    leaf.text(78, 42, "BRANNOCK", face="bold", size=12, colour=WHITE, align="center")
    leaf.text(130, 42, title, face="bold", size=13, colour=_NAVY)
    leaf.text(559, 42, "All prices in GBP per piece, excluding VAT", face="sans", size=8, colour=_SOFT, align="right")
    leaf.rule(36, 52, 559, 52, colour=_NAVY, thick=1)
    leaf.text(36, 824, "Brannock Hand Tools - Trade list 14", face="sans", size=7.5, colour=_SOFT)
    leaf.text(559, 824, f"{folio.number}", face="bold", size=9, colour=_NAVY, align="right")


def _code(tool: _Tool, k: int) -> str:
    return f"{tool[0]}{'ABCDEF'[k]}"


def _listed(folio: Folio, ranges: Sequence[_Range]) -> None:
    items: list[Item] = []
    between: list[Between] = []
    for title, tools in ranges:
        between.append(Between(len(items), title, _GROUP, "bold", _NAVY, series=title))
        for tool in tools:
            for k, (size, pack, trade, retail) in enumerate(tool[4]):
                cells = {"product_name": tool[1], "model": _code(tool, k), "size": size, "packing": pack,
                         "price": trade, "=RRP": retail}  # fmt: skip
                items.append(Item(cells, (tool[2], tool[3]), tool[0], accept={"unit": ["per piece"]}))
    rows = len(items)
    high = min(52.0, (720.0 - 26 - 18 * len(between)) / rows)
    product_table(
        folio,
        36,
        66,
        _COLUMNS,
        items,
        _LOOK,
        head_height=26,
        row_height=high,
        between=between,
        also={"currency": "GBP", "unit": "piece"},
    )


def _named(folio: Folio) -> None:
    """Each tool is named by a row of its own over its variants; its photo is merged over all these rows."""
    folio.page("A", "L3")
    _letterhead(folio, "Measuring, sawing, drilling")
    rows: list[Row] = [["", "Part No.", "Size", "Pack", "Trade price", "RRP"]]
    at: list[int] = []
    for tool in _NAMED_TOOLS:
        at.append(len(rows))
        name = Entry(tool[1], cols=5, fill=_NAMED, face="bold", colour=_NAVY, align="left")
        rows.append([Entry(rows=1 + len(tool[4])), name, *[None] * 4])
        rows += [[None, _code(tool, k), *one] for k, one in enumerate(tool[4])]
    look = Look(
        size=8.5,
        face="sans",
        header_face="bold",
        header_fill=_NAVY,
        header_colour=WHITE,
        band=None,
        line=rgb("#B4BECA"),
        colour=_INK,
        aligns=("left", "left", "left", "center", "right", "right"),
    )
    boxes = draw_table(
        folio.leaf, 36, 66, (130.0, 100.0, 113.0, 50.0, 65.0, 65.0), [26.0] + [38.0] * (len(rows) - 1), rows, look
    )
    for first, tool in zip(at, _NAMED_TOOLS, strict=True):
        x0, y0, x1, y1 = boxes[first, 0]
        image = folio.shows(tool[2], (x0 + 8, y0 + 6, x1 - 8, y1 - 6), tool[3])
        for k, (size, pack, trade, retail) in enumerate(tool[4]):
            cells = [boxes[first + 1 + k, column] for column in range(1, 6)]
            folio.sku(
                [around([boxes[first, 0], boxes[first, 1], *cells])],
                {"model": _code(tool, k), "product_name": tool[1], "size": size, "packing": pack, "price": trade},
                images=[image],
                custom={"RRP": retail},
                optional={"currency": "GBP", "unit": "piece"},
                accept={"unit": ["per piece"]},
            )


def _captioned(folio: Folio) -> None:
    leaf = folio.page("C", "L2")
    _letterhead(folio, "Counter goods")
    for k, (code, name, motif, paint, price) in enumerate(_SMALL):
        x, y = 36 + k % 3 * 179.0, 72 + k // 3 * 248.0
        image = folio.shows(motif, (x, y, x + 165, y + 176), paint, "#F2F4F6")
        leaf.text(x, y + 194, name, face="bold", size=10.5, colour=_INK)
        leaf.text(x, y + 209, code, face="sans", size=9, colour=_SOFT)
        shown = price if price == "POA" else f"£{price}"
        leaf.text(x, y + 225, shown, face="bold", size=11, colour=_RED)
        folio.sku(
            [(x, y, x + 165, y + 228)],
            {"model": code, "product_name": name, "price": shown},
            images=[image],
            optional={"currency": "£", "unit": "piece"},
            accept={"price": [price], "currency": ["GBP"], "unit": ["per piece"]},
        )


def _terms(folio: Folio) -> None:
    leaf = folio.page("D", "L3")
    _letterhead(folio, "Terms")
    y = 96.0
    for title, words in (
        ("Ordering", "Orders that reach us by noon leave our warehouse the same day. Packs are not split."),
        ("Carriage", "Paid on orders over 150 pounds to the mainland; below that 8.50 pounds for each consignment."),
        ("Returns", "Unused goods may be returned within 30 days in their packs. A charge of 15 per cent applies."),
        ("Guarantee", "Hand tools carry a lifetime guarantee against faults of material. Wearing parts are excluded."),
    ):
        leaf.text(36, y, title, face="bold", size=12, colour=_RED)
        y = leaf.paragraph(150, y, 400, words, face="sans", size=10, leading=1.6, colour=_INK) + 22
    folio.decorates("truck", (150, y + 10, 450, y + 230), "#1D3250", "#E9EDF2")


def _pages(folio: Folio) -> None:
    folio.brand = ("BRANNOCK", "Brannock", "Brannock Hand Tools")
    leaf = folio.page("D", "L1")
    folio.decorates("wrench", (0, 0, 595, 600), "#8C959E", "#DCE4EE")
    leaf.rect((0, 600, 595, 842), fill=_NAVY)
    leaf.text(48, 682, "BRANNOCK", face="bold", size=46, colour=WHITE, tracking=2)
    leaf.text(50, 716, "Hand tools for the trade since 1954", face="sans", size=14, colour=_GROUP)
    leaf.text(50, 790, "Trade list 14, valid until further notice", face="sans", size=9, colour=_GROUP)
    for second, ranges in enumerate((_FIRST, _SECOND)):
        folio.page("A", "L3", continues=bool(second), fragmented=bool(second))
        _letterhead(folio, "Hand tools, continued" if second else "Hand tools")
        _listed(folio, ranges)
    _named(folio)
    _captioned(folio)
    _terms(folio)


STYLE = Style("en_tools_merged", "en", "tools", ("sans", "bold"), _pages)
