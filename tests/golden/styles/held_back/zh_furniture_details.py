"""Furniture in Chinese: each piece with one large photo and two to four of its details, in a strip under the photo or
in a column beside it, labelled lines and a price; four to a page in small; one piece with a table of facts."""

from collections.abc import Sequence

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.grid import Entry, Look, Row, draw_table
from tests.support.catalogues.ink import WHITE, Box, rgb

_PINE, _INK, _SOFT, _CLAY, _LINE = rgb("#2F4A43"), rgb("#282624"), rgb("#8A857D"), rgb("#A85A32"), rgb("#DAD5CB")
_WALL, _GAP = "#F0EDE6", 3.0
# Labels that no base key has stand under themselves.
_KEYS = {"型号": "model", "尺寸": "size", "材质": "material", "颜色": "color", "净重": "weight", "起订量": "moq",
         "包装": "packing"}  # fmt: skip
# Name, motif, paint, details (view or swatch colour), labelled lines, price.
_Piece = tuple[str, str, str, tuple[str, ...], tuple[tuple[str, str], ...], str]
_LIVING: tuple[_Piece, ...] = (
    ("溪山三人沙发", "sofa", "#8C9588", ("side", "corner", "#8C9588"), (
        ("型号", "YX-S2301"), ("尺寸", "2280×950×780mm"), ("材质", "实木框架 / 科技布"), ("颜色", "鼠尾草绿"),
        ("起订量", "5套"), ("交货期", "35天")), "¥4,280"),
    ("溪山休闲椅", "armchair", "#B5654A", ("side", "#B5654A"), (
        ("型号", "YX-A2306"), ("尺寸", "820×860×760mm"), ("材质", "白蜡木 / 羊羔绒"), ("颜色", "赤陶色"),
        ("起订量", "10把"), ("交货期", "25天")), "¥1,360"),
    ("半亩电视柜", "cabinet", "#8A6238", ("middle", "corner", "#8A6238"), (
        ("型号", "YX-G2312"), ("尺寸", "2000×400×480mm"), ("材质", "北美黑胡桃"), ("颜色", "/"),
        ("起订量", "3台"), ("交货期", "40天")), "面议"),
)  # fmt: skip
_DINING: tuple[_Piece, ...] = (
    ("半亩餐桌", "table", "#A67C4E", ("side", "corner", "#A67C4E"), (
        ("型号", "YX-T2401"), ("尺寸", "1600×850×750mm"), ("材质", "榉木"), ("净重", "46kg"),
        ("包装", "1件/2箱")), "¥2,190"),
    ("半亩餐椅", "chair", "#4F6A6E", ("middle", "foot"), (
        ("型号", "YX-C2405"), ("尺寸", "480×530×810mm"), ("材质", "榉木 / 麻布"), ("净重", "6.5kg"),
        ("包装", "2把/箱")), "¥438"),
    ("听泉长凳", "bench", "#7C6A8A", ("side", "corner", "#7C6A8A"), (
        ("型号", "YX-B2409"), ("尺寸", "1200×380×450mm"), ("材质", "橡木 / 棉麻"), ("净重", "11kg"),
        ("包装", "1件/箱")), "¥690"),
)  # fmt: skip
_STUDY: tuple[_Piece, ...] = (
    ("听泉书桌", "desk", "#7A5A3C", ("side", "corner", "#7A5A3C"), (
        ("型号", "YX-D2501"), ("尺寸", "1400×700×750mm"), ("材质", "橡木"), ("颜色", "深胡桃色")), "¥1,980"),
    ("听泉书架", "shelf", "#9C7A52", ("middle", "top", "corner", "#9C7A52"), (
        ("型号", "YX-J2504"), ("尺寸", "900×320×1950mm"), ("材质", "橡木"), ("颜色", "原木色")), "¥1,650"),
    ("云间转椅", "office_chair", "#41505E", ("middle", "foot"), (
        ("型号", "YX-Y2507"), ("尺寸", "650×650×1150mm"), ("材质", "网布 / 铝合金"), ("颜色", "石墨灰")), "¥860"),
    ("云间边柜", "cabinet", "#B9A88C", ("middle", "corner", "#B9A88C"), (
        ("型号", "YX-G2511"), ("尺寸", "800×400×850mm"), ("材质", "桦木多层板"), ("颜色", "奶咖色")), "询价"),
)  # fmt: skip
_BED = "云间软包床"
_BED_FACTS = (
    ("型号", "YX-W2601"), ("适用床垫", "1800×2000mm"), ("尺寸", "1960×2180×1120mm"), ("材质", "头层牛皮 / 松木排骨架"),
    ("颜色", "燕麦色"), ("净重", "92kg"), ("包装", "1件/3箱"), ("体积", "0.86m³"),
    ("交货期", "45天"), ("质保", "五年"), ("起订量", "2张"), ("零售价", "¥6,980"),
)  # fmt: skip


