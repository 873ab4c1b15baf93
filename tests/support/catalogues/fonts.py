"""Fonts for drawn catalogues, cut down so that every glyph reads back as one character."""

import io
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pymupdf

NOTO_DIR = Path("/usr/share/fonts/opentype/noto")
# Face order inside the Noto CJK collections: JP, KR, SC, TC, HK.
SIMPLIFIED_CHINESE = 2


class FontMissing(RuntimeError):
    """The font is not installed or lacks a character; the message says what to do."""


@cache
def built_in() -> bytes:
    """Droid Sans Fallback as PyMuPDF carries it: Latin and Chinese, the same on every machine."""
    buffer: bytes = pymupdf.Font("cjk").buffer
    return buffer


def noto(name: str, characters: Iterable[str]) -> bytes:
    """The Simplified Chinese face of ``name`` (such as ``NotoSansCJK-Regular``) with only ``characters`` in it.

    With the full character map several characters share one glyph (U+002D and U+2011), and a reader would get back
    either of them. MuPDF's own subsetting fails on these fonts. Raises FontMissing.
    """
    # Only who rebuilds the samples needs this package.
    from fontTools import subset
    from fontTools.ttLib import TTCollection

    path = NOTO_DIR / f"{name}.ttc"
    if not path.is_file():
        raise FontMissing(f"{path} is missing: install the Debian package fonts-noto-cjk")
    wanted = {ord(char) for char in characters}
    font = TTCollection(str(path)).fonts[SIMPLIFIED_CHINESE]
    missing = wanted - font.getBestCmap().keys()
    if missing:
        raise FontMissing(f"{name} has no glyph for {''.join(map(chr, sorted(missing)))}")
    # A glyph's number must stay its CID, since the PDF addresses it by CID.
    options = subset.Options(retain_gids=True, layout_features=[], hinting=False, notdef_outline=True)
    options.drop_tables += ["GSUB", "GPOS", "BASE", "VORG", "vhea", "vmtx", "GDEF"]
    font.recalcTimestamp = False
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=wanted)
    cutter.subset(font)
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()
