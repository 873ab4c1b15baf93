"""Hotel furniture specification book in English: an index that repeats the items with quantities, one item a page in a
form with field names at the left, its drawing on a page of its own, an item that ends on the next page."""

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.grid import Look, draw_table
from tests.support.catalogues.ink import rgb

_INK, _SOFT, _COPPER = rgb("#1D1D1D"), rgb("#7A7A7A"), rgb("#A9633A")
# Code, name, motif, paint, size, material, finish, lines of description.
_ITEMS = (
    ("FF-201", "Bedside Table", "cabinet", "#6E5138", "W550 x D450 x H520 mm", "Walnut veneer on plywood",
     "Satin lacquer",
     ("One drawer with soft close.", "Power outlet by others.")),
    ("FF-202", "Lounge Chair", "armchair", "#5F6F7C", "W780 x D820 x H740 mm", "Beech frame, high-density foam",
     "Fabric FAB-07", ("Loose seat cushion with zip.", "Glides suited to carpet.")),
    ("FF-203", "Writing Desk", "desk", "#8B6A46", "W1400 x D600 x H750 mm", "Oak veneer, brass inlay", "N/A",
     ("Cable tray below the top.", "Two drawers at the right.")),
    ("FF-204", "Dining Chair", "chair", "#7C3F35", "W480 x D550 x H830 mm", "Solid beech", "Stain ST-02",
     ("Stackable by four.",)),
    ("FF-205", "Sofa Bed", "sofa", "#8C8577", "W1900 x D950 x H800 mm", "Steel mechanism, plywood", "Fabric FAB-11",
     ("Mattress 1400 x 1900 mm.", "Ottoman sold separately.")),
)  # fmt: skip


def _masthead(folio: Folio) -> None:
    leaf = folio.leaf
    leaf.text(50, 40, "200 - Loose Furniture", face="sans", size=8, colour=_INK)
    folio.decorates("logo", (500, 24, 540, 64), "#A9633A")
    leaf.text(520, 76, "CASTELLAN", face="bold", size=9, colour=_COPPER, tracking=2, align="center")
    for k, (label, value) in enumerate(
        (("PROJECT", "Harbour Grand Hotel"), ("STATUS", "Final specification"), ("ISSUE DATE", "04/03/26"))
    ):
        leaf.text(50, 62 + k * 13, f"{label}:", face="sans", size=8, colour=_INK)
        leaf.text(150, 62 + k * 13, value, face="sans", size=8, colour=_INK)
    leaf.rule(50, 104, 545, 104, colour=_SOFT, thick=1)
    leaf.text(545, 822, f"Page {folio.number}", face="sans", size=7.5, colour=_SOFT, align="right")


def _index(folio: Folio) -> None:
    leaf = folio.page("D", "L4")
    _masthead(folio)
    leaf.text(50, 134, "INDEX OF ITEMS", face="bold", size=13, colour=_INK)
    look = Look(size=8, face="sans", header_face="bold", header_fill=rgb("#E8E2DC"), header_colour=_INK, band=None)
    rows = [["Item No.", "Item", "Location", "Sheet"]]
    for room in ("Deluxe Room", "Harbour Suite", "Club Lounge", "Family Room"):
        rows += [
            [code, name, room, str(sheet)] for (code, name, *_), sheet in zip(_ITEMS, (2, 4, 5, 6, 6), strict=True)
        ]
    draw_table(leaf, 50, 148, [90.0, 170.0, 155.0, 80.0], [22.0] * len(rows), rows, look)


def _form(folio: Folio, k: int, y: float, *, whole: bool = True) -> None:
    """Field names at the left, values in a column; the photo at the right."""
    code, name, motif, paint, size, material, finish, lines = _ITEMS[k]
    leaf = folio.leaf
    top, at = y, y
    fields = (("ITEM NO.:", code), ("ITEM:", name), ("DIMENSIONS:", size), ("MATERIAL:", material), ("FINISH:", finish))
    for label, value in fields:
        leaf.text(50, at, label, face="bold", size=8.5, colour=_INK)
        leaf.text(150, at, value, face="sans", size=8.5, colour=_INK)
        at += 19
    leaf.rule(50, at - 6, 545, at - 6, colour=_SOFT)
    leaf.text(50, at + 10, "DESCRIPTION:", face="bold", size=8.5, colour=_INK)
    said = (*lines, "Custom made to approved sample.") if whole else lines
    for n, line in enumerate(said):
        leaf.text(150, at + 10 + n * 13, line, face="sans", size=8.5, colour=_INK)
    image = folio.shows(motif, (150, at + 60, 400, at + 250), paint, "#F6F4F1")
    values = {"model": code, "product_name": name, "size": size, "material": material, "color": finish}
    asked = {key: value for key, value in values.items() if key != "color"}
    folio.sku([(50, top - 10, 545, at + 254)], asked, images=[image], custom={}, optional={
        "color": finish, "description": " ".join(said), "series": "Loose Furniture", "brand": "CASTELLAN",
    } if finish != "N/A" else {"description": " ".join(said)}, accept={"description": [said[0]]})  # fmt: skip


def _drawing(folio: Folio) -> None:
    leaf = folio.page("D", "L1")
    _masthead(folio)
    folio.decorates("outline", (70, 150, 525, 560), "#2B2B2B")
    leaf.text(
        297, 590, "FF-201 elevation and plan, not to scale", face="italic", size=8.5, colour=_SOFT, align="center"
    )


def _rest(folio: Folio) -> None:
    """What is left of the item before, then two items on one page."""
    folio.page("B", "L1", continues=True)
    _masthead(folio)
    leaf = folio.leaf
    leaf.text(50, 130, "FF-203 (continued)", face="bold", size=9, colour=_INK)
    for k, line in enumerate(
        ("Inlay 4 mm, flush with the top.", "Edges eased 2 mm.", "Ship assembled, legs packed apart.")
    ):
        leaf.text(150, 130 + k * 13, line, face="sans", size=8.5, colour=_INK)
    leaf.rule(50, 172, 545, 172, colour=_SOFT)
    _form(folio, 3, 196, whole=False)


def _pages(folio: Folio) -> None:
    folio.brand = ("CASTELLAN",)
    _index(folio)
    folio.page("B", "L1")
    _masthead(folio)
    _form(folio, 0, 130)
    _drawing(folio)
    for k in (1, 2):
        folio.page("B", "L1", fragmented=k == 1)
        _masthead(folio)
        _form(folio, k, 130)
    _rest(folio)
    folio.page("B", "L1")
    _masthead(folio)
    _form(folio, 4, 130)


STYLE = Style("en_furniture_specbook", "en", "furniture", ("sans", "bold", "italic"), _pages)
