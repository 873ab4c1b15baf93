"""Words become lines, blocks and a reading order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogsku.core.box import turned, turned_back
from processing.engine.reading.layout import lay_out, reading_order
from processing.engine.reading.port import DOWN, RIGHT, UP, Glyphs

SIZE = 10.0


def word(text, x, y, turn=RIGHT, size=SIZE, width=None):
    length = (width or 0.5 * size * len(text)) if turn == RIGHT else size
    thick = size if turn == RIGHT else 0.5 * size * len(text)
    return Glyphs(text, (x, y, x + length, y + thick), size, False, turn, False, 0)


def prose(x, y, lines, prefix):
    return [word(f"{prefix}{n}", x, y + 12 * n, width=200) for n in range(lines)]


def order_of(blocks):
    return [line.text for block in blocks for line in block.lines]


def test_joins_words_of_one_baseline_and_cuts_at_wide_gaps():
    words = [word("Model:", 50, 100), word("TV20", 84, 100.4), word("Price:", 200, 100)]
    assert order_of(lay_out(words, [], [], 600, 800)) == ["Model: TV20", "Price:"]


def test_puts_close_lines_of_one_size_in_one_block():
    words = [*prose(50, 100, 3, "a"), word("far", 50, 200), word("large", 50, 212, size=20)]
    blocks = lay_out(words, [], [], 600, 800)
    assert [[line.text for line in b.lines] for b in blocks] == [["a0", "a1", "a2"], ["far"], ["large"]]


@pytest.mark.req("X-LAYOUT")
def test_reads_columns_one_after_the_other_below_a_heading():
    heading = word("heading", 50, 50, width=480, size=18)
    words = [heading, *prose(50, 100, 8, "left"), *prose(300, 100, 8, "right")]
    expected = ["heading", *(f"left{n}" for n in range(8)), *(f"right{n}" for n in range(8))]
    assert order_of(lay_out(list(reversed(words)), [], [], 600, 800)) == expected


def test_reads_captions_row_by_row():
    words = [word(f"r{row}c{col}", 50 + 150 * col, 100 + 90 * row) for col in range(3) for row in range(3)]
    assert order_of(lay_out(words, [], [], 600, 800)) == [f"r{r}c{c}" for r in range(3) for c in range(3)]


def test_keeps_together_what_stands_between_rules():
    left = [word(f"code{n}", 50, 100 + 100 * n) for n in range(3)]
    right = [w for n in range(3) for w in prose(300, 100 + 100 * n, 6, f"p{n}")]
    rules = [(50, 190 + 100 * n, 500, 190.5 + 100 * n) for n in range(2)]
    order = order_of(lay_out(left + right, [], rules, 600, 800))
    assert [t for t in order if t.startswith("code") or t.endswith("0")] == [
        "code0",
        "p00",
        "code1",
        "p10",
        "code2",
        "p20",
    ]


def test_reads_vertical_columns_from_the_right():
    words = [word("一二三", x, 100, turn=DOWN) for x in (300, 280, 260)]
    words = [w._replace(text=f"{n}") for n, w in enumerate(words)]
    blocks = lay_out(words, [], [], 600, 800)
    assert order_of(blocks) == ["0", "1", "2"]
    assert all(line.vertical for block in blocks for line in block.lines)


def test_reads_text_that_runs_upwards():
    words = [word("first", 100, 500, turn=UP), word("second", 100, 460, turn=UP)]
    assert order_of(lay_out(words, [], [], 600, 800)) == ["first second"]


def test_gives_a_table_one_block_in_cell_order():
    cells = [[word("Code", 50, 100)], [word("Price", 150, 100)], [word("A1", 50, 115)], [word("5.60", 150, 115)]]
    blocks = lay_out([word("after", 50, 300)], [cells], [], 600, 800)
    assert [b.text for b in blocks] == ["Code\nPrice\nA1\n5.60", "after"]
    assert [b.id for b in blocks] == ["T1", "T2"]


BOXES = st.tuples(*[st.floats(0, 500) for _ in range(4)]).map(
    lambda v: (min(v[0], v[2]), min(v[1], v[3]), max(v[0], v[2]) + 1, max(v[1], v[3]) + 1)
)


@given(BOXES, st.sampled_from([0, 1, 2, 3]))
def test_turning_back_undoes_turning(box, turn):
    assert turned_back(turned(box, turn, 600, 800), turn, 600, 800) == pytest.approx(box)


@given(st.lists(BOXES, max_size=25))
def test_order_names_every_block_once(boxes):
    assert sorted(reading_order(boxes, [1] * len(boxes), [], 10.0)) == list(range(len(boxes)))


@given(st.lists(BOXES, min_size=1, max_size=12), st.randoms())
def test_order_does_not_depend_on_the_order_of_drawing(boxes, random):
    boxes = list(dict.fromkeys(boxes))
    shuffled = boxes[:]
    random.shuffle(shuffled)
    first = [boxes[i] for i in reading_order(boxes, [3] * len(boxes), [], 10.0)]
    second = [shuffled[i] for i in reading_order(shuffled, [3] * len(boxes), [], 10.0)]
    assert [(round(b[1] / 10), b[0]) for b in first] == [(round(b[1] / 10), b[0]) for b in second]
