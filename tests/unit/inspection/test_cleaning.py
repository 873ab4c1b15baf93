"""A copy without scripts, actions and attachments: nothing of them is left, and what is printed stays."""

import re
from pathlib import Path

import pikepdf
import pytest

from processing.engine.inspection import COPY, Findings, inspect_file, read_findings
from processing.engine.inspection.cleaning import clean_file
from tests.unit.inspection.files import CATALOG, PAGE, pdf, stream

pytestmark = pytest.mark.req("TA-T23", "TA-VERDICT")
PRINTED = stream(b"BT /F 12 Tf 50 700 Td (Chair FST-100 USD 120.00) Tj ET")
JS = b"<</S/JavaScript/JS(app.alert\\(1\\))>>"
LAUNCH = b"<</S/Launch/F(cmd.exe)/Win<</F(cmd.exe)/P(/c calc)>>>>"
SUBMIT = b"<</S/SubmitForm/F(http://example.invalid/)>>"
ATTACHED = stream(b"MZ a program", b"/Type/EmbeddedFile")
FILE = b"<</Type/Filespec/F(a.exe)/EF<</F 5 0 R>>>>"
LEFT = (
    rb"JavaScript|/JS|/AA|OpenAction|Launch|SubmitForm|EmbeddedFile|RichMedia|XFA|FileAttachment|/EF|MZ a program|alert"
)


def catalog(entries: bytes) -> bytes:
    return CATALOG[:-2] + entries + b">>"


def page(entries: bytes) -> bytes:
    return PAGE[:-2] + entries + b">>"


CASES = {
    "script at opening": pdf(JS, catalog=catalog(b"/OpenAction 5 0 R"), content=PRINTED),
    "script in the catalogue itself": pdf(catalog=catalog(b"/OpenAction" + JS), content=PRINTED),
    "script by name": pdf(JS, catalog=catalog(b"/Names<</JavaScript<</Names[(x)5 0 R]>>>>"), content=PRINTED),
    "script after another action": pdf(
        JS, b"<</S/GoTo/D[3 0 R/Fit]/Next 5 0 R>>", catalog=catalog(b"/OpenAction 6 0 R"), content=PRINTED
    ),
    "script behind a bookmark": pdf(
        b"<</First 6 0 R/Last 6 0 R/Count 1>>",
        b"<</Title(a)/Parent 5 0 R/A[7 0 R]>>",
        JS,
        catalog=catalog(b"/Outlines 5 0 R"),
        content=PRINTED,
    ),
    "script whose names are spelled otherwise": pdf(
        b"<</#53/#4aavaScript/J#53(app.alert\\(1\\))>>", catalog=catalog(b"/Open#41ction 5 0 R"), content=PRINTED
    ),
    "trigger of a page": pdf(JS, page=page(b"/AA<</O 5 0 R>>"), content=PRINTED),
    "trigger of a field": pdf(
        JS,
        b"<</FT/Tx/T(price)/V(120.00)/Subtype/Widget/Rect[0 0 9 9]/AA<</K 5 0 R/C 5 0 R>>>>",
        catalog=catalog(b"/AcroForm<</Fields[6 0 R]/CO[6 0 R]>>"),
        page=page(b"/Annots[6 0 R]"),
        content=PRINTED,
    ),
    "program behind a link": pdf(page=page(b"/Annots[<</Subtype/Link/Rect[0 0 9 9]/A%s>>]" % LAUNCH), content=PRINTED),
    "program behind all that opens": pdf(LAUNCH, page=page(b"/AA<</O 5 0 R/C 5 0 R>>"), content=PRINTED),
    "form that is sent": pdf(
        b"<</FT/Btn/T(send)/Subtype/Widget/Rect[0 0 9 9]/A%s>>" % SUBMIT,
        catalog=catalog(b"/AcroForm<</Fields[5 0 R]>>"),
        page=page(b"/Annots[5 0 R]"),
        content=PRINTED,
    ),
    "attachment by name": pdf(
        ATTACHED, FILE, catalog=catalog(b"/Names<</EmbeddedFiles<</Names[(a)6 0 R]>>>>"), content=PRINTED
    ),
    "attachment of the catalogue": pdf(ATTACHED, FILE, catalog=catalog(b"/AF[6 0 R]"), content=PRINTED),
    "attachment on a page": pdf(
        ATTACHED,
        FILE,
        b"<</Subtype/FileAttachment/Rect[0 0 9 9]/FS 6 0 R>>",
        page=page(b"/Annots[7 0 R]"),
        content=PRINTED,
    ),
    "attachment where none belongs": pdf(
        ATTACHED, page=page(b"/PieceInfo<</Mine<</Private 5 0 R>>>>"), content=PRINTED
    ),
    "portfolio": pdf(
        ATTACHED,
        FILE,
        catalog=catalog(b"/Collection<</View/D>>/Names<</EmbeddedFiles<</Names[(a)6 0 R]>>>>"),
        content=PRINTED,
    ),
    "film": pdf(
        ATTACHED,
        FILE,
        b"<</Subtype/RichMedia/Rect[0 0 9 9]/RichMediaContent<</Assets<</Names[(a)6 0 R]>>>>>>",
        page=page(b"/Annots[7 0 R]"),
        content=PRINTED,
    ),
    "dynamic form": pdf(
        stream(b"<xdp:xdp/>"), catalog=catalog(b"/AcroForm<</XFA[(a)5 0 R]/Fields[]>>"), content=PRINTED
    ),
}


