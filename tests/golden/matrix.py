"""The matrix of page kinds that drawn catalogues cover: page type x layout x cross-page x fragmented x recognised.

``python -m tests.golden.matrix`` prints for every valid combination a style and page that has it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product

from tests.golden.styles import STYLES
from tests.golden.styles.pens.folio import Drawn

# What a page of each type can look like: L1 one product, L2 grid, L3 list or mixed, L4 dense (TA-CLS).
_LAYOUTS = {"A": ("L1", "L3", "L4"), "B": ("L1", "L2", "L3"), "C": ("L1", "L2", "L4"), "D": ("L1", "L2", "L3", "L4")}
# Tables and lists of cards run over pages, a long card runs over its page's end; grids and pages without products
# begin anew on each page.
_CAN_CONTINUE = frozenset((("A", "L3"), ("A", "L4"), ("B", "L1"), ("B", "L3")))
# Dense tables, indexes and pages of text have no pictures that could lie in pieces.
_NO_PICTURES = frozenset((("A", "L4"), ("D", "L3"), ("D", "L4")))


@dataclass(frozen=True, order=True)
class Combination:
    """A cell of the matrix. ``recognised``: its text comes from OCR. On a scan ``fragmented`` says that the scanner
    wrote the page in strips."""

    page_type: str
    layout: str
    continues: bool
    fragmented: bool
    recognised: bool

    def is_valid(self) -> bool:
        """Whether a catalogue can have such a page."""
        kind = (self.page_type, self.layout)
        return (
            self.layout in _LAYOUTS[self.page_type]
            and (not self.continues or kind in _CAN_CONTINUE)
            and (not self.fragmented or kind not in _NO_PICTURES)
        )


@dataclass(frozen=True, order=True)
class Place:
    """A page of a style."""

    style: str
    page: int


def combinations() -> Iterator[Combination]:
    """Every valid combination of TA-T85; how its imports end: tests/integration/test_matrix_of_imports.py."""
    flags = (False, True)
    for one in product("ABCD", ("L1", "L2", "L3", "L4"), flags, flags, flags):
        combination = Combination(*one)
        if combination.is_valid():
            yield combination


def covered(catalogues: Iterable[Drawn]) -> dict[Combination, list[Place]]:
    """Which pages have which combination; every page also counts as scanned, since every style is drawn as a scan."""
    found: dict[Combination, list[Place]] = {}
    for drawn in catalogues:
        for page in drawn.pages:
            digital = Combination(page.page_type, page.layout, page.continues, page.fragmented, page.scanned)
            found.setdefault(digital, []).append(Place(drawn.name, page.number))
            scan = replace(digital, recognised=True)
            found.setdefault(scan, []).append(Place(f"{drawn.name}_scan", page.number))
    return found


def main() -> None:
    """Print the matrix."""
    found = covered(style.draw() for style in STYLES)
    for one in combinations():
        marks = [mark for mark in ("continues", "fragmented", "recognised") if getattr(one, mark)]
        places = [f"{place.style} p{place.page}" for place in found.get(one, [])]
        print(f"{one.page_type} {one.layout} {' '.join(marks) or '-':36} {', '.join(places[:3]) or 'MISSING'}")


if __name__ == "__main__":
    main()
