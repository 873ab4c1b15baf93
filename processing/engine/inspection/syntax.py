"""PDF object syntax (ISO 32000-1, 7.3) as plain Python values, from the text that a library prints of an object.

Libraries print names decoded and strings closed, so that text in a string is never taken for a key.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ref:
    """An indirect reference."""

    number: int
    generation: int = 0


class Name(str):
    """A name without its slash."""


Value = None | bool | int | float | bytes | Name | Ref | list["Value"] | dict[str, "Value"]

_TOKEN = re.compile(
    rb"""[\s\0]*(?:
    (?P<ref>(\d{1,10})[\s\0]+(\d{1,5})[\s\0]+R(?![^\s\0()<>\[\]{}/%]))
    |(?P<number>[+-]?(?:\d+\.?\d*|\.\d+))
    |/(?P<name>[^\s\0()<>\[\]{}/%]*)
    |(?P<open><<|\[)
    |(?P<close>>>|\])
    |<(?P<hex>[0-9A-Fa-f\s]*)>
    |(?P<string>\()
    |(?P<word>[A-Za-z]+)
    |(?P<other>.)
    )""",
    re.VERBOSE | re.DOTALL,
)
_STRING_END = re.compile(rb"\\.|[()]", re.DOTALL)
_ESCAPED = re.compile(rb"#([0-9A-Fa-f]{2})")
_WORDS: dict[bytes, bool | None] = {b"true": True, b"false": False, b"null": None}


class TooDeep(Exception):
    """Containers are nested beyond the bound."""


def parse(text: bytes, depth_max: int) -> Value:
    """The first value in ``text``; what is no syntax is skipped. Raises TooDeep."""
    top: list[Value] = []
    stack: list[list[Value]] = [top]
    kinds: list[bytes] = []
    at = 0
    while match := _TOKEN.match(text, at):
        at = match.end()
        kind = match.lastgroup
        if kind == "open":
            if len(stack) > depth_max:
                raise TooDeep
            stack.append([])
            kinds.append(match["open"])
        elif kind == "close":
            if kinds:
                items = stack.pop()
                stack[-1].append(_pairs(items) if kinds.pop() == b"<<" else items)
        elif kind == "string":
            at, inside = _string(text, at)
            stack[-1].append(inside)
        elif kind != "other":
            stack[-1].append(_scalar(kind, match))
    while kinds:
        items = stack.pop()
        stack[-1].append(_pairs(items) if kinds.pop() == b"<<" else items)
    return top[0] if top else None


def _scalar(kind: str | None, match: re.Match[bytes]) -> Value:
    if kind == "ref":
        return Ref(int(match[2]), int(match[3]))
    if kind == "number":
        number = match["number"]
        return float(number) if b"." in number else int(number[:20])
    if kind == "name":
        return Name(_ESCAPED.sub(lambda escape: bytes([int(escape[1], 16)]), match["name"]).decode("latin-1"))
    if kind == "hex":
        return match["hex"]
    return _WORDS.get(match["word"])


def _string(text: bytes, at: int) -> tuple[int, bytes]:
    """From behind an opening bracket to behind the one that closes it."""
    level, start = 1, at
    while match := _STRING_END.search(text, at):
        at = match.end()
        if match[0] == b"(":
            level += 1
        elif match[0] == b")":
            level -= 1
            if level == 0:
                return at, text[start : at - 1]
    return len(text), text[start:]


def _pairs(items: list[Value]) -> dict[str, Value]:
    pairs: dict[str, Value] = {}
    at = 0
    while at + 1 < len(items):
        key = items[at]
        if isinstance(key, Name):
            pairs[key] = items[at + 1]
            at += 2
        else:
            at += 1
    return pairs
