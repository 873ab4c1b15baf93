"""Chinese garments by size: a picture for all sizes of a garment beside its table, two views above a table, and open
lists beside the picture."""

from collections.abc import Sequence

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.golden.styles.pens.tables import Column, Item, Rules, product_table
from tests.support.catalogues.grid import Look
from tests.support.catalogues.ink import rgb

_INK, _SOFT, _LINE, _PLUM = rgb("#26222B"), rgb("#867F8C"), rgb("#C9C3CF"), rgb("#6B3F69")
# Code, name, motif, paint, colour, price of the smallest.
_Garment = tuple[str, str, str, str, str, float]
_GARMENTS: tuple[_Garment, ...] = (
    ("LF801", "圆领短袖", "shirt", "#7FA3B5", "雾蓝", 59), ("LF815", "连帽卫衣", "hoodie", "#6B3F69", "暗紫", 128),
    ("LF822", "直筒长裤", "trousers", "#4C5A4A", "军绿", 99), ("LF830", "收腰长裙", "dress", "#B5544A", "砖红", 169),
    ("LF844", "防风外套", "jacket", "#3D5A80", "藏青", 239), ("LF851", "翻领短袖", "shirt", "#C2A24C", "姜黄", 79),
    ("LF866", "加绒卫衣", "hoodie", "#8C8C84", "浅灰", 148),
)  # fmt: skip
_SIZES = ("S", "M", "L", "XL")
_LOOK = Look(
    size=8.5,
    face="zh",
    header_face="zhb",
    header_fill=rgb("#EDE7F0"),
    header_colour=_INK,
    band=None,
    line=_LINE,
    colour=_INK,
)


def _frame(folio: Folio, title: str) -> None:
    folio.heading = (title,)
    leaf = folio.leaf
    leaf.text(44, 48, title, face="zhb", size=16, colour=_PLUM)
    leaf.text(551, 48, "林枫服饰", face="zh", size=9, colour=_SOFT, align="right")
    leaf.text(297, 820, f"- {folio.number} -", face="zh", size=8, colour=_SOFT, align="center")


def _items(garment: _Garment, images: Sequence[str], sizes: Sequence[str] = _SIZES) -> list[Item]:
    code, name, _, _, colour, first = garment
    return [
        Item({"model": f"{code}-{size}", "size": size, "color": colour, "price": f"{first + 10 * k:.2f}",
              "~chest": str(92 + 4 * k)}, images=images,
             optional={"product_name": name, "series": f"{code} {name}", "currency": "元"},
             accept={"product_name": [f"{code} {name}"], "series": [name, code]})
        for k, size in enumerate(sizes)
    ]  # fmt: skip


def _columns(wide: float) -> tuple[Column, ...]:
    return (
        Column("model", "款号", wide * 0.3), Column("size", "尺码", wide * 0.14, "center"),
        Column("=胸围(cm)", "胸围(cm)", wide * 0.2, "center"), Column("color", "颜色", wide * 0.16, "center"),
        Column("price", "单价(元)", wide * 0.2, "right"),
    )  # fmt: skip


def _told(items: list[Item]) -> list[Item]:
    return [
        Item(
            {**item.cells, "=胸围(cm)": item.cells["~chest"]},
            images=item.images,
            optional=item.optional,
            accept=item.accept,
        )
        for item in items
    ]


def _beside(folio: Folio, garment: _Garment, y: float, *, right: bool) -> None:
    leaf = folio.leaf
    x, at = (411.0, 44.0) if right else (44.0, 204.0)
    image = folio.shows(garment[2], (x, y, x + 140, y + 180), garment[3], "#F3F1F4")
    leaf.text(at, y + 16, f"{garment[0]} {garment[1]}", face="zhb", size=13, colour=_INK)
    product_table(
        folio, at, y + 32, _columns(347), _told(_items(garment, [image])), _LOOK, head_height=26, row_height=26
    )


def _views_above(folio: Folio, garment: _Garment, y: float) -> None:
    leaf = folio.leaf
    leaf.text(44, y, f"{garment[0]} {garment[1]}", face="zhb", size=14, colour=_INK)
    images = [
        folio.shows(garment[2], (44 + k * 172.0, y + 12, 204 + k * 172.0, y + 182), garment[3], wall)
        for k, wall in enumerate(("#F3F1F4", "#DCD8E0"))
    ]
    product_table(
        folio, 44, y + 194, _columns(507), _told(_items(garment, images)), _LOOK, head_height=26, row_height=24
    )


def _open(folio: Folio, garment: _Garment, y: float) -> None:
    leaf = folio.leaf
    image = folio.shows(garment[2], (44, y, 184, y + 170), garment[3], "#F3F1F4")
    leaf.text(204, y + 14, f"{garment[0]} {garment[1]}", face="zhb", size=13, colour=_INK)
    product_table(
        folio,
        204,
        y + 26,
        _columns(347),
        _told(_items(garment, [image])),
        _LOOK,
        head_height=24,
        row_height=24,
        rules=Rules(row_line=0.4, colour=_LINE),
    )


def _pages(folio: Folio) -> None:
    folio.brand = ("林枫服饰", "林枫")
    folio.page("A", "L3")
    _frame(folio, "春夏新款")
    for k, garment in enumerate(_GARMENTS[:3]):
        _beside(folio, garment, 80 + k * 236, right=False)
    folio.page("B", "L3")
    _frame(folio, "正反面图")
    for k, garment in enumerate(_GARMENTS[3:5]):
        _views_above(folio, garment, 96 + k * 350)
    folio.page("A", "L3")
    _frame(folio, "秋冬系列")
    for k, garment in enumerate(_GARMENTS[4:7]):
        _beside(folio, (f"{garment[0]}W", *garment[1:]), 80 + k * 236, right=True)
    folio.page("A", "L3")
    _frame(folio, "基本款")
    for k, garment in enumerate(_GARMENTS[5:]):
        _open(folio, (f"{garment[0]}B", *garment[1:]), 90 + k * 240)


STYLE = Style("zh_apparel_sheets", "zh", "apparel", ("zh",), _pages)
