"""Headings with lists of facts and photos near them, as brochures have them: with codes and without."""

import msgspec
import pytest

from processing.engine.page import Line, Ocr, ParsedPage
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.rules.headings import names_no_thing
from processing.engine.understanding.rules.shapes import is_size
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table, texts

OCR = Ocr("test", "no_text", 0.99)
BULLETS = ["• oțel inoxidabil;", "• racord apa: 1/2 mm;", "• termostat;", "• dimensiuni totale: 1120 x 570 x 850, mm;"]


def understood(one: ParsedPage) -> PageResult:
    return understand_page(one, (), DocumentFacts(), BY_RULES)


def listed(items: list[str], x: float, y: float, size: float = 10.0) -> list[Line]:
    return [line(text, x, y + 1.3 * size * n, size) for n, text in enumerate(items)]


def bold(text: str, x: float, y: float, size: float = 11.0) -> Line:
    return msgspec.structs.replace(line(text, x, y, size), bold=True)


def brochure(names: list[str], items: list[str], photos: int = 1) -> ParsedPage:
    """Down the page a heading each, its list now left and now right of its photos."""
    lines, pictures = [], []
    for n, name in enumerate(names):
        y = 60 + 180 * n
        lines += [bold(name, 300 if n % 2 else 40, y), *listed(items, 40 if n % 2 else 330, y + 30)]
        left = 330 if n % 2 else 40
        pictures += [
            picture(f"P{n}{k}", (left + 110 * k, y + 20, left + 100 + 110 * k, y + 140)) for k in range(photos)
        ]
    return page(*lines, pictures=pictures)


@pytest.mark.parametrize("photos", [1, 2])
def test_each_heading_over_a_list_beside_photos_is_a_product(photos: int) -> None:
    names = ["STERILIZATOR CU APĂ", "LAVOAR DE PERETE", "MASĂ DE SORTARE", "RECIRCULATOR BACTERICID"]
    found = understood(brochure(names, BULLETS, photos))
    assert found.page_type == "B" and texts(found, "product_name") == names
    assert texts(found, "size") == ["1120 x 570 x 850, mm"] * 4
    assert [len(sku.bindings) for sku in found.skus] == [photos] * 4
    assert {custom.name for custom in found.skus[0].custom} == {"racord apa"}


def test_a_code_at_the_end_of_its_heading_is_the_model() -> None:
    found = understood(brochure(["Hygiene station HST 1010S", "Hygiene station HST 0001"], BULLETS))
    assert texts(found, "model") == ["HST 1010S", "HST 0001"]
    assert texts(found, "product_name") == ["Hygiene station", "Hygiene station"]


@pytest.mark.parametrize(("second", "models"), [("HST 0001", ["HST 1010S", "HST 0001"]), ("large", [])])
def test_with_a_code_in_each_heading_a_list_without_amounts_tells_a_product_too(second: str, models: list[str]) -> None:
    told = brochure(["Hygiene station HST 1010S", f"Hygiene station {second}"], BULLETS)
    kept = [ln for ln in told.lines if ln.box[1] < 230 or not any(word in ln.text for word in ("mm", "racord", "inox"))]
    more = listed(["• panou de comandă;", "• uscare rapidă;"], 40, 309)
    found = understood(page(*kept, *more, pictures=told.pictures))
    assert [model for model in texts(found, "model") if model] == models
    assert found.blockers  # a person looks at it either way


def test_of_two_kinds_of_headings_those_that_have_a_list_each_name_the_products() -> None:
    one = brochure(["Shoe washer HST 100", "Boot dryer HST 200"], BULLETS)
    bands = [bold(f"MODULE {text}", 40, 100 + 180 * n + 14 * k, 10) for n in (0, 1) for k, text in enumerate("ABC")]
    found = understood(msgspec.structs.replace(one, blocks=one.blocks + page(*bands).blocks))
    assert texts(found, "model") == ["HST 100", "HST 200"]


def shoes(code: str, name: str, y: float) -> list[Line]:
    items = [
        "Construction: cold-cement",
        "Upper: split suede with open-mesh",
        "panels and synthetic overlays",
        "Lining: soft textile",
        "Size run: US 6 - 14",
    ]
    return [line(f"SKU: {code}", 320, y), line(name, 322, y + 20), *listed(items, 336, y + 45)]


def test_facts_under_a_code_are_one_product_and_go_on_in_the_next_line() -> None:
    one = page(
        *shoes("BX-MS009", "COURT SNEAKER", 80),
        *shoes("BX-MS010", "SKATE SNEAKER", 420),
        pictures=[picture("P1", (30, 80, 300, 220)), picture("P2", (30, 420, 300, 560))],
    )
    found = understood(msgspec.structs.replace(one, ocr=OCR))
    assert texts(found, "model") == ["BX-MS009", "BX-MS010"]
    assert texts(found, "product_name") == ["COURT SNEAKER", "SKATE SNEAKER"]
    assert texts(found, "size") == ["US 6 - 14", "US 6 - 14"]
    assert {c.name: c.value for c in found.skus[0].custom} == {
        "Construction": "cold-cement",
        "Upper": "split suede with open-mesh panels and synthetic overlays",
        "Lining": "soft textile",
    }


