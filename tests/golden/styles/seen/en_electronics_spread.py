"""Converter catalogue in English as facing pages on one sheet: a wide ruled table runs over the fold and goes on over
the next sheet, families as coloured rows on both halves; contents, a sheet of the company, modules as dark panels."""

from collections.abc import Sequence

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.grid import Entry, Look, Row, draw_table
from tests.support.catalogues.ink import WHITE, rgb

_BLUE, _INK, _SOFT, _ICE = rgb("#0E4D92"), rgb("#20242A"), rgb("#7C8591"), rgb("#DCE8F5")
_SPREAD = (1190.0, 842.0)
_LEFT, _RIGHT, _TOP, _ROW = 60.0, 640.0, 96.0, 23.0
_LEFT_WIDTHS = (34.0, 104.0, 176.0, 70.0, 96.0)
_RIGHT_WIDTHS = (34.0, 74.0, 66.0, 60.0, 98.0, 46.0, 54.0, 58.0)
_HEADS = ("No.", "Part number", "Description", "Package", "Input"), (
    "No.", "Output", "Current", "Efficiency", "Size (mm)", "MOQ", "100+", "1,000+")  # fmt: skip
_LOOK = Look(
    size=8.5, face="sans", header_face="bold", header_fill=_BLUE, band=rgb("#F5F8FC"), line=rgb("#B9C6D6"), colour=_INK
)
# Family, code, description, package, input, size, first price.
_FAMILIES = (
    ("Isolated, unregulated", "KDB", "DC/DC converter, 1 W", "SIP-4", "4.5-5.5 V", "11.6 x 6.0 x 10.2", 1.9),
    ("Isolated, regulated", "KRS", "DC/DC converter, 3 W", "SIP-8", "9-36 V", "21.8 x 9.2 x 11.1", 4.45),
    ("Switching regulators", "KSW", "Step-down regulator", "SIP-3", "6.5-32 V", "11.5 x 9.0 x 17.5", 2.8),
    ("Chassis mount", "KCM", "AC/DC supply, enclosed", "Case", "85-264 VAC", "99.0 x 82.0 x 30.0", 11.2),
)
_OUTPUTS = (("3.3 V", "0.30 A", "72 %"), ("5 V", "0.20 A", "78 %"), ("9 V", "0.11 A", "80 %"),
            ("12 V", "84 mA", "81 %"),
            ("15 V", "67 mA", "81 %"), ("24 V", "42 mA", "83 %"), ("48 V", "21 mA", "N/A"),
            ("+/-5 V", "0.10 A", "77 %"), ("+/-12 V", "42 mA", "80 %"), ("+/-15 V", "33 mA", "80 %"))  # fmt: skip
# Number in the list, family, cells of the left half, cells of the right half.
_Part = tuple[int, str, tuple[str, ...], tuple[str, ...]]


def _parts() -> list[_Part]:
    parts: list[_Part] = []
    for n, (family, code, what, package, volts, size, first) in enumerate(_FAMILIES):
        for k, (output, current, share) in enumerate(_OUTPUTS[: 10 - n % 2]):
            price = first * (1 + 0.07 * k)
            bulk = "Call" if k == 6 else f"{price * 0.82:.2f}"
            left = (f"{code}-{n + 1}{k:02d}S", what, package, volts)
            right = (output, current, share, size, str((50, 100)[k % 2]), f"{price:.2f}", bulk)
            parts.append((len(parts) + 1, family, left, right))
    return parts


def _folds(folio: Folio, title: str) -> None:
    leaf = folio.leaf
    folio.decorates("logo", (60, 30, 84, 54), "#0E4D92")
    leaf.text(92, 48, "KORVIS POWER", face="bold", size=13, colour=_BLUE, tracking=1)
    leaf.text(1130, 48, title, face="sans", size=11, colour=_SOFT, align="right")
    leaf.text(60, 820, str(2 * folio.number - 2), face="sans", size=9, colour=_SOFT)
    leaf.text(1130, 820, str(2 * folio.number - 1), face="sans", size=9, colour=_SOFT, align="right")


def _over_the_fold(folio: Folio, parts: Sequence[_Part], before: str) -> float:
    """``before``: the family that the sheet before ended with. Returns the lower edge."""
    halves: tuple[list[Row], list[Row]] = ([list(_HEADS[0])], [list(_HEADS[1])])
    at = []
    for number, family, left, right in parts:
        if family != before:
            halves[0].append([Entry(family, cols=5, fill=_ICE, face="bold", colour=_BLUE), *[None] * 4])
            halves[1].append([Entry("", cols=8, fill=_ICE), *[None] * 7])
            before = family
        at.append(len(halves[0]))
        halves[0].append([str(number), *left])
        halves[1].append([str(number), *right])
    heights = [_ROW] * len(halves[0])
    one = draw_table(folio.leaf, _LEFT, _TOP, _LEFT_WIDTHS, heights, halves[0], _LOOK)
    two = draw_table(folio.leaf, _RIGHT, _TOP, _RIGHT_WIDTHS, heights, halves[1], _LOOK)
    for row, (_, family, (model, what, package, volts), right) in zip(at, parts, strict=True):
        output, current, share, size, least, price, bulk = right
        folio.sku(
            [one[row, 0], two[row, 7]],
            {"model": model, "product_name": what, "size": size, "moq": least, "price": price},
            custom={"Input": volts, "Output": output, "Current": current, "Efficiency": share},
            tiers=[("100+", price), ("1,000+", bulk)],
            optional={"series": family, "currency": "USD", "packing": package, "description": what},
            accept={"size": [f"{size} mm"]},
        )
    return _TOP + sum(heights)


