"""The gate of values: what proves a value, what nearly does, and what does not."""

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from processing.engine.understanding.quotes import EXACT_FROM_LETTERS, Printed

LONG = "Solid oak frame with brushed brass legs"


def kind(value: str, printed: str) -> str:
    return Printed([printed]).match(value).kind


@pytest.mark.req("LX-EXACT")
@pytest.mark.parametrize(
    ("value", "printed"),
    [
        ("125", "12.5"),
        ("12.5", "125"),
        ("12.5", "112.5"),
        ("12.5", "12.55"),
        ("5", "12.5"),
        ("5", ".5"),
        ("12", "12,5"),
        ("20", "-20"),
        ("20", "min. -20 °C"),
        ("-20", "20"),
        ("-20", "10 20"),
        ("1.0", "1"),
        ("125", "12 5"),
        ("12 5", "125"),
        (".4 kg", "3.4 kg"),
        ("12.", "12.5"),
        ("/3", "2/3"),
        ("-50", "10-50"),
        ("1299", "12,990"),
        ("1,299.00", "1,299.01"),
        ("1299.00", "129900"),
        ("DLX-109", "DLX-108"),
        ("DLX-10", "DLX-108"),
        ("DLX-108", "DLX-108A"),
        ("108", "DLX-108"),
        ("LX-108", "DLX-108"),
        ("DLX-100", "DLX-100.1"),
        ("DLX-100", "DLX-100-B"),
        ("A-10", "XA-10"),
        ("108A", "DLX-108A"),
        ("N118S", "N118SL"),
        ("20 mm", "20 cm"),
        ("20 kg", "20 g"),
        ("20 cm", "120 cm"),
        ("$5", "€5"),
        ("5 V", "5 W"),
        ("Ø20", "Ø200"),
        ("M8", "M80"),
        ("", "anything"),
        ("DLX-1O8", "DLX-108"),
    ],
)
def test_a_digit_sign_unit_or_code_that_differs_proves_nothing(value: str, printed: str) -> None:
    assert kind(value, printed) == "not_found"


@pytest.mark.req("LX-QUOTE", "LX-EXACT")
@pytest.mark.parametrize(
    ("value", "printed"),
    [
        ("12.5", "Weight: 12.5 kg"),
        ("12.5", "12.5kg"),
        ("-20", "to -20 °C"),
        ("20", "10-20"),
        ("20", "10–20 cm"),
        ("1299.00", "¥1,299.00"),
        ("1,299.00", "1299.00"),
        ("12,500", "12500 pcs"),
        ("DLX-108", "型号DLX-108白色"),
        ("dlx‑108", "Item DLX-108, red"),
        ("ＤＬＸ-108", "DLX-108"),
        ("A10", "A10/B10"),
        ("B10", "A10/B10"),
        ("DLX-108", "(DLX-108)"),
        ("DLX-108", "DLX-108."),
        ("20 cm", "20cm"),
        ("20cm", "20 cm"),
        ("头层 牛皮", "材质：头层牛皮"),
        ("kg", "5kg"),
        ("USD", "USD685"),
        ("¥", "¥46"),
        ("5", "No.5"),
        ("5", "5."),
        ("oak\nlegs", "Oak legs"),
        ("M8", "M8×20"),
        ("Ø20×30", "ø20 × 30"),
    ],
)
def test_case_width_spaces_dashes_and_grouping_are_forgiven(value: str, printed: str) -> None:
    assert Printed([printed]).match(value) == Printed([value]).match(value)
    assert kind(value, printed) == "exact"


@pytest.mark.req("LX-QUOTE")
def test_only_long_text_without_digits_may_have_a_slip() -> None:
    assert kind(LONG.replace("brushed", "brvshed"), LONG) == "exact"
    assert kind(LONG.replace("brushed", "polished"), LONG) == "approximate"
    assert kind("chrome base and glass shelves", LONG) == "not_found"
    assert kind("oak frume", LONG) == "approximate"  # too short for a slip to be let through
    assert kind("frame 2", "frame") == "not_found"
    assert kind(LONG + " 12", LONG + " 13") == "not_found"


@given(st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), min_size=1, max_size=40))
def test_a_text_proves_itself_on_its_own_and_among_others(text: str) -> None:
    assume(text.strip())
    assert kind(text, text) == "exact"
    assert kind(text, f"before {text} behind") == "exact"


@pytest.mark.req("LX-EXACT")
@example("108", "DLX-", "")
@given(
    st.from_regex(r"[0-9]{1,6}(\.[0-9]{1,3})?", fullmatch=True),
    st.from_regex(r"[A-Z]{0,3}[0-9]", fullmatch=True),
    st.just(""),
)
def test_a_number_is_never_cut_out_of_a_longer_one(number: str, before: str, behind: str) -> None:
    assert kind(number, before + number + behind) == "not_found"
    assert kind(number, number + "7") == "not_found"
    assert kind(number, number + ".7") == "not_found"
    assert kind(number, f"-{number}") == "not_found"


@pytest.mark.req("LX-EXACT")
@given(st.text("0123456789.,-", min_size=EXACT_FROM_LETTERS, max_size=30), st.data())
def test_a_changed_digit_is_not_even_approximate(text: str, data: st.DataObject) -> None:
    places = [n for n, sign in enumerate(text) if sign.isdigit()]
    assume(places)
    at = data.draw(st.sampled_from(places))
    other = text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1 :]
    assert kind(other, text) == "not_found"
