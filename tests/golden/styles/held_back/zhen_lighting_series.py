"""Lighting in two languages, two series a page: at the left a front view and a lit view, at the right the table of the
series' variants; the two views side by side, under each other, and over tables that have the variants as columns."""

from collections.abc import Sequence

from tests.golden.styles.pens.folio import Folio, around
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.grid import Entry, Look, Row, draw_table
from tests.support.catalogues.ink import WHITE, rgb

_NIGHT, _AMBER, _INK, _SOFT, _LINE = rgb("#20242E"), rgb("#B7791F"), rgb("#262931"), rgb("#838894"), rgb("#CBCFD8")
_PALE = rgb("#F4EFE4")
_LOOK = Look(
    size=7.6,
    face="zh",
    header_face="zhb",
    header_fill=_PALE,
    header_colour=_INK,
    band=None,
    line=_LINE,
    colour=_INK,
    aligns=("left", *["center"] * 5),
    pad=3,
)
# Printed labels, and which base key each is; "" has none.
_LABELS = (("型号\nModel", "model"), ("功率\nPower", ""), ("色温\nCCT", ""), ("尺寸\nSize", "size"),
           ("颜色\nFinish", "color"), ("单价\nUSD", "price"))  # fmt: skip
# Series name in two languages, words, motif, paint, variants: model, power, colour temperature, size, finish, price.
_Variant = tuple[str, str, str, str, tuple[str, str], str]
_Series = tuple[str, str, str, str, str, tuple[_Variant, ...]]
_BLACK, _WHITE, _BRONZE = ("黑色", "Black"), ("白色", "White"), ("古铜", "Bronze")
_HANGING: tuple[_Series, ...] = (
    ("云汀吊灯", "Yunting pendant", "手工吹制玻璃罩 Hand-blown glass shade", "pendant", "#C8B088", (
        ("LM-P101", "12W", "2700K", "Φ200×H180mm", _BLACK, "38.50"),
        ("LM-P102", "18W", "2700K", "Φ280×H230mm", _BLACK, "49.00"),
        ("LM-P103", "18W", "3000K", "Φ280×H230mm", _BRONZE, "56.00"),
        ("LM-P104", "24W", "3000K", "Φ360×H290mm", _BRONZE, "72.80"),
        ("LM-P105", "36W", "3000K", "Φ480×H370mm", _BRONZE, "面议"))),
    ("拾光台灯", "Shiguang table lamp", "三段触摸调光 Three-step touch dimmer", "table_lamp", "#7F9BA6", (
        ("LM-T201", "7W", "3000K", "Φ220×H380mm", _WHITE, "26.00"),
        ("LM-T202", "7W", "3000K", "Φ220×H380mm", _BLACK, "26.00"),
        ("LM-T203", "9W", "3000K", "Φ280×H460mm", _WHITE, "31.40"),
        ("LM-T204", "9W", "4000K", "Φ280×H460mm", _BRONZE, "-"))),
)  # fmt: skip
_STANDING: tuple[_Series, ...] = (
    ("松影落地灯", "Songying floor lamp", "灯臂可转三百度 Arm turns through 300°", "floor_lamp", "#A8B49C", (
        ("LM-F301", "15W", "3000K", "Φ260×H1450mm", _BLACK, "64.00"),
        ("LM-F302", "15W", "3000K", "Φ260×H1450mm", _WHITE, "64.00"),
        ("LM-F303", "20W", "3000K", "Φ320×H1600mm", _BLACK, "79.50"),
        ("LM-F304", "20W", "4000K", "Φ320×H1600mm", _BRONZE, "88.00"),
        ("LM-F305", "24W", "4000K", "Φ360×H1750mm", _BRONZE, "97.20"))),
    ("檐下壁灯", "Yanxia wall lamp", "可装于浴室 Suitable for bathrooms", "wall_lamp", "#D2C2A4", (
        ("LM-W401", "5W", "2700K", "120×160×H210mm", _WHITE, "17.90"),
        ("LM-W402", "5W", "2700K", "120×160×H210mm", _BLACK, "17.90"),
        ("LM-W403", "8W", "3000K", "150×190×H260mm", _BLACK, "22.60"),
        ("LM-W404", "8W", "3000K", "150×190×H260mm", _BRONZE, "27.30"),
        ("LM-W405", "12W", "3000K", "180×220×H320mm", _BRONZE, "33.00"),
        ("LM-W406", "12W", "4000K", "180×220×H320mm", _BRONZE, "33.00"))),
)  # fmt: skip
_SHOP: tuple[_Series, ...] = (
    ("追星射灯", "Zhuixing spotlight", "轨道安装 Track mounted", "spotlight", "#4A4F57", (
        ("LM-S501", "10W", "3000K", "Φ60×H140mm", _BLACK, "14.20"),
        ("LM-S502", "15W", "3000K", "Φ70×H160mm", _BLACK, "18.60"),
        ("LM-S503", "20W", "4000K", "Φ80×H175mm", _WHITE, "23.10"),
        ("LM-S504", "30W", "4000K", "Φ95×H190mm", _WHITE, "29.90"))),
    ("明庭筒灯", "Mingting downlight", "深藏防眩 Deep anti-glare", "downlight", "#D8D4CA", (
        ("LM-D601", "7W", "3000K", "Φ75×H60mm", _WHITE, "6.40"),
        ("LM-D602", "12W", "4000K", "Φ95×H70mm", _WHITE, "8.90"),
        ("LM-D603", "18W", "4000K", "Φ125×H85mm", _BLACK, "询价"))),
)  # fmt: skip


