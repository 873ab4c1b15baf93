"""Pictures of home products, each one function over a board; ``picture`` draws any of them by name."""

from collections.abc import Callable, Sequence
from functools import cache

from tests.support.catalogues.clay import Board, Colour, Point, hexa, mixed

OAK, WALNUT, BRASS, BLACK, IVORY = (hexa(c) for c in ("#C79A63", "#7A5036", "#C8A25A", "#33312F", "#F2EADC"))
_GLOW: Colour = (255, 236, 196)


def _vessel(profile: Sequence[Point], gloss: float = 0.35) -> "Drawing":
    """A pot or vase; profile as (y, radius), its foot on the floor at y = 82."""

    def draw(board: Board, main: Colour, accent: Colour) -> None:
        cx = board.width / 2
        foot = profile[-1]
        board.shadow((cx + 5, foot[0] + 0.6), (foot[1] * 1.45, 3.4), 0.30, 2.6)
        board.shadow((cx, foot[0]), (foot[1] * 1.02, 1.5), 0.40, 0.8)
        board.turned(profile, cx, main, gloss)
        rim = profile[0]
        board.disc((cx, rim[0] + 0.1), (rim[1] * 0.97, rim[1] * 0.17), mixed(main, (0, 0, 0), 0.55), roundness=0.5)

    return draw


def _table_lamp(board: Board, main: Colour, accent: Colour) -> None:
    cx = board.width / 2
    board.glow((cx, 36), 46, _GLOW, 0.42)
    board.shadow((cx + 4, 83), (22, 3.6), 0.30, 2.6)
    board.turned(
        [(48, 1.2), (52, 1.6), (55, 5), (63, 11.5), (72, 12), (79, 8), (82.5, 8.4), (83.5, 8.2)], cx, main, 0.45
    )
    board.turned([(45, 1.1), (50, 1.1)], cx, BRASS, 0.6)
    board.turned([(20, 12.5), (46, 23)], cx, mixed(accent, (255, 244, 222), 0.72), 0.02)
    board.glow((cx, 38), 17, _GLOW, 0.50)


def _pendant(board: Board, main: Colour, accent: Colour) -> None:
    cx = board.width / 2
    board.glow((cx, 72), 34, _GLOW, 0.50)
    board.rod((cx, -2), (cx, 36), 0.7, BLACK)
    board.turned([(32, 1.6), (37, 2.4), (38.5, 3)], cx, BRASS, 0.6)
    board.turned([(38, 3.2), (41, 12), (46, 21), (53, 27), (59, 28.6)], cx, main, 0.40)
    board.disc((cx, 59), (28.4, 4.4), (255, 246, 224), roundness=0.6, gloss=0)
    board.disc((cx, 60.2), (6, 2.6), (255, 255, 248), roundness=0.8, gloss=0)
    board.glow((cx, 62), 13, _GLOW, 0.45)


def _globe_pendant(board: Board, main: Colour, accent: Colour) -> None:
    for dx, y, radius in ((-20, 34, 11), (0, 54, 15), (21, 42, 9)):
        cx = board.width / 2 + dx
        board.glow((cx, y), radius * 1.9, _GLOW, 0.45)
        board.rod((cx, -2), (cx, y - radius), 0.6, BRASS)
        board.turned([(y - radius - 3, 1.2), (y - radius + 1, 2.6)], cx, BRASS, 0.6)
        arc = [
            (y + radius * k, radius * (1 - k * k) ** 0.5 + 0.05)
            for k in (-0.99, -0.9, -0.7, -0.4, 0, 0.4, 0.7, 0.9, 0.99)
        ]
        board.turned(arc, cx, mixed(main, (255, 248, 232), 0.62), 0.35)


def _floor_lamp(board: Board, main: Colour, accent: Colour) -> None:
    cx = board.width / 2
    board.glow((cx, 26), 40, _GLOW, 0.40)
    board.shadow((cx + 4, 90), (17, 2.6), 0.32, 2.0)
    for foot in (-13, 13, 3):
        board.rod((cx, 38), (cx + foot, 89.5 if foot != 3 else 86), 1.6, accent)
    board.turned([(10, 12), (37, 20)], cx, mixed(main, (255, 244, 222), 0.66), 0.02)
    board.glow((cx, 27), 15, _GLOW, 0.48)