def _panels(folio: Folio) -> None:
    leaf = folio.page("B", "L2", size=_SPREAD, fragmented=True)
    _folds(folio, "Evaluation boards")
    for k, (code, name, motif, paint, size, weight, price) in enumerate(
        (
            ("KEV-01", "Starter board", "module", "#1F6F54", "60 x 40 mm", "28 g", "$39.00"),
            ("KEV-02", "Isolated pair board", "module", "#274B8C", "80 x 50 mm", "46 g", "$54.00"),
            ("KEV-05", "Automotive board", "module", "#7A2E2E", "100 x 60 mm", "71 g", "$88.00"),
            ("KEV-08", "Bench supply", "supply", "#9AA3AD", "160 x 98 mm", "0.9 kg", "On request"),
        )
    ):
        x, y = (60, 620)[k % 2] + 0.0, 96 + k // 2 * 340.0
        leaf.rect((x, y, x + 510, y + 310), fill=_BLUE)
        image = folio.shows(motif, (x + 14, y + 14, x + 264, y + 296), paint, "#E9EFF6")
        leaf.text(x + 286, y + 44, name, face="bold", size=17, colour=WHITE)
        for n, (label, value) in enumerate((("Model", code), ("Size", size), ("Weight", weight), ("Price", price))):
            leaf.text(x + 286, y + 92 + n * 30, label, face="sans", size=10, colour=_ICE)
            leaf.text(x + 352, y + 92 + n * 30, value, face="bold", size=10.5, colour=WHITE)
        folio.sku([(x, y, x + 510, y + 310)], {"model": code, "product_name": name, "size": size, "weight": weight,
                                              "price": price},
                  images=[image], optional={"currency": "$", "series": "Evaluation boards"})  # fmt: skip


def _pages(folio: Folio) -> None:
    folio.brand = ("KORVIS POWER", "Korvis Power", "Korvis")
    leaf = folio.page("D", "L3", size=_SPREAD)
    leaf.rect((595, 0, 1190, 842), fill=_BLUE)
    leaf.text(680, 380, "KORVIS POWER", face="bold", size=38, colour=WHITE)
    leaf.text(682, 412, "Board and chassis converters", face="sans", size=15, colour=_ICE)
    leaf.text(60, 120, "Inside", face="bold", size=26, colour=_BLUE)
    for k, (family, *_) in enumerate(_FAMILIES):
        leaf.text(60, 176 + k * 30, family, face="sans", size=13, colour=_INK)
        leaf.text(400, 176 + k * 30, str(2 + k // 3 * 2), face="sans", size=13, colour=_SOFT, align="right")
    parts = _parts()
    folio.page("A", "L4", size=_SPREAD)
    _folds(folio, "Converters, unit prices in USD")
    _over_the_fold(folio, parts[:27], "")
    folio.page("A", "L3", size=_SPREAD, continues=True)
    _folds(folio, "Converters, unit prices in USD")
    foot = _over_the_fold(folio, parts[27:], parts[26][1])
    for k, note in enumerate(
        (
            "Efficiency is typical at full load. N/A: not yet measured.",
            "Call: ask for a project price. All parts are RoHS compliant.",
        )
    ):
        folio.leaf.text(60, foot + 24 + k * 15, note, face="italic", size=9, colour=_SOFT)
    _panels(folio)
    leaf = folio.page("D", "L2", size=_SPREAD)
    _folds(folio, "About us")
    folio.decorates("plant", (60, 96, 560, 420), "#5A7FA8", "#DCE8F5")
    leaf.paragraph(
        60,
        460,
        500,
        "We design and build converters in our own works. Every unit is tested at full load and "
        "carries a serial number by which its records can be found.",
        face="sans",
        size=12,
        leading=1.7,
    )
    for k in range(3):
        folio.decorates(
            "seal", (640 + k * 166, 96, 790 + k * 166, 300), ("#0E4D92", "#B08D3C", "#5D7F54")[k], "#F7F8FA"
        )


STYLE = Style("en_electronics_spread", "en", "electronics", ("sans", "bold", "italic"), _pages)
