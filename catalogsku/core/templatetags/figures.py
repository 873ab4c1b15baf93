"""Small figures drawn on the server: the completeness bar of a SKU."""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

register = template.Library()

CELL_PITCH = 5.7


@register.simple_tag
def completeness(cells: Sequence[str]) -> SafeString:
    """One cell an attribute, each checked, machine, check or empty, in the order given."""
    rects = [
        (kind, f"{n * CELL_PITCH + 0.4:.1f}", *(("0", "14") if kind == "check" else ("3", "10")))
        for n, kind in enumerate(cells)
    ]
    filled = sum(kind != "empty" for kind in cells)
    said = _("%(filled)d of %(all)d fields filled, %(open)d to check") % {
        "filled": filled,
        "all": len(cells),
        "open": sum(kind == "check" for kind in cells),
    }
    return format_html(
        '<svg class="complete" viewBox="0 0 {} 14" role="img" aria-label="{}"><title>{}</title>{}</svg>',
        f"{len(cells) * CELL_PITCH:.1f}",
        said,
        said,
        format_html_join("", '<rect class="c-{}" x="{}" y="{}" width="4.5" height="{}"></rect>', rects),
    )
