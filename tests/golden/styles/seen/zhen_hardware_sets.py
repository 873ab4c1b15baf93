"""Bilingual tool sets: each set with its photo, a parts list that is no list of products, and the price of the whole; a
price table in two languages with merged photos; a page of one kit."""

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.golden.styles.pens.tables import Between, Column, Item, product_table
from tests.support.catalogues.grid import Look
from tests.support.catalogues.ink import A4, WHITE, rgb

_YELLOW, _INK, _SOFT = rgb("#E2A512"), rgb("#212121"), rgb("#7D7D7D")
_SETS = (
    ("KT-4612", "46件套筒组", "46-pc socket set", "nut", "#8B949C",
     ("套筒 Sockets × 24", "批头 Bits × 18", "棘轮 Ratchet × 1", "接杆 Extensions × 3"),
     "1.9 kg", "USD 11.80"),
    ("KT-0806", "8件螺丝批组", "8-pc screwdriver set", "screwdriver", "#C0392B",
     ("十字批 Phillips × 4", "一字批 Slotted × 4"), "0.8 kg", "USD 4.35"),
    ("KT-1220", "电钻工具箱", "Drill tool kit", "drill", "#2E7D5B",
     ("电钻 Drill × 1", "电池 Battery × 2", "钻头 Drill bits × 13"), "3.4 kg", "面议"),
    ("KT-0510", "挂锁五连组", "5-pc keyed-alike padlocks", "padlock", "#B98B3C",
     ("挂锁 Padlocks × 5", "钥匙 Keys × 6"), "1.1 kg", "USD 9.90"),
)  # fmt: skip


def _band(folio: Folio, zh: str, en: str) -> None:
    folio.heading = (zh, en, f"{zh} {en}", f"{zh}{en}")
    leaf = folio.leaf
    leaf.rect((0, 0, 595, 58), fill=_YELLOW)
    leaf.text(40, 38, zh, face="zhb", size=18, colour=_INK)
    leaf.text(555, 38, en, face="bold", size=12, colour=_INK, align="right")
    leaf.text(40, 822, "力拓工具 LITO TOOLS", face="zh", size=7.5, colour=_SOFT)
    leaf.text(555, 822, f"P.{folio.number:02d}", face="bold", size=8, colour=_SOFT, align="right")


def _set(folio: Folio, k: int, y: float) -> None:
    code, zh, en, motif, paint, parts, weight, price = _SETS[k]
    leaf = folio.leaf
    leaf.rect((40, y, 555, y + 330), line=rgb("#DDDDDD"), thick=0.8, radius=4)
    image = folio.shows(motif, (52, y + 14, 292, y + 214), paint, "#F4F4F2")
    leaf.text(310, y + 36, zh, face="zhb", size=15, colour=_INK)
    leaf.text(310, y + 54, en, face="bold", size=10.5, colour=_SOFT)
    for n, (label, value) in enumerate((("货号 Item No.", code), ("重量 Weight", weight), ("价格 Price", price))):
        leaf.text(310, y + 84 + n * 22, label, face="zh", size=9, colour=_SOFT)
        leaf.text(400, y + 84 + n * 22, value, face="zhb", size=10, colour=_INK)
    leaf.text(52, y + 240, "配置清单 Contents", face="zhb", size=9.5, colour=_INK)
    for n, part in enumerate(parts):
        leaf.text(52 + n % 2 * 240, y + 260 + n // 2 * 18, f"· {part}", face="zh", size=9, colour=_INK)
    folio.sku(
        [(40, y, 555, y + 330)],
        {"model": code, "product_name": zh, "weight": weight, "price": price},
        images=[image],
        accept={"product_name": [en, f"{zh} {en}"]},
        optional={"currency": "USD", "description": "; ".join(parts)},
    )


def _table(folio: Folio, *, second: bool) -> None:
    folio.page("A", "L3", continues=second, fragmented=second)
    _band(folio, "散件价目", "Single items")
    look = Look(
        size=8,
        face="zh",
        header_face="zhb",
        header_fill=rgb("#F6E3B0"),
        header_colour=_INK,
        band=None,
        line=rgb("#B9B4A6"),
        colour=_INK,
    )
    columns = (
        Column("picture", "图片\nPhoto", 90, merge=True), Column("model", "货号\nItem No.", 76, "center"),
        Column("product_name", "品名\nDescription", 124, merge=True), Column("size", "规格\nSize", 74, "center"),
        Column("color", "颜色\nColour", 76, "center"), Column("price", "单价\nUSD", 52, "right"),
        Column("moq", "MOQ", 36, "center"),
    )  # fmt: skip
    goods = (
        (
            ("DR", "螺丝批 Screwdriver", "screwdriver", "#C0392B", ("PH1×75", "PH2×100", "PH2×150"), 0.62),
            ("LK", "铜挂锁 Brass padlock", "padlock", "#B98B3C", ("30mm", "40mm", "50mm"), 1.45),
            ("CS", "脚轮 Caster", "caster", "#4A4F54", ('2"', '3"'), 0.98),
        ),
        (
            ("HG", "合页 Hinge", "hinge", "#9A8A6C", ("75mm", "100mm"), 0.41),
            ("HD", "拉手 Handle", "handle", "#6A7076", ("96mm", "128mm", "160mm"), 0.77),
        ),
    )[second]
    items = []
    for code, name, motif, paint, sizes, first in goods:
        zh, en = name.split(" ", 1)
        for k, size in enumerate(sizes):
            cells = {"model": f"LT-{code}{k + 1:02d}", "product_name": name, "size": size,
                     "price": f"{first * (1 + 0.2 * k):.2f}",
                     "color": ("红色 Red", "黑色 Black", "—")[k % 3], "moq": "500"}  # fmt: skip
            colour = cells["color"].split(" ")
            items.append(Item(cells, (motif, paint), code, accept={"product_name": [zh, en], "color": colour}))
    note = (Between(len(items), "注 Note: 价格不含税 Prices exclude tax.", colour=_SOFT),) if second else ()
    product_table(
        folio, 33.5, 84, columns, items, look, head_height=32, row_height=36, between=note, also={"currency": "USD"}
    )


def _pages(folio: Folio) -> None:
    folio.brand = ("力拓工具", "LITO TOOLS", "力拓工具 LITO TOOLS")
    leaf = folio.page("D", "L1")
    leaf.rect((0, 0, *A4), fill=_YELLOW)
    folio.decorates("drill", (90, 200, 505, 615), "#212121", "#E2A512")
    leaf.text(297, 700, "力拓工具", face="zhb", size=42, colour=_INK, align="center")
    leaf.text(297, 730, "LITO TOOLS 2026", face="bold", size=15, colour=WHITE, align="center")
    for page in range(2):
        folio.page("B", "L3", fragmented=page == 1)
        _band(folio, "组套工具", "Tool sets")
        _set(folio, page * 2, 84)
        _set(folio, page * 2 + 1, 440)
    for second in (False, True):
        _table(folio, second=second)


STYLE = Style("zhen_hardware_sets", "zhen", "hardware", ("zh", "bold"), _pages)
