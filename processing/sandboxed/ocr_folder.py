"""A folder of models for PaddleOCR (OCR_MODELS), filled from packages that carry such models; no network is asked.

The files are those that PaddleOCR itself publishes for each model: ``inference.onnx``, and ``inference.yml`` that says
how an image is prepared for it, what is made of its answer, and which characters it knows.
"""

import json
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from processing.engine.reading.ocr_models import OcrModel, onnx_models, paddle_models


class NoSuchModels(Exception):
    """The package that carries them is not installed, or carries others."""


class Source(NamedTuple):
    """``finds`` and ``reads``: files of the package's folder ``models``, and the names of the models in them."""

    package: str
    finds: tuple[str, str]
    reads: tuple[str, str]


SOURCES = {
    "PP-OCRv4": Source(
        "rapidocr_onnxruntime",
        ("ch_PP-OCRv4_det_infer.onnx", "PP-OCRv4_mobile_det"),
        ("ch_PP-OCRv4_rec_infer.onnx", "PP-OCRv4_mobile_rec"),
    ),
    "PP-OCRv6": Source(
        "rapidocr",
        ("PP-OCRv6_det_small.onnx", "PP-OCRv6_small_det"),
        ("PP-OCRv6_rec_small.onnx", "PP-OCRv6_small_rec"),
    ),
}
_DECODED = {"DecodeImage": {"channel_first": False, "img_mode": "BGR"}}
# Of ImageNet's pictures, with which these models were trained.
_NORMAL = {"mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225], "scale": "1./255.", "order": "hwc"}


def fill(folder: Path, version: str) -> list[str]:
    """Puts the models of that version there and says their names; the same again changes nothing. Raises
    NoSuchModels."""
    source = SOURCES[version]
    spec = find_spec(source.package)
    if spec is None or spec.origin is None:
        raise NoSuchModels(f"{source.package}, which carries {version}, is not installed")
    models = Path(spec.origin).parent / "models"
    signs = [model for model in onnx_models(models) if model.path == models / source.reads[0]]
    if not signs or not (models / source.finds[0]).is_file():
        raise NoSuchModels(f"{models} does not hold {source.finds[0]} and {source.reads[0]}")
    _put(folder, models / source.finds[0], _finder(source.finds[1]))
    _put(folder, models / source.reads[0], _reader(source.reads[1], _characters(models / source.reads[0])))
    return [source.finds[1], source.reads[1]]


def listed(folder: Path) -> dict[str, list[OcrModel]]:
    """What each engine sees there. Raises ValueError where a model is described wrongly."""
    seen = paddle_models(folder)
    return {"rapidocr": onnx_models(folder), "paddleocr": [*filter(None, [seen.detection]), *seen.recognition]}


def _put(folder: Path, model: Path, described: dict[str, Any]) -> None:
    place = folder / described["Global"]["model_name"]
    place.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(model, place / "inference.onnx")
    (place / "inference.yml").write_text(json.dumps(described, ensure_ascii=False, indent=1))  # JSON is YAML too


def _characters(model: Path) -> list[str]:
    import onnxruntime

    held = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"]).get_modelmeta()
    return list(held.custom_metadata_map["character"].splitlines())


def _finder(name: str) -> dict[str, Any]:
    steps = [_DECODED, {"DetResizeForTest": {"resize_long": 960}}, {"NormalizeImage": _NORMAL}, {"ToCHWImage": None}]
    after = {"name": "DBPostProcess", "thresh": 0.3, "box_thresh": 0.6, "max_candidates": 1000, "unclip_ratio": 1.5}
    return {"Global": {"model_name": name}, "PreProcess": {"transform_ops": steps}, "PostProcess": after}


def _reader(name: str, characters: list[str]) -> dict[str, Any]:
    steps = [_DECODED, {"RecResizeImg": {"image_shape": [3, 48, 320]}}]
    after = {"name": "CTCLabelDecode", "character_dict": characters}
    return {"Global": {"model_name": name}, "PreProcess": {"transform_ops": steps}, "PostProcess": after}
