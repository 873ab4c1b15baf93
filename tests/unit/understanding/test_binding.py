"""Which picture is whose: rows of tables, cards, strips of pictures; and pictures that are nobody's."""

import msgspec
import pytest

from processing.engine.page import Line, Picture
from processing.engine.result import DocumentFacts, PageResult, Sku
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table

HEAD = ["型号", "品名", "单价"]
ROWS = [HEAD, ["A-10", "杯", "¥9"], ["A-20", "碗", "¥8"], ["A-30", "盘", "¥7"]]


def understood(*lines: Line, tables: list = [], pictures: list[Picture]) -> PageResult:  # noqa: B006
    return understand_page(page(*lines, tables=tables, pictures=pictures), (), DocumentFacts(), BY_RULES)


def bound(result: PageResult) -> dict[str, list[str]]:
    return {sku.attributes["model"].text: [b.picture for b in sku.bindings] for sku in result.skus}


def how(skus: tuple[Sku, ...]) -> set[tuple[str, str]]:
    return {(b.method, b.role) for sku in skus for b in sku.bindings}


def card(code: str, x: float, y: float) -> list[Line]:
    fields = [f"Model: {code}", "Price: $5.00", "Material: oak", "Size: 20 x 30 cm"]
    return [line(text, x, y + 14 * n) for n, text in enumerate(fields)]


@pytest.mark.req("TA-BR16")
def test_a_scan_that_covers_the_whole_table_is_no_picture_of_a_row() -> None:
    scan = picture("P1", (45, 90, 300, 190))
    assert bound(understood(tables=[table(ROWS)], pictures=[scan])) == {"A-10": [], "A-20": [], "A-30": []}


def test_the_ground_of_some_rows_is_no_picture_of_theirs() -> None:
    shade = picture("P1", (48, 118, 295, 162))
    assert bound(understood(tables=[table(ROWS)], pictures=[shade])) == {"A-10": [], "A-20": [], "A-30": []}


@pytest.mark.req("PL-METHODS")
def test_the_picture_above_a_table_is_all_its_rows_and_not_the_next_tables() -> None:
    tables = [table(ROWS, y=250), table([HEAD, ["B-10", "壶", "¥6"], ["B-20", "罐", "¥5"]], y=400, id="G2")]
    result = understood(tables=tables, pictures=[picture("P1", (60, 120, 180, 240))])
    assert bound(result) == {"A-10": ["P1"], "A-20": ["P1"], "A-30": ["P1"], "B-10": [], "B-20": []}
    assert how(result.skus) == {("page_inheritance", "PRODUCT_MAIN")}


@pytest.mark.req("TA-T84")
def test_the_letterhead_over_a_table_that_goes_on_is_no_picture_of_its_rows() -> None:
    logo = picture("P1", (60, 24, 95, 53))
    assert bound(understood(tables=[table(ROWS, y=70)], pictures=[logo])) == {"A-10": [], "A-20": [], "A-30": []}


def test_two_pictures_above_a_table_are_nobodys() -> None:
    pictures = [picture("P1", (60, 120, 150, 240)), picture("P2", (170, 120, 260, 240))]
    assert set(map(tuple, bound(understood(tables=[table(ROWS, y=250)], pictures=pictures)).values())) == {()}


@pytest.mark.req("PL-METHODS")
@pytest.mark.parametrize("badges", [["1", "2", "3"], ["No.1", "No.2", "No.3"], ["①", "②", "③"]])
def test_number_badges_link_pictures_and_rows(badges: list[str]) -> None:
    rows = [["序号", *HEAD], *([str(n), *row] for n, row in enumerate(ROWS[1:], 1))]
    places = [(380, 100), (60, 100), (220, 100)]
    pictures = [picture(f"P{n}", (x, y, x + 100, y + 100)) for n, (x, y) in enumerate(places, 1)]
    lines = [line(badge, x + 4, y + 4, 8) for badge, (x, y) in zip(badges, places, strict=True)]
    result = understood(*lines, tables=[table(rows, y=400)], pictures=pictures)
    assert bound(result) == {"A-10": ["P1"], "A-20": ["P2"], "A-30": ["P3"]}
    assert how(result.skus) == {("id_matching", "PRODUCT_MAIN")}


