"""What a drawn page would have told, from pixels: how far it lies askew, what looks like print, where its ink is."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from catalogsku.core.box import Box

# Degrees: the most that a sheet lies askew in a feeder, and the steps in which that is looked for, coarse then fine.
_MOST_TILT = 3.0
_STEPS = (0.25, 0.05)
# Edges are sampled to about this many points; fewer than the least tell nothing.
_EDGE_POINTS = 40_000
_LEAST_POINTS = 400
# Grey levels: an edge of print.
_EDGE = 48
# Of the darkest print: what is as dark is print.
_INK = 0.45
# A row of pixels with so much ink is a rule under or beside the print.
_RULE_FILLS = 0.95
# A stroke of a letter: as thick at most, points, with such a step of grey on both sides. A row of print has so many on
# a point of its length, a picture that carries print so many such rows, and it is not smaller than that.
_STROKE_PT, _STROKE = 1.5, 32
_STROKES_A_PT = 0.04
_PRINT_ROWS = 0.04
_LEAST_PRINT = 40.0
# A figure's wires and outlines are strokes too, but a row of letters crosses twice as many: most such rows of a table
# do, 61 to 97 %, of a circuit or timing diagram at most 57 %. Tables with tall cells have fewer, but photos, shades or
# headings: 3 % of their squares so wide, points, hold no paper, within grey levels, of bare figures at most 1 %.
_DENSE_ROWS = 0.6
_FILLED = 0.02
_SQUARE_PT, _PAPER = 4.0, 16
# Grey levels: between the channels of a paper of strong colour, and of a dark one. One of so many pixels each way
# tells them.
_COLOURED, _DARK_PAPER, _SPARSE = 60, 100, 4
Grey = NDArray[np.uint8]
Mask = NDArray[np.bool_]


def straightened(image: Image.Image) -> Image.Image:
    """The image turned about its middle by its tilt, on white; itself where it stands straight."""
    import cv2  # comes with the engine, and is loaded where that is

    angle = tilt(np.asarray(image.convert("L")))
    if not angle:
        return image
    about = cv2.getRotationMatrix2D(((image.width - 1) / 2, (image.height - 1) / 2), angle, 1.0)
    white = (255, 255, 255)
    return Image.fromarray(cv2.warpAffine(np.asarray(image.convert("RGB")), about, image.size, borderValue=white))


def smoothed(grey: Grey) -> Grey:
    """Each pixel as the mean of itself and the eight around it."""
    import cv2

    means: Grey = cv2.blur(grey, (3, 3)).astype(np.uint8, copy=False)
    return means


def tilt(grey: Grey) -> float:
    """By how many degrees the page must be turned counter-clockwise to stand straight, 0 where nothing tells.

    The angle at which the level edges of print fall into the fewest rows and the upright ones into the fewest columns.
    """
    step = max(1, round(min(grey.shape) / 1000))
    small = grey[::step, ::step].astype(np.int16)
    sheets = []
    for plane in (small, small.T):
        y, x = np.nonzero(np.abs(np.diff(plane, axis=0)) > _EDGE)
        thin = max(1, len(y) // _EDGE_POINTS)
        sheets.append((y[::thin], x[::thin]))
    if sum(len(y) for y, _ in sheets) < _LEAST_POINTS:
        return 0.0

    def order(degrees: float) -> float:
        slope = np.tan(np.radians(degrees))
        sharpness = 0.0
        for (y, x), lean in zip(sheets, (-slope, slope), strict=True):
            rows = np.bincount(np.round(y + lean * x - min(0.0, lean * x.max(initial=0))).astype(np.int64))
            sharpness += float((rows.astype(np.float64) ** 2).sum())
        return sharpness

    best, reach = 0.0, _MOST_TILT
    for fine in _STEPS:
        tried = best + np.arange(-reach, reach + fine / 2, fine)
        best = float(max(tried, key=order))
        reach = fine
    return best if order(best) > 1.02 * order(0.0) else 0.0


def carries_print(grey: Grey, px_per_pt: float) -> bool:
    """Whether a picture looks like text or a table: many of its rows cross many thin dark strokes, and it is no figure
    drawn in bare lines. Product photos have almost none such rows, tables and infographics 4 to 46 % (measured on 50
    pictures)."""
    if min(grey.shape) < _LEAST_PRINT * px_per_pt:
        return False
    strokes = _strokes(grey, px_per_pt)
    rows = strokes[strokes > _STROKES_A_PT]
    if len(rows) < _PRINT_ROWS * len(strokes):
        return False
    dense = float((rows > 2 * _STROKES_A_PT).mean())
    return dense >= _DENSE_ROWS or _filled_ratio(grey, px_per_pt) >= _FILLED


def _strokes(grey: Grey, px_per_pt: float) -> NDArray[np.float64]:
    """How many thin dark strokes each row crosses, on a point of its length."""
    steps = np.diff(grey.astype(np.int16), axis=1)
    falls, rises = steps < -_STROKE, steps > _STROKE
    thin = np.zeros_like(rises)
    for width in range(1, max(2, round(_STROKE_PT * px_per_pt)) + 1):
        thin[:, :-width] |= falls[:, :-width] & rises[:, width:]
    crossed: NDArray[np.float64] = thin.sum(axis=1) / (grey.shape[1] / px_per_pt)
    return crossed


def _filled_ratio(grey: Grey, px_per_pt: float) -> float:
    """The share of squares that are wholly photo, shade or other than paper."""
    side = max(2, round(_SQUARE_PT * px_per_pt))
    high, wide = grey.shape[0] // side, grey.shape[1] // side
    squares = grey[: high * side, : wide * side].reshape(high, side, wide, side)
    paper = float(np.median(grey))
    filled = (squares.max(axis=(1, 3)) < paper - _PAPER) | (squares.min(axis=(1, 3)) > paper + _PAPER)
    return float(filled.mean())


def inked(grey: Grey, share: float) -> Mask:
    """What differs from the ground by so much of what differs most; nothing where it is all one grey."""
    if grey.size == 0:
        return np.zeros(grey.shape, dtype=bool)
    away = np.abs(grey.astype(np.int16) - round(float(np.median(grey))))
    most = int(away.max())
    mask: Mask = away > share * most if most >= _EDGE else np.zeros(grey.shape, dtype=bool)
    return mask


def contrasting(image: Image.Image) -> Grey:
    """The image in grey, on paper of a strong colour in the channel that it is darkest in: photos on walls as bright as
    the paper stand out from it there. Where the paper is dark, the image's negative."""
    grey = np.asarray(image.convert("L"))
    some = grey[::_SPARSE, ::_SPARSE].ravel()
    level = int(np.bincount(some).argmax())
    colours = np.asarray(image.convert("RGB"))[::_SPARSE, ::_SPARSE].reshape(-1, 3)
    paper = np.median(colours[some == level], axis=0)
    if np.ptp(paper) >= _COLOURED:
        grey, level = np.asarray(image.convert("RGB").getchannel(int(paper.argmin()))), int(paper.min())
    return 255 - grey if level < _DARK_PAPER else grey


