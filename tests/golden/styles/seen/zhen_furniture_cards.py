"""Bilingual furniture catalogue: three cards a page with the picture at the left and labelled pairs beside it, a list
that goes on over pages, and a page of four cards in a grid with a small ruled table each."""

from tests.golden.styles.pens.cards import labelled
from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.grid import Entry, Look, Row, draw_table
from tests.support.catalogues.ink import rgb

_TEAL, _INK, _SOFT, _LINE = rgb("#1F5E66"), rgb("#242423"), rgb("#85827C"), rgb("#D9D4CA")
# Model, Chinese name, English name, motif, paint, size, material zh, material en, price.
_Piece = tuple[str, str, str, str, str, str, str, str, str]
_PIECES: tuple[_Piece, ...] = (
    ("QY-S301", "云栖三人沙发", "Yunqi 3-seat sofa", "sofa", "#8C9A8B", "2200×920×780 mm", "头层牛皮",
     "Top-grain leather",
     "USD 685"),
    ("QY-A102", "云栖休闲椅", "Yunqi lounge chair", "armchair", "#B9683F", "860×880×760 mm", "绒布", "Velvet",
     "USD 215"),
    ("QY-T220", "松涛餐桌", "Songtao dining table", "table", "#A47B4E", "1800×900×750 mm", "白蜡木", "Ash wood",
     "USD 330"),
    ("QY-C118", "松涛餐椅", "Songtao dining chair", "chair", "#5F7A8A", "480×540×820 mm", "白蜡木", "Ash wood",
     "USD 76"),
    ("QY-G415", "望山餐边柜", "Wangshan sideboard", "cabinet", "#6B4E3A", "1600×420×820 mm", "黑胡桃木皮",
     "Walnut veneer",
     "面议"),
    ("QY-D506", "望山书桌", "Wangshan desk", "desk", "#8A6A48", "1400×650×750 mm", "黑胡桃木皮", "Walnut veneer",
     "USD 268"),
    ("QY-A110", "听雨单椅", "Tingyu armchair", "armchair", "#4F6C79", "760×780×800 mm", "麻布", "Linen", "USD 188"),
    ("QY-S312", "听雨双人沙发", "Tingyu 2-seat sofa", "sofa", "#C2A978", "1650×900×790 mm", "麻布", "Linen", "USD 452"),
    ("QY-O701", "静观办公椅", "Jingguan office chair", "office_chair", "#3D4A5C", "640×640×1180 mm", "网布", "Mesh",
     "USD 97"),
)  # fmt: skip
_GRID: tuple[_Piece, ...] = (
    ("QY-C125", "竹影餐椅", "Zhuying chair", "chair", "#7D8F5F", "470×520×800 mm", "橡木", "Oak", "USD 69"),
    ("QY-T236", "竹影茶几", "Zhuying coffee table", "table", "#B58B58", "1100×600×420 mm", "橡木", "Oak", "USD 142"),
    ("QY-G421", "竹影鞋柜", "Zhuying shoe cabinet", "cabinet", "#C7B394", "900×350×1050 mm", "橡木", "Oak", "USD 176"),
    ("QY-D511", "竹影书桌", "Zhuying desk", "desk", "#9C7A50", "1200×600×750 mm", "橡木", "Oak", "/"),
)  # fmt: skip


def _frame(folio: Folio, zh: str = "", en: str = "") -> None:
    leaf = folio.leaf
    leaf.text(44, 44, "栖原家居", face="zhb", size=12, colour=_TEAL)
    leaf.text(551, 44, "QIYUAN FURNITURE", face="sans", size=9, colour=_SOFT, tracking=1.5, align="right")
    leaf.rule(44, 52, 551, 52, colour=_LINE)
    if zh:
        folio.heading = (zh, en, f"{zh} {en}", f"{zh}{en}")
        wide = leaf.text(44, 84, zh, face="zhb", size=18, colour=_INK)
        leaf.text(54 + wide, 84, en, face="serif", size=14, colour=_SOFT)
    leaf.text(297, 820, f"— {folio.number} —", face="zh", size=8, colour=_SOFT, align="center")


