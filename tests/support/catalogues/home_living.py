"""The catalogue that a fresh installation shows: pages of ``samples/home-living.pdf`` and their truth."""

import io
from collections.abc import Callable, Sequence
from itertools import groupby

import numpy as np
import pymupdf
from PIL import Image, ImageFilter

from tests.support.catalogues import home_stock as stock
from tests.support.catalogues.furniture import Placed, picture, scene
from tests.support.catalogues.grid import Entry, Look, Row, draw_table
from tests.support.catalogues.home_stock import Product
from tests.support.catalogues.ink import A4, WHITE, Book, Box, Sheet, rgb
from tests.support.catalogues.truth import Truth, TruthPage, TruthSku, price

INK, ACCENT, SOFT, SAND, PAPER = (rgb(c) for c in ("#26221E", "#A8512C", "#857B70", "#F3ECE2", "#FBF8F3"))
LEFT, RIGHT = 40.0, 555.0
LANDSCAPE = (842.0, 595.0)
HEADERS = (
    "型号\nModel",
    "品名\nProduct",
    "尺寸 Size\n(mm)",
    "材质\nMaterial",
    "颜色\nColour",
    "价格 Price\n(CNY)",
    "起订量\nMOQ",
)
_SPLIT = 15  # products of the price list on its first page


