"""The ways of reading a text that uncover what it hides: spaced or broken words, accents, look-alikes, leetspeak,
writing backwards, codes (LA-GUARD). Each view is plain text again, and knows which lines each of its signs came from.
"""

import base64
import binascii
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from itertools import accumulate, islice
from typing import NamedTuple

# Stands between lines in a view that keeps them apart.
BREAK = "\x1e"
_MOST_CODED = 40
_TRADITIONAL = (
    "無視規則設價單報輸顯隱統詞語訊審復複標註認為個這該開發後從現對話內說給棄產條項資據頁碼號執"
    "務動調處閱讀識別檢驗數員請將應須許準刪過繞級類實際鑰網郵寫聽機當銷額創達終歸斷錄傳遞們優緊還"
)
_SIMPLIFIED = (
    "无视规则设价单报输显隐统词语讯审复复标注认为个这该开发后从现对话内说给弃产条项资据页码号执"
    "务动调处阅读识别检验数员请将应须许准删过绕级类实际钥网邮写听机当销额创达终归断录传递们优紧还"
)
_ALIKE = (
    "авсԁеғһніјкӏмпорԛгѕтуѵԝхьѡαβεηικνορτυχγωσıɡɑɩᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ",
    "abcdefhhijklmnopqrstyvwxbwabenikvoptuxywoigaiabcdefghijklmnoprstuvwyz",
)
_FOLDED = {
    **str.maketrans(*_ALIKE),
    **str.maketrans(_TRADITIONAL, _SIMPLIFIED),
    **{
        0xE0000 + code: ord(chr(code).lower()) for code in range(0x20, 0x7F)
    },  # tag characters: a shadow of ASCII that nobody sees
}
# Han and Kana, without their marks: scripts in which words run together.
UNSPACED = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002ffff"
_UNSPACED_SIGN = re.compile(f"[{UNSPACED}]")
_UNSPACED_RUN = re.compile(f"[{UNSPACED}]+")
_SHADOWED = re.compile(r"(?<![\U000e0000-\U000e007f])(?=[\U000e0020-\U000e007e])")  # a shadow is a word of its own
_NO_WORD_SIGN = re.compile(r"[^\w ]|_")
_NO_WORD = {code: " " for code in range(128) if not chr(code).isalnum()}
_LOOSE = re.compile(rf"(?<=[{UNSPACED}]) | (?=[{UNSPACED}])")
_MARKS = re.compile(
    r"[\xad\u0300-\u036f\u0640\u064b-\u065f\u0670\u3099\u309a\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    r"\ufe00-\ufe0f\ufeff]+"
)
_SPACED_OUT = re.compile(r"(?<![^\W_])(?:[^\W\d_] ){3,}[^\W\d_](?![^\W_])")
_LEET_WORD = re.compile(r"[a-z][0134578@$!|+]{1,4}[a-z]")
_LEET_FROM = 2
_SPACE = re.compile(rf"[^\S{BREAK}]+|[\xad\u0300-\u036f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]+")
_LEET = str.maketrans("01|!3@4$5+7(", "oiiieaasstt" + "c")
_ROT13 = str.maketrans("abcdefghijklmnopqrstuvwxyz", "nopqrstuvwxyzabcdefghijklm")
_BASE64 = re.compile(
    rf"(?<![\w+/-])[A-Za-z0-9+/_-]{{20,4000}}={{0,2}}(?:{BREAK}\s?[A-Za-z0-9+/_-]{{8,4000}}={{0,2}}){{0,60}}"
)
_HEX = re.compile(r"(?<![0-9a-zA-Z])(?:(?:\\x|0x)?[0-9a-fA-F]{2}[\s:,;]?){12,2000}")
_BITS = re.compile(r"(?<!\d)(?:[01]{8}\s?){8,500}")
_ESCAPES = re.compile(r"\\u[0-9a-fA-F]{4}|(?:\\x[0-9a-fA-F]{2})+|&#?\w{1,8};|(?:%[0-9a-fA-F]{2})+")


class View(NamedTuple):
    """``text`` as read in the way ``how``; sign n came from the line ``lines[bisect(ends, n)]``. ``said`` is what a
    line was decoded to, where the line itself shows only a code."""

    how: str
    text: str
    ends: Sequence[int]
    lines: Sequence[int]
    said: Mapping[int, str] = {}

    def lines_at(self, start: int, end: int) -> list[int]:
        """Numbers of the lines from which ``text[start:end]`` came, in ascending order; a code was decoded whole."""
        if not self.ends:
            return list(self.lines)
        first = bisect_right(self.ends, start)
        last = bisect_right(self.ends, end - 1)
        return sorted(self.lines[first : last + 1])


def words(folded: str) -> View:
    """Words with one space between, also where they were spaced out, hyphenated or put one letter below the other;
    none beside signs of scripts that have none."""
    text = folded if folded.isascii() else _MARKS.sub("", folded)
    parts = [" ".join(part.split()) for part in _SPACED_OUT.sub(_closed, text).split(BREAK)]
    unspaced = has_unspaced(text)
    if unspaced:
        parts = _LOOSE.sub("", BREAK.join(parts)).split(BREAK)
    for n in range(len(parts) - 1):
        parts[n] = _joined(parts[n], parts[n + 1], unspaced)
    return View("plain", "".join(parts), list(accumulate(map(len, parts))), range(len(parts)))


def _closed(match: re.Match[str]) -> str:
    return match.group().replace(" ", "")


