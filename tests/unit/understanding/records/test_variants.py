"""Measures with their prices under the name of what costs so much."""

from processing.engine.page import ParsedPage
from processing.engine.understanding.records.variants import extract_variants
from tests.unit.understanding.pages import line, page
from tests.unit.understanding.records.views import told, view

NAMES = ("Tamrik blent", "Osven kadul")
SIZES = ("250 g", "500 g", "1 kg")


def records(one: ParsedPage) -> list[tuple[str | None, ...]]:
    return [
        record
        for found in extract_variants(view(one))
        for record in told(found.drafts, "product_name", "size", "price")
    ]


def rows_under(*headed: tuple[str, tuple[str, ...]], dotted: bool = False, x: float = 50) -> list[object]:
    lines, y = [], 100.0
    for n, (heading, rows) in enumerate(headed):
        lines.append(line(heading, x, y))
        for k, row in enumerate(rows):
            y += 20
            price = f"€ {10 * n + k + 1},50"
            lines += (
                [line(f"{row}{'.' * 20}{price}", x + 5, y)]
                if dotted
                else [line(row, x + 5, y), line(price, x + 150, y)]
            )
        y += 30
    return lines


def wanted(*headed: tuple[str, tuple[str, ...]]) -> list[tuple[str, str, str]]:
    return [
        (name, size, f"€ {10 * n + k + 1},50") for n, (name, sizes) in enumerate(headed) for k, size in enumerate(sizes)
    ]


HEADED = ((NAMES[0], SIZES[:2]), (NAMES[1], SIZES))


def test_each_measure_with_a_price_is_a_record_of_the_name_over_it() -> None:
    assert records(page(*rows_under(*HEADED))) == wanted(*HEADED)


def test_dots_may_lead_to_the_prices() -> None:
    assert records(page(*rows_under(*HEADED, dotted=True))) == wanted(*HEADED)


def test_a_word_may_stand_before_the_measure() -> None:
    headed = ((NAMES[0], ("under 2 kg", "over 2 kg")),)
    assert records(page(*rows_under(*headed))) == wanted(*headed)


def test_lists_beside_each_other_keep_their_own_names() -> None:
    left, right = rows_under(HEADED[0]), rows_under((NAMES[1], SIZES[:2]), x=330)
    found = records(page(*left, *right))
    assert {name for name, _, _ in found} == set(NAMES)
    assert [size for name, size, _ in found if name == NAMES[1]] == list(SIZES[:2])


def test_rows_with_a_name_of_their_own_keep_it() -> None:
    headed = ((NAMES[0], SIZES[:2]), ("Garno selt", ("Prilo mest",)))
    assert records(page(*rows_under(*headed)))[-1] == ("Prilo mest", None, "€ 11,50")


def test_where_rows_name_their_products_there_is_nothing_to_tell() -> None:
    assert not records(page(*rows_under((NAMES[0], ("Prilo mest", "Ganda tusk", "Vorek sime")))))


def test_measures_under_a_sentence_have_no_name() -> None:
    assert not records(page(*rows_under(("All of it is made by hand in the workshop.", SIZES))))
