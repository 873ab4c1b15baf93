"""A copy of a file without scripts, actions and attachments; what is printed on its pages stays as it is.

qpdf writes the copy anew from what hangs on its catalogue, so that what nothing refers to any more is not in it. It is
inspected like any file afterwards: nothing relies on this having found everything.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pikepdf

from processing.engine.inspection import COPY
from processing.engine.inspection.passwords import passwords

# ISO 32000-2, table 201: all but GoTo, which stays in the document.
_ACTIONS = frozenset(
    f"/{name}"
    for name in (
        *("JavaScript", "Launch", "URI", "SubmitForm", "ResetForm", "ImportData", "GoToR", "GoToE", "GoToDp", "Thread"),
        *("Sound", "Movie", "Hide", "Named", "SetOCGState", "Rendition", "Trans", "GoTo3DView", "RichMediaExecute"),
    )
)
_ANNOTATIONS = frozenset(("/FileAttachment", "/RichMedia", "/Screen", "/Movie", "/Sound", "/3D"))
# Wherever they stand: triggers, embedded and associated files, dynamic forms.
_KEYS = ("/OpenAction", "/AA", "/JS", "/EF", "/RF", "/AF", "/XFA", "/RichMediaContent", "/RichMediaSettings")
_CALLS = ("/A", "/PA", "/Next")
_OF_CATALOG, _OF_NAMES = ("/Collection",), ("/JavaScript", "/EmbeddedFiles")
# Streams are copied as they are stored: bombs stay packed. In an encrypted file qpdf leaves only the deflated ones so.
_PLAIN: dict[str, Any] = {
    "deterministic_id": True,
    "compress_streams": False,
    "stream_decode_level": pikepdf.StreamDecodeLevel.none,
}
_LOCKED: dict[str, Any] = {"encryption": True}
# Objects in which nothing of this can stand are not looked into.
_WORTH_A_LOOK = re.compile(
    b"(?:%s)(?![A-Za-z0-9])"
    % b"|".join(name.encode() for name in sorted({*_ACTIONS, *_ANNOTATIONS, *_KEYS, *_CALLS, "/EmbeddedFile"}))
)


def clean_file(request: Mapping[str, Any], emit: Callable[[int, bytes], None]) -> None:
    """``request``: path, out, optional password. Writes COPY into the folder ``out``, encrypted as the file is, and
    emits it as the only page.

    Raises what pikepdf raises on broken files.
    """
    with _open(Path(request["path"]), str(request.get("password") or "")) as pdf:
        _drop(pdf.Root, _OF_CATALOG)
        if isinstance(names := pdf.Root.get("/Names"), pikepdf.Dictionary):
            _drop(names, _OF_NAMES)
        for value in pdf.objects:
            _clean(value)
        pdf.save(Path(request["out"], COPY), **(_LOCKED if pdf.is_encrypted else _PLAIN))
    emit(1, b"copied")


def _open(path: Path, password: str) -> pikepdf.Pdf:
    for candidate in passwords(password):
        with suppress(pikepdf.PasswordError):
            return pikepdf.open(path, password=candidate, suppress_warnings=True)
    raise pikepdf.PasswordError("the password does not open the file")


def _clean(value: Any) -> None:
    """One indirect object with all that stands in it, without recursion."""
    if isinstance(value, pikepdf.Stream):
        if value.get("/Type") == "/EmbeddedFile":
            value.write(b"")
            del value["/Type"]
        text = value.stream_dict.unparse(resolved=True)
    else:
        text = value.unparse(resolved=True) if isinstance(value, pikepdf.Dictionary | pikepdf.Array) else b""
    if not _WORTH_A_LOOK.search(text):
        return
    todo = [value]
    while todo:
        holder = todo.pop()
        if not isinstance(holder, pikepdf.Array):
            _clean_dictionary(holder)
        todo += [inside for inside in _inside(holder) if not inside.is_indirect]


def _inside(holder: Any) -> Iterator[Any]:
    values = holder if isinstance(holder, pikepdf.Array) else [holder[key] for key in list(holder.keys())]
    return (value for value in values if isinstance(value, pikepdf.Dictionary | pikepdf.Array))


def _clean_dictionary(holder: Any) -> None:
    if _is_banned(holder):
        _drop(holder, set(holder.keys()) - {"/Length"})
        return
    _drop(holder, _KEYS)
    for key in _CALLS:
        called = holder.get(key)
        if any(_is_banned(action) for action in (called if isinstance(called, pikepdf.Array) else [called])):
            del holder[key]
    notes = holder.get("/Annots")
    if isinstance(notes, pikepdf.Array) and any(_is_banned(note) for note in notes):
        holder["/Annots"] = pikepdf.Array([note for note in notes if not _is_banned(note)])


def _drop(holder: Any, keys: Iterable[str]) -> None:
    for key in keys:
        if key in holder:
            del holder[key]


def _is_banned(value: Any) -> bool:
    """An action or annotation that is left out, or one that was emptied before."""
    if not isinstance(value, pikepdf.Dictionary | pikepdf.Stream):
        return False
    return (
        value.get("/S") in _ACTIONS or "/JS" in value or value.get("/Subtype") in _ANNOTATIONS or not len(value.keys())
    )
