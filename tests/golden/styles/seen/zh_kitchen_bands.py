"""Kitchen gifts in Chinese: each product a band over the whole width, its name white on a coloured strip, three
pictures and the facts below; bands go on over pages; a cover and a page of services with certificates."""

from collections.abc import Sequence

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.ink import WHITE, rgb

_INK, _SOFT, _PALE = rgb("#2B2B2B"), rgb("#8A8A8A"), rgb("#FAF7F2")
_STRIPS = (rgb("#B23A48"), rgb("#2A6F77"), rgb("#C57B1E"), rgb("#4A5A87"))
# Model, name, three pictures as motif and paint, material, capacity, colour, packing, price.
_Gift = tuple[str, str, tuple[tuple[str, str], ...], str, str, str, str, str]
_GIFTS: tuple[_Gift, ...] = (
    ("CW-301", "双层保温杯", (("bottle", "#B23A48"), ("bottle", "#2E3D4C"), ("bottle", "#E4DED2")), "316不锈钢",
     "500ml",
     "红/蓝/白", "50只/箱", "36.80元"),
    ("CW-318", "珐琅汤锅", (("pot", "#B9442E"), ("pot", "#39605B"), ("pot", "#D9B24C")), "铸铁珐琅", "4.2L", "橙/绿/黄",
     "2只/箱", "188.00元"),
    ("CW-325", "麦饭石炒锅", (("pan", "#4B4A48"), ("pan", "#6C5B4B"), ("pan", "#37404A")), "铝合金", "32cm", "/",
     "6只/箱",
     "79.50元"),
    ("CW-402", "粗陶面碗", (("bowl", "#9C8B74"), ("bowl", "#54616B"), ("bowl", "#C8B89C")), "粗陶", "850ml", "混色",
     "24只/箱", "12.60元"),
    ("CW-409", "竹木砧板", (("cutting_board", "#C79D5B"), ("cutting_board", "#A97A43"), ("cutting_board", "#DDBB82")),
     "竹木", "40×28cm", "原色", "20片/箱", "29.90元"),
    ("CW-415", "和风马克杯", (("mug", "#6F8FA3"), ("mug", "#C3B9A7"), ("mug", "#7C5D4E")), "炻瓷", "380ml", "三色混装",
     "48只/箱", "9.80元"),
    ("CW-507", "手冲细口壶", (("kettle", "#32383E"), ("kettle", "#A9ADB0"), ("kettle", "#8B5E3C")), "304不锈钢", "1.0L",
     "黑/银/铜", "12只/箱", "面议"),
    ("CW-511", "主厨刀", (("knife", "#33373C"), ("knife", "#6B4A30"), ("knife", "#8E9499")), "钼钒钢", "8寸",
     "黑/木/银",
     "30把/箱", "66.00元"),
    ("CW-520", "西餐刀叉", (("cutlery", "#A9ADB0"), ("cutlery", "#C7A14E"), ("cutlery", "#5C5F63")), "304不锈钢",
     "4件套",
     "银/金/黑", "40套/箱", "45.00元"),
    ("CW-533", "儿童水杯", (("bottle", "#E6A4B4"), ("bottle", "#8EC0D9"), ("bottle", "#B7D7A8")), "Tritan", "420ml",
     "粉/蓝/绿", "60只/箱", "18.50元"),
)  # fmt: skip


def _corner(folio: Folio) -> None:
    leaf = folio.leaf
    folio.decorates("logo", (28, 14, 52, 38), "#B23A48")
    leaf.text(58, 32, "厨物集", face="zhb", size=13, colour=_INK)
    leaf.text(567, 32, "企业礼品手册", face="zh", size=9, colour=_SOFT, align="right")
    leaf.slanted("厨物集样册", face="zh", size=72, colour=rgb("#F3EFE9"), degrees=32)
    leaf.text(567, 830, f"{folio.number}", face="zh", size=8, colour=_SOFT, align="right")


