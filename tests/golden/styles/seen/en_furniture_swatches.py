"""Contract seating in English: each chair a row with its photo, a few words and a row of swatches with the names of the
finishes; a list that goes on over the page; a card of fabrics to choose from; a table whose rows show their finish."""

from collections.abc import Sequence

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.ink import rgb

_INK, _SOFT, _RUST, _LINE = rgb("#24211E"), rgb("#8B857D"), rgb("#A2492B"), rgb("#DAD3C8")
_FINISHES = {"Oak": "#C9A26B", "Walnut": "#6A452C", "Ash black": "#2E2C2B", "Chalk": "#E7E2D7", "Moss": "#66734B",
             "Clay": "#B4694A", "Slate": "#5B6670"}  # fmt: skip
# Code, name, motif, finishes, words, size, price.
_Seat = tuple[str, str, str, tuple[str, ...], str, str, str]
_SEATS: tuple[_Seat, ...] = (
    ("NB-11", "Nell side chair", "chair", ("Oak", "Walnut", "Ash black", "Chalk"),
     "Bent plywood shell on a turned frame. Stacks four high.", "W 510 x D 540 x H 790 mm", "$184"),
    ("NB-14", "Nell armchair", "armchair", ("Oak", "Walnut", "Ash black"),
     "The same shell with upholstered arms and a loose cushion.", "W 690 x D 640 x H 780 mm", "$296"),
    ("TA-02", "Tarn lounge", "armchair", ("Moss", "Clay", "Slate", "Chalk"),
     "Low lounge chair with removable covers.", "W 820 x D 860 x H 720 mm", "$438"),
    ("TA-05", "Tarn sofa", "sofa", ("Moss", "Clay", "Slate", "Chalk"),
     "Two seats, joined from solid side panels.", "W 1620 x D 860 x H 720 mm", "$795"),
    ("ER-20", "Ermine task chair", "office_chair", ("Ash black", "Slate"),
     "Synchronous tilt, mesh back, nylon base.", "W 650 x D 650 x H 980 mm", "Call"),
    ("ER-24", "Ermine meeting chair", "office_chair", ("Ash black", "Slate", "Clay"),
     "Four-star base with glides, fixed height.", "W 620 x D 620 x H 880 mm", "$251"),
    ("PL-30", "Pell bench table", "table", ("Oak", "Walnut", "Ash black", "Chalk"),
     "Top twenty-five millimetres thick, eased edge.", "W 1800 x D 800 x H 740 mm", "$520"),
    ("PL-33", "Pell desk", "desk", ("Oak", "Walnut"),
     "With two drawers at the right.", "W 1400 x D 700 x H 740 mm", "$465"),
)  # fmt: skip


def _line(folio: Folio, title: str) -> None:
    leaf = folio.leaf
    folio.heading = (title,)
    folio.decorates("logo", (48, 26, 70, 48), "#A2492B")
    leaf.text(78, 43, "BRACKEN & ROW", face="serifb", size=12, colour=_INK)
    leaf.text(547, 43, title, face="italic", size=10, colour=_SOFT, align="right")
    leaf.rule(48, 56, 547, 56, colour=_RUST, thick=1.2)
    leaf.text(547, 820, str(folio.number), face="serif", size=9, colour=_SOFT, align="right")


def _chips(folio: Folio, finishes: Sequence[str], x: float, y: float, edge: float) -> None:
    for k, finish in enumerate(finishes):
        left = x + k * (edge + 22)
        folio.decorates("swatch", (left, y, left + edge, y + edge), _FINISHES[finish])
        folio.leaf.text(left + edge / 2, y + edge + 11, finish, face="sans", size=7.5, colour=_SOFT, align="center")


def _seat(folio: Folio, seat: _Seat, y: float) -> None:
    code, name, motif, finishes, words, size, price = seat
    leaf = folio.leaf
    image = folio.shows(motif, (48, y, 218, y + 200), _FINISHES[finishes[0]], "#F4F0EA")
    leaf.text(240, y + 22, name, face="serifb", size=17, colour=_INK)
    leaf.text(547, y + 22, code, face="bold", size=11, colour=_RUST, align="right")
    leaf.text(240, y + 46, words, face="serif", size=10.5, colour=_INK)
    leaf.text(240, y + 70, f"Dimensions: {size}", face="sans", size=9, colour=_INK)
    leaf.text(240, y + 88, f"List price: {price}", face="sans", size=9, colour=_INK)
    leaf.text(240, y + 120, "Finishes", face="italic", size=9, colour=_SOFT)
    _chips(folio, finishes, 240, y + 130, 44)
    leaf.rule(48, y + 216, 547, y + 216, colour=_LINE)
    several = [", ".join(finishes), " ".join(finishes), "/".join(finishes), " / ".join(finishes), "; ".join(finishes)]
    folio.sku(
        [(46, y, 549, y + 204)], {"model": code, "product_name": name, "size": size, "price": price}, images=[image],
        optional={"color": several[0], "description": words, "currency": "$", "material": several[0],
                  "series": name.split()[0]},
        accept={"color": [*several, *finishes], "material": [*several, *finishes]},
    )  # fmt: skip


