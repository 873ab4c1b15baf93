"""Furniture price list in English without cell borders: picture, text block, sizes in two units, two prices, N/A;
the second page repeats the header."""

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.golden.styles.pens.tables import Between, Column, Item, Rules, product_table
from tests.support.catalogues.grid import Look
from tests.support.catalogues.ink import rgb

_INK, _SOFT = rgb("#1F1D1B"), rgb("#76716A")
_LOOK = Look(
    size=7.8,
    leading=1.38,
    face="serif",
    header_face="serifb",
    pad=3,
    header_fill=None,
    header_colour=_INK,
    band=None,
    colour=_INK,
)
_COLUMNS = (
    Column("model", "Item #", 52), Column("picture", "", 70), Column("product_name", "Description", 110),
    Column("material", "Materials", 110), Column("size", "W x D x H", 96),
    Column("price", "FOB Dalian", 52, "right"), Column("~container", "Container", 46, "right"),
)  # fmt: skip
_OFFICE = (
    ("K2101", "Hadley Task Chair", "office_chair", "#4C5A6B", "Nylon base, woven mesh back", (23.5, 24.0, 35.0)),
    (
        "K2103",
        "Hadley Conference Chair",
        "office_chair",
        "#2E2F33",
        "Aluminium base, bonded leather",
        (25.0, 26.5, 40.0),
    ),
    ("K2110", "Marlowe Writing Desk", "desk", "#8A5F3C", "Walnut veneer on MDF, steel legs", (60.0, 28.0, 30.0)),
    ("K2114", "Marlowe Executive Desk", "desk", "#5B3B28", "Walnut veneer on MDF, solid edge", (72.0, 34.0, 30.0)),
    ("K2120", "Ferris Credenza", "cabinet", "#7A5C44", "Oak veneer, soft-close doors", (64.0, 18.0, 29.0)),
)
_LOUNGE = (
    ("K3302", "Aldo Lounge Chair", "armchair", "#7B8F86", "Kiln-dried ash frame, webbing", (31.0, 33.0, 29.5)),
    ("K3304", "Aldo Sofa", "sofa", "#7B8F86", "Kiln-dried ash frame, webbing", (84.0, 35.5, 30.0)),
    ("K3310", "Brook Side Chair", "chair", "#B06A45", "Solid beech, foam seat", (19.5, 21.0, 33.0)),
    ("K3318", "Brook Dining Table", "table", "#A87C50", "Solid beech top, oil finish", (78.0, 38.0, 29.5)),
    ("K3325", "Sable Bar Cabinet", "cabinet", "#3C3A40", "Lacquered MDF, brass pulls", (40.0, 17.0, 58.0)),
)


def _item(folio: Folio, row: tuple[str, str, str, str, str, tuple[float, float, float]]) -> Item:
    model, name, motif, paint, material, inches = row
    size = " x ".join(f"{edge:.2f}" for edge in inches) + " in."
    metric = " x ".join(f"{edge * 2.54:.1f}" for edge in inches) + " cm"
    price = folio.random.randrange(180, 1600, 5)
    direct = "N/A" if folio.random.random() < 0.35 else f"${price * 0.71:,.0f}"
    cells = {
        "model": model, "product_name": name, "material": material, "size": f"{size}\n{metric}",
        "price": f"${price:,}", "~container": direct,
    }  # fmt: skip
    return Item(cells, (motif, paint), accept={"size": [size, metric]}, optional={"currency": "$"})


def _running(folio: Folio) -> None:
    leaf = folio.leaf
    leaf.text(38, 50, "STUDIO & LOUNGE", face="bold", size=12, colour=_INK)
    leaf.text(38, 66, "Wholesale Price List", face="serifb", size=10, colour=_INK)
    leaf.text(556, 52, "K E N N A R D", face="serif", size=15, colour=_INK, align="right")
    leaf.text(38, 80, "Prices shown are wholesale in US dollars.", face="serif", size=7, colour=_SOFT)
    leaf.text(297, 815, str(folio.number), face="serif", size=9, colour=_INK, align="center")


def _list(
    folio: Folio, title: str, rows: tuple[tuple[str, str, str, str, str, tuple[float, float, float]], ...]
) -> None:
    items = [_item(folio, row) for row in rows]
    heading = Between(0, title, rgb("#E2E0DC"), "serifb", _INK, height=15, series=title)
    note = Between(
        len(items), "Add 8% for contract-grade fabric. Special sizes on request.", face="serif", colour=_SOFT
    )
    product_table(
        folio,
        30,
        92,
        _COLUMNS,
        items,
        _LOOK,
        head_height=28,
        row_height=76,
        between=(heading, note),
        rules=Rules(1.1, 0.5, 1.1),
    )


def _introduction(folio: Folio) -> None:
    leaf = folio.page("D", "L3")
    leaf.text(38, 120, "K E N N A R D", face="serif", size=30, colour=_INK)
    leaf.text(38, 146, "Fine furniture for work and rest since 1954", face="italic", size=11, colour=_SOFT)
    leaf.paragraph(
        38,
        200,
        330,
        "Every frame that leaves our workshop is glued, doweled and corner-blocked. Seats are built on sinuous springs "
        "or webbing, and each cushion is cut and sewn by the same pair of hands.\n \n"
        "Orders are acknowledged within two working days. Freight is collect from our warehouse. Claims for damage "
        "must be made with the carrier within five days of delivery.\n \n"
        "Customer's own material is welcome; please send a cutting for approval before the order is placed.",
        face="serif",
        size=10.5,
        leading=1.6,
    )


def _pages(folio: Folio) -> None:
    folio.brand = ("K E N N A R D", "KENNARD")
    _introduction(folio)
    folio.page("A", "L3")
    _running(folio)
    _list(folio, "OFFICE", _OFFICE)
    folio.page("A", "L3", continues=True)
    _running(folio)
    _list(folio, "LOUNGE & DINING", _LOUNGE)


STYLE = Style("en_furniture_borderless", "en", "furniture", ("serif", "serifb", "bold", "italic"), _pages)
