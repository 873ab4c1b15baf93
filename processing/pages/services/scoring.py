"""Sampled pages before models: which of them are asked, what they are shown, and what they say of each page."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from catalogsku.core import storage
from catalogsku.core.structs import ready
from ingestion.models import Job, Page
from processing.engine.evaluation.scores import PageScore
from processing.engine.guard.inspect import inspect
from processing.engine.page import Features, ParsedPage, unpack_page
from processing.llm.available import available_models
from processing.llm.chain import model_chain
from processing.llm.evaluate import Asked, Sample, Scored, ask_for_scores, page_facts
from processing.llm.models import LanguageModel
from processing.llm.pictures import NotAPicture, as_screenshot
from processing.llm.plan import CallPlan
from processing.llm.port import About, Operation
from processing.llm.providers.port import Image
from processing.llm.routing import Priced, complexity_of, select_model
from processing.llm.zones import fence_for, summary_zone
from processing.pages.services import offering
from processing.pages.services.consulting import language_of
from processing.pages.services.reading import kept_pages
from processing.pages.services.screenshots import draw_screenshots
from processing.sandboxed import frozen


@dataclass(frozen=True)
class Panel:
    """``models`` in the order in which they are asked; never empty."""

    models: tuple[LanguageModel, ...]
    page_type: str
    complexity: str


def panel_for(job: Job, pages: Sequence[Page], rules: Sequence[PageScore]) -> Panel | None:
    """None where the table leaves the question to the rules, no model has a key, or the merchant's rule lets nothing be
    spent unasked. The document counts as what most of its sampled pages are."""
    if not offering.rule_of(job.merchant_id).spends_unasked:
        return None
    models = {model.name: model for model in available_models() if model.max_images > 0}
    if not models or not rules:
        return None
    routes = frozen.routes(job)
    page_type = _most([score.page_type for score in rules])
    features = [msgspec.convert(page.features, ready(Features)) for page in pages]
    complexity = _most([complexity_of(page_features, routes.points) for page_features in features])
    priced = [Priced(model.name, model.price_out_micro) for model in models.values()]
    choice = select_model(routes, Operation.EVALUATE_DOCUMENT, page_type, complexity, priced)
    return Panel(tuple(models[name] for name in choice.models), page_type, complexity) if choice.models else None


def _most(values: Sequence[str]) -> str:
    """The most frequent one, of several the first in order."""
    return min(Counter(values).items(), key=lambda counted: (-counted[1], counted[0]))[0]


def ask_models(job: Job, pages: Sequence[Page], rules: Sequence[PageScore], panel: Panel) -> Scored:
    """Raises Busy."""
    draw_screenshots(job, [page.number for page in pages])
    shown = {page.pk: page.shown_key for page in Page.objects.filter(pk__in=[page.pk for page in pages])}
    contents = kept_pages(job, [page.number for page in pages])
    parsed = {number: unpack_page(bytes(content.data)) for number, content in contents.items()}
    score_of = {score.number: score for score in rules}
    samples = [
        _sample(page, shown[page.pk], parsed[page.number], score_of[page.number])
        for page in pages
        if page.number in parsed
    ]
    about = About(
        merchant_id=job.merchant_id,
        job_id=job.pk,
        category=job.category,
        language=_language(list(parsed.values())),
        page_type=panel.page_type,
        complexity=panel.complexity,
        bucket=job.bucket,
        profile=str(job.profile),
    )
    ask = model_chain(CallPlan(limit=None), frozen.wordings(job), frozen.routes(job), panel.models)
    return ask_for_scores(samples, [Asked(model.name, model.max_images) for model in panel.models], ask, about)


def _language(pages: Sequence[ParsedPage]) -> str:
    return "zh" if any(language_of(page) == "zh" for page in pages) else "en"


def _sample(page: Page, key: str, parsed: ParsedPage, rules: PageScore) -> Sample:
    zone = summary_zone(parsed, page_facts(page.prescan, parsed), fence_for(parsed))
    return Sample(rules, zone, _opener(page.number, key), inspect(parsed).score)


def _opener(number: int, key: str) -> Callable[[], Image | None]:
    def opened() -> Image | None:
        if not key:
            return None
        with storage.open_file(key) as file:
            data = file.read()
        try:
            return Image("image/jpeg", as_screenshot(data), f"page {number}")
        except NotAPicture:
            return None

    return opened
