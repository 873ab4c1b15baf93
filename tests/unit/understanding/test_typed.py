"""Values that are not of their attribute's type, whoever wrote them."""

from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from processing.engine.understanding.rules.normalise import price
from processing.engine.understanding.rules.typed import KINDS, Kind, doubt_of, kinds_of

AMOUNTS = st.decimals(0, 10_000_000, places=2).map(lambda number: Decimal(number))
FORMS = st.sampled_from(["{:,.2f}", "{:.2f}", "¥{:,.2f}", "{:,.2f} USD", "US$ {:.2f}/pc", "{:,.0f}元", "{:.2f}-{:.2f}"])
# What is typed or recognised instead of a figure: Latin, and a Cyrillic O.
LOOK_ALIKES = {"0": "O\u041e", "1": "lI"}


@given(AMOUNTS, FORMS)
def test_a_printed_amount_is_a_price(amount: Decimal, form: str) -> None:
    assert doubt_of("price", form.format(amount, amount)) is None


@given(AMOUNTS, st.data())
def test_a_letter_in_place_of_a_figure_is_seen_and_no_amount_is_made_of_it(
    amount: Decimal, data: st.DataObject
) -> None:
    text = f"{amount:,.2f}"
    places = [n for n, sign in enumerate(text[:-1]) if sign in LOOK_ALIKES]
    assume(places)
    place = data.draw(st.sampled_from(places))
    typed = text[:place] + data.draw(st.sampled_from(LOOK_ALIKES[text[place]])) + text[place + 1 :]
    doubt = doubt_of("price", typed)
    assert doubt is not None and doubt.code == "figures_mixed"
    assert price(typed) is None


@pytest.mark.parametrize(
    "text", ["1,86O.00", "1,86o.00", "l,860.00", "1.86O", "I2.50", "１，８６Ｏ.00", "1,86\u041e.00", "12S.00", "O.50"]
)
def test_prices_with_a_letter_among_their_figures(text: str) -> None:
    doubt = doubt_of("price", text)
    assert doubt is not None and (doubt.code, doubt.value) == ("figures_mixed", text)


@pytest.mark.parametrize(
    "text",
    [
        "面议",
        "10-20 USD",
        "100pcs: $2.5; 500pcs: $2.1",
        "USD 12 / 5 L",
        "€ 12,50",
        "1.299,-",
        "SGD 20",
        "NT$1,200",
        "Rs. 45",
        "12.50/m2",
        "80 zł",
        "No. 5: 12.00",
    ],
)
def test_what_catalogues_print_as_prices_is_left_alone(text: str) -> None:
    assert doubt_of("price", text) is None


@pytest.mark.parametrize(
    ("key", "kind", "text", "code"),
    [
        ("moq", "text", "1O0 pcs", "figures_mixed"),
        ("moq", "text", "a few", "number_missing"),
        ("moq", "text", "100 pcs", None),
        ("moq", "text", "一箱", None),
        ("moq", "text", "１００件", None),
        ("power", "measure", "warm", "number_missing"),
        ("power", "measure", "12W", None),
        ("volume", "measure", "1.5l", None),
        ("voltage", "measure", "5V1A", None),
        ("beam", "measure", "60o", None),
        ("pins", "number", "2O8", "figures_mixed"),
        ("pins", "text", "2O8", None),
        ("model", "text", "A-1O8", None),
        ("currency", "text", "USD", None),
        ("currency", "text", "元", None),
        ("currency", "text", "shells", "currency_unknown"),
        ("price", "text", "on the moon", "price_unclear"),
    ],
)
def test_each_kind_is_judged_as_its_own(key: str, kind: Kind, text: str, code: str | None) -> None:
    doubt = doubt_of(key, text, kind)
    assert (doubt.code if doubt else None) == code


@given(
    st.sampled_from([*KINDS, "price", "currency", "size"]), st.text(max_size=40), st.sampled_from(["text", "measure"])
)
def test_no_text_is_too_odd_to_be_judged(key: str, text: str, kind: Kind) -> None:
    doubt_of(key, text, kind)


def test_the_kinds_of_a_schema() -> None:
    stored = [{"key": "power", "type": "measure", "unit": "W"}, {"key": "glaze"}, {"key": "class", "type": "choice"}]
    assert kinds_of(stored) == {"power": "measure", "glaze": "text", "class": "text"}
