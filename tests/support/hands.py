"""What a person's hands do in a real browser, counted, and how long that takes.

The time is the Keystroke-Level Model's: S. K. Card, T. P. Moran, A. Newell, "The Keystroke-Level Model for User
Performance Time with Interactive Systems", Communications of the ACM 23 (7), 1980, pages 396 to 410. It adds up
operators: K, a key or button pressed (0.2 s, an average typist; a modifier is a key of its own); P, the mouse moved to
a target by Fitts' law; H, a hand moved between keyboard and mouse (0.4 s); M, getting ready for what comes (1.35 s); R,
waiting for the product, which is measured here. The model knows no wheel: a notch of it is taken for a press.
"""

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import hypot, log2
from typing import Literal

from playwright.sync_api import Locator, Page

K_S, H_S, M_S = 0.2, 0.4, 1.35
NOTCH_PX = 100
PANE_PX = 200.0  # what scrolls is at least so large a target
# Of a target, in px: its box in the window as [x, y, width, height]; how far its middle is from being seen, across and
# down; and the middle of what shows it when it scrolls.
SEEN = """async (target) => {
  const frame = () => new Promise(requestAnimationFrame);
  const at = () => JSON.stringify(target.getBoundingClientRect());
  for (let before = ""; before !== at(); await frame(), await frame()) before = at(); // it stands still
  const box = target.getBoundingClientRect();
  let [left, top, right, bottom] = [0, 0, innerWidth, innerHeight];
  for (let around = target.parentElement; around; around = around.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(around);
    if (![overflowX, overflowY].some((flow) => ["auto", "scroll"].includes(flow))) continue;
    const outer = around.getBoundingClientRect();
    [left, top] = [Math.max(left, outer.left), Math.max(top, outer.top)];
    right = Math.min(right, outer.left + around.clientWidth);
    bottom = Math.min(bottom, outer.top + around.clientHeight);
  }
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const away = (at, low, high) => (at < low ? at - low : Math.max(0, at - high));
  return { box: [box.x, box.y, box.width, box.height], away: [away(x, left, right), away(y, top, bottom)],
           middle: [(left + right) / 2, (top + bottom) / 2] };
}"""


@dataclass
class Effort:
    """Acts of one journey. ``points``: (distance, smaller side of the target) of each move of the mouse, in px;
    ``waits_s``: from an act to the screen's answer, each."""

    keys: int = 0
    clicks: int = 0
    notches: int = 0
    switches: int = 0
    decisions: int = 0
    points: list[tuple[float, float]] = field(default_factory=list)
    waits_s: list[float] = field(default_factory=list)

    @property
    def acts(self) -> dict[str, int]:
        """What must be the same on every machine; nothing is told of what is not done."""
        counted = {"keys": self.keys, "clicks": self.clicks, "notches": self.notches, "switches": self.switches}
        return {name: n for name, n in counted.items() if n}

    @property
    def pointing_s(self) -> float:
        """By Fitts' law, as the paper has it for the mouse."""
        return sum(0.8 + 0.1 * log2(distance / size + 0.5) for distance, size in self.points)

    @property
    def hands_s(self) -> float:
        pressed = self.keys + self.clicks + self.notches
        return pressed * K_S + self.switches * H_S + self.pointing_s

    @property
    def model_s(self) -> float:
        return self.hands_s + self.decisions * M_S

    @property
    def row(self) -> str:
        """A row of docs/people.md."""
        acts = ", ".join(f"{n} {name}" for name, n in self.acts.items())
        waits = sum(self.waits_s)
        return (
            f"| {acts} | {self.hands_s:.1f} | {self.decisions * M_S:.1f} | {waits:.2f} | {self.model_s + waits:.1f} |"
        )


class Hands:
    """Acts on a page, and counts them. The hand begins where ``first`` says, the pointer in the window's middle."""

    def __init__(self, page: Page, first: Literal["keyboard", "mouse"]) -> None:
        self.page = page
        self.effort = Effort()
        self.first = self._at = first
        size = page.viewport_size or {"width": 0, "height": 0}
        self._pointer = (size["width"] / 2, size["height"] / 2)
        page.mouse.move(*self._pointer)

    @property
    def is_mouse(self) -> bool:
        return self.first == "mouse"

    def press(self, *names: str) -> None:
        """``Control+Enter`` is two keys."""
        for name in names:
            self._take("keyboard")
            self.effort.keys += len(name.split("+"))
            self.page.keyboard.press(name)

    def type(self, text: str) -> None:
        self._take("keyboard")
        self.effort.keys += len(text)
        self.page.keyboard.type(text)

    def click(self, target: Locator, times: int = 1) -> None:
        """In the middle of it; what is out of sight is brought there with the wheel."""
        self._take("mouse")
        box = self._brought(target)
        x, y, width, height = box
        self._move(x + width / 2, y + height / 2, min(width, height))
        self.effort.clicks += times
        self.page.mouse.click(*self._pointer, click_count=times)

    def decide(self, times: int = 1) -> None:
        """A look at something, or getting ready for the next act."""
        self.effort.decisions += times

    @contextlib.contextmanager
    def waiting(self) -> Iterator[None]:
        """What is done in the block ends when the screen has answered the acts in it."""
        begun = time.monotonic()
        yield
        self.effort.waits_s.append(time.monotonic() - begun)

    def _take(self, device: Literal["keyboard", "mouse"]) -> None:
        self.effort.switches += device != self._at
        self._at = device

    def _move(self, x: float, y: float, size: float) -> None:
        distance = hypot(x - self._pointer[0], y - self._pointer[1])
        self._pointer = (x, y)
        self.page.mouse.move(x, y)
        if distance > size / 2:  # else it is there already
            self.effort.points.append((distance, size))

    def _brought(self, target: Locator) -> tuple[float, float, float, float]:
        """[x, y, width, height] of the target in the window."""
        for _ in range(100):
            seen = target.evaluate(SEEN)
            if not any(seen["away"]):
                x, y, width, height = seen["box"]
                return x, y, width, height
            (x, y), (across, down) = seen["middle"], seen["away"]
            self._move(x, y, PANE_PX)
            notch = (0, NOTCH_PX if down > 0 else -NOTCH_PX) if down else (NOTCH_PX if across > 0 else -NOTCH_PX, 0)
            self.effort.notches += 1
            self.page.mouse.wheel(*notch)
        raise AssertionError(f"{target} does not come into sight")
