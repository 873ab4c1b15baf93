"""Small pictures of products, kept once drawn: a motif on a wall or before a scene, with the grain of a photo."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

import numpy as np
from PIL import Image

from tests.golden.styles.pens.board import Board, Paint, hexa, toned
from tests.golden.styles.pens.views import drawing

_SHORT_EDGE_PX = 190
PAINTS = ("#3C4A5C", "#8A3B2E", "#C9A227", "#5B7F5A", "#B8B2A7", "#2F2B2B", "#D46A3A", "#6C8EAD", "#A58FAA", "#E3D9C6")
WALLS = ("#FFFFFF", "#FFFFFF", "#F2F2F2", "#EAF0F4", "#E9DFD0", "#D8D8D4", "#2B2E33", "#CFE3D4")


def _tin(b: Board, p: Paint) -> None:
    b.shadow(20, 80, 88)
    b.box(28, 22, 72, 86, p, 4)
    b.oval(28, 16, 72, 28, toned(p, 0.35))
    b.box(28, 42, 72, 68, toned(p, 0.6))


def _pouch(b: Board, p: Paint) -> None:
    b.shadow(20, 80, 90)
    b.form([(26, 14), (74, 14), (78, 88), (22, 88)], p)
    b.box(26, 14, 74, 22, toned(p, -0.25))
    b.oval(36, 38, 64, 62, toned(p, 0.65))


def _jar(b: Board, p: Paint) -> None:
    b.shadow(22, 78, 88)
    b.box(26, 30, 74, 87, p, 9)
    b.box(30, 18, 70, 31, toned(p, -0.4), 2)
    b.box(32, 48, 68, 72, (245, 242, 235), 1)


def _tube(b: Board, p: Paint) -> None:
    b.shadow(30, 70, 92)
    b.form([(32, 10), (68, 10), (61, 74), (39, 74)], p)
    b.box(39, 74, 61, 90, toned(p, -0.3), 2)


def _wedge(b: Board, p: Paint) -> None:
    b.shadow(10, 90, 82)
    b.form([(10, 58), (86, 34), (90, 58)], toned(p, 0.3))
    b.form([(10, 58), (90, 58), (90, 80), (10, 80)], p)


def _machine(b: Board, p: Paint) -> None:
    b.shadow(8, 92, 84)
    b.box(12, 38, 58, 74, p, 7)
    b.oval(54, 28, 90, 78, toned(p, -0.2))
    b.box(66, 10, 78, 34, toned(p, 0.2), 1)
    b.box(16, 74, 84, 82, toned(p, -0.4), 1)


_OWN = {"tin": _tin, "pouch": _pouch, "jar": _jar, "tube": _tube, "wedge": _wedge, "machine": _machine}
# In the order of the words of the trades.
MOTIFS: dict[str, Sequence[str]] = {
    "home": ("chair", "armchair", "table", "cabinet", "shelf", "bed", "bench", "desk", "floor_lamp", "pendant"),
    "kitchen": ("pot", "pan", "kettle", "knife", "mug", "bottle", "bowl", "cutting_board", "cutlery"),
    "tools": ("hammer", "wrench", "pliers", "tape_measure", "saw", "level", "screwdriver", "drill", "padlock", "hinge"),
    "electric": (
        "bulb",
        "downlight",
        "panel",
        "floodlight",
        "supply",
        "sensor",
        "connector",
        "module",
        "strip",
        "chip",
    ),
    "food": ("tin", "pouch", "jar", "bottle", "jar", "wedge", "gift_box", "pouch", "pouch", "bottle"),
    "care": ("bottle", "tube", "gift_box", "bottle", "tube", "tube", "tube", "jar", "pouch", "bottle"),
    "industry": ("machine", "handle", "nut", "rings", "machine", "strip", "tin", "caster", "machine", "spotlight"),
    "wear": ("shirt", "hoodie", "trousers", "jacket", "cap", "umbrella", "tote", "cap"),
    "office": ("pen", "notebook", "calendar", "stapler", "scissors", "gift_box", "keyring", "notebook_back"),
}


@dataclass(frozen=True)
class PhotoStyle:
    """``scene``: how busy the ground is, from 0; ``grain``: of the sensor."""

    walls: Sequence[str]
    scene: int
    grain: float

    def shot(self, motif: str, paint: str, shape: tuple[float, float], k: int) -> bytes:
        """The k-th picture of a page, of about the proportions of ``shape``."""
        ratio = round(max(0.4, min(2.5, shape[0] / shape[1])) * 8) / 8
        return _shot(
            motif, paint, self.walls[k % len(self.walls)], ratio, self.scene and 1 + k % self.scene, self.grain
        )


def draw_photo_style(random: Random) -> PhotoStyle:
    """How a maker's photographer works."""
    walls = random.choice((("#FFFFFF",), ("#FFFFFF",), (random.choice(WALLS),), tuple(random.sample(WALLS, 3))))
    return PhotoStyle(walls, random.choice((0, 0, 0, 3)), random.choice((0, 2.0, 5.0)))


