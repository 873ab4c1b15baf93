"""Price lists with heads in further languages: known words, currencies in heads, amounts as printed there."""

import pytest

from processing.engine.page import ParsedPage
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.rules.dictionaries.measures import LENGTHS, WEIGHTS
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.normalise import measured, price
from processing.engine.understanding.rules.shapes import is_measure
from processing.engine.understanding.rules.wording import is_sentence
from tests.unit.understanding.pages import BY_RULES, page, table, texts


def understood(one: ParsedPage) -> PageResult:
    return understand_page(one, (), DocumentFacts(), BY_RULES)


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("Artikel-Nr.", "model"),
        ("Größe (mm)", "size"),
        ("GRÖSSE", "size"),
        ("DESIGNATION", "product_name"),
        ("PRIX D'UN SERVICE EN FCFA", "price"),
        ("Egységár (Ft/db) adott kiadással", "price"),
        ("Listino (€/pz)", "price"),
        ("Stufe 1 (Ft/db)", "price"),
        ("Cena netto (PLN)", "price"),
        ("Цена, руб.", "price"),
        ("ÜRÜN ADI", "product_name"),
        ("価格（税込）", "price"),
        ("kg/db", "weight"),
        ("EDV-Nr.", "model"),
        ("TÍPUS", "code_or_number"),
        ("Rendelési kód", "model"),
        ("Codul produsului", "model"),
        ("Denumire articol", "product_name"),
        ("Preise in Stk", "price"),
        ("Preis/Rolle", "price"),
        ("VE", "packing"),
        ("Nº de parte", "model"),
        ("CLAVE", "code_or_number"),
        ("DETALLE", "name_or_text"),
        ("DESCRIPCION EN ESPANOL", "name_or_text"),
        ("Acabado", "color"),
        ("Talla", "size"),
        ("Unid.", "unit"),
        ("FOTO DEL ITEM", "picture"),
        ("Precio mayorista", "price"),
        ("Presentación", "packing"),
        ("Uds./caja", "packing"),
        ("Unidades/caja", "packing"),
        ("Descrição do produto", "product_name"),
        ("Cores", "color"),
        ("Valeur", "foreign"),
        ("Вес, кг", "weight"),
        ("Размер см", "size"),
        ("Кол-во, шт.", "quantity"),
        ("Эскиз", "picture"),
        ("Название / примерный вес", "product_name"),
        ("Найменування", "product_name"),
        ("Ціна, грн", "price"),
        ("Колір", "color"),
        ("Product name / Company", None),
        ("g/m", None),
        ("km/h", None),
        ("Largeur de vue", None),
        ("Detalle de cuenta", None),
        ("Nombre del cliente", None),
        ("Preisliste", None),
    ],
)
def test_heads_of_other_languages_are_known(label: str, kind: str | None) -> None:
    assert label_kind(label) == kind


@pytest.mark.parametrize(
    ("text", "told"), [("17,5 кг", True), ("80 шт.", True), ("10-12 мм", True), ("3 слоя", False), ("10 серия", False)]
)
def test_amounts_with_cyrillic_units_are_measures(text: str, told: bool) -> None:
    assert is_measure(text) == told


def test_cyrillic_units_are_converted() -> None:
    assert measured("450 г", WEIGHTS) == {"values": [450], "unit": "g"}
    assert measured("40х60", LENGTHS, "см") == {"values": [40, 60], "unit": "cm"}


def test_a_list_with_units_behind_its_heads_is_read() -> None:
    head = ["Наименование", "Размер, см", "Вес, кг", "Цена, руб."]
    rows = [["Бордюр, серый, гладкий", "50х20х4,5", "14", "130"], ["Лоток, серый, гладкий", "50х16х6", "8", "160"]]
    result = understood(page(tables=[table([head, *rows], widths=120)]))
    assert texts(result, "product_name") == [row[0] for row in rows] and texts(result, "weight") == ["14", "8"]
    assert texts(result, "size") == ["50х20х4,5", "50х16х6"]


@pytest.mark.parametrize(
    "rows",
    [
        [["Cikkszám", "Megnevezés", "Ár (Ft)"], ["B-10", "Kerti pad", "12 500"], ["B-12", "Kerti asztal", "1 204 000"]],
        [["Nr. crt.", "Denumire", "Preț lei"], ["1", "Kerti pad", "12 500"], ["2", "Kerti asztal", "1 204 000"]],
    ],
)
def test_a_list_with_foreign_heads_is_read(rows: list[list[str]]) -> None:
    result = understood(page(tables=[table(rows, widths=120)]))
    assert result.page_type == "A" and texts(result, "product_name") == ["Kerti pad", "Kerti asztal"]
    assert texts(result, "price") == ["12 500", "1 204 000"]
    assert [sku.normalized["price"]["value"] for sku in result.skus] == ["12500", "1204000"]  # type: ignore[index]


def test_an_unknown_head_with_a_currency_heads_prices() -> None:
    rows = [["Artikel", "Bezeichnung", "Stufe 1 (CHF)"], ["K 12", "Gartenbank", "410.50"], ["K 14", "Tisch", "88.00"]]
    assert texts(understood(page(tables=[table(rows, widths=120)])), "price") == ["410.50", "88.00"]


def test_names_and_their_values_are_no_products() -> None:
    rows = [["Bezeichnung", "Wert"], ["Leistung", "12 kW"], ["Spannung", "230 V"], ["Drehzahl", "1 450"]]
    assert understood(page(tables=[table(rows, widths=120)])).skus == ()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("11 000", "11000"),
        ("1.299,00 €", "1299.00"),
        ("3.869.800", "3869800"),
        ("0.412", "0.412"),
        ("1,299.00", "1299.00"),
    ],
)
def test_groups_of_digits_are_one_amount(text: str, value: str) -> None:
    found = price(text)
    assert found is not None and found["value"] == value


def test_two_prices_under_each_other_are_doubted() -> None:
    rows = [["Item No.", "Product", "Price"], ["A-1", "Mug", "350\n480"], ["A-2", "Jug", "410 500"]]
    first, second = understood(page(tables=[table(rows, widths=120, height=30)])).skus
    assert first.confidence < second.confidence


def test_a_weight_has_one_number_with_a_space_in_it() -> None:
    assert measured("1 140", {"kg": "kg"}, "kg") == {"values": [1140], "unit": "kg"}


def test_commas_inside_of_numbers_make_no_sentence() -> None:
    assert not is_sentence("Lens SPH: -4,00/+4,00") and is_sentence("light, strong, of 4,00 mm")


@pytest.mark.parametrize(
    ("values", "key"),
    [(("RG 60/8", "RG 80/10"), "model"), (("Öntött kerti rács", "Könnyű kerti rács"), "product_name")],
)
def test_a_head_of_types_is_over_codes_or_names(values: tuple[str, str], key: str) -> None:
    rows = [["Típus", "kg/db", "Egységár (Ft/db)"], [values[0], "88", "16 700"], [values[1], "90", "18 800"]]
    assert texts(understood(page(tables=[table(rows)])), key) == list(values)
