"""Models that read print, which scripts they know, and a folder of them as their makers publish them.

For RapidOCR a model is one file, ``NAME.onnx``, with its characters inside; for PaddleOCR it is a folder, ``NAME/``,
with ``inference.onnx`` and ``inference.yml``, and one more that finds lines. Both may lie side by side.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from processing.engine.reading.script import scripts_of


class OcrModel(NamedTuple):
    """``scripts``: whose signs it knows; ``path``: its file or folder, None where it comes with the engine."""

    name: str
    scripts: frozenset[str]
    path: Path | None = None
    signs: int = 0


def is_same(model: OcrModel, other: OcrModel) -> bool:
    """Whether it is one model, that is called PP-OCRv6_small here and PP-OCRv6_small_rec there."""
    words, others = (set(named.name.split("_")) - {"rec"} for named in (model, other))
    return words == others


class PaddleModels(NamedTuple):
    """``detection``: name and folder of what finds lines, None where there is none."""

    detection: OcrModel | None
    recognition: tuple[OcrModel, ...]


# What comes with RapidOCR's package, found without any network. The dictionary of PP-OCRv6 has Han (simplified,
# traditional and Japanese forms), kana, Latin and Greek, but no Hangul.
PP_OCRV6 = OcrModel("PP-OCRv6_small", frozenset({"han", "kana", "latin"}), signs=18708)


def by_script(first: OcrModel, models: Sequence[OcrModel]) -> dict[str, OcrModel]:
    """The model to begin with under "", and for each script that it does not know the first one that does."""
    chosen = {"": first}
    for model in models:
        for script in sorted(model.scripts - first.scripts):
            chosen.setdefault(script, model)
    return chosen


def onnx_models(folder: Path) -> list[OcrModel]:
    """Files of that folder that read print, by name; others are left alone. Raises ImportError without onnxruntime."""
    import onnxruntime

    models = []
    for file in sorted(folder.glob("*.onnx")):
        held = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"]).get_modelmeta()
        if signs := held.custom_metadata_map.get("character", "").splitlines():
            models.append(OcrModel(file.stem, scripts_of(signs), file, len(signs)))
    return models


class _Named(msgspec.Struct, frozen=True):
    model_name: str


class _After(msgspec.Struct, frozen=True):
    name: str
    character_dict: tuple[str | int, ...] = ()


class _Description(msgspec.Struct, frozen=True):
    """Of an ``inference.yml``, what is needed here."""

    named: _Named = msgspec.field(name="Global")
    after: _After = msgspec.field(name="PostProcess")


def paddle_models(folder: Path) -> PaddleModels:
    """The models in that folder's folders, those that know most signs first. Raises ValueError where one is described
    wrongly."""
    detection, recognition = None, []
    for described in sorted(folder.glob("*/inference.yml")):
        if not described.with_suffix(".onnx").is_file():
            continue
        try:
            description = msgspec.yaml.decode(described.read_bytes(), type=_Description)
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            raise ValueError(f"{described}: {error}") from None
        signs = tuple(map(str, description.after.character_dict))
        model = OcrModel(description.named.model_name, scripts_of(signs), described.parent, len(signs))
        if signs:
            recognition.append(model)
        elif detection is None and description.after.name == "DBPostProcess":
            detection = model
    return PaddleModels(detection, tuple(sorted(recognition, key=lambda model: -model.signs)))
