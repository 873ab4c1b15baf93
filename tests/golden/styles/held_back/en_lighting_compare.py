"""Street and yard lights in English: lamps side by side as columns with their photos on top, facts as rows under
section rows; what is not fixed yet is "TBC"; one lamp on a page of its own with a caption; an explanation of terms."""

from collections.abc import Sequence

from tests.golden.styles.pens.folio import Folio, around
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.grid import Entry, Look, Row, draw_table
from tests.support.catalogues.ink import WHITE, rgb

_TEAL, _INK, _SOFT, _FOAM = rgb("#12505B"), rgb("#1F2628"), rgb("#7A8688"), rgb("#E3F0F1")
_LOOK = Look(
    size=8.5,
    face="sans",
    header_face="bold",
    header_fill=_TEAL,
    band=None,
    line=rgb("#B5CCCF"),
    colour=_INK,
    aligns=("left", *["center"] * 4),
)
# Labels in printed order with the attribute that each is; "" is a fact under its own label, None a section.
_FACTS: tuple[tuple[str, str | None], ...] = (
    ("Product", "product_name"), ("Photometry", None), ("Luminous flux", ""), ("Colour temperature", ""),
    ("Beam angle", ""), ("Electrics and body", None), ("Rated power", ""), ("Protection", ""), ("Material", "material"),
    ("Dimensions", "size"), ("Net weight", "weight"), ("Commercial", None), ("MOQ", "moq"), ("Price (EUR)", "price"),
)  # fmt: skip
# Model, motif, paint, then the facts without the sections.
_Lamp = tuple[str, str, str, tuple[str, ...]]
_STREET: tuple[_Lamp, ...] = (
    ("HVS-040", "floodlight", "#3D464D", ("Street lantern S", "5 200 lm", "3000 K", "Type II", "40 W", "IP66",
                                          "Cast aluminium",
     "480 x 210 x 90 mm", "3.8 kg", "20 pcs", "118.00")),
    ("HVS-060", "floodlight", "#4B555D", ("Street lantern M", "8 100 lm", "3000 K", "Type II", "60 W", "IP66",
                                          "Cast aluminium",
     "560 x 240 x 95 mm", "5.1 kg", "20 pcs", "149.00")),
    ("HVS-100", "floodlight", "#59656E", ("Street lantern L", "13 900 lm", "4000 K", "Type III", "100 W", "IP66",
     "Cast aluminium", "680 x 290 x 98 mm", "7.4 kg", "10 pcs", "212.00")),
    ("HVS-150", "floodlight", "#2C3338", ("Street lantern XL", "20 400 lm", "4000 K", "Type III", "150 W", "IP67",
     "Cast aluminium", "760 x 320 x 104 mm", "9.2 kg", "10 pcs", "TBC")),
)  # fmt: skip
_YARD: tuple[_Lamp, ...] = (
    ("HVY-12", "downlight", "#CFCBC1", ("Eaves light", "980 lm", "2700 K", "90\u00b0", "12 W", "IP54", "Steel sheet",
     "165 x 165 x 60 mm", "0.7 kg", "50 pcs", "26.50")),
    ("HVY-18", "spotlight", "#3A3F43", ("Path spot", "1 450 lm", "2700 K", "36\u00b0", "18 W", "IP65", "Brass",
     "90 x 90 x 240 mm", "1.1 kg", "50 pcs", "43.00")),
    ("HVY-30", "panel", "#B9BDBE", ("Canopy panel", "3 300 lm", "4000 K", "110\u00b0", "30 W", "IP65", "Polycarbonate",
     "300 x 300 x 35 mm", "1.9 kg", "30 pcs", "57.80")),
    ("HVY-45", "pendant", "#58707A", ("Gate pendant", "4 600 lm", "3000 K", "N/A", "45 W", "IP44", "Cast iron",
     "340 x 340 x 410 mm", "6.6 kg", "10 pcs", "TBC")),
)  # fmt: skip


def _strip(folio: Folio, title: str) -> None:
    leaf = folio.leaf
    leaf.rect((0, 0, 595, 26), fill=_TEAL)
    leaf.text(30, 17, "HAVENLUX", face="bold", size=10, colour=WHITE, tracking=2)
    leaf.text(30, 62, title, face="bold", size=19, colour=_TEAL)
    leaf.text(565, 824, f"{folio.number} | Outdoor", face="sans", size=8, colour=_SOFT, align="right")