def cleaned(data: bytes, folder: Path, password: str = "") -> Path:
    (folder / "file.pdf").write_bytes(data)
    emitted: dict[int, bytes] = {}
    request = {"path": str(folder / "file.pdf"), "out": str(folder), "password": password}
    clean_file(request, emitted.__setitem__)
    assert sorted(emitted) == [1]
    return folder / COPY


def inspected(path: Path, password: str = "") -> Findings:
    emitted: dict[int, bytes] = {}
    inspect_file({"path": str(path), "password": password}, emitted.__setitem__)
    found = read_findings(emitted)
    assert found is not None
    return found


def unpacked(path: Path, folder: Path) -> bytes:
    with pikepdf.open(path) as pdf:
        pdf.save(folder / "open.pdf", qdf=True, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    return (folder / "open.pdf").read_bytes()


@pytest.mark.parametrize("name", CASES)
def test_nothing_of_it_is_left_and_the_page_is_as_it_was(tmp_path: Path, name: str) -> None:
    before = inspected(_written(tmp_path, CASES[name]))
    assert re.search(LEFT, re.sub(rb"#([0-9a-f]{2})", _sign, CASES[name])), "the case is one"
    copy = cleaned(CASES[name], tmp_path)
    told = unpacked(copy, tmp_path)
    assert not re.search(LEFT, told), re.findall(LEFT, told)
    with pikepdf.open(copy) as pdf_copy:
        assert b"(Chair FST-100 USD 120.00) Tj" in pdf_copy.pages[0].Contents.read_bytes()
    found = inspected(copy)
    assert (found.script_places, found.launch_actions, found.automatic_actions) == ([], 0, [])
    assert (found.embedded_files, found.has_form_xfa, found.failed_checks) == (0, False, [])
    assert found.page_counts == before.page_counts == {"qpdf": 1, "mupdf": 1, "pdfium": 1}
    assert not found.repaired_by


def _written(folder: Path, data: bytes) -> Path:
    (folder / "before.pdf").write_bytes(data)
    return folder / "before.pdf"


def _sign(match: re.Match[bytes]) -> bytes:
    return bytes([int(match[1], 16)])


def test_fields_links_inside_the_document_and_names_that_only_look_alike_stay(tmp_path: Path) -> None:
    data = pdf(
        JS,
        b"<</FT/Tx/T(price)/V(120.00)/Subtype/Widget/Rect[0 0 9 9]/AP<</N 8 0 R>>/AA<</K 5 0 R>>>>",
        b"<</Subtype/Link/Rect[0 0 9 9]/A<</S/GoTo/D[3 0 R/Fit]>>/Contents(/JS /Launch)>>",
        stream(b"BT ET", b"/Subtype/Form/BBox[0 0 9 9]"),
        catalog=catalog(b"/AcroForm<</Fields[6 0 R]>>"),
        page=page(b"/Annots[6 0 R 7 0 R]/Group<</S/Transparency>>"),
        content=PRINTED,
    )
    with pikepdf.open(cleaned(data, tmp_path)) as copy:
        field, link = copy.pages[0].Annots
        assert (str(field.V), str(field.AP.N.Subtype)) == ("120.00", "/Form")
        assert (link.A.S, str(link.Contents)) == ("/GoTo", "/JS /Launch")
        assert copy.pages[0].Group.S == "/Transparency"


def test_the_same_file_gives_the_same_copy(tmp_path: Path) -> None:
    data = CASES["script at opening"]
    first = cleaned(data, tmp_path).read_bytes()
    assert cleaned(data, tmp_path).read_bytes() == first


def test_a_copy_is_locked_as_its_file_is(tmp_path: Path) -> None:
    with pikepdf.open(_written(tmp_path, CASES["script at opening"])) as plain:
        plain.save(tmp_path / "locked.pdf", encryption=pikepdf.Encryption(owner="o", user="geheim"))
    data = (tmp_path / "locked.pdf").read_bytes()
    with pytest.raises(pikepdf.PasswordError):
        cleaned(data, tmp_path)
    copy = cleaned(data, tmp_path, "geheim")
    assert inspected(copy).encryption == "password_needed"
    found = inspected(copy, "geheim")
    assert (found.encryption, found.script_places, found.page_counts["qpdf"]) == ("password_right", [], 1)
