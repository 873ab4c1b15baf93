"""Chinese kitchenware in full bands: photos off the page's edge on tinted and on dark bands with details at the other
side, rows of four views with a hair of paper between them or on walls as white as it, a ribbon with the price on the
photo."""

from tests.golden.styles.pens.cards import labelled
from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.ink import WHITE, Rgb, rgb

_INK, _SOFT, _RED = rgb("#2A2522"), rgb("#8B837B"), rgb("#B33A2E")
# Model, name, motif, paint, size, material, price.
_Ware = tuple[str, str, str, str, str, str, str]
_TINTED: tuple[_Ware, ...] = (
    ("NS-101", "珐琅炖锅", "pot", "#B33A2E", "24cm", "铸铁", "¥368.00"),
    ("NS-112", "鸣笛烧水壶", "kettle", "#3F6C7A", "3.0L", "304不锈钢", "¥129.00"),
    ("NS-125", "麦饭石煎锅", "pan", "#4A4A4A", "28cm", "铝合金", "¥158.00"),
)
_DARK: tuple[_Ware, ...] = (
    ("NS-133", "双层保温杯", "bottle", "#6C8A5E", "500ml", "316不锈钢", "¥89.00"),
    ("NS-140", "加厚砧板", "cutting_board", "#C79A5B", "38×28cm", "竹", "¥45.00"),
    ("NS-151", "轻量厨师刀", "knife", "#5C3B28", "20cm", "不锈钢", "¥76.00"),
)
_VIEWS: tuple[_Ware, ...] = (
    ("NS-206", "手工马克杯", "mug", "#4F7CAC", "350ml", "陶瓷", "¥28.00"),
    ("NS-213", "磨砂汤碗", "bowl", "#D9B44A", "18cm", "陶瓷", "¥22.00"),
    ("NS-220", "三件餐具", "cutlery", "#8B949C", "21cm", "不锈钢", "¥36.00"),
)
_WHITE: tuple[_Ware, ...] = (
    ("NS-248", "轻量保温杯", "bottle", "#3F6C7A", "750ml", "竹", "¥67.00"),
    ("NS-255", "复古砧板", "cutting_board", "#8A6A48", "30×20cm", "木", "¥78.00"),
    ("NS-262", "北欧小奶锅", "pot", "#7BA098", "16cm", "铝合金", "¥68.00"),
)
_RIBBONED: tuple[_Ware, ...] = (
    ("NS-269", "加厚马克杯", "mug", "#B33A2E", "300ml", "陶瓷", "¥18.00"),
    ("NS-276", "北欧汤碗", "bowl", "#5C6E58", "20cm", "陶瓷", "¥26.00"),
    ("NS-283", "复古水壶", "kettle", "#4A4A4A", "2.5L", "不锈钢", "¥151.00"),
)


def _frame(folio: Folio, title: str) -> None:
    folio.heading = (title,)
    folio.leaf.text(40, 40, title, face="zhb", size=17, colour=_INK)
    folio.leaf.text(555, 40, "南山厨具", face="zh", size=9, colour=_SOFT, align="right")
    folio.leaf.text(555, 828, f"{folio.number:02d}", face="zh", size=8, colour=_SOFT, align="right")


def _note(folio: Folio, ware: _Ware, card: tuple[float, float, float, float], images: list[str]) -> None:
    model, name, _, _, size, material, price = ware
    folio.sku(
        [card],
        {"model": model, "product_name": name, "size": size, "material": material, "price": price},
        images=images,
        optional={"currency": "¥"},
    )


def _pairs(ware: _Ware) -> tuple[tuple[str, str], ...]:
    return ("型号", ware[0]), ("规格", ware[4]), ("材质", ware[5]), ("零售价", ware[6])


def _band(folio: Folio, ware: _Ware, y: float, ground: str, ink: Rgb) -> None:
    leaf = folio.leaf
    leaf.rect((0, y, 595, y + 245), fill=rgb(ground))
    images = [folio.shows(ware[2], (0, y, 230, y + 245), ware[3], "#E7DED2")]
    images += [
        folio.shows(ware[2], (430, y + 20 + k * 107, 540, y + 120 + k * 107), ware[3], "#DCE3E6") for k in (0, 1)
    ]
    leaf.text(250, y + 50, ware[1], face="zhb", size=18, colour=ink)
    labelled(
        leaf,
        250,
        y + 90,
        170,
        _pairs(ware),
        gap=60,
        face="zh",
        label_face="zh",
        size=10,
        step=2.2,
        colour=ink,
        label_colour=ink,
    )
    _note(folio, ware, (0, y, 595, y + 245), images)


def _views(folio: Folio, ware: _Ware, y: float, seam: float, wall: str) -> None:
    leaf, wide = folio.leaf, (515 - 3 * seam) / 4
    places = [40 + k * (wide + seam) for k in range(4)]
    images = [folio.shows(ware[2], (x, y, x + wide, y + 130), ware[3], wall) for x in places]
    leaf.text(40, y + 154, ware[1], face="zhb", size=13, colour=_INK)
    labelled(
        leaf,
        40,
        y + 176,
        300,
        _pairs(ware),
        gap=60,
        face="zh",
        label_face="zh",
        size=9.5,
        step=1.8,
        colour=_INK,
        label_colour=_SOFT,
    )
    _note(folio, ware, (40, y, 555, y + 230), images)


def _ribboned(folio: Folio, ware: _Ware, y: float) -> None:
    leaf = folio.leaf
    image = folio.shows(ware[2], (40, y, 555, y + 180), ware[3], "#DCD4C8")
    leaf.rect((40, y + 140, 555, y + 180), fill=_RED)
    leaf.text(52, y + 165, ware[1], face="zhb", size=14, colour=WHITE)
    leaf.text(545, y + 165, ware[6], face="zhb", size=14, colour=WHITE, align="right")
    labelled(
        leaf,
        40,
        y + 198,
        300,
        _pairs(ware)[:3],
        gap=60,
        face="zh",
        label_face="zh",
        size=9.5,
        step=1.7,
        colour=_INK,
        label_colour=_SOFT,
    )
    _note(folio, ware, (40, y, 555, y + 240), [image])


def _pages(folio: Folio) -> None:
    folio.brand = ("南山厨具", "南山")
    folio.page("B", "L3")
    _frame(folio, "明星锅具")
    for k, (ware, ground) in enumerate(zip(_TINTED, ("#EFE9E0", "#FFFFFF", "#E3ECEC"), strict=True)):
        _band(folio, ware, 60 + 255 * k, ground, _INK)
    folio.page("B", "L3")
    _frame(folio, "厨房之选")
    for k, (ware, ground) in enumerate(zip(_DARK, ("#2E3A44", "#8A2B22", "#3F5C4A"), strict=True)):
        _band(folio, ware, 60 + 255 * k, ground, WHITE)
    for title, wares, seam, wall in (("四季餐桌", _VIEWS, 2.0, "#F2EFEA"), ("日用小件", _WHITE, 12.0, "#FFFFFF")):
        folio.page("B", "L3")
        _frame(folio, title)
        for k, ware in enumerate(wares):
            _views(folio, ware, 66 + 250 * k, seam, wall)
    folio.page("B", "L3")
    _frame(folio, "礼品装")
    for k, ware in enumerate(_RIBBONED):
        _ribboned(folio, ware, 66 + 250 * k)


STYLE = Style("zh_kitchen_scenes", "zh", "kitchenware", ("zh",), _pages)
