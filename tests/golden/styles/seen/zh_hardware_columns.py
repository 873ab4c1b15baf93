"""Tool catalogue in Chinese set in two columns: in each a family with photo, a few words and a small table of sizes; a
family goes on in the next column and over the page."""

from collections.abc import Sequence

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.golden.styles.pens.tables import Column, Item, Rules, product_table
from tests.support.catalogues.grid import Look
from tests.support.catalogues.ink import WHITE, rgb

_STEEL, _INK, _SOFT = rgb("#3C5163"), rgb("#24282C"), rgb("#788088")
_LOOK = Look(
    size=7.6,
    face="zh",
    header_face="zhb",
    pad=3,
    header_fill=rgb("#DDE5EC"),
    header_colour=_INK,
    band=None,
    colour=_INK,
)
_COLUMNS = (
    Column("model", "订货号", 74), Column("size", "规格", 72, "center"), Column("packing", "装箱数", 46, "center"),
    Column("price", "单价(元)", 54, "right"),
)  # fmt: skip
# Title, motif, paint, words, code, sizes, material, first price.
_Family = tuple[str, str, str, str, str, tuple[str, ...], float]
_FAMILIES: tuple[_Family, ...] = (
    ("铬钒钢螺丝批", "screwdriver", "#C0392B", "批杆经整体淬火，批头带磁，握柄双色注塑。", "LSP",
     ("PH0×75", "PH1×75", "PH2×100", "PH2×150", "SL5×100", "SL6×150"), 6.8),
    ("锂电手钻", "drill", "#2E7D5B", "无刷电机，两挡变速，配双电池与塑盒。", "SZ", ("12V", "16.8V", "20V"), 268.0),
    ("重型脚轮", "caster", "#7A4B32", "双滚珠轴承，刹车可锁轮与转盘。", "JL", ("4寸", "5寸", "6寸", "8寸"), 22.5),
    ("防盗挂锁", "padlock", "#B98B3C", "锁梁硼钢，叶片锁芯，一锁三匙。", "GS",
     ("30mm", "40mm", "50mm", "60mm", "70mm"), 12.8),
    ("外六角螺栓", "bolt", "#8B949C", "性能等级八点八级，表面蓝白锌。", "LS",
     ("M6×20", "M6×30", "M8×25", "M8×40", "M10×30", "M10×50", "M12×40", "M12×60"), 0.12),
    ("六角螺母", "nut", "#8B949C", "与同规格螺栓配用。", "LM", ("M6", "M8", "M10", "M12", "M16"), 0.05),
    ("明装合页", "hinge", "#9A8A6C", "冷轧钢板，表面拉丝。", "HY", ("3寸", "4寸", "5寸"), 3.6),
    ("方管拉手", "handle", "#5E666D", "空心铝管，孔距可订制。", "FLS", ("96mm", "128mm", "160mm", "192mm"), 4.9),
)  # fmt: skip


def _border(folio: Folio) -> None:
    leaf = folio.leaf
    leaf.rect((0, 0, 595, 34), fill=_STEEL)
    leaf.text(36, 22, "匠成工具", face="zhb", size=12, colour=WHITE)
    leaf.text(559, 22, "二〇二六版产品样本", face="zh", size=8, colour=WHITE, align="right")
    leaf.rule(297.5, 56, 297.5, 796, colour=rgb("#C9D0D6"), thick=0.5)
    leaf.text(297, 822, str(folio.number), face="zh", size=8, colour=_SOFT, align="center")


def _products(family: _Family) -> list[Item]:
    _, motif, paint, _, code, sizes, first = family
    items = []
    for k, size in enumerate(sizes):
        price = "询价" if size in {"20V", "8寸"} else f"{first * (1 + 0.28 * k):.2f}"
        items.append(
            Item({"model": f"{code}-{k + 1:02d}{'AB'[k % 2]}", "size": size, "packing": str(12 * (k % 4 + 1)),
                  "price": price}, (motif, paint), optional={"currency": "元"})
        )  # fmt: skip
    return items


def _family(folio: Folio, x: float, y: float, family: _Family, items: Sequence[Item], *, title: str = "") -> float:
    """The whole of a family in a column; returns the lower edge."""
    leaf, top = folio.leaf, y
    leaf.text(x, y + 12, title or family[0], face="zhb", size=13, colour=_STEEL)
    y += 22
    shared = []
    if not title:
        box = (x, y, x + 116, y + 88)
        shared.append(folio.shows(family[1], box, family[2], "#F1F3F4"))
        leaf.paragraph(x + 126, y + 14, 120, family[3], face="zh", size=8.5, leading=1.7, colour=_INK)
        y += 96
    before = len(folio.skus)
    end = product_table(
        folio, x, y, _COLUMNS, items, _LOOK, head_height=18, row_height=17.5, rules=Rules(0.8, 0.3, 0.8)
    )
    for sku in folio.skus[before:]:
        sku["images"] = [{"image_id": one, "required": True} for one in shared]
        sku["attributes"]["product_name"] = family[0]
        sku["accept"]["product_name"] = [title] if title else []
        sku["card_bbox"] = [x, top, *sku["card_bbox"][2:]]
    return end + 22


def _page(
    folio: Folio, families: Sequence[_Family], rest: tuple[_Family, int] | None, cut: tuple[_Family, int] | None
) -> None:
    """``rest``: a family and how many of its items stood on the page before; ``cut``: one that ends on the next."""
    _border(folio)
    x, y = 36.0, 58.0
    if rest:
        y = _family(folio, x, y, rest[0], _products(rest[0])[rest[1] :], title=f"{rest[0][0]}（续）")
    for family in families:
        need = 130 + 17.5 * len(family[5])
        if y + need > 790:
            x, y = 313.0, 58.0
        y = _family(folio, x, y, family, _products(family))
    if cut:
        x, y = (x, y) if y < 560 else (313.0, 58.0)
        _family(folio, x, y, cut[0], _products(cut[0])[: cut[1]])


def _pages(folio: Folio) -> None:
    folio.brand = ("匠成工具",)
    cut = (_FAMILIES[4], 5)
    folio.page("B", "L3")
    _page(folio, _FAMILIES[:4], None, cut)
    folio.page("B", "L3", continues=True, fragmented=True)
    _page(folio, _FAMILIES[5:7], cut, None)
    folio.page("B", "L3")
    _page(folio, _FAMILIES[7:], None, None)
    leaf = folio.page("D", "L3")
    _border(folio)
    leaf.text(36, 84, "质量承诺", face="zhb", size=17, colour=_STEEL)
    leaf.paragraph(
        36,
        112,
        245,
        "凡本样本所列产品，自出厂之日起十二个月内因材料或工艺产生的缺陷，均可免费更换。人为损坏、超负荷使用与"
        "正常磨损不在此列。",
        face="zh",
        size=9.5,
        leading=1.9,
    )
    leaf.paragraph(
        313,
        112,
        245,
        "更换时请保留包装与批号标签，并与当地经销商联系。运费由经销商垫付，按月结算。",
        face="zh",
        size=9.5,
        leading=1.9,
    )


STYLE = Style("zh_hardware_columns", "zh", "hardware", ("zh",), _pages)
