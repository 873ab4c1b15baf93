"""Labels, shapes of values and normalised forms, in Chinese and English."""

import pytest

from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.rules.dictionaries.measures import LENGTHS
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.normalise import is_valid_price, measured, normalised, price
from processing.engine.understanding.rules.shapes import is_code, is_no_value, is_rating, is_size
from processing.engine.understanding.rules.wording import is_note, is_sentence, is_total


@pytest.mark.req("TA-AROUTE")
@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("Item No.", "model"),
        ("型号 Model", "model"),
        ("订货型号", "model"),
        ("Part Number:", "model"),
        ("品名/Description", "product_name"),
        ("Item Description", "product_name"),
        ("Unit Price (USD)", "price"),
        ("FOB Price USD", "price"),
        ("含税单价（元/件）", "price"),
        ("FOB Lenoir", "price"),
        ("外形尺寸mm", "size"),
        ("Net Weight(kg)", "weight"),
        ("WT. (LB.)", "weight"),
        ("Min. order", "moq"),
        ("起订量", "moq"),
        ("Name of article", "product_name"),
        ("WHSL", "price"),
        ("No.", "row_number"),
        ("HEIGTH", "size_part"),
        ("M.R.P.", "price"),
        ("MRP Rs.", "price"),
        ("Products name", "product_name"),
        ("订购代码", "model"),
        ("模组尺寸", "size"),
        ("TOTAL QTY", "quantity"),
        ("W", "size_part"),
        ("CODE", "code_or_number"),
        ("UPC code", "barcode"),
        ("Price/Box", "price"),
        ("Unit price / pack", "price"),
        ("Price per set", "price"),
    ],
)
def test_knows_what_a_label_stands_for(label: str, kind: str) -> None:
    assert label_kind(label) == kind


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("型號", "model"),
        ("產品編號", "model"),
        ("貨品編號", "model"),
        ("商品名稱", "product_name"),
        ("品項", "product_name"),
        ("規格", "size_or_text"),
        ("尺寸（公分）", "size"),
        ("顏色", "color"),
        ("材質", "material"),
        ("單價（元）", "price"),
        ("建議售價", "price"),
        ("裝箱數", "packing"),
        ("單位", "unit"),
        ("圖片", "picture"),
        ("數量", "quantity"),
        ("備註", "extra"),
        ("頁碼", "foreign"),
        ("製品名", "product_name"),
        ("備考", "extra"),
        ("単価", "price"),
    ],
)
def test_traditional_signs_are_the_words_of_simplified_ones(label: str, kind: str) -> None:
    assert label_kind(label) == kind


def test_traditional_totals_notes_and_nothing_are_told_too() -> None:
    assert is_total("總計") and is_note("備註：以上價格未稅") and not is_note("備用電池")


@pytest.mark.parametrize("label", ["客戶名稱", "適用型號", "安裝尺寸", "總價", "造價"])
def test_traditional_words_of_other_things_are_no_products(label: str) -> None:
    assert label_kind(label) not in ("model", "product_name", "size", "price")


@pytest.mark.parametrize(
    "label",
    [
        "Document name",
        "Register name",
        "引脚名称",
        "客户名称",
        "适用型号",
        "Leg material",
        "安装尺寸",
        "Model: TV20",
        "PO number",
    ],
)
def test_takes_no_other_things_name_for_a_products(label: str) -> None:
    assert label_kind(label) not in ("model", "product_name", "material", "size")


@pytest.mark.parametrize(
    "code",
    [
        "DLX-101 .1",
        "3BS 207 -",
        "AD142A0",
        "AD146A4/8",
        "TV20-001",
        "LCS-CF",
        "662997146262",
        "D11005",
        "877-19",
        "5710-83",
        "3280-23",
        "MR 16A",
        "ТФ 001",
        "AHŞAP-500",
        "MELAMİN-301/B",
        "АБВ-12/3",
    ],
)
def test_sees_a_code(code: str) -> None:
    assert is_code(code)


@pytest.mark.parametrize(
    "text",
    [
        "King Bed",
        "239.00",
        "1,348.00",
        "160MHz",
        "2*2mm",
        "$5.6",
        "5000pcs",
        "2015-11",
        "12.5",
        "38-43",
        "SNR 96dB",
        "CPU 240 MHz",
        "HT90mm",
        "2500 mAh.",
        "W 750 mm",
        "Room 101",
        "IN UPHOLSTERED DLX-506",
        "/",
        "ГОСТ 9467",
        "ТУ 25-04",
        "Ø20-30",
        "Été-2024",
        "20.9*20.9*21cm",
        "5 GHz)",
        "WWW.LUMO.COM.AR",
        "STEP 1",
        "STEP1",
        "IP65",
        "IP69K",
        "IK08",
    ],
)
def test_sees_no_code_in_names_numbers_and_measures(text: str) -> None:
    assert not is_code(text)


@pytest.mark.parametrize("text", ["undefined", "N/A", "/", "-", "—", "TBD", "  ", "无", "待定", "n.a."])
def test_a_word_for_nothing_is_no_value(text: str) -> None:
    assert is_no_value(text)


