"""Numbers and letters that link pictures with rows and with texts."""

import pytest

from processing.engine.page import Line
from processing.engine.result import DocumentFacts, PageResult
from processing.engine.understanding.pictures.marks import mark_of
from processing.engine.understanding.pipeline import understand_page
from processing.engine.understanding.running import running_form
from tests.unit.understanding.pages import BY_RULES, line, page, picture, table


def bound(result: PageResult) -> dict[str, list[str]]:
    return {sku.attributes["model"].text: [b.picture for b in sku.bindings] for sku in result.skus}


def understood(*lines: Line, **parts: list) -> PageResult:  # type: ignore[type-arg]
    return understand_page(page(*lines, **parts), (), DocumentFacts(), BY_RULES)


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("1", "1"),
        ("01", "1"),
        ("No. 1", "1"),
        ("图3", "3"),
        ("②", "2"),
        ("B", "b"),
        ("Fig. C", "c"),
        ("Fig 12", "12"),
        ("AB", ""),
        ("1200", ""),
        ("figure", ""),
        ("Fig.", ""),
        ("12.50", ""),
        ("", ""),
    ],
)
def test_a_mark_is_a_number_or_one_letter(text: str, mark: str) -> None:
    assert mark_of(text) == mark


ROWS = [
    ["Fig.", "Item No.", "Description", "Price"], ["A", "SD10", "Screwdriver", "$2.40"],
    ["A", "SD15", "Screwdriver", "$3"], ["B", "PL10", "Padlock", "$4.10"],
]  # fmt: skip
PLACES = ((60, 600, 160, 700), (200, 600, 300, 700))


@pytest.mark.req("PL-METHODS")
def test_rows_share_the_picture_with_their_letter() -> None:
    pictures = [picture(f"P{n}", place) for n, place in enumerate(PLACES, 1)]
    letters = [line(mark, place[0] + 40, 704) for mark, place in zip("AB", PLACES, strict=True)]
    result = understood(*letters, tables=[table(ROWS)], pictures=pictures)
    assert bound(result) == {"SD10": ["P1"], "SD15": ["P1"], "PL10": ["P2"]}


def test_a_letter_that_stands_at_two_pictures_links_nothing() -> None:
    pictures = [picture(f"P{n}", place) for n, place in enumerate(PLACES, 1)]
    letters = [line("A", place[0] + 40, 704) for place in PLACES]
    result = understood(*letters, tables=[table(ROWS)], pictures=pictures)
    assert set(map(tuple, bound(result).values())) == {()}


def card(mark: str, name: str, code: str, y: float) -> list[Line]:
    fields = [f"Model: {code}", "Size: 20 cm", "Price: $5.00"]
    title = [line(mark, 400, y, 14), line(name, 424, y, 14)]
    return title + [line(text, 424, y + 22 + 14 * n) for n, text in enumerate(fields)]


CARDS = card("01", "Chef knife", "K-501", 80) + card("02", "Bamboo board", "K-502", 240)


def test_texts_have_the_picture_with_their_number_however_far_it_is() -> None:
    pictures = [picture("P1", (40, 80, 180, 220)), picture("P2", (190, 80, 330, 220))]
    badges = [line("02", 50, 90, 10), line("01", 200, 90, 10)]
    result = understood(*badges, *CARDS, pictures=pictures)
    assert bound(result) == {"K-501": ["P2"], "K-502": ["P1"]}
    assert [sku.attributes["product_name"].text for sku in result.skus] == ["Chef knife", "Bamboo board"]
    assert {b.method for sku in result.skus for b in sku.bindings} == {"id_matching"}


