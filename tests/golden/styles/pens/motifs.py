"""What can be pictured: products of six trades, drawings, marks; each one function over a board."""

from collections.abc import Callable

from tests.golden.styles.pens.board import Board, Paint, toned

_STEEL, _DARK, _BRASS, _WOOD = (176, 182, 188), (52, 54, 58), (196, 162, 88), (190, 146, 96)

Drawing = Callable[[Board, Paint], None]


def _chair(b: Board, p: Paint) -> None:
    b.shadow(22, 80, 90)
    for x in (30, 66):
        b.bar((x, 60), (x - 2, 90), 3, _WOOD)
    b.box(28, 16, 72, 58, p, 7)
    b.box(24, 54, 76, 66, toned(p, -0.12), 5)


def _armchair(b: Board, p: Paint) -> None:
    b.shadow(12, 88, 88)
    for x in (22, 74):
        b.box(x, 80, x + 4, 89, _WOOD)
    b.box(20, 26, 80, 70, p, 9)
    b.box(24, 54, 76, 74, toned(p, 0.15), 5)
    b.box(12, 46, 26, 82, toned(p, -0.1), 6)
    b.box(74, 46, 88, 82, toned(p, -0.1), 6)


def _sofa(b: Board, p: Paint) -> None:
    b.shadow(2, 98, 82)
    b.box(8, 34, 92, 66, p, 6)
    b.box(12, 54, 50, 68, toned(p, 0.14), 4)
    b.box(50, 54, 88, 68, toned(p, 0.14), 4)
    b.box(2, 44, 13, 78, toned(p, -0.1), 5)
    b.box(87, 44, 98, 78, toned(p, -0.1), 5)
    b.box(8, 66, 92, 77, toned(p, -0.05), 3)


def _table(b: Board, p: Paint) -> None:
    b.shadow(6, 94, 88)
    for x in (14, 82):
        b.bar((x + 2, 44), (x, 88), 4, toned(p, -0.25))
    b.box(4, 38, 96, 46, p, 2)


def _cabinet(b: Board, p: Paint) -> None:
    b.shadow(12, 88, 90)
    b.box(14, 22, 86, 86, p, 2)
    for x in (16, 51):
        b.box(x, 25, x + 33, 82, toned(p, 0.12), 1)
    b.box(46, 50, 48, 58, _BRASS)
    b.box(52, 50, 54, 58, _BRASS)


def _desk(b: Board, p: Paint) -> None:
    b.shadow(4, 96, 88)
    b.box(70, 46, 92, 86, toned(p, -0.12), 1)
    for y in (50, 62, 74):
        b.box(72, y, 90, y + 9, toned(p, 0.1), 1)
    b.bar((12, 44), (10, 88), 4, _DARK)
    b.box(4, 38, 96, 46, p, 1)


def _office_chair(b: Board, p: Paint) -> None:
    b.shadow(20, 80, 92)
    b.bar((50, 60), (50, 80), 4, _STEEL)
    b.form([(22, 90), (50, 78), (78, 90), (74, 93), (50, 83), (26, 93)], _DARK)
    b.box(30, 10, 70, 50, p, 9)
    b.box(26, 52, 74, 64, toned(p, -0.15), 5)


def _shirt(b: Board, p: Paint) -> None:
    b.form([(34, 16), (66, 16), (92, 34), (82, 48), (72, 42), (72, 88), (28, 88), (28, 42), (18, 48), (8, 34)], p)
    b.oval(40, 10, 60, 24, toned(p, -0.3))


def _hoodie(b: Board, p: Paint) -> None:
    b.form([(30, 20), (70, 20), (88, 40), (96, 80), (84, 84), (74, 52), (74, 90), (26, 90), (26, 52), (16, 84),
            (4, 80), (12, 40)], p)  # fmt: skip
    b.oval(34, 8, 66, 34, toned(p, -0.18))
    b.oval(41, 14, 59, 33, toned(p, -0.5))
    b.form([(34, 66), (66, 66), (70, 82), (30, 82)], toned(p, -0.12))


