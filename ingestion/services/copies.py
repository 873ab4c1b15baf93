"""Files with scripts or attachments: a merchant's rule, and a person's word that a copy without them is read.

The copy itself is made where the file is checked (processing.pages.services.copying), in the sandbox.
"""

import logging

from django.db import transaction

from catalogsku.accounts.models import Merchant, User
from catalogsku.core.errors import Conflict
from catalogsku.core.moves import move
from catalogsku.profiles.asking import changing
from ingestion.lifecycle import JOB, JobStage, JobStatus
from ingestion.models import ActiveFiles, FileRule, Job
from ingestion.services.jobs import refuse_without_source
from ingestion.verdicts import CURED_BY_COPY

log = logging.getLogger(__name__)


def rule_of(merchant_id: int) -> FileRule:
    """The merchant's own, or the default, unsaved."""
    return FileRule.objects.filter(merchant=merchant_id).first() or FileRule(merchant_id=merchant_id)


def set_rule(merchant: Merchant, active_files: str, by: User) -> FileRule:
    """In force for files that are checked from now on; what was refused stays so until a person says otherwise."""
    with changing(by):
        row, _created = FileRule.objects.update_or_create(merchant=merchant, defaults={"active_files": active_files})
    log.info("file rule set", extra={"merchant_id": merchant.pk, "by": by.username, "active_files": active_files})
    return row


def is_wanted(job: Job) -> bool:
    """Whether such a file is read from a copy."""
    return job.copy_wanted or rule_of(job.merchant_id).active_files == ActiveFiles.COPY


@transaction.atomic
def read_copy(job: Job, actor: str) -> bool:
    """Check the refused file again, and read a copy of it without scripts, actions and attachments.

    False where somebody has said so before: nothing happens then. Raises Conflict(no_copy_asked) for a file that was
    not refused for these, Conflict(source_gone) for one that is kept no longer.
    """
    if job.failure_code in CURED_BY_COPY:
        refuse_without_source(job)
    moved = move(
        JOB,
        Job.objects.filter(pk=job.pk, failure_code__in=CURED_BY_COPY, copy_wanted=False),
        to=JobStatus.UPLOADED,
        trigger="copy_wanted",
        actor=actor,
        changes={"stage": JobStage.INSPECT, "failure_code": "", "finished_at": None, "copy_wanted": True},
    )
    if moved:  # with the time for it
        Job.objects.filter(pk=job.pk).update(machine_s=0, failures=0, not_before=None)
    elif not Job.objects.filter(pk=job.pk, copy_wanted=True).exists():
        raise Conflict("no_copy_asked")
    return bool(moved)
