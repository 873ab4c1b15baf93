"""The yardstick: the same library calls in bare loops, without sandbox, database, messages or storage."""

import ctypes
import multiprocessing
import tempfile
import time
from collections.abc import Sequence, Set
from pathlib import Path
from typing import Any

import pymupdf

from catalogsku.core.sandbox import zygote
from processing.engine.evaluation.assess import assess_page
from processing.engine.page import pack_page, unpack_page
from processing.engine.reading.read import read_page
from processing.engine.reading.readers import OpenFile
from processing.engine.reading.settings import ReadingSettings
from processing.engine.result import DocumentFacts
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.pipeline import understand_page

CHUNK_PAGES = 8
LOOK_BACK_PAGES = 10

_documents: Any = None
_folder: Path | None = None
_settings = ReadingSettings()


def pymupdf_pass_s(path: Path) -> float:
    """Seconds of one pass for text, images and drawings over every page."""
    began_s = time.perf_counter()
    with pymupdf.open(path) as document:  # type: ignore[no-untyped-call]
        for page in document:
            page.get_text()
            page.get_image_info()
            page.get_drawings()
    return time.perf_counter() - began_s


def library_loop_s(
    path: Path, pages: Sequence[int], sampled: Set[int], settings: ReadingSettings, processes: int
) -> dict[str, float]:
    """Seconds to read ``pages``, those ``sampled`` assessed as they are read, and then to understand them, in that many
    processes, which are warm before the clock runs; of these the assessment's part."""
    chunks = [list(pages[at : at + CHUNK_PAGES]) for at in range(0, len(pages), CHUNK_PAGES)]
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder, context.Pool(processes, _open, (path, settings, folder)) as pool:
        pool.map(_read, [(pages[:1], set(pages[:1]))] * processes, chunksize=1)
        began_s = time.perf_counter()
        packed, assess_s = {}, 0.0
        for read, took_s in pool.imap_unordered(_read, [(chunk, sampled & set(chunk)) for chunk in chunks]):
            packed.update(read)
            assess_s += took_s / processes
        read_s = time.perf_counter() - began_s
        pool.map(_understand, [(chunk, _with_earlier(chunk, packed)) for chunk in chunks], chunksize=1)
        return {"read_s": read_s, "assess_s": assess_s, "all_s": time.perf_counter() - began_s}


def _with_earlier(chunk: Sequence[int], packed: dict[int, bytes]) -> dict[int, bytes]:
    return {number: packed[number] for number in range(chunk[0] - LOOK_BACK_PAGES, chunk[-1] + 1) if number in packed}


def _open(path: Path, settings: ReadingSettings, folder: str) -> None:
    """As a sandboxed child has it: freed memory stays with the process."""
    libc = ctypes.CDLL(None)
    libc.mallopt(zygote.M_MMAP_THRESHOLD, zygote.LARGEST_KEPT_BYTES)
    libc.mallopt(zygote.M_TRIM_THRESHOLD, zygote.MOST_KEPT_BYTES)
    global _documents, _folder, _settings
    _documents, _folder, _settings = OpenFile(path, settings.readers).__enter__(), Path(folder), settings


def _read(work: tuple[Sequence[int], Set[int]]) -> tuple[dict[int, bytes], float]:
    """The pages, and the seconds that the assessment of the sampled ones took."""
    numbers, sampled = work
    assert _folder is not None
    packed, assess_s = {}, 0.0
    for number in numbers:
        packed[number] = pack_page(read_page(_documents, number, _settings, _folder))
        if number in sampled:
            began_s = time.perf_counter()
            assess_page(unpack_page(packed[number]))
            assess_s += time.perf_counter() - began_s
    return packed, assess_s


def _understand(work: tuple[Sequence[int], dict[int, bytes]]) -> int:
    numbers, packed = work
    parsed = {number: unpack_page(data) for number, data in packed.items()}
    found = 0
    for number in numbers:
        earlier = [parsed[n] for n in range(number - LOOK_BACK_PAGES, number) if n in parsed]
        found += len(understand_page(parsed[number], earlier, DocumentFacts(), AnalystConfig()).skus)
    return found
