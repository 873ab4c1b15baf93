"""Captions and pictures paired over the whole page, where no picture alone tells which text is its own."""

import msgspec
import pytest

from catalogsku.core.box import Box
from processing.engine.page import Line, Ocr, Picture
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

pytestmark = pytest.mark.req("TA-T84", "TA-T27")
NAMES = ("便携餐椅", "商用书桌", "多功能餐椅", "户外书桌", "加厚办公椅", "北欧边柜")


def text(n: int, x: float, y: float) -> list[Line]:
    told = (NAMES[n], f"RW-{n}100", f"14{n}×62cm")
    return [line(one, x, y + 14 * k) for k, one in enumerate(told)]


def drawn(captions: list[tuple[float, float]], pictures: list[Box], *, recognised: bool = False) -> PageResult:
    """The n-th caption's place with its picture's box."""
    lines = [one for n, (x, y) in enumerate(captions) for one in text(n, x, y)]
    shown: list[Picture] = [picture(f"P{n}", box) for n, box in enumerate(pictures)]
    ocr = Ocr("test", "no_text", 0.99, 0, len(lines), "zh", "test") if recognised else None
    content = msgspec.structs.replace(page(*lines, pictures=shown), ocr=ocr)
    return understand_page(content, (), DocumentFacts(), BY_RULES)


def bound(result: PageResult) -> dict[str, list[str]]:
    return {sku.attributes["model"].text: [b.picture for b in sku.bindings] for sku in result.skus}


def pairs(count: int) -> dict[str, list[str]]:
    return {f"RW-{n}100": [f"P{n}"] for n in range(count)}


