"""The sampled pages of a document scored by models, in batches that each fit into one call; read ``ask_for_scores``."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from catalogsku.core import metrics
from processing.engine.evaluation.scores import DIMENSIONS, PageScore
from processing.engine.guard.inspect import policy_for
from processing.engine.page import ParsedPage
from processing.llm.answers import DocumentAnswer, PageScoreAnswer
from processing.llm.consult import Busy
from processing.llm.port import PUT_BACK, About, Ask, NotAnswered, Operation, Request
from processing.llm.providers.port import Image

log = logging.getLogger(__name__)

EVIDENCE_CHARS = 300
# An answer that has a score for none of the pages shown; the next model is asked.
NO_SCORES = "no_scores"


@dataclass(frozen=True)
class Asked:
    """A model that may be asked, and how many pages one call of it can show."""

    name: str
    pages: int


@dataclass(frozen=True)
class Sample:
    """A sampled page: the rule analyst's score of it, and what a model is shown.

    ``image`` is opened with its batch; where it gives None, the page is left to the rules. ``zone``: its facts and an
    excerpt of its text, fenced; ``injection``: 0 to 1, how surely its text gives orders.
    """

    rules: PageScore
    zone: str
    image: Callable[[], Image | None]
    injection: float = 0.0


@dataclass
class Scored:
    """``pages``: by number, those that a model has scored. ``failures``: (model, code) of batches without an answer.

    ``unasked``: numbers of pages for whose batch there was no answer at all.
    """

    pages: dict[int, PageScore] = field(default_factory=dict)
    failures: list[tuple[str, str]] = field(default_factory=list)
    unasked: list[int] = field(default_factory=list)

    def merged(self, rules: Sequence[PageScore]) -> list[PageScore]:
        """Every page with a score of its own: a model's where there is one, else the rule analyst's (TA-EVBATCH)."""
        return [self.pages.get(score.number, score) for score in rules]

    @property
    def analysts(self) -> list[str]:
        """Models that scored a page, in the order in which they were asked."""
        return list(dict.fromkeys(score.analyst for score in self.pages.values()))


def ask_for_scores(samples: Sequence[Sample], models: Sequence[Asked], ask: Ask, about: About) -> Scored:
    """Each model in turn is asked about the pages for which those before it had no answer. Raises Busy.

    A page that surely gives orders is shown to no model: it could speak for the other pages of its batch too.
    """
    scored = Scored()
    left = [sample for sample in samples if policy_for(sample.injection) != "force_review"]
    for model in models:
        others = tuple(other.name for other in models if other is not model)
        failed: list[Sample] = []
        for batch in batches(left, model.pages):
            try:
                scored.pages |= _scores_of(batch, ask, about, model.name, others)
            except NotAnswered as error:
                metrics.EVAL_FAILED.labels(model.name, error.code).inc()
                log.warning("pages not scored", extra={"model": model.name, "code": error.code, "pages": len(batch)})
                scored.failures.append((model.name, error.code))
                failed += batch
        left = failed
    scored.unasked = [sample.rules.number for sample in left]
    return scored


def page_facts(prescan: Mapping[str, Any], page: ParsedPage) -> dict[str, object]:
    """What is said of a page beside its screenshot: what the prescan counted, and what reading made of it."""
    return {
        "chars": page.features.chars,
        "pictures": page.features.pictures,
        "drawings": prescan.get("drawings", 0),
        "tables": page.features.tables,
        "columns": page.features.columns,
        "recognised": "yes" if page.ocr is not None else "no",
    }


def batches(samples: Sequence[Sample], size: int) -> Iterator[Sequence[Sample]]:
    return (samples[start : start + size] for start in range(0, len(samples), size))


def _scores_of(
    batch: Sequence[Sample], ask: Ask, about: About, model: str, others: tuple[str, ...]
) -> Mapping[int, PageScore]:
    """What one call says. Raises NotAnswered, or Busy where the same goes through later."""
    shown = [(sample, image) for sample in batch if (image := sample.image()) is not None]
    if not shown:
        return {}
    request = Request(
        operation=Operation.EVALUATE_DOCUMENT,
        about=about,
        answer=DocumentAnswer,
        model=model,
        but=others,
        zones={"pages": "\n".join(sample.zone for sample, _ in shown)},
        images=tuple(image for _, image in shown),
        injection=max(sample.injection for sample, _ in shown),
    )
    try:
        reply = ask(request)
    except NotAnswered as error:
        if error.code in PUT_BACK and error.retry_after_s is not None:
            raise Busy(error.code, error.retry_after_s) from error
        raise
    scores = usable_scores({sample.rules.number: sample.rules for sample, _ in shown}, reply.data.pages, reply.model)
    if not scores:
        raise NotAnswered(NO_SCORES)
    return scores


def usable_scores(
    rules: Mapping[int, PageScore], answers: Sequence[PageScoreAnswer], model: str
) -> dict[int, PageScore]:
    """By page number. Pages that were not shown, that are named twice, or that have no score at all, are left out."""
    named = [answer.number for answer in answers]
    return {
        answer.number: _score(rules[answer.number], answer, model)
        for answer in answers
        if answer.number in rules and named.count(answer.number) == 1 and _says_something(answer)
    }


def _says_something(answer: PageScoreAnswer) -> bool:
    return any(value is not None for value in _dimensions(answer).values())


def _score(rules: PageScore, answer: PageScoreAnswer, model: str) -> PageScore:
    return msgspec.structs.replace(
        rules,
        dimensions=_dimensions(answer),
        page_type=answer.page_type,
        analyst=model,
        evidence=" ".join(answer.evidence.split())[:EVIDENCE_CHARS],
    )


def _dimensions(answer: PageScoreAnswer) -> dict[str, float | None]:
    values = {name: getattr(answer.scores, name) for name in DIMENSIONS}
    return {name: None if value is None else round(float(value), 4) for name, value in values.items()}
