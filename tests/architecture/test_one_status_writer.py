"""Only core.moves changes a status: every other line may read it, or insert a row in the state that it reached."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
APPS = ("catalogsku", "ingestion", "processing", "annotation")
WRITER = PROJECT / "catalogsku" / "core" / "moves.py"
COLUMNS = {"status", "import_state"}
UPDATING_CALLS = {"update", "aupdate", "update_or_create", "aupdate_or_create", "bulk_update", "abulk_update"}
ANY = re.compile("|".join(COLUMNS))
SQL_UPDATE = re.compile(r"\bupdate\b.*\bset\b(?:(?!\bwhere\b).)*?\b(?:status|import_state)\b\"?\s*=", re.I | re.S)


def writes(source: str) -> Iterator[tuple[int, str]]:
    """Line and reason of each write of a status column in ``source``."""
    for node in ast.walk(ast.parse(source)) if ANY.search(source) else ():
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Attribute) and target.attr in COLUMNS and not isinstance(node, ast.AnnAssign):
                    yield node.lineno, f"assigns .{target.attr}"
        elif isinstance(node, ast.Call):
            yield from _calls(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and SQL_UPDATE.search(node.value):
            yield node.lineno, "updates it in SQL"


def _calls(node: ast.Call) -> Iterator[tuple[int, str]]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    named = {keyword.arg for keyword in node.keywords} & COLUMNS
    listed = {one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and one.value in COLUMNS}
    if name in UPDATING_CALLS and (named or (name != "update" and listed)):
        yield node.lineno, f"{name}(...)"
    elif name in ("save", "asave") and listed:
        yield node.lineno, "save(update_fields=...)"
    elif name == "setattr" and listed:
        yield node.lineno, "setattr"


def source_files() -> list[Path]:
    files = [file for app in APPS for file in sorted((PROJECT / app).rglob("*.py"))]
    return [file for file in files if "migrations" not in file.parts and file != WRITER]


@pytest.mark.req("TA-T46")
@pytest.mark.parametrize("file", source_files(), ids=lambda file: str(file.relative_to(PROJECT)))
def test_writes_no_status(file: Path) -> None:
    assert [f"{file}:{line} {reason}" for line, reason in writes(file.read_text())] == []


@pytest.mark.parametrize(
    "line",
    [
        "page.status = 'BLANK'",
        "Page.objects.filter(pk=1).update(status='BLANK')",
        "Page.objects.filter(pk=1).update(version=2, import_state='failed')",
        "page.save(update_fields=['status'])",
        "Page.objects.bulk_update(pages, ['status'])",
        "Page.objects.update_or_create(pk=1, defaults={'status': 'BLANK'})",
        "cursor.execute('UPDATE page SET version = 1, status = %s WHERE id = 1')",
        "setattr(page, 'status', 'BLANK')",
    ],
)
def test_sees_a_write(line: str) -> None:
    assert list(writes(line))


@pytest.mark.parametrize(
    "line",
    [
        "Page.objects.filter(status='BLANK').update(version=2)",
        "Page.objects.create(status='BLANK')",
        "cursor.execute('UPDATE page SET version = 2 WHERE status = %s')",
        "wanted = page.status",
    ],
)
def test_lets_reading_and_inserting_be(line: str) -> None:
    assert not list(writes(line))
