"""Draws the samples: ``python -m samples.build``. Papers of trials, and catalogues with their truth beside them.

Papers are set in faces that PyMuPDF carries. Catalogues need the fonts of the Debian package fonts-noto-cjk and the
Python package fonttools. Same input, same bytes.
"""

from collections.abc import Callable
from pathlib import Path

import pymupdf

from tests.support.catalogues import fasteners, home_living
from tests.support.catalogues.fonts import noto
from tests.support.catalogues.ink import Book
from tests.support.catalogues.truth import Truth
from tests.support.trials import balance, lemon_balm

HERE = Path(__file__).parent
SOURCES = HERE.parent / "tests" / "support" / "catalogues"
FACES = {"body": "NotoSansCJK-Regular", "bold": "NotoSansCJK-Bold", "serif": "NotoSerifCJK-Bold"}
# Faces of papers, by their names in PyMuPDF.
PAPER_FACES = {"body": "tiro", "bold": "tibo", "italic": "tiit", "sans": "helv", "sansbold": "hebo"}
PAPERS = {"trial-lemon-balm.pdf": lemon_balm, "trial-balance-training.pdf": balance}


def _letters() -> str:
    """Every character that a sample might print: those of the modules that draw them."""
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(SOURCES.glob("*.py")))
    return "".join(sorted({char for char in text if char >= " "}))


def _write(title: str, draw: Callable[[Book], Truth]) -> None:
    """Draw twice: the first time shows which letters each face needs, so that the file carries no others."""
    letters = _letters()
    trial = Book({face: noto(name, letters) for face, name in FACES.items()}, title)
    draw(trial)
    needed = {face: trial.faces[face].used for face in FACES}
    book = Book({face: noto(name, needed[face]) for face, name in FACES.items() if needed[face]}, title)
    truth = draw(book)
    book.save(HERE / truth.file)
    truth.save(HERE / truth.file.replace(".pdf", ".truth.json"))


def paper(name: str) -> bytes:
    """The paper of PAPERS with this file name."""
    book = Book({face: pymupdf.Font(font).buffer for face, font in PAPER_FACES.items()}, PAPERS[name].TITLE)
    PAPERS[name].draw(book)
    return book.to_bytes()


def main() -> None:
    """Write all samples."""
    for name in PAPERS:
        (HERE / name).write_bytes(paper(name))
    _write("岚木家居 2026 产品目录 Lanmu Living product catalogue", lambda book: home_living.HomeLiving(book).build())
    _write("恒固紧固件 2026 价目表", lambda book: fasteners.Fasteners(book).build())


if __name__ == "__main__":
    main()
