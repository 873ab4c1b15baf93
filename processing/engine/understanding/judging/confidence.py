"""How sure a SKU is: the way it was found, times one factor for each doubt that its values or its place raise (X-CONF).

A doubt is something that anyone can check on the page: a measure in the place of the name, a price left under an
unknown label, a second code inside the product's box. Factors follow the share of right SKUs among those that raise
the doubt on the golden sets; where all are wrong they stay at 0.3 to 0.5, for other catalogues may print such things.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

from catalogsku.core.box import Box, area, centre, contains_point, gap, height, width
from catalogsku.core.text import fold, has_han, squash
from processing.engine.page import Word
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.offers import LARGER
from processing.engine.understanding.rules.dictionaries.measures import ALL_CURRENCIES, COLOURS
from processing.engine.understanding.rules.finishes import all_in
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.normalise import currency_of
from processing.engine.understanding.rules.shapes import (
    is_code,
    is_lettered_code,
    is_measure,
    is_number,
    is_price,
    is_size,
    names_before_size,
    price_spans,
)
from processing.engine.understanding.view import PageView

_IDENTITY = ("model", "product_name")
_SPECS = ("size", "material", "color", "price")
# Attributes that one product has once; colours and prices may stand there several times.
_ONCE = (*_IDENTITY, "size", "weight")
_WORDS = re.compile(r"[a-z]{3,}")
_PER = re.compile(r"/\s*\S+(?=\s|$)(?!\s+[0-9])")  # what one pays for, and no second amount behind it
_CURRENCIES = re.compile("|".join(map(re.escape, sorted(ALL_CURRENCIES, key=len, reverse=True))))
# Letters beside amount, currency and unit from which on a price holds other words.
_LETTERS_IN_A_PRICE = 4
_SLACK_PT = 1.0
_ALIGNED_PT = 5.0
# Signs of a code that stands for itself.
_SHORTEST_CODE = 4
# Share of right SKUs among those without any doubt, and how far the way in which one was found moves it from there:
# extractors tell good ways from better ones, but on the seen styles all 1032 are right, those by captions (found with
# 0.68 to 0.8) as those by tables (0.95 and more). Of 0.1 to 0.5, 0.2 had a calibration error below 0.1 on the real
# catalogues and on the styles held back, which is therefore no independent figure for it.
_UNDOUBTED = 0.95
_OF_THE_WAY = 0.2
# A picture that shows no product, as large as those that do and so wide, is most likely a table or a drawing with text.
_WIDE = 2.0
# Print of a name that is unread against that of the name; points by which it may begin over the product's text. On all
# golden pages and those of strangers 7 of 18 such names are wrong, 5 of them on pages without any other doubt.
_LARGER_NAME, _OVER_PT = 1.25, 30.0
# Of the words in a product's box: with so many of them unread it is hardly understood.
_MOSTLY_UNREAD = 0.3


class Surroundings:
    """What stands on the page around its products; looked up once for all of them."""

    def __init__(self, view: PageView, drafts: Sequence[Draft]) -> None:
        page = view.page
        words = (word for line in page.lines for word in line.words if any(map(str.isalnum, word.text)))
        self._words = sorted(words, key=lambda word: centre(word.box)[1])
        self._heights = [centre(word.box)[1] for word in self._words]
        self.reading = 1.0 if page.ocr is None else max(0.5, min(1.0, page.ocr.mean_score))
        self.models = Counter(squash(d.attributes["model"].text) for d in drafts if "model" in d.attributes)
        self.nameless_tables = {
            d.table for d in drafts if d.table and not any(key in d.attributes for key in _IDENTITY)
        }
        texts = [value.text for draft in drafts for value in draft.attributes.values()]
        said = squash("".join([*texts, *(custom.name + custom.value for draft in drafts for custom in draft.custom)]))
        self.unsaid = [line for line in page.lines if is_name(line.text) and squash(line.text) not in said]
        own = [draft.picture for draft in drafts if draft.picture]
        usual = median(map(area, own)) if own else 0.0
        free = [picture.box for picture in view.pictures if picture.box not in own]
        self.covered = [word for word in page.hidden if word.reason == "covered" and any(map(str.isalnum, word.text))]
        self.shows_more = bool(own) and any(area(box) >= usual and width(box) > _WIDE * height(box) for box in free)

    def words_in(self, box: Box) -> list[Word]:
        wide = (box[0] - _SLACK_PT, box[1] - _SLACK_PT, box[2] + _SLACK_PT, box[3] + _SLACK_PT)
        near = self._words[bisect_left(self._heights, wide[1]) : bisect_right(self._heights, wide[3])]
        return [word for word in near if contains_point(wide, *centre(word.box))]


@dataclass(frozen=True)
class Seen:
    """One product with what stands around it."""

    draft: Draft
    around: Surroundings

    def text(self, key: str) -> str:
        value = self.draft.attributes.get(key)
        return value.text if value else ""

    @property
    def is_partial(self) -> bool:
        return not any(key in self.draft.attributes for key in _SPECS)

    @cached_property
    def own(self) -> list[Word]:
        return self.around.words_in(self.draft.box)

    @cached_property
    def unread(self) -> list[Word]:
        """Words in the product's box that are neither in a value nor in a label of it."""
        draft = self.draft
        boxes = [value.evidence.bbox for value in draft.attributes.values()]
        boxes += [custom.evidence.bbox for custom in draft.custom]
        boxes += [draft.on_request.evidence.bbox] if draft.on_request else []
        labels = squash("".join([*draft.contexts.values(), *(custom.name for custom in draft.custom)]))
        read = {id(word) for box in boxes for word in self.around.words_in(box)}
        return [word for word in self.own if id(word) not in read and squash(word.text) not in labels]


