"""Every hostile file, drawn and of the corpus, through the real sandbox: its verdict, within limits, no worker lost."""

import os
from pathlib import Path

import pytest

from catalogsku.core.sandbox import Limits, Sandbox
from ingestion.verdicts import judge
from processing.engine.inspection import NUMBERS, TASK, read_findings
from processing.sandboxed.sandboxes import INSPECTION
from tests.support import hostile
from tests.support.hostile_cases import GENERATED

CORPUS = Path(os.environ.get("CORPUS_DIR", "/nowhere"), "hostile")
LIMITS = Limits(memory_bytes=1 << 30, cpu_s=30, wall_s=40, page_s=20)
PRELOAD = [
    *(f"processing.engine.inspection.{name}" for name in ("inspect", "by_qpdf", "by_mupdf", "by_pdfium")),
    *(f"processing.engine.reading.{name}_reader" for name in ("pymupdf", "pdfplumber", "pypdfium2")),
    "processing.engine.children",
]
READING = Limits(memory_bytes=1 << 30, cpu_s=20, wall_s=20, page_s=4)
needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason="CORPUS_DIR names no folder with hostile files")

# file, outcome, code, notes of an accepted file
EXPECTED = [
    ("attachment_names.pdf", "refuse", "embedded_file", ()),
    ("bad_fuzzed_742.pdf", "refuse", "damaged", ()),
    ("bad_fuzzed_90_16p.pdf", "accept", "", ("repaired",)),
    ("bad_no_page_tree_151k.pdf", "accept", "", ("repaired", "reader_failed", "page_count_differs")),
    ("bad_page_count.pdf", "accept", "", ("reader_failed",)),
    ("bad_repairable_2p.pdf", "accept", "", ("foreign_start",)),
    ("bad_truncated_184b.pdf", "refuse", "truncated", ()),
    ("bad_xref_missing.pdf", "accept", "", ("repaired",)),
    ("bad_xref_offsets.pdf", "accept", "", ("repaired",)),
    ("bad_zero_pages_pdfplumber.pdf", "accept", "", ("repaired",)),
    ("bad_zero_pages_pymupdf.pdf", "accept", "", ("repaired", "page_count_differs")),
    ("bomb_jbig2_100000px.pdf", "refuse", "image_bomb", ()),
    ("enc_aes256_r6.pdf", "ask", "password_needed", ()),
    ("enc_attachment.pdf", "ask", "password_needed", ()),
    ("enc_docling_pw_1234.pdf", "ask", "password_needed", ()),
    ("enc_owner_only.pdf", "accept", "", ("owner_password",)),
    ("enc_pdfplumber_pw_test.pdf", "ask", "password_needed", ()),
    ("enc_pw_abc.pdf", "ask", "password_needed", ()),
    ("enc_pw_test_accepts_empty_in_pdfminer.pdf", "ask", "password_needed", ()),
    ("external_stream.pdf", "accept", "", ("external_stream",)),
    ("huge_page_18000x36000.pdf", "refuse", "page_too_large", ()),
    ("huge_page_8400_mono.pdf", "refuse", "image_bomb", ()),
    ("js_doc_actions.pdf", "refuse", "javascript", ()),
    ("js_openaction_url.pdf", "refuse", "javascript", ()),
    ("launch_action.pdf", "refuse", "launch_action", ()),
    ("launch_windows_all_triggers.pdf", "refuse", "launch_action", ()),
    ("loop_array_reference.pdf", "accept", "", ()),
    ("loop_objstm_extends.pdf", "accept", "", ()),
    ("loop_outline_depth.pdf", "accept", "", ("loop",)),
    ("loop_pages_tree.pdf", "accept", "", ("reader_failed", "loop")),
    ("loop_stack_exhaustion.pdf", "accept", "", ()),
    ("many_xref_156342.pdf", "accept", "", ("reader_failed",)),
    ("mask_invisible_text.pdf", "accept", "", ("repaired", "invisible_text")),
    ("mask_schizophrenic.pdf", "accept", "", ("repaired", "page_count_differs")),
    ("mask_very_long_line.pdf", "accept", "", ("repaired",)),
    ("nonpdf_text_44b.pdf", "refuse", "not_a_pdf", ()),
    ("nonpdf_zero_bytes.pdf", "refuse", "empty_file", ()),
    ("polyglot_snes_md_rom.pdf", "accept", "", ("repaired", "foreign_start")),
    ("tiny_page_3x3.pdf", "accept", "", ("tiny_page",)),
    ("unsupported_brotli_filter_25p.pdf", "accept", "", ("reader_failed", "unsupported_filter")),
    ("uri_openaction.pdf", "accept", "", ("uri_action",)),
]
PASSWORDS = [
    ("enc_docling_pw_1234.pdf", "1234", "accept", ""),
    ("enc_docling_pw_1234.pdf", "4321", "ask", "password_wrong"),
    ("enc_pdfplumber_pw_test.pdf", "test", "accept", ""),
    ("enc_pw_abc.pdf", "abc", "accept", ""),
    ("enc_pw_test_accepts_empty_in_pdfminer.pdf", "test", "accept", ""),
    ("enc_aes256_r6.pdf", "S\u00aaSL\u00adprep", "accept", ""),
    ("enc_owner_only.pdf", "not needed", "accept", ""),
    ("js_doc_actions.pdf", "not needed", "refuse", "javascript"),
]


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox(PRELOAD) as box:
        pid = box.start().pid
        yield box
        assert box.start().pid == pid, "a hostile file killed the fork server"


