"""What the bytes of a file say before any library opens it: signature, end mark, a second file type, codec headers."""

import re
from pathlib import Path

from processing.engine.inspection.findings import Findings

SIGNATURE_WITHIN_BYTES = 1024  # readers accept it there (ISO 32000-1, Annex H.3.4.1)
END_WITHIN_BYTES = 2048
CHUNK_BYTES = 16 << 20
OBJECT_STREAM_NEAR_BYTES = 256  # its dictionary is no longer than that
_FOREIGN = (
    (b"MZ", "executable"),
    (b"\x7fELF", "executable"),
    (b"\xca\xfe\xba\xbe", "executable"),
    (b"#!", "executable"),
    (b"PK\x03\x04", "archive"),
    (b"Rar!", "archive"),
    (b"\x1f\x8b", "archive"),
    (b"7z\xbc\xaf", "archive"),
    (b"\xff\xd8\xff", "picture"),
    (b"GIF8", "picture"),
    (b"\x89PNG", "picture"),
    (b"<", "web page"),
)
_OBJECT_STREAM = re.compile(rb"/ObjStm")
_OBJECTS_IN_STREAM = re.compile(rb"/N\s+(\d{1,7})")
_INVISIBLE = re.compile(rb"(?<![\d.])[37]\s+Tr\b")
_VISIBLE = re.compile(rb"(?<![\d.])[012456]\s+Tr\b")
_SHOWN = re.compile(rb"(?:Tj|TJ|'|\")(?=\s|$)")


def look_at_bytes(path: Path, findings: Findings) -> None:
    """Fills size, signature, end mark and a foreign start; reads the two ends of the file only."""
    findings.size_bytes = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(SIGNATURE_WITHIN_BYTES + 8)
        file.seek(max(0, findings.size_bytes - END_WITHIN_BYTES))
        tail = file.read()
    at = head.find(b"%PDF-", 0, SIGNATURE_WITHIN_BYTES + 5)
    findings.signature_at = at if at >= 0 else None
    findings.has_end_mark = b"%%EOF" in tail
    if at > 0:
        # A byte order mark or white space before the signature is a careless writer, not a second file type.
        before = head[:at].removeprefix(b"\xef\xbb\xbf").strip()
        known = next((kind for magic, kind in _FOREIGN if before.startswith(magic)), "other")
        findings.foreign_kind = known if before else ""


def count_objects(path: Path) -> int:
    """Objects that the bytes announce, compressed ones included; no library needs to load them for this."""
    count, window = 0, b""
    near = OBJECT_STREAM_NEAR_BYTES
    with path.open("rb") as file:
        while True:
            part = file.read(CHUNK_BYTES)
            rest = window[-2 * near :]
            count += (rest[-3:] + part).count(b" obj")
            window = rest + part
            # A dictionary is looked at when all that is near it has been read.
            end = len(window) - near if part else len(window)
            for match in _OBJECT_STREAM.finditer(window):
                if len(rest) - near <= match.start() < end:
                    count += _compressed_objects(window, match.start())
            if not part:
                return count


def _compressed_objects(data: bytes, at: int) -> int:
    near = data[max(0, at - OBJECT_STREAM_NEAR_BYTES) : at + OBJECT_STREAM_NEAR_BYTES]
    start = near.rfind(b"obj", 0, min(at, OBJECT_STREAM_NEAR_BYTES))
    match = _OBJECTS_IN_STREAM.search(near, max(0, start))
    return int(match[1]) if match else 0


def hides_all_its_text(content: bytes) -> bool:
    """Text is shown and every render mode set is an invisible one (ISO 32000-1, 9.3.6: modes 3 and 7)."""
    return bool(_INVISIBLE.search(content) and _SHOWN.search(content) and not _VISIBLE.search(content))


def coded_px(filters: list[str], raw: bytes) -> int:
    """Pixels that the header of a coded picture declares, whatever its dictionary says; 0 when it says nothing."""
    last = filters[-1] if filters else ""
    if last == "JBIG2Decode":
        return _jbig2_px(raw)
    if last in ("DCTDecode", "DCT"):
        return _jpeg_px(raw)
    if last == "JPXDecode":
        return _jpx_px(raw)
    return 0


def _jbig2_px(raw: bytes) -> int:
    """Page information or region segments among the first ones (ITU-T T.88, 7.2 and 7.4)."""
    at, largest = 0, 0
    for _ in range(32):
        if at + 11 > len(raw):
            break
        kind, referred = raw[at + 4], raw[at + 5] >> 5
        number = int.from_bytes(raw[at : at + 4])
        size = 1 if number <= 256 else 2 if number <= 65536 else 4
        data = at + 6 + referred * size + (4 if kind & 0x40 else 1) + 4
        length = int.from_bytes(raw[data - 4 : data])
        if kind & 0x3F == 48 or 4 <= kind & 0x3F <= 43:
            width, height = int.from_bytes(raw[data : data + 4]), int.from_bytes(raw[data + 4 : data + 8])
            largest = max(largest, width * height if height != 0xFFFFFFFF else 0)
        if referred == 7 or length == 0xFFFFFFFF:
            break
        at = data + length
    return largest


def _jpeg_px(raw: bytes) -> int:
    """The frame header (ITU-T T.81, B.2.2)."""
    at = 2
    while at + 9 <= len(raw) and raw[at] == 0xFF:
        marker = raw[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(raw[at + 5 : at + 7]) * int.from_bytes(raw[at + 7 : at + 9])
        at += 1 if marker == 0xFF else 2 + int.from_bytes(raw[at + 2 : at + 4])
    return 0


def _jpx_px(raw: bytes) -> int:
    """The SIZ marker of the code stream (ITU-T T.800, A.5.1)."""
    at = raw.find(b"\xff\x4f\xff\x51")
    if at < 0 or at + 16 > len(raw):
        return 0
    return int.from_bytes(raw[at + 8 : at + 12]) * int.from_bytes(raw[at + 12 : at + 16])