def _band(folio: Folio, gift: _Gift, k: int, y: float, high: float) -> None:
    model, name, pictures, material, capacity, colour, packing, price = gift
    leaf = folio.leaf
    leaf.rect((28, y, 567, y + 26), fill=_STRIPS[k % 4])
    leaf.text(40, y + 18, name, face="zhb", size=13, colour=WHITE)
    leaf.text(555, y + 18, f"货号 {model}", face="zh", size=10, colour=WHITE, align="right")
    shown = []
    for n, (motif, paint) in enumerate(pictures):
        x = 28 + n * 122.0
        shown.append(folio.shows(motif, (x, y + 32, x + 116, y + high - 6), paint, "#F2EEE7"))
    facts = (("材质", material), ("规格", capacity), ("颜色", colour), ("装箱数", packing), ("供货价", price))
    step = (high - 40) / len(facts)
    for n, (label, value) in enumerate(facts):
        at = y + 32 + step * (n + 0.7)
        leaf.rect((400, at - 11, 446, at + 5), fill=_PALE, radius=2)
        leaf.text(423, at, label, face="zh", size=8.5, colour=_SOFT, align="center")
        leaf.text(458, at, value, face="zhb" if label == "供货价" else "zh", size=10, colour=_INK)
    values = {"model": model, "product_name": name, "material": material, "size": capacity, "color": colour,
              "packing": packing, "price": price}  # fmt: skip
    folio.sku([(28, y, 567, y + high)], values, images=shown, optional={"currency": "元"})


def _bands(folio: Folio, gifts: Sequence[_Gift], first: int, high: float) -> None:
    _corner(folio)
    for k, gift in enumerate(gifts):
        _band(folio, gift, first + k, 50 + k * (high + 14), high)


def _title(folio: Folio) -> None:
    leaf = folio.page("D", "L2")
    for k, (motif, paint, wall) in enumerate(
        (
            ("pot", "#B9442E", "#F0E2D8"),
            ("mug", "#6F8FA3", "#DFE8ED"),
            ("bowl", "#9C8B74", "#ECE6DA"),
            ("kettle", "#32383E", "#E2E4E6"),
        )
    ):
        x, y = k % 2 * 297.5, k // 2 * 260.0
        folio.decorates(motif, (x, y, x + 297.5, y + 260), paint, wall)
    leaf.text(297, 620, "厨物集", face="zhb", size=52, colour=_STRIPS[0], align="center")
    leaf.text(297, 664, "企业礼品与商超供货", face="zh", size=16, colour=_INK, align="center")


def _services(folio: Folio) -> None:
    leaf = folio.page("D", "L3")
    _corner(folio)
    leaf.text(28, 90, "定制流程", face="zhb", size=22, colour=_STRIPS[1])
    steps = (
        "选品：从手册中确定产品与数量",
        "打样：提供标志文件，五个工作日内寄样",
        "下单：预付三成，签回确认函",
        "交货：二十至三十天，分批可议",
    )
    for k, line in enumerate(steps):
        leaf.rect((28, 116 + k * 48, 60, 148 + k * 48), fill=_STRIPS[k])
        leaf.text(44, 138 + k * 48, str(k + 1), face="zhb", size=16, colour=WHITE, align="center")
        leaf.text(76, 137 + k * 48, line, face="zh", size=11, colour=_INK)
    for k in range(2):
        folio.decorates("seal", (60 + k * 260, 360, 240 + k * 260, 600), ("#B08D3C", "#7C8A9A")[k], "#F7F4EC")


def _pages(folio: Folio) -> None:
    folio.brand = ("厨物集",)
    _title(folio)
    folio.page("B", "L3")
    _bands(folio, _GIFTS[:4], 0, 176)
    folio.page("B", "L3", continues=True, fragmented=True)
    _bands(folio, _GIFTS[4:8], 4, 176)
    folio.page("B", "L3", continues=True)
    _bands(folio, _GIFTS[8:], 8, 220)
    _services(folio)


STYLE = Style("zh_kitchen_bands", "zh", "kitchenware", ("zh",), _pages)
