"""The language of print by its script, and the model that reads it."""

import pytest

from processing.engine.reading.script import is_readable, language_of, model_for

pytestmark = pytest.mark.req("TA-OCRLANG")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("不锈钢合页 HY-1001 100×75×2.5", "zh"),
        ("型号 MCU-32F103 LQFP48 QFN32 TSSOP20 SOP16 Flash SRAM", "zh"),
        ("ステンレス蝶番 型番 HY-1001 表面仕上げ", "ja"),
        ("스테인리스 경첩 모델 HY-1001", "ko"),
        ("Stainless hinge HY-1001", "en"),
        ("12.50 (3) ¥", ""),
    ],
)
def test_tells_the_language(text, language):
    assert language_of(text) == language


@pytest.mark.parametrize(("language", "known"), [("zh", True), ("en", True), ("ja", True), ("ko", False)])
def test_says_which_languages_the_installed_model_knows(language, known):
    assert is_readable(language) is known and model_for(language)


def test_the_dictionary_of_the_installed_model_is_as_said():
    rapidocr = pytest.importorskip("rapidocr")
    onnxruntime = pytest.importorskip("onnxruntime")
    from pathlib import Path

    (path,) = Path(rapidocr.__file__).parent.glob(f"models/{model_for('zh').replace('_', '_rec_')}.onnx")
    known = set(onnxruntime.InferenceSession(path).get_modelmeta().custom_metadata_map["character"].splitlines())
    assert {"链", "鏈", "図", "あ", "ン", "A"} <= known
    assert not any("\uac00" <= sign <= "\ud7af" for sign in known)
