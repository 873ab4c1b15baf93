"""Hardware price list in Chinese: ruled, two header rows, section and unit rows, price tiers, total, notes; the table
goes on over two pages without its header."""

from dataclasses import replace

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.golden.styles.pens.tables import Between, Column, Item, product_table
from tests.support.catalogues.grid import Entry, Look, Row
from tests.support.catalogues.ink import A4, WHITE, rgb

_RED, _INK, _SOFT = rgb("#A3261E"), rgb("#22262B"), rgb("#70767E")
_LOOK = Look(
    size=7.4,
    face="zh",
    header_face="zhb",
    pad=3,
    header_fill=rgb("#DCE3EA"),
    header_colour=_INK,
    band=None,
    line=rgb("#8C96A0"),
    colour=_INK,
)
_COLUMNS = (
    Column("~no", "序号", 28, "center"), Column("model", "货号", 68), Column("product_name", "品名", 92),
    Column("size", "规格(mm)", 62, "center"), Column("material", "材质", 64), Column("unit", "单位", 32, "center"),
    Column("#1-99", "1-99", 46, "right"), Column("#100-999", "100-999", 50, "right"),
    Column("#1000以上", "1000以上", 50, "right"), Column("moq", "起订量", 36, "center"),
)  # fmt: skip
_HEAD: list[Row] = [
    [*[Entry(column.head, rows=2) for column in _COLUMNS[:6]], Entry("含税单价（元）", cols=3), None, None,
     Entry("起订量", rows=2)],
    [*[None] * 6, "1-99", "100-999", "1000以上", None],
]  # fmt: skip
_FAMILIES = (
    ("一、不锈钢合页", "HY", "子母合页", "不锈钢304", "付",
     ("100×75×2.5", "100×75×3", "125×75×3", "127×89×3", "150×100×3"), 680),
    ("二、抽屉拉手", "LS", "铝合金拉手", "铝合金", "只",
     ("孔距64", "孔距96", "孔距128", "孔距160", "孔距192", "孔距256"), 320),
    ("三、家具脚轮", "JL", "万向脚轮", "聚氨酯", "只", ("Φ38", "Φ50", "Φ63", "Φ75", "Φ100", "Φ125"), 450),
    ("四、黄铜挂锁", "GS", "薄型挂锁", "黄铜", "把", ("25", "32", "38", "50", "63"), 1150),
    ("五、膨胀螺栓", "PZ", "膨胀螺栓", "碳钢镀锌", "套",
     ("M6×60", "M8×80", "M10×100", "M12×120", "M14×140", "M16×150"), 65),
    ("六、角码", "JM", "直角角码", "不锈钢201", "片", ("20×20×15", "30×30×15", "40×40×20", "50×50×25", "65×65×30"), 90),
    ("七、门吸", "MX", "地装门吸", "锌合金", "套", ("45×32", "48×45", "75×50", "82×48"), 980),
)  # fmt: skip


def _items(folio: Folio) -> tuple[list[Item], list[Between]]:
    items: list[Item] = []
    titles: list[Between] = []
    for title, code, name, material, unit, sizes, fen in _FAMILIES:
        titles.append(Between(len(items), title, rgb("#F3E3DC"), "zhb", _RED, series=title[2:]))
        for k, size in enumerate(sizes):
            price = fen * (1 + k * 0.23) / 100
            cells = {
                "~no": str(len(items) + 1), "model": f"{code}-{1001 + k * 7}", "product_name": name, "size": size,
                "material": "/" if k == 3 and code == "JM" else material, "unit": unit, "#1-99": f"{price:.2f}",
                "#100-999": f"{price * 0.92:.2f}", "#1000以上": "面议" if fen > 900 else f"{price * 0.85:.2f}",
                "moq": str(folio.random.choice((10, 20, 50, 100))),
            }  # fmt: skip
            items.append(Item(cells))
    return items, titles


def _running(folio: Folio) -> None:
    leaf = folio.leaf
    leaf.text(34, 34, "永利达五金制品", face="zhb", size=9, colour=_RED)
    leaf.text(561, 34, "2026年出厂报价单", face="zh", size=8, colour=_SOFT, align="right")
    leaf.rule(34, 40, 561, 40, colour=_RED, thick=1)
    leaf.text(297, 822, f"第 {folio.number} 页", face="zh", size=8, colour=_SOFT, align="center")


def _cover(folio: Folio) -> None:
    leaf = folio.page("D", "L1")
    leaf.rect((0, 0, *A4), fill=rgb("#F2F0EC"))
    leaf.rect((0, 0, A4[0], 210), fill=_RED)
    leaf.text(48, 120, "永利达五金", face="zhb", size=40, colour=WHITE)
    leaf.text(50, 156, "YONGLIDA HARDWARE", face="zh", size=14, colour=WHITE, tracking=4)
    folio.decorates("hinge", (60, 280, 270, 490), "#8B929A", "#F2F0EC")
    folio.decorates("padlock", (325, 280, 535, 490), "#B98B3C", "#F2F0EC")
    folio.decorates("caster", (60, 510, 270, 720), "#3B4046", "#F2F0EC")
    folio.decorates("bolt", (325, 510, 535, 720), "#9AA1A8", "#F2F0EC")
    leaf.text(297, 780, "2026 出厂报价单", face="zh", size=18, colour=_INK, align="center")


def _terms(folio: Folio) -> None:
    leaf = folio.page("D", "L3")
    _running(folio)
    leaf.text(34, 84, "交易说明", face="zhb", size=18, colour=_INK)
    leaf.paragraph(
        34,
        116,
        527,
        "一、本报价单自2026年1月1日起执行，原报价同时作废。原材料价格波动超过百分之五时，双方另行协商。\n"
        "二、付款方式：首批款到发货，三个月后可申请月结三十天。\n"
        "三、包装采用五层瓦楞纸箱，如需彩盒或吸塑包装，费用另计。\n"
        "四、收货后七日内如有短少或质量异议，请书面通知我司，逾期视为验收合格。\n"
        "五、样品免费提供，运费到付；样品确认后方可安排大货生产。",
        face="zh",
        size=10,
        leading=2.1,
    )


def _pages(folio: Folio) -> None:
    folio.brand = ("永利达五金制品", "永利达五金", "永利达")
    _cover(folio)
    items, titles = _items(folio)
    folio.page("A", "L4")
    _running(folio)
    folio.leaf.text(297, 66, "五金配件价目表", face="zhb", size=15, colour=_INK, align="center")
    first = 26
    unit = Between(0, "", cells=("", "", "", "mm", "", "", "元", "元", "元", "个"), colour=_SOFT, height=14)
    shown = [unit, *[one for one in titles if one.at < first]]
    product_table(
        folio,
        33.5,
        80,
        _COLUMNS,
        items[:first],
        _LOOK,
        head=_HEAD,
        head_height=17,
        row_height=19.5,
        between=shown,
        also={"currency": "元"},
    )
    folio.page("A", "L3", continues=True)
    _running(folio)
    rest = [replace(one, at=one.at - first) for one in titles if one.at >= first]
    count = len(items) - first
    rest += [
        Between(count, f"合计：{len(items)} 个规格", rgb("#EEF1F4"), "zhb", _INK, "right"),
        Between(count, "备注：以上价格含13%增值税，不含运费；面议规格请联系业务员。", height=20),
    ]
    product_table(
        folio, 33.5, 56, _COLUMNS, items[first:], _LOOK, head=(), row_height=19.5, between=rest, also={"currency": "元"}
    )
    _terms(folio)


STYLE = Style("zh_hardware_tiers", "zh", "hardware", ("zh",), _pages)
