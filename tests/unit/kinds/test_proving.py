"""What a quote proves: green, what a person must look at: yellow, and what is locked: red."""

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from processing.engine.kinds.printed import PrintedText
from processing.engine.kinds.proving import Proof, prove
from tests.unit.kinds.papers import page, printed

LONG = "Participants were randomly allocated by a central telephone service"


def proof(value: str, text: str) -> Proof:
    """Of a value by the only line there is."""
    return prove(printed(text), value, text)


def reason(value: str, text: str) -> tuple[str, str]:
    return proof(value, text).grade, proof(value, text).reason


@pytest.mark.req("LX-QUOTE", "LX-EXACT")
@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("12.5", "Mean pain 12.5 points"),
        ("12.5", "Mean pain 12.5 (3.2)"),
        ("3.2", "Mean pain 12.5±3.2"),
        ("-20", "Mean change -20 points"),
        ("-20", "Mean change −20 points"),
        ("−0.38", "Mean change –0.38 (SD 0.1)"),
        ("-0.38", "Mean change − 0.38 (SD 0.1)"),
        ("-0.6", "Mean change (- 0.6 to 0.1)"),
        ("12", "Aged 12-20 years"),
        ("20", "Aged 12–20 years"),
        ("20", "Aged 12−20 years"),
        ("-0.1", "Change, 95% CI −0.5–−0.1"),
        ("0.84", "Hazard ratio 0·84"),
        ("0·84", "Hazard ratio 0.84"),
        ("1234", "Of 1,234 patients"),
        ("1,234", "Of 1234 patients"),
        ("95%", "Sensitivity was 95%"),
        ("95 %", "Sensitivity was 95%"),
        ("45", "Events 45* in all"),
        ("45", "Events 45† in all"),
        ("45", "Events 45/120 in all"),
        ("120", "Events 45/120 in all"),
        ("45", "The mean dose 45mg a day"),
        ("45 mg", "The mean dose 45mg a day"),
        ("5", "The mean dose 5g a day"),
        ("12", "A 12-week trial"),
        ("<0.05", "For all p < 0.05"),
        (".03", "For all p = .03"),
        ("12a", "Stage 12a disease"),
        ("NCT01234567", "Registered NCT01234567"),
        ("DLX-108", "The device DLX-108 was"),
        ("IL-6", "Serum IL-6 was measured"),
        ("double-blind", "A double blind trial"),
        ("double blind", "A Double-Blind trial"),
        ("efficacy", "The eﬃcacy endpoint"),
        ("placebo", "Ｐlacebo was given"),
        ("45", "年龄 45 岁"),
    ],
)
def test_a_value_that_its_quote_holds_is_proved(value: str, text: str) -> None:
    assert reason(value, text) == ("green", "proved")


@pytest.mark.req("LX-QUOTE")
def test_a_value_that_is_a_whole_sentence_is_proved_by_it_and_a_numbers_point_is_its_own() -> None:
    sentence = "The study was funded by the Council in 2014."
    assert reason(sentence, sentence) == ("green", "proved")
    assert reason("12.", "Mean pain 12.5 points") == ("red", "value_not_in_quote")


@pytest.mark.req("LX-QUOTE")
@pytest.mark.parametrize("end", ["", ".", "; "])
def test_of_a_value_that_print_does_not_say_the_quote_alone_is_looked_for(end: str) -> None:
    text = printed("It was a two-arm trial of 45 people.")

    def of(quote: str) -> tuple[str, str]:
        found = prove(text, None, quote)
        return found.grade, found.reason

    assert of(f"a two-arm trial of 45 people{end}") == ("green", "proved")
    assert of("a two-arm trial of 46 people") == ("red", "quote_not_found")
    assert of("45") == ("yellow", "quote_bare") and of(" ") == ("red", "no_quote")


