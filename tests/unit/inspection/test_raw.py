import pytest

from processing.engine.inspection import raw
from processing.engine.inspection.findings import Findings
from tests.unit.inspection.files import pdf, stream


def _bytes_of(tmp_path, data):
    path = tmp_path / "file.pdf"
    path.write_bytes(data)
    findings = Findings()
    raw.look_at_bytes(path, findings)
    return findings


@pytest.mark.parametrize(
    ("before", "at", "kind"),
    [
        (b"", 0, ""),
        (b"\xef\xbb\xbf\r\n", 5, ""),
        (b"MZ\x90\0", 4, "executable"),
        (b"PK\x03\x04aaaa", 8, "archive"),
        (b"<html>", 6, "web page"),
        (b"\x01\x02", 2, "other"),
        (bytes(1023), 1023, "other"),
    ],
)
def test_finds_the_signature_and_what_stands_before_it(tmp_path, before, at, kind):
    findings = _bytes_of(tmp_path, before + pdf())
    assert (findings.signature_at, findings.foreign_kind, findings.has_end_mark) == (at, kind, True)


@pytest.mark.parametrize("data", [b"", b"hello", b"%PD", bytes(1025) + pdf()])
def test_says_when_there_is_no_signature(tmp_path, data):
    assert _bytes_of(tmp_path, data).signature_at is None


def test_misses_a_cut_end(tmp_path):
    assert not _bytes_of(tmp_path, pdf()[:-8]).has_end_mark


def test_counts_plain_and_compressed_objects_across_reading_borders(tmp_path, monkeypatch):
    compressed = stream(b"", b"/Type/ObjStm/First 10/N 150")
    path = tmp_path / "file.pdf"
    path.write_bytes(pdf(compressed, compressed))
    for chunk in (300, 301, 307, 350, 1 << 20):
        monkeypatch.setattr(raw, "CHUNK_BYTES", chunk)
        assert raw.count_objects(path) == 6 + 300


def _jpeg(width, height):
    frame = b"\xff\xc0\x00\x11\x08" + height.to_bytes(2) + width.to_bytes(2) + b"\x03" + bytes(9)
    return b"\xff\xd8\xff\xe0\x00\x04ab" + frame


def _jbig2(width, height):
    return b"\0\0\0\0" + b"\x30\0\x01" + (19).to_bytes(4) + width.to_bytes(4) + height.to_bytes(4) + bytes(11)


def _jpx(width, height):
    return b"\0\0\0\x0cjP  " + b"\xff\x4f\xff\x51\x00\x2f\0\0" + width.to_bytes(4) + height.to_bytes(4) + bytes(24)


@pytest.mark.parametrize(
    ("name", "data"),
    [("DCTDecode", _jpeg(3000, 200)), ("JBIG2Decode", _jbig2(3000, 200)), ("JPXDecode", _jpx(3000, 200))],
)
def test_reads_the_size_that_a_codec_declares(name, data):
    assert raw.coded_px([name], data) == 600_000
    for cut in range(len(data)):
        raw.coded_px([name], data[:cut])  # any beginning of it must do no harm


@pytest.mark.parametrize(
    ("content", "hidden"),
    [
        (b"BT 3 Tr (x) Tj ET", True),
        (b"BT 7 Tr (x)' ET", True),
        (b"BT (x) Tj ET", False),
        (b"BT 3 Tr (x) Tj 0 Tr (y) Tj ET", False),
        (b"BT 3 Tr ET", False),
        (b"BT 13 Tr (x) Tj ET", False),
    ],
)
def test_knows_text_that_nobody_sees(content, hidden):
    assert raw.hides_all_its_text(content) is hidden
