"""Chinese kitchenware on landscape pages: two products with picture and text side by side in mirrored halves, a block
of numbered pictures with the list of their names at the right, staggered columns, names above the pictures."""

from tests.golden.styles.pens.cards import labelled
from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.ink import WHITE, rgb

_INK, _SOFT, _RED, _SAND = rgb("#2A2522"), rgb("#8B837B"), rgb("#B33A2E"), rgb("#F4EEE6")
_WIDE = (842.0, 595.0)
# Model, name, motif, paint, size, material, price.
_Ware = tuple[str, str, str, str, str, str, str]
_LARGE: tuple[_Ware, ...] = (
    ("MT-3001", "珐琅炖锅", "pot", "#B33A2E", "24cm", "铸铁", "¥368.00"),
    ("MT-3012", "鸣笛烧水壶", "kettle", "#3F6C7A", "3.0L", "304不锈钢", "¥129.00"),
    ("MT-3025", "麦饭石煎锅", "pan", "#4A4A4A", "28cm", "铝合金", "¥158.00"),
    ("MT-3033", "双层保温杯", "bottle", "#6C8A5E", "500ml", "316不锈钢", "¥89.00"),
)  # fmt: skip
_SMALL: tuple[_Ware, ...] = (
    ("MT-501", "厨师刀", "knife", "#5C3B28", "20cm", "不锈钢", "¥76.00"),
    ("MT-502", "竹砧板", "cutting_board", "#C79A5B", "38×28cm", "竹", "¥45.00"),
    ("MT-503", "陶瓷马克杯", "mug", "#4F7CAC", "350ml", "陶瓷", "¥28.00"),
    ("MT-504", "家用汤碗", "bowl", "#D9B44A", "18cm", "陶瓷", "¥22.00"),
    ("MT-505", "三件餐具", "cutlery", "#8B949C", "21cm", "不锈钢", "¥36.00"),
    ("MT-506", "小奶锅", "pot", "#7BA098", "16cm", "铝合金", "¥68.00"),
)  # fmt: skip


def _frame(folio: Folio, title: str) -> None:
    folio.heading = (title,)
    leaf = folio.leaf
    leaf.rect((0, 0, 842, 6), fill=_RED)
    leaf.text(40, 40, title, face="zhb", size=17, colour=_INK)
    leaf.text(802, 40, "米桃厨具 2026", face="zh", size=9, colour=_SOFT, align="right")
    leaf.text(802, 580, f"{folio.number:02d}", face="zh", size=8, colour=_SOFT, align="right")


def _note(folio: Folio, ware: _Ware, cards: list[tuple[float, float, float, float]], image: str) -> None:
    model, name, _, _, size, material, price = ware
    folio.sku(
        cards,
        {"model": model, "product_name": name, "size": size, "material": material, "price": price},
        images=[image],
        optional={"currency": "¥"},
    )


def _pairs(ware: _Ware) -> tuple[tuple[str, str], ...]:
    return ("型号", ware[0]), ("规格", ware[4]), ("材质", ware[5]), ("零售价", ware[6])


def _half(folio: Folio, ware: _Ware, y: float, left: bool) -> None:
    leaf = folio.leaf
    leaf.rect((40, y, 802, y + 240), fill=_SAND)
    x, at = (40.0, 400.0) if left else (482.0, 66.0)
    image = folio.shows(ware[2], (x, y, x + 320, y + 240), ware[3], "#E7DED2")
    leaf.text(at, y + 56, ware[1], face="zhb", size=22, colour=_INK)
    labelled(
        leaf,
        at,
        y + 100,
        330,
        _pairs(ware),
        gap=70,
        face="zh",
        label_face="zh",
        size=11,
        step=2.3,
        colour=_INK,
        label_colour=_SOFT,
    )
    _note(folio, ware, [(40, y, 802, y + 240)], image)


