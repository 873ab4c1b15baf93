"""Found values against the page that their evidence names."""

import msgspec
import pytest

from processing.engine.result import CustomValue, DocumentFacts, Evidence, Sku, Value
from processing.engine.understanding import pipeline
from processing.engine.understanding.judging.grounding import grounded
from processing.engine.understanding.pipeline import Understood, understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, table

BOX = (50.0, 100.0, 200.0, 110.0)


def evidence(text: str, number: int = 1) -> Evidence:
    return Evidence(text, number, BOX, 1.0, "label")


def sku(custom: dict[str, str] | None = None, number: int = 1, **attributes: str) -> Sku:
    return Sku(
        BOX,
        {key: Value(text, evidence(text, number)) for key, text in attributes.items()},
        tuple(CustomValue(name, text, evidence(text, number)) for name, text in (custom or {}).items()),
    )


PRINTED = page(line("Item DLX-108 costs 12.50", 50, 100), tables=[table([["Base", "Solid walnut"]], y=300)])


@pytest.mark.req("LX-QUOTE")
def test_values_on_the_page_pass_and_others_block_their_sku() -> None:
    found, blockers = grounded(
        (sku(model="DLX-108", price="12.50"), sku({"Base": "solid walnut", "Top": "marble"}, model="DLX-109")),
        {1: PRINTED},
    )
    assert [(b.code, b.params, b.sku) for b in blockers] == [
        ("value_not_found", {"key": "model", "value": "DLX-109"}, 1),
        ("value_not_found", {"key": "Top", "value": "marble"}, 1),
    ]
    assert found[0] == sku(model="DLX-108", price="12.50")
    assert found[1].attributes["model"].evidence.match == 0.0
    assert [one.evidence.match for one in found[1].custom] == [1.0, 0.0]


@pytest.mark.req("LX-QUOTE")
def test_similar_words_are_kept_with_their_score_and_a_reason_to_look() -> None:
    found, blockers = grounded((sku(product_name="Solid walnvt"),), {1: PRINTED})
    assert [b.code for b in blockers] == ["value_approximate"]
    assert 0.8 < found[0].attributes["product_name"].evidence.match < 1.0


def test_a_name_over_the_lines_of_its_box_is_proved_by_the_box() -> None:
    parted = page(line("Swivel", 50, 100), line("12.50", 300, 100), line("lounge chair", 50, 112))
    one = sku(product_name="Swivel lounge chair")
    value = one.attributes["product_name"]
    tall = msgspec.structs.replace(value.evidence, bbox=(45.0, 99.0, 150.0, 123.0))
    one = msgspec.structs.replace(one, attributes={"product_name": msgspec.structs.replace(value, evidence=tall)})
    assert grounded((one,), {1: parted})[1] == ()


@pytest.mark.req("LX-QUOTE")
def test_a_size_of_several_cells_is_proved_by_them_and_by_no_other_figures() -> None:
    printed = page(line("600", 60, 100), line("383", 110, 100), line("87", 160, 100))
    assert grounded((sku(size="600 x 383 x 87"),), {1: printed})[1] == ()
    signs = page(line("600 x 383", 60, 100), line("12.50", 300, 100), line("x 87", 60, 108))
    one = sku(size="600 x 383 x 87")
    value = one.attributes["size"]
    tall = msgspec.structs.replace(
        value, evidence=msgspec.structs.replace(value.evidence, bbox=(45.0, 99.0, 150.0, 120.0))
    )
    assert grounded((msgspec.structs.replace(one, attributes={"size": tall}),), {1: signs})[1] == ()
    for other in ("600 x 383 x 88", "383 x 600 x 87", "60 x 0383 x 87"):
        assert [b.code for b in grounded((sku(size=other),), {1: printed})[1]] == ["value_not_found"]


def test_a_value_of_another_page_is_looked_up_there_or_left() -> None:
    cover = page(line("Brand: Lumo", 50, 100), number=3)
    given = sku(brand="Lumo", number=3)
    assert grounded((given,), {1: PRINTED, 3: cover})[1] == ()
    assert grounded((given,), {1: PRINTED}) == ((given,), ())
    assert [b.code for b in grounded((sku(brand="Nova", number=3),), {3: cover})[1]] == ["value_not_found"]


@pytest.mark.req("LX-QUOTE")
def test_the_rule_analysts_own_values_pass_the_same_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [["Model", "Name", "Size", "Price"], ["A-1", "Mug", "9 cm", "$5"], ["A-2", "Cup", "7 cm", "$4"]]
    one = page(tables=[table(rows)])
    assert understand_page(one, (), DocumentFacts(), BY_RULES).blockers == ()

    def misread(found: Understood) -> Understood:
        found = pipeline._judge(found)
        wrong = msgspec.structs.replace(
            found.skus[0], attributes=found.skus[0].attributes | {"model": Value("A-7", evidence("A-7"))}
        )
        return pipeline.replace(found, skus=(wrong, *found.skus[1:]))

    monkeypatch.setattr(pipeline, "STAGES", tuple(misread if s is pipeline._judge else s for s in pipeline.STAGES))
    blockers = understand_page(one, (), DocumentFacts(), BY_RULES).blockers
    assert [(b.code, b.sku) for b in blockers] == [("value_not_found", 0)]
