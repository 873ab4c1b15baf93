"""``python -m tests.fit.grammar OUT [--seed 7] [--catalogues 200] [--manuals 0]``: documents with their truths."""

import argparse
from pathlib import Path

from tests.fit.grammar import catalogue, manual

# Seeds of one run lie beside each other, those of the next one far from them.
_STRIDE = 100_000


def main() -> None:
    """Write NAME.pdf and NAME.truth.json of each."""
    parser = argparse.ArgumentParser(prog="tests.fit.grammar")
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--catalogues", type=int, default=200)
    parser.add_argument("--manuals", type=int, default=0)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    for draw, count in ((catalogue, asked.catalogues), (manual, asked.manuals)):
        for k in range(count):
            draw(asked.seed * _STRIDE + k).save(asked.out)


if __name__ == "__main__":
    main()
