"""What stands beside products on their pages and is none of them: a strip of mood photos, a promise, a side bar."""

from random import Random

from tests.fit.grammar.maker import Maker
from tests.fit.grammar.photos import scene
from tests.fit.grammar.press import Press
from tests.golden.styles.pens.folio import place
from tests.support.catalogues.ink import Box, wrap

_SIDE_PT, _STRIP_PT = 96.0, 70.0


def dress(press: Press, maker: Maker, random: Random, area: Box) -> Box:
    """Draw it at an edge of the area; returns what is left of it."""
    x0, y0, x1, y1 = area
    leaf, ink, kind = press.leaf, maker.ink, maker.dressing
    if kind == "photo" and y1 - y0 > 400:
        count = random.choice((1, 2, 3))
        wide = (x1 - x0) / count
        for k in range(count):
            box = (x0 + k * wide, y0, x0 + (k + 1) * wide - 4, y0 + _STRIP_PT)
            place(leaf, press.art(scene(random.randrange(40), round(min(5, wide / _STRIP_PT), 1))), box)
        return x0, y0 + _STRIP_PT + 12, x1, y1
    if kind == "box" and y1 - y0 > 400:
        text = maker.language.joined(*maker.language.some("about", random, 2))
        size = ink.size
        lines = wrap(leaf.faces[ink.body], text, size, x1 - x0 - 20)
        top = y1 - len(lines) * size * 1.4 - 14
        leaf.rect((x0, top, x1, y1), fill=ink.soft, radius=maker.radius)
        for k, line in enumerate(lines):
            leaf.text(x0 + 10, top + 8 + size * (0.9 + 1.4 * k), line, face=ink.body, size=size, colour=ink.text)
        return x0, y0, x1, top - 8
    if kind == "side" and x1 - x0 > 450:
        leaf.rect((x0, y0, x0 + _SIDE_PT, y1), fill=ink.soft)
        y = y0 + 16.0
        texts = (maker.name, maker.language.lists["places"][0], "+49 30 5501", "info@catalogue.example")
        for text in (*texts, *maker.language.some("about", random, 3)):
            for line in wrap(leaf.faces[ink.body], text, 7, _SIDE_PT - 14):
                wide = leaf.faces[ink.body].width(line, 7)
                size = round(7 * min(1.0, (_SIDE_PT - 14) / wide), 1) if wide else 7
                if y < y1 - 4:
                    leaf.text(x0 + 7, y, line, face=ink.body, size=size, colour=ink.text)
                y += 9.5
            y += 8
        return x0 + _SIDE_PT + 12, y0, x1, y1
    return area
