"""A dense hardware price list in Chinese: pages of ``samples/fasteners.pdf`` and their truth."""

from collections.abc import Sequence
from dataclasses import dataclass

from tests.support.catalogues.grid import Entry, Look, Row, draw_table
from tests.support.catalogues.ink import A4, Book, Sheet, rgb
from tests.support.catalogues.truth import Truth, TruthPage, TruthSku, price

BRAND = "恒固紧固件"
INK, BLUE, SOFT = rgb("#1D2530"), rgb("#1F4E79"), rgb("#6B7684")
LEFT = 36.0
_LOOK = Look(
    size=7.4,
    pad=3,
    header_fill=BLUE,
    band=rgb("#F1F5F9"),
    line=rgb("#AEB9C5"),
    colour=INK,
    aligns=("left", "left", "center", "left", "left", "right", "right", "right", "right", "center"),
)
_WIDTHS = (68.0, 74.0, 52.0, 56.0, 48.0, 40.0, 46.0, 52.0, 46.0, 41.0)
_TIERS = ("100–999", "1,000–9,999", "≥10,000")


@dataclass(frozen=True)
class _Family:
    """Products of one standard. ``first_fen``: what its first size costs; ``packed``: pieces in a box."""

    prefix: str
    name: str
    sizes: tuple[str, ...]
    material: str
    finish: str
    first_fen: int
    packed: int


_FAMILIES = (
    _Family(
        "HG-5783-",
        "外六角螺栓 GB/T 5783",
        (
            "M5×16",
            "M5×20",
            "M6×16",
            "M6×20",
            "M6×30",
            "M8×20",
            "M8×30",
            "M8×40",
            "M10×30",
            "M10×40",
            "M12×40",
            "M12×60",
        ),
        "碳钢 8.8级",
        "蓝白锌",
        9,
        500,
    ),
    _Family(
        "HG-70-",
        "内六角圆柱头螺钉 GB/T 70.1",
        ("M3×8", "M3×12", "M4×10", "M4×16", "M5×16", "M5×25", "M6×20", "M6×35", "M8×25", "M8×45"),
        "不锈钢 A2-70",
        "本色",
        12,
        500,
    ),
    _Family(
        "HG-6170-",
        "六角螺母 GB/T 6170",
        ("M3", "M4", "M5", "M6", "M8", "M10", "M12", "M16"),
        "碳钢 8级",
        "镀镍",
        4,
        1000,
    ),
    _Family(
        "HG-97-", "平垫圈 GB/T 97.1", ("M3", "M4", "M5", "M6", "M8", "M10", "M12", "M16"), "不锈钢 304", "本色", 2, 2000
    ),
    _Family("HG-93-", "弹簧垫圈 GB/T 93", ("M4", "M5", "M6", "M8", "M10", "M12"), "65Mn", "发黑", 2, 2000),
    _Family(
        "HG-845-",
        "十字槽盘头自攻螺钉 GB/T 845",
        ("ST2.9×9.5", "ST2.9×13", "ST3.5×13", "ST3.5×19", "ST4.2×16", "ST4.2×25", "ST4.8×25", "ST4.8×38"),
        "碳钢 渗碳",
        "彩锌",
        3,
        1000,
    ),
    _Family("HG-YZ-", "膨胀锚栓", ("M6×60", "M8×80", "M10×100", "M12×120", "M16×150"), "碳钢 4.8级", "彩锌", 38, 100),
    _Family(
        "HG-KM-",
        "抽芯铆钉 GB/T 12618",
        ("3.2×8", "3.2×10", "4.0×10", "4.0×13", "4.8×13", "4.8×16"),
        "铝 / 钢",
        "本色",
        5,
        1000,
    ),
)


def _products() -> list[tuple[str, ...]]:
    """Rows: model, name, size, material, finish, weight, three tier prices, pieces in a box."""
    rows = []
    for family in _FAMILIES:
        for k, size in enumerate(family.sizes):
            code = size.replace("×", "x").replace(".", "").replace("ST", "S")
            fen = family.first_fen * (10 + 4 * k) * 10
            tiers = [f"{fen * share / 100000:.3f}" for share in (100, 88, 79)]
            weight = f"{0.4 * (family.first_fen**0.5) * (1 + 0.55 * k):.2f}"
            rows.append(
                (
                    family.prefix + code,
                    family.name,
                    size,
                    family.material,
                    family.finish,
                    weight,
                    *tiers,
                    str(family.packed),
                )
            )
    return rows


