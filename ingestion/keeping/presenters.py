"""Rules for keeping, and what was or would be deleted, put into words."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from catalogsku.core.personal_data import Kind as PersonalKind
from ingestion import personal_data
from ingestion.keeping.models import Deletion, DeletionState, Subject
from ingestion.keeping.policies import POLICIES, Kind
from ingestion.keeping.services.scanning import LOGS

# Icon and tone of a state.
_LOOKS = {
    DeletionState.ROWS: ("running", "acc"), DeletionState.FILES: ("running", "acc"),
    DeletionState.DONE: ("check", "done"), DeletionState.LEFT: ("warning", "fault"),
}  # fmt: skip


@dataclass(frozen=True)
class DeletionRow:
    """``found``: places where something is left, as the database calls them."""

    what: str
    number: int
    word: str
    icon: str
    tone: str
    rows: int
    files: int
    bytes: int
    by: str
    at: datetime
    found: str
    log_lines: int
    is_open: bool


def deletion_rows(deletions: list[Deletion]) -> list[DeletionRow]:
    return [_row(deletion) for deletion in deletions]


def _row(deletion: Deletion) -> DeletionRow:
    state = DeletionState(deletion.state)
    icon, tone = _LOOKS[state]
    return DeletionRow(
        what=str(Subject(deletion.subject).label),
        number=deletion.number,
        word=str(state.label),
        icon=icon,
        tone=tone,
        rows=sum(deletion.rows.values()),
        files=deletion.files,
        bytes=deletion.bytes,
        by=_("by its rule") if deletion.by_rule else str(deletion.asked_by or _("a command")),
        at=deletion.asked_at,
        found=", ".join(f"{place} {n}" for place, n in deletion.found.items() if place != LOGS),
        log_lines=deletion.found.get(LOGS, 0),
        is_open=deletion.ended_at is None,
    )


def personal_words(counts: Mapping[str, int]) -> list[str]:
    return [personal_data.Shown(PersonalKind(kind), n, []).words for kind, n in counts.items()]


def rows_by_kind(rows: Mapping[str, int]) -> list[tuple[str, int]]:
    """(kind, how many rows of its tables), the most first."""
    counts = Counter[Any]()
    for label, n in rows.items():
        counts[POLICIES[label].kind] += n
    return [(str(Kind(kind).label), n) for kind, n in counts.most_common()]