SPECIFIED = [
    ["核心参数", "规格详情"], ["内存", "16GB"], ["硬盘", "1*SATA2.5寸"], ["机箱尺寸", "887mm*486mm*177mm"],
    ["机箱材质", "ABS+SGCC"], ["整体毛重", "10千克"], ["包装方式", "纸箱"],
]  # fmt: skip


def test_one_title_over_photos_and_a_table_of_specifications_is_one_product_for_a_person() -> None:
    one = page(
        line("4U8盘位机架式", 40, 40, 20),
        line("服务器机箱", 40, 62, 20),
        line("4u Server Chassis", 40, 84, 18),
        tables=[table(SPECIFIED, 40, 400, 180)],
        pictures=[picture("P1", (40, 120, 200, 300)), picture("P2", (260, 120, 420, 300))],
    )
    found = understood(msgspec.structs.replace(one, ocr=OCR))
    assert texts(found, "product_name") == ["4U8盘位机架式服务器机箱"]
    assert texts(found, "size") == ["887mm*486mm*177mm"] and texts(found, "material") == ["ABS+SGCC"]
    assert texts(found, "packing") == ["纸箱"] and texts(found, "weight") == ["10千克"]
    assert {c.name: c.value for c in found.skus[0].custom} == {"内存": "16GB", "硬盘": "1*SATA2.5寸"}
    assert [binding.picture for binding in found.skus[0].bindings] == ["P1", "P2"] and found.blockers


def test_one_title_over_facts_is_no_product_where_the_page_tells_much_more() -> None:
    title, facts = line("4U8盘位机架式服务器机箱", 40, 40, 20), table(SPECIFIED, 40, 400, 180)
    more = [line("本手册介绍机柜布线与验收的要求以及各部门职责", 40, 100 + 12 * n) for n in range(20)]
    shown = [picture("P1", (320, 120, 520, 300))]
    assert len(understood(page(title, tables=[facts], pictures=shown)).skus) == 1
    assert not understood(page(title, *more, tables=[facts], pictures=shown)).skus


def test_labels_in_english_may_be_longer_and_a_value_have_the_sign_of_an_address() -> None:
    rows = [
        ["Technical Parameter", "Technical Specification"], ["Minimum temperature", "<10 mK"],
        ["Power of the refrigerator at the second stage", "1.5 W @4.2 K"], ["Cooldown time", "<30 h"],
        ["Frequency range of the measurement lines", "18 GHz"], ["Plate diameter", "320 mm"],
    ]  # fmt: skip
    title, shown = line("Low temperature platform", 40, 40, 28), [picture("P1", (40, 100, 240, 380))]
    (sku,) = understood(page(title, tables=[table(rows, 260, 100, 150)], pictures=shown)).skus
    assert sku.attributes["product_name"].text == title.text
    assert {custom.name: custom.value for custom in sku.custom} == dict(rows[1:])
    contact = [*rows, ["Sales", "sales@example.org"]]
    assert not understood(page(title, tables=[table(contact, 260, 100, 150)], pictures=shown)).skus


COMPANY = ["• Area: 20000 m²", "• Employees: 300", "• Annual output: 5000 t", "• Machines: 120 sets"]


@pytest.mark.parametrize(
    "names",
    [["Our advantages", "Our services"], ["Production process", "Quality control"], ["公司优势", "服务流程"]],
)
def test_what_a_company_tells_of_itself_is_no_product(names: list[str]) -> None:
    found = understood(brochure(names, COMPANY))
    assert found.page_type == "D" and not found.skus


def test_lists_without_a_measure_or_a_known_label_are_no_products() -> None:
    told = ["• modern", "• easy to clean", "• made with care"]
    assert not understood(brochure(["Wall cabinet", "Floor cabinet"], told)).skus
    assert len(understood(brochure(["Wall cabinet", "Floor cabinet"], [*told, "• 80 cm high"])).skus) == 2


def test_addresses_are_no_products() -> None:
    items = [
        "Tel: 0571 8888 1234",
        "Fax: 0571 8888 1235",
        "Address: Road 12, 200 m from the station",
        "Size: 10 x 20 cm",
    ]
    found = understood(brochure(["Hangzhou office", "Berlin office"], items))
    assert not found.skus


def test_a_figure_of_a_text_with_its_table_is_no_product() -> None:
    one = page(
        line("Classification", 40, 40, 20),
        line("Figure 6-1 Reflow profile", 40, 310),
        tables=[table(SPECIFIED, 40, 400, 180)],
        pictures=[picture("P1", (40, 120, 200, 300))],
    )
    assert not understood(one).skus