def _page_head(folio: Folio, zh: str, en: str) -> None:
    folio.heading = (zh, en, f"{zh} {en}", f"{zh}{en}")
    leaf = folio.leaf
    leaf.rect((0, 0, 595, 46), fill=_NIGHT)
    wide = leaf.text(34, 30, zh, face="zhb", size=15, colour=WHITE)
    leaf.text(46 + wide, 30, en, face="sans", size=11, colour=_LINE)
    leaf.text(561, 30, "流明坊 LUMINFANG", face="zh", size=9, colour=rgb("#E4C58C"), align="right")
    leaf.text(561, 826, f"{folio.number}", face="sans", size=9, colour=_SOFT, align="right")
    leaf.text(34, 826, "上海离岸价 FOB Shanghai", face="zh", size=7.5, colour=_SOFT)


def _cells(variant: _Variant) -> list[str]:
    model, power, white, size, finish, price = variant
    return [model, power, white, size, "\n".join(finish), price]


def _note(
    folio: Folio,
    series: _Series,
    variant: _Variant,
    cards: Sequence[tuple[float, float, float, float]],
    images: Sequence[str],
) -> None:
    zh, en, words = series[:3]
    model, power, white, size, finish, price = variant
    names = [zh, en, f"{zh} {en}", f"{zh}{en}"]
    folio.sku(
        cards,
        {"model": model, "size": size, "color": " ".join(finish), "price": price},
        images=images,
        custom={"功率 Power": power, "色温 CCT": white},
        optional={"product_name": f"{zh} {en}", "series": f"{zh} {en}", "currency": "USD", "description": words},
        accept={"product_name": names, "series": names, "color": list(finish)},
    )


def _titled(folio: Folio, series: _Series, x: float, y: float) -> None:
    leaf = folio.leaf
    wide = leaf.text(x, y, series[0], face="zhb", size=14, colour=_AMBER)
    leaf.text(x + wide + 8, y, series[1], face="sans", size=10, colour=_SOFT)
    leaf.text(x, y + 17, series[2], face="zh", size=8, colour=_SOFT)


def _at_right(folio: Folio, series: _Series, y: float, images: Sequence[str]) -> None:
    """Title and table of a series in the right half."""
    _titled(folio, series, 298, y + 13)
    rows: list[Row] = [[label for label, _ in _LABELS], *(_cells(one) for one in series[5])]
    boxes = draw_table(
        folio.leaf, 298, y + 42, (45.0, 32.0, 35.0, 74.0, 40.0, 37.0), [27.0] + [31.0] * len(series[5]), rows, _LOOK
    )
    for k, variant in enumerate(series[5]):
        _note(folio, series, variant, [boxes[k + 1, column] for column in range(6)], images)


def _side_by_side(folio: Folio) -> None:
    """Front view and lit view as two tall photos next to each other."""
    folio.page("A", "L3")
    _page_head(folio, "居室灯具", "For the home")
    for k, series in enumerate(_HANGING):
        y = 68 + k * 380.0
        images = [
            folio.shows(series[3], (34, y, 157, y + 340), series[4], "#EFEDE8"),
            folio.shows(f"{series[3]}@lit", (161, y, 284, y + 340), series[4], "#2A2D33"),
        ]
        _at_right(folio, series, y, images)


