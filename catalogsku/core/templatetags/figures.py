"""Small figures drawn on the server: completeness bar and sparkline."""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

register = template.Library()

CELL_PITCH = 5.7
SPARK_WIDTH = 82
SPARK_HEIGHT = 28


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


@register.simple_tag
def sparkline(values: Sequence[float], label: str) -> SafeString:
    """A line over its area, scaled to its own maximum; nothing for fewer than two readings."""
    if len(values) < 2:
        return SafeString("")
    top = max(values) or 1
    step = (SPARK_WIDTH - 4) / (len(values) - 1)
    points = [(2 + n * step, SPARK_HEIGHT - 2 - value / top * (SPARK_HEIGHT - 8)) for n, value in enumerate(values)]
    line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return format_html(
        '<svg class="spark" viewBox="0 0 82 28" role="img" aria-label="{}">'
        '<path class="area" d="{}"></path><path d="{}"></path>'
        '<circle cx="{}" cy="{}" r="2.2" fill="currentColor"></circle></svg>',
        label,
        f"{line}L{points[-1][0]:.1f} {SPARK_HEIGHT}L{points[0][0]:.1f} {SPARK_HEIGHT}Z",
        line,
        f"{points[-1][0]:.1f}",
        f"{points[-1][1]:.1f}",
    )
