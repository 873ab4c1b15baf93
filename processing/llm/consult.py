"""One page asked about (PL-CALLPLAN); read ``Consultation.run``.

One question says everything of a page: what it is, how many products it has, where each value stands and which pictures
show them. An answer that was cut is gone on with. As far as calls are left, what the checks refuse is asked again once,
and a second model gives its opinion of a page that the first is not sure of.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from catalogsku.core.box import Box
from processing.engine.page import ParsedPage
from processing.engine.result import Asked, Blocker, DocumentFacts, PageResult
from processing.engine.understanding import second_opinion
from processing.engine.understanding.answers import ModelAnswers, boxes_to_read, with_readings
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.judging import injection
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.upright import turned_page
from processing.llm.answers import PageAnswer
from processing.llm.parsing import Fault
from processing.llm.plan import CallPlan
from processing.llm.port import PUT_BACK, About, Ask, NotAnswered, Operation, Reply, Request
from processing.llm.prompts.examples import Example, examples_zone
from processing.llm.providers.port import Image
from processing.llm.routing import RULES, SKIP, Routes, select_model
from processing.llm.translate import (
    answered,
    context_zone,
    continued_zone,
    draft_zone,
    faults_of,
    joined,
    keys_of,
    listed,
    schema_zone,
)
from processing.llm.zones import fence_for, page_zones

log = logging.getLogger(__name__)

# Calls that going on with a cut answer leaves for the repeat and the second opinion.
KEPT_FOR_CHECKS = 2
SHORT = "answer_short"
NOBODY = "no_model"
# Reasons that a person should know of, although there is an answer.
NAMED = frozenset({"answer_repaired", "answer_odd", SHORT, "injection_suspected"})
# More crops of a page than its values could need are not read again.
MOST_READ_AGAIN = 400

# What is printed within boxes of the page (points), recognised anew and finer; "" where nothing is.
ReadAgain = Callable[[Sequence[Box]], Sequence[str]]


def nothing_read(boxes: Sequence[Box]) -> Sequence[str]:
    return [""] * len(boxes)


@dataclass(frozen=True)
class PagePack:
    """The typed pack of a page (GR-CONTEXT): what models are shown of it, and what the rule analyst made of it.

    ``images``: the page's picture, or its overlapping halves, upright, drawn when a model is asked; raises NotAnswered
    where it cannot be. ``examples`` by the key of
    the prompt that they are for."""

    page: ParsedPage
    earlier: Sequence[ParsedPage]
    facts: DocumentFacts
    config: AnalystConfig
    rules: PageResult
    about: About
    routes: Routes
    images: Callable[[], tuple[Image, ...]]
    read_again: ReadAgain = nothing_read
    examples: Mapping[str, tuple[Example, ...]] = field(default_factory=dict)
    injection: float = 0.0


@dataclass(frozen=True)
class Consulted:
    """``answers``: None where no model was asked or none answered; ``result`` is then the rule analyst's own."""

    result: PageResult
    answers: ModelAnswers | None


class Busy(Exception):
    """A model's limits let nothing through now; nothing was lost, the page comes back then. ``waits_for``: the row of
    the ledger that waits in a batch, with whose end it comes back instead."""

    def __init__(self, code: str, retry_after_s: float, waits_for: int | None = None) -> None:
        super().__init__(code)
        self.code, self.retry_after_s, self.waits_for = code, retry_after_s, waits_for


