"""A prompt version tried out on a page that was read: what would be sent, and with confirmation what comes back."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import msgspec

from catalogsku.core.errors import NotFound, PermanentFailure
from catalogsku.core.structs import ready
from catalogsku.profiles.models import PromptVersion
from catalogsku.profiles.wording import RULES, STUDY_RULES
from ingestion.kinds import CATALOGUE
from ingestion.models import Job, Page
from processing.engine.guard.inspect import inspect
from processing.engine.page import ParsedPage, unpack_page
from processing.engine.result import PageResult
from processing.llm.answers import ANSWERS
from processing.llm.available import available_models
from processing.llm.chain import model_chain
from processing.llm.evaluate import page_facts
from processing.llm.plan import CallPlan
from processing.llm.port import About, NotAnswered, Operation, Request
from processing.llm.prompts import Rendered, render, wordings_of
from processing.llm.prompts.examples import examples_zone
from processing.llm.routing import Routes
from processing.llm.translate import context_zone, draft_zone, keys_of, schema_zone
from processing.llm.zones import fence_for, page_zones, summary_zone
from processing.pages.models import RuleResult
from processing.pages.services.drawing import page_pictures
from processing.pages.services.examples import examples_for
from processing.pages.services.reading import kept_pages
from processing.sandboxed import frozen

# Rules are tried with a question that they stand before.
_TRIED_WITH = {RULES: Operation.READ_PAGE, STUDY_RULES: Operation.READ_STUDY}
# Zones of one page for questions of other kinds of documents, by the keys of their prompts; an app that brings a kind
# enters them.
ZONES: dict[str, Callable[[Job, ParsedPage, str], dict[str, str]]] = {}


@dataclass(frozen=True)
class Trial:
    """A question ready to be sent. ``prompts``: the job's, with the version that is tried."""

    page: Page
    parsed: ParsedPage
    key: str
    language: str
    prompts: Mapping[str, int]
    zones: Mapping[str, str]
    rendered: Rendered


@dataclass(frozen=True)
class Tried:
    """``text``: the answer as JSON; without one ``code`` and ``detail`` say why."""

    model: str = ""
    text: str = ""
    code: str = ""
    detail: str = ""


def can_send() -> bool:
    return bool(available_models())


def send_trial(trial: Trial) -> Tried:
    """Ask it. It counts in budgets and ledger like any other call, but not among the page's own."""
    page = trial.page
    job = page.job
    try:
        images = page_pictures(job, trial.parsed) if trial.key in CATALOGUE.questions else ()
    except PermanentFailure as failure:
        return Tried(code=failure.code, detail=str(failure))
    request = Request(
        operation=Operation(trial.key),
        about=About(
            merchant_id=job.merchant_id,
            job_id=job.pk,
            category=job.category,
            language=trial.language,
            page_type=page.page_type,
            bucket="trial",
            profile=str(job.profile),
        ),
        zones=trial.zones,
        answer=ANSWERS[trial.key],
        keys=keys_of(frozen.analyst_config(job)),
        images=images,
        injection=inspect(trial.parsed).score,
    )
    wordings = wordings_of(trial.prompts, (trial.key,))
    ask = model_chain(CallPlan(limit=None), wordings, Routes(), available_models())
    try:
        reply = ask(request)
    except NotAnswered as error:
        return Tried(code=error.code, detail=error.detail)
    return Tried(reply.model, json.dumps(reply.data.model_dump(mode="json"), ensure_ascii=False, indent=1))


def prepare_trial(prompt: PromptVersion, job: Job, number: int, language: str) -> Trial:
    """Raises NotFound where the page was not read. The rules are tried with the question of the page's type."""
    page = Page.objects.select_related("job").filter(job=job, number=number).first()
    content = kept_pages(job, [number]).get(number)
    if page is None or content is None:
        raise NotFound("page_not_read")
    parsed = unpack_page(bytes(content.data))
    key = _TRIED_WITH.get(prompt.key, prompt.key)
    prompts = {**job.prompts, prompt.key: prompt.pk}
    if key in ZONES:
        zones = ZONES[key](job, parsed, language)
    else:
        zones = {**_zones(page, parsed), "examples": examples_zone(examples_for(job, page.page_type).get(key, ()))}
    return Trial(page, parsed, key, language, prompts, zones, render(key, language, prompts, zones))


def _zones(page: Page, parsed: ParsedPage) -> dict[str, str]:
    """Of the page itself, with the rules' draft of it where it was handed to models."""
    zones = page_zones(parsed, fence_for(parsed))
    stored = RuleResult.objects.filter(page=page).first()
    return {
        "page_tables": zones.tables,
        "page_text": zones.text,
        "page_pictures": zones.pictures,
        "pages": summary_zone(parsed, page_facts(page.prescan, parsed), fence_for(parsed)),
        "schema": schema_zone(frozen.analyst_config(page.job)),
        "context": context_zone(parsed, [], {}, page.job.category),
        "draft": draft_zone(msgspec.json.decode(stored.data, type=ready(PageResult)), parsed) if stored else "",
    }
