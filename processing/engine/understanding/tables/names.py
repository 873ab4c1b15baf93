"""What may be the name of a table's products where it is printed once for several: over the table or in it."""

import re

from catalogsku.core.text import trim
from processing.engine.understanding.rules.headings import is_category_heading
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.shapes import is_code, is_number, is_price
from processing.engine.understanding.rules.wording import is_heading_word, is_sentence, is_series

_LONGEST = 48
# Heads a list of prices: "纸袋阶梯价", "Prices by quantity".
_OF_PRICES = re.compile(r".*(阶梯价|批发价|出厂价|单价|price)|prices?\b.*", re.IGNORECASE | re.DOTALL)
_NO_NAMES = (is_sentence, is_price, is_number, is_code, is_series, is_heading_word, is_category_heading)


def may_name(text: str) -> bool:
    """Words that head no text of the page, as labels ("Description") do."""
    plain = trim(text)
    if label_kind(plain) is not None or _OF_PRICES.fullmatch(plain):
        return False
    return len(plain) <= _LONGEST and any(map(str.isalpha, plain)) and not any(test(plain) for test in _NO_NAMES)
