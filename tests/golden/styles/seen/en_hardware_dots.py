"""Fixings list in English: dense lines without any rule, name and price joined by leader dots, families as headings,
notes with stars at the end; terms before it and a list of the families, with dots as well, behind it."""

from collections.abc import Sequence
from dataclasses import dataclass

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.ink import rgb

_INK, _SOFT, _MARK = rgb("#1F1F1F"), rgb("#7B7B7B"), rgb("#8C1C13")
_STEP = 14.6


@dataclass(frozen=True)
class _Line:
    code: str
    name: str
    size: str
    pack: str
    price: str
    family: str


def _family(title: str, code: str, name: str, sizes: Sequence[str], first: float, pack: str) -> list[_Line]:
    lines = []
    for k, size in enumerate(sizes):
        price = "POA" if first * (1 + k * 0.31) > 30 else f"{first * (1 + k * 0.31):.2f}"
        lines.append(_Line(f"{code}{100 + k * 5}", name, size, pack, price, title))
    return lines


def _lines() -> list[_Line]:
    metric = ("M5 x 16", "M5 x 25", "M6 x 20", "M6 x 30", "M6 x 40", "M8 x 25", "M8 x 40", "M8 x 60", "M10 x 30",
              "M10 x 60",
              "M12 x 40", "M12 x 80")  # fmt: skip
    return [
        *_family("Hexagon set screws", "HS", "Set screw, zinc plated", metric, 2.15, "100"),
        *_family("Cup square bolts", "CS", "Carriage bolt with nut", metric[2:], 4.4, "50"),
        *_family("Coach screws", "CO", "Coach screw, hexagon head", ("M6 x 50", "M6 x 75", "M8 x 60", "M8 x 100",
                 "M10 x 80", "M10 x 130", "M12 x 100", "M12 x 150"), 3.85, "50"),
        *_family("Wood screws", "WS", "Countersunk, twin thread", ("3.5 x 16", "3.5 x 25", "4.0 x 30", "4.0 x 40",
                 "4.5 x 50", "5.0 x 60", "5.0 x 80", "6.0 x 100"), 1.3, "200"),
        *_family("Threaded rod", "TR", "Rod 1 m, zinc plated", ("M6", "M8", "M10", "M12", "M16", "M20", "M24"), 1.1,
                 "10"),
        *_family("Plain and spring washers", "PW", "Washer, form A",
                 ("M4", "M5", "M6", "M8", "M10", "M12", "M16", "M20"), 0.95, "200"),
        *_family("Shield anchors", "SA", "Shield anchor, loose bolt", ("M6 10L", "M6 25L", "M8 10L", "M8 25L",
                                                                       "M10 25L",
                 "M12 30L", "M16 30L"), 12.6, "25"),
        *_family("Butt hinges", "BH", "Steel butt hinge, pair", ("50 mm", "65 mm", "75 mm", "100 mm", "125 mm"),
                 1.75, "12"),
        *_family("Hasps and staples", "HP", "Safety hasp, black", ("75 mm", "90 mm", "115 mm", "150 mm"), 3.2, "10"),
        *_family("Gate furniture", "GF", "Tee hinge, galvanised", ("250 mm", "300 mm", "350 mm", "450 mm",
                                                                   "600 mm"), 14.9, "2"),
        *_family("Swivel castors", "SC", "Rubber castor, braked", ("50 mm", "75 mm", "100 mm", "125 mm", "160 mm",
                                                                   "200 mm"),
                 5.6, "4"),
    ]  # fmt: skip


def _running(folio: Folio) -> None:
    leaf = folio.leaf
    leaf.text(60, 40, "ALDERTON FIXINGS", face="bold", size=9, colour=_MARK, tracking=1)
    leaf.text(535, 40, "Trade list 41", face="italic", size=9, colour=_SOFT, align="right")
    leaf.text(297, 822, f"- {folio.number} -", face="serif", size=9, colour=_SOFT, align="center")


