"""What rules offer for the fields of a trial: statements, arms, rows of tables, each with a quote that is printed."""

from collections.abc import Sequence

import pytest

from processing.engine.kinds.candidates import Candidate, candidates_of
from processing.engine.kinds.outcomes import outcomes_of
from processing.engine.kinds.paper_tables import PaperTable, tables_of
from processing.engine.page import Block, Line, ParsedPage, Word

SIZE, ADVANCE = 9.0, 4.5
Placed = tuple[float, float, str]


def line(x: float, y: float, text: str) -> Line:
    words, at = [], x
    for word in text.split():
        words.append(Word(word, (at, y, at + ADVANCE * len(word), y + SIZE), SIZE))
        at += ADVANCE * (len(word) + 0.5)
    return Line(text, (x, y, words[-1].box[2], y + SIZE), tuple(words), SIZE)


def page(*blocks: Sequence[Placed], number: int = 1) -> ParsedPage:
    made = []
    for n, lines in enumerate(blocks, 1):
        laid = tuple(line(*placed) for placed in lines)
        box = tuple(edge(one.box[side] for one in laid) for side, edge in enumerate((min, min, max, max)))
        made.append(Block(f"T{n}", box, laid))  # type: ignore[arg-type]
    return ParsedPage(number, 595.0, 842.0, 0, "test", tuple(made))


def offered(*pages: ParsedPage) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for candidate in candidates_of(pages):
        found.setdefault(candidate.field, []).append(candidate.text)
    return found


TABLE = (
    [(50, 100, "Table 2. Outcomes at 12 weeks")],
    [
        *((200, 120, "Exercise group"), (330, 120, "Control group"), (460, 120, "P value")),
        *((200, 132, "(n = 45)"), (330, 132, "(n = 47)")),
    ],
    [
        *((50, 150, "Falls, n (%)"), (200, 150, "9 (20.0)"), (330, 150, "19 (40.4)"), (460, 150, "0.03")),
        *((50, 164, "Weight, kg"), (200, 164, "71.2 ± 9.4"), (330, 164, "74.0 ± 8.8"), (460, 164, "0.14")),
        (50, 178, "Laboratory"),
        *((50, 192, "Glucose, mean (SD)"), (200, 192, "5.1 (0.7)"), (330, 192, "5.6 (0.9)"), (460, 192, "0.01")),
        *((50, 206, "Age, median (IQR)"), (200, 206, "61 (55–70)"), (330, 206, "63 (54–71)"), (460, 206, "0.60")),
    ],
)


def test_a_journals_table_has_heads_rows_and_sections() -> None:
    (table,) = tables_of(page(*TABLE))
    assert table.caption == "Table 2. Outcomes at 12 weeks"
    assert [column.head for column in table.columns] == [
        "Exercise group (n = 45)",
        "Control group (n = 47)",
        "P value",
    ]
    assert [(row.label, row.section) for row in table.rows] == [
        ("Falls, n (%)", ""),
        ("Weight, kg", ""),
        ("Glucose, mean (SD)", "Laboratory"),
        ("Age, median (IQR)", "Laboratory"),
    ]


def test_running_text_below_a_table_is_none_of_its_rows() -> None:
    prose = [(50, 226, "Of all the patients who had been seen there in these years most came 12 times again")]
    (table,) = tables_of(page(*TABLE, prose))
    assert len(table.rows) == 4


def test_a_table_in_a_column_beside_running_text_takes_nothing_of_it() -> None:
    text = "of all patients who had been seen there 12 (3.1) came again and again"
    beside = [(310.0, 120.0 + 12 * n, text) for n in range(6)]
    own = [(40, 120, "Drug"), (150, 120, "(n = 9)"), (230, 120, "Placebo (n = 8)")]
    rows = [(40, 144, "Falls"), (150, 144, "3 (33.3)"), (230, 144, "4 (50.0)")]
    (table,) = tables_of(page([(40, 100, "Table 4. Falls")], own, rows, beside))
    assert [[cell.text for cell in row.cells if cell] for row in table.rows] == [["3 (33.3)", "4 (50.0)"]]


