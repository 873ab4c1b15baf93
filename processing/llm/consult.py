"""One page asked about, question by question as its six calls are planned (PL-CALLPLAN); read ``Consultation.run``.

Type, layout and roles first; then products, in two stages or one; then, as far as calls are left, what failed is asked
again once, a second model gives its opinion where the first is unsure, and ambiguous pictures are decided.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from processing.engine.page import ParsedPage
from processing.engine.result import Asked, Blocker, DocumentFacts, PageResult
from processing.engine.understanding import second_opinion
from processing.engine.understanding.answers import ModelAnswers
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.judging import injection
from processing.engine.understanding.pipeline import understand_page
from processing.llm import answers as said
from processing.llm.parsing import Fault
from processing.llm.pictures import Arrangement, Sheet
from processing.llm.plan import CallPlan
from processing.llm.port import PUT_BACK, About, Ask, Data, NotAnswered, Operation, Reply, Request
from processing.llm.prompts.examples import Example, examples_zone
from processing.llm.providers.port import Image
from processing.llm.routing import RULES, SKIP, Routes, select_model
from processing.llm.translate import (
    boundaries_zone,
    candidates_zone,
    class_of,
    faults_of,
    products_of,
    schema_zone,
    with_layout,
    with_picture_roles,
    with_text_roles,
)
from processing.llm.zones import fence_for, page_zones

log = logging.getLogger(__name__)

MODEL_ROLES_OF_OTHERS = frozenset({"LOGO", "DECORATION"})
EXTRACTING = frozenset(key for key in said.ANSWERS if key.startswith(Operation.EXTRACT_SKU_ATTRS))
# Calls that are kept for boundaries and attributes while the page's type is asked for.
TWO_STAGES = 2
# Reasons that a person should know of, although there is an answer.
NAMED = frozenset({"answer_repaired", "answer_odd", "injection_suspected"})


# Pictures of the page by id, on as many images as a call may carry beside the screenshot.
Arrange = Callable[[Sequence[str]], Arrangement]


@dataclass(frozen=True)
class Given:
    """The typed pack of a page (GR-CONTEXT): what models are shown of it, and what the rule analyst made of it.

    ``examples`` by the key of the prompt that they are for."""

    page: ParsedPage
    earlier: Sequence[ParsedPage]
    facts: DocumentFacts
    config: AnalystConfig
    rules: PageResult
    about: About
    routes: Routes
    screenshot: Image
    arrange: Arrange
    examples: Mapping[str, tuple[Example, ...]] = field(default_factory=dict)
    injection: float = 0.0


@dataclass(frozen=True)
class Consulted:
    """``answers``: None where no model was asked or none answered; ``result`` is then the rule analyst's own."""

    result: PageResult
    answers: ModelAnswers | None


NOTHING = Arrangement((), ())


def _image(sheet: Sheet) -> Image:
    """Its label says which number on it is which picture."""
    alone = len(sheet.numbers) == 1
    label = sheet.numbers[0][1] if alone else ", ".join(f"{n} = {name}" for n, name in sheet.numbers)
    return Image("image/jpeg", sheet.image, label)


class Busy(Exception):
    """A model's limits let nothing through now; nothing was lost, the page comes back then."""

    def __init__(self, code: str, retry_after_s: float) -> None:
        super().__init__(code)
        self.code, self.retry_after_s = code, retry_after_s


