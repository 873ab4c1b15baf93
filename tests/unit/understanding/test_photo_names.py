"""Large names at photos, each over a text of its own."""

import pytest
from msgspec.structs import replace

from processing.engine.page import Line, Ocr
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.captions.photo_names import names_photos
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.view import PageView
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

SOFAS = (("Sofa Aurora", ["180 cm x 90 cm", "Ask for other measures"]), ("Sofa Prisma", ["190 cm x 90 cm", "In oak"]))


def understood(*products: tuple[str, list[str]], beside: bool = False, far: float = 8) -> PageResult:
    """Photos beside each other with names and texts under them, or under each other with these beside them."""
    lines, shown = [], []
    for n, (name, text) in enumerate(products):
        x, y = (50.0, 80.0 + 180 * n) if beside else (50.0 + 270 * n, 80.0)
        shown.append(picture(f"P{n}", (x, y, x + 150, y + 140)))
        x, y = (x + 150 + far, y + 10) if beside else (x, y + 140 + far)
        lines += [line(part, x, y + 26 * k, 24) for k, part in enumerate(name.split("\n"))]
        y += 26 * (name.count("\n") + 1) + 8
        lines += [line(one, x, y + 14 * k, 10) for k, one in enumerate(text)]
    return understand_page(page(*lines, pictures=shown), (), DocumentFacts(), BY_RULES)


def test_each_is_a_product_for_a_person_to_look_at() -> None:
    result = understood(*SOFAS)
    assert texts(result, "product_name") == ["Sofa Aurora", "Sofa Prisma"]
    assert texts(result, "size") == ["180 cm x 90 cm", "190 cm x 90 cm"]
    assert [[b.picture for b in sku.bindings] for sku in result.skus] == [["P0"], ["P1"]]
    assert result.page_type == "C" and "page_type_uncertain" in [one.code for one in result.blockers]


def test_beside_its_photo_a_text_may_stand_further_off() -> None:
    result = understood(*SOFAS, beside=True, far=90)
    assert (result.page_type, texts(result, "product_name")) == ("B", ["Sofa Aurora", "Sofa Prisma"])


def test_the_text_may_run_into_the_margin_of_a_photo_that_the_name_stands_off() -> None:
    lines, shown = [], []
    for n, (name, text) in enumerate(SOFAS):
        y = 80.0 + 260 * n
        shown.append(picture(f"P{n}", (360, y, 560, y + 220)))
        lines += [line(name, 60, y + 90, 24), line(text[0], 60, y + 130, 10), line("M" * 60, 60, y + 150, 10)]
    result = understand_page(page(*lines, pictures=shown), (), DocumentFacts(), BY_RULES)
    assert texts(result, "product_name") == ["Sofa Aurora", "Sofa Prisma"]


@pytest.mark.parametrize("recognised", [True, False])
def test_beside_a_thing_seen_without_its_white_wall_it_may_stand_as_far_off_as_beside_the_widest_photo(
    recognised: bool,
) -> None:
    lines, shown = [], []
    for n, name in enumerate(("Boot Alma", "Boot Bela", "Boot Cora")):
        y = 60.0 + 180 * n
        shown.append(picture(f"P{n}", (80, y, 290, y + 140) if n != 1 else (150, y + 4, 238, y + 136)))
        text = enumerate(("Size 36-42", "In 2 colours"))
        lines += [line(name, 340, y + 20, 22), *(line(one, 340, y + 60 + 16 * k, 10) for k, one in text)]
    ocr = Ocr("test", "no_text", 0.99, 0, 8, "en", "test") if recognised else None
    whole = replace(page(*lines, pictures=shown), ocr=ocr)
    assert names_photos(PageView(whole, (), DocumentFacts(), BY_RULES)) == recognised


def beside_photos(*codes: str) -> PageResult:
    """Codes over texts that stand beside their photos and begin over these."""
    lines, shown = [], []
    for n, code in enumerate(codes):
        y = 60.0 + 200 * n
        shown.append(picture(f"P{n}", (50, y + 55, 250, y + 130)))
        text = ("FEATURES", "Sturdy and easy to use.", "Safe in the rain.")
        lines += [line(code, 330, y, 24), *(line(one, 330, y + 40 + 20 * k, 12) for k, one in enumerate(text))]
    return understand_page(page(*lines, pictures=shown), (), DocumentFacts(), BY_RULES)


def test_a_code_may_be_the_name_and_the_text_beside_its_photo_begin_over_it() -> None:
    result = beside_photos("K20", "K20B")
    assert (result.page_type, texts(result, "model")) == ("B", ["K20", "K20B"])
    assert [[b.picture for b in sku.bindings] for sku in result.skus] == [["P0"], ["P1"]]


def test_many_beside_their_photos_are_a_grid() -> None:
    rows = [(f"Sofa {n}", ["180 cm x 90 cm", "In oak"]) for n in ("Ada", "Bea", "Cleo", "Dora")]
    assert understood(*rows, beside=True).page_type == "C"