@pytest.mark.req("LX-EXACT", "LX-UNLOCK")
@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("125", "Mean pain 12.5 points"),
        ("12.5", "Mean pain 125 points"),
        ("20", "Mean change -20 points"),
        ("20", "Mean change − 20 points"),
        ("-20", "Mean change 20 points"),
        ("-20", "Aged 12-20 years"),
        ("0.5", "Mean dose 0.05 ml"),
        ("0.05", "Mean dose 0.5 ml"),
        ("1.234", "Of 1,234 patients"),
        ("1,234", "Ratio of 1.234 in all"),
        ("DLX-109", "The device DLX-108 was"),
        ("DLX-10", "The device DLX-108 was"),
        ("3", "In all 13 patients"),
        ("3", "Mean pain 3.5 points"),
        ("3", "For all p<0.03"),
        ("45", "Correlation r=.45 was"),
        ("5", "Mean pain 2.5 points"),
        ("109", "Leucocytes 10⁹ per litre"),
        ("452", "Of these 45² were"),
        ("51", "Median 5½ weeks"),
        ("12 5", "Mean pain 125 points"),
        ("125", "Groups of 12 5 and"),
        ("20 mg", "The mean dose 20 g"),
        ("95%", "Sensitivity was 94%"),
        ("mean", "Mean-ing less"),
        ("significant", "It was non-significant"),
        ("24", "The CD45 count"),
        ("men", "Of 12 women"),
    ],
)
def test_a_value_that_is_another_one_in_its_quote_is_locked(value: str, text: str) -> None:
    assert reason(value, text) == ("red", "value_not_in_quote")


@pytest.mark.req("LX-EXACT")
@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("95", "Sensitivity was 95%"),
        ("95%", "Sensitivity (%) was 95"),
        ("12", "Of these 12%–20% died"),
        ("12", "Of these 12–20% died"),
        ("0.05", "For all p < 0.05"),
        ("18", "Aged ≥18 years"),
        ("12.50", "Mean pain 12.5 points"),
        ("0.84", "Hazard ratio 0,84"),
        (".03", "For all p = 0.03"),
        ("0.71-0.99", "Interval 0.71 to 0.99"),
        ("12", "Stage 12a disease"),
        ("45", "Of these 45² were"),
        ("0.3", "Mean change 3.4 - 0.3"),
        ("-0.3", "Mean change 3.4 - 0.3"),
        ("38.3", "Median change \ufffd38.3 in all"),
        ("22.1", "Mean score 40.9¡22.1 in all"),
        ("19", "As others found [19] before"),
        ("6", "Serum IL-6 was measured"),
    ],
)
def test_a_number_in_another_form_is_looked_at(value: str, text: str) -> None:
    assert reason(value, text) == ("yellow", "value_written_otherwise")


@pytest.mark.req("LX-EXACT")
@pytest.mark.parametrize("quote", ["12.5", "n = 45", "At 2 h - -", "(N = 45) (N = 12.5)"])
def test_numbers_alone_prove_nothing(quote: str) -> None:
    value = quote.strip("()").split()[-1] if quote != "At 2 h - -" else "2"
    assert reason(value, quote) == ("yellow", "quote_bare")


@pytest.mark.req("LX-QUOTE", "LX-UNLOCK")
@pytest.mark.parametrize(
    ("value", "quote", "why"),
    [
        ("", "Mean pain 12.5 points", "no_value"),
        (" – ", "Mean pain 12.5 points", "no_value"),
        ("12.5", "", "no_quote"),
        ("12.5", "“…”", "no_quote"),
        ("12.5", "Mean relief 12.5 points", "quote_not_found"),
        ("12.6", "Mean pain 12.6 points", "quote_not_found"),
        ("5", "5 points", "quote_not_found"),
        ("20", "20 degrees at most", "quote_not_found"),
    ],
)
def test_what_is_not_there_is_locked(value: str, quote: str, why: str) -> None:
    text = printed("Mean pain 12.5 points, at −20 degrees at most")
    assert prove(text, value, quote) == Proof("red", why)  # type: ignore[arg-type]


@pytest.mark.req("LX-QUOTE")
def test_quotation_marks_bars_and_the_last_stop_are_no_part_of_a_quote() -> None:
    text = printed("Mean pain 12.5 (3.2) in the “active” group")
    for quote in ("“Mean pain | 12.5 (3.2)”", "…pain 12.5 (3.2).", '12.5 (3.2) in the "active" group.'):
        assert prove(text, "3.2", quote).grade == "green", quote


