"""Office furniture catalogue in Chinese: two products a page, one above the other, text at alternating sides; one
product alone on a page over a scene; a company page; a price is often given on request."""

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.ink import WHITE, rgb

_FOREST, _INK, _SOFT, _SAND = rgb("#2E4034"), rgb("#262826"), rgb("#7F847F"), rgb("#E9E3D6")
_PIECES = (
    ("BG-D1801", "博谷大班台", "desk", "#5B3F2C", "1800W×900D×760H", "胡桃木皮", "胡桃色", "¥4,680元/张", "1张"),
    ("BG-D1605", "博谷主管桌", "desk", "#A17B52", "1600W×800D×750H", "三聚氰胺板", "浅橡木色", "面议", "2张"),
    ("BG-Y2206", "清风职员椅", "office_chair", "#4A6A86", "620W×600D×980H", "网布+尼龙", "蓝色、灰色", "¥368元/把",
     "10把"),
    ("BG-Y2210", "清风会议椅", "chair", "#36383C", "560W×580D×900H", "西皮", "黑色", "¥420元/把", "/"),
    ("BG-S3303", "听松接待沙发", "sofa", "#6E5848", "1980W×860D×800H", "牛皮", "咖啡色", "¥3,950元/套", "1套"),
    ("BG-G4412", "听松文件柜", "cabinet", "#8B8F92", "900W×400D×1850H", "冷轧钢板", "暖灰色", "¥760元/组", "5组"),
)  # fmt: skip


def _border(folio: Folio) -> None:
    leaf = folio.leaf
    leaf.rect((0, 0, 26, 842), fill=_FOREST)
    leaf.text(50, 40, "博谷办公", face="zhb", size=11, colour=_FOREST)
    leaf.text(110, 40, "BOGU OFFICE", face="zh", size=7.5, colour=_SOFT, tracking=1)
    leaf.text(565, 820, f"{folio.number:03d}", face="zhb", size=9, colour=_FOREST, align="right")


def _half(folio: Folio, k: int, y: float, *, pictured_left: bool) -> None:
    model, name, motif, paint, size, material, colour, price, moq = _PIECES[k]
    leaf = folio.leaf
    left, text = (50.0, 350.0) if pictured_left else (285.0, 50.0)
    image = folio.shows(motif, (left, y, left + 280, y + 250), paint, "#E9E3D6")
    leaf.text(text, y + 30, name, face="zhb", size=17, colour=_FOREST)
    leaf.rule(text, y + 42, text + 60, y + 42, colour=_FOREST, thick=2)
    at = y + 70
    for label, value in (
        ("产品编号", model),
        ("尺寸(mm)", size),
        ("主材", material),
        ("颜色", colour),
        ("起订", moq),
        ("参考价", price),
    ):
        leaf.text(text, at, label, face="zh", size=9, colour=_SOFT)
        leaf.text(text + 66, at, value, face="zh", size=10, colour=_INK)
        at += 24
    leaf.paragraph(
        text, at + 8, 205, "甲醛释放量符合国家标准，五年结构保修。", face="zh", size=8.5, colour=_SOFT, leading=1.7
    )
    values = {"model": model, "product_name": name, "size": size, "material": material, "color": colour, "price": price,
              "moq": moq}  # fmt: skip
    folio.sku(
        [(min(left, text), y, max(left + 280, text + 215), y + 254)],
        values,
        images=[image],
        accept={"price": [price.split("元")[0], price.split("元")[0] + "元"]},
        optional={
            "currency": "¥",
            "unit": price.rsplit("/", 1)[-1],
            "description": "甲醛释放量符合国家标准，五年结构保修。",
        }
        if "/" in price
        else {},
    )


def _company(folio: Folio) -> None:
    leaf = folio.page("D", "L3")
    _border(folio)
    leaf.text(50, 100, "关于博谷", face="zhb", size=26, colour=_FOREST)
    leaf.paragraph(
        50,
        140,
        500,
        "博谷办公家具成立于二〇〇六年，拥有六万平方米的生产基地与四条自动化板式生产线。我们为写字楼、学校、医院与"
        "政府机构提供从测量、设计到安装的整体服务。\n截至目前，全国共有二百一十家经销网点，服务客户超过一万二千家。",
        face="zh",
        size=11,
        leading=2.0,
        colour=_INK,
    )
    folio.decorates("plant", (50, 270, 550, 500), "#7D8C80", "#D9E2DA")
    for k, (figure, label) in enumerate((("2006", "成立年份"), ("60,000㎡", "生产基地"), ("210", "经销网点"))):
        leaf.text(60 + k * 170, 560, figure, face="zhb", size=22, colour=_FOREST)
        leaf.text(60 + k * 170, 580, label, face="zh", size=9, colour=_SOFT)


def _alone(folio: Folio) -> None:
    leaf = folio.page("B", "L1", fragmented=True)
    image = folio.shows("armchair", (0, 0, 595, 520), "#8A4B36", "#CFC5B2")
    leaf.rect((0, 520, 595, 842), fill=_FOREST)
    leaf.text(50, 576, "归云休闲椅", face="zhb", size=28, colour=WHITE)
    pairs = (
        ("型号", "BG-X5501"),
        ("尺寸", "820W×860D×780H mm"),
        ("材质", "羊羔绒 / 白蜡木"),
        ("颜色", "赤陶、米白"),
        ("净重", "18.5kg"),
    )
    for k, (label, value) in enumerate(pairs):
        leaf.text(50, 616 + k * 26, f"{label}：{value}", face="zh", size=11, colour=_SAND)
    folio.sku([(0, 0, 595, 730)], {"model": "BG-X5501", "product_name": "归云休闲椅", "size": "820W×860D×780H mm",
              "material": "羊羔绒 / 白蜡木", "color": "赤陶、米白", "weight": "18.5kg"}, images=[image])  # fmt: skip


def _pages(folio: Folio) -> None:
    folio.brand = ("博谷办公", "BOGU OFFICE", "博谷")
    _company(folio)
    for page in range(3):
        folio.page("B", "L3", fragmented=page == 2)
        _border(folio)
        _half(folio, page * 2, 80, pictured_left=True)
        _half(folio, page * 2 + 1, 440, pictured_left=False)
    _alone(folio)


STYLE = Style("zh_furniture_halves", "zh", "furniture", ("zh",), _pages)