class HomeLiving:
    """Draws the pages in order and notes the truth of each."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.pages: list[TruthPage] = []
        self.skus: list[TruthSku] = []

    def build(self) -> Truth:
        """All pages; the truth of the file."""
        steps: Sequence[tuple[str, str, Callable[[], Sheet]]] = (
            ("D", "cover", self.cover), ("D", "contents", self.contents), ("D", "company", self.company),
            ("A", "price list", self.price_list), ("A", "price list, continued", self.price_list_continued),
            ("A", "table with pictures", self.lamps), ("C", "grid 2x3", self.vases), ("C", "grid 3x3", self.decor),
            ("C", "grid 2x3", self.seats), ("B", "one product", self.hero), ("BLANK", "blank", self.book.sheet),
            ("A", "table, page turned by 90 degrees", self.outdoor), ("A", "scanned table", self.scan),
        )  # fmt: skip
        for page_type, kind, draw in steps:
            before = len(self.skus)
            number = self.book.close(draw())
            self.pages.append(TruthPage(number, page_type, kind, len(self.skus) - before))
        return Truth("home-living.pdf", stock.BRAND, tuple(self.pages), tuple(self.skus))

    @property
    def number(self) -> int:
        return len(self.pages) + 1

    def cover(self) -> Sheet:
        sheet = self.book.sheet()
        sheet.rect((0, 0, *A4), fill=SAND)
        items: tuple[Placed, ...] = (
            ("mirror", "#B98850", "#C79A63", 70, 50, 0.62), ("floor_lamp", "#E4CDA8", "#8A5B38", 22, 96, 0.98),
            ("planter", "#F1EADF", "#C79A63", 122, 97, 0.80), ("armchair", "#B4552D", "#7A5036", 70, 102, 1.02),
            ("side_table", "#E2CFB2", "#7A5036", 106, 108, 0.60),
        )  # fmt: skip
        art = self.book.add_art(scene(items, "#D9C3AC", width_px=1190, height_px=1000, floor_y=82, quality=84))
        sheet.art(art, (0, 268, A4[0], 768))
        sheet.text(LEFT, 74, "岚木家居", face="serif", size=17, colour=INK, tracking=2)
        sheet.text(RIGHT, 74, "LANMU LIVING", face="body", size=9, colour=SOFT, tracking=1.6, align="right")
        sheet.rule(LEFT, 92, RIGHT, 92, colour=INK, thick=0.8)
        sheet.text(LEFT, 158, "家的形状", face="serif", size=46, colour=INK, tracking=3)
        sheet.text(LEFT, 198, "The Shape of Home", face="serif", size=22, colour=ACCENT)
        sheet.text(LEFT, 232, "2026 产品目录 · Product Catalogue · 家具 灯具 器物", size=10, colour=SOFT)
        sheet.text(LEFT, 806, "出厂价目 Ex-works price list · 人民币含税 CNY incl. VAT", size=8.5, colour=SOFT)
        sheet.text(RIGHT, 806, "有效期至 Valid until 2026-12-31", size=8.5, colour=SOFT, align="right")
        return sheet

    def contents(self) -> Sheet:
        sheet = self._page("目录", "Contents")
        entries = (
            ("关于岚木", "About Lanmu", 3), ("价目表 · 沙发 单椅 桌几", "Price list: sofas, chairs, tables", 4),
            ("价目表 · 柜类 卧室", "Price list: storage, bedroom", 5), ("灯具", "Lighting", 6),
            ("花器", "Vessels", 7), ("家饰", "Decor", 8), ("客厅精选", "Living room selection", 9),
            ("望云休闲椅", "Wangyun lounge chair", 10), ("户外", "Outdoor", 12),
            ("织物（附页）", "Textiles (insert)", 13),
        )  # fmt: skip
        y = 178.0
        for zh, en, page in entries:
            sheet.text(LEFT, y, f"{page:02d}", face="serif", size=15, colour=ACCENT)
            sheet.text(LEFT + 44, y, zh, face="serif", size=14, colour=INK)
            sheet.text(RIGHT, y, en, size=9.5, colour=SOFT, align="right")
            sheet.rule(LEFT, y + 15, RIGHT, y + 15, colour=rgb("#DDD3C6"), thick=0.5)
            y += 44
        sheet.paragraph(
            LEFT,
            660,
            300,
            "本目录所有尺寸为实测值，允许误差 ±5 mm。图片颜色以实物为准。\n"
            "All dimensions are measured, tolerance ±5 mm. Colours may differ from print.",
            size=8,
            colour=SOFT,
        )
        return sheet

    def company(self) -> Sheet:
        sheet = self._page("关于岚木", "About Lanmu")
        items: tuple[Placed, ...] = (
            ("bookcase", "#8A6244", "#A8512C", 28, 90, 0.92), ("dining_table", "#C79A63", "#7A5036", 105, 95, 0.95),
            ("globe_pendant", "#F1E4CC", "#C79A63", 105, 44, 0.60),
            ("dining_chair", "#5C7568", "#8A5B38", 165, 96, 0.84),
        )  # fmt: skip
        art = self.book.add_art(scene(items, "#B9C0B0", width_px=1300, height_px=700, floor_y=78))
        sheet.art(art, (LEFT, 148, RIGHT, 408), radius=4)
        sheet.paragraph(
            LEFT,
            440,
            245,
            "岚木家居创立于 2009 年，以实木、陶瓷与织物为材料，为住宅、酒店与民宿提供成套家具与器物。"
            "工厂占地四万平方米，年出货一千二百个货柜。",
            size=9.5,
            leading=1.75,
            colour=INK,
        )
        sheet.paragraph(
            310,
            440,
            245,
            "Founded in 2009, Lanmu Living makes furniture, lighting and tableware from solid wood, "
            "ceramic and textile for homes, hotels and guest houses in more than thirty countries.",
            size=9.5,
            leading=1.6,
            colour=SOFT,
        )
        facts = (
            ("2009", "创立 Founded"),
            ("40,000 m²", "厂房 Plant"),
            ("1,200", "货柜/年 Containers a year"),
            ("32", "国家 Countries"),
        )
        for k, (figure, label) in enumerate(facts):
            x = LEFT + k * 131
            sheet.text(x, 572, figure, face="serif", size=19, colour=ACCENT)
            sheet.text(x, 588, label, size=8, colour=SOFT)
        for k, (title, line) in enumerate(
            (
                ("ISO 9001", "质量管理体系认证"),
                ("FSC® C000000", "森林管理委员会示例编号"),
                ("GB/T 3324", "木家具通用技术条件"),
            )
        ):
            x = LEFT + k * 175
            box = (x, 624, x + 165, 744)
            sheet.rect(box, fill=WHITE, line=rgb("#C9B99F"), thick=1.2, radius=3)
            sheet.rect((box[0] + 5, box[1] + 5, box[2] - 5, box[3] - 5), line=rgb("#E2D7C4"), thick=0.5, radius=2)
            sheet.text(x + 82, 656, "证书 CERTIFICATE", size=7.5, colour=SOFT, tracking=0.6, align="center")
            sheet.text(x + 82, 688, title, face="serif", size=16, colour=INK, align="center")
            sheet.text(x + 82, 712, line, size=8, colour=SOFT, align="center")
        return sheet

    def price_list(self) -> Sheet:
        sheet = self._page("价目表", "Price list")
        self._price_rows(sheet, self._sections(0, _SPLIT), y=150, header=True)
        return sheet

    def price_list_continued(self) -> Sheet:
        sheet = self._page("价目表（续）", "Price list, continued")
        total = sum(len(rows) for _, rows in stock.PRICE_LIST)
        notes = (
            ("合计 TOTAL", f"{total} 款 items"),
            (
                "备注 Notes",
                "价格为人民币出厂含税价，不含运费；面议款请联系业务员报价。 "
                "Prices are ex-works in CNY incl. VAT, freight excluded.",
            ),
        )
        self._price_rows(sheet, self._sections(_SPLIT, total), y=150, header=False, notes=notes)
        return sheet

    def _sections(self, start: int, stop: int) -> list[tuple[str, list[Product]]]:
        """The price list's products ``start`` to ``stop``; a section that began earlier has no title."""
        found, index = [], 0
        for title, products in stock.PRICE_LIST:
            part = [p for k, p in enumerate(products, index) if start <= k < stop]
            if part:
                found.append((title if products[0] in part else "", part))
            index += len(products)
        return found

    def _price_rows(
        self,
        sheet: Sheet,
        sections: list[tuple[str, list[Product]]],
        *,
        y: float,
        header: bool,
        notes: Sequence[tuple[str, str]] = (),
    ) -> None:
        look = Look(aligns=("left", "left", "center", "left", "left", "right", "center"))
        rows: list[Row] = [HEADERS] if header else []
        heights = [34.0] if header else []
        for title, products in sections:
            if title:
                rows.append(
                    [Entry(title, cols=7, fill=rgb("#EADFCE"), face="bold", colour=ACCENT, align="left"), *[None] * 6]
                )
                heights.append(19)
            rows += _merged(products)
            heights += [30.0] * len(products)
            self.skus += [self._listed(p) for p in products]
        for label, text in notes:
            rows.append(
                [Entry(label, face="bold", fill=SAND), Entry(text, cols=6, fill=SAND, align="left"), *[None] * 5]
            )
            heights.append(24 if len(text) < 30 else 34)
        draw_table(sheet, LEFT, y, (66, 106, 76, 97, 66, 60, 44), heights, rows, look, header_rows=int(header))

    def _listed(self, product: Product) -> TruthSku:
        attributes = {
            "model": product.model, "product_name": product.name, "size": product.size, "material": product.material,
            "color": product.colour, "price": product.price, "moq": product.moq,
        }  # fmt: skip
        return TruthSku(self.number, attributes, normalized_price=price(product.price))

    def lamps(self) -> Sheet:
        sheet = self._page("灯具", "Lighting")
        header = [
            "图片\nPicture",
            "型号\nModel",
            "品名\nProduct",
            "尺寸\nSize",
            "材质\nMaterial",
            "颜色\nColour",
            "价格\nPrice",
            "起订量\nMOQ",
        ]
        rows: list[Row] = [header]
        for row, product in zip(_merged(stock.LAMPS), stock.LAMPS, strict=True):
            kind, main, wall, accent = product.look or ("", "", "", "")
            art = self.book.add_art(picture(kind, main, wall, accent, width_px=720, height_px=720, quality=78))
            rows.append([Entry(art=art), *row])
        look = Look(size=7.8, band=None, aligns=("center", "left", "left", "center", "left", "left", "right", "center"))
        heights = [34.0] + [96.0] * len(stock.LAMPS)
        boxes = draw_table(sheet, LEFT, 150, (90, 54, 83, 74, 72, 56, 50, 36), heights, rows, look)
        for k, product in enumerate(stock.LAMPS, 1):
            x0, y0, x1, y1 = boxes[k, 0]
            sku = self._listed(product)
            self.skus.append(
                TruthSku(sku.page_number, sku.attributes, (x0 + 3, y0 + 3, x1 - 3, y1 - 3), {}, sku.normalized_price)
            )
        return sheet

    def vases(self) -> Sheet:
        sheet = self._page("花器", "Vessels")

        def caption(product: Product, box: Box) -> None:
            x, y = box[0], box[3] + 15
            wide = sheet.text(x, y, f"{product.name_zh} ", face="bold", size=10.5, colour=INK)
            sheet.text(x + wide, y, product.name_en, size=8.5, colour=SOFT)
            sheet.text(box[2], y, product.price, face="bold", size=10.5, colour=ACCENT, align="right")
            sheet.text(x, y + 16, f"型号 Model: {product.model}", size=8, colour=INK)
            sheet.text(box[2], y + 16, f"尺寸 Size: {product.size}", size=8, colour=INK, align="right")

        self._grid(sheet, stock.VASES, columns=2, width=250, height=164, top=146, step=214, caption=caption)
        return sheet

    def decor(self) -> Sheet:
        sheet = self._page("家饰", "Decor")

        def caption(product: Product, box: Box) -> None:
            middle, y = (box[0] + box[2]) / 2, box[3] + 15
            sheet.text(
                middle, y, f"{product.name_zh} {product.name_en}", face="bold", size=8.6, colour=INK, align="center"
            )
            sheet.text(middle, y + 13, product.model, size=8, colour=SOFT, align="center")
            sheet.text(middle, y + 26, product.price, face="bold", size=9.5, colour=ACCENT, align="center")

        self._grid(sheet, stock.DECOR, columns=3, width=161, height=158, top=142, step=213, caption=caption)
        return sheet

    def seats(self) -> Sheet:
        sheet = self._page("客厅精选", "Living room selection")

        def caption(product: Product, box: Box) -> None:
            x, y = box[0] + 8, box[3] + 17
            sheet.text(x, y, product.model, face="bold", size=9.5, colour=ACCENT)
            sheet.text(x, y + 14, product.name, size=8.6, colour=INK)
            sheet.text(x, y + 27, product.size, size=7.8, colour=SOFT)
            for k, line in enumerate((f"颜色 Colour: {product.colour}", f"起订量 MOQ: {product.moq}")):
                sheet.text(x, y + 40 + 12 * k, line, size=7.8, colour=SOFT)
            sheet.text(x, y + 70, product.price, face="serif", size=13, colour=INK)

        self._grid(sheet, stock.SEATS, columns=3, width=163, height=178, top=146, step=296, caption=caption, card=100)
        return sheet

    def _grid(
        self,
        sheet: Sheet,
        products: Sequence[Product],
        *,
        columns: int,
        width: float,
        height: float,
        top: float,
        step: float,
        caption: Callable[[Product, Box], None],
        card: float = 0,
    ) -> None:
        gap = (RIGHT - LEFT - columns * width) / (columns - 1)
        for k, product in enumerate(products):
            x, y = LEFT + k % columns * (width + gap), top + k // columns * step
            box = (x, y, x + width, y + height)
            if card:
                sheet.rect((x, y, x + width, y + height + card), fill=WHITE, line=rgb("#E5DCD0"), thick=0.6, radius=4)
            kind, main, wall, accent = product.look or ("", "", "", "")
            short = 720
            wide = round(short * max(1, width / height))
            high = round(short * max(1, height / width))
            art = self.book.add_art(picture(kind, main, wall, accent, width_px=wide, height_px=high, quality=78))
            sheet.art(art, box, radius=4)
            caption(product, box)
            self.skus.append(self._captioned(product, box))

    def _captioned(self, product: Product, box: Box) -> TruthSku:
        printed = {
            "model": product.model, "product_name": product.name, "size": product.size, "color": product.colour,
            "price": product.price, "moq": product.moq,
        }  # fmt: skip
        return TruthSku(self.number, {k: v for k, v in printed.items() if v}, box, {}, price(product.price))

    def hero(self) -> Sheet:
        sheet = self._page("望云休闲椅", "Wangyun lounge chair")
        kind, main, wall, accent = stock.HERO_LOOK
        large: Box = (LEFT, 146, 292, 486)
        art = self.book.add_art(
            scene(((kind, main, accent, 50, 109, 1.2),), wall, width_px=800, height_px=1080, floor_y=98)
        )
        sheet.art(art, large, radius=4)
        y = 164.0
        for _, label, value in stock.HERO:
            bold = label.startswith(("型号", "价格"))
            sheet.text(314, y, f"{label}:", size=8.2, colour=SOFT)
            sheet.text(394, y, value, face="bold" if bold else "body", size=8.6, colour=ACCENT if bold else INK)
            sheet.rule(314, y + 12, RIGHT, y + 12, colour=rgb("#E2D8CB"), thick=0.5)
            y += 35
        sheet.text(LEFT, 524, "细节", face="serif", size=14, colour=INK)
        sheet.text(LEFT + 36, 524, "Details", size=9.5, colour=SOFT)
        closeups: tuple[tuple[Placed, int, str], ...] = (
            ((kind, main, accent, 66, 178, 2.6), 300, "羊羔绒面料 Bouclé fabric"),
            ((kind, main, accent, 3, 116, 2.6), 300, "一体扶手 One-piece armrest"),
            ((kind, main, accent, 122, 74, 2.8), 58, "白蜡木脚 Solid ash legs"),
        )
        for k, (item, floor_y, text) in enumerate(closeups):
            x = LEFT + k * 175
            detail = self.book.add_art(scene((item,), wall, width_px=740, height_px=560, floor_y=floor_y, quality=76))
            sheet.art(detail, (x, 538, x + 165, 662), radius=4)
            sheet.text(x, 678, text, size=8, colour=SOFT)
        sheet.paragraph(
            LEFT,
            712,
            RIGHT - LEFT,
            "望云的椅背像一片停住的云。高密度海绵外包羽绒，坐深五十六厘米，适合长时间阅读。\n"
            "Its back is a cloud at rest: dense foam wrapped in down, a seat 56 cm deep, made for long reading.",
            size=9,
            leading=1.7,
            colour=INK,
        )
        attributes = {key: value for key, _, value in stock.HERO}
        self.skus.append(TruthSku(self.number, attributes, large, {}, price(attributes["price"])))
        return sheet

    def outdoor(self) -> Sheet:
        sheet = self.book.sheet(LANDSCAPE, rotate=90)
        self._furniture(sheet, "户外", "Outdoor")
        header = (*HEADERS[:5], "净重 N.W.\n(kg)", "包装\nPacking", HEADERS[5], HEADERS[6])
        look = Look(size=8, aligns=("left", "left", "center", "left", "left", "right", "center", "right", "center"))
        body = _merge_columns([[_two_lines(cell) for cell in row] for row in stock.OUTDOOR], (3, 4))
        draw_table(
            sheet, LEFT, 140, (70, 150, 92, 122, 84, 54, 66, 70, 54), [34.0] + [36.0] * len(body), [header, *body], look
        )
        keys = ("model", "product_name", "size", "material", "color", "weight", "packing", "price", "moq")
        self.skus += [
            TruthSku(self.number, dict(zip(keys, row, strict=True)), normalized_price=price(row[7]))
            for row in stock.OUTDOOR
        ]
        return sheet

    def scan(self) -> Sheet:
        original = Book(self.book.faces)
        paper = original.sheet()
        paper.text(A4[0] / 2, 92, "织物附页 Textiles Insert", face="bold", size=20, align="center")
        paper.text(A4[0] / 2, 116, "岚木家居 2026 年春季补充价目", size=11, align="center")
        look = Look(
            size=12,
            pad=6,
            header_fill=None,
            header_colour=(0, 0, 0),
            band=None,
            line=(0.25, 0.25, 0.25),
            colour=(0.08, 0.08, 0.08),
        )
        rows: list[Row] = [["型号", "品名", "尺寸(mm)", "材质", "颜色", "价格(元)"], *stock.TEXTILES]
        draw_table(paper, LEFT, 150, (84, 104, 102, 76, 68, 81), [38.0] * len(rows), rows, look)
        paper.paragraph(LEFT, 450, 500, "说明：以上价格为含税出厂价，起订量 30 件。颜色可按色卡定制。", size=11)
        original.close(paper)
        art = self.book.add_art(_photocopy(original.doc))
        sheet = self.book.sheet()
        sheet.art(art, (0, 0, *A4))
        keys = ("model", "product_name", "size", "material", "color", "price")
        self.skus += [
            TruthSku(self.number, dict(zip(keys, row, strict=True)), normalized_price=price(row[5]))
            for row in stock.TEXTILES
        ]
        return sheet

    def _page(self, zh: str, en: str) -> Sheet:
        sheet = self.book.sheet()
        self._furniture(sheet, zh, en)
        return sheet

    def _furniture(self, sheet: Sheet, zh: str, en: str) -> None:
        """What each inner page has: paper tone, running header, title, page number."""
        right = sheet.width - 40
        sheet.rect((0, 0, sheet.width, sheet.height), fill=PAPER)
        sheet.text(LEFT, 38, "岚木家居 LANMU LIVING", size=7.5, colour=SOFT)
        sheet.text(right, 38, "2026 产品目录 Product Catalogue", size=7.5, colour=SOFT, align="right")
        sheet.rule(LEFT, 48, right, 48, colour=rgb("#DDD3C6"), thick=0.5)
        wide = sheet.text(LEFT, 102, zh, face="serif", size=26, colour=INK)
        sheet.text(LEFT + wide + 12, 102, en, face="serif", size=13, colour=ACCENT)
        sheet.rect((LEFT, 116, LEFT + 28, 118.4), fill=ACCENT)
        sheet.rule(LEFT, sheet.height - 46, right, sheet.height - 46, colour=rgb("#DDD3C6"), thick=0.5)
        sheet.text(LEFT, sheet.height - 30, "www.lanmu.example", size=7.5, colour=SOFT)
        sheet.text(right, sheet.height - 30, f"{self.number:02d}", face="serif", size=10, colour=INK, align="right")


