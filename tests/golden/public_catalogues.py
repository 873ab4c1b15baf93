"""``python -m tests.golden.public_catalogues CLONES OUT``: the PDFs of tests/golden/public, from clones.

CLONES holds a clone of each repository as OWNER/NAME (bare or not), or as OWNER+NAME; what is not there is passed over.
The PDFs stay their makers': they go into OUT, which PUBLIC_CATALOGUES_DIR then names, and never into the project.
"""

import argparse
import hashlib
import json
import subprocess
import sys
from pathlib import Path

TRUTHS = Path(__file__).parent / "public"


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.golden.public_catalogues")
    parser.add_argument("clones", type=Path)
    parser.add_argument("out", type=Path)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    absent = 0
    for path in sorted(TRUTHS.glob("*.truth.json")):
        truth = json.loads(path.read_text("utf-8"))
        data = _fetched(asked.clones, truth["source"])
        if data is None or hashlib.sha256(data).hexdigest() != truth["sha256"]:
            absent += 1
            print(f"{path.name}: {'not in ' + str(asked.clones) if data is None else 'another file'}", file=sys.stderr)
        else:
            (asked.out / truth["file"]).write_bytes(data)
    return 1 if absent else 0


def _fetched(clones: Path, source: str) -> bytes | None:
    """``source``: OWNER/NAME@COMMIT:PATH."""
    repository, _, rest = source.partition("@")
    commit, _, name = rest.partition(":")
    for place in (clones / repository, clones / repository.replace("/", "+")):
        if place.is_dir():
            shown = subprocess.run(
                ["git", "-C", str(place), "show", f"{commit}:{name}"], capture_output=True, check=False
            )
            return shown.stdout if shown.returncode == 0 else None
    return None


if __name__ == "__main__":
    sys.exit(main())
