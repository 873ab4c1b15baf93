"""Bilingual garments with three views each: a title with code and name, a size chart that lists no products, labelled
lines; bands that go on over pages, blocks in two columns, and one garment a page."""

from tests.golden.styles.pens.cards import labelled
from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.grid import Look, Row, draw_table
from tests.support.catalogues.ink import rgb

_INK, _SOFT, _LINE, _SAGE = rgb("#23271F"), rgb("#7F857A"), rgb("#C6CBBF"), rgb("#5B6F4A")
# Code, Chinese name, English name, motif, paint, colour, material, price.
_Look = tuple[str, str, str, str, str, str, str, str]
_LOOKS: tuple[_Look, ...] = (
    ("YG-101", "连帽卫衣", "Hooded sweatshirt", "hoodie", "#5B6F4A", "军绿 Olive", "棉 Cotton", "¥138.00"),
    ("YG-104", "圆领短袖", "Crew-neck tee", "shirt", "#C9BFA5", "米白 Off-white", "棉 Cotton", "¥59.00"),
    ("YG-112", "直筒长裤", "Straight trousers", "trousers", "#3D4A5C", "藏青 Navy", "斜纹棉 Twill", "¥118.00"),
    ("YG-120", "防风外套", "Windbreaker", "jacket", "#A3512B", "砖红 Brick", "尼龙 Nylon", "¥268.00"),
    ("YG-127", "收腰长裙", "Waisted dress", "dress", "#6B3F69", "暗紫 Plum", "雪纺 Chiffon", "¥198.00"),
    ("YG-133", "加绒卫衣", "Fleece sweatshirt", "hoodie", "#75452E", "驼色 Camel", "棉 Cotton", "¥158.00"),
    ("YG-139", "翻领短袖", "Polo shirt", "shirt", "#3F5C73", "雾蓝 Mist blue", "珠地棉 Pique", "¥88.00"),
    ("YG-142", "束脚长裤", "Jogger trousers", "trousers", "#44505E", "深灰 Dark grey", "棉 Cotton", "¥108.00"),
)  # fmt: skip
_CHART: tuple[tuple[str, ...], ...] = (
    ("尺码 Size", "S", "M", "L", "XL"), ("胸围 Chest", "96", "100", "104", "108"),
    ("衣长 Length", "64", "66", "68", "70"), ("肩宽 Shoulder", "42", "43", "44", "45"),
)  # fmt: skip
_TABLE = Look(
    size=7.5,
    face="zh",
    header_face="zh",
    header_fill=rgb("#EEF0EA"),
    header_colour=_INK,
    band=None,
    line=_LINE,
    colour=_INK,
)
_WALLS = ("#F4F4F0", "#E7E9E2", "#DADDD3")


def _frame(folio: Folio, zh: str, en: str) -> None:
    folio.heading = (zh, en, f"{zh} {en}", f"{zh}{en}")
    leaf = folio.leaf
    leaf.text(42, 46, zh, face="zhb", size=15, colour=_SAGE)
    leaf.text(42, 61, en, face="sans", size=9, colour=_SOFT)
    leaf.text(553, 46, "野谷服饰 YEGU", face="zh", size=9, colour=_SOFT, align="right")
    leaf.text(297, 824, str(folio.number), face="zh", size=8, colour=_SOFT, align="center")


def _chart(folio: Folio, x: float, y: float, *, upright: bool = False, first: float = 74, wide: float = 34) -> None:
    rows: list[Row] = [list(row) for row in (zip(*_CHART, strict=True) if upright else _CHART)]
    widths = [first, *[wide] * (len(rows[0]) - 1)]
    draw_table(folio.leaf, x, y, widths, [17.0] * len(rows), rows, _TABLE)


def _note(folio: Folio, look: _Look, card: tuple[float, float, float, float], images: list[str]) -> None:
    code, zh, en, _, _, colour, material, price = look
    folio.sku(
        [card], {"model": code, "product_name": zh, "color": colour, "material": material, "price": price},
        images=images,
        optional={"currency": "¥", "size": "S M L XL"},
        accept={"product_name": [en, f"{zh} {en}"], "color": colour.split(" ", 1), "material": material.split(" ", 1),
                "size": ["S", "S/M/L/XL", "S, M, L, XL"]},
    )  # fmt: skip


