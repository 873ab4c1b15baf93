"""A judged page as a picture with boxes on it: what the truth says, or what was found."""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from processing.quality.presenters import Overlay

register = template.Library()

# A page is shown about 600 px wide, whatever its size on paper: tags keep 11 px there.
SHOWN_PX = 600
TAG_PX, TAG_HEIGHT_PX, TAG_BASE_PX, TAG_PADDING_PX = 11, 17, 12.5, 10
LATIN_WIDTH = 0.6  # of its height, in semibold
LEAST_SIGNS = 6
LAST_LATIN = 0x2E7F


@register.simple_tag
def judged_page(url: str, width_pt: float, height_pt: float, overlays: Sequence[Overlay], label: str) -> SafeString:
    """Boxes in points over the picture; those with a tag come last, so that nothing covers them."""
    scale = width_pt / SHOWN_PX
    drawn = sorted(overlays, key=lambda overlay: bool(overlay.tag))
    return format_html(
        '<svg class="proof judged" viewBox="0 0 {0} {1}" role="img" aria-label="{2}">'
        '<image class="proof-image" href="{3}" width="{0}" height="{1}" preserveAspectRatio="none"></image>{4}</svg>',
        _number(width_pt),
        _number(height_pt),
        label,
        url,
        format_html_join("", "{}", ((_drawn(overlay, scale, width_pt),) for overlay in drawn)),
    )


def _drawn(overlay: Overlay, scale: float, width_pt: float) -> SafeString:
    x0, y0, x1, y1 = overlay.box
    place = tuple(map(_number, (x0, y0, max(0.0, x1 - x0), max(0.0, y1 - y0))))
    wrong = " judged-wrong" if overlay.tag else ""
    rects = format_html_join(
        "",
        '<rect class="{}" x="{}" y="{}" width="{}" height="{}"></rect>',
        (("judged-case", *place), (f"judged-{overlay.css}{wrong}", *place)),
    )
    tag = _tag(overlay, scale, width_pt) if overlay.tag else SafeString("")
    return format_html("<g><title>{}</title>{}{}</g>", overlay.title, rects, tag)


def _tag(overlay: Overlay, scale: float, width_pt: float) -> SafeString:
    """On top of a SKU's box, at the foot of a picture's: where both are wrong neither hides the other."""
    x0, y0, x1, y1 = overlay.box
    room = int(((x1 - x0) / scale - TAG_PADDING_PX) / (LATIN_WIDTH * TAG_PX))
    shown = _cut(overlay.tag, max(room, LEAST_SIGNS))
    width = (_signs(shown) * LATIN_WIDTH * TAG_PX + TAG_PADDING_PX) * scale
    height = TAG_HEIGHT_PX * scale
    left = max(0.0, min(x0, width_pt - width))
    top = max(0.0, y0 - height if overlay.css == "sku" else y1 - height)
    return format_html(
        '<rect class="judged-tag" x="{}" y="{}" width="{}" height="{}" rx="{}"></rect>'
        '<text class="judged-tag-text" x="{}" y="{}" font-size="{}">{}</text>',
        *map(_number, (left, top, width, height, 3 * scale)),
        *map(_number, (left + TAG_PADDING_PX / 2 * scale, top + TAG_BASE_PX * scale, TAG_PX * scale)),
        shown,
    )


def _signs(text: str) -> int:
    """A Chinese sign takes the room of two Latin ones."""
    return sum(2 if ord(sign) > LAST_LATIN else 1 for sign in text)


def _cut(text: str, room: int) -> str:
    if _signs(text) <= room:
        return text
    while text and _signs(text) >= room:
        text = text[:-1]
    return f"{text}…"


def _number(value: float) -> str:
    return f"{value:.2f}"
