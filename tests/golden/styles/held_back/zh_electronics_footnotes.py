"""Connectors and relays in Chinese: a ruled list with section rows, a row of units and footnote signs; it goes on with
what is discontinued; a table pasted as a picture; modules as cards with dark feet; an index that repeats the models."""

from collections.abc import Sequence

from tests.golden.styles.pens.folio import Folio, around
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.grid import Entry, Look, Row, draw_table
from tests.support.catalogues.ink import WHITE, Box, rgb

_GREEN, _INK, _SOFT, _LEAF = rgb("#1C6B45"), rgb("#22282A"), rgb("#7F898C"), rgb("#E4F1EA")
_WIDTHS = (86.0, 92.0, 62.0, 62.0, 78.0, 54.0, 54.0, 47.0)
_HEAD = ("型号", "名称", "额定电压", "额定电流", "外形尺寸", "触点电阻", "单价", "起订量")
_UNITS = ("", "", "V", "A", "mm", "mΩ", "元/只", "只")
_LOOK = Look(
    size=7.8,
    face="zh",
    header_face="zhb",
    header_fill=_GREEN,
    header_colour=WHITE,
    band=None,
    line=rgb("#9DB7A9"),
    colour=_INK,
    aligns=("left", "left", *["center"] * 6),
    pad=4,
)
_KINDS = (
    ("接线端子", "HD", "弹簧式端子", ("2P", "3P", "4P", "6P", "8P", "10P", "12P", "16P"), "300", "10", "1.2", 62),
    ("功率继电器", "HR", "密封继电器", ("5V", "9V", "12V", "18V", "24V", "48V"), "250", "16", "50", 540),
    ("防水航插", "HC", "圆形航空插头", ("12-2", "12-3", "12-4", "16-5", "16-7", "20-9", "20-12"), "400", "13",
     "3.5", 1380),
    ("排针排母", "HP", "双排直针", ("2.0-10", "2.0-20", "2.54-10", "2.54-20", "2.54-40"), "250", "3", "20", 18),
)  # fmt: skip
# Products on the first page of the list.
_FIRST = 22
# Section, footnote sign, cells.
_Part = tuple[str, str, tuple[str, ...]]


def _parts() -> list[_Part]:
    parts: list[_Part] = []
    for section, code, name, kinds, volts, amps, ohms, fen in _KINDS:
        for k, kind in enumerate(kinds):
            price = "询价" if k == len(kinds) - 1 and fen > 500 else f"{fen * (1 + k * 0.34) / 100:.2f}"
            sign = {2: "①", 5: "②"}.get(k, "")
            size = f"{12 + k * 4}×{9 + k}×{8 + k % 3}"
            shown = "/" if code == "HP" and k == 1 else ohms
            parts.append((section, sign, (f"{code}{k + 1}-{kind}", name, volts, amps, size, shown, price,
                                          str((1000, 500, 200)[k % 3]))))  # fmt: skip
    return parts


def _noted(folio: Folio, box: Box, section: str, sign: str, cells: Sequence[str], custom: dict[str, str]) -> None:
    model, name, _, _, size, _, price, least = cells
    folio.sku(
        [box], {"model": model, "product_name": name, "size": size, "price": price, "moq": least}, custom=custom,
        optional={"series": section, "currency": "元", "unit": "只"},
        accept={"model": [model + sign], "size": [f"{size}mm", f"{size} mm"], "price": [f"{price}元", f"{price}元/只"],
                "moq": [f"{least}只"], "unit": ["元/只"]},
    )  # fmt: skip


def _table(folio: Folio, x: float, y: float, parts: Sequence[_Part], before: str) -> float:
    """``before``: the section that the page before ended with. Returns the lower edge."""
    rows: list[Row] = [list(_HEAD), [Entry(text, fill=_LEAF, face="zh", colour=_SOFT) for text in _UNITS]]
    at = []
    for section, sign, cells in parts:
        if section != before:
            rows.append([Entry(section, cols=8, fill=_LEAF, face="zhb", colour=_GREEN), *[None] * 7])
            before = section
        at.append(len(rows))
        rows.append([cells[0] + sign, *cells[1:]])
    boxes = draw_table(folio.leaf, x, y, _WIDTHS, [21.0] * len(rows), rows, _LOOK, 2)
    for row, (section, sign, cells) in zip(at, parts, strict=True):
        custom = {label: cells[n] for n, label in ((2, "额定电压"), (3, "额定电流"), (5, "触点电阻"))}
        _noted(folio, around([boxes[row, column] for column in range(8)]), section, sign, cells, custom)
    return y + 21 * len(rows)


def _heads(folio: Folio, title: str) -> None:
    leaf = folio.leaf
    leaf.text(30, 36, "禾电连接", face="zhb", size=13, colour=_GREEN)
    leaf.text(565, 36, title, face="zh", size=9, colour=_SOFT, align="right")
    leaf.rule(30, 46, 565, 46, colour=_GREEN, thick=2)
    leaf.rule(30, 808, 565, 808, colour=_LEAF, thick=1)
    leaf.text(30, 824, f"第{folio.number}页", face="zh", size=8, colour=_SOFT)


