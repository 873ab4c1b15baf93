"""Pages of photos with hardly a word: a block of pictures of one size, or a photo of a group with a name at each."""

import pytest

from processing.engine.page import ParsedPage
from processing.engine.result import DocumentFacts
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import A4, BY_RULES, line, page, picture

pytestmark = pytest.mark.req("TA-CLS")
NAMES = ("Icicle", "Promise of a New Day", "The Other White", "Easter Sunday")
PLACES = ((60, 300), (300, 160), (120, 600), (380, 440))


def asked(one: ParsedPage) -> bool:
    result = understand_page(one, (), DocumentFacts(), BY_RULES)
    assert (result.page_type, result.skus) == ("D", ())
    return "page_type_uncertain" in [blocker.code for blocker in result.blockers]


def block(heading: str, columns: int, rows: int, wider: float = 0.0) -> ParsedPage:
    shown = [
        picture(
            f"P{col}-{row}",
            (40 + 100 * col, 90 + 110 * row, 130 + 100 * col + wider * ((col + row) % 3), 190 + 110 * row),
        )
        for col in range(columns)
        for row in range(rows)
    ]
    return page(line(heading, 40, 20, 18), pictures=shown)


def test_a_block_of_pictures_of_one_size_goes_to_a_person() -> None:
    assert asked(block("The faces", 5, 4))
    assert not asked(block("The faces", 2, 4))
    assert not asked(block("The faces", 5, 4, wider=60.0))
    assert not asked(block("Our workshop", 5, 4))


def group(names: tuple[str, ...], *, stacked: bool = False, side: float = 1.0) -> ParsedPage:
    places = [(60, 300 + 14 * n) for n in range(len(names))] if stacked else PLACES
    told = [line(name, x, y, 11) for name, (x, y) in zip(names, places, strict=False)]
    return page(*told, pictures=[picture("P1", (0, 0, A4[0], side * A4[1]))])


def test_names_that_stand_apart_on_a_photo_of_the_whole_page_are_of_what_it_shows() -> None:
    assert asked(group(NAMES))
    assert not asked(group(NAMES[:3]))
    assert not asked(group(NAMES, stacked=True))
    assert not asked(group(NAMES, side=0.6))
