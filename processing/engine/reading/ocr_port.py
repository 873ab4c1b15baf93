"""The port of OCR engines: what finds and reads lines of print in an image, whichever engine it is.

Images are RGB, uint8, (height, width, 3); places are pixels from their top-left. An engine serves one thread and never
asks a network for anything.
"""

from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from catalogsku.core.box import Box
from processing.engine.reading.ocr_models import OcrModel

Pixels = NDArray[np.uint8]
Corner = tuple[float, float]


class OcrUnavailable(ImportError):
    """The engine cannot be loaded. ``code``: ocr_engine_unknown, ocr_package_missing, ocr_models_missing,
    ocr_models_unsound or ocr_second_same."""

    def __init__(self, code: str, said: str) -> None:
        super().__init__(f"{code}: {said}")
        self.code = code


class PlacedChar(NamedTuple):
    """A character and where it begins and ends along its line, in pixels; ``score`` 0 to 1."""

    text: str
    start: float
    end: float
    score: float = 1.0


class RecognisedLine(NamedTuple):
    """A line of text in the pixels of the image as it was read; ``score`` 0 to 1. ``chars``: its characters without
    spaces, none where their places are not known. ``size`` of its type in pixels, 0 where not measured. ``corners``:
    the four of it as found, clockwise from where it begins; none where it was not found by an engine."""

    text: str
    box: Box
    score: float
    chars: tuple[PlacedChar, ...] = ()
    size: float = 0.0
    corners: tuple[Corner, ...] = ()


class LineText(NamedTuple):
    """What a single line says; ``score`` 0 to 1. Empty where nothing is read."""

    text: str
    score: float


class OcrEngine(Protocol):
    """``name`` as in the settings; ``models``: what it reads with, by script, "" for the one that it begins with."""

    name: str
    models: dict[str, OcrModel]

    def __init__(self, folder: Path | None = None) -> None:
        """Loads the models of the package and of that folder. Raises ImportError, OcrUnavailable."""
        ...

    @staticmethod
    def models_in(folder: Path | None) -> dict[str, OcrModel]:
        """What it would read with, without loading it. Raises OcrUnavailable."""
        ...

    def lines(self, pixels: Pixels, script: str = "") -> list[RecognisedLine]:
        """The lines of print, read with the model for that script; none on a blank image. What is no print, or lies on
        its head, may be among them with a low score."""
        ...

    def line(self, pixels: Pixels, script: str = "") -> LineText:
        """What an image of one line says."""
        ...

    def heights(self, pixels: Pixels) -> list[float]:
        """Of the lines of print, with the margin that they are found with, without reading them."""
        ...


def blue_first(pixels: Pixels) -> Pixels:
    """As both engines take colours."""
    return np.ascontiguousarray(pixels[:, :, ::-1])
