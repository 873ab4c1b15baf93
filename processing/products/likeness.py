"""Pictures' rows as the engine compares them, and by what the database finds those that look the same."""

from typing import Protocol

from processing.engine.alike import Look, bands, look_of, near_bands

# Bits of the numbers that bands are; the merchant's stand before them.
_BAND_BITS = 18


class Measured(Protocol):
    """A picture as it was read, cut or kept."""

    @property
    def perceptual_hash(self) -> str: ...
    @property
    def tones(self) -> str: ...
    @property
    def width_px(self) -> int: ...
    @property
    def height_px(self) -> int: ...


def look(picture: Measured) -> Look | None:
    return look_of(picture.perceptual_hash, picture.tones, picture.width_px, picture.height_px)


def looks_of(merchant_id: int, picture: Measured) -> list[int]:
    """For the column ``looks``: each band of its hash, after the merchant."""
    known = look(picture)
    return [merchant_id << _BAND_BITS | band for band in bands(known.bits)] if known else []


def looks_near(merchant_id: int, known: Look) -> list[int]:
    """What a row of the merchant has one of where it looks the same as ``known``."""
    return [merchant_id << _BAND_BITS | band for band in near_bands(known.bits)]
