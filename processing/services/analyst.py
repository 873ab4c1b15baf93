"""The rule analyst as the product calls it: packed pages in, results as JSON out, in a sandboxed child."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from catalogsku.core.sandbox import Outcome
from ingestion.services.dispatch import LOOK_BACK_PAGES
from processing.services import sandboxes

TASK = "processing.engine.understanding.children:understand_pages"


def understand(
    numbers: Sequence[int],
    pages: Mapping[int, bytes],
    facts: Mapping[str, Any],
    config: Mapping[str, Any],
    answers: Mapping[int, Mapping[str, Any]] | None = None,
) -> tuple[dict[int, bytes], Outcome]:
    """Results by page number, and how the child ended. ``pages``: packed, those asked for and those before them;
    ``answers``: what models said, by page number, as plain JSON values."""
    with sandboxes.work_folder() as folder:
        given, out = folder / "in", folder / "out"
        given.mkdir()
        files = {number: _written(given / f"{number}.page", data) for number, data in pages.items()}
        earlier = {n: [files[m] for m in range(n - LOOK_BACK_PAGES, n) if m in files] for n in numbers}
        request = {
            "pages": [
                {"number": n, "file": files[n], "earlier": earlier[n], "answers": (answers or {}).get(n)}
                for n in numbers
            ],
            "facts": facts,
            "config": config,
        }
        outcome = sandboxes.sandbox().run(TASK, request, numbers, out, [given], sandboxes.UNDERSTANDING)
        return {number: path.read_bytes() for number, path in outcome.finished.items()}, outcome


def _written(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    return str(path)
