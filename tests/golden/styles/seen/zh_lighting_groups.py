"""Chinese lamps in groups: a wide picture above each group's table, a picture at the left of each ruled table, and two
columns of groups with the picture over the list."""

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.golden.styles.pens.tables import Column, Item, Rules, product_table
from tests.support.catalogues.grid import Look
from tests.support.catalogues.ink import rgb

_INK, _SOFT, _LINE, _GOLD = rgb("#24211C"), rgb("#837C70"), rgb("#CFC8BA"), rgb("#A67C1E")
_LOOK = Look(
    size=8,
    face="zh",
    header_face="zhb",
    header_fill=rgb("#F3EBD6"),
    header_colour=_INK,
    band=None,
    line=_LINE,
    colour=_INK,
)
# Family, motif, paint, code, watts, first price.
_Group = tuple[str, str, str, str, tuple[str, ...], float]
_GROUPS: tuple[_Group, ...] = (
    ("明轩筒灯", "downlight", "#E8C874", "MX", ("5W", "9W", "12W", "18W"), 16.5),
    ("云影面板灯", "panel", "#C9D6DF", "YY", ("24W", "36W", "48W"), 58.0),
    ("逐光射灯", "spotlight", "#4A4F54", "ZG", ("7W", "10W", "15W"), 29.8),
    ("悬月吊灯", "pendant", "#B5793C", "XY", ("20W", "30W"), 168.0),
    ("长虹灯带", "strip", "#8FB8DE", "CH", ("8W", "12W", "16W"), 12.6),
    ("破晓投光灯", "floodlight", "#5B6770", "PX", ("50W", "100W", "150W"), 75.0),
)  # fmt: skip


def _frame(folio: Folio, title: str) -> None:
    folio.heading = (title,)
    leaf = folio.leaf
    leaf.rule(44, 60, 551, 60, colour=_GOLD, thick=1.2)
    leaf.text(44, 50, title, face="zhb", size=16, colour=_INK)
    leaf.text(551, 50, "曜华照明", face="zhb", size=10, colour=_GOLD, align="right")
    leaf.text(551, 822, f"{folio.number:02d}", face="zh", size=8, colour=_SOFT, align="right")


def _items(group: _Group, image: str, mark: str = "") -> list[Item]:
    family, _, _, code, watts, first = group
    return [
        Item({"model": f"{code}-{watt[:-1]}{mark}", "=功率": watt, "=光色": ("暖白", "正白")[k % 2],
              "price": f"{first * (1 + 0.4 * k):.2f}"}, images=[image],
             optional={"product_name": family, "series": family, "currency": "元"})
        for k, watt in enumerate(watts)
    ]  # fmt: skip


def _columns(wide: float) -> tuple[Column, ...]:
    return (
        Column("model", "型号", wide * 0.3), Column("=功率", "功率", wide * 0.2, "center"),
        Column("=光色", "光色", wide * 0.25, "center"), Column("price", "单价(元)", wide * 0.25, "right"),
    )  # fmt: skip


def _wide(folio: Folio, group: _Group, y: float) -> None:
    folio.leaf.text(44, y, group[0], face="zhb", size=13, colour=_GOLD)
    image = folio.shows(group[1], (44, y + 10, 551, y + 112), group[2], "#F4F1EA")
    product_table(folio, 44, y + 120, _columns(507), _items(group, image), _LOOK, head_height=22, row_height=20)


def _left(folio: Folio, group: _Group, y: float) -> None:
    image = folio.shows(group[1], (44, y, 164, y + 110), group[2], "#F4F1EA")
    folio.leaf.text(104, y + 126, group[0], face="zhb", size=10, colour=_INK, align="center")
    product_table(folio, 180, y, _columns(371), _items(group, image, "L"), _LOOK, head_height=22, row_height=24)


def _column(folio: Folio, group: _Group, x: float, y: float) -> None:
    image = folio.shows(group[1], (x, y, x + 244, y + 110), group[2], "#F4F1EA")
    folio.leaf.text(x, y + 128, group[0], face="zhb", size=12, colour=_GOLD)
    product_table(
        folio,
        x,
        y + 136,
        _columns(244),
        _items(group, image, "C"),
        _LOOK,
        head_height=20,
        row_height=18,
        rules=Rules(colour=_LINE),
    )


def _pages(folio: Folio) -> None:
    folio.brand = ("曜华照明", "曜华")
    folio.page("B", "L3")
    _frame(folio, "商业照明")
    for k, group in enumerate(_GROUPS[:3]):
        _wide(folio, group, 84 + k * 246)
    folio.page("A", "L3")
    _frame(folio, "工程照明")
    for k, group in enumerate(_GROUPS[1:6]):
        _left(folio, group, 80 + k * 146)
    folio.page("B", "L3")
    _frame(folio, "家居照明")
    for k, group in enumerate((_GROUPS[0], *_GROUPS[3:])):
        _column(folio, group, 44 + k % 2 * 263.0, 84 + k // 2 * 340.0)


STYLE = Style("zh_lighting_groups", "zh", "lighting", ("zh",), _pages)
