"""What the papers call by a path is there: a reader who follows one finds what it says."""

import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
PAPERS = sorted([*PROJECT.glob("*.md"), *(PROJECT / "docs").glob("*.md"), *(PROJECT / "docs" / "adr").glob("*.md")])
# A file or folder of the repository in code quotes, with what is meant in it behind a colon.
_PATH = re.compile(r"`((?:[\w.-]+/)*[\w.-]+(?:\.(?:py|md|html|css|js|json|toml|sh|yml|yaml|in)|/))(?:: ?[\w., ]+)?`")
_LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[\w-]*)?\)")
ROOMS = {
    "catalogsku",
    "ingestion",
    "processing",
    "annotation",
    "tests",
    "scripts",
    "docs",
    "static",
    "templates",
    "deploy",
}


def paths_in(text: str) -> list[str]:
    """Those that begin with a folder of the project; a bare name after one is a file beside it."""
    found, folder = [], ""
    for line in text.splitlines():
        for path in _PATH.findall(line):
            if path.split("/")[0] in ROOMS:
                folder = path.rpartition("/")[0]
                found.append(path)
            elif "/" not in path and path.endswith(".py") and folder and path != "manage.py":
                found.append(f"{folder}/{path}")
        if not line.startswith(" "):
            folder = ""
    return found


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.name)
def test_every_path_that_a_paper_names_is_there(paper: Path) -> None:
    text = paper.read_text()
    if paper.name == "CHANGELOG.md":
        pytest.skip("tells of what was")
    missing = {path for path in paths_in(text) if not (PROJECT / path).exists()}
    missing |= {link for link in _LINK.findall(text) if not (paper.parent / link).exists()}
    assert not missing, f"{paper.name}: {sorted(missing)}"


def test_a_path_that_is_nowhere_is_seen() -> None:
    line = "| a thing | `processing/nowhere/of.py`, `beside.py`, `catalogsku/web.py: LIMITS` |"
    assert paths_in(line) == ["processing/nowhere/of.py", "processing/nowhere/beside.py", "catalogsku/web.py"]
