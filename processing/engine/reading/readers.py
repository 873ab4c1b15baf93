"""The readers by name, and one file opened by those that the settings name, each only when it is asked."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Self, overload

from processing.engine.reading.port import Document, PasswordNeeded, Reader, UnreadableDocument

_READERS = {
    "pymupdf": ("processing.engine.reading.pymupdf_reader", "PyMuPdfReader"),
    "pdfplumber": ("processing.engine.reading.pdfplumber_reader", "PdfplumberReader"),
    "pypdfium2": ("processing.engine.reading.pypdfium2_reader", "Pypdfium2Reader"),
}


def reader(name: str) -> Reader:
    """Imports the library on first use. KeyError for an unknown name, ImportError where it is not installed."""
    module, kind = _READERS[name]
    made: Reader = getattr(import_module(module), kind)()
    return made


def preload(names: Sequence[str]) -> None:
    """Imports the libraries, for a process that is forked later."""
    for name in names:
        reader(name)


class OpenFile(Sequence[Document]):
    """The documents of one file in reader order; readers that cannot open it are left out as they are met."""

    def __init__(self, path: Path, names: Sequence[str], password: str = "") -> None:
        self._path, self._password = path, password
        self._waiting = list(names)
        self._open: list[Document] = []
        self.failures: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        for document in self._open:
            document.close()
        self._open.clear()

    def _open_until(self, count: int) -> None:
        while self._waiting and len(self._open) < count:
            name = self._waiting.pop(0)
            try:
                self._open.append(reader(name).open(self._path, self._password))
            except PasswordNeeded:
                if not self._open:
                    raise
                self.failures.append(f"{name}: password")
            except (UnreadableDocument, ImportError) as error:
                self.failures.append(f"{name}: {error}"[:200])

    def first(self) -> Document:
        """The first reader's document. Raises PasswordNeeded, or UnreadableDocument where no reader opens the file."""
        try:
            return self[0]
        except IndexError:
            raise UnreadableDocument("; ".join(self.failures)) from None

    @overload
    def __getitem__(self, index: int) -> Document: ...

    @overload
    def __getitem__(self, index: slice) -> list[Document]: ...

    def __getitem__(self, index: int | slice) -> Document | list[Document]:
        """Opens readers up to that place. Raises PasswordNeeded; IndexError beyond the last that can open the file."""
        if isinstance(index, slice):
            self._open_until(len(self._open) + len(self._waiting))
            return self._open[index]
        self._open_until(index + 1)
        return self._open[index]

    def __len__(self) -> int:
        """How many there may be; iteration meets only those that open."""
        return len(self._open) + len(self._waiting)