def _dotted(folio: Folio, left: str, x: float, y: float, end: float) -> None:
    leaf = folio.leaf
    wide = leaf.text(x, y, left, face="serif", size=9.5, colour=_INK)
    dots = int((end - x - wide - 8) / leaf.faces["serif"].width(".", 9.5))
    leaf.text(end - 2, y, "." * dots, face="serif", size=9.5, colour=_SOFT, align="right")


def _terms(folio: Folio) -> None:
    leaf = folio.page("D", "L3")
    _running(folio)
    leaf.text(60, 110, "How to order", face="serifb", size=22, colour=_INK)
    leaf.paragraph(
        60,
        146,
        475,
        "Please state code and number of packs. Orders received before noon leave our warehouse on the same day. "
        "Carriage is paid on orders above one hundred and fifty pounds net within the mainland.\n \n"
        "Prices are per pack and exclude value added tax. We reserve the right to change them without notice. "
        "Goods remain our property until paid for.\n \n"
        "Our counter is open on weekdays from seven to five and on Saturdays until noon.",
        face="serif",
        size=11,
        leading=1.75,
        colour=_INK,
    )


def _list(folio: Folio, lines: Sequence[_Line], before: str) -> float:
    """``before``: the family that the page before ended with."""
    leaf = folio.leaf
    for x, head, align in (
        (60.0, "Code", "left"),
        (118.0, "Description", "left"),
        (470.0, "Pack", "right"),
        (535.0, "\u00a3 per pack", "right"),
    ):
        leaf.text(x, 68, head, face="italic", size=9, colour=_SOFT, align=align)
    y = 90.0
    for line in lines:
        if line.family != before:
            y += 8
            leaf.text(60, y, line.family.upper(), face="bold", size=9, colour=_MARK)
            y += _STEP + 1
            before = line.family
        leaf.text(60, y, line.code, face="serif", size=9.5, colour=_INK)
        name = f"{line.name}, {line.size}"
        _dotted(folio, name, 118, y, 440)
        leaf.text(470, y, line.pack, face="serif", size=9.5, colour=_INK, align="right")
        leaf.text(535, y, line.price, face="serifb", size=9.5, colour=_INK, align="right")
        folio.sku(
            [(58, y - 9.5, 537, y + 3)], {"model": line.code, "product_name": name, "price": line.price},
            optional={"size": line.size, "packing": line.pack, "series": line.family, "currency": "\u00a3",
                      "unit": "pack"},
            accept={"product_name": [line.name], "series": [line.family.upper()], "unit": ["per pack"]},
        )  # fmt: skip
        y += _STEP
    return y


def _families(folio: Folio, lines: Sequence[_Line], starts: Sequence[int]) -> None:
    leaf = folio.page("D", "L3")
    _running(folio)
    leaf.text(60, 110, "Families in this list", face="serifb", size=22, colour=_INK)
    titles = list(dict.fromkeys(line.family for line in lines))
    for k, title in enumerate(sorted(titles)):
        first = next(n for n, line in enumerate(lines) if line.family == title)
        page = 2 + sum(first >= start for start in starts[1:])
        _dotted(folio, title, 60, 160 + k * 24, 510)
        leaf.text(535, 160 + k * 24, str(page), face="serifb", size=9.5, colour=_INK, align="right")


def _pages(folio: Folio) -> None:
    folio.brand = ("ALDERTON FIXINGS", "Alderton Fixings", "Alderton")
    _terms(folio)
    lines = _lines()
    starts = (0, 37, 70, len(lines))
    for k in range(3):
        part = lines[starts[k] : starts[k + 1]]
        folio.page("A", "L4" if len(part) > 20 else "L3", continues=k > 0)
        _running(folio)
        foot = _list(folio, part, lines[starts[k] - 1].family if k else "")
        if k == 2:
            for n, note in enumerate(
                ("* Packs are not broken.", "** POA: price on application, please ring the counter.")
            ):
                folio.leaf.text(60, foot + 18 + n * 13, note, face="italic", size=8.5, colour=_SOFT)
    _families(folio, lines, starts)


STYLE = Style("en_hardware_dots", "en", "hardware", ("sans", "bold", "italic", "serif", "serifb"), _pages)