def _fabrics(folio: Folio) -> None:
    leaf = folio.page("D", "L2")
    _line(folio, "Fabric card")
    leaf.text(48, 92, "Covers for Tarn and Ermine", face="serifb", size=18, colour=_INK)
    for k in range(12):
        x, y = 48 + k % 4 * 128.0, 120 + k // 4 * 170.0
        paint = ("#7A8B73", "#B4694A", "#5B6670", "#D8CDBB", "#31435A", "#8A3B46")[k % 6]
        folio.decorates("swatch", (x, y, x + 114, y + 114), paint)
        leaf.text(x, y + 130, ("Heath", "Loam", "Fell", "Shale")[k % 4], face="serifb", size=10, colour=_INK)
        leaf.text(x, y + 144, f"Grade {'ABC'[k // 4]}, {60 + k * 3}", face="sans", size=8, colour=_SOFT)
    leaf.text(
        48,
        660,
        "Covers are chosen with the order and have no price of their own.",
        face="italic",
        size=10,
        colour=_SOFT,
    )


def _stools(folio: Folio) -> None:
    leaf = folio.page("A", "L3")
    _line(folio, "Stools")
    edges = (48.0, 128.0, 198.0, 318.0, 440.0, 547.0)
    for x, head in zip(edges, ("", "Code", "Item", "Size", "Finish", "Price"), strict=True):
        leaf.text(x, 82, head, face="bold", size=8.5, colour=_RUST, align="right" if head == "Price" else "left")
    for k, (code, name, high, finish, price) in enumerate(
        (
            ("ST-45O", "Low stool", "450", "Oak", "$78"),
            ("ST-45W", "Low stool", "450", "Walnut", "$92"),
            ("ST-65O", "Counter stool", "650", "Oak", "$104"),
            ("ST-65B", "Counter stool", "650", "Ash black", "$104"),
            ("ST-75W", "Bar stool", "750", "Walnut", "$127"),
            ("ST-75C", "Bar stool", "750", "Chalk", "POA"),
        )
    ):
        y = 94 + k * 108.0
        leaf.rule(48, y, 547, y, colour=_LINE)
        image = folio.shows("chair", (48, y + 8, 116, y + 100), _FINISHES[finish], "#F4F0EA")
        size = f"380 x 380 x {high} mm"
        # In a row of one finish its swatch may be taken for a picture of the product; a row of choices is none.
        swatch = folio.shows("swatch", (440, y + 24, 464, y + 48), _FINISHES[finish])
        for x, text in ((128.0, code), (198.0, name), (318.0, size), (472.0, finish)):
            leaf.text(x, y + 40, text, face="sans", size=9, colour=_INK)
        leaf.text(547, y + 40, price, face="sans", size=9, colour=_INK, align="right")
        folio.sku([(48, y + 2, 549, y + 106)], {"model": code, "product_name": name, "size": size, "color": finish,
                                              "price": price},
                  images=[image], shared=[swatch], optional={"currency": "$", "series": "Stools"})  # fmt: skip


def _pages(folio: Folio) -> None:
    folio.brand = ("BRACKEN & ROW", "Bracken & Row")
    leaf = folio.page("D", "L3")
    leaf.text(48, 150, "Bracken & Row", face="serifb", size=34, colour=_INK)
    for k, (title, page) in enumerate(
        (("Chairs and lounge", 2), ("Sofas and task", 3), ("Tables", 4), ("Fabric card", 5), ("Stools", 6))
    ):
        leaf.text(48, 240 + k * 34, title, face="serif", size=15, colour=_INK)
        leaf.text(320, 240 + k * 34, str(page), face="serifb", size=15, colour=_RUST, align="right")
    for number, part in enumerate((_SEATS[:3], _SEATS[3:6], _SEATS[6:])):
        folio.page("B", "L3", continues=number > 0, fragmented=number == 1)
        _line(folio, "Seating and tables")
        for k, seat in enumerate(part):
            _seat(folio, seat, 76 + k * 240.0)
    _fabrics(folio)
    _stools(folio)


STYLE = Style("en_furniture_swatches", "en", "furniture", ("sans", "bold", "italic", "serif", "serifb"), _pages)
