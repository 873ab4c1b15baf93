"""Product cards: labelled fields with a title, for one product or several on a page."""

import re
from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from catalogsku.core.box import Box, centre, contains_point, gap, union
from catalogsku.core.text import squash
from processing.engine.page import Line
from processing.engine.result import BASE_KEYS, CustomValue, Value
from processing.engine.understanding.cards.bare_prices import with_bare_prices, with_price_boxes
from processing.engine.understanding.cards.coded_titles import in_title, under_coded_titles
from processing.engine.understanding.cards.one_title import titled_code, under_one_title
from processing.engine.understanding.cards.sheets import (
    code_beside,
    only_code,
    sheet_title,
    title_area,
    title_of_page,
    title_over,
)
from processing.engine.understanding.cards.titles import title_near, titles_level, titles_over
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import add_currency, take_on_request, text_value
from processing.engine.understanding.fields import find_fields
from processing.engine.understanding.labelled_lines import Field
from processing.engine.understanding.likely_names import is_name
from processing.engine.understanding.once import as_extractor
from processing.engine.understanding.rules.labels import (
    CODE_OR_NUMBER,
    NAME_OR_TEXT,
    SIZE_OR_TEXT,
)
from processing.engine.understanding.rules.normalise import is_valid_price
from processing.engine.understanding.rules.shapes import is_code, is_size
from processing.engine.understanding.rules.wording import is_series
from processing.engine.understanding.running import in_margin
from processing.engine.understanding.tables.families import heads_rows
from processing.engine.understanding.view import PageView

# Behind "Style" and the like: what a thing is finished in, "Off White/Oak".
_FINISHES = re.compile(r"[^\W\d][^\d/]*(?:\s?/\s?[^\W\d][^\d/]*)+")
_IDENTITY = ("model", "product_name")
# Labels of the models of things, and the shortest code that heads a page.
_OF_A_THING, _SHORTEST_HEAD = re.compile(r"[\u3400-\u9fff]{2,4}型号|[a-z]{3,} (model|type)\b", re.IGNORECASE), 5
# Kinds of specification that make a page without a readable product one for a person.
_SPECIFIED = 2
# Cards whose prices have no label.
_LEAST_PRICED = 3
_TOLD_TWICE = frozenset(("weight", "packing"))
# With a mere title over price and one more: a person looks at it.
_TITLED = 0.65
_SPEC = ("price", "size", "material", "color", "moq", "weight", "packing", "brand")


def names_a_product(view: PageView) -> bool:
    """Code and name are both printed as labelled fields, whatever else is missing."""
    fields = find_fields(view)
    kinds = {named.kind for field in fields if (named := _named(view, field, fields)).value}
    return {"model", "product_name"} <= kinds


def specifies_a_product(view: PageView) -> bool:
    """Several specifications of one thing are printed as labelled fields, or one beside its code, or beside its
    features in a table with a photo on the page."""
    fields = find_fields(view)
    kinds = {field.kind for field in fields if field.value and field.kind in (*_SPEC, "model")}
    described = view.pictures and any(
        field.value and field.kind == "description" and _in_table(view, field) for field in fields
    )
    return len(kinds - {"brand", "packing", "model"}) >= _SPECIFIED - ("model" in kinds or bool(described))


def _in_table(view: PageView, field: Field) -> bool:
    return any(contains_point(table.box, *centre(field.box)) for table in view.page.tables)


@as_extractor("card")
def extract_cards(view: PageView) -> list[Draft]:
    """Products given as labelled fields; nothing where the fields name none."""
    printed = find_fields(view)
    fields = _coded_as_page(view, [_named(view, field, printed) for field in printed])
    groups = _groups(view, known_fields(fields))
    named = titles_over(view, groups) or titles_level(view, groups)
    if named:
        fields, groups = _without_styles(printed, fields), [_without_styles(printed, group) for group in groups]
    titles: Sequence[Line | None] = named or [None] * len(groups)
    drafts = [d for group, title in zip(groups, titles, strict=True) if (d := _card(view, group, fields, title))]
    if not drafts or (named and len(drafts) < len(groups)):
        drafts = _priced_without_label(view, groups, fields, titles) or drafts
    drafts = with_price_boxes(view, drafts)
    drafts = with_bare_prices(view, [draft for draft in drafts if not heads_rows(view, draft)])
    return list(drafts)


