"""Sentences that give orders to a machine, and such that come close: see tests/golden/orders/README.md."""

from collections.abc import Iterator
from pathlib import Path

from processing.engine.page import Block, Line, ParsedPage

FOLDER = Path(__file__).parents[1] / "golden" / "orders"


def sentences(name: str) -> Iterator[tuple[str, str]]:
    """Language and sentence."""
    language = ""
    for line in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            language = line[2:]
        elif line:
            yield language, line


def page_with(sentence: str) -> ParsedPage:
    """A page of a catalogue with it, on a line of its own, or on as many as ``|`` parts it in."""
    texts = ("Oak chair KC-201", *sentence.split("|"), "$120.00")
    lines = [Line(text, (50, 12.0 * n, 300, 12.0 * n + 10), ()) for n, text in enumerate(texts)]
    blocks = tuple(Block(f"T{n}", line.box, (line,)) for n, line in enumerate(lines, 1))
    return ParsedPage(1, 595, 842, 0, "test", blocks)
