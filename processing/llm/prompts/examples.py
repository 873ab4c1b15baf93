"""Examples of a prompt: people's confirmed answers to pages of the same category and type (LA-PROMPT). Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

MIN_QUALITY = 0.85  # LA-PROMPT
MOST, MOST_CHARS = 3, 4000


@dataclass(frozen=True)
class Example:
    """``key`` of the prompt; ``shown``: text of the page it is from; ``answer``: JSON; ``quality`` 0 to 1."""

    id: int
    key: str
    category: str
    page_type: str
    confirmed: bool
    quality: float
    shown: str
    answer: str


def chosen(examples: Iterable[Example], key: str, category: str, page_type: str) -> tuple[Example, ...]:
    """The best three that may be shown, the newest first of equal ones; their ids belong to the request's key."""
    fit = (
        example
        for example in examples
        if (example.key, example.category, example.page_type, example.confirmed) == (key, category, page_type, True)
        and example.quality >= MIN_QUALITY
        and len(example.shown) + len(example.answer) <= MOST_CHARS
    )
    return tuple(sorted(fit, key=lambda example: (-example.quality, -example.id))[:MOST])


def examples_zone(examples: Sequence[Example]) -> str:
    """As text for the zone, escaped; empty for none."""
    return "\n".join(
        f"<example>\n<shown>\n{escape(example.shown)}\n</shown>\n<answer>{escape(example.answer)}</answer>\n</example>"
        for example in examples
    )