def _priced_without_label(
    view: PageView, groups: Sequence[list[Field]], fields: list[Field], titles: Sequence[Line | None]
) -> list[Draft]:
    """Cards with a code behind its label and little else, where each has a name of its own and a price without a label:
    so the lines of a legend are, and two cards where all have titles of one kind."""
    cards = [_card(view, group, fields, title, priced=True) for group, title in zip(groups, titles, strict=True)]
    named = [draft for draft in cards if draft and set(_IDENTITY) <= set(draft.attributes)]
    names = {squash(draft.attributes["product_name"].text) for draft in named}
    least = len(groups) if all(titles) else max(_LEAST_PRICED, len(groups))
    if len(named) < least or len(names) < len(named):
        return []
    whole = with_bare_prices(view, named)
    return whole if all("price" in draft.attributes for draft in whole) else []


def known_fields(fields: list[Field]) -> list[Field]:
    return [field for field in fields if field.kind in BASE_KEYS]


def _named(view: PageView, field: Field, fields: list[Field]) -> Field:
    """A field whose label says little ("Item", "名称", "规格") is the code, name or size that no other field gives.
    Behind "Style" and the like, words are a finish where a large code heads the page."""
    if field.kind not in (NAME_OR_TEXT, CODE_OR_NUMBER, SIZE_OR_TEXT, "product_name") or field.value is None:
        return field
    text = field.value.text
    if field.kind == "product_name" and not (is_code(text) and any(map(str.isdigit, text))):
        return field
    key = "model" if is_code(text) else "size" if field.kind == SIZE_OR_TEXT else "product_name"
    if key == "product_name" and field.kind == CODE_OR_NUMBER and (_FINISHES.fullmatch(text) or titled_code(view)):
        return field
    fits = key == "model" or (is_name(text) if key == "product_name" else any(char.isdigit() for char in text))
    taken = any(other.kind == key and other.value for other in fields)
    return replace(field, kind=key) if fits and not taken else field


def _without_styles(printed: list[Field], fields: list[Field]) -> list[Field]:
    """Where every card has its title, the name under a label that may as well tell a code or a style ("Style: V-neck")
    is none."""
    styles = {field.box: field for field in printed if field.kind == CODE_OR_NUMBER}
    return [styles.get(f.box, f) if f.kind == "product_name" else f for f in fields]


def _coded_as_page(view: PageView, fields: list[Field]) -> list[Field]:
    """Where no label names a code, the one under a label of some thing's model ("天线型号") that begins with the code
    which heads the page is the product's; those of parts begin otherwise."""
    if any(field.kind == "model" and field.value for field in fields):
        return fields
    heads = [line.text.strip() for line in view.page.lines if in_margin(line.box, view.page.height_pt)]
    codes = tuple(text for text in heads if len(text) >= _SHORTEST_HEAD and is_code(text))
    own = [
        field
        for field in fields
        if field.value
        and codes
        and _OF_A_THING.search(field.label)
        and is_code(field.value.text)
        and field.value.text.startswith(codes)
    ]
    return [replace(field, kind="model") if own == [field] else field for field in fields]


