"""Stationery and gifts in Chinese: sixteen a page with code, name and price under each photo, some with a second photo
of the back; lists in two columns without a single rule; an index that repeats the codes."""

from collections.abc import Sequence

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.golden.styles.pens.tables import Between, Column, Item, Rules, product_table
from tests.support.catalogues.grid import Look
from tests.support.catalogues.ink import WHITE, Box, rgb

_BLUE, _CORAL, _INK, _SOFT, _MIST = rgb("#31507A"), rgb("#D2583F"), rgb("#2A2C30"), rgb("#8A8E96"), rgb("#EDF1F6")
_WALL, _GAP = "#F4F3EF", 2.0
# Code, name, motif, paint, price, motif of the back ("" where there is none).
_Thing = tuple[str, str, str, str, str, str]
_DESK: tuple[_Thing, ...] = (
    ("MH-1001", "金属签字笔", "pen", "#31507A", "¥12.80", ""),
    ("MH-1004", "按动中性笔", "pen", "#D2583F", "¥3.50", ""),
    ("MH-1102", "A5皮面本", "notebook", "#6B4632", "¥26.00", "notebook_back"),
    ("MH-1105", "B6布面本", "notebook", "#5E7D6A", "¥18.50", "notebook_back"),
    ("MH-1201", "帆布笔袋", "pencil_case", "#C99B3B", "¥15.00", "pencil_case@turned"),
    ("MH-1203", "硅胶笔盒", "pencil_case", "#7FA7B8", "¥22.00", ""),
    ("MH-1301", "省力订书机", "stapler", "#D2583F", "¥19.80", "stapler@turned"),
    ("MH-1304", "迷你订书机", "stapler", "#5B6A8C", "¥9.90", ""),
    ("MH-1402", "办公剪刀", "scissors", "#3E444D", "¥8.60", ""),
    ("MH-1405", "儿童安全剪", "scissors", "#E0A63A", "¥6.20", ""),
    ("MH-1501", "三角台历", "calendar", "#A3473B", "¥16.00", "calendar_back"),
    ("MH-1502", "周历台历", "calendar", "#3F6F8C", "面议", "calendar_back"),
    ("MH-1601", "静音挂钟", "clock", "#4A4F57", "¥58.00", ""),
    ("MH-1604", "木框挂钟", "clock", "#A97F4E", "¥76.00", ""),
    ("MH-1702", "卷尺挂件", "tape_measure", "#D9B13F", "¥11.20", ""),
    ("MH-1705", "拆信刀", "knife", "#6D5A8A", "¥24.00", ""),
)  # fmt: skip
_GIFTS: tuple[_Thing, ...] = (
    ("MH-3001", "中秋礼盒", "gift_box", "#8C2F3A", "¥128.00", ""),
    ("MH-3003", "商务四件套", "gift_box", "#2F3E55", "¥199.00", ""),
    ("MH-3102", "骨瓷马克杯", "mug", "#D8CDB8", "¥32.00", "mug@turned"),
    ("MH-3105", "变色马克杯", "mug", "#3B3F46", "¥28.00", "mug@turned"),
    ("MH-3201", "真空保温杯", "bottle", "#3F6F6A", "¥68.00", ""),
    ("MH-3204", "运动水壶", "bottle", "#C9693F", "¥39.00", ""),
    ("MH-3301", "三折晴雨伞", "umbrella", "#31507A", "¥45.00", ""),
    ("MH-3303", "长柄伞", "umbrella", "#6B4632", "¥59.00", ""),
    ("MH-3401", "帆布手提袋", "tote", "#D9C7A0", "¥13.50", "tote@turned"),
    ("MH-3404", "无纺布袋", "tote", "#5C8A58", "¥2.80", ""),
    ("MH-3502", "皮革钥匙扣", "keyring", "#8A5A3A", "¥9.00", "keyring@turned"),
    ("MH-3505", "金属钥匙扣", "keyring", "#7A838C", "¥7.50", ""),
    ("MH-3601", "木质积木", "blocks", "#C0563F", "¥48.00", ""),
    ("MH-3603", "浴室小鸭", "duck", "#E3BE45", "¥5.60", ""),
    ("MH-3702", "充电台灯", "table_lamp", "#B8A98C", "¥89.00", ""),
    ("MH-3705", "刺绣棒球帽", "cap", "#31507A", "询价", "cap@turned"),
)  # fmt: skip
# Group, code of the group, first number, names with size, pack and price.
_Listed = tuple[str, str, int, tuple[tuple[str, str, str, str], ...]]
_LISTS: tuple[tuple[_Listed, ...], ...] = (
    (("笔芯与墨水", "MX", 501, (
        ("中性笔芯", "0.38mm", "20支/盒", "14.00"), ("中性笔芯", "0.5mm", "20支/盒", "14.00"),
        ("中性笔芯", "0.7mm", "20支/盒", "15.50"), ("圆珠笔芯", "0.7mm", "50支/盒", "21.00"),
        ("钢笔墨囊", "2.6mm", "6支/盒", "8.80"), ("钢笔墨水", "50ml", "12瓶/箱", "16.00"),
        ("白板笔水", "25ml", "24瓶/箱", "7.20"), ("自动铅芯", "0.5×60mm", "40支/管", "4.50"))),
     ("纸品", "MZ", 601, (
         ("便利贴", "76×76mm", "100张/本", "3.20"), ("便利贴", "76×126mm", "100张/本", "4.60"),
         ("索引贴", "12×45mm", "100张/包", "2.90"), ("复印纸", "A4 70g", "500张/包", "23.50"),
         ("复印纸", "A3 80g", "500张/包", "56.00"), ("牛皮信封", "5号", "100个/包", "19.00"),
         ("活页内芯", "A5 6孔", "80张/包", "8.40"), ("贺卡", "114×162mm", "10张/套", "面议")))),
    (("装订与收纳", "MS", 701, (
        ("回形针", "29mm", "100枚/盒", "1.80"), ("长尾夹", "19mm", "40只/筒", "9.60"),
        ("长尾夹", "32mm", "24只/筒", "13.20"), ("订书钉", "24/6", "1000枚/盒", "1.50"),
        ("订书钉", "23/13", "1000枚/盒", "4.20"), ("抽杆夹", "A4", "10个/包", "12.50"),
        ("风琴包", "A4 13层", "24个/箱", "18.60"), ("档案盒", "55mm", "10个/箱", "62.00"))),
     ("胶带与胶水", "MJ", 801, (
         ("透明胶带", "12mm×20m", "12卷/筒", "8.00"), ("透明胶带", "48mm×60m", "6卷/筒", "27.00"),
         ("双面胶带", "9mm×10m", "24卷/盒", "19.20"), ("修正带", "5mm×8m", "12个/盒", "32.40"),
         ("固体胶", "21g", "12支/盒", "24.00"), ("白乳胶", "125ml", "24瓶/箱", "—"),
         ("美纹纸胶带", "20mm×20m", "10卷/筒", "22.00"), ("泡棉胶带", "24mm×3m", "8卷/盒", "17.60")))),
)  # fmt: skip


