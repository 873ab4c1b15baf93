"""Chip selection guide in Chinese: wide landscape table with merged families that goes on under a repeated header,
a comparison with variants as columns, naming rules."""

from tests.golden.styles.pens.folio import Folio, around
from tests.golden.styles.pens.style import Style
from tests.golden.styles.pens.tables import Between, Column, Item, product_table
from tests.support.catalogues.grid import Entry, Look, Row, draw_table
from tests.support.catalogues.ink import rgb

_WIDE = (842.0, 595.0)
_PURPLE, _INK, _SOFT = rgb("#4B3C7A"), rgb("#212024"), rgb("#75727E")
_LOOK = Look(
    size=6.9,
    leading=1.25,
    pad=2.5,
    face="zh",
    header_face="zhb",
    header_fill=rgb("#D9D4EA"),
    header_colour=_INK,
    band=None,
    line=rgb("#9C97AE"),
    colour=_INK,
)
_COLUMNS = (
    Column("series", "系列", 62, "center", merge=True), Column("model", "产品型号", 88),
    Column("=内核", "内核", 62, "center", merge=True), Column("=主频", "主频", 52, "center", merge=True),
    Column("=Flash", "Flash", 46, "center"), Column("=RAM", "RAM", 44, "center"),
    Column("=GPIO", "GPIO", 42, "center"), Column("=ADC", "ADC", 48, "center"),
    Column("=工作电压", "工作电压", 62, "center", merge=True), Column("size", "封装尺寸", 76, "center"),
    Column("packing", "包装", 66, "center"), Column("description", "应用场景", 112),
)  # fmt: skip
_FAMILIES = (
    ("QL10 入门型", "QL10F", "M0+", "48MHz", "1.8-5.5V", 7, ("小家电、遥控器", "电动牙刷", "玩具")),
    ("QL21 触摸型", "QL21T", "M0+", "64MHz", "2.0-5.5V", 9, ("触摸面板", "智能开关")),
    ("QL33 主流型", "QL33C", "M3", "72MHz", "2.0-3.6V", 10, ("工业控制", "电机驱动", "仪器仪表")),
    ("QL45 高性能", "QL45H", "M4F", "168MHz", "1.8-3.6V", 8, ("音频处理", "伺服驱动")),
    ("QL50 无线型", "QL50B", "RISC-V", "96MHz", "1.7-3.6V", 8, ("蓝牙手环", "资产标签", "-")),
)  # fmt: skip
_PACKAGES = ("SOP8 4.9×3.9", "TSSOP20 6.5×4.4", "QFN20 3×3", "QFN32 5×5", "LQFP48 7×7", "LQFP64 10×10")


def _rows() -> list[Item]:
    items: list[Item] = []
    for series, code, core, clock, volts, count, uses in _FAMILIES:
        for k in range(count):
            cells = {
                "series": series, "model": f"{code}{k + 1}{'PRSKCM'[k % 6]}6", "=内核": core, "=主频": clock,
                "=Flash": f"{16 << k % 4}KB", "=RAM": f"{4 << k % 3}KB", "=GPIO": str(6 + 4 * (k % 6)),
                "=ADC": f"{4 + k % 7}CH" if k % 5 else "/", "=工作电压": volts, "size": _PACKAGES[k % 6] + "mm",
                "packing": "管装" if k % 6 == 0 else "编带", "description": uses[k % len(uses)],
            }  # fmt: skip
            items.append(Item(cells, group=series))
    return items


def _edge(folio: Folio) -> None:
    leaf = folio.leaf
    leaf.rect((0, 0, 8, leaf.height), fill=_PURPLE)
    leaf.text(30, 30, "启量微电子", face="zhb", size=10, colour=_PURPLE)
    leaf.text(leaf.width - 30, 30, "MCU 选型手册 V3.2", face="zh", size=8, colour=_SOFT, align="right")
    leaf.text(leaf.width - 30, leaf.height - 16, f"{folio.number}", face="zh", size=8, colour=_SOFT, align="right")


