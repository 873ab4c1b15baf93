"""Photos of one size with a name and a text each, and nothing else that tells of products."""

import msgspec
import pytest

from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

TEXT = ("Made for offices and for gifts, and", "printed with whatever you may like.")
MUGS = ("Logo mugs", "White graphic mugs", "Coloured mug")


def understood(
    *names: str, under: bool = False, size: float = 10, step: float = 30, sides: tuple[float, ...] = (140, 140, 140),
    text: tuple[str, ...] = TEXT, head: str = "Mugs",
) -> PageResult:  # fmt: skip
    """Photos with their texts beside them, ``step`` points from name to text; or under them, two in a row."""
    lines, shown = [line(head, 50, 40, 40)], []
    for n, name in enumerate(names):
        x, y = (60.0 + 270 * (n % 2), 100.0 + 260 * (n // 2)) if under else (60.0, 100.0 + 170 * n)
        shown.append(picture(f"P{n}", (x, y, x + sides[n % len(sides)], y + 140)))
        x, y = (x, y + 150) if under else (x + 240, y + 20)
        lines += [line(name, x, y, size), *(line(one, x, y + step + 14 * k, 10) for k, one in enumerate(text))]
    return understand_page(page(*lines, pictures=shown), (), DocumentFacts(), BY_RULES)


@pytest.mark.req("TA-CLS", "PL-METHODS")
def test_names_with_a_word_in_common_are_products_for_a_person_to_look_at() -> None:
    result = understood(*MUGS)
    assert texts(result, "product_name") == [*MUGS]
    assert [[b.picture for b in sku.bindings] for sku in result.skus] == [["P0"], ["P1"], ["P2"]]
    assert result.page_type == "B" and "page_type_uncertain" in [one.code for one in result.blockers]


def test_under_their_photos_they_are_a_grid() -> None:
    names = (*MUGS, "Mugs in a box:")
    assert understood(*MUGS, under=True, size=12, step=16).page_type == "C"
    result = understood(*names, under=True, size=13, step=16)
    assert (result.page_type, texts(result, "product_name")) == ("C", [*MUGS, "Mugs in a box"])


@pytest.mark.parametrize(("cards", "found"), [(True, [*MUGS]), (False, [])])
def test_on_cards_of_one_size_photos_may_have_any_size(cards: bool, found: list[str]) -> None:
    lines, shown, panels = [line("Mugs", 50, 40, 40)], [], []
    for n, (name, high) in enumerate(zip(MUGS, (160, 90, 60), strict=True)):
        x = 50.0 + 170 * n
        panels.append((x, 100.0, x + 150, 420.0))
        shown.append(picture(f"P{n}", (x + 20, 120, x + 130, 120.0 + high)))
        lines += [line(name, x + 10, 300, 12), line("For gifts and for offices.", x + 10, 340, 9)]
    one = msgspec.structs.replace(page(*lines, pictures=shown), panels=tuple(panels) if cards else ())
    result = understand_page(one, (), DocumentFacts(), BY_RULES)
    assert texts(result, "product_name") == found
    assert "page_type_uncertain" in [blocker.code for blocker in result.blockers] or not cards


def test_without_a_word_in_common_what_a_company_does_is_no_product() -> None:
    names = ("Logo mugs", "Pillows", "Acrylic lamp")
    assert texts(understood(*names), "product_name") == [*names]
    result = understood(*names, text=("Printed by our own people, and sent", "to whatever place you may like."))
    assert (result.page_type, result.skus) == ("D", ())
    assert "page_type_uncertain" in [one.code for one in result.blockers]


@pytest.mark.parametrize(
    "options",
    [
        {"step": 14},  # nothing tells the name from its text
        {"sides": (140, 60, 90)},
        {"text": TEXT[:1]},
        {"head": "Production line"},
    ],
)
def test_what_is_printed_otherwise_stays_without_products(options: dict[str, object]) -> None:
    result = understood(*MUGS, **options)  # type: ignore[arg-type]
    assert result.skus == () and result.classification["reason"] in ("photos_with_words", "no_product_signs")


def test_what_a_company_tells_of_itself_is_none() -> None:
    result = understood("Our mission", "Our vision", "Our history")
    assert result.skus == () and result.classification["reason"] == "photos_with_words"
