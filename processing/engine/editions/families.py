"""Names of files without what a new edition changes in them: years, versions, counters, seasons."""

import re

_CHANGES = re.compile(
    r"\b(?:v|ver|version|rev|ed|edition)\s*\d*\b|\d+"
    r"|\b(?:final|new|copy|spring|summer|autumn|fall|winter|updated?)\b"
    r"|第?[一二三四五六七八九十]*版|新版|最新|[春夏秋冬]季?|年|月|日",
    re.IGNORECASE,
)


def family_of(file_name: str) -> str:
    """``Home_Living 2025 v2.pdf`` and ``home-living 2026.pdf`` are of one family; empty where nothing is left."""
    stem = re.sub(r"\.pdf$", "", file_name.strip(), flags=re.IGNORECASE)
    words = re.sub(r"[\W_]+", " ", stem.lower())
    return "".join(_CHANGES.sub(" ", words).split())
