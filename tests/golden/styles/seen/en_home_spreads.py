"""Home goods in English as magazines set them: names and prices over a photo with its fabric beside it, frames with a
detail on the photo's foot, a large product over its accessories, captions on different sides of their photos."""

from tests.golden.styles.pens.cards import labelled
from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.ink import Box, rgb

_INK, _SOFT, _RED, _LINE = rgb("#24262A"), rgb("#7D8288"), rgb("#B8322A"), rgb("#B9BDC2")
# Name, model, motif, paint, size, price.
_Piece = tuple[str, str, str, str, str, str]
_LIVING: tuple[_Piece, ...] = (
    ("Haldon Sofa", "HS-880", "sofa", "#7B8C7A", "W210 x D92 x H80 cm", "€1,290"),
    ("Wren Armchair", "WA-412", "armchair", "#B7794E", "W82 x D84 x H78 cm", "€540"),
    ("Tern Dining Chair", "TD-105", "chair", "#39485A", "W46 x D52 x H82 cm", "€165"),
    ("Otter Desk", "OD-330", "desk", "#8B6A45", "W140 x D65 x H74 cm", "€620"),
    ("Pike Sideboard", "PS-250", "cabinet", "#A3805A", "W160 x D45 x H75 cm", "€890"),
    ("Lark Coffee Table", "LC-071", "table", "#5E4632", "W110 x D60 x H40 cm", "€315"),
)
_LIGHTS: tuple[tuple[str, ...], ...] = (
    ("Nova Pendant", "NP-300", "pendant", "#B0783A", "Spun brass", "300 x 220 mm", "€148.00"),
    ("Beam Spot", "BS-062", "spotlight", "#565C63", "Die-cast aluminium", "62 x 140 mm", "€39.50"),
    ("Halo Downlight", "HD-090", "downlight", "#C9C6BD", "Aluminium", "90 x 66 mm", "€22.00"),
    ("Yard Flood", "YF-100", "floodlight", "#4A5058", "Aluminium, glass", "320 x 260 x 70 mm", "€96.00"),
    ("Sky Panel", "SP-600", "panel", "#D0CCC0", "Aluminium, acrylic", "595 x 595 x 10 mm", "€54.00"),
    ("Amber Bulb", "AB-095", "bulb", "#DDA83F", "Glass", "95 x 140 mm", "€8.90"),
)
_ACCESSORIES: tuple[_Piece, ...] = (
    ("Foot Stool", "CL-901", "table", "#8A6A48", "48 x 40 x 38 cm", "€95"),
    ("Floor Lamp", "CL-902", "pendant", "#565C63", "32 x 32 x 150 cm", "€120"),
    ("Side Cabinet", "CL-904", "cabinet", "#C7B394", "60 x 35 x 80 cm", "€210"),
)
# And where photo and caption stand: name, model, motif, paint, price, box, x, y.
_TABLEWARE: tuple[tuple[str, str, str, str, str, Box, float, float], ...] = (
    ("Ember Cocotte", "LT-0501", "pot", "#B5402F", "€189", (40, 76, 360, 400), 384, 236),
    ("Brook Kettle", "LT-0514", "kettle", "#3E7C74", "€74", (40, 430, 230, 606), 40, 626),
    ("Elm Board", "LT-0527", "cutting_board", "#B98A54", "€58", (262, 430, 440, 606), 262, 626),
    ("Tide Bowl", "LT-0548", "bowl", "#3F6E9A", "€32", (40, 690, 180, 806), 192, 742),
    ("Hand Mug", "LT-0533", "mug", "#D2A83C", "€19", (320, 690, 440, 806), 452, 742),
)  # fmt: skip


def _frame(folio: Folio, title: str) -> None:
    folio.heading = (title,)
    folio.leaf.text(40, 44, title, face="serifb", size=20, colour=_INK)
    folio.leaf.text(555, 44, "CORBEL", face="sans", size=9, colour=_SOFT, tracking=1.5, align="right")
    folio.leaf.text(555, 826, str(folio.number), face="sans", size=8, colour=_SOFT, align="right")


def _living(folio: Folio) -> None:
    folio.page("C", "L2")
    _frame(folio, "Living Room")
    leaf = folio.leaf
    for k, (name, model, motif, paint, size, price) in enumerate(_LIVING):
        x, y = 40 + k % 2 * 268.0, 72 + k // 2 * 250.0
        leaf.text(x, y + 12, name, face="serifb", size=13, colour=_INK)
        leaf.text(x + 247, y + 12, price, face="bold", size=12, colour=_RED, align="right")
        leaf.text(x, y + 28, f"{model}  |  {size}", face="sans", size=9, colour=_SOFT)
        image = folio.shows(motif, (x, y + 38, x + 150, y + 188), paint, "#EDE8E0")
        fabric = folio.shows("swatch", (x + 156, y + 38, x + 247, y + 188), paint)
        folio.sku(
            [(x, y, x + 247, y + 190)],
            {"model": model, "product_name": name, "size": size, "price": price},
            images=[image],
            shared=[fabric],
            optional={"currency": "€"},
        )


