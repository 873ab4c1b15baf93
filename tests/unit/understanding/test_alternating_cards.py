"""Two products on a page, text and photo in turn on the left and on the right: the same labels beside values."""

from processing.engine.page import Line
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.cards.sheets import column_pairs
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table, texts

LABELS = ("内含", "盒体", "外箱尺寸", "装箱数", "毛重")
FIRST = ("杯×2、罐×1", "灰板", "52×38×30cm", "6套/箱", "1.9kg")
SECOND = ("碗×4、盘×2", "彩盒", "60×40×34cm", "4套/箱", "3.2kg")


def card(name: str, code: str, values: tuple[str, ...], price: str, x: float, y: float) -> list[Line]:
    rows = [
        one
        for n, (label, value) in enumerate(zip(LABELS, values, strict=True))
        for one in (line(label, x, y + 96 + 26 * n, 9), line(value, x + 62, y + 96 + 26 * n, 9.5))
    ]
    return [line(name, x, y, 18), line(code, x, y + 62, 12), *rows, line(price, x, y + 240, 22)]


def understood() -> PageResult:
    first = card("春山 礼盒", "TY-501", FIRST, "¥168.00", 362, 83)
    second = card("四季 礼盒", "TY-506", SECOND, "¥226.00", 76, 463)
    photos = [picture("P1", (70, 64, 340, 404)), picture("P2", (285, 444, 555, 784))]
    return understand_page(page(*first, *second, pictures=photos), (), DocumentFacts(), BY_RULES)


def test_labels_that_two_cards_have_in_common_are_fields() -> None:
    result = understood()
    assert texts(result, "model") == ["TY-501", "TY-506"]
    assert texts(result, "price") == ["¥168.00", "¥226.00"] and texts(result, "weight") == ["1.9kg", "3.2kg"]
    assert [(c.name, c.value) for c in result.skus[0].custom][:2] == [("内含", "杯×2、罐×1"), ("盒体", "灰板")]
    alone = card("春山 礼盒", "TY-501", FIRST, "¥168.00", 362, 83)
    assert not column_pairs(alone)


def test_how_many_a_carton_holds_comes_before_its_size() -> None:
    result = understood()
    assert texts(result, "packing") == ["6套/箱", "4套/箱"]
    assert ("外箱尺寸", "60×40×34cm") in [(c.name, c.value) for c in result.skus[1].custom]


def test_a_photo_that_may_be_another_products_is_no_detail_of_the_first() -> None:
    result = understood()
    assert [[one.picture for one in sku.bindings] for sku in result.skus] != [["P1", "P2"], []]


def test_a_title_in_spaced_letters_names_no_variants() -> None:
    rows = [["型号", "颜色", "价格"], ["XH-28R", "砖红", "168.00"], ["XH-28K", "哑黑", "168.00"]]
    lines = [
        line("L A R K P E N D A N T", 50, 60, 18),
        *(line(f"灯罩由铝制成 {n}", 50, 500 + 14 * n, 8) for n in range(9)),
    ]
    shown = page(*lines, tables=[table(rows, y=300)], pictures=[picture("P1", (60, 90, 280, 280))])
    assert texts(understand_page(shown, (), DocumentFacts(), BY_RULES), "product_name") == [None, None]


def test_a_label_is_the_same_whatever_spaces_are_seen_in_it() -> None:
    """Recognised print loses some: a card under another begins with the label that the other begins with."""
    first = [("货号 Item", "WD-1812"), ("尺寸 Size", "32×24×6cm"), ("年龄 Age", "2+"), ("价格 Price", "US$7.40")]
    second = [("货号Item", "WD-1833"), ("尺寸 Size", "20×20×18cm"), ("年龄Age", "1+"), ("价格 Price", "US$4.25")]
    lines = [
        one
        for top, card_of in ((220, first), (476, second))
        for n, (label, value) in enumerate(card_of)
        for one in (line(label, 572, top + 15 * n, 8), line(value, 649, top + 15 * n, 8))
    ]
    assert [(label.text, value.text) for label, value in column_pairs(lines)] == [*first, *second]