def _head(folio: Folio, title: str) -> None:
    folio.heading = (title,)
    leaf = folio.leaf
    leaf.rect((0, 0, 595, 40), fill=_BLUE)
    leaf.text(30, 27, title, face="zhb", size=15, colour=WHITE)
    leaf.text(565, 26, "墨禾文礼", face="zhb", size=10, colour=WHITE, align="right")
    leaf.text(297, 828, f"- {folio.number} -", face="zh", size=8, colour=_SOFT, align="center")


def _photos(folio: Folio, thing: _Thing, box: Box) -> list[str]:
    """One photo that fills the box, or front and back next to each other."""
    _, _, motif, paint, _, back = thing
    x0, y0, x1, y1 = box
    if not back:
        return [folio.shows(motif, box, paint, _WALL)]
    middle = (x0 + x1) / 2
    return [
        folio.shows(motif, (x0, y0, middle - _GAP / 2, y1), paint, _WALL),
        folio.shows(back, (middle + _GAP / 2, y0, x1, y1), paint, _WALL),
    ]


def _note(folio: Folio, thing: _Thing, box: Box, images: Sequence[str]) -> None:
    code, name, _, _, price, _ = thing
    folio.sku(
        [box],
        {"model": code, "product_name": name, "price": price},
        images=images,
        optional={"currency": "¥"} if price.startswith("¥") else {},
    )


def _centred(folio: Folio) -> None:
    """Code, name and price under each other in the middle."""
    leaf = folio.page("C", "L2")
    _head(folio, "桌面文具")
    for k, thing in enumerate(_DESK):
        x, y = 30 + k % 4 * 136.0, 58 + k // 4 * 190.0
        images = _photos(folio, thing, (x, y, x + 127, y + 126))
        for n, (text, face, size, colour) in enumerate(
            ((thing[0], "zh", 8.0, _SOFT), (thing[1], "zhb", 9.5, _INK), (thing[4], "zhb", 10.0, _CORAL))
        ):
            leaf.text(x + 63.5, y + 139 + n * 14.5, text, face=face, size=size, colour=colour, align="center")
        _note(folio, thing, (x, y, x + 127, y + 174), images)


