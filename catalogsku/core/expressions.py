"""Expressions that people write for whole values, matched in a time that no expression and no text makes long. Pure.

What may stand in one: signs as they are, ``.``, ``[A-Z0-9]``, ``\\d \\w \\s``, groups, ``|``, and behind any of these
``? * + {2} {2,} {2,5}``. There is nothing in it that asks to go back, so all ways to match are followed at once, a sign
of the text a step: the work is at most signs times states, and both are bounded.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

LENGTH_MAX, TEXT_MAX = 100, 80
STATES_MAX, REPEAT_MAX, DEPTH_MAX = 200, 40, 10
# Steps that are kept of those taken before: (states, sign) to states.
_STEPS_KEPT = 4096
_QUANTITY = re.compile(r"\{([0-9]{1,3})(?:(,)([0-9]{1,3})?)?\}")
_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]")
# Python may come to read these in a class as sets of signs.
_SETS = re.compile(r"\[|--|&&|\|\||~~")
_KINDS = "dDwWsS"
_SPECIAL = frozenset("\\[](){}|?*+.^$")

# A part is matched before what follows it: given the number of the state behind it, it says its own first one.
Part = Callable[[int], int]


class ExpressionError(ValueError):
    """``code``: too_long, too_large, not_closed, not_opened, nothing_to_repeat, bad_repeat, bad_class, not_allowed or
    empty. ``at``: the sign, from 1 on."""

    def __init__(self, code: str, at: int = 1) -> None:
        super().__init__(f"{code} at {at}")
        self.code, self.at = code, at


@dataclass(frozen=True)
class _State:
    """``sign``: the expression of the one sign that leads to ``then``; None: it leads there by itself."""

    sign: re.Pattern[str] | None
    then: tuple[int, ...]


class Expressions:
    """Several at once: ``match`` says whether one of them is the whole text.

    Raises ExpressionError where one cannot be read, or all together have more states than ``most``.
    """

    def __init__(self, written: Iterable[str], most: int = STATES_MAX) -> None:
        self._states: list[_State] = [_State(None, ())]  # the first: all is read
        self._most = most
        self._start = self._reached([_Reader(text, self).whole()(0) for text in written])
        self._steps: dict[tuple[frozenset[int], str], frozenset[int]] = {}

    @property
    def states(self) -> int:
        return len(self._states)

    def match(self, text: str) -> bool:
        """Never where the text is longer than ``TEXT_MAX`` signs."""
        if len(text) > TEXT_MAX:
            return False
        now = self._start
        for sign in text:
            if not now:
                return False
            now = self._step(now, sign)
        return 0 in now

    def _step(self, now: frozenset[int], sign: str) -> frozenset[int]:
        if (then := self._steps.get((now, sign))) is None:
            states = (self._states[n] for n in now)
            then = self._reached([n for s in states if s.sign is not None and s.sign.match(sign) for n in s.then])
            if len(self._steps) >= _STEPS_KEPT:
                self._steps.clear()
            self._steps[now, sign] = then
        return then

    def _reached(self, numbers: Sequence[int]) -> frozenset[int]:
        """These states and those that they lead to by themselves."""
        reached, left = set(numbers), list(numbers)
        while left:
            state = self._states[left.pop()]
            if state.sign is None:
                further = [n for n in state.then if n not in reached]
                reached.update(further)
                left += further
        return frozenset(n for n in reached if n == 0 or self._states[n].sign is not None)

    def add(self, sign: re.Pattern[str] | None, *then: int) -> int:
        if len(self._states) > self._most:
            raise ExpressionError("too_large")
        self._states.append(_State(sign, then))
        return len(self._states) - 1

    def lead(self, number: int, *then: int) -> int:
        """That a state, made before what it leads to, leads there."""
        self._states[number] = _State(None, then)
        return number


class _Reader:
    """Reads one expression from left to right."""

    def __init__(self, text: str, machine: Expressions) -> None:
        if len(text) > LENGTH_MAX:
            raise ExpressionError("too_long", LENGTH_MAX + 1)
        begin, end = text.startswith("^"), text.endswith("$") and not text.endswith("\\$")
        self.text, self.at, self.depth, self.machine = text[: len(text) - end], int(begin), 0, machine

    def whole(self) -> Part:
        if self.at >= len(self.text):
            raise ExpressionError("empty")
        part = self._either()
        if self.at < len(self.text):
            raise ExpressionError("not_opened", self.at + 1)
        return part

    def _either(self) -> Part:
        ways = [self._row()]
        while self._takes("|"):
            ways.append(self._row())
        if len(ways) == 1:
            return ways[0]
        return lambda then: self.machine.add(None, *(way(then) for way in ways))

    def _row(self) -> Part:
        parts: list[Part] = []
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            parts.append(self._repeated(self._one()))

        def chained(then: int) -> int:
            for part in reversed(parts):
                then = part(then)
            return then

        return chained

    def _one(self) -> Part:
        sign = self.text[self.at]
        if self._takes("("):
            return self._group()
        if sign == "[":
            return self._signs(self._class())
        if sign == "\\":
            return self._signs(self._escaped())
        if sign in _SPECIAL and sign != ".":
            raise ExpressionError("nothing_to_repeat" if sign in "?*+{" else "not_allowed", self.at + 1)
        self.at += 1
        return self._signs(sign if sign == "." else re.escape(sign))

    def _group(self) -> Part:
        opened = self.at
        self.depth += 1
        if self.depth > DEPTH_MAX:
            raise ExpressionError("too_large", opened)
        if self._takes("?") and not self._takes(":"):
            raise ExpressionError("not_allowed", self.at)
        part = self._either()
        if not self._takes(")"):
            raise ExpressionError("not_closed", opened)
        self.depth -= 1
        return part

    def _class(self) -> str:
        found = _CLASS.match(self.text, self.at)
        if found is None:
            raise ExpressionError("not_closed", self.at + 1)
        if _SETS.search(found.group(0)[1:]):
            raise ExpressionError("bad_class", self.at + 1)
        self.at = found.end()
        return found.group(0)

    def _escaped(self) -> str:
        kind = self.text[self.at + 1 : self.at + 2]
        if not kind or (kind.isalnum() and kind not in _KINDS):
            raise ExpressionError("not_allowed", self.at + 1)
        self.at += 2
        return "\\" + kind

    def _signs(self, sign: str) -> Part:
        """``sign``: what stands for one sign, as Python writes it."""
        try:
            compiled = re.compile(sign)
        except re.error:
            raise ExpressionError("bad_class", self.at) from None
        return lambda then: self.machine.add(compiled, then)

    def _repeated(self, part: Part) -> Part:
        least, most = 1, 1  # most 0: without an end
        if self._takes("?"):
            least = 0
        elif self._takes("*"):
            least, most = 0, 0
        elif self._takes("+"):
            least, most = 1, 0
        elif self.text[self.at : self.at + 1] == "{":
            least, most = self._quantity()
        else:
            return part
        if self.text[self.at : self.at + 1] in ("?", "*", "+", "{"):
            raise ExpressionError("not_allowed", self.at + 1)

        def several(then: int) -> int:
            if not most:
                again = self.machine.add(None)
                then = self.machine.lead(again, part(again), then)
            else:
                end = then
                for _ in range(most - least):
                    then = self.machine.add(None, part(then), end)
            for _ in range(least):
                then = part(then)
            return then

        return several

    def _quantity(self) -> tuple[int, int]:
        found = _QUANTITY.match(self.text, self.at)
        if found is None:
            raise ExpressionError("bad_repeat", self.at + 1)
        least = int(found[1])
        most = int(found[3]) if found[3] else 0 if found[2] else least
        if max(least, most) > REPEAT_MAX or (not most and not found[2]) or (most and most < least):
            raise ExpressionError("bad_repeat", self.at + 1)
        self.at = found.end()
        return least, most

    def _takes(self, sign: str) -> bool:
        taken = self.text.startswith(sign, self.at)
        self.at += taken
        return taken
