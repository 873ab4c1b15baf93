"""Pages about one product that no label names: a poster with a line or two of print, or the sheet of one device."""

from collections.abc import Sequence

from catalogsku.core.box import Box, area, height, union
from catalogsku.core.text import squash, trim
from processing.engine.page import Line
from processing.engine.understanding.captions.text import read_caption
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.evidence import add_currency, part_box, take_on_request, text_value
from processing.engine.understanding.fields import find_fields
from processing.engine.understanding.labelled_lines import Field
from processing.engine.understanding.once import as_extractor
from processing.engine.understanding.rules.headings import is_document, is_drawing
from processing.engine.understanding.rules.shapes import prices_in
from processing.engine.understanding.rules.wording import is_sentence, is_series, is_title_of_document
from processing.engine.understanding.running import in_margin
from processing.engine.understanding.signs import begins_with_code, product_sign
from processing.engine.understanding.view import PageView

# Heights of print that may lie between two lines of one caption.
_APART = 2.5
# Another picture over this share of the poster shows something of its own.
_OTHER = 0.25
# A title is clearly larger than the body and stands in the upper part; a cover has fewer lines than this.
_LARGE, _UPPER = 1.6, 0.4
_LEAST_LINES = 10
_SHORTEST_CODE = 4
# What may stand behind the code in the title of the page that introduces the device.
_INTRODUCES = frozenset(
    map(
        squash,
        ("", "features", "key features", "overview", "product overview", "introduction", "product introduction",
         "general description", "description", "特性", "特点", "产品特点", "概述", "产品概述", "简介", "产品简介"),
    )
)  # fmt: skip
_SHEET_KEYS = ("size", "material", "color", "weight", "packing")
# Specifications of the device itself that make its sheet; one alone may be that of a part.
_LEAST_KEYS = 2
_BODY_KEYS = frozenset(("size", "material", "color", "weight"))


@as_extractor("single")
def extract_single(view: PageView) -> list[Draft]:
    """The one product of a poster or of a device's sheet; nothing otherwise."""
    draft = _on_poster(view) or _on_sheet(view)
    return [draft] if draft else []


def _on_poster(view: PageView) -> Draft | None:
    """Code and name, or one of them with a price, in one group of lines; its picture rules the page.

    Covers and the leaves before chapters print codes too ("AW26", "K200 Series"); without a price these are none.
    """
    poster = view.poster
    if poster is None or any(
        area(other.box) > _OTHER * area(poster.box) for other in view.shown if other is not poster
    ):
        return None
    signs = [line for line in view.lines if product_sign(line)]
    if not signs or sum(prices_in(line.text) for line in view.lines) > 1:
        return None
    lines = _group(signs[0], view.lines)
    if any(line not in lines for line in signs) or any(_tells(line.text) for line in lines):
        return None
    if any(is_title_of_document(line.text) for line in view.page.lines):
        return None
    attributes, contexts, custom = read_caption(tuple(lines), view.page.number)
    on_request = take_on_request(attributes)
    if sum(key in attributes for key in ("model", "product_name", "price")) < 2:
        return None
    if "price" not in attributes and (view.page.number == 1 or len(attributes["model"].text) < _SHORTEST_CODE):
        return None
    add_currency(attributes)
    text = union(line.box for line in lines)
    return Draft(
        box=union([text, poster.box]),
        anchor=text,
        attributes=attributes,
        custom=custom,
        contexts=contexts,
        confidence=0.86,
        picture=poster.box,
        on_request=on_request,
    )


def _tells(text: str) -> bool:
    """Running text, or what a picture shows that is no product for sale."""
    return is_sentence(text) or is_drawing(text) or is_document(text) or is_series(text)


def _group(lead: Line, lines: Sequence[Line]) -> list[Line]:
    """The lines around ``lead`` that no larger hole parts from it, top to bottom."""
    group = [lead]
    while more := [
        line for line in lines if line not in group and any(_near(line.box, member.box) for member in group)
    ]:
        group += more
    return sorted(group, key=lambda line: (line.box[1], line.box[0]))


def _near(a: Box, b: Box) -> bool:
    hole = max(a[1] - b[3], b[1] - a[3], 0.0)
    return hole <= _APART * min(height(a), height(b))


def _on_sheet(view: PageView) -> Draft | None:
    """A device whose code heads a page of text or of its own specifications."""
    fields = {field.kind: field for field in reversed(find_fields(view)) if field.kind in _SHEET_KEYS and field.value}
    code = _title_code(view) or (_header_code(view) if len(_BODY_KEYS & set(fields)) >= _LEAST_KEYS else None)
    if code is None or _stood_before(view, code) or any(product_sign(line) == "price" for line in view.lines):
        return None
    return _sheet(view, code, [field for field in fields.values() if _is_whole(field)])


def _stood_before(view: PageView, title: Line) -> bool:
    """Also a page before has it near its top: it goes on about the same device."""
    text = squash(title.text)
    return any(
        line.box[1] < _UPPER * page.height_pt and squash(line.text) == text
        for page in view.earlier
        for line in page.lines
    )


def _is_whole(field: Field) -> bool:
    """Has a value that does not go on in the next line."""
    return field.value is not None and field.value.text[-1] not in "x×*/,，、"


def _sheet(view: PageView, code: Line, fields: Sequence[Field]) -> Draft:
    text = trim(code.text).split(" ", 1)[0]
    attributes = {field.kind: field.value for field in fields if field.kind and field.value}
    attributes["model"] = text_value(text, part_box(code, text), view.page.number, "title", 0.95)
    box = union([code.box, *(field.box for field in fields)])
    contexts = {field.kind: field.label for field in fields if field.kind}
    return Draft(box=box, anchor=code.box, attributes=attributes, contexts=contexts, confidence=0.76)


def _title_code(view: PageView) -> Line | None:
    """The page's largest line, in the upper part over a page of text: a code, or one with a word of introduction."""
    sizes = sorted(line.size for line in view.lines)
    upper = [line for line in view.lines if line.box[1] < _UPPER * view.page.height_pt]
    title = max(upper, key=lambda line: (line.size, -line.box[1]), default=None)
    if title is None or len(view.lines) < _LEAST_LINES or title.size < sizes[-1]:
        return None
    code, _, rest = trim(title.text).partition(" ")
    introduces = squash(rest) in _INTRODUCES and len(code) >= _SHORTEST_CODE
    large = title.size >= _LARGE * sizes[len(sizes) // 2]
    return title if large and introduces and begins_with_code(title.text) and not is_document(title.text) else None


def _header_code(view: PageView) -> Line | None:
    """The line of the page's margins that begins with a code, where all that do begin with the same."""
    margins = [line for line in view.page.lines if in_margin(line.box, view.page.height_pt)]
    coded = [line for line in margins if begins_with_code(line.text) and not is_document(line.text)]
    return coded[0] if len({squash(line.text.split(" ", 1)[0]) for line in coded}) == 1 else None
