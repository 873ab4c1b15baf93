"""What a person may say for a field: of which form it has to be; pure."""

import re

from processing.studies.definition import Field

TEXT_LENGTH_MAX, QUOTE_LENGTH_MAX = 2000, 2000
YES, NO = "yes", "no"
_NUMBER = r"[-−–+]?\d[\d,   ]*(?:[.·]\d+)?"  # as printed: with its grouping, a raised point, any dash for a minus
_FORMS = {
    "integer": re.compile(r"[-−–+]?\d[\d,   ]*"),
    "number": re.compile(rf"[<>≤≥=~≈]?\s*{_NUMBER}\s*%?"),
    "percentage": re.compile(rf"[<>≤≥=~≈]?\s*{_NUMBER}\s*%?"),
    "interval": re.compile(rf"[(\[]?\s*{_NUMBER}\s*%?\s*(?:to|[-–—,;~至]|\.\.+)\s*{_NUMBER}\s*%?\s*[)\]]?"),
    "date": re.compile(r"(?=.*\d)[\w .,/年月日-]{4,40}"),
}


def is_of_its_form(field: Field, text: str) -> bool:
    """``text``: without space around it, up to TEXT_LENGTH_MAX signs. Of a choice its key, of a boolean yes or no."""
    if not text or len(text) > TEXT_LENGTH_MAX or "\x00" in text:
        return False
    if field.type == "choice":
        return text in {choice.key for choice in field.choices}
    if field.type == "boolean":
        return text in (YES, NO)
    form = _FORMS.get(field.type)
    return form is None or form.fullmatch(text) is not None
