"""How much a stream unpacks to through a chain of filters (ISO 32000-1, 7.4), without keeping it."""

import base64
import re
import zlib
from collections.abc import Callable, Iterator

Blocks = Iterator[bytes]

BLOCK_BYTES = 4096
OUT_BYTES = 1 << 20
LAYERS_MAX = 8
_NOT_HEX = re.compile(rb"[^0-9A-Fa-f]+")
_SPACE = re.compile(rb"[\s\0]+")
_LZW_CLEAR, _LZW_END, _LZW_FIRST, _LZW_WIDEST = 256, 257, 258, 12


class _TooMuch(Exception):
    """A layer has given more than the bound."""


def unpacked_size(raw: bytes, filters: list[str], bound: int) -> int:
    """Bytes behind the last filter, or ``bound`` as soon as any layer gives that many; of broken data what came out.

    All ``filters`` must be in ``UNPACKERS``, at most LAYERS_MAX of them.
    """
    blocks: Blocks = (raw[at : at + BLOCK_BYTES] for at in range(0, len(raw), BLOCK_BYTES))
    for name in filters:
        blocks = _bounded(UNPACKERS[name](blocks), bound)
    try:
        return sum(map(len, blocks))
    except _TooMuch:
        return bound


def _bounded(blocks: Blocks, bound: int) -> Blocks:
    total = 0
    for block in blocks:
        total += len(block)
        if total >= bound:
            raise _TooMuch
        yield block


def _flate(blocks: Blocks) -> Blocks:
    engine = zlib.decompressobj()
    for block in blocks:
        while block and not engine.eof:
            try:
                yield engine.decompress(block, OUT_BYTES)
            except zlib.error:
                return
            block = engine.unconsumed_tail


def _hex(blocks: Blocks) -> Blocks:
    rest = b""
    for block in blocks:
        block, end, _ = block.partition(b">")
        digits = rest + _NOT_HEX.sub(b"", block)
        even = len(digits) & ~1
        yield bytes.fromhex(digits[:even].decode("ascii"))
        rest = digits[even:]
        if end:
            return


def _ascii85(blocks: Blocks) -> Blocks:
    rest = b""
    for block in blocks:
        block, end, _ = block.partition(b"~")
        digits = rest + _SPACE.sub(b"", block).replace(b"z", b"!!!!!")
        whole = len(digits) if end else len(digits) // 5 * 5
        try:
            yield base64.a85decode(digits[:whole])
        except ValueError:
            return
        rest = digits[whole:]
        if end:
            return


def _run_length(blocks: Blocks) -> Blocks:
    rest = b""
    for block in blocks:
        data, at, out = rest + block, 0, []
        while at < len(data) and data[at] != 128:
            length = data[at]
            step = 2 if length > 128 else length + 2
            if at + step > len(data):
                break
            out.append(data[at + 1 : at + 2] * (257 - length) if length > 128 else data[at + 1 : at + step])
            at += step
        yield b"".join(out)
        if at < len(data) and data[at] == 128:
            return
        rest = data[at:]


def _lzw(blocks: Blocks) -> Blocks:
    """Codes grow one early, as the default is."""
    table: list[bytes] = []
    last, width, held, bits = b"", 9, 0, 0
    for block in blocks:
        out: list[bytes] = []
        for byte in block:
            held, bits = (held << 8 | byte) & 0xFFFFFF, bits + 8
            if bits < width:
                continue
            bits -= width
            code = held >> bits & (1 << width) - 1
            if code == _LZW_END:
                yield b"".join(out)
                return
            if code == _LZW_CLEAR:
                table, last, width = [], b"", 9
                continue
            entry = _entry(table, code, last)
            if not entry:
                yield b"".join(out)
                return
            if last and len(table) + _LZW_FIRST < 1 << _LZW_WIDEST:
                table.append(last + entry[:1])
            last = entry
            out.append(entry)
            width = min(max(9, (len(table) + _LZW_FIRST + 1).bit_length()), _LZW_WIDEST)
        yield b"".join(out)


def _entry(table: list[bytes], code: int, last: bytes) -> bytes:
    """Empty for a code that no encoder gives."""
    if code < _LZW_CLEAR:
        return bytes((code,))
    at = code - _LZW_FIRST
    return table[at] if at < len(table) else last + last[:1] if at == len(table) else b""


UNPACKERS: dict[str, Callable[[Blocks], Blocks]] = {
    "FlateDecode": _flate, "Fl": _flate, "ASCIIHexDecode": _hex, "AHx": _hex, "ASCII85Decode": _ascii85,
    "A85": _ascii85, "RunLengthDecode": _run_length, "RL": _run_length, "LZWDecode": _lzw, "LZW": _lzw,
}  # fmt: skip
