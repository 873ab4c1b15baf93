"""Whoever decodes into a type names it through `ready`: two threads' first uses at once would end the process."""

import ast
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
DECODING = {"convert", "decode"}
PLAIN = {"str", "int", "float", "bool", "bytes", "list", "dict", "tuple", "None", "Any", "UUID"}


def bare_types(tree: ast.AST) -> list[str]:
    """Types given to msgspec's functions that it does not know from the start, and that `ready` has not seen."""
    found = []
    for call in ast.walk(tree):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in DECODING):
            continue
        if not ast.unparse(call.func).startswith("msgspec."):
            continue
        named = [one.value for one in call.keywords if one.arg == "type"]
        named += call.args[1:2] if call.func.attr == "convert" else []
        for kind in named:
            is_ready = isinstance(kind, ast.Call) and ast.unparse(kind.func) == "ready"
            names = {node.id for node in ast.walk(kind) if isinstance(node, ast.Name)}
            if not is_ready and not names <= PLAIN:
                found.append(ast.unparse(call))
    return found


def test_finds_a_bare_type() -> None:
    bare = "msgspec.json.decode(data, type=Page)\nmsgspec.convert(found, tuple[Page, ...])\n"
    right = "msgspec.convert(found, ready(Page))\nmsgspec.json.decode(data, type=list[str | int])"
    tree = ast.parse(bare + right)
    assert len(bare_types(tree)) == 2


def test_every_type_is_ready() -> None:
    """But in the engine, whose decoders are made as its modules are imported, and whose children have one thread."""
    files = [
        file
        for part in ("catalogsku", "ingestion", "processing", "annotation")
        for file in (PROJECT / part).rglob("*.py")
        if "migrations" not in file.parts and "engine" not in file.parts
    ]
    faults = {
        str(file.relative_to(PROJECT)): bare for file in files if (bare := bare_types(ast.parse(file.read_text())))
    }
    assert faults == {}