def _verdict(sandbox, name, out, password=""):
    path = CORPUS / name
    outcome = sandbox.run(TASK, {"path": str(path), "password": password}, NUMBERS, out, [path], LIMITS)
    assert outcome.ok, outcome
    assert outcome.cpu_s < 10 and outcome.peak_bytes < 400 << 20
    return judge(read_findings(outcome.finished))


@needs_corpus
@pytest.mark.req("TA-VERDICT", "TA-T23")
@pytest.mark.parametrize(("name", "outcome", "code", "notes"), EXPECTED, ids=[row[0] for row in EXPECTED])
def test_gets_its_verdict(sandbox, tmp_path, name, outcome, code, notes):
    verdict = _verdict(sandbox, name, tmp_path)
    assert (verdict.outcome, verdict.code, verdict.notes) == (outcome, code, notes)


@needs_corpus
@pytest.mark.parametrize(("name", "password", "outcome", "code"), PASSWORDS)
def test_a_password_decides(sandbox, tmp_path, name, password, outcome, code):
    verdict = _verdict(sandbox, name, tmp_path, password)
    assert (verdict.outcome, verdict.code) == (outcome, code)


@needs_corpus
def test_every_hostile_file_is_in_the_table():
    assert sorted(path.name for path in CORPUS.glob("*.pdf")) == [row[0] for row in EXPECTED]


@needs_corpus
def test_catalogues_are_accepted(sandbox, tmp_path):
    """Owner passwords are normal business; nothing else is even worth a note in real catalogues."""
    verdicts = {path.name: _verdict(sandbox, path, tmp_path) for path in (CORPUS.parent / "catalog").glob("*.pdf")}
    assert verdicts and {verdict.outcome for verdict in verdicts.values()} == {"accept"}
    assert {note for verdict in verdicts.values() for note in verdict.notes} <= {"owner_password"}


# --- drawn ones ----------------------------------------------------------------------------------


def _inspected(sandbox, case, path, out):
    request = {"path": str(path), "password": case.password}
    outcome = sandbox.run(TASK, request, NUMBERS, out, [path], INSPECTION)
    findings = read_findings(outcome.finished)
    return outcome, findings, judge(findings)


@pytest.mark.req("TA-VERDICT", "TA-T23", "TA-G4")
@pytest.mark.parametrize("case", GENERATED, ids=[case.name for case in GENERATED])
def test_a_drawn_file_gets_its_verdict_and_is_read_within_limits(sandbox, tmp_path, case):
    """Accepted ones go on to the prescan and the reading of their first page, which may fail, and nothing else may."""
    path = tmp_path / f"{case.name}.pdf"
    path.write_bytes(case.build())
    outcome, findings, verdict = _inspected(sandbox, case, path, tmp_path / "inspected")
    assert outcome.ok, outcome
    assert (verdict.outcome, verdict.code) == (case.outcome, case.code), findings
    assert case.notes is None or verdict.notes == case.notes
    assert outcome.wall_s < INSPECTION.wall_s and outcome.peak_bytes < 700 << 20
    if verdict.outcome != "accept":
        return
    for task in ("processing.engine.reading.children:prescan_file", "processing.engine.children:read_and_assess"):
        out = tmp_path / task.rpartition(":")[2]
        request = {"path": str(path), "password": case.password, "pages": [1], "out": str(out), "settings": {}}
        assess = {"assess": [1]} if task.endswith("assess") else {}
        ended = sandbox.run(task, {**request, **assess}, [1], out, [path], READING)
        assert ended.ok or ended.culprit == 1, ended
        assert ended.wall_s < READING.wall_s + 2 and ended.peak_bytes <= READING.memory_bytes
        assert sum(file.stat().st_size for file in out.iterdir()) < READING.out_bytes


def test_after_all_of_them_a_plain_file_is_read(sandbox, tmp_path):
    """In the same fork server: the fixture says at its end that it is still the one that began."""
    path = tmp_path / "plain.pdf"
    path.write_bytes(hostile.pdf())
    request = {"path": str(path), "pages": [1], "out": str(tmp_path / "out"), "settings": {}, "assess": []}
    assert sandbox.run("processing.engine.children:read_and_assess", request, [1], tmp_path / "out", [path], READING).ok


def test_the_table_names_each_file_once():
    assert len({case.name for case in GENERATED}) == len(GENERATED) > 100
