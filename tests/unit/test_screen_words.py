"""The reader of screens finds each kind of fault, and lets pass what only looks like one."""

import pytest

from tests.support.screen_words import faults_in, words_of


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        ("<h1>None</h1>", "None"),
        ("<p title='low_confidence'>x</p>", "raw code"),
        ("<p>State: HUMAN_QUEUED</p>", "raw code"),
        ("<p>%(n)s pages</p>", "not filled in"),
        ("<p><b>1</b> <span>pages</span></p>", "plural"),
        ("<p>0 of 1 pages</p>", "plural"),
        ("<p>3 page wait</p>", "singular"),
        ("<p>1pages</p>", "no space"),
        ("<dt>C_doc</dt>", "workshop"),
        ("<p>profile default v1</p>", "workshop"),
        ("<span>1</span> <small>pages</small>", "plural"),
        ("<span>2</span><small>pages</small>", "no space"),
    ],
)
def test_a_fault_is_found(html: str, kind: str) -> None:
    assert [found for found, _ in faults_in(html)] == [kind]


def test_what_is_printed_or_typed_is_no_fault() -> None:
    html = "<p>None of these? <code>page_type</code> <b translate='no'>a_b.pdf</b> 1 page, 21 pages, page 3 of 13</p>"
    assert list(faults_in(html)) == []
    assert words_of(html) == ["None of these? 1 page, 21 pages, page 3 of 13"]
