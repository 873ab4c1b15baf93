"""One suite for every reader: the same page gives the same words, boxes, rules and pictures in the same frame."""

import io
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from processing.engine.reading.port import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    Document,
    PasswordNeeded,
    UnreadableDocument,
    UnreadablePage,
)
from processing.engine.reading.readers import OpenFile, reader
from processing.engine.reading.tables import find_tables
from tests.support.pdfs import PdfImage, PdfPage, build_pdf, line, place, text

pytestmark = [pytest.mark.req("TA-ADR16"), pytest.mark.req("X-LAYOUT")]

READERS = ("pymupdf", "pypdfium2", "pdfplumber")
DRAWING_READERS = ("pymupdf", "pypdfium2")

# One word with its baseline at (100, 200), a 60 x 30 picture with its lower left corner at (150, 400), a level rule
# from (60, 120) to (260, 120), in user space.
CONTENT = text(100, 200, "Chair") + place("Im0", 150, 400, 60, 30) + line(60, 120, 260, 120)

# Media box, crop box: plain; an origin that is not 0,0; a crop that starts elsewhere than the media box.
FRAMES = {
    "plain": ((0, 0, 400, 600), None),
    "origin": ((-20, -30, 380, 570), None),
    "crop": ((0, 0, 400, 600), (50, 100, 350, 500)),
    "origin_crop": ((-20, -30, 380, 570), (30, 70, 330, 470)),
}
TURNS = {0: RIGHT, 90: DOWN, 180: LEFT, 270: UP}


def sample_image() -> PdfImage:
    """Red left half, blue right half, twice as wide as high."""
    return PdfImage(8, 4, (b"\xff\x00\x00" * 4 + b"\x00\x00\xff" * 4) * 4)