def ink(grey: Grey, box: Box) -> Box:
    """The part of the box that print takes, in whole pixels, rules across it left out; the box itself where it is all
    one grey."""
    x0, y0 = max(0, int(box[0])), max(0, int(box[1]))
    mask = inked(grey[y0 : max(y0, round(box[3])), x0 : max(x0, round(box[2]))], _INK)
    if not mask.any():
        return box
    level, upright = mask.mean(axis=1) >= _RULE_FILLS, mask.mean(axis=0) >= _RULE_FILLS
    mask[level], mask[:, upright] = False, False
    rows, cols = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return box
    return float(x0 + cols[0]), float(y0 + rows[0]), float(x0 + cols[-1] + 1), float(y0 + rows[-1] + 1)


def white_between(grey: Grey, box: Box, start: float, end: float) -> float:
    """The widest stretch without ink between two places along a line of print in that box, pixels."""
    x0, y0 = max(0, round(start)), max(0, round(box[1]))
    part = grey[y0 : max(y0, round(box[3])), x0 : max(x0, round(end))].astype(np.int16)
    if part.size == 0 or int(part.max()) - int(part.min()) < _EDGE:
        return 0.0
    dark = part < part.max() - 0.45 * (int(part.max()) - int(part.min()))
    inked = np.flatnonzero(np.concatenate(([True], dark.any(axis=0), [True])))
    return float(np.diff(inked).max() - 1)
