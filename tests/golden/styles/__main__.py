"""``python -m tests.golden.styles OUT [--style NAME] [--scans] [--group seen|held_back]``: catalogues and truths."""

import argparse
from pathlib import Path

from tests.golden.styles import HELD_BACK, SEEN, STYLES
from tests.golden.styles.pens.scan import scanned


def main() -> None:
    """Write the asked styles; with --scans their scans instead."""
    parser = argparse.ArgumentParser(prog="tests.golden.styles")
    parser.add_argument("out", type=Path)
    parser.add_argument("--style", choices=[style.name for style in STYLES])
    parser.add_argument("--group", choices=("seen", "held_back"))
    parser.add_argument("--scans", action="store_true", help="pages as 200-dpi scans instead of born digital")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    for style in {"seen": SEEN, "held_back": HELD_BACK, None: STYLES}[asked.group]:
        if asked.style in (None, style.name):
            drawn = style.draw()
            (scanned(drawn) if asked.scans else drawn).save(asked.out)


if __name__ == "__main__":
    main()
