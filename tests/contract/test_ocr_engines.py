"""One suite for every OCR engine: the same drawn page gives the same print in the same places, and no network is asked.

PaddleOCR's half is skipped where its package is not installed (requirements/ocr-paddle.in).
"""

import socket
from importlib.util import find_spec
from pathlib import Path

import msgspec
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from catalogsku.core.sandbox import Sandbox, SandboxUnavailable
from processing.engine.page import unpack_page
from processing.engine.reading.ocr import line_height, recognise
from processing.engine.reading.ocr_engines import engines, examine
from processing.engine.reading.ocr_port import OcrUnavailable
from processing.engine.reading.settings import OcrChoice, ReadingSettings
from processing.sandboxed.ocr_folder import SOURCES, fill
from processing.sandboxed.sandboxes import RECOGNISING
from tests.support.pdfs import PdfImage, PdfPage, build_pdf, place

pytestmark = pytest.mark.req("TA-OCR")

FONT = "/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc"
SIZE = 32
CHINESE = ("不锈钢合页", "表面处理电镀", "办公椅带扶手")
ENGLISH = ("Office chair with arms", "Stainless steel hinge")
FIGURES = ("HY-1001", "12.50", "100x75", "35 kg")
KOREAN = ("스테인리스 경첩 모델", "사무용 의자 등받이", "제품 보증 기간")


def needs(package):
    return pytest.mark.skipif(find_spec(package) is None, reason=f"{package} is not installed")


