"""Knitwear price sheets in two languages, landscape: photos in the rows, sizes as columns and a price in each; it goes
on over the page; a stock list without pictures; a chart of body measures that is no list of products."""

from collections.abc import Sequence

from tests.golden.styles.pens.folio import Folio, around
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.grid import Entry, Look, Row, draw_table
from tests.support.catalogues.ink import WHITE, rgb

_BERRY, _INK, _SOFT, _ROSE = rgb("#7A2048"), rgb("#2B2730"), rgb("#8C8590"), rgb("#F6EAF0")
_WIDE = (842.0, 595.0)
_SIZES = ("S", "M", "L", "XL", "2XL")
_LOOK = Look(
    size=8,
    face="zh",
    header_face="zhb",
    header_fill=_BERRY,
    header_colour=WHITE,
    band=None,
    line=rgb("#CDBFC7"),
    colour=_INK,
    aligns=("center",) * 12,
)
# Style number, names, motif, paint, fabrics, colours, prices by size.
_Style = tuple[str, tuple[str, str], str, str, tuple[str, str], tuple[str, str], tuple[str, ...]]
_STYLES: tuple[_Style, ...] = (
    ("LM26-010", ("圆领短袖", "Crew neck tee"), "shirt", "#8FA6B2", ("100%棉", "100% cotton"), ("雾蓝", "Mist blue"),
     ("4.20", "4.20", "4.35", "4.60", "4.95")),
    ("LM26-014", ("条纹海魂衫", "Breton stripe top"), "shirt", "#D9D3C5", ("95%棉5%氨纶", "95% cotton 5% spandex"),
     ("米白", "Ecru"), ("5.60", "5.60", "5.75", "6.00", "6.40")),
    ("LM26-031", ("连帽卫衣", "Hooded sweat"), "hoodie", "#5E6C5B", ("80%棉20%涤纶", "80% cotton 20% polyester"),
     ("橄榄绿", "Olive"), ("9.80", "9.80", "10.10", "10.50", "11.20")),
    ("LM26-037", ("拉链开衫", "Zip cardigan"), "hoodie", "#6E3B4A", ("100%羊毛", "100% wool"), ("酒红", "Bordeaux"),
     ("17.50", "17.50", "18.00", "18.60", "-")),
    ("LM26-044", ("束脚长裤", "Jogger"), "trousers", "#3D4048", ("70%棉30%涤纶", "70% cotton 30% polyester"),
     ("炭灰", "Charcoal"), ("7.90", "7.90", "8.20", "8.60", "9.10")),
    ("LM26-052", ("针织连衣裙", "Knit dress"), "dress", "#B5838D", ("60%粘胶40%尼龙", "60% viscose 40% nylon"),
     ("豆沙", "Dusty rose"), ("13.20", "13.20", "13.60", "14.10", "-")),
    ("LM26-060", ("轻薄外套", "Light jacket"), "jacket", "#44566C", ("100%涤纶", "100% polyester"), ("藏青", "Navy"),
     ("15.40", "15.40", "15.90", "16.50", "17.20")),
    ("LM26-066", ("棒球帽", "Baseball cap"), "cap", "#A4573B", ("100%棉", "100% cotton"), ("砖红", "Brick"),
     ("3.10", "3.10", "3.10", "3.10", "3.10")),
)  # fmt: skip


def _heading(folio: Folio, zh: str, en: str) -> None:
    leaf = folio.leaf
    leaf.rect((0, 0, 842, 6), fill=_BERRY)
    leaf.text(58, 40, "蓝麦针织", face="zhb", size=14, colour=_BERRY)
    leaf.text(136, 40, "LANMAI KNIT", face="sans", size=10, colour=_SOFT, tracking=1)
    leaf.text(784, 40, f"{zh}  {en}", face="zh", size=10, colour=_INK, align="right")
    leaf.text(784, 580, f"{folio.number}", face="sans", size=8, colour=_SOFT, align="right")


