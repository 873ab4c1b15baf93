"""More that can be pictured: hand tools, what lies on a desk, gifts, lamps for rooms, large furniture."""

from tests.golden.styles.pens.board import Board, Paint, toned
from tests.golden.styles.pens.motifs import Drawing

_STEEL, _DARK, _BRASS, _WOOD, _PAPER = (176, 182, 188), (52, 54, 58), (196, 162, 88), (190, 146, 96), (244, 240, 230)
_WARM = (255, 240, 204)


def _hammer(b: Board, p: Paint) -> None:
    b.bar((24, 92), (56, 30), 8, p)
    b.form([(40, 14), (74, 30), (68, 44), (34, 28)], _STEEL)
    b.form([(72, 30), (94, 32), (90, 42), (70, 42)], _STEEL)


def _wrench(b: Board, p: Paint) -> None:
    b.bar((24, 80), (72, 28), 10, p)
    b.oval(60, 8, 92, 40, p)
    b.form([(76, 4), (96, 8), (92, 26), (78, 26)], _PAPER)
    b.oval(8, 66, 36, 94, p)
    b.oval(16, 74, 28, 86, _PAPER)


def _pliers(b: Board, p: Paint) -> None:
    b.form([(44, 6), (50, 6), (50, 40), (38, 44), (36, 22)], _STEEL)
    b.form([(50, 6), (56, 6), (64, 22), (62, 44), (50, 40)], toned(_STEEL, -0.1))
    b.form([(40, 46), (52, 44), (36, 94), (24, 92)], p)
    b.form([(48, 44), (60, 46), (76, 92), (64, 94)], toned(p, -0.12))
    b.oval(42, 34, 58, 50, _DARK)


def _tape_measure(b: Board, p: Paint) -> None:
    b.shadow(10, 84, 84)
    b.box(10, 20, 74, 84, p, 12)
    b.oval(22, 32, 62, 72, toned(p, 0.3))
    b.box(72, 74, 98, 80, (240, 208, 70))
    for x in range(76, 98, 4):
        b.box(x, 74, x + 0.8, 77, _DARK)


def _saw(b: Board, p: Paint) -> None:
    b.form([(2, 62), (66, 34), (72, 60), (6, 70)], _STEEL)
    for k in range(15):
        b.form([(6 + k * 4.2, 70 - k * 0.7), (10 + k * 4.2, 69.4 - k * 0.7), (8 + k * 4.2, 73 - k * 0.7)], _STEEL)
    b.box(64, 32, 96, 66, p, 8)
    b.box(74, 42, 88, 56, _PAPER, 5)


def _level(b: Board, p: Paint) -> None:
    b.box(2, 42, 98, 60, p, 2)
    for x in (14, 44, 74):
        b.box(x, 46, x + 13, 56, (214, 232, 110), 2)
        b.box(x + 5, 47, x + 8, 55, (250, 252, 226), 1)


def _pen(b: Board, p: Paint) -> None:
    b.bar((14, 88), (82, 20), 8, p)
    b.form([(8, 94), (12, 84), (19, 91)], _BRASS)
    b.bar((80, 22), (90, 12), 7, toned(p, -0.3))
    b.bar((58, 38), (82, 14), 2, _BRASS)


def _notebook(b: Board, p: Paint) -> None:
    b.shadow(20, 84, 92)
    b.box(22, 8, 80, 92, p, 3)
    b.box(22, 8, 29, 92, toned(p, -0.25), 2)
    b.box(70, 8, 73, 92, toned(p, -0.4))
    b.box(38, 26, 64, 42, _PAPER, 1)


def _notebook_back(b: Board, p: Paint) -> None:
    b.shadow(20, 84, 92)
    b.box(22, 8, 80, 92, toned(p, -0.06), 3)
    b.box(73, 8, 80, 92, toned(p, -0.28), 2)
    b.box(28, 76, 46, 86, _PAPER)
    for x in range(30, 45, 2):
        b.box(x, 78, x + 0.8, 84, _DARK)


def _calendar(b: Board, p: Paint) -> None:
    b.shadow(8, 92, 86)
    b.form([(14, 20), (86, 20), (94, 84), (6, 84)], p)
    b.form([(20, 28), (80, 28), (86, 74), (14, 74)], _PAPER)
    for row in range(4):
        for k in range(6):
            b.box(21 + k * 10, 38 + row * 9, 26 + k * 10, 43 + row * 9, toned(p, 0.4))
    for k in range(9):
        b.box(19 + k * 7.5, 14, 21 + k * 7.5, 24, _STEEL, 1)


def _calendar_back(b: Board, p: Paint) -> None:
    b.shadow(8, 92, 86)
    b.form([(14, 20), (86, 20), (94, 84), (6, 84)], toned(p, -0.15))
    b.form([(22, 30), (78, 30), (82, 52), (18, 52)], toned(p, 0.35))
    for k in range(4):
        b.box(24, 60 + k * 5, 74, 61, _PAPER)
    for k in range(9):
        b.box(19 + k * 7.5, 14, 21 + k * 7.5, 24, _STEEL, 1)


def _stapler(b: Board, p: Paint) -> None:
    b.shadow(4, 96, 76)
    b.box(4, 66, 96, 76, _DARK, 3)
    b.form([(8, 56), (14, 36), (90, 44), (96, 58), (92, 64), (10, 64)], p)
    b.oval(10, 44, 26, 62, toned(p, -0.25))


def _scissors(b: Board, p: Paint) -> None:
    b.form([(30, 6), (36, 6), (60, 60), (54, 64)], _STEEL)
    b.form([(70, 6), (64, 6), (40, 60), (46, 64)], toned(_STEEL, -0.1))
    for x in (22, 52):
        b.oval(x, 58, x + 28, 94, p)
        b.oval(x + 7, 66, x + 21, 86, _PAPER)