def _lights(folio: Folio) -> None:
    folio.page("B", "L2")
    _frame(folio, "Lighting")
    leaf = folio.leaf
    for k, (name, model, motif, paint, material, size, price) in enumerate(_LIGHTS):
        x, y = 40 + k % 2 * 265.0, 66 + k // 2 * 250.0
        leaf.rect((x, y, x + 250, y + 240), line=_LINE, thick=0.6)
        images = [
            folio.shows(motif, (x + 8, y + 8, x + 166, y + 138), paint, "#F3F1EC"),
            folio.shows(motif, (x + 174, y + 74, x + 242, y + 138), paint, "#D9DEE2"),
        ]
        leaf.text(x + 10, y + 160, name, face="bold", size=12, colour=_INK)
        leaf.text(x + 240, y + 160, price, face="bold", size=12, colour=_RED, align="right")
        labelled(
            leaf,
            x + 10,
            y + 178,
            230,
            (("Item No.", model), ("Material", material), ("Size", size)),
            face="sans",
            label_face="sans",
            size=9,
            step=1.78,
            colour=_INK,
            label_colour=_INK,
        )
        values = {"model": model, "product_name": name, "material": material, "size": size, "price": price}
        folio.sku([(x, y, x + 250, y + 240)], values, images=images, optional={"currency": "€"})


def _lead(folio: Folio) -> None:
    folio.page("B", "L2")
    _frame(folio, "Cloud")
    leaf = folio.leaf
    image = folio.shows("armchair", (40, 70, 330, 400), "#75452E", "#EFE9E0")
    leaf.text(354, 120, "Cloud Armchair", face="serifb", size=18, colour=_INK)
    pairs = (("Model", "CL-900"), ("Size", "82 x 80 x 76 cm"), ("Material", "Oak, wool"), ("Price", "€480"))
    labelled(leaf, 354, 156, 200, pairs, gap=60, size=10, step=2, colour=_INK, label_colour=_SOFT)
    values = {"model": "CL-900", "product_name": "Cloud Armchair", "size": pairs[1][1], "material": pairs[2][1]}
    folio.sku([(40, 70, 555, 400)], values | {"price": "€480"}, images=[image], optional={"currency": "€"})
    for k, (name, model, motif, paint, size, price) in enumerate(_ACCESSORIES):
        x = 40 + 178.0 * k
        image = folio.shows(motif, (x, 450, x + 158, 608), paint, "#EFE9E0")
        leaf.text(x, 628, name, face="bold", size=11, colour=_INK)
        for n, text in enumerate((model, size)):
            leaf.text(x, 644 + 15 * n, text, face="sans", size=9, colour=_SOFT)
        leaf.text(x, 676, price, face="bold", size=11, colour=_RED)
        folio.sku(
            [(x, 450, x + 158, 680)],
            {"model": model, "product_name": name, "size": size, "price": price},
            images=[image],
            optional={"currency": "€"},
        )


def _table(folio: Folio) -> None:
    folio.page("C", "L2")
    _frame(folio, "The Long Table")
    leaf = folio.leaf
    leaf.paragraph(
        384, 146, 170, "Slow cooking for cold evenings, made in small runs.", face="serif", size=10, colour=_SOFT
    )
    for name, model, motif, paint, price, box, x, y in _TABLEWARE:
        image = folio.shows(motif, box, paint, "#E9ECEE")
        leaf.text(x, y, name, face="bold", size=12, colour=_INK)
        leaf.text(x, y + 16, model, face="sans", size=9, colour=_SOFT)
        leaf.text(x, y + 34, price, face="bold", size=12, colour=_RED)
        folio.sku(
            [box, (x, y - 12, x + 90, y + 38)],
            {"model": model, "product_name": name, "price": price},
            images=[image],
            optional={"currency": "€"},
        )


def _pages(folio: Folio) -> None:
    folio.brand = ("CORBEL", "Corbel")
    _living(folio)
    _lights(folio)
    _lead(folio)
    _table(folio)


STYLE = Style("en_home_spreads", "en", "furniture", ("sans", "bold", "serif", "serifb"), _pages)
