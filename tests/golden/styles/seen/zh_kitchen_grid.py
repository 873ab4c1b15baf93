"""Kitchenware catalogue in Chinese: cover, contents, certificates, photo grids with captions under the pictures, sets,
an index that repeats the items; a logo and a watermark on every page."""

from collections.abc import Sequence

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.ink import A4, WHITE, Box, rgb

_ORANGE, _INK, _SOFT, _PALE = rgb("#C8641B"), rgb("#2A2522"), rgb("#8C837B"), rgb("#F0EDE9")
# Model, name, motif, paint, size, material, price.
_Ware = tuple[str, str, str, str, str, str, str]
_POTS: tuple[_Ware, ...] = (
    ("TG-2201", "珐琅铸铁锅", "pot", "#B5402F", "Φ24×11cm", "铸铁珐琅", "¥268.00"),
    ("TG-2203", "复底汤锅", "pot", "#8F979E", "Φ20×12cm", "304不锈钢", "¥129.00"),
    ("TG-2208", "麦饭石炒锅", "pan", "#5B5A56", "Φ32×9cm", "铝合金", "¥156.00"),
    ("TG-2215", "煎盘", "pan", "#2F3A44", "Φ26×5cm", "碳钢", "¥89.00"),
    ("SH-1102", "鸣笛水壶", "kettle", "#3E7C74", "3.0L", "304不锈钢", "¥98.00"),
    ("SH-1108", "长嘴细口壶", "kettle", "#30343A", "0.6L", "430不锈钢", "面议"),
    ("DJ-3301", "厨师刀", "knife", "#6B4A34", "刃长20cm", "5Cr15MoV", "¥75.00"),
    ("DJ-3307", "水果刀", "knife", "#A6432E", "刃长10cm", "/", "¥28.00"),
    ("CB-4405", "整木砧板", "cutting_board", "#B98A54", "40×28×2.5cm", "相思木", "¥86.00"),
)
_TABLE: tuple[_Ware, ...] = (
    ("BW-5510", "手绘大汤碗", "bowl", "#3F6E9A", "Φ21×9cm", "釉下彩瓷", "¥39.00"),
    ("BW-5512", "饭碗", "bowl", "#C48A3A", "Φ12×6cm", "釉下彩瓷", "¥15.50"),
    ("MB-6601", "马克杯", "mug", "#D2A83C", "350ml", "骨瓷", "¥22.00"),
    ("MB-6604", "对杯", "mug", "#6C7F62", "300ml×2", "粗陶", "¥45.00"),
    ("PZ-7702", "保温瓶", "bottle", "#455A77", "500ml", "316不锈钢", "¥118.00"),
    ("CJ-8801", "三件套餐具", "cutlery", "#A9AFB4", "勺+叉+刀", "18/10不锈钢", "¥36.00"),
)


def _frame(folio: Folio, title: str) -> None:
    folio.heading = (title,)
    leaf = folio.leaf
    leaf.slanted("山行厨具 · 版权所有", face="zh", size=54, colour=_PALE)
    folio.decorates("logo", (40, 26, 62, 48), "#C8641B")
    leaf.text(70, 42, "山行厨具", face="zhb", size=12, colour=_ORANGE)
    leaf.text(555, 42, title, face="zh", size=9, colour=_SOFT, align="right")
    leaf.rule(40, 54, 555, 54, colour=_ORANGE, thick=0.8)
    leaf.text(40, 822, "SHANXING KITCHENWARE", face="zh", size=7, colour=_SOFT, tracking=1)
    leaf.text(555, 822, f"{folio.number:02d}", face="zh", size=8, colour=_SOFT, align="right")


def _cover(folio: Folio) -> None:
    leaf = folio.page("D", "L1", fragmented=True)
    leaf.rect((0, 0, *A4), fill=rgb("#2A2522"))
    folio.decorates("pot", (60, 230, 535, 650), "#B5402F", "#4A423C")
    leaf.text(60, 130, "山行厨具", face="zhb", size=44, colour=WHITE)
    leaf.text(62, 170, "产品图册 2026", face="zh", size=16, colour=rgb("#E5C9AE"))
    leaf.text(297, 760, "一口好锅，三代人用", face="zh", size=13, colour=rgb("#E5C9AE"), align="center")


def _certificates(folio: Folio) -> None:
    leaf = folio.page("D", "L2", fragmented=True)
    _frame(folio, "资质证书")
    names = (
        "质量管理体系认证",
        "食品接触材料检测报告",
        "外观设计专利证书",
        "出口备案登记",
        "环境管理体系认证",
        "商标注册证",
    )
    for k, name in enumerate(names):
        x, y = 52 + k % 3 * 168.0, 90 + k // 3 * 290.0
        folio.decorates("seal", (x, y, x + 150, y + 210), "#A8763A", "#EFEAE0")
        leaf.text(x + 75, y + 230, name, face="zh", size=9, colour=_INK, align="center")


