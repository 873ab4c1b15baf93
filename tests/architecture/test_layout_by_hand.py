"""Lines are laid out by the formatter; by hand only what is read as a table: literals of four entries and more."""

import ast
import io
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ("annotation", "catalogsku", "ingestion", "processing", "scripts", "tests")
LEAST_ENTRIES = 4
COMPOUND = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.If, ast.For, ast.AsyncFor, ast.While, ast.With,
    ast.AsyncWith, ast.Try, ast.Match,
)  # fmt: skip


def by_hand(text: str) -> Iterator[tuple[int, ast.stmt | None]]:
    """(line, the statement that it ends) of each line that the formatter is told to leave."""
    if "fmt: skip" not in text:
        return
    statements = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)]
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and "fmt: skip" in token.string:
            row = token.start[0]
            around = [n for n in statements if n.lineno <= row <= (n.end_lineno or 0) and not isinstance(n, COMPOUND)]
            yield row, min(around, key=lambda n: (n.end_lineno or 0) - n.lineno, default=None)


def is_table(statement: ast.stmt | None) -> bool:
    for node in ast.walk(statement) if statement else ():
        if not isinstance(node, ast.expr):
            continue
        entries = node.values if isinstance(node, ast.Dict) else getattr(node, "elts", ())
        if len(entries) >= LEAST_ENTRIES and (node.end_lineno or 0) > node.lineno:
            return True
        if isinstance(node, ast.Constant) and "|" in str(node.value) and (node.end_lineno or 0) - node.lineno >= 2:
            return True  # the alternatives of an expression, some to a line
    return False


@pytest.mark.parametrize("folder", SOURCES)
def test_only_tables_are_laid_out_by_hand(folder: str) -> None:
    paths = [path for path in (ROOT / folder).rglob("*.py") if "node_modules" not in path.parts]
    found = [
        f"{path.relative_to(ROOT)}:{row}"
        for path in paths
        for row, statement in by_hand(path.read_text("utf-8"))
        if not is_table(statement)
    ]
    assert not found


def test_a_call_laid_out_by_hand_is_told() -> None:
    call = "x = f(\n    a=1, b=2,\n    c=3,\n)  # fmt: " + "skip\n"
    assert [is_table(statement) for _row, statement in by_hand(call)] == [False]
    table = "x = (\n    1, 2,\n    3, 4,\n)  # fmt: " + "skip\n"
    assert [is_table(statement) for _row, statement in by_hand(table)] == [True]