def test_one_number_on_a_picture_links_nothing() -> None:
    rows = [["序号", *HEAD], *([str(n), *row] for n, row in enumerate(ROWS[1:], 1))]
    result = understood(
        line("2", 64, 104, 8), tables=[table(rows, y=500)], pictures=[picture("P1", (60, 100, 160, 200))]
    )
    assert set(map(tuple, bound(result).values())) == {()}


def test_a_code_under_a_picture_links_it_to_the_row_with_this_code() -> None:
    pictures = [picture("P1", (60, 100, 160, 200)), picture("P2", (260, 100, 360, 200))]
    lines = [line("A-30", 90, 204, 8), line("A-10", 290, 204, 8)]
    result = understood(*lines, tables=[table(ROWS, y=500)], pictures=pictures)
    assert bound(result) == {"A-10": ["P2"], "A-20": [], "A-30": ["P1"]}


def test_a_picture_over_several_empty_cells_is_the_picture_of_all_their_rows() -> None:
    rows = [["图片", *HEAD], *(["", *row] for row in ROWS[1:])]
    high = picture("P1", (55, 142, 125, 218))
    result = understood(tables=[table(rows, height=40)], pictures=[high])
    assert bound(result) == {"A-10": ["P1"], "A-20": ["P1"], "A-30": []}


@pytest.mark.req("TA-T84")
def test_detail_and_scene_beside_the_main_picture_are_the_same_products() -> None:
    lines, pictures = [], []
    for n, (x, y) in enumerate([(40, 80), (310, 80), (40, 400), (310, 400)]):
        pictures += [picture(f"P{n}a", (x, y, x + 118, y + 104)), picture(f"P{n}b", (x + 122, y, x + 240, y + 104))]
        lines += card(f"A-{n}0", x, y + 112)
    result = understood(*lines, pictures=pictures)
    assert bound(result) == {f"A-{n}0": [f"P{n}a", f"P{n}b"] for n in range(4)}
    assert {b.role for sku in result.skus for b in sku.bindings[:1]} == {"PRODUCT_MAIN"}
    assert {b.role for sku in result.skus for b in sku.bindings[1:]} == {"DETAIL"}


def test_two_pictures_over_one_caption_are_both_its_products() -> None:
    pictures = [
        picture("P1", (60, 80, 120, 200)),
        picture("P2", (125, 92, 195, 196)),
        picture("P3", (330, 80, 460, 200)),
    ]
    lines = [*card("A-10-20-30", 70, 210), *card("A-20", 340, 210)]
    assert bound(understood(*lines, pictures=pictures)) == {"A-10-20-30": ["P2", "P1"], "A-20": ["P3"]}


def test_pictures_close_in_a_row_are_each_their_own_products() -> None:
    places = [40, 170, 300, 430]
    pictures = [picture(f"P{n}", (x, 80, x + 124, 240)) for n, x in enumerate(places)]
    lines = [one for n, x in enumerate(places) for one in card(f"A-{n}0", x, 250)]
    assert bound(understood(*lines, pictures=pictures)) == {f"A-{n}0": [f"P{n}"] for n in range(4)}


@pytest.mark.req("TA-T84")
def test_pictures_stand_on_the_side_where_every_product_has_one() -> None:
    """Text is nearer to the next picture below than to its own above; only above has each product one."""
    pictures = [picture(f"P{n}", (60, 60 + 220 * n, 200, 190 + 220 * n)) for n in range(3)]
    lines = []
    for n in range(3):
        pairs = [("Model", f"A-{n}0"), ("Size", "20 x 30 cm"), ("Material", "oak"), ("Price", "$5.00"), ("MOQ", "20")]
        for k, (label, value) in enumerate(pairs):
            lines += [line(label, 60, 210 + 220 * n + 12 * k, 8), line(value, 120, 210 + 220 * n + 12 * k, 8)]
    assert bound(understood(*lines, pictures=pictures)) == {f"A-{n}0": [f"P{n}"] for n in range(3)}


@pytest.mark.parametrize("words", ["Dimensions in mm", "外形图", "ISO 9001 certificate"])
def test_a_drawing_of_sizes_or_a_certificate_is_not_the_products_picture(words: str) -> None:
    pictures = [picture("P1", (40, 60, 300, 260)), picture("P2", (320, 60, 500, 240))]
    lines = [*card("A-10", 40, 280), line(words, 350, 246, 7)]
    (sku,) = understood(*lines, pictures=pictures).skus
    assert [b.picture for b in sku.bindings] == ["P1"]
    assert [(c.picture, c.reason) for c in sku.candidates] == [("P2", "shows_something_else")]


