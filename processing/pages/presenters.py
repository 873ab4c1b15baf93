"""How it is shown what models were asked about a document and its pages, what they said, and what it has cost.

Costs are sums over the ledger of calls, never counted beside it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext, pgettext_lazy

from catalogsku.profiles.models import PromptExperiment
from catalogsku.profiles.trials import arms_in
from ingestion.models import Job, Page
from ingestion.reasons import DIMENSIONS, PENALTIES, ROUTE_REASONS
from processing.engine.evaluation.scores import BY_RULES
from processing.llm.models import CallState, ModelCall
from processing.llm.port import Operation
from processing.llm.presenters import OPERATIONS, SPENT, _spent, code_word, spent_of, usd
from processing.pages.models import Evaluation
from processing.pages.words import PAGE_TYPES

ARMS = {"control": pgettext_lazy("trial", "as before"), "trial": pgettext_lazy("trial", "the version on trial")}


# --- the evaluation of a document ----------------------------------------------------------------


@dataclass(frozen=True)
class ScoredPage:
    """``scores``: texts in the order of the dimensions."""

    number: int
    url: str
    score: str
    low: bool
    scores: list[str]
    page_type: str
    type_word: str
    analyst: str
    by_rules: bool
    evidence: str


def evaluation_context(job: Job, row: Evaluation | None) -> dict[str, Any]:
    """``row``: None before the document is evaluated, and where that has failed."""
    why = job.route_reason
    return {
        "job": job,
        "row": row,
        "model": analyst_word(row.analysts) if row else "",
        "prompt_version": why.get("prompt_version", ""),
        "reused": why.get("reused", False),
        "failures": [f"{failure['model']}: {code_word(failure['code'])}" for failure in why.get("failures", [])],
        "sentences": _sentences(why),
        "dimensions": _dimensions(row) if row else [],
        "pages": list(_scored_pages(job, row)) if row else [],
        "thresholds": why.get("thresholds", {}),
        "variance": why.get("variance"),
        "spent": spent_of(ModelCall.objects.filter(job=job, operation=Operation.EVALUATE_DOCUMENT)),
        "arms": _arms(job),
    }


def analyst_word(name: str) -> str:
    """``name``: of models and the rule analyst, joined by +."""
    words = [_("rules") if part.startswith(BY_RULES) else part for part in name.split("+")]
    return pgettext("between names", ", ").join(dict.fromkeys(words))


def _sentences(why: Mapping[str, Any]) -> list[str]:
    thresholds = why.get("thresholds", {})
    routes = [str(ROUTE_REASONS[code]) % thresholds for code in why.get("codes", []) if code in ROUTE_REASONS]
    return routes + [str(PENALTIES[p["rule"]]) % {"weight": f"{p['weight']:.2f}"} for p in why.get("penalties", [])]


def _dimensions(row: Evaluation) -> list[tuple[str, str, str]]:
    """(label, mean, weight)."""
    weights = row.report["config"]["weights"]
    return [
        (str(label), _ratio(row.report["dimensions"].get(key)), f"{weights[key]:.2f}")
        for key, label in DIMENSIONS.items()
    ]


def _ratio(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _scored_pages(job: Job, row: Evaluation) -> Iterator[ScoredPage]:
    overall, pv = row.report["page_scores"], row.report["config"]["thresholds"]["pv"]
    address = reverse("job", args=[job.uuid])
    for page in row.report["pages"]:
        number, score = page["number"], overall[str(page["number"])]
        yield ScoredPage(
            number=number,
            url=f"{address}#page-{number}",
            score=f"{score:.2f}",
            low=score < pv,
            scores=[_ratio(page["dimensions"].get(key)) for key in DIMENSIONS],
            page_type=page["page_type"],
            type_word=str(PAGE_TYPES.get(page["page_type"], "")),
            analyst=analyst_word(page.get("analyst", BY_RULES)),
            by_rules=page.get("analyst", BY_RULES) == BY_RULES,
            evidence=page.get("evidence", ""),
        )


def _arms(job: Job) -> list[tuple[str, str]]:
    """(trial, the job's arm in it) of the trials that the job takes part in."""
    arms = arms_in(job.bucket)
    trials = PromptExperiment.objects.select_related("trial").in_bulk(list(arms))
    return [(trial.name, str(ARMS.get(arms[pk], arms[pk]))) for pk, trial in sorted(trials.items())]


# --- one page ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Question:
    word: str
    model: str
    prompt_version: str
    kept: bool
    downgraded: str
    failure: str


@dataclass(frozen=True)
class AskedModel:
    name: str
    calls: int
    unanswered: int
    detail: str
    cost: str


def page_context(page: Page, evaluation: Evaluation | None) -> dict[str, Any]:
    """``page``: with its job. Of the calls all that were ever made for the page, of the questions those of its last
    understanding."""
    questions = [_question(question) for question in page.validation.get("asked", [])]
    models = list(_asked_models(page))
    said = (score for score in (evaluation.report["pages"] if evaluation else []) if score["number"] == page.number)
    scored = next(said, None)
    return {
        "page": page,
        "questions": questions,
        "models": models,
        "cost": usd(sum(micro for _model, micro in models)),
        "asked_models": [model for model, _micro in models],
        "by_rules": not questions and not models and bool(page.analyst),
        "fallback": code_word(page.fallback_reason) if _fell_back(page) else "",
        "opinion": page.validation.get("opinion"),
        "flags": [b["params"] for b in page.blockers if b["code"] == "injection_suspected"],
        "scored": scored,
        "score": _ratio(evaluation.report["page_scores"][str(page.number)]) if evaluation and scored else "",
        "scored_by": analyst_word(scored.get("analyst", BY_RULES)) if scored else "",
    }


def _fell_back(page: Page) -> bool:
    """Whether the rules' result stands although models were asked; rules have reasons of their own beside it."""
    questions = page.validation.get("asked")
    return bool(questions and page.fallback_reason and page.analyst.startswith(BY_RULES))


def _question(question: Mapping[str, Any]) -> Question:
    return Question(
        word=str(OPERATIONS.get(question["operation"], question["operation"])),
        model=question["model"],
        prompt_version=question["prompt_version"],
        kept=question["kept"],
        downgraded=code_word(question["downgraded"]) if question["downgraded"] else "",
        failure=code_word(question["code"]) if question["code"] else "",
    )


def _asked_models(page: Page) -> Iterator[tuple[AskedModel, int]]:
    """With what each has cost in micro-USD."""
    rows = ModelCall.objects.filter(page=page, sent_at__isnull=False).order_by("model").values("model")
    counted = rows.annotate(answered=Count("pk", filter=Q(state=CallState.ANSWERED)), **SPENT)
    for row in counted:
        spent = _spent(row)
        model = AskedModel(row["model"], spent.calls, spent.calls - row["answered"], spent.detail, spent.cost)
        yield model, spent.micro
