import pytest
from django.utils.functional import Promise

from catalogsku.core.templatetags import words_for_scripts
from ingestion.verdicts import BY_CODE, RULES, FileLimits, Outcome, judge
from processing.engine.inspection import Bounds, Findings

GOOD = {
    "size_bytes": 5000,
    "signature_at": 0,
    "has_end_mark": True,
    "page_counts": {"qpdf": 3, "mupdf": 3, "pdfium": 3},
    "walked_by": "qpdf",
    "object_count": 40,
    "page_side_max_pt": 842.0,
    "page_side_min_pt": 595.0,
}
UNREAD = {"walked_by": "", "page_counts": {}}
CASES = [
    ("refuse", "empty_file", {"size_bytes": 0, "signature_at": None, **UNREAD}),
    ("refuse", "too_large", {"size_bytes": (200 << 20) + 1}),
    ("refuse", "not_a_pdf", {"signature_at": None, **UNREAD}),
    ("refuse", "not_a_pdf", {"object_count": 0, **UNREAD}),
    ("refuse", "too_many_objects", {"object_count": 500_001, **UNREAD}),
    ("ask", "password_needed", {"encryption": "password_needed", **UNREAD}),
    ("ask", "password_wrong", {"encryption": "password_wrong", **UNREAD}),
    ("refuse", "encryption_unsupported", {"encryption": "unsupported", **UNREAD}),
    ("refuse", "truncated", {"has_end_mark": False, **UNREAD}),
    ("refuse", "truncated", {"has_end_mark": False, "page_counts": {"mupdf": 0}}),
    ("refuse", "damaged", UNREAD),
    ("refuse", "damaged", {"walked_by": "", "page_counts": {"pdfium": 3}}),
    ("refuse", "javascript", {"script_places": ["form"]}),
    ("refuse", "launch_action", {"launch_actions": 1}),
    ("refuse", "embedded_file", {"embedded_files": 1}),
    ("refuse", "too_complex", {"unseen_objects": 1}),
    ("refuse", "no_pages", {"page_counts": {"qpdf": 0, "mupdf": 0}}),
    ("refuse", "too_many_pages", {"page_counts": {"mupdf": 2001}}),
    ("refuse", "image_bomb", {"image_px_max": 250_000_001}),
    ("refuse", "stream_bomb", {"stream_bytes_max": Bounds().stream_bytes}),
    ("refuse", "page_too_large", {"page_side_max_pt": 14_401.0}),
    ("note", "owner_password", {"encryption": "owner_only"}),
    ("note", "uri_action", {"automatic_actions": ["URI"]}),
    ("note", "external_stream", {"external_streams": 1}),
    ("note", "repaired", {"repaired_by": ["qpdf"]}),
    ("note", "repaired", {"has_end_mark": False}),
    ("note", "reader_failed", {"failed_checks": ["by_pdfium"]}),
    ("note", "page_count_differs", {"page_counts": {"qpdf": 1, "mupdf": 2}}),
    ("note", "loop", {"has_loop": True}),
    ("note", "unsupported_filter", {"unsupported_filters": ["BrotliDecode"]}),
    ("note", "invisible_text", {"has_invisible_text": True}),
    ("note", "instructions_beside", {"instructions": ["ignore all previous instructions"]}),
    ("note", "foreign_start", {"foreign_kind": "archive"}),
    ("note", "xfa_form", {"has_form_xfa": True}),
    ("note", "tiny_page", {"page_side_min_pt": 3.0}),
]


def test_a_plain_file_is_accepted_without_notes():
    assert judge(Findings(**GOOD)) == judge(Findings(**GOOD, encryption="password_right"))
    assert (judge(Findings(**GOOD)).outcome, judge(Findings(**GOOD)).notes) == (Outcome.ACCEPT, ())


@pytest.mark.req("TA-VERDICT")
@pytest.mark.parametrize(("outcome", "code", "facts"), CASES)
def test_each_finding_has_its_verdict(outcome, code, facts):
    verdict = judge(Findings(**{**GOOD, **facts}))
    if outcome == "note":
        assert (verdict.outcome, verdict.notes) == (Outcome.ACCEPT, (code,))
    else:
        assert (verdict.outcome, verdict.code, verdict.notes) == (outcome, code, ())


def test_every_line_of_the_table_is_tried_here():
    assert {rule.code for rule in RULES} == {code for _, code, _ in CASES}


@pytest.mark.parametrize(
    "facts",
    [
        {"size_bytes": 200 << 20},
        {"page_counts": {"mupdf": 2000}},
        {"object_count": 500_000},
        {"image_px_max": 250_000_000},
        {"page_side_max_pt": 14_400.0},
    ],
)
@pytest.mark.req("TA-T23")
def test_a_file_exactly_at_a_limit_is_accepted(facts):
    assert judge(Findings(**{**GOOD, **facts})).outcome is Outcome.ACCEPT


def test_limits_can_be_set():
    assert judge(Findings(**GOOD), FileLimits(pages_max=2)).code == "too_many_pages"


def test_what_could_not_be_inspected_is_refused():
    assert (judge(None).outcome, judge(None).code) == (Outcome.REFUSE, "uncheckable")


def test_every_refusal_says_what_to_do_in_translatable_words():
    for rule in BY_CODE.values():
        assert isinstance(rule.message, Promise)
        assert isinstance(rule.hint, Promise) == (rule.outcome is not Outcome.NOTE)


def test_the_browser_says_the_same_way_on() -> None:
    said = words_for_scripts._upload_refusals()
    for code, word in (("too_large", "too_large"), ("not_a_pdf", "not_pdf"), ("empty_file", "empty")):
        assert said[f"upload.{word}.way"] == BY_CODE[code].hint, code
