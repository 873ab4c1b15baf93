"""Small parts that screens draw by the hundred: icons, cells of lists, the time that a task may wait."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import translation
from django.utils.safestring import mark_safe

from annotation.tasks.waiting import countdown as countdown_of
from annotation.templatetags.queue import countdown
from catalogsku.core.templatetags.ui import icon
from processing.lists.presenters import Head
from processing.products.models import Sku
from processing.products.presenters import SkuRow, ValueCell, value_cells
from processing.templatetags.results import list_columns

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
COLUMNS = [Head("size", "Size", right=False), Head("price", "Price", right=True), Head("color", "Colour", right=False)]


def test_what_an_icon_says_is_escaped_however_often_it_was_drawn() -> None:
    """Safe text and other text that reads the same are two icons."""
    assert 'aria-label="<b>"' in icon("flag", label=mark_safe("<b>"))
    assert 'aria-label="&lt;b&gt;"' in icon("flag", label="<b>")
    assert icon("flag", size=14) == icon("flag", size=14) != icon("flag", size=16)


def cell(key: str, text: str, **more: Any) -> ValueCell:
    evidence = {"page_number": 1, "bbox": [0, 0, 1, 1]}
    return ValueCell(**{"key": key, "label": key, "text": text, "source": "direct", "mark_icon": "dot", "mark_word": "",
                        "mark_tone": "machine", "evidence": evidence} | more)  # fmt: skip


def row(*values: ValueCell) -> SkuRow:
    return SkuRow("s1", 1, 1, "BOUND", "", "", "", "valid", 1.0, None, None, list(values), [], "", [], [], None, "", [])


def test_cells_stand_in_the_order_of_the_columns_and_nothing_is_a_dash() -> None:
    drawn = list_columns(row(cell("price", "9.50", unit="CNY"), cell("size", '3" <pipe>')), COLUMNS, "/sku/")
    size, price, colour = drawn.split("</td>")[:3]
    assert 'data-evidence="/sku/?field=size"' in size and "3&quot; &lt;pipe&gt;" in size
    assert price.startswith('<td class="num">') and '<span class="muted">CNY</span>' in price
    assert colour == '<td><span class="muted">—</span>'


@pytest.mark.parametrize("tone", ["person", "fault", "machine"])
def test_a_doubtful_value_is_marked_where_doubts_are_asked_for(tone: str) -> None:
    doubtful = row(cell("size", "10 mm", mark_tone=tone, mark_icon="flag"))
    assert "<svg" not in list_columns(doubtful, COLUMNS, "/sku/")
    assert ("<svg" in list_columns(doubtful, COLUMNS, "/sku/", doubts=True)) == (tone != "machine")


def test_a_value_without_a_place_on_the_page_leads_nowhere() -> None:
    drawn = list_columns(row(cell("size", "10 mm", evidence=None)), COLUMNS, "/sku/")
    assert "10 mm" in drawn and "<button" not in drawn


def test_a_list_prepares_the_values_of_its_columns_alone() -> None:
    sku = Sku(confidence=0.9, attributes={"size": "1 m", "color": "red", "own": "x"})
    names = {"color": "Colour", "size": "Size"}
    assert [value.key for value in value_cells(sku, names)] == ["color", "size", "own"]
    assert [value.key for value in value_cells(sku, names, ["size", "price"])] == ["size"]


@pytest.mark.parametrize(
    ("left_min", "tone", "figure", "word"),
    [
        (100, "calm", "1:40", ""),
        (50, "soon", "50 min", ""),
        (5, "risk", "5 min", "at risk"),
        (-5, "over", "5 min", "overdue"),
    ],
)
def test_a_countdown_tells_its_time_and_what_that_means(left_min: int, tone: str, figure: str, word: str) -> None:
    due = countdown_of(NOON - timedelta(minutes=180 - left_min), None, NOON, 180)
    with translation.override("en"):
        drawn = countdown(due, 180 * 60)
    assert f'data-tone="{tone}"' in drawn and f">{figure}</time>" in drawn and f"<span data-word>{word}</span>" in drawn
    assert "data-still" not in drawn and 'data-limit="10800"' in drawn


def test_a_countdown_stands_still_while_somebody_has_the_task() -> None:
    drawn = countdown(countdown_of(NOON - timedelta(hours=1), NOON, NOON, 180), 10800)
    assert "data-still" in drawn and "UTC" in drawn