def test_a_name_may_have_two_lines() -> None:
    result = understood(
        ("Watch\nUltra 2", ["Screen of 49 mm", "In black"]), ("Pods Max", ["Sound of 2 channels", "White"]), beside=True
    )
    assert texts(result, "product_name") == ["Watch Ultra 2", "Pods Max"]


def test_an_amount_behind_a_dash_has_its_label() -> None:
    sacks = [(f"Sack {n}", ["Colour – white, with", "Load – from 25 kg", "From 35 cm – 80 cm"]) for n in "AB"]
    result = understood(*sacks, beside=True)
    assert [[(c.name, c.value) for c in sku.custom] for sku in result.skus] == [[("Load", "from 25 kg")]] * 2


def test_the_text_needs_no_figure_and_may_stand_as_far_under_the_name_as_that_is_large() -> None:
    lines, shown = [], []
    for n, name in enumerate(("Sofa Aurora:", "Sofa Prisma")):
        y = 60.0 + 250 * n
        shown.append(picture(f"P{n}", (300, y, 540, y + 200)))
        lines += [line(name, 60, y, 24), line("In oak", 60, y + 84, 10)]
        lines += [line(f"{k} kg", 60, y + 84 + 14 * k, 10) for k in (1, 2)] if n == 0 else []
    result = understand_page(page(*lines, pictures=shown), (), DocumentFacts(), BY_RULES)
    assert texts(result, "product_name") == ["Sofa Aurora", "Sofa Prisma"]
    assert texts(result, "size") == [None, None]  # two weights to choose from


@pytest.mark.parametrize(
    "products",
    [
        [("Our advantages", ["25 years old"]), ("Service process", ["3 steps"])],
        [("Sofa Aurora", ["180 cm x 90 cm"]), ("Sofa Prisma", [])],  # one without a text
        [("Sofa Aurora", ["180 cm x 90 cm"]), ("Sofa Aurora", ["190 cm x 90 cm"])],  # the same name
    ],
)
def test_what_else_is_printed_so_is_no_product(products: list[tuple[str, list[str]]]) -> None:
    assert understood(*products).skus == ()


CAMERAS = (
    ("Camera Pro", ["Wi-Fi | Outdoor | 1080P | Sound in both", "ways | AB-H8C R100-", "1K2WKFL"]),
    ("Camera Duo", ["Wi-Fi | Indoor | 2K | AB-H7C-R100"]),
)


def test_a_running_text_may_end_in_the_code_also_in_one_that_was_broken() -> None:
    result = understood(*CAMERAS, beside=True)
    assert texts(result, "model") == ["AB-H8C R100-1K2WKFL", "AB-H7C-R100"]


def test_words_behind_a_hyphen_are_no_part_of_a_code() -> None:
    name, text = CAMERAS[0]
    assert texts(understood((name, [*text[:2], "and more"]), CAMERAS[1], beside=True), "model")[0] is None


def test_they_come_before_captions_that_tell_of_fewer_products() -> None:
    """Of two of three texts the end looks like a caption of their own."""
    third = ("Camera Max", ["Wi-Fi | Outdoor | 4K"])
    result = understood(*CAMERAS, third, beside=True)
    assert texts(result, "product_name") == ["Camera Pro", "Camera Duo", "Camera Max"]


def test_values_parted_by_signs_are_each_their_own() -> None:
    bowls = [(f"Bowl {n}", [f"Set of six · OV-13{k} · €4{k}", "Made in Porto"]) for k, n in enumerate(("Ida", "Ona"))]
    result = understood(*bowls)
    assert (texts(result, "model"), texts(result, "price")) == (["OV-130", "OV-131"], ["€40", "€41"])


TOLD = ("HAIR CLIPPER WITH CHARGING STAND", "STRONG | Blades of steel in one", "fine cast | Battery with")
BARRED = {
    "AB-40SET": "2500 mAh. | Color: Blue",
    "AB-50SET": "3000 mAh. | Color: Gold",
    "AB-60SET": "3200 mAh. | Color: Black",
}


def on_both_sides(told: tuple[str, ...], *, ends: bool = True) -> PageResult:
    """Codes over running texts, photos now left and now right of them; there the code begins further in."""
    lines, shown = [], []
    for n, (code, end) in enumerate(BARRED.items()):
        y, x, at = 80 + 200 * n, (200 if n % 2 == 0 else 40), (40 if n % 2 == 0 else 300)
        shown.append(picture(f"P{n}", (at, y, at + 130, y + 130)))
        text = (*told, *([end] if ends else []))
        lines += [
            line(code, x + 60 * (n % 2 or not ends), y, 34),
            *(line(one, x, y + 46 + 21 * k, 13) for k, one in enumerate(text)),
        ]
    return understand_page(page(*lines, pictures=shown), (), DocumentFacts(), BY_RULES)


def test_codes_over_running_texts_are_products_and_the_lines_of_these_name_none() -> None:
    result = on_both_sides(TOLD)
    assert texts(result, "model") == list(BARRED)
    assert all("product_name" not in sku.attributes for sku in result.skus)


def test_labelled_parts_of_a_text_parted_by_bars_are_told() -> None:
    assert texts(on_both_sides(TOLD), "color") == ["Blue", "Gold", "Black"]