def test_swatches_and_badges_beside_the_picture_are_not_bound() -> None:
    small = [picture(f"S{n}", (320 + 50 * n, 220, 360 + 50 * n, 260)) for n in range(3)]
    (sku,) = understood(*card("A-10", 40, 280), pictures=[picture("P1", (40, 60, 300, 260)), *small]).skus
    assert [b.picture for b in sku.bindings] == ["P1"] and not sku.ambiguous
    assert {c.reason for c in sku.candidates} == {"small_beside_another"}


def test_a_small_picture_in_the_pages_head_is_a_letterheads() -> None:
    logo = picture("P1", (410, 15, 560, 160))
    (sku,) = understood(*card("A-10", 250, 150), pictures=[logo]).skus
    assert sku.bindings == () and [c.reason for c in sku.candidates] == ["in_the_letterhead"]
    lower = picture("P1", (410, 120, 560, 265))
    (sku,) = understood(*card("A-10", 250, 150), pictures=[lower]).skus
    assert [b.picture for b in sku.bindings] == ["P1"]


OPEN_HEAD = [line(text, 128 + 100 * n, 82, 9) for n, text in enumerate(("Code", "Item", "Size", "Price"))]


def open_rows(step: float = 108) -> list[Line]:
    """Three rows of an open list; nothing is printed around them."""
    rows = [
        ("ST-45O", "Low stool", "38 x 45 cm", "$78"),
        ("ST-65O", "Counter stool", "38 x 65 cm", "$92"),
        ("ST-75O", "Bar stool", "38 x 75 cm", "$99"),
    ]
    return [line(t, 128 + 100 * n, 140 + step * k, 9) for k, row in enumerate(rows) for n, t in enumerate(row)]


def test_pictures_in_a_column_beside_an_open_list_are_its_rows_and_swatches_are_nobodys() -> None:
    beside = [picture(f"P{k}", (48, 102 + 108 * k, 116, 194 + 108 * k)) for k in range(3)]
    swatches = [picture(f"S{k}", (395, 130 + 108 * k, 419, 154 + 108 * k)) for k in range(3)]
    result = understood(*OPEN_HEAD, *open_rows(), pictures=beside + swatches)
    assert bound(result) == {"ST-45O": ["P0"], "ST-65O": ["P1"], "ST-75O": ["P2"]}


@pytest.mark.parametrize(("apart", "own"), [(10, 1), (140, 0)])
def test_pictures_of_different_widths_about_one_middle_are_a_column_too(apart: float, own: int) -> None:
    right = max(one.box[2] for one in (*OPEN_HEAD, *open_rows())) + apart
    beside = [picture(f"P{k}", (right + 8 * k, 102 + 108 * k, right + 68 - 8 * k, 194 + 108 * k)) for k in range(3)]
    result = understood(*OPEN_HEAD, *open_rows(), pictures=beside)
    assert [len(sku.bindings) for sku in result.skus] == [own] * 3


def test_one_picture_beside_an_open_list_is_not_the_picture_of_a_row() -> None:
    result = understood(*OPEN_HEAD, *open_rows(), pictures=[picture("P0", (48, 102, 116, 194))])
    assert bound(result) == {"ST-45O": [], "ST-65O": [], "ST-75O": []}


@pytest.mark.parametrize(("y", "rows"), [(800, 3), (280, 4)])
def test_a_footer_far_below_an_open_list_is_no_row_of_it(y: float, rows: int) -> None:
    footer = [line("Harbour", 128, y, 9), line("Fittings", 328, y, 9), line("5", 428, y, 9)]
    assert len(understood(*OPEN_HEAD, *open_rows(45), *footer, pictures=[]).skus) == rows


@pytest.mark.parametrize(("words", "expected"), [(("Oak", "Chalk"), ["P0"]), (("Front", "Side"), [])])
def test_swatches_nearer_than_the_picture_are_known_by_the_names_of_colours(
    words: tuple[str, str], expected: list[str]
) -> None:
    """Without such names both small pictures are as likely the product's as each other."""
    small = [picture(f"S{k}", (240 + 70 * k, 165, 285 + 70 * k, 210)) for k in range(2)]
    names = [line(word, 242 + 70 * k, 214, 7) for k, word in enumerate(words)]
    shown = picture("P0", (110, 100, 210, 200))
    assert bound(understood(*card("A-10", 240, 100), *names, pictures=[shown, *small]))["A-10"] == expected


