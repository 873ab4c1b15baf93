"""Clothing order list in Chinese: picture, style and fabric merged over the colours and sizes below each other; a
size chart and colour card that are no products; one page with its pictures in strips."""

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.golden.styles.pens.tables import Between, Column, Item, product_table
from tests.support.catalogues.grid import Look, draw_table
from tests.support.catalogues.ink import WHITE, rgb

_GREEN, _INK, _SOFT = rgb("#2F5D50"), rgb("#202523"), rgb("#7B837F")
_LOOK = Look(
    size=8,
    face="zh",
    header_face="zhb",
    header_fill=_GREEN,
    header_colour=WHITE,
    band=None,
    line=rgb("#A9B4AF"),
    colour=_INK,
)
_COLUMNS = (
    Column("picture", "图片", 92, merge=True), Column("model", "款号", 62, "center"),
    Column("product_name", "品名", 80, "center", merge=True), Column("material", "面料成分", 92, "center", merge=True),
    Column("color", "颜色", 52, "center"), Column("size", "尺码", 62, "center"),
    Column("price", "批发价", 48, "right", merge=True), Column("moq", "起订量", 40, "center", merge=True),
)  # fmt: skip
_STYLES = (
    ("M8012", "圆领短袖T恤", "shirt", "#4F7CA8", "95%棉 5%氨纶", ("雾蓝", "米白", "炭灰"), "S-3XL", "¥32.00", "100件"),
    ("M8025", "连帽卫衣", "hoodie", "#6B7F5E", "80%棉 20%涤纶", ("墨绿", "黑色", "燕麦"), "M-4XL", "¥68.50", "60件"),
    ("M8031", "直筒休闲裤", "trousers", "#514A44", "97%棉 3%氨纶", ("深咖", "卡其"), "28-38", "¥59.00", "80件"),
    ("W6107", "收腰连衣裙", "dress", "#B5566A", "100%涤纶", ("玫红", "雾紫", "黑色"), "S-XL", "¥76.00", "50件"),
    ("W6118", "翻领夹克", "jacket", "#A6814C", "纯棉，涤纶里布", ("驼色", "藏青"), "S-2XL", "面议", "50件"),
    ("A3002", "棒球帽", "cap", "#2D3E57", "100%棉", ("藏青", "黑色", "白色"), "均码", "¥15.80", "200件"),
    ("A3009", "圆领童装T恤", "shirt", "#D9A441", "100%棉", ("姜黄", "天蓝"), "110-150", "¥24.00", "120件"),
    ("M8044", "立领防风外套", "jacket", "#39516B", "100%锦纶", ("灰蓝", "军绿", "-"), "M-3XL", "¥118.00", "40件"),
)  # fmt: skip


def _items(start: int, stop: int) -> list[Item]:
    items = []
    for model, name, motif, paint, material, colours, size, price, moq in _STYLES[start:stop]:
        for k, colour in enumerate(colours):
            cells = {
                "model": f"{model}-{k + 1:02d}", "product_name": name, "material": material, "color": colour,
                "size": size, "price": price, "moq": moq,
            }  # fmt: skip
            items.append(Item(cells, (motif, paint), model, optional={"currency": "¥"}))
    return items


def _head(folio: Folio, title: str) -> None:
    leaf = folio.leaf
    folio.decorates("logo", (34, 24, 58, 48), "#2F5D50")
    leaf.text(66, 42, "织域服饰", face="zhb", size=13, colour=_GREEN)
    leaf.text(561, 42, title, face="zh", size=10, colour=_SOFT, align="right")
    leaf.text(34, 820, "织域服饰有限公司  订货热线见封底", face="zh", size=7.5, colour=_SOFT)
    leaf.text(561, 820, f"{folio.number}", face="zh", size=8, colour=_SOFT, align="right")


def _size_chart(folio: Folio) -> None:
    leaf = folio.page("D", "L2")
    _head(folio, "尺码对照与色卡")
    leaf.text(34, 88, "上装尺码表（单位：厘米）", face="zhb", size=13, colour=_INK)
    rows = [["尺码", "身高", "胸围", "肩宽", "衣长", "袖长"]]
    rows += [
        [size, str(160 + 5 * k), str(92 + 4 * k), f"{41 + 1.5 * k:g}", str(64 + 2 * k), f"{58 + 1.5 * k:g}"]
        for k, size in enumerate(("S", "M", "L", "XL", "2XL", "3XL"))
    ]
    draw_table(leaf, 34, 102, [87.8] * 6, [24.0] * 7, rows, _LOOK)
    leaf.text(34, 312, "手工测量，允许误差 1-2 厘米。", face="zh", size=8.5, colour=_SOFT)
    leaf.text(34, 362, "面料色卡", face="zhb", size=13, colour=_INK)
    paints = (
        "#4F7CA8",
        "#EDE6D6",
        "#4A4C50",
        "#3F5A44",
        "#222326",
        "#D8C8A8",
        "#5B4636",
        "#B9A27A",
        "#B5566A",
        "#8E86A8",
    )
    for k, paint in enumerate(paints):
        x, y = 34 + k % 5 * 107.0, 380 + k // 5 * 150.0
        folio.decorates("swatch", (x, y, x + 96, y + 110), paint)
        leaf.text(x + 48, y + 126, f"{k + 1:02d} 号色", face="zh", size=8.5, colour=_INK, align="center")


def _pages(folio: Folio) -> None:
    folio.brand = ("织域服饰", "织域服饰有限公司")
    folio.page("A", "L3")
    _head(folio, "2026 春夏订货目录")
    folio.heading = ("成人系列",)
    leaf = folio.leaf
    leaf.text(34, 78, "成人系列", face="zhb", size=15, colour=_INK)
    product_table(folio, 33.5, 92, _COLUMNS, _items(0, 5), _LOOK, head_height=26, row_height=46)
    folio.page("A", "L3", continues=True, fragmented=True)
    _head(folio, "2026 春夏订货目录")
    foot = Between(8, "注：以上为含税出厂价，混批满五千元包邮。", rgb("#EEF3F0"))
    product_table(folio, 33.5, 64, _COLUMNS, _items(5, 8), _LOOK, head_height=26, row_height=46, between=(foot,))
    _size_chart(folio)


STYLE = Style("zh_apparel_merged", "zh", "apparel", ("zh",), _pages)
