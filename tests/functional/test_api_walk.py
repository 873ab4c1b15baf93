"""What docs/api.md tells a program to type, typed: the shell, and the Python client, against the real product."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from processing.exports import result_file
from tests.support.catalogues import tables_pdf
from tests.support.stack import Stack, stack

__all__ = ["stack"]
ROOT = Path(__file__).parents[2]
HEAD = ("Model", "Name", "Size", "Material", "Price", "MOQ")
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300), pytest.mark.req("TA-API")]


def catalogue(path: Path, series: str) -> Path:
    rows = [
        (f"{series}-{n:03d}", f"Oak chair {n}", f"{400 + n}x500x800", "Oak", f"{100 + n}.00", "20") for n in range(6)
    ]
    path.write_bytes(tables_pdf([[HEAD, *rows]]))
    return path


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl")
def test_the_walk_through_of_the_documentation(stack: Stack, tmp_path: Path) -> None:
    """Line by line as it stands there; only the address of the product is another."""
    lines = "".join(re.findall(r"```sh\n(.*?)```", (ROOT / "docs/api.md").read_text(), re.DOTALL))
    catalogue(tmp_path / "catalogue.pdf", "WALK")
    script = lines.replace("http://localhost:8000", stack.address.rstrip("/"))
    done = subprocess.run(
        ["sh", "-eu"], input=script, cwd=tmp_path, capture_output=True, text=True, timeout=200, check=True
    )
    events = re.findall(r"event: (\w+)\ndata: ", done.stdout)  # the answer before it ends without a line feed
    assert "page_completed" in events, done.stdout
    result = json.loads((tmp_path / "result.json").read_text())
    Draft202012Validator(json.loads(result_file.SCHEMA_FILE.read_text())).validate(result)
    assert {sku["attributes"]["model"] for sku in result["skus"]} == {f"WALK-{n:03d}" for n in range(6)}


def test_the_python_client_gives_a_file_and_prints_its_products(stack: Stack, tmp_path: Path) -> None:
    file = catalogue(tmp_path / "chairs.pdf", "PYTH")
    client = [sys.executable, "-I", str(ROOT / "examples/catalogsku_client.py"), stack.address]
    done = subprocess.run(
        [*client, "uploader", "demo-uploader", str(file)], capture_output=True, text=True, timeout=200, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("PYTH-") == 6
    again = subprocess.run(
        [*client, "uploader", "wrong", str(file)], capture_output=True, text=True, timeout=60, check=False
    )
    assert "wrong_credentials" in again.stderr
