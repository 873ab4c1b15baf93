"""Decorative lamps in Chinese: a large picture, beside it the facts as "label: value" in two columns; one lamp on a
page, then two; a page of accessories as an open table; an address page."""

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.ink import WHITE, rgb

_NIGHT, _GOLD, _INK, _SOFT, _MIST = rgb("#1B2430"), rgb("#B8924A"), rgb("#23272C"), rgb("#848B93"), rgb("#EEF1F4")
# Name, words about it, motif, paint, and the facts in reading order: left, right, left, right.
_Lamp = tuple[str, str, str, str, tuple[tuple[str, str], ...]]
_KEYS = {
    "型号": "model",
    "尺寸": "size",
    "材质": "material",
    "颜色": "color",
    "单价": "price",
    "净重": "weight",
    "起订量": "moq",
}
_LAMPS: tuple[_Lamp, ...] = (
    ("半月吊灯", "灯罩由铜板手工锤制，光从下缘缓缓铺开，适合餐桌与吧台。", "pendant", "#A77B3D", (
        ("型号", "XG-P2601"), ("功率", "18W"), ("尺寸", "Φ450×H260mm"), ("色温", "2700K"), ("材质", "黄铜"),
        ("显色指数", "Ra95"),
        ("颜色", "古铜"), ("输入电压", "220V"), ("净重", "2.35kg"), ("单价", "¥1,280"), ("起订量", "10盏"),
        ("质保", "三年"),
    )),
    ("星环射灯", "三段调焦，光斑边缘柔和。", "spotlight", "#3F454D", (
        ("型号", "XG-S1108"), ("功率", "12W"), ("尺寸", "Φ62×H140mm"), ("色温", "3000K"), ("材质", "压铸铝"),
        ("光束角", "15-45°"),
        ("颜色", "砂黑"), ("单价", "¥236"), ("起订量", "50盏"), ("质保", "五年"),
    )),
    ("薄雾筒灯", "深藏光源，坐在灯下不见眩光。", "downlight", "#D5D2C9", (
        ("型号", "XG-D0715"), ("功率", "9W"), ("尺寸", "Φ78×H66mm"), ("色温", "4000K"), ("材质", "压铸铝"),
        ("光束角", "36°"),
        ("颜色", "珍珠白"), ("单价", "¥88"), ("起订量", "100盏"), ("质保", "五年"),
    )),
    ("长街投光灯", "外壳防护等级高，沿海项目可用。", "floodlight", "#4A5058", (
        ("型号", "XG-F5020"), ("功率", "100W"), ("尺寸", "320×260×70mm"), ("色温", "5000K"), ("材质", "铝合金"),
        ("防护等级", "IP66"),
        ("颜色", "深灰"), ("单价", "面议"), ("起订量", "20盏"), ("质保", "三年"),
    )),
    ("云母面板灯", "侧发光，整面均匀无暗角。", "panel", "#C8C4BA", (
        ("型号", "XG-M6060"), ("功率", "36W"), ("尺寸", "595×595×10mm"), ("色温", "4000K"), ("材质", "铝框 PS板"),
        ("显色指数", "Ra90"),
        ("颜色", "/"), ("单价", "¥165"), ("起订量", "40盏"), ("质保", "三年"),
    )),
)  # fmt: skip
_SPARES = (
    ("XG-A001", "吊线", "1.5m", "黑色", "¥6.50"), ("XG-A002", "吊线", "3m", "黑色", "¥9.80"),
    ("XG-A005", "明装盒", "Φ90×40mm", "白色", "¥14.00"), ("XG-A006", "明装盒", "Φ120×45mm", "砂黑", "¥17.50"),
    ("XG-A011", "蜂窝防眩网", "Φ50mm", "黑色", "¥5.20"), ("XG-A014", "轨道接头", "90°", "白色", "¥8.00"),
    ("XG-A019", "调光驱动", "40W", "-", "¥62.00"),
)  # fmt: skip


def _page_frame(folio: Folio, title: str) -> None:
    leaf = folio.leaf
    leaf.rect((0, 796, 595, 842), fill=_NIGHT)
    leaf.text(40, 824, "星港灯饰", face="zhb", size=11, colour=_GOLD)
    folio.heading = (title,)
    leaf.text(297, 824, title, face="zh", size=9, colour=WHITE, align="center")
    leaf.text(555, 824, str(folio.number), face="zhb", size=11, colour=WHITE, align="right")


def _facts(folio: Folio, facts: tuple[tuple[str, str], ...], x: float, y: float, step: float, size: float) -> float:
    leaf = folio.leaf
    for k, (label, value) in enumerate(facts):
        left, at = x + k % 2 * 138.0, y + k // 2 * step
        wide = leaf.text(left, at, f"{label}：", face="zh", size=size, colour=_SOFT)
        leaf.text(left + wide, at, value, face="zh", size=size, colour=_INK)
    return y + (len(facts) + 1) // 2 * step