@lru_cache(maxsize=4000)
def _shot(motif: str, paint: str, wall: str, ratio: float, scene: int, grain: float) -> bytes:
    wide, high = (_SHORT_EDGE_PX * max(1, ratio), _SHORT_EDGE_PX * max(1, 1 / ratio))
    board = Board(round(wide), round(high), hexa(wall))
    if scene:
        _behind(board, Random(scene))
    (_OWN.get(motif) or drawing(motif))(board, hexa(paint))
    image = board.image
    if grain:
        chance = np.random.default_rng(scene)
        noise = chance.standard_normal((image.height, image.width, 1), dtype=np.float32) * grain
        image = Image.fromarray(np.clip(np.asarray(image, dtype=np.float32) + noise, 0, 255).astype(np.uint8))
    out = io.BytesIO()
    image.save(out, "JPEG", quality=72)
    return out.getvalue()


def _behind(board: Board, random: Random) -> None:
    """A room, a shelf, leaves: whatever stands behind things in photos."""
    floor = hexa(random.choice(WALLS[3:]))
    board.box(-100, 64, 200, 160, toned(floor, -0.2))
    for _ in range(random.randrange(3, 9)):
        x, y, size = random.uniform(-40, 130), random.uniform(-10, 90), random.uniform(8, 34)
        tone = toned(hexa(random.choice(PAINTS)), random.uniform(0, 0.6))
        (board.oval if random.random() < 0.5 else board.box)(x, y, x + size, y + size * random.uniform(0.4, 1.4), tone)


@lru_cache(maxsize=64)
def code_picture(seed: int) -> bytes:
    """A square code to be read by a telephone, of no meaning."""
    cells = np.random.default_rng(seed).integers(0, 2, (25, 25), dtype=np.uint8) * 255
    for y, x in ((0, 0), (0, 18), (18, 0)):
        cells[y : y + 7, x : x + 7] = 0
        cells[y + 1 : y + 6, x + 1 : x + 6] = 255
        cells[y + 2 : y + 5, x + 2 : x + 5] = 0
    out = io.BytesIO()
    Image.fromarray(cells).resize((150, 150), Image.Resampling.NEAREST).convert("RGB").save(out, "JPEG", quality=80)
    return out.getvalue()


@lru_cache(maxsize=256)
def portrait(seed: int) -> bytes:
    """A person before a wall."""
    random = Random(seed)
    board = Board(190, 190, hexa(random.choice(WALLS[2:])))
    skin = random.choice(((226, 188, 160), (198, 150, 120), (120, 84, 62), (240, 208, 186)))
    board.oval(18, 62, 82, 140, hexa(random.choice(PAINTS)))
    board.oval(33, 18, 67, 64, random.choice(((40, 30, 26), (120, 84, 50), (200, 170, 110), (90, 90, 92))))
    board.oval(36, 24, 64, 66, skin)
    out = io.BytesIO()
    board.image.save(out, "JPEG", quality=75)
    return out.getvalue()


@lru_cache(maxsize=256)
def scene(seed: int, ratio: float) -> bytes:
    """A place: a hall, a landscape, a table laid; no product of the catalogue."""
    random = Random(seed)
    wide, high = (_SHORT_EDGE_PX * max(1, ratio), _SHORT_EDGE_PX * max(1, 1 / ratio))
    board = Board(round(wide), round(high), hexa(random.choice(("#9CC3E0", "#D9E4EA", "#E8D8C0", "#6F7C85"))))
    for k in range(7):
        x = random.uniform(-80, 150)
        top = random.uniform(10, 60)
        tone = toned(hexa(random.choice(PAINTS)), 0.1 + 0.08 * k)
        board.form(
            [(x, top), (x + random.uniform(20, 80), top - random.uniform(-10, 20)), (x + 90, 120), (x - 20, 120)], tone
        )
    board.box(-100, 78, 200, 160, toned(hexa(random.choice(PAINTS)), 0.3))
    out = io.BytesIO()
    board.image.save(out, "JPEG", quality=72)
    return out.getvalue()
