"""Catalogues of any length for load and recovery tests: every model unique, every SKU known, seconds for 2000 pages."""

import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

from PIL import Image, ImageEnhance, ImageOps

from tests.support.catalogues.fonts import built_in
from tests.support.catalogues.furniture import picture
from tests.support.catalogues.grid import Entry, Look, Row, draw_table
from tests.support.catalogues.ink import Art, Book, Box, Sheet, rgb
from tests.support.catalogues.truth import TruthSku, price

# More tables than grids, as in real price lists; two pages in twelve have nothing to sell.
KINDS = ("table", "table", "grid", "table", "table", "grid", "table", "text", "table", "grid", "table", "blank")
# Pictures on most pages, as catalogues have them.
ILLUSTRATED = ("quotation", "grid", "quotation", "text", "quotation", "grid", "table")
_ATTRIBUTES = ("model", "product_name", "size", "material", "color", "price", "moq")
_HEADER: Row = ("型号", "品名", "尺寸(mm)", "材质", "颜色", "价格(元)", "起订量")
_WIDTHS = (88.0, 106.0, 88.0, 66.0, 56.0, 66.0, 45.0)
_PHOTO_WIDTH = 104.0
_QUOTATION_WIDTHS = (_PHOTO_WIDTH, 78.0, 80.0, 82.0, 48.0, 44.0, 50.0, 37.0)
_NAMES = ("餐椅", "圆凳", "边几", "餐桌", "书架", "台灯", "吊灯", "花瓶", "抱枕", "床头柜", "挂钟", "果碗")
_SERIES = ("青禾", "望山", "云屿", "帕洛", "拾光", "涟漪", "海盐", "暖阳")
_MATERIALS = ("橡木", "胡桃木", "陶瓷", "黄铜", "玻璃", "棉麻", "铝", "岩板")
_COLOURS = ("原木", "米白", "墨绿", "雾蓝", "陶土", "浅灰", "深棕", "姜黄")
_WALLS = ("#EBD9C6", "#DDE3D6", "#E9E2D0", "#D5DEE3", "#EFD9CF", "#C9B49B")
_DRAWN = ("vase", "stool", "table_lamp", "moon_vase", "dining_chair", "side_table")
_PAINTS = ("#B4552D", "#5E7A6B", "#D9A441", "#3F5B73", "#E4D8C4", "#8C4A3B")
_MOTIFS = tuple(zip(_DRAWN, _PAINTS, _WALLS, strict=True))
# Ways to cut a motif. A picture that stands on a fifth of the pages looks like a logo: enough to stay far below that.
_CUTS = 12
_LOOK = Look(size=8, header_face="body", aligns=("left", "left", "center", "left", "left", "right", "center"))
_ILLUSTRATED_LOOK = replace(_LOOK, size=7, aligns=("center", *_LOOK.aligns))
_TEXT = (
    "我们的每一件家具都从选材开始。木料在恒温恒湿的库房里养生三个月，再进入车间开料、刨光、组装。"
    "质检员在每一道工序之后抽查尺寸与含水率，不合格的部件不会流到下一站。运输使用可回收的蜂窝纸板，"
    "四角加护，跌落试验高度八十厘米。售后团队在四十八小时内答复，并提供五年的结构保修。"
)


def make_catalogue(
    path: Path,
    pages: int,
    seed: int,
    *,
    kinds: Sequence[str] = KINDS,
    merchant_brand: str = "示例家居",
    shares_pictures: bool = True,
) -> list[TruthSku]:
    """Write a catalogue of ``pages`` pages, their kinds taken in turn from ``kinds``; returns its SKUs in page order.

    Kinds: ``table`` (10 to 20 rows), ``quotation`` (6 rows with a picture each), ``grid`` (2 x 3 captioned pictures),
    ``text`` and ``blank`` (nothing to sell).
    The same arguments give the same bytes; another seed gives other models. Pages share their pictures, which are
    quick to write and to read, or each has its own.
    """
    maker = _Maker(seed, merchant_brand, _CUTS if shares_pictures else pages)
    for number in range(1, pages + 1):
        maker.add_page(number, kinds[(number - 1) % len(kinds)])
    # Only what the pages print stays of the font, which is 3 MB whole.
    maker.book.doc.subset_fonts()
    maker.book.save(path)
    return maker.skus


def make_illustrated(path: Path, pages: int, seed: int) -> list[TruthSku]:
    """A catalogue with photographs on most of its pages, each in one place only, as catalogues have them."""
    return make_catalogue(path, pages, seed, kinds=ILLUSTRATED, shares_pictures=False)