class Consultation:
    """The questions of one page; every answer is one of the ledger's, so that a second run asks nothing twice."""

    def __init__(self, pack: PagePack, ask: Ask, plan: CallPlan) -> None:
        self._pack, self._ask, self._plan = pack, ask, plan
        self._zones = page_zones(turned_page(pack.page), fence_for(pack.page))
        self._keys = keys_of(pack.config)
        self._images: tuple[Image, ...] | None = None
        page = pack.page
        cells = (f"{t.id}:{c.row}:{c.col}" for t in page.tables for c in t.cells)
        lines = [f"{t.id}:{n}" for t in page.tables for n in range(max(t.n_rows, t.n_cols))]
        blocks = [block.id for block in page.blocks]
        self._ids = frozenset((*blocks, *lines, *cells, *(t.id for t in page.tables), *(p.id for p in page.pictures)))
        self._places = len(blocks) + len(lines)
        self._asked: list[Asked] = []
        self._reasons: list[str] = []

    def run(self) -> Consulted:
        """Raises Busy."""
        if self._route() in (RULES, SKIP) or (answer := self._read({"draft": self._draft()})) is None:
            return self._by_rules()
        result = self._understood(answer)
        answer, result = self._asked_again(answer, result)
        answer, result = self._second(answer, result)
        return Consulted(msgspec.structs.replace(result, asked=tuple(self._asked)), self._whole(answer))

    # -- the questions, in their order

    def _read(
        self, zones: Mapping[str, str], faults: tuple[Fault, ...] = (), but: tuple[str, ...] = ()
    ) -> ModelAnswers | None:
        """The whole answer to the one question; None where no model gives a usable one."""
        reply = self._try(zones, faults, but)
        if reply is None:
            return None
        answer = reply.data
        cut = reply.cut
        while (cut or listed(answer) < answer.count) and self._plan.left(KEPT_FOR_CHECKS):
            more = self._try({**zones, "continued": continued_zone(answer)}, (), but, model=reply.model)
            grown = joined(answer, more.data) if more is not None else answer
            if more is None or listed(grown) == listed(answer):
                break
            answer, cut = grown, more.cut
        if listed(answer) < answer.count:
            self._reasons.append(SHORT)
        return self._proved(answered(answer, self._pack.page, self._zones, self._keys))

    def _proved(self, answer: ModelAnswers) -> ModelAnswers:
        """With what is read again where a value is said to stand on the picture alone."""
        boxes = boxes_to_read(answer, self._pack.page)[:MOST_READ_AGAIN]
        if not boxes:
            return answer
        return with_readings(answer, dict(zip(boxes, self._pack.read_again(boxes), strict=True)), self._pack.page)

    def _asked_again(self, answer: ModelAnswers, result: PageResult) -> tuple[ModelAnswers, PageResult]:
        """What the checks refuse is named to the model once, and its new answer taken where it is better."""
        faults = faults_of(result)
        if not faults or not self._plan.left():
            return answer, result
        reasons = list(self._reasons)
        again = self._read({"draft": self._draft()}, faults)
        if again is not None:
            better = self._understood(again)
            if len(faults_of(better)) < len(faults):
                return again, better
        self._reasons = reasons  # nothing of that answer is in the result
        return answer, result

    def _second(self, answer: ModelAnswers, result: PageResult) -> tuple[ModelAnswers, PageResult]:
        """Another model's opinion of a page that is not sure (GR-2ND), which is not told what the rules think."""
        if not second_opinion.is_wanted(result, self._pack.config.review_below) or not self._plan.left():
            return answer, result
        used = tuple(dict.fromkeys(question.model for question in self._asked if question.model))
        before = len(self._asked)
        reasons = list(self._reasons)
        other = self._read({}, but=used)
        self._reasons = reasons
        if other is None:
            if self._asked[before:] == [Asked(Operation.READ_PAGE, code=NOBODY)]:
                del self._asked[before:]  # there is no other: nothing was asked
            return answer, result
        name = next(question.model for question in self._asked[before:] if question.model)
        answer = msgspec.structs.replace(answer, second=msgspec.structs.replace(other, analyst=name))
        return answer, self._understood(answer)

    # -- how they are asked

    def _route(self) -> str:
        about = self._pack.about
        return select_model(self._pack.routes, Operation.READ_PAGE, about.page_type, about.complexity, ()).route

    def _draft(self) -> str:
        return draft_zone(self._pack.rules, self._pack.page)

    def _try(
        self, zones: Mapping[str, str], faults: tuple[Fault, ...], but: tuple[str, ...], model: str = ""
    ) -> Reply[PageAnswer] | None:
        """None where no model gives a usable answer; the reason stays with the page. Raises Busy."""
        operation = Operation.READ_PAGE
        examples = self._pack.examples.get(operation, ())
        try:
            if self._images is None:
                self._images = self._pack.images()
            request = Request(
                operation=operation,
                about=self._pack.about,
                answer=PageAnswer,
                faults=faults,
                but=but,
                model=model,
                zones={**self._page_zones(), "examples": examples_zone(examples), **zones},
                examples=tuple(example.id for example in examples),
                images=self._images,
                keys=self._keys,
                injection=self._pack.injection,
                ids=self._ids,
                places=self._places,
            )
            reply = self._ask(request)
        except NotAnswered as error:
            if error.code in PUT_BACK and error.retry_after_s is not None:
                raise Busy(error.code, error.retry_after_s, error.facts.get("call_id")) from error
            log.info("no answer", extra={"operation": str(operation), "code": error.code})
            self._reasons.append(error.code)
            self._asked.append(Asked(operation, code=error.code))
            return None
        provenance = (reply.model, reply.prompt_version, reply.call_id, reply.kept, reply.downgraded)
        self._asked.append(Asked(operation, *provenance))
        self._reasons += reply.reasons
        return reply

    def _page_zones(self) -> dict[str, str]:
        pack = self._pack
        return {
            "page_text": self._zones.text,
            "page_tables": self._zones.tables,
            "page_pictures": self._zones.pictures,
            "schema": schema_zone(pack.config),
            "context": context_zone(pack.page, pack.earlier, pack.facts.inherited, pack.about.category),
        }

    # -- what comes of it

    def _understood(self, answer: ModelAnswers) -> PageResult:
        pack = self._pack
        return understand_page(pack.page, pack.earlier, pack.facts, pack.config, self._whole(answer))

    def _whole(self, answer: ModelAnswers) -> ModelAnswers:
        """With who said it, and why a person should look at it."""
        second = answer.second.analyst if answer.second else ""
        names = dict.fromkeys(question.model for question in self._asked if question.model and question.model != second)
        return msgspec.structs.replace(
            answer, analyst="+".join(names), blockers=self._blockers(), asked=tuple(self._asked)
        )

    def _by_rules(self) -> Consulted:
        """No model told the products: the rule analyst's own result, exactly as without a key. Why is kept beside it,
        and sends nobody to the page."""
        rules = self._pack.rules
        if self._reasons:
            rules = msgspec.structs.replace(rules, fallback_reason=self._reasons[-1], asked=tuple(self._asked))
        return Consulted(rules, None)

    def _blockers(self) -> tuple[Blocker, ...]:
        """Why a person should look: answers that had to be repaired, blocks that found no room, orders in the text."""
        codes = [code for code in dict.fromkeys(self._reasons) if code in NAMED]
        left_out = self._zones.left_out
        return (
            *(Blocker(code) for code in codes if code != injection.CODE),  # the engine names that with its quote
            *((Blocker("blocks_left_out", {"blocks": len(left_out)}),) if left_out else ()),
        )
