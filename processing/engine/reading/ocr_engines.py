"""The OCR engines by name, each loaded once a process."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw

from processing.engine.reading.ocr_models import OcrModel, is_same
from processing.engine.reading.ocr_port import OcrEngine, OcrUnavailable
from processing.engine.reading.settings import OcrChoice


class _Kind(NamedTuple):
    """Where an engine's class is, and the package that it needs."""

    module: str
    name: str
    package: str


_KINDS = {
    "rapidocr": _Kind("processing.engine.reading.rapidocr_engine", "RapidOcrEngine", "rapidocr"),
    "paddleocr": _Kind("processing.engine.reading.paddleocr_engine", "PaddleOcrEngine", "paddleocr"),
}


def examine(choice: OcrChoice) -> None:
    """Looks whether the engines and their models are there, without loading them. Raises OcrUnavailable, also where
    both would read with the same model: it makes the same mistakes twice."""
    first = _examined(choice.engine, choice.models)
    if choice.second and is_same(first, second := _examined(choice.second, choice.models)):
        said = f"{choice.engine} reads with {first.name} and {choice.second} with {second.name}, the same model"
        raise OcrUnavailable("ocr_second_same", said)


def _examined(name: str, folder: str) -> OcrModel:
    """What the engine begins with."""
    if name not in _KINDS:
        raise OcrUnavailable("ocr_engine_unknown", f"{name!r} is none of {', '.join(_KINDS)}")
    if find_spec(_KINDS[name].package) is None:
        raise OcrUnavailable("ocr_package_missing", f"the package {_KINDS[name].package} is not installed")
    return _kind(name).models_in(_folder(folder))[""]


def _kind(name: str) -> type[OcrEngine]:
    engine: type[OcrEngine] = getattr(import_module(_KINDS[name].module), _KINDS[name].name)
    return engine


def _folder(path: str) -> Path | None:
    if path and not Path(path).is_dir():
        raise OcrUnavailable("ocr_models_missing", f"OCR_MODELS names no folder: {path}")
    return Path(path) if path else None


@cache
def engines(choice: OcrChoice) -> tuple[OcrEngine, OcrEngine | None]:
    """The engine that reads and the one that is asked besides. Raises OcrUnavailable."""
    examine(choice)
    made = [_kind(name)(_folder(choice.models)) for name in (choice.engine, choice.second) if name]
    return made[0], made[1] if choice.second else None


def load(choice: OcrChoice) -> None:
    """Loads the models (RapidOCR's about 1 s, 300 MB) so that processes forked from this one have them; repeated calls
    are free. Raises OcrUnavailable."""
    sample = Image.new("RGB", (320, 64), "white")
    ImageDraw.Draw(sample).text((10, 20), "warm 123", fill="black")
    for engine in filter(None, engines(choice)):
        for script in engine.models:
            engine.lines(np.asarray(sample), script)
