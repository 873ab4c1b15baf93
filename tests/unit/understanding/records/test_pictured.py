"""Pictures go to the records on whose side most of them stand."""

import pytest

from catalogsku.core.box import Box
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.records.pictured import with_pictures
from tests.unit.understanding.pages import page, picture
from tests.unit.understanding.records.views import view

TEXTS = [(200.0, 100.0 + 150 * n, 300.0, 160.0 + 150 * n) for n in range(4)]
OFF = {"above": (0, -70), "below": (0, 70), "left": (-110, 0), "right": (110, 0), "inside": (10, 5)}


def shifted(text: Box, side: str) -> Box:
    """A picture as large as the text, on its side; a smaller one inside it."""
    x, y = OFF[side]
    right, bottom = (text[0] + 60, text[1] + 40) if side == "inside" else (text[2] + x, text[3] + y)
    return (text[0] + x, text[1] + y, right, bottom)


def pictured(texts: list[Box], *boxes: Box) -> list[Box | None]:
    drafts = [Draft(box=text, anchor=text, attributes={}) for text in texts]
    pictures = [picture(f"P{n}", box) for n, box in enumerate(boxes)]
    return [draft.picture for draft in with_pictures(drafts, view(page(pictures=pictures)))]


@pytest.mark.parametrize("side", OFF)
def test_each_record_has_the_picture_on_its_side(side: str) -> None:
    boxes = [shifted(text, side) for text in TEXTS]
    assert pictured(TEXTS, *boxes) == boxes


def test_the_side_on_which_most_have_theirs_holds_for_all() -> None:
    """The first has one on either side."""
    texts = [(200.0, 100.0 + 200 * n, 300.0, 160.0 + 200 * n) for n in range(3)]
    below, above = ([shifted(text, side) for text in texts] for side in ("below", "above"))
    assert pictured(texts, above[0], *below) == below
    assert pictured(texts, *above, below[0]) == above


def test_of_two_sides_with_as_many_the_nearer_one_holds() -> None:
    """Each picture stands between two texts, ten points below the upper one, twenty above the lower one."""
    below = [shifted(text, "below") for text in TEXTS]
    assert pictured(TEXTS, shifted(TEXTS[0], "above"), *below) == below


def test_a_record_without_a_picture_on_the_common_side_has_none() -> None:
    boxes = [shifted(text, "left") for text in TEXTS[:3]]
    assert pictured(TEXTS, *boxes, shifted(TEXTS[3], "right")) == [*boxes, None]


def test_pictures_of_few_records_of_many_are_left_to_others() -> None:
    texts = [*TEXTS, (400.0, 100.0, 500.0, 160.0)]
    others = [(10.0, 700.0 + 3 * n, 90.0, 760.0 + 3 * n) for n in range(5)]
    assert pictured(texts, shifted(TEXTS[0], "left"), *others) == [None] * 5


def test_a_picture_far_off_belongs_to_none() -> None:
    assert pictured(TEXTS[:1], (200.0, 600.0, 300.0, 660.0)) == [None]


def test_no_pictures_no_change() -> None:
    assert pictured(TEXTS) == [None] * 4
