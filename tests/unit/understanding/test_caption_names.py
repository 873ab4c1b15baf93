"""Names of captions that go on in a second line."""

import msgspec
import pytest

from processing.engine.result import DocumentFacts
from processing.engine.understanding.captions.names import with_whole_names
from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page
from tests.unit.understanding.test_cards_and_captions import grid

SHORT = [("AB-1", 7), ("Wooden bowl", 10), ("12 cm", 8)]


def names(caption: list[tuple[str, float]], others: int = 3) -> list[str]:
    """Lines of a caption in these sizes, beside others with short names."""
    captions = [
        tuple(line(text, 50, 100 + 13 * n, size) for n, (text, size) in enumerate(lines))
        for lines in (caption, *[SHORT] * others)
    ]
    return [one.text for one in with_whole_names(captions, recognised=False)[0]]


@pytest.mark.parametrize("at", [0, 1])
def test_a_name_goes_on_where_the_next_word_had_no_room(at: int) -> None:
    name = [("Wooden bowl", 10), ("Large", 10)]
    found = names([*[("AB-2", 7)] * at, *name, ("20 cm", 8)])
    assert found == [*["AB-2"] * at, "Wooden bowl Large", "20 cm"]


@pytest.mark.parametrize("first", ["Bowl &", "碗（4只"])
def test_a_name_goes_on_behind_an_open_sign(first: str) -> None:
    assert names([(first, 10), ("装）", 10), ("AB-2", 8)], others=0)[1:] == ["AB-2"]


@pytest.mark.parametrize(
    "lines",
    [
        [("Wooden bowl", 10), ("Large", 8), ("AB-2", 7)],  # other print
        [("Bowl", 10), ("Large", 10), ("AB-2", 7)],  # there was room
        [("Wooden bowl", 10), ("Large", 10), ("handmade", 10)],  # not the name alone
        [("Wooden bowl", 10), ("AB-2", 10)],
        [("Wooden bowl", 10), ("¥12.00", 10)],
        [("Wooden bowl", 10), ("Black", 10)],
        [("Wooden bowl", 10), ("木碗木碗", 10), ("AB-2", 7)],  # the name in the other language
    ],
)
def test_what_says_something_of_its_own_is_no_end_of_a_name(lines: list[tuple[str, float]]) -> None:
    assert names(lines) == [text for text, _ in lines]


WRAPPED = [
    [("Ultra hold styling", 10), ("paste", 10), ("300 ml", 7)],
    [("Olive oil sheen hair", 10), ("spray", 10), ("400 ml", 7)],
    [("Ultra strong gum hair", 10), ("Gel 5+", 10), ("750 ml", 7)],
    [("Aqua spider hair wax", 10), ("S1 Black widow", 10), ("150 ml", 7)],
]


def joined(captions: list[list[tuple[str, float]]]) -> list[list[str]]:
    made = [tuple(line(text, 50, 100 + 13 * n, size) for n, (text, size) in enumerate(one)) for one in captions]
    return [[one.text for one in lines] for lines in with_whole_names(made, recognised=False)]


def test_the_end_of_a_name_may_look_like_a_code_where_no_line_had_room_for_it() -> None:
    found = joined(WRAPPED)
    assert [lines[0] for lines in found[2:]] == ["Ultra strong gum hair Gel 5+", "Aqua spider hair wax S1 Black widow"]


def test_a_colour_may_be_the_end_of_a_name_where_no_line_had_room_for_it() -> None:
    brushes = [("Olive oil sheen hair", 10), ("Black", 10), ("1 pc", 7)]
    assert joined([*WRAPPED[:2], brushes])[2][0] == "Olive oil sheen hair Black"
    roomy = [("Hair gel", 10), ("Black", 10), ("90 ml", 7)]
    assert joined([*WRAPPED[:2], roomy])[2] == ["Hair gel", "Black", "90 ml"]