@pytest.mark.req("LX-EXACT", "LX-QUOTE")
def test_only_long_text_without_digits_may_differ_and_is_looked_at() -> None:
    text = printed(LONG)
    assert prove(text, "central telephone", LONG.replace("randomly", "randomiy")).reason == "quote_approximate"
    assert prove(text, "central telephone", LONG.replace("randomly", "randomiy")).grade == "yellow"
    assert prove(text, LONG.replace("randomly", "randomiy"), LONG).reason == "value_approximate"
    assert prove(text, "sealed envelopes", LONG.replace("randomly", "randomiy")).reason == "value_not_in_quote"
    assert prove(text, "central", "centrai telephone").reason == "quote_not_found"
    assert prove(text, "none", "Nobody knows how anyone was put into any of these groups").reason == "quote_not_found"
    numbered = printed(LONG + " in 12 towns")
    assert prove(numbered, "12", LONG.replace("randomly", "randomiy") + " in 12 towns").reason == "quote_not_found"
    assert prove(numbered, "13", LONG + " in 13 towns").reason == "quote_not_found"


@pytest.mark.req("LX-QUOTE")
def test_a_quote_that_stands_twice_is_looked_at_whatever_page_is_said() -> None:
    text = PrintedText([page((50, 200, ["Mean pain 12.5 points"]), number=n) for n in (1, 2, 3)][:2])
    found = prove(text, "12.5", "Mean pain 12.5 points", page=2)
    assert (found.grade, found.reason) == ("yellow", "several_places")
    assert [place[0].page for place in found.places] == [2, 1]
    assert [place[0].page for place in prove(text, "12.5", "Mean pain 12.5 points").places] == [1, 2]


def test_places_are_the_lines_that_the_quote_stands_on() -> None:
    text = printed("We saw that the mean", "pain was 12.5 points", "in all")
    (place,) = prove(text, "12.5", "mean pain was 12.5").places
    (spot,) = place
    assert spot.page == 1
    assert spot.boxes == ((138.0, 200.0, 160.0, 210.0), (50.0, 212.0, 121.5, 222.0))


@pytest.mark.req("LX-EXACT")
@example("20", "−", "")
@example("5", "r=.", "")
@given(
    st.from_regex(r"[0-9]{1,5}(\.[0-9]{1,3})?", fullmatch=True),
    st.sampled_from(["1", "0.", "-", "−", "−\u2009", "2,", ".", "r=."]),
    st.sampled_from(["", "7", ".7", "²", "%"]),
)
def test_a_number_with_more_before_or_behind_it_is_never_green(number: str, before: str, behind: str) -> None:
    assert proof(number, f"the mean was {before}{number}{behind} in all").grade != "green"


@pytest.mark.req("LX-EXACT")
@given(
    st.from_regex(r"-?[0-9]{1,5}(\.[0-9]{1,3})?", fullmatch=True),
    st.from_regex(r"-?[0-9]{1,5}(\.[0-9]{1,3})?", fullmatch=True),
)
def test_one_number_never_proves_another(one: str, other: str) -> None:
    assume(one != other)
    text = f"the mean was {other} in all"
    assert proof(one, text).grade != "green"
    assert prove(printed(text), one, f"the mean was {one} in all").reason == "quote_not_found"
    assert proof(other, text).grade == "green"


@pytest.mark.req("LX-EXACT")
@given(st.lists(st.from_regex(r"-?[0-9]{1,4}(\.[0-9]{1,2})?", fullmatch=True), min_size=2, max_size=6), st.data())
def test_a_quote_with_one_sign_of_a_number_changed_is_never_found(numbers: list[str], data: st.DataObject) -> None:
    row = "Systolic pressure " + " | ".join(numbers)
    at = data.draw(st.sampled_from([n for n, sign in enumerate(row) if sign.isdigit()]))
    other = data.draw(st.sampled_from([sign for sign in "0123456789" if sign != row[at]]))
    value = numbers[-1]
    assert prove(printed(row), value, row).grade == "green"
    assert prove(printed(row), value, row[:at] + other + row[at + 1 :]).reason == "quote_not_found"
