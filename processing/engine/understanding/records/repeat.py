"""Records that share a form: print of one style leads each of them, and what stands under or behind it is its own.

Cards, captions, lists with leader dots, headings with lines under them, names at photos and rows of menus are one thing
here: a style whose lines may name products, and for each of these lines the part of the page up to the next one.
"""

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

import msgspec

from catalogsku.core.box import Box, centre, height, union, width
from catalogsku.core.text import trim
from processing.engine.page import Line
from processing.engine.result import Value
from processing.engine.understanding.captions.text import read_caption
from processing.engine.understanding.draft import Draft, Extraction
from processing.engine.understanding.evidence import add_currency, take_on_request, text_value
from processing.engine.understanding.labelled_lines import line_fields
from processing.engine.understanding.likely_names import bare_name, is_name
from processing.engine.understanding.records.pictured import with_pictures
from processing.engine.understanding.records.spans import Span, paragraphs, spans_of
from processing.engine.understanding.rules.labels import label_kind
from processing.engine.understanding.rules.shapes import is_code, is_extent, is_number, is_price
from processing.engine.understanding.rules.wording import is_heading_word, is_sentence, without_number
from processing.engine.understanding.view import PageView

_LEAST, _MOST = 2, 250
# One line alone leads a page in one of so many of its largest styles.
_LARGE_STYLES = 3
# Of a style's lines: the share that may lead a record.
_LEADING = 0.5
# Of a style's lines: the share from which on a sentence among them is a name too, and its signs.
_NEARLY_ALL, _LONGEST = 0.8, 70
# From so many on, the share of leads that differ: a few products may share their name, many are told apart by it.
_MANY, _DISTINCT = 6, 0.4
# Of the size: by how much print of one row or column is out of line.
_IN_ROW = 0.8
# Of the height of records that end with the next one: the height of those that nothing ends.
_OPEN_END = 1.25


@dataclass(frozen=True)
class Repeat:
    """``leads``: what leads each record; ``parts``: what else is in it. ``how``: a name of the reading."""

    how: str
    leads: tuple[Span, ...]
    parts: tuple[tuple[Span, ...], ...]


def repeats(view: PageView) -> Iterator[Repeat]:
    """Every way in which a style of the page may lead records: each of its lines, each of its paragraphs, or the first
    line of each paragraph. One line alone may lead the page's only record where its print is among the largest."""
    lines = spans_of(view)
    whole = paragraphs(lines)
    first = [Span(span.lines[:1], span.style, span.size, span.bold) for span in whole]
    rest = [Span((line,), span.style, span.size, span.bold) for span in whole for line in span.lines[1:]]
    large = sorted({span.style for span in lines})[-_LARGE_STYLES:]
    seen: set[tuple[Box, ...]] = set()
    for how, leading, others in (("lines", lines, lines), ("paragraphs", whole, whole), ("first", first, first + rest)):
        styles: dict[int, list[Span]] = {}
        for span in leading:
            styles.setdefault(span.style, []).append(span)
        for style, members in styles.items():
            leads = _leads(members)
            alone = len(leads) == 1 and style in large
            if not (alone or _LEAST <= len(leads) <= _MOST) or len(leads) < _LEADING * len(members):
                continue
            if len(leads) >= _MANY and len({trim(span.text) for span in leads}) < _DISTINCT * len(leads):
                continue  # what most cards say alike: "Available in English"
            places = tuple(span.box for span in leads)
            if places not in seen:
                seen.add(places)
                yield from _readings("one" if alone else how, leads, others, view)


def _leads(members: Sequence[Span]) -> list[Span]:
    """Of one style those that may lead; where nearly all do, also what alone would be taken for a sentence."""
    leads = [span for span in members if may_lead(span)]
    if len(leads) < _NEARLY_ALL * len(members):
        return leads
    return [span for span in members if span in leads or may_lead(span, sentence=True)]


def may_lead(span: Span, sentence: bool = False) -> bool:
    """May name a product or be its code, behind its number in a list: no price, no label, no sentence."""
    text = without_number(trim(span.text))
    if is_price(text) or is_number(text) or label_kind(text) or is_heading_word(text):
        return False
    if is_sentence(text):
        return sentence and len(text) <= _LONGEST
    if any(line_fields(line, 0) for line in span.lines):
        return False
    return is_name(bare_name(text)) or is_code(text)


def _readings(how: str, leads: Sequence[Span], spans: Sequence[Span], view: PageView) -> Iterator[Repeat]:
    for reading, lanes in (("lanes", _lanes(leads, view)), ("across", [(0.0, view.page.width_pt)] * len(leads))):
        if reading == "across" and _share_rows(leads):
            continue
        yield Repeat(f"{how}.{reading}", tuple(leads), _parts(leads, lanes, spans))


