"""Records of one form, whatever their arrangement: each style whose lines may name products is one reading."""

import pytest

from processing.engine.page import ParsedPage
from processing.engine.understanding.draft import Extraction
from processing.engine.understanding.records.repeat import extract_repeat, may_lead, repeats
from processing.engine.understanding.records.spans import Span
from tests.unit.understanding.pages import line, page
from tests.unit.understanding.records.views import in_grid, photos, told, view

NAMES = ("Tamrik blent", "Osven kadul", "Prilo mest", "Ganda tusk", "Vorek sime", "Halto brun")
PRICES = tuple(f"€ {10 + n},50" for n in range(6))
NAMED = [(name,) for name in NAMES]
PRICED = list(zip(NAMES, PRICES, strict=True))


def readings(one: ParsedPage) -> dict[str, list[Extraction]]:
    """By how each leads its records: "lines.lanes"."""
    found: dict[str, list[Extraction]] = {}
    for repeat in repeats(view(one)):
        found.setdefault(repeat.how, []).append(extract_repeat(repeat, view(one)))
    return found


def among(found: list[Extraction], *keys: str) -> list[list[tuple[str | None, ...]]]:
    return [told(one.drafts, *keys) for one in found]


def test_each_card_of_a_grid_is_a_record() -> None:
    cards = [[(name, 110, 12), ("Velo strama dun", 142, 8), (price, 160, 9)] for name, price in PRICED]
    found = readings(page(*in_grid(*cards), pictures=photos(6)))["lines.lanes"]
    assert PRICED in among(found, "product_name", "price")
    best = next(one for one in found if told(one.drafts, "product_name") == NAMED)
    assert [draft.attributes["description"].text for draft in best.drafts] == ["Velo strama dun"] * 6
    assert [draft.picture for draft in best.drafts] == [photo.box for photo in photos(6)]


def test_a_title_of_two_lines_leads_one_record() -> None:
    cards = [[(name.split()[0], 110, 12), (name.split()[1], 124, 12), (price, 160, 9)] for name, price in PRICED]
    found = readings(page(*in_grid(*cards)))
    assert PRICED in among(found["paragraphs.lanes"], "product_name", "price")
    firsts = [(name.split()[0], price) for name, price in PRICED]
    assert firsts in among(found["first.lanes"], "product_name", "price")


def test_names_at_photos_are_records_with_a_picture_each() -> None:
    (found,) = readings(page(*in_grid(*([(name, 108, 10)] for name in NAMES)), pictures=photos(6)))["lines.lanes"]
    assert told(found.drafts, "product_name") == NAMED
    assert [draft.picture for draft in found.drafts] == [photo.box for photo in photos(6)]


def test_lines_with_leader_dots_are_records() -> None:
    rows = [line(f"{name} {'.' * 20} {price}", 50, 100 + 20 * n) for n, (name, price) in enumerate(PRICED)]
    assert PRICED in among(readings(page(line("Garno", 50, 50, 16), *rows))["lines.across"], "product_name", "price")


def test_what_most_cards_say_alike_leads_none_of_them_and_a_few_may_share_their_name() -> None:
    cards = [[(name, 0, 12), ("Velo strama", 30, 9)] for name in NAMES]
    six = [told(one.drafts, "product_name") for found in readings(page(*in_grid(*cards))).values() for one in found]
    assert NAMED in six and [("Velo strama",)] * 6 not in six
    few = readings(page(*in_grid(*([("Velo strama", 0, 12), (price, 30, 9)] for price in PRICES[:4]))))
    assert [("Velo strama", price) for price in PRICES[:4]] in among(few["lines.lanes"], "product_name", "price")


def under_each_other(*texts: tuple[str, float]) -> ParsedPage:
    return page(*(line(text, 50, 100 + 30 * n, size) for n, (text, size) in enumerate(texts)))


def test_larger_print_ends_a_record() -> None:
    """What stands under the heading of the next section is not the last product's, whichever section it is."""
    one = under_each_other(
        (NAMES[0], 12), (PRICES[0], 9), (NAMES[1], 12), ("Garno selt", 20), ("€ 99,00", 9), (NAMES[2], 12)
    )
    found = readings(one)["lines.lanes"]
    assert [(NAMES[0], PRICES[0]), (NAMES[1], None), (NAMES[2], None)] in among(found, "product_name", "price")


def test_a_price_in_larger_print_ends_none() -> None:
    one = under_each_other(*(text for name, price in PRICED for text in ((name, 12), (price, 20))))  # type: ignore[arg-type]
    assert PRICED in among(readings(one)["lines.lanes"], "product_name", "price")