def _priced(folio: Folio, styles: Sequence[_Style]) -> None:
    head: list[Row] = [
        [*[Entry(text, rows=2) for text in ("图片\nPhoto", "款号\nStyle No.", "品名\nDescription", "面料\nFabric",
                                            "颜色\nColor")],
         Entry("单价 Unit price (USD)", cols=5), None, None, None, None],
        [*[None] * 5, *_SIZES],
    ]  # fmt: skip
    rows = head + [
        ["", model, "\n".join(name), "\n".join(fabric), "\n".join(colour), *prices]
        for model, name, _, _, fabric, colour, prices in styles
    ]
    widths = (86.0, 78.0, 112.0, 124.0, 86.0, *[48.0] * 5)
    boxes = draw_table(folio.leaf, 58, 56, widths, [18.0, 18.0] + [112.0] * len(styles), rows, _LOOK, 2)
    for k, (model, name, motif, paint, fabric, colour, prices) in enumerate(styles):
        x0, y0, x1, y1 = boxes[k + 2, 0]
        image = folio.shows(motif, (x0 + 4, y0 + 4, x1 - 4, y1 - 4), paint, "#F7F3F5")
        values = {
            "model": model,
            "product_name": " ".join(name),
            "material": " ".join(fabric),
            "color": " ".join(colour),
        }
        # A price for each size has no one place among the attributes: any of them is right.
        asked = [price for price in prices if price != "-"]
        folio.sku(
            [around([boxes[k + 2, column] for column in range(10)])], values, images=[image],
            optional={"price": asked[0], "currency": "USD", "size": _SIZES[0]},
            accept={"product_name": name, "material": fabric, "color": colour, "price": asked,
                    "size": [*_SIZES, "S-2XL", " ".join(_SIZES), "/".join(_SIZES), ", ".join(_SIZES)]},
        )  # fmt: skip


def _stock(folio: Folio) -> None:
    folio.page("A", "L4", size=_WIDE)
    _heading(folio, "现货清单", "Stock list")
    rows: list[Row] = [
        [
            "款号 Style No.",
            "品名 Description",
            "颜色 Color",
            "尺码 Size",
            "库存 Stock",
            "起订量 MOQ",
            "单价 Price (USD)",
        ]
    ]
    shades = (("黑色", "Black"), ("白色", "White"), ("灰色", "Grey"))
    listed = []
    for k in range(24):
        model, name, *_, prices = _STYLES[k // 3]
        zh, en = shades[k % 3]
        listed.append((f"{model}-{k % 3 + 1}", name, (zh, en), "S-2XL" if k % 6 else "M-XL", str(140 + k * 35),
                       str((12, 24, 36)[k % 3]), "面议" if k % 11 == 7 else prices[2]))  # fmt: skip
    rows += [[model, " ".join(name), " ".join(colour), *rest] for model, name, colour, *rest in listed]
    widths = (110.0, 176.0, 110.0, 82.0, 82.0, 82.0, 84.0)
    boxes = draw_table(folio.leaf, 58, 56, widths, [20.5] * len(rows), rows, _LOOK)
    for k, (model, name, colour, size, stock, least, price) in enumerate(listed):
        values = {"model": model, "product_name": " ".join(name), "color": " ".join(colour), "size": size, "moq": least,
                  "price": price}  # fmt: skip
        folio.sku(
            [around([boxes[k + 1, column] for column in range(7)])],
            values,
            custom={"库存 Stock": stock},
            optional={"currency": "USD"},
            accept={"product_name": name, "color": colour},
        )


def _measures(folio: Folio) -> None:
    leaf = folio.page("D", "L3", size=_WIDE)
    _heading(folio, "尺码对照", "Size guide")
    rows: list[Row] = [["部位 Measure (cm)", *_SIZES]]
    for label, first, step in (
        ("胸围 Chest", 92, 5),
        ("腰围 Waist", 76, 5),
        ("肩宽 Shoulder", 42, 1),
        ("衣长 Length", 66, 2),
        ("袖长 Sleeve", 59, 1),
    ):
        rows.append([label, *[str(first + step * k) for k in range(5)]])
    draw_table(leaf, 58, 90, (200.0, *[100.0] * 5), [34.0] * len(rows), rows, _LOOK)
    leaf.paragraph(
        58,
        340,
        600,
        "测量误差一至二厘米属正常范围。Please allow a tolerance of one to two centimetres.",
        face="zh",
        size=10,
        colour=_SOFT,
    )


def _pages(folio: Folio) -> None:
    folio.brand = ("蓝麦针织", "LANMAI KNIT", "蓝麦针织 LANMAI KNIT")
    leaf = folio.page("D", "L1", size=_WIDE)
    folio.decorates("jacket", (421, 0, 842, 595), "#7A2048", "#EFE3E9")
    leaf.text(58, 260, "蓝麦针织", face="zhb", size=40, colour=_BERRY)
    leaf.text(60, 296, "LANMAI KNIT", face="sans", size=18, colour=_SOFT, tracking=3)
    leaf.text(60, 350, "春夏订货册 Spring summer order book", face="zh", size=13, colour=_INK)
    for start in (0, 4):
        folio.page("A", "L3", size=_WIDE, continues=start > 0, fragmented=start > 0)
        _heading(folio, "订货价目", "Order prices")
        _priced(folio, _STYLES[start : start + 4])
    _stock(folio)
    _measures(folio)


STYLE = Style("zhen_apparel_sizes", "zhen", "apparel", ("zh", "sans"), _pages)