def _trousers(b: Board, p: Paint) -> None:
    b.form([(30, 10), (70, 10), (76, 92), (56, 92), (50, 36), (44, 92), (24, 92)], p)
    b.box(30, 10, 70, 16, toned(p, -0.2))


def _dress(b: Board, p: Paint) -> None:
    b.form([(38, 10), (62, 10), (60, 40), (84, 92), (16, 92), (40, 40)], p)
    b.box(39, 38, 61, 43, toned(p, -0.25))


def _jacket(b: Board, p: Paint) -> None:
    _shirt(b, p)
    b.form([(49, 20), (51, 20), (51, 88), (49, 88)], _DARK)
    b.form([(36, 14), (50, 30), (40, 44)], toned(p, 0.2))
    b.form([(64, 14), (50, 30), (60, 44)], toned(p, 0.2))


def _cap(b: Board, p: Paint) -> None:
    b.shadow(10, 92, 72)
    b.form([(14, 62), (16, 48), (24, 36), (36, 29), (48, 28), (60, 31), (70, 40), (75, 52), (76, 62)], p)
    b.oval(44, 25, 50, 30, toned(p, -0.2))
    b.form([(44, 58), (76, 56), (97, 66), (92, 71), (70, 66), (44, 66)], toned(p, -0.2))


def _pot(b: Board, p: Paint) -> None:
    b.shadow(12, 90, 86)
    b.box(6, 48, 94, 56, _DARK, 3)
    b.box(16, 42, 84, 84, p, 6)
    b.oval(16, 32, 84, 50, toned(p, 0.3))
    b.oval(44, 24, 56, 38, _DARK)


def _pan(b: Board, p: Paint) -> None:
    b.shadow(2, 64, 74)
    b.form([(58, 48), (98, 36), (99, 44), (60, 60)], _DARK)
    b.oval(2, 34, 66, 74, p)
    b.oval(8, 38, 60, 66, toned(p, -0.35))


def _kettle(b: Board, p: Paint) -> None:
    b.shadow(18, 84, 88)
    b.form([(66, 46), (92, 30), (94, 36), (72, 66)], toned(p, -0.1))
    b.form([(32, 36), (64, 36), (78, 86), (20, 86)], p)
    b.oval(32, 28, 64, 42, toned(p, 0.25))
    b.bar((30, 26), (66, 26), 5, _DARK)
    b.bar((32, 26), (32, 38), 3, _DARK)
    b.bar((64, 26), (64, 38), 3, _DARK)


def _knife(b: Board, p: Paint) -> None:
    b.form([(4, 50), (60, 40), (62, 58), (18, 58)], _STEEL)
    b.box(60, 42, 96, 56, p, 4)
    for x in (68, 78, 88):
        b.oval(x, 47, x + 3, 50, _STEEL)


def _mug(b: Board, p: Paint) -> None:
    b.shadow(18, 80, 86)
    b.oval(62, 36, 92, 70, p)
    b.oval(68, 43, 85, 63, (242, 241, 238))
    b.box(20, 26, 74, 86, p, 7)
    b.oval(20, 20, 74, 34, toned(p, -0.4))


def _bottle(b: Board, p: Paint) -> None:
    b.shadow(30, 70, 94)
    b.box(34, 28, 66, 94, p, 7)
    b.box(40, 14, 60, 30, toned(p, -0.1), 3)
    b.box(38, 6, 62, 16, _DARK, 2)


def _bowl(b: Board, p: Paint) -> None:
    b.shadow(24, 78, 84)
    b.form([(10, 46), (90, 46), (82, 66), (66, 82), (34, 82), (18, 66)], p)
    b.oval(10, 36, 90, 56, toned(p, -0.3))


def _cutting_board(b: Board, p: Paint) -> None:
    b.shadow(14, 88, 86)
    b.box(14, 20, 86, 86, p, 6)
    b.oval(44, 25, 56, 33, (238, 236, 232))
    b.box(22, 40, 78, 42, toned(p, -0.12))