def _rows(leads: Sequence[Span]) -> list[list[int]]:
    """Numbers of leads beside each other, left to right."""
    rows: list[list[int]] = []
    for n in sorted(range(len(leads)), key=lambda n: centre(leads[n].box)[1]):
        y = centre(leads[n].box)[1]
        last = leads[rows[-1][-1]] if rows else None
        if last is not None and abs(centre(last.box)[1] - y) <= _IN_ROW * max(height(last.box), leads[n].size):
            rows[-1].append(n)
        else:
            rows.append([n])
    return [sorted(row, key=lambda n: leads[n].box[0]) for row in rows]


def _share_rows(leads: Sequence[Span]) -> bool:
    return any(len(row) > 1 for row in _rows(leads))


def _lanes(leads: Sequence[Span], view: PageView) -> list[tuple[float, float]]:
    """From where to where across the page each lead has its own: up to its neighbours' beginnings, or to the middle
    between them where they are centred. One alone in its row has the lane of the column that it stands in."""
    centred = _is_centred(leads)
    lanes: dict[int, tuple[float, float]] = {}
    lone = []
    for row in _rows(leads):
        if len(row) == 1:
            lone.append(row[0])
            continue
        boxes = [leads[n].box for n in row]
        pad = leads[row[0]].size
        cuts = [(a[2] + b[0]) / 2 if centred else b[0] - 0.5 * pad for a, b in itertools.pairwise(boxes)]
        step = median(b[0] - a[0] for a, b in itertools.pairwise(boxes))
        first = max(0.0, centre(boxes[0])[0] - step / 2) if centred else boxes[0][0] - pad
        last = centre(boxes[-1])[0] + step / 2 if centred else boxes[-1][0] + 1.1 * max(step, width(boxes[-1]))
        edges = [first, *cuts, min(view.page.width_pt, max(last, boxes[-1][2]))]
        lanes |= {n: (edges[k], edges[k + 1]) for k, n in enumerate(row)}
    for n in lone:
        x = centre(leads[n].box)[0] if centred else leads[n].box[0]
        own = [lane for lane in lanes.values() if lane[0] <= x < lane[1]]
        lanes[n] = own[0] if own else _column(leads, n, view)
    return [lanes[n] for n in range(len(leads))]


def _column(leads: Sequence[Span], n: int, view: PageView) -> tuple[float, float]:
    """Between the columns of leads beside this one's; the page's width where there is no other."""
    own = leads[n].box
    right = [lead.box[0] for lead in leads if lead.box[0] > own[2]]
    left = [lead.box[2] for lead in leads if lead.box[2] < own[0]]
    return (max(left, default=0.0) if left else 0.0, min(right, default=view.page.width_pt))


def _is_centred(leads: Sequence[Span]) -> bool:
    """Leads under each other are more alike in their middle than in their beginning."""
    lefts, middles = [], []
    for n, lead in enumerate(leads):
        below = [
            o for o in leads[n + 1 :] if o.box[0] < lead.box[2] and lead.box[0] < o.box[2] and o.box[1] > lead.box[3]
        ]
        if below:
            other = min(below, key=lambda o: o.box[1])
            lefts.append(abs(lead.box[0] - other.box[0]))
            middles.append(abs(centre(lead.box)[0] - centre(other.box)[0]))
    return bool(lefts) and median(middles) < 0.7 * median(lefts)


def _parts(
    leads: Sequence[Span], lanes: Sequence[tuple[float, float]], spans: Sequence[Span]
) -> tuple[tuple[Span, ...], ...]:
    """What stands in each lead's lane from its line down to the next one; larger print ends a record."""
    own = {span.box for span in leads}
    parts: list[list[Span]] = [[] for _ in leads]
    ends = [_end(n, leads, lanes, spans) for n in range(len(leads))]
    closed = [end - lead.box[1] for end, lead in zip(ends, leads, strict=True) if end < float("inf")]
    longest = _OPEN_END * max(closed) if closed else float("inf")
    for span in spans:
        if span.box in own:
            continue
        x, y = centre(span.box)
        over = [
            n
            for n, lead in enumerate(leads)
            if lanes[n][0] <= x < lanes[n][1]
            and lead.box[1] - 0.3 * lead.size <= y < ends[n]
            and y < lead.box[1] + longest
        ]
        if over:
            parts[max(over, key=lambda n: leads[n].box[1])].append(span)
    return tuple(tuple(part) for part in parts)


def _end(n: int, leads: Sequence[Span], lanes: Sequence[tuple[float, float]], spans: Sequence[Span]) -> float:
    """Where the next lead of the lane begins, or print that is larger; infinite where nothing ends it."""
    lead, (left, right) = leads[n], lanes[n]
    below = [
        other.box[1] - 0.3 * other.size
        for other in leads
        if other.box[1] > lead.box[3] - 0.3 * lead.size
        and left <= max(left, min(other.box[0], right - 1)) < right
        and other.box[0] < right
        and other.box[2] > left
    ]
    larger = [
        span.box[1]
        for span in spans
        if span.style // 2 > lead.style // 2
        and span.box[1] > lead.box[1]
        and span.box[0] < right
        and span.box[2] > left
        and not (is_price(span.text) or _is_amount(span.text))
    ]
    return min([*below, *larger], default=float("inf"))