def test_a_label_whose_value_may_go_on_in_the_next_line_is_not() -> None:
    result = on_both_sides((*TOLD[:2], "fine cast | Weight: 20"))
    assert all("weight" not in sku.attributes for sku in result.skus)


def test_codes_at_photos_tell_more_than_the_sheet_of_the_first_one() -> None:
    result = on_both_sides((*TOLD, "out wires and cords"), ends=False)
    assert texts(result, "model") == list(BARRED)


def test_numbers_of_types_name_devices() -> None:
    result = understood(("585", ["Pulse of 3 ms"]), ("612", ["Pulse of 5 ms"]))
    assert texts(result, "model") == ["585", "612"] and "page_type_uncertain" in [one.code for one in result.blockers]
    assert understood(("01", ["Order 3 pieces"]), ("02", ["Pay in 5 days"])).skus == ()


def test_names_with_one_line_each_are_larger_than_these() -> None:
    lines, shown = [], []
    for n, name in enumerate(("Socket of bakelite", "Socket of stone")):
        x = 50.0 + 270 * n
        shown.append(picture(f"P{n}", (x, 80, x + 150, 220)))
        lines += [line(name, x, 230, 20), line("E27 LUMO", x, 258, 14)]
    assert names_photos(PageView(page(*lines, pictures=shown), (), DocumentFacts(), BY_RULES))


def test_the_text_of_a_name_may_come_between_it_and_its_photo() -> None:
    lines, shown = [], []
    for n, name in enumerate(("Pulsar Prime", "Quasar Mini")):
        y = 60.0 + 300 * n
        shown.append(picture(f"P{n}", (410, y, 540, y + 250)))
        lines += [line(name, 40, y + 10, 20), line("Power of 40 W", 40, y + 40), line("x" * 60, 40, y + 55)]
    result = understand_page(page(*lines, pictures=shown), (), DocumentFacts(), BY_RULES)
    assert [[b.picture for b in sku.bindings] for sku in result.skus] == [["P0"], ["P1"]]


def test_upright_display_print_is_not_the_names() -> None:
    lines, shown = [], []
    for n, name in enumerate(("Pulsar Prime", "Quasar Mini")):
        y = 60.0 + 300 * n
        shown.append(picture(f"P{n}", (40, y, 150, y + 250)))
        upright = Line("Pulsar", (20, y, 60, y + 200), (), 57.0, vertical=True)
        lines += [
            upright,
            line(name, 160, y + 10, 20),
            line("Power of 40 W", 160, y + 40),
            line("In white", 160, y + 55),
        ]
    result = understand_page(page(*lines, pictures=shown), (), DocumentFacts(), BY_RULES)
    assert texts(result, "product_name") == ["Pulsar Prime", "Quasar Mini"]


def test_shadows_are_no_photos() -> None:
    shadow = replace(picture("P1", (40, 300, 300, 360)), blur=2.5)
    view = PageView(page(pictures=[picture("P0", (40, 60, 150, 310)), shadow]), (), DocumentFacts(), BY_RULES)
    assert [one.id for one in view.pictures] == ["P0"]


@pytest.mark.parametrize(("tags", "found"), [(("FABRIC 3",), True), (("FABRIC 3", "from our own mill"), False)])
def test_one_line_may_stand_between_the_photo_and_the_name(tags: tuple[str, ...], found: bool) -> None:
    lines, shown = [], []
    for n, (name, text) in enumerate(SOFAS):
        x = 50.0 + 270 * n
        shown.append(picture(f"P{n}", (x, 80, x + 150, 220)))
        lines += [line(tag, x, 236 + 14 * k, 10) for k, tag in enumerate(tags)]
        lines += [line(name, x, 264, 24), *(line(one, x, 300 + 14 * k, 10) for k, one in enumerate(text))]
    result = understand_page(page(*lines, pictures=shown), (), DocumentFacts(), BY_RULES)
    assert texts(result, "product_name") == (["Sofa Aurora", "Sofa Prisma"] if found else [])


@pytest.mark.parametrize("recognised", [True, False])
def test_what_was_recognised_on_a_photo_or_a_logo_is_no_name_beside_others(recognised: bool) -> None:
    lines, shown = [line("Exclusive", 60, 100, 26), line("Bluemill", 262, 700, 24)], []
    for n, (name, text) in enumerate(SOFAS):
        x = 50.0 + 270 * n
        shown.append(replace(picture(f"P{n}", (x, 80, x + 200, 220)), drawn=True))
        lines += [line(name, x, 228, 24), *(line(one, x, 262 + 14 * k, 10) for k, one in enumerate(text))]
    shown.append(replace(picture("logo", (250, 690, 380, 780)), drawn=True))
    ocr = Ocr("test", "no_text", 0.99, 0, 8, "en", "test") if recognised else None
    made = replace(page(*lines, pictures=shown), ocr=ocr)
    result = understand_page(made, (), DocumentFacts(), BY_RULES)
    assert texts(result, "product_name") == (["Sofa Aurora", "Sofa Prisma"] if recognised else [])