def _cutlery(b: Board, p: Paint) -> None:
    for x in (26, 50, 74):
        b.bar((x, 34), (x, 92), 4, p)
    b.oval(18, 8, 34, 38, p)
    b.box(44, 8, 56, 34, p, 3)
    b.form([(70, 8), (80, 16), (80, 44), (70, 44)], p)


def _bolt(b: Board, p: Paint) -> None:
    b.form([(30, 14), (70, 14), (78, 24), (70, 34), (30, 34), (22, 24)], p)
    b.box(40, 32, 60, 92, toned(p, 0.1))
    for y in range(48, 92, 5):
        b.bar((39, y + 2), (61, y), 1.4, toned(p, -0.4))


def _nut(b: Board, p: Paint) -> None:
    b.form([(28, 14), (72, 14), (94, 50), (72, 86), (28, 86), (6, 50)], p)
    b.oval(30, 30, 70, 70, toned(p, -0.5))


def _hinge(b: Board, p: Paint) -> None:
    b.box(12, 18, 47, 84, p, 3)
    b.box(53, 18, 88, 84, p, 3)
    b.box(45, 14, 55, 88, toned(p, -0.2), 4)
    for x in (24, 70):
        for y in (30, 66):
            b.oval(x, y, x + 7, y + 7, toned(p, -0.6))


def _padlock(b: Board, p: Paint) -> None:
    b.shadow(18, 82, 90)
    b.oval(28, 8, 72, 70, _STEEL)
    b.oval(37, 18, 63, 70, (243, 242, 240))
    b.box(18, 44, 82, 90, p, 6)
    b.oval(45, 58, 55, 68, _DARK)
    b.box(48, 64, 52, 78, _DARK)


def _handle(b: Board, p: Paint) -> None:
    b.box(16, 26, 25, 62, toned(p, -0.25), 3)
    b.box(75, 26, 84, 62, toned(p, -0.25), 3)
    b.box(8, 54, 92, 66, p, 6)


def _screwdriver(b: Board, p: Paint) -> None:
    b.bar((48, 54), (92, 14), 4, _STEEL)
    b.bar((10, 90), (50, 52), 15, p)
    b.bar((16, 84), (44, 58), 3, _DARK)


def _caster(b: Board, p: Paint) -> None:
    b.shadow(28, 74, 92)
    b.box(24, 10, 76, 18, _STEEL, 1)
    b.form([(38, 18), (64, 18), (60, 66), (42, 66)], toned(_STEEL, -0.2))
    b.oval(28, 44, 74, 92, p)
    b.oval(44, 60, 58, 76, _STEEL)


def _drill(b: Board, p: Paint) -> None:
    b.box(4, 30, 66, 54, p, 9)
    b.form([(14, 50), (36, 50), (32, 92), (8, 92)], toned(p, -0.15))
    b.box(66, 36, 80, 48, _DARK, 2)
    b.bar((80, 42), (98, 42), 3, _STEEL)


def _chip(b: Board, p: Paint) -> None:
    for k in range(8):
        b.box(12, 21 + k * 8, 88, 24 + k * 8, _STEEL)
    b.box(24, 14, 76, 88, p, 2)
    b.oval(29, 19, 36, 26, toned(p, 0.3))


def _module(b: Board, p: Paint) -> None:
    b.box(8, 22, 92, 80, p, 2)
    b.box(18, 30, 48, 62, _STEEL, 1)
    b.box(56, 32, 72, 48, _DARK)
    for k in range(10):
        b.oval(14 + k * 7.4, 71, 18 + k * 7.4, 75, _BRASS)


def _connector(b: Board, p: Paint) -> None:
    b.box(10, 34, 90, 78, p, 2)
    for k in range(5):
        b.box(17 + k * 15, 42, 27 + k * 15, 58, _DARK, 1)
        b.oval(18 + k * 15, 62, 26 + k * 15, 72, _STEEL)


def _supply(b: Board, p: Paint) -> None:
    b.shadow(6, 94, 80)
    b.box(6, 30, 94, 78, _STEEL, 1)
    b.box(6, 30, 24, 78, toned(p, -0.1))
    for k in range(5):
        b.box(30 + k * 12, 38, 34 + k * 12, 70, toned(_STEEL, -0.45), 1)


