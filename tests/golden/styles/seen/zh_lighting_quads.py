"""Lamp catalogue in Chinese: contents, two columns of three cards with a photo of the lamp and one of it in use, labels
in a column of their own; what is not settled yet is said to be so."""

from collections.abc import Sequence

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.ink import WHITE, rgb

_INDIGO, _INK, _SOFT, _LINE = rgb("#2B3166"), rgb("#23242B"), rgb("#868894"), rgb("#D6D8E2")
# Model, name, motif, paint, size, finish, power, weight, price.
_Lamp = tuple[str, str, str, str, str, str, str, str, str]
_PAGES: tuple[tuple[str, tuple[_Lamp, ...]], ...] = (
    ("筒灯射灯", (
        ("HL-T301", "深防眩筒灯", "downlight", "#E2DFD6", "Φ85×70mm", "珍珠白", "10W", "0.28kg", "38.00元"),
        ("HL-T305", "象鼻射灯", "spotlight", "#41454C", "Φ80×120mm", "枪灰", "15W", "0.46kg", "66.00元"),
        ("HL-T309", "无边框筒灯", "downlight", "#2F3136", "Φ75×60mm", "砂黑", "7W", "0.22kg", "42.50元"),
        ("HL-G412", "磁吸格栅灯", "panel", "#5A5E66", "L220×W24×H30mm", "砂黑", "12W", "0.31kg", "待定"),
        ("HL-G418", "磁吸泛光灯", "panel", "#CFCBC0", "L320×W24×H30mm", "白色", "18W", "0.38kg", "71.00元"),
        ("HL-G425", "轨道变焦灯", "spotlight", "#B7B2A6", "Φ68×165mm", "香槟", "25W", "0.74kg", "面议"),
    )),
    ("吊灯光源", (
        ("HL-D501", "云朵吊灯", "pendant", "#8BA7B8", "Φ380×240mm", "雾蓝", "E27", "1.60kg", "215.00元"),
        ("HL-D504", "铁艺吊灯", "pendant", "#3A3D42", "Φ300×260mm", "黑色", "E27", "1.25kg", "148.00元"),
        ("HL-D510", "陶土吊灯", "pendant", "#B96C4A", "Φ260×200mm", "陶红", "E27", "1.80kg", "176.00元"),
        ("HL-Q601", "暖光球泡", "bulb", "#F2E6C4", "Φ60×110mm", "乳白", "9W", "0.05kg", "5.60元"),
        ("HL-Q604", "彩光球泡", "bulb", "#C9B7E0", "Φ60×110mm", "/", "9W", "0.06kg", "19.90元"),
        ("HL-F702", "庭院投光灯", "floodlight", "#3C4147", "230×190×42mm", "深灰", "50W", "1.10kg", "92.00元"),
    )),
)  # fmt: skip


def _edging(folio: Folio, title: str) -> None:
    leaf = folio.leaf
    leaf.rect((555, 0, 595, 842), fill=_INDIGO)
    leaf.text(40, 46, title, face="zhb", size=18, colour=_INDIGO)
    leaf.text(545, 44, "恒朗照明", face="zhb", size=9, colour=_SOFT, align="right")
    leaf.text(575, 822, f"{folio.number}", face="zhb", size=9, colour=WHITE, align="center")


def _contents(folio: Folio) -> None:
    leaf = folio.page("D", "L3")
    _edging(folio, "目录")
    for k, (line, page) in enumerate((("筒灯射灯", 2), ("吊灯光源", 3), ("工程改装", 4), ("联系我们", 5))):
        y = 130 + k * 46
        leaf.text(60, y, line, face="zh", size=14, colour=_INK)
        leaf.rule(150, y - 3, 470, y - 3, colour=_LINE, thick=0.6)
        leaf.text(490, y, f"{page:02d}", face="zhb", size=14, colour=_INDIGO, align="right")
    leaf.paragraph(60, 400, 420, "本册图片经过调色，实物颜色以样板为准。", face="zh", size=9.5, colour=_SOFT)


def _quad(folio: Folio, lamp: _Lamp, x: float, y: float) -> None:
    """The lamp above at the left, in use beside it, the facts below both."""
    model, name, motif, paint, size, finish, power, weight, price = lamp
    leaf = folio.leaf
    main = folio.shows(motif, (x, y, x + 118, y + 104), paint, "#F2F2F5")
    other = folio.shows(motif, (x + 122, y, x + 240, y + 104), paint, "#8D8577")
    leaf.text(x, y + 121, name, face="zhb", size=11, colour=_INK)
    facts = (("型号", model), ("尺寸", size), ("颜色", finish), ("功率", power), ("净重", weight), ("价格", price))
    for k, (label, value) in enumerate(facts):
        at = y + 138 + k * 14
        leaf.text(x, at, label, face="zh", size=8.5, colour=_SOFT)
        leaf.text(x + 46, at, value, face="zh", size=8.5, colour=_INK)
        leaf.rule(x, at + 4, x + 240, at + 4, colour=_LINE, thick=0.4)
    values = {"model": model, "product_name": name, "size": size, "color": finish, "weight": weight, "price": price}
    folio.sku(
        [(x, y, x + 240, y + 214)],
        values,
        images=[main],
        shared=[other],
        custom={"功率": power},
        optional={"currency": "元"},
    )


def _lamps(folio: Folio, title: str, lamps: Sequence[_Lamp], *, fragmented: bool) -> None:
    folio.page("B", "L2", fragmented=fragmented)
    _edging(folio, title)
    folio.heading = (title,)
    for k, lamp in enumerate(lamps):
        _quad(folio, lamp, 40 + k % 2 * 262.0, 76 + k // 2 * 246.0)


def _service(folio: Folio) -> None:
    leaf = folio.page("D", "L1")
    _edging(folio, "联系我们")
    folio.decorates("plant", (40, 80, 540, 330), "#5E6690", "#DDE1F0")
    leaf.paragraph(
        40,
        370,
        500,
        "展厅全年开放，周日照常接待。\n工程改装请提前两周预约测光，测光报告随报价一并寄出。",
        face="zh",
        size=11,
        leading=2.0,
        colour=_INK,
    )


def _pages(folio: Folio) -> None:
    folio.brand = ("恒朗照明",)
    _contents(folio)
    for fragmented, (title, lamps) in zip((False, True), _PAGES, strict=True):
        _lamps(folio, title, lamps, fragmented=fragmented)
    _service(folio)


STYLE = Style("zh_lighting_quads", "zh", "lighting", ("zh",), _pages)
