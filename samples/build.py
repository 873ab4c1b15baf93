"""Draws the sample catalogues and writes their truth beside them: ``python -m samples.build``.

Needs the fonts of the Debian package fonts-noto-cjk and the Python package fonttools. Same input, same bytes.
"""

from collections.abc import Callable
from pathlib import Path

from tests.support.catalogues import fasteners, home_living
from tests.support.catalogues.fonts import noto
from tests.support.catalogues.ink import Book
from tests.support.catalogues.truth import Truth

HERE = Path(__file__).parent
SOURCES = HERE.parent / "tests" / "support" / "catalogues"
FACES = {"body": "NotoSansCJK-Regular", "bold": "NotoSansCJK-Bold", "serif": "NotoSerifCJK-Bold"}


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


def main() -> None:
    """Write all samples."""
    _write("岚木家居 2026 产品目录 Lanmu Living product catalogue", lambda book: home_living.HomeLiving(book).build())
    _write("恒固紧固件 2026 价目表", lambda book: fasteners.Fasteners(book).build())


if __name__ == "__main__":
    main()
