"""Small drawn parts of the job page beside its fore-edge: tiles, phase lines and the icons of reasons."""

from functools import lru_cache

from django import template
from django.template.loader import get_template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from catalogsku.core.templatetags.ui import icon, sprite
from ingestion.presentation import Tile
from ingestion.shown import KEPT

register = template.Library()

REASON_ICONS = {
    "binding": "binding",
    "price": "price",
    "layout": "layout",
    "confidence": "gauge",
    "attribute": "text",
    "spec": "spec",
    "picture": "no-picture",
    "table": "results",
    "text": "text",
}


@register.simple_tag
def phase_line(share: float | None, phase: str) -> SafeString:
    """The foot line of a phase, filled to `share` (0 to 1); live events set its width."""
    percent = f"{max(0.0, min(1.0, share or 0.0)) * 100:.1f}%"
    return format_html(
        '<svg class="bar phase-line" aria-hidden="true" focusable="false">'
        '<rect class="track" width="100%" height="100%"></rect>'
        '<rect class="fill" width="{}" height="100%" data-figure-attr="width:phase.{}.share"></rect></svg>',
        percent,
        phase,
    )


@register.simple_tag
def reason_icon(code: str) -> SafeString:
    """The icon of what stopped a machine, by the first word of the blocker's code that has one."""
    name = next((REASON_ICONS[word] for word in code.split("_") if word in REASON_ICONS), "person")
    return icon(name, size=14, tone="person")


@register.simple_tag
@lru_cache(maxsize=KEPT)
def tile_html(tile: Tile, pages: str) -> str:
    """A tile, rendered once for as long as it shows the same; its words are in the reader's language already."""
    return get_template("ingestion/_tile.html").render({"tile": tile, "pages": pages, "sprite_url": sprite()})