def test_rows_end_where_the_next_caption_stands() -> None:
    below = [(50, 230, "Table 3. Others"), (200, 250, "1"), (330, 250, "2")]
    first, *_ = tables_of(page(*TABLE, below))
    assert len(first.rows) == 4


def test_cells_that_were_read_as_one_line_are_taken_apart() -> None:
    merged = line(200, 150, "9 (20.0) 19 (40.4)")
    gap = 40.0
    words = (
        *merged.words[:2],
        *(Word(w.text, (w.box[0] + gap, *w.box[1:2], w.box[2] + gap, w.box[3]), SIZE) for w in merged.words[2:]),
    )
    row = Line(merged.text, (200, 150, words[-1].box[2], 150 + SIZE), words, SIZE)
    heads = [line(200, 120, "Drug"), line(280, 120, "Placebo")]
    below = [line(200, 164, "3 (6.7)"), line(280, 164, "4 (8.5)")]
    caption = line(50, 100, "Table 1. Events")
    labels = [line(50, 150, "Falls"), line(50, 164, "Deaths")]
    blocks = (Block("T1", caption.box, (caption,)), Block("T2", (50, 120, 400, 173), (*heads, *labels, row, *below)))
    (table,) = tables_of(ParsedPage(1, 595.0, 842.0, 0, "test", blocks))
    assert [[cell.text for cell in one.cells if cell] for one in table.rows] == [
        ["9 (20.0)", "19 (40.4)"],
        ["3 (6.7)", "4 (8.5)"],
    ]


def test_outcomes_are_rows_with_a_figure_in_each_arm() -> None:
    (table,) = tables_of(page(*TABLE))
    found = {
        one.name: [(arm.label, arm.size, f.kind, f.first, f.second) for arm, f in one.figures]
        for one in outcomes_of(table)
    }
    exercise, control = ("Exercise group", "45"), ("Control group", "47")
    assert found == {
        "Falls, n (%)": [(*exercise, "events", "9", "45"), (*control, "events", "19", "47")],
        "Weight, kg": [(*exercise, "mean", "71.2", "9.4"), (*control, "mean", "74.0", "8.8")],
        "Laboratory Glucose, mean (SD)": [(*exercise, "mean", "5.1", "0.7"), (*control, "mean", "5.6", "0.9")],
    }


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (("12/45", "20/47"), [("events", "12", "45"), ("events", "20", "47")]),
        (("12", "20"), []),  # nothing says what is counted
        (("12 (26.7)", "20 (10.0)"), []),  # 20 of 47 is no tenth: it is something else
        (("−1.2 ± 0.3", "0.4 ± 0.2"), [("mean", "−1.2", "0.3"), ("mean", "0.4", "0.2")]),
        (("1.3 (0.5–3.6)", "1.1 (0.4–2.6)"), []),  # intervals
        (("12/45", "3.1 ± 0.2"), []),
    ],
)
def test_what_a_cell_says_follows_from_its_form(cells: tuple[str, str], kind: list[tuple[str, str, str]]) -> None:
    rows = [(50, 150, "Pain"), (200, 150, cells[0]), (330, 150, cells[1])]
    (table,) = tables_of(page(*TABLE[:2], rows))
    found = [(f.kind, f.first, f.second) for one in outcomes_of(table) for _, f in one.figures]
    assert found == kind


@pytest.mark.parametrize(
    ("sentence", "field", "text"),
    [
        ("Trial registration: ISRCTN25142273.", "registration_number", "ISRCTN25142273"),
        ("Registered as ChiCTR-TRC-00000022 in China.", "registration_number", "ChiCTR-TRC-00000022"),
        (
            "We did a double-blind, placebo-controlled, randomised crossover trial in Norway.",
            "study_design",
            "double-blind, placebo-controlled, randomised crossover trial",
        ),
        ("In all, 1,234 adult patients were randomly assigned to two arms.", "n_randomised_total", "1,234"),
        ("We randomised 97 women to walking or rest.", "n_randomised_total", "97"),
        (
            "Here 80 patients with fractures of an arm who underwent nerve block were enrolled, and randomly assigned.",
            "n_randomised_total",
            "80",
        ),
        ("The study was funded by a grant from the Council for Ageing.", "funding_source", "Council for Ageing"),
        ("This trial was supported by the Otsuka Foundation (Tokyo).", "funding_source", "Otsuka Foundation (Tokyo)"),
        ("Funding was provided through the Medical Trust.", "funding_source", "Medical Trust"),
        ("It was funded by the Research Council (Grant No.", "funding_source", "Research Council"),
    ],
)
def test_what_a_study_says_of_itself_is_offered(sentence: str, field: str, text: str) -> None:
    found = candidates_of([page([(50, 60, sentence)])])
    said = [(one.field, one.text, one.quote, one.reason) for one in found if not one.field.startswith("rob_")]
    assert said == [(field, text, sentence, "proved")]
    assert found[0].places[0][0].page == 1