def test_without_anything_shown_a_heading_over_a_list_is_no_product() -> None:
    one = brochure(["STERILIZATOR CU APĂ", "LAVOAR DE PERETE"], BULLETS)
    assert not understood(msgspec.structs.replace(one, pictures=())).skus


def test_only_three_sides_behind_each_other_are_a_size_whatever_the_label() -> None:
    ports = [*BULLETS[:3], "• ports: 2x10 Gb (X710) + 1x1 Gb"]
    found = understood(brochure(["FILE SERVER", "MAIL SERVER"], ports))
    assert texts(found, "size") == [None, None]
    sides = understood(brochure(["FILE SERVER", "MAIL SERVER"], [*BULLETS[:3], "• ansamblu: 1600\u0445320\u0445335"]))
    assert texts(sides, "size") == ["1600\u0445320\u0445335"] * 2


def test_a_size_may_be_written_with_a_cyrillic_letter() -> None:
    assert is_size("1600\u0445320\u0445335")


@pytest.mark.parametrize("text", ["Our advantages", "公司简介", "服务流程", "Why choose this"])
def test_headings_that_name_no_thing(text: str) -> None:
    assert names_no_thing(text)


@pytest.mark.parametrize("text", ["2U标准服务器", "Chiller CW-50", "Boot washer"])
def test_headings_that_name_a_thing(text: str) -> None:
    assert not names_no_thing(text)


@pytest.mark.parametrize("beside", [True, False])
def test_a_bold_code_over_a_list_is_the_model_and_the_name_stands_at_the_other_end_of_its_line(beside: bool) -> None:
    facts = ["规格 Size: 60×12 mm", "材质 Material: 黄铜", "表面 Finish: 抛光 Polished", "装箱 Pcs/ctn: 72"]
    codes, names = (
        ["GW-B612", "GW-S050", "GW-F035"],
        ["六角螺栓 Hex bolt", "铜挂锁 Brass padlock", "单冷龙头 Basin tap"],
    )
    lines, pictures = [], []
    for n, (code, name) in enumerate(zip(codes, names, strict=True)):
        y = 60 + 200 * n
        lines += [bold(code, 242, y, 9.5), *listed(facts, 46, y + 130, 8.5)]
        lines += [line(name, 44, y, 9.5)] if beside else []
        pictures.append(picture(f"P{n}", (46, y + 20, 160, y + 120)))
    found = understood(page(*lines, pictures=pictures))
    assert texts(found, "model") == codes
    assert [sku.attributes.get("product_name") is not None for sku in found.skus] == [beside] * 3
    assert not beside or texts(found, "product_name") == names


def test_the_code_may_stand_at_the_other_end_of_the_name_that_heads_a_list() -> None:
    facts = ["规格: 60×12 mm", "材质: 黄铜", "表面: 抛光", "装箱: 72"]
    lines, pictures = [], []
    for n, (name, code) in enumerate((("六角螺栓", "GW-B612"), ("铜挂锁", "GW-S050"), ("单冷龙头", "GW-F035"))):
        lines += [bold(name, 46, 60 + 200 * n, 11), line(code, 242, 60 + 200 * n, 9.5)]
        lines += listed(facts, 46, 190 + 200 * n, 8.5)
        pictures.append(picture(f"P{n}", (46, 80 + 200 * n, 160, 180 + 200 * n)))
    found = understood(page(*lines, pictures=pictures))
    assert texts(found, "product_name") == ["六角螺栓", "铜挂锁", "单冷龙头"]
    assert texts(found, "model") == ["GW-B612", "GW-S050", "GW-F035"]


def test_lists_that_tell_the_same_are_never_those_of_one_product() -> None:
    lines, pictures = [], []
    for n, name in enumerate(("Mortise locks", "Rim locks", "Padlocks")):
        lines.append(bold(name, 46, 60 + 200 * n, 14))
        for x in (46, 314):
            lines += listed(
                ["Size: 60×12 mm", "Material: brass", "Finish: chrome", "Carton: 72"], x, 190 + 200 * n, 8.5
            )
            pictures.append(picture(f"P{n}{x}", (x, 80 + 200 * n, x + 114, 180 + 200 * n)))
    found = understood(page(*lines, pictures=pictures))
    assert not found.skus and found.blockers


FAR = [("Panel length:", "100.0 mm"), ("Panel height:", "25.0 mm"), ("Panel depth", "6.5 mm"), ("Lead:", "")]


def test_values_far_from_their_labels_stand_on_the_same_baselines() -> None:
    """A label that ends with a colon does not take the next label for its value."""
    labels = listed(["Type: VX-20100", "Application: DVD", *(label for label, _ in FAR)], 44, 172)
    values = [line(value, 380, 198 + 13 * n, 10) for n, (_, value) in enumerate(FAR) if value]
    (sku,) = understood(page(*labels, *values)).skus
    told = {custom.name: custom.value for custom in sku.custom}
    assert told == {
        "Application": "DVD",
        "Panel length": "100.0 mm",
        "Panel height": "25.0 mm",
        "Panel depth": "6.5 mm",
    }