def _pasted(folio: Folio) -> None:
    leaf = folio.page("A", "L3", scanned=True)
    _heads(folio, "现货促销")
    leaf.text(30, 80, "本月现货促销（以下为库存截图）", face="zhb", size=13, colour=_INK)
    rows: list[Row] = [["型号", "品名", "规格", "库存", "促销价"]]
    deals = [(f"HK-{410 + k * 15}", name, size, str(800 + 350 * k), f"¥{0.9 + 0.65 * k:.2f}") for k,
             (name, size) in enumerate((
        ("轻触开关", "6×6×5mm"), ("轻触开关", "6×6×9mm"), ("拨动开关", "8.5×3.7mm"), ("船型开关", "21×15mm"),
        ("船型开关", "30×11mm"), ("微动开关", "20×6.4mm"), ("钮子开关", "13×8mm"),
    ))]  # fmt: skip
    rows += [list(deal) for deal in deals]
    look = Look(
        size=11,
        face="zh",
        header_face="zhb",
        header_fill=rgb("#F3D9A6"),
        header_colour=_INK,
        band=None,
        line=_SOFT,
        colour=_INK,
        aligns=("center",) * 5,
    )
    with folio.pictured((30, 100, 565, 416)):
        leaf.rect((30, 100, 565, 416), fill=WHITE)
        boxes = draw_table(leaf, 38, 108, (110.0, 120.0, 120.0, 80.0, 89.0), [37.5] * 8, rows, look)
    for k, (model, name, size, stock, price) in enumerate(deals):
        folio.sku(
            [around([boxes[k + 1, column] for column in range(5)])],
            {"model": model, "product_name": name, "size": size, "price": price},
            custom={"库存": stock},
            optional={"currency": "¥"},
        )
    leaf.text(30, 450, "促销数量有限，售完为止，不与其他优惠同享。", face="zh", size=9, colour=_SOFT)


def _modules(folio: Folio) -> None:
    leaf = folio.page("B", "L2")
    _heads(folio, "模块")
    for k, (model, name, motif, paint, size, amps, price) in enumerate(
        (
            ("HM-A1", "继电器模块", "module", "#1F6F54", "50×26mm", "10A", "6.80元"),
            ("HM-A4", "四路继电器模块", "module", "#274B8C", "75×55mm", "10A", "15.50元"),
            ("HM-S2", "接近传感器", "sensor", "#B9842F", "M12×50mm", "0.2A", "28.00元"),
            ("HM-S6", "光电传感器", "sensor", "#7A2E2E", "M18×65mm", "0.1A", "面议"),
            ("HM-P1", "开关电源", "supply", "#98A2A8", "129×97×30mm", "4.2A", "46.00元"),
            ("HM-C9", "转接插座", "connector", "#3C4A52", "35×22mm", "暂无", "3.30元"),
        )
    ):
        x, y = 30 + k % 2 * 272.0, 62 + k // 2 * 248.0
        leaf.rect((x, y, x + 263, y + 234), line=_GREEN, thick=0.8)
        image = folio.shows(motif, (x + 30, y + 10, x + 233, y + 134), paint, "#FFFFFF")
        leaf.rect((x, y + 144, x + 263, y + 234), fill=_GREEN)
        leaf.text(x + 14, y + 166, name, face="zhb", size=12, colour=WHITE)
        leaf.text(x + 249, y + 166, model, face="zhb", size=12, colour=WHITE, align="right")
        for n, (label, value) in enumerate((("尺寸", size), ("额定电流", amps), ("批发价", price))):
            leaf.text(x + 14, y + 186 + n * 17, label, face="zh", size=9, colour=_LEAF)
            leaf.text(x + 76, y + 186 + n * 17, value, face="zh", size=9, colour=WHITE)
        folio.sku(
            [(x, y, x + 263, y + 234)],
            {"model": model, "product_name": name, "size": size, "price": price},
            images=[image],
            custom={"额定电流": amps},
            optional={"currency": "元", "series": "模块"},
        )


def _index(folio: Folio, parts: Sequence[_Part]) -> None:
    leaf = folio.page("D", "L4")
    _heads(folio, "型号索引")
    leaf.text(30, 80, "型号索引", face="zhb", size=18, colour=_INK)
    listed = sorted((cells[0], 2 if k < _FIRST else 3) for k, (_, _, cells) in enumerate(parts))
    for k, (model, page) in enumerate(listed):
        x, y = 30 + k % 3 * 184.0, 116 + k // 3 * 22.0
        leaf.text(x, y, model, face="zh", size=9.5, colour=_INK)
        leaf.text(x + 150, y, str(page), face="zh", size=9.5, colour=_GREEN, align="right")


def _pages(folio: Folio) -> None:
    folio.brand = ("禾电连接", "禾电")
    leaf = folio.page("D", "L1")
    leaf.rect((0, 0, 595, 842), fill=_LEAF)
    folio.decorates("connector", (97, 190, 497, 590), "#1C6B45", "#FFFFFF")
    leaf.text(297, 130, "禾电连接", face="zhb", size=44, colour=_GREEN, align="center")
    leaf.text(297, 660, "端子·继电器·航插 选型价目", face="zh", size=18, colour=_INK, align="center")
    parts = _parts()
    folio.page("A", "L4")
    _heads(folio, "选型价目表")
    _table(folio, 30, 62, parts[:_FIRST], "")
    folio.page("A", "L3", continues=True)
    _heads(folio, "选型价目表")
    foot = _table(folio, 30, 62, parts[_FIRST:], parts[_FIRST - 1][0])
    for k, line in enumerate(
        (
            "① 可提供镀金触点，价格另议。",
            "② 交期三十天，其余型号常备库存。",
            "HR1-3V、HC1-10 已停产，请改用同系列相近型号。",
            "询价型号请注明年用量。",
        )
    ):
        folio.leaf.text(30, foot + 24 + k * 17, line, face="zh", size=8.5, colour=_SOFT)
    _pasted(folio)
    _modules(folio)
    _index(folio, parts)


STYLE = Style("zh_electronics_footnotes", "zh", "electronics", ("zh",), _pages)
