"""The settings of OCR: what reading is told, what a check says of them, and the folder that a command fills."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from processing.engine.reading.ocr_engines import engines
from processing.engine.reading.settings import OcrChoice
from processing.sandboxed import checks, frozen, ocr_folder

pytestmark = pytest.mark.req("TA-OCR")


@pytest.fixture(autouse=True)
def looked_at_anew():
    frozen._sizes.cache_clear()


def said(settings):
    return [(error.id, error.msg.split(":")[0]) for error in checks.check_ocr(None)]


def test_the_usual_settings_are_sound(settings):
    assert said(settings) == [] and frozen.reading_settings().ocr_by == OcrChoice()


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({"OCR_ENGINE": "tesseract"}, [("catalogsku.E004", "ocr_engine_unknown")]),
        ({"OCR_SECOND": "tesseract"}, [("catalogsku.E004", "ocr_engine_unknown")]),
        ({"OCR_ENGINE": "tesseract", "SANDBOX_OCR": False}, []),
        ({"OCR_MODELS": "/nowhere"}, [("catalogsku.E004", "ocr_models_missing")]),
        ({"OCR_SECOND": "rapidocr"}, [("catalogsku.E004", "ocr_second_same")]),
        ({"OCR_SECOND_BELOW": 90.0}, [("catalogsku.E005", "OCR_SECOND_BELOW is a score from 0 to 1.")]),
    ],
)
def test_a_check_names_what_is_wrong(settings, changed, found):
    for name, value in changed.items():
        setattr(settings, name, value)
    assert said(settings) == found
    assert all(error.hint for error in checks.check_ocr(None) if error.id == "catalogsku.E004")


def test_a_package_that_is_missing_is_named(settings, monkeypatch):
    monkeypatch.setattr("processing.engine.reading.ocr_engines.find_spec", lambda name: None)
    assert said(settings) == [("catalogsku.E004", "ocr_package_missing")]


def test_pages_are_read_anew_with_other_engines_and_other_models(settings, tmp_path):
    keys = [frozen.reading_key()]
    for name, value in (("OCR_SECOND", "paddleocr"), ("OCR_SECOND_BELOW", 0.8), ("OCR_MODELS", str(tmp_path))):
        setattr(settings, name, value)
        keys.append(frozen.reading_key())
    (tmp_path / "korean.onnx").write_bytes(b"12")
    frozen._sizes.cache_clear()
    keys.append(frozen.reading_key())
    assert len(set(keys)) == 5


class TestFolder:
    def test_holds_what_paddleocr_reads(self, tmp_path):
        pytest.importorskip("rapidocr")
        out = StringIO()
        call_command("ocr_models", tmp_path, kind="PP-OCRv6", stdout=out)
        assert out.getvalue().split() == [
            f"{tmp_path}:",
            "PP-OCRv6_small_det,",
            "PP-OCRv6_small_rec",
            "paddleocr",
            "PP-OCRv6_small_det",
            "finds",
            "lines",
            "paddleocr",
            "PP-OCRv6_small_rec",
            "han,",
            "kana,",
            "latin",
        ]
        written = {str(file.relative_to(tmp_path)): file.read_bytes() for file in tmp_path.rglob("*.*")}
        assert ocr_folder.fill(tmp_path, "PP-OCRv6") == ["PP-OCRv6_small_det", "PP-OCRv6_small_rec"]
        assert written == {str(file.relative_to(tmp_path)): file.read_bytes() for file in tmp_path.rglob("*.*")}

    def test_a_package_that_is_not_installed_is_named(self, tmp_path, monkeypatch):
        monkeypatch.setattr(ocr_folder, "find_spec", lambda name: None)
        with pytest.raises(CommandError, match="rapidocr_onnxruntime, which carries PP-OCRv4, is not installed"):
            call_command("ocr_models", tmp_path)
        assert list(tmp_path.iterdir()) == []

    def test_rapidocr_reads_files_that_lie_in_it(self, tmp_path):
        """A model of the package under another name, as one of a further script would lie there."""
        rapidocr = pytest.importorskip("rapidocr")
        own = Path(rapidocr.__file__).parent / "models"
        (tmp_path / "further_rec.onnx").symlink_to(own / "PP-OCRv6_rec_small.onnx")
        (tmp_path / "finds.onnx").symlink_to(own / "PP-OCRv6_det_small.onnx")
        seen = ocr_folder.listed(tmp_path)
        assert [(model.name, model.scripts) for model in seen["rapidocr"]] == [
            ("further_rec", {"han", "kana", "latin"})
        ]
        assert list(engines(OcrChoice(models=str(tmp_path)))[0].models) == [""], "it knows no script that is missing"
