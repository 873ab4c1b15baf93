"""How long a task may still wait for a person: its countdown, as a pure function of its clock (TA-SLA4H)."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

AT_RISK_S = 600
Tone = Literal["calm", "soon", "risk", "over"]


@dataclass(frozen=True)
class Countdown:
    """``due_at``: when the page is closed without a person if nobody takes it; it moves on while somebody holds it
    (``still``). ``share``: of the time, what is left, from 0 to 1."""

    due_at: datetime
    left_s: int
    share: float
    tone: Tone
    still: bool

    @property
    def minutes(self) -> int:
        """Left, or past where it is over; begun ones count."""
        return -(-abs(self.left_s) // 60)

    @property
    def text(self) -> str:
        """1:42 from an hour on, else the minutes alone."""
        return f"{self.minutes // 60}:{self.minutes % 60:02d}" if self.minutes >= 60 else str(self.minutes)


def countdown(clock_from: datetime, held_since: datetime | None, now: datetime, limit_min: int) -> Countdown:
    """VISUAL: soon from a third on, at risk in the last ten minutes."""
    limit_s = limit_min * 60
    waited_s = ((held_since or now) - clock_from).total_seconds()
    left_s = int(limit_s - waited_s)
    share = max(0.0, min(1.0, left_s / limit_s))
    tone: Tone = "over" if left_s < 0 else "risk" if left_s <= AT_RISK_S else "soon" if share <= 1 / 3 else "calm"
    return Countdown(now + timedelta(seconds=left_s), left_s, share, tone, held_since is not None)
