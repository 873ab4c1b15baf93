"""How a document stands: the one place that puts it into words, for lists, its page, the API and the live socket.

Where its pages decide (settle_job), they are asked here as well: a status that has not followed yet would say one thing
beside counts that say another.
"""

from dataclasses import dataclass
from typing import Any, Literal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from ingestion.kinds import KINDS
from ingestion.lifecycle import CLOSED, SETTLED, JobStage, JobStatus, ModelsState, Route
from ingestion.models import Job
from ingestion.models_shown import question, waits_for_batch
from ingestion.presentation import JOBS, Groups, Look
from ingestion.reasons import reason_sentence
from ingestion.settling import job_status, tally
from ingestion.verdicts import BY_CODE, way_on

UserStatus = Literal["processing", "partial_success", "completed", "needs_manual", "failed"]

# Five states in the words of who uploaded it (TA-T54, TA-USERMAP).
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
EVALUATES = (JobStatus.UPLOADED, JobStatus.EVALUATING, JobStatus.EVALUATED, JobStatus.EVAL_FAILED)
ENDED_UNREAD = (JobStatus.REJECTED, JobStatus.CANCELLED)
# Of documents whose pages have no say.
OF_OWN_ROWS = {
    JobStatus.PROCESSING: gettext_lazy("It is read, and values are looked for"),
    JobStatus.PARTIAL_IMPORTED: gettext_lazy("What was found waits for a person to look at it"),
    JobStatus.PARTIAL_FAILED: gettext_lazy("What was found waits for a person to look at it"),
    JobStatus.FULL_IMPORTED: gettext_lazy("A person has looked at all that was found"),
}
# While machines have such a document, once its pages have been read.
OF_OWN_STAGES = {
    JobStage.EXTRACT: gettext_lazy("Values are looked for in it"),
    JobStage.ASK: gettext_lazy("Models are asked about it"),
}
PHASES_OF_OWN_ROWS = {
    JobStatus.PROCESSING: "processing",
    JobStatus.ORPHANED: "processing",
    JobStatus.AWAITING_GO: "human_pending",
    JobStatus.PARTIAL_IMPORTED: "human_pending",
    JobStatus.PARTIAL_FAILED: "human_pending",
}
OF_PEOPLE = (JobStatus.PARTIAL_IMPORTED, JobStatus.DEGRADED_HUMAN)
ASKS_PASSWORD = frozenset({"password_needed", "password_wrong"})
OVER_BUDGET = "over_budget"
# What keeps a document from going on by itself, though its status is another's.
HELD = Look(pgettext_lazy("job", "Held"), "pause", "person", "people")
IMPORTS_HELD = Look(pgettext_lazy("job", "Imports held"), "eye", "person", "people")
AWAITS_APPROVAL = Look(pgettext_lazy("job", "Awaits approval"), "eye", "person", "people")


@dataclass(frozen=True)
class Standing:
    """``status``: what its pages make of it now. ``reason``: what it waits for or what went wrong; ``hint``: what who
    uploaded it can do. ``phase``: evaluating, processing, importing or human_pending (TA-PROGDTO), None once nothing is
    under way. ``nobody_waits``, ``nothing_wrong``: said where there is nothing to list. ``alone``: pages that machines
    finished by themselves, of those ``ended`` or waiting for a person."""

    status: str
    word: str
    icon: str
    tone: str
    user_status: UserStatus
    reason: str
    hint: str
    phase: str | None
    nobody_waits: str
    nothing_wrong: str
    alone: int
    ended: int

    @property
    def without_people(self) -> str:
        return f"{int(100 * self.alone / self.ended)}%" if self.ended else ""

    @property
    def without_people_detail(self) -> str:
        return (
            ngettext("%(n)s of %(of)s page", "%(n)s of %(of)s pages", self.ended) % {"n": self.alone, "of": self.ended}
            if self.ended
            else ""
        )


def standing(job: Job, groups: Groups) -> Standing:
    """``groups``: its pages as they are counted now."""
    status = status_now(job, groups)
    look, user = _look(job, status, groups), _user_status(job, status, groups)
    people, wrong = groups.counts["people"], groups.counts["failed"] + groups.late
    return Standing(
        status=status,
        word=str(look.word),
        icon=look.icon,
        tone=look.tone,
        user_status=user,
        reason=_reason(job, status, groups),
        hint=_hint(job, status, groups, user),
        phase=_phase(job, status, groups),
        nobody_waits="" if people else _nobody_waits(job, status),
        nothing_wrong="" if wrong or user == "failed" else _("Nothing went wrong."),
        alone=groups.alone,
        ended=groups.total - groups.with_machines,
    )


def status_now(job: Job, groups: Groups) -> str:
    """The job's status, or what its pages make of it where they are counted, and decide."""
    if job.status not in SETTLED or not groups.total or _follows_own_rows(job):
        return job.status
    asks = job.models_state == ModelsState.ASKING
    return job_status(groups.census, job.route, held=job.import_hold, asks=asks)


def reason_code(job: Job) -> str | None:
    """Why it failed or was left to people: a code of ours, None where nothing did."""
    if job.status == JobStatus.CANCELLED:
        return "cancelled"
    return job.failure_code or job.degrade_reason or None


def refusal_sentence(job: Job) -> str:
    """Why the file was refused."""
    if job.failure_code == OVER_BUDGET and job.last_error:
        return reason_sentence(OVER_BUDGET, job.last_error.get("params"))
    rule = BY_CODE.get(job.failure_code)
    return str(rule.message) if rule else job.failure_code


def _is_held(job: Job, status: str) -> bool:
    return bool(job.held_reason) and status not in CLOSED


