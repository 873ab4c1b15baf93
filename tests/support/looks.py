"""Pictures as they are drawn in tests, and files of them as reading stores and measures them."""

import io
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image

from processing.engine.page import Picture
from processing.engine.reading.picture_files import store_jpeg

BOX = (10.0, 10.0, 110.0, 110.0)
# The file as it is, and copies that are made of it: of usual quality and size.
USUAL = [(quality, scale) for quality in (90, 75, 50) for scale in (1.0, 0.5)]


def photo(seed: int, width: int = 320, height: int = 240) -> Image.Image:
    """Smooth random shading in colours, as different as two photos."""
    rough = np.random.default_rng(seed).integers(0, 255, (8, 8, 3), np.uint8)
    return Image.fromarray(rough).resize((width, height), Image.Resampling.BICUBIC)


def repainted(image: Image.Image) -> Image.Image:
    """The same shapes with the same light in other colours, as a product in another colour."""
    luma, blue, red = image.convert("YCbCr").split()
    return Image.merge("YCbCr", (luma, red, blue)).convert("RGB")


def jpeg(image: Image.Image, quality: int = 95, scale: float = 1.0) -> bytes:
    size = (round(image.width * scale), round(image.height * scale))
    buffer = io.BytesIO()
    image.resize(size, Image.Resampling.LANCZOS).save(buffer, "JPEG", quality=quality)
    return buffer.getvalue()


def picture(data: bytes, name: str = "P1") -> Picture:
    """As reading hands it out."""
    with tempfile.TemporaryDirectory() as folder:
        file = store_jpeg(data, name, Path(folder))
    hashes = (file.content_hash, file.perceptual_hash)
    return Picture(name, BOX, file.width_px, file.height_px, *hashes, f"{name}.jpg", tones=file.tones)


def copies(image: Image.Image) -> Iterator[Picture]:
    for quality, scale in USUAL:
        yield picture(jpeg(image, quality, scale))
