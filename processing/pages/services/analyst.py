"""The rule analyst as the product calls it: packed pages in, results as JSON out, in a sandboxed child."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from catalogsku.core.sandbox import Outcome
from ingestion.stages import LOOK_BACK_PAGES
from processing.sandboxed import sandboxes
from processing.sandboxed.metered import Metered

TASK = "processing.engine.understanding.children:understand_pages"


def understand(
    numbers: Sequence[int],
    pages: Mapping[int, bytes],
    facts: Mapping[str, Any],
    config: Mapping[str, Any],
    answers: Mapping[int, Mapping[str, Any]] | None = None,
    metered: Metered | None = None,
) -> tuple[dict[int, bytes], Outcome]:
    """Results by page number, and how the child ended. ``pages``: packed, those asked for and those before them;
    ``answers``: what models said, by page number, as plain JSON values; ``metered``: on a document's account."""
    with sandboxes.work_folder() as folder:
        packed = folder / "pages"
        request = {**given_pages(packed, numbers, pages, answers), "facts": facts, "config": config}
        run = metered.run if metered is not None else sandboxes.sandbox().run
        outcome = run(TASK, request, numbers, folder / "out", [packed], sandboxes.UNDERSTANDING)
        return outcome.finished, outcome


def given_pages(
    file: Path,
    numbers: Sequence[int],
    pages: Mapping[int, bytes],
    answers: Mapping[int, Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """That part of the task's request, with the pages that it needs in ``file``: in one, for files that come and go
    by the thousand slow the making of others down."""
    earlier = {n: [m for m in range(n - LOOK_BACK_PAGES, n) if m in pages] for n in numbers}
    needed = {*numbers, *(m for numbers_before in earlier.values() for m in numbers_before)}
    file.write_bytes(msgspec.msgpack.encode({n: pages[n] for n in needed}))
    wanted = [{"number": n, "earlier": earlier[n], "answers": (answers or {}).get(n)} for n in numbers]
    return {"file": str(file), "pages": wanted}
