"""Lines of a product card: labelled values under, beside or above a picture."""

from collections.abc import Sequence

from tests.golden.styles.pens.folio import Leaf
from tests.support.catalogues.ink import BLACK, Rgb, wrap


def labelled(
    leaf: Leaf,
    x: float,
    y: float,
    width: float,
    pairs: Sequence[tuple[str, str]],
    *,
    gap: float = 0,
    size: float = 8.5,
    face: str = "sans",
    label_face: str = "bold",
    joint: str = ": ",
    step: float = 1.55,
    colour: Rgb = BLACK,
    label_colour: Rgb = BLACK,
    line: Rgb | None = None,
) -> float:
    """Label and value on a line each; ``gap`` sets the values in a column of their own. Returns the next baseline."""
    for label, value in pairs:
        printed = label + ("" if gap else joint)
        wide = leaf.text(x, y, printed, face=label_face, size=size, colour=label_colour)
        left = x + (gap or wide)
        for text in wrap(leaf.faces[face], value, size, x + width - left) if value else [""]:
            if text:
                leaf.text(left, y, text, face=face, size=size, colour=colour)
            y += size * step
        if line:
            edge = y - size * (step - 0.42)
            leaf.rule(x, edge, x + width, edge, colour=line, thick=0.4)
    return y
