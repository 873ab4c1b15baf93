"""Each finding on a file made for it, through every library that can look at objects."""

import sys
import zlib

import msgspec
import pytest

from processing.engine.inspection import NUMBERS, Findings, inspect_file, read_findings
from processing.engine.inspection import inspect as steps
from tests.unit.inspection.files import PAGE, PAGES, pdf, stream

JS = b"<</S/JavaScript/JS(app.alert\\(1\\))>>"
LINK = b"<</Subtype/Link/Rect[0 0 1 1]/A<</S/URI/URI(http://shop)>>>>"
FORM = b"<</FT/Tx/Subtype/Widget/Rect[0 0 9 9]/AA<</K 5 0 R>>>>"


@pytest.fixture(params=["by_qpdf", "by_mupdf"])
def walker(request, monkeypatch):
    """The library that walks; the other one then does not open the file at all."""
    monkeypatch.setattr(steps, "STEPS", (request.param, "by_pdfium", "by_pdfium"))
    return request.param


def _inspect(tmp_path, data, **request) -> Findings:
    path = tmp_path / "file.pdf"
    path.write_bytes(data)
    emitted: dict[int, bytes] = {}
    inspect_file({"path": str(path), **request}, emitted.__setitem__)
    assert sorted(emitted) == list(NUMBERS)
    findings = read_findings(emitted)
    assert findings is not None
    return findings


def test_a_plain_file_has_no_findings(tmp_path):
    findings = _inspect(tmp_path, pdf(pages=PAGES[:-24] + b">>", page=PAGE[:-2] + b"/MediaBox[0 0 595 842]>>"))
    assert findings.page_counts == {"qpdf": 1, "mupdf": 1, "pdfium": 1}
    assert findings.object_count == 4 and findings.walked_by == "qpdf" and findings.encryption == "none"
    assert (findings.page_side_min_pt, findings.page_side_max_pt) == (595, 842)
    quiet = Findings()
    for fact in ("script_places", "launch_actions", "automatic_actions", "embedded_files", "external_streams"):
        assert getattr(findings, fact) == getattr(quiet, fact)
    for fact in ("unsupported_filters", "repaired_by", "failed_checks", "has_loop", "unseen_objects"):
        assert getattr(findings, fact) == getattr(quiet, fact)


@pytest.mark.parametrize(
    ("places", "data"),
    [
        (["document"], pdf(JS, catalog=b"<</Type/Catalog/Pages 2 0 R/OpenAction 5 0 R>>")),
        (["document"], pdf(catalog=b"<</Type/Catalog/Pages 2 0 R/OpenAction" + JS + b">>")),
        (["document"], pdf(JS, b"<</S/GoTo/Next 5 0 R>>", catalog=b"<</Type/Catalog/Pages 2 0 R/OpenAction 6 0 R>>")),
        (["document"], pdf(JS, catalog=b"<</Type/Catalog/Pages 2 0 R/Names<</JavaScript<</Names[(x)5 0 R]>>>>>>")),
        (["page"], pdf(JS, page=PAGE.replace(b"/Type", b"/AA<</O 5 0 R>>/Type", 1))),
        (["page"], pdf(JS, b"<</O 5 0 R>>", page=PAGE.replace(b"/Type", b"/AA 6 0 R/Type", 1))),
        (["annotation"], pdf(b"<</Subtype/Link/Rect[0 0 9 9]/A" + JS + b">>")),
        (["form"], pdf(JS, FORM)),
        (["document"], pdf(b"<</#53/#4aavaScript/J#53(x)>>")),
        ([], pdf(b"<</Title(/JS /JavaScript)>>")),
        ([], pdf(b"<</S/URI/URI(http://x/JS)>>")),
    ],
)
def test_finds_scripts_and_where_they_hang(walker, tmp_path, places, data):
    assert _inspect(tmp_path, data).script_places == places