def _armchair(board: Board, main: Colour, accent: Colour) -> None:
    cx = board.width / 2
    board.shadow((cx + 3, 84), (33, 4.2), 0.34, 2.8)
    for x in (-23.0, 23.0):
        board.rod((cx + x * 0.9, 70), (cx + x, 84.5), 2.2, accent)
    board.box(cx - 25, 25, cx + 25, 68, mixed(main, (0, 0, 0), 0.06), radius=13, roundness=4.5)
    board.box(cx - 18, 33, cx + 18, 60, mixed(main, (255, 255, 255), 0.06), radius=8, roundness=4.2)
    board.box(cx - 21, 55, cx + 21, 69, mixed(main, (255, 255, 255), 0.10), radius=5, roundness=3.2)
    board.box(cx - 27, 66, cx + 27, 75, main, radius=4, roundness=2.6)
    for side in (-1, 1):
        x = cx + side * 26.5
        board.box(x - 5.5, 45, x + 5.5, 74, mixed(main, (255, 255, 255), 0.03), radius=5.4, roundness=3.4)


def _sofa(board: Board, main: Colour, accent: Colour) -> None:
    cx, half = board.width / 2, board.width * 0.41
    board.shadow((cx + 2, 83), (half * 1.02, 4), 0.34, 2.8)
    for x in (-half * 0.84, half * 0.84):
        board.rod((cx + x, 72), (cx + x * 1.03, 83.5), 2.0, accent)
    board.box(cx - half + 4, 36, cx + half - 4, 70, mixed(main, (0, 0, 0), 0.10), radius=7, roundness=4)
    for side in (-1, 1):
        a, b = sorted((cx + side * 0.6, cx + side * (half - 9)))
        board.box(a, 39, b, 62, mixed(main, (255, 255, 255), 0.05), radius=6, roundness=4.2)
        board.box(a, 56, b, 69, mixed(main, (255, 255, 255), 0.12), radius=4, roundness=2.8)
    board.box(cx - half + 3, 66.5, cx + half - 3, 75.5, main, radius=3.4, roundness=2.4)
    for side in (-1, 1):
        x = cx + side * (half - 4)
        board.box(x - 5.5, 46, x + 5.5, 75.5, mixed(main, (255, 255, 255), 0.02), radius=5.4, roundness=3.2)
    board.box(cx - half + 12, 42, cx - half + 28, 58, accent, radius=4, roundness=4.2)


def _dining_chair(board: Board, main: Colour, accent: Colour) -> None:
    cx = board.width / 2
    board.shadow((cx + 3, 89), (22, 3.2), 0.34, 2.2)
    for x in (-13.0, 13.0):
        board.rod((cx + x, 20), (cx + x * 1.08, 84), 2.1, mixed(accent, (0, 0, 0), 0.16))
    board.box(cx - 16, 17, cx + 16, 40, main, radius=7, roundness=3.4)
    board.box(cx - 18, 53, cx + 18, 61, mixed(main, (255, 255, 255), 0.08), radius=4, roundness=2.8)
    board.box(cx - 17.5, 60, cx + 17.5, 63.5, accent, radius=1.2, roundness=0.9)
    for x in (-15.5, 15.5):
        board.rod((cx + x, 62), (cx + x * 1.16, 89.5), 2.5, accent)


def _stool(board: Board, main: Colour, accent: Colour) -> None:
    cx = board.width / 2
    board.shadow((cx + 3, 86), (21, 3.2), 0.34, 2.2)
    for x in (-8, 8):
        board.rod((cx + x, 50), (cx + x * 1.3, 83), 2.2, mixed(accent, (0, 0, 0), 0.18))
    for x in (-15, 15):
        board.rod((cx + x, 48), (cx + x * 1.22, 87), 2.6, accent)
    board.rod((cx - 16.6, 70), (cx + 16.6, 70), 1.5, accent)
    board.turned([(38, 18.5), (39.5, 20.6), (45, 21.4), (49, 20.6), (50.5, 18.5)], cx, main, 0.12)
    board.disc((cx, 38.6), (19.4, 3.6), mixed(main, (255, 255, 255), 0.16), roundness=1.2)