def _sensor(b: Board, p: Paint) -> None:
    b.bar((64, 50), (98, 50), 4, _DARK)
    b.box(8, 36, 66, 64, p, 3)
    b.box(14, 33, 24, 67, _STEEL)
    b.box(30, 33, 36, 67, _STEEL)


def _bulb(b: Board, p: Paint) -> None:
    b.oval(22, 8, 78, 66, p)
    b.form([(32, 54), (68, 54), (60, 74), (40, 74)], p)
    for y in (74, 80, 86):
        b.box(40, y, 60, y + 5, _STEEL, 2)


def _downlight(b: Board, p: Paint) -> None:
    b.oval(10, 30, 90, 72, p)
    b.oval(22, 37, 78, 65, _DARK)
    b.oval(32, 41, 68, 61, (255, 244, 214))


def _panel(b: Board, p: Paint) -> None:
    b.form([(18, 18), (82, 18), (96, 82), (4, 82)], p)
    b.form([(23, 23), (77, 23), (89, 77), (11, 77)], (255, 250, 234))


def _spotlight(b: Board, p: Paint) -> None:
    b.box(14, 12, 86, 19, _DARK, 1)
    b.bar((50, 18), (50, 34), 5, _DARK)
    b.form([(36, 32), (64, 32), (74, 82), (26, 82)], p)
    b.oval(26, 75, 74, 90, (255, 246, 220))


def _pendant(b: Board, p: Paint) -> None:
    b.bar((50, 0), (50, 40), 1.2, _DARK)
    b.form([(44, 38), (56, 38), (84, 74), (16, 74)], p)
    b.oval(16, 69, 84, 80, (255, 246, 220))


def _floodlight(b: Board, p: Paint) -> None:
    b.box(12, 18, 88, 72, p, 4)
    b.box(19, 25, 81, 65, (250, 246, 232), 2)
    b.form([(26, 72), (32, 72), (36, 90), (64, 90), (68, 72), (74, 72), (70, 94), (30, 94)], _DARK)


def _strip(b: Board, p: Paint) -> None:
    b.oval(10, 10, 90, 90, p)
    b.oval(20, 20, 80, 80, (245, 244, 240))
    b.oval(26, 26, 74, 74, p)
    b.oval(36, 36, 64, 64, (245, 244, 240))
    for x, y in ((50, 13), (50, 85), (13, 50), (85, 50), (24, 24), (74, 74), (24, 74), (74, 24)):
        b.box(x - 2, y - 2, x + 2, y + 2, (255, 226, 120))


def _truck(b: Board, p: Paint) -> None:
    b.shadow(10, 90, 82)
    b.box(10, 34, 58, 68, toned(p, 0.35), 3)
    b.form([(60, 44), (76, 44), (88, 58), (88, 70), (60, 70)], p)
    b.form([(66, 48), (75, 48), (82, 57), (66, 57)], (222, 236, 244))
    b.box(8, 66, 90, 72, _DARK)
    for x in (16, 42, 68):
        b.oval(x, 64, x + 18, 82, _DARK)
        b.oval(x + 5, 69, x + 13, 77, (206, 206, 204))


def _duck(b: Board, p: Paint) -> None:
    b.shadow(20, 84, 82)
    b.form([(72, 58), (94, 42), (86, 72)], p)
    b.oval(18, 44, 86, 84, p)
    b.oval(16, 16, 54, 54, p)
    b.form([(20, 34), (2, 40), (20, 46)], (226, 120, 48))
    b.oval(27, 27, 34, 34, _DARK)
    b.oval(44, 52, 74, 72, toned(p, -0.15))


def _blocks(b: Board, p: Paint) -> None:
    b.shadow(12, 88, 86)
    b.box(14, 56, 42, 84, p, 2)
    b.box(46, 56, 74, 84, (222, 172, 70), 2)
    b.box(30, 26, 58, 54, (86, 138, 160), 2)
    b.form([(66, 54), (82, 54), (74, 32)], toned(p, 0.3))


