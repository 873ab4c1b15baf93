"""Renderings of the worst pages of golden files, to be looked at beside their figures."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from processing.engine.page import ParsedPage
from processing.engine.quality.report import WORST_PAGES, FileMeasure


@dataclass(frozen=True)
class PagePicture:
    """The rendering of a page in ``Gallery.folder``; its size in points."""

    path: Path
    width_pt: float
    height_pt: float


@dataclass(frozen=True)
class Gallery:
    """Renderings of the worst pages of every file, made by the sandboxed reading; by file name and page number."""

    folder: Path
    pages: dict[tuple[str, int], PagePicture] = field(default_factory=dict)

    def hang(self, measured: FileMeasure, parsed: Mapping[int, ParsedPage], made: Path) -> None:
        """The pages with the largest loss; the reading child has made their renderings in the folder ``made``."""
        lossy = sorted((page for page in measured.pages if page.loss), key=lambda page: -page.loss)
        for page in lossy[:WORST_PAGES]:
            read = parsed.get(page.page_number)
            rendering = made / read.preview if read and read.preview else None
            if read and rendering and rendering.is_file():
                picture = self.folder / f"{len(self.pages)}.jpg"
                shutil.move(rendering, picture)
                self.pages[measured.name, page.page_number] = PagePicture(picture, read.width_pt, read.height_pt)
