"""Ruled tables of which a row lacks the rules between its columns."""

import msgspec
import pytest

from processing.engine.page import Cell
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, table, texts

ROWS = [["Part no.", "Product", "Fits", "Price"], ["TF-10", "Cabin filter", "A4", "300"]]
LEFTS = (52.0, 132.0, 212.0, 292.0)


def read(last: list[str], lefts: tuple[float, ...] = LEFTS) -> PageResult:
    rows = [*ROWS, ["TF-20", "Carbon filter", "Jetta", "400"]]
    ruled = table(rows)
    wide = Cell(3, 0, " ".join(last), (50, 160, 370, 180), 1, 4)
    whole = msgspec.structs.replace(ruled, n_rows=4, box=(50, 100, 370, 180), cells=(*ruled.cells, wide))
    bare = page(*(line(text, x, 163, 8) for text, x in zip(last, lefts, strict=True)), tables=[ruled])
    return understand_page(msgspec.structs.replace(bare, tables=(whole,)), (), DocumentFacts(), BY_RULES)


def test_words_in_every_column_of_a_row_in_one_cell_are_its_values() -> None:
    result = read(["TF-30", "Pollen filter", "Polo", "500"])
    assert texts(result, "model") == ["TF-10", "TF-20", "TF-30"] and texts(result, "price") == ["300", "400", "500"]
    assert result.skus[2].attributes["model"].evidence.bbox == (50, 160, 130, 180)


@pytest.mark.parametrize(
    ("last", "lefts"),
    [
        (["TF-30", "Pollen filter", "Polo", "500"], (52.0, 150.0, 190.0, 292.0)),  # over an edge
        (["Filters", "for", "trucks", "500"], LEFTS),  # no code
        (["TF-30", "see", "page", "twelve"], LEFTS),  # no amount
    ],
)
def test_other_rows_of_one_cell_are_left_as_they_are(last: list[str], lefts: tuple[float, ...]) -> None:
    assert texts(read(last, lefts), "model") == ["TF-10", "TF-20"]