def _pairs(look: _Look) -> tuple[tuple[str, str], ...]:
    return ("颜色 Colour", look[5]), ("面料 Fabric", look[6]), ("价格 Price", look[7])


def _views(folio: Folio, look: _Look, x: float, y: float, edge: float, high: float) -> list[str]:
    return [
        folio.shows(look[3], (x + k * (edge + 8), y, x + k * (edge + 8) + edge, y + high), look[4], wall)
        for k, wall in enumerate(_WALLS)
    ]


def _band(folio: Folio, look: _Look, y: float) -> None:
    leaf = folio.leaf
    leaf.text(42, y, f"{look[0]}  {look[1]}", face="zhb", size=13, colour=_INK)
    leaf.text(553, y, look[2], face="sans", size=10, colour=_SOFT, align="right")
    leaf.rule(42, y + 7, 553, y + 7, colour=_SAGE)
    images = _views(folio, look, 42, y + 16, 90, 120)
    labelled(
        leaf,
        346,
        y + 30,
        207,
        _pairs(look),
        face="zh",
        label_face="zh",
        joint="：",
        size=8.5,
        step=1.7,
        colour=_INK,
        label_colour=_SOFT,
    )
    _chart(folio, 346, y + 72)
    _note(folio, look, (42, y - 14, 553, y + 142), images)


def _block(folio: Folio, look: _Look, x: float, y: float) -> None:
    leaf = folio.leaf
    images = _views(folio, look, x, y, 76, 104)
    leaf.text(x, y + 124, look[1], face="zhb", size=12, colour=_INK)
    leaf.text(x + 244, y + 124, look[7], face="zhb", size=12, colour=_SAGE, align="right")
    leaf.text(x, y + 138, look[2], face="sans", size=8.5, colour=_SOFT)
    for n, (label, value) in enumerate((("款号 Style", look[0]), *_pairs(look)[:2])):
        leaf.text(x, y + 156 + n * 14, f"{label}: {value}", face="zh", size=8.5, colour=_INK)
    _chart(folio, x, y + 200, upright=True, first=54, wide=60)
    _note(folio, look, (x, y, x + 244, y + 290), images)


def _single(folio: Folio, look: _Look) -> None:
    leaf = folio.leaf
    images = [folio.shows(look[3], (42, 84, 332, 424), look[4], _WALLS[0])]
    images += [
        folio.shows(look[3], (344, 84 + k * 174.0, 553, 250 + k * 174.0), look[4], _WALLS[k + 1]) for k in (0, 1)
    ]
    leaf.text(42, 460, f"{look[1]} {look[2]}", face="zhb", size=18, colour=_INK)
    labelled(
        leaf,
        42,
        492,
        240,
        (("款号 Style", look[0]), *_pairs(look)),
        gap=80,
        face="zh",
        label_face="zh",
        size=10,
        step=1.9,
        colour=_INK,
        label_colour=_SOFT,
    )
    _chart(folio, 330, 484, first=80, wide=36)
    _note(folio, look, (42, 84, 553, 570), images)


def _pages(folio: Folio) -> None:
    folio.brand = ("野谷服饰", "YEGU", "野谷服饰 YEGU")
    for number in range(2):
        folio.page("B", "L3", continues=number > 0)
        _frame(folio, "通勤系列", "Commuting")
        for k, look in enumerate(_LOOKS[number * 4 : number * 4 + 4]):
            _band(folio, look, 98 + k * 178)
    folio.page("B", "L2")
    _frame(folio, "周末系列", "Weekend")
    for k, look in enumerate(_LOOKS[:4]):
        _block(folio, (f"{look[0]}W", *look[1:]), 42 + k % 2 * 266.0, 84 + k // 2 * 350.0)
    folio.page("B", "L1")
    _frame(folio, "主推款", "Our choice")
    _single(folio, ("YG-900", *_LOOKS[3][1:]))


STYLE = Style("zhen_apparel_looks", "zhen", "apparel", ("zh", "sans"), _pages)
