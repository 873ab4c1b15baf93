"""The fore-edge: the edge of the closed book, one sliver a page in page order, drawn on the server as SVG."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from catalogsku.core.templatetags.ui import sprite
from ingestion.presentation import LIST_BINS, SEVERITY, worst

register = template.Library()

# The icon on an index tab.
TABS = {
    "HUMAN_QUEUED": "person",
    "HUMAN_PROCESSING": "eye",
    "AI_FAILED": "flag",
    "IMPORT_FAILED": "refused",
    "DEAD_LETTER": "cross",
}
FAULTS = frozenset({"AI_FAILED", "IMPORT_FAILED", "DEAD_LETTER"})
HOLLOW = frozenset({"HUMAN_PROCESSING", "IMPORTED_ASSUMED"})
# Height of a sliver as a share of the whole; states that are not here stand out at full height.
SHARE = {
    **dict.fromkeys(("BLANK", "SKIPPED", "PENDING"), 0.1),
    "AI_QUEUED": 0.2,
    "AI_PROCESSING": 0.56,
    **dict.fromkeys(("AI_COMPLETED", "HUMAN_COMPLETED", "IMPORTED_CONFIRMED", "IMPORTED_ASSUMED"), 0.34),
}

LIST_WIDTH = 184
LIST_HEIGHT = 22
JOB_BINS = 112
LABELS = 8

# One entry a page in page order: (number, state, ...); what follows the state is not drawn.
Edge = Sequence[tuple[Any, ...]]
Rect = tuple[str, str, str, str, str]


def binned(edge: Edge, bins: int) -> list[tuple[int, str]]:
    """(first page, worst state) of at most `bins` bins of equal size in page order."""
    size = -(-len(edge) // bins) or 1
    chunks = (edge[start : start + size] for start in range(0, len(edge), size))
    return [(chunk[0][0], worst(entry[1] for entry in chunk)) for chunk in chunks]


@register.simple_tag
def fore_edge_small(edge: Edge) -> SafeString:
    """184 x 22 for lists: equal neighbours merged, tabs stand out, faults are broken in two."""
    bins = binned(edge, LIST_BINS)
    pitch = LIST_WIDTH / max(1, len(bins))
    parts: list[Rect] = []
    position = 0
    for state, run in groupby(bins, key=lambda item: item[1]):
        length = len(list(run))
        parts += _flat(state, position, length, pitch) if state in SHARE else _tabs(state, position, length, pitch)
        position += length
    return format_html(
        '<svg class="edge edge-list" viewBox="0 0 184 22" role="img" aria-label="{}">{}</svg>',
        _("Progress page by page"),
        format_html_join("", '<rect class="e-{}" x="{}" y="{}" width="{}" height="{}"></rect>', parts),
    )


def _flat(state: str, position: int, length: int, pitch: float) -> list[Rect]:
    height = LIST_HEIGHT * SHARE[state]
    inset = 0.5 if state in HOLLOW else 0.0
    top = LIST_HEIGHT - height + inset
    return [_rect(state, position * pitch + inset, top, length * pitch - 2 * inset, height - 2 * inset)]


def _tabs(state: str, position: int, length: int, pitch: float) -> list[Rect]:
    """A long run of tabs becomes a comb."""
    width = min(4.0, max(1.2, pitch - 0.8)) if length > 1 else 3.0
    parts: list[Rect] = []
    for n in range(length):
        x = min((position + n) * pitch, LIST_WIDTH - width)
        if state in FAULTS:
            parts += [_rect(state, x, 0, width, 5), _rect(state, x, 7, width, LIST_HEIGHT - 7)]
        elif state in HOLLOW:
            parts.append(_rect(state, x + 0.5, 0.5, max(1.5, width - 1), LIST_HEIGHT - 1))
        else:
            parts.append(_rect(state, x, 0, width, LIST_HEIGHT))
    return parts


def _rect(state: str, x: float, y: float, width: float, height: float) -> Rect:
    return state, f"{x:.2f}", f"{y:.2f}", f"{width:.2f}", f"{height:.2f}"


@register.inclusion_tag("ingestion/_fore_edge.html")
def fore_edge(edge: Edge) -> dict[str, object]:
    """36 px high across the job page; each sliver knows its first page, so that live events can redraw it."""
    bins = binned(edge, JOB_BINS)
    pitch = 100 / max(1, len(bins))
    return {
        "slivers": [
            {"number": number, "state": state, "x": f"{n * pitch:.4f}%", "width": f"{pitch:.4f}%"}
            for n, (number, state) in enumerate(bins)
        ],
        "labels": _labels([number for number, _state in bins], edge[-1][0] if edge else 0, pitch),
        "tabs": [{"state": state, "icon": name} for state, name in TABS.items()],
        "pages_per_sliver": -(-len(edge) // JOB_BINS) or 1,
        "states": " ".join(entry[1] for entry in edge),
        "severity": " ".join(SEVERITY),
        "dense": len(bins) > 100,
        "sprite": sprite(),
    }


def _labels(firsts: list[int], last: int, pitch: float) -> list[dict[str, object]]:
    """Page numbers exactly under their sliver: the first, the last and some between."""
    if not firsts:
        return []
    end = len(firsts) - 1
    step = max(1, round(len(firsts) / LABELS))
    shown = sorted({0, *range(step - 1, end - step // 2, step), end})
    return [
        {
            "number": last if n == end else firsts[n],
            "x": f"{(n + 0.5) * pitch:.4f}%",
        }
        for n in shown
    ]
