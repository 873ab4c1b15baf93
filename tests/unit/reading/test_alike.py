"""Copies of a picture look the same, other pictures do not; bands find all that may look the same."""

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from processing.engine.alike import MOST_BITS, MOST_LEVELS, Look, bands, look_of, looks_same, near_bands
from processing.engine.reading.picture_files import difference_hash, mean_tones, sharpness, store_image, store_jpeg
from tests.support.looks import copies, jpeg, photo, picture, repainted

pytestmark = pytest.mark.req("X-PHASH")
HASHES = st.integers(0, 2**64 - 1)


def look(image: Image.Image, quality: int = 95, scale: float = 1.0) -> Look | None:
    one = picture(jpeg(image, quality, scale))
    return look_of(one.perceptual_hash, one.tones, one.width_px, one.height_px)


@pytest.mark.parametrize("seed", range(12))
def test_a_copy_of_another_quality_and_size_looks_the_same(seed: int) -> None:
    original = look(photo(seed))
    assert original is not None
    for copy in copies(photo(seed)):
        again = look_of(copy.perceptual_hash, copy.tones, copy.width_px, copy.height_px)
        assert again is not None and looks_same(original, again), (copy.width_px, copy.perceptual_hash)


def test_no_two_of_forty_photos_look_the_same() -> None:
    looks = [look(photo(seed)) for seed in range(40)]
    known = [one for one in looks if one is not None]
    assert len(known) == 40
    assert not any(looks_same(a, b) for n, a in enumerate(known) for b in known[:n])


def test_a_product_in_another_colour_is_another_picture_though_its_hash_is_the_same() -> None:
    one, other = look(photo(3)), look(repainted(photo(3)))
    assert one is not None and other is not None
    assert (one.bits ^ other.bits).bit_count() <= MOST_BITS
    assert not looks_same(one, other)


@pytest.mark.parametrize("size", [(331, 243), (1000, 650), (1607, 1201), (97, 71)])
@pytest.mark.parametrize("as_read", ["YCbCr", "RGB", "L"])
def test_colours_of_a_jpeg_read_at_an_eighth_are_those_of_all_its_pixels(size: tuple[int, int], as_read: str) -> None:
    """Also where its last blocks are cut, and where it keeps red, green and blue, or grey alone."""
    image, buffer = photo(5, *size), io.BytesIO()
    if as_read == "L":
        image = image.convert("L")
    image.save(buffer, "JPEG", quality=95, keep_rgb=as_read == "RGB")
    with Image.open(io.BytesIO(buffer.getvalue())) as whole:
        exact = bytes.fromhex(mean_tones(whole.convert("RGB")))
    tones = bytes.fromhex(picture(buffer.getvalue()).tones)
    assert max(abs(a - b) for a, b in zip(exact, tones, strict=True)) <= MOST_LEVELS // 2


def test_a_stretched_picture_is_another() -> None:
    one, other = look(photo(3)), look(photo(3).resize((400, 240)))
    assert one is not None and other is not None
    assert (one.bits ^ other.bits).bit_count() <= MOST_BITS
    assert not looks_same(one, other)


@pytest.mark.parametrize("ground", ["white", "#c04e3c"])
def test_of_a_flat_picture_nothing_can_be_said(ground: str) -> None:
    flat = Image.new("RGB", (320, 240), ground)
    assert look(flat) is None
    flat.paste("black", (300, 220, 320, 240))
    assert look(flat) is None


def test_a_page_that_was_read_before_colours_were_kept_says_nothing() -> None:
    one = picture(jpeg(photo(1)))
    assert look_of(one.perceptual_hash, "", one.width_px, one.height_px) is None
    assert look_of("", one.tones, one.width_px, one.height_px) is None
    assert look_of("no hash at all..", one.tones, one.width_px, one.height_px) is None
    assert look_of(one.perceptual_hash, one.tones[2:], one.width_px, one.height_px) is None


@settings(max_examples=300, deadline=None)
@given(HASHES, st.sets(st.integers(0, 63), max_size=MOST_BITS))
def test_bands_find_every_hash_within_the_bound(bits: int, flipped: set[int]) -> None:
    other = bits
    for at in flipped:
        other ^= 1 << at
    assert set(near_bands(bits)) & set(bands(other))


@settings(max_examples=100, deadline=None)
@given(HASHES)
def test_bands_share_out_every_bit_once(bits: int) -> None:
    assert sum((band & 0xFFFF).bit_count() for band in bands(bits)) == bits.bit_count()
    assert [band >> 16 for band in bands(bits)] == [0, 1, 2, 3]
    assert len(set(near_bands(bits))) == 68


def as_decoded_in_grey(data: bytes) -> tuple[str, float]:
    with Image.open(io.BytesIO(data)) as image:
        image.draft("L", (512, 512))
        grey = image.convert("L")
    return difference_hash(grey), round(sharpness(grey), 1)


@pytest.mark.parametrize("mode", ["RGB", "L", "CMYK", "kept"])
def test_colours_change_nothing_of_hash_and_blur(tmp_path, mode: str) -> None:  # type: ignore[no-untyped-def]
    large, buffer = photo(5, 1300, 900), io.BytesIO()
    if mode == "kept":
        large.save(buffer, "JPEG", quality=90, keep_rgb=True)
    else:
        large.convert(mode).save(buffer, "JPEG", quality=90)
    file = store_jpeg(buffer.getvalue(), "a", tmp_path)
    assert (file.perceptual_hash, file.blur) == as_decoded_in_grey(buffer.getvalue())
    tones, plain = np.frombuffer(bytes.fromhex(file.tones), np.uint8), large.convert("L" if mode == "L" else "RGB")
    wanted = np.asarray(plain.resize((4, 4), Image.Resampling.BOX).convert("RGB")).flatten()
    assert np.abs(tones.astype(int) - wanted).max() <= 3


def test_a_file_without_loss_has_the_same_colours_as_one_with_little(tmp_path) -> None:  # type: ignore[no-untyped-def]
    stored, again = store_image(photo(6), "a", tmp_path), store_jpeg(jpeg(photo(6)), "b", tmp_path)
    assert stored.name == "a.png"
    a, b = (np.frombuffer(bytes.fromhex(file.tones), np.uint8).astype(int) for file in (stored, again))
    assert np.abs(a - b).max() <= 3
