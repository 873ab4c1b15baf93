"""A page with hardly any text: further readers are asked until two see the same."""

from pathlib import Path
from typing import cast

import pytest

from processing.engine.reading.hiding import Shown
from processing.engine.reading.port import Document, Glyphs, PageSize
from processing.engine.reading.seen import Seen
from processing.engine.reading.settings import ReadingSettings
from processing.engine.reading.text_layer import TextLayer, read_text

SIZE = PageSize(595.0, 842.0, 0)
PICTURES = 0.6


class Sees:
    def __init__(self, reader: str, *words: str) -> None:
        self.reader, self.asked = reader, 0
        self._words = [
            Glyphs(word, (50.0 + 60 * n, 50.0, 100.0 + 60 * n, 62.0), 10.0, False, 0, False, 0)
            for n, word in enumerate(words)
        ]

    def words(self, number: int) -> list[Glyphs]:
        self.asked += 1
        return self._words

    def names_fonts(self, number: int) -> bool:
        return True


def read(*documents: Sees) -> tuple[TextLayer, list[str]]:
    fallbacks: list[str] = []
    shown = Shown(Seen.at(None, 1.0), [], Path())
    found = read_text(cast(list[Document], documents), 1, SIZE, PICTURES, shown, ReadingSettings(), fallbacks)
    return found, fallbacks


@pytest.mark.parametrize("order", [("2026", "春"), ("春", "2026")])
def test_where_two_readers_see_the_same_few_characters_no_third_is_asked(order: tuple[str, ...]) -> None:
    third = Sees("c", *["Cotton towel, white, 50 x 100 cm"] * 3)
    layer, fallbacks = read(Sees("a", "2026", "春"), Sees("b", *order), third)
    assert (layer.distrust, layer.reader, third.asked) == ("few_chars", "a", 0)
    assert fallbacks == ["a>b:few_chars"]


def test_where_they_differ_the_third_is_asked() -> None:
    third = Sees("c", "Cotton towel, white, 50 x 100 cm", "Cotton towel, grey, 70 x 140 cm", "Model TW-1")
    layer, fallbacks = read(Sees("a", "2026"), Sees("b", "2026", "春"), third)
    assert (layer.distrust, layer.reader) == ("", "c")
    assert fallbacks == ["a>b:few_chars", "b>c:few_chars"]
