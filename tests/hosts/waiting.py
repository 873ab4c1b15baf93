"""A reader that only waits, for documents called so; all others are read as ever. Loaded by the sandbox's fork servers.

How many machines take how much longer for it than one says what the work around reading costs, without the cores that
machines in namespaces of one machine have to share.
"""

import time
from collections.abc import Sequence
from pathlib import Path

import pymupdf
from PIL import Image

from catalogsku.core.box import Box
from processing.engine.reading import readers
from processing.engine.reading.port import Drawings, Glyphs, PlacedPicture
from processing.engine.reading.pymupdf_reader import PyMuPdfDocument, PyMuPdfReader

TITLE = "a page that takes its time"
PAGE_S = 1.0
PAGE_PT = (300, 400)


class WaitingReader(PyMuPdfReader):
    def open(self, path: Path, password: str = "") -> PyMuPdfDocument:
        document = super().open(path, password)
        if document._document.metadata.get("title") == TITLE:
            document.__class__ = Waiting
        return document


class Waiting(PyMuPdfDocument):
    def words(self, number: int) -> list[Glyphs]:
        time.sleep(PAGE_S)
        return [Glyphs("thoughts", (40, 40, 90, 52), 12, False, 0, False, 0)]

    def drawings(self, number: int) -> Drawings:
        return Drawings((), (), 0)

    def pictures(self, number: int) -> list[PlacedPicture]:
        return []

    def render(self, number: int, px_per_pt: float, clip: Box | None = None) -> Image.Image:
        return Image.new("RGB", (30, 40), "white")


def make_waiting(path: Path, pages: int) -> None:
    """Called so; its pages say something that is the file's own, as readings of a file are kept for the next time."""
    book = pymupdf.open()
    for number in range(pages):
        book.new_page(width=PAGE_PT[0], height=PAGE_PT[1]).insert_text((40, 50), f"thoughts {number} {path.stem}")
    book.set_metadata({"title": TITLE})
    book.save(path)


_places: dict[str, Sequence[str]] = readers._READERS  # type: ignore[assignment]
_places["pymupdf"] = (__name__, WaitingReader.__name__)
