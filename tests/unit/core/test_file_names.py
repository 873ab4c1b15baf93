"""Names of files that come from documents: good on every system, never a way to another folder."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogsku.core.text import safe_file_name


@pytest.mark.req("TA-JSON")
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("椅子 A-100", "椅子 A-100"),
        ("../../etc/passwd", "etc passwd"),
        ("C:\\Windows\\x", "C Windows x"),
        ("=cmd|' /C calc'!A0", "=cmd ' C calc'!A0"),
        ("a\x00b\x1b[31m\u202egnp.exe", "a b [31m gnp.exe"),
        ("con", "_con"),
        ("NUL.txt", "_NUL.txt"),
        ("console", "console"),
        ("..", ""),
        (" . ", ""),
        ("name. ", "name"),
        ("e\u0301", "é"),
    ],
)
def test_a_hostile_name_becomes_a_name(text: str, name: str) -> None:
    assert safe_file_name(text) == name


@given(st.text())
def test_no_name_is_a_path_or_holds_a_control_sign(text: str) -> None:
    name = safe_file_name(text)
    assert not set(name) & set('<>:"/\\|?*') and name not in (".", "..") and len(name) <= 61
    assert not any(unicodedata.category(sign) == "Cc" for sign in name)
    assert name == name.strip(" .")
