"""Files read and understood in the product's sandbox by a process of its own, without jobs, rows and workers.

``main`` reads [[path, pages], ...] from its input; its last line is {version, pages, skus, failed}.
"""

import json
import sys
from pathlib import Path

import msgspec

from catalogsku import __version__
from catalogsku.core.sandbox import Sandbox
from catalogsku.core.structs import ready
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.config import AnalystConfig
from processing.pages.services import analyst
from processing.pages.services.reading import TASK
from processing.sandboxed import frozen, sandboxes
from processing.sandboxed.errands import Errand, finish_pages
from tests.bench.bare import CHUNK_PAGES


def main() -> None:
    pages, skus, failed = 0, 0, list[str]()
    with sandboxes.new_sandbox() as box:
        for path, count in json.load(sys.stdin):
            with sandboxes.work_folder() as folder:
                found, failures = _understood(box, Path(path), count, folder)
            pages += len(found)
            skus += sum(found.values())
            failed += [f"{path}: {failure}" for failure in failures]
    print(json.dumps({"version": __version__, "pages": pages, "skus": skus, "failed": failed}))


def _understood(box: Sandbox, path: Path, count: int, folder: Path) -> tuple[dict[int, int], list[str]]:
    """How many SKUs each page has, and why pages failed. Print in pictures is not recognised: nobody beside us does."""
    settings = msgspec.structs.replace(frozen.reading_settings(), ocr=False)
    to_read = {"path": str(path), "out": str(folder / "read"), "settings": frozen.jsonable(settings),
               "assess": [], "recognises": False}  # fmt: skip
    told = {"facts": frozen.jsonable(DocumentFacts()), "config": frozen.jsonable(AnalystConfig())}
    packed, file = dict[int, bytes](), folder / "pages"
    reading = Errand("read", TASK, lambda numbers: {**to_read, "pages": numbers}, [path], sandboxes.READING)
    understanding = Errand(
        "understand",
        analyst.TASK,
        lambda numbers: {**told, **analyst.given_pages(file, numbers, packed)},
        [file],
        sandboxes.UNDERSTANDING,
    )
    found, failures = dict[int, int](), list[str]()
    for first in range(1, count + 1, CHUNK_PAGES):
        numbers = range(first, min(first + CHUNK_PAGES, count + 1))
        read = finish_pages(box, reading, numbers, folder)
        packed |= {number: msgspec.msgpack.decode(payload)[0] for number, payload in read.pages.items()}
        done = finish_pages(box, understanding, sorted(read.pages), folder)
        for number, result in done.pages.items():
            found[number] = len(msgspec.json.decode(result, type=ready(PageResult)).skus)
        failures += [*read.failures.values(), *done.failures.values()]
    return found, failures