@dataclass(frozen=True)
class Doubt:
    code: str
    factor: float
    holds: Callable[[Seen], bool]


def doubts_about(draft: Draft, around: Surroundings) -> tuple[str, ...]:
    """Codes of the doubts about one product of the page."""
    seen = Seen(draft, around)
    return tuple(doubt.code for doubt in DOUBTS if doubt.holds(seen))


def sku_confidence(draft: Draft, doubts: Sequence[str], reading: float = 1.0) -> float:
    """Product of how the SKU was found, its weakest value, its doubts' factors and how well the page was read."""
    certainty = draft.confidence * min((value.confidence for value in draft.attributes.values()), default=0.0)
    confidence = reading * (_UNDOUBTED + _OF_THE_WAY * (certainty - _UNDOUBTED))
    for code in doubts:
        confidence *= _FACTORS[code]
    return round(confidence, 4)


def _name_is_no_name(seen: Seen) -> bool:
    text = seen.text("product_name")
    shapes = (is_code, is_measure, is_number, is_price)
    sized = is_size(text) and not names_before_size(text)
    named = not (sized or any(test(text) for test in shapes) or all_in(text, COLOURS) or label_kind(text) is not None)
    return bool(text) and not named


def _model_is_a_label(seen: Seen) -> bool:
    return label_kind(seen.text("model")) is not None


def _model_with_size(seen: Seen) -> bool:
    """A code and the measures behind it, "AB-Z01 60×40×10cm": two columns of a table were read as one."""
    code, _, rest = seen.text("model").partition(" ")
    return len(code) >= _SHORTEST_CODE and is_lettered_code(code) and rest[:1].isdigit() and is_size(rest)


def _value_is_none(seen: Seen) -> bool:
    """A bare number as series, a unit as weight, a currency as price."""
    series = seen.draft.attributes.get("series")
    if series is not None and series.source == "direct" and (is_number(series.text) or is_measure(series.text)):
        return True
    return any(text and not any(map(str.isdigit, text)) for key in ("price", "weight") if (text := seen.text(key)))


def _price_has_words(seen: Seen) -> bool:
    rest = _CURRENCIES.sub(" ", _PER.sub("", fold(seen.text("price"))))
    return sum(map(str.isalpha, rest)) >= _LETTERS_IN_A_PRICE


def _price_unread(seen: Seen) -> bool:
    """No price, but an amount of money under a label that says nothing known."""
    if "price" in seen.draft.attributes or seen.draft.on_request is not None:
        return False
    return any(is_price(c.value) or (currency_of(c.name) and is_number(c.value)) for c in seen.draft.custom)


def _name_unread(seen: Seen) -> bool:
    """No name, but words that may be one under an unknown label right beside the code."""
    attributes = seen.draft.attributes
    if "product_name" in attributes or "model" not in attributes:
        return False
    place = attributes["model"].evidence.bbox
    beside = min(seen.draft.custom, key=lambda c: gap(c.evidence.bbox, place), default=None)
    return beside is not None and _in_words(beside.value) and is_name(beside.value)


def _in_words(text: str) -> bool:
    return sum(map(has_han, text)) >= 3 or len(_WORDS.findall(fold(text))) >= 2


def _code_unread(seen: Seen) -> bool:
    """No code, but one inside another text: "Style AW26-101", "编号 YL-102"."""
    if "model" in seen.draft.attributes:
        return False
    texts = (seen.text("product_name"), seen.text("description"), *(c.value for c in seen.draft.custom))
    return any(_is_lettered_code(word) for text in texts for word in text.split())


def _is_lettered_code(text: str) -> bool:
    return is_code(text) and any(map(str.isalpha, text))