def as_displayed(box, frame, rotate):
    """The box in user space -> as displayed; written down independently of the product's own transformation."""
    media, crop = FRAMES[frame]
    left, bottom, right, top = crop or media
    corners = []
    for x, y in ((box[0], box[1]), (box[2], box[3])):
        x, y, width, height = x - left, top - y, right - left, top - bottom
        for _ in range(rotate // 90):
            # A clockwise quarter turn takes the top-left origin frame (x right, y down) to (height - y, x).
            x, y, width, height = height - y, x, height, width
        corners.append((x, y))
    (x0, y0), (x1, y1) = corners
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def near(box, expected, within):
    assert box == pytest.approx(expected, abs=within), f"{box} is not {expected}"


@pytest.fixture(params=READERS)
def name(request):
    return request.param


@pytest.fixture
def opened(tmp_path):
    documents: list[Document] = []

    def open_pages(name, *pages):
        path = tmp_path / f"{len(documents)}.pdf"
        path.write_bytes(build_pdf(pages))
        documents.append(reader(name).open(path))
        return documents[-1]

    yield open_pages
    for document in documents:
        document.close()


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
@pytest.mark.parametrize("frame", FRAMES)
class TestFrame:
    """Every reader places everything on the page as displayed."""

    @pytest.fixture
    def document(self, opened, name, frame, rotate):
        media, crop = FRAMES[frame]
        return opened(name, PdfPage(CONTENT, media, crop, rotate, [sample_image()]))

    def test_gives_the_displayed_size(self, document, frame, rotate):
        media, crop = FRAMES[frame]
        left, bottom, right, top = crop or media
        size = (right - left, top - bottom) if rotate % 180 == 0 else (top - bottom, right - left)
        assert document.size(1) == pytest.approx((*size, rotate))

    def test_places_the_word(self, document, frame, rotate):
        (word,) = document.words(1)
        # Helvetica 12: "Chair" is 29.3 wide; ascender and descender differ between libraries, the baseline is inside.
        expected = as_displayed((100, 197.5, 129.3, 211), frame, rotate)
        near(word.box, expected, 3.5)
        assert (word.text, word.turn, word.invisible) == ("Chair", TURNS[rotate], False)
        assert word.size == pytest.approx(12, abs=0.1)

    def test_places_each_character_inside_its_word(self, document, frame, rotate):
        (word,) = document.words(1)
        characters = document.characters(1, word.box)
        assert "".join(char for char, _ in characters) == "Chair"
        for _, box in characters:
            assert word.box[0] - 1 <= box[0] and box[2] <= word.box[2] + 1
            assert word.box[1] - 1 <= box[1] and box[3] <= word.box[3] + 1

    def test_places_the_rule(self, document, frame, rotate):
        (rule,) = document.drawings(1).rules
        near(rule, as_displayed((60, 120, 260, 120), frame, rotate), 1.1)

    def test_places_the_picture(self, document, frame, rotate):
        (picture,) = document.pictures(1)
        near(picture.box, as_displayed((150, 400, 210, 430), frame, rotate), 0.5)
        assert (picture.width_px, picture.height_px) == (8, 4)
        if document.draws:
            assert (picture.turn, picture.mirrored, picture.skewed) == (rotate // 90, False, False)

    def test_renders_what_it_places(self, document, frame, rotate):
        if not document.draws:
            with pytest.raises(UnreadablePage):
                document.render(1, 1.0)
            return
        size = document.size(1)
        shown = document.render(1, 2.0)
        assert shown.size == pytest.approx((2 * size.width_pt, 2 * size.height_pt), abs=1)
        left_half = as_displayed((155, 405, 175, 425), frame, rotate)
        assert colour_in(shown, left_half, 2.0) == "red"
        part = document.render(1, 2.0, left_half)
        assert part.size == pytest.approx((40, 40), abs=2)
        assert colour_in(part, (5, 5, 15, 15), 2.0) == "red"

    def test_glances_at_the_same(self, document, frame, rotate):
        glance = document.glance(1)
        assert "".join(glance.text.split()) == "Chair"
        near(glance.pictures[0], as_displayed((150, 400, 210, 430), frame, rotate), 1.1)
        near(glance.paths[0], as_displayed((60, 120, 260, 120), frame, rotate), 1.1)


def colour_in(image, box, px_per_pt):
    x, y = (box[0] + box[2]) / 2 * px_per_pt, (box[1] + box[3]) / 2 * px_per_pt
    red, green, blue = image.convert("RGB").getpixel((int(x), int(y)))
    if min(red, green, blue) > 240:
        return "white"
    return "red" if red > 200 and blue < 60 else "blue" if blue > 200 and red < 60 else (red, green, blue)


def test_separates_words_at_spaces_and_gaps(opened, name):
    document = opened(name, PdfPage(text(50, 500, "Arm chair 120 x 60") + text(250, 500, "$480")))
    assert [w.text for w in document.words(1)] == ["Arm", "chair", "120", "x", "60", "$480"]


def test_tells_bold_type(opened, name):
    document = opened(name, PdfPage(text(50, 500, "Plain") + text(50, 450, "Strong", font="F2")))
    assert [(w.text, w.bold) for w in document.words(1)] == [("Plain", False), ("Strong", True)]


def test_tells_colour(opened, name):
    document = opened(name, PdfPage(text(50, 500, "white", grey=1) + text(50, 450, "black")))
    assert [w.rgb for w in document.words(1)] == [0xFFFFFF, 0]


@pytest.mark.parametrize("name", READERS)
def test_marks_invisible_text(opened, name):
    document = opened(name, PdfPage(text(50, 500, "hidden", mode=3) + text(50, 450, "shown")))
    assert [(w.text, w.invisible) for w in document.words(1)] == [("hidden", True), ("shown", False)]


def instead(words: str, shown: str) -> str:
    """Text that a file gives in place of what it shows."""
    return f"/Span << /ActualText ({words}) >> BDC {shown} EMC\n"


def test_reads_glyphs_where_the_text_in_their_place_has_no_room(opened):
    shown = instead("Width from 35 to 80 cm", text(50, 450, "W")) + text(62, 450, "idth 35")
    document = opened("pymupdf", PdfPage(text(50, 500, "Density from 45") + shown))
    assert "".join(w.text for w in document.words(1)) == "Densityfrom45Width35"


def test_reads_the_text_in_the_place_of_glyphs_that_has_room(opened):
    document = opened("pymupdf", PdfPage(text(50, 500, "Density") + instead("0.41", text(50, 450, "wxyz"))))
    assert [w.text for w in document.words(1)] == ["Density", "0.41"]


def test_reads_a_table_with_a_merged_cell(opened, name):
    rules = line(50, 500, 350, 500) + line(150, 470, 350, 470) + line(50, 440, 350, 440)
    rules += line(50, 440, 50, 500) + line(150, 440, 150, 500) + line(350, 440, 350, 500)
    words = text(60, 465, "Sofa") + text(160, 480, "two seats") + text(160, 450, "three seats")
    document = opened(name, PdfPage(rules + words))
    (table,), _, rest = find_tables(
        document.drawings(1), document.words(1), lambda box: document.characters(1, box), document.size(1), 6
    )
    assert [(c.row, c.col, c.rows, c.cols, c.text) for c in table.cells] == [
        (0, 0, 2, 1, "Sofa"),
        (0, 1, 1, 1, "two seats"),
        (1, 1, 1, 1, "three seats"),
    ]
    assert rest == []


def test_counts_rectangles_as_rules_or_fills(opened, name):
    thin = "0 g 50 300 200 1 re f\n"
    large = "0.8 g 50 100 100 40 re f\n"
    drawings = opened(name, PdfPage(thin + large)).drawings(1)
    near(drawings.rules[0], (50, 299, 250, 300), 0.6)
    near(drawings.fills[0], (50, 460, 150, 500), 0.6)


@pytest.mark.parametrize("rotate", [0, 90])
def test_counts_curves_and_slanted_strokes_as_shapes(opened, name, rotate):
    """A leaf of two curves, a triangle with two slanted sides, and what is neither: a square, a level rule."""
    leaf = "50 100 m 60 140 90 140 100 100 c 90 60 60 60 50 100 c S\n"
    triangle = "200 100 m 240 100 l 220 160 l h S\n"
    square = "300 100 40 40 re S\n"
    drawings = opened(name, PdfPage(leaf + triangle + square + line(50, 300, 350, 300), rotate=rotate)).drawings(1)
    assert sorted(shape.strokes for shape in drawings.shapes) == [2, 2]
    around = [as_displayed(box, "plain", rotate) for box in ((50, 60, 100, 140), (200, 100, 240, 160))]
    for shape, box in zip(sorted(drawings.shapes), sorted(around), strict=True):
        assert box[0] <= shape.box[0] <= shape.box[2] <= box[2] and box[1] <= shape.box[1] <= shape.box[3] <= box[3]


@pytest.mark.parametrize("name", DRAWING_READERS)
class TestPictures:
    def test_hands_over_a_jpeg_unchanged(self, opened, name):
        buffer = io.BytesIO()
        Image.new("RGB", (40, 20), "red").save(buffer, "JPEG")
        image = PdfImage(40, 20, buffer.getvalue(), jpeg=True)
        document = opened(name, PdfPage(place("Im0", 50, 50, 80, 40), images=[image]))
        assert document.jpeg(1, document.pictures(1)[0]) == buffer.getvalue()

    def test_decodes_in_stored_orientation(self, opened, name):
        document = opened(name, PdfPage(place("Im0", 50, 50, 80, 40), images=[sample_image()]))
        (placed,) = document.pictures(1)
        assert document.jpeg(1, placed) is None
        picture = document.picture(1, placed).convert("RGB")
        assert picture.size == (8, 4)
        assert picture.getpixel((1, 1)) == (255, 0, 0) and picture.getpixel((6, 2)) == (0, 0, 255)

    def test_tells_a_mirrored_picture(self, opened, name):
        content = "q -80 0 0 40 130 50 cm /Im0 Do Q\n"
        (placed,) = opened(name, PdfPage(content, images=[sample_image()])).pictures(1)
        near(placed.box, (50, 510, 130, 550), 0.5)
        assert placed.mirrored

    @pytest.mark.parametrize(("rotate", "part"), [(0, (0, 0, 0.5, 1)), (90, (0, 0, 1, 0.5)), (180, (0.5, 0, 1, 1))])
    def test_places_what_a_clip_leaves_of_a_picture(self, opened, name, rotate, part):
        content = "q 150 400 30 30 re W n 60 0 0 30 150 400 cm /Im0 Do Q\n"
        (placed,) = opened(name, PdfPage(content, rotate=rotate, images=[sample_image()])).pictures(1)
        near(placed.box, as_displayed((150, 400, 180, 430), "plain", rotate), 0.5)
        near(placed.part, part, 0.01)

    def test_leaves_out_a_picture_that_a_clip_hides(self, opened, name):
        content = "q 10 10 30 30 re W n 60 0 0 30 150 400 cm /Im0 Do Q\n" + place("Im0", 50, 50, 80, 40)
        (placed,) = opened(name, PdfPage(content, images=[sample_image()])).pictures(1)
        near(placed.box, (50, 510, 130, 550), 0.5)

    def test_converts_cmyk(self, opened, name):
        image = PdfImage(4, 4, b"\x00\xff\xff\x00" * 16, "DeviceCMYK")
        document = opened(name, PdfPage(place("Im0", 50, 50, 40, 40), images=[image]))
        red, green, blue = document.picture(1, document.pictures(1)[0]).convert("RGB").getpixel((2, 2))
        assert red > 200 and green < 80 and blue < 80

    def test_applies_the_mask(self, opened, name):
        image = PdfImage(8, 4, b"\xff\x00\x00" * 32, alpha=(b"\xff" * 4 + b"\x00" * 4) * 4)
        document = opened(name, PdfPage(place("Im0", 50, 50, 80, 40), images=[image]))
        (placed,) = document.pictures(1)
        assert document.jpeg(1, placed) is None
        picture = document.picture(1, placed).convert("RGBA")
        assert picture.getpixel((1, 2))[3] == 255 and picture.getpixel((6, 2))[3] == 0

    def test_gives_the_same_key_a_picture_each(self, opened, name):
        content = place("Im0", 50, 50, 80, 40) + place("Im1", 200, 50, 80, 40)
        blue = PdfImage(4, 4, b"\x00\x00\xff" * 16)
        document = opened(name, PdfPage(content, images=[sample_image(), blue]))
        first, second = document.pictures(1)
        assert document.picture(1, second).convert("RGB").getpixel((0, 0)) == (0, 0, 255)
        assert document.picture(1, first).convert("RGB").getpixel((0, 0)) == (255, 0, 0)


def test_goes_through_pages_in_any_order(opened, name):
    document = opened(name, *(PdfPage(text(50, 500, f"page{n}")) for n in range(1, 13)))
    assert document.page_count == 12
    assert [document.words(n)[0].text for n in (12, 1, 7, 7, 2)] == ["page12", "page1", "page7", "page7", "page2"]


def test_refuses_a_page_that_is_not_there(opened, name):
    with pytest.raises(UnreadablePage):
        opened(name, PdfPage(text(50, 500, "only"))).words(5)


@pytest.mark.parametrize("data", [b"", b"no pdf at all", b"%PDF-1.7\n"])
def test_refuses_what_is_no_pdf(tmp_path, name, data):
    path = tmp_path / "x.pdf"
    path.write_bytes(data)
    with pytest.raises(UnreadableDocument):
        reader(name).open(path)


def test_refuses_a_file_without_pages(tmp_path, name):
    path = tmp_path / "x.pdf"
    path.write_bytes(build_pdf([]))
    with pytest.raises(UnreadableDocument):
        reader(name).open(path)


@pytest.mark.parametrize("password", ["", "wrong"])
def test_asks_for_the_password(tmp_path, name, password):
    import pikepdf

    plain, locked = tmp_path / "plain.pdf", tmp_path / "locked.pdf"
    plain.write_bytes(build_pdf([PdfPage(text(50, 500, "secret"))]))
    with pikepdf.open(plain) as document:
        document.save(locked, encryption=pikepdf.Encryption(owner="owner", user="open"))
    with pytest.raises(PasswordNeeded):
        reader(name).open(locked, password)
    with reader(name).open(locked, "open") as opened:
        assert opened.words(1)[0].text == "secret"


def test_opens_readers_only_when_asked(tmp_path):
    path = tmp_path / "x.pdf"
    path.write_bytes(build_pdf([PdfPage(text(50, 500, "one"))]))
    with OpenFile(path, ("pypdfium2", "no such reader")) as documents:
        assert documents[0].reader == "pypdfium2"


_GROWTH = """
import sys
from pathlib import Path
from processing.engine.reading.readers import reader

def most_mb():
    return int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) / 1024

with reader(sys.argv[1]).open(Path(sys.argv[2])) as document:
    for number in range(1, document.page_count + 1):
        document.render(number, 4.0)
        if number == 4:
            before_mb = most_mb()
print(most_mb() - before_mb)
"""


@pytest.mark.parametrize("name", DRAWING_READERS)
def test_photos_of_past_pages_do_not_pile_up(tmp_path, name):
    """Of 36 pages with a photo of 6 MB each; in a process of its own, for memory is not given back."""
    pages = []
    for n in range(36):
        file = io.BytesIO()
        Image.new("RGB", (2000, 1000), (7 * n, 90, 200 - n)).save(file, "JPEG")
        pages.append(PdfPage(place("Im0", 5, 300, 390, 195), images=[PdfImage(2000, 1000, file.getvalue(), jpeg=True)]))
    path = tmp_path / "photos.pdf"
    path.write_bytes(build_pdf(pages))
    done = subprocess.run(
        [sys.executable, "-c", _GROWTH, name, path], capture_output=True, text=True, check=True, timeout=120
    )
    assert float(done.stdout) < 80


def test_permissive_readers_do_not_load_pymupdf(tmp_path):
    path = tmp_path / "x.pdf"
    path.write_bytes(build_pdf([PdfPage(CONTENT, images=[sample_image()])]))
    code = (
        "import sys; from pathlib import Path\n"
        "from processing.engine.reading.children import prescan_file, read_pages\n"
        f"asked = {{'path': {str(path)!r}, 'pages': [1], 'out': {str(tmp_path)!r},\n"
        " 'settings': {'readers': ['pypdfium2', 'pdfplumber'], 'ocr': False}}\n"
        "seen = []\n"
        "prescan_file(asked, lambda n, b: seen.append(n)); read_pages(asked, lambda n, b: seen.append(n))\n"
        "assert seen == [1, 1] and 'pymupdf' not in sys.modules, sorted(sys.modules)\n"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