def _note(folio: Folio, lamp: _Lamp, box: tuple[float, float, float, float], image: str) -> None:
    name, words, _, _, facts = lamp
    values = {_KEYS[label]: value for label, value in facts if label in _KEYS}
    folio.sku(
        [box],
        {"product_name": name, **values},
        images=[image],
        optional={"description": words, "currency": "¥"},
        custom={label: value for label, value in facts if label not in _KEYS},
    )


def _alone(folio: Folio, lamp: _Lamp) -> None:
    leaf = folio.page("B", "L1")
    _page_frame(folio, "餐厅与吧台")
    name, words, motif, paint, facts = lamp
    image = folio.shows(motif, (0, 0, 270, 796), paint, "#E6E1D8")
    leaf.text(296, 150, name, face="zhb", size=30, colour=_NIGHT)
    leaf.rect((296, 168, 356, 172), fill=_GOLD)
    leaf.paragraph(296, 206, 262, words, face="zh", size=11, leading=1.9, colour=_SOFT)
    foot = _facts(folio, facts, 296, 310, 34, 9.5)
    _note(folio, lamp, (0, 0, 575, max(foot, 796)), image)


def _pair(folio: Folio, upper: _Lamp, lower: _Lamp, *, fragmented: bool, continues: bool) -> None:
    leaf = folio.page("B", "L3", fragmented=fragmented, continues=continues)
    _page_frame(folio, "工程灯具")
    for lamp, y in ((upper, 44.0), (lower, 424.0)):
        name, words, motif, paint, facts = lamp
        leaf.rect((282, y, 575, y + 340), fill=_MIST)
        image = folio.shows(motif, (30, y, 276, y + 340), paint, "#E6E1D8")
        leaf.text(298, y + 42, name, face="zhb", size=20, colour=_NIGHT)
        leaf.text(298, y + 70, words, face="zh", size=9.5, colour=_SOFT)
        leaf.rule(298, y + 90, 560, y + 90, colour=_GOLD, thick=1)
        _facts(folio, facts, 298, y + 122, 30, 9)
        _note(folio, lamp, (30, y, 575, y + 340), image)


def _spares(folio: Folio) -> None:
    leaf = folio.page("A", "L3")
    _page_frame(folio, "配件")
    leaf.text(40, 80, "常用配件", face="zhb", size=22, colour=_NIGHT)
    lefts = (40.0, 140.0, 290.0, 390.0, 555.0)
    for x, head in zip(lefts, ("编号", "名称", "规格", "颜色", "单价"), strict=True):
        leaf.text(x, 124, head, face="zhb", size=10, colour=_GOLD, align="right" if x == 555 else "left")
    for k, (model, name, size, colour, price) in enumerate(_SPARES):
        y = 156 + k * 36.0
        leaf.rule(40, y - 20, 555, y - 20, colour=_MIST, thick=1.2)
        for x, text in zip(lefts, (model, name, size, colour, price), strict=True):
            leaf.text(x, y, text, face="zh", size=10, colour=_INK, align="right" if x == 555 else "left")
        folio.sku([(40, y - 18, 555, y + 8)], {"model": model, "product_name": name, "size": size, "color": colour,
                                              "price": price}, optional={"currency": "¥", "series": "常用配件"},
                  accept={"series": ["配件"]})  # fmt: skip


def _address(folio: Folio) -> None:
    leaf = folio.page("D", "L1")
    leaf.rect((0, 0, 595, 842), fill=_NIGHT)
    leaf.text(297, 360, "星港灯饰", face="zhb", size=38, colour=_GOLD, align="center")
    for k, line in enumerate(("展厅营业时间：每日九点至十八点", "工程报价请联系区域经理", "图片仅供参考，以实物为准")):
        leaf.text(297, 410 + k * 26, line, face="zh", size=11, colour=WHITE, align="center")


def _pages(folio: Folio) -> None:
    folio.brand = ("星港灯饰", "星港")
    leaf = folio.page("D", "L3")
    leaf.text(40, 140, "目录", face="zhb", size=34, colour=_NIGHT)
    for k, (title, first) in enumerate((("餐厅与吧台", "二"), ("工程灯具", "三"), ("配件", "五"))):
        leaf.text(60, 230 + k * 60, f"第{first}页", face="zh", size=11, colour=_GOLD)
        leaf.text(140, 230 + k * 60, title, face="zh", size=17, colour=_INK)
    _alone(folio, _LAMPS[0])
    _pair(folio, _LAMPS[1], _LAMPS[2], fragmented=False, continues=False)
    _pair(folio, _LAMPS[3], _LAMPS[4], fragmented=True, continues=True)
    _spares(folio)
    _address(folio)


STYLE = Style("zh_lighting_hero", "zh", "lighting", ("zh",), _pages)
