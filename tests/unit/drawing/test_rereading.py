"""Clips of drawn pages, recognised by the engine itself: what stands in a box, and that nothing invented agrees."""

import pytest
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from processing.engine.drawing import rereading
from processing.engine.drawing.clips import CLIP_PX_PER_PT, Clip, box_in_clip, clip_of
from processing.engine.drawing.rereading import Clipped, ClipText, read_clips
from processing.engine.reading.ocr import Recognition
from processing.engine.reading.ocr_port import LineText, RecognisedLine
from processing.engine.reading.settings import OcrChoice
from processing.engine.understanding.second_look import agrees
from tests.support.catalogues.fonts import built_in
from tests.unit.understanding.pages import page

SCALE = CLIP_PX_PER_PT
SIZE = (300.0, 330.0)
VALUES = [
    "12.50",
    "AX-100",
    "600 mm",
    "HY-2204B",
    "¥1,280.00",
    "3.5 kg",
    "办公椅",
    "实木茶几",
    "不锈钢",
    "75",
    "E27",
    "白色",
]


class Drawn:
    """A page in types of several sizes: Latin in a sans serif, Chinese in another."""

    def __init__(self, noise=0.0):
        self.image = Image.new("RGB", (round(SIZE[0] * SCALE), round(SIZE[1] * SCALE)), "white")
        self.boxes = []
        pen = ImageDraw.Draw(self.image)
        for n, (size, value) in enumerate((size, value) for size in (6, 8, 11) for value in VALUES):
            at = (20 + 95 * (n % 3)) * SCALE, (10 + 26 * (n // 3)) * SCALE
            font = type_of(value, round(size * SCALE))
            pen.text(at, value, "black", font)
            self.boxes.append((value, tuple(v / SCALE for v in pen.textbbox(at, value, font))))
        if noise:
            self.image = self.image.filter(ImageFilter.GaussianBlur(noise))
            grain = Image.effect_noise(self.image.size, 30).convert("RGB")
            self.image = Image.blend(self.image, grain, 0.15)

    def clip(self, box):
        clip = clip_of(page(size=SIZE), box)
        part = self.image.crop(tuple(round(v * SCALE) for v in clip.box))
        return Clipped(part, box_in_clip(page(size=SIZE), box, clip))


def type_of(value, size):
    import io

    if any(ord(char) > 0x2E7F for char in value):
        return ImageFont.truetype(io.BytesIO(built_in()), size)
    return ImageFont.load_default(size)


def read(clips):
    return dict(read_clips(clips, OcrChoice()))


def others(value):
    """What a model might make up in its place."""
    digits = [at for at, char in enumerate(value) if char.isdigit()]
    for at in digits:
        yield value[:at] + str((int(value[at]) + 1) % 10) + value[at + 1 :]
        yield value[:at] + value[at + 1 :]
        yield value[: at + 1] + value[at:]
    if "." in value:
        yield value.replace(".", "")
    if not digits:
        yield from (value[:-1] + "灯", "灯" + value[1:])


@pytest.mark.parametrize(("noise", "least"), [(0.0, 0.9), (1.2, 0.8)])
def test_values_are_read_again_and_invented_ones_are_not(noise, least):
    pytest.importorskip("rapidocr")
    drawn = Drawn(noise)
    said = read([drawn.clip(box) for _, box in drawn.boxes])
    right = sum(agrees(value, said[n].text) for n, (value, _) in enumerate(drawn.boxes))
    made_up = [(other, said[n].text) for n, (value, _) in enumerate(drawn.boxes) for other in others(value)]
    assert right >= least * len(drawn.boxes), [(v, said[n].text) for n, (v, _) in enumerate(drawn.boxes)]
    assert len(made_up) > 200 and not [pair for pair in made_up if agrees(*pair)]


def test_a_box_that_cuts_a_number_shows_all_of_it_and_no_neighbour():
    pytest.importorskip("rapidocr")
    image = Image.new("RGB", (1250, 420), "white")
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(42)
    pen.text((200, 100), "1250", "black", font)
    pen.text((420, 100), "980", "black", font)
    pen.text((200, 165), "7731", "black", font)
    x0, y0, x1, y1 = pen.textbbox((200, 100), "1250", font)
    box = x0 / SCALE, y0 / SCALE, (x0 + 0.7 * (x1 - x0)) / SCALE, y1 / SCALE
    clip = clip_of(page(size=SIZE), box)
    part = image.crop(tuple(round(v * SCALE) for v in clip.box))
    (said,) = read([Clipped(part, box_in_clip(page(size=SIZE), box, clip))]).values()
    assert said.text == "1250" and not agrees("125", said.text) and said.score > 0.8


@pytest.mark.parametrize("turn", [0, 1, 2, 3])
def test_the_margin_is_wider_along_the_lines_and_the_box_is_found_in_it(turn):
    import msgspec

    lying = msgspec.structs.replace(page(size=SIZE), turn=turn)
    box = (100.0, 100.0, 110.0, 140.0) if turn % 2 else (100.0, 100.0, 140.0, 110.0)
    clip = clip_of(lying, box)
    x0, y0, x1, y1 = box_in_clip(lying, box, clip)
    assert (x1 - x0, y1 - y0) == (pytest.approx(40 * SCALE), pytest.approx(10 * SCALE)), "it stands upright"
    assert (x0, y0) == (pytest.approx(10 * SCALE), pytest.approx(5 * SCALE))


def test_a_box_at_the_edge_and_one_of_a_whole_poster_are_bounded():
    assert clip_of(page(size=SIZE), (-5, -5, 20, 10)).box[:2] == (0.0, 0.0)
    large: Clip = clip_of(page(size=(3000.0, 4000.0)), (0, 0, 3000, 4000))
    wide, high = large.size_pt
    assert wide * high * large.px_per_pt**2 == pytest.approx(4_400_000)


def sheets(monkeypatch, lines=lambda image: ()):
    """What is recognised on each sheet, and the sheets."""
    seen = []

    def recognised(image, turn_below, choice):
        seen.append(image.size)
        return Recognition(tuple(lines(image)), 1.0, 0, *image.size)

    monkeypatch.setattr(rereading, "recognise", recognised)
    return seen


def test_clips_lie_apart_on_as_few_sheets_as_hold_them(monkeypatch):
    class Silent:
        def line(self, pixels):
            return LineText("", 0.0)

    monkeypatch.setattr(rereading, "engines", lambda choice: (Silent(), None))
    seen = sheets(monkeypatch)
    clips = [Clipped(Image.new("RGB", (300, 80)), (0.0, 0.0, 300.0, 80.0)) for _ in range(70)]
    found = read([*clips, Clipped(Image.new("RGB", (3000, 900)), (0.0, 0.0, 3000.0, 900.0))])
    assert found == dict.fromkeys(range(71), ClipText())
    assert len(seen) == 3 and max(*seen[0], *seen[1]) <= 1600 and seen[2][0] > 3000


def test_a_line_belongs_to_the_clip_it_lies_on(monkeypatch):
    line = RecognisedLine("B2 17", (400.0, 60.0, 480.0, 90.0), 0.9)
    sheets(monkeypatch, lambda image: [line])
    monkeypatch.setattr(rereading, "engines", lambda choice: pytest.fail("it was read"))
    first, second = (Clipped(Image.new("RGB", (300, 80)), (10.0, 10.0, 290.0, 70.0)) for _ in range(2))
    monkeypatch.setattr(rereading, "_as_one_line", lambda clip, choice: ClipText())
    assert read([first, second]) == {0: ClipText(), 1: ClipText("B2 17", 0.9)}


def test_a_single_sign_is_read_as_a_line_of_its_own_if_surely(monkeypatch):
    sheets(monkeypatch)
    said = iter([LineText("5", 0.97), LineText("S", 0.6)])
    monkeypatch.setattr(
        rereading, "engines", lambda choice: (type("E", (), {"line": lambda self, p: next(said)})(), None)
    )
    clips = [Clipped(Image.new("RGB", (60, 60)), (10.0, 10.0, 40.0, 50.0))] * 2
    assert read(clips) == {0: ClipText("5", 0.97), 1: ClipText()}
