"""Order, validity, duplicates, confidence, consistency, the registry and the child's entry."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from processing.engine.page import ParsedPage, pack_page, unpack_page
from processing.engine.result import DocumentFacts, Evidence, PageResult, Sku, Value
from processing.engine.understanding import extractors
from processing.engine.understanding.children import understand_pages
from processing.engine.understanding.config import AnalystConfig, Rules
from processing.engine.understanding.draft import Extraction
from processing.engine.understanding.judging.validity import judge_validity
from processing.engine.understanding.order import order_boxes
from processing.engine.understanding.pipeline import page_confidence, understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, table

HEAD = ["Model", "Name", "Size", "Price"]


def value(text: str) -> Value:
    return Value(text, Evidence(text, 1, (0, 0, 1, 1)))


@pytest.mark.req("TA-ADR06")
@given(
    st.integers(1, 6),
    st.integers(1, 5),
    st.lists(st.floats(-0.4, 0.4), min_size=60, max_size=60),
    st.randoms(use_true_random=False),
)
def test_the_order_of_skus_survives_another_readers_rounding(
    rows: int, columns: int, jitter: list[float], random: object
) -> None:
    boxes = [(40.0 + 90 * c, 50.0 + 60 * r, 110.0 + 90 * c, 95.0 + 60 * r) for r in range(rows) for c in range(columns)]
    moved = [
        (b[0] + jitter[n], b[1] + jitter[n + 30], b[2] + jitter[n], b[3] + jitter[n + 30]) for n, b in enumerate(boxes)
    ]
    shuffled = list(range(len(boxes)))
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    order = order_boxes([moved[n] for n in shuffled])
    assert [shuffled[n] for n in order] == list(range(len(boxes)))


def test_the_order_goes_row_by_row() -> None:
    skus = [Sku((300, 12, 400, 60), {}), Sku((10, 100, 90, 150), {}), Sku((10, 10, 90, 60), {})]
    assert [skus[n].box[0:2] for n in order_boxes([sku.box for sku in skus])] == [(10, 10), (300, 12), (10, 100)]


@pytest.mark.req("TA-BR11")
@pytest.mark.invariant("INV-06", "holds", "violated")
@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ({"model": "A1", "price": "5"}, ("full", None)),
        ({"product_name": "Chair", "color": "red"}, ("full", None)),
        ({"model": "A1", "brand": "X"}, ("partial", "missing_specifications")),
        ({"price": "5", "size": "3"}, ("invalid", None)),
        ({"model": "A1", "price": "面议"}, ("partial", "missing_specifications")),
        ({}, ("invalid", None)),
    ],
)
def test_validity_follows_identity_and_specification(
    attributes: dict[str, str], expected: tuple[str, str | None]
) -> None:
    assert judge_validity({key: value(text) for key, text in attributes.items()}) == expected


@pytest.mark.req("X-CONF")
def test_page_confidence_is_the_smallest_part_lowered_by_errors() -> None:
    skus = (Sku((0, 0, 1, 1), {}, confidence=0.9), Sku((0, 0, 1, 1), {}, confidence=0.7))
    assert page_confidence(0.95, skus, 1.0, 1.0) == 0.8
    assert page_confidence(0.6, skus, 1.0, 1.0) == 0.6
    assert page_confidence(0.95, skus, 0.5, 0.7) == 0.35


def understood(rows: list[list[str]], config: AnalystConfig | None = None) -> PageResult:
    return understand_page(page(tables=[table([HEAD, *rows])]), (), DocumentFacts(), config or BY_RULES)


def test_one_product_printed_twice_alike_is_one_sku() -> None:
    result = understood([["A-1", "Mug", "9 cm", "$5"], ["A-2", "Cup", "7 cm", "$4"], ["A-1", "Mug", "9 cm", "$5"]])
    assert [sku.attributes["model"].text for sku in result.skus] == ["A-1", "A-2"]
    assert (result.tallies[0].rows, result.tallies[0].skus, result.tallies[0].merged) == (3, 2, 1)


@pytest.mark.req("TA-T28", "TA-RULES")
def test_one_code_with_two_prices_stays_two_skus_and_is_reported() -> None:
    result = understood([["A-1", "Mug", "9 cm", "$5"], ["A-1", "Mug", "9 cm", "$6"], ["A-2", "Cup", "7 cm", "$4"]])
    assert len(result.skus) == 3
    assert [f.params for f in result.findings if f.code == "duplicate_model_in_page"] == [{"model": "A-1", "count": 2}]


@pytest.mark.req("TA-T28")
def test_an_unclear_price_is_kept_and_blocks_its_sku() -> None:
    result = understood(
        [
            ["A-1", "Mug", "9 cm", "ask the sales team about it"],
            ["A-2", "Cup", "7 cm", "$4"],
            ["A-3", "Jar", "8 cm", "$4"],
        ]
    )
    assert ("price_unclear", 0) in {(b.code, b.sku) for b in result.blockers}
    assert result.skus[0].confidence < result.skus[1].confidence


@pytest.mark.req("TA-RULES", "X-CONF")
def test_too_many_skus_are_an_error_that_lowers_the_page() -> None:
    rows = [[f"A-{n}", f"Mug {n}", "9 cm", "$5"] for n in range(12)]
    normal, strict = (
        understood(rows),
        understood(rows, AnalystConfig(proposers=("rules",), rules=Rules(max_skus_table_page=10))),
    )
    assert "sku_count_abnormal" in {b.code for b in strict.blockers} and "sku_count_abnormal" not in {
        f.code for f in normal.findings
    }
    assert strict.confidence == pytest.approx(0.7 * normal.confidence, abs=1e-3)
    assert (
        understood(
            rows,
            AnalystConfig(proposers=("rules",), rules=Rules(max_skus_table_page=10, disabled=("sku_count_abnormal",))),
        ).findings
        == normal.findings
    )


@pytest.mark.req("GR-AGENT")
def test_an_extractor_is_added_without_touching_the_pipeline(monkeypatch: pytest.MonkeyPatch) -> None:
    first = lambda view: Extraction(extractors.table_page(view).drafts[:1])  # noqa: E731
    monkeypatch.setitem(extractors._EXTRACTORS, "A", ("test.first", first))
    result = understood([["A-1", "Mug", "9 cm", "$5"], ["A-2", "Cup", "7 cm", "$4"]])
    assert (result.extractor, [sku.identity for sku in result.skus]) == ("test.first", ["A-1"])


@pytest.mark.req("TA-DOCPASS")
def test_the_child_gives_the_same_bytes_as_the_pipeline(tmp_path: Path) -> None:
    first = page(tables=[table([HEAD, ["A-1", "Mug", "9 cm", "$5"], ["A-2", "Cup", "7 cm", "$4"]])], number=1)
    second = page(
        line("Series 2", 50, 30),
        tables=[table([["B-1", "Jug", "19 cm", "$15"], ["B-2", "Pot", "17 cm", "$14"]])],
        number=2,
    )
    (tmp_path / "pages").write_bytes(msgspec.msgpack.encode({one.number: pack_page(one) for one in (first, second)}))
    sent: dict[int, bytes] = {}
    request = {
        "file": str(tmp_path / "pages"),
        "pages": [{"number": 2, "earlier": [1]}, {"number": 1, "earlier": []}],
        "facts": {},
        "config": {"validity_mode": "lenient"},
    }
    understand_pages(request, sent.__setitem__)
    config = AnalystConfig(validity_mode="lenient")
    assert sent[2] == msgspec.json.encode(understand_page(reread(second), (reread(first),), DocumentFacts(), config))
    decoded = msgspec.json.decode(sent[2], type=PageResult)
    assert decoded.continues == 1 and [sku.identity for sku in decoded.skus] == ["B-1", "B-2"]


def reread(one: ParsedPage) -> ParsedPage:
    return unpack_page(pack_page(one))


def test_the_child_refuses_a_request_of_another_shape() -> None:
    with pytest.raises(msgspec.ValidationError):
        understand_pages({"pages": [{"number": "one"}]}, lambda number, data: None)
