"""Tiles are made once a page version and language, and never shown older than their page."""

import uuid
from collections.abc import Iterable

import pytest
from django.utils import translation

from ingestion.models import Page
from ingestion.shown import Tiles

JOB = uuid.uuid4()


class Stored:
    """Pages as they are by now; what was read of them."""

    def __init__(self, *pks: int) -> None:
        self.pages = {pk: Page(pk=pk, number=pk, version=1, status="PENDING") for pk in pks}
        self.read: list[list[int]] = []

    def asked(self) -> list[tuple[int, int]]:
        return [(page.pk, page.version) for page in self.pages.values()]

    def __call__(self, ids: list[int]) -> Iterable[Page]:
        self.read.append(ids)
        return [self.pages[pk] for pk in ids if pk in self.pages]


@pytest.mark.req("X-SEQ")
def test_only_what_changed_is_read_again() -> None:
    tiles, stored = Tiles(), Stored(1, 2, 3)
    tiles.of(JOB, stored.asked(), stored)
    stored.pages[2].version, stored.pages[2].status = 2, "BLANK"
    found = tiles.of(JOB, stored.asked(), stored)
    assert stored.read == [[1, 2, 3], [2]]
    assert [(tile.id, tile.v, tile.state) for tile in found] == [(1, 1, "PENDING"), (2, 2, "BLANK"), (3, 1, "PENDING")]


def test_a_page_that_changes_or_goes_meanwhile_is_shown_as_it_is() -> None:
    tiles, stored = Tiles(), Stored(1, 2)
    asked = stored.asked()
    stored.pages[1].version = 5
    del stored.pages[2]
    assert [tile.v for tile in tiles.of(JOB, asked, stored)] == [5]
    assert [tile.v for tile in tiles.of(JOB, [(1, 5)], stored)] == [5]
    assert len(stored.read) == 1


def test_each_language_has_its_own_words() -> None:
    tiles, stored = Tiles(), Stored(1)
    words = []
    for language in ("en", "zh-hans", "en"):
        with translation.override(language):
            words.append(tiles.of(JOB, stored.asked(), stored)[0].word)
    assert words[0] == words[2] != words[1]
    assert len(stored.read) == 2


def test_what_was_not_shown_for_longest_is_forgotten_first() -> None:
    tiles, stored = Tiles(most=2), Stored(1, 2, 3)
    for pk in (1, 2, 1, 3):  # 2 goes when 3 comes
        tiles.of(JOB, [(pk, 1)], stored)
    tiles.of(JOB, [(1, 1)], stored)
    tiles.of(JOB, [(2, 1)], stored)
    assert stored.read == [[1], [2], [3], [2]]