@pytest.mark.parametrize(
    "others",
    [
        [*WRAPPED[:2], [("Hair gel", 10), ("AB-2", 10), ("90 ml", 7)]],  # there was room: codes have their own line
        [[("Hair gel", 10), ("90 ml", 7)]] * 3,  # no other name goes on
        [[*one[:1], ("AB-3", 10), one[2]] for one in WRAPPED[:2]],
    ],
)
def test_a_code_under_a_name_stays_one(others: list[list[tuple[str, float]]]) -> None:
    assert joined([WRAPPED[2], *others])[0] == [text for text, _ in WRAPPED[2]]


LONG = [
    [("Paper towels by Sofia", 10), ("of two layers, white", 10), ("two rolls", 10), ("86.90", 12)],
    [("Toilet paper Sofia and", 10), ("friends, natural", 10), ("77.00", 12)],
    [("Sponge", 10), ("16.50", 12)],
]


def test_a_name_may_go_on_in_several_lines_over_what_is_printed_otherwise() -> None:
    assert [lines[0] for lines in joined(LONG)] == [
        "Paper towels by Sofia of two layers, white two rolls",
        "Toilet paper Sofia and friends, natural",
        "Sponge",
    ]
    assert joined([LONG[0][:3], *LONG[1:]])[0] == [text for text, _ in LONG[0][:3]]  # nothing under it
    loose = [("Towel", 10), ("of two layers, white", 10), ("rolls", 10), ("86.90", 12)]
    assert joined([loose, *LONG[1:]])[0] == [text for text, _ in loose]  # there was room


@pytest.mark.parametrize(("first", "found"), [(42, 6), (1, 0)])
def test_names_of_a_grid_may_have_the_numbers_of_a_list_but_steps_are_counted_from_one(first: int, found: int) -> None:
    things = ("Dough Mixer", "Pizza Oven", "Gas Burner", "Milk Boiler", "Hot Plate", "Trolley")
    lines, pictures = grid([[f"{first + n}. {name}"] for n, name in enumerate(things)])
    result = understand_page(page(*lines, pictures=pictures), (), DocumentFacts(), BY_RULES)
    assert len(result.skus) == found and (found or result.blockers)
    assert all(sku.attributes["product_name"].text[:2].isdigit() for sku in result.skus)
    assert not is_name("Made in Africa. Sold abroad")


def in_bold(caption: list[tuple[str, bool]], step: float) -> list[str]:
    """Lines of a caption, those that are bold, ``step`` points under each other, beside others with short names."""
    first = tuple(
        msgspec.structs.replace(line(text, 50, 100 + step * n, 10), bold=bold) for n, (text, bold) in enumerate(caption)
    )
    other = (msgspec.structs.replace(line("ROWING MACHINE", 50, 100, 10), bold=True), line("TB-102", 50, 113, 10))
    return [one.text for one in with_whole_names([first, other, other, other], recognised=False)[0]]


def test_lines_that_alone_are_bold_and_touch_are_one_name() -> None:
    bench = [("BENCH", True), ("LOW", True), ("TB-302", False)]
    assert in_bold(bench, 9) == ["BENCH LOW", "TB-302"]
    assert in_bold(bench, 13) == ["BENCH", "LOW", "TB-302"]
    assert len(in_bold([*bench[:2], ("TB-302", True)], 9)) == 3
    assert len(in_bold([*bench[:2], ("made of steel", True), ("TB-302", False)], 30)) == 4
    assert len(in_bold(bench[:2], 9)) == 2


def test_recognised_names_alone_go_on_where_others_have_one_line() -> None:
    captions = [["Oak stool"], ["Ash bench"], ["Elm table"], ["Mosquito spray", "repellent"], ["Iron hook"]]
    made = [tuple(line(text, 50, 100 + 12 * n) for n, text in enumerate(one)) for one in captions]
    assert [len(one) for one in with_whole_names(made, recognised=True)] == [1] * 5


def test_recognised_lines_under_most_names_are_no_ends_of_them() -> None:
    captions = [["Oak stool"], ["Ash bench", "with a back"], ["Elm table", "for six"], ["Iron hook", "for coats"]]
    made = [tuple(line(text, 50, 100 + 12 * n) for n, text in enumerate(one)) for one in captions]
    assert [len(one) for one in with_whole_names(made, recognised=True)] == [1, 2, 2, 2]
