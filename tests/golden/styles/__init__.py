"""Drawn catalogues that look like printed ones, each with its truth; ``python -m tests.golden.styles OUT`` writes them.

``seen``: styles that the authors of rules look at. ``held_back``: styles that nobody tunes to; they share only the
pens with the others.
"""

from tests.golden.styles.registry import HELD_BACK, SEEN, STYLES

__all__ = ["HELD_BACK", "SEEN", "STYLES"]