def _round_table(board: Board, main: Colour, accent: Colour) -> None:
    cx = board.width / 2
    board.shadow((cx + 4, 85), (29, 4.4), 0.34, 2.8)
    board.turned([(50, 4.6), (62, 5), (74, 8), (82, 15.5), (84.5, 17)], cx, accent, 0.25)
    board.turned([(45.6, 33), (47.6, 34), (49.4, 33)], cx, mixed(main, (0, 0, 0), 0.10), 0.25)
    board.disc((cx, 45.8), (33.4, 6.6), mixed(main, (255, 255, 255), 0.10), roundness=0.9)


def _side_table(board: Board, main: Colour, accent: Colour) -> None:
    cx = board.width / 2
    board.shadow((cx + 3, 86), (20, 3.2), 0.34, 2.2)
    for x in (-17, 17, 6):
        board.rod((cx + x * 0.8, 48), (cx + x * 1.05, 86 if x != 6 else 82), 1.9, accent)
    board.turned([(44.5, 22), (46.2, 22.8), (48.4, 22)], cx, mixed(main, (0, 0, 0), 0.10), 0.3)
    board.disc((cx, 44.6), (22.4, 4.8), mixed(main, (255, 255, 255), 0.12), roundness=0.9)
    board.turned([(30, 3), (33, 4.6), (39, 6.2), (43, 4.4), (44.8, 4)], cx - 5, IVORY, 0.4)


def _dining_table(board: Board, main: Colour, accent: Colour) -> None:
    cx, half = board.width / 2, board.width * 0.42
    board.shadow((cx + 2, 85), (half * 0.98, 4), 0.30, 3)
    for x, y in ((-half * 0.70, 81), (half * 0.70, 81), (-half * 0.86, 86), (half * 0.86, 86)):
        board.rod((cx + x * 0.96, 50), (cx + x, y), 3.0, mixed(accent, (0, 0, 0), 0.16 if y == 81 else 0))
    board.shape(
        [(cx - half * 0.88, 43), (cx + half * 0.88, 43), (cx + half, 50), (cx - half, 50)],
        mixed(main, (255, 255, 255), 0.12),
        roundness=0.6,
    )
    board.box(cx - half, 49.6, cx + half, 53.4, main, radius=1.2, roundness=1.0)
    board.turned([(31, 2.4), (34, 3.4), (40, 7.4), (44.6, 6.2), (46.6, 5)], cx + half * 0.22, IVORY, 0.4)


def _sideboard(board: Board, main: Colour, accent: Colour) -> None:
    cx, half = board.width / 2, board.width * 0.41
    board.shadow((cx + 2, 84), (half * 1.02, 3.6), 0.34, 2.6)
    for x in (-half * 0.82, half * 0.82):
        board.rod((cx + x, 74), (cx + x * 1.04, 84.5), 2.0, BLACK)
    board.box(cx - half, 45, cx + half, 77, mixed(main, (0, 0, 0), 0.12), radius=1.8, roundness=1.2)
    for i in range(3):
        x0 = cx - half + 1.6 + i * (2 * half - 3.2) / 3
        x1 = cx - half + 1.6 + (i + 1) * (2 * half - 3.2) / 3
        board.box(x0 + 0.4, 47, x1 - 0.4, 75, mixed(main, (255, 255, 255), 0.06 * (i % 2)), radius=0.8, roundness=0.9)
        for k in range(1, 9):
            x = x0 + 0.4 + k * (x1 - x0 - 0.8) / 9
            board.rod((x, 48), (x, 74), 0.45, mixed(main, (0, 0, 0), 0.22))
        board.disc((x1 - 3.2, 61), (0.9, 0.9), BRASS, roundness=0.4, gloss=0.8)
    board.turned([(26, 2.2), (29, 2.6), (36, 6.4), (42, 5), (45, 4)], cx - half * 0.55, accent, 0.4)
    board.box(cx + half * 0.30, 41.6, cx + half * 0.78, 45, IVORY, radius=0.6, roundness=0.5)


