"""What the sandbox's fork servers load: all that a child needs to read a page and understand it.

A child lives for some pages. What it has to load for itself, the next one loads again.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
SAMPLE = PROJECT / "samples" / "home-living.pdf"
CHILDREN = """
import importlib, json, msgspec, sys
from pathlib import Path
from django.conf import settings

for name in settings.SANDBOX_PRELOAD:
    importlib.import_module(name)
from catalogsku.core.sandbox import child
from processing.engine.understanding.records import score

there, unpacked = set(sys.modules), score.forests.cache_info().misses
pdf, out = sys.argv[1:]
pages = list(range(1, 9))

def run(task, request):
    found = {}
    child.resolve("processing.engine." + task)(request, found.__setitem__)
    return found

run("reading.children:prescan_file", {"path": pdf})
reading = {"path": pdf, "pages": pages, "out": out, "assess": pages, "recognises": False}
packed = {number: msgspec.msgpack.decode(data)[0] for number, data in run("children:read_and_assess", reading).items()}
Path(out, "pages").write_bytes(msgspec.msgpack.encode(packed))
request = {"file": out + "/pages", "pages": [{"number": number} for number in packed]}
understood = run("understanding.children:understand_pages", request)
print(json.dumps({
    "loaded": sorted(set(sys.modules) - there),
    "unpacked": score.forests.cache_info().misses - unpacked,
    "skus": sum(len(json.loads(result)["skus"]) for result in understood.values()),
}))
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    out = tmp_path_factory.mktemp("out")
    command = [sys.executable, "-c", CHILDREN, str(SAMPLE), str(out)]
    done = subprocess.run(command, cwd=PROJECT, env=os.environ, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    told: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return told


def test_a_child_loads_no_module_for_itself(found: dict[str, object]) -> None:
    assert found["skus"] == 47
    names = found["loaded"]
    assert isinstance(names, list) and [name for name in names if not name.startswith("encodings.")] == []


def test_a_child_unpacks_no_weights_for_itself(found: dict[str, object]) -> None:
    assert found["unpacked"] == 0
