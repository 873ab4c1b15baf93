"""What asking models is expected to cost follows from the page, the rules' draft and the price, from nothing else."""

import msgspec
import pytest

from processing.engine.page import Block, Line, ParsedPage
from processing.engine.result import DocumentFacts, Evidence, PageResult, Sku, Value
from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.pipeline import understand_page
from processing.llm.models.calls import LanguageModel
from processing.llm.prompts import all_shipped
from processing.llm.prospects import Prospect, image_tokens, page_cost, shown_sizes, tokens_out
from processing.llm.routing import Routes, Row
from processing.llm.sending import TOKENS_AN_IMAGE
from tests.unit.understanding import pages

A4 = (595.0, 842.0)


def model(name: str = "m", price: int = 1_000_000, provider: str = "qwen", **columns: object) -> LanguageModel:
    """At 1 USD a million tokens, in and out."""
    return LanguageModel(name=name, provider=provider, price_in_micro=price, price_out_micro=price, **columns)


def page(text: str = "AX-1", size: tuple[float, float] = A4) -> ParsedPage:
    box = (10.0, 10.0, 90.0, 20.0)
    return ParsedPage(1, *size, 0, "test", (Block("T1", box, (Line(text, box, ()),)),))


def draft(*names: str, table: str = "") -> PageResult:
    proof = Evidence("", 1, (0.0, 0.0, 1.0, 1.0))
    skus = tuple(Sku((0.0, 0.0, 1.0, 1.0), {"model": Value(name, proof)}, table=table) for name in names)
    return PageResult(1, "A", 0.9, "L3", 0.5, "test", skus)


def cost(parsed: ParsedPage, rules: PageResult, *models: LanguageModel, routes: Routes | None = None) -> int:
    rows = routes or Routes()
    return page_cost(parsed, rules, all_shipped(), "en", {}, rows, models or (model(),)).micro


def test_it_grows_with_the_text_with_the_products_and_with_the_price() -> None:
    least = cost(page(), draft("AX-1"))
    assert least > image_tokens(model(), *shown_sizes(page())[0])
    assert cost(page("AX-1 " * 500), draft("AX-1")) > least + 900
    assert cost(page(), draft("AX-1", "AX-2")) > least + 30
    assert cost(page(), draft("AX-1"), model(price=2_000_000)) == pytest.approx(2 * least, abs=3)
    assert cost(page(), draft("AX-1"), model(price=0)) == 0


def test_a_page_without_a_draft_is_taken_for_an_average_one() -> None:
    assert cost(page(), draft("A")) < cost(page(), draft()) < cost(page(), draft(*map(str, range(60))))


def test_it_is_the_model_that_routing_would_choose_for_each_question() -> None:
    cheap, dear = model("cheap"), model("dear", 9_000_000)
    assert cost(page(), draft("AX-1"), cheap, dear) == cost(page(), draft("AX-1"), cheap)
    strong = Routes(prefer_always=True)
    assert cost(page(), draft("AX-1"), cheap, dear, routes=strong) == cost(page(), draft("AX-1"), dear)
    rules = Routes((Row("read_page", "any", "any", "RULES"),))
    assert cost(page(), draft("AX-1"), routes=rules) == 0
    assert page_cost(page(), draft("AX-1"), all_shipped(), "en", {}, Routes(), ()) == Prospect(), "nobody can be asked"


def test_products_in_a_tables_lines_cost_hardly_more_the_more_there_are() -> None:
    """A table is told by its columns."""
    rows = [["Model", "Name", "Price"], *([f"AX-{n}", f"Mug {n}", f"${n}.50"] for n in range(40))]
    told = pages.page(tables=[pages.table(rows)])
    rules = understand_page(told, (), DocumentFacts(), AnalystConfig())
    listed = msgspec.structs.replace(rules, skus=tuple(msgspec.structs.replace(s, table="") for s in rules.skus))
    assert len(rules.skus) == 40 and tokens_out(told, rules) * 8 < tokens_out(told, listed)


def test_an_image_costs_what_its_provider_takes_of_it() -> None:
    ((width, height),) = shown_sizes(page())
    assert max(width, height) == 2400 and width / height == pytest.approx(A4[0] / A4[1], abs=0.01)
    assert image_tokens(model(), width, height) == 53 * 75
    assert image_tokens(model(max_image_px=768), width, height) == 17 * 24
    assert image_tokens(model(max_image_px=4096), 4000, 4000) == TOKENS_AN_IMAGE, "never more than a call reserves"
    assert image_tokens(model(provider="gemini"), width, height) == 1120
    assert image_tokens(model(provider="gemini", media_resolution="low"), width, height) == 280
