"""What code, tests and papers refer to is in the repository: ids in docs/requirements.md, protocols in
docs/protocols.md, decisions in docs/adr, other papers by their path."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
DOCS = PROJECT / "docs"
APPS = ("catalogsku", "ingestion", "processing", "annotation")
SETTINGS = ("Makefile", "pyproject.toml", ".env.example")
# Folders whose files are read, and of which kinds; the root gives its papers and settings.
READ = {
    **dict.fromkeys((*APPS, "scripts", "tests"), {".py", ".js", ".sh", ".md"}),
    "static": {".js", ".css"}, "templates": {".html"}, "docs": {".md"}, "deploy": {".yaml", ".yml", ".md"},
}  # fmt: skip
ID = re.compile(r"(?<![\w-])(?:TA|X|PL|LX|GR|LA|INV|BR)-[A-Z0-9]+(?:-[A-Z0-9]+)*(?![\w-])")
# What a test says to its readers: comments, long strings, and what its marks name. Elsewhere it may hold a product's
# code that looks like an id.
SPOKEN = re.compile(r'#.*|"""[\s\S]*?"""|mark\.(?:req|invariant)\([^)]*\)')
ROW = re.compile(rf"^\| ({ID.pattern}) \| (.+) \|$", re.M)
PROTOCOLS = re.compile(r"protocols\.md (P\d(?:,? (?:and )?P\d)*)")
DECISION = re.compile(r"\bADR[ -](\d+)")
PAPER = re.compile(r"(?<![\w/.*-])((?:[\w-]+/)*[\w-]+\.md)\b")
# Papers by which the product was planned; a protocol without the page that tells it.
ELSEWHERE = re.compile(
    r"\b(?:DESIGN|PROTOCOLS?|STACK|STYLE|SPEC|UX)(?:\.md|,? §|,? P?\d|: [a-z]| checklist)"
    r"|\bseeds?(?:/\d| of [A-Z]| I\d)|\(P\d(?:, P\d)*\)|§ ?\d"
)


def files() -> Iterator[Path]:
    yield from (*sorted(PROJECT.glob("*.md")), *(PROJECT / name for name in SETTINGS))
    for folder, kinds in READ.items():
        for file in sorted((PROJECT / folder).rglob("*")):
            if file.suffix in kinds and not {"vendor", "node_modules"} & set(file.parts):
                yield file


def spoken(test: str) -> str:
    return "\n".join(SPOKEN.findall(test))


@cache
def said() -> dict[str, str]:
    """By path, what each file says to its readers. This one speaks of references and makes none."""
    texts = {}
    for file in files():
        path, text = file.relative_to(PROJECT).as_posix(), file.read_text(encoding="utf-8")
        texts[path] = spoken(text) if path.startswith("tests/") and file.suffix == ".py" else text
    del texts[Path(__file__).relative_to(PROJECT).as_posix()]
    return texts


def listed() -> list[tuple[str, str]]:
    """(id, what must hold) of each row of the list."""
    return ROW.findall((DOCS / "requirements.md").read_text(encoding="utf-8"))


def headings() -> set[str]:
    return set(re.findall(r"^## (P\d) ", (DOCS / "protocols.md").read_text(encoding="utf-8"), re.M))


def found(pattern: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """(path, what was found) in the files; the changelog tells of what was."""
    for path, text in said().items():
        if path != "CHANGELOG.md":
            yield from ((path, hit) for hit in pattern.findall(text))


@pytest.mark.req("TA-GATE")
def test_every_id_that_is_named_is_in_the_list() -> None:
    known = {name for name, _ in listed()}
    unknown = {(path, name) for path, name in found(ID) if name not in known}
    assert not unknown, sorted(unknown)


def test_every_id_of_the_list_is_named_by_code_or_tests() -> None:
    named = {name for path, name in found(ID) if not path.endswith(".md")}
    assert not [name for name, _ in listed() if name not in named]


def test_the_list_says_each_thing_once_and_in_a_line() -> None:
    names, sentences = zip(*listed(), strict=True)
    assert len(set(names)) == len(names) and len(set(sentences)) == len(sentences)
    rows = [line for line in (DOCS / "requirements.md").read_text(encoding="utf-8").splitlines() if ID.search(line)]
    assert len(rows) == len(names), "an id stands in its row and nowhere else in the list"


def test_a_protocol_a_decision_and_a_paper_that_are_named_are_there() -> None:
    missing = {
        (path, name) for path, names in found(PROTOCOLS) for name in re.findall(r"P\d", names) if name not in headings()
    }
    missing |= {(path, f"ADR {n}") for path, n in found(DECISION) if not [*DOCS.glob(f"adr/{int(n):04d}-*.md")]}
    for path, paper in found(PAPER):
        if not any((folder / paper).exists() for folder in (PROJECT, DOCS, (PROJECT / path).parent)):
            missing.add((path, paper))
    assert not missing, sorted(missing)


def test_nothing_refers_to_papers_outside_the_repository() -> None:
    assert not [*found(ELSEWHERE)]


@pytest.mark.parametrize(
    "text", ["DESIGN 6.9", "DESIGN: settling", "PROTOCOLS P4", "STACK.md", "UX checklist 9", "seeds/000", "(P5)", "§5"]
)
def test_a_reference_to_nowhere_is_seen(text: str) -> None:
    assert ELSEWHERE.search(f"as {text} says")


@pytest.mark.parametrize("text", ["STYLE = Style(", "STACK[:2]", "docs/protocols.md P4", "P1, P2 ...", "three seeds"])
def test_a_word_that_refers_to_nothing_is_none(text: str) -> None:
    assert not ELSEWHERE.search(text)


def test_a_products_code_in_a_test_is_no_id_and_a_mark_is_one() -> None:
    source = '"""Of TA-LOCK."""\n@pytest.mark.req("TA-GATE", "X-MATRIX")\ndef test():\n    assert "TA-02"  # INV-01\n'
    assert sorted(ID.findall(spoken(source))) == ["INV-01", "TA-GATE", "TA-LOCK", "X-MATRIX"]
    assert ID.findall("X-HTTP-Method-Override, DLX-108, X-CSRFToken") == []