# --- what a record says --------------------------------------------------------------------------


def extract_repeat(repeat: Repeat, view: PageView) -> Extraction:
    drafts = [_draft(lead, part, view) for lead, part in zip(repeat.leads, repeat.parts, strict=True)]
    records = tuple(with_pictures(with_slots(drafts, repeat.parts, view.page.number), view))
    return Extraction(records, used=tuple(draft.box for draft in records), extractor=f"repeat.{repeat.how}")


def _draft(lead: Span, part: Sequence[Span], view: PageView) -> Draft:
    page = view.page.number
    lines: list[Line] = [line for span in part for line in span.lines]
    first = without_number(trim(lead.text))
    attributes, contexts, custom = read_caption((*lead.lines, *lines), page)
    if not is_code(first):
        name = attributes.get("product_name")
        if name is None or not _same(name.text, first):
            own = _named(lead, attributes, page)
            rest = attributes.pop("product_name", None)
            attributes["product_name"] = own
            whole = own.text if first == trim(lead.text) else trim(lead.text)
            if rest is not None and "description" not in attributes and rest.text not in whole:
                attributes["description"] = rest
    elif "model" not in attributes:
        attributes["model"] = text_value(first, lead.box, page, "caption")
    on_request = take_on_request(attributes)
    add_currency(attributes)
    box = union([lead.box, *(span.box for span in part)])
    return Draft(
        box=box,
        anchor=box,
        attributes=attributes,
        custom=custom,
        contexts=contexts,
        confidence=0.7,
        on_request=on_request,
    )


def _same(a: str, b: str) -> bool:
    return "".join(a.split()) == "".join(b.split())


def _named(lead: Span, attributes: dict[str, Value], page: int) -> Value:
    """The lead as the name, without a code that is read from it."""
    text = without_number(bare_name(trim(lead.text)) or trim(lead.text))
    model = attributes.get("model")
    if model is not None and text.startswith(model.text) and len(text) > len(model.text) + 2:
        text = text[len(model.text) :].lstrip(" -–—:/|")
    return text_value(text, lead.box, page, "caption")


# --- what stands at the same place of each record -------------------------------------------------

_SLOT_SHARE, _SLOT_LEAST = 0.6, 2
_AMOUNT = re.compile(r"\d{1,3}(?:[., ’']\d{3})+(?:[.,]\d{2})?|\d+[.,]\d{2}")


def with_slots(drafts: Sequence[Draft], parts: Sequence[Sequence[Span]], page: int) -> list[Draft]:
    """Roles are pooled over the slot: where most records have at one place, in one print, what looks like a size or an
    amount of money and is none of their values yet, it is that."""
    done = list(drafts)
    for key, looks in (("price", _is_amount), ("size", _tells_extent)):
        slots: dict[tuple[int, int], list[tuple[int, Span]]] = {}
        for n, part in enumerate(parts):
            for slot, span in _slots(part):
                slots.setdefault(slot, []).append((n, span))
        lacking = [n for n, draft in enumerate(done) if key not in draft.attributes]
        if len(lacking) < _SLOT_LEAST or len(lacking) < _SLOT_SHARE * len(done):
            continue
        for members in sorted(slots.values(), key=len, reverse=True):
            fitting = [(n, span) for n, span in members if looks(span.text) and n in lacking]
            if len(fitting) < max(_SLOT_LEAST, _SLOT_SHARE * len(done)) or len(fitting) < _SLOT_SHARE * len(members):
                continue
            for n, span in fitting:
                if not _is_told(done[n], span, key):
                    value = text_value(span.text, span.box, page, "caption")
                    rest = {k: v for k, v in done[n].attributes.items() if k != "description" or v.text != value.text}
                    done[n] = msgspec.structs.replace(done[n], attributes={**rest, key: value})
            break
    return done


def _slots(part: Sequence[Span]) -> Iterator[tuple[tuple[int, int], Span]]:
    """Style, and the how manieth of it in the record."""
    seen: Counter[int] = Counter()
    for span in part:
        yield (span.style, seen[span.style]), span
        seen[span.style] += 1


def _is_amount(text: str) -> bool:
    return _AMOUNT.fullmatch(text.strip()) is not None


def _tells_extent(text: str) -> bool:
    """A measure, alone or behind a word or two: "Pot 250g", "Poche 150 g"."""
    words = text.split()
    return (
        len(words) <= 5
        and len(text) <= 40
        and not is_price(text)
        and (
            is_extent(text)
            or any(
                is_extent(" ".join(words[n:])) and any(map(str.isdigit, "".join(words[n:])))
                for n in range(1, len(words))
            )
        )
    )


def _is_told(draft: Draft, span: Span, key: str) -> bool:
    return any(k != "description" and span.text in value.text for k, value in draft.attributes.items()) or key in (
        draft.attributes
    )
