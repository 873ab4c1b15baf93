"""Personal data in a text: telephone numbers, mail addresses, identity numbers, cards and accounts (TA-PII). Pure.

Its own rules and no library: those for telephone numbers take a country for granted, which a catalogue does not say,
and find one in every article code. Here a number is one by a label beside it, by its shape or by its check digit. Time
grows with the length of the text alone: every repetition below is bounded.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from catalogsku.core.check_digits import IBAN_LENGTHS, is_card_number, is_gtin, is_iban, is_identity_number


class Kind(StrEnum):
    PHONE = "phone"
    MAIL = "mail"
    IDENTITY = "identity"
    CARD = "card"
    IBAN = "iban"


class Found(NamedTuple):
    """Where in the text; ``value``: as compared, without spaces and signs between. Not ``sure``: nothing but its digits
    say so, and what stands among codes of as many digits is one of them (``found_on_page``)."""

    kind: Kind
    start: int
    end: int
    value: str
    sure: bool = True


# Full-width signs, spaces and dashes as their ASCII, sign for sign, so that places stay.
_PLAIN: dict[int, int] = {n: n - 0xFEE0 for n in range(0xFF01, 0xFF5F)}
_PLAIN |= dict.fromkeys((0xA0, 0x2002, 0x2003, 0x2007, 0x2009, 0x202F, 0x3000), ord(" "))
_PLAIN |= dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2212), ord("-"))

# Nothing is found in a text without one of these.
_WORTH_A_LOOK = re.compile(r"@|\d[\d ().\-/]{5}")
_LOCAL_LONGEST = 64
_LOCAL_REVERSED = re.compile(rf"[A-Za-z0-9._%+-]{{1,{_LOCAL_LONGEST}}}")
_DOMAIN = re.compile(r"(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![A-Za-z])")
_IDENTITY = re.compile(
    r"(?<!\d)[1-9]\d{5}[ -]?(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[ -]?\d{3}[\dXx](?![\dXx])"
)
# In one piece, in fours, or as American Express and Diners print them.
_CARD = re.compile(
    r"(?<![\d.-])(?:\d{13,19}|(?<!\d )\d{4}(?:(?:[ -]\d{4}){3}(?:[ -]\d{1,3})?|[ -]\d{6}[ -]\d{4,5}))(?!\d|[.-]\d)"
)
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}\d\d(?: ?[A-Z0-9]){11,29}")
_MOBILE = re.compile(
    r"(?<![\dA-Za-z.+_/#-])(?:(?:00)?86[ -]?)?1[3-9]\d(?:(?:[ -]\d{4}){2}|\d{8})(?![\dA-Za-z_]|[./-]\d)"
)
# With area codes of China: Beijing, those of two digits, those of three.
_LANDLINE = re.compile(
    r"(?<![\dA-Za-z.+_/-])(?:\((?:010|02\d|0[3-9]\d\d)\) ?|(?:010|02\d|0[3-9]\d\d)-|86-(?:10|2\d|[3-9]\d\d)-)"
    r"[2-8]\d{6,7}(?:-\d{1,5})?(?![\dA-Za-z_]|[./-]\d)"
)
_NUMBER = r"\(?\d(?:[ .\-/()]{0,2}\d){6,14}(?!\d)"
# Country codes of ITU-T E.164.
_CODES = (
    r"(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]"
    r"|2[1-689]\d|3[578]\d|42\d|50\d|59\d|6[789]\d|8[058]\d|9[679]\d)"
)
_COUNTRY = re.compile(_CODES)
_TRUNK = re.compile(r"\(0\)")
_BETWEEN = re.compile(r"[ .\-/()]")
_ABROAD = re.compile(
    rf"(?<![\w.])\+ ?\(?{_CODES}\)?"
    r"(?:(?:[ .\-/]|[ -]?\(|\)[ -]?)?\d){6,13}(?!\d|[.,]\d)"
)
_LABEL = (
    r"(?:(?<![a-z])(?:tele(?:phone|fone|fon|fono|fax)|t[eé]l[eé]?(?:phone|fono)?|phones?(?!\])|mob(?:ile|il)?"
    r"|cell(?:ular|ulare|phone)?|handy|m[oó]vil|fax|hotline|whats ?app|we ?chat|viber|gsm)(?![a-z])"
    r"|电话|電話|手机|手機|传真|傳真|热线|熱線|致电|联系方式|微信|座机|专线|携帯|ファックス|전화|휴대폰|팩스"
    r"|телефон|тел|факс|моб)"
)
_LABELLED = re.compile(
    rf"{_LABEL}(?:[ ./&]{{0,3}}{_LABEL})?(?:[ .]{{0,2}}(?:numbers?|nummer|no|nr|号码|號碼|号|n[°º]))?"
    rf"[\s:.)\]|=\"']{{0,8}}(?:- )?(?P<number>\+? ?{_NUMBER})"
)
_AND_ANOTHER = re.compile(rf" ?(?:[/,;|、]|或|or) ?(?P<number>\+? ?{_NUMBER})")
_RUN = re.compile(r"\d(?:[ .\-/()]{0,2}\d){6,20}")
_DIGITS = re.compile(r"\d+")
_BARE = re.compile(r"(?<![\dA-Za-z.-])\d{11,19}(?![\dA-Za-z]|[.-]\d)")
_PHONE_MOST_DIGITS = 15  # ITU-T E.164
_ABROAD_LEAST_DIGITS = 9  # of shorter ones there are fewer than of tolerances
_SHOWN = 2


def replaced(text: str, by: Callable[[str, Kind], str]) -> str:
    """Each that is found in the text, replaced by what ``by`` makes of it as printed and of its kind."""
    return _replaced(text, found(text), by)


def found(text: str) -> list[Found]:
    """In the order of the text, none within another."""
    text = text.translate(_PLAIN)
    if not _WORTH_A_LOOK.search(text):
        return []
    taken: list[Found] = []
    for finder in (_mails, _ibans, _identities, _labelled, _abroad, _cards, _phones):
        if new := list(finder(text)):
            taken += new
            text = _replaced(text, new, lambda printed, _kind: "\0" * len(printed))
    return sorted(taken, key=lambda one: one.start)


def found_on_page(text: str) -> list[Found]:
    """As ``found``, of a text whose columns may hold codes: eleven digits are no mobile and sixteen no card where as
    many other numbers of that length are neither."""
    every = found(text)
    unsure = {one.value for one in every if not one.sure}
    if not unsure:
        return every
    bare = {match.group() for match in _BARE.finditer(text.translate(_PLAIN))}
    of_length, hits = Counter(map(len, bare - unsure)), Counter(map(len, unsure))
    return [one for one in every if one.sure or of_length[len(one.value)] < hits[len(one.value)]]


def counted(every: Iterable[Found]) -> dict[str, int]:
    """How many different values of each kind; no kind without one."""
    kinds = Counter(kind for kind, _value in {(one.kind, one.value) for one in every})
    return {kind: kinds[kind] for kind in Kind if kinds[kind]}


class Masks:
    """Puts what was found, and what is surely such data, out of sight wherever it stands.

    A mask has the form of what it hides: 0 for a digit, x for a letter, of numbers the last two digits. Equal values
    stay equal, and what a page is understood from (lengths, digits, words, columns) stays as it was.
    """

    def __init__(self, known: Iterable[Found] = ()) -> None:
        self._known = {one.value: one.kind for one in known}

    def masked(self, text: str) -> str:
        """Of the same length; masked again it is the same."""
        plain = text.translate(_PLAIN)
        if not _WORTH_A_LOOK.search(plain):
            return text
        places = [one for one in found(plain) if one.sure or one.value in self._known]
        text = _replaced(text, places, mask)
        return _replaced(text, list(self._known_in(text.translate(_PLAIN))), mask)

    def _known_in(self, plain: str) -> Iterator[Found]:
        """Numbers that are known, whatever stands between their digits."""
        if not self._known:
            return
        for run in _RUN.finditer(plain):
            groups = list(_DIGITS.finditer(plain, *run.span()))
            first = 0
            while first < len(groups):
                for last in range(len(groups), first, -1):
                    value = "".join(group.group() for group in groups[first:last])
                    if kind := self._known.get(value):
                        yield Found(kind, groups[first].start(), groups[last - 1].end(), value)
                        first = last - 1
                        break
                first += 1


class Sought:
    """One telephone number, mail address or other number, to be told in texts however it is printed there.

    Of telephone numbers the country and the zeros before may be said or not. Raises ValueError for what is too short
    to be told from anything else.
    """

    LEAST = 7

    def __init__(self, said: str) -> None:
        plain = _TRUNK.sub("", said.translate(_PLAIN).strip())
        self._is_mail = "@" in plain
        self._value = plain.casefold() if self._is_mail else _BETWEEN.sub("", plain).upper().lstrip("+0")
        if len(self._value) < self.LEAST or not (self._is_mail or any(sign.isdigit() for sign in self._value)):
            raise ValueError(f"fewer than {self.LEAST} signs, or no number and no mail address")
        self._forms = {self._value}
        if self._value.isdigit() and said.translate(_PLAIN).strip().startswith(("+", "00")):
            code = _COUNTRY.match(self._value)
            self._forms.add(self._value[code.end() :] if code else self._value)
        self._forms = {form for form in self._forms if len(form) >= self.LEAST}

    def is_in(self, text: str) -> bool:
        plain = text.translate(_PLAIN)
        if self._is_mail:
            return self._value in plain.casefold()
        squeezed = _BETWEEN.sub("", _TRUNK.sub("", plain)).upper()
        return any(form in squeezed for form in self._forms)


def mask(printed: str, kind: Kind) -> str:
    """What stands in its place."""
    signs = ["0" if sign.isdigit() else _letter(sign) if sign.isalpha() else sign for sign in printed]
    if kind != Kind.MAIL:
        last = [n for n, sign in enumerate(printed) if sign.isdigit()][-_SHOWN:]
        for n in last:
            signs[n] = printed[n]
    return "".join(signs)


def _letter(sign: str) -> str:
    return "X" if sign.isupper() else "x"


def _replaced(text: str, places: Iterable[Found], by: Callable[[str, Kind], str]) -> str:
    parts, end = [], 0
    for one in sorted(places, key=lambda one: one.start):
        parts += [text[end : one.start], by(text[one.start : one.end], one.kind)]
        end = one.end
    return "".join([*parts, text[end:]]) if parts else text


# --- one kind after another, each in what the earlier ones have left ----------------------------------


def _mails(text: str) -> Iterator[Found]:
    """From each @ to both sides."""
    at, end = text.find("@"), 0
    while at >= 0:
        local = _LOCAL_REVERSED.match(text[max(end, at - _LOCAL_LONGEST) : at][::-1])
        if local and (domain := _DOMAIN.match(text, at + 1)):
            start, end = at - len(local.group()), domain.end()
            yield Found(Kind.MAIL, start, end, text[start:end].casefold())
        at = text.find("@", at + 1)


def _ibans(text: str) -> Iterator[Found]:
    for match in _IBAN.finditer(text):
        printed = match.group()
        if (length := IBAN_LENGTHS.get(printed[:2])) is None:
            continue
        ends = [n + 1 for n, sign in enumerate(printed) if sign != " "]
        if len(ends) < length:
            continue
        value, end = printed[: ends[length - 1]].replace(" ", ""), match.start() + ends[length - 1]
        if is_iban(value) and not text[end : end + 1].isalnum():
            yield Found(Kind.IBAN, match.start(), end, value)


def _identities(text: str) -> Iterator[Found]:
    for match in _IDENTITY.finditer(text):
        value = match.group().replace(" ", "").replace("-", "").upper()
        if is_identity_number(value):
            yield Found(Kind.IDENTITY, *match.span(), value)


def _labelled(text: str) -> Iterator[Found]:
    """The number after a label, and those that follow it as "or another"."""
    folded = text.lower()
    if len(folded) != len(text):  # a letter that has no small form of its own length
        folded = text
    at = 0
    while match := _LABELLED.search(folded, at):
        number: re.Match[str] | None = match
        while number:
            at = number.end()
            yield from _phone(text, *number.span("number"))
            number = _AND_ANOTHER.match(folded, at)


def _phone(text: str, start: int, end: int, *, sure: bool = True) -> Iterator[Found]:
    printed = text[start:end]
    start += len(printed) - len(printed.lstrip(" +("))
    value = "".join(_DIGITS.findall(printed))
    if len(value) <= _PHONE_MOST_DIGITS and not (len(value) >= 12 and is_gtin(printed)):
        yield Found(Kind.PHONE, start, end, value, sure)


def _abroad(text: str) -> Iterator[Found]:
    for match in _ABROAD.finditer(text):
        yield from (one for one in _phone(text, *match.span()) if len(one.value) >= _ABROAD_LEAST_DIGITS)


def _cards(text: str) -> Iterator[Found]:
    for match in _CARD.finditer(text):
        groups = list(_DIGITS.finditer(text, *match.span()))
        for last in (groups[-1], *groups[3:-1]):  # what follows the four fours may be when it ends
            value = "".join(group.group() for group in groups if group.end() <= last.end())
            if is_card_number(value):
                yield Found(Kind.CARD, match.start(), last.end(), value, sure=len(groups) > 1)
                break


def _phones(text: str) -> Iterator[Found]:
    for match in _MOBILE.finditer(text):
        yield from _phone(text, *match.span(), sure=not match.group().isdigit())
    for match in _LANDLINE.finditer(text):
        yield from _phone(text, *match.span())