def test_things_cut_out_along_their_edges_stand_over_captions_at_their_cards_edge() -> None:
    """The thing is in the middle of its card, its caption begins at the left: they have no column in common."""
    places = [(40 + 180 * (n % 3), 100 + 240 * (n // 3)) for n in range(6)]
    result = drawn([(x, y + 120) for x, y in places], [(x + 60, y, x + 120, y + 110) for x, y in places])
    assert bound(result) == pairs(6)
    assert [sku.attributes["size"].text for sku in result.skus] == [f"14{n}×62cm" for n in range(6)]


def test_captions_stand_right_of_the_pictures_in_one_column_and_left_of_them_in_the_other() -> None:
    rows = [100, 300, 500]
    captions = [(x, y) for y in rows for x in (150, 310)]
    pictures: list[Box] = [box for y in rows for box in ((40, y, 140, y + 120), (450, y, 550, y + 120))]
    assert bound(drawn(captions, pictures)) == pairs(6)


def test_a_caption_begins_at_the_other_edge_of_a_wide_card() -> None:
    rows = [100, 300, 500, 700]
    result = drawn([(40, y) for y in rows], [(420, y, 540, y + 120) for y in rows])
    assert bound(result) == pairs(4)


def test_pictures_that_are_nearer_to_the_next_cards_caption_are_not_its() -> None:
    """Each caption stands left of its picture, far from it, and close to the picture of the card before."""
    rows = [100, 300, 500]
    captions = [(x, y) for y in rows for x in (40, 306)]
    pictures: list[Box] = [box for y in rows for box in ((200, y, 300, y + 120), (460, y, 560, y + 120))]
    assert bound(drawn(captions, pictures)) == pairs(6)


def test_one_caption_without_a_picture_pairs_none_by_force() -> None:
    rows = [100, 300, 500, 700]
    result = drawn([(40, y) for y in rows], [(420, y, 540, y + 120) for y in rows[:3]])
    assert bound(result).get("RW-3100", []) == []


def test_captions_stand_now_just_over_and_now_just_under_the_level_of_their_pictures() -> None:
    rows = [120, 360, 600]
    captions = [(x, y - 50 if (n + k) % 2 else y + 125) for k, y in enumerate(rows) for n, x in enumerate((150, 310))]
    pictures: list[Box] = [box for y in rows for box in ((40, y, 140, y + 120), (450, y, 550, y + 120))]
    assert bound(drawn(captions, pictures)) == pairs(6)


@pytest.mark.req("TA-OCR")
def test_a_picture_that_was_not_seen_on_a_recognised_page_takes_no_product_with_it() -> None:
    rows = [100, 260, 420, 580, 740]
    pictures: list[Box] = [(420, y, 540, y + 120) for y in rows]
    result = drawn([(40, y) for y in rows], [*pictures[:2], *pictures[3:]], recognised=True)
    assert bound(result) == {**pairs(2), "RW-2100": [], "RW-3100": ["P2"], "RW-4100": ["P3"]}


def test_a_text_of_which_only_a_part_is_level_with_its_picture_is_read_whole() -> None:
    """Flat things in the middle of their rows: two of six captions begin over their picture."""
    places = [(x, y) for y in (100, 300, 500) for x in (40, 310)]
    flat = (0, 4)
    pictures: list[Box] = [
        (x, y + 20, x + 90, y + 45) if n in flat else (x, y, x + 90, y + 90) for n, (x, y) in enumerate(places)
    ]
    result = drawn([(x + 106, y - 12 if n in flat else y) for n, (x, y) in enumerate(places)], pictures)
    assert bound(result) == pairs(6)
    assert [texts.text for sku in result.skus if (texts := sku.attributes["product_name"])] == list(NAMES)


def test_texts_whose_codes_stand_behind_a_label_of_numbers_are_captions_too() -> None:
    """Far from their pictures, of which another column's is as near."""
    lines, shown = [], []
    for n in range(4):
        x, y = 30 + 276 * (n % 2), 80 + 370 * (n // 2)
        told = (NAMES[n], f"编号：{2319 + n}-72", "产品尺寸：95*31*42mm")
        lines += [line(one, x, y + 15 * k, 8) for k, one in enumerate(told)]
        shown.append(picture(f"P{n}", (x + 156, y - 2, x + 258, y + 76)))
    result = understand_page(page(*lines, pictures=shown), (), DocumentFacts(), BY_RULES)
    assert bound(result) == {f"{2319 + n}-72": [f"P{n}"] for n in range(4)}


@pytest.mark.req("TA-OCR")
def test_captions_under_all_pictures_but_one_that_was_not_seen_are_not_moved_to_their_neighbours() -> None:
    places = [(40 + 180 * (n % 3), 100 + 160 * (n // 3)) for n in range(6)]
    pictures: list[Box] = [(x, y, x + 140, y + 100) for x, y in places]
    result = drawn([(x, y + 106) for x, y in places], pictures[:2] + pictures[3:], recognised=True)
    assert bound(result) == {**pairs(2), "RW-2100": [], "RW-3100": ["P2"], "RW-4100": ["P3"], "RW-5100": ["P4"]}


def test_labelled_codes_beside_each_other_head_no_list() -> None:
    """Three captions on one level: the same label three times, each with its own code."""
    lines, shown = [], []
    for n in range(6):
        x, y = 40 + 180 * (n % 3), 220 + 240 * (n // 3)
        shown.append(picture(f"P{n}", (x + 20, y - 120, x + 110, y - 10)))
        lines += [line(one, x, y + 14 * k, 8) for k, one in enumerate((NAMES[n], f"货号 RW-{n}100", "颜色分类 原木色"))]
    result = understand_page(page(*lines, pictures=shown), (), DocumentFacts(), BY_RULES)
    assert bound(result) == pairs(6) and result.page_type == "C"


def zigzag() -> PageResult:
    """Photos now left, now right, with a name, a code, bulleted lines and a price beside each."""
    lines, pictures = [], []
    for n, (name, code) in enumerate(
        (("Farmer's skillet", "OV-231"), ("Whistling kettle", "OV-240"), ("Cook's knife", "OV-305"))
    ):
        y, left = 40 + 180 * n, n % 2 == 0
        box = (240, y, 390, y + 150) if left else (415, y, 565, y + 150)
        x = 405 if left else 300
        pictures.append(picture(f"P{n}", box))
        lines += [line(name, x, y + 40, 13), line(code, x, y + 56, 7)]
        lines += [line("Three levels", x + 10, y + 67, 8), line("USB-C charging", x + 10, y + 79, 8)]
        lines += [line("Size: 28 cm", x + 10, y + 100, 8), line(f"€4{n}", x, y + 116, 11)]
    return understand_page(page(*lines, pictures=pictures, size=(595, 595)), (), DocumentFacts(), BY_RULES)


def test_pictures_left_and_right_in_turn_have_the_text_level_with_them_and_its_price() -> None:
    result = zigzag()
    assert texts(result, "model") == ["OV-231", "OV-240", "OV-305"]
    assert texts(result, "price") == ["€40", "€41", "€42"] and texts(result, "size") == ["28 cm"] * 3
    assert [[b.picture for b in sku.bindings] for sku in result.skus] == [["P0"], ["P1"], ["P2"]]


BOWLS = (
    ("山峦茶壶", "Mountain teapot"),
    ("月白餐盘", "Moon plate"),
    ("窑变大碗", "Kiln bowl"),
    ("竹盖罐", "Bamboo jar"),
)
SIZES = ("容量 450ml", "直径 26cm", "口径 22cm", "1.2L")


def in_bands(*, recognised: bool) -> PageResult:
    """Bands with photo and text at alternating sides; a rule parts the name, in two languages, from what is said."""
    lines, shown = [], []
    for n, ((name, english), size) in enumerate(zip(BOWLS, SIZES, strict=True)):
        top, left = 56 + 190 * n, n % 2 == 1
        x = 54 if left else 364
        shown.append(picture(f"P{n}", (256, top, 560, top + 178) if left else (36, top, 340, top + 178)))
        lines += [line(name, x, top + 18, 16), line(english, x, top + 37, 11)]
        said = (f"编号 No. QT-20{n}", size, "粗陶 Stoneware")
        lines += [line(one, x, top + 64 + 15 * k, 9) for k, one in enumerate(said)]
        lines += [line(f"¥{n}28", x, top + 140, 19)]
    ocr = Ocr("test", "no_text", 0.99, 0, len(lines), "zh", "test") if recognised else None
    content = msgspec.structs.replace(page(*lines, pictures=shown), ocr=ocr)
    return understand_page(content, (), DocumentFacts(), BY_RULES)


@pytest.mark.parametrize("recognised", [True, False])
def test_a_text_without_a_name_begins_with_the_one_that_stands_over_it_beside_its_photo(*, recognised: bool) -> None:
    result = in_bands(recognised=recognised)
    assert bound(result) == {f"QT-20{n}": [f"P{n}"] for n in range(4)}
    assert texts(result, "product_name") == [name for name, _ in BOWLS]
    assert texts(result, "material") == ["粗陶 Stoneware"] * 4
    assert texts(result, "price") == [f"¥{n}28" for n in range(4)]


STAGGERED: list[tuple[str, float, float, Box]] = [
    ("Aske vase", 44, 233, (300, 40, 555, 300)), ("Lys candle holder", 264, 337, (44, 304, 250, 478)),
    ("Morgen teapot", -306, 507, (320, 380, 555, 580)), ("Varm lantern", 214, 627, (44, 500, 200, 780)),
    ("Ull cushion", -316, 727, (330, 610, 555, 780)),
]  # fmt: skip


def ending_at(text: str, right: float, y: float, size: float) -> Line:
    return line(text, right - line(text, 0, 0, size).box[2], y, size)


def test_texts_that_all_stand_beside_a_photo_of_their_own_are_no_captions_of_those_over_and_under_them() -> None:
    """Where a text stands left of its photo its lines end alike; the first is nearer to a photo under it."""
    told = ("Five pieces for the hour when the lamp goes on", "and the telephone is left in the hall.")
    lines, shown = [line(text, 44, 73 + 13 * k, 9.5) for k, text in enumerate(told)], []
    for n, (name, x, y, box) in enumerate(STAGGERED):
        shown.append(picture(f"P{n}", box))
        for k, (text, size) in enumerate(((name, 12), ("H 28 cm", 9), (f"NA-5{n}", 8), (f"£{n}8", 11))):
            lines.append(line(text, x, y + 15 * k, size) if x > 0 else ending_at(text, -x, y + 15 * k, size))
    result = understand_page(page(*lines, pictures=shown), (), DocumentFacts(), BY_RULES)
    assert bound(result) == {f"NA-5{n}": [f"P{n}"] for n in range(5)}
    assert texts(result, "product_name") == [name for name, *_ in STAGGERED]


def test_a_thing_cut_out_is_blank_where_it_reaches_into_the_texts_beside_it() -> None:
    places = [(x, y) for y in (100, 300, 500) for x in (40, 310)]
    pictures: list[Box] = [(x, y, x + 160, y + 110) for x, y in places]
    captions = [(x + (140 if n % 3 else 164), y + 20) for n, (x, y) in enumerate(places)]
    assert bound(drawn(captions, pictures)) == pairs(6)
