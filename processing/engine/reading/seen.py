"""A page as it is drawn, in grey: at the size of its preview, and closer where that does not tell."""

from collections.abc import Callable
from functools import cached_property
from typing import Self

import numpy as np

from catalogsku.core.box import Box
from processing.engine.reading.raster import Grey


class Seen:
    """``small`` at ``small_px_per_pt`` is there from the start; ``close`` at ``px_per_pt``, as a screenshot has it, is
    drawn when it is first looked at. None where the page cannot be drawn."""

    def __init__(
        self, small: Grey | None, small_px_per_pt: float, px_per_pt: float, look_closer: Callable[[], Grey | None]
    ) -> None:
        self.small, self.small_px_per_pt, self.px_per_pt = small, small_px_per_pt, px_per_pt
        self._look_closer = look_closer

    @classmethod
    def at(cls, grey: Grey | None, px_per_pt: float) -> Self:
        """One drawing for both."""
        return cls(grey, px_per_pt, px_per_pt, lambda: grey)

    @cached_property
    def close(self) -> Grey | None:
        return None if self.small is None else self._look_closer()

    def part(self, box: Box) -> Grey:
        """What stands in the box, points, seen close; without pixels where the page cannot be drawn."""
        if self.close is None:
            return np.zeros((0, 0), np.uint8)
        x0, y0, x1, y1 = (max(0, round(v * self.px_per_pt)) for v in box)
        return self.close[y0:y1, x0:x1]