def _in_frames(folio: Folio) -> None:
    """Each in a frame: the name over code and price, which share a line."""
    leaf = folio.page("C", "L2", fragmented=True)
    _head(folio, "礼品定制")
    for k, thing in enumerate(_GIFTS):
        x, y = 26 + k % 4 * 137.0, 56 + k // 4 * 191.0
        leaf.rect((x, y, x + 131, y + 183), line=rgb("#D5DAE2"), thick=0.7)
        images = _photos(folio, thing, (x + 5, y + 5, x + 126, y + 137))
        leaf.text(x + 8, y + 154, thing[1], face="zhb", size=9.5, colour=_INK)
        leaf.text(x + 8, y + 172, thing[0], face="zh", size=8, colour=_SOFT)
        leaf.text(x + 123, y + 172, thing[4], face="zhb", size=10, colour=_CORAL, align="right")
        _note(folio, thing, (x, y, x + 131, y + 183), images)


def _items(groups: Sequence[_Listed]) -> tuple[list[Item], list[Between]]:
    items: list[Item] = []
    between: list[Between] = []
    for title, code, first, rows in groups:
        between.append(Between(len(items), title, face="zhb", colour=_CORAL, height=28, series=title))
        for k, (name, size, packing, price) in enumerate(rows):
            items.append(Item({"model": f"{code}-{first + 2 * k}", "product_name": name, "size": size,
                               "packing": packing, "price": price}))  # fmt: skip
    return items, between


def _lists(folio: Folio) -> None:
    folio.page("A", "L4")
    _head(folio, "耗材价目")
    folio.leaf.text(30, 62, "单位：元，含税，整包装起订", face="zh", size=8.5, colour=_SOFT)
    look = Look(
        size=8.6, face="zh", header_face="zhb", header_fill=None, header_colour=_BLUE, band=None, colour=_INK, pad=3
    )
    columns = (
        Column("model", "货号", 48), Column("product_name", "品名", 62), Column("size", "规格", 62),
        Column("packing", "包装", 54), Column("price", "单价", 36, "right"),
    )  # fmt: skip
    for k, groups in enumerate(_LISTS):
        items, between = _items(groups)
        product_table(
            folio,
            27 + k * 280.0,
            72,
            columns,
            items,
            look,
            head_height=24,
            row_height=33,
            between=between,
            rules=Rules(head_line=0, foot_line=0),
            also={"currency": "元"},
        )
    folio.leaf.text(30, 800, "带“面议”的品种请与业务员联系，样品可免费寄送。", face="zh", size=8, colour=_SOFT)


def _index(folio: Folio) -> None:
    """Codes and names again, with the page on which each stands."""
    leaf = folio.page("D", "L4")
    _head(folio, "货号索引")
    entries = [(thing[0], thing[1], 2) for thing in _DESK] + [(thing[0], thing[1], 3) for thing in _GIFTS]
    for groups in _LISTS:
        entries += [(item.cells["model"], item.cells["product_name"], 4) for item in _items(groups)[0]]
    for k, (code, name, page) in enumerate(entries):
        x, y = 30 + k // 22 * 184.0, 74 + k % 22 * 33.0
        leaf.text(x, y, code, face="zh", size=9, colour=_INK)
        leaf.text(x + 52, y, name, face="zh", size=9, colour=_INK)
        leaf.text(x + 112, y, "·" * 9, face="zh", size=8, colour=_SOFT)
        leaf.text(x + 166, y, f"{page:02d}", face="zhb", size=9, colour=_BLUE, align="right")


def _company(folio: Folio) -> None:
    leaf = folio.page("D", "L1")
    leaf.rect((0, 0, 595, 842), fill=_MIST)
    folio.decorates("notebook", (60, 90, 330, 430), "#31507A", "#F7F5EF")
    folio.decorates("gift_box", (338, 170, 535, 430), "#D2583F", "#F7F5EF")
    leaf.text(60, 520, "墨禾文礼", face="zhb", size=40, colour=_BLUE)
    leaf.text(62, 554, "文具与商务礼品 · 二〇二六年选品册", face="zh", size=14, colour=_SOFT)
    leaf.paragraph(
        62,
        640,
        470,
        "墨禾文化用品有限公司位于宁波，专注文具与礼品定制十六年。可按客户图样印制标志，"
        "常规品七天出货，定制品自样品确认之日起二十天出货。",
        face="zh",
        size=10.5,
        leading=1.9,
        colour=_INK,
    )


def _pages(folio: Folio) -> None:
    folio.brand = ("墨禾文礼", "墨禾")
    _company(folio)
    _centred(folio)
    _in_frames(folio)
    _lists(folio)
    _index(folio)


STYLE = Style("zh_stationery_gifts", "zh", "stationery", ("zh",), _pages)
