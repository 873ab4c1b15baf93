"""What the results show of a SKU: its values by column, how complete it is, and the proof of a value on the page."""

from collections.abc import Sequence
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from catalogsku.core.templatetags.ui import icon
from processing.lists.presenters import Head, list_cell
from processing.products.presenters import SkuRow, ValueCell

register = template.Library()

Box = Sequence[float]
TO_CHECK = frozenset({"person", "fault"})
# The crop around a value: at least this wide, in points, and as high as the popover is to its width.
CROP_WIDTH_PT = 200.0
CROP_SHAPE = 130 / 388
CROP_MARGIN = 1.5
_RIGHT = mark_safe(' class="num"')
_NOTHING = mark_safe('<span class="muted">—</span>')


@register.simple_tag
def list_columns(row: SkuRow, columns: Sequence[Head], sku_url: str, doubts: bool = False) -> SafeString:
    """A row's cells in the columns that were chosen, each with the way to its proof. ``doubts``: marked where a value
    is to check."""
    return format_html_join(
        "",
        "<td{}>{}</td>",
        ((_RIGHT if head.right else "", _shown(row, head.key, sku_url, doubts)) for head in columns),
    )


def _shown(row: SkuRow, key: str, sku_url: str, doubts: bool) -> SafeString:
    value = list_cell(row, key)
    if value is None or not value.text:
        return _NOTHING
    if not value.evidence:
        return _text(value)
    mark = icon(value.mark_icon, tone=value.mark_tone) if doubts and value.mark_tone in TO_CHECK else ""
    return format_html(
        '<button class="cell" type="button" data-evidence="{}?field={}">{}{}</button>', sku_url, key, mark, _text(value)
    )


def _text(value: ValueCell) -> SafeString:
    """A value with its unit or currency, where that is printed elsewhere."""
    if not value.unit:
        return format_html('<span class="cell-text" title="{0}">{0}</span>', value.text)
    return format_html(
        '<span class="cell-text" title="{0} {1}">{0} <span class="muted">{1}</span></span>', value.text, value.unit
    )


@register.filter
def fields(row: SkuRow) -> list[str]:
    """One word an attribute for the completeness bar."""
    return [_field_kind(value) for value in row.values]


def _field_kind(value: ValueCell) -> str:
    if not value.text:
        return "empty"
    if value.mark_tone in TO_CHECK:
        return "check"
    return "checked" if value.mark_tone == "done" else "machine"


@register.filter
def speaker(row: SkuRow) -> ValueCell | None:
    """The value whose mark stands for the SKU: what is to check first, else what most values rest on."""
    filled = [value for value in row.values if value.text]
    open_ones = [value for value in filled if value.mark_tone in TO_CHECK]
    if open_ones:
        return open_ones[0]
    icons = [value.mark_icon for value in filled]
    return max(filled, key=lambda value: icons.count(value.mark_icon), default=None)


@register.simple_tag
def proof_crop(image_url: str, width_pt: float, height_pt: float, box: Box) -> SafeString:
    """The piece of the page around `box` (points) with the highlighter on it."""
    view = _crop(width_pt, height_pt, box)
    return _page_svg(image_url, width_pt, height_pt, view, _highlight(box))


@register.simple_tag
def proof_page(image_url: str, width_pt: float, height_pt: float, source_box: Box | None, row: Any) -> SafeString:
    """The whole page with the SKU's box and a highlight a value, shown when its field is looked at."""
    boxed = [(value.key, value.evidence["bbox"]) for value in row.values if value.evidence and value.evidence["bbox"]]
    marks = format_html_join(
        "",
        '<g class="proof-mark" data-mark="{}">{}</g>',
        ((key, _highlight(box)) for key, box in boxed),
    )
    drawn = _sku_box(source_box) if source_box else SafeString("")
    return _page_svg(image_url, width_pt, height_pt, (0, 0, width_pt, height_pt), drawn + marks)


@register.simple_tag
def page_sheet(image_url: str, width_pt: float, height_pt: float) -> SafeString:
    """The whole page without marks: scripts draw those of what is looked at."""
    return _page_svg(image_url, width_pt, height_pt, (0, 0, width_pt, height_pt), SafeString(""))


def _crop(width_pt: float, height_pt: float, box: Box) -> Box:
    x0, y0, x1, y1 = box
    width = min(width_pt, max(CROP_WIDTH_PT, (x1 - x0) * CROP_MARGIN, (y1 - y0) * CROP_MARGIN / CROP_SHAPE))
    height = min(height_pt, width * CROP_SHAPE)
    left = min(max(0.0, (x0 + x1 - width) / 2), width_pt - width)
    top = min(max(0.0, (y0 + y1 - height) / 2), height_pt - height)
    return left, top, left + width, top + height


def _page_svg(image_url: str, width_pt: float, height_pt: float, view: Box, marks: SafeString) -> SafeString:
    return format_html(
        '<svg class="proof" viewBox="{} {} {} {}" role="img" aria-label="{}">'
        '<image class="proof-image" href="{}" width="{}" height="{}" preserveAspectRatio="none"></image>{}</svg>',
        *_numbers(view[0], view[1], view[2] - view[0], view[3] - view[1]),
        _("Piece of the page with the value marked"),
        image_url,
        *_numbers(width_pt, height_pt),
        marks,
    )


def _highlight(box: Box) -> SafeString:
    x0, y0, x1, y1 = box[0] - 1, box[1] - 1, box[2] + 1, box[3] + 1
    return format_html(
        '<rect class="hl" x="{0}" y="{1}" width="{2}" height="{3}"></rect>'
        '<line class="hl-line" x1="{0}" x2="{4}" y1="{5}" y2="{5}"></line>',
        *_numbers(x0, y0, x1 - x0, y1 - y0, x1, y1),
    )


def _sku_box(box: Box) -> SafeString:
    return format_html_join(
        "",
        '<rect class="{}" x="{}" y="{}" width="{}" height="{}"></rect>',
        ((css, *_numbers(box[0], box[1], box[2] - box[0], box[3] - box[1])) for css in ("sku-box-case", "sku-box")),
    )


def _numbers(*values: float) -> list[str]:
    return [f"{value:.2f}" for value in values]