def _merged(products: Sequence[Product]) -> list[list[Entry | str | None]]:
    """Table rows: model, name, size, material, colour, price, quantity; equal neighbours become one cell."""
    rows = [
        [p.model, _two_lines(p.name), p.size, _two_lines(p.material), _two_lines(p.colour), _two_lines(p.price), p.moq]
        for p in products
    ]
    return _merge_columns(rows, (1, 3, 4, 6))


def _two_lines(text: str) -> str:
    """Chinese above, English below; other text as it is."""
    han = max((k for k, char in enumerate(text) if "\u4e00" <= char <= "\u9fff"), default=-1)
    start = next((k for k in range(han + 1, len(text)) if text[k].isalpha()), -1)
    return text if han < 0 or start < 0 else f"{text[:start].strip()}\n{text[start:]}"


def _merge_columns(rows: Sequence[Sequence[str]], columns: Sequence[int]) -> list[list[Entry | str | None]]:
    merged: list[list[Entry | str | None]] = [list(row) for row in rows]
    for column in columns:
        start = 0
        for text, group in groupby(row[column] for row in rows):
            count = len(list(group))
            if count > 1:
                merged[start][column] = Entry(text, rows=count)
                for k in range(start + 1, start + count):
                    merged[k][column] = None
            start += count
    return merged


def _photocopy(document: pymupdf.Document) -> bytes:
    """The document's first page as a scanner would give it: grey, a little skewed, soft and noisy, 150 dpi."""
    pixels = document[0].get_pixmap(dpi=150, colorspace=pymupdf.csGRAY)
    sheet = Image.frombytes("L", (pixels.width, pixels.height), pixels.samples)
    sheet = sheet.rotate(0.5, Image.Resampling.BICUBIC, fillcolor=255).filter(ImageFilter.GaussianBlur(0.5))
    noise = np.random.default_rng(2026).normal(0, 3.0, (pixels.height, pixels.width))
    grey = np.clip(np.asarray(sheet, dtype=np.float32) * 0.94 + 8 + noise, 0, 255).astype(np.uint8)
    out = io.BytesIO()
    Image.fromarray(grey).save(out, "JPEG", quality=60, optimize=True)
    return out.getvalue()
