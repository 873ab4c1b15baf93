"""The product's prescan in its sandbox beside one bare pass over the same file."""

import time
from pathlib import Path
from typing import Any

import pymupdf
from django.core.management.base import CommandError

from processing.sandboxed import frozen, sandboxes
from tests.bench.bare import pymupdf_pass_s

CHILD = "processing.engine.reading.children:prescan_file"


def measure_prescan(file: Path, turns: int = 2) -> dict[str, float]:
    """Each the better of the turns, which are taken alternately."""
    with sandboxes.new_sandbox() as sandbox:
        sandbox.start()
        bare_s = prescan_s = float("inf")
        pages = 0
        for _ in range(turns):
            bare_s = min(bare_s, pymupdf_pass_s(file))
            taken_s, pages = _prescan_s(sandbox, file)
            prescan_s = min(prescan_s, taken_s)
    return {
        "pages": pages,
        "pages_per_s": round(pages / prescan_s, 1),
        "bare_pymupdf_pages_per_s": round(pages / bare_s, 1),
        "ratio": round(bare_s / prescan_s, 3),
    }


def _prescan_s(sandbox: Any, file: Path) -> tuple[float, int]:
    with pymupdf.open(file) as document:  # type: ignore[no-untyped-call]
        numbers = list(range(1, document.page_count + 1))
    with sandboxes.work_folder() as out:
        request = {"path": str(file), "pages": numbers, "out": str(out),
                   "settings": frozen.jsonable(frozen.reading_settings())}  # fmt: skip
        began_s = time.perf_counter()
        outcome = sandbox.run(CHILD, request, numbers, out, [file], sandboxes.PRESCAN)
        taken_s = time.perf_counter() - began_s
    if not outcome.ok:
        raise CommandError(f"The prescan ended early: {outcome.reason} {outcome.detail}")
    return taken_s, len(numbers)
