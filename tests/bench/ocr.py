"""Scanned pages in the product's sandbox beside the bare engine on the same drawings."""

import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pymupdf
from django.core.management.base import CommandError
from numpy.typing import NDArray
from PIL import Image

from catalogsku.core.sandbox import Outcome, Sandbox
from processing.engine.reading.rapidocr_engine import PARAMETERS
from processing.engine.reading.readers import OpenFile
from processing.engine.reading.rendering import draw, within_side
from processing.pages.services.reading import TASK
from processing.sandboxed import frozen, sandboxes

DPI = 200
# Degrees: a sheet lies askew, and is straightened.
TILT = 0.4


def measure_ocr(file: Path, turns: int = 3) -> dict[str, Any]:
    """Each the best of its turns, on one core; what the largest child took. The turns of each follow one another, as
    children do at work: a machine may take back memory that nobody uses for seconds, and is slow to give it again."""
    from rapidocr import RapidOCR

    bare = RapidOCR(params=PARAMETERS)
    bare_s = product_s = float("inf")
    peak_bytes = 0
    with tempfile.TemporaryDirectory() as folder, sandboxes.new_sandbox(recognises=True) as sandbox:
        scan = _scanned(file, Path(folder, "scan.pdf"))
        drawings = _drawings(scan)
        for _ in range(turns):
            began_s = time.perf_counter()
            for pixels in drawings:
                bare(pixels)
            bare_s = min(bare_s, time.perf_counter() - began_s)
        sandbox.start()
        for _ in range(turns):
            outcome = _read(sandbox, scan, len(drawings))
            product_s, peak_bytes = min(product_s, outcome.wall_s), max(peak_bytes, outcome.peak_bytes)
    return {
        "pages": len(drawings),
        "pages_per_s": round(len(drawings) / product_s, 2),
        "bare_engine_pages_per_s": round(len(drawings) / bare_s, 2),
        "ratio": round(bare_s / product_s, 3),
        "child_peak_mb": round(peak_bytes / 1e6),
    }


def _scanned(file: Path, path: Path) -> Path:
    """The file's pages as pictures without a text layer."""
    with pymupdf.open(file) as source, pymupdf.open() as target:  # type: ignore[no-untyped-call]
        for page in source:
            pixmap = page.get_pixmap(dpi=DPI)
            shown = Image.frombytes("RGB", (pixmap.width, pixmap.height), pixmap.samples)
            askew = shown.rotate(TILT, Image.Resampling.BILINEAR, fillcolor="white")
            picture = path.with_suffix(".jpg")
            askew.save(picture, quality=85)
            target.new_page(width=page.rect.width, height=page.rect.height).insert_image(page.rect, filename=picture)
        target.save(path)
    return path


def _drawings(file: Path) -> list[NDArray[np.uint8]]:
    """The pages as the engine is given them, blue first."""
    settings = frozen.reading_settings()
    found = []
    with OpenFile(file, settings.readers) as documents:
        for number in range(1, documents.first().page_count + 1):
            scale = within_side(documents.first().size(number), settings.ocr_dpi / 72, settings.ocr_max_side_px)
            shown = draw(documents, number, scale, settings.max_render_px)
            if shown is None:
                raise CommandError(f"Page {number} of the scan could not be drawn.")
            found.append(np.ascontiguousarray(np.asarray(shown)[:, :, ::-1]))
    return found


def _read(sandbox: Sandbox, file: Path, pages: int) -> Outcome:
    numbers = list(range(1, pages + 1))
    with sandboxes.work_folder() as out:
        request = {
            "path": str(file), "pages": numbers, "out": str(out), "assess": [], "recognises": True,
            "settings": frozen.jsonable(frozen.reading_settings()),
        }  # fmt: skip
        outcome = sandbox.run(TASK, request, numbers, out, [file], sandboxes.RECOGNISING)
    if not outcome.ok:
        raise CommandError(f"The reading ended early: {outcome.reason} {outcome.detail}")
    return outcome
