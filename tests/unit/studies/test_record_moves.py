"""The whole grid of a record's states and triggers: what is declared is possible, and nothing else."""

import itertools

import pytest

from catalogsku.core.moves import UndeclaredMove
from processing.studies.lifecycle import RECORD, RECORD_ENDED
from processing.studies.lifecycle import RecordStatus as R

pytestmark = pytest.mark.req("TA-T46", "LX-SYS")

DECLARED = {
    (R.WAITING, "found", R.FOUND), (R.FOUND, "offered", R.REVIEW), (R.REVIEW, "approved", R.APPROVED),
    (R.REVIEW, "rejected", R.REJECTED), (R.APPROVED, "reopened", R.REVIEW), (R.REJECTED, "reopened", R.REVIEW),
}  # fmt: skip


def test_only_declared_moves_are_possible() -> None:
    triggers = {trigger for _, trigger, _ in DECLARED}
    possible = set()
    for trigger, target in itertools.product(triggers, R):
        try:
            possible |= {(R(source), trigger, target) for source in RECORD.sources(trigger, target)}
        except UndeclaredMove:
            continue
    assert possible == DECLARED


def test_what_people_decided_ends_a_record() -> None:
    assert {R.APPROVED, R.REJECTED} == RECORD_ENDED
    assert RECORD.check_path(R.WAITING, R.FOUND, R.REVIEW, R.APPROVED) == R.APPROVED
    with pytest.raises(UndeclaredMove):
        RECORD.check_path(R.FOUND, R.APPROVED)
