"""The feature vector of a page: numbers that router and classifier use."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from processing.engine.page import Block, Features
from processing.engine.reading.features import columns, covered_ratio, features
from processing.engine.reading.port import PageSize
from tests.unit.understanding.pages import line, page, picture, table

SIZE = PageSize(600.0, 800.0, 0)


@pytest.mark.req("TA-FEAT")
def test_counts_text_pictures_and_tables_of_a_page() -> None:
    whole = table([["型号", "品名"], ["A-1", "凳子"]], x=0, y=400, widths=300, height=100)
    pictures = (
        picture("P1", (0, 0, 600, 200)),
        msgspec.structs.replace(picture("P2", (0, 0, 300, 400)), fragmented=True),
    )
    blocks = page(line("Tables 2026", 50, 40), tables=[whole]).blocks
    found = features(blocks, [whole], pictures, 7, SIZE, 0.25)
    assert (found.tables, found.pictures, found.fragmented_pictures, found.drawings) == (1, 2, 1, 7)
    assert (found.chars, found.blocks, found.columns, found.ocr_ratio) == (19, 5, 1, 0.25)
    assert (found.table_ratio, found.picture_ratio) == (0.25, 0.375)
    assert (found.han_ratio, found.body_size_pt) == (round(6 / 19, 4), 10.0)
    assert found.text_density == round(sum((b.box[2] - b.box[0]) * (b.box[3] - b.box[1]) for b in blocks) / 480000, 4)


@pytest.mark.req("TA-FEAT")
def test_an_empty_page_has_an_empty_vector() -> None:
    assert features((), (), (), 0, SIZE, 0.0) == Features()


@pytest.mark.req("TA-FEAT")
@given(st.lists(st.tuples(*[st.floats(0, 800) for _ in range(4)]), max_size=6))
def test_what_boxes_cover_together_is_a_share_of_the_page(corners: list[tuple[float, float, float, float]]) -> None:
    boxes = [(min(a, c), min(b, d), max(a, c), max(b, d)) for a, b, c, d in corners]
    share = covered_ratio(boxes, SIZE)
    assert 0.0 <= share <= 1.0 and share == covered_ratio([*boxes, *boxes], SIZE)


@pytest.mark.req("TA-FEAT")
def test_text_side_by_side_is_counted_as_columns_and_a_table_is_none() -> None:
    left = [line("left text", 50, 100 + 14 * n) for n in range(6)]
    right = [line("right text", 320, 100 + 14 * n) for n in range(6)]
    blocks = [Block(f"T{n}", one.box, (one,)) for n, one in enumerate([*left, *right])]
    assert columns(blocks, []) == 2
    assert columns(blocks, [table([["a", "b"]] * 6, x=40, y=90, widths=260, height=20)]) == 1
