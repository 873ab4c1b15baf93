"""Tool list in English whose rows name a figure: a strip of lettered pictures in the foot, numbered pictures in the
margin, and blocks of text with letters above a strip."""

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.golden.styles.pens.tables import Column, Item, product_table
from tests.support.catalogues.grid import Look
from tests.support.catalogues.ink import WHITE, rgb

_INK, _SOFT, _GREEN, _LINE = rgb("#20261F"), rgb("#7A8278"), rgb("#3B6B35"), rgb("#BFC7BB")
_LOOK = Look(
    size=8.5, face="sans", header_fill=_GREEN, header_colour=WHITE, band=rgb("#F2F5F0"), line=_LINE, colour=_INK
)
# Name, motif, paint, code, sizes, first price.
_Tool = tuple[str, str, str, str, tuple[str, ...], float]
_TOOLS: tuple[_Tool, ...] = (
    ("Phillips screwdriver", "screwdriver", "#C0392B", "SD", ("PH1 x 75", "PH2 x 100", "PH3 x 150"), 2.4),
    ("Brass padlock", "padlock", "#B98B3C", "PL", ("30 mm", "40 mm", "50 mm", "60 mm"), 4.1),
    ("Swivel caster", "caster", "#4A4F54", "CA", ("50 mm", "75 mm", "100 mm"), 3.3),
    ("Butt hinge", "hinge", "#8A8F94", "BH", ("75 mm", "100 mm"), 0.9),
)  # fmt: skip
_POWER = (
    ("Cordless drill", "drill", "#2E7D5B", "CD-18", "18 V", "1.6 kg", "Two years", "$88.50"),
    ("Bow handle", "handle", "#6A7076", "BH-128", "128 mm", "0.1 kg", "Ten years", "$2.75"),
    ("Hex bolt kit", "bolt", "#8B949C", "HK-240", "240 pcs", "2.3 kg", "Ten years", "$19.90"),
    ("Hex nut kit", "nut", "#9AA0A6", "NK-300", "300 pcs", "1.9 kg", "Ten years", "$16.40"),
)  # fmt: skip


def _frame(folio: Folio, title: str) -> None:
    folio.heading = (title,)
    leaf = folio.leaf
    leaf.text(45, 50, title, face="bold", size=17, colour=_GREEN)
    leaf.text(550, 50, "FENWICK TOOLS", face="bold", size=9, colour=_SOFT, align="right")
    leaf.text(550, 825, f"page {folio.number}", face="sans", size=7.5, colour=_SOFT, align="right")


def _items(marks: str, images: list[str], extra: str = "") -> list[Item]:
    return [
        Item({"~fig": marks[k], "model": f"{code}{extra}{10 + 5 * n}", "product_name": name, "size": size,
              "price": f"{first * (1 + 0.3 * n):.2f}"}, images=[images[k]])
        for k, (name, _, _, code, sizes, first) in enumerate(_TOOLS) for n, size in enumerate(sizes)
    ]  # fmt: skip


def _columns(wide: float) -> tuple[Column, ...]:
    return (
        Column("~fig", "Fig.", wide * 0.1, "center"), Column("model", "Item No.", wide * 0.2),
        Column("product_name", "Description", wide * 0.34), Column("size", "Size", wide * 0.2),
        Column("price", "Price USD", wide * 0.16, "right"),
    )  # fmt: skip


def _strip(folio: Folio) -> None:
    leaf = folio.leaf
    images = []
    for k, (_, motif, paint, *_) in enumerate(_TOOLS):
        x = 45 + k * 128.0
        images.append(folio.shows(motif, (x, 640, x + 118, 758), paint, "#F1F3EF"))
        leaf.text(x + 59, 774, "ABCD"[k], face="bold", size=12, colour=_GREEN, align="center")
    product_table(
        folio,
        45,
        76,
        _columns(505),
        _items("ABCD", images),
        _LOOK,
        head_height=24,
        row_height=26,
        also={"currency": "USD"},
    )


def _margin(folio: Folio) -> None:
    leaf = folio.leaf
    images = []
    for k, (_, motif, paint, *_) in enumerate(_TOOLS):
        y = 80 + k * 160.0
        images.append(folio.shows(motif, (430, y, 550, y + 120), paint, "#F1F3EF"))
        leaf.text(430, y + 134, f"Fig. {k + 1}", face="bold", size=9, colour=_SOFT)
    product_table(
        folio,
        45,
        80,
        _columns(365),
        _items("1234", images, "X"),
        _LOOK,
        head_height=24,
        row_height=30,
        also={"currency": "USD"},
    )


def _lettered(folio: Folio) -> None:
    leaf = folio.leaf
    for k, (name, motif, paint, code, size, weight, warranty, price) in enumerate(_POWER):
        x, y = 45 + k * 128.0, 110 + k * 110.0
        image = folio.shows(motif, (x, 600, x + 118, 740), paint, "#F1F3EF")
        leaf.rect((x + 4, 604, x + 22, 622), fill=_GREEN)
        leaf.text(x + 13, 617, "ABCD"[k], face="bold", size=11, colour=WHITE, align="center")
        leaf.rect((45, y - 14, 63, y + 4), fill=_GREEN)
        leaf.text(54, y, "ABCD"[k], face="bold", size=12, colour=WHITE, align="center")
        leaf.text(74, y, name, face="bold", size=13, colour=_INK)
        for n, (label, value) in enumerate(
            (("Item No.", code), ("Size", size), ("Weight", weight), ("Warranty", warranty), ("Price", price))
        ):
            leaf.text(74 + n * 96, y + 24, label, face="sans", size=8, colour=_SOFT)
            leaf.text(74 + n * 96, y + 40, value, face="bold", size=10, colour=_INK)
        folio.sku(
            [(45, y - 16, 550, y + 44), (x, 600, x + 118, 740)],
            {"model": code, "product_name": name, "size": size, "weight": weight, "price": price},
            images=[image],
            optional={"currency": "$"},
            custom={"Warranty": warranty},
        )


def _pages(folio: Folio) -> None:
    folio.brand = ("FENWICK TOOLS", "Fenwick Tools", "Fenwick")
    folio.page("A", "L3")
    _frame(folio, "Hand tools and fittings")
    _strip(folio)
    folio.page("A", "L3")
    _frame(folio, "Heavy duty range")
    _margin(folio)
    folio.page("B", "L3")
    _frame(folio, "Workshop")
    _lettered(folio)


STYLE = Style("en_hardware_figures", "en", "hardware", ("sans", "bold"), _pages)
