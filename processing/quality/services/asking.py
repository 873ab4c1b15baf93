"""Judged pages of golden sets asked about by models, with one prompt version in place of the active one (GR-GATE).

Calls stand in ledger and budgets as those of a merchant of their own, whose kept answers make a second run free.
"""

import time
from collections.abc import Sequence
from enum import StrEnum
from threading import Lock

import msgspec
from django.db import connection
from django.db.models import Count, Sum

from catalogsku.accounts.models import Merchant
from catalogsku.core import presence
from catalogsku.core.errors import Refused
from catalogsku.profiles.models import PromptVersion
from catalogsku.profiles.services import routing_now
from catalogsku.profiles.wording import RULES
from ingestion.kinds import CATALOGUE
from processing.engine.page import ParsedPage
from processing.engine.quality.report import Spending
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.config import AnalystConfig
from processing.llm.available import available_models
from processing.llm.chain import model_chain
from processing.llm.consult import Busy, Consultation, PagePack
from processing.llm.models import ModelCall
from processing.llm.plan import CallPlan
from processing.llm.port import About, Operation
from processing.llm.prompts import wordings_of
from processing.llm.recorded import AnswerFolder
from processing.llm.routing import complexity_of
from processing.pages.services import consulting
from processing.sandboxed import frozen

MERCHANT = "Golden sets"
# Pages that are asked about at once.
THREADS = 8
# A busy model is waited for so often, at most so long each time.
WAITS, WAIT_S = 60, 30.0
# Below this share of answers the report would say more of the network, or of the rules, than of the prompt.
ANSWERED_AT_LEAST = 0.9


class Routing(StrEnum):
    """Which pages are asked about, and whom (LA-ROLLBACK)."""

    TABLE = "table"  # every judged page, as the routing table says
    PRODUCT = "product"  # those that a person would have to look at, as the routing table says
    STRONG = "strong"  # every judged page, the strong model


class PromptAsker:
    """``asked``: questions with this prompt, ``answered``: those that a model answered. Safe in threads."""

    def __init__(
        self, prompt: PromptVersion | None, folder: AnswerFolder | None = None, routing: Routing = Routing.TABLE
    ) -> None:
        """``prompt``: None for the active ones alone; ``folder``: answers are recorded there, or given from it. Raises
        Refused where no model can be asked, or golden sets cannot measure the prompt."""
        if prompt is not None and prompt.key == Operation.EVALUATE_DOCUMENT:
            raise Refused("prompt_of_documents")
        self._folder, self.models = folder, available_models()
        if folder is not None:
            self.models = folder.models(self.models)
        if not self.models:
            raise Refused("no_model")
        active = dict(PromptVersion.objects.filter(active=True).values_list("key", "pk"))
        self._prompt = prompt
        versions = {**active, **({prompt.key: prompt.pk} if prompt else {})}
        self._wordings = wordings_of(versions, CATALOGUE.questions)
        routes = frozen.routes_of(routing_now())
        is_strong = routing == Routing.STRONG
        self._routes = msgspec.structs.replace(routes, prefer_always=True) if is_strong else routes
        self.routing = routing
        self._merchant = Merchant.objects.get_or_create(name=MERCHANT)[0]
        self._lock = Lock()
        self.asked = self.answered = 0
        self._calls = set[int]()

    @property
    def is_measured(self) -> bool:
        """Where all pages are sure, the product asks nothing."""
        may_ask_nothing = self.routing == Routing.PRODUCT
        return (self.asked > 0 or may_ask_nothing) and self.answered >= ANSWERED_AT_LEAST * self.asked

    def ask(
        self,
        page: ParsedPage,
        earlier: Sequence[ParsedPage],
        facts: DocumentFacts,
        config: AnalystConfig,
        rules: PageResult,
        look: consulting.Look,
    ) -> PageResult:
        """What models make of the page, the rules' result where they are not asked.

        Raises Refused where the models stay busy for half an hour.
        """
        wanted = consulting.is_worth_asking(rules.blockers, rules, page.features, self._routes)
        if self.routing == Routing.PRODUCT and not wanted:
            return rules
        about = About(
            merchant_id=self._merchant.pk,
            language=consulting.language_of(page),
            page_type=rules.page_type,
            complexity=complexity_of(page.features, self._routes.points),
            bucket="golden",
        )
        page_pack = consulting.pack(page, earlier, facts, config, rules, about, self._routes, look)
        try:
            result = self._consulted(page_pack)
        finally:
            connection.close()
        self._count(result)
        return result

    def _consulted(self, page_pack: PagePack) -> PageResult:
        """A second try is answered from what the first one kept."""
        code = ""
        for _ in range(WAITS):
            presence.beat()
            plan = CallPlan()
            try:
                around = self._folder.around if self._folder else None
                chain = (plan, self._wordings, self._routes, self.models)
                ask = model_chain(*chain, on_call=self._calls.add, around=around)
                return Consultation(page_pack, ask, plan).run().result
            except Busy as busy:
                code = busy.code
                time.sleep(min(busy.retry_after_s, WAIT_S))
        raise Refused("model_busy", why=code)

    def spending(self) -> Spending:
        """What the ledger has of all calls so far, kept answers included."""
        sums = ModelCall.objects.filter(pk__in=self._calls, sent_at__isnull=False).aggregate(
            calls=Count("pk"),
            tokens_in=Sum("tokens_in", default=0),
            tokens_cached=Sum("tokens_cached", default=0),
            tokens_out=Sum("tokens_out", default=0),
            cost_micro=Sum("settled_micro", default=0),
        )
        return Spending(**sums)

    def _count(self, result: PageResult) -> None:
        ours = [
            question
            for question in result.asked
            if self._prompt is None or self._prompt.key in (RULES, question.operation)
        ]
        with self._lock:
            self.asked += len(ours)
            self.answered += sum(bool(question.model) for question in ours)
