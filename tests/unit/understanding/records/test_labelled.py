"""Labels that recur, in no language that a dictionary holds, are the heads of a table of their cards."""

from processing.engine.page import Line, ParsedPage
from processing.engine.understanding.records.grid import grids
from processing.engine.understanding.records.labelled import labelled_tables
from tests.unit.understanding.pages import line, page
from tests.unit.understanding.records.views import told, view

CARDS = (
    ("T56-71", "Tamrik blent", "€ 10,50"),
    ("T56-72", "Osven kadul", "€ 11,50"),
    ("T58-01", "Prilo mest", "€ 12,50"),
    ("T59-13", "Ganda tusk", "€ 13,50"),
)
LABELS = ("Zorp vlim", "Qwast", "Drun")


def card(values: tuple[str, ...], x: float, y: float, apart: bool = False) -> list[Line]:
    """``apart``: labels, colons and values are each of their own, with wide holes between them."""
    lines: list[Line] = []
    for n, (label, value) in enumerate(zip(LABELS, values, strict=False)):
        at = y + 14 * n
        if apart:
            lines += [line(label, x, at), line(":", x + 90, at + 1), line(value, x + 105, at)]
        else:
            lines.append(line(f"{label}: {value}", x, at))
    return lines


def records(one: ParsedPage) -> list[tuple[str | None, ...]]:
    found = [told(e.drafts, "model", "product_name", "price") for how, e in grids(view(one)) if how == "labels"]
    return found[0] if found else []


def test_cards_under_each_other_are_rows() -> None:
    one = page(*(text for n, values in enumerate(CARDS) for text in card(values, 50, 100 + 80 * n)))
    assert records(one) == list(CARDS)


def test_colons_may_stand_apart() -> None:
    one = page(*(text for n, values in enumerate(CARDS) for text in card(values, 50, 100 + 80 * n, apart=True)))
    assert records(one) == list(CARDS)


def test_cards_beside_each_other_are_rows_too() -> None:
    places = [(50 + n % 2 * 270, 100 + n // 2 * 80) for n in range(4)]
    one = page(*(text for values, at in zip(CARDS, places, strict=True) for text in card(values, *at)))
    assert sorted(records(one)) == list(CARDS)


def test_a_card_may_lack_a_label() -> None:
    one = page(*card(CARDS[0], 50, 100), *card(CARDS[1][:2], 50, 180), *card(CARDS[2], 50, 260))
    assert records(one) == [CARDS[0], (*CARDS[1][:2], None), CARDS[2]]


def test_labels_of_one_card_are_no_table() -> None:
    assert not labelled_tables(view(page(*card(CARDS[0], 50, 100))))


def test_one_label_that_recurs_is_no_table() -> None:
    assert not labelled_tables(
        view(page(*(line(f"Zorp: {code}", 50, 100 + 30 * n) for n, (code, *_) in enumerate(CARDS))))
    )


def test_times_of_day_are_no_labels() -> None:
    times = [line(f"{8 + n}:00 {9 + n}:30", 50, 100 + 20 * n) for n in range(6)]
    assert not labelled_tables(view(page(*times)))
