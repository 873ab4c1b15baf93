"""Lighting specification sheets in English: one luminaire a page with photo, dimension drawing and specification list;
one goes on over the next page; finishes as swatches; a company page."""

from collections.abc import Sequence

from tests.golden.styles.pens.cards import labelled
from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.ink import WHITE, rgb

_NIGHT, _AMBER, _INK, _SOFT = rgb("#1B2430"), rgb("#D98E1F"), rgb("#23282E"), rgb("#7C848C")
_RULE = rgb("#D5D9DD")
_Pairs = Sequence[tuple[str, str]]


def _head(folio: Folio, section: str) -> None:
    folio.heading = (section,)
    leaf = folio.leaf
    leaf.rect((0, 0, 595, 46), fill=_NIGHT)
    leaf.text(40, 29, "LUMENHALL", face="bold", size=14, colour=WHITE, tracking=2)
    leaf.text(555, 29, section, face="sans", size=9, colour=rgb("#E9C88F"), align="right")
    leaf.rule(40, 806, 555, 806, colour=_RULE)
    leaf.text(40, 820, "Specifications may change without notice.", face="sans", size=7, colour=_SOFT)
    leaf.text(555, 820, f"Page {folio.number}", face="sans", size=7, colour=_SOFT, align="right")


def _title(folio: Folio, name: str, model: str, line: str) -> None:
    leaf = folio.leaf
    leaf.text(40, 92, name, face="bold", size=24, colour=_INK)
    leaf.text(40, 112, model, face="sans", size=12, colour=_AMBER)
    leaf.text(40, 132, line, face="italic", size=9.5, colour=_SOFT)


def _specification(folio: Folio, y: float, title: str, pairs: _Pairs) -> float:
    leaf = folio.leaf
    leaf.text(40, y, title, face="bold", size=11, colour=_INK)
    leaf.rule(40, y + 6, 555, y + 6, colour=_AMBER, thick=1.2)
    return labelled(
        leaf, 40, y + 23, 515, pairs, gap=170, size=9, step=2.05, label_face="sans", label_colour=_SOFT, line=_RULE
    )


