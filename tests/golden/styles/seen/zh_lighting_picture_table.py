"""Lighting catalogue in Chinese: a price table pasted as a picture, the like on a page lying on its side, and a dense
pasted table; text around them is text."""

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.golden.styles.pens.tables import Column, Item, product_table
from tests.support.catalogues.grid import Look
from tests.support.catalogues.ink import A4, WHITE, rgb

_GOLD, _INK, _SOFT = rgb("#B0842F"), rgb("#252422"), rgb("#86817A")
_LOOK = Look(
    size=9,
    face="zh",
    header_face="zhb",
    header_fill=rgb("#3A3631"),
    header_colour=WHITE,
    band=rgb("#F7F3EA"),
    line=rgb("#8F877A"),
    colour=_INK,
)
_COLUMNS = (
    Column("picture", "图片", 74), Column("model", "型号", 76, "center"), Column("product_name", "品名", 88, "center"),
    Column("=功率", "功率", 50, "center"), Column("size", "尺寸", 84, "center"), Column("color", "颜色", 58, "center"),
    Column("price", "单价", 70, "right"),
)  # fmt: skip
_LAMPS = (
    ("DT-7201", "嵌入式射灯", "downlight", "#E8E4DA", "7W", "Φ75×55mm", "砂白", "¥26.80"),
    ("DT-7203", "嵌入式射灯", "downlight", "#3A3B3D", "12W", "Φ95×62mm", "砂黑", "¥35.50"),
    ("DG-8105", "轨道射灯", "spotlight", "#4A4C50", "20W", "Φ70×160mm", "砂黑", "¥68.00"),
    ("PB-6060", "平板灯", "panel", "#C9C4B8", "36W", "600×600×9mm", "白色", "¥59.00"),
    ("DX-3320", "简约吊灯", "pendant", "#A5573F", "E27", "Φ350×280mm", "陶土红", "¥128.00"),
    ("TG-5100", "投光灯", "floodlight", "#35383C", "100W", "260×210×45mm", "深灰", "面议"),
    ("QP-0911", "球泡灯", "bulb", "#F0E9D2", "9W", "Φ60×112mm", "乳白", "¥4.20"),
)


def _items() -> list[Item]:
    return [
        Item(
            {"model": model, "product_name": name, "=功率": power, "size": size, "color": colour, "price": price},
            (motif, paint),
            optional={"currency": "¥"},
        )
        for model, name, motif, paint, power, size, colour, price in _LAMPS
    ]


def _running(folio: Folio) -> None:
    leaf = folio.leaf
    edge = leaf.width - 40
    leaf.text(40, 42, "曜明照明", face="zhb", size=13, colour=_GOLD)
    leaf.text(edge, 42, "YAOMING LIGHTING", face="zh", size=8, colour=_SOFT, tracking=1, align="right")
    leaf.rule(40, 50, edge, 50, colour=_GOLD, thick=0.8)
    leaf.text(leaf.width / 2, leaf.height - 22, f"第{folio.number}页", face="zh", size=8, colour=_SOFT, align="center")


def _pasted(folio: Folio) -> None:
    leaf = folio.page("A", "L3", scanned=True)
    _running(folio)
    folio.heading = ("室内灯具价目", "室内灯具")
    leaf.text(40, 84, "室内灯具价目", face="zhb", size=18, colour=_INK)
    leaf.text(40, 104, "以下价格为出厂价，截图来自最新报价系统。", face="zh", size=9, colour=_SOFT)
    foot = 120 + 30 + 7 * 72.0
    with folio.pictured((40, 118, 555, foot + 4)):
        product_table(folio, 47, 122, _COLUMNS, _items(), _LOOK, head_height=28, row_height=72)


def _on_its_side(folio: Folio) -> None:
    folio.page("A", "L3", size=(A4[1], A4[0]), rotate=90, fragmented=True)
    _running(folio)
    folio.heading = ("工程灯具价目", "工程灯具", "工程灯具价目（本页横排）")
    folio.leaf.text(40, 80, "工程灯具价目（本页横排）", face="zhb", size=16, colour=_INK)
    columns = (*_COLUMNS[:2], Column("product_name", "品名", 130, "center"), *_COLUMNS[3:6],
               Column("packing", "装箱数", 80, "center"), Column("weight", "净重", 80, "center"),
               _COLUMNS[6])  # fmt: skip
    items = [
        Item({**item.cells, "model": f"{item.cells['model']}-G", "packing": f"{12 + 6 * k}只/箱",
              "weight": f"{0.3 + 0.15 * k:.2f}kg"}, item.motif, optional=item.optional)
        for k, item in enumerate(_items()[:5])
    ]  # fmt: skip
    product_table(folio, 40, 94, columns, items, _LOOK, head_height=28, row_height=70)


def _dense(folio: Folio) -> None:
    leaf = folio.page("A", "L4", scanned=True)
    _running(folio)
    folio.heading = ("光源替换件",)
    leaf.text(40, 84, "光源替换件", face="zhb", size=18, colour=_INK)
    columns = (
        Column("~no", "序号", 36, "center"), Column("model", "型号", 90), Column("product_name", "品名", 90),
        Column("=色温", "色温", 70, "center"), Column("packing", "装箱数", 70, "center"),
        Column("price", "单价", 70, "right"),
    )  # fmt: skip
    items = [
        Item({"~no": str(k + 1), "model": f"GY-{2000 + k * 13}", "product_name": ("球泡灯", "灯带", "灯管")[k % 3],
              "=色温": ("3000K", "4000K", "6500K")[k // 3 % 3], "packing": f"{50 + k % 4 * 25}只",
              "price": f"¥{3.2 + k * 0.35:.2f}" if k % 9 != 8 else "—"}, optional={"currency": "¥"})
        for k in range(27)
    ]  # fmt: skip
    with folio.pictured((60, 100, 500, 740)):
        product_table(folio, 68, 106, columns, items, _LOOK, head_height=26, row_height=22)


def _pages(folio: Folio) -> None:
    folio.brand = ("曜明照明", "YAOMING LIGHTING")
    leaf = folio.page("D", "L1")
    leaf.rect((0, 0, *A4), fill=rgb("#24211D"))
    folio.decorates("pendant", (110, 140, 485, 515), "#B0842F", "#24211D")
    leaf.text(297, 620, "曜明照明", face="zhb", size=38, colour=rgb("#E8CF9B"), align="center")
    leaf.text(297, 652, "产品手册 · 第十二版", face="zh", size=13, colour=rgb("#BFB29A"), align="center")
    _pasted(folio)
    _on_its_side(folio)
    _dense(folio)


STYLE = Style("zh_lighting_picture_table", "zh", "lighting", ("zh",), _pages)
