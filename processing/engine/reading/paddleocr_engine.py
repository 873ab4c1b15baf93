"""PaddleOCR behind the port: the parts of its package that find and read lines, run by onnxruntime, with the models of
a folder and no other. Without a folder of a model it would ask a hub for it; none is left out here."""

import os
from itertools import pairwise
from pathlib import Path
from typing import Any

from processing.engine.reading.line_cut import cut, stands
from processing.engine.reading.ocr_models import OcrModel, by_script, paddle_models
from processing.engine.reading.ocr_port import (
    Corner,
    LineText,
    OcrUnavailable,
    Pixels,
    PlacedChar,
    RecognisedLine,
    blue_first,
)

# Without an arena, which keeps for good what the largest page took; RapidOCR has none either.
_SESSION = {"intra_op_num_threads": 1, "inter_op_num_threads": 1, "enable_cpu_mem_arena": False}
_RUN_BY = {"engine": "onnxruntime", "engine_config": _SESSION}
# As its own pipeline has them: the image is taken as it is, up to the 4000 pixels that pages are never drawn beyond.
_FINDING = {"limit_side_len": 64, "limit_type": "min", "thresh": 0.3, "box_thresh": 0.6, "unclip_ratio": 1.5}


class PaddleOcrEngine:
    name = "paddleocr"

    def __init__(self, folder: Path | None = None) -> None:
        detection, models = _models(folder)
        os.environ.setdefault("PADDLE_PDX_DISABLE_MODEL_SOURCE_CHECK", "True")
        from paddleocr import TextDetection, TextRecognition

        self.models = by_script(models[0], models)
        self._finder = TextDetection(**_named(detection), **_FINDING, **_RUN_BY)
        readers = {model.name: TextRecognition(**_named(model), **_RUN_BY) for model in self.models.values()}
        self._readers = {script: readers[model.name] for script, model in self.models.items()}

    @staticmethod
    def models_in(folder: Path | None) -> dict[str, OcrModel]:
        _, models = _models(folder)
        return by_script(models[0], models)

    def lines(self, pixels: Pixels, script: str = "") -> list[RecognisedLine]:
        image = blue_first(pixels)
        regions = [(corners, part) for corners in self._polygons(image) if (part := cut(image, corners)).size]
        if not regions:
            return []
        read = self._readers[script].predict([part for _, part in regions], batch_size=1, return_word_box=True)
        lines = (_line(corners, result) for (corners, _), result in zip(regions, read, strict=True))
        return [line for line in lines if line.text]

    def line(self, pixels: Pixels, script: str = "") -> LineText:
        (read,) = self._readers[script].predict(blue_first(pixels), batch_size=1)
        return LineText(read["rec_text"].strip(), float(read["rec_score"]))

    def heights(self, pixels: Pixels) -> list[float]:
        return [
            max(y for _, y in corners) - min(y for _, y in corners) for corners in self._polygons(blue_first(pixels))
        ]

    def _polygons(self, image: Pixels) -> list[list[Corner]]:
        """From top to bottom."""
        (result,) = self._finder.predict(image, batch_size=1)
        polygons = [[(float(x), float(y)) for x, y in polygon] for polygon in result["dt_polys"]]
        return sorted(polygons, key=lambda corners: (corners[0][1], corners[0][0]))


def _models(folder: Path | None) -> tuple[OcrModel, tuple[OcrModel, ...]]:
    """Raises OcrUnavailable without one that finds and one that reads lines."""
    if folder is None:
        raise OcrUnavailable("ocr_models_missing", "PaddleOCR needs a folder of models, OCR_MODELS")
    try:
        detection, recognition = paddle_models(folder)
    except ValueError as error:
        raise OcrUnavailable("ocr_models_unsound", str(error)) from None
    if detection is None or not recognition:
        kind = "finds" if detection is None else "reads"
        said = f"no folder in {folder} holds inference.onnx and inference.yml of a model that {kind} lines"
        raise OcrUnavailable("ocr_models_missing", said)
    return detection, recognition


def _named(model: OcrModel) -> dict[str, str]:
    return {"model_name": model.name, "model_dir": str(model.path)}


def _line(corners: list[Corner], read: Any) -> RecognisedLine:
    text, (columns, _, places, _) = read["rec_text"]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    box = (min(xs), min(ys), max(xs), max(ys))
    score = float(read["rec_score"])
    wide, high = box[2] - box[0], box[3] - box[1]
    middles = [box[0] + (place + 0.5) * wide / columns for word in places for place in word] if columns else []
    chars = () if stands(wide, high) or len(middles) != len(text) else _placed(text, middles, high, score)
    return RecognisedLine(text.strip(), box, score, chars, 0.0, tuple(corners))


def _placed(text: str, middles: list[float], high: float, score: float) -> tuple[PlacedChar, ...]:
    """Each character reaches half-way to its neighbours, but no further than one as wide as the line is high. It has
    the score of its line: the engine tells no other."""
    steps = [high, *(b - a for a, b in pairwise(middles)), high]
    return tuple(
        PlacedChar(char, middle - min(before, high) / 2, middle + min(after, high) / 2, score)
        for char, middle, before, after in zip(text, middles, steps, steps[1:], strict=False)
        if not char.isspace()
    )
