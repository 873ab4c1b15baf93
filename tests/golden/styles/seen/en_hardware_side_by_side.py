"""Dense fastener list in English: two tables side by side on a page, sizes in inches, notes between rows; on the next
page both go on without their headers."""

from collections.abc import Sequence

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.golden.styles.pens.tables import Between, Column, Item, product_table
from tests.support.catalogues.grid import Look
from tests.support.catalogues.ink import WHITE, rgb

_NAVY, _INK, _SOFT = rgb("#23395B"), rgb("#1E2228"), rgb("#747B85")
_LOOK = Look(
    size=7.2,
    leading=1.25,
    face="sans",
    header_face="bold",
    pad=3,
    header_fill=_NAVY,
    header_colour=WHITE,
    band=rgb("#EEF1F6"),
    line=rgb("#B5BDC9"),
    colour=_INK,
)
_COLUMNS = (
    Column("model", "Part No.", 62), Column("size", "Size", 60), Column("material", "Material", 66),
    Column("packing", "Box", 34, "right"), Column("price", "$/100", 36, "right"),
)  # fmt: skip
_DIAMETERS = ("1/4-20", "5/16-18", "3/8-16", "1/2-13", "5/8-11")
_LENGTHS = ("3/4", "1", "1-1/2", "2", "2-1/2", "3", "3-1/2", "4", "5", "6")


def _family(folio: Folio, code: str, materials: Sequence[str], base: float) -> list[Item]:
    items = []
    for row, diameter in enumerate(_DIAMETERS):
        for col, length in enumerate(_LENGTHS):
            price = base * (1 + row * 0.55 + col * 0.17)
            cells = {
                "model": f"{code}{row + 1}{col:02d}-{materials[row % len(materials)][0]}",
                "size": f"{diameter} x {length}\"",
                "material": materials[row % len(materials)], "packing": str(folio.random.choice((25, 50, 100))),
                "price": f"{price:.2f}" if (row, col) != (4, 9) else "POA",
            }  # fmt: skip
            items.append(Item(cells, optional={"currency": "$"}))
    return items


def _running(folio: Folio) -> None:
    leaf = folio.leaf
    leaf.rect((30, 24, 565, 52), fill=_NAVY)
    leaf.text(40, 43, "TRENT BOLT & SCREW CO.", face="bold", size=12, colour=WHITE)
    leaf.text(555, 43, "Price Book 14 - effective March 2026", face="sans", size=8, colour=WHITE, align="right")
    leaf.text(297, 824, f"14-{folio.number}", face="sans", size=8, colour=_SOFT, align="center")


def _ends(count: int, note: str) -> tuple[Between, ...]:
    return (
        Between(10, note, rgb("#FFF6DC"), "italic", _INK, height=15),
        Between(count, f"Total of this column: {count} items", rgb("#DFE4EC"), "bold", _INK, height=16),
    )


def _pages(folio: Folio) -> None:
    folio.brand = ("TRENT BOLT & SCREW CO.",)
    hexes = _family(folio, "HX", ("Steel zinc", "Grade 8", "Inox A2"), 11.4)
    lags = _family(folio, "LG", ("Galvanised", "Brass"), 14.9)
    first = 32
    for page in range(2):
        folio.page("A", "L4", continues=page > 0)
        _running(folio)
        for items, x, title, note in (
            (hexes, 30.0, "HEX CAP SCREWS", "Above this line threads are rolled, below cut."),
            (lags, 307.0, "LAG SCREWS", "Drill pilot holes; soap the thread in oak."),
        ):
            part = items[:first] if page == 0 else items[first:]
            also = {"product_name": title, "series": title}
            if page == 0:
                folio.leaf.text(x, 74, title, face="bold", size=11, colour=_NAVY)
                product_table(
                    folio,
                    x,
                    82,
                    _COLUMNS,
                    part,
                    _LOOK,
                    head_height=20,
                    row_height=18,
                    between=_ends(99, note)[:1],
                    also=also,
                )
            else:
                product_table(
                    folio,
                    x,
                    66,
                    _COLUMNS,
                    part,
                    _LOOK,
                    head=(),
                    row_height=18,
                    between=_ends(len(part), note)[1:],
                    also=also,
                )
    leaf = folio.page("D", "L3")
    _running(folio)
    leaf.text(40, 92, "How to order", face="bold", size=16, colour=_NAVY)
    leaf.paragraph(
        40,
        118,
        420,
        "Quote the full part number and the number of boxes. Boxes are not broken. Orders over 250 dollars go "
        "freight prepaid within the contiguous states.\n \nReturns need a number from our desk and carry a charge "
        "of fifteen per cent.\n \nStrength figures are typical values and no warranty for a given use.",
        face="sans",
        size=10,
        leading=1.7,
    )


STYLE = Style("en_hardware_side_by_side", "en", "hardware", ("sans", "bold", "italic"), _pages)