class _Maker:
    def __init__(self, seed: int, brand: str, cuts: int) -> None:
        self.random = Random(seed)
        self.most_arts = cuts * len(_MOTIFS)
        self.seed = seed
        self.brand = brand
        self.book = Book({"body": built_in()}, brand)
        self.skus: list[TruthSku] = []
        self.made = 0
        self.arts: list[Art] = []
        self._draw: dict[str, Callable[[Sheet, int], None]] = {
            "table": self._table, "quotation": self._quotation, "grid": self._grid, "text": self._text,
            "blank": lambda sheet, number: None,
        }  # fmt: skip

    def add_page(self, number: int, kind: str) -> None:
        sheet = self.book.sheet()
        if kind != "blank":
            sheet.text(40, 40, self.brand, size=8, colour=rgb("#857B70"))
            sheet.text(555, 40, f"产品目录 {number}", size=8, colour=rgb("#857B70"), align="right")
        self._draw[kind](sheet, number)
        self.book.close(sheet)

    def _table(self, sheet: Sheet, number: int) -> None:
        rows = [self._product() for _ in range(self.random.randint(10, 20))]
        sheet.text(40, 84, f"{self.random.choice(_SERIES)}系列价目表", size=18)
        heights = [26.0] + [30.0] * len(rows)
        draw_table(sheet, 40, 104, _WIDTHS, heights, [_HEADER, *rows], _LOOK)
        for row in rows:
            self._note(number, dict(zip(_ATTRIBUTES, row, strict=True)))

    def _quotation(self, sheet: Sheet, number: int) -> None:
        sheet.text(40, 84, f"{self.random.choice(_SERIES)}系列报价单", size=18)
        arts = self._arts()
        rows = [self._product() for _ in arts]
        cells = [(Entry(art=art), *row) for art, row in zip(arts, rows, strict=True)]
        heights = [26.0] + [_PHOTO_WIDTH] * len(rows)
        boxes = draw_table(sheet, 40, 104, _QUOTATION_WIDTHS, heights, [("图片", *_HEADER), *cells], _ILLUSTRATED_LOOK)
        for k, row in enumerate(rows, 1):
            self._note(number, dict(zip(_ATTRIBUTES, row, strict=True)), boxes[k, 0])

    def _grid(self, sheet: Sheet, number: int) -> None:
        sheet.text(40, 84, f"{self.random.choice(_SERIES)}系列", size=18)
        arts = self._arts()
        for k in range(6):
            x, y = 40 + k % 2 * 265.0, 104 + k // 2 * 232.0
            model, name, size, _, _, amount, _ = self._product()
            box = (x, y, x + 250, y + 160)
            sheet.art(arts[k], box)
            sheet.text(x, y + 176, name, size=11)
            sheet.text(x, y + 190, f"型号: {model}", size=8.5)
            sheet.text(x, y + 203, f"尺寸: {size}", size=8.5)
            sheet.text(x + 250, y + 176, f"¥ {amount}", size=11, align="right")
            self._note(number, {"model": model, "product_name": name, "size": size, "price": f"¥ {amount}"}, box)

    def _arts(self) -> list[Art]:
        """Six different motifs; new cuts until there are enough, then those of an earlier page."""
        if len(self.arts) < self.most_arts:
            first = len(self.arts)
            self.arts += [self.book.add_art(_picture(first + k)) for k in range(len(_MOTIFS))]
        else:
            first = len(_MOTIFS) * self.random.randrange(len(self.arts) // len(_MOTIFS))
        return self.arts[first : first + len(_MOTIFS)]

    def _text(self, sheet: Sheet, number: int) -> None:
        sheet.text(40, 84, "工艺与服务", size=18)
        sheet.paragraph(40, 116, 515, "\n".join([_TEXT] * 3), size=10, leading=1.8)

    def _product(self) -> tuple[str, ...]:
        pick, upto = self.random.choice, self.random.randrange
        self.made += 1
        # The running number makes the model unique in the file, the seed makes it unlike those of other files.
        model = f"{chr(65 + upto(26))}{self.seed % 1000:03d}-{self.made:05d}"
        size = "×".join(str(10 * upto(20, 200)) for _ in range(3))
        amount = f"{upto(3900, 980000, 100) / 100:,.2f}"
        moq = str(pick((5, 10, 20, 50, 100)))
        return model, f"{pick(_SERIES)}{pick(_NAMES)}", size, pick(_MATERIALS), pick(_COLOURS), amount, moq

    def _note(self, number: int, attributes: dict[str, str], box: Box | None = None) -> None:
        self.skus.append(TruthSku(number, attributes, box, {}, price(attributes["price"])))


@cache
def _picture(number: int) -> bytes:
    """One of _MOTIFS seen in one of _CUTS, then each in a light of its own: the former differ to a perceptual hash.

    The short edge is above 640 pixels, below which a picture is not searchable.
    """
    kind, paint, wall = _MOTIFS[number % len(_MOTIFS)]
    with Image.open(io.BytesIO(picture(kind, paint, wall, width_px=1200, height_px=840))) as whole:
        cut = number // len(_MOTIFS)
        left, top = 200 * (cut % 4) // 3, 190 * (cut // 4 % 3) // 2
        dimmed = 1 - 0.01 * (cut // _CUTS)
        part = ImageEnhance.Brightness(whole.crop((left, top, left + 1000, top + 650))).enhance(dimmed)
    out = io.BytesIO()
    (ImageOps.mirror(part) if cut % 2 else part).save(out, "JPEG", quality=70)
    return out.getvalue()