def _head(folio: Folio, title: str) -> None:
    folio.heading = (title,)
    leaf = folio.leaf
    leaf.rect((36, 28, 40, 50), fill=_CLAY)
    leaf.text(48, 45, title, face="zhb", size=16, colour=_PINE)
    leaf.text(559, 44, "屿舍家居", face="zhb", size=10, colour=_SOFT, align="right")
    leaf.rule(36, 58, 559, 58, colour=_LINE)
    leaf.text(559, 824, f"屿舍家居 2026 / {folio.number:02d}", face="zh", size=7.5, colour=_SOFT, align="right")


def _detail(folio: Folio, piece: _Piece, detail: str, box: Box) -> str:
    """A part of the piece from close by, or what it is made of."""
    if detail.startswith("#"):
        return folio.shows("swatch", box, detail)
    return folio.shows(f"{piece[1]}@{detail}", box, piece[2], "#E6E1D7")


def _in_a_row(folio: Folio, piece: _Piece, x: float, y: float, wide: float, high: float) -> list[str]:
    step = (wide + _GAP) / len(piece[3])
    return [
        _detail(folio, piece, one, (x + k * step, y, x + (k + 1) * step - _GAP, y + high))
        for k, one in enumerate(piece[3])
    ]


def _in_a_column(folio: Folio, piece: _Piece, x: float, y: float, wide: float, high: float) -> list[str]:
    step = (high + _GAP) / len(piece[3])
    return [
        _detail(folio, piece, one, (x, y + k * step, x + wide, y + (k + 1) * step - _GAP))
        for k, one in enumerate(piece[3])
    ]


def _note(folio: Folio, piece: _Piece, box: Box, images: Sequence[str]) -> None:
    values = {_KEYS[label]: value for label, value in piece[4] if label in _KEYS}
    folio.sku(
        [box],
        {"product_name": piece[0], **values, "price": piece[5]},
        images=images,
        optional={"currency": "¥"} if piece[5].startswith("¥") else {},
        custom={label: value for label, value in piece[4] if label not in _KEYS},
    )


def _words(folio: Folio, piece: _Piece, x: float, y: float) -> None:
    """The name, the labelled lines and the price under each other."""
    leaf = folio.leaf
    leaf.text(x, y + 20, piece[0], face="zhb", size=16, colour=_PINE)
    leaf.rule(x, y + 32, x + 36, y + 32, colour=_CLAY, thick=1.6)
    for k, (label, value) in enumerate(piece[4]):
        at = y + 58 + k * 21
        leaf.text(x, at, f"{label}：", face="zh", size=9.5, colour=_SOFT)
        leaf.text(x + 52, at, value, face="zh", size=9.5, colour=_INK)
    leaf.text(x, y + 204, "价格：", face="zh", size=9.5, colour=_SOFT)
    leaf.text(x + 52, y + 205, piece[5], face="zhb", size=15, colour=_CLAY)


def _strips_below(folio: Folio, title: str, pieces: Sequence[_Piece]) -> None:
    folio.page("B", "L3")
    _head(folio, title)
    for k, piece in enumerate(pieces):
        y = 74 + k * 246.0
        main = folio.shows(piece[1], (36, y, 306, y + 152), piece[2], _WALL)
        rest = _in_a_row(folio, piece, 36, y + 152 + _GAP, 270, 68)
        _words(folio, piece, 332, y)
        _note(folio, piece, (36, y, 559, y + 224), [main, *rest])


def _columns_beside(folio: Folio, title: str, pieces: Sequence[_Piece]) -> None:
    """The photo at the right, the details in a column at its left; written by another program than the page before."""
    folio.page("B", "L3", continues=True, fragmented=True)
    _head(folio, title)
    for k, piece in enumerate(pieces):
        y = 74 + k * 246.0
        rest = _in_a_column(folio, piece, 236, y, 76, 222)
        main = folio.shows(piece[1], (312 + _GAP, y, 559, y + 222), piece[2], _WALL)
        _words(folio, piece, 36, y)
        folio.leaf.rule(36, y + 234, 559, y + 234, colour=_LINE, thick=0.5)
        _note(folio, piece, (36, y, 559, y + 224), [main, *rest])