class Consultation:
    """The questions of one page; every answer is one of the ledger's, so that a second run asks nothing twice."""

    def __init__(self, given: Given, ask: Ask, plan: CallPlan) -> None:
        self._given, self._ask, self._plan = given, ask, plan
        self._zones = page_zones(given.page, fence_for(given.page))
        page = given.page
        cells = (f"{t.id}:{c.row}:{c.col}" for t in page.tables for c in t.cells)
        rows = [f"{t.id}:{row}" for t in page.tables for row in range(t.n_rows)]
        blocks = [block.id for block in page.blocks]
        self._ids = frozenset((*blocks, *rows, *cells, *(t.id for t in page.tables), *(p.id for p in page.pictures)))
        self._places = len(blocks) + len(rows)
        self._asked: list[Asked] = []
        self._reasons: list[str] = []
        self._is_unread = False  # products were asked for, and no model told any

    def run(self) -> Consulted:
        """Raises Busy."""
        found = self._classified(ModelAnswers(""))
        found = self._extracted(found)
        if self._is_unread or not any(asked.model for asked in self._asked):
            return self._by_rules()
        result = self._understood(found)
        if found.skus is not None:
            found, result = self._asked_again(found, result)
            found, result = self._second(found, result)
            found, result = self._pictures_decided(found, result)
        return Consulted(msgspec.structs.replace(result, asked=tuple(self._asked)), self._whole(found))

    # -- the questions, in their order

    def _classified(self, found: ModelAnswers) -> ModelAnswers:
        """Type, layout and roles in one call; a single question more for what the rules see otherwise."""
        if self._route(Operation.CLASSIFY_PAGE) in (RULES, SKIP):
            return found
        reply = self._try(Operation.CLASSIFY_PAGE, said.PageClassAnswer, keep=TWO_STAGES)
        if reply is None:
            return found
        found = class_of(reply.data, self._zones)
        rules = self._given.rules
        bound = {b.picture for sku in rules.skus for b in sku.bindings if b.role == "PRODUCT_MAIN"}
        if found.page_type != rules.page_type or not self._plan.left(TWO_STAGES + 1):
            return found
        if any(found.roles.get(picture) in MODEL_ROLES_OF_OTHERS for picture in bound):
            shown = tuple(picture.id for picture in self._given.page.pictures)
            roles = self._try(Operation.CLASSIFY_IMAGES, said.PictureRolesAnswer, pictures=shown, keep=TWO_STAGES)
            if roles:
                return with_picture_roles(found, roles.data)
        elif found.layout_type and rules.skus and found.layout_type != rules.layout_type:
            if layout := self._try(Operation.CLASSIFY_LAYOUT, said.LayoutAnswer, keep=TWO_STAGES):
                return with_layout(found, layout.data)
        elif self._values_in_margins(found) and (
            texts := self._try(Operation.CLASSIFY_TEXT, said.TextRolesAnswer, keep=TWO_STAGES)
        ):
            return with_text_roles(found, texts.data, self._zones)
        return found

    def _values_in_margins(self, found: ModelAnswers) -> bool:
        """The model takes a block for a running line or a note in which the rules found a model number."""
        blocks = {block.id: block.text for block in self._given.page.blocks}
        aside = [blocks[name] for name, role in found.texts.items() if role in ("running", "note") and name in blocks]
        models = [s.attributes["model"].text for s in self._given.rules.skus if "model" in s.attributes]
        return any(model in text for model in models for text in aside)

    def _extracted(self, found: ModelAnswers) -> ModelAnswers:
        """Boundaries, then attributes; both in one where that fails."""
        page_type = found.page_type or self._given.rules.page_type
        least = self._given.config.classification.no_product_skip_confidence
        if page_type == "D" and (not found.page_type or found.type_confidence >= least):
            return found
        if self._route(Operation.EXTRACT_SKU_ATTRS) in (RULES, SKIP):
            return found
        if outlines := self._try(Operation.EXTRACT_SKU_ATTRS, said.BoundariesAnswer, "boundaries", keep=1):
            if not outlines.data.products:
                return self._single(found)
            zones = {"boundaries": boundaries_zone(outlines.data)}
            if attributes := self._try(Operation.EXTRACT_SKU_ATTRS, said.AttributesAnswer, "attributes", zones):
                return products_of(found, attributes.data.products, self._zones, "two_stage")
        return self._single(found)

    def _single(self, found: ModelAnswers) -> ModelAnswers:
        reply = self._try(Operation.EXTRACT_SKU_ATTRS, said.ProductsAnswer, "single")
        self._is_unread = reply is None
        return products_of(found, reply.data.products, self._zones, "single_stage") if reply else found

    def _asked_again(self, found: ModelAnswers, result: PageResult) -> tuple[ModelAnswers, PageResult]:
        """What the checks refuse is named to the model once, and its new answer taken where it is better."""
        faults = faults_of(result)
        if not faults or not self._plan.left():
            return found, result
        reasons = list(self._reasons)
        reply = self._try(Operation.EXTRACT_SKU_ATTRS, said.ProductsAnswer, "single", faults=faults)
        if reply is not None:
            again = products_of(found, reply.data.products, self._zones, found.method)
            better = self._understood(again)
            if len(faults_of(better)) < len(faults):
                return again, better
        self._reasons = reasons  # nothing of that answer is in the result
        return found, result

    def _second(self, found: ModelAnswers, result: PageResult) -> tuple[ModelAnswers, PageResult]:
        """Another model's opinion of a page that is not sure (GR-2ND)."""
        if not second_opinion.is_wanted(result, self._given.config.review_below) or not self._plan.left():
            return found, result
        used = tuple(dict.fromkeys(self._extractors()))
        reply = self._try(Operation.EXTRACT_SKU_ATTRS, said.ProductsAnswer, "single", but=used)
        if reply is None:
            return found, result
        kind = ModelAnswers(reply.model, result.page_type, result.type_confidence, result.layout_type)
        second = products_of(kind, reply.data.products, self._zones, "single_stage")
        found = msgspec.structs.replace(found, second=second)
        return found, self._understood(found)

    def _pictures_decided(self, found: ModelAnswers, result: PageResult) -> tuple[ModelAnswers, PageResult]:
        """Which of its candidates shows a product whose binding is ambiguous; None of them is an answer too."""
        open_skus = [n for n, sku in enumerate(result.skus) if sku.ambiguous]
        if not open_skus or not self._plan.left() or self._route(Operation.RESOLVE_BINDING) in (RULES, SKIP):
            return found, result
        wanted = dict.fromkeys(c.picture for n in open_skus for c in result.skus[n].candidates)
        zones = {"products": candidates_zone(result, open_skus)}
        reply = self._try(Operation.RESOLVE_BINDING, said.BindingsAnswer, zones=zones, pictures=tuple(wanted))
        if reply is None:
            return found, result
        known = set(wanted)
        chosen = {
            b.product - 1: tuple(name for name in b.pictures if name in known)
            for b in reply.data.bindings
            if b.product - 1 in open_skus
        }
        decided = msgspec.structs.replace(found, chosen=chosen)
        return decided, self._understood(decided)

    # -- how they are asked

    def _route(self, operation: Operation) -> str:
        about = self._given.about
        return select_model(self._given.routes, operation, about.page_type, about.complexity, ()).route

    def _try(
        self,
        operation: Operation,
        answer: type[Data],
        variant: str = "",
        zones: Mapping[str, str] | None = None,
        pictures: Sequence[str] = (),
        faults: tuple[Fault, ...] = (),
        but: tuple[str, ...] = (),
        keep: int = 0,
    ) -> Reply[Data] | None:
        """None where no model gives a usable answer; the reason stays with the page. Raises Busy."""
        shown = self._given.arrange(pictures) if pictures else NOTHING
        examples = self._given.examples.get(f"{operation}/{variant}" if variant else operation, ())
        request = Request(
            operation=operation, about=self._given.about, answer=answer, variant=variant, faults=faults, but=but,
            zones={**self._page_zones(), "examples": examples_zone(examples), **(zones or {})},
            examples=tuple(example.id for example in examples),
            images=(self._given.screenshot, *map(_image, shown.sheets)), images_truncated=len(shown.left_out),
            injection=self._given.injection, ids=self._ids, places=self._places, keep=keep,
        )  # fmt: skip
        try:
            reply = self._ask(request)
        except NotAnswered as error:
            if error.code in PUT_BACK and error.retry_after_s is not None:
                raise Busy(error.code, error.retry_after_s) from error
            log.info("no answer", extra={"operation": str(operation), "code": error.code})
            self._reasons.append(error.code)
            self._asked.append(Asked(request.key, code=error.code))
            return None
        told = (reply.model, reply.prompt_version, reply.call_id, reply.kept, reply.downgraded)
        self._asked.append(Asked(request.key, *told))
        self._reasons += reply.reasons
        return reply

    def _page_zones(self) -> dict[str, str]:
        return {
            "page_text": self._zones.text,
            "page_tables": self._zones.tables,
            "page_pictures": self._zones.pictures,
            "schema": schema_zone(self._given.config),
        }

    # -- what comes of it

    def _understood(self, found: ModelAnswers) -> PageResult:
        given = self._given
        return understand_page(given.page, given.earlier, given.facts, given.config, self._whole(found))

    def _whole(self, found: ModelAnswers) -> ModelAnswers:
        """With who said it, those who found the products first, and why a person should look at it."""
        second = found.second.analyst if found.second else ""
        extractors = [model for model in self._extractors() if model != second]
        others = [asked.model for asked in self._asked if asked.model and asked.operation not in EXTRACTING]
        analyst = "+".join(dict.fromkeys((*extractors, *others)))
        return msgspec.structs.replace(found, analyst=analyst, blockers=self._blockers(found), asked=tuple(self._asked))

    def _extractors(self) -> list[str]:
        return [asked.model for asked in self._asked if asked.model and asked.operation in EXTRACTING]

    def _by_rules(self) -> Consulted:
        """No model told the products: the rule analyst's own result, exactly as without a key. Why is kept beside it,
        and sends nobody to the page."""
        rules = self._given.rules
        if self._reasons:
            rules = msgspec.structs.replace(rules, fallback_reason=self._reasons[-1], asked=tuple(self._asked))
        return Consulted(rules, None)

    def _blockers(self, found: ModelAnswers) -> tuple[Blocker, ...]:
        """Why a person should look: answers that had to be repaired, blocks that found no room, orders in the text."""
        codes = [code for code in dict.fromkeys(self._reasons) if code in NAMED]
        left_out = self._zones.left_out
        return (
            *(Blocker(code) for code in codes if code != injection.CODE),  # the engine names that with its quote
            *((Blocker("blocks_left_out", {"blocks": len(left_out)}),) if left_out else ()),
        )
