"""Names with their code in brackets behind them, "Hair comb (Code: 042)": name and labelled code are two lines."""

import re

from catalogsku.core.text import trim
from processing.engine.page import Line
from processing.engine.understanding.evidence import part_box
from processing.engine.understanding.rules.labels import CODE_OR_NUMBER, label_kind
from processing.engine.understanding.rules.shapes import is_code
from processing.engine.understanding.rules.wording import is_sentence

_BEHIND = re.compile(
    r"([^()（）\[\]【】]{2,70}?)\s*[(（\[【]\s*([^()（）\[\]【】:：]{1,20}[:：]\s*[^()（）\[\]【】:：]{2,32}?)\s*[)）\]】]"
)
_COLON = re.compile(r"\s*[:：]\s*")
# Behind its label a code may be of digits alone.
_DIGITS = re.compile(r"\d{2,14}")
_LETTERS = 2


def out_of_brackets(line: Line) -> list[Line]:
    """The name and the code with its label; the line alone where it says anything else."""
    match = _BEHIND.fullmatch(trim(line.text)) if line.text.rstrip().endswith((")", "）", "]", "】")) else None
    if match is None:
        return [line]
    name, labelled = match.groups()
    label, code = _COLON.split(labelled, maxsplit=1)
    coded = label_kind(label) in ("model", CODE_OR_NUMBER) and (is_code(code) or _DIGITS.fullmatch(code) is not None)
    named = sum(map(str.isalpha, name)) >= _LETTERS and not (is_sentence(name) or _COLON.search(name))
    if not (coded and named):
        return [line]
    return [_part(line, name), _part(line, labelled)]


def _part(line: Line, text: str) -> Line:
    box = part_box(line, text)
    words = tuple(word for word in line.words if box[0] <= (word.box[0] + word.box[2]) / 2 <= box[2])
    return Line(text, box, words, line.size, line.bold)
