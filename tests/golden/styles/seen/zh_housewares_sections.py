"""Chinese housewares in tables as wholesalers set them: section rows that name the product of the variants below and
its material, marks that repeat the cell above, picture and code in one cell, a photo beside the table of its variants.
"""

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.grid import Entry, Look, Row, draw_table
from tests.support.catalogues.ink import WHITE, Box, rgb

_INK, _SOFT, _BROWN, _PALE = rgb("#22262B"), rgb("#858B92"), rgb("#6B4226"), rgb("#F3ECE4")
_PAINTS = ("#B33A2E", "#3F6C7A", "#6C8A5E", "#C79A5B", "#4F7CAC")
_DITTO = "〃"
_LOOK = Look(
    size=8.4,
    face="zh",
    header_face="zhb",
    header_fill=_BROWN,
    header_colour=WHITE,
    band=None,
    line=rgb("#A59C92"),
    colour=_INK,
    aligns=("center",) * 5,
)
# Name, motif, material; model, size, pieces in a carton and price of each variant.
_SECTIONS: tuple[tuple[str, str, str, tuple[tuple[str, str, str, str], ...]], ...] = (
    ("复底汤锅", "pot", "304不锈钢",
     (("TG-20", "20cm", "6", "¥78"), ("TG-24", "24cm", "6", "¥96"), ("TG-28", "28cm", "4", "¥118"))),
    ("麦饭石煎锅", "pan", "铝合金", (("JG-24", "24cm", "8", "¥69"), ("JG-28", "28cm", "8", "¥85"))),
    ("鸣笛烧水壶", "kettle", "316不锈钢",
     (("SH-30", "3.0L", "12", "¥58"), ("SH-40", "4.0L", "12", "¥66"), ("SH-50", "5.0L", "8", "¥75"))),
)  # fmt: skip
_TOOLS = (
    ("GJ-101", "螺丝刀", "铬钒钢", "PH2×100mm", "¥4.80"), ("GJ-102", _DITTO, _DITTO, "PH2×150mm", "¥5.60"),
    ("GJ-103", _DITTO, _DITTO, "SL6×150mm", "¥5.60"), ("GJ-201", "活动扳手", "45#钢", "200mm", "¥16.50"),
    ("GJ-202", _DITTO, _DITTO, "250mm", "¥21.00"), ("GJ-203", _DITTO, "铬钒钢", "300mm", "¥34.00"),
    ("GJ-301", "羊角锤", "高碳钢", "0.5kg", "¥18.00"), ("GJ-302", _DITTO, _DITTO, "0.75kg", "¥22.50"),
)  # fmt: skip
_OUTDOOR = (
    ("OD-501", "折叠露营椅", "600D牛津布，承重120kg", "chair", "52×52×82cm", "¥68"),
    ("OD-508", "月亮椅", "铝合金骨架，可收纳", "armchair", "78×66×100cm", "¥139"),
    ("OD-515", "蛋卷桌", "榉木桌板，免安装", "table", "90×60×45cm", "¥168"),
    ("OD-522", "户外边柜", "防腐木，双门", "cabinet", "80×40×90cm", "¥420"),
    ("OD-530", "休闲长沙发", "藤编，配坐垫", "sofa", "180×75×78cm", "¥1280"),
)
# Name, motif, material; model, volume, colour and price of each variant.
_CUPS: tuple[tuple[str, str, str, tuple[tuple[str, str, str, str], ...]], ...] = (
    ("双层保温杯", "bottle", "316不锈钢",
     (("BW-350", "350ml", "磨砂黑", "¥59"), ("BW-500", "500ml", "珍珠白", "¥69"), ("BW-750", "750ml", "雾蓝", "¥82"))),
    ("日式汤碗", "bowl", "陶瓷",
     (("TW-16", "600ml", "青花", "¥15"), ("TW-20", "900ml", "青花", "¥21"), ("TW-23", "1.2L", "釉下彩", "¥28"))),
    ("电热水壶", "kettle", "304不锈钢", (("DS-15", "1.5L", "哑白", "¥129"), ("DS-17", "1.7L", "墨绿", "¥139"))),
)  # fmt: skip


def _frame(folio: Folio, title: str) -> None:
    folio.heading = (title,)
    folio.leaf.text(40, 46, title, face="zhb", size=17, colour=_INK)
    folio.leaf.text(555, 46, "宏盛百货", face="zh", size=9, colour=_SOFT, align="right")
    folio.leaf.text(555, 826, f"— {folio.number} —", face="zh", size=8, colour=_SOFT, align="right")


def _inside(cell: Box, margin: float) -> Box:
    """The largest square in the cell's middle."""
    edge = min(cell[2] - cell[0], cell[3] - cell[1]) / 2 - margin
    x, y = (cell[0] + cell[2]) / 2, (cell[1] + cell[3]) / 2
    return x - edge, y - edge, x + edge, y + edge


