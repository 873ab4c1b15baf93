"""Words under a head of styles, beside codes."""

from processing.engine.result import DocumentFacts
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, page, table, texts

CODES = ["RB-2030-CG", "RB-2030-BK", "RB-2110-CG", "RB-2110-BK", "RB-2110-TN"]
COLOURS = ["Cognac", "Black", "Cognac", "Black", "Tan"]


def names(styles: list[str | None], codes: list[str]) -> list[str | None]:
    rows: list[list[str | None]] = [["Style", "Item", "Colour", "Price"]]
    rows += [[style, code, tint, "$1.50"] for style, code, tint in zip(styles, codes, COLOURS, strict=True)]
    return texts(understand_page(page(tables=[table(rows)]), (), DocumentFacts(), BY_RULES), "product_name")


def test_a_word_for_all_codes_of_an_article_is_its_name() -> None:
    found = names(["City backpack", None, "Market tote", None, None], CODES)
    assert found == ["City backpack"] * 2 + ["Market tote"] * 3


def test_words_that_vary_within_an_article_or_that_articles_share_are_no_names() -> None:
    assert names(["Plain", "Lined", "Plain", "Lined", "Padded"], CODES) == [None] * 5
    assert names(["Classic", None, "Classic", None, None], CODES) == [None] * 5


def test_codes_without_articles_tell_nothing_of_the_words_beside_them() -> None:
    codes = ["MD-1", "MD-2", "CL-1", "CL-2", "CL-3"]
    assert names(["Modern", None, "Country", None, None], codes) == [None] * 5
