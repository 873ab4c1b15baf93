"""Labelled lines right under one title."""

from processing.engine.result import DocumentFacts
from processing.engine.understanding.lists.told_facts import title_and_lines
from processing.engine.understanding.view import PageView
from tests.unit.understanding.pages import BY_RULES, line, page

TOLD = [line(text, 60, 140 + 22 * n, 16) for n, text in enumerate(("Material: Brass", "Size: 20 cm", "Color: Red"))]


def test_labelled_lines_are_told_of_the_one_line_that_they_follow() -> None:
    for heads, found in (([line("Garden valve", 60, 116, 18)], True), ([], False),
                         ([line("Garden valve", 60, 116, 18), line("For any hose", 62, 116, 18)], False)):  # fmt: skip
        view = PageView(page(*heads, *TOLD), (), DocumentFacts(), BY_RULES)
        assert (title_and_lines(view) is not None) == found
