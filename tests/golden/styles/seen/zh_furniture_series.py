"""Sofa and cabinet price book in Chinese: cover, contents, a ruled table with a photo in every row, the series and its
material merged at the sides, three columns of measures; notes with signs under the table; certificates at the end."""

from collections.abc import Sequence

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.grid import Entry, Look, Row, draw_table
from tests.support.catalogues.ink import WHITE, rgb

_BROWN, _INK, _SOFT, _SAND = rgb("#5A3E2B"), rgb("#2A2622"), rgb("#8D857B"), rgb("#F1EAE0")
_WIDTHS = (46.0, 96.0, 72.0, 78.0, 36.0, 36.0, 36.0, 76.0, 59.0)
_TOP, _ROW = 76.0, 80.0
_LOOK = Look(
    size=8,
    face="zh",
    header_face="zhb",
    header_fill=rgb("#D8C7B2"),
    header_colour=_INK,
    band=None,
    line=rgb("#A89A88"),
    colour=_INK,
    aligns=("center",) * 9,
)
# Model, name, motif, paint, width, depth, height, price.
_Piece = tuple[str, str, str, str, str, str, str, str]
_Range = tuple[str, str, tuple[_Piece, ...]]
_FIRST: tuple[_Range, ...] = (
    ("暮山", "橡木框架 进口棉麻", (
        ("MS-8801A", "单人位沙发", "armchair", "#A7A08F", "920", "890", "810", "2,380"),
        ("MS-8801B", "双人位沙发", "sofa", "#A7A08F", "1680", "890", "810", "3,960"),
        ("MS-8801C", "三人位沙发※", "sofa", "#8F8775", "2260", "890", "810", "5,120"),
    )),
    ("听松", "北美黑胡桃", (
        ("TS-6302", "方几", "table", "#5E412C", "600", "600", "480", "1,150"),
        ("TS-6305", "长几", "table", "#6B4A33", "1300", "700", "420", "1,890"),
        ("TS-6310", "电视柜", "cabinet", "#5E412C", "2000", "400", "500", "面议"),
        ("TS-6316", "玄关柜", "cabinet", "#7A5940", "1100", "350", "850", "2,640"),
        ("TS-6320", "书椅", "chair", "#6B4A33", "540", "560", "790", "980"),
    )),
)  # fmt: skip
_SECOND: tuple[_Range, ...] = (
    ("听松", "北美黑胡桃", (
        ("TS-6328", "写字台", "desk", "#5E412C", "1500", "680", "760", "3,480"),
        ("TS-6331", "圆背餐椅", "chair", "#7A5940", "500", "540", "760", "860"),
    )),
    ("云上", "白蜡木 环保水性漆", (
        ("YS-1107", "餐桌", "table", "#C9A77A", "1600", "850", "750", "2,760"),
        ("YS-1109", "休闲椅", "armchair", "#D6B98F", "700", "760", "780", "1,430"),
        ("YS-1112", "斗柜※", "cabinet", "#C9A77A", "900", "420", "1020", "2,190"),
        ("YS-1120", "儿童书桌", "desk", "#D6B98F", "1100", "600", "740", "询价"),
    )),
)  # fmt: skip


def _surround(folio: Folio, title: str) -> None:
    leaf = folio.leaf
    leaf.rect((0, 0, 14, 842), fill=_BROWN)
    folio.decorates("logo", (34, 20, 58, 44), "#5A3E2B")
    leaf.text(66, 38, "木雨家居", face="zhb", size=13, colour=_BROWN)
    leaf.text(565, 38, title, face="zh", size=10, colour=_SOFT, align="right")
    leaf.text(565, 826, f"{folio.number:02d}", face="zhb", size=10, colour=_BROWN, align="right")


def _front(folio: Folio) -> None:
    leaf = folio.page("D", "L1")
    folio.decorates("sofa", (0, 0, 595, 560), "#7C6F5C", "#E9E0D2")
    leaf.rect((0, 560, 595, 842), fill=_BROWN)
    leaf.text(60, 650, "木雨家居", face="zhb", size=44, colour=WHITE)
    leaf.text(62, 700, "二〇二六年度产品价格手册", face="zh", size=16, colour=WHITE)
    leaf.text(62, 800, "仅供经销商内部使用", face="zh", size=9, colour=_SAND)


