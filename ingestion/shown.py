"""Tiles as they were last shown, kept in this process: put into words once a version and language, shown to many."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence

from django.utils.translation import get_language

from ingestion.models import Page
from ingestion.presentation import Tile, tile

KEPT = 16_000  # eight documents of 2000 pages; about 1.5 kB each

Key = tuple[int, str | None]


class Tiles:
    """By page and language; one is good for as long as its page has the version that it shows."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._tiles: OrderedDict[Key, Tile] = OrderedDict()
        self._lock = threading.Lock()

    def of(
        self, job_uuid: object, asked: Sequence[tuple[int, int]], read: Callable[[list[int]], Iterable[Page]]
    ) -> list[Tile]:
        """The tiles of ``asked`` (page id, version) in that order; ``read`` gives the pages that have to be made anew.

        A page that is gone by then is left out; one that has changed meanwhile is shown as it is now.
        """
        language = get_language()
        found = self._known(asked, language)
        missing = [pk for pk, _ in asked if pk not in found]
        made = {page.pk: tile(page, job_uuid) for page in read(missing)} if missing else {}
        with self._lock:
            self._tiles.update({(pk, language): one for pk, one in made.items()})
            while len(self._tiles) > self._kept:
                self._tiles.popitem(last=False)
        found |= made
        return [found[pk] for pk, _ in asked if pk in found]

    def _known(self, asked: Sequence[tuple[int, int]], language: str | None) -> dict[int, Tile]:
        found = {}
        with self._lock:
            for pk, version in asked:
                one = self._tiles.get((pk, language))
                if one is not None and one.v == version:
                    self._tiles.move_to_end((pk, language))
                    found[pk] = one
        return found


tiles = Tiles().of
