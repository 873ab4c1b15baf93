"""What asking models about a page is expected to cost, before anything is asked. Pure: counts, and a model's prices.

The text that goes in is put together as the question itself would be, and counted as `sending.tokens_in` counts; what
comes out follows from the rules' draft of the page. Repeats and second opinions are not foreseen.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from catalogsku.profiles.wording import NEEDED, RULES
from processing.engine.page import ParsedPage
from processing.engine.result import PageResult, Sku
from processing.llm.call import Wordings
from processing.llm.pictures import SIDE_PX
from processing.llm.port import Operation
from processing.llm.prompts import compose
from processing.llm.routing import Priced, Routes, complexity_of, select_model
from processing.llm.sending import TOKENS_AN_IMAGE, tokens_of
from processing.llm.zones import fence_for, page_zones
from processing.models.llm import LanguageModel, MediaResolution, Provider

# Gemini takes so many tokens of an image whatever its size (docs/models.md, note 4), the Qwen series 3 and later one
# for 32 x 32 px; what another model takes is not known, and counted alike.
TOKENS_BY_RESOLUTION = {MediaResolution.LOW: 280, MediaResolution.MEDIUM: 560, MediaResolution.HIGH: 1120}
PX_A_TOKEN = 32
# A page of which the rules have no draft is taken for one with so many products, of so many values of so many tokens.
PRODUCTS_UNKNOWN, VALUES_UNKNOWN, TOKENS_UNKNOWN = 8, 5, 4.0


@dataclass(frozen=True)
class Question:
    """One question of a page, and the tokens of its answer: whatever it says (``base``), around each product and each
    value, and how often a value's own text stands in it. ``lines``: also products that are a table's lines are listed.

    ``follows``: the answer before it is shown with it.
    """

    key: str
    base: int
    a_product: int = 0
    a_value: int = 0
    texts: int = 0
    lines: bool = True
    follows: bool = False

    @property
    def operation(self) -> Operation:
        return Operation(self.key.partition("/")[0])

    def tokens_out(self, rules: PageResult) -> int:
        if not rules.skus:
            value = self.a_value + self.texts * TOKENS_UNKNOWN
            return round(self.base + PRODUCTS_UNKNOWN * (self.a_product + VALUES_UNKNOWN * value))
        listed = [sku for sku in rules.skus if self.lines or not sku.table]
        return round(self.base + sum(self._of_product(sku) for sku in listed))

    def _of_product(self, sku: Sku) -> float:
        said = [value.text for value in sku.attributes.values()]
        return self.a_product + sum(self.a_value + self.texts * tokens_of(text) for text in said)


# The questions of a page in their order, as consult.py plans them; the tokens are those of the answers' shape
# (llm/answers.py), counted as text.
PLAN = (
    Question("classify_page", base=36),
    Question("extract_sku_attrs/boundaries", base=6, a_product=30),
    Question("extract_sku_attrs/attributes", base=6, a_product=34, a_value=24, texts=2, follows=True),
)


def page_cost_micro(
    page: ParsedPage,
    rules: PageResult,
    wordings: Wordings,
    language: str,
    zones: Mapping[str, str],
    routes: Routes,
    models: Sequence[LanguageModel],
    plan: Sequence[Question] = PLAN,
) -> int:
    """Micro-USD that the questions of one page will cost at the prices of the models that routing would choose.

    ``zones``: what goes with the page beside its own zones, by name; ``models``: those that may be asked.
    """
    own = page_zones(page, fence_for(page))
    shown = {"page_text": own.text, "page_tables": own.tables, "page_pictures": own.pictures, **zones}
    complexity = complexity_of(page.features, routes.points)
    priced = [Priced(model.name, model.price_out_micro) for model in models]
    by_name = {model.name: model for model in models}
    cost = before = 0
    for question in plan:
        choice = select_model(routes, question.operation, rules.page_type, complexity, priced)
        if not choice.models:
            continue
        model = by_name[choice.models[0]]
        given = {**dict.fromkeys(NEEDED[question.key], ""), **shown}
        text = compose(wordings[question.key], wordings[RULES], language, given)
        tokens_in = tokens_of(text.system + text.user) + (before if question.follows else 0)
        tokens_in += sum(image_tokens(model, *size) for size in shown_sizes(page))
        before = question.tokens_out(rules)
        cost += model.cost_micro(tokens_in, before)
    return cost


def shown_sizes(page: ParsedPage) -> list[tuple[int, int]]:
    """Width and height in px of the images that show the page."""
    scale = SIDE_PX / max(page.width_pt, page.height_pt, 1.0)
    return [(max(1, round(page.width_pt * scale)), max(1, round(page.height_pt * scale)))]


def image_tokens(model: LanguageModel, width_px: int, height_px: int) -> int:
    """Tokens that the model takes of one image; never more than a call reserves."""
    if model.provider == Provider.GEMINI:
        return TOKENS_BY_RESOLUTION[MediaResolution(model.media_resolution or MediaResolution.HIGH)]
    scale = min(1.0, (model.max_image_px or SIDE_PX) / max(width_px, height_px))
    tokens = ceil(width_px * scale / PX_A_TOKEN) * ceil(height_px * scale / PX_A_TOKEN)
    return min(tokens, TOKENS_AN_IMAGE)