def _sections(folio: Folio) -> None:
    folio.page("A", "L3")
    _frame(folio, "锅具报价")
    rows: list[Row] = [["图片", "型号", "规格", "装箱数(只)", "单价"]]
    heights, heads = [26.0], []
    for name, _, material, variants in _SECTIONS:
        heads.append(len(rows))
        title = Entry(f"{name}（材质：{material}）", cols=4, fill=_PALE, face="zhb", align="left")
        rows += [[Entry("", rows=len(variants) + 1), title, None, None, None], *([None, *one] for one in variants)]
        heights += [24.0, *(36.0 for _ in variants)]
    cells = draw_table(folio.leaf, 40, 76, [120, 110, 95, 95, 95], heights, rows, _LOOK)
    for paint, head, (name, motif, material, variants) in zip(_PAINTS, heads, _SECTIONS, strict=False):
        image = folio.shows(motif, _inside(cells[head, 0], 5), paint)
        printed = f"{name}（材质：{material}）"
        for row, (model, size, packing, price) in enumerate(variants, head + 1):
            values = {"model": model, "product_name": name, "material": material, "size": size, "packing": packing}
            folio.sku(
                [cells[head, 0], *(cells[row, col] for col in range(1, 5))],
                values | {"price": price},
                images=[image],
                optional={"currency": "¥", "series": name},
                accept={"series": [printed], "packing": [f"{packing}只"]},
            )


def _dittos(folio: Folio) -> None:
    folio.page("A", "L3")
    _frame(folio, "工具批发表")
    rows: list[Row] = [["型号", "品名", "材质", "规格", "单价"], *(list(tool) for tool in _TOOLS)]
    cells = draw_table(folio.leaf, 40, 76, [90, 110, 100, 120, 90], [26, *(28 for _ in _TOOLS)], rows, _LOOK)
    name = material = ""
    for row, (model, said, stuff, size, price) in enumerate(_TOOLS, 1):
        name, material = (name if said == _DITTO else said), (material if stuff == _DITTO else stuff)
        values = {"model": model, "product_name": name, "material": material, "size": size, "price": price}
        folio.sku([cells[row, col] for col in range(5)], values, optional={"currency": "¥"})


def _two_in_a_cell(folio: Folio) -> None:
    folio.page("A", "L3")
    _frame(folio, "户外家具")
    leaf = folio.leaf
    rows: list[Row] = [
        ["产品图 / 型号", "品名及说明", "尺寸", "零售价"],
        *(["", "", one[4], one[5]] for one in _OUTDOOR),
    ]
    cells = draw_table(leaf, 40, 70, [140, 180, 110, 85], [26, *(112 for _ in _OUTDOOR)], rows, _LOOK)
    for row, (paint, (model, name, words, motif, size, price)) in enumerate(zip(_PAINTS, _OUTDOOR, strict=True), 1):
        x0, y0, x1, y1 = cells[row, 0]
        image = folio.shows(motif, (x0 + 30, y0 + 6, x1 - 30, y0 + 88), paint)
        leaf.text((x0 + x1) / 2, y1 - 8, model, face="zh", size=8.6, colour=_INK, align="center")
        leaf.text(x1 + 6, y0 + 52, name, face="zhb", size=10.5, colour=_INK)
        leaf.text(x1 + 6, y0 + 68, words, face="zh", size=7.6, colour=_SOFT)
        folio.sku(
            [cells[row, col] for col in range(4)],
            {"model": model, "product_name": name, "size": size, "price": price},
            images=[image],
            optional={"currency": "¥", "description": words},
        )


def _beside_photos(folio: Folio) -> None:
    folio.page("A", "L3")
    _frame(folio, "杯壶")
    leaf = folio.leaf
    for k, (name, motif, material, variants) in enumerate(_CUPS):
        y = 76 + k * 215.0
        image = folio.shows(motif, (40, y, 180, y + 140), _PAINTS[k], "#F4F1EC")
        leaf.text(200, y + 14, name, face="zhb", size=13, colour=_BROWN)
        leaf.text(200, y + 32, f"材质：{material}", face="zh", size=8.8, colour=_SOFT)
        rows: list[Row] = [["型号", "容量", "颜色", "零售价"], *(list(one) for one in variants)]
        cells = draw_table(leaf, 200, y + 42, [95, 85, 90, 85], [22] * len(rows), rows, _LOOK)
        for row, (model, volume, colour, price) in enumerate(variants, 1):
            values = {"model": model, "product_name": name, "material": material, "color": colour, "price": price}
            folio.sku(
                [(40, y, 180, y + 140), *(cells[row, col] for col in range(4))],
                values,
                images=[image],
                custom={"容量": volume},
                optional={"currency": "¥", "size": volume},
            )


def _pages(folio: Folio) -> None:
    folio.brand = ("宏盛百货", "宏盛")
    _sections(folio)
    _dittos(folio)
    _two_in_a_cell(folio)
    _beside_photos(folio)


STYLE = Style("zh_housewares_sections", "zh", "housewares", ("zh",), _pages)
