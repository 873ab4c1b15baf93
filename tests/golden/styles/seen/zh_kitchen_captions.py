"""Tableware gift book in Chinese, landscape: captions at the right of the photos, over them, and white on a band across
them; a sheet of many; one on a page."""

from tests.golden.styles.pens.folio import Folio
from tests.golden.styles.pens.style import Style
from tests.support.catalogues.ink import WHITE, rgb

_WIDE = (842.0, 595.0)
_RED, _INK, _SOFT, _CREAM = rgb("#8C2F2B"), rgb("#2B2625"), rgb("#8D8580"), rgb("#F6F0E6")
_WARES = (
    ("YL-101", "青花汤碗", "bowl", "#2F5B93", "8英寸", "¥46"), ("YL-102", "霁红茶壶", "kettle", "#8C2F2B", "650毫升",
                                                         "¥168"),
    ("YL-103", "天青马克杯", "mug", "#8FB3B0", "330毫升", "¥32"),
    ("YL-104", "乌金釉饭碗", "bowl", "#2E2B2A", "4.5英寸", "¥18"),
    ("YL-105", "竹柄刀", "knife", "#B08D57", "18厘米", "面议"), ("YL-106", "榉木砧板", "cutting_board", "#C79B63",
                                                         "36×24厘米", "¥79"),
    ("YL-107", "珐琅炖锅", "pot", "#51705B", "22厘米", "¥239"),
    ("YL-108", "随行保温杯", "bottle", "#7B4B5A", "420毫升", "¥88"),
    ("YL-109", "岩纹煎锅", "pan", "#5F5B57", "28厘米", "¥149"),
    ("YL-110", "餐具三件", "cutlery", "#B7A77A", "/", "¥42"),
    ("YL-111", "描金咖啡杯", "mug", "#3D3F63", "200毫升", "¥55"),
    ("YL-112", "柿红茶碗", "bowl", "#C2572F", "5英寸", "¥27"),
)  # fmt: skip


def _page(folio: Folio, layout: str, title: str, *, fragmented: bool = False) -> None:
    leaf = folio.page("C", layout, size=_WIDE, fragmented=fragmented)
    folio.heading = (title,)
    leaf.rect((0, 0, *_WIDE), fill=_CREAM)
    leaf.text(812, 40, "瑶里瓷礼", face="zhb", size=12, colour=_RED, align="right")
    leaf.text(40, 44, title, face="zhb", size=19, colour=_RED)
    leaf.text(421, 580, f"· {folio.number} ·", face="zh", size=8, colour=_SOFT, align="center")


def _beside(folio: Folio) -> None:
    _page(folio, "L2", "案头小物")
    for k, (code, name, motif, paint, size, price) in enumerate(_WARES[:6]):
        x, y, leaf = 40 + k % 3 * 256.0, 70 + k // 3 * 252.0, folio.leaf
        image = folio.shows(motif, (x, y, x + 150, y + 220), paint, "#E7DCCB")
        for n, (text, face, size_pt) in enumerate(
            ((name, "zhb", 12.0), (f"编号 {code}", "zh", 9.0), (f"规格 {size}", "zh", 9.0), (price, "zhb", 11.0))
        ):
            leaf.text(x + 158, y + 110 + n * 19, text, face=face, size=size_pt, colour=_INK)
        folio.sku(
            [(x, y, x + 250, y + 222)],
            {"model": code, "product_name": name, "size": size, "price": price},
            images=[image],
            optional={"currency": "¥"},
        )


def _above(folio: Folio) -> None:
    _page(folio, "L2", "新品", fragmented=True)
    for k, (code, name, motif, paint, size, price) in enumerate(_WARES[6:10]):
        x, leaf = 40 + k * 192.0, folio.leaf
        leaf.text(x, 100, name, face="zhb", size=13, colour=_INK)
        leaf.text(x + 180, 100, price, face="zhb", size=12, colour=_RED, align="right")
        leaf.text(x, 118, f"{code}　{size}", face="zh", size=9, colour=_SOFT)
        image = folio.shows(motif, (x, 128, x + 180, 388), paint, "#E7DCCB")
        folio.sku(
            [(x, 86, x + 180, 388)],
            {"model": code, "product_name": name, "size": size, "price": price},
            images=[image],
            optional={"currency": "¥"},
        )
    folio.leaf.text(40, 440, "每件新品均附手提纸盒与收藏证书，可代写贺卡。", face="zh", size=11, colour=_SOFT)


def _many(folio: Folio, *, fragmented: bool) -> None:
    _page(folio, "L4", "全系一览" + ("（深色）" if fragmented else ""), fragmented=fragmented)
    for k in range(24):
        _, name, motif, paint, *_ = _WARES[k % 12]
        x, y, leaf = 40 + k % 8 * 96.5, 66 + k // 8 * 168.0, folio.leaf
        code, called = f"{'YS' if fragmented else 'YQ'}-{201 + k}", f"{name}{'大' if k > 11 else ''}"
        image = folio.shows(motif, (x, y, x + 88, y + 118), "#4A4644" if fragmented and k % 2 else paint, "#EFE7DA")
        leaf.text(x + 44, y + 131, called, face="zh", size=8, colour=_INK, align="center")
        leaf.text(x + 44, y + 143, code, face="zh", size=7.5, colour=_SOFT, align="center")
        folio.sku([(x, y, x + 88, y + 147)], {"model": code, "product_name": called}, images=[image])


def _one(folio: Folio, *, fragmented: bool) -> None:
    leaf = folio.page("C", "L1", size=_WIDE, fragmented=fragmented)
    code, name, motif, paint, size, price = _WARES[11 if fragmented else 10]
    image = folio.shows(motif, (0, 0, 842, 500), paint, "#DDD0BC")
    leaf.rect((0, 500, 842, 595), fill=_RED)
    leaf.text(60, 556, f"{code} {name}", face="zhb", size=22, colour=WHITE)
    leaf.text(782, 556, f"{size}　{price}", face="zh", size=16, colour=WHITE, align="right")
    folio.sku(
        [(0, 0, 842, 595)],
        {"model": code, "product_name": name, "size": size, "price": price},
        images=[image],
        optional={"currency": "¥"},
    )


def _swatches(folio: Folio) -> None:
    leaf = folio.page("D", "L2", size=_WIDE)
    leaf.text(40, 60, "釉色一览", face="zhb", size=19, colour=_RED)
    for k, (name, paint) in enumerate(
        (
            ("青花", "#2F5B93"),
            ("霁红", "#8C2F2B"),
            ("天青", "#8FB3B0"),
            ("乌金", "#2E2B2A"),
            ("柿红", "#C2572F"),
            ("描金", "#C9A24B"),
        )
    ):
        x = 40 + k * 128.0
        folio.decorates("swatch", (x, 100, x + 112, 260), paint)
        leaf.text(x + 56, 280, name, face="zh", size=11, colour=_INK, align="center")
    leaf.paragraph(
        40,
        350,
        700,
        "釉色为高温窑变所得，每件深浅略有不同，属正常现象。",
        face="zh",
        size=10,
        leading=1.8,
        colour=_SOFT,
    )


def _pages(folio: Folio) -> None:
    folio.brand = ("瑶里瓷礼",)
    _beside(folio)
    _above(folio)
    for fragmented in (False, True):
        _many(folio, fragmented=fragmented)
        _one(folio, fragmented=fragmented)
    _swatches(folio)


STYLE = Style("zh_kitchen_captions", "zh", "kitchenware", ("zh",), _pages)
