"""What asking models about a page is expected to cost, before anything is asked. Pure: counts, and a model's prices.

The text that goes in is put together as the question itself would be, and counted as `sending.tokens_in` counts; what
comes out follows from the rules' draft of the page. Repeats and second opinions are not foreseen;
what pages have cost of late corrects the figure (processing.llm.services.told_prices).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from catalogsku.core.box import height, width
from catalogsku.profiles.wording import NEEDED, RULES
from processing.engine.drawing.views import LONG_PX, views_of
from processing.engine.page import ParsedPage
from processing.engine.result import PageResult
from processing.llm.call import Wordings
from processing.llm.models import LanguageModel, MediaResolution, Provider
from processing.llm.port import Operation
from processing.llm.prompts import compose
from processing.llm.routing import Priced, Routes, batches_first, complexity_of, select_model
from processing.llm.sending import TOKENS_AN_IMAGE, tokens_of
from processing.llm.translate import draft_of, draft_zone
from processing.llm.zones import fence_for, page_zones

# Gemini takes so many tokens of an image whatever its size (docs/models.md, note 4), the Qwen series 3 and later one
# for 32 x 32 px; what another model takes is not known, and counted alike.
TOKENS_BY_RESOLUTION = {MediaResolution.LOW: 280, MediaResolution.MEDIUM: 560, MediaResolution.HIGH: 1120}
PX_A_TOKEN = 32
# A page of which the rules have no draft is taken for one with so many products, of so many values of so many tokens.
PRODUCTS_UNKNOWN, VALUES_UNKNOWN, TOKENS_UNKNOWN = 8, 5, 4.0
# What an answer says beside the draft that it confirms, in tokens: around it, around each product that it lists, and
# the place of each value of those.
ANSWER_TOKENS, PRODUCT_TOKENS, VALUE_TOKENS = 40, 16, 14


@dataclass(frozen=True)
class Prospect:
    """What the question about a page will cost in micro-USD, and at whose price; "" and 0 where nobody is chosen."""

    model: str = ""
    micro: int = 0


def tokens_out(page: ParsedPage, rules: PageResult) -> int:
    """Of the answer: as the rules' draft, which is in its shape, with the places of values."""
    if not rules.skus:
        value = VALUE_TOKENS + 2 * TOKENS_UNKNOWN  # its key, and its text
        return round(ANSWER_TOKENS + PRODUCTS_UNKNOWN * (PRODUCT_TOKENS + VALUES_UNKNOWN * value))
    listed = [product.get("attributes", {}) for product in draft_of(rules, page)["products"]]
    around = PRODUCT_TOKENS * len(listed) + VALUE_TOKENS * sum(map(len, listed))
    return ANSWER_TOKENS + around + tokens_of(draft_zone(rules, page))


def page_cost(
    page: ParsedPage,
    rules: PageResult,
    wordings: Wordings,
    language: str,
    zones: Mapping[str, str],
    routes: Routes,
    models: Sequence[LanguageModel],
    *,
    batched: bool = False,
) -> Prospect:
    """Of the question about one page, at the price of the model that routing would choose. ``batched``: it may wait for
    a batch, where a model has any.

    ``zones``: what goes with the page beside its own zones, by name; ``models``: those that may be asked.
    """
    complexity = complexity_of(page.features, routes.points)
    priced = [Priced(model.name, model.price_out_micro) for model in models]
    choice = select_model(routes, Operation.READ_PAGE, rules.page_type, complexity, priced)
    if not choice.models:
        return Prospect()
    by_name = {candidate.name: candidate for candidate in models}
    model = by_name[batches_first(choice.models, by_name, batched=batched)[0]]
    own = page_zones(page, fence_for(page))
    shown = {"page_text": own.text, "page_tables": own.tables, "page_pictures": own.pictures}
    filled = {**dict.fromkeys(NEEDED[Operation.READ_PAGE], ""), **shown, "draft": draft_zone(rules, page), **zones}
    text = compose(wordings[Operation.READ_PAGE], wordings[RULES], language, filled)
    tokens_in = tokens_of(text.system + text.user) + sum(image_tokens(model, *size) for size in shown_sizes(page))
    return Prospect(model.name, model.cost_micro(tokens_in, tokens_out(page, rules), batched=batched))


def shown_sizes(page: ParsedPage) -> list[tuple[int, int]]:
    """Width and height in px of the images that show the page."""
    return [
        (max(1, round(width(view.box) * view.px_per_pt)), max(1, round(height(view.box) * view.px_per_pt)))
        for view in views_of(page)
    ]


def image_tokens(model: LanguageModel, width_px: int, height_px: int) -> int:
    """Tokens that the model takes of one image; never more than a call reserves."""
    if model.provider == Provider.GEMINI:
        return TOKENS_BY_RESOLUTION[MediaResolution(model.media_resolution or MediaResolution.HIGH)]
    scale = min(1.0, (model.max_image_px or LONG_PX) / max(width_px, height_px))
    tokens = ceil(width_px * scale / PX_A_TOKEN) * ceil(height_px * scale / PX_A_TOKEN)
    return min(tokens, TOKENS_AN_IMAGE)
