"""Power tools in English for online wholesale: two columns of cards with a strip of quantity and price boxes below
each, and a table in which every tool has a row for each quantity, its photo and facts merged over them."""

from collections.abc import Sequence

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.grid import Entry, Look, Row, draw_table
from tests.support.catalogues.ink import WHITE, rgb

_ORANGE, _INK, _SOFT, _PALE = rgb("#D96A14"), rgb("#26282B"), rgb("#858A90"), rgb("#FDF1E6")
_LOOK = Look(
    size=8.5,
    face="sans",
    header_face="bold",
    header_fill=_INK,
    header_colour=WHITE,
    band=None,
    line=rgb("#C9CCD0"),
    colour=_INK,
    aligns=("left", "left", "left", "left", "center", "right"),
)
# Model, name, motif, paint, size, weight, quantities with their prices.
_Tool = tuple[str, str, str, str, str, str, tuple[tuple[str, str], ...]]
_CARDS: tuple[_Tool, ...] = (
    ("TRX-12D", "Compact drill driver", "drill", "#D96A14", "172 x 60 x 185 mm", "1.1 kg",
     (("10-49 pcs", "$31.50"), ("50-199 pcs", "$28.90"), ("200+ pcs", "$26.40"))),
    ("TRX-18D", "Brushless drill driver", "drill", "#2F5D8C", "188 x 66 x 204 mm", "1.6 kg",
     (("10-49 pcs", "$54.00"), ("50-199 pcs", "$49.80"), ("200+ pcs", "$46.10"))),
    ("TRS-06", "Six-piece screwdriver set", "screwdriver", "#B3261E", "240 x 130 x 35 mm", "0.6 kg",
     (("50-199 pcs", "$6.20"), ("200-999 pcs", "$5.55"), ("1000+ pcs", "$4.90"))),
    ("TRS-11", "Insulated screwdriver", "screwdriver", "#E0A21B", "220 x 32 x 32 mm", "0.1 kg",
     (("100-499 pcs", "$1.85"), ("500-1999 pcs", "$1.62"), ("2000+ pcs", "$1.48"))),
    ("TRL-40", "Weatherproof padlock", "padlock", "#8B6A2F", "40 x 62 x 17 mm", "0.2 kg",
     (("48-239 pcs", "$2.75"), ("240-959 pcs", "$2.40"), ("960+ pcs", "$2.15"))),
    ("TRC-75", "Locking castor", "caster", "#3D4248", "75 x 32 x 104 mm", "0.4 kg",
     (("100-499 pcs", "$1.95"), ("500-1999 pcs", "$1.74"), ("2000+ pcs", "POA"))),
)  # fmt: skip
_ROWS: tuple[_Tool, ...] = (
    ("TRB-M8", "Anchor bolt, bag of 50", "bolt", "#8B949C", "M8 x 80", "2.9 kg",
     (("20-99", "$7.10"), ("100-499", "$6.45"), ("500+", "$5.95"))),
    ("TRB-M10", "Anchor bolt, bag of 25", "bolt", "#6F787F", "M10 x 100", "2.6 kg",
     (("20-99", "$6.80"), ("100-499", "$6.20"), ("500+", "$5.70"))),
    ("TRN-M8", "Lock nut, bag of 200", "nut", "#9AA1A8", "M8", "1.0 kg",
     (("20-99", "$4.30"), ("100-499", "$3.85"), ("500+", "$3.50"))),
    ("TRH-100", "Ball bearing hinge, pair", "hinge", "#A48B5C", "100 x 75 x 3 mm", "0.5 kg",
     (("50-249", "$2.20"), ("250-999", "$1.98"), ("1000+", "$1.80"))),
    ("TRH-125", "Spring hinge, pair", "hinge", "#7C838A", "125 x 89 x 3 mm", "0.8 kg",
     (("50-249", "$4.60"), ("250-999", "$4.15"), ("1000+", "Call"))),
    ("TRP-160", "Bow handle", "handle", "#2D3236", "160 x 35 mm", "0.1 kg",
     (("100-499", "$1.40"), ("500-1999", "$1.22"), ("2000+", "$1.09"))),
    ("TRP-320", "Bar handle", "handle", "#B79A62", "320 x 38 mm", "0.3 kg",
     (("100-499", "$2.65"), ("500-1999", "$2.38"), ("2000+", "$2.12"))),
)  # fmt: skip


def _bar(folio: Folio, title: str) -> None:
    leaf = folio.leaf
    folio.heading = (title,)
    leaf.rect((0, 0, 595, 44), fill=_INK)
    leaf.rect((0, 44, 595, 48), fill=_ORANGE)
    leaf.text(36, 29, "TORREX", face="bold", size=17, colour=_ORANGE, tracking=2)
    leaf.text(559, 28, title, face="sans", size=10, colour=WHITE, align="right")
    leaf.text(36, 824, "Prices exclude duty and freight.", face="italic", size=8, colour=_SOFT)
    leaf.text(559, 824, f"{folio.number} / 5", face="sans", size=8, colour=_SOFT, align="right")


