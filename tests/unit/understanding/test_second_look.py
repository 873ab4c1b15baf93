"""A value that was read twice from pixels: what counts as the same, and that nothing else does."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from catalogsku.core.text import squash
from processing.engine.understanding.second_look import agrees

CODES = "ABDEGOSZI0123456789"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("12.50", "¥12.50/件"),
        ("AX-100", "型号 AX-100 办公椅"),
        ("ax–100", "AX-100"),
        ("1250", "1,250"),
        ("AX-100", "AX-\n100"),
        ("实木 办公椅", "实木办公椅"),
        ("0.5 m2", "0.5m²"),
        ("10²", "10²"),
        ("±5", "15 ±5"),
        ("12～15", "12~15 mm"),
        ("-5", "−5 °C"),
        ("12.50", "12.50¹"),
        ("/kg", "12.50/kg"),
        ("600", "W 600×D400"),
        ("１２", "12"),
    ],
)
def test_the_same_print_agrees(value, said):
    assert agrees(value, said)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("12.5", "125"),
        ("125", "12.5"),
        ("12.5", "12.50"),
        ("12,5", "12.5"),
        ("1.250", "1,250"),
        ("5", "-5"),
        ("5", "±5"),
        ("5", "+ 5"),
        ("5", "<5"),
        ("5", "≥ 5"),
        ("5", "~5"),
        ("-5", "5"),
        ("±5", "5"),
        ("A0-1", "AO-1"),
        ("AO-1", "A0-1"),
        ("B8", "88"),
        ("I5", "15"),
        ("AX-10", "AX-100"),
        ("X-100", "AX-100"),
        ("102", "10²"),
        ("11", "1①"),
        ("1250", "12 50"),
        ("1250", "12\n50"),
        ("M8", "M8x20"),
        ("办公桌", "办公椅"),
        ("oak", "soaked"),
        (".4 kg", "3.4 kg"),
        ("12.", "12.5"),
        ("/3", "2/3"),
        ("00.011-", "00.011-2"),
        ("-50", "10-50"),
        ("12.50", ""),
        ("", "12.50"),
        (" ", " "),
        ("Solid oak chair with a seat of leather", "Solid oak chair with a seat of feather"),
    ],
)
def test_what_only_resembles_it_does_not(value, said):
    assert not agrees(value, said)


@given(st.text(CODES, min_size=1, max_size=9), st.sampled_from(["", "-", ".", " "]), st.text(CODES, max_size=5))
def test_a_code_agrees_with_itself_wherever_it_stands(head, joint, tail):
    value = f"{head}{joint}{tail}".strip(" .-")
    assume(value)
    assert agrees(value, value) and agrees(value, f"型号 {value} 件\n{value}")


@given(st.data(), st.text(CODES, min_size=2, max_size=8))
def test_no_value_with_another_sign_agrees(data, said):
    at = data.draw(st.integers(0, len(said) - 1))
    other = data.draw(st.sampled_from(CODES).filter(lambda sign: sign != said[at]))
    assert not agrees(said[:at] + other + said[at + 1 :], said)


@given(st.data(), st.decimals("0.01", "99999", places=2))
def test_no_number_with_a_digit_more_or_less_or_another_point_agrees(data, number):
    said = str(number)
    at = data.draw(st.integers(0, len(said) - 1))
    for other in (said[:at] + said[at + 1 :], said[: at + 1] + said[at:], said.replace(".", ","), f"-{said}"):
        assert squash(other) == squash(said) or not agrees(other, f"Price {said} each")


@given(st.text(max_size=12), st.text(max_size=30))
def test_nothing_is_made_up(value, said):
    """What agrees stands there but for case, width, dashes, spaces and the grouping of thousands."""
    plain = str.maketrans("", "", ",'")
    if agrees(value, said):
        assert squash("".join(value.split())).translate(plain) in squash("".join(said.split())).translate(plain)