@pytest.mark.parametrize(
    "sentence",
    [
        "The results are supported by the following articles.",
        "In 2014 the study ended and 45 patients were lost.",
        "See https://example.org/NCT0035250 for more.",  # a digit short
        "The authors received no specific funding from any agency for this work.",
        "Prices rose between June 2012 and June 2015.",  # of nobody who was there
        "Of 45 patients all came from the north in June 2012.",
    ],
)
def test_what_only_looks_like_it_is_not(sentence: str) -> None:
    assert candidates_of([page([(50, 60, sentence)])]) == []


def test_arms_and_outcomes_are_offered_with_the_row_they_stand_in() -> None:
    found = candidates_of([page(*TABLE)])

    def of(field: str) -> list[Candidate]:
        return [one for one in found if one.field == field]

    sizes = [("Exercise group", "45", "(n = 45) | (n = 47)"), ("Control group", "47", "(n = 45) | (n = 47)")]
    assert [(one.part, one.text, one.quote) for one in of("n_randomised")] == sizes
    assert {one.reason for one in of("n_randomised")} == {"quote_bare"}
    heads = "Exercise group | Control group | P value"
    assert [(one.text, one.quote) for one in of("arm_name")] == [("Exercise group", heads), ("Control group", heads)]
    outcomes = [(one.part, one.text) for one in of("outcome_name")]
    assert outcomes[-1] == ("Laboratory Glucose, mean (SD)", "Glucose, mean (SD)"), "as its row says it"
    assert {one.repeat for one in found} == {"per_arm", "per_outcome"}
    (events,) = of("events_treatment")
    assert (events.part, events.text, events.quote) == (
        "Falls, n (%)",
        "9",
        "Falls, n (%) | 9 (20.0) | 19 (40.4) | 0.03",
    )
    assert [one.text for one in of("events_control")] == ["19"]
    assert [one.text for one in of("sd_control")] == ["8.8", "0.9"]
    assert not of("total_treatment"), "it stands in another row than its events"


@pytest.mark.parametrize(
    ("sentence", "dates"),
    [
        ("It was conducted at 50 sites in Japan between June 2012 and June 2015.", ("June 2012", "June 2015")),
        ("Patients came from 3 May 2009 to 14 Sept. 2010.", ("3 May 2009", "14 Sept. 2010")),
        ("From September through November 2012, patients were recruited.", ("September", "November 2012")),
    ],
)
def test_when_enrolment_began_and_ended_is_offered_as_printed(sentence: str, dates: tuple[str, str]) -> None:
    found = offered(page([(50, 60, sentence)]))
    sentence_from = {"enrolment_start": [dates[0]], "enrolment_end": [dates[1]]}
    assert found == sentence_from


PEOPLE: Sequence[Placed] = (
    *((50, 150, "N"), (200, 150, "45"), (330, 150, "47")),
    *((50, 164, "Age (years)"), (200, 164, "33.9 ± 12.3"), (330, 164, "76 (38–94)")),
    *((50, 178, "Male, n (%)"), (200, 178, "20 (44.4)"), (330, 178, "31 (66.0%)")),
    *((50, 192, "Age group, n (%)"), (200, 192, "9 (20.0)"), (330, 192, "8 (17.0)")),
    *((50, 206, "Male/female"), (200, 206, "20 (25)"), (330, 206, "31 (16)")),
)


