"""What models would cost is estimated page by page, and by the merchant's rule the document's pages go to them at once,
wait for a person's word, or are left to people.

How the pages wait, and how they go on, is the work of ingestion.services.permission.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import Sum

from ingestion.lifecycle import ModelsState, Urgency
from ingestion.models import Job, Page
from ingestion.services import permission
from ingestion.services.permission import Verdict
from processing.engine.page import unpack_page
from processing.llm.available import available_models, ready_providers, why_none
from processing.llm.prospects import Prospect, page_cost
from processing.llm.translate import schema_zone
from processing.pages.models import AskingRule, AskModels, RuleResult
from processing.pages.services import consulting
from processing.pages.services.understood import Understood
from processing.sandboxed import frozen


def rule_of(merchant_id: int) -> AskingRule:
    """The merchant's rule; one with the defaults, not stored, where it has none."""
    return AskingRule.objects.filter(merchant=merchant_id).first() or AskingRule(merchant_id=merchant_id)


class Asking(NamedTuple):
    """Whether models may come to be asked about a document's pages at all; where the providers refuse every one that
    might be, ``why_none`` is the code of a refusal."""

    may: bool
    why_none: str = ""


def asking_of(job: Job) -> Asking:
    """By the merchant's rule, what was decided of the document, and what the providers take."""
    if job.models_state == ModelsState.LEFT or not ready_providers():
        return Asking(may=False)
    if rule_of(job.merchant_id).ask_models == AskModels.NEVER:
        return Asking(may=False)
    return Asking(may=True) if available_models() else Asking(may=False, why_none=why_none())


def estimates(job: Job, entries: Sequence[Understood]) -> list[Prospect]:
    """Of each page, at the prices of the models that may be asked now, by its tokens alone."""
    models = available_models()
    wordings, zones = frozen.wordings(job), {"schema": schema_zone(frozen.analyst_config(job))}
    pages = Page.objects.in_bulk([entry.claim.id for entry in entries])
    costs = []
    for entry in entries:
        parsed = unpack_page(bytes(entry.content.data))
        routes = consulting.routes_for(job, pages[entry.claim.id])
        language = consulting.language_of(parsed)
        args = (parsed, entry.result, wordings, language, zones, routes, models)
        costs.append(page_cost(*args, batched=job.urgency == Urgency.BATCH))
    return costs


def price_job(job_id: int) -> None:
    """Bring on the pages of a document that wait to be priced; nothing where the rules are still at work on it."""
    permission.settle_price(job_id, _price)


def _price(job: Job, page_ids: list[int]) -> tuple[int, Verdict]:
    total = RuleResult.objects.filter(page__in=page_ids).aggregate(micro=Sum("estimated_micro"))
    micro = int(total["micro"] or 0)
    return micro, verdict(rule_of(job.merchant_id), micro, can_ask=bool(available_models()))


def verdict(rule: AskingRule, micro: int, *, can_ask: bool) -> Verdict:
    """``can_ask``: a model may be asked at all; where none may, the rules' results stand as without a key."""
    if not can_ask or rule.ask_models == AskModels.NEVER:
        return Verdict.RULES
    if rule.ask_models == AskModels.ASK_FIRST and micro > rule.ask_first_above_micro_usd:
        return Verdict.ASK
    return Verdict.GO


def price_waiting() -> dict[str, int]:
    """Documents whose moment was lost: the sweep's round."""
    job_ids = permission.unpriced_jobs()
    for job_id in job_ids:
        price_job(job_id)
    return {"priced": len(job_ids)}
