"""Texts that a file holds beside its pages: metadata, notes, links, names of attachments and of form fields."""

import re
import zlib
from collections.abc import Callable, Iterator

_MOST_TEXTS = 2000
_MOST_CHARS = 200_000
_METADATA_BYTES = 64 << 10
_NAMED = re.compile(
    rb"/(?:Title|Author|Subject|Keywords|Creator|Contents|RC|URI|UF|F|Desc|TU|T|V|Alt|ActualText)\s{0,4}"
    rb"(?:\(((?:[^\\()]|\\.)*)\)|<([0-9A-Fa-f\s]*)>)",
    re.DOTALL,
)
_ESCAPED = re.compile(rb"\\([0-7]{1,3}|\r\n|.)", re.DOTALL)
_ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f", b"\n": b"", b"\r": b"", b"\r\n": b""}
_TAG = re.compile(r"<[^<>]*>")


class Texts:
    """Collects them object by object, up to 200 000 characters."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._chars = 0

    def of_object(self, text: bytes, raw: Callable[[], bytes] | None) -> None:
        """``text``: the object as a library prints it. Raises what ``raw`` raises."""
        for match in _NAMED.finditer(text):
            self._keep(_text(_string(match)))
        if raw is not None and b"/Metadata" in text:
            for said in _of_metadata(raw(), b"/Fl" in text):
                self._keep(said)

    def _keep(self, said: str) -> None:
        said = said.strip()[: _MOST_CHARS - self._chars]
        if said and len(self.texts) < _MOST_TEXTS:
            self.texts.append(said)
            self._chars += len(said)


def _string(match: re.Match[bytes]) -> bytes:
    if match[1] is None:
        digits = re.sub(rb"\s", b"", match[2]).decode()
        return bytes.fromhex(digits + "0" * (len(digits) % 2))
    return _ESCAPED.sub(_unescaped, match[1])


def _unescaped(match: re.Match[bytes]) -> bytes:
    sign = match[1]
    return bytes([int(sign, 8) & 0xFF]) if sign.isdigit() else _ESCAPES.get(sign, sign)


def _text(data: bytes) -> str:
    """A text string (ISO 32000-2, 7.9.2.2); UTF-8 without its mark is met too."""
    if data.startswith((b"\xfe\xff", b"\xff\xfe")):
        return data.decode("utf-16", "replace")
    try:
        return data.removeprefix(b"\xef\xbb\xbf").decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _of_metadata(data: bytes, packed: bool) -> Iterator[str]:
    """The texts between the tags of an XMP packet."""
    if packed:
        try:
            data = zlib.decompressobj().decompress(data, _METADATA_BYTES)
        except zlib.error:
            return
    yield from _TAG.sub("\n", data[:_METADATA_BYTES].decode("utf-8", "replace")).split("\n")
