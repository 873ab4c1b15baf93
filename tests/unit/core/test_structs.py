"""Types that several threads decode into for the first time at once."""

import subprocess
import sys

import pytest

_TRIES = 60
# Types as wide as ours and nested as deep, named by text, so that msgspec runs Python code while it learns them.
FIRST_USES_AT_ONCE = """
import sys, threading, types
import msgspec
from catalogsku.core.structs import ready

sys.setswitchinterval(1e-6)
module = sys.modules["kinds"] = types.ModuleType("kinds")
source = "import msgspec\\n"
for depth in range(6):
    source += f"class Kind{depth}(msgspec.Struct):\\n"
    for n in range(30):
        source += f"    f{n}: '{f'Kind{depth - 1}' if depth and n % 7 == 0 else 'tuple[int, ...]'} | None' = None\\n"
exec(source, module.__dict__)
named = ready if sys.argv[1] == "ready" else lambda kind: kind
barrier = threading.Barrier(4)
right = []

def decode():
    barrier.wait()
    found = msgspec.json.decode(b'{"f0": {"f0": {"f1": [1]}}, "f29": [1]}', type=named(module.Kind5))
    right.append(found.f0.f0.f1 == (1,) and found.f29 == (1,))

threads = [threading.Thread(target=decode) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
sys.exit(0 if right == [True] * 4 else 3)
"""


def ended(named: str) -> int:
    return subprocess.run([sys.executable, "-c", FIRST_USES_AT_ONCE, named], check=False).returncode


@pytest.mark.req("PL-C3")
def test_first_uses_at_once_are_right() -> None:
    assert [ended("ready") for _ in range(5)] == [0] * 5


def test_msgspec_alone_would_end_the_process() -> None:
    """Once this fails, msgspec has been mended, and `ready` can go. On a busy machine few of the threads meet."""
    assert any(ended("bare") != 0 for _ in range(_TRIES))