def _rings(b: Board, p: Paint) -> None:
    b.shadow(16, 84, 86)
    b.box(47, 10, 53, 80, (214, 196, 160), 2)
    for k, tone in enumerate((0.4, 0.2, 0.0, -0.2)):
        b.box(34 - k * 6, 22 + k * 15, 66 + k * 6, 36 + k * 15, toned(p, tone), 6)
    b.box(14, 80, 86, 87, (214, 196, 160), 2)


def _swatch(b: Board, p: Paint) -> None:
    b.box(-60, -60, 160, 160, p)
    for k in range(-60, 160, 5):
        b.bar((k, -60), (k, 160), 0.7, toned(p, -0.12))
        b.bar((-60, k), (160, k), 0.7, toned(p, 0.12))


def _outline(b: Board, p: Paint) -> None:
    """A dimension drawing: front view with measuring lines."""
    for x0, y0, x1, y1 in (
        (20, 30, 80, 30),
        (20, 70, 80, 70),
        (20, 30, 20, 70),
        (80, 30, 80, 70),
        (20, 50, 80, 50),
        (20, 80, 80, 80),
        (20, 77, 20, 83),
        (80, 77, 80, 83),
        (90, 30, 90, 70),
        (87, 30, 93, 30),
        (87, 70, 93, 70),
        (28, 70, 28, 74),
        (72, 70, 72, 74),
    ):
        b.bar((x0, y0), (x1, y1), 0.7, p)


def _logo(b: Board, p: Paint) -> None:
    b.form([(50, 8), (92, 82), (74, 82), (50, 40), (26, 82), (8, 82)], p)
    b.oval(42, 60, 58, 76, toned(p, 0.3))


def _seal(b: Board, p: Paint) -> None:
    """A certificate: frame, lines of print, a seal."""
    b.box(6, -20, 94, 120, p)
    b.box(8, -18, 92, 118, (250, 247, 238))
    b.box(24, 4, 76, 9, p)
    for k, y in enumerate(range(22, 66, 7)):
        b.box(20 + k % 3 * 4, y, 80 - k % 2 * 7, y + 1.6, (150, 146, 138))
    b.oval(58, 78, 82, 102, (190, 52, 44))
    b.oval(62, 82, 78, 98, (214, 96, 84))


def _plant(b: Board, p: Paint) -> None:
    """A factory before the sky."""
    b.box(-80, 64, 180, 140, (136, 142, 132))
    b.form([(-20, 66), (-20, 40), (10, 28), (10, 40), (40, 28), (40, 40), (70, 28), (70, 40), (120, 40), (120, 66)], p)
    for k in range(-16, 116, 12):
        b.box(k, 48, k + 7, 56, toned(p, 0.5))
    b.box(84, 8, 92, 42, toned(p, -0.3))


MOTIFS: dict[str, Drawing] = {
    "chair": _chair, "armchair": _armchair, "sofa": _sofa, "table": _table, "cabinet": _cabinet, "desk": _desk,
    "office_chair": _office_chair, "shirt": _shirt, "hoodie": _hoodie, "trousers": _trousers, "dress": _dress,
    "jacket": _jacket, "cap": _cap, "pot": _pot, "pan": _pan, "kettle": _kettle, "knife": _knife, "mug": _mug,
    "bottle": _bottle, "bowl": _bowl, "cutting_board": _cutting_board, "cutlery": _cutlery, "bolt": _bolt, "nut": _nut,
    "hinge": _hinge, "padlock": _padlock, "handle": _handle, "screwdriver": _screwdriver, "caster": _caster,
    "drill": _drill, "chip": _chip, "module": _module, "connector": _connector, "supply": _supply, "sensor": _sensor,
    "bulb": _bulb, "downlight": _downlight, "panel": _panel, "spotlight": _spotlight, "pendant": _pendant,
    "floodlight": _floodlight, "strip": _strip, "swatch": _swatch, "outline": _outline, "logo": _logo, "seal": _seal,
    "plant": _plant, "truck": _truck, "duck": _duck, "blocks": _blocks, "rings": _rings,
}  # fmt: skip
