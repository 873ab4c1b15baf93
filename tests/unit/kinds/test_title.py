"""The title of a paper, from what its first page says in large print."""

import pytest

from processing.engine.kinds.title import title_of
from processing.engine.page import Block, Line, ParsedPage

BODY = (9.0, "We randomised 240 adults aged 18 to 65 years to exercise or to usual care in three towns of the region.")
TITLE = "Exercise for adults who have fallen: a randomised trial"


def page(*said: tuple[float, str]) -> ParsedPage:
    """Each in a block of its own, with its lines parted by bars."""
    blocks = []
    for n, (size, text) in enumerate(said, 1):
        box = (50.0, 40.0 * n, 500.0, 40.0 * n + size)
        lines = tuple(Line(part, box, (), size) for part in text.split("|"))
        blocks.append(Block(f"T{n}", box, lines))
    return ParsedPage(1, 595.0, 842.0, 0, "test", tuple(blocks))


@pytest.mark.parametrize(
    "said",
    [
        [(16.0, TITLE), (12.0, "A. Author, B. Author, C. Author and D. Author"), BODY],
        [(24.0, "BMC Health Services Research"), (16.0, TITLE), BODY],
        [
            (11.0, "Open access to all of the papers here"),
            (16.0, "Exercise for adults who|have fallen: a randomised trial"),
            BODY,
        ],
        [(16.0, "Research Article"), (16.0, TITLE), BODY],
        [BODY, (16.1, TITLE)],
    ],
    ids=["alone", "under a journal", "over two lines", "under its kind", "behind"],
)
def test_a_title_is_in_the_largest_print_that_is_long_enough(said: list[tuple[float, str]]) -> None:
    assert title_of([page(*said)]) == TITLE


def test_a_chinese_title_has_no_words_to_count() -> None:
    title = "运动对跌倒老年人影响的随机对照试验"
    assert title_of([page((16.0, title), (9.0, "方法" * 60))]) == title


@pytest.mark.parametrize(
    "said",
    [[BODY], [(16.0, "Original Article"), BODY], [(16.0, "word " * 90), BODY], []],
    ids=["all of one size", "too short", "too long", "nothing"],
)
def test_where_nothing_stands_out_there_is_none(said: list[tuple[float, str]]) -> None:
    assert title_of([page(*said)]) == "" == title_of([])