def test_of_an_arms_people_age_and_sex_are_offered_with_their_row() -> None:
    heads = [(200, 120, "WBC"), (330, 120, "Rest"), (460, 120, "P value")]
    found = candidates_of([page(TABLE[0], heads, PEOPLE)])
    assert {(one.part, one.field, one.text) for one in found if one.repeat == "per_arm"} == {
        *(("WBC", "arm_name", "WBC"), ("WBC", "n_randomised", "45")),
        *(("WBC", "age_mean", "33.9"), ("WBC", "age_spread", "12.3"), ("WBC", "male_percent", "44.4")),
        *(("Rest", "arm_name", "Rest"), ("Rest", "n_randomised", "47")),
        *(("Rest", "age_mean", "76"), ("Rest", "age_spread", "38–94"), ("Rest", "male_percent", "66.0%")),
    }
    (age,) = [one for one in found if (one.part, one.field) == ("WBC", "age_mean")]
    assert age.quote == "Age (years) | 33.9 ± 12.3 | 76 (38–94)" and age.reason == "proved"


def test_without_a_size_a_column_is_an_arm_where_a_row_tells_its_peoples_age() -> None:
    heads = [(200, 120, "Clonidine"), (330, 120, "Midazolam"), (460, 120, "P value")]
    assert offered(page(TABLE[0], heads, PEOPLE[3:6]))["arm_name"] == ["Clonidine", "Midazolam"]
    weights = [(50, 150, "Weight"), (200, 150, "71.2 ± 9.4"), (330, 150, "74.0 ± 8.8")]
    assert "arm_name" not in offered(page(TABLE[0], heads, weights))


def test_a_share_of_men_is_one_by_its_sign_its_head_or_the_arms_size() -> None:
    heads = [(200, 120, "Clonidine (n = 45)"), (330, 120, "Midazolam (n = 47)")]
    for label, cells, shares in (
        ("Male", ("20 (44.4)", "31 (66.0)"), ["44.4", "66.0"]),
        ("Men", ("44.4%", "66.0 %"), ["44.4%", "66.0%"]),
        ("Male (%)", ("44", "66"), ["44", "66"]),
        ("Male", ("20 (33)", "31 (9)"), None),
    ):
        rows = [(50, 150, label), (200, 150, cells[0]), (330, 150, cells[1])]
        assert offered(page(TABLE[0], heads, rows)).get("male_percent") == shares, label


def test_an_arm_that_one_table_calls_a_group_is_offered_once() -> None:
    again = [
        [(50, 100, "Table 3. Falls by arm")],
        [*((200, 120, "Exercise"), (330, 120, "Control")), *((200, 132, "(n = 44)"), (330, 132, "(n = 47)"))],
        [(50, 150, "Falls, n (%)"), (200, 150, "9 (20.0)"), (330, 150, "19 (40.4)")],
    ]
    found = candidates_of([page(*TABLE), page(*again, number=2)])
    assert [one.part for one in found if one.field == "arm_name"] == ["Exercise group", "Control group"]
    sizes = [(one.part, one.text) for one in found if one.field == "n_randomised"]
    assert set(sizes) == {("Exercise group", "45"), ("Exercise group", "44"), ("Control group", "47")}


HEADS: Sequence[Placed] = ((160, 120, "Exercise (n = 45)"), (280, 120, "Control (n = 47)"))