ENGINES = [
    pytest.param(("rapidocr", ""), id="rapidocr", marks=needs("rapidocr")),
    *(
        pytest.param(("paddleocr", version), id=f"paddleocr-{version}", marks=[needs("paddleocr"), needs(made.package)])
        for version, made in SOURCES.items()
    ),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder of models of a version, made once."""
    made = {}

    def of(version):
        if version not in made:
            made[version] = tmp_path_factory.mktemp(version)
            fill(made[version], version)
        return str(made[version])

    return of


@pytest.fixture(params=ENGINES)
def choice(request, folder):
    name, version = request.param
    return OcrChoice(name, models=folder(version) if version else "")


def drawn(*lines, size=(900, 700)):
    """Each line where its place in the list says: 60 pixels from the left, the first 60 from the top, 90 apart."""
    image = Image.new("RGB", size, "white")
    pen, font = ImageDraw.Draw(image), ImageFont.truetype(FONT, SIZE)
    for n, line in enumerate(lines):
        pen.text((60, 60 + 90 * n), line, fill="black", font=font)
    return image


def said(found):
    return ["".join(line.text.split()) for line in sorted(found.lines, key=lambda line: line.box[1])]


def plain(lines):
    return ["".join(line.split()) for line in lines]


@pytest.mark.parametrize("lines", [CHINESE, ENGLISH, FIGURES, ()], ids=["chinese", "english", "figures", "blank"])
def test_reads_what_is_drawn(choice, lines):
    found = recognise(drawn(*lines), 0.8, choice)
    assert said(found) == plain(lines)
    assert (found.engine, found.rotation) == (choice.engine, 0)
    assert all(0.5 <= line.score <= 1.0 for line in found.lines)


def test_says_where_it_stands(choice):
    found = engines(choice)[0].lines(np.asarray(drawn(*FIGURES)))
    font = ImageFont.truetype(FONT, SIZE)
    assert len(found) == len(FIGURES)
    for n, (line, text) in enumerate(zip(sorted(found, key=lambda line: line.box[1]), FIGURES, strict=True)):
        box = font.getbbox(text)
        place = (60 + box[0], 60 + 90 * n + box[1], 60 + box[2], 60 + 90 * n + box[3])
        assert line.box == pytest.approx(place, abs=14)
        assert [char.text for char in line.chars] == list("".join(line.text.split()))
        assert len(line.corners) == 4 and line.corners[0] == pytest.approx(line.box[:2], abs=8)


def test_places_each_character(choice):
    """Middles to within half a character, in their order."""
    (line,) = engines(choice)[0].lines(np.asarray(drawn("不锈钢HY-1001合页")))
    font, text = ImageFont.truetype(FONT, SIZE), "不锈钢HY-1001合页"
    for n, char in enumerate(line.chars):
        middle = 60 + (font.getlength(text[:n]) + font.getlength(text[: n + 1])) / 2
        assert (char.start + char.end) / 2 == pytest.approx(middle, abs=SIZE / 2)
    assert [char.start for char in line.chars] == sorted(char.start for char in line.chars)


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_reads_a_page_that_lies_on_its_side_or_head(choice, rotation):
    turned = drawn(*CHINESE, *ENGLISH, *FIGURES[:2]).rotate(rotation, expand=True)  # against the clock
    found = recognise(turned, 0.8, choice)
    assert found.rotation == rotation and said(found) == plain([*CHINESE, *ENGLISH, *FIGURES[:2]])
    assert (found.width, found.height) == turned.size


def test_reads_a_single_line_without_looking_for_it(choice):
    read = engines(choice)[0].line(np.asarray(drawn("D11005").crop((50, 55, 190, 105))))
    assert read.text == "D11005" and read.score > 0.9
    assert engines(choice)[0].line(np.full((40, 300, 3), 255, np.uint8)).text == ""


def test_measures_lines_without_reading_them(choice):
    assert line_height(drawn(*ENGLISH), choice) == pytest.approx(SIZE * 1.2, abs=14)
    assert line_height(drawn(), choice) == 0.0


def test_red_is_not_blue(choice):
    """Print in blue on red, that is read in either order of colours, and a line of one that only grey would hide."""
    image = Image.new("RGB", (500, 120), (200, 30, 30))
    ImageDraw.Draw(image).text((40, 40), "AD-4711", fill=(30, 30, 200), font=ImageFont.truetype(FONT, SIZE))
    assert said(recognise(image, 0.0, choice)) == ["AD-4711"]


def test_asks_no_network_for_anything(choice, monkeypatch):
    """Loaded anew and used, with every way out shut, loopback too."""

    def refuse(*args, **options):
        raise AssertionError(f"a connection was tried: {args}")

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    engines.cache_clear()
    assert said(recognise(drawn("D11005"), 0.8, choice)) == ["D11005"]


def test_reads_in_a_child_that_can_open_no_file_of_its_models(choice, tmp_path):
    """The fork server has loaded them, and has one thread; a child has neither network nor their folder."""
    image, source = drawn("OFFICE CHAIR", "D11005", size=(800, 300)), tmp_path / "scan.pdf"
    page = PdfPage(place("Im0", 0, 0, 400, 150), images=[PdfImage(800, 300, image.tobytes())], media=(0, 0, 400, 150))
    source.write_bytes(build_pdf([page]))
    out, told = tmp_path / "out", msgspec.json.encode(choice).decode()
    with Sandbox(["processing.engine.children"], "processing.engine.reading.ocr:warm_ocr", warm_with=told) as box:
        assert box.start().threads == 1
        asked = {"path": str(source), "pages": [1], "out": str(out),
                 "settings": msgspec.to_builtins(ReadingSettings(ocr_by=choice))}  # fmt: skip
        outcome = box.run("processing.engine.reading.children:read_pages", asked, [1], out, [source], RECOGNISING)
    assert outcome.ok, outcome
    read = unpack_page(outcome.finished[1])
    assert read.ocr is not None and read.ocr.engine == choice.engine
    assert "".join(read.text.split()) == "OFFICECHAIRD11005"


def test_a_fork_server_says_the_code_of_what_is_missing():
    told = msgspec.json.encode(OcrChoice(models="/nowhere")).decode()
    with pytest.raises(SandboxUnavailable, match="OcrUnavailable: ocr_models_missing: "):
        Sandbox([], "processing.engine.reading.ocr:warm_ocr", warm_with=told).start()


class TestSecondOpinion:
    @pytest.fixture(params=[pytest.param(v, marks=needs(SOURCES[v].package)) for v in SOURCES])
    def version(self, request):
        return request.param

    @needs("paddleocr")
    @needs("rapidocr_onnxruntime")
    def test_a_faint_line_on_which_both_agree_is_surer(self, folder):
        image = drawn("HY-1001", "D11005")
        alone = recognise(image, 0.0)
        both = recognise(image, 0.0, OcrChoice(second="paddleocr", second_below=1.0, models=folder("PP-OCRv4")))
        assert said(both) == said(alone) == ["HY-1001", "D11005"]
        assert all(b.score > a.score for a, b in zip(alone.lines, both.lines, strict=True))

    @needs("paddleocr")
    def test_the_same_model_twice_is_no_second_opinion(self, folder):
        with pytest.raises(OcrUnavailable) as error:
            examine(OcrChoice(second="paddleocr", models=folder("PP-OCRv6")))
        assert error.value.code == "ocr_second_same"


class TestUnavailable:
    @pytest.mark.parametrize(
        ("choice", "code"),
        [
            (OcrChoice("tesseract"), "ocr_engine_unknown"),
            (OcrChoice(second="tesseract"), "ocr_engine_unknown"),
            (OcrChoice(models="/nowhere"), "ocr_models_missing"),
        ],
    )
    def test_says_what_is_missing(self, choice, code):
        for look in (examine, engines):
            with pytest.raises(OcrUnavailable, match=f"^{code}: ") as error:
                look(choice)
            assert error.value.code == code

    @pytest.mark.skipif(find_spec("paddleocr") is not None, reason="paddleocr is installed")
    def test_a_package_that_is_not_installed_is_named(self, folder):
        with pytest.raises(OcrUnavailable, match="^ocr_package_missing: the package paddleocr"):
            engines(OcrChoice("paddleocr", models=folder("PP-OCRv6")))

    @needs("paddleocr")
    @pytest.mark.parametrize("missing", ["", "PP-OCRv6_small_det", "PP-OCRv6_small_rec"])
    def test_paddleocr_downloads_no_model_that_is_missing(self, tmp_path, missing, monkeypatch):
        monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **options: pytest.fail("a name was looked up"))
        if missing:
            fill(tmp_path, "PP-OCRv6")
            (tmp_path / missing / "inference.onnx").unlink()
        with pytest.raises(OcrUnavailable) as error:
            engines(OcrChoice("paddleocr", models=str(tmp_path) if missing else ""))
        assert error.value.code == "ocr_models_missing"

    @needs("paddleocr")
    def test_a_model_that_is_described_wrongly_is_named(self, tmp_path):
        fill(tmp_path, "PP-OCRv6")
        described = tmp_path / "PP-OCRv6_small_rec" / "inference.yml"
        described.write_text("Global: [1")
        with pytest.raises(OcrUnavailable, match="^ocr_models_unsound: .*PP-OCRv6_small_rec"):
            engines(OcrChoice("paddleocr", models=str(tmp_path)))


@pytest.mark.req("TA-OCRLANG")
@pytest.mark.parametrize("engine", ["rapidocr", "paddleocr"])
def test_korean_is_read_where_its_model_is_there(engine, request):
    """With a folder of models that the variable OCR_TEST_MODELS names; none can be had from a package."""
    from os import environ

    place = environ.get("OCR_TEST_MODELS", "")
    if not place or find_spec(engine) is None:
        pytest.skip("OCR_TEST_MODELS is not set, or the engine is not installed")
    choice = OcrChoice(engine, models=place)
    if "hangul" not in engines(choice)[0].models:
        pytest.skip(f"no model in {place} knows Hangul")
    assert Path(FONT).exists()
    assert said(recognise(drawn(*KOREAN), 0.8, choice)) == plain(KOREAN)
