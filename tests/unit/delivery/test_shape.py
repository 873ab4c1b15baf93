"""Names and ids in a target's own form."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from processing.imports.targets.shape import Shape, fields_fault, id_fault, with_value

HEAD = {"merchant_id": 7, "sku_id": "a1b2c3d4_p01_001", "generation": 3, "revision": 2, "deleted": False}
PRODUCT = b'{"attributes":{"model":"M-1","price":null},"page_number":1}'


def test_without_a_mapping_all_of_it_goes_under_our_names() -> None:
    assert json.loads(Shape().body(HEAD, PRODUCT)) == {**HEAD, "product": json.loads(PRODUCT)}
    assert json.loads(Shape().body({**HEAD, "deleted": True}, None))["product"] is None


@pytest.mark.req("TA-IMPORT")
def test_a_mapping_puts_our_fields_where_the_target_wants_them() -> None:
    shape = Shape({"id": "sku_id", "meta.seq": "generation", "meta.gone": "deleted", "model": "attributes.model"})
    built = json.loads(shape.body(HEAD, PRODUCT))
    assert built == {"id": "a1b2c3d4_p01_001", "meta": {"seq": 3, "gone": False}, "model": "M-1"}
    assert (shape.name_of("generation"), shape.name_of("merchant_id")) == ("meta.seq", "merchant_id")
    later = json.loads(with_value(shape.body(HEAD, PRODUCT), shape.name_of("generation"), 9))
    assert later == {**built, "meta": {"seq": 9, "gone": False}}
    with pytest.raises(KeyError):
        with_value(shape.body(HEAD, PRODUCT), "generation", 9)


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({}, ""),
        ({"id": "sku_id", "n": "generation", "colour": "attributes.color"}, ""),
        ({"id": "sku_id"}, "fields_lack_order"),
        ({"id": "sku_id", "n": "generation", "x": "attributes_of"}, "fields_unknown_source"),
        ({"id": "sku_id", "n": "generation", "x": "images.0"}, "fields_unknown_source"),
        ({"a": "sku_id", "a.b": "generation"}, "fields_inside_each_other"),
        ({"a b": "sku_id", "n": "generation"}, "fields_not_names"),
        ({"a": 1}, "fields_not_names"),
        (["sku_id"], "fields_not_names"),
    ],
)
def test_a_mapping_is_looked_at_before_it_is_kept(fields: object, fault: str) -> None:
    assert fields_fault(fields) == fault


@pytest.mark.req("TA-ADAPT")
@pytest.mark.parametrize(
    ("pattern", "fault"),
    [
        ("", ""),
        ("{number}{page}{sequence}", ""),
        ("CS-{merchant}-{hash8}.{page}.{sequence}", ""),
        ("{page}{sequence}", "id_pattern_ambiguous"),
        ("fixed", "id_pattern_ambiguous"),
        ("{hash8}{page}{sequence}{sku.__class__}", "id_pattern_unknown_part"),
        ("{hash8!r}{page}{sequence}", "id_pattern_unknown_part"),
        ("{hash8:>99}{page}{sequence}", "id_pattern_unknown_part"),
        ("{hash8", "id_pattern_unreadable"),
    ],
)
def test_a_form_of_ids_must_tell_skus_apart(pattern: str, fault: str) -> None:
    assert id_fault(pattern) == fault


keys = st.tuples(st.integers(0, 16**8 - 1), st.integers(1, 9999), st.integers(1, 9999))


@pytest.mark.req("TA-ADAPT", "TA-SKUKEY")
@given(keys, keys)
def test_two_skus_never_get_one_id(first: tuple[int, int, int], second: tuple[int, int, int]) -> None:
    shape = Shape(id_pattern="{number}{page}{sequence}")
    one, other = (shape.external_id(1, f"{h:08x}_p{p:02d}_{s:03d}") for h, p, s in (first, second))
    assert (one == other) == (first == second)
    assert one.isdecimal()
