"""Photo grids with tables or codes for captions, sheets of one product, and what repeats from page to page."""

import msgspec
import pytest

from processing.engine.evaluation.facts import document_facts
from processing.engine.evaluation.margins import summarise_margins
from processing.engine.page import Line, ParsedPage, Picture, Table
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.captions.grids import names_samples
from processing.engine.understanding.captions.sides import Captioned
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table
from tests.unit.understanding.test_cards_and_captions import grid


def understood(one: ParsedPage, facts: DocumentFacts | None = None) -> PageResult:
    return understand_page(one, (), facts or DocumentFacts(), BY_RULES)


def texts(result: PageResult, key: str) -> list[str | None]:
    return [sku.attributes[key].text if key in sku.attributes else None for sku in result.skus]


def cards_with_tables() -> ParsedPage:
    """Two by two pictures, a name under each and below it a ruled table of two columns."""
    lines: list[Line] = []
    pictures: list[Picture] = []
    tables: list[Table] = []
    for n, name in enumerate(("竹影餐椅", "竹影茶几", "竹影鞋柜", "竹影书桌")):
        x, y = 50 + 270 * (n % 2), 80 + 340 * (n // 2)
        pictures.append(picture(f"P{n}", (x, y, x + 230, y + 170)))
        lines.append(line(name, x, y + 178, 11))
        rows = [["型号", f"QY-{n}15"], ["尺寸", "470×520 mm"], ["材质", "橡木"], ["价格", f"¥{n}9"]]
        tables.append(table(rows, x=x, y=y + 200, id=f"G{n + 1}"))
    return page(*lines, tables=tables, pictures=pictures)


@pytest.mark.req("TA-CLS", "PL-METHODS")
def test_small_tables_under_pictures_are_cards_with_the_name_between_them() -> None:
    result = understood(cards_with_tables())
    assert texts(result, "model") == ["QY-015", "QY-115", "QY-215", "QY-315"]
    assert texts(result, "product_name") == ["竹影餐椅", "竹影茶几", "竹影鞋柜", "竹影书桌"]
    assert [[b.picture for b in sku.bindings] for sku in result.skus] == [["P0"], ["P1"], ["P2"], ["P3"]]
    assert result.page_type in ("B", "C") and result.tallies[0].skus == 0


def test_captions_of_aligned_lines_are_one_product_a_picture() -> None:
    captions = [[f"汤锅 {n}", f"型号：TG-22{n}", f"规格：Φ2{n}×11cm", "材质：/"] for n in range(1, 7)]
    lines, pictures = grid(captions)
    rows = [[f"汤锅 {n}" for n in range(1, 4)], [f"型号：TG-22{n}" for n in range(1, 4)]]
    guessed = table(rows, x=50, y=226, widths=180, height=14)
    result = understood(page(*lines, tables=[guessed], pictures=pictures))
    assert (result.page_type, texts(result, "model")) == ("C", [f"TG-22{n}" for n in range(1, 7)])
    assert texts(result, "size") == [f"Φ2{n}×11cm" for n in range(1, 7)] and texts(result, "material") == [None] * 6


def test_a_code_may_follow_its_label_without_a_colon() -> None:
    lines, pictures = grid([["Skillet", f"Item No. OS-41{n}E", "Size: 18 cm"] for n in range(4)], columns=2)
    assert texts(understood(page(*lines, pictures=pictures)), "model") == [f"OS-41{n}E" for n in range(4)]


@pytest.mark.parametrize(("tail", "price"), [("$12.90", "$12.90"), ("undefined", None), ("call", None)])
def test_code_and_price_on_one_line_are_two_values(tail: str, price: str | None) -> None:
    lines, pictures = grid([["Milk Pan", f"GS-7{n} {tail}"] for n in range(4)])
    result = understood(page(*lines, pictures=pictures))
    assert texts(result, "model") == [f"GS-7{n}" for n in range(4)] and texts(result, "price") == [price] * 4


def test_a_sections_heading_above_captions_is_no_products_name() -> None:
    names = ["Cutlery Trio", "Milk Pan", "Casserole", "Tea Kettle"]
    lines, pictures = [line("Gifts", 60, 60, 20)], []
    for n, name in enumerate(names):
        x = 50 + 130 * n
        lines += [line(name, x, 84, 9), line(f"GS-7{n} $1{n}.90", x, 96, 9)]
        pictures.append(picture(f"P{n}", (x, 110, x + 110, 230)))
    assert texts(understood(page(*lines, pictures=pictures)), "product_name") == names


@pytest.mark.req("TA-CLS")
@pytest.mark.parametrize("heading", [None, "资质证书"])
def test_certificates_are_no_products_and_surely_none(heading: str | None) -> None:
    names = ["质量管理体系认证", "检测报告", "外观专利证书", "出口备案", "ISO 9001 Certificate", "商标注册证"]
    lines, pictures = grid([[name] if heading is None else [f"文件 {n}"] for n, name in enumerate(names)])
    result = understood(page(*lines, *([line(heading, 50, 40, 22)] if heading else []), pictures=pictures))
    assert (result.page_type, result.skus, result.blockers) == ("D", (), ())


@pytest.mark.parametrize(
    ("heading", "pictures", "reason"),
    [
        ("Spirits of the Alps", 4, "pictures_alike_with_text"),
        ("Our workshop", 4, "no_product_signs"),
        ("Spirits of the Alps", 3, "photos_with_words"),
    ],
)
def test_pictures_alike_with_a_text_beside_each_are_looked_at_by_a_person(
    heading: str, pictures: int, reason: str
) -> None:
    text = "Distilled from flowers that grow above the valley, since three brothers began it,"
    lines, shown = [line(heading, 60, 40, 14)], []
    for n, name in enumerate(("Genepy", "Zirbenz", "Nux", "Salers")[:pictures]):
        shown.append(picture(f"P{n}", (50, 80 + 160 * n, 150, 220 + 160 * n)))
        lines += [line(said, 260, 84 + 160 * n + 12 * row, 9) for row, said in enumerate((name, text, text, text))]
    result = understood(page(*lines, pictures=shown))
    assert (result.page_type, result.skus, result.classification["reason"]) == ("D", (), reason)
    assert bool(result.blockers) == (reason != "no_product_signs")


def test_photos_without_print_are_no_products_and_fail_nothing() -> None:
    photos = [picture(f"P{n}", (50 + 260 * n, 80, 280 + 260 * n, 240)) for n in range(2)]
    result = understood(page(pictures=photos))
    assert (result.page_type, result.skus, result.blockers) == ("D", (), ())


@pytest.mark.parametrize(
    ("heading", "size", "far", "reason"),
    [
        ("Our workshop", 24, 10, "no_product_signs"),
        ("", 9, 10, "photos_with_words"),
        ("", 24, 120, "no_product_signs"),
    ],
)
def test_names_at_photos_in_small_print_far_off_or_of_works_are_none(
    heading: str, size: float, far: float, reason: str
) -> None:
    lines, shown = [line(heading, 60, 40, 12)] if heading else [], []
    for n, name in enumerate(("Sofa Aurora", "Sofa Prisma")):
        x = 50 + 260 * n
        shown.append(picture(f"P{n}", (x, 80, x + 230, 240)))
        lines += [line(name, x, 240 + far, size)]
        lines += [
            line("Ask for other measures and for cloths that you like", x, 300 + far + 12 * k, 9) for k in range(3)
        ]
    result = understood(page(*lines, pictures=shown))
    assert (result.page_type, result.skus, result.classification["reason"]) == ("D", (), reason)
    assert bool(result.blockers) == (reason != "no_product_signs")


@pytest.mark.parametrize(
    ("codes", "asked"), [(("8012345678901", "8012345678918", "8012345678925"), True), (("",) * 3, False)]
)
def test_names_beside_barcodes_without_a_price_are_looked_at_by_a_person(codes: tuple[str, ...], asked: bool) -> None:
    rows = [
        [f"{n}", f"Giant tablets {kind}", code, "33 %"] for n, (kind, code) in enumerate(zip("XYZ", codes, strict=True))
    ]
    ordered = table([["Lot", "Remark", "Barcode", "Discount"], *rows], widths=120)
    result = understood(page(tables=[ordered]))
    assert (bool(result.blockers), result.skus) == (asked, ())


def sheet(*rows: tuple[str, str]) -> list[Line]:
    """A large name with its code, and labels beside values without colons or rules."""
    lines = [
        line("Orbit Track Spotlight", 40, 66, 24),
        line("LH-OB28", 40, 100, 12),
        line("Specification", 40, 424, 11),
    ]
    for n, (label, value) in enumerate(rows):
        lines += [line(label, 40, 450 + 18 * n, 9), line(value, 210, 450 + 18 * n, 9)]
    return lines


ROWS = [("Dimensions", "Ø75 x 180 mm"), ("Finish", "Graphite"), ("Beam angle", "36°"), ("List price", "€ 88.00")]


@pytest.mark.req("TA-CLS", "GR-EVID")
def test_a_sheet_without_colons_and_rules_is_one_product_with_its_large_name_and_code() -> None:
    (sku,) = understood(page(*sheet(*ROWS))).skus
    found = {key: value.text for key, value in sku.attributes.items()}
    assert found == {
        "model": "LH-OB28",
        "product_name": "Orbit Track Spotlight",
        "size": "Ø75 x 180 mm",
        "color": "Graphite",
        "price": "€ 88.00",
        "currency": "€",
    }
    assert [(custom.name, custom.value) for custom in sku.custom] == [("Beam angle", "36°")]
    assert sku.attributes["model"].evidence.bbox[1] == 100


@pytest.mark.parametrize(
    "rows",
    [
        [("Dimensions", "75 mm"), ("Reset value", "0"), ("Weight", "5 kg"), ("Address", "0x10"), ("Price", "5")],
        [("Dimensions", "75 mm"), ("Location", "Oslo"), ("Founded", "1990")],
    ],
)
def test_columns_of_other_labels_are_no_sheet(rows: list[tuple[str, str]]) -> None:
    assert understood(page(*sheet(*rows))).skus == ()


@pytest.mark.req("TA-DOCPASS")
def test_the_same_picture_elsewhere_on_other_pages_is_no_logo() -> None:
    def shown(number: int, x: float) -> ParsedPage:
        logo = picture("P1", (500, 20, 540, 40), perceptual_hash="logo")
        return page(pictures=[logo, picture("P2", (x, 300, x + 120, 420), perceptual_hash="mug")], number=number)

    facts = document_facts([summarise_margins(shown(n, 50 + 90 * n)) for n in range(1, 5)])
    assert facts.repeated_pictures == ("logo",)


@pytest.mark.req("TA-DOCPASS")
def test_a_caption_that_stands_low_on_several_pages_is_no_footer() -> None:
    def shown(number: int) -> ParsedPage:
        foot = line("ACME Kitchen", 50, 815)
        return page(line("Bread Board", 60, 785), foot, pictures=[picture("P1", (50, 600, 250, 780))], number=number)

    assert document_facts([summarise_margins(shown(n)) for n in range(1, 4)]).running_lines == ("acmekitchen",)


def test_words_of_a_footer_are_the_pages_own_further_in() -> None:
    lines, pictures = grid([["Bread Board", f"OS-41{n}", "Oak"] for n in range(4)])
    result = understood(page(*lines, pictures=pictures), DocumentFacts(running_lines=("breadboard",)))
    assert texts(result, "product_name") == ["Bread Board"] * 4


@pytest.mark.req("TA-CLS")
@pytest.mark.parametrize(("rows", "page_type"), [(4, "B"), (30, "A")])
def test_small_tables_under_a_picture_of_their_family_make_a_mixed_page(rows: int, page_type: str) -> None:
    head = ["订货号", "规格", "单价(元)"]
    body = [[f"LS-{n:02d}A", f"M{n}x20", f"{n}.12"] for n in range(1, rows + 1)]
    one = page(
        line("外六角螺栓", 50, 60, 16),
        pictures=[picture("P1", (50, 90, 190, 190))],
        tables=[table([head, *body], y=200)],
    )
    result = understood(one)
    assert (result.page_type, len(result.skus)) == (page_type, rows)


@pytest.mark.req("TA-CLS", "X-COVER")
def test_a_table_kept_as_a_picture_beside_captioned_ones_makes_a_mixed_page_for_a_person() -> None:
    pictures = [picture(f"P{n}", (40 + 180 * n, 100, 180 + 180 * n, 240)) for n in range(3)]
    names = [line(f"LCS-CK{n} Packing scale", 40 + 180 * n, 248) for n in range(3)]
    shot = msgspec.structs.replace(picture("P9", (40, 500, 560, 720)), blur=11000.0)
    kinds = {}
    for extra in ((), (shot,)):
        result = understood(page(*names, pictures=[*pictures, *extra]))
        kinds[len(extra)] = (result.page_type, len(result.skus), "coverage_low" in {b.code for b in result.blockers})
    assert kinds == {0: ("C", 3, False), 1: ("B", 3, True)}


def titled_rows() -> tuple[list[Line], list[Picture]]:
    """Two rows: a picture, beside it a title with a code at the far right, fields, and swatches with their colours."""
    lines: list[Line] = []
    pictures: list[Picture] = []
    for n, (name, code) in enumerate((("Nell side chair", "NB-11"), ("Tarn lounge", "TA-02"))):
        y = 80 + 240 * n
        pictures.append(picture(f"P{n}", (48, y, 218, y + 200)))
        lines += [line(name, 240, y, 17), line(code, 500, y + 4, 11), line("Stacks four high.", 240, y + 30)]
        lines += [line("Dimensions: W 510 x D 540 mm", 240, y + 60, 9), line("List price: $184", 240, y + 78, 9)]
        for k, colour in enumerate(("Oak", "Walnut", "Chalk")):
            pictures.append(picture(f"S{n}{k}", (240 + 66 * k, y + 130, 284 + 66 * k, y + 174)))
            lines.append(line(colour, 245 + 66 * k, y + 178, 7.5))
    return lines, pictures


def test_titles_over_fields_without_labelled_names_are_one_product_each_and_swatches_none() -> None:
    lines, pictures = titled_rows()
    result = understood(page(*lines, pictures=pictures))
    assert texts(result, "product_name") == ["Nell side chair", "Tarn lounge"]
    assert texts(result, "model") == ["NB-11", "TA-02"] and texts(result, "price") == ["$184", "$184"]
    assert [[b.picture for b in sku.bindings] for sku in result.skus] == [["P0"], ["P1"]]


def test_rows_of_cards_are_no_table_although_a_reader_guesses_one() -> None:
    lines, pictures = titled_rows()
    fields = "Dimensions: W 510 x D 540 mm\nList price: $184"
    rows = [[f"Nell side chair\n{fields}", "NB-11"], [f"Tarn lounge\n{fields}", "TA-02"]]
    guessed = msgspec.structs.replace(table(rows, x=240, y=80, widths=150, height=240), ruled=False)
    result = understood(msgspec.structs.replace(page(*lines, pictures=pictures), tables=(guessed,)))
    assert texts(result, "price") == ["$184", "$184"] and result.page_type == "B"


@pytest.mark.parametrize(("left", "named"), [(60, True), (300, False)])
def test_the_pages_title_far_over_a_card_names_it_where_it_begins_at_the_same_edge(left: float, named: bool) -> None:
    fields = ["型号：XG-26", "尺寸：450×260mm", "材质：黄铜", "单价：¥80"]
    lines = [line("半月吊灯", left, 100, 30), *(line(text, 60, 320 + 30 * n, 9.5) for n, text in enumerate(fields))]
    assert texts(understood(page(*lines)), "product_name") == ["半月吊灯" if named else None]


@pytest.mark.parametrize("down", [10, 60, 125])
def test_a_name_over_a_picture_and_a_code_printed_on_it_are_one_caption(down: float) -> None:
    lines, pictures = grid([[] for _ in range(6)])
    for n, shown in enumerate(pictures):
        x, y = shown.box[:2]
        lines += [line(("Knife", "Board", "Bowl")[n % 3], x + 40, y - 16, 11), line(f"ME 31{n}4", x + 8, y + down, 8)]
    result = understood(page(*lines, pictures=pictures))
    assert texts(result, "product_name") == ["Knife", "Board", "Bowl"] * 2
    assert texts(result, "model") == [f"ME 31{n}4" for n in range(6)]
    assert [[b.picture for b in sku.bindings] for sku in result.skus] == [[f"P{n + 1}"] for n in range(6)]


def test_what_is_printed_on_a_picture_is_no_second_code() -> None:
    lines, pictures = grid([[f"C-20{n} Stock pot"] for n in range(4)], columns=2)
    lines += [line("SUS304", shown.box[0] + 8, shown.box[1] + 10, 8) for shown in pictures]
    assert texts(understood(page(*lines, pictures=pictures)), "model") == [f"C-20{n}" for n in range(4)]


def test_the_same_names_in_grade_after_grade_are_samples() -> None:
    lines, pictures = grid([[("Heath", "Loam", "Fell")[n % 3], f"Grade {'ABC'[n // 3]}, 6{n}"] for n in range(9)])
    result = understood(page(line("Covers for Tarn", 60, 40, 18), *lines, pictures=pictures))
    assert (result.page_type, result.skus) == ("D", ())


def test_colours_behind_dots_are_one_value_of_the_column_of_values() -> None:
    rows = [("Model", "OF-610"), ("Dimensions", "W64 x D62 x H98 cm"), ("Material", "Nylon")]
    lines = [line("Arc Task Chair", 300, 80, 15)]
    for n, pair in enumerate(rows):
        lines += [line(text, x, 112 + 18 * n, 9.5) for text, x in zip(pair, (300, 372), strict=True)]
    lines += [
        line(text, x, 166, 9.5) for text, x in (("Colours", 300), ("Graphite", 386), ("Moss", 448), ("Sand", 497))
    ]
    (sku,) = understand_page(page(*lines), (), DocumentFacts(), BY_RULES).skus
    assert sku.attributes["color"].text == "Graphite Moss Sand"
    assert sku.attributes["color"].evidence.bbox[0] == 386


@pytest.mark.parametrize(
    ("codes", "named", "asked"),
    [
        (("KRI-BF-14.25", "KRI-MR-7"), True, True),  # a name in larger print beside each code
        (("KRI-BF-14.25", "KRI-MR-7"), False, False),  # codes in running print, far from the pictures
        (("KRI-BF-14.25", "KRI-BF-14.25"), True, False),  # drawings of one device
        (("7.1 QFN32", "7.2 QFN46"), True, False),  # numbered sections
    ],
)
def test_codes_with_a_name_each_and_pictures_are_looked_at_by_a_person(
    codes: tuple[str, str], named: bool, asked: bool
) -> None:
    lines = [line(code, 420, 130 + 300 * n, 9) for n, code in enumerate(codes)]
    lines += [line(f"MACHINE {'ABC'[n]}", 40, 126 + 300 * n, 14 if named else 9) for n in range(2)]
    lines += [line("It is driven by a motor and stands on four feet", 200, 160 + 300 * n, 9) for n in range(2)]
    pictures = [picture(f"P{n}", (40, 160 + 300 * n, 120, 260 + 290 * n)) for n in range(2)]
    result = understood(page(*lines, pictures=pictures))
    assert not result.skus and bool(result.blockers) is asked


@pytest.mark.parametrize(("forms", "samples"), [(("条装", "纸包"), False), (("条装", "纸包", "罐装"), True)])
def test_a_few_names_in_two_forms_each_are_no_samples(forms: tuple[str, ...], samples: bool) -> None:
    texts = [(name, form) for form in forms for name in ("胡椒薄荷", "留兰香")]
    shown = picture("P1", (50, 80, 190, 180))
    found = [Captioned(shown, (line(name, 50, 190), line(form, 50, 205, 6))) for name, form in texts]
    assert names_samples(found) is samples


@pytest.mark.parametrize("unit", ["kcal", ""])
def test_amounts_of_several_things_beside_a_photo_are_looked_at_by_a_person(unit: str) -> None:
    facts = [line(f"{what} {n}{unit}", 320, 300 + 16 * n, 8) for n, what in enumerate(("Energy", "Fat", "Protein"), 2)]
    one = page(line("Peppermint", 320, 200, 21), *facts, pictures=[picture("P1", (40, 160, 270, 400))])
    assert bool(understood(one).blockers) is bool(unit)


@pytest.mark.parametrize(("text", "asked"), [("参考售价：{}99 - 5999。", True), ("生产成本下降了 {}%。", False)])
def test_prices_told_in_running_text_are_looked_at_by_a_person(text: str, asked: bool) -> None:
    told = [line(f"搭载六点七英寸屏幕，续航出色。{text.format(n)}", 60, 100 + 30 * n) for n in range(3, 7)]
    assert bool(understood(page(*told)).blockers) is asked


@pytest.mark.req("TA-DOCPASS")
def test_amounts_that_stand_low_on_several_pages_are_no_footers() -> None:
    def shown(number: int) -> ParsedPage:
        return page(
            line("ACME Kitchen 2", 50, 815), line("790 мм", 60, 800), line(f"{number} 页", 560, 815), number=number
        )

    facts = document_facts([summarise_margins(shown(n)) for n in range(1, 4)])
    assert set(facts.running_lines) == {"acmekitchen2", "#page"}
