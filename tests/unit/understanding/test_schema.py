"""Labels that a category's schema names become its attributes."""

import msgspec
import pytest

from catalogsku.profiles.categories import CATEGORIES
from processing.engine.page import ParsedPage
from processing.engine.result import DocumentFacts, Sku
from processing.engine.understanding.config import AnalystConfig, SchemaAttribute
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, table

# As a category stores them, with members that the analyst does not need.
STORED = [
    {"key": "power", "label_zh": "功率", "label_en": "Power", "synonyms": ["rated power", "额定功率"], "type": "text"},
    {"key": "cct", "label_zh": "色温", "label_en": "Colour temperature", "synonyms": ["CCT"], "required": False},
    {"key": "fabric", "label_zh": "面料", "label_en": "Fabric"},
    {"key": "size", "label_zh": "尺寸", "label_en": "Size", "synonyms": ["开孔"]},
]
CONFIG = AnalystConfig(attributes=msgspec.convert(STORED, tuple[SchemaAttribute, ...]))
ROWS = [
    ["型号", "品名", "额定功率(W)", "CCT", "防护等级"],
    ["L-1", "筒灯", "7", "3000K", "IP44"],
    ["L-2", "射灯", "9", "/", "IP20"],
]


def understood(one: ParsedPage, config: AnalystConfig = CONFIG) -> tuple[Sku, ...]:
    return understand_page(one, (), DocumentFacts(), config).skus


@pytest.mark.req("TA-DICT", "GR-EVID")
def test_labels_and_synonyms_in_both_languages_become_the_schemas_keys() -> None:
    first, second = understood(page(tables=[table(ROWS)]))
    assert (first.attributes["power"].text, first.attributes["cct"].text) == ("7", "3000K")
    assert [(c.name, c.value) for c in first.custom] == [("防护等级", "IP44")]
    assert "cct" not in second.attributes and second.attributes["power"].evidence.bbox == (210, 140, 290, 160)


def test_without_a_schema_they_stay_custom() -> None:
    first, _ = understood(page(tables=[table(ROWS)]), BY_RULES)
    assert set(first.attributes) == {"model", "product_name"} and len(first.custom) == 3


def test_a_card_takes_the_schemas_keys_too() -> None:
    lines = [line("Model: L-1", 30, 120), line("Price: $5.6", 30, 140), line("Rated Power: 7 W", 30, 160)]
    (sku,) = understood(page(*lines))
    assert sku.attributes["power"].text == "7 W" and sku.custom == ()


def test_a_base_attributes_label_that_the_schema_claims_gives_both() -> None:
    rows = [["型号", "品名", "面料", "开孔"], ["C-1", "沙发", "亚麻", "Φ75"], ["C-2", "躺椅", "棉", "Φ90"]]
    first, _ = understood(page(tables=[table(rows)]))
    assert first.attributes["fabric"] == first.attributes["material"] and first.attributes["fabric"].text == "亚麻"
    assert first.attributes["size"].text == "Φ75" and first.validity == "full"


def test_a_value_of_its_own_label_is_never_replaced() -> None:
    rows = [["型号", "品名", "尺寸", "开孔"], ["C-1", "筒灯", "90×90", "Φ75"], ["C-2", "射灯", "80×80", "Φ60"]]
    first, _ = understood(page(tables=[table(rows)]))
    assert first.attributes["size"].text == "90×90" and [(c.name, c.value) for c in first.custom] == [("开孔", "Φ75")]


@pytest.mark.req("TA-T55")
@pytest.mark.parametrize(
    "schema", [entry[4] for entry in CATEGORIES if entry[4]], ids=lambda entries: entries[-1]["key"]
)
def test_a_categorys_schema_only_adds_to_what_is_known(schema: tuple[dict[str, object], ...]) -> None:
    rows = [
        ["型号", "品名", "直径", "Finish", "面料", "Pcs/box", "长度", "单价"],
        ["C-1", "圆凳", "Φ400", "Oak", "亚麻", "4", "20", "12.00"],
        ["C-2", "方凳", "Φ420", "Walnut", "棉", "4", "25", "13.00"],
    ]
    one = page(tables=[table(rows, widths=60)])
    config = AnalystConfig(attributes=msgspec.convert(schema, tuple[SchemaAttribute, ...]))
    for plain, named in zip(understood(one, BY_RULES), understood(one, config), strict=True):
        assert plain.attributes.items() <= named.attributes.items() and plain.validity == named.validity
        values = {value.text for value in named.attributes.values()} | {custom.value for custom in named.custom}
        assert {custom.value for custom in plain.custom} <= values
