"""Packed pages: what goes in comes out, and nothing that a database refuses."""

import pytest

from processing.engine.page import Block, Line, ParsedPage, Word, pack_page, unpack_page


def page_with(text: str) -> ParsedPage:
    box = (0.0, 0.0, 10.0, 10.0)
    line = Line(text, box, (Word(text, box),))
    return ParsedPage(1, 100.0, 100.0, 0, "test", blocks=(Block("T1", box, (line,)),))


@pytest.mark.parametrize(
    ("printed", "kept"),
    [("LM\0-1", "LM-1"), ("\0\0", ""), ("a\\\0b", "a\\b"), ("C:\\u0000", "C:\\u0000"), ("沙发", "沙发")],
)
def test_keeps_text_without_nul(printed: str, kept: str) -> None:
    assert unpack_page(pack_page(page_with(printed))).text == kept


def test_refuses_what_is_no_packed_page() -> None:
    with pytest.raises(ValueError, match="not a packed page"):
        unpack_page(b"nothing")


def test_refuses_a_page_that_unpacks_beyond_its_limit() -> None:
    with pytest.raises(ValueError, match="limit"):
        unpack_page(pack_page(page_with("x" * 10_000)), max_bytes=1000)
