"""Pieces of pictures are put together; blur and files of pictures."""

import numpy as np
import pytest
from PIL import Image, ImageFilter

from processing.engine.reading.fragments import merge_fragments
from processing.engine.reading.picture_files import on_white, sharpness, store_image
from processing.engine.reading.port import PlacedPicture
from processing.engine.reading.readers import OpenFile
from processing.engine.reading.seen import Seen
from tests.support.pdfs import PdfImage, PdfPage, build_pdf, place

pytestmark = pytest.mark.req("TA-BR16")


def photo(seed, width=200, height=200):
    """Smooth random shading, as different as two photos."""
    rough = np.random.default_rng(seed).integers(0, 255, (8, 8), np.uint8)
    return np.asarray(Image.fromarray(rough).resize((width, height), Image.Resampling.BICUBIC))


def pieces(*boxes):
    return [PlacedPicture(n, box, round(box[2] - box[0]), round(box[3] - box[1])) for n, box in enumerate(boxes)]


def page_with(*placed):
    page = np.full((400, 600), 255, np.uint8)
    for x, y, picture in placed:
        page[y : y + picture.shape[0], x : x + picture.shape[1]] = picture
    return page


def test_tiles_of_one_picture_are_one_region():
    page = page_with((100, 100, photo(1)))
    tiles = pieces(*((100 + 50 * i, 100 + 50 * j, 150 + 50 * i, 150 + 50 * j) for i in range(4) for j in range(4)))
    whole, regions = merge_fragments(tiles, Seen.at(page, 1.0))
    assert (whole, regions) == ([], [(100, 100, 300, 300)])


def with_a_box(edge):
    """A studio picture at (100, 100): an object whose upper edge is ``edge`` below the top, on an even ground."""
    ground = np.full((200, 200), 230, np.uint8)
    ground[edge:180, 30:170] = photo(1, 140, 180 - edge)
    return page_with((100, 100, ground))


STRIPS = [(100, 100 + 50 * n, 300, 150 + 50 * n) for n in range(4)]


@pytest.mark.parametrize("edge", [50, 110])
def test_strips_join_where_the_seam_is_blank_or_on_an_edge_of_the_picture(edge):
    whole, regions = merge_fragments(pieces(*STRIPS), Seen.at(with_a_box(edge), 1.0))
    assert (whole, regions) == ([], [(100, 100, 300, 300)])


def test_a_photo_of_other_resolution_under_a_picture_in_strips_is_one_of_its_own():
    placed = pieces(*STRIPS[1:])
    placed.append(PlacedPicture(9, STRIPS[0], 640, 160))
    whole, regions = merge_fragments(placed, Seen.at(with_a_box(50), 1.0))
    assert ([one.box for one in whole], regions) == ([STRIPS[0]], [(100, 150, 300, 300)])


def test_two_photos_side_by_side_stay_two():
    page = page_with((100, 100, photo(1)), (300, 100, photo(2)))
    whole, regions = merge_fragments(pieces((100, 100, 300, 300), (300, 100, 500, 300)), Seen.at(page, 1.0))
    assert len(whole) == 2 and regions == []


def test_two_photos_on_white_that_touch_stay_two():
    page = page_with((140, 140, photo(1, 100, 100)), (340, 140, photo(2, 100, 100)))
    whole, regions = merge_fragments(pieces((100, 100, 300, 300), (300, 100, 500, 300)), Seen.at(page, 1.0))
    assert len(whole) == 2 and regions == []


def test_strips_of_a_scan_are_one_region_although_print_crosses_them():
    page = np.where(np.random.default_rng(3).random((400, 600)) > 0.5, 255, 0).astype(np.uint8)
    strips = pieces(*((50, 100 + 10 * n, 550, 110 + 10 * n) for n in range(20)))
    assert merge_fragments(strips, Seen.at(page, 1.0)) == ([], [(50, 100, 550, 300)])


