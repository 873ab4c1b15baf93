"""Pictures that lie over one another at one place of a page."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from processing.engine.page import Picture
from processing.engine.reading.covered import without_covered
from processing.engine.reading.seen import Seen

BOX = (20.0, 20.0, 120.0, 100.0)


def pattern(seed: int) -> np.ndarray:
    """A photo of coarse fields of grey."""
    fields = np.random.default_rng(seed).integers(0, 256, (8, 10)).astype(np.uint8)
    return np.kron(fields, np.ones((20, 20), np.uint8))


@pytest.fixture
def shown(tmp_path: Path):
    """The names of the pictures kept on a page that shows the last pattern in ``BOX``."""

    def kept(*pictures: tuple[int, tuple[float, float, float, float]], page: int, drawn: bool = False) -> list[str]:
        grey = np.full((300, 400), 255, np.uint8)
        grey[40:200, 40:240] = pattern(page)
        made = []
        for n, (seed, box) in enumerate(pictures):
            Image.fromarray(pattern(seed)).save(tmp_path / f"{n}.png")
            made.append(Picture(f"P{n}", box, 200, 160, file=f"{n}.png", drawn=drawn))
        return [picture.id for picture in without_covered(made, Seen.at(grey, 2.0), tmp_path)]

    return kept


def test_what_the_page_shows_is_kept(shown) -> None:
    near = (21.0, 20.0, 121.0, 100.0)
    assert shown((1, near), (2, BOX), (3, BOX), page=2) == ["P1"]


def test_pictures_beside_each_other_are_kept(shown) -> None:
    assert shown((1, (130.0, 20.0, 190.0, 100.0)), (2, BOX), page=2) == ["P0", "P1"]


def test_a_picture_on_a_larger_one_is_kept(shown) -> None:
    assert shown((1, (40.0, 40.0, 100.0, 90.0)), (2, BOX), page=2) == ["P0", "P1"]


def test_all_are_kept_where_the_page_shows_none_of_them(shown) -> None:
    assert shown((1, BOX), (2, BOX), page=3) == ["P0", "P1"]


def test_what_was_drawn_from_the_page_is_kept(shown) -> None:
    assert shown((1, BOX), (2, BOX), page=2, drawn=True) == ["P0", "P1"]
