"""What a sandboxed child process is asked to do; each page is handed over before the next is begun."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from processing.engine.page import pack_page
from processing.engine.reading.prescan import prescan_page
from processing.engine.reading.read import RecognitionElsewhere, read_page
from processing.engine.reading.readers import OpenFile
from processing.engine.reading.settings import ReadingSettings

Emit = Callable[[int, bytes], None]


class Request(msgspec.Struct, frozen=True):
    """``path`` of the PDF, ``pages`` counted from 1 (for prescan empty: all of them), ``out`` for files.

    ``recognises``: this child may use OCR.
    """

    path: str
    pages: list[int] = []
    out: str = ""
    password: str = ""
    settings: ReadingSettings = ReadingSettings()
    recognises: bool = True


def prescan_file(request: dict[str, Any], emit: Emit) -> None:
    """Emits each page's PrescanPage as JSON. Raises PasswordNeeded, UnreadableDocument, msgspec.ValidationError."""
    options = msgspec.convert(request, Request)
    with OpenFile(Path(options.path), options.settings.readers, options.password) as documents:
        count = documents.first().page_count
        for number in options.pages or range(1, count + 1):
            emit(number, msgspec.json.encode(prescan_page(documents, number, options.settings)))


def count_pages(request: dict[str, Any], emit: Emit) -> None:
    """Emits how many pages the file has, in digits, in the place of its first page. Raises as ``prescan_file``."""
    options = msgspec.convert(request, Request)
    with OpenFile(Path(options.path), options.settings.readers, options.password) as documents:
        emit(1, str(documents.first().page_count).encode())


def read_pages(request: dict[str, Any], emit: Emit) -> None:
    """Emits each page as ``pack_page`` bytes; its files are complete in ``out`` by then, their names begin with the
    page number. Emits nothing in the place of a page that must be recognised by another child. Raises as
    ``prescan_file``, and UnreadablePage for a page that no reader can read."""
    options = msgspec.convert(request, Request)
    out_dir = Path(options.out)
    with OpenFile(Path(options.path), options.settings.readers, options.password) as documents:
        documents.first()
        for number in options.pages:
            try:
                page = read_page(documents, number, options.settings, out_dir, recognises=options.recognises)
            except RecognitionElsewhere:
                emit(number, b"")
            else:
                emit(number, pack_page(page))
