"""Further pictures of products: strips and details at their photos, and what stands there and is none."""

import msgspec
import pytest

from processing.engine.page import Line, Picture
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.captions.figures import figures
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table


def understood(*lines: Line, pictures: list[Picture], **more: object) -> PageResult:
    return understand_page(page(*lines, pictures=pictures, **more), (), DocumentFacts(), BY_RULES)


def bound(result: PageResult) -> dict[str, list[str]]:
    return {sku.identity: [one.picture for one in sku.bindings] for sku in result.skus}


def labelled(code: str, x: float, y: float) -> list[Line]:
    texts = (f"型号：{code}", "尺寸：φ85×60mm", "容量：200ml", "包装：礼盒")
    return [line(text, x, y + 14 * n, 8) for n, text in enumerate(texts)]


def teapots(details: int) -> tuple[list[Line], list[Picture]]:
    """Four cards: a photo, under it a strip of details that touch it, then the text."""
    lines, pictures = [], []
    for n, name in enumerate(("青釉茶壶", "青花盖碗", "侧把壶", "公道杯")):
        x, y = 40.0 + 270 * (n % 2), 80.0 + 360 * (n // 2)
        pictures.append(picture(f"M{n}", (x, y, x + 240, y + 150)))
        step = 240 / details
        pictures += [picture(f"D{n}{k}", (x + step * k, y + 150, x + step * (k + 1), y + 205)) for k in range(details)]
        lines += [
            line(name, x, y + 215, 12),
            line(f"¥{n}5.00", x + 190, y + 215, 12),
            *labelled(f"QY-{n}08", x, y + 235),
        ]
    return lines, pictures


@pytest.mark.req("TA-T84")
@pytest.mark.parametrize("details", [2, 3, 4])
def test_a_strip_of_details_belongs_to_the_photo_that_it_touches(details: int) -> None:
    lines, pictures = teapots(details)
    strips = {f"QY-{n}08": [f"M{n}", *(f"D{n}{k}" for k in range(details))] for n in range(4)}
    result = understood(*lines, pictures=pictures)
    assert bound(result) == strips
    assert all(sku.bindings[0].role == "PRODUCT_MAIN" for sku in result.skus)
    assert {one.role for sku in result.skus for one in sku.bindings[1:]} == {"DETAIL"}


def test_what_several_products_have_and_what_stands_among_the_text_are_no_details() -> None:
    lines, pictures = teapots(3)
    badges = []
    for n in range(4):
        x, y = 40.0 + 270 * (n % 2), 80.0 + 360 * (n // 2)
        badges.append(msgspec.structs.replace(picture(f"B{n}", (x, y, x + 34, y + 34)), content_hash="new"))
        badges.append(picture(f"Q{n}", (x + 150, y + 250, x + 190, y + 290)))
    found = bound(understood(*lines, pictures=[*pictures, *badges]))
    assert found == bound(understood(*lines, pictures=pictures))


def test_a_detail_laid_upon_the_corner_of_a_photo_is_its_products() -> None:
    lines, pictures = [], []
    for n, name in enumerate(("Over-ear Headphones", "Tube Speaker", "Studio Microphone")):
        x = 40.0 + 180 * n
        pictures += [picture(f"M{n}", (x, 80, x + 150, 220)), picture(f"D{n}", (x + 115, 180, x + 165, 230))]
        lines += [line(name, x, 245, 11), line(f"KA-{n}20", x, 260, 8), line(f"€ {n + 3}9.00", x, 274, 11)]
    assert bound(understood(*lines, pictures=pictures)) == {f"KA-{n}20": [f"M{n}", f"D{n}"] for n in range(3)}


def test_one_photo_and_its_drawing_beside_each_table_are_its_rows_pictures() -> None:
    tables, pictures = [], []
    for n, series in enumerate(("SC", "QV")):
        y = 100 + 300 * n
        rows = [["型号", "缸径(mm)", "重量(kg)", "单价(元)"]]
        rows += [[f"{series}{k}0-A", str(k), str(k * 2), f"{k}4.00"] for k in range(3, 6)]
        tables.append(table(rows, y=y, x=220, id=f"G{n}"))
        pictures += [picture(f"M{n}", (40, y, 190, y + 90)), picture(f"D{n}", (40, y + 130, 190, y + 180))]
    found = bound(understood(tables=tables, pictures=pictures))
    assert found == {f"{s}{k}0-A": [f"M{n}", f"D{n}"] for n, s in enumerate(("SC", "QV")) for k in range(3, 6)}


def test_pictures_with_words_under_them_beside_a_table_show_only_some_of_its_rows() -> None:
    rows = [["型号", "缸径(mm)", "单价(元)"], *([f"SCA-{n}0-A", str(n), f"{n}4.00"] for n in range(10, 20))]
    pictures = [picture("M", (40, 100, 190, 150)), picture("D", (40, 165, 190, 215))]
    shared = bound(understood(tables=[table(rows, x=220)], pictures=pictures))
    assert set(map(tuple, shared.values())) == {("M", "D")}
    named = bound(understood(line("Tokos cső", 80, 151, 8), tables=[table(rows, x=220)], pictures=pictures))
    assert set(map(tuple, named.values())) == {()}


def test_an_ornament_along_a_photo_is_no_detail() -> None:
    lines, pictures = [], []
    for n, name in enumerate(("Blackout", "Oxford", "Voile")):
        x = 40.0 + 180 * n
        pictures += [picture(f"M{n}", (x, 120, x + 150, 300)), picture(f"O{n}", (x + 5, 90, x + 145, 116))]
        lines += [line(name, x, 312, 11), line(f"TC-{n}20", x, 328, 8), line(f"€ {n + 3}9.00", x, 342, 11)]
    assert bound(understood(*lines, pictures=pictures)) == {f"TC-{n}20": [f"M{n}"] for n in range(3)}


def shares(boxes: list[tuple[float, float, float, float]], number: int) -> list[list[str]]:
    found = figures([picture(f"P{n}", box) for n, box in enumerate(boxes)], number)
    return sorted(sorted(one.id for one in group) for group in found)


def test_pictures_close_together_are_one_figure_where_others_stand_clearly_apart() -> None:
    pairs = [(x, 100.0, x + 79, 240.0) for x in (39.0, 121.0, 217.0, 299.0, 395.0, 477.0)]
    assert shares(pairs, 3) == [["P0", "P1"], ["P2", "P3"], ["P4", "P5"]]
    assert shares(pairs, 2) == shares(pairs, 6) == shares(pairs, 1) == []
    even = [(40.0 + 85 * n, 100.0, 119.0 + 85 * n, 240.0) for n in range(6)]
    assert shares(even, 3) == []


def test_the_makers_sign_over_a_list_of_all_sorts_of_goods_shows_none_of_them() -> None:
    names = ("Creme mani", "Sapone liquido", "Spazzola", "Pettine", "Forbici")
    over = picture("P1", (40, 60, 240, 130))
    for same in (False, True):
        rows = [["Code", "Name", "Price"], *([f"AX-{n}1", names[0 if same else n], f"€ {n}.50"] for n in range(5))]
        found = bound(understood(tables=[table(rows, y=140, x=40)], pictures=[over]))
        assert set(map(tuple, found.values())) == ({("P1",)} if same else {()})


@pytest.mark.parametrize(("printed", "shown"), [("12345", True), ("1234", False), ("112345", False)])
def test_a_photo_with_the_numbers_of_all_rows_shows_what_they_list(printed: str, shown: bool) -> None:
    names = ("Headphones", "Power bank", "Fitness watch", "Braided cable", "Radio module")
    rows = [["No.", "Code", "Name", "Price"]] + [[str(n + 1), f"AX-{n}1", names[n], f"€ {n}.50"] for n in range(5)]
    numbers = [line(number, 80 + 80 * n, 100 + 9 * n) for n, number in enumerate(printed)]
    found = bound(understood(*numbers, tables=[table(rows, y=240, x=40)], pictures=[picture("P1", (40, 60, 540, 230))]))
    assert set(map(tuple, found.values())) == ({("P1",)} if shown else {()})


def test_some_of_the_figures_may_have_several_pictures() -> None:
    cells = [(40.0 + 130 * (n % 4), 80.0 + 180 * (n // 4)) for n in range(8)]
    boxes = [(x, y, x + (48 if n % 3 == 0 else 100), y + 90) for n, (x, y) in enumerate(cells)]
    second = [(x + 52, y, x + 100, y + 90) for n, (x, y) in enumerate(cells) if n % 3 == 0]
    pairs = [group for group in shares([*boxes, *second], 8) if len(group) > 1]
    assert pairs == [["P0", "P8"], ["P10", "P6"], ["P3", "P9"]]
    assert shares([*boxes, second[0]], 8) == []


@pytest.mark.parametrize("heads", [True, False])
def test_photos_with_strips_in_close_columns_under_a_picture_across_the_page(heads: bool) -> None:
    names = ("Check Cushion", "Knit Cushion", "Leaf Cushion", "Linen Cushion", "Striped Lumbar", "Knit Pouf")
    lines, pictures = [], [picture("H", (0, 0, 595, 212))] if heads else []
    for n, name in enumerate(names):
        x, y = 35.0 + 177 * (n % 3), 221.0 + 292 * (n // 3)
        pictures += [picture(f"M{n}", (x, y, x + 171, y + 113)), picture(f"D{n}", (x, y + 113, x + 85, y + 168))]
        pictures += [picture(f"E{n}", (x + 85, y + 113, x + 171, y + 168))] if n else []
        facts = (
            name,
            f"Item: LT-C10{n}",
            f"Size: {40 + n} x 45 cm",
            "Material: Cotton",
            "Color: Indigo",
            "MOQ: 300 pcs",
        )
        lines += [line(text, x, y + 178 + 13 * k, 8) for k, text in enumerate(facts)]
        lines += [line(f"US${n + 2}.80", x + 135, y + 260, 9)]
    result = understood(*lines, pictures=pictures)
    assert bound(result) == {f"LT-C10{n}": [f"M{n}", f"D{n}", *[f"E{n}"][:n]] for n in range(6)}
    assert {sku.attributes["product_name"].text for sku in result.skus} == set(names)


@pytest.mark.parametrize("carded", [True, False])
def test_what_stands_off_a_card_is_no_detail_of_what_is_on_it(carded: bool) -> None:
    lines, shown, panels = [], [picture("LOGO", (310, 60, 470, 130))], []
    for n, name in enumerate(("Honey Ida", "Honey Una", "Honey Eva", "Honey Ada")):
        x, y = 40.0 + 270 * (n % 2), 140.0 + 260 * (n // 2)
        shown.append(picture(f"P{n}", (x, y, x + 160, y + 150)))
        lines += [line(name, x + 4, y + 160, 12), line(f"QY-{n}08", x + 4, y + 176, 9)]
        panels.append((x - 6, y - 6, x + 166, y + 190))
    whole = page(*lines, pictures=shown)
    whole = msgspec.structs.replace(whole, panels=tuple(panels) if carded else ())
    result = understand_page(whole, (), DocumentFacts(), BY_RULES)
    assert bound(result)["QY-108"] == (["P1"] if carded else ["P1", "LOGO"])