def _truth(piece: _Piece) -> tuple[dict[str, str], dict[str, list[str]]]:
    model, zh, en, _, _, size, material_zh, material_en, price = piece
    values = {
        "model": model,
        "product_name": zh,
        "size": size,
        "material": f"{material_zh} {material_en}",
        "price": price,
    }
    return values, {"product_name": [en, f"{zh} {en}"], "material": [material_zh, material_en]}


def _card(folio: Folio, piece: _Piece, y: float) -> None:
    model, zh, en, motif, paint, size, material_zh, material_en, price = piece
    leaf = folio.leaf
    image = folio.shows(motif, (44, y, 264, y + 190), paint, "#F3EFE8")
    leaf.text(286, y + 20, zh, face="zhb", size=15, colour=_INK)
    leaf.text(286, y + 38, en, face="serif", size=11, colour=_SOFT)
    leaf.rule(286, y + 50, 551, y + 50, colour=_TEAL, thick=1)
    pairs = (("型号 Model", model), ("尺寸 Size", size), ("材质 Material", f"{material_zh} {material_en}"),
             ("价格 Price", price), ("包装 Packing", "N/A"))  # fmt: skip
    labelled(
        leaf,
        286,
        y + 72,
        265,
        pairs,
        face="zh",
        label_face="zhb",
        joint=": ",
        size=9.5,
        step=2.1,
        colour=_INK,
        label_colour=_TEAL,
    )
    values, accept = _truth(piece)
    folio.sku([(44, y, 551, y + 194)], values, images=[image], accept=accept, optional={"currency": "USD"})


def _quarter(folio: Folio, piece: _Piece, x: float, y: float) -> None:
    model, zh, en, motif, paint, size, material_zh, material_en, price = piece
    leaf = folio.leaf
    image = folio.shows(motif, (x, y, x + 240, y + 170), paint, "#F3EFE8")
    leaf.text(x, y + 190, f"{zh} {en}", face="zhb", size=10.5, colour=_INK)
    look = Look(size=8, face="zh", header_face="zh", band=None, line=_LINE, colour=_INK)
    rows: list[Row] = [[Entry(label, fill=rgb("#EFF3F2")), value] for label, value in (
        ("型号 Model", model), ("尺寸 Size", size), ("材质 Material", f"{material_zh} {material_en}"),
        ("价格 Price", price),
    )]  # fmt: skip
    draw_table(leaf, x, y + 200, [84.0, 156.0], [20.0] * 4, rows, look, header_rows=0)
    values, accept = _truth(piece)
    folio.sku([(x, y, x + 240, y + 280)], values, images=[image], accept=accept, optional={"currency": "USD"})


def _pages(folio: Folio) -> None:
    folio.brand = ("栖原家居", "QIYUAN FURNITURE", "栖原家居 QIYUAN FURNITURE")
    for number in range(3):
        # The middle page is written by another program than its neighbours.
        folio.page("B", "L3", continues=number > 0, fragmented=number == 1)
        _frame(folio, *(("客餐厅", "Living & dining") if number == 0 else ()))
        for k in range(3):
            _card(folio, _PIECES[number * 3 + k], 104 + k * 232 if number == 0 else 76 + k * 240)
    for fragmented in (False, True):
        folio.page("B", "L2", fragmented=fragmented)
        if fragmented:
            _frame(folio, "竹影系列 · 卧室", "Zhuying, bedroom")
        else:
            _frame(folio, "竹影系列", "Zhuying collection")
        for k, piece in enumerate(_GRID):
            model, zh, en, motif, _, size, *rest = piece
            other: _Piece = (
                f"{model}B",
                f"{zh}（深色）",
                f"{en}, dark",
                motif,
                "#4A3B30",
                size,
                rest[0],
                rest[1],
                rest[2],
            )
            _quarter(folio, other if fragmented else piece, 44 + k % 2 * 267.0, 104 + k // 2 * 320.0)


STYLE = Style("zhen_furniture_cards", "zhen", "furniture", ("zh", "sans", "serif"), _pages)