VARIANTS = [["款号", "尺码", "单价"], ["LF801-S", "S", "¥59"], ["LF801-M", "M", "¥69"], ["LF801-L", "L", "¥79"]]


def test_two_views_above_a_table_of_variants_are_all_its_rows() -> None:
    views = [picture("P1", (60, 120, 150, 240)), picture("P2", (170, 120, 260, 240))]
    result = understood(tables=[table(VARIANTS, y=250)], pictures=views)
    assert set(map(tuple, bound(result).values())) == {("P1", "P2")}
    unlike = [picture("P1", (60, 120, 150, 240)), picture("P2", (170, 160, 230, 240))]
    result = understood(tables=[table(VARIANTS, y=250)], pictures=unlike)
    assert set(map(tuple, bound(result).values())) == {()}


@pytest.mark.parametrize(("foot", "expected"), [(236.0, ("P1",)), (262.0, ())])
def test_the_photo_beside_a_part_of_a_drawing_above_a_table_of_variants_is_all_its_rows(
    foot: float, expected: tuple[str, ...]
) -> None:
    """A part that stands under the photo is as likely the picture of the table."""
    views = [picture("P1", (60, 120, 150, 240)), picture("P2", (170, foot - 40, 240, foot))]
    result = understood(tables=[table(VARIANTS, y=265)], pictures=views)
    assert set(map(tuple, bound(result).values())) == {expected}


def test_the_picture_beside_a_table_of_variants_is_all_its_rows() -> None:
    beside = picture("P1", (60, 95, 180, 215))
    result = understood(tables=[table(VARIANTS, x=200)], pictures=[beside])
    assert bound(result) == {"LF801-S": ["P1"], "LF801-M": ["P1"], "LF801-L": ["P1"]}
    result = understood(tables=[table(ROWS, x=200)], pictures=[beside])
    assert set(map(tuple, bound(result).values())) == {()}, "rows of different products"
    far = picture("P1", (20, 95, 60, 175))
    result = understood(tables=[table(VARIANTS, x=200)], pictures=[far])
    assert set(map(tuple, bound(result).values())) == {()}


def test_tables_that_have_one_picture_beside_them_each_share_it_with_all_rows() -> None:
    tables = [table(ROWS, x=200), table([HEAD, ["B-11", "壶", "¥6"], ["C-20", "罐", "¥5"]], x=200, y=300, id="G2")]
    beside = [picture("P1", (60, 95, 180, 185)), picture("P2", (60, 295, 180, 385))]
    result = understood(tables=tables, pictures=beside)
    assert bound(result) == {"A-10": ["P1"], "A-20": ["P1"], "A-30": ["P1"], "B-11": ["P2"], "C-20": ["P2"]}


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (("Hook rail", "Bucket", "Sponge", "Brush", "Door mat"), []),
        (("Light cover", "Cover, heavy", "Drain cover", "Cover with vent", "Round cover"), ["P2"]),
    ],
)
def test_one_picture_beside_things_of_all_sorts_shows_not_all_of_them(names: tuple[str, ...], shown: list[str]) -> None:
    sorts = [["Code", "Name", "Price"], *([f"N-1{k}", name, f"$1.{k}"] for k, name in enumerate(names))]
    tables = [table(ROWS, x=200), table(sorts, x=200, y=300, id="G2")]
    beside = [picture("P1", (60, 95, 180, 185)), picture("P2", (60, 310, 180, 400))]
    result = bound(understood(tables=tables, pictures=beside))
    assert [result[f"N-1{k}"] for k in range(5)] == [shown] * 5


COLUMNS = [
    ["型号", "GW-10", "GW-20", "GW-30"], ["品名", "串口网关", "无线网关", "边缘网关"],
    ["尺寸", "86×54×26 mm", "120×80×30 mm", "160×110×42 mm"], ["单价", "¥268", "¥455", "¥1280"],
]  # fmt: skip


def test_pictures_over_a_table_with_products_as_columns_are_each_its_columns() -> None:
    over = [picture(f"P{n}", (140 + 80 * n, 120, 200 + 80 * n, 240)) for n in range(3)]
    result = understood(tables=[table(COLUMNS, y=250)], pictures=over)
    assert bound(result) == {"GW-10": ["P0"], "GW-20": ["P1"], "GW-30": ["P2"]}
    result = understood(tables=[table(COLUMNS, y=250)], pictures=[*over[:2], picture("P9", (300, 60, 330, 242))])
    assert set(map(tuple, bound(result).values())) != {("P0",), ("P1",), ("P9",)}


