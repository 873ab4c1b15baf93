"""The one table of who may do what (X-MATRIX); merchant scope (catalogsku.core.scope) comes on top of it."""

from enum import StrEnum

from catalogsku.accounts.models import Role, User


class Action(StrEnum):
    UPLOAD = "upload"
    SEE_JOBS = "see_jobs"
    CANCEL_JOB = "cancel_job"
    RETRY = "retry"
    READ_COPY = "read_copy"
    SEE_RESULTS = "see_results"
    EXPORT = "export"
    APPROVE = "approve"
    REPORT = "report"
    CORRECT = "correct"
    REVIEW = "review"
    SEE_TASKS = "see_tasks"
    SUPERVISE = "supervise"
    SEE_QUALITY = "see_quality"
    CONNECT = "connect"
    OPERATE = "operate"


ALLOWED: dict[str, frozenset[Action]] = {
    Role.UPLOADER: frozenset(
        {
            Action.UPLOAD,
            Action.SEE_JOBS,
            Action.CANCEL_JOB,
            Action.RETRY,
            Action.READ_COPY,
            Action.SEE_RESULTS,
            Action.EXPORT,
            Action.APPROVE,
            Action.REPORT,
            Action.CORRECT,
            Action.REVIEW,
        }
    ),
    Role.ANNOTATOR: frozenset({Action.SEE_JOBS, Action.SEE_RESULTS, Action.SEE_TASKS, Action.REVIEW}),
    Role.LEAD: frozenset(
        {
            Action.SEE_JOBS,
            Action.CANCEL_JOB,
            Action.RETRY,
            Action.READ_COPY,
            Action.SEE_RESULTS,
            Action.EXPORT,
            Action.APPROVE,
            Action.REPORT,
            Action.CORRECT,
            Action.REVIEW,
            Action.SEE_TASKS,
            Action.SUPERVISE,
            Action.SEE_QUALITY,
            Action.CONNECT,
        }
    ),
    Role.ADMIN: frozenset(Action),
}


def may(user: User, action: Action) -> bool:
    return user.is_active and action in ALLOWED.get(user.role, frozenset())