def _bookcase(board: Board, main: Colour, accent: Colour) -> None:
    cx = board.width / 2
    board.shadow((cx + 3, 90), (26, 3), 0.32, 2.2)
    board.box(cx - 24, 11, cx + 24, 90, mixed(main, (0, 0, 0), 0.34), radius=1.2, roundness=0.8)
    for y in (11, 30, 49, 68, 87):
        board.box(cx - 24, y, cx + 24, y + 3, main, radius=0.6, roundness=0.7)
    for x in (-24, 21.4):
        board.box(cx + x, 11, cx + x + 2.6, 90, main, radius=0.6, roundness=0.7)
    shades = [accent, IVORY, mixed(accent, (0, 0, 0), 0.25), mixed(accent, (255, 255, 255), 0.45), hexa("#8D9A86")]
    for shelf, (start, count) in enumerate(((-20, 6), (2, 5), (-19, 4), (-6, 6))):
        for k in range(count):
            tall = 11 + (k * 7 + shelf * 3) % 4
            x = cx + start + k * 2.9
            board.box(
                x, 30 + 19 * shelf - tall, x + 2.6, 30 + 19 * shelf, shades[(k + shelf) % 5], radius=0.3, roundness=0.5
            )
    for x, floor in ((-12, 49), (10, 68)):
        board.turned([(floor - 10, 2), (floor - 7, 3.4), (floor - 3, 4.6), (floor - 0.2, 3.4)], cx + x, IVORY, 0.4)


def _planter(board: Board, main: Colour, accent: Colour) -> None:
    cx = board.width / 2
    board.shadow((cx + 5, 86), (22, 3.6), 0.32, 2.6)
    leaf = hexa("#5F7F5B")
    for k, (lean, tall) in enumerate(
        ((-26, 40), (25, 42), (-15, 26), (16, 24), (-5, 14), (7, 18), (-30, 54), (30, 55))
    ):
        tip: Point = (cx + lean, tall)
        middle: Point = (cx + lean * 0.62, (tall + 58) / 2 - 7)
        wide = 4.4
        points = [(cx, 60), (middle[0] - wide, middle[1] + 2), tip, (middle[0] + wide, middle[1] - 1)]
        shade = mixed(leaf, (0, 0, 0) if k % 2 else (235, 240, 200), 0.10 + 0.03 * k)
        board.shape(_rounded(points), shade, roundness=1.3, gloss=0.2)
    board.turned([(57, 16.6), (60, 17.6), (62, 16.8), (76, 13.6), (85, 11)], cx, main, 0.25)


def _mirror(board: Board, main: Colour, accent: Colour) -> None:
    cx = board.width / 2
    board.shadow((cx + 3, 50), (32, 35), 0.30, 3.4)
    board.disc((cx, 46), (32, 34), main, roundness=1.6, gloss=0.5)
    glass = mixed(board.wall, (255, 255, 255), 0.45)
    board.disc((cx, 46), (29, 31), mixed(glass, (0, 0, 0), 0.06), roundness=0.5, gloss=0)
    for dx in (-9, 3):
        board.shape(
            [(cx + dx - 3, 68), (cx + dx + 13, 23), (cx + dx + 18, 23), (cx + dx + 2, 68)],
            mixed(glass, (255, 255, 255), 0.35),
            roundness=0.3,
            gloss=0,
        )


def _cushion(board: Board, main: Colour, accent: Colour) -> None:
    cx = board.width / 2
    board.shadow((cx + 3, 80), (29, 4.4), 0.34, 2.8)
    outline = [
        (cx - 30, 24),
        (cx, 27),
        (cx + 30, 24),
        (cx + 27.5, 52),
        (cx + 30, 80),
        (cx, 78),
        (cx - 30, 80),
        (cx - 27.5, 52),
    ]
    board.shape(_rounded(outline), main, roundness=7.5, gloss=0.06)
    for k in range(-3, 4):
        board.rod((cx + k * 7.2, 31), (cx + k * 7.2, 73), 0.8, mixed(main, accent, 0.75), 0)


def _clock(board: Board, main: Colour, accent: Colour) -> None:
    cx = board.width / 2
    board.shadow((cx + 3, 51), (31, 31), 0.32, 3)
    board.disc((cx, 47), (31, 31), main, roundness=2.0, gloss=0.4)
    board.disc((cx, 47), (26.5, 26.5), IVORY, roundness=0.8, gloss=0)
    for k in range(12):
        dx, dy = _CLOCK[k]
        board.disc(
            (cx + 22 * dx, 47 + 22 * dy), (1.1, 1.1) if k % 3 == 0 else (0.55, 0.55), BLACK, roundness=0.2, gloss=0
        )
    board.rod((cx, 47), (cx - 11, 39), 1.4, BLACK, 0)
    board.rod((cx, 47), (cx + 14, 37), 1.0, accent, 0)
    board.disc((cx, 47), (1.8, 1.8), BRASS, roundness=0.5)