@pytest.mark.parametrize(
    ("fact", "value", "data"),
    [
        ("launch_actions", 1, pdf(b"<</S/Launch/F(calc.exe)>>")),
        ("launch_actions", 1, pdf(b"<</Subtype/Link/Rect[0 0 1 1]/A<</S/Launch/F(a)>>>>")),
        ("automatic_actions", ["URI"], pdf(catalog=b"<</Type/Catalog/Pages 2 0 R/OpenAction<</S/URI/URI(h)>>>>")),
        ("automatic_actions", ["GoToR"], pdf(b"<</S/GoToR>>", page=PAGE[:-2] + b"/AA<</O 5 0 R>>>>")),
        ("automatic_actions", [], pdf(LINK, page=PAGE[:-2] + b"/MediaBox[0 0 9 9]/Annots[" + LINK + b"]>>")),
        ("embedded_files", 1, pdf(stream(b"x", b"/Type/EmbeddedFile"), b"<</Type/Filespec/EF<</F 5 0 R>>>>")),
        ("embedded_files", 1, pdf(b"<</Subtype/FileAttachment/Rect[0 0 1 1]>>")),
        ("embedded_files", 0, pdf(catalog=b"<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[]>>>>>>")),
        ("external_streams", 1, pdf(stream(b"", b"/F(/etc/passwd)"))),
        ("unsupported_filters", ["Secret"], pdf(stream(b"x", b"/Filter/Secret"))),
        ("unsupported_filters", [], pdf(stream(b"x", b"/Filter[/ASCII85Decode/DCTDecode]"))),
        ("has_form_xfa", True, pdf(b"<</XFA[(a)4 0 R]>>")),
        ("has_loop", True, pdf(b"<</Title(a)/Next 6 0 R>>", b"<</Title(b)/First 5 0 R>>")),
        ("has_loop", False, pdf(b"<</Title(a)/Next 6 0 R>>", b"<</Title(b)/Prev 5 0 R/Next 7 0 R>>")),
        ("has_invisible_text", True, pdf(content=stream(b"BT 3 Tr (x) Tj ET"))),
        ("image_px_max", 10**10, pdf(stream(b"x", b"/Subtype/Image/Width 100000/Height 100000"))),
        ("image_px_max", 10**10, pdf(stream(b"x", b"/Subtype/Image/Width 6 0 R/Height 6 0 R"), b"100000")),
        ("page_side_max_pt", 36_000, pdf(page=PAGE[:-2] + b"/MediaBox[0 0 360 200]/UserUnit 100>>")),
        ("page_side_max_pt", 1000, pdf(b"[0 0 1000 9]", page=PAGE[:-2] + b"/MediaBox 5 0 R>>")),
        ("page_side_min_pt", 3, pdf(page=PAGE[:-2] + b"/MediaBox[0 0 3 300]>>")),
        ("unseen_objects", 1, pdf(b"<</JS" + b"[" * 80 + b"]" * 80 + b">>")),
    ],
)
def test_finds(walker, tmp_path, fact, value, data):
    assert getattr(_inspect(tmp_path, data), fact) == value


def test_a_scan_with_a_text_layer_hides_no_text(walker, tmp_path):
    data = pdf(stream(b"x", b"/Subtype/Image/Width 9/Height 9"), content=stream(b"BT 3 Tr (x) Tj ET"))
    assert not _inspect(tmp_path, data).has_invisible_text


def test_measures_compressed_content(walker, tmp_path):
    long = zlib.compressobj(9)
    data = b"".join(long.compress(bytes(1 << 20)) for _ in range(100)) + long.flush()
    assert _inspect(tmp_path, pdf(stream(data, b"/Filter/FlateDecode"))).stream_bytes_max == 100 << 20
    twice = stream(zlib.compress(data), b"/Filter[/FlateDecode/FlateDecode]")
    bounds = {"stream_bytes": 50 << 20}
    assert 50 << 20 <= _inspect(tmp_path, pdf(twice), bounds=bounds).stream_bytes_max < 60 << 20


def test_stops_at_the_bound_on_objects_before_a_library_opens_the_file(tmp_path):
    findings = _inspect(tmp_path, pdf(*[b"null"] * 20), bounds={"objects": 10})
    assert findings.object_count == 24 and not findings.page_counts


def test_stops_parsing_at_the_bound_on_text(walker, tmp_path):
    assert _inspect(tmp_path, pdf(JS, JS, JS), bounds={"parsed_bytes": 150}).unseen_objects > 0


@pytest.mark.parametrize("data", [b"", b"no pdf", b"%PDF-1.7\n", b"%PDF-1.7\n" + bytes(range(256)) * 40, pdf()[:70]])
def test_unreadable_files_are_facts_and_not_errors(tmp_path, data):
    findings = _inspect(tmp_path, data)
    assert findings.page_count() == 0 and not findings.script_places


def test_a_wrong_filter_name_in_one_stream_leaves_the_rest_inspected(walker, tmp_path):
    broken = b"<</Filter 4711 /Length 999999>>\nstream\nx\nendstream"
    assert _inspect(tmp_path, pdf(broken, JS)).script_places == ["document"]


def test_an_unknown_encryption_is_named(tmp_path):
    data = pdf(b"<</Filter/Own/V 4/R 4>>", trailer=b"/Encrypt 5 0 R/ID[<00><00>]")
    assert _inspect(tmp_path, data).encryption == "unsupported"


def test_the_word_loop_or_encryption_in_a_file_name_means_nothing(tmp_path):
    folder = tmp_path / "loop encryption"
    folder.mkdir()
    findings = _inspect(folder, b"%PDF-1.7\nnothing else")
    assert not findings.has_loop and findings.encryption == "none"


def test_a_crash_in_the_second_library_keeps_the_findings_of_the_first():
    first = msgspec.json.encode(Findings(page_counts={"qpdf": 7}))
    findings = read_findings({1: first})
    assert findings is not None and findings.page_count() == 7 and findings.failed_checks == ["by_mupdf"]
    assert read_findings({}) is None


def test_the_page_count_is_the_first_readers_that_sees_any():
    findings = Findings(page_counts={"mupdf": 0, "pdfium": 2, "qpdf": 3})
    assert findings.page_count() == 2
    assert findings.page_count(("qpdf", "mupdf")) == 3


def test_works_without_the_agpl_library(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pymupdf", None)
    monkeypatch.delitem(sys.modules, "processing.engine.inspection.by_mupdf", raising=False)
    findings = _inspect(tmp_path, pdf(JS))
    assert findings.script_places == ["document"]
    assert findings.page_counts == {"qpdf": 1, "pdfium": 1} and findings.failed_checks == []
