"""RapidOCR behind the port, with the PP-OCR models of its package and such files as a folder holds besides."""

from pathlib import Path
from typing import Any

from processing.engine.reading.ocr_models import PP_OCRV6, OcrModel, by_script, onnx_models
from processing.engine.reading.ocr_port import LineText, Pixels, PlacedChar, RecognisedLine, blue_first

# The engine would make larger images smaller by itself. use_cls flips upright lines (measured: 4 to 9 % wrong
# characters with it, 0.1 % without).
PARAMETERS = {
    "Global.use_cls": False,
    "Global.max_side_len": 4000,
    "Global.return_word_box": True,
    "Global.return_single_char_box": True,
    "Rec.rec_batch_num": 1,
    "Global.log_level": "error",
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,
    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
}


class RapidOcrEngine:
    """Its models are loaded at the first use of each."""

    name = "rapidocr"

    def __init__(self, folder: Path | None = None) -> None:
        from rapidocr import RapidOCR

        self.models = self.models_in(folder)
        self._engines: dict[str, Any] = {
            script: RapidOCR(params=PARAMETERS | ({"Rec.model_path": str(model.path)} if model.path else {}))
            for script, model in self.models.items()
        }

    @staticmethod
    def models_in(folder: Path | None) -> dict[str, OcrModel]:
        return by_script(PP_OCRV6, onnx_models(folder) if folder else ())

    def lines(self, pixels: Pixels, script: str = "") -> list[RecognisedLine]:
        result = self._engines[script](blue_first(pixels), use_det=True, use_rec=True)
        if result.boxes is None or result.txts is None:
            return []
        places = result.word_results or [()] * len(result.txts)
        lines = []
        for corners, text, score, chars in zip(result.boxes, result.txts, result.scores, places, strict=True):
            xs, ys = corners[:, 0], corners[:, 1]
            box = (float(xs.min()), float(ys.min()), float(xs.max()), float(ys.max()))
            if text.strip():
                at = tuple((float(x), float(y)) for x, y in corners)
                lines.append(RecognisedLine(text.strip(), box, float(score), _placed(text, chars), 0.0, at))
        return lines

    def line(self, pixels: Pixels, script: str = "") -> LineText:
        result = self._engines[script](blue_first(pixels), use_det=False, use_rec=True)
        return LineText(result.txts[0].strip(), float(result.scores[0])) if result.txts else LineText("", 0.0)

    def heights(self, pixels: Pixels) -> list[float]:
        boxes = self._engines[""](blue_first(pixels), use_det=True, use_rec=False).boxes
        return [] if boxes is None else [float(box[:, 1].max() - box[:, 1].min()) for box in boxes]


def _placed(text: str, chars: Any) -> tuple[PlacedChar, ...]:
    """Where each character stands; nothing where the engine places others than it reads."""
    placed = [
        PlacedChar(char, float(min(x for x, _ in box)), float(max(x for x, _ in box)), float(score))
        for char, score, box in chars
        if not char.isspace()
    ]
    return tuple(placed) if [c.text for c in placed] == list("".join(text.split())) else ()