def _four(folio: Folio, title: str, pieces: Sequence[_Piece]) -> None:
    leaf = folio.page("B", "L2")
    _head(folio, title)
    for k, piece in enumerate(pieces):
        x, y = 36 + k % 2 * 271.0, 74 + k // 2 * 372.0
        leaf.rect((x, y, x + 252, y + 354), line=_LINE, thick=0.8)
        main = folio.shows(piece[1], (x + 8, y + 8, x + 244, y + 178), piece[2], _WALL)
        rest = _in_a_row(folio, piece, x + 8, y + 178 + _GAP, 236, 56)
        leaf.text(x + 10, y + 258, piece[0], face="zhb", size=12.5, colour=_PINE)
        leaf.text(x + 242, y + 258, piece[5], face="zhb", size=12.5, colour=_CLAY, align="right")
        for n, (label, value) in enumerate(piece[4]):
            leaf.text(x + 10, y + 280 + n * 19, f"{label}：{value}", face="zh", size=9, colour=_INK)
        _note(folio, piece, (x, y, x + 252, y + 354), [main, *rest])


def _alone(folio: Folio) -> None:
    """Large, with details at the side and under it that say what they show, and a table of two pairs a row."""
    leaf = folio.page("B", "L1")
    _head(folio, "卧室")
    images = [folio.shows("bed", (36, 74, 420, 370), "#B8AA94", _WALL)]
    for k, (view, words) in enumerate(
        (
            ("bed@corner", "软包靠背，双针缝线"),
            ("bed@foot", "实木床脚，防滑垫"),
            ("swatch", "头层牛皮，可选九色"),
            ("bed@top", "靠背高度可调"),
        )
    ):
        box = (426.0, 74 + k * 76.0, 559.0, 74 + k * 76.0 + 56)
        images.append(folio.shows(view, box, "#B8AA94", "#E6E1D7"))
        leaf.text(426, box[3] + 11, words, face="zh", size=7.5, colour=_SOFT)
    leaf.text(36, 408, _BED, face="zhb", size=26, colour=_PINE)
    words = "靠背分三段填充高回弹海绵，久靠不塌；床架用整根松木，排骨条间距六厘米，透气而安静。"
    leaf.paragraph(36, 434, 523, words, face="zh", size=10, leading=1.8, colour=_INK)
    look = Look(size=9, face="zh", header_face="zh", band=None, line=_LINE, colour=_INK)
    rows: list[Row] = []
    for one, other in zip(_BED_FACTS[::2], _BED_FACTS[1::2], strict=True):
        rows.append(
            [part for label, value in (one, other) for part in (Entry(label, fill=rgb("#EEF1EE"), face="zhb"), value)]
        )
    draw_table(leaf, 36, 486, [70.0, 191.5, 70.0, 191.5], [30.0] * len(rows), rows, look, header_rows=0)
    leaf.text(36, 692, "价格不含运费，床垫与床品另购。", face="zh", size=8.5, colour=_SOFT)
    base = _KEYS | {"零售价": "price"}
    folio.sku(
        [(36, 74, 559, 666)],
        {"product_name": _BED} | {base[label]: value for label, value in _BED_FACTS if label in base},
        images=images,
        optional={"currency": "¥", "description": words},
        custom={label: value for label, value in _BED_FACTS if label not in base},
    )


def _company(folio: Folio) -> None:
    leaf = folio.page("D", "L2")
    folio.decorates("plant", (0, 0, 595, 300), "#8D9A8E", "#DDE4DE")
    leaf.text(36, 352, "关于屿舍", face="zhb", size=24, colour=_PINE)
    leaf.paragraph(
        36,
        386,
        523,
        "屿舍家居创立于二〇一一年，从一间木工房起步，如今有三座工厂、两处设计室。"
        "我们只做实木与软包家具，木料在厂内平衡含水率后开料，每件出厂前都由同一位师傅验收并签名。\n来样定制与工程订单由项目部单独报价。",
        face="zh",
        size=11,
        leading=2.0,
        colour=_INK,
    )
    for k, words in enumerate(("绿色产品认证", "环境标志产品", "质量管理体系")):
        x = 60 + k * 172.0
        folio.decorates("seal", (x, 530, x + 120, 690), ("#7D8F5A", "#2F6A5A", "#B08D3C")[k], "#F4F1EA")
        leaf.text(x + 60, 708, words, face="zh", size=9, colour=_SOFT, align="center")


def _pages(folio: Folio) -> None:
    folio.brand = ("屿舍家居", "屿舍")
    leaf = folio.page("D", "L1")
    leaf.rect((0, 0, 595, 842), fill=_PINE)
    folio.decorates("armchair", (110, 120, 485, 520), "#B5654A", "#E9E3D6")
    leaf.text(297, 620, "屿舍家居", face="zhb", size=42, colour=WHITE, align="center")
    leaf.text(297, 656, "二〇二六产品图册", face="zh", size=15, colour=rgb("#C9D3CC"), align="center")
    _strips_below(folio, "客厅", _LIVING)
    _columns_beside(folio, "餐厅", _DINING)
    _four(folio, "书房", _STUDY)
    _alone(folio)
    _company(folio)


STYLE = Style("zh_furniture_details", "zh", "furniture", ("zh",), _pages)
