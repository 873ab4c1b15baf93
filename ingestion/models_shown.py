"""How it is shown whether models are asked about a document, about how many pages and for how much."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ingestion.kinds import KINDS
from ingestion.lifecycle import JobStage, ModelsState
from ingestion.models import Job

if TYPE_CHECKING:
    from ingestion.presentation import Groups

State = Literal["none", "estimating", "asking", "go", "left"]
MICRO = 1_000_000
SMALLEST_MICRO = MICRO // 100

# What upper apps know of the costs: micro-USD spent on the pages of these documents, by document.
SPENT: list[Callable[[Collection[int]], Mapping[int, int]]] = []
# And of batches: per cent of the price at which a merchant's questions may wait; None where no model has any.
BATCHES: list[Callable[[int], int | None]] = []


@dataclass(frozen=True)
class ModelsShown:
    """``pages_to_ask`` and ``estimated_usd`` are None until it is priced; ``waiting_in_batches``: pages;
    ``words``: one sentence, or nothing."""

    state: State
    pages_to_ask: int | None
    pages: int | None
    estimated_usd: float | None
    spent_usd: float
    waiting_in_batches: int = 0
    words: str = ""
    decided_by: str = ""


@dataclass(frozen=True)
class AskingWords:
    """What is said where it is asked whether models are asked, and once somebody has answered: of pages, or of a
    document that models are asked about as a whole. ``went``, ``stayed``: just now; ``left``: for good."""

    why: str
    went: str
    stayed: str
    left: str


def asking_words(job: Job, n: int) -> AskingWords:
    """``n``: pages that models would be, or are, asked about."""
    if JobStage.ASK in KINDS[job.kind].stages:
        return AskingWords(
            _(
                "The rules have looked for values in all of it, and what they offer can be reviewed. Models would be"
                " asked for the value of every field, with a quote that is looked up; else people go on with what the"
                " rules offer."
            ),
            _("Models are asked about this document"),
            _("This document is left to people"),
            _("It was left to people: no model was asked"),
        )
    return AskingWords(
        _(
            "The rules have done with all pages. What they are sure of is finished; about these a model would be asked,"
            " else people look at them."
        ),
        ngettext("Models are asked about %(n)s page", "Models are asked about %(n)s pages", n) % {"n": n},
        ngettext("%(n)s page is left to people", "%(n)s pages are left to people", n) % {"n": n},
        ngettext(
            "%(n)s page was left to people instead of models", "%(n)s pages were left to people instead of models", n
        )
        % {"n": n},
    )


def spent_micro(job_ids: Collection[int]) -> dict[int, int]:
    return {pk: micro for spent in SPENT for pk, micro in spent(job_ids).items()}


def batch_percent(merchant_id: int) -> int | None:
    return next((percent for percent_of in BATCHES if (percent := percent_of(merchant_id)) is not None), None)


def not_urgent(percent: int) -> str:
    """The choice at upload, in words."""
    if percent == 50:
        return _("Not urgent: answered within about a day, at half the price")
    return _("Not urgent: answered within about a day, at %(percent)s %% of the price") % {"percent": percent}


def waits_for_batch(pages: int) -> str:
    return ngettext("%(n)s page waits for a batch", "%(n)s pages wait for a batch", pages) % {"n": pages}


def models_shown(job: Job, groups: "Groups", spent: int) -> ModelsShown:
    """``spent``: micro-USD of the document's pages so far."""
    is_priced = job.models_estimated_micro is not None and job.models_state != ModelsState.NONE
    state: State = "estimating" if job.models_state == ModelsState.NONE and groups.unpriced else _known(job)
    return ModelsShown(
        state,
        job.models_pages if is_priced else None,
        job.total_pages,
        (job.models_estimated_micro or 0) / MICRO if is_priced else None,
        spent / MICRO,
        groups.batched,
        question(job) if state == "asking" else "",
        job.models_decided_by if state in ("go", "left") else "",
    )


def _known(job: Job) -> State:
    states: dict[str, State] = {"none": "none", "asking": "asking", "go": "go", "left": "left"}
    return states[job.models_state]


def question(job: Job) -> str:
    """What a person is asked, and what a waiting document says of itself."""
    n, micro = job.models_pages or 0, job.models_estimated_micro or 0
    words = ngettext(
        "%(n)s of %(of)s pages would be asked, %(usd)s", "%(n)s of %(of)s pages would be asked, %(usd)s", n
    )
    return words % {"n": n, "of": job.total_pages or n, "usd": about_usd(micro)}


def about_usd(micro: int) -> str:
    """An estimate in words, to the cent."""
    if micro < SMALLEST_MICRO:
        return _("less than 0.01 USD")
    return _("about %(usd)s USD") % {"usd": f"{micro / MICRO:.2f}"}
