"""All tables as one index: which words of a text play which roles. One pass over a page, whatever its language.

Words are looked up by how they begin, so the size of the tables costs a page nothing.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from processing.engine.guard import views
from processing.engine.guard.neighbours import read_together
from processing.engine.guard.roles import Role, Tag
from processing.engine.guard.views import View
from processing.engine.guard.words import SPACED, UNSPACED
from processing.engine.guard.words.arabic import ARABIC

_LONG = 18  # letters: a word that long is several, or a compound
_WITHIN = 5  # letters that a word needs to be found inside a long one
_ARABIC_PARTICLES = ("", "ال", "لل", "بال", "وال", "ل", "ب", "و", "ف", "وا")


class _Entry(NamedTuple):
    """A word of a table as a text has it, with its roles: where it ends there, and where it goes on."""

    stem: str
    roles: int
    open_roles: int

    def roles_before(self, sign: str) -> int:
        return self.open_roles if sign.isalpha() else self.roles


def tags_of(view: View) -> list[Tag]:
    """The words that it has a role for, those among them that the ends of its lines break."""
    tags = _words_in(view.text)
    joined, places = views.seams(view)
    starts = [0, *accumulate(len(word) + 1 for word in joined)]
    for tag in _plain_words_in(" ".join(joined)):
        place = bisect_right(starts, tag.start) - 1
        begin, broken = places[place]
        if tag.start == starts[place] and tag.end - tag.start > broken:
            tags.append(Tag(begin, begin + tag.end - tag.start + 1, tag.roles))
    return read_together(sorted(tags), view.text)


def tags_in(text: str) -> list[Tag]:
    """In the order of the text."""
    return read_together(sorted(_words_in(text)), text)


def shapes_in(text: str, start: int, end: int) -> list[Tag]:
    """What is no word but has a role: numbers, addresses, quotation marks, ends of sentences."""
    return [Tag(m.start(), m.end(), _SHAPES[m.lastgroup or ""]) for m in _SHAPE.finditer(text, start, end)]


def speaks_backwards(text: str) -> bool:
    """Whether a word for instructions or prompts is written backwards: what no order does without. Cheap."""
    if {word[: -_KNOWN_BY - 1 : -1] for word in text.split()} & _RULES:
        return True
    return views.has_unspaced(text) and any(word in text for word in _RULES_BACK)


def speaks_shifted(text: str) -> bool:
    """The same in ROT13."""
    return bool({word[:_KNOWN_BY] for word in text.split()} & _RULES_SHIFTED)


def _words_in(text: str) -> list[Tag]:
    if not views.has_unspaced(text):
        return _plain_words_in(text)
    runs = [Tag(m.start(), m.end(), _RUN_ROLES[m.group()]) for m in _RUNS.finditer(text)]
    return runs + _plain_words_in(views.without_unspaced(text))


def _plain_words_in(text: str) -> list[Tag]:
    text = views.without_signs(text)
    words = text.split(" ")
    likely = [n for n, word in enumerate(words) if word[:4] in _HEADS]
    if not text.isascii():
        likely += [n for n, word in enumerate(words) if word[:3] in _SHORT_HEADS]
    long = _LONG_WORD.search(text) and [n for n, word in enumerate(words) if len(word) >= _LONG]
    if not likely and not long:
        return []
    ends = list(accumulate(map(len, words)))
    tags = list[Tag]()
    for n in likely:
        tag = _tag_at(text, ends[n] - len(words[n]) + n, words[n])
        if tag:
            tags.append(tag)
    for n in long or ():
        tags += _inside(words[n], ends[n] - len(words[n]) + n)
    return tags


def _tag_at(text: str, start: int, word: str) -> Tag | None:
    """The longest that begins there."""
    for entry in _HEADS.get(word[:4]) or _SHORT_HEADS[word[:3]]:
        if text.startswith(entry.stem, start):
            end = start + len(entry.stem)
            roles = entry.roles_before(text[end : end + 1])
            if roles:
                return Tag(start, end, roles)
    return None


def _inside(word: str, start: int) -> Iterator[Tag]:
    for at in range(len(word) - _WITHIN):
        for stem, roles in _PARTS.get(word[at : at + _WITHIN], ()):
            if word.startswith(stem, at):
                yield Tag(start + at, start + at + len(stem), roles)
                break


def _entries(tables: Iterable[Mapping[Role, str]]) -> Iterator[tuple[str, Role]]:
    for table in tables:
        for role, words in table.items():
            for word in words.split():
                yield word.replace("_", " "), role


def _spaced() -> Iterator[tuple[str, Role]]:
    """Arabic ones also with the particles that may be written on to their beginning."""
    yield from _entries(table for table in SPACED if table is not ARABIC)
    for word, role in _entries((ARABIC,)):
        yield from ((form + "*" if len(word) > 3 else form, role) for form in (p + word for p in _ARABIC_PARTICLES))


def _stems(words: Iterable[tuple[str, Role]]) -> list[_Entry]:
    """Each once, with all its roles, the longest first."""
    roles, open_roles = dict[str, int](), dict[str, int]()
    for word, role in words:
        stem = views.without_signs(views.plain(word.removesuffix("*"))).strip()
        roles[stem] = roles.get(stem, 0) | int(role)
        if word.endswith("*"):
            open_roles[stem] = open_roles.get(stem, 0) | int(role)
    for stem in roles:  # the longest is found: it plays the roles of what it begins with too
        for end in (n for n, sign in enumerate(stem) if sign == " "):
            roles[stem] |= roles.get(stem[:end], 0)
    return [_Entry(stem, roles[stem], open_roles.get(stem, 0)) for stem in sorted(roles, key=len, reverse=True)]


def _by_head(entries: Sequence[_Entry], chars: int) -> dict[str, list[_Entry]]:
    heads = dict[str, list[_Entry]]()
    for entry in entries:
        heads.setdefault(entry.stem.split(" ")[0][:chars], []).append(entry)
    return heads


def _is_short(entry: _Entry) -> bool:
    """A beginning of less than four letters that may go on, as syllables of Hangul are written with."""
    return bool(entry.open_roles) and len(entry.stem) < 4 and not entry.stem.isascii()


_SPACED = _stems(_spaced())
_HEADS = _by_head([entry for entry in _SPACED if not _is_short(entry)], 4)
_SHORT_HEADS = _by_head([entry for entry in _SPACED if _is_short(entry)], 3)
_PARTS = dict[str, list[tuple[str, int]]]()
for _part in _SPACED:
    _joined = _part.stem.replace(" ", "")
    if len(_joined) >= _WITHIN:
        _PARTS.setdefault(_joined[:_WITHIN], []).append((_joined, _part.roles))
_RUN_ROLES = dict[str, int]()
for _word, _role in _entries(UNSPACED):
    _RUN_ROLES[views.plain(_word)] = _RUN_ROLES.get(views.plain(_word), 0) | int(_role)
for _word in _RUN_ROLES:  # the longest is found: it plays the roles of what it begins with too
    for _end in range(1, len(_word)):
        _RUN_ROLES[_word] |= _RUN_ROLES.get(_word[:_end], 0)


def _run_expression() -> str:
    """The longest first, grouped by their first sign, which finds the next place fast."""
    by_sign = dict[str, list[str]]()
    for stem in sorted(_RUN_ROLES, key=len, reverse=True):
        by_sign.setdefault(stem[0], []).append(re.escape(stem[1:]))
    latin = [f"(?<![a-z]){sign}(?:{'|'.join(rests)})(?![a-z])" for sign, rests in by_sign.items() if sign.isascii()]
    own = [f"{sign}(?:{'|'.join(rests)})" for sign, rests in by_sign.items() if not sign.isascii()]
    firsts = "".join(by_sign)
    return f"(?=[{firsts}])(?:{'|'.join(own + latin)})"


_RUNS = re.compile(_run_expression())
_CURRENCIES = tuple("€ $ £ ¥ ₽ % 元 円 원 zł eur kr rub руб грн tl kč usd đ".split())  # noqa: SIM905
_MONEY = "|".join(re.escape(views.plain(word)) for word in _CURRENCIES)
_SHAPE = re.compile(
    r"(?P<end>[.?](?=\s|$)|[。？•])|(?P<address>https?:|www\.|(?<=\w)@(?=\w))|(?P<form>[„“«「‚\"](?=\w))"
    r"|(?P<worth>(?<!\w)(?:to|as|at|auf|zu|na|en|op|till?|su|=) ?[$€£¥₽]?\d[\d.,]*|[为成到]\d[\d.,]*)"
    rf"|(?P<nothing>(?<![a-z\d.,-])(?:0(?:[.,]\d+)?|1[.,]0+|1(?= ?(?:{_MONEY})))(?![\d.,]*\d)"
    r"|(?<!\d)100 ?%)"
)
_SHAPES = {
    "end": int(Role.END),
    "address": int(Role.ADDRESS),
    "form": int(Role.FORM),
    "worth": int(Role.WORTH),
    "nothing": int(Role.NOTHING),
}
_LONG_WORD = re.compile(rf"[^ ]{{{_LONG}}}")
_KNOWN_BY = 6  # letters
_SPOKEN = int(Role.RULES | Role.PROMPT)
_RULES = {entry.stem[:_KNOWN_BY] for entry in _SPACED if entry.roles & _SPOKEN and len(entry.stem) >= _KNOWN_BY}
_RULES_SHIFTED = {views.shift(word) for word in _RULES if word.isascii()}
_RULES_BACK = tuple(word[::-1] for word, roles in _RUN_ROLES.items() if roles & _SPOKEN and len(word) > 1)
