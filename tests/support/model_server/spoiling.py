"""What a model makes of a good answer when it is in a bad mood."""

import itertools
import re

from tests.support.model_server.exchange import Mood, Reply

NUMBER = re.compile(r"(?<=[:\[,])(\s*)-?\d+(?:\.\d+)?(?=\s*[,}\]])")


def said(reply: Reply) -> str:
    """The text as it goes over the wire."""
    text = reply.text
    match reply.mood:
        case Mood.TRUNCATED:
            return text[: len(text) // 2]
        case Mood.FENCED:
            return f"```json\n{text}\n```"
        case Mood.PROSE:
            return f"Here is what I found on the page:\n\n{text}\n\nLet me know if you need anything else {{or not}}."
        case Mood.GARBAGE:
            return "抱歉,我无法识别这一页。见第[3]条规定"
        case Mood.WRONG_SCHEMA:
            return '{"weather": [1, 2, 3], "mood": {"sunny": true}}'
        case Mood.NAN:
            return _without_finite_numbers(text)
        case Mood.EMPTY:
            return ""
        case Mood.DOUBLED:
            return f"{text}\n{text}"
    return text


def finish(reply: Reply) -> str:
    return "length" if reply.mood is Mood.TRUNCATED else reply.finish


def _without_finite_numbers(text: str) -> str:
    """Numbers become NaN and Infinity in turn; a text without numbers gets one of each in front."""
    values = itertools.cycle(("NaN", "Infinity"))
    spoilt, changed = NUMBER.subn(lambda number: number[1] + next(values), text)
    if changed:
        return spoilt
    rest = text.lstrip()[1:].lstrip()
    return '{"not_a_number": NaN, "endless": Infinity' + (", " if rest[:1] != "}" else "") + rest