def test_pictures_that_fill_a_block_are_the_one_products_of_the_page() -> None:
    lines = [line("Windbreaker", 42, 440, 18), *card("YG-900", 42, 480)]
    block = [picture("P1", (42, 84, 332, 424)), picture("P2", (344, 84, 553, 250)), picture("P3", (344, 258, 553, 424))]
    assert bound(understood(*lines, pictures=block)) == {"YG-900": ["P1", "P2", "P3"]}
    apart = [block[0], picture("P2", (500, 700, 560, 760))]
    assert bound(understood(*lines, pictures=apart)) == {"YG-900": ["P1"]}


def test_a_caption_that_begins_with_the_code_of_a_row_links_its_picture() -> None:
    pictures = [picture("P1", (60, 100, 160, 200)), picture("P2", (260, 100, 360, 200))]
    lines = [line("A-30 盘子", 80, 222, 10), line("A-10 茶杯", 280, 222, 10)]
    assert bound(understood(*lines, tables=[table(ROWS, y=500)], pictures=pictures)) == {
        "A-10": ["P2"],
        "A-20": [],
        "A-30": ["P1"],
    }
    doubled = [line("A-30 盘子", 80, 222, 10), line("A-10 茶杯", 80, 236, 10)]
    result = understood(*doubled, tables=[table(ROWS, y=500)], pictures=pictures[:1])
    assert set(map(tuple, bound(result).values())) == {()}


@pytest.mark.req("TA-OCR")
def test_what_is_seen_of_photos_in_a_row_may_begin_at_unlike_heights() -> None:
    lines, pictures = [], []
    for n, name in enumerate(("加厚马克杯", "北欧汤碗")):
        y = 80 + 350 * n
        for k, top in enumerate((0, 22, 10)):
            box = (40.0 + 130 * k, y + top, 160.0 + 130 * k, y + 130)
            pictures.append(msgspec.structs.replace(picture(f"P{n}{k}", box), drawn=True))
        lines += [line(name, 40, y + 145, 14), line(f"型号：NS-2{n}I", 40, y + 170), line("规格：2cm", 40, y + 190)]
        lines.append(line(f"¥1{n}.00", 40, y + 210))
    result = understand_page(page(*lines, pictures=pictures), (), DocumentFacts(), BY_RULES)
    bound = [[binding.picture for binding in sku.bindings] for sku in result.skus]
    assert bound == [[f"P{n}{k}" for k in range(3)] for n in (0, 1)]


def sheet_with_gallery(*more: Picture) -> PageResult:
    """A large photo with three small ones under it that fill its width, a title, badges and a table of labels."""
    small = [picture(f"P{n}", (40 + 84 * n, 290, 116 + 84 * n, 350)) for n in range(3)]
    pictures = [picture("M", (40, 80, 284, 284)), *small, *more]
    badges = [line("170", 330, 150, 14), line("lm/W", 330, 166, 14), line("50000 h", 420, 150, 14)]
    fields = card("GK-200", 318, 260)
    return understood(line("Orbit Highbay", 312, 80, 24), *badges, *fields, pictures=pictures)


def test_small_views_that_fill_a_block_with_their_photo_are_of_its_product() -> None:
    icons = [picture(f"I{n}", (300 + 90 * n, 146, 324 + 90 * n, 170)) for n in range(2)]
    (sku,) = sheet_with_gallery(*icons).skus
    assert {b.picture for b in sku.bindings} == {"M", "P0", "P1", "P2"}


def test_labels_that_lie_over_a_photo_are_no_views_of_its_product() -> None:
    (sku,) = sheet_with_gallery(picture("L", (40, 240, 200, 286))).skus
    assert "L" not in {b.picture for b in sku.bindings}


def test_a_title_over_badges_names_the_product_of_a_table_and_a_bare_unit_does_not() -> None:
    (sku,) = sheet_with_gallery().skus
    assert sku.attributes["product_name"].text == "Orbit Highbay"