def _values(pairs: _Pairs, keys: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    base = {keys[label]: value for label, value in pairs if label in keys}
    return base, {label: value for label, value in pairs if label not in keys}


_KEYS = {"Dimensions": "size", "Housing": "material", "Finish": "color", "Net weight": "weight", "Packing": "packing",
         "List price": "price", "MOQ": "moq"}  # fmt: skip
_DOWNLIGHT: _Pairs = (
    ("Dimensions", "Ø95 x 62 mm"), ("Cut-out", "Ø85 mm"), ("Housing", "Die-cast aluminium"), ("Finish", "Matt white"),
    ("Power", "12 W"), ("Luminous flux", "1050 lm"), ("Colour temperature", "3000 K / 4000 K"), ("Beam angle", "36°"),
    ("Net weight", "0.32 kg"), ("Packing", "40 pcs per carton"), ("List price", "€ 24.90"), ("MOQ", "N/A"),
)  # fmt: skip
_TRACK: _Pairs = (
    ("Dimensions", "Ø75 x 180 mm"), ("Housing", "Extruded aluminium"), ("Finish", "Graphite"), ("Power", "28 W"),
    ("Luminous flux", "2650 lm"), ("Colour rendering", "CRI 95"), ("Adapter", "3-circuit"), ("Net weight", "0.85 kg"),
    ("List price", "€ 88.00"),
)  # fmt: skip
_FLOOD: _Pairs = (
    ("Dimensions", "310 x 270 x 48 mm"), ("Housing", "Aluminium, tempered glass"), ("Finish", "Black"),
    ("Power", "100 W"),
    ("Luminous flux", "13500 lm"), ("List price", "Price on request"),
)  # fmt: skip
_FLOOD_MORE: _Pairs = (
    ("Protection", "IP66, IK08"), ("Surge", "6 kV"), ("Ambient", "-30 to +50 °C"), ("Cable", "1.5 m, H05RN-F"),
)  # fmt: skip
_PENDANT: _Pairs = (
    ("Dimensions", "Ø420 x 300 mm"), ("Housing", "Spun steel"), ("Finish", "Sage green"), ("Lamp holder", "E27"),
    ("Net weight", "1.9 kg"), ("List price", "€ 139.00"),
)  # fmt: skip


def _company(folio: Folio) -> None:
    leaf = folio.page("D", "L1")
    _head(folio, "About us")
    folio.decorates("plant", (40, 76, 555, 320), "#6E7F92", "#CFE0EE")
    leaf.text(40, 362, "Light, made to last", face="bold", size=20, colour=_INK)
    leaf.paragraph(
        40,
        390,
        515,
        "Lumenhall was founded in 1987 as a metal spinning shop. Today 240 people in two plants design, "
        "cast, finish and test luminaires for shops, museums and homes. Our photometric laboratory measures every "
        "new series, and each driver is burnt in for eight hours before it leaves the house.\n \n"
        "We repair what we have sold "
        "for ten years, and we take back what has served its time.",
        face="sans",
        size=10,
        leading=1.7,
    )


def _sheet(
    folio: Folio,
    head: tuple[str, str, str],
    look: tuple[str, str],
    pairs: _Pairs,
    *,
    fragmented: bool = False,
    continues: bool = False,
    section: str = "Interior",
) -> None:
    name, model, line = head
    leaf = folio.page("B", "L1", fragmented=fragmented, continues=continues)
    _head(folio, section)
    _title(folio, name, model, line)
    photo = folio.shows(look[0], (40, 152, 330, 402), look[1], "#F1EFEA")
    folio.decorates("outline", (350, 152, 555, 312), "#3A4048")
    leaf.text(452, 328, "Dimensions in millimetres", face="sans", size=7, colour=_SOFT, align="center")
    drawing = folio.notes_image((350, 152, 555, 312))
    end = _specification(folio, 436, "Specification", pairs)
    base, custom = _values(pairs, _KEYS)
    base |= {"model": model, "product_name": name}
    folio.sku(
        [(40, 74, 555, end)],
        base,
        images=[photo],
        shared=[drawing],
        custom=custom,
        optional={"currency": "€", "description": line},
    )


def _pages(folio: Folio) -> None:
    folio.brand = ("LUMENHALL",)
    _company(folio)
    _sheet(
        folio,
        ("Vista Recessed Downlight", "LH-VS12", "Deep-set optics for calm ceilings."),
        ("downlight", "#E6E3DC"),
        _DOWNLIGHT,
    )
    leaf = folio.leaf
    leaf.text(350, 352, "Further finishes", face="bold", size=8, colour=_INK)
    for k, paint in enumerate(("#E6E3DC", "#2B2D30", "#B08D57")):
        folio.decorates("swatch", (350 + 46 * k, 360, 388 + 46 * k, 398), paint)
    _sheet(
        folio,
        ("Orbit Track Spotlight", "LH-OB28", "Turns 350°, tilts 90°, never glares."),
        ("spotlight", "#4A5058"),
        _TRACK,
        fragmented=True,
    )
    _sheet(
        folio,
        ("Harbour Floodlight", "LH-HB100", "For yards, facades and quays."),
        ("floodlight", "#2B2F35"),
        _FLOOD,
        section="Exterior",
    )
    for fragmented in (False, True):
        _continued(folio, fragmented=fragmented)


def _continued(folio: Folio, *, fragmented: bool) -> None:
    """The rest of the product on the page before, and one product of its own."""
    folio.page("B", "L1", continues=True, fragmented=fragmented)
    _head(folio, "Exterior" if not fragmented else "Interior")
    if fragmented:
        more: _Pairs = (("Suspension", "2.0 m textile cable"), ("Canopy", "Ø110 mm, sage green"))
        end = _specification(folio, 84, "Specification, continued: LH-PD42", more)
    else:
        end = _specification(folio, 84, "Specification, continued: LH-HB100", _FLOOD_MORE)
    y = end + 34
    name, model, look, pairs = (
        ("Dune Panel", "LH-DN60", ("panel", "#B9B4A8"), _DUNE)
        if fragmented
        else ("Sage Pendant", "LH-PD42", ("pendant", "#7E9A83"), _PENDANT)
    )
    leaf = folio.leaf
    leaf.text(40, y, name, face="bold", size=20, colour=_INK)
    leaf.text(40, y + 20, model, face="sans", size=12, colour=_AMBER)
    photo = folio.shows(look[0], (40, y + 36, 290, y + 236), look[1], "#F1EFEA")
    end = _specification(folio, y + 266, "Specification", pairs)
    base, custom = _values(pairs, _KEYS)
    folio.sku(
        [(40, y - 18, 555, end)],
        base | {"model": model, "product_name": name},
        images=[photo],
        custom=custom,
        optional={"currency": "€"},
    )


_DUNE: _Pairs = (
    ("Dimensions", "595 x 595 x 11 mm"), ("Housing", "Aluminium frame, PMMA"), ("Finish", "Sand"), ("Power", "36 W"),
    ("Net weight", "2.4 kg"), ("Packing", "4 pcs per carton"), ("List price", "€ 52.50"),
)  # fmt: skip
STYLE = Style("en_lighting_sheets", "en", "lighting", ("sans", "bold", "italic"), _pages)