def _numbered(folio: Folio) -> None:
    leaf = folio.leaf
    for k, ware in enumerate(_SMALL):
        x, y = 40 + k % 3 * 152.0, 74 + k // 3 * 230.0
        image = folio.shows(ware[2], (x, y, x + 142, y + 214), ware[3], "#EFEAE3")
        leaf.rect((x + 6, y + 6, x + 30, y + 30), fill=_RED, radius=12)
        leaf.text(x + 18, y + 22, f"{k + 1:02d}", face="zhb", size=10, colour=WHITE, align="center")
        top = 96 + k * 76.0
        leaf.text(540, top, f"{k + 1:02d}", face="zhb", size=16, colour=_RED)
        leaf.text(574, top, ware[1], face="zhb", size=13, colour=_INK)
        leaf.text(802, top, ware[6], face="zhb", size=13, colour=_RED, align="right")
        leaf.text(574, top + 18, f"型号：{ware[0]}", face="zh", size=9, colour=_SOFT)
        leaf.text(690, top + 18, f"规格：{ware[4]}", face="zh", size=9, colour=_SOFT)
        leaf.text(574, top + 34, f"材质：{ware[5]}", face="zh", size=9, colour=_SOFT)
        _note(folio, ware, [(x, y, x + 142, y + 214), (540, top - 14, 802, top + 38)], image)


def _staggered(folio: Folio) -> None:
    leaf = folio.leaf
    for k, ware in enumerate(_LARGE):
        x, y = 40 + k * 194.0, 70 + k % 2 * 90.0
        image = folio.shows(ware[2], (x, y, x + 180, y + 250), ware[3], "#EFEAE3")
        leaf.text(x, y + 272, ware[1], face="zhb", size=13, colour=_INK)
        labelled(
            leaf,
            x,
            y + 294,
            180,
            (("型号", f"{ware[0]}S"), *_pairs(ware)[1:]),
            face="zh",
            label_face="zh",
            joint="：",
            size=9.5,
            step=1.9,
            colour=_INK,
            label_colour=_SOFT,
        )
        _note(folio, (f"{ware[0]}S", *ware[1:]), [(x, y, x + 180, y + 370)], image)


def _named_above(folio: Folio) -> None:
    leaf = folio.leaf
    for k, ware in enumerate(_SMALL):
        x, y = 40 + k % 3 * 262.0, 84 + k // 3 * 250.0
        leaf.text(x, y, f"{ware[1]}", face="zhb", size=12, colour=_INK)
        leaf.text(x + 238, y, ware[6], face="zhb", size=12, colour=_RED, align="right")
        leaf.text(x, y + 16, f"型号：{ware[0]}B", face="zh", size=9, colour=_SOFT)
        leaf.text(x + 100, y + 16, f"规格：{ware[4]}", face="zh", size=9, colour=_SOFT)
        leaf.text(x, y + 31, f"材质：{ware[5]}", face="zh", size=9, colour=_SOFT)
        image = folio.shows(ware[2], (x, y + 40, x + 238, y + 210), ware[3], "#EFEAE3")
        _note(folio, (f"{ware[0]}B", *ware[1:]), [(x, y - 14, x + 238, y + 210)], image)


def _pages(folio: Folio) -> None:
    folio.brand = ("米桃厨具", "米桃")
    for first in (0, 2):
        folio.page("B", "L2", size=_WIDE)
        _frame(folio, "明星锅具")
        _half(folio, _LARGE[first], 62, left=True)
        _half(folio, _LARGE[first + 1], 318, left=False)
    folio.page("B", "L2", size=_WIDE)
    _frame(folio, "厨房小件")
    _numbered(folio)
    folio.page("C", "L2", size=_WIDE)
    _frame(folio, "四季之选")
    _staggered(folio)
    folio.page("C", "L2", size=_WIDE)
    _frame(folio, "礼品装")
    _named_above(folio)


STYLE = Style("zh_kitchen_wide", "zh", "kitchenware", ("zh",), _pages)
