"""What stands on every page of a catalogue: ground, running lines, logo, page number, contact, watermark."""

from random import Random

from tests.fit.grammar.maker import Maker
from tests.fit.grammar.press import Press
from tests.golden.styles.pens.folio import Leaf
from tests.support.catalogues.ink import WHITE, Box

_LOGO = (46.0, 24.0)


def furnish(leaf: Leaf, maker: Maker, press: Press, random: Random, *, bare: bool) -> Box:
    """Draw it; returns the area that is left."""
    wide, high, margin, ink = leaf.width, leaf.height, maker.margin, maker.ink
    if ink.ground != WHITE:
        leaf.rect((0, 0, wide, high), fill=ink.ground)
    if bare:
        return margin, margin, wide - margin, high - margin
    if maker.watermark:
        pale = tuple(part + (0.5 - part) * 0.12 for part in ink.ground)
        leaf.slanted(maker.watermark, face=ink.bold, size=34, colour=(pale[0], pale[1], pale[2]))
    top = _head(leaf, maker, press)
    foot = _foot(leaf, maker, press)
    return margin, top, wide - margin, foot


def _head(leaf: Leaf, maker: Maker, press: Press) -> float:
    ink, margin, wide, kind = maker.ink, maker.margin, leaf.width, maker.running
    size = 7.5
    if kind in ("line", "both"):
        leaf.text(margin, 22, maker.name, face=ink.body, size=size, colour=ink.grey)
        title = maker.language.lists["titles.cover"][0]
        leaf.text(wide - margin, 22, title, face=ink.body, size=size, colour=ink.grey, align="right")
        if kind == "line":
            leaf.rule(margin, 27, wide - margin, 27, colour=ink.grey, thick=0.5)
            return max(margin, 40)
    if kind in ("logo", "both"):
        x = wide / 2 - _LOGO[0] / 2 if kind == "both" else wide - margin - _LOGO[0]
        press.decorates("logo", (x, 12, x + _LOGO[0], 12 + _LOGO[1]), _hex(ink.accent), "#FFFFFF")
        return max(margin, 48)
    if kind == "banner":
        leaf.rect((0, 0, wide, 34), fill=ink.accent)
        leaf.text(margin, 22, maker.name, face=ink.bold, size=12, colour=ink.ground)
        return max(margin, 50)
    if kind == "bar":
        leaf.rect((0, 0, 9, leaf.height), fill=ink.accent)
        leaf.rect((wide - 9, 0, wide, leaf.height), fill=ink.soft)
    return max(margin, 26)


def _foot(leaf: Leaf, maker: Maker, press: Press) -> float:
    ink, margin, wide, high, kind = maker.ink, maker.margin, leaf.width, leaf.height, maker.footing
    y, number = high - 14, str(press.number)
    contact = f"{maker.language.lists['places'][0]} · +49 30 55{len(maker.name):02d} 17 · info@{_web(maker)}"
    if kind == "number":
        outer = int(number) % 2
        leaf.text(
            wide - margin if outer else margin,
            y,
            number,
            face=ink.body,
            size=8,
            colour=ink.grey,
            align="right" if outer else "left",
        )
    elif kind == "dashes":
        leaf.text(wide / 2, y, f"- {number} -", face=ink.body, size=8, colour=ink.grey, align="center")
    elif kind == "page":
        leaf.text(
            wide / 2,
            y,
            f"{maker.language.lists['page'][0]} {number}",
            face=ink.body,
            size=8,
            colour=ink.grey,
            align="center",
        )
    elif kind == "contact":
        size = min(7.0, 7.0 * (wide - 2 * margin) / max(1, leaf.faces[ink.body].width(contact, 7)))
        leaf.text(margin, y, contact, face=ink.body, size=round(size, 1), colour=ink.grey)
        leaf.rule(margin, y - 10, wide - margin, y - 10, colour=ink.grey, thick=0.4)
    elif kind == "bar":
        leaf.rect((0, high - 24, wide, high), fill=ink.accent)
        leaf.text(margin, high - 9, f"www.{_web(maker)}", face=ink.body, size=8, colour=ink.ground)
        leaf.text(wide - margin, high - 9, number, face=ink.bold, size=9, colour=ink.ground, align="right")
    return min(high - margin, high - 32)


def _web(maker: Maker) -> str:
    plain = "".join(sign for sign in maker.name.lower() if "a" <= sign <= "z")
    return f"{plain or 'catalogue'}.example"


def _hex(colour: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(part * 255):02X}" for part in colour)
