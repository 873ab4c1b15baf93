"""Truth files: what is taken, and where an error lies."""

import json
from typing import Any

import pytest

from processing.engine.quality.truth import TruthError, read_truth
from tests.unit.quality.made import truth, truth_sku

pytestmark = pytest.mark.req("TA-T49")


def body(**changes: Any) -> dict[str, Any]:
    return {
        "schema_version": "1.0",
        "job": {"source_file": "a.pdf", "total_pages": 2},
        "pages": [{"page_number": 1, "page_type": "A"}],
        "skus": [truth_sku(model="X1")],
        **changes,
    }


def problems(**changes: Any) -> tuple[str, ...]:
    with pytest.raises(TruthError) as told:
        read_truth(json.dumps(body(**changes)).encode(), "set/a.truth.json")
    assert all(line.startswith("set/a.truth.json: ") for line in str(told.value).splitlines())
    return told.value.problems


def test_takes_the_agreed_shape_with_all_its_fields() -> None:
    box = [1, 2, 30, 40]
    sku = truth_sku(
        model="X1",
        optional={"brand": "B"},
        accept={"model": ["X-1"]},
        tiers=[["1-9", "2.00"]],
        card_bbox=box,
        custom_attributes=[{"name": "Lamp", "value": "E27"}],
        images=[{"image_id": "p", "required": False}],
    )
    page = {"page_number": 2, "page_type": "C", "text": "X1", "continues": 1}
    image = {"image_id": "p", "page_number": 2, "bbox": box}
    given = body(pages=[page], skus=[{**sku, "page_number": 2, "sku_id": "of result.json"}], images=[image])
    read = read_truth(json.dumps(given).encode(), "a")
    assert read.skus[0].texts("model") == ("X1", "X-1") and read.skus[0].texts("brand") == ("B",)
    assert read.skus[0].images is not None and not read.skus[0].images[0].required
    assert (read.pages[0].continues, read.images[0].bbox) == (1, (1.0, 2.0, 30.0, 40.0))


def test_a_null_attribute_is_one_that_is_not_printed() -> None:
    (sku,) = truth(truth_sku(model="X1", size=None)).skus
    assert sku.asked == {"model": "X1"} and sku.texts("size") == ()


def test_says_where_json_has_another_shape() -> None:
    (problem,) = problems(pages=[{"page_number": "one", "page_type": "A"}])
    assert "$.pages[0].page_number" in problem
    (problem,) = problems(pages=[{"page_number": 1, "page_type": "E"}])
    assert "$.pages[0].page_type" in problem
    with pytest.raises(TruthError, match=r"a\.truth\.json: .*malformed"):
        read_truth(b"{x", "a.truth.json")
    with pytest.raises(TruthError, match="utf-8"):
        read_truth(b'{"schema_version": "\xff"}', "a.truth.json")


@pytest.mark.parametrize(
    ("changes", "place", "words"),
    [
        ({"pages": []}, "$.pages", "length"),
        ({"pages": [{"page_number": 3, "page_type": "A"}], "skus": []}, "$.pages[0]", "file of 2 pages"),
        ({"pages": [{"page_number": 1, "page_type": "A"}] * 2}, "$.pages[1]", "2 times"),
        ({"pages": [{"page_number": 1, "page_type": "A", "continues": 1}]}, "$.pages[0]", "cannot continue"),
        ({"skus": [truth_sku(2, model="X1")]}, "$.skus[0]", "not among the judged"),
        ({"skus": [truth_sku(size="10 cm")]}, "$.skus[0]", "model or a product_name"),
        ({"skus": [truth_sku(model="X", optional={"model": "Y"})]}, "$.skus[0]", "both asked for and optional: model"),
        ({"skus": [truth_sku(model="X", accept={"size": ["1"]})]}, "$.skus[0]", "neither in attributes"),
        ({"skus": [truth_sku(model="X", images=[{"image_id": "p9"}])]}, "$.skus[0]", "unknown pictures: p9"),
        ({"skus": [truth_sku(model="X", card_bbox=[5, 5, 1, 9])]}, "$.skus[0]", "card_bbox"),
        ({"images": [{"image_id": "p", "page_number": 1, "bbox": [9, 0, 1, 1]}]}, "$.images[0]", "x0 < x1"),
        ({"images": [{"image_id": "p", "page_number": 1, "bbox": [0, 0, 1, 1]}] * 2}, "$.images[1]", "2 times"),
    ],
)
def test_names_the_place_of_what_cannot_be(changes: dict[str, Any], place: str, words: str) -> None:
    assert any(place in problem and words in problem.lower() for problem in problems(**changes))


def test_tells_all_problems_at_once() -> None:
    assert len(problems(skus=[truth_sku(5, model="X"), truth_sku(size="1")])) == 2