def _candles(board: Board, main: Colour, accent: Colour) -> None:
    for dx, top in ((-17, 44), (0, 30), (17, 50)):
        cx = board.width / 2 + dx
        board.glow((cx, top - 14), 13, _GLOW, 0.5)
        board.shadow((cx + 2, 83), (8.6, 2.2), 0.34, 1.6)
        board.turned([(top, 3.4), (top + 2, 4.2), (top + 4, 1.8), (76, 1.8), (80, 5.6), (83, 7)], cx, main, 0.55)
        board.turned([(top - 10, 2.1), (top + 0.4, 2.2)], cx, IVORY, 0.1)
        board.turned([(top - 16, 0.2), (top - 13, 1.3), (top - 10.4, 0.5)], cx, (255, 214, 120), 0.2)


def _tea_set(board: Board, main: Colour, accent: Colour) -> None:
    cx = board.width / 2 - 7
    board.shadow((cx + 6, 80), (34, 4), 0.32, 2.6)
    board.turned([(77.5, 36), (79.6, 37), (81.4, 35)], cx + 7, accent, 0.2)
    board.shape(_rounded([(cx + 12, 52), (cx + 27, 42), (cx + 30, 43), (cx + 18, 64)]), main, roundness=1.8, gloss=0.4)
    board.disc((cx - 18, 58), (9.5, 11), mixed(main, (0, 0, 0), 0.08), roundness=1.6, gloss=0.4)
    board.disc((cx - 18, 58), (5.6, 7), board.wall, roundness=0.3, gloss=0)
    board.turned([(42, 6.4), (44, 8), (50, 15), (60, 19.6), (70, 17.5), (77, 11)], cx, main, 0.5)
    board.turned([(34, 1.2), (36, 2.6), (38.5, 1.4), (40, 4), (42.6, 7.6)], cx, mixed(main, (255, 255, 255), 0.08), 0.5)
    board.turned([(63, 8.6), (67, 8.2), (73, 6.6), (77.4, 4.2)], cx + 33, main, 0.5)
    board.disc((cx + 33, 63.1), (8.2, 1.7), hexa("#9A6A38"), roundness=0.4)


def _nightstand(board: Board, main: Colour, accent: Colour) -> None:
    cx = board.width / 2
    board.shadow((cx + 3, 87), (25, 3.2), 0.34, 2.2)
    for x in (-20, 20):
        board.rod((cx + x, 76), (cx + x * 1.08, 87.5), 2.2, BLACK)
    board.box(cx - 25, 45, cx + 25, 79, mixed(main, (0, 0, 0), 0.10), radius=3, roundness=1.6)
    for y in (49, 63.5):
        board.box(cx - 22, y, cx + 22, y + 12.6, mixed(main, (255, 255, 255), 0.08), radius=1.6, roundness=1.3)
        board.box(cx - 6, y + 5.4, cx + 6, y + 7.2, BRASS, radius=0.8, roundness=0.5, gloss=0.7)
    board.turned([(30, 4.6), (33, 6.2), (40, 7), (45.4, 5.4)], cx - 10, accent, 0.4)


def _bed(board: Board, main: Colour, accent: Colour) -> None:
    cx, half = board.width / 2, board.width * 0.40
    board.shadow((cx + 2, 87), (half * 1.04, 3.8), 0.34, 2.8)
    board.box(cx - half, 30, cx + half, 72, main, radius=5, roundness=3.4)
    for k in (-0.5, 0.0, 0.5):
        board.rod((cx + k * half, 33), (cx + k * half, 58), 0.6, mixed(main, (0, 0, 0), 0.25), 0)
    for side in (-1, 1):
        a, b = sorted((cx + side * 2, cx + side * half * 0.84))
        board.box(a, 46, b, 62, hexa("#FBF7EF"), radius=5, roundness=4)
    board.box(cx - half * 0.97, 57, cx + half * 0.97, 80, hexa("#F6F1E7"), radius=5, roundness=4)
    board.box(cx - half * 0.99, 66, cx + half * 0.99, 83, accent, radius=4, roundness=4)
    board.box(cx - half, 80, cx + half, 86.5, mixed(main, (0, 0, 0), 0.12), radius=2, roundness=1.6)


