"""A catalogue as a scanner sees it: 200 dpi, slightly skewed, with noise; the same truth."""

import io
from random import Random

import numpy as np
import pymupdf
from PIL import Image

from tests.golden.styles.pens.folio import Drawn, PageFacts, place
from tests.support.catalogues.ink import Book

DPI = 200
# At most this far a page lies askew; at the corners of A4 that moves a box by about 3 points.
MOST_SKEW_DEGREES = 0.35
_NOISE = 5.0
_STRIPS = 8


def scanned(drawn: Drawn) -> Drawn:
    """The same pages without a text layer; where the original's pictures lie in strips, the scan itself does."""
    name = f"{drawn.name}_scan"
    random = Random(name)
    book = Book({}, title=name.replace("_", " "))
    facts = []
    with pymupdf.open(stream=drawn.pdf, filetype="pdf") as document:
        for page, one in zip(document, drawn.pages, strict=True):
            sheet = book.sheet((page.rect.width, page.rect.height))
            seen = scan_of(page, random)
            strips = _STRIPS if one.fragmented else 1
            for k in range(strips):
                top, foot = seen.height * k // strips, seen.height * (k + 1) // strips
                art = book.add_art(jpeg(seen.crop((0, top, seen.width, foot))))
                high = sheet.height / seen.height
                place(sheet, art, (0, top * high, sheet.width, foot * high))
            book.close(sheet)
            facts.append(PageFacts(one.number, one.page_type, one.layout, one.continues, one.fragmented, scanned=True))
    truth = drawn.truth | {"job": drawn.truth["job"] | {"source_file": f"{name}.pdf"}}
    return Drawn(name, book.to_bytes(), truth, tuple(facts))


def scan_of(page: pymupdf.Page, random: Random) -> Image.Image:
    """The page as it comes off the glass."""
    pixels = page.get_pixmap(dpi=DPI, colorspace=pymupdf.csRGB)
    image = Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)
    angle = random.uniform(0.1, MOST_SKEW_DEGREES) * random.choice((-1, 1))
    image = image.rotate(angle, Image.Resampling.BILINEAR, fillcolor=(250, 249, 246))
    chance = np.random.default_rng(random.randrange(2**32))
    # One grain for the three colours, as a scanner's lamp and glass make it; paper is never quite white.
    grain = chance.standard_normal((image.height, image.width), dtype=np.float32)[:, :, None] * _NOISE
    grey = np.asarray(image, dtype=np.float32) * 0.975 + grain
    return Image.fromarray(np.clip(grey, 0, 255).astype(np.uint8))


def jpeg(image: Image.Image) -> bytes:
    """As a scanner keeps it."""
    out = io.BytesIO()
    image.save(out, "JPEG", quality=72, dpi=(DPI, DPI))
    return out.getvalue()