def _waits_for_approval(job: Job, status: str, groups: Groups) -> bool:
    """Machines and people have done with the pages, and what they found must not go out yet."""
    if _follows_own_rows(job):
        return False
    return status in OF_PEOPLE and not groups.counts["people"] and not _machines_have_some(job, groups)


def _machines_have_some(job: Job, groups: Groups) -> bool:
    return not groups.total or tally(groups.census, held=job.import_hold).machines > 0


def _evaluates_again(job: Job, status: str) -> bool:
    return status == JobStatus.EVAL_FAILED and job.stage != JobStage.NONE


def _nobody_waits(job: Job, status: str) -> str:
    if not _follows_own_rows(job):
        return _("No page waits for a person.")
    return "" if PHASES_OF_OWN_ROWS.get(JobStatus(status)) == "human_pending" else _("Nothing waits for a person.")


def _follows_own_rows(job: Job) -> bool:
    """Its pages have no say in who has it."""
    return not KINDS[job.kind].by_pages


def _look(job: Job, status: str, groups: Groups) -> Look:
    if _is_held(job, status):
        return HELD
    if _follows_own_rows(job):
        return _worded(JobStatus(status))
    if _evaluates_again(job, status):
        return _worded(JobStatus.EVALUATING)
    if _waits_for_approval(job, status, groups):
        return AWAITS_APPROVAL if job.edition_of_id else IMPORTS_HELD
    if status in OF_PEOPLE:  # "People only" is the name of a route
        return _worded(JobStatus.PARTIAL_IMPORTED if groups.counts["people"] else JobStatus.PROCESSING)
    return _worded(JobStatus(status))


def _worded(status: JobStatus) -> Look:
    look = JOBS[status]
    return Look(status.label, look.icon, look.tone, look.group)


def _user_status(job: Job, status: str, groups: Groups) -> UserStatus:
    if _is_held(job, status):
        return "needs_manual"
    if _follows_own_rows(job):
        return USER_STATUS[status]
    machines = status in OF_PEOPLE and not groups.counts["people"] and _machines_have_some(job, groups)
    if machines or _evaluates_again(job, status):
        return "processing"
    return USER_STATUS[status]


def _reason(job: Job, status: str, groups: Groups) -> str:
    people, failed = groups.counts["people"], groups.counts["failed"]
    if _is_held(job, status):
        return _("Held for an operator")
    if status == JobStatus.REJECTED:
        return refusal_sentence(job)
    if status == JobStatus.CANCELLED:
        return _("The document was cancelled")
    if _follows_own_rows(job) and status in OF_OWN_ROWS:
        stage = JobStage(job.stage)
        if status == JobStatus.PROCESSING and stage in OF_OWN_STAGES and groups.total and not groups.with_machines:
            return str(OF_OWN_STAGES[stage])
        return str(OF_OWN_ROWS[JobStatus(status)])
    if status == JobStatus.PROCESSING and groups.batched:
        return waits_for_batch(groups.batched)
    if status == JobStatus.PARTIAL_FAILED:
        return _failed(failed) if failed else _late(groups.late)
    if _waits_for_approval(job, status, groups):
        return _approval(job)
    if status in OF_PEOPLE and people:
        return ngettext("%(n)s page waits for a person", "%(n)s pages wait for a person", people) % {"n": people}
    if status == JobStatus.FULL_IMPORTED:
        return _("Everything is delivered") if _has_products(job, groups) else _("No products found")
    if status == JobStatus.AWAITING_GO:
        return question(job)
    if status == JobStatus.ORPHANED:
        return _("No worker is running; it goes on by itself")
    if job.route:
        return str(Route(job.route).label)
    return _("The file is being checked") if status == JobStatus.UPLOADED else ""


def _has_products(job: Job, groups: Groups) -> bool:
    return tally(groups.census).done > 0 if groups.total else job.completion_source != "no_products"


def _failed(pages: int) -> str:
    return ngettext("%(n)s page failed", "%(n)s pages failed", pages) % {"n": pages}


def _late(pages: int) -> str:
    said = ngettext("%(n)s page was closed without a person", "%(n)s pages were closed without a person", pages)
    return said % {"n": pages}


def _approval(job: Job) -> str:
    return _("Its changes are not approved yet") if job.edition_of_id else _("An operator holds its imports")


def _hint(job: Job, status: str, groups: Groups, user: UserStatus) -> str:
    if status == JobStatus.REJECTED:
        return way_on(job.failure_code)
    if _is_held(job, status):
        return _("An operator has to let it go on")
    if status == JobStatus.AWAITING_GO:
        return _("Say whether models are asked")
    if _waits_for_approval(job, status, groups):
        return _("Look at the changes and approve them") if job.edition_of_id else _("An operator holds its imports")
    if _follows_own_rows(job) and user == "partial_success":
        return _("Look at what was found and decide on it; it can be downloaded already")
    hints: dict[UserStatus, Any] = {
        "processing": _("Wait: it goes on by itself"),
        "partial_success": _("What is finished can be downloaded already"),
        "completed": _("The results can be downloaded"),
        "needs_manual": _("People are working on it; nothing has to be done"),
        "failed": _("Upload it again") if status == JobStatus.CANCELLED else _("Mend the file and upload it again"),
    }
    return str(hints[user])


def _phase(job: Job, status: str, groups: Groups) -> str | None:
    if status in ENDED_UNREAD:
        return None
    if status in EVALUATES:
        return "evaluating"
    if _follows_own_rows(job):
        return PHASES_OF_OWN_ROWS.get(JobStatus(status))
    if groups.with_machines:
        return "processing"
    if groups.counts["read"]:
        return "importing"
    return "human_pending" if groups.counts["people"] else None