@pytest.mark.parametrize(
    ("head", "row", "cell", "offers"),
    [
        ("Odds ratio (95% CI)", "9 (20.0)", "2.02 (1.02, 3.99)", {"ratio": ("2.02", "1.02, 3.99")}),
        ("Hazard ratio (95% CI)", "9 (20.0)", "0.71 (0.50 to 0.98)", {"hr": ("0.71", "0.50 to 0.98")}),
        ("Mean difference", "71.2 ± 9.4", "−3.94 (−7.77, −0.12)", {"difference": ("−3.94", "−7.77, −0.12")}),
        ("Difference or ratio (95% CI)", "71.2 ± 9.4", "1.5 (0.2–2.8)", {"difference": ("1.5", "0.2–2.8")}),
        ("Difference or ratio (95% CI)", "9 (20.0)", "1.5 (0.2–2.8)", {"ratio": ("1.5", "0.2–2.8")}),
        ("Odds ratio (95% CI)", "9 (20.0)", "2.02 (1.02)", {}),
        ("Odds ratio (95% CI)", "9 (20.0)", "2.02 (3.01, 3.99)", {}),
        ("P value", "9 (20.0)", "2.02 (1.02, 3.99)", {}),
    ],
)
def test_what_compares_two_arms_is_offered_with_its_bounds(
    head: str, row: str, cell: str, offers: dict[str, tuple[str, str]]
) -> None:
    other = "19 (40.4)" if "(" in row else "74.0 ± 8.8"
    cells = [(50, 150, "Falls"), (160, 150, row), (280, 150, other), (400, 150, cell)]
    found = offered(page(TABLE[0], [*HEADS, (400, 120, head)], cells))
    told = {key: texts for key, texts in found.items() if key.startswith(("hr_", "ratio_", "difference_"))}
    assert told == {
        f"{measure}_{part}": [text]
        for measure, texts in offers.items()
        for part, text in zip(("value", "interval"), texts, strict=True)
    }


def test_an_estimate_and_its_bounds_may_stand_in_two_columns() -> None:
    heads = [*HEADS, (400, 120, "RR"), (450, 120, "95% CI")]
    cells = [
        (50, 150, "Falls"),
        (160, 150, "9 (20.0)"),
        (280, 150, "19 (40.4)"),
        (400, 150, "0.49"),
        (450, 150, "0.25–0.98"),
    ]
    found = offered(page(TABLE[0], heads, cells))
    assert (found["ratio_value"], found["ratio_interval"]) == (["0.49"], ["0.25–0.98"])


@pytest.mark.parametrize(
    ("sentence", "participants", "assessors"),
    [
        ("We did a double-blind, placebo-controlled trial.", ["double-blind"], None),
        ("This was an open label study of two doses.", ["open label"], None),
        ("Participants and carers were blinded to allocation.", ["Participants and carers were blinded"], None),
        ("Outcome assessors were unaware of the groups.", None, ["assessors were unaware"]),
        ("We did an assessor-blinded trial.", None, ["assessor-blinded"]),
        ("Patients with a blind spot in one eye were excluded.", None, None),
    ],
)
def test_who_was_blind_is_offered_to_whoever_judges_it(
    sentence: str, participants: list[str] | None, assessors: list[str] | None
) -> None:
    found = offered(page([(50, 60, sentence)]))
    assert (found.get("rob_blinding_participants"), found.get("rob_blinding_assessors")) == (participants, assessors)


def test_of_two_arms_without_a_control_nobody_says_which_is_which() -> None:
    heads = [(200, 120, "Group I"), (330, 120, "Group II")]
    rows = [(50, 150, "Pain"), (200, 150, "3.1 ± 0.2"), (330, 150, "4.2 ± 0.4")]
    (table,) = tables_of(page(TABLE[0], heads, rows))
    assert len(list(outcomes_of(table))) == 1
    assert offered(page(TABLE[0], heads, rows)) == {}


def test_what_the_quote_does_not_hold_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    from processing.engine.kinds import candidates

    invented = [("n_randomised_total", "none", "", "98", "We randomised 97 women to walking or rest.", 1)]
    monkeypatch.setattr(candidates, "_offers", lambda pages: iter(invented))
    assert candidates_of([page([(50, 60, "We randomised 97 women to walking or rest.")])]) == []


def test_of_one_field_no_more_are_offered_than_a_person_reads() -> None:
    numbers = [(50.0, 60.0 + 14 * n, f"Trial number NCT0035{n:04d} was one of them.") for n in range(9)]
    assert len(offered(page(numbers))["registration_number"]) == 5


def test_a_table_without_numbers_is_none() -> None:
    words = [(200, 120, "Drug"), (330, 120, "Placebo"), (50, 150, "Pain"), (200, 150, "less"), (330, 150, "more")]
    found: list[PaperTable] = tables_of(page(TABLE[0], words))
    assert found == []
