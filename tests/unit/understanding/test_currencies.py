"""Amounts in the currencies of further countries."""

import pytest

from processing.engine.understanding.captions.text import read_caption
from processing.engine.understanding.rules.normalise import currency_of, price
from processing.engine.understanding.rules.shapes import is_code, is_price, price_spans
from tests.unit.understanding.pages import line


@pytest.mark.parametrize(
    ("text", "currency", "value"),
    [
        ("R$ 129,90", "BRL", "129.90"),
        ("714.000 ARS", "ARS", "714000"),
        ("ARS 1.250", "ARS", "1250"),
        ("120,00 zł", "PLN", "120.00"),
        ("1 290,50 Kč", "CZK", "1290.50"),
        ("1500 руб.", "RUB", "1500"),
        ("1 500 ₽", "RUB", "1500"),
        ("₺250", "TRY", "250"),
        ("1.250,00 TL", "TRY", "1250.00"),
        ("12.50 GBP", "GBP", "12.50"),
        ("9,90 CHF", "CHF", "9.90"),
        ("1.500,00 €", "EUR", "1500.00"),
        ("₫150.000", "VND", "150000"),
        ("1.250 USD", "USD", "1.250"),
        ("U$S 120", "USD", "120"),
        ("40,- DKK", "DKK", "40"),
        ("1.299,– €", "EUR", "1299"),
        ("6,500yen", "JPY", "6500"),
        ("45 baht", "THB", "45"),
        ("Rp173,000", "IDR", "173000"),
        ("Php 1,250.50", "PHP", "1250.50"),
        ("12.50 AZN", "AZN", "12.50"),
    ],
)
def test_an_amount_with_its_currency_is_a_price(text: str, currency: str, value: str) -> None:
    found = price(text)
    assert is_price(text) and price_spans(text)[0][0] == 0 and price_spans(text)[0][1] >= len(text) - 1
    assert (currency_of(text), found and found["value"]) == (currency, value)


@pytest.mark.parametrize(
    "text",
    [
        "SAR500",
        "TL 250",
        "SEK100-2",
        "250 TLX",
        "lei 12",
        "PLN-40",
        "JD75TL",
        "JD132/60TL 5",
        "SB 1300TL-10",
        "RP200",
        "TK 45",
        "CRP1,200",
    ],
)
def test_letters_of_codes_are_no_currency(text: str) -> None:
    assert not is_price(text)


def test_an_amount_may_end_in_the_stroke_of_rupees_and_shillings() -> None:
    for text in ("28,490/-", "450 /-", "1200/="):
        assert is_price(text) and price_spans(text) == ((0, len(text)),)
    for text in ("28/490", "12/-20", "AB-450/-", "1/2"):
        assert not is_price(text)


def test_an_amount_may_have_a_dash_for_its_cents_or_crowns_behind_it() -> None:
    for text in ("45,-", "1.299,–", "10,-kr", "45 kr", "8.-", "1290.–"):
        assert is_price(text) and price_spans(text) == ((0, len(text)),)
    for text in ("12,-3", "12.-3", "8.-10.", "KR 16", "B45 kr", "45kr-2", "40, - x"):
        assert not is_price(text)


def test_figures_of_full_width_are_found_where_they_stand() -> None:
    assert price_spans("煎茶 ８７０円") == ((3, 7),)


@pytest.mark.parametrize("text", ["SAR500", "TL 250"])
def test_such_codes_stay_codes(text: str) -> None:
    assert is_code(text)


@pytest.mark.parametrize(
    ("text", "paid"),
    [
        ("714.000 ARS ó 154.700 ARS durante 6 meses", "714.000 ARS"),
        ("$120 or 6 payments of 20", "$120"),
        ("$120 or more", "$120 or more"),  # no instalments
        ("From $120 or 6 x $20", "From $120 or 6 x $20"),
    ],
)
def test_the_price_before_instalments_is_the_one_to_pay(text: str, paid: str) -> None:
    attributes, _, _ = read_caption((line("Oak table", 50, 100), line(text, 50, 114)), 1)
    assert attributes["price"].text == paid