def test_equal_strips_are_one_region_although_an_edge_lies_on_a_seam():
    halves = np.concatenate((photo(1, 200, 100) // 4, 200 + photo(2, 200, 100) // 5))
    page = page_with((100, 100, halves))
    strips = pieces(*((100, 100 + 50 * n, 300, 150 + 50 * n) for n in range(4)))
    assert merge_fragments(strips, Seen.at(page, 1.0)) == ([], [(100, 100, 300, 300)])


def test_a_strip_cut_as_three_that_are_one_picture_belongs_to_them_though_the_page_breaks_at_its_seam():
    ground = photo(1, 200, 240).copy()
    ground[:60] = 255 - photo(2, 200, 60)
    page = page_with((100, 100, ground))
    strips = [(100, 100 + 60 * n, 300, 160 + 60 * n) for n in range(4)]
    assert merge_fragments(pieces(*strips), Seen.at(page, 1.0)) == ([], [(100, 100, 300, 340)])
    whole, regions = merge_fragments(pieces(*strips[:3]), Seen.at(page, 1.0))
    assert ([one.box for one in whole], regions) == ([strips[0]], [(100, 160, 300, 280)])


def test_two_wide_photos_with_one_edge_stay_two():
    page = page_with((100, 100, photo(1, 200, 50) // 4), (100, 150, 200 + photo(2, 200, 50) // 5))
    whole, regions = merge_fragments(pieces((100, 100, 300, 150), (100, 150, 300, 200)), Seen.at(page, 1.0))
    assert len(whole) == 2 and regions == []


def test_pictures_apart_are_left_alone():
    whole, regions = merge_fragments(pieces((0, 0, 50, 50), (80, 0, 130, 50)), Seen.at(None, 1.0))
    assert len(whole) == 2 and regions == []


def test_blur_lowers_sharpness():
    sharp = Image.fromarray(np.random.default_rng(1).integers(0, 255, (300, 300), np.uint8))
    assert sharpness(sharp.filter(ImageFilter.GaussianBlur(4))) < 0.1 * sharpness(sharp)


def test_transparent_parts_become_white():
    image = Image.new("RGBA", (4, 4), (255, 0, 0, 0))
    assert on_white(image).getpixel((0, 0)) == (255, 255, 255)


@pytest.mark.parametrize(("side", "suffix", "magic"), [(100, ".png", b"\x89PNG"), (800, ".jpg", b"\xff\xd8")])
def test_stores_small_pictures_without_loss(tmp_path, side, suffix, magic):
    file = store_image(Image.new("RGB", (side, side), "red"), "0001_001", tmp_path)
    assert file.name == f"0001_001{suffix}" and (tmp_path / file.name).read_bytes().startswith(magic)
    assert (file.width_px, file.height_px, len(file.content_hash)) == (side, side, 64)


@pytest.mark.parametrize(
    ("space", "mode", "colour"), [("DeviceRGB", "RGB", b"\x10\x80\xf0"), ("DeviceGray", "L", b"\x80")]
)
@pytest.mark.parametrize(("alpha", "kept"), [(None, False), (b"\xff", False), (b"\x40", True)])
def test_only_what_can_be_seen_through_is_decoded_with_an_alpha(tmp_path, space, mode, colour, alpha, kept):
    mask = alpha * 1200 if alpha else None
    file = tmp_path / "x.pdf"
    file.write_bytes(
        build_pdf([PdfPage(place("Im0", 50, 50, 80, 60), images=[PdfImage(40, 30, colour * 1200, space, alpha=mask)])])
    )
    with OpenFile(file, ("pymupdf",)) as documents:
        document = documents.first()
        (placed,) = document.pictures(1)
        picture = document.picture(1, placed)
    assert picture.mode == ("RGBA" if kept else mode)
    assert on_white(picture).getpixel((20, 15)) != 0 and (kept or picture.tobytes() == colour * 1200)
