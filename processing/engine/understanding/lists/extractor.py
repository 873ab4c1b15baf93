"""Products that a heading and a list of facts under or beside it tell, with photos near them: one on a page, or several
set alike. No code and no known label is needed, and so the page's pattern must be plain."""

import re
from collections.abc import Iterator, Sequence

import msgspec

from catalogsku.core.box import Box, area, centre, gap, union
from catalogsku.core.text import fold
from processing.engine.page import Line
from processing.engine.result import BASE_KEYS, CustomValue, Value
from processing.engine.understanding.draft import Draft, Extraction
from processing.engine.understanding.evidence import add_currency, part_box, take_on_request, text_value
from processing.engine.understanding.labelled_lines import line_fields
from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.lists.facts import Fact, FactList, find_fact_lists
from processing.engine.understanding.lists.headings import Heading, headed_lists, is_capital, joined
from processing.engine.understanding.once import as_extractor
from processing.engine.understanding.rules.dictionaries.labels import MATERIAL_OR_MAKE
from processing.engine.understanding.rules.finishes import is_material
from processing.engine.understanding.rules.labels import CODE_OR_NUMBER, SIZE_OR_TEXT
from processing.engine.understanding.rules.normalise import is_valid_price
from processing.engine.understanding.rules.shapes import has_value, is_code, is_lettered_code, is_size
from processing.engine.understanding.rules.wording import is_figure_caption
from processing.engine.understanding.view import PageView

# Of the products: so many tell something that can be measured, or that has a known label.
_MOSTLY = 0.7
# One product alone: facts that it tells, of which so many can be measured or have known labels.
_LEAST_FACTS, _LEAST_MEASURED = 5, 2
# Its heading against their print, and the text of its page against theirs.
_LARGE, _OTHER_TEXT = 1.4, 2.5
# A lettered code at a name's end, also of two words: "HST 1010S", "DX 40 B".
_CODE_AT_END = re.compile(r"\s((?:[A-Z]{2,5}[ -]?)?[A-Z]*\d[\dA-Z/-]*(?:\s[A-Z]{1,2})?)$")
_AMOUNT = re.compile(
    r"\d\s?(mm|cm|m|km|kg|g|mg|t|l|ml|v|vac|vdc|kv|w|kw|hz|khz|mhz|ghz|a|ma|ah|mah|wh|kwh|bar|psi|pa|kpa|mpa|n|kn|nm|rpm"
    r"|lm|°c|℃|°f|db|gb|tb|mb|oz|lb|lbs|ft|in|inch|gsm|m³/h|m3/h|l/min|毫米|厘米|米|克|千克|公斤|升|毫升|瓦|伏|寸|英寸|转)"
    r"(?![a-z0-9\u3400-\u9fff²³])|\d\s?[\"”″℃]"
)
# Ends of labels that narrow what is the product's own where nothing else is, and beginnings after which it is not.
_OWN_ENDS = {
    "size": ("尺寸", " size", " dimensions", " dimension", "size run", "size range"),
    "material": ("材质", "材料", " material"),
    "weight": ("重量", "净重", "毛重", " weight"),
    "color": ("颜色", " color", " colour"),
}
_OTHERS = (
    "包装", "外箱", "装箱", "安装", "开孔", "孔", "屏", "接口", "pack", "carton", "box", "mount", "screen", "hole",
)  # fmt: skip
_SIDES = re.compile(r"\d\s?[a-z\"]{0,2}\s?[x\u0445*×]\s?[a-z]?\s?\d[\d.,]*\s?[a-z\"]{0,2}\s?[x\u0445*×]\s?[a-z]?\s?\d")
# Points by which a heading and its code begin apart.
_ALIGNED_PT = 5.0
# Of a page: a picture over so much of it is its ground, in which photos may have been flattened.
_GROUND = 0.6
# A picture of such a share of the page that is sharper (Picture.blur) is a diagram.
_SHARP, _SMALL = 2000.0, 0.1
# How sure a product is that has a code; one of several set alike; one alone.
_CODED, _ALIKE, _ALONE = 0.8, 0.74, 0.68


@as_extractor("listed")
def extract_listed(view: PageView) -> list[Draft]:
    """One product for each list that begins with its code, else for each heading with lists; nothing where these are
    no facts of things, or nothing is shown."""
    return _products(view)


def lists_tell_more(view: PageView, *others: Extraction) -> bool:
    """The lists give more products than each other way, or as many and more of them; one product without a code only
    where no other way gives any."""
    listed = extract_listed(view)
    if not listed.drafts or any(len(other.drafts) > len(listed.drafts) for other in others):
        return False
    if len(listed.drafts) == 1 and listed.drafts[0].confidence < _CODED:
        return not any(other.drafts for other in others)
    return all(len(other.drafts) < len(listed.drafts) or _told_by(other) < _told_by(listed) for other in others)