def _naming(folio: Folio) -> None:
    leaf = folio.page("D", "L3", size=_WIDE)
    _edge(folio)
    leaf.text(40, 84, "命名规则", face="zhb", size=20, colour=_INK)
    for k, (sign, meaning) in enumerate(
        (
            ("QL", "公司前缀"),
            ("33", "产品系列：10 入门、21 触摸、33 主流、45 高性能、50 无线"),
            ("C", "子系列"),
            ("1", "存储容量代码"),
            ("P", "引脚数代码"),
            ("6", "温度等级：6 为 -40 至 85 摄氏度"),
        )
    ):
        y = 130 + k * 44
        leaf.rect((40, y - 20, 100, y + 10), line=_PURPLE, thick=1)
        leaf.text(70, y, sign, face="zhb", size=14, colour=_PURPLE, align="center")
        leaf.text(120, y, meaning, face="zh", size=10, colour=_INK)


def _comparison(folio: Folio) -> None:
    leaf = folio.page("A", "L3", size=_WIDE)
    _edge(folio)
    leaf.text(40, 70, "评估板对比", face="zhb", size=16, colour=_INK)
    models = ("QL-EVB10", "QL-EVB21", "QL-EVB33", "QL-EVB45")
    facts = (
        ("主控芯片", "", ("QL10F4K6", "QL21T5C6", "QL33C6M6", "QL45H6M6")),
        ("尺寸", "size", ("60×40mm", "80×50mm", "100×70mm", "120×80mm")),
        ("调试接口", "", ("SWD", "SWD", "SWD+UART", "SWD+USB")), ("重量", "weight", ("22g", "31g", "58g", "74g")),
        ("颜色", "color", ("绿色", "绿色", "黑色", "蓝色")), ("含税价", "price", ("¥49", "¥69", "¥129", "面议")),
        ("起订量", "moq", ("1", "1", "1", "无")),
    )  # fmt: skip
    rows: list[Row] = [["参数 \\ 型号", *models]]
    rows += [
        [Entry(label, fill=rgb("#EFECF7")), *[Entry(text, align="center") for text in texts]]
        for label, _, texts in facts
    ]
    look = Look(
        size=9,
        face="zh",
        header_face="zhb",
        header_fill=rgb("#D9D4EA"),
        header_colour=_INK,
        band=None,
        line=rgb("#9C97AE"),
        colour=_INK,
    )
    boxes = draw_table(leaf, 40, 90, [110.0, *[150.0] * 4], [30.0] * len(rows), rows, look)
    for k, model in enumerate(models):
        base = {key: texts[k] for _, key, texts in facts if key}
        custom = {label: texts[k] for label, key, texts in facts if not key}
        folio.sku(
            [around([boxes[row, k + 1] for row in range(len(rows))])],
            {"model": model, **base},
            custom=custom,
            optional={"currency": "¥"},
        )
    leaf.text(40, 350, "注：评估板不含下载器，颜色以当批为准。", face="zh", size=8.5, colour=_SOFT)


def _pages(folio: Folio) -> None:
    folio.brand = ("启量微电子",)
    _naming(folio)
    items = _rows()
    for start, stop in ((0, 24), (24, len(items))):
        folio.page("A", "L4" if start == 0 else "L3", size=_WIDE, continues=start > 0)
        _edge(folio)
        folio.leaf.text(
            421,
            52,
            "MCU 选型表" if start == 0 else "MCU 选型表（续）",
            face="zhb",
            size=13,
            colour=_INK,
            align="center",
        )
        note = (
            (Between(stop - start, "注：加“/”者不支持；编带最小包装 3000 片。", colour=_SOFT, height=15),)
            if start
            else ()
        )
        product_table(folio, 41, 64, _COLUMNS, items[start:stop], _LOOK, head_height=22, row_height=18, between=note)
    _comparison(folio)


STYLE = Style("zh_electronics_selection", "zh", "electronics", ("zh",), _pages)
