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

    def __init__(self, most: int = KEPT) -> None:
        self._most = most
        self._tiles: OrderedDict[Key, Tile] = OrderedDict()
        self._lock = threading.Lock()

    def of(
        self,
        job_uuid: object,
        versions: Sequence[tuple[int, int]],
        read: Callable[[list[int]], Iterable[Page]],
        *,
        by_pages: bool = True,
    ) -> list[Tile]:
        """The tiles of ``versions`` (page id, version) in that order; ``read`` gives the pages to be made anew;
        ``by_pages``: of the document's kind (ingestion.kinds).

        A page that is gone by then is left out; one that has changed meanwhile is shown as it is now.
        """
        language = get_language()
        by_id = self._known(versions, language)
        missing = [pk for pk, _ in versions if pk not in by_id]
        made = {page.pk: tile(page, job_uuid, by_pages=by_pages) for page in read(missing)} if missing else {}
        with self._lock:
            self._tiles.update({(pk, language): shown_tile for pk, shown_tile in made.items()})
            while len(self._tiles) > self._most:
                self._tiles.popitem(last=False)
        by_id |= made
        return [by_id[pk] for pk, _ in versions if pk in by_id]

    def _known(self, versions: Sequence[tuple[int, int]], language: str | None) -> dict[int, Tile]:
        by_id = {}
        with self._lock:
            for pk, version in versions:
                shown_tile = self._tiles.get((pk, language))
                if shown_tile is not None and shown_tile.v == version:
                    self._tiles.move_to_end((pk, language))
                    by_id[pk] = shown_tile
        return by_id


tiles = Tiles().of