def _told_by(extraction: Extraction) -> tuple[int, int]:
    """How many attributes and labelled values, without what is merely said of the product, and how many signs."""
    keyed = [value.text for d in extraction.drafts for key, value in d.attributes.items() if key != "description"]
    labelled = [custom.value for draft in extraction.drafts for custom in draft.custom]
    return len(keyed) + len(labelled), sum(map(len, keyed + labelled))


def _products(view: PageView) -> list[Draft]:
    lists = find_fact_lists(view)
    if not lists:
        return []
    coded = [fact_list for fact_list in lists if fact_list.is_coded]
    if coded and len(coded) * 2 >= len(lists):
        return [_draft(view, None, (fact_list,), _CODED) for fact_list in coded]
    headed = headed_lists(view, lists)
    full = [pair for pair in headed if sum(len(fact_list.facts) for fact_list in pair[1]) >= 3]
    if not full or not _shows(view, len(full)):
        return []
    if len(full) == 1:
        view.seen["told_alone"] = _is_told_alone(view, *full[0])
        return [_draft(view, *full[0], _ALONE)] if view.seen["told_alone"] else []
    measured = [any(_is_measured(fact) for fact_list in lists for fact in fact_list.facts) for _, lists in full]
    drafts = [_draft(view, *pair, _ALIKE) for pair in full]
    if sum(measured) >= _MOSTLY * len(full):
        return drafts
    # A code in each heading tells products as well, where a list tells no amount; a person looks at these.
    named = any(measured) and all("model" in draft.attributes for draft in drafts)
    return [msgspec.structs.replace(draft, confidence=_ALONE) for draft in drafts] if named else []


def _is_told_alone(view: PageView, heading: Heading, lists: Sequence[FactList]) -> bool:
    """A page about one thing: under a large heading hardly anything but its facts, and no figure of a text."""
    facts = [fact for fact_list in lists for fact in fact_list.facts]
    if len(facts) < _LEAST_FACTS or sum(map(_is_measured, facts)) < _LEAST_MEASURED:
        return False
    own = sum(len(fact.label) + len(fact.value) for fact in facts)
    large = heading.size >= _LARGE * max(fact_list.print.size for fact_list in lists)
    return large and view.chars <= _OTHER_TEXT * own and not any(is_figure_caption(line.text) for line in view.lines)


def _shows(view: PageView, products: int) -> bool:
    """A photo for most products, or a page on which photos are part of its ground."""
    ground = view.page.ocr is None and view.page.features.picture_ratio > _GROUND
    photos = [p for p in view.pictures if p.blur <= _SHARP or area(p.box) < _SMALL * view.page_area]
    return len(photos) >= products or ground


def _is_measured(fact: Fact) -> bool:
    known = fact.kind in ("size", "material", "color", "weight", "packing", "price", "moq", "extra")
    return known or is_size(fact.value) or _AMOUNT.search(fold(fact.value)) is not None


def _draft(view: PageView, heading: Heading | None, lists: Sequence[FactList], sure: float) -> Draft:
    number = view.page.number
    attributes, contexts, custom = _told(lists, number)
    if heading is not None:
        attributes = _named(view, heading, union(fact_list.box for fact_list in lists)) | attributes
    elif lists[0].named:
        attributes.setdefault("product_name", _name_of(lists[0].named, number))
    add_currency(attributes)
    on_request = take_on_request(attributes)
    anchor = union([*(fact_list.box for fact_list in lists), *([heading.box] if heading else [])])
    price = attributes.get("price")
    return Draft(
        box=anchor,
        anchor=anchor,
        attributes=attributes,
        custom=custom,
        contexts=contexts,
        confidence=max(sure, _CODED if "model" in attributes else 0.0),
        price_unclear=bool(price and not is_valid_price(price.text)),
        on_request=on_request,
    )


def _told(lists: Sequence[FactList], number: int) -> tuple[dict[str, Value], dict[str, str], tuple[CustomValue, ...]]:
    """What the facts give: attributes, the labels of these, and what else has a label."""
    attributes: dict[str, Value] = {}
    contexts: dict[str, str] = {}
    custom = []
    facts = [fact for fact_list in lists for fact in fact_list.facts]
    for fact, key in zip(facts, _keys(facts), strict=True):
        if not has_value(key, fact.value):
            continue
        value = text_value(fact.value, fact.box, number, "label" if fact.label else "title", 0.95)
        if key and key not in attributes:
            attributes[key], contexts[key] = value, fact.label
        elif fact.label:
            custom.append(CustomValue(fact.label, fact.value, value.evidence))
    return attributes, contexts, tuple(custom)


