"""What lies in a folder of models, and which model reads which script."""

import json
from pathlib import Path

import pytest

from processing.engine.reading.ocr_models import PP_OCRV6, OcrModel, by_script, is_same, paddle_models

pytestmark = pytest.mark.req("TA-OCRLANG")

LATIN = [chr(n) for n in range(ord("A"), ord("Z") + 1)]
HANGUL = [chr(n) for n in range(0xAC00, 0xAC40)]
CYRILLIC = [chr(n) for n in range(0x0410, 0x0450)]


def put(folder, name, after, onnx=True):
    place = folder / name
    place.mkdir()
    described = {"Global": {"model_name": name}, "PreProcess": {"transform_ops": []}, "PostProcess": after}
    (place / "inference.yml").write_text(json.dumps(described, ensure_ascii=False))
    if onnx:
        (place / "inference.onnx").write_bytes(b"")


def reads(signs):
    return {"name": "CTCLabelDecode", "character_dict": signs}


def test_tells_what_finds_lines_from_what_reads_them(tmp_path):
    put(tmp_path, "det", {"name": "DBPostProcess", "thresh": 0.3})
    put(tmp_path, "korean", reads([*LATIN, *HANGUL]))
    put(tmp_path, "plain", reads([*LATIN, 1, 2]))  # YAML takes digits without quotes for numbers
    put(tmp_path, "whole", reads([*LATIN, *HANGUL, *CYRILLIC]), onnx=False)
    put(tmp_path, "layout", {"name": "LayoutPostProcess"})
    found = paddle_models(tmp_path)
    assert found.detection == OcrModel("det", frozenset(), tmp_path / "det")
    assert [(model.name, model.scripts, model.signs) for model in found.recognition] == [
        ("korean", {"latin", "hangul"}, 90),
        ("plain", {"latin"}, 28),
    ]


def test_an_empty_folder_has_none(tmp_path):
    assert paddle_models(tmp_path) == (None, ())


@pytest.mark.parametrize("said", ["Global: [1", "[]", "Global: {model_name: x}", "\x00"])
def test_a_description_that_is_none_is_named(tmp_path, said):
    put(tmp_path, "broken", reads(LATIN))
    (tmp_path / "broken" / "inference.yml").write_text(said)
    with pytest.raises(ValueError, match="broken"):
        paddle_models(tmp_path)


def test_each_script_has_the_first_model_that_knows_it():
    korean = OcrModel("korean", frozenset({"hangul", "latin"}), Path("k"))
    eastern = OcrModel("eastern", frozenset({"hangul", "cyrillic"}), Path("e"))
    assert by_script(PP_OCRV6, [korean, eastern]) == {"": PP_OCRV6, "hangul": korean, "cyrillic": eastern}
    assert by_script(PP_OCRV6, []) == {"": PP_OCRV6}


@pytest.mark.parametrize(
    ("name", "other", "same"),
    [
        ("PP-OCRv6_small", "PP-OCRv6_small_rec", True),
        ("korean_PP-OCRv5_rec_mobile", "korean_PP-OCRv5_mobile_rec", True),
        ("PP-OCRv6_small", "PP-OCRv6_medium_rec", False),
        ("PP-OCRv6_small", "PP-OCRv4_mobile_rec", False),
    ],
)
def test_knows_a_model_under_the_names_of_both_makers(name, other, same):
    assert is_same(OcrModel(name, frozenset()), OcrModel(other, frozenset())) is same
