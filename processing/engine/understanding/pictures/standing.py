"""How a picture stands to the text of a product."""

from catalogsku.core.box import Box, centre


def direction(anchor: Box, picture: Box) -> str:
    """On which side of the text the picture lies, by the larger of the two gaps."""
    (x, y), (px, py) = centre(anchor), centre(picture)
    across = max(anchor[0] - picture[2], picture[0] - anchor[2])
    along = max(anchor[1] - picture[3], picture[1] - anchor[3])
    if along >= across:
        return "above" if py < y else "below"
    return "left" if px < x else "right"


def method(anchor: Box, picture: Box, products: int) -> str:
    """How the pair stands: one above the other, in a grid of such pairs, or merely near."""
    overlap = min(anchor[2], picture[2]) - max(anchor[0], picture[0])
    stacked = overlap >= 0.5 * min(anchor[2] - anchor[0], picture[2] - picture[0])
    if stacked:
        return "grid_alignment" if products >= 4 else "vertical_stack"
    return "spatial_proximity"
