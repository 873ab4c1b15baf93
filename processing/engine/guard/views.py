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
_BREAK_BYTE = BREAK.encode()
_NO_LETTER = re.compile(rf"[^\w{BREAK}]+|_+")
_SPACE = re.compile(rf"[^\S{BREAK}]+|[\xad\u0300-\u036f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]+")
_SMALL = b"abcdefghijklmnopqrstuvwxyz"
_DIGITS = b"0123456789"
_SAME = bytes(range(256))
# What digits and signs stand for; i and l are one there, since 1 stands for either.
_LEET = bytes.maketrans(b"01l|!3@4$5+7(", b"oiiiieaasstt" + b"c")
_ROT13 = bytes.maketrans(_SMALL, b"nopqrstuvwxyzabcdefghijklm")
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


def latin(folded: str) -> View:
    """Latin letters and digits alone, lines run together."""
    return _latin("plain", folded, _SAME, _DIGITS)


def letters(folded: str) -> View:
    """Letters of all scripts and digits alone, lines run together."""
    parts = _NO_LETTER.sub("", folded).split(BREAK)
    return View("plain", "".join(parts), list(accumulate(map(len, parts))), range(len(parts)))


def signs(folded: str) -> View:
    """Without space; lines kept apart."""
    text = _SPACE.sub("", folded)
    return View("plain", text, list(accumulate(len(part) + 1 for part in text.split(BREAK))), range(len(text)))


def leet(folded: str) -> View:
    return _latin("leet", folded, _LEET, b"")


def backwards(view: View) -> View:
    total = len(view.text)
    starts = [0, *view.ends[:-1]]
    ends = [total - start for start in reversed(starts)]
    return View("backwards", view.text[::-1], ends, list(reversed(view.lines)))


def shifted(folded: str) -> View:
    """ROT13 undone."""
    return _latin("rot13", folded, _ROT13, _DIGITS)


def _latin(how: str, folded: str, table: bytes, also: bytes) -> View:
    """Latin letters, and those of ``also``, after translation."""
    kept = _SMALL + also + _BREAK_BYTE
    read = folded.encode("ascii", "ignore").translate(table)
    parts = read.translate(None, bytes(set(range(128)) - set(kept))).decode().split(BREAK)
    return View(how, "".join(parts), list(accumulate(map(len, parts))), range(len(parts)))


def in_order(view: View, order: Sequence[int]) -> View:
    """The view with its lines in another order."""
    starts = [0, *view.ends]
    parts = [view.text[starts[n] : view.ends[n]] for n in order]
    return view._replace(text="".join(parts), ends=list(accumulate(map(len, parts))), lines=order)


def fold(lines: Sequence[str]) -> str:
    """Lines with BREAK between: compatible forms as one, small, look-alikes as Latin, traditional as simplified."""
    return unicodedata.normalize("NFKD", raw(lines)).casefold().translate(_FOLDED)


def raw(lines: Sequence[str]) -> str:
    return BREAK.join(line.replace(BREAK, " ") for line in lines)


def coded(lines: Sequence[str]) -> Iterator[View]:
    """What base64, hexadecimal, binary and escape sequences say, each with the lines it spans."""
    text = raw(lines)
    ends = list(accumulate(len(line) + 1 for line in lines))
    for match, said in islice(_decoded(text), _MOST_CODED):
        first, last = bisect_right(ends, match.start()), bisect_right(ends, match.end() - 1)
        view = letters(fold([said]))
        yield View("encoded", view.text, (), range(first, last + 1), {first: said})
    if any(sign in text for sign in "\\&%") and len(_ESCAPES.findall(text)) >= 3:
        read = [_ESCAPES.sub(_unescaped, line) for line in lines]
        yield letters(fold(read))._replace(how="encoded", said=dict(enumerate(read)))


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
    found = match.group()
    if found.startswith("&"):
        return unescape(found)
    if found.startswith("\\u"):
        return chr(int(found[2:], 16))
    return bytes.fromhex(found.replace("\\x", "").replace("%", "")).decode("utf-8", "replace")
