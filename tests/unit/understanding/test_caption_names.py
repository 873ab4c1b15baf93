"""Names of captions that go on in a second line."""

import pytest

from processing.engine.understanding.captions.names import with_whole_names
from tests.unit.understanding.pages import line

SHORT = [("AB-1", 7), ("Wooden bowl", 10), ("12 cm", 8)]


def names(caption: list[tuple[str, float]], others: int = 3) -> list[str]:
    """Lines of a caption in these sizes, beside others with short names."""
    captions = [tuple(line(text, 50, 100 + 13 * n, size) for n, (text, size) in enumerate(lines))
                for lines in (caption, *[SHORT] * others)]  # fmt: skip
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
