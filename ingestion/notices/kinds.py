"""What people are told of: each kind of notice, who gets it, and what makes it go. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import TextChoices
from django.utils.translation import pgettext_lazy

from ingestion.lifecycle import JobStatus


class Kind(TextChoices):
    NEEDS_YOU = "needs_you", pgettext_lazy("notice", "A document needs you")
    WAITING = "waiting", pgettext_lazy("notice", "Waits for people")
    GO = "go", pgettext_lazy("notice", "Asks whether models may be asked")
    FINISHED = "finished", pgettext_lazy("notice", "Finished")
    PARTLY = "partly", pgettext_lazy("notice", "Finished, but for some pages")
    REFUSED = "refused", pgettext_lazy("notice", "Refused")
    ESCALATED = "escalated", pgettext_lazy("notice", "Waited too long for a person")
    HELD = "held", pgettext_lazy("notice", "Imports are held")
    STOPPED = "stopped", pgettext_lazy("notice", "Held for an operator")
    TARGET = "target", pgettext_lazy("notice", "An import target does not take our secret")
    BUDGET = "budget", pgettext_lazy("notice", "Budget for models")
    DRIFT = "drift", pgettext_lazy("notice", "Results have become worse")


class Audience(StrEnum):
    """Within the merchant that it is about. ``TEAM``: its annotators, or its leads where it has none; ``LEADS``: its
    leads, or administrators where it has none; without a merchant administrators."""

    UPLOADER = "uploader"
    TEAM = "team"
    LEADS = "leads"


class Choice(TextChoices):
    """What a person chooses mail for."""

    NEEDS = "needs", pgettext_lazy("mail", "a document needs me")
    FINISHED = "finished", pgettext_lazy("mail", "a document of mine is finished")
    FAILED = "failed", pgettext_lazy("mail", "a document of mine failed or was refused")


@dataclass(frozen=True)
class Look:
    audience: Audience
    choice: Choice
    icon: str
    tone: str


LOOKS: Mapping[str, Look] = {
    Kind.NEEDS_YOU: Look(Audience.TEAM, Choice.NEEDS, "person", "person"),
    Kind.WAITING: Look(Audience.UPLOADER, Choice.NEEDS, "person", "person"),
    Kind.GO: Look(Audience.UPLOADER, Choice.NEEDS, "help", "person"),
    Kind.FINISHED: Look(Audience.UPLOADER, Choice.FINISHED, "checks", "done"),
    Kind.PARTLY: Look(Audience.UPLOADER, Choice.FAILED, "warning", "fault"),
    Kind.REFUSED: Look(Audience.UPLOADER, Choice.FAILED, "refused", "fault"),
    Kind.ESCALATED: Look(Audience.LEADS, Choice.NEEDS, "raise", "fault"),
    Kind.HELD: Look(Audience.LEADS, Choice.NEEDS, "eye", "person"),
    Kind.STOPPED: Look(Audience.LEADS, Choice.NEEDS, "pause", "fault"),
    Kind.TARGET: Look(Audience.LEADS, Choice.NEEDS, "lock", "fault"),
    Kind.BUDGET: Look(Audience.LEADS, Choice.NEEDS, "price", "person"),
    Kind.DRIFT: Look(Audience.LEADS, Choice.NEEDS, "quality", "fault"),
}
OF_PEOPLE = (Kind.NEEDS_YOU, Kind.WAITING, Kind.ESCALATED)
ASKS = (*OF_PEOPLE, Kind.GO, Kind.HELD, Kind.STOPPED)
OUTCOMES = (Kind.FINISHED, Kind.PARTLY, Kind.REFUSED)
# What is over once a document is in that state. Machines that take it up again for a while end nothing of it.
OVER: Mapping[str, tuple[str, ...]] = {
    JobStatus.UPLOADED: OUTCOMES,
    JobStatus.EVALUATING: OUTCOMES,
    JobStatus.PROCESSING: (Kind.GO,),
    JobStatus.DEGRADED_HUMAN: (Kind.GO, *OUTCOMES),
    JobStatus.PARTIAL_IMPORTED: (Kind.GO, *OUTCOMES),
    JobStatus.AWAITING_GO: OUTCOMES,
    JobStatus.FULL_IMPORTED: (*ASKS, Kind.PARTLY),
    JobStatus.PARTIAL_FAILED: (*ASKS, Kind.FINISHED),
    JobStatus.REJECTED: ASKS,
    JobStatus.CANCELLED: (*ASKS, *OUTCOMES),
}