def _groups(view: PageView, fields: list[Field]) -> list[list[Field]]:
    """Fields by product: each goes to the nearest identity label, or to the nearest at or above it where so every
    product has more of them; without such labels to the title over it."""
    lead = next((key for key in _IDENTITY if any(field.kind == key and field.value for field in fields)), None)
    if lead is None:
        groupings = (under_coded_titles, _under_titles, under_one_title)
        if titled := next((groups for grouping in groupings if (groups := grouping(view, fields))), None):
            return titled
        return [fields] if fields and all(_single(fields, key) for key in BASE_KEYS) else []
    heads = [field for field in fields if field.kind == lead and field.value]
    rest = [field for field in fields if not any(field is head for head in heads)]
    nearest = _shared_out(heads, rest, above_only=False)
    under = _shared_out(heads, rest, above_only=True)
    return under if _in_all(under) > _in_all(nearest) else [_own(group) for group in nearest]


def _shared_out(heads: Sequence[Field], rest: Sequence[Field], *, above_only: bool) -> list[list[Field]]:
    """Each field with the nearest head; empty where only heads above count and a field has none."""
    groups: list[list[Field]] = [[head] for head in heads]
    for field in rest:
        near = [
            (_distance(head.box, field.box), n)
            for n, head in enumerate(heads)
            if not above_only or head.box[1] <= centre(field.box)[1]
        ]
        if not near:
            return []
        groups[min(near)[1]].append(field)
    return groups


def _in_all(groups: Sequence[Sequence[Field]]) -> int:
    """How many kinds of field every group has, once; 0 where a group has one twice."""
    kinds = [[field.kind for field in group] for group in groups]
    if not kinds or any(len(set(own)) < len(own) for own in kinds):
        return 0
    return len(set(kinds[0]).intersection(*kinds))


def _own(group: list[Field]) -> list[Field]:
    """Without what stands above the identity, the first, where that gives again what stands at or below it: it is of a
    product before, whose own identity was not found."""
    head, *rest = group
    above = [field for field in rest if field.box[3] <= head.box[1]]
    own = [head, *(field for field in rest if field not in above)]
    return own if {field.kind for field in above} & {field.kind for field in own} else group


def _under_titles(view: PageView, fields: list[Field]) -> list[list[Field]]:
    """Fields of several products that are named by titles alone, each with its title and the code printed with it."""
    usual = median(field.size for field in fields) if fields else 0.0
    over = [title for field in fields if (title := title_over(view.lines, field.box, max(field.size, usual)))]
    titles = list({title.box: title for title in over}.values())
    beside = [code_beside(view.lines, title) for title in titles]
    each = len({code.box for code in beside if code}) == len(titles)
    groups = []
    for title, near in zip(titles, beside, strict=True) if len(titles) > 1 else ():
        own = title_area(title, titles, (0.0, 0.0, view.page.width_pt, view.page.height_pt))
        group = [field for field in fields if contains_point(own, *centre(field.box))]
        code = near if each else only_code(view.lines, own)
        if (
            not group
            or not all(_single(group, key) for key in BASE_KEYS)
            or not (code or any(f.kind == "price" for f in group))
        ):
            continue
        named = [("product_name", title)] + ([("model", code)] if code else [])
        groups.append([_as_field(kind, line, view.page.number) for kind, line in named] + group)
    return groups


def _as_field(kind: str, line: Line, page_number: int) -> Field:
    """What the print says without a label."""
    return Field("", kind, line.box, text_value(line.text, line.box, page_number, "title", 0.95), line.size)


def _single(fields: list[Field], key: str) -> bool:
    """Given once; what a product weighs and how it is packed may be told in several ways, each under its own label."""
    labels = [squash(field.label) for field in fields if field.kind == key]
    return len(labels) <= 1 or (key in _TOLD_TWICE and len(set(labels)) == len(labels))


def _distance(head: Box, box: Box) -> float:
    """Gap between the boxes; what stands above its identity counts double."""
    return gap(head, box) * (2.0 if box[3] < head[1] else 1.0)