def test_zero_and_ticks_are_values() -> None:
    assert not any(map(is_no_value, ("0", "√", "×", "None-slip", "-40", "无铅")))


@pytest.mark.parametrize(
    "text", ["TOTAL", "Subtotal $ 112.00", "合计", "合计 Total", "Grand Total: 5", "TOTAL FOB SHANGHAI:", "Total CIF"]
)
def test_sees_a_total(text: str) -> None:
    assert is_total(text)


def test_a_name_that_begins_with_total_is_no_total_row() -> None:
    assert not is_total("Total Station TS-02")


def test_sees_notes_and_sentences() -> None:
    assert is_note("注：价格含税") and is_note("备注 Notes") and is_note("Note: wholesale")
    assert not is_note("Notebook A5")
    assert is_sentence("Prices shown here are wholesale in US dollars only.") and not is_sentence(
        "Stevenson Office Chair"
    )


@pytest.mark.req("X-NORM")
@pytest.mark.parametrize(
    ("text", "context", "value", "currency"),
    [
        ("$5.6", "", "5.6", "USD"),
        ("1,299.00", "单价(元)", "1299.00", "CNY"),
        ("US$ 3.20/pc", "", "3.20", "USD"),
        ("3,5 €", "", "3.5", "EUR"),
        ("￥128", "", "128", "CNY"),
        ("HK$ 80", "", "80", "HKD"),
    ],
)
def test_normalises_a_price(text: str, context: str, value: str, currency: str) -> None:
    found = price(text, context)
    assert found is not None and found["value"] == value and found["currency"] == currency


@pytest.mark.req("X-NORM", "TA-RULES")
def test_a_price_on_request_is_a_fact() -> None:
    asked = price("面议 On request", "单价(元)")
    assert asked == {"value": None, "currency": "CNY", "on_request": True, "text": "面议 On request", "tiers": []}
    assert is_valid_price("面议") and is_valid_price("10-20 USD") and is_valid_price("100pcs: $2.5; 500pcs: $2.1")
    assert not is_valid_price("ask the boss about it")


def test_tiers_and_ranges_keep_all_amounts() -> None:
    tiers = price("100pcs: $2.5; 500pcs: $2.1")
    assert tiers is not None and tiers["value"] == "2.5"
    assert tiers["tiers"] == [{"quantity": "100", "value": "2.5"}, {"quantity": "500", "value": "2.1"}]
    ranged = price("$10-20")
    assert ranged is not None and (ranged["min"], ranged["max"]) == ("10", "20")


def test_several_price_columns_become_tiers() -> None:
    tiers = (("100–999 元/件", "0.900"), ("≥10,000 元/件", "0.711"))
    found = normalised({"price": "0.900"}, {"price": "100–999 元/件"}, tiers)["price"]
    assert isinstance(found, dict)
    assert [(t["quantity"], t["value"]) for t in found["tiers"]] == [("100–999", "0.900"), ("≥10,000", "0.711")]


def test_a_size_takes_its_unit_from_the_value_or_the_head() -> None:
    assert measured("20.9*20.9*21cm", LENGTHS) == {"values": [20.9, 20.9, 21], "unit": "cm"}
    assert measured("12,5 x 30 x 0,75 cm", LENGTHS) == {"values": [12.5, 30, 0.75], "unit": "cm"}
    assert measured("1,200×12,500mm", LENGTHS) == {"values": [1200, 12500], "unit": "mm"}
    assert measured("38,39,40 / 41,42 cm", LENGTHS) == {"values": [38, 39, 40, 41, 42], "unit": "cm"}
    assert measured("860×840×780", LENGTHS, "mm") == {"values": [860, 840, 780], "unit": "mm"}
    assert is_size("L2130 x W1930mm") and is_size("Φ160") and not is_size("D11005")


def test_a_name_of_many_words_written_large_is_no_sentence() -> None:
    assert not is_sentence("Beckett Lounge Chair with Low Arms")
    assert is_sentence("The lounge chair comes with low arms")
    assert is_sentence("LEAVE A GAP FROM BED BASE TO FLOOR")


@pytest.mark.parametrize("text", ["E27, max 40 W", "GU10, max. 25 W, 220 V", "最大 60W", "1200 lm"])
def test_what_a_thing_takes_or_gives_is_no_name(text: str) -> None:
    assert is_rating(text) and not is_name(text)


@pytest.mark.parametrize("text", ["USB charger, 65 W", "Floodlight 50 W", "Brae pendant"])
def test_a_name_may_end_in_what_the_thing_takes(text: str) -> None:
    assert not is_rating(text) and is_name(text)


@pytest.mark.parametrize(
    ("label", "kind"), [("货号 LY-G01", None), ("型号 ZJ02", None), ("货号LY-N12", None), ("货号 Item No.", "model")]
)
def test_a_label_with_its_code_is_no_label_in_two_languages(label: str, kind: str | None) -> None:
    assert label_kind(label) == kind


@pytest.mark.parametrize("text", ["not included", "Sold separately", "Optional", "选配"])
def test_what_may_come_with_a_thing_is_no_name(text: str) -> None:
    assert not is_name(text)
