"""Deleting again what was deleted after a backup was made: in the restored database it is there once more."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from catalogsku.accounts.models import Merchant, User
from catalogsku.core import messages
from catalogsku.core.errors import Conflict
from ingestion.backups.manifest import BackupRefused
from ingestion.keeping.models import Deletion, DeletionState, Subject
from ingestion.keeping.selectors import Target
from ingestion.keeping.services import deleting
from ingestion.models import Job
from ingestion.services.jobs import cancel_job

_NEEDED = {"subject", "number", "hashes", "asked_at"}
_MODELS: dict[str, Any] = {Subject.DOCUMENT: Job, Subject.MERCHANT: Merchant, Subject.PERSON: User}


def repeat_deletions(lines: Iterable[str]) -> dict[str, int]:
    """By the list that `manage.py deletions --json` prints, the earliest first; how many went which way.

    ``deleted``; ``left`` behind something; ``waits``: it cannot be deleted yet; ``absent``: it is not here, or was
    deleted already; ``other``: its number is somebody else's here. Safe to repeat. Raises BackupRefused(list_damaged).
    """
    counts = Counter[str]()
    for told in sorted(map(_record, filter(str.strip, lines)), key=lambda told: str(told["asked_at"])):
        counts[_repeat(told)] += 1
    return dict(counts)


def _record(line: str) -> dict[str, Any]:
    try:
        told = json.loads(line)
    except ValueError as error:
        raise BackupRefused("list_damaged", f"not a line of `deletions --json`: {line[:80]!r}") from error
    if not isinstance(told, dict) or not told.keys() >= _NEEDED or told["subject"] not in _MODELS:
        raise BackupRefused("list_damaged", f"not a line of `deletions --json`: {line[:80]!r}")
    return told


def _repeat(told: Mapping[str, Any]) -> str:
    same = Deletion.objects.filter(subject=told["subject"], number=told["number"], hashes=told["hashes"])
    if same.exclude(ended_at=None).exists():
        return "absent"
    target: Target | None = _MODELS[told["subject"]].objects.filter(pk=told["number"]).first()
    if target is None:
        return "absent"
    if deleting.hashes_of(target) != told["hashes"]:
        return "other"
    _end(target)
    try:
        deletion = deleting.ask(target, None, by_rule=bool(told.get("by_rule")), here=True)
    except Conflict:
        return "waits"
    deleting.carry_out(deletion.pk)
    state = Deletion.objects.values_list("state", flat=True).get(pk=deletion.pk)
    return {DeletionState.DONE.value: "deleted", DeletionState.LEFT.value: "left"}.get(state, "waits")


def _end(target: Target) -> None:
    """What was under way at the time of the backup had ended, or was cancelled, before it was deleted."""
    if isinstance(target, User):
        return
    jobs = [target] if isinstance(target, Job) else list(Job.objects.filter(merchant=target))
    for job in jobs:
        with suppress(Conflict):
            cancel_job(job, "system")
        messages.do_here("close_tasks", job.pk)