def _card(
    view: PageView, group: list[Field], fields: list[Field], over: Line | None, *, priced: bool = False
) -> Draft | None:
    """``over``: the title where all cards have one of the same kind; ``priced``: its price has no label."""
    attributes: dict[str, Value] = {}
    contexts: dict[str, str] = {}
    for field in sorted(group, key=lambda f: (_is_carton(f), f.box[1], f.box[0])):
        if field.kind in BASE_KEYS and field.value and field.kind not in attributes:
            attributes[field.kind] = field.value
            if field.label:
                contexts[field.kind] = field.label
    box = union(field.box for field in group)
    specs = sum(1 for field in group if field.kind in _SPEC)
    size = max(field.size for field in [f for f in group if f.kind != "price"] or group)
    taken = [field.box for field in fields]
    title = None if "product_name" in attributes else over or title_near(view, box, size, taken)
    if title is not None and "model" in attributes and is_series(title.text):
        title = None
    below = title is not None and title.box[1] > box[3]
    if (title is None or below) and "product_name" not in attributes and len(group) == len(known_fields(fields)):
        over_page = title_of_page(view, box, size, attributes.get("model"))
        title = over_page if sheet_title(view) else title  # what stands below heads what follows
    if title is not None:
        said = in_title(title, view.page.number)
        split = "model" not in attributes and "model" in said
        attributes |= (
            said if split else {"product_name": text_value(title.text, title.box, view.page.number, "title", 0.95)}
        )
        if "model" not in attributes and (code := code_beside(view.lines, title)):
            attributes["model"] = text_value(code.text, code.box, view.page.number, "title", 0.95)
        box = union([box, title.box])
    labelled = "model" in attributes or any(field.kind in _IDENTITY and field.value for field in group)
    both = all(any(field.kind == key and field.value for field in group) for key in _IDENTITY)
    if not _is_product(attributes, labelled, specs + both) and not (labelled and priced):
        return None
    add_currency(attributes)
    price, on_request = attributes.get("price"), take_on_request(attributes)
    sure = 0.9 if price and labelled else 0.8 if labelled or specs > 2 else _TITLED
    return Draft(
        box=box,
        anchor=box,
        attributes=attributes,
        custom=_customs(fields, group, box),
        contexts=contexts,
        confidence=min(sure, *(value.confidence for value in attributes.values())),
        price_unclear=bool(price and not is_valid_price(price.text)),
        on_request=on_request,
    )


def _is_carton(field: Field) -> bool:
    """How large the carton is, where how many it holds may be told as well."""
    return field.kind == "packing" and field.value is not None and is_size(field.value.text)


def _is_product(attributes: dict[str, Value], labelled: bool, specs: int) -> bool:
    """A labelled identity with a price or two specifications; with a mere title, a price and two more.

    ``specs`` counts a name beside a code, both labelled, as one.
    """
    if labelled and any(key in attributes for key in _IDENTITY):
        return "price" in attributes or (specs >= 2 and bool(set(_SPEC) & set(attributes)))
    return "price" in attributes and specs >= 2


def _customs(fields: list[Field], group: list[Field], box: Box) -> tuple[CustomValue, ...]:
    """Labelled values inside the card that the schema does not know; those beside it where it has none of its own."""
    inside = [
        field
        for field in fields
        if field.value and field.kind not in BASE_KEYS and gap(field.box, box) <= max(12.0, field.size)
    ]
    repeated = [field for field in group if field.value and _is_second(field, group)]
    seen: set[str] = set()
    customs = []
    for field in sorted(inside, key=lambda field: gap(field.box, box)) + repeated:
        if field.value and squash(field.label) not in seen:
            seen.add(squash(field.label))
            customs.append(CustomValue(field.label, field.value.text, field.value.evidence))
    return tuple(customs)


def _is_second(field: Field, group: list[Field]) -> bool:
    first = next(
        other
        for other in sorted(group, key=lambda f: (_is_carton(f), f.box[1], f.box[0]))
        if other.kind == field.kind and other.value
    )
    return first is not field