def _under_each_other(folio: Folio) -> None:
    """Two wide photos, the lit one below; written by another program than the page before."""
    folio.page("A", "L3", fragmented=True)
    _page_head(folio, "落地与壁装", "Floor and wall")
    for k, series in enumerate(_STANDING):
        y = 68 + k * 380.0
        images = [
            folio.shows(series[3], (34, y, 284, y + 168), series[4], "#EFEDE8"),
            folio.shows(f"{series[3]}@lit", (34, y + 172, 284, y + 340), series[4], "#2A2D33"),
        ]
        _at_right(folio, series, y, images)
        folio.leaf.rule(34, y + 360, 561, y + 360, colour=_LINE)


def _transposed(folio: Folio) -> None:
    """The variants are columns of the table at the right; what they are stands at its left edge."""
    folio.page("A", "L3")
    _page_head(folio, "商业灯具", "For shops")
    look = Look(
        size=7.4,
        face="zh",
        header_face="zh",
        band=None,
        line=_LINE,
        colour=_INK,
        pad=3,
        aligns=("left", *["center"] * 4),
    )
    for k, series in enumerate(_SHOP):
        y = 68 + k * 380.0
        images = [
            folio.shows(series[3], (34, y, 274, y + 146), series[4], "#EFEDE8"),
            folio.shows(f"{series[3]}@lit", (34, y + 150, 274, y + 296), series[4], "#2A2D33"),
        ]
        _titled(folio, series, 290, y + 13)
        columns = list(zip(*(_cells(one) for one in series[5]), strict=True))
        rows: list[Row] = [
            [Entry(label, fill=_PALE), *(Entry(text, face="zhb" if n == 0 else "") for text in values)]
            for n, ((label, _), values) in enumerate(zip(_LABELS, columns, strict=True))
        ]
        count = len(series[5])
        boxes = draw_table(
            folio.leaf, 290, y + 42, [47.0, *[224.0 / count] * count], [42.0] * len(rows), rows, look, header_rows=0
        )
        for n, variant in enumerate(series[5]):
            _note(folio, series, variant, [around([boxes[row, n + 1] for row in range(len(rows))])], images)


def _company(folio: Folio) -> None:
    leaf = folio.page("D", "L3")
    _page_head(folio, "关于我们", "About us")
    folio.decorates("plant", (34, 70, 561, 300), "#6F7787", "#E3E6EC")
    leaf.paragraph(
        34,
        340,
        527,
        "流明坊一九九七年创立于中山古镇，自有玻璃吹制车间与灯具实验室，产品销往四十个国家。",
        face="zh",
        size=11,
        leading=1.9,
        colour=_INK,
    )
    leaf.paragraph(
        34,
        396,
        527,
        "Founded in 1997, Luminfang runs its own glass works and a laboratory for luminaires. "
        "We welcome drawings and samples, and answer within two working days.",
        face="sans",
        size=10.5,
        leading=1.8,
        colour=_SOFT,
    )
    for k, (figure, zh, en) in enumerate(
        (("28", "年经验", "years"), ("40", "出口国家", "countries"), ("320", "员工", "people"))
    ):
        leaf.text(124 + k * 174, 520, figure, face="bold", size=34, colour=_AMBER, align="center")
        leaf.text(124 + k * 174, 542, f"{zh} {en}", face="zh", size=10, colour=_INK, align="center")


def _pages(folio: Folio) -> None:
    folio.brand = ("流明坊", "LUMINFANG", "流明坊 LUMINFANG", "Luminfang")
    leaf = folio.page("D", "L1")
    leaf.rect((0, 0, 595, 842), fill=_NIGHT)
    folio.decorates("pendant@lit", (97, 0, 498, 520), "#C8B088", "#20242E")
    leaf.text(297, 620, "流明坊", face="zhb", size=44, colour=rgb("#E4C58C"), align="center")
    leaf.text(297, 654, "LUMINFANG LIGHTING", face="sans", size=15, colour=_LINE, tracking=3, align="center")
    leaf.text(297, 700, "系列灯具 2026 Series", face="zh", size=12, colour=_LINE, align="center")
    _side_by_side(folio)
    _under_each_other(folio)
    _transposed(folio)
    _company(folio)


STYLE = Style("zhen_lighting_series", "zhen", "lighting", ("zh", "sans", "bold"), _pages)
