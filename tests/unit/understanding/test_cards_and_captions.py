"""Products outside tables: labelled cards, photo grids; and pages that only look like them."""

import msgspec
import pytest

from catalogsku.core.box import union
from processing.engine.page import Line, Ocr, ParsedPage, Picture, Word
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.labelled_lines import line_fields
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table, texts


def understood(one: ParsedPage, facts: DocumentFacts | None = None) -> PageResult:
    return understand_page(one, (), facts or DocumentFacts(), BY_RULES)


def grid(captions: list[list[str]], columns: int = 3) -> tuple[list[Line], list[Picture]]:
    lines, pictures = [], []
    for n, caption in enumerate(captions):
        x, y = 50 + 180 * (n % columns), 80 + 220 * (n // columns)
        pictures.append(picture(f"P{n + 1}", (x, y, x + 140, y + 140)))
        lines += [line(text, x + 10, y + 148 + 14 * k) for k, text in enumerate(caption)]
    return lines, pictures


CARD = [
    line("round-cooler", 30, 82, 17), line("Model: TV20-001", 30, 120), line("Price: $5.6", 30, 140),
    line("Material: ABS", 30, 160),
    line("MOQ: 5000pcs", 30, 180), line("Package:", 30, 200), line("Color: undefined", 30, 220),
    line("carton box: /", 30, 240),
]  # fmt: skip


@pytest.mark.req("GR-EVID")
def test_reads_one_product_from_a_labelled_card() -> None:
    result = understood(page(*CARD))
    (sku,) = result.skus
    found = {key: value.text for key, value in sku.attributes.items()}
    assert found == {
        "product_name": "round-cooler",
        "model": "TV20-001",
        "price": "$5.6",
        "material": "ABS",
        "moq": "5000pcs",
        "currency": "$",
    }
    assert sku.custom == () and sku.validity == "full"
    assert sku.attributes["price"].evidence.bbox[0] > 50


@pytest.mark.req("X-NORM")
@pytest.mark.parametrize("words", ["TBC", "price on request", "面议", "call"])
def test_a_card_whose_price_is_on_request_has_the_fact_and_no_price(words: str) -> None:
    lines = [line("Model: TV20-001", 30, 120), line(f"Price: {words}", 30, 140), line("Material: TBC", 30, 160)]
    (sku,) = understood(page(*lines)).skus
    assert set(sku.attributes) == {"model"} and sku.custom == ()
    assert sku.normalized["price"]["on_request"] is True  # type: ignore[index]


def test_words_for_a_price_under_a_picture_are_no_name() -> None:
    lines, pictures = grid([[f"素胎陶罐 {n}", f"LM-V70{n}", "询价"] for n in range(1, 5)])
    result = understood(page(*lines, pictures=pictures))
    assert [set(sku.attributes) for sku in result.skus] == [{"product_name", "model"}] * 4
    assert all(sku.normalized["price"]["on_request"] for sku in result.skus)  # type: ignore[index]


@pytest.mark.req("TA-CLS")
def test_code_and_name_with_one_specification_are_a_product_and_a_place_is_part_of_a_name() -> None:
    lines = [line("Item No.: DLX-106", 30, 120), line("Item: Sofa @ End King Room", 30, 140)]
    assert understood(page(*lines)).skus == ()
    (sku,) = understood(page(*lines, line("Overall Dimensions: W2900 x D1360mm", 30, 160))).skus
    assert {key: value.text for key, value in sku.attributes.items()} == {
        "model": "DLX-106",
        "product_name": "Sofa @ End King Room",
        "size": "W2900 x D1360mm",
    }


@pytest.mark.req("X-BLOCKER", "TA-CLS")
@pytest.mark.parametrize(
    ("fields", "asked"),
    [
        (["Size: 70 x 33 mm", "Weight: 40 g"], True),
        (["Model: JX-2R", "Weight: 40 g"], True),
        (["Weight: 40 g"], False),
    ],
)
def test_specifications_without_a_product_go_to_a_person(fields: list[str], asked: bool) -> None:
    result = understood(page(*[line(text, 30, 120 + 20 * n) for n, text in enumerate(fields)]))
    codes = {blocker.code for blocker in result.blockers}
    assert (result.skus, codes) == ((), {"page_type_uncertain"} if asked else set())


def test_an_empty_field_takes_nothing_from_the_text_beside_it() -> None:
    (sku,) = understood(page(*CARD, line("Remote control included", 330, 200))).skus
    assert "packing" not in sku.attributes


def test_a_column_of_labels_takes_the_column_of_values() -> None:
    pairs = [("Item No.:", "DLX-100"), ("Item:", "King Bed"), ("Material:", "Oak"), ("Size:", "2130 x 1930 mm")]
    lines = [
        one
        for n, (label, value) in enumerate(pairs)
        for one in (line(label, 60, 100 + 20 * n), line(value, 190, 100 + 20 * n))
    ]
    (sku,) = understood(page(*lines)).skus
    assert {k: v.text for k, v in sku.attributes.items()} == {
        "model": "DLX-100",
        "product_name": "King Bed",
        "material": "Oak",
        "size": "2130 x 1930 mm",
    }


@pytest.mark.req("TA-T84", "PL-METHODS")
def test_reads_a_photo_grid_and_binds_each_picture() -> None:
    lines, pictures = grid([[f"素胎陶罐 {n}", f"型号 Model: LM-V70{n}", "¥ 168.00"] for n in range(1, 7)])
    result = understood(page(*lines, pictures=pictures))
    assert (result.page_type, result.extractor, len(result.skus)) == ("C", "rules.photo", 6)
    assert [sku.attributes["model"].text for sku in result.skus] == [f"LM-V70{n}" for n in range(1, 7)]
    assert [[b.picture for b in sku.bindings] for sku in result.skus] == [[f"P{n}"] for n in range(1, 7)]
    assert {b.method for sku in result.skus for b in sku.bindings} == {"grid_alignment"}


def test_names_under_a_regular_grid_are_products_without_invented_fields() -> None:
    lines, pictures = grid(
        [[name] for name in ("Mug", "Brush Holder", "Ring Holder", "Dinner Ware", "Pet Bowl", "Coaster")]
    )
    result = understood(page(line("Ceramic Items", 60, 20, 30), *lines, pictures=pictures))
    assert [set(sku.attributes) for sku in result.skus] == [{"product_name"}] * 6
    assert {sku.quality_warning for sku in result.skus} == {"missing_specifications"}


@pytest.mark.parametrize(("inside", "products"), [(True, 6), (False, 0)])
def test_what_is_lettered_on_a_pictured_thing_is_no_text_of_the_page(inside: bool, products: int) -> None:
    lines, pictures = grid([[name] for name in ("Bank", "Wish Box", "Frame", "Wall Sign", "Board", "Game")])
    x0, y0, x1, y1 = pictures[4].box
    lettered = [line(f"{n} BEAUTIFUL GIRL OF MINE", x0 + 2, (y0 if inside else 760) + 4 * n, 4) for n in range(6)]
    result = understood(page(*lines, *lettered, pictures=pictures))
    assert len(result.skus) == products


@pytest.mark.parametrize("heading", ["Main Products", "产品分类"])
def test_kinds_of_products_are_no_products(heading: str) -> None:
    lines, pictures = grid([[name] for name in ("Bath", "Pets", "Fashion", "Digital", "Home", "Office")])
    result = understood(page(line(heading, 60, 20, 30), *lines, pictures=pictures))
    assert result.skus == ()
    assert "page_type_uncertain" in {blocker.code for blocker in result.blockers}


def test_figures_of_a_manual_are_no_products() -> None:
    lines, pictures = grid([[f"Figure {n}. Wiring"] for n in range(1, 7)])
    assert understood(page(*lines, pictures=pictures)).skus == ()


def test_bare_codes_under_two_samples_are_no_products() -> None:
    lines, pictures = grid([["DLX-500"], ["WD-003"]])
    assert understood(page(*lines, pictures=pictures)).skus == ()


@pytest.mark.req("TA-T84")
def test_two_equally_near_pictures_bind_none_and_are_kept_as_candidates() -> None:
    lines = [line("Model: A-100", 250, 300), line("Price: $9", 250, 320), line("Material: steel", 250, 340)]
    pictures = [picture("P1", (80, 280, 220, 400)), picture("P2", (370, 280, 510, 400))]
    (sku,) = understood(page(*lines, pictures=pictures)).skus
    assert sku.bindings == () and sku.ambiguous
    assert {c.picture for c in sku.candidates} == {"P1", "P2"} and all(c.reason for c in sku.candidates)
    result = understood(page(*lines, pictures=pictures))
    assert "binding_ambiguous" in {b.code for b in result.blockers}


@pytest.mark.req("TA-T84")
def test_the_distance_limit_grows_with_the_page() -> None:
    def bound(scale: float) -> bool:
        lines = [
            line("Model: A-100", 250 * scale, 100),
            line("Price: $9", 250 * scale, 120),
            line("Material: steel", 250 * scale, 140),
        ]
        far = (250 * scale, 450, 250 * scale + 150, 600)
        (sku,) = understood(page(*lines, pictures=[picture("P1", far)], size=(595 * scale, 842 * scale))).skus
        return bool(sku.bindings)

    assert not bound(1.0) and bound(2.0)


def test_running_headers_and_repeated_logos_are_left_out() -> None:
    facts = DocumentFacts(running_lines=("acmecatalogue",), repeated_pictures=("abcd",))
    one = page(
        line("ACME Catalogue", 50, 20, 30),
        *CARD[1:],
        pictures=[picture("P1", (30, 260, 90, 300), perceptual_hash="abcd")],
    )
    (sku,) = understood(one, facts).skus
    assert "product_name" not in sku.attributes and sku.bindings == ()
    assert understood(one, facts).roles[0].role == "LOGO"


def test_prices_that_nobody_understood_make_the_page_uncertain() -> None:
    result = understood(page(*[line(f"something ${n}.00 here", 50 + 90 * (n % 3), 100 + 37 * n) for n in range(6)]))
    assert result.skus == () and {"page_type_uncertain", "no_sku_found"} <= {b.code for b in result.blockers}


def test_a_page_of_running_text_is_no_product_page_and_sure() -> None:
    result = understood(
        page(*[line("The company was founded in a small town by the river.", 50, 100 + 20 * n) for n in range(12)])
    )
    assert (result.page_type, result.blockers) == ("D", ()) and result.confidence >= 0.8


def test_materials_and_colours_under_a_name_are_told_apart() -> None:
    lines, pictures = grid([[f"Stool No. {n}", f"ST-{n}0", "Oak / Glass", "Black, White"] for n in range(1, 4)])
    (first, *_) = understood(page(*lines, pictures=pictures)).skus
    assert (first.attributes["material"].text, first.attributes["color"].text) == ("Oak / Glass", "Black, White")


@pytest.mark.req("TA-CLS")
@pytest.mark.parametrize(
    ("heading", "names", "asked"),
    [
        ("Enamel colours", ("Fjord", "Sage", "Slate", "Rust"), True),
        ("釉色一览", ("青花", "霁红", "天青", "乌金"), True),
        ("Our range", ("Black", "White", "Red", "Fjord"), False),
    ],
)
def test_samples_of_colours_are_no_products(heading: str, names: tuple[str, ...], asked: bool) -> None:
    pictures = [picture(f"P{n}", (50 + 120 * n, 100, 150 + 120 * n, 200)) for n in range(4)]
    names_below = [line(name, 70 + 120 * n, 205) for n, name in enumerate(names)]
    result = understood(page(line(heading, 50, 40, 18), *names_below, pictures=pictures))
    assert (result.page_type, result.skus, bool(result.blockers)) == ("D", (), asked)
    plain = understood(page(line("Kitchenware", 50, 40, 18), *names_below, pictures=pictures))
    assert len(plain.skus) == (4 if asked else 0)


@pytest.mark.req("TA-CLS")
@pytest.mark.parametrize(
    ("heading", "products"),
    [("Production Equipment", 0), ("Our Factory", 0), ("生产车间", 0), ("Workshop Tools", 4), ("车间照明", 4)],
)
def test_pictures_of_a_companys_works_are_no_products(heading: str, products: int) -> None:
    pictures = [picture(f"P{n}", (50 + 120 * n, 100, 150 + 120 * n, 200)) for n in range(4)]
    names = [line(name, 55 + 120 * n, 205) for n, name in enumerate(("Film coater", "Cutter", "Router", "Autoclave"))]
    assert len(understood(page(line(heading, 50, 40, 18), *names, pictures=pictures)).skus) == products


def test_products_with_codes_stay_products_under_a_heading_of_colours() -> None:
    lines, pictures = grid([[f"C-20{n} Stock pot"] for n in range(4)])
    assert len(understood(page(line("All colours", 50, 40, 18), *lines, pictures=pictures)).skus) == 4


@pytest.mark.req("X-BLOCKER", "TA-CLS")
@pytest.mark.parametrize(("sharp", "asked"), [(4200.0, True), (180.0, False)])
def test_a_large_picture_as_sharp_as_print_goes_to_a_person(sharp: float, asked: bool) -> None:
    shot = msgspec.structs.replace(picture("P1", (80, 140, 520, 420)), blur=sharp)
    result = understood(page(line("Accessories", 50, 60, 18), pictures=[shot]))
    assert (result.page_type, bool(result.blockers)) == ("D", asked)


@pytest.mark.req("X-BLOCKER")
def test_codes_with_amounts_in_rows_that_nobody_understood_go_to_a_person() -> None:
    rows = [(f"NB-{n}", "Reflector bulb", f"{n}.40") for n in range(2, 8)]
    lines = [line(text, 50 + 200 * k, 80 + 37 * n) for n, row in enumerate(rows) for k, text in enumerate(row)]
    result = understood(page(*lines))
    assert (result.page_type, result.classification["reason"]) == ("A", "priced_rows_not_understood")
    assert {blocker.code for blocker in result.blockers} >= {"page_type_uncertain", "no_sku_found"}


def test_a_price_in_larger_print_belongs_to_its_caption_and_a_heading_does_not() -> None:
    lines, pictures = [], []
    for n in range(4):
        x, y = 50 + 250 * (n % 2), 80 + 260 * (n // 2)
        pictures.append(picture(f"P{n}", (x, y, x + 140, y + 140)))
        lines += [line(f"LM-70{n}", x, y + 148, 8), line(f"Jar {n}", x, y + 160, 8), line("$6.80", x, y + 172, 15)]
    lines.append(line("Bowls and plates", 50, 272, 15))
    result = understood(page(*lines, pictures=pictures))
    assert [sku.attributes["price"].text for sku in result.skus] == ["$6.80"] * 4
    assert [sku.attributes["product_name"].text for sku in result.skus] == [f"Jar {n}" for n in range(4)]
    assert not any("Bowls" in value.text for sku in result.skus for value in sku.attributes.values())


def sheet_of_cards(columns: int) -> list[Line]:
    """Three cards under each other in every column: a title and labels beside values, without colons."""
    lines = []
    for n in range(3 * columns):
        x, y = 40 + 270 * (n % columns), 80 + 240 * (n // columns)
        lines.append(line(f"轨道灯{n}号", x, y, 12))
        pairs = [("型号", f"HL-T30{n}"), ("尺寸", "Φ85×70mm"), ("颜色", "黑色"), ("价格", "38.00元")]
        for k, (label, value) in enumerate(pairs):
            lines += [line(label, x, y + 20 + 14 * k, 8), line(value, x + 46, y + 20 + 14 * k, 9.5)]
    return lines


@pytest.mark.parametrize("columns", [1, 2])
def test_cards_under_each_other_begin_again_with_their_first_label(columns: int) -> None:
    result = understood(page(*sheet_of_cards(columns)))
    found = {sku.attributes["model"].text: sku.attributes["product_name"].text for sku in result.skus}
    assert (result.page_type, found) == ("B", {f"HL-T30{n}": f"轨道灯{n}号" for n in range(3 * columns)})
    assert all(sku.custom == () and sku.attributes["size"].text == "Φ85×70mm" for sku in result.skus)


def test_cards_side_by_side_are_no_table_although_a_reader_guesses_one() -> None:
    lines = sheet_of_cards(2)
    rows = [["型号", "HL-T300", "型号", "HL-T301"], ["尺寸", "Φ85×70mm", "尺寸", "Φ85×70mm"],
            ["颜色", "黑色", "颜色", "黑色"], ["价格", "38.00元", "价格", "38.00元"]]  # fmt: skip
    guessed = table(rows, x=38, y=99, widths=120, height=14)
    guessed = msgspec.structs.replace(guessed, ruled=False)
    result = understood(page(*lines[9:18], tables=[guessed]))
    assert [sku.table for sku in result.skus] == [""] * len(result.skus)
    assert {sku.attributes["model"].text for sku in result.skus} >= {"HL-T300", "HL-T301"}


def test_the_larger_of_two_lines_of_a_title_is_the_name_and_a_value_is_none() -> None:
    lines = [line("松涛餐椅", 280, 80, 15), line("Songtao dining chair", 280, 98, 11)]
    lines += [line(text, 280, 130 + 20 * n, 8) for n, text in enumerate(("型号", "尺寸", "材质", "价格"))]
    values = ("QY-C118", "480×540×820 mm", "橡木", "USD 76")
    lines += [line(text, 340, 130 + 20 * n, 10) for n, text in enumerate(values)]
    (sku,) = understood(page(*lines)).skus
    assert (sku.attributes["product_name"].text, sku.attributes["model"].text) == ("松涛餐椅", "QY-C118")


def test_a_value_goes_on_below_itself_until_the_next_label() -> None:
    pairs = [("型号", "TZ-9003"), ("材质", "不锈钢、橡木、"), ("", "玻璃"), ("颜色", "黑色"), ("价格", "¥358.00")]
    lines = [
        line(text, x, 100 + 12 * n, 10)
        for n, pair in enumerate(pairs)
        for x, text in zip((40, 100), pair, strict=True)
        if text
    ]
    (sku,) = understood(page(*lines)).skus
    assert {key: value.text for key, value in sku.attributes.items()} == {
        "model": "TZ-9003",
        "material": "不锈钢、橡木、玻璃",
        "color": "黑色",
        "price": "¥358.00",
        "currency": "¥",
    }
    assert sku.attributes["material"].evidence.bbox[3] == 134


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("规格 650毫升", ("size_or_text", "650毫升")),
        ("编号 YL-101", ("code_or_number", "YL-101")),
        ("编号 No. YL-101", ("code_or_number", "YL-101")),
        ("Weight 2 kg", ("weight", "2 kg")),
        ("Price on request", None),
        ("USD 76", None),
        ("Model car", None),
        ("Size chart", None),
        ("€ 24.90", None),
        ("Unit price €193,00", ("price", "€193,00")),
        ("Art. No. 749-20", ("model", "749-20")),
        ("型号 20260101", ("model", "20260101")),
        ("MOQ 50 pcs", ("moq", "50 pcs")),
        ("起订量50件", ("moq", "50件")),
        ("尺寸 L163 x W64 x H69 cm", ("size", "L163 x W64 x H69 cm")),
    ],
)
def test_a_value_may_follow_its_label_after_a_mere_space(text: str, expected: tuple[str, str] | None) -> None:
    fields = line_fields(line(text, 50, 50), 1)
    assert [(field.kind, field.value.text) for field in fields if field.value] == ([expected] if expected else [])


def test_captions_that_nearly_touch_are_cut_between_their_pictures() -> None:
    places = [40, 232, 424]
    pictures = [picture(f"P{n}", (x, 128, x + 180, 388)) for n, x in enumerate(places)]
    names, prices = ["Casserole", "Flask", "Skillet"], ["$39.00", "$18.00", "$29.00"]
    words = [(name, x, x + 60) for name, x in zip(names, places, strict=True)]
    words += [(price, x + 150, x + 180) for price, x in zip(prices, places, strict=True)]
    parts = tuple(Word(text, (x0, 90, x1, 102), 12) for text, x0, x1 in sorted(words, key=lambda one: one[1]))
    one = Line(" ".join(word.text for word in parts), (40, 90, 604, 102), parts, 12)
    codes = [line(f"YL-10{n}\u30002{n}厘米", x, 108, 9) for n, x in enumerate(places)]
    result = understood(page(one, *codes, pictures=pictures))
    assert [(sku.attributes["product_name"].text, sku.attributes["price"].text) for sku in result.skus] == list(
        zip(names, prices, strict=True)
    )
    assert [sku.attributes["size"].text for sku in result.skus] == ["20厘米", "21厘米", "22厘米"]


def test_a_picture_over_most_of_the_page_is_its_ground_only_with_text_on_it() -> None:
    hero = picture("P1", (0, 0, 595, 540))
    lines = [line("归云休闲椅", 60, 560, 20), line("型号：BG-X5501", 60, 600), line("价格：¥980", 60, 620)]
    (sku,) = understood(page(*lines, pictures=[hero])).skus
    assert [b.picture for b in sku.bindings] == ["P1"]
    logo = picture("P2", (500, 780, 560, 800))
    (sku,) = understood(page(*lines, line("Spring", 60, 200), pictures=[hero, logo])).skus
    assert sku.bindings == ()


@pytest.mark.parametrize("heading", ["Enamel colours", "釉色一览", "Upholstery fabrics", "Felts & finishes"])
def test_colours_and_fabrics_to_choose_from_are_no_products(heading: str) -> None:
    lines, pictures = grid([[name] for name in ("Cream", "Sage", "Slate", "Rust", "Moss", "Sand")])
    assert understood(page(line(heading, 60, 40, 18), *lines, pictures=pictures)).skus == ()


def test_fabrics_that_are_named_beside_other_goods_are_goods() -> None:
    names = ("Toe felt", "Lining felt", "Hot melt felt", "Felt for shoes", "Knit lining", "Spacer mesh")
    lines, pictures = grid([[name] for name in names])
    result = understood(page(line("Felts & fabrics", 60, 40, 18), *lines, pictures=pictures))
    assert texts(result, "product_name") == list(names) and result.blockers


def test_fields_under_titles_of_code_and_name_are_one_product_each() -> None:
    cards = (("YG-101 Hooded sweatshirt", "olive"), ("YG-104 Crew-neck tee", "white"))
    lines = [
        one
        for n, (title, colour) in enumerate(cards)
        for one in (
            line(title, 42, 90 + 180 * n, 13),
            line(f"Colour: {colour}", 346, 120 + 180 * n, 8.5),
            line(f"Price: ¥{59 + n}.00", 346, 136 + 180 * n, 8.5),
        )
    ]
    result = understood(page(*lines))
    assert texts(result, "model") == ["YG-101", "YG-104"]
    assert texts(result, "product_name") == ["Hooded sweatshirt", "Crew-neck tee"]
    assert texts(result, "price") == ["¥59.00", "¥60.00"]


def test_a_caption_that_heads_the_rows_of_a_table_is_no_product() -> None:
    rows = [["Style", "Size", "Price"], ["LF801-S", "S", "¥59"], ["LF801-M", "M", "¥69"]]
    views = [picture("P1", (50, 80, 190, 200))]
    title = line("LF801 Crew-neck tee", 205, 90, 13)
    result = understood(page(title, tables=[table(rows, x=205)], pictures=views))
    assert texts(result, "model") == ["LF801-S", "LF801-M"]
    other = [["Style", "Size", "Price"], ["KK900-S", "S", "¥59"], ["KK900-M", "M", "¥69"]]
    priced = [line("LF801 Crew-neck tee", 50, 206, 10), line("¥88.00", 50, 222, 10)]
    result = understood(page(*priced, tables=[table(other, y=500)], pictures=views))
    assert texts(result, "model") == ["LF801", "KK900-S", "KK900-M"]


def test_a_label_in_two_languages_is_not_its_own_value() -> None:
    assert line_fields(line("面料 Fabric", 42, 100), 1) == ()
    (field,) = line_fields(line("面料 棉", 42, 100), 1)
    assert field.value is not None and field.value.text == "棉"


def test_three_views_in_a_row_have_one_caption_and_the_price_at_the_last() -> None:
    lines, pictures = [], []
    for n, (code, x) in enumerate((("YG-101", 42.0), ("YG-104", 330.0))):
        pictures += [picture(f"P{n}{k}", (x + 84 * k, 84, x + 84 * k + 76, 188)) for k in range(3)]
        lines += [line(f"{code} Sweatshirt", x, 194, 12), line(f"¥{138 + n}.00", x + 196, 194, 12)]
    result = understood(page(*lines, pictures=pictures))
    assert texts(result, "model") == ["YG-101", "YG-104"] and texts(result, "price") == ["¥138.00", "¥139.00"]
    assert [[b.picture for b in sku.bindings] for sku in result.skus] == [["P00", "P01", "P02"], ["P10", "P11", "P12"]]


def cards_below_each_other(*, lean: float = 0.0) -> list[Line]:
    """Three titled cards of labels and values in two columns; ``lean``: points that a row begins further right."""
    lines = []
    for n, name in enumerate(("珐琅炖锅", "鸣笛水壶", "加厚煎锅")):
        y = 100 + 240 * n
        lines.append(line(name, 251, y, 18))
        rows = (("型号", f"NS-1{n}A"), ("规格", f"2{n}cm"), ("材质", "铸铁"), ("零售价", f"¥20{n}.00"))
        for k, (label, value) in enumerate(rows):
            x = (k % 2) * lean
            lines += [line(label, 251 + x, y + 48 + 22 * k), line(value, 311 + x, y + 48 + 22 * k)]
    return lines


@pytest.mark.parametrize("lean", [0.0, 1.0, 2.0, 3.0])
def test_a_column_is_one_wherever_its_lines_begin_within_a_few_points(lean: float) -> None:
    result = understood(page(*cards_below_each_other(lean=lean)))
    assert texts(result, "model") == ["NS-10A", "NS-11A", "NS-12A"] and texts(result, "material") == ["铸铁"] * 3
    assert texts(result, "price") == ["¥200.00", "¥201.00", "¥202.00"]


def test_fields_of_a_product_without_identity_are_not_the_next_ones() -> None:
    fields = [("规格：20cm", 120), ("材质：铸铁", 140), ("单价：¥200", 160)]
    fields += [("型号：NS-11A", 400), ("规格：21cm", 420), ("单价：¥201", 440)]
    (sku,) = understood(page(*(line(text, 40, y) for text, y in fields))).skus
    found = {key: value.text for key, value in sku.attributes.items()}
    assert found == {"model": "NS-11A", "size": "21cm", "price": "¥201", "currency": "¥"}
    assert sku.box[1] == 400 and sku.custom == ()


@pytest.mark.req("TA-OCR")
def test_one_label_in_smaller_print_makes_no_title_of_another() -> None:
    """Heights of recognised lines vary by a quarter."""
    rows = (("Dimensions", "95 mm", 9.2), ("Cut-out", "85 mm", 9.8), ("Housing", "Aluminium", 9.0),
            ("List price", "€ 24.90", 9.0), ("MOQ", "20 pcs", 7.4))  # fmt: skip
    lines = [line("Vista Downlight", 41, 71, 24), line("LH-VS12", 41, 100, 12)]
    for n, (label, value, size) in enumerate(rows):
        lines += [line(label, 41, 450 + 18 * n, size), line(value, 210, 450 + 18 * n, 9)]
    assert texts(understood(page(*lines)), "product_name") == ["Vista Downlight"]


@pytest.mark.req("TA-OCR")
@pytest.mark.parametrize("recognised", [True, False])
def test_names_in_large_print_over_each_code_are_no_headings(*, recognised: bool) -> None:
    lines, pictures = [], []
    for n, name in enumerate(("珐琅炖锅", "保温杯", "岩纹煎锅", "餐具三件")):
        x = 40 + 130 * n
        lines += [line(name, x, 88, 12.9), line(f"YL-10{n} 2{n}cm", x, 106, 7.6)]
        pictures.append(msgspec.structs.replace(picture(f"P{n}", (x, 125, x + 110, 300)), drawn=recognised))
    ocr = Ocr("test", "no_text", 0.99, 0, 8, "zh", "test") if recognised else None
    result = understood(msgspec.structs.replace(page(*lines, pictures=pictures), ocr=ocr))
    assert texts(result, "product_name") == ["珐琅炖锅", "保温杯", "岩纹煎锅", "餐具三件"]


@pytest.mark.req("TA-CLS")
@pytest.mark.parametrize(("said", "shown"), [("¥181.00", True), ("since 1998", False)])
def test_a_wide_picture_under_a_heading_is_none_of_a_product_but_under_a_price(said: str, shown: bool) -> None:
    lines, pictures = [], []
    for n, name in enumerate(("加厚马克杯", "北欧汤碗", "珐琅餐具")):
        y = 60 + 250 * n
        pictures.append(picture(f"P{n}", (40, y, 555, y + 180)))
        lines += [line(name, 52, y + 160, 14), line(said, 480, y + 160, 14)]
        lines += [
            line(f"型号：NS-2{n}I", 40, y + 190),
            line(f"规格：2{n}cm", 40, y + 206),
            line("材质：陶瓷", 40, y + 222),
        ]
    skus = understood(page(*lines, pictures=pictures)).skus
    assert [bool(sku.bindings) for sku in skus] == [shown] * 3


@pytest.mark.parametrize(("size", "sure"), [(18.0, True), (10.0, False)])
def test_a_former_price_in_smaller_print_leaves_no_doubt_about_the_price(size: float, sure: bool) -> None:
    lines, pictures = grid([[f"Jar {n}", f"LM-V70{n}", "$39 $59"] for n in range(1, 5)])
    for at in range(2, len(lines), 3):
        first, second = lines[at].words
        lines[at] = msgspec.structs.replace(lines[at], words=(msgspec.structs.replace(first, size=size), second))
    result = understood(page(*lines, pictures=pictures))
    assert texts(result, "price") == ["$39"] * 4
    assert all(("another_price_inside" not in sku.doubts) == sure for sku in result.skus)


def accessories(*, x: float = 40) -> tuple[list[Line], list[Picture]]:
    """Three captioned pictures in the page's lower half."""
    lines, pictures = [], []
    for n, name in enumerate(("Foot Stool", "Floor Lamp", "Side Table")):
        at = x + 170 * n
        pictures.append(picture(f"A{n}", (at, 500, at + 120, 620)))
        lines += [line(name, at, 630, 12), line(f"YQ-90{n}", at, 648), line(f"${n}8.50", at, 664)]
    return lines, pictures


@pytest.mark.req("TA-CLS")
@pytest.mark.parametrize("labelled", [True, False])
def test_a_large_product_over_its_accessories_is_one_too(*, labelled: bool) -> None:
    lines, pictures = accessories()
    said = ("Model: YQ-800", "Size: 820 x 800 mm", "Material: Oak", "Price: $480") if labelled else ("YQ-800", "$480")
    lines += [
        line("Cloud Chair", 340, 110, 22 if labelled else 14),
        *(line(text, 340, 140 + 16 * n) for n, text in enumerate(said)),
    ]
    skus = understood(page(*lines, pictures=[picture("P", (40, 60, 320, 400)), *pictures])).skus
    assert [sku.attributes["model"].text for sku in skus] == ["YQ-800", "YQ-900", "YQ-901", "YQ-902"]
    assert [sku.bindings[0].picture for sku in skus] == ["P", "A0", "A1", "A2"]


def test_a_text_beside_a_picture_does_not_hide_the_caption_under_it() -> None:
    lines, pictures = accessories()
    lines += [line("The Long Table", 340, 80, 20), line("made for evenings", 340, 110)]
    lines += [line("Cloud Chair", 340, 200, 12), line("YQ-800", 340, 218), line("$480", 340, 234)]
    result = understood(page(*lines, pictures=[picture("P", (40, 60, 320, 400)), *pictures]))
    assert texts(result, "product_name") == ["Cloud Chair", "Foot Stool", "Floor Lamp", "Side Table"]
    assert [sku.bindings[0].picture for sku in result.skus] == ["P", "A0", "A1", "A2"]


def test_short_lines_of_a_caption_may_stand_beside_a_thing_cut_out_along_its_edge() -> None:
    lines, pictures = [], []
    for n, name in enumerate(("Reading Lamp", "Standing Lamp", "Garden Lantern", "Ceiling Light")):
        x = 40 + 135 * n
        pictures.append(picture(f"P{n}", (x + 20, 100, x + 100, 220)))
        lines += [line(name, x, 230), line(f"SG-1{n}", x, 246), line(f"${n}9", x, 262)]
    result = understood(page(*lines, pictures=pictures))
    assert texts(result, "price") == ["$09", "$19", "$29", "$39"] and texts(result, "model")[3] == "SG-13"


@pytest.mark.parametrize("high", [130, 64])
def test_a_price_under_the_second_picture_ends_the_line_of_the_name(high: float) -> None:
    """The second picture is as high, or a detail on the same foot."""
    lines, pictures = [], []
    for n, name in enumerate(("Nova Pendant", "Beam Spot", "Halo Light", "Yard Flood")):
        x, y = 48 + 265 * (n % 2), 74 + 250 * (n // 2)
        pictures += [
            picture(f"P{n}", (x, y, x + 140, y + 130)),
            picture(f"D{n}", (x + 150, y + 130 - high, x + 230, y + 130)),
        ]
        lines += [
            line(name, x, y + 139, 12),
            line(f"${n}8.50", x + 190, y + 139, 12),
            line(f"Item No.: NP-30{n}", x, y + 158),
        ]
        lines.append(line("Material: Brass", x, y + 174))
    result = understood(page(*lines, pictures=pictures))
    assert texts(result, "price") == ["$08.50", "$18.50", "$28.50", "$38.50"] and len(result.skus) == 4
    assert [[b.picture for b in sku.bindings] for sku in result.skus] == [[f"P{n}", f"D{n}"] for n in range(4)]


def test_a_name_that_the_rows_of_a_table_have_is_no_product_of_its_own() -> None:
    lines, pictures, tables = [], [], []
    for n, name in enumerate(("明轩筒灯", "悬月吊灯")):
        x = 44 + 262 * n
        pictures.append(picture(f"P{n}", (x, 83, x + 245, 194)))
        lines.append(line(name, x, 201, 12))
        rows = [["型号", "功率", "单价(元)"], *([f"MX-{n}{k}C", "5W", f"1{k}.50"] for k in range(3))]
        tables.append(table(rows, x=x, y=240, id=f"G{n + 1}"))
    result = understood(page(*lines, tables=tables, pictures=pictures))
    assert len(result.skus) == 6 and set(texts(result, "product_name")) == {"明轩筒灯", "悬月吊灯"}


@pytest.mark.req("X-COVER")
def test_codes_and_prices_in_what_only_looks_like_a_table_are_missed_products() -> None:
    lines, pictures = grid([[f"Milk Pan {n}", f"GS-7{n}", f"$1{n}.90"] for n in range(6)])
    lost = [line("GS-80", 60, 600), line("$20.90", 60, 614), line("GS-81", 240, 600), line("$21.90", 240, 614)]
    guessed = table([["GS-80", "GS-81"], ["$20.90", "$21.90"]], x=50, y=595, widths=180, height=14)
    for ruled in (True, False):
        seen = page(*lines, *lost, tables=[msgspec.structs.replace(guessed, ruled=ruled)], pictures=pictures)
        assert (understood(seen).coverage == 1.0) is ruled


def labelled_captions(cards: list[list[str]]) -> list[dict[str, str]]:
    lines, pictures = grid(cards)
    found = understood(page(*lines, pictures=pictures))
    return [{key: value.text for key, value in sku.attributes.items()} for sku in found.skus]


def test_a_word_like_a_label_at_the_head_of_one_line_says_nothing() -> None:
    found = labelled_captions([["颜色 魔方", "MF-11", "¥12"], ["积木", "MF-12", "¥13"], ["拼图", "MF-13", "¥14"]])
    assert found[0]["product_name"] == "颜色 魔方" and not any("color" in one for one in found)


def test_a_value_under_an_unknown_label_is_the_nearer_cards_own() -> None:
    lines = []
    for n, power in enumerate(("at most 40 W", "at most 60 W")):
        pairs = [f"Model: HL-{n}10", "Power: " + power, "Size: 20 x 30 cm", "Material: spun steel", "Price: $20.00"]
        lines += [line(text, 50 + 104 * n, 100 + 14 * k, 9) for k, text in enumerate(pairs)]
    lines.sort(key=lambda one: (one.box[1], one.box[0]))
    found = understood(page(*lines))
    assert [[one.value for one in sku.custom] for sku in found.skus] == [["at most 40 W"], ["at most 60 W"]]


def test_a_label_in_two_languages_is_one_before_a_value_right_behind_it() -> None:
    (field,) = line_fields(line("尺寸 Size 60×32×24 cm", 0, 0), 1)
    assert (field.label, field.kind, field.value and field.value.text) == ("尺寸 Size", "size", "60×32×24 cm")


def test_a_sign_of_a_currency_is_no_label() -> None:
    assert line_fields(line("¥ 399 US$ 56.80", 0, 0), 1) == ()


def named(captions: list[list[str]]) -> list[str | None]:
    lines, pictures = grid(captions, columns=2)
    result = understand_page(page(*lines, pictures=pictures), (), DocumentFacts(), BY_RULES)
    return texts(result, "product_name")


OILS = ("Coconut", "Argan", "Olive", "Aloe")


def test_what_most_captions_say_word_for_word_is_no_name_beside_one_of_their_own() -> None:
    sold = [["For one", f"{oil} Sheen Spray", f"$4{n}.00"] for n, oil in enumerate(OILS)]
    assert named(sold) == [f"{oil} Sheen Spray" for oil in OILS]


def test_one_name_with_a_code_for_each_stays_a_name() -> None:
    assert named([["Oak chair", f"Model: A-{n}0", f"$4{n}.00"] for n in range(4)]) == ["Oak chair"] * 4


def test_a_name_in_capitals_may_have_many_words() -> None:
    shouted = [f"ULTRA HOLD HAIR STYLING GEL {oil.upper()} EFFECT" for oil in OILS]
    assert named([[name, f"$4{n}.00"] for n, name in enumerate(shouted)]) == shouted


@pytest.mark.parametrize("joined", [False, True])
def test_what_stands_beside_labels_under_a_picture_is_no_name(joined: bool) -> None:
    lines, pictures = [], []
    for n, finish in enumerate(("Honey/Black", "Off White/Oak")):
        x = 50.0 + 270 * n
        pictures.append(picture(f"P{n}", (x, 80, x + 230, 260)))
        rows = [("Measurements:", "136 x 66 x 36 cm"), ("Style:", finish), ("Price:", "28,490/-")]
        for k, (label, value) in enumerate(rows):
            lines += [line(label, x, 270 + 20 * k), line(value, x + 80, 270 + 20 * k)]
        if joined:
            words = (*lines[-6].words, *lines[-5].words)
            whole = Line("Measurements: 136 x 66 x 36 cm", union([lines[-6].box, lines[-5].box]), words, 10.0)
            lines[-6:-4] = [whole]
    result = understand_page(page(*lines, pictures=pictures), (), DocumentFacts(), BY_RULES)
    assert {key for sku in result.skus for key in sku.attributes} <= {"size", "price", "currency"}
    assert result.blockers
