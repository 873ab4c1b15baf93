"""What a person reads of a screen, and what must not stand there: raw codes, wrong plurals, words of the workshop."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

# Printed as they are: code and keys of the keyboard, and what `translate="no"` says of itself.
QUOTED = frozenset({"code", "pre", "kbd", "script", "style", "template", "textarea", "samp"})
TOLD = ("title", "aria-label", "placeholder", "alt")
VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"})

_INLINE = frozenset({"b", "i", "em", "strong", "small", "span", "a", "time"})
_MANY = "page|document|task|product|row|picture|file|line|minute|reason"

FAULTS = {
    "None": re.compile(r"(?<![\w’'])None\b(?! (?:of|yet|was|is|has|found|waits|fits|here|left|needs)\b)"),
    "raw code": re.compile(r"\b[a-z]{2,}(?:_[a-z0-9]+)+\b|\b[A-Z]{3,}(?:_[A-Z]+)+\b"),
    "not filled in": re.compile(r"%\(\w+\)[sd]|\{\w+\}|\{[{%]|\bundefined\b|\bNaN\b|\bnull\b|\[object"),
    "plural": re.compile(rf"(?<![\d.,:/-])1 (?:{_MANY}|SKU|person)s\b"),
    "singular": re.compile(rf"\b(?:0|[2-9]|\d{{2,}}) (?:{_MANY})\b"),
    "no space": re.compile(r"\b\d+(?:pages?|documents?|tasks?|SKUs?|products?|rows?)\b"),
    "workshop": re.compile(r"\bC_doc\b|[Ff]ore-edge|\b[Kk]appa\b|\bhoneypot\b|\b[a-z]\w* v\d+\b|\bBINDING\b"),
}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._quoted: list[str] = []
        self.said: list[str] = []
        self._line: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        if self._quoted:
            if tag not in VOID:
                self._quoted.append(tag)
            return
        self.said += [text for name in TOLD if (text := known.get(name))]
        if tag in VOID:
            return
        if tag in QUOTED or known.get("translate") == "no" or "data-print" in known:
            self._quoted.append(tag)
        elif tag not in _INLINE:
            self._end()

    def handle_endtag(self, tag: str) -> None:
        if self._quoted:
            if tag in self._quoted:
                while self._quoted.pop() != tag:
                    pass
        elif tag not in _INLINE:
            self._end()

    def handle_data(self, data: str) -> None:
        if not self._quoted:
            self._line.append(data)

    def _end(self) -> None:
        text = " ".join("".join(self._line).split())
        self._line.clear()
        if text:
            self.said.append(text)

    def close(self) -> None:
        super().close()
        self._end()


def words_of(html: str) -> list[str]:
    """Each piece of text, and what titles and labels say, in the order of the page."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.said


def faults_in(html: str) -> Iterator[tuple[str, str]]:
    """Kind of fault, and the text in which it stands."""
    for text in words_of(html):
        for kind, pattern in FAULTS.items():
            if pattern.search(text):
                yield kind, text[:160]
