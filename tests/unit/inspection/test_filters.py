import base64
import random
import zlib

import pikepdf
import pytest

from processing.engine.inspection.filters import UNPACKERS, unpacked_size

TEXT = bytes(random.Random(5).choices(b"abc \n", k=30_000)) + bytes(20_000)
MUCH = 1 << 30


def _run_length(data: bytes) -> bytes:
    out = b"".join(bytes([len(part) - 1]) + part for part in (data[at : at + 100] for at in range(0, len(data), 100)))
    return out + b"\x80"


def _lzw(data: bytes) -> bytes:
    """Written from the definition (ISO 32000-1, 7.4.4): widths grow one code early."""
    table = {bytes((n,)): n for n in range(256)}
    bits, codes, word, width = [], 258, b"", 9

    def put(code: int) -> None:
        bits.append(format(code, f"0{width}b"))

    put(256)
    for byte in data:
        longer = word + bytes((byte,))
        if longer in table:
            word = longer
            continue
        put(table[word])
        table[longer], codes = codes, codes + 1
        width = max(9, codes.bit_length())
        word = bytes((byte,))
        if codes >= 4093:
            put(table[word])
            put(256)
            table, codes, word, width = {bytes((n,)): n for n in range(256)}, 258, b"", 9
    if word:
        put(table[word])
    put(257)
    joined = "".join(bits)
    return int(joined.ljust(-(-len(joined) // 8) * 8, "0"), 2).to_bytes(-(-len(joined) // 8))


WAYS = {
    "FlateDecode": zlib.compress,
    "ASCIIHexDecode": lambda data: (
        b"\n".join(data.hex().encode()[at : at + 77] for at in range(0, 2 * len(data), 77)) + b">"
    ),
    "ASCII85Decode": lambda data: base64.a85encode(data, wrapcol=70) + b"~>",
    "RunLengthDecode": _run_length,
    "LZWDecode": _lzw,
}


@pytest.mark.parametrize("name", sorted(WAYS))
def test_counts_what_a_filter_gives(name):
    assert unpacked_size(WAYS[name](TEXT), [name], MUCH) == len(TEXT)


@pytest.mark.parametrize("name", sorted(WAYS))
def test_agrees_with_a_library_on_what_it_gives(name):
    pdf = pikepdf.new()
    given = pikepdf.Stream(pdf, WAYS[name](TEXT), {"/Filter": pikepdf.Name("/" + name)})
    assert given.read_bytes(pikepdf.StreamDecodeLevel.all) == b"".join(UNPACKERS[name](iter([WAYS[name](TEXT)])))


@pytest.mark.req("TA-T23")
@pytest.mark.parametrize("outer", sorted(WAYS))
@pytest.mark.parametrize("inner", sorted(WAYS))
def test_counts_through_two_filters(outer, inner):
    assert unpacked_size(WAYS[outer](WAYS[inner](TEXT)), [outer, inner], MUCH) == len(TEXT)


@pytest.mark.req("TA-T23")
def test_stops_at_the_bound_also_inside_the_chain():
    """White space between hexadecimal digits gives nothing, and could go on without end."""
    spaces = zlib.compress(b" " * 5_000_000)
    assert unpacked_size(spaces, ["FlateDecode", "ASCIIHexDecode"], 1_000_000) == 1_000_000
    assert unpacked_size(spaces, ["FlateDecode", "ASCIIHexDecode"], MUCH) == 0
    assert unpacked_size(b"\x81 " * 50_000 + b"\x80", ["RL"], 1_000_000) == 1_000_000


@pytest.mark.parametrize("name", sorted(UNPACKERS))
def test_broken_data_counts_what_came_out(name):
    rubbish = random.Random(9).randbytes(20_000)
    assert 0 <= unpacked_size(rubbish, [name], MUCH) < 100 * len(rubbish)
    assert unpacked_size(b"", [name], MUCH) == 0