def test_headings_of_sections_do_not_lead_together_with_names() -> None:
    """Headings are one reading and names another: of no reading do both lead records."""
    one = under_each_other(
        ("Garno selt", 16),
        *((name, 10) for name in NAMES[:3]),
        ("Dosta kerim", 16),
        *((name, 10) for name in NAMES[3:]),
    )
    found = among(readings(one)["lines.lanes"], "product_name")
    assert NAMED in found and [("Garno selt",), ("Dosta kerim",)] in found
    assert len(found) == 2


def test_one_large_line_alone_leads_a_sheet() -> None:
    one = under_each_other(("Tamrik blent", 24), ("Velo strama dun", 10), ("€ 10,50", 10))
    found = readings(one)["one.lanes"]
    assert [("Tamrik blent", "€ 10,50", "Velo strama dun")] in among(found, "product_name", "price", "description")


def test_one_line_in_small_print_leads_none() -> None:
    sizes = [(f"Garno selt {n}", size) for n, size in enumerate((30, 26, 22))]
    found = readings(under_each_other(*((name, size) for name, size in sizes), ("Tamrik blent", 8), ("€ 10,50", 8)))
    assert all(("Tamrik blent",) not in one for each in found.values() for one in among(each, "product_name"))


def test_a_size_behind_a_word_is_one_where_it_stands_at_the_same_place_of_most() -> None:
    sizes = [f"Poche {150 + 10 * n}g" for n in range(6)]
    cards = [
        [(name, 0, 12), (size, 20, 8), (price, 36, 9)] for name, size, price in zip(NAMES, sizes, PRICES, strict=True)
    ]
    wanted = list(zip(NAMES, sizes, PRICES, strict=True))
    assert wanted in among(readings(page(*in_grid(*cards)))["lines.lanes"], "product_name", "size", "price")
    words = [[(name, 0, 12), (sizes[n] if n < 2 else "Velo strama", 20, 8)] for n, name in enumerate(NAMES)]
    few = among(readings(page(*in_grid(*words)))["lines.lanes"], "product_name", "size")
    assert [(name, None) for name in NAMES] in few


@pytest.mark.parametrize("size", [11, 18])
def test_an_amount_without_a_currency_is_the_price_where_most_have_one_there(size: float) -> None:
    amounts = [f"{10 + n}.90" for n in range(6)]
    cards = [
        [(name, 0, 12), ("Velo strama", 20, 8), (amount, 36, size)] for name, amount in zip(NAMES, amounts, strict=True)
    ]
    found = readings(page(*in_grid(*cards)))["lines.lanes"]
    assert list(zip(NAMES, amounts, strict=True)) in among(found, "product_name", "price")


@pytest.mark.xfail(reason="the second line of a title is taken for the description, and the description is lost")
def test_the_second_line_of_a_title_is_not_its_description_too() -> None:
    cards = [
        [(name.split()[0], 110, 12), (name.split()[1], 124, 12), ("Velo strama dun", 142, 8), (price, 160, 9)]
        for name, price in PRICED
    ]
    found = readings(page(*in_grid(*cards)))["paragraphs.lanes"]
    assert [(name, "Velo strama dun") for name in NAMES] in among(found, "product_name", "description")


@pytest.mark.parametrize(
    ("text", "leads"),
    [
        ("Tamrik blent", True),
        ("T56-71", True),
        ("€ 10,50", False),
        ("1250", False),
        ("Material: oak", False),
        ("Price", False),
        ("We have made hoists, slings and beams for many years.", False),
    ],
)
def test_names_and_codes_may_lead_and_values_labels_and_sentences_not(text: str, leads: bool) -> None:
    assert may_lead(Span((line(text, 50, 100),), 0, 10.0, False)) is leads


def test_names_behind_their_numbers_lead_and_do_without_them() -> None:
    numbered = [(f"{n}. {name}", 14.0) for n, name in enumerate(NAMES, 1)]
    one = under_each_other(
        *(text for name, price in zip(numbered, PRICES, strict=True) for text in (name, (price, 10.0)))
    )
    assert PRICED in among(readings(one)["lines.lanes"], "product_name", "price")


def test_what_is_printed_as_all_names_are_is_one_however_long() -> None:
    """In print of which nearly all are names, a name of many words is none of a text's sentences."""
    long = "Pote da casa com bombons de frutas secas"
    titles = [(name, 14.0) for name in (*NAMES[:4], long)]
    with_prices = [text for title, price in zip(titles, PRICES, strict=False) for text in (title, (price, 10.0))]
    assert [*PRICED[:4], (long, PRICES[4])] in among(
        readings(under_each_other(*with_prices))["lines.lanes"], "product_name", "price"
    )
    few = [(name, 14.0) for name in (*NAMES[:2], long)]
    with_prices = [text for title, price in zip(few, PRICES, strict=False) for text in (title, (price, 10.0))]
    found = among(readings(under_each_other(*with_prices))["lines.lanes"], "product_name")
    assert not any((long,) in one for one in found)