def _side_by_side(folio: Folio, title: str, lamps: Sequence[_Lamp], *, fragmented: bool) -> None:
    leaf = folio.page("A", "L3", fragmented=fragmented)
    _strip(folio, title)
    rows: list[Row] = [["", *[""] * 4], ["Model", *[Entry(lamp[0], face="bold") for lamp in lamps]]]
    told = 0
    for label, key in _FACTS:
        if key is None:
            rows.append([Entry(label, cols=5, fill=_FOAM, face="bold", colour=_TEAL), *[None] * 4])
        else:
            rows.append([label, *[lamp[3][told] for lamp in lamps]])
            told += 1
    heights = [118.0] + [31.0] * (len(rows) - 1)
    boxes = draw_table(leaf, 30, 80, [103.0, *[108.0] * 4], heights, rows, _LOOK, 0)
    labels = [(label, key) for label, key in _FACTS if key is not None]
    for k, (model, motif, paint, facts) in enumerate(lamps):
        x0, y0, x1, y1 = boxes[0, k + 1]
        image = folio.shows(motif, (x0 + 6, y0 + 6, x1 - 6, y1 - 6), paint)
        column = around([boxes[row, k + 1] for row in range(len(rows)) if (row, k + 1) in boxes])
        folio.sku(
            [column],
            {"model": model, **{key: text for (_, key), text in zip(labels, facts, strict=True) if key}},
            images=[image],
            custom={label: text for (label, key), text in zip(labels, facts, strict=True) if not key},
            optional={"currency": "EUR", "series": title},
            accept={"series": [title, title.split()[0]]},
        )
    leaf.text(
        30, 102 + sum(heights), "TBC: to be confirmed with the first order.", face="italic", size=8.5, colour=_SOFT
    )


def _captioned(folio: Folio) -> None:
    leaf = folio.page("C", "L1")
    image = folio.shows("pendant", (0, 0, 595, 700), "#B08A4A", "#D8DEDF")
    leaf.text(30, 744, "Harbour Lantern", face="bold", size=24, colour=_TEAL)
    leaf.text(30, 770, "HVH-900", face="sans", size=13, colour=_INK)
    leaf.text(565, 824, f"{folio.number} | Outdoor", face="sans", size=8, colour=_SOFT, align="right")
    folio.sku([(0, 0, 595, 776)], {"model": "HVH-900", "product_name": "Harbour Lantern"}, images=[image])


def _terms(folio: Folio) -> None:
    leaf = folio.page("D", "L3")
    _strip(folio, "Terms explained")
    for k, (term, words) in enumerate(
        (
            ("Luminous flux", "All the light that a luminaire gives, measured in lumen."),
            ("Colour temperature", "How warm or cold white light looks, in kelvin."),
            ("Protection", "First digit: dust. Second digit: water."),
            ("Type II, Type III", "How far across the road the light is spread."),
        )
    ):
        leaf.text(30, 120 + k * 62, term, face="bold", size=11, colour=_INK)
        leaf.text(180, 120 + k * 62, words, face="sans", size=11, colour=_INK)
        leaf.rule(30, 142 + k * 62, 565, 142 + k * 62, colour=_FOAM, thick=1.5)


def _pages(folio: Folio) -> None:
    folio.brand = ("HAVENLUX", "Havenlux")
    leaf = folio.page("D", "L1")
    leaf.rect((0, 0, 595, 842), fill=_TEAL)
    folio.decorates("floodlight", (120, 120, 475, 475), "#20363B", "#9FC3C8")
    leaf.text(297, 560, "HAVENLUX", face="bold", size=46, colour=WHITE, tracking=4, align="center")
    leaf.text(297, 600, "Street and yard lighting compared", face="sans", size=14, colour=_FOAM, align="center")
    _side_by_side(folio, "Street lanterns", _STREET, fragmented=False)
    _side_by_side(folio, "Yard and gate", _YARD, fragmented=True)
    _captioned(folio)
    _terms(folio)


STYLE = Style("en_lighting_compare", "en", "lighting", ("sans", "bold", "italic"), _pages)
