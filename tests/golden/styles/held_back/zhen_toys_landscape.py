"""Wooden toys in two languages, landscape: six cards a page as coloured panels with white text and dots of colour, a
watermark over every page; a sheet of twenty-four with numbers; certificates on the cover."""

from collections.abc import Sequence

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.ink import WHITE, rgb

_INK, _SOFT, _MARK = rgb("#33302C"), rgb("#8F8A83"), rgb("#F1ECE4")
_PANELS = (rgb("#C8553D"), rgb("#2F7F79"), rgb("#8A5A9E"), rgb("#3D6DA8"), rgb("#5C7D35"), rgb("#B07417"))
_DOTS = (rgb("#D64545"), rgb("#E8B83A"), rgb("#3E8E6B"), rgb("#3F6FB0"))
_WIDE = (842.0, 595.0)
# Number, names, motif, paint, size, packing, age, price.
_Toy = tuple[str, tuple[str, str], str, str, str, str, str, str]
_TOYS: tuple[_Toy, ...] = (
    ("WD-1801", ("木制卡车", "Wooden truck"), "truck", "#C8553D", "28×12×14cm", "12 pcs", "3+", "US$5.80"),
    ("WD-1806", ("叠叠圈", "Stacking rings"), "rings", "#2F7F79", "16×16×22cm", "24 pcs", "1+", "US$3.15"),
    ("WD-1812", ("彩色积木", "Building blocks"), "blocks", "#8A5A9E", "32×24×6cm", "10 sets", "2+", "US$7.40"),
    ("WD-1820", ("拖拉小鸭", "Pull-along duck"), "duck", "#E8B83A", "18×10×15cm", "36 pcs", "1+", "US$2.90"),
    ("WD-1825", ("工程车", "Digger truck"), "truck", "#B07417", "30×13×16cm", "12 pcs", "3+", "面议"),
    ("WD-1833", ("几何套柱", "Shape sorter"), "rings", "#3D6DA8", "20×20×18cm", "18 pcs", "1+", "US$4.25"),
    ("WD-2004", ("洗澡鸭", "Bath duck"), "duck", "#D9A441", "9×8×9cm", "96 pcs", "0+", "US$0.85"),
    ("WD-2009", ("字母积木", "Alphabet blocks"), "blocks", "#C8553D", "26×26×5cm", "16 sets", "2+", "US$6.10"),
    ("WD-2015", ("消防车", "Fire truck"), "truck", "#B3261E", "26×11×15cm", "12 pcs", "3+", "US$6.35"),
    ("WD-2018", ("彩虹塔", "Rainbow tower"), "rings", "#8A5A9E", "15×15×26cm", "20 pcs", "1+", "US$3.70"),
    ("WD-2026", ("城堡积木", "Castle blocks"), "blocks", "#5C7D35", "40×28×7cm", "8 sets", "3+", "面议"),
    ("WD-2031", ("摇摇鸭", "Rocking duck"), "duck", "#C9A227", "60×28×45cm", "2 pcs", "2+", "US$21.00"),
)  # fmt: skip


def _paper(folio: Folio) -> None:
    leaf = folio.leaf
    leaf.slanted("WONDERLAND 木乐园", face="zh", size=64, colour=_MARK, degrees=28)
    leaf.rect((36, 30, 44, 52), fill=_PANELS[0])
    leaf.text(52, 47, "木乐园玩具", face="zhb", size=14, colour=_INK)
    leaf.text(134, 47, "WONDERLAND TOYS", face="zh", size=9, colour=_SOFT)
    leaf.text(806, 47, f"/ {folio.number}", face="zh", size=9, colour=_SOFT, align="right")


def _panel(folio: Folio, toy: _Toy, k: int) -> None:
    model, name, motif, paint, size, packing, age, price = toy
    leaf = folio.leaf
    x, y = 36 + k % 3 * 260.0, 66 + k // 3 * 256.0
    leaf.rect((x, y, x + 250, y + 244), fill=_PANELS[k], radius=8)
    image = folio.shows(motif, (x + 8, y + 8, x + 242, y + 122), paint, "#FBF8F3")
    leaf.text(x + 14, y + 143, name[0], face="zhb", size=13, colour=WHITE)
    leaf.text(x + 236, y + 143, name[1], face="zh", size=10, colour=WHITE, align="right")
    for n, (label, value) in enumerate(
        (("货号 Item", model), ("尺寸 Size", size), ("装箱 Packing", packing), ("年龄 Age", age), ("价格 Price", price))
    ):
        at = y + 163 + n * 14.5
        leaf.text(x + 14, at, label, face="zh", size=8.5, colour=_MARK)
        leaf.text(x + 92, at, value, face="zh", size=8.5, colour=WHITE)
    for n, dot in enumerate(_DOTS[: 2 + k % 3]):
        leaf.rect((x + 186 + n * 14, y + 220, x + 196 + n * 14, y + 230), fill=dot, line=WHITE, radius=5)
    values = {"model": model, "product_name": " ".join(name), "size": size, "packing": packing, "price": price}
    folio.sku(
        [(x, y, x + 250, y + 244)],
        values,
        images=[image],
        custom={"年龄 Age": age},
        accept={"product_name": name},
        optional={"currency": "US$"},
    )


def _contact(folio: Folio) -> None:
    folio.page("C", "L4", size=_WIDE)
    _paper(folio)
    leaf = folio.leaf
    for k in range(24):
        _, name, motif, _, *_ = _TOYS[(k * 5) % 12]
        x, y = 36 + k % 8 * 97.0, 76 + k // 8 * 164.0
        model = f"WD-M{301 + k * 4}"
        paint = ("#C8553D", "#2F7F79", "#E8B83A", "#3D6DA8", "#8A5A9E")[k % 5]
        image = folio.shows(motif, (x, y, x + 88, y + 104), paint, "#F6F2EA")
        leaf.text(x + 44, y + 119, model, face="zhb", size=8.5, colour=_PANELS[k % 6], align="center")
        leaf.text(x + 44, y + 132, f"迷你{name[0]}", face="zh", size=8, colour=_INK, align="center")
        folio.sku([(x - 2, y, x + 90, y + 136)], {"model": model, "product_name": f"迷你{name[0]}"}, images=[image])


def _cards(folio: Folio, toys: Sequence[_Toy], *, fragmented: bool) -> None:
    folio.page("B", "L2", size=_WIDE, fragmented=fragmented)
    _paper(folio)
    for k, toy in enumerate(toys):
        _panel(folio, toy, k)


def _pages(folio: Folio) -> None:
    folio.brand = ("木乐园玩具", "WONDERLAND TOYS", "木乐园", "WONDERLAND")
    leaf = folio.page("D", "L2", size=_WIDE)
    leaf.rect((0, 0, 842, 595), fill=_PANELS[1])
    folio.decorates("blocks", (60, 90, 460, 490), "#C8553D", "#F7F0E2")
    leaf.text(500, 180, "木乐园玩具", face="zhb", size=42, colour=WHITE)
    leaf.text(502, 214, "WONDERLAND TOYS", face="zh", size=17, colour=_MARK)
    leaf.text(502, 250, "二〇二六选品册 Selection", face="zh", size=13, colour=_MARK)
    for k in range(3):
        folio.decorates("seal", (502 + k * 96, 360, 586 + k * 96, 490), "#B08D3C", "#F7F0E2")
    _cards(folio, _TOYS[:6], fragmented=False)
    _cards(folio, _TOYS[6:], fragmented=True)
    _contact(folio)


STYLE = Style("zhen_toys_landscape", "zhen", "toys", ("zh",), _pages)
