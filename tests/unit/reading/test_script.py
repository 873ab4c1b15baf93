"""The language of print by its script, and the model that reads it."""

import pytest

from processing.engine.reading.ocr_models import PP_OCRV6
from processing.engine.reading.script import is_readable, language_of, scripts_of

pytestmark = pytest.mark.req("TA-OCRLANG")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("不锈钢合页 HY-1001 100×75×2.5", "zh"),
        ("型号 MCU-32F103 LQFP48 QFN32 TSSOP20 SOP16 Flash SRAM", "zh"),
        ("ステンレス蝶番 型番 HY-1001 表面仕上げ", "ja"),
        ("스테인리스 경첩 모델 HY-1001", "ko"),
        ("Петля нержавеющая HY-1001", "ru"),
        ("स्टेनलेस काज HY-1001", "hi"),
        ("บานพับสแตนเลส HY-1001", "th"),
        ("مفصلة فولاذية HY-1001", "ar"),
        ("Stainless hinge HY-1001", "en"),
        ("12.50 (3) ¥", ""),
    ],
)
def test_tells_the_language(text, language):
    assert language_of(text) == language


@pytest.mark.parametrize(
    ("language", "known"),
    [("zh", True), ("en", True), ("ja", True), ("", True), ("ko", False), ("ru", False), ("ar", False)],
)
def test_says_which_languages_the_first_model_knows(language, known):
    assert is_readable(language, PP_OCRV6.scripts) is known


def test_a_model_knows_the_scripts_of_its_dictionary_but_none_that_is_read_from_right_to_left():
    hangul, arabic = (map(chr, range(*ends)) for ends in ((0xAC00, 0xAD00), (0x0620, 0x0650)))
    assert scripts_of([*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", *hangul, *arabic, "ж"]) == {"latin", "hangul"}


def test_the_dictionary_of_the_installed_model_is_as_said():
    rapidocr = pytest.importorskip("rapidocr")
    onnxruntime = pytest.importorskip("onnxruntime")
    from pathlib import Path

    (path,) = Path(rapidocr.__file__).parent.glob(f"models/{PP_OCRV6.name.replace('_', '_rec_')}.onnx")
    signs = onnxruntime.InferenceSession(path).get_modelmeta().custom_metadata_map["character"].splitlines()
    known = set(signs)
    assert (scripts_of(signs), len(signs)) == (PP_OCRV6.scripts, PP_OCRV6.signs)
    assert {"链", "鏈", "図", "あ", "ン", "A"} <= known
    assert not any("\uac00" <= sign <= "\ud7af" for sign in known)