def _grid(folio: Folio, title: str, wares: Sequence[_Ware], *, columns: int, high: float) -> None:
    leaf = folio.leaf
    _frame(folio, title)
    leaf.text(40, 86, title, face="zhb", size=18, colour=_INK)
    wide = (515 - 16 * (columns - 1)) / columns
    for k, (model, name, motif, paint, size, material, price) in enumerate(wares):
        x, y = 40 + k % columns * (wide + 16), 104 + k // columns * (high + 74)
        image = folio.shows(motif, (x, y, x + wide, y + high), paint, "#EFEBE5")
        leaf.text(x, y + high + 15, name, face="zhb", size=10, colour=_INK)
        leaf.text(x + wide, y + high + 15, price, face="zhb", size=10, colour=_ORANGE, align="right")
        for n, line in enumerate((f"型号：{model}", f"规格：{size}", f"材质：{material}")):
            leaf.text(x, y + high + 28 + 11.5 * n, line, face="zh", size=8, colour=_SOFT)
        values = {"model": model, "product_name": name, "size": size, "material": material, "price": price}
        folio.sku([(x, y, x + wide, y + high + 56)], values, images=[image], optional={"currency": "¥"})


def _index(folio: Folio) -> None:
    leaf = folio.page("D", "L4")
    _frame(folio, "型号索引")
    leaf.text(40, 90, "型号索引", face="zhb", size=18, colour=_INK)
    for k, (model, name, *_) in enumerate((*_POTS, *_TABLE, *_SETS)):
        x, y = 40 + k // 10 * 268.0, 124 + k % 10 * 26.0
        leaf.text(x, y, model, face="zh", size=9, colour=_INK)
        leaf.text(x + 70, y, name, face="zh", size=9, colour=_INK)
        leaf.text(x + 160, y, "·" * 22, face="zh", size=8, colour=_SOFT)
        leaf.text(x + 240, y, str(3 if k < 9 else 4 if k < 15 else 5), face="zh", size=9, colour=_INK, align="right")


_SETS: tuple[tuple[str, str, str, str, str, str], ...] = (
    ("TZ-9001", "五件套锅具", "pot", "#8F979E", "汤锅×1、奶锅×1、炒锅×1、蒸笼×1、锅盖×1", "¥499.00"),
    ("TZ-9003", "刀具七件套", "knife", "#4B3A30", "厨师刀×1、切片刀×1、水果刀×1、剪刀×1、磨刀棒×1、刀座×1、砧板×1",
     "¥358.00"),
    ("TZ-9006", "茶具礼盒", "kettle", "#7C5A3C", "壶×1、杯×4、茶盘×1", "¥226.00"),
)  # fmt: skip


def _sets(folio: Folio) -> None:
    """Each set beside its picture; what it holds is no product of its own."""
    leaf = folio.page("B", "L3")
    _frame(folio, "套装与礼盒")
    leaf.text(40, 86, "套装与礼盒", face="zhb", size=18, colour=_INK)
    for k, (model, name, motif, paint, parts, price) in enumerate(_SETS):
        y = 106 + k * 228.0
        box: Box = (40, y, 250, y + 200)
        image = folio.shows(motif, box, paint, "#EFEBE5")
        leaf.text(272, y + 26, name, face="zhb", size=15, colour=_INK)
        lines = (("型号", model), ("套装内容", parts), ("包装", "彩盒，每箱4套"), ("零售价", price))
        at = y + 56
        for label, value in lines:
            leaf.text(272, at, f"{label}：", face="zhb", size=9, colour=_ORANGE)
            at = leaf.paragraph(330, at, 220, value, face="zh", size=9, leading=1.7, colour=_INK) + 8
        values = {"model": model, "product_name": name, "packing": "彩盒，每箱4套", "price": price}
        folio.sku(
            [(40, y, 555, y + 204)],
            values,
            images=[image],
            optional={"currency": "¥", "description": parts},
            custom={"套装内容": parts},
        )


def _pages(folio: Folio) -> None:
    folio.brand = ("山行厨具", "SHANXING KITCHENWARE")
    _cover(folio)
    _certificates(folio)
    folio.page("C", "L2")
    _grid(folio, "锅具与刀具", _POTS, columns=3, high=150)
    folio.page("C", "L2", fragmented=True)
    _grid(folio, "餐具与器皿", _TABLE, columns=2, high=152)
    _sets(folio)
    _index(folio)


STYLE = Style("zh_kitchen_grid", "zh", "kitchenware", ("zh",), _pages)