def _name_of(lines: Sequence[Line], number: int) -> Value:
    heading = Heading(tuple(lines))
    return text_value(joined(heading), heading.box, number, "title", 0.95)


def _named(view: PageView, heading: Heading, box: Box) -> dict[str, Value]:
    """The name, and the code at its end or head, or right under or over it; the name beside a code over the facts."""
    text, number = joined(heading), view.page.number
    if is_code(text) and any(map(str.isalpha, text)):
        model = {"model": text_value(text, heading.box, number, "title", 0.95)}
        level = _name_on_level(view, heading, box)
        return model | ({"product_name": text_value(level.text, level.box, number, "title", 0.95)} if level else {})
    line = heading.lines[-1] if len(heading.lines) == 1 else heading.lines[0]
    match = None if is_capital(text) else _CODE_AT_END.search(text)
    head, _, rest = text.partition(" ")
    code, name = (match.group(1), text[: match.start()]) if match else (head, rest)
    if is_name(name) and any(map(str.isalpha, code)) and any(map(str.isdigit, code)) and (match or is_code(code)):
        return {
            "product_name": text_value(name, part_box(line, name), number, "title", 0.95),
            "model": text_value(code, part_box(line, code), number, "title", 0.95),
        }
    attributes = {"product_name": text_value(text, heading.box, number, "title", 0.95)}
    if beside := _code_beside(view, heading):
        attributes["model"] = beside
    elif level := _code_on_level(view, heading):
        attributes["model"] = text_value(level.text, level.box, number, "title", 0.95)
    return attributes


def _name_on_level(view: PageView, heading: Heading, box: Box) -> Line | None:
    """What stands next to a code at the other end of its line, over the same facts."""
    over = [line for line in _level(view, heading) if box[0] - _ALIGNED_PT <= line.box[0] <= heading.box[0]]
    near = max(over, key=lambda line: line.box[0], default=None)
    named = near is not None and is_name(near.text) and not is_code(near.text) and not line_fields(near, 0)
    return near if named else None


def _code_on_level(view: PageView, heading: Heading) -> Line | None:
    """The next text on the line of a name, where it is a code."""
    near = min(
        (line for line in _level(view, heading) if line.box[0] >= heading.box[2]),
        key=lambda line: line.box[0],
        default=None,
    )
    return near if near is not None and is_lettered_code(near.text) else None


def _level(view: PageView, heading: Heading) -> list[Line]:
    middle = centre(heading.box)[1]
    return [line for line in view.lines if line not in heading.lines and line.box[1] < middle < line.box[3]]


def _code_beside(view: PageView, heading: Heading) -> Value | None:
    """A line right under or over the heading, beginning where it does, that gives nothing but a code."""
    number = view.page.number
    for line in view.lines:
        near = gap(line.box, heading.box) <= heading.size and abs(line.box[0] - heading.box[0]) <= _ALIGNED_PT
        if not near or line in heading.lines:
            continue
        fields = line_fields(line, number)
        codes = [
            f.value
            for f in fields
            if f.value and (f.kind == "model" or (is_code(f.value.text) and f.kind == CODE_OR_NUMBER))
        ]
        if codes:
            return codes[0]
        if is_code(line.text) and any(map(str.isalpha, line.text)):
            return text_value(line.text, line.box, number, "title", 0.95)
    return None


def _keys(facts: Sequence[Fact]) -> Iterator[str | None]:
    """What each fact gives of the product, where it does."""
    known = {key for fact in facts if (key := _known(fact))}
    narrowed = {key: [fact for fact in facts if _narrows(fact, key)] for key in _OWN_ENDS if key not in known}
    measured = [fact for fact in facts if not fact.kind and _is_whole_size(fact)]
    for fact in facts:
        key = _known(fact)
        if key is None:
            key = next((key for key, own in narrowed.items() if len(own) == 1 and own[0] is fact), None)
        if key is None and "size" not in known and not narrowed.get("size") and measured == [fact]:
            key = "size"
        yield key


def _known(fact: Fact) -> str | None:
    if fact.gives_code:
        return "model"
    if fact.kind == SIZE_OR_TEXT and any(map(str.isdigit, fact.value)):
        return "size"
    if fold(fact.label) in MATERIAL_OR_MAKE and not is_material(fact.value):
        return None
    return fact.kind if fact.kind in BASE_KEYS else None


def _narrows(fact: Fact, key: str) -> bool:
    label = fold(fact.label)
    return fact.kind is None and label.endswith(_OWN_ENDS[key]) and not label.startswith(_OTHERS)


def _is_whole_size(fact: Fact) -> bool:
    """A labelled size in three directions."""
    return bool(fact.label) and _SIDES.search(fold(fact.value)) is not None