def _larger_name_unread(seen: Seen) -> bool:
    """Outside of tables, words over or in the product's text that may name it in clearly larger print than its name,
    and that are nobody's."""
    draft = seen.draft
    if draft.table or "product_name" not in draft.attributes:
        return False
    sizes = [word.size for word in seen.around.words_in(draft.attributes["product_name"].evidence.bbox)]
    x0, y0, x1, y1 = draft.box
    return bool(sizes) and any(
        line.size >= _LARGER_NAME * max(sizes)
        and x0 <= centre(line.box)[0] <= x1
        and y0 - _OVER_PT <= line.box[1] <= y1
        for line in seen.around.unsaid
    )


def _two_in_one(seen: Seen) -> bool:
    """A second value of what one product has once; in a row of a table only under the same label, for net and gross
    weights are columns of their own."""
    draft = seen.draft
    kinds = [(label_kind(custom.name), squash(custom.name)) for custom in draft.custom]
    twice = [(draft.contexts.get(kind), name) for kind, name in kinds if kind in _ONCE and kind in draft.attributes]
    return any(not (draft.table and label) or squash(label).startswith(name) for label, name in twice)


def _another_code(seen: Seen) -> bool:
    """An unread code of the same family inside the product's box, in line with the product's own."""
    model = seen.draft.attributes.get("model")
    if model is None:
        return False
    x, y = model.evidence.bbox[:2]
    aligned = (w for w in seen.unread if abs(w.box[0] - x) <= _ALIGNED_PT or abs(w.box[1] - y) <= _ALIGNED_PT)
    return any(_is_lettered_code(word.text) and word.text.startswith(model.text[:2]) for word in aligned)


def _another_price(seen: Seen) -> bool:
    return any(is_price(word.text) and not _is_small_beside(word, seen) for word in seen.unread)


def _is_small_beside(word: Word, seen: Seen) -> bool:
    """A former price: on the line of the price in clearly smaller print."""
    price = seen.draft.attributes.get("price")
    held = seen.around.words_in(price.evidence.bbox) if price else []
    y = centre(word.box)[1]
    return any(own.box[1] <= y <= own.box[3] and word.size * LARGER < own.size for own in held)


def _same_model(seen: Seen) -> bool:
    value = seen.draft.attributes.get("model")
    return value is not None and value.source == "direct" and seen.around.models[squash(value.text)] > 1


def _columns_run_together(seen: Seen) -> bool:
    """As many prices as codes, of several products side by side: "AB-10 AB-20", "$9.80 $12.40"."""
    codes = seen.text("model").split()
    coded = len(codes) > 1 and all(len(code) >= _SHORTEST_CODE and is_lettered_code(code) for code in codes)
    return coded and len(price_spans(seen.text("price"))) == len(codes)


def _partly_covered(seen: Seen) -> bool:
    """A picture laid over the print hides what stands beside the code, the name or the price on its line."""
    attributes = seen.draft.attributes
    said = [squash(value.text) for value in attributes.values()]
    boxes = [attributes[key].evidence.bbox for key in (*_IDENTITY, "price") if key in attributes]
    unsaid = [word.box for word in seen.around.covered if not any(squash(word.text) in text for text in said)]
    return any(_goes_on(box, other) for box in boxes for other in unsaid)


def _goes_on(box: Box, other: Box) -> bool:
    level = box[1] <= centre(other)[1] <= box[3]
    return level and gap(box, other) <= height(other)


def _mostly_unread(seen: Seen) -> bool:
    return seen.is_partial and len(seen.unread) > _MOSTLY_UNREAD * len(seen.own)


DOUBTS: tuple[Doubt, ...] = (
    Doubt("no_identity", 0.4, lambda seen: not any(key in seen.draft.attributes for key in _IDENTITY)),
    Doubt("name_is_no_name", 0.4, _name_is_no_name),
    Doubt("model_is_a_label", 0.4, _model_is_a_label),
    Doubt("model_with_size", 0.4, _model_with_size),
    Doubt("value_is_none", 0.3, _value_is_none),
    Doubt("price_unclear", 0.8, lambda seen: seen.draft.price_unclear),
    Doubt("price_has_words", 0.4, _price_has_words),
    Doubt("price_unread", 0.3, _price_unread),
    Doubt("name_unread", 0.6, _name_unread),
    Doubt("code_unread", 0.3, _code_unread),
    Doubt("larger_name_unread", 0.5, _larger_name_unread),
    Doubt("two_in_one", 0.3, _two_in_one),
    Doubt("another_code_inside", 0.5, _another_code),
    Doubt("another_price_inside", 0.4, _another_price),
    Doubt("same_model_twice", 0.5, _same_model),
    Doubt("columns_run_together", 0.3, _columns_run_together),
    Doubt("partly_covered", 0.4, _partly_covered),
    Doubt("mostly_unread", 0.4, _mostly_unread),
    Doubt("values_in_a_picture", 0.4, lambda seen: seen.is_partial and seen.around.shows_more),
    Doubt("sibling_without_identity", 0.3, lambda seen: seen.draft.table in seen.around.nameless_tables),
)
_FACTORS = {doubt.code: doubt.factor for doubt in DOUBTS}
