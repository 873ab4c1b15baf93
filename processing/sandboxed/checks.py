"""What `manage.py check` says of the settings of OCR, before a fork server fails over them."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

HINTS = {
    "ocr_engine_unknown": "OCR_ENGINE and OCR_SECOND are rapidocr or paddleocr.",
    "ocr_package_missing": "RapidOCR comes with every installation, PaddleOCR with `make ocr-paddle`.",
    "ocr_models_missing": "`manage.py ocr_models FOLDER` fills one; docs/deployment.md says what may lie in it.",
    "ocr_models_unsound": "`manage.py ocr_models FOLDER --list` says what is seen in it.",
    "ocr_second_same": "A second opinion needs another model: `manage.py ocr_models FOLDER`.",
}


@register()
def check_ocr(app_configs: Any, **options: Any) -> list[CheckMessage]:
    from processing.engine.reading.ocr_engines import examine
    from processing.engine.reading.ocr_port import OcrUnavailable
    from processing.sandboxed.frozen import ocr_choice

    if not settings.SANDBOX_OCR:
        return []
    if not 0.0 <= settings.OCR_SECOND_BELOW <= 1.0:
        return [Error("OCR_SECOND_BELOW is a score from 0 to 1.", id="catalogsku.E005")]
    try:
        examine(ocr_choice())
    except OcrUnavailable as error:
        return [Error(str(error), hint=HINTS[error.code], id="catalogsku.E004")]
    return []
