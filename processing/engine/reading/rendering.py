"""Page renderings within a pixel budget: preview, thumbnail and screenshot of the page, and parts of it."""

from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from catalogsku.core.box import Box
from processing.engine.reading.port import Document, PageSize, UnreadablePage

Image.preinit()  # the usual formats, here once rather than in each forked child

# Points per inch; and the resolution beyond which a small page gains nothing.
_INCH_PT = 72.0
_MOST_DPI = 300.0


def scale_for(size: PageSize, longest_px: int) -> float:
    """Pixels per point that make the longest side ``longest_px``, at most 300 dpi."""
    return min(longest_px / max(size.width_pt, size.height_pt, 1.0), _MOST_DPI / _INCH_PT)


def within_budget(width_pt: float, height_pt: float, px_per_pt: float, most_px: int) -> float:
    """The scale, lowered so that the rendering has no more than ``most_px`` pixels."""
    pixels = width_pt * height_pt * px_per_pt * px_per_pt
    return px_per_pt * min(1.0, (most_px / pixels) ** 0.5) if pixels > 0 else px_per_pt


def within_side(size: PageSize, px_per_pt: float, most_px: int) -> float:
    """The scale, lowered so that the longest side has no more than ``most_px`` pixels."""
    return min(px_per_pt, most_px / max(size.width_pt, size.height_pt, 1.0))


def draw(
    documents: Sequence[Document], number: int, px_per_pt: float, most_px: int, clip: Box | None = None
) -> Image.Image | None:
    """The page (or that part) from the first document that can draw it; None where none can."""
    for document in documents:
        if not document.draws:
            continue
        try:
            size = document.size(number)
            width, height = (clip[2] - clip[0], clip[3] - clip[1]) if clip else (size.width_pt, size.height_pt)
            if width <= 0 or height <= 0:
                return None
            return document.render(number, within_budget(width, height, px_per_pt, most_px), clip)
        except UnreadablePage:
            continue
    return None


def screenshot_name(number: int) -> str:
    """Of the file with that page's screenshot."""
    return f"{number:04d}_screen.jpg"


def save_screenshot(image: Image.Image, number: int, quality: int, out_dir: Path) -> str:
    """The screenshot as JPEG; returns the file's name."""
    name = screenshot_name(number)
    image.save(out_dir / name, "JPEG", quality=quality)
    return name


def save_preview(image: Image.Image, number: int, quality: int, out_dir: Path) -> str:
    """The preview as JPEG; returns the file's name."""
    name = f"{number:04d}_preview.jpg"
    image.save(out_dir / name, "JPEG", quality=quality)
    return name


def save_thumbnail(image: Image.Image, number: int, width_px: int, out_dir: Path) -> str:
    """The thumbnail as JPEG, of that width unless the page is narrower; returns the file's name."""
    name = f"{number:04d}_thumb.jpg"
    height = max(1, round(image.height * width_px / max(1, image.width)))
    # A very tall page is bounded by its height instead.
    small = image.copy()
    small.thumbnail((width_px, min(height, 4 * width_px)), Image.Resampling.BILINEAR, reducing_gap=1.0)
    small.save(out_dir / name, "JPEG", quality=75)
    return name