def in_four(*at_texts: str) -> dict[str, list[str]]:
    """Four photos numbered out of their places, under four texts of which some have the same numbers."""
    texts = [part for n, mark in enumerate(at_texts) for part in card(mark, f"Board {n}", f"K-50{n}", 60 + 80 * n)]
    texts = [text for text in texts if text.text]
    places = {n: (40 + 90 * k, 600, 120 + 90 * k, 700) for k, n in enumerate((4, 3, 1, 2))}
    badges = [line(str(n), place[0] + 10, 610, 10) for n, place in places.items()]
    pictures = [picture(f"P{n}", place) for n, place in places.items()]
    return bound(understood(*badges, *texts, pictures=pictures))


def test_numbers_that_were_not_read_are_those_between_the_others() -> None:
    assert in_four("1", "", "", "4") == {"K-500": ["P1"], "K-501": ["P2"], "K-502": ["P3"], "K-503": ["P4"]}


def test_numbers_out_of_order_tell_nothing_of_those_that_were_not_read() -> None:
    found = in_four("4", "", "", "1")
    assert (found["K-500"], found["K-503"]) == (["P4"], ["P1"])
    assert "P2" not in found["K-501"] or "P3" not in found["K-502"]


def test_a_single_number_links_no_text() -> None:
    result = understood(line("02", 50, 390, 10), *CARDS, pictures=[picture("P1", (40, 380, 180, 520))])
    assert all(b.method != "id_matching" for sku in result.skus for b in sku.bindings)


ROWS_OF_FOUR = [["图号", "货号", "品名", "单价"], *([f"{n:02}", f"LY-10{n}", f"杯{n}", f"¥{n}9"] for n in range(1, 5))]
QUADS = {n: (40 + 130 * (n % 2), 30 + 132 * (n // 2), 164 + 130 * (n % 2), 156 + 132 * (n // 2)) for n in range(4)}


def in_quads(facts: DocumentFacts) -> dict[str, list[str]]:
    """Photos close together, each with its number in its upper left corner, over a table that names the numbers."""
    pictures = [picture(f"P{n + 1}", box) for n, box in QUADS.items()]
    numbers = [line(f"{n + 1:02}", box[0] + 6, box[1] + 3, 10) for n, box in QUADS.items()]
    one = page(*numbers, tables=[table(ROWS_OF_FOUR, y=400)], pictures=pictures)
    return bound(understand_page(one, (), facts, BY_RULES))


def test_a_number_on_a_photo_is_not_that_of_the_photo_right_above_it() -> None:
    assert in_quads(DocumentFacts()) == {f"LY-10{n}": [f"P{n}"] for n in range(1, 5)}


def test_a_number_on_a_photo_counts_no_pages_even_in_a_margin() -> None:
    facts = DocumentFacts(running_lines=(running_form("01"),))
    assert in_quads(facts) == {f"LY-10{n}": [f"P{n}"] for n in range(1, 5)}


def test_a_legend_without_labels_of_prices_names_the_numbered_photos() -> None:
    lines, pictures = [], []
    for n in range(4):
        box = (40 + 150 * (n % 2), 80 + 200 * (n // 2), 180 + 150 * (n % 2), 270 + 200 * (n // 2))
        pictures.append(picture(f"P{n}", box))
        y = 90 + 60 * n
        lines += [line(f"{n + 1}", box[0] + 8, box[1] + 8, 10), line(f"{n + 1}", 356, y, 10)]
        lines += [line(("皮面笔记本", "签字笔", "雨伞", "台历")[n], 376, y, 10.5), line(f"¥{n + 2}9", 540, y, 10.5)]
        lines += [line(f"货号：LY-00{n}", 376, y + 15, 8.5), line(f"规格：{n + 10}cm", 376, y + 27, 8.5)]
    result = understood(*lines, pictures=pictures)
    assert bound(result) == {f"LY-00{n}": [f"P{n}"] for n in range(4)}
    assert [sku.attributes["price"].text for sku in result.skus] == ["¥29", "¥39", "¥49", "¥59"]
    assert [sku.attributes["product_name"].text for sku in result.skus] == ["皮面笔记本", "签字笔", "雨伞", "台历"]