def _noted(folio: Folio, tool: _Tool, box: tuple[float, float, float, float], image: str, *, weighed: bool) -> None:
    """``weighed``: the weight stands under a label of its own, not in one cell with the size."""
    model, name, _, _, size, weight, tiers = tool
    values = {"model": model, "product_name": name, "size": size, "price": tiers[0][1]}
    least, both = tiers[0][0].split("-")[0], f"{size} {weight}"
    folio.sku(
        [box], values | ({"weight": weight} if weighed else {}), images=[image], tiers=tiers,
        optional={"currency": "$", "moq": tiers[0][0]} | ({} if weighed else {"weight": weight}),
        accept={"price": [price for _, price in tiers[1:]], "moq": [least, f"{least} pcs"],
                "size": [] if weighed else [both], "weight": [] if weighed else [both]},
    )  # fmt: skip


def _card(folio: Folio, tool: _Tool, x: float, y: float) -> None:
    model, name, motif, paint, size, weight, tiers = tool
    leaf = folio.leaf
    image = folio.shows(motif, (x, y, x + 110, y + 128), paint, "#F3F3F2")
    leaf.text(x + 120, y + 14, model, face="bold", size=10, colour=_ORANGE)
    end = leaf.paragraph(x + 120, y + 32, 136, name, face="bold", size=11, leading=1.3, colour=_INK)
    for k, (label, value) in enumerate((("Size", size), ("Weight", weight))):
        leaf.text(x + 120, end + 10 + k * 30, label, face="sans", size=8, colour=_SOFT)
        leaf.text(x + 120, end + 22 + k * 30, value, face="sans", size=9, colour=_INK)
    for k, (quantity, price) in enumerate(tiers):
        left = x + k * 86.0
        leaf.rect((left, y + 138, left + 82, y + 180), fill=_PALE, line=_ORANGE, thick=0.6, radius=3)
        leaf.text(left + 41, y + 154, quantity, face="sans", size=8, colour=_SOFT, align="center")
        leaf.text(left + 41, y + 171, price, face="bold", size=11, colour=_INK, align="center")
    _noted(folio, tool, (x - 2, y, x + 256, y + 182), image, weighed=True)


def _tiers(folio: Folio, tools: Sequence[_Tool], *, continues: bool) -> None:
    folio.page("A", "L3", continues=continues, fragmented=continues)
    _bar(folio, "Fixings and fittings")
    rows: list[Row] = [["Photo", "Model", "Product", "Size / weight", "Quantity", "Unit price"]]
    for model, name, _, _, size, weight, tiers in tools:
        for k, (quantity, price) in enumerate(tiers):
            whole = [Entry(text, rows=3) for text in ("", model, name, f"{size}\n{weight}")]
            rows.append([*(whole if k == 0 else [None] * 4), quantity, price])
    widths = (104.0, 72.0, 130.0, 103.0, 60.0, 54.0)
    boxes = draw_table(folio.leaf, 36, 66, widths, [26.0] + [33.0] * (len(rows) - 1), rows, _LOOK)
    for k, tool in enumerate(tools):
        x0, y0, x1, y1 = boxes[k * 3 + 1, 0]
        image = folio.shows(tool[2], (x0 + 4, y0 + 4, x1 - 4, y1 - 4), tool[3])
        _noted(folio, tool, (x0, y0, boxes[k * 3 + 1, 5][2], y1), image, weighed=False)


def _shipping(folio: Folio) -> None:
    leaf = folio.page("D", "L3")
    _bar(folio, "Shipping")
    for k, (place, days) in enumerate(
        (("Rotterdam", "32 days"), ("Los Angeles", "18 days"), ("Santos", "40 days"), ("Durban", "29 days"))
    ):
        leaf.rect((36, 90 + k * 60, 559, 138 + k * 60), fill=_PALE)
        leaf.text(52, 120 + k * 60, place, face="bold", size=13, colour=_INK)
        leaf.text(540, 120 + k * 60, days, face="sans", size=13, colour=_ORANGE, align="right")
    folio.decorates("plant", (36, 360, 559, 620), "#8A8F94", "#E8EAEC")


def _pages(folio: Folio) -> None:
    folio.brand = ("TORREX", "Torrex")
    leaf = folio.page("D", "L1")
    leaf.rect((0, 0, 595, 842), fill=_INK)
    folio.decorates("drill", (80, 150, 515, 585), "#D96A14", "#33363A")
    leaf.text(80, 680, "TORREX", face="bold", size=52, colour=_ORANGE, tracking=3)
    leaf.text(80, 712, "Wholesale tools and fixings", face="sans", size=15, colour=WHITE)
    folio.page("B", "L2")
    _bar(folio, "Tools")
    for k, tool in enumerate(_CARDS):
        _card(folio, tool, 36 + k % 2 * 268.0, 76 + k // 2 * 246.0)
    _tiers(folio, _ROWS[:4], continues=False)
    _tiers(folio, _ROWS[4:], continues=True)
    _shipping(folio)


STYLE = Style("en_tools_tiers", "en", "tools", ("sans", "bold", "italic"), _pages)