class Fasteners:
    """Draws the three pages and notes the truth of each."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.skus: list[TruthSku] = []

    def build(self) -> Truth:
        """All pages; the truth of the file. Each page has the header: tier prices under one heading, and a unit row."""
        products, pages = _products(), []
        for number, (start, stop) in enumerate(((0, 22), (22, 44), (44, len(products))), 1):
            self.book.close(self._page(number, products[start:stop], last=stop == len(products)))
            pages.append(TruthPage(number, "A", "dense table", stop - start))
        return Truth("fasteners.pdf", BRAND, tuple(pages), tuple(self.skus))

    def _page(self, number: int, products: Sequence[tuple[str, ...]], *, last: bool) -> Sheet:
        sheet = self.book.sheet()
        right = A4[0] - LEFT
        sheet.rect((0, 0, A4[0], 10), fill=BLUE)
        sheet.text(LEFT, 50, BRAND, face="bold", size=18, colour=BLUE)
        sheet.text(LEFT + 102, 50, "2026 年标准件价目表", size=12, colour=INK)
        sheet.text(right, 44, "HENGGU FASTENERS", face="bold", size=8, colour=SOFT, align="right")
        sheet.text(right, 56, "销售热线 400-000-0000", size=7.5, colour=SOFT, align="right")
        rows = [*_header(), *_body(products)]
        heights = [17.0, 17.0, 15.0] + [27.0] * len(products)
        if last:
            total = sum(len(family.sizes) for family in _FAMILIES)
            rows.append(
                [Entry(f"共计 {total} 个规格", cols=10, face="bold", align="left", fill=rgb("#E3EAF2")), *[None] * 9]
            )
            heights.append(20)
        draw_table(sheet, LEFT, 74, _WIDTHS, heights, rows, _LOOK, header_rows=3)
        sheet.text(LEFT, 812, "注：价格含 13% 增值税；阶梯价按单一规格一次订购数量计。", size=7.5, colour=SOFT)
        sheet.text(right, 812, f"第 {number} 页 / 共 3 页", size=7.5, colour=SOFT, align="right")
        self.skus += [self._truth(number, product) for product in products]
        return sheet

    def _truth(self, number: int, product: tuple[str, ...]) -> TruthSku:
        model, name, size, material, finish, weight, *tiers, packed = product
        attributes = {
            "model": model, "product_name": name, "size": size, "material": material, "weight": weight,
            "price": tiers[0], "packing": packed,
        }  # fmt: skip
        by_quantity = tuple(zip(_TIERS, tiers, strict=True))
        return TruthSku(number, attributes, None, {"表面处理": finish}, price(tiers[0]), by_quantity)


def _header() -> list[Row]:
    names = ("型号", "品名 / 标准", "规格", "材质", "表面处理", "重量")
    upper: list[Entry | str | None] = [Entry(name, rows=2) for name in names]
    upper += [Entry("单价（按订购数量）", cols=3), None, None, Entry("装箱数", rows=2)]
    lower: list[Entry | str | None] = [*[None] * 6, *_TIERS, None]
    light = rgb("#DCE6F1")
    units = ("", "", "mm", "", "", "g/件", "元/件", "元/件", "元/件", "件/箱")
    return [upper, lower, [Entry(unit, fill=light, colour=BLUE, face="body", align="center") for unit in units]]


def _body(products: Sequence[tuple[str, ...]]) -> list[Row]:
    """Name, material and finish of a family are one merged cell each, ending where the family or the page ends."""
    rows: list[list[Entry | str | None]] = [list(product) for product in products]
    start = 0
    for k in range(1, len(products) + 1):
        if k < len(products) and products[k][1] == products[start][1]:
            continue
        for column in (1, 3, 4):
            text = products[start][column].replace(" GB", "\nGB")
            rows[start][column] = Entry(text, rows=k - start)
            for covered in range(start + 1, k):
                rows[covered][column] = None
        start = k
    return list(rows)