@pytest.mark.req("PL-METHODS")
@pytest.mark.parametrize(
    ("tops", "shown"),
    [
        ((162, 222, 282), {"A-10": ["P0"], "A-20": ["P1"], "A-30": ["P2"]}),
        ((162, 222), {code: ["P0", "P1"] for code in ("A-10", "A-20", "A-30")}),
    ],
)
def test_pictures_level_with_a_row_each_in_a_merged_cell_are_those_rows_own(
    tops: tuple[int, ...], shown: dict[str, list[str]]
) -> None:
    rows = [[*HEAD, "图片"], [*ROWS[1], ""], *([*row, None] for row in ROWS[2:])]
    pictures = [picture(f"P{n}", (295, top, 345, top + 50)) for n, top in enumerate(tops)]
    assert bound(understood(tables=[table(rows, height=60)], pictures=pictures)) == shown


def test_a_picture_of_two_rows_in_a_merged_cell_is_of_both_where_the_others_have_one_each() -> None:
    rows = [[*HEAD, "图片"], [*ROWS[1], ""], *([*row, None] for row in ROWS[2:])]
    pictures = [picture("P0", (295, 162, 345, 278)), picture("P1", (295, 282, 345, 336))]
    found = bound(understood(tables=[table(rows, height=60)], pictures=pictures))
    assert found == {"A-10": ["P0"], "A-20": ["P0"], "A-30": ["P1"]}


def test_photos_in_a_row_amid_an_open_list_are_those_of_the_codes_under_them() -> None:
    rows = open_rows(20)
    further = [("ST-80O", "High stool", "38 x 80 cm", "$105"), ("ST-90O", "Ladder", "45 x 90 cm", "$88")]
    more = [line(t, 128 + 100 * n, 400 + 20 * k, 9) for k, row in enumerate(further) for n, t in enumerate(row)]
    photos = [picture(f"P{k}", (228 + 100 * k, 230, 318 + 100 * k, 320)) for k in range(3)]
    under = [line(code, 240 + 100 * k, 324, 8) for k, code in enumerate(("ST-65O", "ST-90O", "ST-45O"))]
    result = understood(*OPEN_HEAD, *rows, *under, *more, pictures=photos)
    assert bound(result) == {"ST-45O": ["P2"], "ST-65O": ["P0"], "ST-75O": [], "ST-80O": [], "ST-90O": ["P1"]}


def test_a_readers_guess_across_two_lists_stands_between_neither_of_them_and_its_photo() -> None:
    """A footnote makes the box of the left list higher; the guess begins a hair over it."""
    lines = [line("以上为工厂批发价，不含运费", 30, 330, 8.5)]
    for side in (0, 1):
        lines.append(line(("床头柜", "床尾凳")[side], 60 + 270 * side, 200, 14))
        for row in range(3):
            said = (
                ("型号", "规格(mm)", "批发价(元)"),
                (f"YG-{side}1-A", "480×400", "420"),
                (f"YG-{side}1-B", "550×420", "480"),
            )[row]
            lines += [line(text, 60 + 270 * side + 70 * col, 226 + 20 * row, 9) for col, text in enumerate(said)]
    guess = msgspec.structs.replace(table([["", ""], ["", ""]], x=58, y=224, widths=220), ruled=False)
    photos = [picture(f"P{side}", (50 + 270 * side, 60, 290 + 270 * side, 190)) for side in (0, 1)]
    result = understood(*lines, tables=[guess], pictures=photos)
    assert bound(result) == {"YG-01-A": ["P0"], "YG-01-B": ["P0"], "YG-11-A": ["P1"], "YG-11-B": ["P1"]}


def test_where_a_column_of_pictures_has_one_others_of_its_row_are_badges() -> None:
    rows = [["Name", "Photo", "Price"], ["Kyshmysh", "", "$60"], ["Frontenac", "", "$70"], ["Marquette", "", "$80"]]
    badges = [picture(f"B{n}", (52, 142 + 60 * n, 100, 190 + 60 * n), 900) for n in range(2)]
    photos = [picture(f"P{n}", (132, 142 + 60 * n, 208, 195 + 60 * n), 300) for n in range(2)]
    drawn = picture("D2", (52, 262, 100, 310), 900)
    one = page(tables=[table(rows, y=80, height=60)], pictures=[*badges, *photos, drawn])
    result = understand_page(one, (), DocumentFacts(), BY_RULES)
    assert [[b.picture for b in sku.bindings] for sku in result.skus] == [["P0"], ["P1"], ["D2"]]
