"""Bilingual data pages that compare devices column by column: the pictures in the head of a ruled table, above an open
one, and in the cells of two short tables."""

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.grid import Entry, Look, Row, draw_table
from tests.support.catalogues.ink import rgb

_INK, _SOFT, _BLUE, _LINE = rgb("#1E2733"), rgb("#75808C"), rgb("#1C5D99"), rgb("#BCC6D0")
# Model, Chinese name, motif, paint, size, weight, price.
_Device = tuple[str, str, str, str, str, str, str]
_DEVICES: tuple[_Device, ...] = (
    ("TX-200", "温度变送器", "sensor", "#4E6E8E", "80×60×35 mm", "120 g", "¥186"),
    ("TX-300", "温湿度变送器", "module", "#2E7D5B", "92×60×38 mm", "150 g", "¥238"),
    ("TX-400", "压力变送器", "connector", "#8A5A3C", "110×45×45 mm", "260 g", "¥395"),
    ("TX-500", "多路采集器", "supply", "#59636E", "180×120×48 mm", "540 g", "¥820"),
)  # fmt: skip
_MORE: tuple[_Device, ...] = (
    ("GW-10", "串口网关", "module", "#3B5BA5", "86×54×26 mm", "98 g", "¥268"),
    ("GW-20", "无线网关", "supply", "#6A4C93", "120×80×30 mm", "185 g", "¥455"),
    ("GW-30", "边缘网关", "chip", "#30475E", "160×110×42 mm", "620 g", "¥1,280"),
)


def _frame(folio: Folio, zh: str, en: str) -> None:
    folio.heading = (zh, en, f"{zh} {en}", f"{zh}{en}")
    leaf = folio.leaf
    leaf.text(40, 50, zh, face="zhb", size=17, colour=_BLUE)
    leaf.text(40, 68, en, face="sans", size=10, colour=_SOFT)
    leaf.text(555, 50, "恒测电子 HENGCE", face="zh", size=9, colour=_SOFT, align="right")
    leaf.text(297, 820, str(folio.number), face="zh", size=8, colour=_SOFT, align="center")


def _rows(devices: tuple[_Device, ...]) -> list[Row]:
    labels = ("型号 Model", "品名 Name", "尺寸 Size", "重量 Weight", "单价 Price")
    picks = (0, 1, 4, 5, 6)
    return [[label, *(device[n] for device in devices)] for label, n in zip(labels, picks, strict=True)]


def _note(folio: Folio, device: _Device, card: tuple[float, float, float, float], image: str) -> None:
    model, name, _, _, size, weight, price = device
    folio.sku(
        [card],
        {"model": model, "product_name": name, "size": size, "weight": weight, "price": price},
        images=[image],
        optional={"currency": "¥"},
    )


def _ruled(folio: Folio, devices: tuple[_Device, ...], y: float, *, first: str = "产品图 Photo") -> None:
    wide = (515 - 100) / len(devices)
    rows: list[Row] = [[Entry(first), *(Entry() for _ in devices)], *_rows(devices)]
    look = Look(
        size=8.5,
        face="zh",
        header_face="zh",
        header_fill=rgb("#E6EEF6"),
        header_colour=_INK,
        band=None,
        line=_LINE,
        colour=_INK,
    )
    heights = [110.0, *[26.0] * 5]
    draw_table(folio.leaf, 40, y, [100.0, *[wide] * len(devices)], heights, rows, look, header_rows=0)
    for k, device in enumerate(devices):
        x = 140 + k * wide
        middle = x + wide / 2
        image = folio.shows(device[2], (middle - 46, y + 8, middle + 46, y + 102), device[3])
        _note(folio, device, (x, y, x + wide, y + 240), image)


def _open(folio: Folio, devices: tuple[_Device, ...], y: float) -> None:
    leaf = folio.leaf
    wide = 415 / len(devices)
    for k, device in enumerate(devices):
        x = 140 + k * wide
        image = folio.shows(device[2], (x, y, x + wide - 14, y + 120), device[3], "#EEF2F6")
        _note(folio, device, (x - 4, y, x + wide, y + 290), image)
    for n, row in enumerate(_rows(devices)):
        top = y + 146 + n * 28
        leaf.rule(40, top + 10, 555, top + 10, colour=_LINE)
        for k, text in enumerate(row):
            leaf.text(
                140 + (k - 1) * wide if k else 40,
                top,
                str(text),
                face="zhb" if n == 0 or not k else "zh",
                size=9,
                colour=_SOFT if not k else _INK,
            )


def _renamed(devices: tuple[_Device, ...], mark: str) -> tuple[_Device, ...]:
    return tuple((f"{device[0]}{mark}", *device[1:]) for device in devices)


def _pages(folio: Folio) -> None:
    folio.brand = ("恒测电子", "HENGCE", "恒测电子 HENGCE")
    folio.page("A", "L3")
    _frame(folio, "变送器选型", "Transmitters compared")
    _ruled(folio, _DEVICES, 100)
    folio.page("A", "L3")
    _frame(folio, "网关选型", "Gateways compared")
    _open(folio, _MORE, 100)
    folio.page("A", "L3")
    _frame(folio, "防爆型", "Explosion-proof versions")
    _ruled(folio, _renamed(_DEVICES[:3], "-EX"), 100)
    _ruled(folio, _renamed(_MORE[:2], "-EX"), 400)


STYLE = Style("zhen_electronics_columns", "zhen", "electronics", ("zh", "sans"), _pages)