def _rounded(points: Sequence[Point], rounds: int = 3) -> list[Point]:
    """Corners cut off again and again (Chaikin 1974), which ends in a smooth closed curve."""
    curve = list(points)
    for _ in range(rounds):
        cut: list[Point] = []
        for (ax, ay), (bx, by) in zip(curve, curve[1:] + curve[:1], strict=True):
            cut += [(ax * 0.75 + bx * 0.25, ay * 0.75 + by * 0.25), (ax * 0.25 + bx * 0.75, ay * 0.25 + by * 0.75)]
        curve = cut
    return curve


_CLOCK: tuple[Point, ...] = (
    (0, -1), (0.5, -0.866), (0.866, -0.5), (1, 0), (0.866, 0.5), (0.5, 0.866),
    (0, 1), (-0.5, 0.866), (-0.866, 0.5), (-1, 0), (-0.866, -0.5), (-0.5, -0.866),
)  # fmt: skip

Drawing = Callable[[Board, Colour, Colour], None]
DRAWINGS: dict[str, Drawing] = {
    "vase": _vessel([(22, 7.5), (24, 6.4), (32, 5.6), (42, 11), (56, 18.5), (68, 17), (78, 11.5), (82, 10.5)]),
    "bottle_vase": _vessel([(14, 4.4), (16, 3.8), (36, 3.6), (46, 8), (58, 16), (70, 18), (79, 14), (82, 12)]),
    "moon_vase": _vessel([(26, 7), (28, 6), (32, 9), (40, 20), (54, 26.5), (68, 22), (78, 12), (82, 10.5)]),
    "bowl": _vessel([(52, 31), (56, 30), (64, 25.5), (72, 18), (78, 11), (80, 9.6), (82, 10)]),
    "jar": _vessel([(34, 14), (36, 13.4), (40, 16), (52, 21.5), (66, 21), (78, 15.5), (82, 14.5)]),
    "table_lamp": _table_lamp, "pendant": _pendant, "globe_pendant": _globe_pendant, "floor_lamp": _floor_lamp,
    "armchair": _armchair, "sofa": _sofa, "dining_chair": _dining_chair, "stool": _stool,
    "round_table": _round_table, "side_table": _side_table, "dining_table": _dining_table,
    "sideboard": _sideboard, "bookcase": _bookcase, "nightstand": _nightstand, "bed": _bed,
    "planter": _planter, "mirror": _mirror, "cushion": _cushion, "clock": _clock, "candles": _candles,
    "tea_set": _tea_set,
}  # fmt: skip
_ON_THE_WALL = {"mirror", "clock", "pendant", "globe_pendant"}


# A product in a scene: kind, main colour, accent colour, middle x, foot y (board units), zoom.
Placed = tuple[str, str, str, float, float, float]


@cache
def picture(
    kind: str,
    main: str,
    wall: str,
    accent: str = "#C79A63",
    *,
    width_px: int = 760,
    height_px: int = 760,
    quality: int = 80,
) -> bytes:
    """JPEG of one product: ``kind`` is a key of DRAWINGS, colours as ``#RRGGBB``."""
    board = Board(width_px, height_px, hexa(wall), floor_y=300.0 if kind in _ON_THE_WALL else 74.0)
    DRAWINGS[kind](board, hexa(main), hexa(accent))
    return board.jpeg(quality)


@cache
def scene(
    items: tuple[Placed, ...],
    wall: str,
    *,
    width_px: int,
    height_px: int,
    floor_y: float,
    quality: int = 82,
) -> bytes:
    """JPEG of several products, drawn in this order."""
    board = Board(width_px, height_px, hexa(wall), floor_y=floor_y)
    for kind, main, accent, x, y, zoom in items:
        board.place(x, y, zoom)
        DRAWINGS[kind](board, hexa(main), hexa(accent))
    return board.jpeg(quality)
