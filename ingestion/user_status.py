"""How a document stands in the words of who uploaded it (TA-T54, TA-USERMAP): five states, a sentence, a hint."""

from typing import Literal

from django.utils.translation import gettext as _

from ingestion.lifecycle import JobStage, JobStatus
from ingestion.models import Job
from ingestion.presentation import Groups, job_reason

UserStatus = Literal["processing", "partial_success", "completed", "needs_manual", "failed"]

USER_STATUS: dict[str, UserStatus] = {
    JobStatus.UPLOADED: "processing",
    JobStatus.EVALUATING: "processing",
    JobStatus.EVALUATED: "processing",
    JobStatus.PROCESSING: "processing",
    JobStatus.ORPHANED: "processing",
    JobStatus.PARTIAL_IMPORTED: "partial_success",
    JobStatus.PARTIAL_FAILED: "partial_success",
    JobStatus.FULL_IMPORTED: "completed",
    JobStatus.DEGRADED_HUMAN: "needs_manual",
    JobStatus.AWAITING_GO: "needs_manual",
    JobStatus.EVAL_FAILED: "failed",
    JobStatus.REJECTED: "failed",
    JobStatus.CANCELLED: "failed",
}
PHASES: dict[str, str] = {
    JobStatus.UPLOADED: "evaluating",
    JobStatus.EVALUATING: "evaluating",
    JobStatus.EVALUATED: "evaluating",
    JobStatus.EVAL_FAILED: "evaluating",
}
ASKS_PASSWORD = frozenset({"password_needed", "password_wrong"})


def user_status(job: Job) -> UserStatus:
    """A failed evaluation that is tried again is being processed."""
    if job.status == JobStatus.EVAL_FAILED and job.stage != JobStage.NONE:
        return "processing"
    return USER_STATUS[job.status]


def reason_code(job: Job) -> str | None:
    """Why it failed or was left to people: a code of ours, None where nothing did."""
    if job.status == JobStatus.CANCELLED:
        return "cancelled"
    return job.failure_code or job.degrade_reason or None


def sentence(job: Job, groups: Groups) -> str:
    return _("The document was cancelled") if job.status == JobStatus.CANCELLED else job_reason(job, groups)


def hint(job: Job) -> str:
    """What the person can do now."""
    if job.failure_code in ASKS_PASSWORD:
        return _("Give the file's password")
    if job.status == JobStatus.AWAITING_GO:
        return _("Say whether models are asked")
    if job.import_hold and job.status == JobStatus.PARTIAL_IMPORTED:
        return _("Look at the changes and approve them") if job.edition_of_id else _("An operator holds its imports")
    return {
        "processing": _("Wait: it goes on by itself"),
        "partial_success": _("What is finished can be downloaded already"),
        "completed": _("The results can be downloaded"),
        "needs_manual": _("People are working on it; nothing has to be done"),
        "failed": _("Upload it again") if job.status == JobStatus.CANCELLED else _("Mend the file and upload it again"),
    }[user_status(job)]


def phase(job: Job, groups: Groups) -> str | None:
    """evaluating, processing, importing or human_pending (TA-PROGDTO); None once nothing is under way."""
    if job.status in PHASES:
        return PHASES[job.status]
    if job.status in (JobStatus.REJECTED, JobStatus.CANCELLED):
        return None
    if groups.counts["queued"] + groups.counts["reading"]:
        return "processing"
    if groups.counts["read"]:
        return "importing"
    return "human_pending" if groups.counts["people"] else None