def _overview(folio: Folio) -> None:
    leaf = folio.page("D", "L3")
    _surround(folio, "目录")
    for k, (name, words, page) in enumerate(
        (
            ("暮山系列", "布艺沙发，框架为整根橡木", 3),
            ("听松系列", "黑胡桃客厅与书房", 3),
            ("云上系列", "白蜡木餐厅与儿童房", 4),
            ("关于木雨", "工厂与证书", 5),
        )
    ):
        y = 150 + k * 110
        leaf.rect((60, y - 40, 540, y + 40), fill=_SAND)
        leaf.text(84, y, name, face="zhb", size=20, colour=_BROWN)
        leaf.text(84, y + 22, words, face="zh", size=10, colour=_SOFT)
        leaf.text(516, y + 8, f"P{page:02d}", face="zhb", size=22, colour=_BROWN, align="right")


def _joined(wide: str, deep: str, high: str) -> list[str]:
    """Measures that stand in three columns may be given in any usual way."""
    bare = [sign.join((wide, deep, high)) for sign in ("×", "*", "x", " x ", " × ", " ", "/")]
    return [*bare, *[f"{text}mm" for text in bare], *[f"{text} mm" for text in bare]]


def _ranges(folio: Folio, ranges: Sequence[_Range]) -> float:
    rows: list[Row] = [
        [*[Entry(text, rows=2) for text in ("系列", "产品图片", "型号", "产品名称")], Entry("尺寸（mm）", cols=3),
         None, None,
         Entry("主要材质", rows=2), Entry("出厂价\n（元/件）", rows=2)],
        [*[None] * 4, "宽", "深", "高", None, None],
    ]  # fmt: skip
    for name, material, pieces in ranges:
        for k, (model, piece, _, _, wide, deep, high, price) in enumerate(pieces):
            rows.append(
                [Entry(name, rows=len(pieces), fill=_SAND, face="zhb") if k == 0 else None, "", model, piece, wide,
                 deep,
                 high, Entry(material, rows=len(pieces)) if k == 0 else None, price]
            )  # fmt: skip
    heights = [18.0, 18.0] + [_ROW] * (len(rows) - 2)
    boxes = draw_table(folio.leaf, 30, _TOP, _WIDTHS, heights, rows, _LOOK, 2)
    row = 2
    for name, material, pieces in ranges:
        head = row
        for model, piece, motif, paint, wide, deep, high, price in pieces:
            x0, y0, x1, y1 = boxes[row, 1]
            image = folio.shows(motif, (x0 + 5, y0 + 5, x1 - 5, y1 - 5), paint)
            bare = piece.rstrip("※")
            values = {"model": model, "product_name": bare, "series": name, "material": material, "price": price}
            sizes = _joined(wide, deep, high)
            folio.sku(
                [boxes[head, 0], boxes[head, 7], boxes[row, 1], boxes[row, 8]],
                values,
                images=[image],
                optional={"size": sizes[0], "currency": "元", "unit": "件"},
                accept={"size": sizes, "product_name": [piece], "series": [f"{name}系列"]},
            )
            row += 1
    return _TOP + sum(heights)


def _about(folio: Folio) -> None:
    leaf = folio.page("D", "L2")
    _surround(folio, "关于木雨")
    folio.decorates("plant", (34, 70, 565, 300), "#9A8468", "#E4DDD0")
    leaf.paragraph(
        34,
        336,
        531,
        "木雨家居成立于一九九八年，厂房六万平方米，年产成品家具十八万件。所有木材均有合法来源证明，出厂前逐件检验。",
        face="zh",
        size=11,
        leading=1.9,
        colour=_INK,
    )
    for k, words in enumerate(("质量管理体系", "环境管理体系", "绿色产品认证")):
        x = 54 + k * 176.0
        folio.decorates("seal", (x, 430, x + 130, 610), ("#B08D3C", "#7D8F5A", "#A85A4A")[k], "#F7F3EA")
        leaf.text(x + 65, 632, words, face="zh", size=10, colour=_SOFT, align="center")


def _pages(folio: Folio) -> None:
    folio.brand = ("木雨家居", "木雨")
    _front(folio)
    _overview(folio)
    folio.page("A", "L3")
    _surround(folio, "价格表")
    _ranges(folio, _FIRST)
    folio.page("A", "L3", continues=True, fragmented=True)
    _surround(folio, "价格表")
    foot = _ranges(folio, _SECOND)
    for k, line in enumerate(
        (
            "※ 可按图纸改尺寸，加收百分之十五。",
            "以上价格不含运费与安装费；标“面议”“询价”者按项目报价。",
            "木材为天然材料，色差与纹理不属于质量问题。",
        )
    ):
        folio.leaf.text(34, foot + 22 + k * 16, line, face="zh", size=8.5, colour=_SOFT)
    _about(folio)


STYLE = Style("zh_furniture_series", "zh", "furniture", ("zh",), _pages)
