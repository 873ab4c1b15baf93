"""Whether a part of the page that was read again says what a model read there: else a person looks at it.

Both are read from pixels, the one without knowing the other. Nothing but what ``quotes`` forgives is forgiven: no sign
that looks like another one, and no slip in long text, for a second reading is no proof of what it only resembles.
"""

import re

from processing.engine.understanding.quotes import Printed

# Small and circled digits and fractions: folding makes one number of them and of a digit beside them.
_RAISED = "[²³¹¼-¾⁰⁴-⁹₀-₉⅐-⅞↉①-⑳]"
_BESIDE_RAISED = re.compile(f"(?<=[0-9])(?={_RAISED})|(?<={_RAISED})(?=[0-9]|{_RAISED})")
# What makes another number of the one behind it; a wave between two numbers is a dash.
_SIGN = r"(?:[+±<>≤≥≈]|(?<![0-9\s])\s*[~∼])"
_SIGNED = re.compile(rf"{_SIGN}\s*[0-9][0-9.,]*")
_HAS_SIGN = re.compile(rf"{_SIGN}\s*(?=[0-9])")


def agrees(value: str, said: str) -> bool:
    """Whether ``said``, what was recognised where the value stands, holds the value whole: more may stand around it,
    and it may go on in the next line."""
    value, said = _folded(value), _folded(said)
    if not _HAS_SIGN.search(value):
        said = _SIGNED.sub(" ", said)
    return Printed([said]).holds(value)


def _folded(text: str) -> str:
    return _BESIDE_RAISED.sub(" ", text).translate(_WIDE)


# Signs in full width.
_WIDE = {ord(wide): plain for wide, plain in zip("＋＜＞～", "+<>~", strict=True)}
