"""Electronics leaflet in English: a table with the variants as columns, an ordering table, and a table of one row."""

from tests.golden.styles.pens.folio import Folio, around
from tests.golden.styles.pens.style import Style
from tests.golden.styles.pens.tables import Column, Item, product_table
from tests.support.catalogues.grid import Entry, Look, Row, draw_table
from tests.support.catalogues.ink import Box, rgb

_BLUE, _INK, _SOFT = rgb("#12466E"), rgb("#1C2126"), rgb("#6A737B")
_LOOK = Look(
    size=8,
    face="sans",
    header_face="bold",
    header_fill=rgb("#C9CED3"),
    header_colour=_INK,
    band=None,
    line=rgb("#6F777E"),
    colour=_INK,
)
_MODELS = ("HPX24-S", "HPX24-D", "HPX48-S", "HPX48-D", "HPX48-T")
_FACTS = (
    ("Output voltage", ("24 V", "24 V", "48 V", "48 V", "48 V")),
    ("Rated current", ("5 A", "10 A", "2.5 A", "5 A", "7.5 A")),
    ("Output channels", ("1", "2", "1", "2", "3")),
    ("PFC", ("-", "Yes", "-", "Yes", "Yes")),
    ("Efficiency", ("89%", "91%", "90%", "92%", "93%")),
    ("Dimensions (mm)", ("129x97x30", "159x97x38", "129x97x30", "159x97x38", "199x105x41")),
    ("Weight", ("0.38 kg", "0.52 kg", "0.38 kg", "0.54 kg", "0.81 kg")),
    ("Unit price", ("US$ 18.40", "US$ 27.90", "US$ 19.10", "US$ 29.50", "N/A")),
)
_KEYS = {"Dimensions (mm)": "size", "Weight": "weight", "Unit price": "price"}


def _running(folio: Folio) -> None:
    folio.heading = ("HPX Series", "HPX")
    leaf = folio.leaf
    leaf.text(54, 44, "HPX Series DIN-rail and chassis supplies", face="sans", size=8, colour=_BLUE)
    leaf.text(541, 44, "www.helixpower.example", face="sans", size=8, colour=_BLUE, align="right")
    leaf.rule(54, 50, 541, 50, colour=_BLUE, thick=0.8)
    leaf.rule(54, 800, 541, 800, colour=_BLUE, thick=0.8)
    leaf.text(54, 812, "Rev. 1.6", face="sans", size=8, colour=_BLUE)
    leaf.text(297, 812, str(folio.number), face="sans", size=8, colour=_INK, align="center")


def _overview(folio: Folio) -> None:
    leaf = folio.page("D", "L3")
    _running(folio)
    leaf.text(54, 92, "1. Overview", face="bold", size=15, colour=_INK)
    y = leaf.paragraph(
        54,
        118,
        487,
        "The HPX series is a family of enclosed switching supplies for control cabinets, vending machines and "
        "laboratory equipment. All members share the same mounting pattern and the same remote on/off connector, so "
        "that a cabinet can be refitted without new drillings.",
        face="sans",
        size=9.5,
        leading=1.6,
    )
    for line in (
        "Universal input 90 to 264 VAC, 47 to 63 Hz",
        "Short circuit, overload and over-voltage protection",
        "Operating temperature -30 to +70 °C",
        "Convection cooled, no fan",
        "Three years warranty",
    ):
        y = leaf.paragraph(72, y + 6, 460, f"• {line}", face="sans", size=9.5)
    folio.decorates("supply", (170, y + 30, 430, y + 230), "#3C6E4E")
    leaf.text(297, y + 250, "Figure 1: family view", face="italic", size=8.5, colour=_SOFT, align="center")


def _variants(folio: Folio) -> None:
    leaf = folio.page("A", "L3")
    _running(folio)
    leaf.text(54, 84, "2. Comparison of models", face="bold", size=15, colour=_INK)
    leaf.text(297, 112, "Table 2-1 Functions of the family", face="sans", size=8.5, colour=_INK, align="center")
    rows: list[Row] = [["Model", *_MODELS]]
    rows += [
        [Entry(label, align="left"), *[Entry(value, align="center") for value in values]] for label, values in _FACTS
    ]
    boxes = draw_table(leaf, 54, 120, [92.0, *[79.0] * 5], [24.0] * len(rows), rows, _LOOK)
    for k, model in enumerate(_MODELS):
        cells: list[Box] = [boxes[row, k + 1] for row in range(len(rows))]
        values = {_KEYS[label]: facts[k] for label, facts in _FACTS if label in _KEYS}
        custom = {label: facts[k] for label, facts in _FACTS if label not in _KEYS}
        folio.sku([around(cells)], {"model": model, **values}, custom=custom, optional={"currency": "US$"})
    leaf.text(54, 360, "3. Ordering information", face="bold", size=15, colour=_INK)
    columns = (
        Column("model", "Order code", 130), Column("=Input connector", "Input connector", 130, "center"),
        Column("packing", "Packing", 110, "center"), Column("moq", "MOQ", 117, "center"),
    )  # fmt: skip
    items = [
        Item({"model": f"{code}", "=Input connector": plug, "packing": pack, "moq": moq})
        for code, plug, pack, moq in (
            ("HPX-CBL-1M", "IEC C13", "50 pcs/carton", "100 pcs"),
            ("HPX-CBL-2M", "IEC C13", "30 pcs/carton", "100 pcs"),
            ("HPX-RAIL-35", "n/a", "200 pcs/carton", "200 pcs"), ("HPX-CVR-24", "n/a", "100 pcs/carton", "TBD"),
        )
    ]  # fmt: skip
    product_table(folio, 54, 376, columns, items, _LOOK, row_height=22)


def _single(folio: Folio, *, fragmented: bool) -> None:
    """A page about one product whose only table has one row."""
    leaf = folio.page("A", "L1", fragmented=fragmented)
    _running(folio)
    name, model, paint = (("DC-UPS module", "HPX-UPS40", "#3E4C8A"), ("Redundancy module", "HPX-RDN20", "#7A3B3B"))[
        fragmented
    ]
    leaf.text(54, 84, f"{5 if fragmented else 4}. {name}", face="bold", size=15, colour=_INK)
    leaf.paragraph(
        54,
        108,
        487,
        "Placed between supply and load it keeps the bus alive through short interruptions. State is shown by "
        "two lamps and a dry contact.",
        face="sans",
        size=9.5,
        leading=1.6,
    )
    columns = (
        Column("picture", "View", 110), Column("model", "Part No.", 86, "center"),
        Column("product_name", "Product", 96, "center"), Column("size", "Size (mm)", 80, "center"),
        Column("weight", "Weight", 56, "center"), Column("price", "Price", 59, "right"),
    )  # fmt: skip
    cells = {"model": model, "product_name": name, "size": "124x118x41", "weight": "0.46 kg", "price": "US$ 44.00"}
    product_table(
        folio, 54, 150, columns, [Item(cells, ("module", paint), optional={"currency": "US$"})], _LOOK, row_height=100
    )
    leaf.text(54, 300, "Do not connect the battery with reversed polarity.", face="italic", size=9, colour=_SOFT)


def _pages(folio: Folio) -> None:
    _overview(folio)
    _variants(folio)
    _single(folio, fragmented=False)
    _single(folio, fragmented=True)


STYLE = Style("en_electronics_variants", "en", "electronics", ("sans", "bold", "italic"), _pages)