def _pencil_case(b: Board, p: Paint) -> None:
    b.shadow(4, 96, 76)
    b.box(4, 36, 96, 76, p, 9)
    b.box(8, 42, 92, 45, _STEEL)
    b.box(80, 40, 90, 47, _BRASS, 1)


def _gift_box(b: Board, p: Paint) -> None:
    b.shadow(12, 88, 90)
    b.box(14, 40, 86, 90, p, 1)
    b.box(10, 30, 90, 44, toned(p, -0.15), 1)
    b.box(46, 30, 54, 90, _BRASS)
    b.form([(50, 30), (24, 12), (34, 30)], _BRASS)
    b.form([(50, 30), (76, 12), (66, 30)], _BRASS)


def _umbrella(b: Board, p: Paint) -> None:
    b.bar((50, 12), (50, 88), 2.4, _DARK)
    b.form([(4, 52), (14, 30), (32, 16), (50, 12), (68, 16), (86, 30), (96, 52), (72, 46), (50, 52), (28, 46)], p)
    b.form([(50, 12), (62, 28), (66, 46), (50, 52), (36, 46), (38, 28)], toned(p, 0.18))
    b.bar((50, 88), (60, 92), 4, _WOOD)


def _tote(b: Board, p: Paint) -> None:
    b.bar((34, 34), (38, 8), 3, toned(p, -0.3))
    b.bar((66, 34), (62, 8), 3, toned(p, -0.3))
    b.bar((38, 8), (62, 8), 3, toned(p, -0.3))
    b.form([(20, 32), (80, 32), (86, 92), (14, 92)], p)
    b.box(36, 50, 64, 72, toned(p, -0.35), 2)


def _clock(b: Board, p: Paint) -> None:
    b.oval(8, 8, 92, 92, p)
    b.oval(16, 16, 84, 84, _PAPER)
    b.bar((50, 52), (50, 26), 3, _DARK)
    b.bar((50, 50), (68, 58), 3, _DARK)
    b.oval(47, 47, 53, 53, _BRASS)


def _keyring(b: Board, p: Paint) -> None:
    b.oval(30, 4, 62, 36, _STEEL)
    b.oval(35, 9, 57, 31, _PAPER)
    b.bar((46, 34), (46, 48), 3, _STEEL)
    b.box(30, 46, 62, 94, p, 8)
    b.oval(38, 56, 54, 72, toned(p, 0.4))


def _bed(b: Board, p: Paint) -> None:
    b.shadow(4, 96, 88)
    b.box(6, 20, 94, 60, p, 6)
    for x in (14, 52):
        b.box(x, 40, x + 34, 58, _PAPER, 6)
    b.box(4, 54, 96, 80, toned(p, 0.45), 6)
    b.box(8, 80, 14, 90, _WOOD)
    b.box(86, 80, 92, 90, _WOOD)


def _shelf(b: Board, p: Paint) -> None:
    b.shadow(18, 82, 94)
    b.box(20, 6, 80, 94, toned(p, -0.1), 1)
    for row in range(4):
        b.box(23, 9 + row * 21, 77, 27 + row * 21, toned(p, 0.35))
        b.box(27 + row * 9, 15 + row * 21, 41 + row * 9, 27 + row * 21, toned(p, -0.4))


def _bench(b: Board, p: Paint) -> None:
    b.shadow(2, 98, 80)
    for x in (12, 82):
        b.bar((x + 3, 56), (x, 80), 4, _WOOD)
    b.box(2, 42, 98, 58, p, 6)
    b.box(2, 56, 98, 60, toned(p, -0.25))


def _wall_lamp(b: Board, p: Paint) -> None:
    b.box(20, 24, 30, 76, _DARK, 2)
    b.bar((28, 50), (52, 50), 4, _DARK)
    b.form([(50, 26), (74, 26), (84, 66), (40, 66)], p)
    b.oval(40, 61, 84, 70, _WARM)


def _table_lamp(b: Board, p: Paint) -> None:
    b.shadow(26, 74, 92)
    b.oval(30, 84, 70, 94, _DARK)
    b.bar((50, 50), (50, 88), 4, _BRASS)
    b.form([(36, 12), (64, 12), (80, 52), (20, 52)], p)
    b.oval(20, 47, 80, 57, _WARM)


def _floor_lamp(b: Board, p: Paint) -> None:
    b.shadow(24, 60, 96)
    b.oval(26, 90, 60, 97, _DARK)
    b.bar((43, 20), (43, 94), 2.4, _DARK)
    b.bar((43, 20), (66, 10), 2.4, _DARK)
    b.form([(58, 8), (74, 8), (84, 32), (48, 32)], p)
    b.oval(48, 28, 84, 36, _WARM)


MORE_MOTIFS: dict[str, Drawing] = {
    "hammer": _hammer, "wrench": _wrench, "pliers": _pliers, "tape_measure": _tape_measure, "saw": _saw,
    "level": _level, "pen": _pen, "notebook": _notebook, "notebook_back": _notebook_back, "calendar": _calendar,
    "calendar_back": _calendar_back, "stapler": _stapler, "scissors": _scissors, "pencil_case": _pencil_case,
    "gift_box": _gift_box, "umbrella": _umbrella, "tote": _tote, "clock": _clock, "keyring": _keyring, "bed": _bed,
    "shelf": _shelf, "bench": _bench, "wall_lamp": _wall_lamp, "table_lamp": _table_lamp, "floor_lamp": _floor_lamp,
}  # fmt: skip
