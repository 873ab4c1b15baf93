"""Every variable that the settings read stands in .env.example, and nothing else does."""

import re
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
SET_BY_THE_SUPERVISOR = {"CATALOGSKU_UNIT"}


def test_the_example_lists_exactly_what_is_read() -> None:
    source = "".join(file.read_text() for file in (PROJECT / "catalogsku" / "settings").glob("*.py"))
    read = set(re.findall(r"\benv(?:iron)?(?:\.\w+)?\(\s*\"([A-Z][A-Z0-9_]*)\"", source))
    read |= set(re.findall(r"environ\.get\(\"([A-Z][A-Z0-9_]*)\"", source))
    documented = set(re.findall(r"^# ?([A-Z][A-Z0-9_]*)=", (PROJECT / ".env.example").read_text(), re.M))

    assert read - SET_BY_THE_SUPERVISOR == documented
