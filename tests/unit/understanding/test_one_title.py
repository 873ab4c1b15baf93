"""One large title and cards of the same labels for each finish of the thing that it names."""

import pytest

from processing.engine.page import Line
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

pytestmark = pytest.mark.req("TA-CLS", "PL-METHODS")
CARD = (("Size:", "180 x 52 x 35 cm"), ("Style:", "Honey/Black"), ("Price:", "$345.00"))
OTHER = (("Size:", "180 x 52 x 35 cm"), ("Style:", "Honey/White"), ("Price:", "$345.00"))


def card(said: tuple[tuple[str, str], ...], x: float) -> list[Line]:
    lines = []
    for n, (label, value) in enumerate(said):
        lines += [line(label, x, 570 + 20 * n, 12), line(value, x + 110, 570 + 20 * n, 12)]
    return lines


def understood(title: str, *cards: tuple[tuple[str, str], ...], size: float = 40) -> PageResult:
    lines = [line(title, 60, 500, size)]
    for n, said in enumerate(cards):
        lines += card(said, 60 + 250 * n)
    shown = [picture("P0", (0, 0, 595, 480)), picture("P1", (310, 490, 520, 560))]
    return understand_page(page(*lines, pictures=shown[: len(cards)]), (), DocumentFacts(), BY_RULES)


def test_the_title_is_the_code_of_every_card_and_a_person_looks_at_them() -> None:
    result = understood("BX500", CARD, OTHER)
    assert texts(result, "model") == ["BX500", "BX500"]
    assert [[c.value for c in sku.custom] for sku in result.skus] == [["Honey/Black"], ["Honey/White"]]
    assert "page_type_uncertain" in [one.code for one in result.blockers]


def test_it_may_be_a_name() -> None:
    assert texts(understood("Rack Lena", CARD, OTHER), "product_name") == ["Rack Lena", "Rack Lena"]


@pytest.mark.parametrize(
    ("title", "size", "cards"),
    [
        ("Our advantages", 40, (CARD, OTHER)),
        ("Lena Series", 40, (CARD, OTHER)),
        ("BX500", 20, (CARD, OTHER)),  # no larger than a heading
        ("BX500", 40, (CARD, OTHER[:2])),  # other labels
    ],
)
def test_no_other_title_names_what_cards_leave_unnamed(
    title: str, size: float, cards: tuple[tuple[tuple[str, str], ...], ...]
) -> None:
    result = understood(title, *cards, size=size)
    named = [*texts(result, "model"), *texts(result, "product_name")]
    assert named.count(title) < len(cards)


def test_words_behind_style_are_a_finish_where_a_large_code_heads_the_page() -> None:
    plain = (CARD[0], ("Style:", "Cacao"), CARD[2])
    result = understood("BX500", plain)
    assert texts(result, "product_name") == [None]
    assert texts(understood("BX500", plain, size=12), "product_name") == ["Cacao"]