def _joined(part: str, after: str, unspaced: bool) -> str:
    """``part`` with what stands between it and the next line."""
    if part[-1:] == "-" and after[:1].isalpha():
        return part[:-1]
    together = len(part) == len(after) == 1
    if unspaced and not together:
        together = is_unspaced(part[-1:]) or is_unspaced(after[:1])
    return part if together else part + " "


def seams(view: View) -> tuple[list[str], list[tuple[int, int]]]:
    """The last word of each line with the first of the next, for words that lines break; and of each where it begins
    in the view and how long its first part is."""
    text, joined, places = view.text, list[str](), list[tuple[int, int]]()
    for end in view.ends[:-1]:
        if text[end - 1 : end] == " " and text[end - 2 : end - 1].isalpha() and text[end : end + 1].isalpha():
            start = text.rfind(" ", 0, end - 1) + 1
            stop = text.find(" ", end)
            joined.append(text[start : end - 1] + text[end : stop if stop >= 0 else None])
            places.append((start, end - 1 - start))
    return joined, places


def has_unspaced(text: str) -> bool:
    return not text.isascii() and _UNSPACED_SIGN.search(text) is not None


def without_unspaced(text: str) -> str:
    """With space in the place of each such sign."""
    return _UNSPACED_RUN.sub(lambda match: " " * len(match.group()), text)


def without_signs(text: str) -> str:
    """With space in the place of each sign that is no letter or digit."""
    return text.translate(_NO_WORD) if text.isascii() else _NO_WORD_SIGN.sub(" ", text)


def signs(folded: str) -> View:
    """Without space; lines kept apart."""
    text = _SPACE.sub("", folded)
    return View("plain", text, list(accumulate(len(part) + 1 for part in text.split(BREAK))), range(len(text)))


def leet(view: View) -> View | None:
    """Signs and digits as the letters that they stand for; None where no word has them inside."""
    if len(_LEET_WORD.findall(view.text)) < _LEET_FROM:
        return None
    return view._replace(how="leet", text=view.text.translate(_LEET))


def backwards(view: View) -> View:
    total = len(view.text)
    starts = [0, *view.ends[:-1]]
    ends = [total - start for start in reversed(starts)]
    return view._replace(how="backwards", text=view.text[::-1], ends=ends, lines=list(reversed(view.lines)))


def shifted(view: View) -> View:
    """ROT13 undone."""
    return view._replace(how="rot13", text=shift(view.text))


def shift(text: str) -> str:
    return text.translate(_ROT13)


def in_order(view: View, order: Sequence[int]) -> View:
    """The view with its lines in another order."""
    starts = [0, *view.ends]
    parts = [view.text[starts[n] : view.ends[n]] for n in order]
    return view._replace(text="".join(parts), ends=list(accumulate(map(len, parts))), lines=order)


def fold(lines: Sequence[str]) -> str:
    """Lines with BREAK between: compatible forms as one, small, look-alikes as Latin, traditional as simplified."""
    return _folded(raw(lines))


def plain(text: str) -> str:
    """As words of a table are, to be compared with those of a view."""
    return _MARKS.sub("", _folded(text))


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKD", _SHADOWED.sub(" ", text)).casefold().translate(_FOLDED)


def is_unspaced(sign: str) -> bool:
    return bool(sign) and _UNSPACED_SIGN.match(sign) is not None


def raw(lines: Sequence[str]) -> str:
    return BREAK.join(line.replace(BREAK, " ") for line in lines)


def coded(lines: Sequence[str]) -> Iterator[View]:
    """What base64, hexadecimal, binary and escape sequences say, each with the lines it spans."""
    text = raw(lines)
    ends = list(accumulate(len(line) + 1 for line in lines))
    for match, said in islice(_decoded(text), _MOST_CODED):
        first, last = bisect_right(ends, match.start()), bisect_right(ends, match.end() - 1)
        view = words(fold([said]))
        yield View("encoded", view.text, (), range(first, last + 1), {first: said})
    if any(sign in text for sign in "\\&%") and len(_ESCAPES.findall(text)) >= 3:
        read = [_ESCAPES.sub(_unescaped, line) for line in lines]
        yield words(fold(read))._replace(how="encoded", said=dict(enumerate(read)))


def _decoded(text: str) -> Iterator[tuple[re.Match[str], str]]:
    for match in _BASE64.finditer(text):
        parts = re.split(rf"{BREAK}\s?", match.group())
        for part in {"".join(parts), *parts}:
            yield match, _as_text(_from_base64(part))
    for match in _HEX.finditer(text.replace(BREAK, " ")):
        digits = re.sub(r"\\x|0x|[\s:,;]", "", match.group())
        yield match, _as_text(bytes.fromhex(digits[: len(digits) // 2 * 2]))
    for match in _BITS.finditer(text.replace(BREAK, " ")):
        yield match, _as_text(bytes(int(bits, 2) for bits in re.findall("[01]{8}", match.group())))


def _from_base64(text: str) -> bytes:
    bare = text.rstrip("=").replace("-", "+").replace("_", "/")
    bare = bare[:-1] if len(bare) % 4 == 1 else bare
    try:
        return base64.b64decode(bare + "=" * (-len(bare) % 4))
    except binascii.Error:
        return b""


def _as_text(data: bytes) -> str:
    said = data.decode("utf-8", "replace")
    if said.count("\ufffd") > len(said) / 4:
        said = data.decode("gb18030", "replace")
    return said.replace("\0", "")


def _unescaped(match: re.Match[str]) -> str:
    escape = match.group()
    if escape.startswith("&"):
        return unescape(escape)
    if escape.startswith("\\u"):
        return chr(int(escape[2:], 16))
    return bytes.fromhex(escape.replace("\\x", "").replace("%", "")).decode("utf-8", "replace")
