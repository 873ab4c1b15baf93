"""Cards with a photo or two and a name each, and a paragraph over them."""

from msgspec.structs import replace

from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pipeline import understand_page
from tests.unit.understanding.pages import BY_RULES, line, page, picture, texts

NAMES = ("Dolphin", "Smooth Touch", "Pulp Royal", "Big Day", "Lotus", "Heron")
PROSE = "Our range of paper is soft and strong, and it is made for hotels, offices and shops."


def understood(photos: tuple[int, ...] = (1, 1, 1, 1, 2, 1), *, cards: bool = True, prose: int = 3) -> PageResult:
    lines = [line(PROSE, 30, 60 + 14 * n, 9) for n in range(prose)]
    shown, panels = [], []
    for n, name in enumerate(NAMES):
        x, y = 30.0 + 185 * (n % 3), 130.0 + 180 * (n // 3)
        panels.append((x, y, x + 170, y + 165))
        for k in range(photos[n]):
            left = x + 10 + 85 * k
            shown.append(picture(f"P{n}{k}", (left, y + 10, left + 60, y + 110)))
        middle = x + 40 if photos[n] == 1 else x + 85
        lines += [
            line(text, middle - 2.2 * len(text), y + 120 + 14 * k, size)
            for k, (text, size) in enumerate(((name, 8), ("Premium quality", 6)))
        ]
    one = replace(page(*lines, pictures=shown), panels=tuple(panels) if cards else ())
    return understand_page(one, (), DocumentFacts(), BY_RULES)


def test_two_photos_on_a_card_are_of_one_product() -> None:
    result = understood()
    assert texts(result, "product_name") == [*NAMES]
    assert result.page_type == "C" and result.blockers
    assert [sku.bindings[0].picture for sku in result.skus] == ["P00", "P10", "P20", "P30", "P40", "P50"]


def test_more_text_may_stand_beside_cards_than_beside_bare_photos() -> None:
    single = (1, 1, 1, 1, 1, 1)
    assert texts(understood(single), "product_name") == [*NAMES]
    assert understood(single, cards=False).skus == ()
    assert understood(single, prose=6).skus == ()


def test_where_most_cards_have_several_photos_these_are_no_figures() -> None:
    assert texts(understood((2, 2, 2, 2, 1, 1)), "product_name") != [*NAMES]
