"""Pages that go to people are drawn large by the time somebody opens them."""

from collections.abc import Sequence

from catalogsku.core.moves import Moved
from ingestion.lifecycle import PageStatus
from ingestion.services.screenshots import ask_for


def hear_pages(to: str, moved: Sequence[Moved]) -> None:
    if to == PageStatus.HUMAN_QUEUED:
        ask_for([row.id for row in moved])
