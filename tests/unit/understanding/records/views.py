"""A page as the proposers see it."""

from collections.abc import Sequence

from processing.engine.page import Line, ParsedPage, Picture
from processing.engine.result import DocumentFacts
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.draft import Draft
from processing.engine.understanding.records.propose import ALL_PROPOSERS
from processing.engine.understanding.view import PageView
from tests.unit.understanding.pages import line, picture


def view(page: ParsedPage) -> PageView:
    return PageView(page, (), DocumentFacts(), AnalystConfig(proposers=ALL_PROPOSERS))


def told(drafts: tuple[Draft, ...], *keys: str) -> list[tuple[str | None, ...]]:
    """What each product says of itself under these keys."""
    return [tuple(d.attributes[key].text if key in d.attributes else None for key in keys) for d in drafts]


def in_grid(*texts: Sequence[tuple[str, float, float]]) -> list[Line]:
    """Texts of each card with how far below its corner they stand and how large, three cards in a row."""
    return [
        line(text, 50 + n % 3 * 175, 100 + n // 3 * 220 + down, size)
        for n, card in enumerate(texts)
        for text, down, size in card
    ]


def photos(count: int) -> list[Picture]:
    """Each at the corner of its card, 120 by 100 points."""
    corners = [(50 + n % 3 * 175, 100 + n // 3 * 220) for n in range(count)]
    return [picture(f"P{n}", (x, y, x + 120, y + 100)) for n, (x, y) in enumerate(corners)]
